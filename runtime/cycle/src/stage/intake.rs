//! Takes requests and trajectories in: checks the whole, then takes the whole.
//! Called by the inbox and by hooks inside the turn, by clients between turns.
//! Nothing changes before everything is checked.

use super::{LaneSet, Stage, TurnSet};
use crate::bits;
use crate::body::{ActuatorId, Kind};
use crate::command::{CheckedPart, Command, Merge, Receipt, Refusal, Request, Ticket, To};
use crate::event_log::Event;
use crate::lane::{LaneId, Life, WAITING_MAX};
use crate::pool::Chain;
use crate::progress::Remover;
use crate::time::Instant;
use crate::track::Clip;
use crate::trajectory::Trajectory;

/// A refusal, with the trajectory.
pub type TrajectoryRefusal<'m> = (Refusal, Trajectory<'m>);

impl<'m> Stage<'m> {
    /// Takes a request whole or not at all.
    ///
    /// # Errors
    /// A [`Refusal`] that names the cause, with nothing changed.
    pub fn submit(&mut self, lane: LaneId, request: &Request<'_>) -> Result<Receipt, Refusal> {
        let answer = self.offer(lane, request);
        if answer.is_err() {
            self.events.note(Event::Refused(lane));
        }
        answer
    }

    /// The same as `submit`, but a refusal is not logged, because the caller will try again.
    ///
    /// # Errors
    /// A [`Refusal`] that names the cause, with nothing changed.
    pub fn offer(&mut self, lane: LaneId, request: &Request<'_>) -> Result<Receipt, Refusal> {
        self.examine(lane, request)?;
        let ticket = self.begin_ticket(lane);
        let (receipt, until) = self.take(lane, request, ticket);
        Ok(self.accepted(lane, receipt, until))
    }

    /// Swaps a prepared trajectory into the lane: one step for each of its actuators, however many commands it holds.
    /// Returns a spent trajectory in exchange if there is one.
    ///
    /// # Errors
    /// A [`Refusal`] with the trajectory, and nothing changed.
    pub fn swap_in(
        &mut self,
        lane: LaneId,
        mut trajectory: Trajectory<'m>,
    ) -> Result<(Receipt, Option<Trajectory<'m>>), TrajectoryRefusal<'m>> {
        let slot = match self.examine_trajectory(lane, &trajectory) {
            Ok(slot) => slot,
            Err(refusal) => {
                self.events.note(Event::Refused(lane));
                return Err((refusal, trajectory));
            }
        };
        let ticket = self.begin_ticket(lane);
        trajectory.ticket = ticket;
        let place = usize::from(lane.place);
        let now = self.lane_times(place).now;
        let mut until = now;
        let mut receipt = Receipt {
            ticket,
            taken: 0,
            late: 0,
            clipped: trajectory.clipped(),
            left_alone: 0,
            followed: false,
        };
        for part in trajectory.parts() {
            self.hold_group(lane, part.actuator);
            self.make_way(place, part.actuator, trajectory.merge(), &part.part, ticket);
            until = until.max(part.part.last);
            receipt.taken += part.part.count;
            let clips = &mut self.tracks[part.actuator.index()].clips;
            clips[Clip::Position as usize] += u64::from(part.clipped);
            receipt.late += trajectory.count_while(part.actuator, |at| at < now);
        }
        let spent = self.lanes[place].trajectories[slot].take();
        self.lanes[place].trajectories[slot] = Some(trajectory);
        let parts = self.lanes[place].trajectories[slot]
            .as_ref()
            .map_or(0, |trajectory| trajectory.parts().len());
        for at in 0..parts {
            let Some(trajectory) = &self.lanes[place].trajectories[slot] else {
                break;
            };
            let actuator = trajectory.parts()[at].actuator;
            self.refresh_timeline(place, actuator);
        }
        self.taken_list.lose(receipt.taken);
        Ok((self.accepted(lane, receipt, until), spent))
    }

    // ---- Checking ----

    fn targets<'s>(&'s self, to: &'s To<'_>) -> Result<&'s [ActuatorId], Refusal> {
        match to {
            To::One(actuator) => Ok(core::slice::from_ref(actuator)),
            To::Many(actuators) => Ok(actuators),
            To::Alias(alias) => self.aliases.members(*alias),
        }
    }

    /// Marks an actuator as seen in this request; false if it was seen before.
    fn see(&mut self, actuator: ActuatorId) -> bool {
        let seen = self.turn_set_mut(TurnSet::Touched);
        let first = !bits::holds(seen, actuator.index());
        bits::insert(seen, actuator.index());
        first
    }

    pub(crate) fn accepts(&self, lane: LaneId) -> Result<(), Refusal> {
        match self.lane(lane)?.life {
            Some(Life::Open) => Ok(()),
            _ => Err(Refusal::Ending(lane)),
        }
    }

    /// Checks a whole request, and charges the lane for the steps that it will take.
    pub(super) fn examine(&mut self, lane: LaneId, request: &Request<'_>) -> Result<(), Refusal> {
        self.accepts(lane)?;
        let count = self.targets(&request.to)?.len();
        if !request.commands.fits(count) {
            return Err(Refusal::Shape);
        }
        let place = usize::from(lane.place);
        let now = self.lane_times(place).now;
        let cell = &self.lanes[place];
        // The room of deleted commands, on any actuator, is free for the new ones.
        let (mut kept, mut added, mut steps) = (cell.used, 0u32, 0u32);
        let (room, allowed) = (cell.settings.room, cell.steps);
        self.turn_set_mut(TurnSet::Touched).fill(0);
        for at in 0..count {
            let actuator = self.targets(&request.to)?[at];
            self.known(actuator)?;
            if !self.see(actuator) {
                return Err(Refusal::Twice(actuator));
            }
            self.may_hold_group(lane, actuator)?;
            let part = CheckedPart::check(request.commands.part(at), actuator, now)?;
            if part.left_alone {
                continue;
            }
            let stay = self.stay(place, actuator, request.merge, &part);
            if stay.waiting + part.count > WAITING_MAX {
                let room = WAITING_MAX - stay.waiting;
                return Err(Refusal::Full { actuator, room });
            }
            kept -= stay.freed;
            added = added.saturating_add(part.count);
            steps = steps.saturating_add(part.count).saturating_add(stay.steps);
            if steps > allowed {
                return Err(Refusal::Busy { steps: allowed });
            }
        }
        if added > room - kept {
            return Err(Refusal::LaneFull { room: room - kept });
        }
        self.lanes[place].steps -= steps;
        Ok(())
    }

    /// Checks a trajectory; returns the index that it will have.
    fn examine_trajectory(
        &mut self,
        lane: LaneId,
        trajectory: &Trajectory<'m>,
    ) -> Result<usize, Refusal> {
        self.accepts(lane)?;
        let place = usize::from(lane.place);
        let (mut steps, allowed) = (0u32, self.lanes[place].steps);
        for part in trajectory.parts() {
            self.known(part.actuator)?;
            self.may_hold_group(lane, part.actuator)?;
            let stay = self.stay(place, part.actuator, trajectory.merge(), &part.part);
            if stay.waiting + part.part.count > WAITING_MAX {
                let room = WAITING_MAX - stay.waiting;
                return Err(Refusal::Full {
                    actuator: part.actuator,
                    room,
                });
            }
            steps = steps.saturating_add(1).saturating_add(stay.steps);
        }
        if steps > allowed {
            return Err(Refusal::Busy { steps: allowed });
        }
        let cell = &mut self.lanes[place];
        // Free is also what this one clears.
        let clears = trajectory.merge() == Merge::ClearAll;
        let is_cleared = |item: &Trajectory<'m>| clears && item.waits_only_where(trajectory);
        let is_free = |slot: &Option<Trajectory<'m>>| {
            slot.as_ref()
                .is_none_or(|slot| slot.waiting() == 0 || is_cleared(slot))
        };
        let slot = cell
            .trajectories
            .iter()
            .position(is_free)
            .ok_or(Refusal::TrajectoriesFull)?;
        cell.steps -= steps;
        Ok(slot)
    }

    // ---- Taking ----

    /// Takes an examined request; returns the receipt, and the instant of the last command.
    pub(super) fn take(
        &mut self,
        lane: LaneId,
        request: &Request<'_>,
        ticket: Ticket,
    ) -> (Receipt, Instant) {
        let mut receipt = Receipt {
            ticket,
            taken: 0,
            late: 0,
            clipped: 0,
            left_alone: 0,
            followed: false,
        };
        let place = usize::from(lane.place);
        // First delete everything, then write everything: the lane's room must hold the remaining and the new commands,
        // not the deleted ones.
        let now = self.lane_times(place).now;
        let mut until = now;
        self.each_part(request, now, |stage, actuator, part, _| {
            stage.hold_group(lane, actuator);
            stage.make_way(place, actuator, request.merge, &part, ticket);
            until = until.max(part.last);
        });
        self.each_part(request, now, |stage, actuator, _, at| {
            stage.write(lane, actuator, request, at, &mut receipt);
            stage.refresh_timeline(place, actuator);
        });
        let count = self.targets(&request.to).map_or(0, <[_]>::len);
        let spelled: usize = (0..count).map(|at| request.commands.part(at).count()).sum();
        receipt.left_alone = (spelled as u32).saturating_sub(receipt.taken);
        (receipt, until)
    }

    /// Calls `each` for every part of an examined request that changes something.
    fn each_part(
        &mut self,
        request: &Request<'_>,
        now: Instant,
        mut each: impl FnMut(&mut Self, ActuatorId, CheckedPart, usize),
    ) {
        let count = self.targets(&request.to).map_or(0, <[_]>::len);
        for at in 0..count {
            let Ok(actuator) = self.targets(&request.to).map(|targets| targets[at]) else {
                return;
            };
            match CheckedPart::check(request.commands.part(at), actuator, now) {
                Ok(part) if !part.left_alone => each(self, actuator, part, at),
                _ => {}
            }
        }
    }

    /// Deletes the commands that the merge kind deletes, for the request of this number.
    fn make_way(
        &mut self,
        place: usize,
        actuator: ActuatorId,
        merge: Merge,
        part: &CheckedPart,
        ticket: Ticket,
    ) {
        self.progress.remover = Remover::Request(ticket);
        let (timeline, mut waiting) = self.timeline(place, actuator.index());
        let chained = timeline.chain.len();
        match merge {
            Merge::Merge => {}
            Merge::ClearAll => timeline.clear(actuator, &mut waiting),
            _ if part.count == 0 => {}
            Merge::ClearAfter => timeline.clear_from(part.first, actuator, &mut waiting),
            Merge::ClearBefore => timeline.clear_to(part.last, actuator, &mut waiting),
        }
        let freed = chained - timeline.chain.len();
        self.lanes[place].used -= freed;
        self.progress.remover = Remover::Lane;
    }

    /// Writes one part of a request into its chain.
    fn write(
        &mut self,
        lane: LaneId,
        actuator: ActuatorId,
        request: &Request<'_>,
        at: usize,
        receipt: &mut Receipt,
    ) {
        let range = self.body.actuators[actuator.index()].range;
        let place = usize::from(lane.place);
        let (now, stood) = (self.lane_times(place).now, self.lanes[place].stood);
        let timeline_place = self.timeline_place(place, actuator.index());
        let Stage {
            timelines,
            pool,
            taken_list,
            ..
        } = self;
        let timeline = &mut timelines[timeline_place];
        let (mut newer, mut clipped) = (Chain::EMPTY, 0);
        for Command { at, value } in request.commands.part(at) {
            if value.is_nan() {
                continue;
            }
            let inside = range.clamp(value);
            clipped += u32::from(inside.total_cmp(&value).is_ne());
            receipt.late += u32::from(at < now);
            // The pool has reserved the lane's room, and the room was checked.
            let placed = pool.append(&mut newer, Command { at, value: inside }, receipt.ticket);
            debug_assert!(placed, "the pool has no room for a reserved command");
            let command = Command {
                at: at + stood,
                value,
            };
            taken_list.note(lane, actuator, request.merge, command, inside);
        }
        let count = newer.len();
        receipt.taken += count;
        pool.sort(&mut newer);
        pool.merge(&mut timeline.chain, newer);
        self.lanes[place].used += count;
        self.tracks[actuator.index()].clips[Clip::Position as usize] += u64::from(clipped);
        receipt.clipped += clipped;
    }

    /// Updates a timeline after its commands changed.
    fn refresh_timeline(&mut self, place: usize, actuator: ActuatorId) {
        let (timeline, waiting) = self.timeline(place, actuator.index());
        timeline.recount(actuator, &waiting);
        timeline.look(actuator, &waiting);
        if timeline.waiting > 0 {
            self.claim(place, actuator);
        } else {
            self.set_member(place, LaneSet::Waits, actuator.index(), false);
        }
    }

    /// The lane has commands for the actuator, and drives it from now on. A trigger is not driven: it fires.
    pub(super) fn claim(&mut self, place: usize, actuator: ActuatorId) {
        self.set_member(place, LaneSet::Waits, actuator.index(), true);
        if bits::holds(self.set(place, LaneSet::Claims), actuator.index()) {
            return;
        }
        let held = self.tracks[actuator.index()].held;
        let row = self.timeline_place(place, actuator.index());
        self.timelines[row].take_up(held);
        let moves = self.body.actuators[actuator.index()].kind != Kind::Trigger;
        self.set_member(place, LaneSet::Claims, actuator.index(), moves);
    }

    /// The number of the next request. Numbers rise; one that is followed gets a number that has a place.
    pub(super) fn begin_ticket(&self, lane: LaneId) -> Ticket {
        let next = Ticket(self.next_ticket);
        match self.lanes[usize::from(lane.place)].settings.follows {
            true => self.progress.free_from(next),
            false => next,
        }
    }

    /// An accepted request is a heartbeat of its lane.
    pub(super) fn note_accepted(&mut self, lane: LaneId, receipt: &Receipt) {
        self.lanes[usize::from(lane.place)].fed_at = self.turn_times.now;
        self.events.note_times(Event::Late(lane), receipt.late);
    }

    /// Counts an accepted request, and follows it, if its lane's requests are.
    fn accepted(&mut self, lane: LaneId, receipt: Receipt, until: Instant) -> Receipt {
        self.next_ticket = receipt.ticket.0.wrapping_add(1);
        self.note_accepted(lane, &receipt);
        let follows = self.lanes[usize::from(lane.place)].settings.follows;
        let followed = follows && self.progress.follow(lane, &receipt, until);
        Receipt {
            followed,
            ..receipt
        }
    }
}
