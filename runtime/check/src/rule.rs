//! The rules by which a show is judged: their names, what they mean, and how much they matter.
//! Used by the judges, by `check --explain`, and by whoever allows a rule by name.
//! A rule's name is a promise to scripts; it is never used for anything else.

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
    Fall,
    Slip,
    Overload,
    Overheat,
    Settings,
    Repeat,
    Full,
    Late,
    Events,
    Fuel,
    Ends,
    Nothing,
    Names,
    Endless,
    /// Its memory could not grow.
    Memory,
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

/// What is known of a rule.
struct RuleInfo {
    rule: Rule,
    name: &'static str,
    severity: Severity,
    title: &'static str,
    explanation: &'static str,
}

impl Rule {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Rule; 27] = [
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
        Rule::Fall,
        Rule::Slip,
        Rule::Overload,
        Rule::Overheat,
        Rule::Settings,
        Rule::Repeat,
        Rule::Full,
        Rule::Late,
        Rule::Events,
        Rule::Fuel,
        Rule::Ends,
        Rule::Nothing,
        Rule::Names,
        Rule::Endless,
        Rule::Memory,
    ];

    /// The rule of this name.
    pub fn named(name: &str) -> Option<Rule> {
        let found = RULES.iter().find(|rule| rule.name == name);
        found.map(|value| value.rule)
    }

    fn info(self) -> &'static RuleInfo {
        &RULES[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// How much it matters when it is broken; `fuel` and `full` know both.
    pub fn severity(self) -> Severity {
        self.info().severity
    }

    /// What to do about it, for findings that have no figures of their own.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Rule::Contract => {
                "build it with what `dcm-run wit` prints, or grant it what it needs in robot.toml"
            }
            Rule::Fuel => "do less in a turn, or raise `fuel` in its manifest and in the grant",
            Rule::Fault => {
                "run it with `dcm-run run … --sim --no-check`, which prints what it logs"
            }
            _ => "see `dcm-run check --explain`",
        }
    }

    /// In one line.
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// What it judges, why, and what to do about it.
    pub fn explanation(self) -> &'static str {
        self.info().explanation
    }
}

/// All rules, each at the place of its number.
static RULES: [RuleInfo; 27] = [
    RuleInfo {
        rule: Rule::Contract,
        name: "contract",
        severity: Severity::Failure,
        title: "it fits the contract, and needs no more than it is granted",
        explanation: "The check reads the component as an upload would: its imports against the contract, its size, \
            its manifest, and the WASI interfaces that robot.toml grants to its name. Every robot of this \
            description refuses what is refused here.",
    },
    RuleInfo {
        rule: Rule::Fault,
        name: "fault",
        severity: Severity::Failure,
        title: "it does not trap, run out of fuel, or take too long",
        explanation: "A fault is a trap, fuel that runs out, a hook that takes longer than the clock allows, or a \
            `start` that fails. On a robot the choreography would be ended in that turn, and its lane would \
            end as it declared.",
    },
    RuleInfo {
        rule: Rule::Hang,
        name: "hang",
        severity: Severity::Failure,
        title: "it can be checked in a bounded time",
        explanation: "The check is bounded by the clock (`--within`). What has not ended within that time has not \
            been judged.",
    },
    RuleInfo {
        rule: Rule::Range,
        name: "range",
        severity: Severity::Failure,
        title: "it asks for nothing outside a range",
        explanation: "A value outside an actuator's range is clipped to the end of the range: the motion is cut off \
            there. Ask for a value within the range; `dcm-run config show ROBOT` lists the ranges. What is beyond by \
            less than 0.001 rad, or a step of the board, is only a warning: files round.",
    },
    RuleInfo {
        rule: Rule::Velocity,
        name: "velocity",
        severity: Severity::Failure,
        title: "it asks for no faster motion than a joint has",
        explanation: "The commands ask a joint to move faster than its `velocity`. The limits slow it down, so it \
            comes late and cuts the corners that follow. Give the move more time, or make it smaller.",
    },
    RuleInfo {
        rule: Rule::Acceleration,
        name: "acceleration",
        severity: Severity::Failure,
        title: "it asks for no sharper motion than a joint has",
        explanation: "The commands change a joint's speed faster than its `acceleration`. The limits smooth the \
            change, and the joint comes late. Ease in and out, or give the move more time. If the description has \
            only an estimate, its `derived-acceleration`, nothing is limited, and it is a warning.",
    },
    RuleInfo {
        rule: Rule::Coupled,
        name: "coupled",
        severity: Severity::Failure,
        title: "it respects ranges that depend on another joint",
        explanation: "The range of one joint can depend on the position of another, as for a head between shoulders. \
            A command left that range and was clipped, or the joint that decides the range had to wait. It is a \
            warning if a body with weight stood to the end nevertheless.",
    },
    RuleInfo {
        rule: Rule::Reach,
        name: "reach",
        severity: Severity::Failure,
        title: "its first keys can be reached in time from every start posture",
        explanation: "The first move of each joint begins wherever the body stands. From at least one of the start \
            postures the joint is too slow for its first key. Let the first keys come later, or go there by \
            speed instead of by time.",
    },
    RuleInfo {
        rule: Rule::Gap,
        name: "gap",
        severity: Severity::Warning,
        title: "each line begins at the key before it",
        explanation: "A line begins when its command arrives. If a key is sent only after the key before it has \
            passed, the joint stands still until the command arrives. Then it moves faster than the \
            straight line between the two keys. This is judged only for keys that are sent ahead, where a \
            joint stood for more than a second and then moves more than twice as fast. Send each key before \
            the previous one has passed.",
    },
    RuleInfo {
        rule: Rule::Touch,
        name: "touch",
        severity: Severity::Failure,
        title: "the body does not collide with itself",
        explanation: "Two links touch: the check compares the capsules and hulls of the description. Links that share \
            a joint are not compared. Links that touched already when the show began are ignored until they \
            have come apart.",
    },
    RuleInfo {
        rule: Rule::Balance,
        name: "balance",
        severity: Severity::Failure,
        title: "the body stands over its feet",
        explanation: "The centre of mass, projected onto the ground, came too near to the edge of the support \
            polygon, or left it: a body that moves slowly would fall. The check tries each sole, and each \
            set of soles, as the ground, and keeps the ground of the turn before while that is possible. A \
            margin below `safety.balance-warn` (10 mm) is a warning, below `safety.balance-fail` (5 mm) a \
            failure. Balance is judged only from postures in which the body stood at first.",
    },
    RuleInfo {
        rule: Rule::Tipping,
        name: "tipping",
        severity: Severity::Failure,
        title: "it does not move so fast that it tips over",
        explanation: "The motion of all links decides where the ground must push: this is the zero-moment point. \
            While it is outside of the soles, the body tips over their edge. It falls when it has tipped \
            too far to come back. Give the move more time, or ease it in and out.",
    },
    RuleInfo {
        rule: Rule::Fall,
        name: "fall",
        severity: Severity::Failure,
        title: "a body with weight does not fall",
        explanation: "A robot whose links have masses and shapes plays the show as a body with weight on a floor, \
            until two seconds after its end; not with `--physics off`. It tipped over, or a part other than a foot \
            hit the floor. A part that only touches the floor is a warning. A body that lay when the show began, or \
            is held, does not fall. If the body stood to the end, `balance` and `tipping` do not fail the show.",
    },
    RuleInfo {
        rule: Rule::Slip,
        name: "slip",
        severity: Severity::Warning,
        title: "feet that carry the body stay where they are",
        explanation: "In a simulation with physics, a foot that carries the body moved over the floor by 2 cm. How \
            much a real foot slips depends on the floor.",
    },
    RuleInfo {
        rule: Rule::Overload,
        name: "overload",
        severity: Severity::Failure,
        title: "its joints follow it",
        explanation: "A joint stayed so far from its commands that the runtime stopped the body, as it does on a \
            robot: a motor was too weak for what the joint carried, or the body or the floor was in its way.",
    },
    RuleInfo {
        rule: Rule::Overheat,
        name: "overheat",
        severity: Severity::Warning,
        title: "its motors stay cool",
        explanation: "A motor became so hot that the runtime reduced the stiffness of its joint. The check begins \
            with cold motors; on a warm robot that happens earlier.",
    },
    RuleInfo {
        rule: Rule::Settings,
        name: "settings",
        severity: Severity::Failure,
        title: "it leaves stiffnesses and gains as they were",
        explanation: "When the show had ended, a stiffness or a joint's gains were different from before. The next \
            show would find a body that behaves differently.",
    },
    RuleInfo {
        rule: Rule::Repeat,
        name: "repeat",
        severity: Severity::Failure,
        title: "it runs twice in a row, and keeps every rule the second time too",
        explanation: "The check plays the show twice in a row in the same loop. The second time it was refused, had a \
            fault, took longer, or broke a rule that it had kept the first time.",
    },
    RuleInfo {
        rule: Rule::Full,
        name: "full",
        severity: Severity::Failure,
        title: "there is room for its commands",
        explanation: "Its lane, its command buffer or its ring was full, or the stage refused what it had been \
            promised. Some of its commands waited for a later turn, or were not taken at all. Send less \
            ahead, or less often.",
    },
    RuleInfo {
        rule: Rule::Late,
        name: "late",
        severity: Severity::Warning,
        title: "its commands come before their instants",
        explanation: "A command came after its own instant. The joint then starts in the middle of the move: that can \
            be a jump, which the limits must smooth.",
    },
    RuleInfo {
        rule: Rule::Events,
        name: "events",
        severity: Severity::Warning,
        title: "it does not flood the others with events",
        explanation: "It posts so many events that others cannot hear all of theirs.",
    },
    RuleInfo {
        rule: Rule::Fuel,
        name: "fuel",
        severity: Severity::Warning,
        title: "its hooks stay well within their fuel",
        explanation: "A hook used more than four fifths of the fuel that is granted to a call. On another branch, \
            another robot or with another compiler it may run out. Raise `fuel` in its manifest and in the \
            grant, or do less in a turn.",
    },
    RuleInfo {
        rule: Rule::Ends,
        name: "ends",
        severity: Severity::Warning,
        title: "it ends, or says that it loops",
        explanation: "The show was still playing when its time in the check was over (`--for`). If it is meant to go \
            on, let its manifest say `loops = true`.",
    },
    RuleInfo {
        rule: Rule::Nothing,
        name: "nothing",
        severity: Severity::Failure,
        title: "it moves this robot at all",
        explanation: "The show sent nothing that this robot has: no command, no direct output, no light. It may be \
            made for another robot, or its names may be misspelt. `dcm-run config show ROBOT` lists the \
            names.",
    },
    RuleInfo {
        rule: Rule::Names,
        name: "names",
        severity: Severity::Warning,
        title: "it finds every name that it looks up",
        explanation: "It looked up an actuator or a sensor that this robot does not have. Commands to it go nowhere, \
            and readings of it are not numbers. If it is made for other robots as well, allow this rule; else the \
            name is misspelt: `dcm-run config show ROBOT` lists the names.",
    },
    RuleInfo {
        rule: Rule::Endless,
        name: "endless",
        severity: Severity::Failure,
        title: "a score sleeps or ends",
        explanation: "The score computed for seconds without sleeping, ending or waiting. On a robot it would use up a \
            processor until its fuel runs out, and send nothing in time. Let each round of its loop sleep until an \
            instant.",
    },
    RuleInfo {
        rule: Rule::Memory,
        name: "memory",
        severity: Severity::Warning,
        title: "its memory grows when it asks for that",
        explanation: "It asked for more memory and got none. Many languages then write to address 0, or stop. Inside a \
            turn memory grows only as far as `memory` in the manifest says; a grant limits all of it. If it does \
            well without that memory, allow this rule.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_found_by_its_name_and_explains_itself() {
        for (place, rule) in Rule::ALL.into_iter().enumerate() {
            assert_eq!((rule.info().rule, rule as usize), (rule, place));
            assert_eq!(Rule::named(rule.name()), Some(rule));
            assert!(rule.explanation().ends_with('.') && !rule.title().ends_with('.'));
            let json = serde_json::to_string(&rule).expect("a word");
            assert_eq!(json, format!("\"{}\"", rule.name()));
        }
        assert_eq!(Rule::named("taste"), None);
    }
}
