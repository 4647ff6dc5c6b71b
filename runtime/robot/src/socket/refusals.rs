//! The cycle's refusals as sentences, each with what to do about it.
//! Used by the handler, and by whatever else tells people why a request was not taken.
//! The law: nothing is refused without naming what it was about.

use cycle::{ActuatorId, Refusal};

use ::socket::Trouble;
use description::Robot;

/// A refusal as a sentence.
pub fn refused(robot: &Robot, refusal: Refusal) -> Trouble {
    let name = |id: ActuatorId| {
        let it = robot.actuators.get(usize::from(id.0));
        it.map_or_else(|| format!("number {}", id.0), |it| it.name.clone())
    };
    match refusal {
        Refusal::NoLane(_) => Trouble::new("no-lane", "the lane is gone"),
        Refusal::Ending(_) => Trouble::new("ending", "the lane is ending and takes no more"),
        Refusal::NoAlias(_) => Trouble::new("no-alias", "the alias is gone"),
        Refusal::NoActuator(id) => {
            Trouble::new("no-actuator", format!("there is no actuator {}", name(id)))
        }
        Refusal::Twice(id) => Trouble::new("twice", format!("{} is named twice", name(id))),
        Refusal::Shape => {
            Trouble::new("shape", "there is not one value for each actuator and time")
        }
        Refusal::NotFinite { actuator } => Trouble::new(
            "not-finite",
            format!("a value for {} is infinite", name(actuator)),
        ),
        Refusal::Weight => Trouble::new("weight", "a weight lies between 0 and 1"),
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
                "{} has room for {room} more commands; nothing was taken",
                name(actuator)
            ),
        )
        .fix("wait until some are done, or clear them with the merge kind `clear-all`"),
        Refusal::LaneFull { room } => Trouble::new(
            "full",
            format!("the lane has room for {room} more commands; nothing was taken"),
        )
        .fix("wait until some are done, or give lanes more `room` in the description"),
        Refusal::Busy { steps } => Trouble::new(
            "busy",
            format!("only {steps} steps of work are left in this turn"),
        )
        .fix("ask again in the next turn, or send less at once"),
        Refusal::TrajectoriesFull => {
            Trouble::new("full", "the lane plays as many sheets as it can")
        }
        Refusal::Taken { .. } => Trouble::new("taken", "another lane holds that exclusive group"),
        Refusal::WrongKind(id) => Trouble::new(
            "wrong-kind",
            format!("{} is of a kind for which that means nothing", name(id)),
        ),
    }
}
