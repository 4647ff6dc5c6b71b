//! Requests that are too long for one turn: prepared in pieces as a trajectory of the stage's own, then taken whole.
//! Called by the loop's inbox: `prepare` in one turn after another, then `take_prepared`.
//! Nothing moves before the whole is taken, and a piece costs a few steps for each of its own commands.

use super::Stage;
use crate::body::ActuatorId;
use crate::command::{Command, Merge, Receipt, Refusal};
use crate::lane::LaneId;
use crate::trajectory::Trajectory;

/// The trajectories of the stage's own.
pub(crate) struct Preparation<'m> {
    spare: &'m mut [Option<Trajectory<'m>>],
    /// The one that is being filled.
    filling: Option<Trajectory<'m>>,
}

impl<'m> Preparation<'m> {
    pub(crate) fn new(spare: &'m mut [Option<Trajectory<'m>>]) -> Preparation<'m> {
        Preparation {
            spare,
            filling: None,
        }
    }

    /// Takes back one that is spent, or that nobody wants. Among those that a lane gives back may be some of a client
    /// that brought its own: then there is no room for all, and one is left to whoever lent it.
    fn put_back(&mut self, spent: Trajectory<'m>) {
        if let Some(free) = self.spare.iter_mut().find(|item| item.is_none()) {
            *free = Some(spent);
        }
    }
}

impl<'m> Stage<'m> {
    /// Begins a request in pieces. One that was begun before and was not taken is forgotten.
    ///
    /// # Errors
    /// The lane accepts nothing, or all trajectories still play.
    pub fn begin_preparing(&mut self, lane: LaneId, merge: Merge) -> Result<(), Refusal> {
        self.accepts(lane)?;
        if self.preparation.filling.is_none() {
            let spare = self.preparation.spare.iter_mut().find_map(Option::take);
            let mut lanes = 0..self.lanes.len();
            let free = spare.or_else(|| lanes.find_map(|place| self.spent_in(place)));
            self.preparation.filling = Some(free.ok_or(Refusal::TrajectoriesFull)?);
        }
        if let Some(filling) = &mut self.preparation.filling {
            filling.begin(merge);
        }
        Ok(())
    }

    /// Adds all commands for one actuator to the request that was begun.
    ///
    /// # Errors
    /// A [`Refusal`]; what was added before stays. [`Refusal::Shape`] if nothing was begun.
    pub fn prepare(&mut self, actuator: ActuatorId, commands: &[Command]) -> Result<(), Refusal> {
        let (body, now) = (self.body, self.turn_times.now);
        let filling = self.preparation.filling.as_mut().ok_or(Refusal::Shape)?;
        filling.add(body, now, actuator, commands)
    }

    /// Takes the prepared request, whole or not at all, and forgets it, unless the refusal is [`Refusal::Busy`].
    ///
    /// # Errors
    /// A [`Refusal`] that names the cause, with nothing changed.
    pub fn take_prepared(&mut self, lane: LaneId) -> Result<Receipt, Refusal> {
        let filled = self.preparation.filling.take().ok_or(Refusal::Shape)?;
        let (answer, back) = match self.swap_in(lane, filled) {
            Ok((receipt, spent)) => (Ok(receipt), spent),
            // A turn that was used up by others: it may be taken in the next one.
            Err((refusal @ Refusal::Busy { .. }, back)) => {
                self.preparation.filling = Some(back);
                (Err(refusal), None)
            }
            Err((refusal, back)) => (Err(refusal), Some(back)),
        };
        if let Some(back) = back {
            self.preparation.put_back(back);
        }
        answer
    }

    /// The actuators for which the request that was begun has commands.
    pub fn prepared(&self) -> impl Iterator<Item = ActuatorId> + '_ {
        let parts = self.preparation.filling.iter().flat_map(Trajectory::parts);
        parts
            .filter(|part| part.part.count > 0)
            .map(|part| part.actuator)
    }
}
