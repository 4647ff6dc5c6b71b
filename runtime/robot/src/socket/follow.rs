//! Answers questions about requests that clients have sent: how far they are, which commands wait, which lanes drive;
//! and cancels them.
//! Called by the request handler. A question that waits ends in time, and asks the loop seldom.

use std::collections::BTreeSet;
use std::time::{Duration, Instant as Clock};

use ::protocol::{
    DrivenActuator, DrivingLane, ErrorCode, ReplyBody, RequestEnd, RequestError, RequestProgress,
    TICKETS_MAX, WAIT_MAX_NS, WaitingCommand, WaitingCommands,
};
use cycle::{ActuatorId, Instant, Progress, Refusal, Remover, Ticket};

use super::handler::RequestHandler;
use crate::live::{DrivingLanes, LoopAnswer, LoopRequest, PendingCommands};

/// How long a question that waits sleeps at least and at most before it asks the loop again.
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(50);

impl RequestHandler {
    /// How far these requests are; answered when all of them have ended, or after this time.
    pub(super) fn progress(
        &self,
        tickets: &[u32],
        wait_ns: u64,
    ) -> Result<ReplyBody, RequestError> {
        if tickets.len() > TICKETS_MAX {
            let sentence = format!(
                "{} requests are named, and the maximum is {TICKETS_MAX}",
                tickets.len()
            );
            return Err(ErrorCode::TooLarge.error(sentence).fix("ask in parts"));
        }
        if wait_ns > WAIT_MAX_NS {
            let sentence = "a question about requests may wait 60 s at most";
            return Err(ErrorCode::OutOfRange
                .error(sentence)
                .fix("wait less, and ask again"));
        }
        let until = Clock::now() + Duration::from_nanos(wait_ns);
        loop {
            let (found, now) = self.ask_progress(tickets)?;
            let left = until.saturating_duration_since(Clock::now());
            let live = found.iter().filter(|item| item.end.is_none());
            let Some(next) = live
                .map(|live| live.until_ns)
                .min()
                .filter(|_| !left.is_zero())
            else {
                return Ok(ReplyBody::Progress(found));
            };
            // Another request may end one of them sooner.
            let expected = Duration::from_nanos(next.saturating_sub(now.nanos()));
            std::thread::sleep(expected.clamp(SHORTEST, LONGEST).min(left));
        }
    }

    fn ask_progress(
        &self,
        tickets: &[u32],
    ) -> Result<(Vec<RequestProgress>, Instant), RequestError> {
        let asked = tickets
            .iter()
            .map(|ticket| (Ticket(*ticket), None))
            .collect();
        match self.fill_in(None, LoopRequest::Progress(asked))? {
            (LoopRequest::Progress(found), LoopAnswer::Told { now }) => {
                let told = found.iter().map(|(ticket, progress)| match progress {
                    Some(progress) => progress_of(progress),
                    None => RequestProgress::unknown(ticket.0),
                });
                Ok((told.collect(), now))
            }
            (_, answer) => Err(unexpected(answer)),
        }
    }

    /// Removes the commands of a request that wait.
    pub(super) fn cancel(&self, ticket: u32) -> Result<ReplyBody, RequestError> {
        // The number tells nothing of the lane.
        let lanes = self.client_lanes().into_iter().map(Some);
        let mut removed = 0;
        for lane in std::iter::once(None).chain(lanes) {
            match self.ask_the_loop_in(lane, LoopRequest::Cancel(Ticket(ticket)))? {
                LoopAnswer::Removed { commands } => removed += commands,
                // It ended meanwhile.
                LoopAnswer::Refused(Refusal::NoLane(_)) if lane.is_some() => {}
                answer => return self.reply(answer),
            }
            if removed > 0 {
                break;
            }
        }
        let (mut found, _) = self.ask_progress(&[ticket])?;
        let is_known = |progress: &RequestProgress| progress.end != Some(RequestEnd::Unknown);
        if removed > 0 && !found.iter().any(is_known) {
            // One of those that are not followed.
            found = vec![RequestProgress {
                end: Some(RequestEnd::Cancelled),
                removed,
                ..RequestProgress::unknown(ticket)
            }];
        }
        if !found.iter().any(is_known) {
            let sentence = format!("there is no request {ticket}, or it ended long ago");
            let fix = "give the number from the answer to a request to move; `dcm-run pending` lists what waits";
            return Err(ErrorCode::NotFound.error(sentence).fix(fix));
        }
        Ok(ReplyBody::Progress(found))
    }

    /// The commands that wait for these actuators; for all that have some if none is named.
    pub(super) fn pending(
        &self,
        names: &[String],
        lane: Option<&str>,
    ) -> Result<ReplyBody, RequestError> {
        let lane = self.lane_of(lane)?.map(|lane| lane.id);
        let all = names.is_empty();
        let ids = self.actuators_of(names)?;
        let asked = LoopRequest::Pending(PendingCommands::of(ids));
        let (LoopRequest::Pending(found), LoopAnswer::Told { .. }) = self.fill_in(lane, asked)?
        else {
            return Err(unexpected(LoopAnswer::Waiting));
        };
        let told = found.of.iter().filter_map(|(id, pending)| {
            let pending = (*pending)?;
            let commands = found.commands.iter().filter(|command| command.0 == *id);
            Some(WaitingCommands {
                actuator: self.robot().actuators.get(usize::from(id.0))?.name.clone(),
                count: pending.count,
                value: pending.value,
                commands: commands
                    .map(|(_, command, ticket)| WaitingCommand {
                        at_ns: command.at.nanos(),
                        value: command.value,
                        ticket: ticket.0,
                    })
                    .collect(),
            })
        });
        let told = told.filter(|waiting| !all || waiting.count > 0);
        Ok(ReplyBody::Pending(told.collect()))
    }

    /// The lanes that drive these actuators; all that are driven if none is named.
    pub(super) fn driving(&self, names: &[String]) -> Result<ReplyBody, RequestError> {
        let ids = self.actuators_of(names)?;
        let asked = LoopRequest::Driving(DrivingLanes::of(ids));
        let (LoopRequest::Driving(found), LoopAnswer::Told { .. }) = self.fill_in(None, asked)?
        else {
            return Err(unexpected(LoopAnswer::Waiting));
        };
        let told = found.of.iter().filter_map(|id| {
            let shares = found.shares.iter().filter(|share| share.0 == *id);
            Some(DrivenActuator {
                actuator: self.robot().actuators.get(usize::from(id.0))?.name.clone(),
                lanes: shares
                    .map(|(_, share)| DrivingLane {
                        lane: self.lane_name(share.lane),
                        priority: share.priority,
                        value: share.value,
                        weight: share.weight,
                        hidden: share.is_hidden,
                    })
                    .collect(),
            })
        });
        let told = told.filter(|driven| !names.is_empty() || !driven.lanes.is_empty());
        Ok(ReplyBody::Driving(told.collect()))
    }

    /// The actuators of these names and aliases, once each, in the order in which they are named first; all if none is
    /// named.
    fn actuators_of(&self, names: &[String]) -> Result<Vec<ActuatorId>, RequestError> {
        let mut ids = Vec::new();
        for name in names {
            ids.extend(self.actuators(name)?);
        }
        if names.is_empty() {
            let places = 0..self.robot().actuators.len();
            ids.extend(places.filter_map(|place| u16::try_from(place).ok().map(ActuatorId)));
        }
        let mut seen = BTreeSet::new();
        ids.retain(|id| seen.insert(id.0));
        Ok(ids)
    }
}

fn unexpected(answer: LoopAnswer) -> RequestError {
    ErrorCode::Gone.error(format!("the loop gave an unexpected answer: {answer:?}"))
}

/// A request's progress as the socket tells it.
fn progress_of(progress: &Progress) -> RequestProgress {
    let (end, by) = match progress.remover {
        Remover::Cancel => (RequestEnd::Cancelled, None),
        Remover::Request(by) => (RequestEnd::Cleared, Some(by.0)),
        Remover::Lane => (RequestEnd::LaneEnded, None),
        Remover::Limp => (RequestEnd::Dropped, None),
        Remover::Nobody if progress.missed > 0 => (RequestEnd::Missed, None),
        Remover::Nobody if progress.clipped > 0 => (RequestEnd::Clipped, None),
        Remover::Nobody => (RequestEnd::Arrived, None),
    };
    let ended = progress.ended_at;
    RequestProgress {
        ticket: progress.ticket.0,
        end: ended.map(|_| end),
        by: ended.and(by),
        commands: progress.commands,
        waiting: progress.waiting(),
        executed: progress.executed,
        missed: progress.missed,
        removed: progress.removed,
        clipped: progress.clipped,
        until_ns: progress.until.nanos(),
        ended_ns: ended.map(Instant::nanos),
    }
}
