//! One actuator in one lane: the waiting commands, and their value at each turn.
//! `intake` adds commands; `stage` samples it once in every turn.
//! Without late commands, the values lie exactly on the line through the commands, however irregular the turns
//! are.
//!
//! This is the DCM's algorithm in another form. The DCM restarts its line in every cycle from
//! the last value it sent; that value lies on the same line until the next command changes. So
//! the line is kept here, and begun anew only when the next command changes: one place where
//! rounding enters instead of one for each turn.

mod clear;

use crate::body::ActuatorId;
use crate::command::{Command, Ticket};
use crate::interpolate::{Line, Point};
use crate::pool::{Chain, Pool};
use crate::progress::ProgressTable;
use crate::time::Instant;
use crate::trajectory::{TRAJECTORIES, Trajectory};

/// One actuator in one lane. Opaque; only [`Timeline::IDLE`] makes one.
// What sampling and appending need comes first and lies in one line of the cache; a body has many of these.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Timeline {
    /// The line to the next command, which is at [`Instant::NEVER`] if there is none. While `moved` is set it has no
    /// slope that is valid.
    line: Line,
    /// The last value computed: `sendCommandDouble` of the DCM.
    value: f64,
    /// The commands of requests.
    pub(crate) chain: Chain,
    /// The number of waiting commands, in the chain and in trajectories.
    pub(crate) waiting: u32,
    /// Whether the next command changed since the last sample.
    moved: bool,
    /// Whether the value was on its way to the next command in an earlier sample.
    is_under_way: bool,
    /// The source of the next command: the chain, or the trajectory at this index.
    source: CommandSource,
    /// Whether the lane has started to drive the actuator since it was shown last.
    taken_up: bool,
    /// The last command executed: `lastCommandValue` and `lastCommandTime`.
    executed: Point,
    /// This lane's weight on this actuator, now and from the next edge on.
    pub(crate) weight: f64,
    pub(crate) weight_asked: f64,
    /// The body's value when the lane started to drive this actuator: the start of a fade-in.
    pub(crate) from: f64,
    /// The lane's last value here.
    shown: f64,
    /// The weight with which the blend took that value.
    shown_weight: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandSource {
    Chain,
    Trajectory(u8),
}

/// The instants of this turn and of the previous one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnTimes {
    pub(crate) now: Instant,
    pub(crate) before: Instant,
}

/// All waiting commands of one lane.
pub(crate) struct Waiting<'a, 'm> {
    pub(crate) pool: &'a mut Pool<'m>,
    pub(crate) trajectories: &'a mut [Option<Trajectory<'m>>; TRAJECTORIES],
    /// Whether the lane's requests are followed.
    pub(crate) is_followed: bool,
    pub(crate) progress: &'a mut ProgressTable<'m>,
}

/// How to execute a command that is due.
pub(crate) enum Due<'a> {
    /// It becomes the value.
    Reach,
    /// Pass it to this function; if that returns false, it stays the next command.
    Fire(&'a mut dyn FnMut(Command) -> bool),
}

/// The result of one sample.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sampled {
    pub(crate) executed: u32,
    /// Due commands were left for the next turn.
    pub(crate) deferred: bool,
}

/// No next command.
const NOTHING: Point = Point {
    at: Instant::NEVER,
    value: 0.0,
};

const _: () = assert!(size_of::<Timeline>() == 128);

impl Timeline {
    /// A timeline without commands.
    pub const IDLE: Timeline = Timeline {
        line: Line::at_rest(NOTHING),
        value: 0.0,
        chain: Chain::EMPTY,
        waiting: 0,
        moved: false,
        is_under_way: false,
        source: CommandSource::Chain,
        executed: Point {
            at: Instant::ZERO,
            value: 0.0,
        },
        weight: 1.0,
        weight_asked: 1.0,
        from: 0.0,
        shown: 0.0,
        taken_up: false,
        shown_weight: 0.0,
    };

    /// The value at the last sample.
    pub(crate) fn value(&self) -> f64 {
        self.value
    }

    /// The next command.
    pub(crate) fn next(&self) -> Option<Command> {
        let Point { at, value } = self.line.to;
        (at != Instant::NEVER).then_some(Command { at, value })
    }

    /// Sets a next command that is in no chain and no trajectory: the lane's own last one.
    pub(crate) fn wait_for(&mut self, command: Command) {
        self.line.to = Point {
            at: command.at,
            value: command.value,
        };
        self.source = CommandSource::Chain;
        self.waiting = 1;
        self.moved = true;
    }

    /// Sets the next command, which is the only one, in the chain.
    #[inline]
    pub(crate) fn aim_at(&mut self, command: Command) {
        let next = Point {
            at: command.at,
            value: command.value,
        };
        self.moved |= self.line.to != next;
        (self.line.to, self.source) = (next, CommandSource::Chain);
    }

    /// Starts to drive the actuator at the body's value `held`.
    pub(crate) fn take_up(&mut self, held: f64) {
        self.value = held;
        self.begin_at(held);
        self.executed = Point {
            at: Instant::ZERO,
            value: held,
        };
        self.moved = true;
    }

    /// Sets the body's value at which the lane's motion begins.
    pub(crate) fn begin_at(&mut self, held: f64) {
        (self.from, self.shown, self.taken_up) = (held, held, true);
    }

    /// Does not start now: its way to the lane's value is none that the lane asks for.
    pub(crate) fn defer_start(&mut self) {
        self.taken_up = false;
    }

    /// Stores the lane's value and weight, and returns how far the lane has moved the value since the previous turn: 0
    /// if the lane had no value then, unless it starts now.
    #[inline]
    pub(crate) fn show(&mut self, value: f64, weight: f64, showed: bool) -> f64 {
        let moved = if showed || self.taken_up {
            value - self.shown
        } else {
            0.0
        };
        (self.shown, self.taken_up) = (value, false);
        self.shown_weight = weight;
        moved
    }

    /// The value and the weight that the blend took last.
    pub(crate) fn shown(&self) -> (f64, f64) {
        (self.shown, self.shown_weight)
    }

    /// The fast path of a sample: nothing is due and nothing changed, so the value moves along its line. Returns false
    /// if the fast path does not apply.
    #[inline]
    pub(crate) fn glide(&mut self, now: Instant) -> bool {
        if self.line.to.at <= now || self.moved {
            return false;
        }
        self.value = self.line.at(now);
        self.is_under_way = true;
        true
    }

    /// The other fast path: one command is due, and all that wait are in the chain. Executes it, and returns the number
    /// of its request; `None`, with nothing changed, if this path does not apply.
    #[inline]
    pub(crate) fn reach(&mut self, turn_times: TurnTimes, pool: &mut Pool<'_>) -> Option<Ticket> {
        if self.line.to.at > turn_times.now || self.waiting != self.chain.len() {
            return None;
        }
        let (ticket, following) = pool.first_and_next(&self.chain)?;
        if following.is_some_and(|following| following.at <= turn_times.now) {
            return None;
        }
        pool.pop(&mut self.chain);
        self.waiting -= 1;
        self.value = self.line.to.value;
        self.executed = self.line.to;
        self.source = CommandSource::Chain;
        self.line.to = following.map_or(NOTHING, |Command { at, value }| Point { at, value });
        self.begin_line(turn_times);
        Some(ticket)
    }

    /// Whether it had the commands that it has executed now in an earlier turn already.
    pub(crate) fn was_under_way(&mut self) -> bool {
        core::mem::take(&mut self.is_under_way)
    }

    /// Computes the value at this turn; executes at most `steps` of the commands that are due.
    pub(crate) fn sample(
        &mut self,
        turn_times: TurnTimes,
        actuator: ActuatorId,
        mut waiting: Waiting<'_, '_>,
        mut due: Due<'_>,
        steps: &mut u32,
    ) -> Sampled {
        let mut sampled = Sampled::default();
        while self.line.to.at <= turn_times.now {
            let command = Command {
                at: self.line.to.at,
                value: self.line.to.value,
            };
            let accepted = *steps > 0
                && match &mut due {
                    Due::Reach => true,
                    Due::Fire(fire) => fire(command),
                };
            if !accepted {
                sampled.deferred = true;
                return sampled;
            }
            *steps -= 1;
            sampled.executed += 1;
            self.value = command.value;
            self.executed = self.line.to;
            self.pop(actuator, &mut waiting);
        }
        self.begin_line(turn_times);
        sampled
    }

    /// Finds the line to the next command, which is not due, and the value on it.
    #[inline]
    fn begin_line(&mut self, turn_times: TurnTimes) {
        let from = if turn_times.before < self.executed.at {
            self.executed
        } else {
            Point {
                at: turn_times.before,
                value: self.value,
            }
        };
        self.moved = false;
        if self.line.to.at == Instant::NEVER {
            self.line.to.value = self.value;
            return;
        }
        self.line = Line::between(from, self.line.to);
        // At its start the value is exact already.
        if from.at < turn_times.now {
            self.value = self.line.at(turn_times.now);
        }
        self.is_under_way = true;
    }

    fn pop(&mut self, actuator: ActuatorId, waiting: &mut Waiting<'_, '_>) {
        match self.source {
            CommandSource::Chain => {
                if let Some((_, ticket)) = waiting.pool.first(&self.chain) {
                    waiting.progress.note_due(ticket);
                }
                waiting.pool.pop(&mut self.chain);
            }
            CommandSource::Trajectory(place) => {
                if let Some(trajectory) = &mut waiting.trajectories[usize::from(place)] {
                    trajectory.skip(actuator, 1);
                    waiting.progress.note_due(trajectory.ticket);
                }
            }
        }
        self.waiting -= 1;
        self.look(actuator, waiting);
    }

    /// Finds the next command among the chain and the trajectories.
    pub(crate) fn look(&mut self, actuator: ActuatorId, waiting: &Waiting<'_, '_>) {
        let mut next = waiting
            .pool
            .first(&self.chain)
            .map(|(item, by)| (item, by, CommandSource::Chain));
        for (place, trajectory) in (0u8..).zip(waiting.trajectories.iter()) {
            let Some(trajectory) = trajectory else {
                continue;
            };
            let Some(first) = trajectory.first(actuator) else {
                continue;
            };
            let sooner = next.is_none_or(|(value, by, _)| {
                first.at < value.at || (first.at == value.at && trajectory.ticket.is_before(by))
            });
            if sooner {
                next = Some((first, trajectory.ticket, CommandSource::Trajectory(place)));
            }
        }
        let was = self.line.to;
        (self.line.to, self.source) = match next {
            Some((command, _, source)) => (
                Point {
                    at: command.at,
                    value: command.value,
                },
                source,
            ),
            None => (NOTHING, CommandSource::Chain),
        };
        // The same target from another source gives the same line.
        self.moved |= self.line.to != was;
    }
}
