//! A trajectory: a request that a client prepares outside the turn, checked and sorted.
//! It has memory of its own. `Stage::swap_in` puts it into a lane in one turn.
//! Swapping it in takes one step for each actuator, however many commands it holds.

use crate::body::{ActuatorId, Body};
use crate::command::{CheckedPart, Command, Merge, Refusal, Ticket};
use crate::time::Instant;

/// How many trajectories may play in one lane at a time.
pub const TRAJECTORIES: usize = 4;

/// A place for one command in a trajectory.
#[derive(Clone, Copy, Debug)]
pub struct TrajectoryCommand {
    command: Command,
    order: u32,
}

impl TrajectoryCommand {
    /// A free place.
    pub const FREE: TrajectoryCommand = TrajectoryCommand {
        command: Command {
            at: Instant::ZERO,
            value: 0.0,
        },
        order: 0,
    };
}

/// One actuator's commands in a trajectory.
#[derive(Clone, Copy, Debug)]
pub struct TrajectoryPart {
    pub(crate) actuator: ActuatorId,
    head: u32,
    tail: u32,
    pub(crate) part: CheckedPart,
    pub(crate) clipped: u32,
}

impl TrajectoryPart {
    /// A free place.
    pub const FREE: TrajectoryPart = TrajectoryPart {
        actuator: ActuatorId(0),
        head: 0,
        tail: 0,
        part: CheckedPart {
            count: 0,
            first: Instant::ZERO,
            last: Instant::ZERO,
            left_alone: false,
        },
        clipped: 0,
    };
}

/// The memory of a trajectory, handed in by the caller.
#[derive(Debug)]
pub struct TrajectoryMemory<'m> {
    /// One place for each command of the trajectory.
    pub commands: &'m mut [TrajectoryCommand],
    /// One place for each actuator of the trajectory.
    pub parts: &'m mut [TrajectoryPart],
    /// One place for each actuator of the body.
    pub part_of: &'m mut [u16],
}

/// A prepared request.
#[derive(Debug)]
pub struct Trajectory<'m> {
    memory: TrajectoryMemory<'m>,
    merge: Merge,
    commands: u32,
    parts: u16,
    pub(crate) ticket: Ticket,
}

const NO_PART: u16 = u16::MAX;

impl<'m> Trajectory<'m> {
    /// An empty trajectory over this memory.
    pub fn new(memory: TrajectoryMemory<'m>) -> Trajectory<'m> {
        memory.part_of.fill(NO_PART);
        Trajectory {
            memory,
            merge: Merge::Merge,
            commands: 0,
            parts: 0,
            ticket: Ticket(0),
        }
    }

    /// Clears the trajectory and begins a new request.
    pub fn begin(&mut self, merge: Merge) {
        self.memory.part_of.fill(NO_PART);
        (self.merge, self.commands, self.parts) = (merge, 0, 0);
    }

    /// Adds the commands for one actuator, in any order. `now` is the middle of the window of allowed instants.
    ///
    /// # Errors
    /// The same as for a request; the trajectory is then unchanged.
    pub fn add(
        &mut self,
        body: &Body<'_>,
        now: Instant,
        actuator: ActuatorId,
        commands: &[Command],
    ) -> Result<(), Refusal> {
        let known = body.actuators.get(actuator.index());
        let (Some(known), Some(&place)) = (known, self.memory.part_of.get(actuator.index())) else {
            return Err(Refusal::NoActuator(actuator));
        };
        if place != NO_PART {
            return Err(Refusal::Twice(actuator));
        }
        let part = CheckedPart::check(commands.iter().copied(), actuator, now)?;
        let room = self.memory.commands.len() as u64 - u64::from(self.commands);
        if u64::from(part.count) > room || usize::from(self.parts) >= self.memory.parts.len() {
            let room = u32::try_from(room).unwrap_or(u32::MAX);
            return Err(Refusal::Full { actuator, room });
        }
        if part.left_alone {
            return Ok(());
        }
        let (head, mut clipped) = (self.commands, 0);
        for command in commands.iter().filter(|command| !command.value.is_nan()) {
            let value = known.range.clamp(command.value);
            clipped += u32::from(value.total_cmp(&command.value).is_ne());
            let command = Command { value, ..*command };
            self.memory.commands[self.commands as usize] = TrajectoryCommand {
                command,
                order: self.commands,
            };
            self.commands += 1;
        }
        let added = &mut self.memory.commands[head as usize..self.commands as usize];
        if !added.is_sorted_by_key(|command| command.command.at) {
            added.sort_unstable_by_key(|command| (command.command.at, command.order));
        }
        self.memory.part_of[actuator.index()] = self.parts;
        self.memory.parts[usize::from(self.parts)] = TrajectoryPart {
            actuator,
            head,
            tail: self.commands,
            part,
            clipped,
        };
        self.parts += 1;
        Ok(())
    }

    /// How the trajectory's commands join those that wait.
    pub fn merge(&self) -> Merge {
        self.merge
    }

    /// How many values were clipped to their actuators' ranges.
    pub fn clipped(&self) -> u32 {
        self.parts().iter().map(|part| part.clipped).sum()
    }

    /// How many commands of the trajectory still wait.
    pub fn waiting(&self) -> u32 {
        self.parts().iter().map(|part| part.tail - part.head).sum()
    }

    pub(crate) fn parts(&self) -> &[TrajectoryPart] {
        &self.memory.parts[..usize::from(self.parts)]
    }

    /// Whether its commands wait only for actuators that `other` has as well.
    pub(crate) fn waits_only_where(&self, other: &Trajectory<'_>) -> bool {
        let mut waiting = self.parts().iter().filter(|part| part.head < part.tail);
        waiting.all(|part| {
            let place = other.memory.part_of.get(part.actuator.index());
            place.is_some_and(|place| *place != NO_PART)
        })
    }

    fn part_mut(&mut self, actuator: ActuatorId) -> Option<&mut TrajectoryPart> {
        let place = *self.memory.part_of.get(actuator.index())?;
        self.memory.parts[..usize::from(self.parts)].get_mut(usize::from(place))
    }

    /// The commands that wait for `actuator`, in their order.
    pub(crate) fn waiting_for(&self, actuator: ActuatorId) -> &[TrajectoryCommand] {
        let place = self
            .memory
            .part_of
            .get(actuator.index())
            .copied()
            .unwrap_or(NO_PART);
        match self.parts().get(usize::from(place)) {
            Some(part) => &self.memory.commands[part.head as usize..part.tail as usize],
            None => &[],
        }
    }

    /// The next command for `actuator`.
    pub(crate) fn first(&self, actuator: ActuatorId) -> Option<Command> {
        self.waiting_for(actuator)
            .first()
            .map(|command| command.command)
    }

    /// Removes the next `count` commands for `actuator`.
    pub(crate) fn skip(&mut self, actuator: ActuatorId, count: u32) {
        if let Some(part) = self.part_mut(actuator) {
            part.head = part.tail.min(part.head + count);
        }
    }

    /// Keeps only the next `count` commands for `actuator`, and returns how many it removed.
    pub(crate) fn keep(&mut self, actuator: ActuatorId, count: u32) -> u32 {
        self.part_mut(actuator).map_or(0, |part| {
            let tail = part.tail;
            part.tail = tail.min(part.head + count);
            tail - part.tail
        })
    }

    /// How many of the commands that wait for `actuator` satisfy `is_before`; a binary search.
    pub(crate) fn count_while(
        &self,
        actuator: ActuatorId,
        is_before: impl Fn(Instant) -> bool,
    ) -> u32 {
        let counted = self
            .waiting_for(actuator)
            .partition_point(|command| is_before(command.command.at));
        u32::try_from(counted).unwrap_or(u32::MAX)
    }
}

impl TrajectoryCommand {
    pub(crate) fn command(&self) -> Command {
        self.command
    }
}
