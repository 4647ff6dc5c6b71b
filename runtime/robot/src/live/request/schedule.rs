//! Timed commands at instants of the robot's time, a list for each actuator, as DCM clients send them.
//! Made by the request handler, and carried to the loop as a request. The law: it is accepted whole or refused whole,
//! and freed outside the loop.

use cycle::{ActuatorId, Command, CommandSet, LaneId, Merge, Request, Stage, To};

use super::{LoopAnswer, MoveRemarks, not_now};

/// The maximum number of actuators in a schedule.
pub const SCHEDULED_MAX: usize = 512;

/// Timed commands, a list for each actuator.
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduleRequest {
    /// The actuators.
    pub to: Vec<ActuatorId>,
    /// How they merge with waiting commands.
    pub merge: Merge,
    /// One list for each actuator, or one for all of them.
    pub lists: Vec<Vec<Command>>,
}

/// Submits the schedule in this lane.
pub fn schedule(it: &ScheduleRequest, lane: LaneId, stage: &mut Stage<'_>) -> LoopAnswer {
    // A schedule that only removes commands is possible at any time.
    let adds = it.lists.iter().any(|it| !it.is_empty());
    if let Some(not_now) = not_now(&it.to, stage).filter(|_| adds) {
        return LoopAnswer::NotNow(not_now);
    }
    let mut lists: [&[Command]; SCHEDULED_MAX] = [&[]; SCHEDULED_MAX];
    let commands = match it.lists.as_slice() {
        [one] => CommandSet::Same(one),
        several => {
            for (place, list) in lists.iter_mut().zip(several) {
                *place = list;
            }
            // If there are more lists than the maximum, the number no longer fits, and the cycle refuses the request.
            CommandSet::Mixed(&lists[..several.len().min(SCHEDULED_MAX)])
        }
    };
    let request = Request {
        to: To::Many(&it.to),
        merge: it.merge,
        commands,
    };
    match stage.submit(lane, &request) {
        Ok(receipt) => LoopAnswer::Taken(receipt, MoveRemarks::of(&it.to, lane, stage)),
        Err(refusal) => LoopAnswer::Refused(refusal),
    }
}
