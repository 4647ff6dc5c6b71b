//! Requests of many commands: how far they are, and cancelling them as one.

use crate::answer::Answer;
use crate::raw;

/// A request: the commands that were sent between its beginning and that of the next one.
///
/// ```
/// use choreography::prelude::*;
///
/// static HeadYaw: Actuator = Actuator::named("HeadYaw");
///
/// let mut stage = Rehearsal::alone(nao());
/// let nod = Request::begin();
/// HeadYaw.to(0.3).over(200.ms());
/// HeadYaw.to(0.0).at(now() + 400.ms());
/// stage.run_for(300.ms());
/// assert_eq!((nod.left(), nod.outcome()), (1, Outcome::Waiting));
/// stage.run_for(200.ms());
/// assert_eq!(nod.outcome(), Outcome::Arrived);
/// ```
///
/// A guest's last 16 requests are known. In a score they have no number, and are `Unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request(u32);

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Some of its commands still wait.
    Waiting,
    /// All of its commands were executed.
    Arrived,
    /// All were executed, and some of them clipped to the range of their actuator.
    Clipped,
    /// Some were executed while the body did not follow them.
    Missed,
    /// Some were deleted: cleared, replaced, or because the lane lost an exclusive group.
    Cleared,
    /// Some were deleted by [`Request::cancel`].
    Cancelled,
    /// Some were dropped because their joint was made limp.
    Dropped,
    /// It is none of the last 16, or the robot follows too many others.
    Unknown,
}

const OUTCOMES: [Outcome; 8] = [
    Outcome::Waiting,
    Outcome::Arrived,
    Outcome::Clipped,
    Outcome::Missed,
    Outcome::Cleared,
    Outcome::Cancelled,
    Outcome::Dropped,
    Outcome::Unknown,
];

impl Request {
    /// Begins a request: commands that are sent from now on belong to it, until another one begins.
    pub fn begin() -> Request {
        Request(raw::begin_request())
    }

    /// How many of its commands were waiting when this call of a hook began.
    pub fn left(self) -> u32 {
        raw::request_left(self.0)
    }

    /// What had become of it when this call of a hook began.
    pub fn outcome(self) -> Outcome {
        let number = raw::request_outcome(self.0) as usize;
        OUTCOMES.get(number).copied().unwrap_or(Outcome::Unknown)
    }

    /// Whether all of its commands were executed or removed.
    pub fn has_ended(self) -> bool {
        self.outcome() != Outcome::Waiting
    }

    /// Drops its commands that wait; those of others stay.
    pub fn cancel(self) -> Answer {
        Answer::of(raw::cancel_request(self.0))
    }
}
