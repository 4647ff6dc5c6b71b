//! Writes a verdict as SARIF 2.1.0, which editors and code hosts read. Called by `check`.
//! The law: every rule is described in the log, so that a viewer needs nothing else.

use std::path::Path;

use check::{CheckFinding, Rule, Severity, Verdict};
use serde_json::{Value, json};

/// The whole log.
pub(super) fn log(verdict: &Verdict, show: &Path) -> Value {
    let rules = Rule::ALL.map(|rule| {
        json!({
            "id": rule.name(),
            "shortDescription": { "text": rule.title() },
            "fullDescription": { "text": rule.explanation() },
            "defaultConfiguration": { "level": level(rule.severity()) },
        })
    });
    let results: Vec<_> = verdict.findings.iter().map(|it| result(it, show)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "dcm-run",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "artifacts": [{
                "location": { "uri": uri(show) },
                "hashes": { "sha-256": verdict.facts.digest },
            }],
            "results": results,
            "properties": { "robot": verdict.robot, "passes": verdict.passes },
        }],
    })
}

fn result(it: &CheckFinding, show: &Path) -> Value {
    let place = Rule::ALL.iter().position(|rule| *rule == it.rule);
    let named = (!it.who.is_empty()).then(|| json!([{ "name": it.who, "kind": "member" }]));
    let mut location =
        json!({ "physicalLocation": { "artifactLocation": { "uri": uri(show), "index": 0 } } });
    if let Some(named) = named {
        location["logicalLocations"] = named;
    }
    json!({
        "ruleId": it.rule.name(),
        "ruleIndex": place,
        "level": level(it.severity),
        "message": { "text": format!("{}; fix: {}", it.sentence, it.fix) },
        "locations": [location],
        "occurrenceCount": it.times.max(1),
        "properties": {
            "at": it.at, "until": it.until, "value": it.value, "limit": it.limit, "unit": it.unit,
            "starts": it.starts,
        },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Failure => "error",
        Severity::Warning => "warning",
    }
}

/// A path as a URI reference, percent-encoded.
fn uri(path: &Path) -> String {
    let plain = |it: u8| it.is_ascii_alphanumeric() || b"-._~/".contains(&it);
    path.to_string_lossy()
        .bytes()
        .fold(String::new(), |mut text, it| {
            if plain(it) {
                text.push(char::from(it));
            } else {
                text.push_str(&format!("%{it:02X}"));
            }
            text
        })
}
