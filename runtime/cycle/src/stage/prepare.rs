//! Requests that are too long for one turn: prepared in pieces as a trajectory of the stage's own, then taken whole.
//! Called by the loop's inbox: `prepare` in one turn after another, then `take_prepared`.
//! The law: nothing moves before the whole is taken, and a piece costs a few steps for each of its own commands.

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

    /// Takes back one that is spent. There is room: it was taken from here.
    fn put_back(&mut self, spent: Trajectory<'m>) {
        if let Some(free) = self.spare.iter_mut().find(|it| it.is_none()) {
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

    /// Takes the prepared request, whole or not at all, and forgets it.
    ///
    /// # Errors
    /// A [`Refusal`] that names the cause, with nothing changed.
    pub fn take_prepared(&mut self, lane: LaneId) -> Result<Receipt, Refusal> {
        let filled = self.preparation.filling.take().ok_or(Refusal::Shape)?;
        let (answer, back) = match self.swap_in(lane, filled) {
            Ok((receipt, spent)) => (Ok(receipt), spent),
            Err((refusal, back)) => (Err(refusal), Some(back)),
        };
        if let Some(back) = back {
            self.preparation.put_back(back);
        }
        answer
    }

    /// The actuators of the request that was begun.
    pub fn prepared(&self) -> impl Iterator<Item = ActuatorId> + '_ {
        let filling = self.preparation.filling.iter();
        filling.flat_map(|it| it.parts().iter().map(|part| part.actuator))
    }
}
