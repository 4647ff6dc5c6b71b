//! The commands that one turn has taken, as they were asked for: for the check and the recorder.
//! Written where requests come in; seen in the view until more is taken, or the next turn begins.
//! The law: it costs nothing where the plan has no room for it, and what it has no room for is counted.

use crate::body::ActuatorId;
use crate::command::{Command, Merge};
use crate::lane::LaneId;
use crate::time::Instant;

/// A command that was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// The lane that asked.
    pub lane: LaneId,
    /// For what.
    pub actuator: ActuatorId,
    /// When.
    pub at: Instant,
    /// The value that was asked for.
    pub asked: f64,
    /// The value that was taken: within the actuator's range.
    pub taken: f64,
    /// How its request joined those that waited.
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
    untold: u64,
    /// The turn that the list is of is over.
    over: bool,
}

impl<'m> TakenList<'m> {
    pub(crate) fn new(list: &'m mut [Taken]) -> TakenList<'m> {
        TakenList {
            list,
            count: 0,
            untold: 0,
            over: false,
        }
    }

    /// A turn begins. What was taken since the last one ended is of this turn.
    pub(crate) fn begin(&mut self) {
        if core::mem::take(&mut self.over) {
            self.count = 0;
            self.untold = 0;
        }
    }

    /// The turn is over; its list stays until something is taken, or the next turn begins.
    pub(crate) fn end(&mut self) {
        self.over = true;
    }

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
            None => self.untold += 1,
        }
    }

    pub(crate) fn list(&self) -> &[Taken] {
        &self.list[..self.count]
    }

    pub(crate) fn untold(&self) -> u64 {
        self.untold
    }
}
