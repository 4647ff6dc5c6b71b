//! The state of a robot at one moment: everything that the screen draws.
//! Made by `source`; drawn by `screen`, printed by `--once`. The law: it is plain data, of one reading.

use cycle::{Input, State};
use sensors::PageReader;
use serde_json::{Value, json};
use socket::{Guest, Happened, Joint};

use super::turns::Turns;

/// A robot at one moment.
#[derive(Clone, Debug, Default)]
pub(super) struct Glance {
    pub(super) robot: String,
    /// The name of the safety state.
    pub(super) state: String,
    pub(super) turn: u64,
    pub(super) now_ns: u64,
    /// The duration of the last turn.
    pub(super) work_ns: u64,
    pub(super) power: f64,
    /// Boards that did not answer in the last turn.
    pub(super) silent: Vec<String>,
    pub(super) joints: Vec<Standing>,
    /// The guests that have not ended.
    pub(super) guests: Vec<Guest>,
    pub(super) turns: Turns,
    /// The last events, the oldest first.
    pub(super) happened: Vec<Happened>,
}

/// The state of a joint.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub(super) joint: Joint,
    pub(super) sent: Option<f64>,
    pub(super) actual: Option<f64>,
    /// The temperature of its motor, °C.
    pub(super) temperature: Option<f64>,
}

impl Standing {
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

impl Glance {
    /// From the server's `state`.
    pub(super) fn told(robot: &str, state: &Value, joints: &[Joint]) -> Glance {
        let number = |key: &str| state[key].as_u64().unwrap_or(0);
        let read = |name: Option<&str>| state["sensors"][name?].as_f64();
        let standing = |it: &Joint| Standing {
            sent: state["actuators"][it.name.as_str()]["sent"].as_f64(),
            actual: read(it.sensor_name.as_deref()),
            temperature: read(it.temperature_name.as_deref()),
            joint: it.clone(),
        };
        let boards = state["boards"].as_array().into_iter().flatten();
        let silent = boards.filter(|it| it["age"].as_u64().is_some_and(|age| age > 0));
        Glance {
            robot: robot.to_owned(),
            state: state["state"].as_str().unwrap_or("unknown").to_owned(),
            turn: number("turn"),
            now_ns: number("now_ns"),
            work_ns: number("work_ns"),
            power: state["power"].as_f64().unwrap_or(0.0),
            silent: silent
                .filter_map(|it| Some(it["name"].as_str()?.to_owned()))
                .collect(),
            joints: joints.iter().map(standing).collect(),
            ..Glance::default()
        }
    }

    /// From the loop's page; nothing before the first turn.
    pub(super) fn shown(
        robot: &str,
        page: &PageReader,
        boards: &[String],
        joints: &[Joint],
    ) -> Option<Glance> {
        page.read(|frame| {
            // A value that was never measured is NaN.
            let read = |place: Option<u16>| {
                let value = frame.sensor(usize::from(place?));
                value.filter(|it| it.is_finite())
            };
            let standing = |it: &Joint| {
                let sent = frame.sent(usize::from(it.actuator));
                Standing {
                    sent: sent.filter(|it| it.is_finite()),
                    actual: read(it.sensor),
                    temperature: read(it.temperature),
                    joint: it.clone(),
                }
            };
            let silent = boards.iter().enumerate().filter(|(place, _)| {
                let words = frame.board(*place);
                words.is_some_and(|[_, _, age, _]| age > 0)
            });
            Glance {
                robot: robot.to_owned(),
                state: frame.state().map_or("unknown", State::name).to_owned(),
                turn: frame.turn(),
                now_ns: frame.now().nanos(),
                work_ns: frame.work().nanos(),
                power: frame.power(),
                silent: silent.map(|it| it.1.clone()).collect(),
                joints: joints.iter().map(standing).collect(),
                ..Glance::default()
            }
        })
    }

    /// The operations that are possible in this state, by their verbs.
    pub(super) fn possible(&self) -> Vec<&'static str> {
        let state = State::of_name(&self.state);
        // In a state that is unknown here, only the stop is offered.
        let Some(state) = state else {
            return vec!["estop"];
        };
        let possible = ACTS.iter().filter(|it| state.after(it.0).is_some());
        possible.map(|it| it.1).collect()
    }

    /// As JSON.
    pub(super) fn as_json(&self) -> Value {
        let joint = |it: &Standing| {
            json!({
                "name": it.joint.name, "unit": it.joint.unit,
                "lowest": it.joint.lowest, "highest": it.joint.highest,
                "sent": it.sent, "actual": it.actual, "error": it.error(),
                "temperature": it.temperature, "warm": it.joint.warm, "hot": it.joint.hot,
            })
        };
        json!({
            "robot": self.robot, "state": self.state, "possible": self.possible(), "turn": self.turn,
            "now_ns": self.now_ns, "work_ns": self.work_ns, "power": self.power, "silent": self.silent,
            "joints": self.joints.iter().map(joint).collect::<Vec<_>>(), "guests": self.guests,
            "timing": self.turns.as_json(), "happened": self.happened,
        })
    }
}

/// Text from others on one line, without control characters.
pub(super) fn calm(text: &str) -> String {
    let calm = |it: char| if it.is_control() { ' ' } else { it };
    text.chars().map(calm).collect()
}
