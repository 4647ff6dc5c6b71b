//! The robot's body as guests see it: its tables, its names, and the page as it is now.
//! Made once at start-up; read by the host's functions from any thread.
//! Names are looked up outside the turn; inside it there are only numbers.

use printable::printable;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cycle::{Actuator, Body, Kind, NAO_PREFIX, Span};
use sensors::Window;

use crate::shared::answer::NONE;
use crate::shared::event_bus::EventBus;
use crate::shared::log_line::LineTime;

/// The longest name that is looked up, bytes.
pub(crate) const NAME_MAX: usize = 255;

/// Unknown names that are kept, to be told to whoever loaded the guest.
const UNKNOWN_MAX: usize = 256;

/// An actuator as guests may know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActuatorInfo {
    pub(crate) lowest: f64,
    pub(crate) highest: f64,
    pub(crate) velocity: f64,
    pub(crate) acceleration: f64,
    pub(crate) rest: f64,
    pub(crate) is_trigger: bool,
    pub(crate) has_gains: bool,
}

/// The body, shared by all guests.
#[derive(Debug)]
pub struct GuestBody {
    pub(crate) actuators: Vec<ActuatorInfo>,
    /// The board of each sensor.
    pub(crate) boards: Vec<u8>,
    actuator_names: HashMap<String, u32>,
    sensor_names: HashMap<String, u32>,
    aliases: HashMap<String, Vec<u32>>,
    pub(crate) period: Span,
    pub(crate) window: Window,
    pub(crate) bus: Arc<EventBus>,
    /// Names that were looked up and are no actuator.
    unknown: Mutex<BTreeSet<String>>,
    unknown_sensors: Mutex<BTreeSet<String>>,
    /// Whether any actuator that was looked up exists.
    found: AtomicBool,
}

/// Names of a body besides those in its tables.
#[derive(Clone, Debug, Default)]
pub struct BodyNames {
    /// Other names of actuators.
    pub actuators: Vec<(String, u32)>,
    /// Other names of sensors.
    pub sensors: Vec<(String, u32)>,
    /// Names of lists of actuators.
    pub aliases: Vec<(String, Vec<u32>)>,
}

impl GuestBody {
    /// How many events guests have posted.
    pub fn posted(&self) -> u64 {
        self.bus.of_guests()
    }

    /// The body of these tables, whose state is read through this window.
    pub fn new(body: &Body<'_>, names: BodyNames, period: Span, window: Window) -> GuestBody {
        let known = |actuator: &Actuator<'_>| ActuatorInfo {
            lowest: actuator.range.min,
            highest: actuator.range.max,
            velocity: actuator.velocity,
            acceleration: actuator.acceleration,
            rest: actuator.rest,
            is_trigger: actuator.kind == Kind::Trigger,
            has_gains: actuator.gains.is_some(),
        };
        let own = |pair: (usize, (&str, &str))| {
            let number = u32::try_from(pair.0).unwrap_or(NONE);
            let (name, path) = pair.1;
            [(name.to_owned(), number), (path.to_owned(), number)]
        };
        let actuator_names = body
            .actuators
            .iter()
            .map(|actuator| (actuator.name, actuator.path));
        let sensor_names = body.sensors.iter().map(|sensor| (sensor.name, sensor.path));
        // The tables' own names come last, so that they win over others.
        let mut made = GuestBody {
            actuators: body.actuators.iter().map(known).collect(),
            boards: body.sensors.iter().map(|sensor| sensor.board.0).collect(),
            actuator_names: names.actuators.into_iter().collect(),
            sensor_names: names.sensors.into_iter().collect(),
            aliases: names.aliases.into_iter().collect(),
            period,
            window,
            bus: Arc::new(EventBus::new()),
            unknown: Mutex::default(),
            unknown_sensors: Mutex::default(),
            found: AtomicBool::new(false),
        };
        made.actuator_names
            .extend(actuator_names.enumerate().flat_map(own));
        made.sensor_names
            .extend(sensor_names.enumerate().flat_map(own));
        made
    }

    /// The last turn, for a line of the log.
    pub(crate) fn line_time(&self) -> LineTime {
        LineTime {
            now: self.window.now().nanos(),
            turn: self.window.turn(),
        }
    }

    /// Looks an actuator up; outside the turn.
    pub(crate) fn actuator(&self, name: &str) -> u32 {
        let number = number(&self.actuator_names, name);
        if number == NONE && !self.aliases.contains_key(name) {
            note(&self.unknown, name);
        } else if number != NONE {
            self.found.store(true, Ordering::Relaxed);
        }
        number
    }

    /// Whether any guest has looked up an actuator that exists.
    pub fn has_found(&self) -> bool {
        self.found.load(Ordering::Relaxed)
    }

    /// The names that guests looked up and that are neither actuators nor aliases.
    pub fn unknown(&self) -> Vec<String> {
        noted(&self.unknown)
    }

    /// The names that guests looked up and that are no sensors.
    pub fn unknown_sensors(&self) -> Vec<String> {
        noted(&self.unknown_sensors)
    }

    pub(crate) fn sensor(&self, name: &str) -> u32 {
        let number = number(&self.sensor_names, name);
        if number == NONE {
            note(&self.unknown_sensors, name);
        }
        number
    }

    pub(crate) fn alias(&self, name: &str) -> &[u32] {
        let members = self.aliases.get(name).map(Vec::as_slice);
        match members {
            Some([_, ..]) => self.found.store(true, Ordering::Relaxed),
            // A list that is empty is known, too.
            Some([]) => {}
            None if number(&self.actuator_names, name) == NONE => note(&self.unknown, name),
            None => {}
        }
        members.unwrap_or_default()
    }
}

fn note(names: &Mutex<BTreeSet<String>>, name: &str) {
    let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
    if names.len() < UNKNOWN_MAX {
        names.insert(printable(name).into_owned());
    }
}

fn noted(names: &Mutex<BTreeSet<String>>) -> Vec<String> {
    let names = names.lock().unwrap_or_else(PoisonError::into_inner);
    names.iter().cloned().collect()
}

fn number(names: &HashMap<String, u32>, asked: &str) -> u32 {
    let asked = asked.strip_prefix(NAO_PREFIX).unwrap_or(asked);
    names.get(asked).copied().unwrap_or(NONE)
}
