//! The memory that clients share: values under keys of their own, and events, as in NAOqi's ALMemory.
//! Written by the routes of `memory`, and by the thread that reads the page, which raises the events of touches.
//! The law: it is limited in every way, and a key of the body is written by the body alone.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use api::error::ErrorCode;
use api::lock;
use api::memory::MemoryEvent;
use sensors::Frame;
use serde_json::Value;
use socket::RequestError;
use tokio::sync::watch;

/// The maximum number of keys, of bytes of a key, and of bytes of a value.
const KEYS_MAX: usize = 1024;
const KEY_MAX: usize = 256;
const VALUE_MAX: usize = 4096;

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

/// The memory.
#[derive(Debug)]
pub(crate) struct SharedMemory {
    state: Mutex<MemoryState>,
    /// The number of the next event.
    next: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct MemoryState {
    values: BTreeMap<String, StoredValue>,
    events: VecDeque<MemoryEvent>,
    touches: Vec<Touch>,
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
    on: bool,
}

impl SharedMemory {
    /// The memory of a robot of this name, with sensors of these short names.
    pub(crate) fn of(robot: &str, sensors: &[String]) -> SharedMemory {
        let mut state = MemoryState::default();
        let place = |name: &&str| sensors.iter().position(|it| it == name);
        for (event, names) in TOUCHES {
            state.watch(event, names.iter().filter_map(place).collect());
        }
        // Buttons of other robots raise an event of their own name.
        let known: Vec<_> = TOUCHES.iter().flat_map(|it| it.1).copied().collect();
        for (place, name) in sensors.iter().enumerate() {
            if is_touch(name) && !known.contains(&name.as_str()) {
                state.watch(&format!("{name}Touched"), vec![place]);
            }
        }
        state.set_of_body("RobotConfig/Body/Type", Value::from(robot), 0);
        state.set_of_body(
            "RobotConfig/Body/Version",
            Value::from(env!("CARGO_PKG_VERSION")),
            0,
        );
        SharedMemory {
            state: Mutex::new(state),
            next: watch::Sender::new(0),
        }
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
            if value.to_string().len() > VALUE_MAX {
                let sentence = format!("the value of `{key}` has more than {VALUE_MAX} bytes");
                return Err(ErrorCode::TooLarge.error(sentence).fix("keep less in it"));
            }
            match state.values.get(key) {
                Some(known) if known.is_of_body => return Err(of_body(key)),
                Some(_) => {}
                None => added += 1,
            }
        }
        if state.values.len() + added > KEYS_MAX {
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
        let oldest = next - state.events.len() as u64;
        let events = state.events.iter();
        let events = events.filter(|it| it.number >= since && keys.contains(&it.key));
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

    /// Raises the events of touches that have begun or ended in this turn.
    pub(crate) fn look(&self, frame: &Frame<'_>) {
        let mut state = lock(&self.state);
        let now_ns = frame.now().nanos();
        for place in 0..state.touches.len() {
            let touch = &state.touches[place];
            let is_touched = |it: &usize| frame.sensor(*it).is_some_and(|it| it > 0.5);
            let on = touch.sensors.iter().any(is_touched);
            if on == touch.on {
                continue;
            }
            let event = touch.event.clone();
            state.touches[place].on = on;
            let value = Value::from(f64::from(u8::from(on)));
            state.set_of_body(&event, value.clone(), now_ns);
            state.raise(&self.next, &event, value, now_ns);
        }
    }
}

impl MemoryState {
    fn watch(&mut self, event: &str, sensors: Vec<usize>) {
        if sensors.is_empty() {
            return;
        }
        self.set_of_body(event, Value::from(0.0), 0);
        self.touches.push(Touch {
            event: event.to_owned(),
            sensors,
            on: false,
        });
    }

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
        next.send_modify(|it| *it += 1);
    }
}

/// Whether a sensor of this short name is touched or pressed.
fn is_touch(name: &str) -> bool {
    name.ends_with("Button") || name.contains("/Touch/") || name.contains("/Bumper/")
}

/// Checks a key of a client's own.
fn is_key(key: &str) -> Result<(), RequestError> {
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
