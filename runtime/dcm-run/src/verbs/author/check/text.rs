//! Prints a verdict as text. Called by `check`. First whether it passes, then the findings, then the facts.

use std::fmt::Write;

use ::guests::START_FUEL;
use check::{CheckFinding, Rule, Severity, Verdict};

use crate::text::words::{BAD, BOLD, FAINT, GOOD, ODD, count, counted, paint};

/// The whole verdict.
pub(super) fn whole(verdict: &Verdict) -> String {
    let mut text = format!("{}\n{}", first(verdict), findings(verdict));
    for unjudged in &verdict.unjudged {
        let _ = writeln!(text, "{}: {unjudged}", paint(ODD, "not judged"));
    }
    // Writing into a string cannot fail.
    let _ = writeln!(text, "\n{}", facts(verdict));
    text
}

/// Why a choreography is not played.
pub(super) fn refusal(verdict: &Verdict) -> String {
    format!("{}\n{}", first(verdict), findings(verdict))
}

/// The first line.
fn first(verdict: &Verdict) -> String {
    let Verdict { show, robot, .. } = verdict;
    let many = |severity: Severity| match verdict.count(severity) {
        1 => format!("1 {}", severity.name()),
        many => format!("{many} {}s", severity.name()),
    };
    let (failures, warnings) = (many(Severity::Failure), many(Severity::Warning));
    let horizon = verdict.horizon.map(|horizon| {
        let nothing = paint(GOOD.bold(), format!("passes for its first {horizon:.0} s"));
        format!("{nothing}: {show} on {robot}, which had not ended by then")
    });
    match (verdict.passes, verdict.findings.is_empty()) {
        (true, none) if horizon.is_some() => {
            let warned = if none {
                String::new()
            } else {
                format!(", with {warnings}")
            };
            horizon.unwrap_or_default() + &warned
        }
        (true, true) => format!("{}: {show} on {robot}", paint(GOOD.bold(), "passes")),
        (true, false) => format!(
            "{}: {show} on {robot}, with {warnings}",
            paint(GOOD.bold(), "passes")
        ),
        (false, _) => format!(
            "{}: {show} on {robot}: {failures}, {warnings}",
            paint(BAD.bold(), "fails")
        ),
    }
}

/// The findings; warnings from random postures alone are counted in one line.
fn findings(verdict: &Verdict) -> String {
    let is_minor =
        |finding: &&CheckFinding| finding.is_by_chance() && finding.severity == Severity::Warning;
    let own = verdict.findings.iter().filter(|finding| !is_minor(finding));
    let mut text: String = own.map(one).collect();
    let minor: Vec<_> = verdict.findings.iter().filter(is_minor).collect();
    if minor.is_empty() {
        return text;
    }
    let mut rules: Vec<_> = minor.iter().map(|finding| finding.rule.name()).collect();
    rules.sort_unstable();
    rules.dedup();
    let warnings = counted(minor.len() as u64, "warning");
    // Writing into a string cannot fail.
    let _ = writeln!(
        text,
        "{} {}: {warnings} from random postures alone; `--json` lists them",
        paint(ODD, "warning"),
        paint(BOLD, rules.join(", ")),
    );
    text
}

fn one(finding: &CheckFinding) -> String {
    let style = match finding.severity {
        Severity::Failure => BAD,
        Severity::Warning => ODD,
    };
    let mut text = format!(
        "{} {}: {}",
        paint(style, finding.severity.name()),
        paint(BOLD, finding.rule.name()),
        finding.sentence
    );
    let mut more = Vec::new();
    if finding.times > 1 {
        more.push(format!("{} times in all", count(finding.times)));
    }
    match finding.starts.as_slice() {
        [] => {}
        [only] if only == "rest" => {}
        [first, rest @ ..] => {
            let others = match rest.len() {
                0 => String::new(),
                1 => " and from 1 other posture".to_owned(),
                many => format!(" and from {many} other postures"),
            };
            more.push(format!("from {first}{others}"));
        }
    }
    // Writing into a string cannot fail.
    if !more.is_empty() {
        let _ = write!(text, " {}", paint(FAINT, format!("({})", more.join(", "))));
    }
    let _ = write!(text, "\n  fix: {}\n", finding.fix);
    text
}

/// The facts.
fn facts(verdict: &Verdict) -> String {
    let facts = &verdict.facts;
    let mut text = String::new();
    if let Some(play) = facts.plays.first() {
        let ends = match (play.ended, facts.loops) {
            (true, _) => format!("ends after {:.2} s", play.lasted),
            (false, true) => "loops".to_owned(),
            (false, false) => format!("had not ended after {:.0} s", play.lasted),
        };
        let _ = writeln!(
            text,
            "{}: {ends}, {}; played {} times, {:.0} s in {:.2} s: {:.0} times as fast as the robot",
            facts.form,
            match play.commands {
                1 => "1 command".to_owned(),
                many => format!("{} commands", count(many)),
            },
            facts.plays.len(),
            facts.simulated,
            facts.took,
            facts.simulated / facts.took.max(1e-9),
        );
    }
    if let Some(lead) = facts.lead.filter(|lead| *lead > 0.0) {
        let _ = writeln!(
            text,
            "times are on the show's own clock; it starts {lead} s before 0"
        );
    }
    for hook in &facts.hooks {
        // `run` runs beside the turn, and has no grant of fuel.
        let granted = match hook.hook.as_str() {
            "run" => String::new(),
            "start" | "stop" => format!(
                " of {} granted",
                count(facts.fuel.saturating_mul(START_FUEL))
            ),
            _ => format!(" of {} granted", count(facts.fuel)),
        };
        let time = hook.most_us.map_or(String::new(), |value| {
            format!(", about {value:.1} µs on this machine")
        });
        let _ = writeln!(
            text,
            "{}: {} fuel at most{granted}{time}; {} on average over {} calls",
            hook.hook,
            count(hook.most),
            count(hook.average as u64),
            count(hook.calls),
        );
    }
    let _ = writeln!(text, "sha256 {}", facts.digest);
    text
}

/// A rule and its explanation.
pub(super) fn explained(rule: Rule) -> String {
    let mut text = format!(
        "{} ({}): {}\n",
        paint(BOLD, rule.name()),
        rule.severity().name(),
        rule.title()
    );
    let mut line = String::from(" ");
    for word in rule.explanation().split_whitespace() {
        if line.chars().count() + word.chars().count() > 100 {
            text.push_str(&line);
            text.push('\n');
            line = String::from(" ");
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push_str("\n\n");
    text
}
