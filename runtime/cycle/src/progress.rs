//! How far requests are: for each one that is followed, how many of its commands were executed, and how many removed.
//! Kept by `intake` when it takes a request, and by `timeline` when a command leaves; read through the stage.
//! What is followed costs a step for each command, and its end can be read until another one needs its place.

use crate::command::{Receipt, Ticket};
use crate::lane::LaneId;
use crate::time::Instant;

/// How far a request is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The request's number.
    pub ticket: Ticket,
    /// Its lane.
    pub lane: LaneId,
    /// How many commands were taken.
    pub commands: u32,
    /// How many of them were executed.
    pub executed: u32,
    /// How many of the executed ones had no effect, because the body followed no lanes at that instant.
    pub missed: u32,
    /// How many were removed before their instant.
    pub removed: u32,
    /// What removed the last of these.
    pub remover: Remover,
    /// How many values were clipped to their range.
    pub clipped: u32,
    /// The instant of its last command, in the lane's time.
    pub until: Instant,
    /// The turn in which the last command was executed or removed.
    pub ended_at: Option<Instant>,
}

/// What removed a command before its instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remover {
    /// Nothing has removed any.
    Nobody,
    /// Whoever cancelled the request.
    Cancel,
    /// Another request, by how it was merged.
    Request(Ticket),
    /// The end of the lane, or a group that it lost.
    Lane,
    /// Its joint, which was made limp.
    Limp,
}

impl Progress {
    /// How many commands still wait.
    pub fn waiting(&self) -> u32 {
        self.commands - self.executed - self.removed
    }
}

/// How many places are looked at for a request that begins inside a turn.
const NEAR: u32 = 64;

/// A place for one followed request.
#[derive(Clone, Copy, Debug)]
pub struct ProgressCell(Option<Progress>);

impl ProgressCell {
    /// A free place.
    pub const FREE: ProgressCell = ProgressCell(None);
}

/// The followed requests. Each has the place of its number, so that it is found in one step.
pub(crate) struct ProgressTable<'m> {
    cells: &'m mut [ProgressCell],
    /// How many have commands that wait.
    live: u32,
    /// What removes commands at present: the lane itself, unless a request or a client does.
    pub(crate) remover: Remover,
    /// Whether commands that are due now have an effect.
    pub(crate) follows: bool,
    pub(crate) now: Instant,
}

impl<'m> ProgressTable<'m> {
    pub(crate) fn new(cells: &'m mut [ProgressCell]) -> ProgressTable<'m> {
        ProgressTable {
            cells,
            live: 0,
            remover: Remover::Lane,
            follows: true,
            now: Instant::ZERO,
        }
    }

    /// The place of a number.
    fn place(&self, ticket: Ticket) -> Option<usize> {
        (ticket.0 as usize).checked_rem(self.cells.len())
    }

    /// The first number from `ticket` on whose place is free; `ticket` itself if there is none.
    pub(crate) fn free_from(&self, ticket: Ticket) -> Ticket {
        let places = u32::try_from(self.cells.len()).unwrap_or(u32::MAX);
        let mut numbers = (0..places).map(|i| Ticket(ticket.0.wrapping_add(i)));
        numbers
            .find(|number| {
                self.place(*number)
                    .is_some_and(|place| !self.is_live(place))
            })
            .unwrap_or(ticket)
    }

    /// As `free_from`, but looks at few places only: for use inside the turn, many times.
    pub(crate) fn free_near(&self, ticket: Ticket) -> Ticket {
        let mut numbers = (0..NEAR).map(|i| Ticket(ticket.0.wrapping_add(i)));
        numbers
            .find(|number| {
                self.place(*number)
                    .is_some_and(|place| !self.is_live(place))
            })
            .unwrap_or(ticket)
    }

    /// Follows a request no longer.
    pub(crate) fn forget(&mut self, ticket: Ticket) {
        let Some(place) = self.place(ticket) else {
            return;
        };
        if self.cells[place]
            .0
            .is_some_and(|progress| progress.ticket == ticket)
        {
            self.live -= u32::from(self.is_live(place));
            self.cells[place] = ProgressCell::FREE;
        }
    }

    fn is_live(&self, place: usize) -> bool {
        let progress = self.cells[place].0;
        progress.is_some_and(|progress| progress.ended_at.is_none())
    }

    /// Follows a request from now on, if the place of its number is free; returns whether it is.
    pub(crate) fn follow(&mut self, lane: LaneId, receipt: &Receipt, until: Instant) -> bool {
        let Some(place) = self.place(receipt.ticket) else {
            return false;
        };
        if self.is_live(place) {
            return false;
        }
        let is_live = receipt.taken > 0;
        self.live += u32::from(is_live);
        self.cells[place] = ProgressCell(Some(Progress {
            ticket: receipt.ticket,
            lane,
            commands: receipt.taken,
            executed: 0,
            missed: 0,
            removed: 0,
            remover: Remover::Nobody,
            clipped: receipt.clipped,
            until,
            ended_at: (!is_live).then_some(self.now),
        }));
        true
    }

    /// Adds the commands of a receipt to its request, which may have ended meanwhile; returns whether it is followed.
    pub(crate) fn extend(&mut self, receipt: &Receipt, until: Instant) -> bool {
        let place = self.place(receipt.ticket);
        let cell = place.and_then(|place| self.cells.get_mut(place)?.0.as_mut());
        let Some(progress) = cell.filter(|progress| progress.ticket == receipt.ticket) else {
            return false;
        };
        if receipt.taken > 0 && progress.ended_at.take().is_some() {
            self.live += 1;
        }
        progress.commands += receipt.taken;
        progress.clipped += receipt.clipped;
        progress.until = progress.until.max(until);
        true
    }

    /// Whether any followed request has commands that wait.
    pub(crate) fn follows_any(&self) -> bool {
        self.live > 0
    }

    /// Notes that a command of a request is executed.
    pub(crate) fn note_due(&mut self, ticket: Ticket) {
        let missed = u32::from(!self.follows);
        self.note(ticket, 1, |progress, _| {
            progress.executed += 1;
            progress.missed += missed;
        });
    }

    /// Notes that commands of a request are removed.
    pub(crate) fn note_removed(&mut self, ticket: Ticket, count: u32) {
        self.note(ticket, count, |progress, remover| {
            progress.removed += count;
            progress.remover = remover;
        });
    }

    fn note(&mut self, ticket: Ticket, count: u32, note: impl FnOnce(&mut Progress, Remover)) {
        if self.live == 0 || count == 0 {
            return;
        }
        let Some(place) = self.place(ticket) else {
            return;
        };
        let Some(progress) = &mut self.cells[place].0 else {
            return;
        };
        if progress.ticket != ticket || progress.ended_at.is_some() {
            return;
        }
        note(progress, self.remover);
        if progress.waiting() == 0 {
            progress.ended_at = Some(self.now);
            self.live -= 1;
        }
    }

    /// How far a request is, if it is followed.
    pub(crate) fn of(&self, ticket: Ticket) -> Option<Progress> {
        let progress = self.cells.get(self.place(ticket)?)?.0?;
        (progress.ticket == ticket).then_some(progress)
    }
}
