//! What may be asked on the socket: one JSON object on each line. The README beside this file describes the
//! same for other programs.
//! Said by every verb and by the server; read by the loop's clerks. The law: what is not known is refused.

use std::collections::BTreeMap;

use cycle::Merge;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::merge::{self, clear_all};

/// A request.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The caller's number for it; comes back with the answer.
    #[serde(default)]
    pub id: u64,
    /// What is asked.
    pub ask: Ask,
}

/// What may be asked.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// Which loop this is.
    Hello,
    /// Timed commands for actuators, by name or alias.
    Move {
        /// Names.
        to: Vec<String>,
        /// When, in ns from the turn that takes it.
        after_ns: Vec<u64>,
        /// All values of the first actuator, then of the second.
        values: Vec<f64>,
        /// `merge`, `clear-all`, `clear-after` or `clear-before`.
        #[serde(default = "clear_all", with = "merge")]
        merge: Merge,
    },
    /// Timed commands at instants of the robot's time: a list for each actuator, or one for all of them.
    Schedule {
        /// Names, or aliases.
        to: Vec<String>,
        /// Whether there is one list, which is for all of them.
        #[serde(default)]
        same: bool,
        /// Instants, ns of the robot's time, and values.
        lists: Vec<Vec<(u64, f64)>>,
        /// As for `move`.
        #[serde(default = "clear_all", with = "merge")]
        merge: Merge,
    },
    /// A name for several actuators, made or changed; it lasts as long as the loop.
    Alias {
        /// The name.
        name: String,
        /// The actuators, by name.
        members: Vec<String>,
    },
    /// How the body hangs together: its links, and what belongs to each joint.
    Figure,
    /// The long names of everything on the page.
    Names,
    /// The text of the description, layer by layer.
    Description,
    /// One value for an actuator, or for all of an alias.
    Set {
        /// The name.
        actuator: String,
        /// The value.
        value: f64,
        /// When it is reached, in ns from the turn that takes it.
        after_ns: u64,
        /// What the value measures, if that was said: `angle` or `length`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        measures: Option<Measure>,
        /// A value beyond the range goes to its end, as the DCM has it; else it is refused.
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        clip: bool,
        /// As for `move`.
        #[serde(default = "clear_all", with = "merge")]
        merge: Merge,
    },
    /// Which places on the page a name means: short, long, an alias.
    Find {
        /// The name.
        name: String,
    },
    /// A pose of the description.
    Pose {
        /// Its name.
        name: String,
        /// How long the way takes, ns.
        in_ns: u64,
    },
    /// Something for the whole body.
    Operate(OperationWord),
    /// Simulation: a sensor reads this from now on.
    Give {
        /// The sensor.
        sensor: String,
        /// What it reads.
        value: f64,
        /// How long it takes to get there, ns.
        #[serde(default)]
        over_ns: u64,
    },
    /// Simulation: a joint is pushed.
    Push {
        /// The joint.
        actuator: String,
        /// N·m.
        torque: f64,
    },
    /// Simulation: a board's plug is pulled or put back.
    Silence {
        /// The board.
        board: String,
        /// Whether it is pulled.
        silent: bool,
    },
    /// A loop that is stepped: make so many turns.
    Step {
        /// Turns.
        turns: u64,
    },
    /// A choreography comes in as a guest; its bytes follow this line.
    Load {
        /// How many bytes follow.
        bytes: u64,
        /// What is wished for it.
        #[serde(default)]
        wish: Wish,
    },
    /// Another version of a guest takes over; its bytes follow this line.
    Swap {
        /// The guest's name or number.
        guest: String,
        /// How many bytes follow.
        bytes: u64,
        /// How long one fades into the other, ns.
        in_ns: u64,
        /// What is wished for it.
        #[serde(default)]
        wish: Wish,
    },
    /// Who plays.
    Guests,
    /// What happened to the body and what guests said, from a number on.
    #[serde(rename = "chronicle")]
    Events {
        /// The number of the first that is wanted.
        since: u64,
    },
    /// A guest shall end.
    End {
        /// Its name or number; with none, all of them.
        guest: Option<String>,
        /// The body slows down before, within its limits.
        #[serde(default)]
        soft: bool,
    },
    /// A guest shall be heard no more, or again.
    Pause {
        /// Its name or number.
        guest: String,
        /// Whether it is silent.
        paused: bool,
    },
    /// Figures of a guest are changed: the parameters, the lane's priority and weight.
    Tune {
        /// Its name or number.
        guest: String,
        /// Parameters and their values.
        #[serde(default)]
        params: BTreeMap<String, f64>,
        /// Its lane's priority.
        #[serde(default)]
        priority: Option<f64>,
        /// Its lane's weight.
        #[serde(default)]
        weight: Option<f64>,
    },
    /// Whether this run is recorded in the robot's folder of recordings: switched on or off, or only asked.
    Record {
        /// Whether it is from now on; nothing to only ask.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        on: Option<bool>,
    },
    /// The loop shall stop softly.
    Quit,
}

/// What is wished for a guest. Everything may be left out.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Wish {
    /// Its name; its manifest's, if this is not said.
    pub name: Option<String>,
    /// The name of its file, by which it is known if it has no other.
    pub file: Option<String>,
    /// Its lane's priority.
    pub priority: Option<f64>,
    /// Its lane's weight.
    pub weight: Option<f64>,
    /// What it may drive, of what it was granted: names and aliases.
    pub mask: Option<Vec<String>>,
    /// Its parameters.
    pub params: BTreeMap<String, f64>,
    /// It stays when it is not alive any more.
    pub keep: bool,
    /// Rules of the check that it may break, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// It comes in without a look at what it would do.
    #[serde(skip_serializing_if = "is_false")]
    pub unchecked: bool,
}

/// What a value measures.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// rad.
    Angle,
    /// m.
    Length,
}

fn yes() -> bool {
    true
}

fn is_true(it: &bool) -> bool {
    *it
}

fn is_false(it: &bool) -> bool {
    !it
}

/// Something for the whole body.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "described at `live::Operation`")]
pub enum OperationWord {
    Arm,
    Disarm,
    Hold,
    Resume,
    Retreat,
    Clear,
    Press,
    Release,
}

#[cfg(test)]
mod tests {
    use super::{Ask, Call, Measure};
    use crate::merge::clear_all;

    #[test]
    fn a_number_that_is_said_is_the_number_that_is_read() {
        // The first of these was once read one bit off.
        for value in [
            -0.391_666_270_429_115_56,
            0.1 + 0.2,
            f64::MIN_POSITIVE,
            1.0 / 3.0,
        ] {
            let call = Call {
                id: u64::MAX,
                ask: Ask::Set {
                    actuator: "Base".into(),
                    value,
                    after_ns: 1,
                    measures: Some(Measure::Angle),
                    clip: false,
                    merge: clear_all(),
                },
            };
            let said = serde_json::to_string(&call).expect("it can be said");
            assert_eq!(serde_json::from_str::<Call>(&said).expect(&said), call);
        }
    }
}
