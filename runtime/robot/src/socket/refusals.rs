//! Converts the cycle's refusals into errors with messages and fixes.
//! Used by the handler, and wherever a refusal is shown to people.
//! A message names the actuator that it is about.

use cycle::{ActuatorId, Refusal};

use ::protocol::{ErrorCode, RequestError};
use description::Robot;

/// The error for a refusal.
pub fn refused(robot: &Robot, refusal: Refusal) -> RequestError {
    let name = |id: ActuatorId| {
        let actuator = robot.actuators.get(usize::from(id.0));
        actuator.map_or_else(|| format!("number {}", id.0), |value| value.name.clone())
    };
    match refusal {
        Refusal::NoLane(_) => ErrorCode::NoLane
            .error("the lane has ended")
            .fix("load the guest again"),
        Refusal::Ending(_) => ErrorCode::Ending
            .error("the lane is ending and accepts no more commands")
            .fix("load the guest again"),
        Refusal::NoAlias(_) => ErrorCode::NotFound
            .error("the alias no longer exists")
            .fix("create it again, or name the actuators"),
        Refusal::NoActuator(id) => ErrorCode::NotFound
            .error(format!("there is no actuator {}", name(id)))
            .fix("`dcm-run joints --all` lists the actuators"),
        Refusal::Twice(id) => ErrorCode::Twice
            .error(format!("{} is named twice", name(id)))
            .fix("name each actuator once, also by its aliases"),
        Refusal::Shape => ErrorCode::WrongCount
            .error("the number of values does not match the actuators and times")
            .fix("send one value for each actuator and time"),
        Refusal::NotFinite { actuator } => ErrorCode::NotFinite
            .error(format!("a value for {} is not finite", name(actuator)))
            .fix("send finite numbers only"),
        Refusal::Weight => ErrorCode::WrongWeight
            .error("a weight lies between 0 and 1,000")
            .fix("send such a number"),
        Refusal::OutOfReach { actuator, .. } => ErrorCode::OutOfReach
            .error(format!(
                "a command for {} is more than 24.8 days away",
                name(actuator)
            ))
            .fix("send it nearer to its time"),
        Refusal::Full { actuator, room } => {
            let full = format!("{} has room for {room} more commands", name(actuator));
            ErrorCode::Full
                .error(format!("{full}; no command was accepted"))
                .fix("wait until some are done; or remove them with the merge kind `clear-all`")
        }
        Refusal::LaneFull { .. } | Refusal::Busy { .. } | Refusal::TrajectoriesFull => {
            no_room(refusal)
        }
        Refusal::Taken { .. } => ErrorCode::Taken
            .error("another lane holds that exclusive group")
            .fix("stop its guest first: `dcm-run ps` lists the guests"),
        Refusal::WrongKind(id) => ErrorCode::WrongKind
            .error(format!("not possible for {} because of its kind", name(id)))
            .fix("name an actuator of another kind: `dcm-run joints --all` lists them"),
    }
}

/// The error for a lane or a turn that has no room for a request.
fn no_room(refusal: Refusal) -> RequestError {
    match refusal {
        Refusal::LaneFull { room } => ErrorCode::Full
            .error(format!(
                "the lane has room for {room} more commands; no command was accepted"
            ))
            .fix("wait until some are done; or increase the lanes' `room` in the description"),
        Refusal::Busy { steps } => ErrorCode::Busy
            .error(format!("only {steps} steps of work are left in this turn"))
            .fix("try again in the next turn, or send less at once"),
        _ => ErrorCode::Full
            .error("the lane already plays its maximum of trajectories")
            .fix("wait until one of them has ended"),
    }
}
