//! The contract's small words: what comes of a request, how commands join, what the body does.

/// What comes of a request. Whole, or not at all: whatever is not [`Answer::Done`] has changed nothing.
///
/// An answer may be ignored: a behaviour that is refused mostly just goes on. `Answer::is_done` asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is done.
    Done,
    /// There is no such actuator, sensor, parameter or alias on this body.
    Unknown,
    /// The guest may not do that: its grant forbids it.
    Forbidden,
    /// There is no room for so many commands, events or lines.
    Full,
    /// The value is infinite, or not a number where one is needed.
    NotFinite,
    /// The instant is more than 24.8 days away.
    OutOfReach,
    /// This may not be called inside a turn.
    InsideATurn,
    /// Another lane holds the exclusive group.
    Taken,
    /// It means nothing for an actuator of this kind.
    WrongKind,
    /// As much as one call of a hook may ask was asked already.
    TooMuch,
    /// The guest is ending, and moves nothing any more.
    Ending,
}

const ANSWERS: [Answer; 11] = [
    Answer::Done,
    Answer::Unknown,
    Answer::Forbidden,
    Answer::Full,
    Answer::NotFinite,
    Answer::OutOfReach,
    Answer::InsideATurn,
    Answer::Taken,
    Answer::WrongKind,
    Answer::TooMuch,
    Answer::Ending,
];

impl Answer {
    /// Whether it is done.
    pub const fn is_done(self) -> bool {
        matches!(self, Answer::Done)
    }

    /// This answer if it is a refusal, else what comes of the next request.
    pub fn then(self, next: impl FnOnce() -> Answer) -> Answer {
        if self.is_done() { next() } else { self }
    }

    pub(crate) fn of(number: u32) -> Answer {
        ANSWERS
            .get(number as usize)
            .copied()
            .unwrap_or(Answer::Unknown)
    }
}

/// What happens to commands of this guest that wait for the actuator already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Merge {
    /// They stay.
    #[default]
    Merge,
    /// They are dropped.
    ClearAll,
    /// Those after the first new one are dropped.
    ClearAfter,
    /// Those before the last new one are dropped.
    ClearBefore,
}

/// What the whole body is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Reading only, until it is known where everything stands.
    Boot,
    /// Limp: targets follow the sensors.
    Disarmed,
    /// Gains fade in.
    Armed,
    /// Lanes move the body.
    Running,
    /// The body slows to a stop and stays.
    Holding,
    /// The body moves to its safe pose, and lets go.
    Safe,
    /// Something broke.
    Fault,
    /// The emergency stop is pressed.
    Estop,
}

const STATES: [State; 8] = [
    State::Boot,
    State::Disarmed,
    State::Armed,
    State::Running,
    State::Holding,
    State::Safe,
    State::Fault,
    State::Estop,
];

impl State {
    pub(crate) fn of(number: u32) -> State {
        STATES.get(number as usize).copied().unwrap_or(State::Fault)
    }
}
