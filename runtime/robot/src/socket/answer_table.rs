//! The requests of all connections that wait for the loop's answer.
//! Used by the handler. Every request gets its own answer, or an error within the time limit.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ::protocol::{ErrorCode, RequestError};
use cycle::{Ending, LaneId};

use crate::live::{LaneRequest, LoopAnswer, LoopRequest, RequestSender};

/// How long a request waits for the loop.
const TIMEOUT: Duration = Duration::from_secs(2);

/// How often a request polls for its answer.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// A request that came back from the loop, filled in if it is a question, and the answer.
pub(super) type AnsweredRequest = (LoopRequest, LoopAnswer);

/// The way to the loop and back, shared by all connections.
#[derive(Debug)]
pub(super) struct AnswerTable(Mutex<PendingAnswers>);

#[derive(Debug)]
struct PendingAnswers {
    sender: RequestSender,
    next: u64,
    back: HashMap<u64, AnsweredRequest>,
    /// The tokens of requests that timed out before their answer came.
    forgotten: Vec<u64>,
}

impl AnswerTable {
    /// For requests by this sender.
    pub(super) fn of(sender: RequestSender) -> AnswerTable {
        AnswerTable(Mutex::new(PendingAnswers {
            sender,
            next: 1,
            back: HashMap::new(),
            forgotten: Vec::new(),
        }))
    }

    /// Sends a request to the loop, for a client's own lane if it is given, and waits until it comes back with its
    /// answer.
    pub(super) fn ask(
        &self,
        lane: Option<LaneId>,
        order: LoopRequest,
    ) -> Result<AnsweredRequest, RequestError> {
        let gone = || ErrorCode::Gone.error("the loop has ended");
        let token = {
            let mut answers = self.answers();
            let token = answers.next;
            answers.next += 1;
            if answers.sender.is_abandoned() {
                return Err(gone());
            }
            answers.sender.send_in(lane, token, order).map_err(|_| {
                ErrorCode::Busy
                    .error("too many requests are pending")
                    .fix("wait a turn and try again")
            })?;
            token
        };
        let until = Instant::now() + TIMEOUT;
        loop {
            std::thread::sleep(POLL_INTERVAL);
            let mut answers = self.answers();
            answers.collect();
            if let Some(answer) = answers.back.remove(&token) {
                return Ok(answer);
            }
            if answers.sender.is_abandoned() {
                return Err(gone());
            }
            if Instant::now() > until {
                answers.forgotten.push(token);
                let sentence =
                    "the loop did not answer within 2 s, and may still carry out the request";
                return Err(ErrorCode::NoAnswer
                    .error(sentence)
                    .fix("look at `dcm-run watch`"));
            }
        }
    }

    fn answers(&self) -> MutexGuard<'_, PendingAnswers> {
        // A panic leaves nothing inconsistent: each step is one push or pop.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingAnswers {
    /// Ends a lane that was opened after its client had given up waiting: nobody knows its name.
    fn take_back(&mut self, answer: LoopAnswer) {
        let LoopAnswer::LaneOpened(lane) = answer else {
            return;
        };
        let token = self.next;
        self.next += 1;
        let end = LoopRequest::Lane(LaneRequest::End(Some(Ending::Release)));
        if self.sender.send_in(Some(lane), token, end).is_ok() {
            self.forgotten.push(token);
        }
    }

    fn collect(&mut self) {
        while let Some(request) = self.sender.back() {
            match self
                .forgotten
                .iter()
                .position(|item| *item == request.token)
            {
                Some(place) => {
                    self.forgotten.swap_remove(place);
                    self.take_back(request.answer);
                }
                None => {
                    let back = (request.order, request.answer);
                    self.back.insert(request.token, back);
                }
            }
        }
    }
}
