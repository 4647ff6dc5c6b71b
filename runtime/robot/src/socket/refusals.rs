//! Converts the cycle's refusals into errors with messages and fixes.
//! Used by the handler, and wherever a refusal is shown to people.
//! The law: a message names the actuator that it is about.

use cycle::{ActuatorId, Refusal};

use ::socket::RequestError;
use description::Robot;

/// The error for a refusal.
pub fn refused(robot: &Robot, refusal: Refusal) -> RequestError {
    let name = |id: ActuatorId| {
        let it = robot.actuators.get(usize::from(id.0));
        it.map_or_else(|| format!("number {}", id.0), |it| it.name.clone())
    };
    match refusal {
        Refusal::NoLane(_) => {
            RequestError::new("no-lane", "the lane has ended").fix("load the guest again")
        }
        Refusal::Ending(_) => {
            RequestError::new("ending", "the lane is ending and accepts no more commands")
                .fix("load the guest again")
        }
        Refusal::NoAlias(_) => RequestError::new("not-found", "the alias no longer exists")
            .fix("create it again, or name the actuators"),
        Refusal::NoActuator(id) => {
            RequestError::new("not-found", format!("there is no actuator {}", name(id)))
                .fix("`dcm-run joints --all` lists the actuators")
        }
        Refusal::Twice(id) => RequestError::new("twice", format!("{} is named twice", name(id)))
            .fix("name each actuator once, also by its aliases"),
        Refusal::Shape => RequestError::new(
            "wrong-count",
            "the number of values does not match the actuators and times",
        )
        .fix("send one value for each actuator and time"),
        Refusal::NotFinite { actuator } => RequestError::new(
            "not-finite",
            format!("a value for {} is not finite", name(actuator)),
        )
        .fix("send finite numbers only"),
        Refusal::Weight => RequestError::new("weight", "a weight lies between 0 and 1,000")
            .fix("send such a number"),
        Refusal::OutOfReach { actuator, .. } => RequestError::new(
            "out-of-reach",
            format!(
                "a command for {} is more than 24.8 days away",
                name(actuator)
            ),
        )
        .fix("send it nearer to its time"),
        Refusal::Full { actuator, room } => {
            let full = format!("{} has room for {room} more commands", name(actuator));
            RequestError::new("full", format!("{full}; no command was accepted"))
                .fix("wait until some are done; or remove them with the merge kind `clear-all`")
        }
        Refusal::LaneFull { .. } | Refusal::Busy { .. } | Refusal::TrajectoriesFull => {
            no_room(refusal)
        }
        Refusal::Taken { .. } => {
            RequestError::new("taken", "another lane holds that exclusive group")
                .fix("stop its guest first: `dcm-run ps` lists the guests")
        }
        Refusal::WrongKind(id) => RequestError::new(
            "wrong-kind",
            format!("not possible for {} because of its kind", name(id)),
        )
        .fix("name an actuator of another kind: `dcm-run joints --all` lists them"),
    }
}

/// The error for a lane or a turn that has no room for a request.
fn no_room(refusal: Refusal) -> RequestError {
    match refusal {
        Refusal::LaneFull { room } => RequestError::new(
            "full",
            format!("the lane has room for {room} more commands; no command was accepted"),
        )
        .fix("wait until some are done; or increase the lanes' `room` in the description"),
        Refusal::Busy { steps } => RequestError::new(
            "busy",
            format!("only {steps} steps of work are left in this turn"),
        )
        .fix("try again in the next turn, or send less at once"),
        _ => RequestError::new("full", "the lane already plays its maximum of trajectories")
            .fix("wait until one of them has ended"),
    }
}
