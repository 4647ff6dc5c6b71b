//! Removes the commands of one request.
//! Called by clients between turns, and by hooks. The commands of other requests stay.

use super::{LaneSet, STEPS_PER_TURN, Stage};
use crate::bits;
use crate::body::{ActuatorId, Kind};
use crate::command::{Refusal, Ticket};
use crate::lane::LaneId;
use crate::progress::{Progress, Remover};

impl Stage<'_> {
    /// As `cancel`, for use inside the turn: it is charged to the lane's steps.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle; [`Refusal::Busy`] if the lane has no such steps left in this turn.
    pub fn cancel_charged(&mut self, lane: LaneId, ticket: Ticket) -> Result<u32, Refusal> {
        let has_ended = |progress: Progress| progress.ended_at.is_some();
        if self.progress.of(ticket).is_some_and(has_ended) {
            return Ok(0);
        }
        let cell = self.lane_mut(lane)?;
        // Every command of the lane is passed. A lane with more than a turn's work of them does it in a turn alone.
        let (steps, allowed) = (cell.used.min(STEPS_PER_TURN), cell.steps);
        if steps > allowed {
            return Err(Refusal::Busy { steps: allowed });
        }
        cell.steps -= steps;
        self.cancel(lane, ticket)
    }

    /// Deletes the waiting commands of one request, and returns their number. A wheel that has no more commands stops.
    /// For use outside the turn: it takes a step for each command of the lane, unless the request has ended.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn cancel(&mut self, lane: LaneId, ticket: Ticket) -> Result<u32, Refusal> {
        self.lane(lane)?;
        if self
            .progress
            .of(ticket)
            .is_some_and(|progress| progress.ended_at.is_some())
        {
            return Ok(0);
        }
        let mut removed = 0;
        let place = usize::from(lane.place);
        self.progress.remover = Remover::Cancel;
        for actuator in 0..self.body.actuators.len() {
            if !bits::holds(self.set(place, LaneSet::Waits), actuator) {
                continue;
            }
            let id = ActuatorId(actuator as u16);
            let (timeline, mut waiting) = self.timeline(place, actuator);
            let (chained, waited) = (timeline.chain.len(), timeline.waiting);
            timeline.cancel(ticket, id, &mut waiting);
            let (freed, waits) = (chained - timeline.chain.len(), timeline.waiting > 0);
            let gone = waited - timeline.waiting;
            removed += gone;
            self.lanes[place].used -= freed;
            self.set_member(place, LaneSet::Waits, actuator, waits);
            if gone > 0 && !waits && self.body.actuators[actuator].kind == Kind::Wheel {
                self.set_member(place, LaneSet::Claims, actuator, false);
            }
        }
        self.progress.remover = Remover::Lane;
        Ok(removed)
    }
}
