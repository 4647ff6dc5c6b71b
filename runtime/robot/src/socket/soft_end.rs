//! The soft end: the body slows down within its limits, then guests end, then the body resumes.
//! Called for the request `end` with `soft`. Each wait has a timeout, and operations of other clients in the
//! meantime are kept.

use std::time::{Duration, Instant};

use cycle::State;
use guests::{GuestId, GuestLife};
use sensors::PageReader;

use super::guest_requests::request_error;
use super::handler::RequestHandler;
use crate::guest_service::GuestService;
use crate::live::{LoopAnswer, LoopRequest, Operation};
use ::protocol::{ErrorCode, RequestError};

/// How long to wait until the body stands still, and until the guests have ended.
const TIMEOUT: Duration = Duration::from_secs(3);

/// An actuator that moves less than this between two polls stands still.
const STILL: f64 = 1e-6;

/// The interval of polls.
const POLL_INTERVAL: Duration = Duration::from_millis(30);

impl RequestHandler {
    /// Ends these guests softly.
    pub(super) fn end_softly(
        &self,
        guests: &[GuestId],
        service: &GuestService,
    ) -> Result<(), RequestError> {
        let page = PageReader::open(self.page());
        let page = page.map_err(|error| ErrorCode::NoPage.error(error.to_string()))?;
        let answer = self.ask_the_loop(LoopRequest::Operate(Operation::Hold))?;
        let is_held = answer == LoopAnswer::Became(State::Holding);
        // Without power the body need not slow down.
        if is_held {
            let mut before = Vec::new();
            wait(|| is_still(&page, &mut before));
        }
        for guest in guests {
            service.manager().end(*guest).map_err(request_error)?;
        }
        let is_gone = |id: &GuestId| {
            let list = service.list();
            let status = list.iter().find(|status| status.id == *id);
            status.is_none_or(|status| status.figures.life == GuestLife::Gone)
        };
        wait(|| guests.iter().all(is_gone));
        let is_still_held = page.read(|frame| frame.state() == Some(State::Holding));
        if is_held && is_still_held == Some(true) {
            self.ask_the_loop(LoopRequest::Operate(Operation::Resume))?;
        }
        Ok(())
    }
}

fn wait(mut done: impl FnMut() -> bool) {
    let until = Instant::now() + TIMEOUT;
    while !done() && Instant::now() < until {
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Whether nothing has moved since the last poll.
fn is_still(page: &PageReader, before: &mut Vec<f64>) -> bool {
    let places = 0..page.shape().actuators;
    let now: Option<Vec<_>> = page.read(|frame| {
        places
            .clone()
            .map(|place| frame.limited(place).unwrap_or(0.0))
            .collect()
    });
    let now = now.unwrap_or_default();
    let is_same = now.len() == before.len()
        && now
            .iter()
            .zip(&*before)
            .all(|(now, before)| (now - before).abs() < STILL);
    *before = now;
    is_same
}
