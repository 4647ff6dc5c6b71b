//! The short way of one command for one actuator: what nearly all commands of guests are, hundreds in a turn.
//! `parts` tries it before the general way of `intake`.
//! The law: it does exactly what the general way does, or nothing. What it does not know, the general way decides.

use super::Stage;
use crate::body::ActuatorId;
use crate::command::{Command, CommandSet, Merge, REACH, Receipt, Request, Ticket, To};
use crate::lane::{LaneId, WAITING_MAX};
use crate::time::Instant;
use crate::track::Clip;

impl Stage<'_> {
    /// Takes a request of one command whose place is behind all that wait, or that replaces them. Returns the receipt
    /// and the instant of the command; `None`, with nothing changed, if the request needs the general way.
    #[inline]
    pub(super) fn append(
        &mut self,
        lane: LaneId,
        request: &Request<'_>,
        ticket: Ticket,
    ) -> Option<(Receipt, Instant)> {
        let (To::One(actuator), CommandSet::Same(&[command])) = (request.to, request.commands)
        else {
            return None;
        };
        self.accepts(lane).ok()?;
        let place = usize::from(lane.place);
        let now = self.lane_times(place).now;
        let described = self.body.actuators.get(actuator.index())?;
        let is_of_others = |group| self.holder(group) != Some(lane);
        if described.group.is_some_and(is_of_others)
            || !command.value.is_finite()
            || command.at.distance(now) > REACH
        {
            return None;
        }
        let freed = self.freed(place, actuator, request.merge, command.at)?;
        let cell = &mut self.lanes[place];
        if cell.steps == 0 || cell.used - freed >= cell.settings.room {
            return None;
        }
        cell.steps -= 1;
        cell.used = cell.used - freed + 1;
        let asked = Command {
            at: command.at + cell.stood,
            ..command
        };
        let inside = described.range.clamp(command.value);
        let row = self.timeline_place(place, actuator.index());
        let timeline = &mut self.timelines[row];
        if freed > 0 {
            self.pool.clear(&mut timeline.chain);
        }
        let taken = Command {
            value: inside,
            ..command
        };
        let placed = self.pool.append(&mut timeline.chain, taken, ticket);
        debug_assert!(placed, "the pool has no room for a reserved command");
        timeline.waiting = timeline.chain.len();
        if timeline.waiting == 1 {
            timeline.aim_at(taken);
        }
        let (merge, clipped) = (request.merge, inside.total_cmp(&command.value).is_ne());
        self.taken_list.note(lane, actuator, merge, asked, inside);
        self.tracks[actuator.index()].clips[Clip::Position as usize] += u64::from(clipped);
        self.claim(place, actuator);
        let receipt = Receipt {
            ticket,
            taken: 1,
            late: u32::from(command.at < now),
            clipped: u32::from(clipped),
            left_alone: 0,
            followed: false,
        };
        Some((receipt, now.max(command.at)))
    }

    /// How many waiting commands a command at this instant replaces: none, or all of them. `None` if it replaces
    /// some, if its place is between others, or if others have to be told.
    fn freed(&self, place: usize, actuator: ActuatorId, merge: Merge, at: Instant) -> Option<u32> {
        let timeline = &self.timelines[self.timeline_place(place, actuator.index())];
        let chained = timeline.chain.len();
        // What waits in trajectories is not in the chain.
        if timeline.waiting != chained || chained >= WAITING_MAX {
            return None;
        }
        if chained == 0 {
            return Some(0);
        }
        match merge {
            Merge::Merge if self.pool.last_at(&timeline.chain)? <= at => Some(0),
            Merge::ClearAll
                if !(self.lanes[place].settings.follows && self.progress.follows_any()) =>
            {
                Some(chained)
            }
            _ => None,
        }
    }
}
