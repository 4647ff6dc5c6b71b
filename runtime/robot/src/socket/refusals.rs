//! Converts the cycle's refusals into errors with messages and fixes.
//! Used by the handler, and wherever a refusal is shown to people.
//! The law: a message names the actuator that it is about.

use cycle::{ActuatorId, Refusal};

use ::socket::Trouble;
use description::Robot;

/// The error for a refusal.
pub fn refused(robot: &Robot, refusal: Refusal) -> Trouble {
    let name = |id: ActuatorId| {
        let it = robot.actuators.get(usize::from(id.0));
        it.map_or_else(|| format!("number {}", id.0), |it| it.name.clone())
    };
    match refusal {
        Refusal::NoLane(_) => Trouble::new("no-lane", "the lane has ended"),
        Refusal::Ending(_) => {
            Trouble::new("ending", "the lane is ending and accepts no more commands")
        }
        Refusal::NoAlias(_) => Trouble::new("no-alias", "the alias no longer exists"),
        Refusal::NoActuator(id) => {
            Trouble::new("no-actuator", format!("there is no actuator {}", name(id)))
        }
        Refusal::Twice(id) => Trouble::new("twice", format!("{} is named twice", name(id))),
        Refusal::Shape => Trouble::new(
            "shape",
            "the number of values does not match the actuators and times",
        ),
        Refusal::NotFinite { actuator } => Trouble::new(
            "not-finite",
            format!("a value for {} is not finite", name(actuator)),
        ),
        Refusal::Weight => Trouble::new("weight", "a weight must be from 0 to 1"),
        Refusal::OutOfReach { actuator, .. } => Trouble::new(
            "out-of-reach",
            format!(
                "a command for {} is more than 24.8 days away",
                name(actuator)
            ),
        ),
        Refusal::Full { actuator, room } => Trouble::new(
            "full",
            format!(
                "{} has room for {room} more commands; no command was accepted",
                name(actuator)
            ),
        )
        .fix("wait until some are done; or remove them with the merge kind `clear-all`"),
        Refusal::LaneFull { room } => Trouble::new(
            "full",
            format!("the lane has room for {room} more commands; no command was accepted"),
        )
        .fix("wait until some are done; or increase the lanes' `room` in the description"),
        Refusal::Busy { steps } => Trouble::new(
            "busy",
            format!("only {steps} steps of work are left in this turn"),
        )
        .fix("try again in the next turn, or send less at once"),
        Refusal::TrajectoriesFull => {
            Trouble::new("full", "the lane already plays its maximum of trajectories")
        }
        Refusal::Taken { .. } => Trouble::new("taken", "another lane holds that exclusive group"),
        Refusal::WrongKind(id) => Trouble::new(
            "wrong-kind",
            format!("not possible for {} because of its kind", name(id)),
        ),
    }
}
