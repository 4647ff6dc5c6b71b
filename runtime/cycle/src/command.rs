//! Requests to actuators: timed commands, how they join those that wait, and the answer.
//! Built by clients and hooks; read by `intake` and `trajectory`.
//! A request is taken whole or refused whole, and a refusal names the cause.

use crate::body::{ActuatorId, GroupId};
use crate::lane::{LaneId, WAITING_MAX};
use crate::named_enum;
use crate::time::{Instant, Span};

/// The greatest distance of a command from now: 2^31 ms, half of the DCM's clock.
pub const REACH: Span = Span::from_millis(1 << 31);

/// One timed command: this value at this instant. NaN leaves the actuator unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command {
    /// When the actuator reaches the value.
    pub at: Instant,
    /// The value, in the actuator's unit.
    pub value: f64,
}

/// A handle to an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AliasId {
    pub(crate) place: u16,
    pub(crate) generation: u32,
}

named_enum! {
    /// How new commands join those that wait. The numbers and names are those of the contract in `wit/`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Merge {
        /// Old and new commands are merged in order of time.
        Merge = 0 => "merge",
        /// All waiting commands are deleted first. Without new commands this means: stop here.
        ClearAll = 1 => "clear-all",
        /// Waiting commands at or after the first new instant are deleted first.
        ClearAfter = 2 => "clear-after",
        /// Waiting commands at or before the last new instant are deleted first.
        ClearBefore = 3 => "clear-before",
    }
}

impl Merge {
    /// The merge kind with this number.
    pub fn of_number(number: u64) -> Option<Merge> {
        Merge::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// The actuators that a request is for.
#[derive(Clone, Copy, Debug)]
pub enum To<'r> {
    /// One actuator.
    One(ActuatorId),
    /// Several, each at most once.
    Many(&'r [ActuatorId]),
    /// The members of an alias, in its order.
    Alias(AliasId),
}

/// The commands of a request. No list needs to be sorted.
#[derive(Clone, Copy, Debug)]
pub enum CommandSet<'r> {
    /// Every actuator gets the same commands (`set`).
    Same(&'r [Command]),
    /// Every actuator gets its own list ("time-mixed").
    Mixed(&'r [&'r [Command]]),
    /// One list of times, and for each actuator a row of as many values ("time-separate").
    Separate {
        /// The times that all share.
        times: &'r [Instant],
        /// Row after row: all values of the first actuator, then of the second.
        values: &'r [f64],
    },
}

/// A whole request.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// Which actuators.
    pub to: To<'r>,
    /// How the commands join those that wait.
    pub merge: Merge,
    /// The commands.
    pub commands: CommandSet<'r>,
}

impl<'r> Request<'r> {
    /// One value for each actuator at one instant; replaces all waiting commands.
    pub fn vector(to: To<'r>, at: &'r Instant, values: &'r [f64]) -> Request<'r> {
        let times = core::slice::from_ref(at);
        Request {
            to,
            merge: Merge::ClearAll,
            commands: CommandSet::Separate { times, values },
        }
    }

    /// Deletes all waiting commands; each actuator keeps its present value.
    pub fn stop(to: To<'r>) -> Request<'r> {
        Request {
            to,
            merge: Merge::ClearAll,
            commands: CommandSet::Same(&[]),
        }
    }
}

impl CommandSet<'_> {
    /// Whether the set has exactly one part for each actuator.
    pub(crate) fn fits(&self, actuators: usize) -> bool {
        match self {
            CommandSet::Same(_) => true,
            CommandSet::Mixed(lists) => lists.len() == actuators,
            CommandSet::Separate { times, values } => {
                times.len().checked_mul(actuators) == Some(values.len())
            }
        }
    }

    /// The commands for the actuator at index `place` of the request.
    pub(crate) fn part(&self, place: usize) -> impl Iterator<Item = Command> + '_ {
        let (list, times, row): (&[Command], &[Instant], &[f64]) = match *self {
            CommandSet::Same(list) => (list, &[], &[]),
            CommandSet::Mixed(lists) => (lists.get(place).copied().unwrap_or(&[]), &[], &[]),
            CommandSet::Separate { times, values } => {
                let start = place * times.len();
                (
                    &[],
                    times,
                    values.get(start..start + times.len()).unwrap_or(&[]),
                )
            }
        };
        let separate = times
            .iter()
            .zip(row)
            .map(|(&at, &value)| Command { at, value });
        list.iter().copied().chain(separate)
    }
}

/// The result of checking one part of a request, before anything is changed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CheckedPart {
    /// Number of commands that will wait.
    pub(crate) count: u32,
    /// The earliest and latest of their instants.
    pub(crate) first: Instant,
    pub(crate) last: Instant,
    /// All commands are NaN: the actuator stays unchanged.
    pub(crate) left_alone: bool,
}

impl CheckedPart {
    /// Checks the commands for `actuator`; `now` is the middle of the allowed window.
    pub(crate) fn check(
        commands: impl Iterator<Item = Command>,
        actuator: ActuatorId,
        now: Instant,
    ) -> Result<CheckedPart, Refusal> {
        let mut part = CheckedPart {
            first: Instant::NEVER,
            ..CheckedPart::default()
        };
        let mut spelled = 0u32;
        for Command { at, value } in commands {
            spelled += 1;
            if spelled > WAITING_MAX {
                return Err(Refusal::Full {
                    actuator,
                    room: WAITING_MAX,
                });
            }
            if value.is_nan() {
                continue;
            }
            if value.is_infinite() {
                return Err(Refusal::NotFinite { actuator });
            }
            if at.distance(now) > REACH {
                return Err(Refusal::OutOfReach { actuator, at });
            }
            part.count += 1;
            part.first = part.first.min(at);
            part.last = part.last.max(at);
        }
        part.left_alone = spelled > 0 && part.count == 0;
        Ok(part)
    }
}

/// The number of an accepted request, with which a client can query or cancel it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket(pub u32);

impl Ticket {
    /// Whether this request came before `other`; correct across a wrap of the counter.
    #[allow(
        clippy::cast_possible_wrap,
        reason = "a signed difference is what makes it wrap-safe"
    )]
    pub(crate) fn is_before(self, other: Ticket) -> bool {
        (self.0.wrapping_sub(other.0) as i32) < 0
    }
}

/// The answer to an accepted request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The request's number.
    pub ticket: Ticket,
    /// Commands that now wait.
    pub taken: u32,
    /// Of these, commands whose instant had already passed.
    pub late: u32,
    /// Of these, commands whose value was clipped to the actuator's range.
    pub clipped: u32,
    /// Commands with NaN, which changed nothing.
    pub left_alone: u32,
    /// Whether the request is followed: its progress can be asked for.
    pub followed: bool,
}

/// Why a request was refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// The lane's handle is stale: that lane is gone.
    NoLane(LaneId),
    /// The lane is ending and takes no more requests.
    Ending(LaneId),
    /// The alias' handle is stale: that alias is gone.
    NoAlias(AliasId),
    /// There is no such actuator in this body.
    NoActuator(ActuatorId),
    /// The request names this actuator twice.
    Twice(ActuatorId),
    /// The lists do not match the number of actuators or of times.
    Shape,
    /// A value is infinite.
    NotFinite {
        /// The actuator of the value.
        actuator: ActuatorId,
    },
    /// A weight or priority is negative, infinite or not a number.
    Weight,
    /// An instant is more than [`REACH`] away from now.
    OutOfReach {
        /// The actuator of the command.
        actuator: ActuatorId,
        /// Its instant.
        at: Instant,
    },
    /// More commands than may wait for this actuator.
    Full {
        /// The actuator.
        actuator: ActuatorId,
        /// How many more commands fit.
        room: u32,
    },
    /// More commands than may wait in this lane.
    LaneFull {
        /// How many more commands fit.
        room: u32,
    },
    /// The request needs more work than this lane may cause in one turn: send it in the next turn, or as a trajectory.
    Busy {
        /// Steps left for this lane in this turn.
        steps: u32,
    },
    /// All places for trajectories in this lane are in use.
    TrajectoriesFull,
    /// Another lane holds this exclusive group.
    Taken {
        /// The group.
        group: GroupId,
        /// The lane that holds it.
        by: LaneId,
    },
    /// The request does not apply to this actuator, because it is a trigger or has no gains.
    WrongKind(ActuatorId),
}
