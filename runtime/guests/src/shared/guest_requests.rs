//! The requests that a guest has begun: which number of the loop each has, and what became of it.
//! Kept in the guest's store: begun by the host's functions, numbered by `turn::flush`, read before each hook.
//! The last 16 are known; an older one is unknown, never taken for another.

use cycle::{Progress, Remover, Ticket};

use crate::shared::answer::RequestOutcome;

/// How many requests of a guest are known.
pub(crate) const REQUESTS: usize = 16;

/// A request of a guest.
#[derive(Clone, Copy, Debug)]
struct GuestRequest {
    /// The guest's number for it, from 1 on; 0 for a free place.
    number: u32,
    /// The loop's number for it, once the loop has begun it.
    ticket: Option<Ticket>,
    left: u32,
    /// How many of its commands the loop has not taken yet.
    kept: u32,
    outcome: RequestOutcome,
}

/// The requests of a guest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuestRequests {
    known: [GuestRequest; REQUESTS],
    /// The loop's numbers of those that are not known any more.
    old: [Option<Ticket>; REQUESTS],
    /// The number of the last one.
    last: u32,
    /// The one that commands belong to in the loop.
    current: (u32, Option<Ticket>),
}

impl GuestRequests {
    /// None yet.
    pub(crate) const NONE: GuestRequests = GuestRequests {
        known: [GuestRequest {
            number: 0,
            ticket: None,
            left: 0,
            kept: 0,
            outcome: RequestOutcome::Unknown,
        }; REQUESTS],
        old: [None; REQUESTS],
        last: 0,
        current: (0, None),
    };

    /// Begins a request; returns its number.
    pub(crate) fn begin(&mut self) -> u32 {
        // 0 is none, also after four thousand million of them.
        self.last = self.last.checked_add(1).unwrap_or(1);
        let place = self.last as usize % REQUESTS;
        self.old[place] = self.known[place].ticket;
        self.known[place] = GuestRequest {
            number: self.last,
            ticket: None,
            left: 0,
            kept: 0,
            outcome: RequestOutcome::Waiting,
        };
        self.last
    }

    /// The loop has begun a request, to which commands belong from now on.
    pub(crate) fn begun(&mut self, number: u32, ticket: Option<Ticket>) {
        self.current = (number, ticket);
        if let Some(request) = self.find(number) {
            request.ticket = ticket;
        }
    }

    /// The loop's number of the request that this one has taken the place of.
    pub(crate) fn take_old(&mut self, number: u32) -> Option<Ticket> {
        self.old[number as usize % REQUESTS].take()
    }

    /// Forgets how many commands of each request the loop has not taken yet.
    pub(crate) fn forget_kept(&mut self) {
        self.known.iter_mut().for_each(|item| item.kept = 0);
    }

    /// A command of this request stays in the guest's buffer.
    pub(crate) fn keep(&mut self, number: u32) {
        if let Some(request) = self.find(number) {
            request.kept += 1;
        }
    }

    /// A request was cancelled before the loop has begun it.
    pub(crate) fn cancel_unbegun(&mut self, number: u32) {
        if let Some(request) = self.find(number).filter(|request| request.ticket.is_none()) {
            request.outcome = RequestOutcome::Cancelled;
        }
    }

    /// The request that commands belong to now: the guest's number for it, and the loop's.
    pub(crate) fn current(&self) -> (u32, Option<Ticket>) {
        self.current
    }

    /// The loop's number of a request, once it was begun.
    pub(crate) fn ticket(&self, number: u32) -> Option<Ticket> {
        self.get(number)?.ticket
    }

    /// Whether a request is known.
    pub(crate) fn knows(&self, number: u32) -> bool {
        self.get(number).is_some()
    }

    /// How many commands of a request wait, and what became of it.
    pub(crate) fn state(&self, number: u32) -> (u32, RequestOutcome) {
        let unknown = (0, RequestOutcome::Unknown);
        self.get(number)
            .map_or(unknown, |request| match request.kept {
                0 => (request.left, request.outcome),
                kept => (request.left + kept, RequestOutcome::Waiting),
            })
    }

    /// Asks how far each of them is.
    pub(crate) fn update(&mut self, progress: impl Fn(Ticket) -> Option<Progress>) {
        for request in &mut self.known {
            let Some(ticket) = request.ticket else {
                continue;
            };
            (request.left, request.outcome) = match progress(ticket) {
                Some(progress) => (progress.waiting(), outcome(&progress)),
                // Its place in the loop has another one: it had ended, and that was seen.
                None if request.outcome != RequestOutcome::Waiting => (0, request.outcome),
                None => (0, RequestOutcome::Unknown),
            };
        }
    }

    fn get(&self, number: u32) -> Option<&GuestRequest> {
        let request = &self.known[number as usize % REQUESTS];
        (number > 0 && request.number == number).then_some(request)
    }

    fn find(&mut self, number: u32) -> Option<&mut GuestRequest> {
        let request = &mut self.known[number as usize % REQUESTS];
        (number > 0 && request.number == number).then_some(request)
    }
}

fn outcome(progress: &Progress) -> RequestOutcome {
    if progress.ended_at.is_none() {
        return RequestOutcome::Waiting;
    }
    match progress.remover {
        Remover::Cancel => RequestOutcome::Cancelled,
        Remover::Request(_) | Remover::Lane => RequestOutcome::Cleared,
        Remover::Limp => RequestOutcome::Dropped,
        Remover::Nobody if progress.missed > 0 => RequestOutcome::Missed,
        Remover::Nobody if progress.clipped > 0 => RequestOutcome::Clipped,
        Remover::Nobody => RequestOutcome::Arrived,
    }
}
