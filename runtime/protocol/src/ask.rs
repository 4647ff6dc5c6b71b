//! The requests of the socket: one JSON object on each line. The README of this crate describes them for other
//! programs.
//! Written by every verb and by the server, read by the loop's request handler. Unknown requests and fields
//! are refused.

use std::collections::BTreeMap;

use cycle::Merge;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::exact_integer;
use crate::guest_options::GuestOptions;
use crate::lanes::{LaneEnd, LaneOptions};
use crate::merge::{self, clear_all};
use crate::one_or_many::one_or_many;
use crate::operation::{Measure, Operation};
use crate::payload::LogEntry;
use crate::unique_keys::unique_keys;

/// The requests.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// Asks which loop this is.
    Hello,
    /// Sends timed commands to actuators. The older form `set` has a single `actuator`, `value` and `after_ns`.
    #[serde(alias = "set")]
    Move {
        /// Names or aliases.
        #[serde(alias = "actuator", deserialize_with = "one_or_many")]
        to: Vec<String>,
        /// The times, in ns from the turn that accepts the request.
        #[serde(deserialize_with = "one_or_many")]
        after_ns: Vec<u64>,
        /// A value for each time, first those of the first name, then those of the second. All actuators of an alias
        /// get the same values, unless there are values for each of them.
        #[serde(alias = "value", default, deserialize_with = "one_or_many")]
        values: Vec<f64>,
        /// How many bytes of packed values follow the line, in place of `values`.
        #[serde(default, skip_serializing_if = "is_zero")]
        packed: u64,
        /// What the values measure, if the user gave a unit: `angle` or `length`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        measures: Option<Measure>,
        /// Whether a value outside the range is clipped, as in the DCM; otherwise the request is refused.
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        clip: bool,
        /// `merge`, `clear-all`, `clear-after` or `clear-before`.
        #[serde(default = "clear_all", with = "merge")]
        #[schema(schema_with = merge::schema)]
        merge: Merge,
        /// The client's own lane; the lane that all clients share if missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lane: Option<String>,
    },
    /// Sends timed commands at instants of the robot's time: a list for each actuator, or one list for all.
    Schedule {
        /// Names or aliases.
        to: Vec<String>,
        /// Whether there is a single list that all of them share.
        #[serde(default)]
        same: bool,
        /// Pairs of an instant, in ns of the robot's time, and a value. An instant may be a string, as in replies.
        #[serde(
            default,
            skip_serializing_if = "Vec::is_empty",
            deserialize_with = "exact_integer::lists"
        )]
        lists: Vec<Vec<(u64, f64)>>,
        /// How many bytes of packed lists follow the line, in place of `lists`.
        #[serde(default, skip_serializing_if = "is_zero")]
        packed: u64,
        /// How it merges with waiting commands, as for `move`.
        #[serde(default = "clear_all", with = "merge")]
        #[schema(schema_with = merge::schema)]
        merge: Merge,
        /// The client's own lane; the lane that all clients share if missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lane: Option<String>,
    },
    /// Asks how far requests to move are.
    Progress {
        /// Their numbers, as they were given when they were accepted; up to 256.
        tickets: Vec<u32>,
        /// How long to wait until all of them have ended, ns; up to 60 s. Default: not at all.
        #[serde(default, skip_serializing_if = "is_zero")]
        wait_ns: u64,
    },
    /// Removes the commands of a request that wait. Its joints stop where they are.
    Cancel {
        /// Its number.
        ticket: u32,
    },
    /// Asks which commands wait, of those that clients have sent.
    Pending {
        /// Names or aliases; all actuators if missing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        of: Vec<String>,
        /// The client's own lane; the lane that all clients share if missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lane: Option<String>,
    },
    /// Asks which lanes drive actuators, and with what values and weights.
    Driving {
        /// Names or aliases; all actuators that are driven if missing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        of: Vec<String>,
    },
    /// Opens a lane of the client's own.
    OpenLane {
        /// Its name.
        lane: String,
        /// How it is opened.
        #[serde(default)]
        options: Box<LaneOptions>,
    },
    /// Ends a client's lane. End a holding one once more to release it.
    EndLane {
        /// Its name.
        lane: String,
        /// How, if not as it declared.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ending: Option<LaneEnd>,
    },
    /// Takes a heartbeat for a lane with a silence rule; every request in it is one as well.
    FeedLane {
        /// Its name.
        lane: String,
    },
    /// Changes the priority and the weight of a client's lane.
    TuneLane {
        /// Its name.
        lane: String,
        /// Its new priority.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        priority: Option<f64>,
        /// Its new weight.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weight: Option<f64>,
    },
    /// Asks for the lanes of clients' own.
    Lanes,
    /// Asks for the calibration of joints.
    Calibration {
        /// Names or aliases; all joints if missing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        of: Vec<String>,
    },
    /// Moves the zero of a limp joint, for this run. Either `at` or `moved` is given.
    Calibrate {
        /// The joint.
        joint: String,
        /// Where it is now, in its unit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<f64>,
        /// How far its zero shall be from that of the description.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moved: Option<f64>,
        /// What the value measures, if the user gave a unit: `angle` or `length`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        measures: Option<Measure>,
    },
    /// Asks for the table of the boards' error codes.
    Faults,
    /// Asks for values of the description.
    Preferences {
        /// Only of keys that begin so.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        key: String,
    },
    /// Tries a value of the description: the loop says whether the robot would load with it.
    TryPreference {
        /// The key; the NAO's keys of calibrations and ranges are known as well.
        key: String,
        /// The value in TOML; an empty one removes the value.
        value: String,
    },
    /// Writes into the robot's local layer what was tried: calibrations and preferences.
    KeepPreferences,
    /// Takes back what was tried; if nothing is, what was kept last.
    UndoPreferences {
        /// Whether what was kept last is taken back, if nothing is tried.
        #[serde(default = "yes", skip_serializing_if = "is_true")]
        kept: bool,
    },
    /// Creates or changes a name for several actuators. It exists until the loop ends, or is removed.
    Alias {
        /// The name.
        name: String,
        /// The actuators, by name; without any, the alias is removed.
        members: Vec<String>,
        /// The client in whose name it is asked: each has room for 256 aliases.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
    },
    /// Asks for the structure of the body: its links, and the values of each joint.
    Figure,
    /// Asks for the long names of all values on the page.
    Names,
    /// Asks for the text of the description, layer by layer.
    Description,
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
        /// The client's own lane; the lane that all clients share if missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lane: Option<String>,
    },
    /// Changes the state of the whole body.
    Operate(Operation),
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
    /// Simulation with physics: pushes a link for a time.
    PushLink {
        /// The link.
        link: String,
        /// Ahead, to the left and up, as the body faces, N.
        force: [f64; 3],
        /// How long, ns.
        for_ns: u64,
    },
    /// Simulation with physics: lifts the body off the floor and holds it, or lets go of it.
    Lift {
        /// Whether it is held.
        held: bool,
    },
    /// Simulation with physics: tilts the floor.
    Floor {
        /// By how much it rises ahead of where the body faced at the start, rad.
        tilt: f64,
    },
    /// Simulation with physics: puts a box down from above, on the floor or on the highest thing below it.
    PutBox {
        /// Its length ahead, its width and its height, m.
        edges: [f64; 3],
        /// kg; without it, the box cannot move.
        #[serde(default)]
        mass: Option<f64>,
        /// How far its middle is ahead of the body, and to its left, as it faces at that moment, m.
        at: [f64; 2],
    },
    /// Simulation with physics: builds a flight of steps ahead of the body.
    BuildSteps {
        /// How many.
        count: u8,
        /// The height of each, m.
        height: f64,
        /// The depth of each, m.
        depth: f64,
        /// How far the first one is ahead of the body's foremost point, m.
        gap: f64,
    },
    /// Simulation with physics: takes boxes and steps away.
    EmptyFloor,
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
        #[serde(rename = "wish", default)]
        options: GuestOptions,
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
        #[serde(rename = "wish", default)]
        options: GuestOptions,
    },
    /// Asks for the list of guests.
    Guests,
    /// Adds entries to the log: the robot's server sends its own.
    Log {
        /// The entries; each gets a new number.
        entries: Vec<LogEntry>,
    },
    /// Asks for entries of the log, from a number on.
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
    /// Makes this connection the owner of a guest: if it closes before the guest has ended, the guest ends softly. A
    /// connection owns one guest, the last one; the server closes no owner's connection for the sake of another.
    Own {
        /// Its name or number.
        guest: String,
    },
    /// Pauses a guest: its commands have no effect.
    Pause {
        /// Its name or number.
        guest: String,
    },
    /// Resumes a paused guest.
    ResumeGuest {
        /// Its name or number.
        guest: String,
    },
    /// Changes a guest's parameters, and the priority and weight of its lane.
    Tune {
        /// Its name or number.
        guest: String,
        /// The parameters and their new values.
        #[serde(default, deserialize_with = "unique_keys")]
        params: BTreeMap<String, f64>,
        /// Its lane's priority.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        priority: Option<f64>,
        /// Its lane's weight.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weight: Option<f64>,
    },
    /// Asks whether this run is recorded in the robot's folder of recordings.
    Recording,
    /// Records this run from now on.
    Record,
    /// Ends the recording of this run.
    StopRecording,
    /// Stops the loop softly.
    Quit,
}

impl Ask {
    /// The client's own lane that a request to move, or a question about what waits, is for.
    pub fn lane(&self) -> Option<&str> {
        match self {
            Ask::Move { lane, .. }
            | Ask::Schedule { lane, .. }
            | Ask::Pose { lane, .. }
            | Ask::Pending { lane, .. } => lane.as_deref(),
            _ => None,
        }
    }
}

fn yes() -> bool {
    true
}

fn is_true(flag: &bool) -> bool {
    *flag
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[cfg(test)]
mod tests {
    use super::{Ask, Measure};
    use crate::Call;
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
                request: None,
                id: u64::MAX,
                ask: Ask::Move {
                    to: vec!["Base".into()],
                    values: vec![value],
                    packed: 0,
                    after_ns: vec![1],
                    measures: Some(Measure::Angle),
                    clip: false,
                    merge: clear_all(),
                    lane: None,
                },
            };
            let json = serde_json::to_string(&call).expect("valid JSON");
            assert_eq!(serde_json::from_str::<Call>(&json).expect(&json), call);
        }
    }

    #[test]
    fn the_older_form_of_a_move_is_accepted() {
        let read = |json: &str| serde_json::from_str::<Ask>(json);
        let new = read(r#"{"move":{"to":["Base"],"values":[0.5],"after_ns":[7],"clip":false}}"#);
        let old = read(r#"{"set":{"actuator":"Base","value":0.5,"after_ns":7,"clip":false}}"#);
        assert_eq!(
            old.expect("the older form"),
            new.expect("the form of today")
        );
        // A whole number is a value as well, and errors still say what is wrong.
        read(r#"{"set":{"actuator":"Base","value":1,"after_ns":7}}"#).expect("a whole number");
        let error = read(r#"{"set":{"actuator":"Base","value":1,"after_ns":-7}}"#);
        let error = error.expect_err("a time before now").to_string();
        assert!(error.contains("invalid value: integer `-7`"), "{error}");
        let error = read(r#"{"set":{"actuator":"Base","value":1,"after_ns":7,"colour":1}}"#);
        let error = error.expect_err("an unknown field").to_string();
        assert!(error.contains("unknown field `colour`"), "{error}");
    }
}
