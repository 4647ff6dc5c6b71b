//! Events from outside for a simulated body: a button is pressed, a joint or the body pushed, a board unplugged.
//! From a script, or by hand at any time.
//! An event happens in the first turn at or after its instant, in the order of the script.

use cycle::{Instant, Span};

/// An event from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SimEvent {
    /// Sets a sensor's value.
    Give {
        /// The sensor's place.
        sensor: usize,
        /// Its value.
        value: f64,
    },
    /// Moves a sensor's value linearly to this one.
    Glide {
        /// The sensor's place.
        sensor: usize,
        /// The final value.
        value: f64,
        /// How long it takes.
        over: Span,
    },
    /// Pushes a joint with this torque until the next push.
    Push {
        /// The actuator's place.
        actuator: usize,
        /// N·m.
        torque: f64,
    },
    /// Pushes a link for a time, if there is physics.
    PushLink {
        /// The link's place among the robot's links.
        link: usize,
        /// Ahead, to the left and up, as the body faces, N.
        force: [f64; 3],
        /// How long.
        lasts: Span,
    },
    /// Lifts the body off the floor and holds it, or lets go of it, if there is physics.
    Lift {
        /// Whether it is held.
        held: bool,
    },
    /// Tilts the floor, if there is physics.
    TiltFloor {
        /// By how much it rises ahead of where the body faced at the start, rad.
        angle: f64,
    },
    /// Puts a box down in front of the body, on whatever is there, if there is physics.
    PutBox {
        /// Its length ahead, its width and its height, m.
        edges: [f64; 3],
        /// kg; a box without mass cannot move.
        mass: Option<f64>,
        /// How far its middle is ahead of the body, and to its left, m.
        at: [f64; 2],
    },
    /// Builds steps in front of the body, if there is physics.
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
    /// Takes boxes and steps away, if there is physics.
    EmptyFloor,
    /// Unplugs a board, or plugs it in again.
    Silence {
        /// The board's place.
        board: usize,
        /// Whether it is unplugged.
        silent: bool,
    },
}

/// Why an event has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventError {
    /// It concerns what is not simulated: a real board, or a body without physics.
    NotSimulated,
    /// There are as many boxes or steps as there can be.
    Full,
    /// A box is where steps would be.
    Occupied,
}

/// Events and their instants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    events: Vec<(Instant, SimEvent)>,
    next: usize,
}

impl Script {
    /// A script of these events; those of one instant keep their order.
    pub fn new(mut events: Vec<(Instant, SimEvent)>) -> Script {
        events.sort_by_key(|(at, _)| *at);
        Script { events, next: 0 }
    }

    /// The next event that is due.
    pub(super) fn due(&mut self, now: Instant) -> Option<(Instant, SimEvent)> {
        let (at, event) = *self.events.get(self.next)?;
        if at > now {
            return None;
        }
        self.next += 1;
        Some((at, event))
    }
}

/// A value that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glide {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) since: Instant,
    pub(super) over: Span,
}

impl Glide {
    pub(super) fn at(&self, now: Instant) -> f64 {
        let share = (now - self.since).share_of(self.over);
        if share < 1.0 {
            self.from + (self.to - self.from) * share
        } else {
            self.to
        }
    }
}
