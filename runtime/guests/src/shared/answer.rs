//! The contract's enums in Rust: answers, merge kinds, log levels, body states.
//! Used by the host's functions; their names and order are those of `wit/types.wit`.
//! Every refusal of the stage maps to one answer.

use cycle::{Merge, Refusal, State};
use wasmtime::component::{ComponentType, Lift, Lower};

/// The contract's number for "not found".
pub(crate) const NONE: u32 = u32::MAX;

/// The result of a request.
#[derive(Clone, Copy, ComponentType, Debug, Eq, Lift, Lower, PartialEq)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum HostAnswer {
    /// It is done.
    #[component(name = "done")]
    Done,
    /// There is no such thing.
    #[component(name = "unknown")]
    Unknown,
    /// The grant or the mask forbids it.
    #[component(name = "forbidden")]
    Forbidden,
    /// There is no room.
    #[component(name = "full")]
    Full,
    /// Infinite, or not a number where one is needed.
    #[component(name = "not-finite")]
    NotFinite,
    /// The instant is more than 24.8 days away.
    #[component(name = "out-of-reach")]
    OutOfReach,
    /// Not inside a turn.
    #[component(name = "inside-a-turn")]
    InsideATurn,
    /// Another lane holds the exclusive group.
    #[component(name = "taken")]
    Taken,
    /// It means nothing for an actuator of this kind.
    #[component(name = "wrong-kind")]
    WrongKind,
    /// One call of a hook has asked as much as it may.
    #[component(name = "too-much")]
    TooMuch,
    /// The guest is ending.
    #[component(name = "ending")]
    Ending,
}

impl HostAnswer {
    /// All answers, by their numbers in the contract.
    pub(crate) const ALL: [HostAnswer; 11] = [
        HostAnswer::Done,
        HostAnswer::Unknown,
        HostAnswer::Forbidden,
        HostAnswer::Full,
        HostAnswer::NotFinite,
        HostAnswer::OutOfReach,
        HostAnswer::InsideATurn,
        HostAnswer::Taken,
        HostAnswer::WrongKind,
        HostAnswer::TooMuch,
        HostAnswer::Ending,
    ];

    /// Its number in the contract.
    pub(crate) const fn number(self) -> u64 {
        self as u64
    }

    /// The answer of this number.
    pub(crate) fn of(number: u64) -> HostAnswer {
        let known = usize::try_from(number)
            .ok()
            .and_then(|value| HostAnswer::ALL.get(value));
        known.copied().unwrap_or(HostAnswer::Unknown)
    }
}

impl From<Refusal> for HostAnswer {
    fn from(refusal: Refusal) -> HostAnswer {
        match refusal {
            Refusal::NoLane(_) | Refusal::Ending(_) => HostAnswer::Ending,
            Refusal::NoAlias(_) | Refusal::NoActuator(_) | Refusal::Shape => HostAnswer::Unknown,
            Refusal::Twice(_) | Refusal::Busy { .. } => HostAnswer::TooMuch,
            Refusal::NotFinite { .. } | Refusal::Weight => HostAnswer::NotFinite,
            Refusal::OutOfReach { .. } => HostAnswer::OutOfReach,
            Refusal::Full { .. } | Refusal::LaneFull { .. } | Refusal::TrajectoriesFull => {
                HostAnswer::Full
            }
            Refusal::Taken { .. } => HostAnswer::Taken,
            Refusal::WrongKind(_) => HostAnswer::WrongKind,
        }
    }
}

/// A [`Merge`] as it crosses the contract, in the same order.
#[derive(Clone, Copy, ComponentType, Debug, Eq, Lift, Lower, PartialEq)]
#[component(enum)]
#[repr(u8)]
pub enum MergeKind {
    /// They stay.
    #[component(name = "merge")]
    Merge,
    /// They are dropped.
    #[component(name = "clear-all")]
    ClearAll,
    /// Those after the first new one are dropped.
    #[component(name = "clear-after")]
    ClearAfter,
    /// Those before the last new one are dropped.
    #[component(name = "clear-before")]
    ClearBefore,
}

impl From<MergeKind> for Merge {
    fn from(kind: MergeKind) -> Merge {
        Merge::ALL[kind as usize]
    }
}

/// What became of a guest's request.
#[derive(Clone, Copy, ComponentType, Debug, Eq, Lift, Lower, PartialEq)]
#[component(enum)]
#[repr(u8)]
#[allow(missing_docs, reason = "described in the contract")]
pub(crate) enum RequestOutcome {
    #[component(name = "waiting")]
    Waiting,
    #[component(name = "arrived")]
    Arrived,
    #[component(name = "clipped")]
    Clipped,
    #[component(name = "missed")]
    Missed,
    #[component(name = "cleared")]
    Cleared,
    #[component(name = "cancelled")]
    Cancelled,
    #[component(name = "dropped")]
    Dropped,
    #[component(name = "unknown")]
    Unknown,
}

/// The level of a line in the log.
#[derive(Clone, Copy, ComponentType, Debug, Eq, Lift, Lower, PartialEq)]
#[component(enum)]
#[repr(u8)]
pub enum Level {
    /// Details for whoever debugs a guest.
    #[component(name = "debug")]
    Debug,
    /// What a person who watches wants to know.
    #[component(name = "info")]
    Info,
    /// Something is wrong.
    #[component(name = "warning")]
    Warning,
}

impl Level {
    /// Its word in the contract.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warning => "warning",
        }
    }
}

/// The state of the whole body.
#[derive(Clone, Copy, ComponentType, Debug, Eq, Lift, Lower, PartialEq)]
#[component(enum)]
#[repr(u8)]
#[allow(missing_docs, reason = "described at `cycle::State`")]
pub(crate) enum HostBodyState {
    #[component(name = "boot")]
    Boot,
    #[component(name = "disarmed")]
    Disarmed,
    #[component(name = "armed")]
    Armed,
    #[component(name = "running")]
    Running,
    #[component(name = "holding")]
    Holding,
    #[component(name = "safe")]
    Safe,
    #[component(name = "fault")]
    Fault,
    #[component(name = "estop")]
    Estop,
}

impl From<State> for HostBodyState {
    fn from(state: State) -> HostBodyState {
        match state {
            State::Boot => HostBodyState::Boot,
            State::Disarmed => HostBodyState::Disarmed,
            State::Armed => HostBodyState::Armed,
            State::Running => HostBodyState::Running,
            State::Holding => HostBodyState::Holding,
            State::Safe => HostBodyState::Safe,
            State::Fault => HostBodyState::Fault,
            State::Estop => HostBodyState::Estop,
        }
    }
}
