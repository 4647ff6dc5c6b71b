//! Deletes waiting commands of a timeline: all, those after or before an instant, those of one request.
//! Called by `intake` to make way for a request, by `cancel`, and by whatever takes an actuator from a lane.
//! Each command that is deleted is counted for its request.

use super::{Timeline, Waiting};
use crate::body::ActuatorId;
use crate::command::Ticket;
use crate::time::Instant;

impl Timeline {
    /// Deletes all waiting commands: one step for the chain and for each trajectory, and one for each command of the
    /// chain while requests of the lane are followed.
    pub(crate) fn clear(&mut self, actuator: ActuatorId, waiting: &mut Waiting<'_, '_>) {
        self.cut(0, waiting);
        for trajectory in waiting.trajectories.iter_mut().flatten() {
            let removed = trajectory.keep(actuator, 0);
            waiting.progress.note_removed(trajectory.ticket, removed);
        }
        self.waiting = 0;
    }

    /// Keeps the first `keep` commands of the chain.
    fn cut(&mut self, keep: u32, waiting: &mut Waiting<'_, '_>) {
        if waiting.is_followed && waiting.progress.follows_any() {
            for (_, ticket) in waiting.pool.iter(&self.chain).skip(keep as usize) {
                waiting.progress.note_removed(ticket, 1);
            }
        }
        waiting.pool.cut(&mut self.chain, keep);
    }

    /// Deletes commands at or after `from`.
    pub(crate) fn clear_from(
        &mut self,
        from: Instant,
        actuator: ActuatorId,
        waiting: &mut Waiting<'_, '_>,
    ) {
        if waiting
            .pool
            .last_at(&self.chain)
            .is_some_and(|last| last >= from)
        {
            let keep = waiting.pool.count_while(&self.chain, |at| at < from);
            self.cut(keep, waiting);
        }
        for trajectory in waiting.trajectories.iter_mut().flatten() {
            let keep = trajectory.count_while(actuator, |at| at < from);
            let removed = trajectory.keep(actuator, keep);
            waiting.progress.note_removed(trajectory.ticket, removed);
        }
        self.recount(actuator, waiting);
    }

    /// Deletes commands at or before `to`.
    pub(crate) fn clear_to(
        &mut self,
        to: Instant,
        actuator: ActuatorId,
        waiting: &mut Waiting<'_, '_>,
    ) {
        while let Some((first, ticket)) = waiting.pool.first(&self.chain)
            && first.at <= to
        {
            waiting.pool.pop(&mut self.chain);
            waiting.progress.note_removed(ticket, 1);
        }
        for trajectory in waiting.trajectories.iter_mut().flatten() {
            let removed = trajectory.count_while(actuator, |at| at <= to);
            trajectory.skip(actuator, removed);
            waiting.progress.note_removed(trajectory.ticket, removed);
        }
        self.recount(actuator, waiting);
    }

    /// Deletes the commands of `ticket`.
    pub(crate) fn cancel(
        &mut self,
        ticket: Ticket,
        actuator: ActuatorId,
        waiting: &mut Waiting<'_, '_>,
    ) {
        let removed = waiting.pool.remove(&mut self.chain, ticket);
        waiting.progress.note_removed(ticket, removed);
        for trajectory in waiting
            .trajectories
            .iter_mut()
            .flatten()
            .filter(|trajectory| trajectory.ticket == ticket)
        {
            let removed = trajectory.keep(actuator, 0);
            waiting.progress.note_removed(ticket, removed);
        }
        self.recount(actuator, waiting);
        self.look(actuator, waiting);
    }

    /// Recounts the waiting commands.
    pub(crate) fn recount(&mut self, actuator: ActuatorId, waiting: &Waiting<'_, '_>) {
        let in_trajectories: usize = waiting
            .trajectories
            .iter()
            .flatten()
            .map(|trajectory| trajectory.waiting_for(actuator).len())
            .sum();
        self.waiting = self.chain.len() + u32::try_from(in_trajectories).unwrap_or(u32::MAX);
    }
}
