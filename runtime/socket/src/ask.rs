//! The requests of the socket: one JSON object on each line. The README of this crate describes them for other
//! programs.
//! Written by every verb and by the server, read by the loop's request handler. The law: unknown requests and fields
//! are refused.

use std::collections::BTreeMap;

use cycle::Merge;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::merge::{self, clear_all};

/// A request.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The caller's number for this request; the reply has the same number.
    #[serde(default)]
    pub id: u64,
    /// The request itself.
    pub ask: Ask,
}

/// The kinds of requests.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// Asks which loop this is.
    Hello,
    /// Sends timed commands to actuators, by name or alias.
    Move {
        /// Names.
        to: Vec<String>,
        /// The times, in ns from the turn that accepts the request.
        after_ns: Vec<u64>,
        /// All values of the first actuator, then of the second.
        values: Vec<f64>,
        /// `merge`, `clear-all`, `clear-after` or `clear-before`.
        #[serde(default = "clear_all", with = "merge")]
        merge: Merge,
    },
    /// Sends timed commands at instants of the robot's time: a list for each actuator, or one list for all.
    Schedule {
        /// Names or aliases.
        to: Vec<String>,
        /// Whether there is a single list that all of them share.
        #[serde(default)]
        same: bool,
        /// Pairs of an instant, in ns of the robot's time, and a value.
        lists: Vec<Vec<(u64, f64)>>,
        /// How it merges with waiting commands, as for `move`.
        #[serde(default = "clear_all", with = "merge")]
        merge: Merge,
    },
    /// Creates or changes a name for several actuators. It exists until the loop ends.
    Alias {
        /// The name.
        name: String,
        /// The actuators, by name.
        members: Vec<String>,
    },
    /// Asks for the structure of the body: its links, and the values of each joint.
    Figure,
    /// Asks for the long names of all values on the page.
    Names,
    /// Asks for the text of the description, layer by layer.
    Description,
    /// Sets the value of an actuator, or of all actuators of an alias.
    Set {
        /// The name.
        actuator: String,
        /// The value.
        value: f64,
        /// When it is reached, in ns from the turn that accepts the request.
        after_ns: u64,
        /// What the value measures, if the user gave a unit: `angle` or `length`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        measures: Option<Measure>,
        /// Whether a value outside the range is clipped, as in the DCM; otherwise it is refused.
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        clip: bool,
        /// How it merges with waiting commands, as for `move`.
        #[serde(default = "clear_all", with = "merge")]
        merge: Merge,
    },
    /// Asks for the indices on the page of a short name, a long name or an alias.
    Find {
        /// The name.
        name: String,
    },
    /// Moves to a pose of the description.
    Pose {
        /// Its name.
        name: String,
        /// How long the movement takes, ns.
        in_ns: u64,
    },
    /// Changes the state of the whole body.
    Operate(OperationWord),
    /// Simulation: sets what a sensor reads from now on.
    Give {
        /// The sensor.
        sensor: String,
        /// What it reads.
        value: f64,
        /// How long the reading takes to change, ns.
        #[serde(default)]
        over_ns: u64,
    },
    /// Simulation: pushes a joint.
    Push {
        /// The joint.
        actuator: String,
        /// N·m.
        torque: f64,
    },
    /// Simulation: disconnects or reconnects a board.
    Silence {
        /// The board.
        board: String,
        /// Whether it is disconnected.
        silent: bool,
    },
    /// Makes this many turns, if the loop is stepped.
    Step {
        /// The number of turns.
        turns: u64,
    },
    /// Loads a choreography as a guest; its bytes follow this line.
    Load {
        /// The number of bytes that follow.
        bytes: u64,
        /// How it is loaded.
        #[serde(default)]
        wish: Wish,
    },
    /// Replaces a guest by another version; its bytes follow this line.
    Swap {
        /// The guest's name or number.
        guest: String,
        /// The number of bytes that follow.
        bytes: u64,
        /// How long the old version fades into the new one, ns.
        in_ns: u64,
        /// How it is loaded.
        #[serde(default)]
        wish: Wish,
    },
    /// Asks for the list of guests.
    Guests,
    /// Asks for events of the body and log lines of guests, from a number on.
    #[serde(rename = "chronicle")]
    Events {
        /// The number of the first one to return.
        since: u64,
    },
    /// Ends a guest.
    End {
        /// Its name or number; all guests if missing.
        guest: Option<String>,
        /// Whether the body slows down first, within its limits.
        #[serde(default)]
        soft: bool,
    },
    /// Pauses a guest, or continues it.
    Pause {
        /// Its name or number.
        guest: String,
        /// Whether it is paused.
        paused: bool,
    },
    /// Changes a guest's parameters, and the priority and weight of its lane.
    Tune {
        /// Its name or number.
        guest: String,
        /// The parameters and their new values.
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
    /// Stops the loop softly.
    Quit,
}

/// Options for loading a guest. All of them are optional.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Wish {
    /// Its name; default: the name in its manifest.
    pub name: Option<String>,
    /// The name of its file, which is used if there is no other name.
    pub file: Option<String>,
    /// Its lane's priority.
    pub priority: Option<f64>,
    /// Its lane's weight.
    pub weight: Option<f64>,
    /// The actuators that it may drive, out of those in its grant: names and aliases.
    pub mask: Option<Vec<String>>,
    /// Its parameters.
    pub params: BTreeMap<String, f64>,
    /// Keeps it loaded after it reports that it is no longer alive.
    pub keep: bool,
    /// Names of check rules that it may break.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Loads it without a check.
    #[serde(skip_serializing_if = "is_false")]
    pub unchecked: bool,
}

/// The quantity that a value measures.
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

/// An operation on the whole body.
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
    fn a_number_survives_json_unchanged() {
        // The first value was once read with one bit wrong.
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
            let json = serde_json::to_string(&call).expect("valid JSON");
            assert_eq!(serde_json::from_str::<Call>(&json).expect(&json), call);
        }
    }
}
