//! Writes a verdict as SARIF 2.1.0, which editors and code hosts read. Called by `check`.
//! Every rule is described in the log, so that a viewer needs nothing else.

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
    let results: Vec<_> = verdict
        .findings
        .iter()
        .map(|finding| result(finding, show))
        .collect();
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

fn result(finding: &CheckFinding, show: &Path) -> Value {
    let place = Rule::ALL.iter().position(|rule| *rule == finding.rule);
    let named =
        (!finding.who.is_empty()).then(|| json!([{ "name": finding.who, "kind": "member" }]));
    let mut location =
        json!({ "physicalLocation": { "artifactLocation": { "uri": uri(show), "index": 0 } } });
    if let Some(named) = named {
        location["logicalLocations"] = named;
    }
    json!({
        "ruleId": finding.rule.name(),
        "ruleIndex": place,
        "level": level(finding.severity),
        "message": { "text": format!("{}; fix: {}", finding.sentence, finding.fix) },
        "locations": [location],
        "occurrenceCount": finding.times.max(1),
        "properties": {
            "at": finding.at, "until": finding.until, "value": finding.value, "limit": finding.limit,
            "unit": finding.unit, "starts": finding.starts,
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
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.to_string_lossy()
        .bytes()
        .fold(String::new(), |mut text, item| {
            if plain(item) {
                text.push(char::from(item));
            } else {
                text.push_str(&format!("%{item:02X}"));
            }
            text
        })
}
