//! What a check found: one finding for each rule and part that breaks it, and the verdict.
//! Made by the judges; read by people, and by programs as JSON.
//! A finding says when, who, how much, how much is allowed, and what to change.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::postures::RANDOM;
use super::rule::{Rule, Severity};

/// A rule that is broken, and where.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckFinding {
    /// Which rule it breaks.
    pub rule: Rule,
    /// How much it matters.
    pub severity: Severity,
    /// What breaks it: an actuator, two links or a hook; empty for the whole show.
    pub who: String,
    /// When it was worst, on the show's clock, s; `None` if it has no instant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// When it was over, on the show's clock, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// The value that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The value that is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The unit of both.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// How often it happened in all.
    pub times: u64,
    /// The postures from which it happened; the figures are those of the first.
    pub starts: Vec<String>,
    /// The finding in a sentence.
    pub sentence: String,
    /// What to change.
    pub fix: String,
}

impl CheckFinding {
    /// Whether it was only found from random postures.
    pub fn is_by_chance(&self) -> bool {
        let mut starts = self.starts.iter();
        !self.starts.is_empty() && starts.all(|start| start.starts_with(RANDOM))
    }

    /// A finding about the whole show, to be filled in.
    pub fn new(rule: Rule, sentence: impl Into<String>, fix: impl Into<String>) -> CheckFinding {
        CheckFinding {
            rule,
            severity: rule.severity(),
            who: String::new(),
            at: None,
            until: None,
            value: None,
            limit: None,
            unit: String::new(),
            times: 1,
            starts: Vec::new(),
            sentence: sentence.into(),
            fix: fix.into(),
        }
    }

    /// How far the value exceeds the limit, as a share of the limit: it decides which of two findings is worse.
    fn excess(&self) -> f64 {
        match (self.value, self.limit) {
            (Some(value), Some(limit)) => excess(value, limit),
            _ => 0.0,
        }
    }
}

fn excess(value: f64, limit: f64) -> f64 {
    (value - limit).abs() / limit.abs().max(1e-9)
}

/// A list with one finding for each rule and part.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<CheckFinding>,
}

impl Findings {
    /// Adds a finding. Of several for the same rule and part the worst is kept, and all are counted.
    pub fn add(&mut self, new: CheckFinding) {
        let same = |finding: &&mut CheckFinding| finding.rule == new.rule && finding.who == new.who;
        let Some(old) = self.list.iter_mut().find(same) else {
            self.list.push(new);
            return;
        };
        let times = old.times + new.times;
        let mut starts = std::mem::take(&mut old.starts);
        let graver = (new.severity, -new.excess()) < (old.severity, -old.excess());
        if graver {
            let more = std::mem::replace(&mut starts, new.starts.clone());
            *old = new;
            join(&mut starts, more);
        } else {
            join(&mut starts, new.starts);
        }
        old.times = times;
        old.starts = starts;
    }

    /// Counts a finding of one posture. Its sentence is written only if it is the worst of its rule and part so far: a
    /// show may break a rule thousands of times.
    pub fn count(
        &mut self,
        (rule, who): (Rule, &str),
        (value, limit): (f64, f64),
        write: impl FnOnce() -> CheckFinding,
    ) {
        let mut list = self.list.iter_mut();
        if let Some(old) = list.find(|old| old.rule == rule && old.who == who) {
            let is_graver =
                (rule.severity(), -excess(value, limit)) < (old.severity, -old.excess());
            if !is_graver {
                old.times += 1;
                return;
            }
        }
        self.add(write());
    }

    /// Adds all of another list.
    pub fn join(&mut self, others: Findings) {
        others.list.into_iter().for_each(|item| self.add(item));
    }

    /// Adds a finding, if there is one.
    pub fn extend(&mut self, new: Option<CheckFinding>) {
        if let Some(new) = new {
            self.add(new);
        }
    }

    /// Whether `who` has broken this rule.
    pub fn has(&self, rule: Rule, who: &str) -> bool {
        self.list
            .iter()
            .any(|finding| finding.rule == rule && finding.who == who)
    }

    /// Removes the failures of these rules that are of the whole body.
    pub fn remove_failures(&mut self, rules: &[Rule]) {
        self.list.retain(|finding| {
            let is_of_body = rules.contains(&finding.rule) && finding.who.is_empty();
            !(is_of_body && finding.severity == Severity::Failure)
        });
    }

    /// Makes warnings of the failures of this rule about these parts.
    pub fn weaken(&mut self, rule: Rule, is_about: impl Fn(&str) -> bool) {
        let of_rule = self.list.iter_mut().filter(|finding| finding.rule == rule);
        let of_parts = of_rule.filter(|finding| is_about(&finding.who));
        of_parts.for_each(|finding| finding.severity = Severity::Warning);
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &CheckFinding> {
        self.list.iter()
    }

    /// Sorted for output: by severity, then those from random postures alone behind the others, then by time, then by
    /// rule.
    pub fn sorted(mut self) -> Vec<CheckFinding> {
        self.list.sort_by(|a, b| {
            let key = |finding: &CheckFinding| {
                (
                    finding.severity,
                    finding.is_by_chance(),
                    finding.at.unwrap_or(f64::NEG_INFINITY),
                )
            };
            let (one, other) = (key(a), key(b));
            let by_weight = one.0.cmp(&other.0).then(one.1.cmp(&other.1));
            let by_time = by_weight.then(one.2.total_cmp(&other.2));
            by_time.then(a.rule.cmp(&b.rule)).then(a.who.cmp(&b.who))
        });
        self.list
    }
}

fn join(starts: &mut Vec<String>, more: Vec<String>) {
    for start in more {
        if !starts.contains(&start) {
            starts.push(start);
        }
    }
}

/// The verdict on a show.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// The show.
    pub show: String,
    /// The robot.
    pub robot: String,
    /// Whether the show may run on the robot.
    pub passes: bool,
    /// The show did not end: it was judged only for this long, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<f64>,
    /// What could not be judged, and why.
    pub unjudged: Vec<String>,
    /// What was found: failures first, then by time.
    pub findings: Vec<CheckFinding>,
    /// What else the check has measured.
    pub facts: CheckFacts,
}

/// What the check has measured besides the findings.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckFacts {
    /// The digest of its bytes.
    pub digest: String,
    /// How it reached sensors and commands.
    pub form: String,
    /// The functions of the contract that it imports, by interface.
    pub uses: Vec<(String, Vec<String>)>,
    /// Whether it says that it loops.
    pub loops: bool,
    /// From its entrance to its own instant 0, s, if its manifest says so. Instants are its own; lengths count from its
    /// entrance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<f64>,
    /// All runs.
    pub plays: Vec<PlaySummary>,
    /// What its hooks used, over all runs.
    pub hooks: Vec<HookStats>,
    /// Fuel that a call is granted.
    pub fuel: u64,
    /// The least margin of the centre of mass within the support polygon, m; `None` if it stood on no sole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The least margin of the zero-moment point while it moved, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moving_margin: Option<f64>,
    /// How far its speed tipped it over the edge of its soles, as a share of the angle at which it falls.
    pub tipping: f64,
    /// How far it leaned at most onto a sole that it had lifted, rad.
    pub leaning: f64,
    /// How much of the robot's time was simulated, s.
    pub simulated: f64,
    /// How long it took to load it, mostly to compile it, s.
    pub loading: f64,
    /// How long the rest of the check took by the clock, s.
    pub took: f64,
}

/// One run of the show.
#[derive(Clone, Debug, Serialize)]
pub struct PlaySummary {
    /// The posture from which it began.
    pub start: String,
    /// How long it lasted, s.
    pub lasted: f64,
    /// Whether it ended by itself.
    pub ended: bool,
    /// Commands that were taken.
    pub commands: u64,
}

/// The calls and the fuel of a hook.
#[derive(Clone, Debug, Serialize)]
pub struct HookStats {
    /// Its name in the contract.
    pub hook: String,
    /// How often it was called.
    pub calls: u64,
    /// The most fuel that a call took.
    pub most: u64,
    /// Fuel of a call on average.
    pub average: f64,
    /// The time of the most expensive call on this machine, µs; `None` for a hook that runs outside of the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_us: Option<f64>,
}

/// What is read of a verdict that was written as JSON: by another process, or into the cache.
#[derive(Clone, Debug, Deserialize)]
pub struct SavedVerdict {
    /// Whether the show may run on the robot.
    pub passes: bool,
    /// The show did not end: it was judged only for this long, s.
    #[serde(default)]
    pub horizon: Option<f64>,
    /// What was found.
    pub findings: Vec<SavedFinding>,
    /// What else was measured.
    pub facts: SavedFacts,
}

/// A finding of such a verdict.
#[derive(Clone, Debug, Deserialize)]
pub struct SavedFinding {
    /// The name of the rule.
    pub rule: String,
    /// The finding in a sentence.
    pub sentence: String,
    /// What to change.
    pub fix: String,
}

/// The facts of such a verdict.
#[derive(Clone, Debug, Deserialize)]
pub struct SavedFacts {
    /// Whether the show says that it loops.
    pub loops: bool,
    plays: Vec<IgnoredAny>,
}

impl SavedFacts {
    /// Whether the show was played at all.
    pub fn was_played(&self) -> bool {
        !self.plays.is_empty()
    }
}

impl Verdict {
    /// The number of findings of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        let findings = self.findings.iter();
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    }
}
