//! Requests whose commands come one after another: what a guest sends between the beginnings of two requests.
//! Called by hooks inside the turn. Each part is taken as a request of its own, and counted with the whole.

use super::Stage;
use crate::command::{Receipt, Refusal, Request, Ticket};
use crate::lane::LaneId;

impl Stage<'_> {
    /// Follows a request no longer: its place is free for another one.
    pub fn forget_request(&mut self, ticket: Ticket) {
        self.progress.forget(ticket);
    }

    /// The same as `offer`, for a request that is a part of `whole`, which `begin_request` has begun; without one it is
    /// not followed, whatever the lane's settings are.
    ///
    /// # Errors
    /// A [`Refusal`] that names the cause, with nothing changed.
    pub fn offer_part(
        &mut self,
        lane: LaneId,
        request: &Request<'_>,
        whole: Option<Ticket>,
    ) -> Result<Receipt, Refusal> {
        let ticket = whole.unwrap_or(Ticket(self.next_ticket));
        self.examine(lane, request)?;
        let (receipt, until) = self.take(lane, request, ticket);
        self.note_accepted(lane, &receipt);
        if whole.is_none() {
            self.next_ticket = ticket.0.wrapping_add(1);
            return Ok(receipt);
        }
        let followed = self.progress.extend(&receipt, until);
        Ok(Receipt {
            followed,
            ..receipt
        })
    }

    /// Begins a request whose commands come one after another, and returns its number.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn begin_request(&mut self, lane: LaneId) -> Result<Ticket, Refusal> {
        let now = self.lane(lane).map(|_| self.turn_times.now)?;
        let follows = self.lane(lane)?.settings.follows;
        let next = Ticket(self.next_ticket);
        let ticket = match follows {
            true => self.progress.free_near(next),
            false => next,
        };
        self.next_ticket = ticket.0.wrapping_add(1);
        if follows {
            let nothing = Receipt {
                ticket,
                taken: 0,
                late: 0,
                clipped: 0,
                left_alone: 0,
                followed: false,
            };
            self.progress.follow(lane, &nothing, now);
        }
        Ok(ticket)
    }
}
