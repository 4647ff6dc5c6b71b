//! What a check found: one finding for each rule and thing that breaks it, and the verdict over all.
//! Made by the judges; read by people, and by programs as JSON.
//! The law: a finding says when, who, how much, how much is allowed, and what to change.

use serde::Serialize;

use super::rule::{Rule, Severity};

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckFinding {
    /// Which rule it breaks.
    pub rule: Rule,
    /// How much it matters.
    pub severity: Severity,
    /// Who: an actuator, two links, a hook; empty for the whole show.
    pub who: String,
    /// When it was worst, s after the show began; nothing if it has no instant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// When it was over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// What was found there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The unit of both.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// How often it happened in all.
    pub times: u64,
    /// The postures from which it happened, the first one that of these figures.
    pub starts: Vec<String>,
    /// In a sentence.
    pub sentence: String,
    /// What to change.
    pub fix: String,
}

impl CheckFinding {
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

    /// How far over its limit it is, as a share; for telling which of two is worse.
    fn excess(&self) -> f64 {
        match (self.value, self.limit) {
            (Some(value), Some(limit)) => (value - limit).abs() / limit.abs().max(1e-9),
            _ => 0.0,
        }
    }
}

/// Findings, one for each rule and who.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<CheckFinding>,
}

impl Findings {
    /// Adds one; of those with the same rule and who the worst is kept, and all are counted.
    pub fn add(&mut self, new: CheckFinding) {
        let same = |it: &&mut CheckFinding| it.rule == new.rule && it.who == new.who;
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

    /// Adds all of another list.
    pub fn join(&mut self, others: Findings) {
        others.list.into_iter().for_each(|it| self.add(it));
    }

    /// Adds one if there is one.
    pub fn extend(&mut self, new: Option<CheckFinding>) {
        if let Some(new) = new {
            self.add(new);
        }
    }

    /// Whether this rule was broken by this one.
    pub fn has(&self, rule: Rule, who: &str) -> bool {
        self.list.iter().any(|it| it.rule == rule && it.who == who)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &CheckFinding> {
        self.list.iter()
    }

    /// In the order in which they are told: by weight, what is so from chance postures alone behind the rest, then by
    /// time, then by rule.
    pub fn sorted(mut self) -> Vec<CheckFinding> {
        self.list.sort_by(|a, b| {
            let is_chance = |it: &CheckFinding| {
                !it.starts.is_empty() && it.starts.iter().all(|it| it.starts_with("chance "))
            };
            let key = |it: &CheckFinding| (it.severity, is_chance(it), it.at.unwrap_or(-1.0));
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

/// The verdict over a show.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// What was judged.
    pub show: String,
    /// For which robot.
    pub robot: String,
    /// Whether it may go onto that robot.
    pub passes: bool,
    /// It has no end that was reached: it was judged for so long, s, and not beyond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<f64>,
    /// What could not be judged, and why.
    pub unjudged: Vec<String>,
    /// What was found: failures first, then by time.
    pub findings: Vec<CheckFinding>,
    /// What else is to be known.
    pub facts: CheckFacts,
}

/// What was seen besides.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckFacts {
    /// The digest of its bytes.
    pub digest: String,
    /// How it reached sensors and commands.
    pub form: String,
    /// What it uses of the contract, by interface.
    pub uses: Vec<(String, Vec<String>)>,
    /// Whether it says that it loops.
    pub loops: bool,
    /// From its entrance to its own instant 0, s, if it says so: all instants here count from its entrance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<f64>,
    /// Every time it was played.
    pub plays: Vec<PlaySummary>,
    /// What its hooks used, over all plays.
    pub hooks: Vec<HookStats>,
    /// Fuel that a call is granted.
    pub fuel: u64,
    /// How far the centre of mass was within the soles at least, m; nothing if it was on none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The same for the zero-moment point, while it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moving_margin: Option<f64>,
    /// How far it tipped over the edge of its soles by its speed, of the way after which it falls.
    pub tipping: f64,
    /// How far it leaned over at most onto a sole that it had lifted, rad.
    pub leaning: f64,
    /// The robot's time that was played, s.
    pub simulated: f64,
    /// How long that took, s.
    pub took: f64,
}

/// One time it was played.
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

/// What a hook used.
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
    /// What the most is in time on this machine, µs; nothing for what does not run in a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_us: Option<f64>,
}

impl Verdict {
    /// How many findings matter this much.
    pub fn count(&self, severity: Severity) -> usize {
        let findings = self.findings.iter();
        findings.filter(|it| it.severity == severity).count()
    }
}
