//! The contract's enums: the answer to a request, how commands merge, the body's state.

/// The answer to a request. All of a request is accepted or none: any answer but [`Answer::Done`] changed nothing.
///
/// An answer may be ignored, because most behaviours simply go on after a refusal. `Answer::is_done` tests it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The request was accepted.
    Done,
    /// This body has no such actuator, sensor, parameter or alias.
    Unknown,
    /// The guest's grant forbids it.
    Forbidden,
    /// There is no room for more commands, events or lines.
    Full,
    /// The value is infinite, or NaN where a number is needed.
    NotFinite,
    /// The instant is more than 24.8 days away.
    OutOfReach,
    /// This may not be called inside a turn.
    InsideATurn,
    /// Another lane holds the exclusive group.
    Taken,
    /// It does not apply to an actuator of this kind.
    WrongKind,
    /// The limit of requests in one call of a hook is reached.
    TooMuch,
    /// The guest is ending, and cannot move anything.
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
    /// Whether the request was accepted.
    pub const fn is_done(self) -> bool {
        matches!(self, Answer::Done)
    }

    /// This answer if it is a refusal, else the answer to the next request.
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

/// What happens to waiting commands of this guest for the actuator.
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

/// The state of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Reading sensors until all positions are known.
    Boot,
    /// Limp: targets follow the sensors.
    Disarmed,
    /// Gains fade in.
    Armed,
    /// Lanes move the body.
    Running,
    /// The body slows down and holds its position.
    Holding,
    /// The body moves to its safe pose, then is disarmed.
    Safe,
    /// A fault: the body is limp.
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
