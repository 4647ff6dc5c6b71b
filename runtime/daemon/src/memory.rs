//! The memory that clients share: values under keys of their own, and events, as in NAOqi's ALMemory.
//! Written by the routes of `memory`, and by the thread that reads the page, which raises the events of touches.
//! It is limited in every way, and a key of the body is written by the body alone.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use network::lock;
use protocol::memory::MemoryEvent;
use protocol::{ErrorCode, LogEntry, RequestError};
use sensors::Frame;
use serde_json::Value;
use tokio::sync::watch;

use crate::memory_keys::PREFIX;

/// The maximum number of keys of clients, of bytes of a key, and of bytes of a value.
const KEYS_MAX: usize = 1024;
const KEY_MAX: usize = 256;
const VALUE_MAX: usize = 4096;

/// The maximum number of values within a value.
const NODES_MAX: usize = 256;

/// The number of events that are kept for subscribers.
const EVENTS_MAX: usize = 1024;

/// The events of NAOqi, and the sensors that raise them: each event is raised when one of them begins or all of them
/// have ended.
const TOUCHES: [(&str, &[&str]); 12] = [
    ("FrontTactilTouched", &["Head/Touch/Front"]),
    ("MiddleTactilTouched", &["Head/Touch/Middle"]),
    ("RearTactilTouched", &["Head/Touch/Rear"]),
    ("HandLeftBackTouched", &["LHand/Touch/Back"]),
    ("HandLeftLeftTouched", &["LHand/Touch/Left"]),
    ("HandLeftRightTouched", &["LHand/Touch/Right"]),
    ("HandRightBackTouched", &["RHand/Touch/Back"]),
    ("HandRightLeftTouched", &["RHand/Touch/Left"]),
    ("HandRightRightTouched", &["RHand/Touch/Right"]),
    ("ChestButtonPressed", &["ChestBoard/Button"]),
    (
        "LeftBumperPressed",
        &["LFoot/Bumper/Left", "LFoot/Bumper/Right"],
    ),
    (
        "RightBumperPressed",
        &["RFoot/Bumper/Left", "RFoot/Bumper/Right"],
    ),
];

/// What the loop finds wrong with a joint: the event, and the number under the joint's key; 0 stands for nothing.
const FINDINGS: [(&str, u32); 3] = [
    ("impossible-reading", 1),
    ("following-error", 2),
    ("weakened", 3),
];

/// The key of what kind of robot it is.
pub(crate) const BODY_TYPE: &str = "RobotConfig/Body/Type";

/// The beginnings of keys that no client can have: they look like the body's.
const OF_BODY: [&str; 3] = ["Device/", "RobotConfig/", "DCM/"];

/// The ends of the keys of a joint: what it is, and what was found wrong with it last.
const JOINT_TYPE: &str = "/Actuator/Type";
const JOINT_ERROR: &str = "/Actuator/Error";

/// The memory.
#[derive(Debug)]
pub(crate) struct SharedMemory {
    state: Mutex<MemoryState>,
    /// The events that sensors raise.
    touches: Vec<Touch>,
    /// The number of the next event.
    next: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct MemoryState {
    values: BTreeMap<String, StoredValue>,
    events: VecDeque<MemoryEvent>,
}

/// A value, and when it was written, ns of the robot's time.
#[derive(Clone, Debug)]
pub(crate) struct StoredValue {
    pub(crate) value: Value,
    pub(crate) at_ns: u64,
    is_of_body: bool,
}

/// An event that sensors raise.
#[derive(Debug)]
struct Touch {
    event: String,
    sensors: Vec<usize>,
}

impl SharedMemory {
    /// The memory of a robot with these facts, which do not change while it runs, by their keys: what it is, and its
    /// devices. It has sensors of these short names.
    pub(crate) fn of(facts: &BTreeMap<String, String>, sensors: &[String]) -> SharedMemory {
        let mut state = MemoryState::default();
        let mut touches = Vec::new();
        let mut watch = |event: &str, sensors: Vec<usize>| {
            if !sensors.is_empty() {
                state.set_of_body(event, Value::from(0.0), 0);
                touches.push(Touch {
                    event: event.to_owned(),
                    sensors,
                });
            }
        };
        let place = |name: &&str| sensors.iter().position(|sensor| sensor == name);
        for (event, names) in TOUCHES {
            watch(event, names.iter().filter_map(place).collect());
        }
        // Buttons of other robots raise an event of their own name.
        let known: Vec<_> = TOUCHES.iter().flat_map(|touch| touch.1).copied().collect();
        for (place, name) in sensors.iter().enumerate() {
            if is_touch(name) && !known.contains(&name.as_str()) {
                watch(&format!("{name}Touched"), vec![place]);
            }
        }
        state.set_of_body(
            "RobotConfig/Body/Version",
            Value::from(env!("CARGO_PKG_VERSION")),
            0,
        );
        for (key, value) in facts {
            state.set_of_body(key, Value::from(value.as_str()), 0);
            let is_joint = matches!(value.as_str(), "joint" | "hand");
            if let Some(stem) = key.strip_suffix(JOINT_TYPE).filter(|_| is_joint) {
                state.set_of_body(&format!("{stem}{JOINT_ERROR}"), Value::from(0), 0);
            }
        }
        SharedMemory {
            state: Mutex::new(state),
            touches,
            next: watch::Sender::new(0),
        }
    }

    /// Whether a client has written this key.
    pub(crate) fn is_of_client(&self, key: &str) -> bool {
        let state = lock(&self.state);
        state
            .values
            .get(key)
            .is_some_and(|stored_value| !stored_value.is_of_body)
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<StoredValue> {
        lock(&self.state).values.get(key).cloned()
    }

    /// All keys.
    pub(crate) fn keys(&self) -> Vec<String> {
        lock(&self.state).values.keys().cloned().collect()
    }

    /// Writes values, all or none; as events, if they are `raised`.
    pub(crate) fn insert(
        &self,
        values: Vec<(String, Value)>,
        raised: bool,
        now_ns: u64,
    ) -> Result<(), RequestError> {
        let mut state = lock(&self.state);
        let mut added = 0;
        for (key, value) in &values {
            is_key(key)?;
            if value.to_string().len() > VALUE_MAX || nodes(value) > NODES_MAX {
                let sentence = format!(
                    "the value of `{key}` has more than {VALUE_MAX} bytes, or {NODES_MAX} parts"
                );
                return Err(ErrorCode::TooLarge.error(sentence).fix("keep less in it"));
            }
            match state.values.get(key) {
                Some(known) if known.is_of_body => return Err(of_body(key)),
                Some(_) => {}
                None => added += 1,
            }
        }
        let of_clients = state
            .values
            .values()
            .filter(|stored_value| !stored_value.is_of_body)
            .count();
        if of_clients + added > KEYS_MAX {
            let sentence = format!("the memory has {KEYS_MAX} keys already");
            let fix = "remove some with `removeData`, or use the same ones again";
            return Err(ErrorCode::Full.error(sentence).fix(fix));
        }
        for (key, value) in values {
            if raised {
                state.raise(&self.next, &key, value.clone(), now_ns);
            }
            let value = StoredValue {
                value,
                at_ns: now_ns,
                is_of_body: false,
            };
            state.values.insert(key, value);
        }
        Ok(())
    }

    /// Removes a key.
    pub(crate) fn remove(&self, key: &str) -> Result<(), RequestError> {
        let mut state = lock(&self.state);
        match state.values.get(key) {
            Some(known) if known.is_of_body => Err(of_body(key)),
            Some(_) => {
                state.values.remove(key);
                Ok(())
            }
            None => Err(unknown(key)),
        }
    }

    /// The kept events from this number on that have one of these keys, and how many of all events are no longer kept.
    pub(crate) fn events(&self, since: u64, keys: &[String]) -> (u64, u64, Vec<MemoryEvent>) {
        let state = lock(&self.state);
        let next = *self.next.borrow();
        // A server that was started again counts from 0.
        let since = if since > next { 0 } else { since };
        let oldest = next - state.events.len() as u64;
        let events = state.events.iter();
        let events = events.filter(|event| event.number >= since && keys.contains(&event.key));
        (
            next,
            oldest.saturating_sub(since),
            events.cloned().collect(),
        )
    }

    /// Waits for events after this number.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }

    /// Notes what the loop has found wrong with a joint, if this event of it says so.
    pub(crate) fn find(&self, entry: &LogEntry) {
        let finding = FINDINGS.iter().find(|finding| finding.0 == entry.event);
        let (Some((_, number)), Some(joint)) = (finding, &entry.actuator) else {
            return;
        };
        let start = format!("{}{joint}/", PREFIX[0]);
        let mut state = lock(&self.state);
        let is_its = |key: &&String| key.starts_with(&start) && key.ends_with(JOINT_ERROR);
        if let Some(key) = state.values.keys().find(is_its).cloned() {
            state.set_of_body(&key, Value::from(*number), entry.at_ns);
        }
    }

    /// Which of the touches there are in this turn.
    pub(crate) fn touched(&self, frame: &Frame<'_>) -> Vec<bool> {
        let is_touched = |n: &usize| frame.sensor(*n).is_some_and(|sensor| sensor > 0.5);
        let touches = self.touches.iter();
        touches
            .map(|touch| touch.sensors.iter().any(is_touched))
            .collect()
    }

    /// Raises the events of touches that have begun or ended since the turn before.
    pub(crate) fn touch(&self, now_ns: u64, touched: &[bool]) {
        let mut state = lock(&self.state);
        for (touch, on) in self.touches.iter().zip(touched) {
            let value = Value::from(f64::from(u8::from(*on)));
            if state
                .values
                .get(&touch.event)
                .is_some_and(|stored_value| stored_value.value != value)
            {
                state.set_of_body(&touch.event, value.clone(), now_ns);
                state.raise(&self.next, &touch.event, value, now_ns);
            }
        }
    }
}

impl MemoryState {
    fn set_of_body(&mut self, key: &str, value: Value, at_ns: u64) {
        let value = StoredValue {
            value,
            at_ns,
            is_of_body: true,
        };
        self.values.insert(key.to_owned(), value);
    }

    fn raise(&mut self, next: &watch::Sender<u64>, key: &str, value: Value, at_ns: u64) {
        if self.events.len() == EVENTS_MAX {
            self.events.pop_front();
        }
        self.events.push_back(MemoryEvent {
            number: *next.borrow(),
            key: key.to_owned(),
            value,
            at_ns,
        });
        next.send_modify(|value| *value += 1);
    }
}

/// Whether a sensor of this short name is touched or pressed.
fn is_touch(name: &str) -> bool {
    name.ends_with("Button") || name.contains("/Touch/") || name.contains("/Bumper/")
}

/// How many values there are in a value, itself among them.
fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(nodes).sum(),
        Value::Object(map) => map.values().map(nodes).sum(),
        _ => 0,
    }
}

/// Checks keys of a client's own, and their number.
pub(crate) fn are_keys<'k>(
    keys: impl ExactSizeIterator<Item = &'k String>,
) -> Result<(), RequestError> {
    if keys.len() > KEYS_MAX {
        let error = ErrorCode::Full.error(format!("the memory has room for {KEYS_MAX} keys"));
        return Err(error.fix("write fewer"));
    }
    let mut keys = keys;
    keys.try_for_each(|key| is_key(key))
}

/// Checks a key of a client's own.
fn is_key(key: &str) -> Result<(), RequestError> {
    if OF_BODY.iter().any(|item| key.starts_with(item)) {
        let sentence = format!("`{key}` is a key of the body, which alone writes it");
        let fix = "begin it with a word of your own, as in `Game/Score`";
        return Err(ErrorCode::InvalidName.error(sentence).fix(fix));
    }
    let is_sound = !key.is_empty() && key.len() <= KEY_MAX && !key.chars().any(char::is_control);
    if is_sound {
        return Ok(());
    }
    let error = ErrorCode::InvalidName.error("a key is empty, too long, or has control characters");
    Err(error.fix(format!("use up to {KEY_MAX} bytes")))
}

/// The error for a key that the body writes.
pub(crate) fn of_body(key: &str) -> RequestError {
    let error = ErrorCode::InvalidName.error(format!("`{key}` is written by the body alone"));
    error.fix("use `DCM.set` for actuators, and other keys for values of your own")
}

/// The error for a key that nobody has written.
pub(crate) fn unknown(key: &str) -> RequestError {
    let error = ErrorCode::NotFound.error(format!("no client has written `{key}`"));
    error.fix("`getDataList` has the keys")
}
