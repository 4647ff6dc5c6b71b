//! The commands that one turn has taken, for the check and the recorder.
//! Written by `intake`; listed in the view until more commands are taken or the next turn begins.
//! Without room in the plan it costs nothing, and commands without room are counted.

use crate::body::ActuatorId;
use crate::command::{Command, Merge};
use crate::lane::LaneId;
use crate::time::Instant;

/// A command that was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// The lane of the request.
    pub lane: LaneId,
    /// The actuator.
    pub actuator: ActuatorId,
    /// The instant.
    pub at: Instant,
    /// The requested value.
    pub asked: f64,
    /// The value taken, clipped to the actuator's range.
    pub taken: f64,
    /// The merge kind of the request.
    pub merge: Merge,
}

impl Taken {
    /// A free place.
    pub const FREE: Taken = Taken {
        lane: LaneId::NOBODY,
        actuator: ActuatorId(0),
        at: Instant::ZERO,
        asked: 0.0,
        taken: 0.0,
        merge: Merge::Merge,
    };
}

/// The list of one turn.
#[derive(Debug)]
pub(crate) struct TakenList<'m> {
    list: &'m mut [Taken],
    count: usize,
    lost: u64,
    /// Whether the turn of the list is over.
    over: bool,
}

impl<'m> TakenList<'m> {
    pub(crate) fn new(list: &'m mut [Taken]) -> TakenList<'m> {
        TakenList {
            list,
            count: 0,
            lost: 0,
            over: false,
        }
    }

    /// Begins a turn. Commands taken since the last turn ended belong to this one.
    pub(crate) fn begin(&mut self) {
        if core::mem::take(&mut self.over) {
            self.count = 0;
            self.lost = 0;
        }
    }

    /// Ends the turn; its list stays until a command is taken or the next turn begins.
    pub(crate) fn end(&mut self) {
        self.over = true;
    }

    #[inline]
    pub(crate) fn note(
        &mut self,
        lane: LaneId,
        actuator: ActuatorId,
        merge: Merge,
        asked: Command,
        taken: f64,
    ) {
        self.begin();
        match self.list.get_mut(self.count) {
            Some(place) => {
                *place = Taken {
                    lane,
                    actuator,
                    at: asked.at,
                    asked: asked.value,
                    taken,
                    merge,
                };
                self.count += 1;
            }
            None => self.lost += 1,
        }
    }

    /// Counts commands that are not listed: those of a trajectory.
    pub(crate) fn lose(&mut self, commands: u32) {
        self.begin();
        self.lost += u64::from(commands);
    }

    pub(crate) fn list(&self) -> &[Taken] {
        &self.list[..self.count]
    }

    pub(crate) fn lost(&self) -> u64 {
        self.lost
    }
}
