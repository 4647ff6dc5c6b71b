//! The rules by which a show is judged: their names, what they mean, and how much they matter.
//! Used by the judges, by `check --explain`, and by whoever allows a rule by name.
//! The law: a rule's name is a promise to scripts; it is never used for anything else.

use serde::Serialize;

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "each explains itself in words")]
pub enum Rule {
    Contract,
    Fault,
    Hang,
    Range,
    Velocity,
    Acceleration,
    Coupled,
    Reach,
    Gap,
    Touch,
    Balance,
    Tipping,
    Settings,
    Repeat,
    Full,
    Late,
    Events,
    Fuel,
    Ends,
    Nothing,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// It shall not go onto a robot like this.
    Failure,
    /// Look at it.
    Warning,
}

impl Severity {
    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Failure => "failure",
            Severity::Warning => "warning",
        }
    }
}

impl Rule {
    /// All of them, in the order in which they are told.
    pub const ALL: [Rule; 20] = [
        Rule::Contract,
        Rule::Fault,
        Rule::Hang,
        Rule::Range,
        Rule::Velocity,
        Rule::Acceleration,
        Rule::Coupled,
        Rule::Reach,
        Rule::Gap,
        Rule::Touch,
        Rule::Balance,
        Rule::Tipping,
        Rule::Settings,
        Rule::Repeat,
        Rule::Full,
        Rule::Late,
        Rule::Events,
        Rule::Fuel,
        Rule::Ends,
        Rule::Nothing,
    ];

    /// The rule of this name.
    pub fn named(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Contract => "contract",
            Rule::Fault => "fault",
            Rule::Hang => "hang",
            Rule::Range => "range",
            Rule::Velocity => "velocity",
            Rule::Acceleration => "acceleration",
            Rule::Coupled => "coupled",
            Rule::Reach => "reach",
            Rule::Gap => "gap",
            Rule::Touch => "touch",
            Rule::Balance => "balance",
            Rule::Tipping => "tipping",
            Rule::Settings => "settings",
            Rule::Repeat => "repeat",
            Rule::Full => "full",
            Rule::Late => "late",
            Rule::Events => "events",
            Rule::Fuel => "fuel",
            Rule::Ends => "ends",
            Rule::Nothing => "nothing",
        }
    }

    /// How much it matters when it is broken; `fuel` and `full` know both.
    pub fn severity(self) -> Severity {
        match self {
            Rule::Gap | Rule::Late | Rule::Events | Rule::Fuel | Rule::Ends => Severity::Warning,
            _ => Severity::Failure,
        }
    }

    /// What to do about it, for findings that have no figures of their own.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Rule::Contract => {
                "build it with what `dcm-run wit` prints, or grant it what it needs in robot.toml"
            }
            Rule::Fuel => "do less in a turn, or raise `fuel` in its manifest and in the grant",
            Rule::Fault => {
                "look at what it does there: `dcm-run run` with `--sim` prints what it says"
            }
            _ => "see `dcm-run check --explain`",
        }
    }

    /// In one line.
    pub fn title(self) -> &'static str {
        match self {
            Rule::Contract => "it fits the contract, and needs no more than it is granted",
            Rule::Fault => "it does not break, run dry, or take too long",
            Rule::Hang => "it can be checked in a bounded time",
            Rule::Range => "it asks for nothing outside a range",
            Rule::Velocity => "it asks for no faster motion than a joint has",
            Rule::Acceleration => "it asks for no sharper motion than a joint has",
            Rule::Coupled => "it respects ranges that depend on another joint",
            Rule::Reach => "its first keys can be reached in time from where the body stands",
            Rule::Gap => "each line begins at its author's last key",
            Rule::Touch => "the body does not touch itself",
            Rule::Balance => "the body stands over its feet",
            Rule::Tipping => "it does not move so fast that it tips over",
            Rule::Settings => "it leaves stiffnesses and gains as they were",
            Rule::Repeat => "it runs twice in a row, and is as good the second time",
            Rule::Full => "its commands find room",
            Rule::Late => "its commands come before their instants",
            Rule::Events => "it does not flood the others with events",
            Rule::Fuel => "its hooks stay well within their fuel",
            Rule::Ends => "it ends, or says that it loops",
            Rule::Nothing => "it moves this robot at all",
        }
    }

    /// What it judges, why, and what to do about it.
    pub fn explanation(self) -> &'static str {
        match self {
            Rule::Contract => {
                "The component is read as an upload would be: its imports against the contract, its size, its \
                 manifest, the WASI that the grant in robot.toml gives to its name. What is refused here is \
                 refused by every robot of this description."
            }
            Rule::Fault => {
                "A trap, fuel that runs out, a hook that takes longer than the clock allows, or a `start` that \
                 fails. On a robot the choreography would be thrown out in that turn, and its lane would end as \
                 it declared."
            }
            Rule::Hang => {
                "The check itself is bounded by the clock (`--within`). What does not come to its end within \
                 that time has not been judged."
            }
            Rule::Range => {
                "A value outside an actuator's range is brought back to its edge: the motion is cut off there. \
                 Ask for a value within the range; `dcm-run config show ROBOT` lists them."
            }
            Rule::Velocity => {
                "The commands ask a joint to move faster than its `velocity`. The limits slow it down, so it \
                 comes late and cuts the corners that follow. Give the move more time, or make it smaller."
            }
            Rule::Acceleration => {
                "The commands change a joint's speed faster than its `acceleration`. The limits round it off, \
                 and the joint comes late. Ease in and out, or give the move more time."
            }
            Rule::Coupled => {
                "Where one joint stands decides how far another may go, as with a head between shoulders. The \
                 command left that range and was brought back, or its driver was made to wait."
            }
            Rule::Reach => {
                "The first move of each joint begins wherever the body happens to stand. From at least one of \
                 the tried postures the joint is too slow for its first key. Let the first keys come later, or \
                 go there by speed instead of by time."
            }
            Rule::Gap => {
                "A line begins when its command is there. A key that is sent after the key before it has passed \
                 leaves its joint standing until it comes; then the joint goes faster than the straight line \
                 between the two. Judged of what is sent ahead, where a joint stood for more than a second and \
                 then goes more than twice as fast. Send each key before the one before it has passed."
            }
            Rule::Touch => {
                "Two links, seen as the capsules of the description, touch. Links that share a joint, and those \
                 that touched already when the show began, are not counted until they have come apart."
            }
            Rule::Balance => {
                "The centre of mass, straight above the ground, came too near to the edge of the soles that are on it, \
                 or left them: a body that moves slowly would fall. Each sole, and each set of soles, is tried as the \
                 ground, and the one that was there is kept while it may be. Below `safety.balance-warn` (10 mm) it is \
                 told, below `safety.balance-fail` (5 mm) it fails. Judged from postures in which it stood at first."
            }
            Rule::Tipping => {
                "From how all links are to be moved follows where the ground must push: the zero-moment point. While \
                 it is outside of the soles the body tips over their edge, and it falls when it has tipped too far to \
                 come back. Give the move more time, or ease it in and out."
            }
            Rule::Settings => {
                "When it had ended, a stiffness or a joint's gains were not what they had been before it began. \
                 Whoever plays next finds a body that behaves differently."
            }
            Rule::Repeat => {
                "It was played twice in a row in the same loop. The second time it was refused, broke, took \
                 longer or broke a rule that it had kept the first time."
            }
            Rule::Full => {
                "Its lane, its tray or its ring was full, or the stage refused what it had laid down: some of \
                 its commands waited for a later turn, or were not taken at all. Send less ahead, or less often."
            }
            Rule::Late => {
                "A command came after its own instant. The joint starts it in the middle, which may be a jump \
                 that the limits must smooth."
            }
            Rule::Events => "It posts so many events that others cannot hear all of theirs.",
            Rule::Fuel => {
                "A hook used more than four fifths of the fuel that a call is granted: another branch, another \
                 robot or another compiler may run it dry. Raise `fuel` in its manifest and in the grant, or do \
                 less in a turn."
            }
            Rule::Ends => {
                "It was still playing when the time of the check was over (`--for`). If that is what it is made \
                 for, let its manifest say `loops = true`."
            }
            Rule::Nothing => {
                "It sent nothing that this robot has: no command, no direct output, no light. It may be made for \
                 another robot, or its names may be misspelt. `dcm-run config show ROBOT` lists what there is."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_found_by_its_name_and_explains_itself() {
        for rule in Rule::ALL {
            assert_eq!(Rule::named(rule.name()), Some(rule));
            assert!(rule.explanation().ends_with('.') && !rule.title().ends_with('.'));
            let json = serde_json::to_string(&rule).expect("a word");
            assert_eq!(json, format!("\"{}\"", rule.name()));
        }
        assert_eq!(Rule::named("taste"), None);
    }
}
