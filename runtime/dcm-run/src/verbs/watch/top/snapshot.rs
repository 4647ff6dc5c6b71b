//! The state of a robot at one moment: everything that the screen draws.
//! Made by `source`; drawn by `screen`, printed by `--once`. It is plain data, of one reading.

use cycle::{Input, State};
use protocol::exact_integer::with_numbers;
use protocol::{Guest, Joint, LogEntry};
use serde_json::{Value, json};

use crate::session::columns::{ActuatorValue, TurnState};
use crate::session::turns::Turns;

/// A robot at one moment.
#[derive(Clone, Debug, Default)]
pub(super) struct RobotSnapshot {
    pub(super) robot: String,
    /// Whether it is the replay of a recording, which may stand still.
    pub(super) is_replay: bool,
    /// The name of the safety state.
    pub(super) state: String,
    pub(super) turn: u64,
    pub(super) now_ns: u64,
    /// The duration of the last turn.
    pub(super) work_ns: u64,
    pub(super) power: f64,
    /// Boards that did not answer in the last turn.
    pub(super) silent: Vec<String>,
    pub(super) joints: Vec<JointSample>,
    /// The guests that have not ended.
    pub(super) guests: Vec<Guest>,
    pub(super) turns: Turns,
    /// The last events, the oldest first.
    pub(super) events: Vec<LogEntry>,
}

/// The state of a joint.
#[derive(Clone, Debug)]
pub(super) struct JointSample {
    pub(super) joint: Joint,
    pub(super) sent: Option<f64>,
    pub(super) actual: Option<f64>,
    /// The temperature of its motor, °C.
    pub(super) temperature: Option<f64>,
}

impl JointSample {
    /// The measured value less the sent one.
    pub(super) fn error(&self) -> Option<f64> {
        Some(self.actual? - self.sent?)
    }
}

/// The operations on a body, and their verbs.
const ACTS: [(Input, &str); 9] = [
    (Input::Press, "estop"),
    (Input::Hold, "hold"),
    (Input::Stay, "hold"),
    (Input::Resume, "resume"),
    (Input::Retreat, "retreat"),
    (Input::Arm, "arm"),
    (Input::Disarm, "disarm"),
    (Input::Clear, "clear"),
    (Input::Release, "estop --release"),
];

impl RobotSnapshot {
    /// Of this turn: a frame of the loop's page, or what its server answered.
    pub(super) fn of(
        robot: &str,
        turn: &dyn TurnState,
        boards: &[String],
        joints: &[Joint],
    ) -> RobotSnapshot {
        // A value that was never measured is NaN.
        let finite = |value: &f64| value.is_finite();
        let read = |row: Option<u16>| turn.sensor(usize::from(row?)).filter(finite);
        let sample = |joint: &Joint| {
            let sent = turn.actuator(usize::from(joint.actuator), ActuatorValue::Sent);
            JointSample {
                sent: sent.filter(finite),
                actual: read(joint.sensor),
                temperature: read(joint.temperature),
                joint: joint.clone(),
            }
        };
        let silent = boards.iter().enumerate().filter(|(row, _)| {
            let counts = turn.board(*row);
            counts.is_some_and(|[_, _, age, _]| age > 0)
        });
        RobotSnapshot {
            robot: robot.to_owned(),
            state: turn.state().map_or("unknown", State::name).to_owned(),
            turn: turn.turn(),
            now_ns: turn.now().nanos(),
            work_ns: turn.work().nanos(),
            power: turn.power(),
            silent: silent.map(|silent| silent.1.clone()).collect(),
            joints: joints.iter().map(sample).collect(),
            ..RobotSnapshot::default()
        }
    }

    /// The operations that are possible in this state, by their verbs.
    pub(super) fn possible(&self) -> Vec<&'static str> {
        let state = State::of_name(&self.state);
        // In a state that is unknown here, only the stop is offered.
        let Some(state) = state else {
            return vec!["estop"];
        };
        let possible = ACTS.iter().filter(|pair| state.after(pair.0).is_some());
        possible.map(|possible| possible.1).collect()
    }

    /// As JSON.
    pub(super) fn as_json(&self) -> Value {
        let joint = |sample: &JointSample| {
            json!({
                "name": sample.joint.name, "unit": sample.joint.unit,
                "lowest": sample.joint.lowest, "highest": sample.joint.highest,
                "sent": sample.sent, "actual": sample.actual, "error": sample.error(),
                "temperature": sample.temperature, "warm": sample.joint.warm, "hot": sample.joint.hot,
            })
        };
        json!({
            "robot": self.robot, "state": self.state, "possible": self.possible(), "turn": self.turn,
            "now_ns": self.now_ns, "work_ns": self.work_ns, "power": self.power, "silent": self.silent,
            "joints": self.joints.iter().map(joint).collect::<Vec<_>>(), "guests": self.guests,
            "timing": self.turns.as_json(), "happened": with_numbers(json!(self.events)),
        })
    }
}
