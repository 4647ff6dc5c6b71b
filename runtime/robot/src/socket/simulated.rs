//! What may happen to a simulated body from outside: which sensors can be set, to what, and how hard a joint is pushed.
//! Called for requests of the socket, and by `dcm-run run --script`. A reading or a push that cannot be meant
//! is refused.

use std::ops::RangeInclusive;

use ::protocol::{ErrorCode, RequestError};
use cycle::Span;
use description::{DerivedSpec, Robot, amount};
use drivers::sim::{STEPS_MAX, SimEvent};

use super::parse::unknown;

/// The hardest push, as a multiple of the greatest torque of the joint's motor.
const PUSH_MAX: f64 = 100.0;

/// The hardest push of a link, N.
const FORCE_MAX: f64 = 1000.0;

/// The longest push of a link.
const LONGEST_PUSH: Span = Span::from_millis(60_000);

/// The edges of boxes and steps, m: what is thinner is passed through by what falls onto it.
const LENGTHS: RangeInclusive<f64> = 0.01..=2.0;

/// The masses of boxes, kg.
const MASSES: RangeInclusive<f64> = 0.01..=100.0;

/// How far from the body a box or a step may be, m.
const FARTHEST: f64 = 10.0;

/// The steepest floor, rad.
const TILT_MAX: f64 = std::f64::consts::FRAC_PI_4;

/// Whether the simulation may set the sensor at `place` to this value.
///
/// # Errors
/// A motor moves it, or the value is outside its range.
pub fn can_read(robot: &Robot, place: usize, value: f64) -> Result<(), RequestError> {
    let Some(spec) = robot.sensors.get(place) else {
        return Ok(());
    };
    if let Some(derived) = &spec.derived {
        let sentence = format!("`{}` is computed", spec.name);
        let from: Vec<_> = match derived {
            DerivedSpec::Sum(terms) | DerivedSpec::Centre(terms) => {
                terms.iter().map(|term| term.sensor).collect()
            }
            DerivedSpec::Held(sensor) => vec![*sensor],
            DerivedSpec::Gain(..) => {
                let error = ErrorCode::OutOfRange.error(sentence);
                return Err(error.fix("it is a gain, which commands set"));
            }
        };
        let from = from
            .iter()
            .filter_map(|pair| robot.sensors.get(usize::from(pair.0)));
        let from: Vec<_> = from.map(|from| from.name.as_str()).collect();
        let fix = format!("set one of {}", from.join(", "));
        return Err(ErrorCode::OutOfRange.error(sentence).fix(fix));
    }
    let moved_by = spec
        .sense
        .measures()
        .and_then(|measure| robot.actuators.get(measure.1));
    if let Some(joint) = moved_by {
        let sentence = format!(
            "`{}` reads the simulated motor of {}",
            spec.name, joint.name
        );
        let fix = format!(
            "move or push the joint: `dcm-run sim push {} 0.5`",
            joint.name
        );
        return Err(ErrorCode::OutOfRange.error(sentence).fix(fix));
    }
    let is_measured = spec.felt.is_some_and(|felt| !felt.quantity.is_switch());
    if robot.physics && is_measured {
        let sentence = format!("`{}` reads what the simulated body feels", spec.name);
        let fix = "push, lift or tilt the body: `dcm-run sim --help`";
        return Err(ErrorCode::OutOfRange.error(sentence).fix(fix));
    }
    if spec.range.holds(value) {
        return Ok(());
    }
    let [lowest, highest] = [spec.range.min, spec.range.max].map(|end| amount(end, &spec.unit));
    let sentence = format!(
        "`{}` reads from {lowest} to {highest}, and not {value}",
        spec.name
    );
    let fix = format!("use {}", amount(spec.range.clamp(value), &spec.unit));
    Err(ErrorCode::OutOfRange.error(sentence).fix(fix))
}

/// Whether the joint at `place` can be pushed with this torque, N·m.
///
/// # Errors
/// It has no motor, or the torque is out of all proportion.
pub fn can_be_pushed(robot: &Robot, place: usize, torque: f64) -> Result<(), RequestError> {
    let Some(actuator) = robot.actuators.get(place) else {
        return Ok(());
    };
    let Some(motor) = &actuator.motor else {
        let error = ErrorCode::OutOfRange.error(format!(
            "`{}` has no motor, and cannot be pushed",
            actuator.name
        ));
        return Err(error.fix("`dcm-run joints` lists the joints"));
    };
    let most = PUSH_MAX * motor.torque;
    if torque.abs() <= most {
        return Ok(());
    }
    let sentence = format!(
        "{torque} N·m is more than {PUSH_MAX} times the greatest torque of the motor of `{}`",
        actuator.name
    );
    Err(ErrorCode::OutOfRange
        .error(sentence)
        .fix(format!("push with at most {} N·m", amount(most, ""))))
}

/// Requires a simulated body with weight.
///
/// # Errors
/// It has none.
fn require_physics(robot: &Robot) -> Result<(), RequestError> {
    if robot.physics {
        return Ok(());
    }
    let error = ErrorCode::NotNow.error("there is no simulated body with physics here");
    Err(error
        .fix("start it with `--sim` and without `--physics off`; its links need masses and shapes"))
}

/// Lifts the body, or lets go of it.
///
/// # Errors
/// There is no physics, or the robot is fixed where it is.
pub fn lifted(robot: &Robot, held: bool) -> Result<SimEvent, RequestError> {
    require_physics(robot)?;
    if robot.links.iter().any(|link| !link.sole.is_empty()) {
        return Ok(SimEvent::Lift { held });
    }
    let error =
        ErrorCode::OutOfRange.error("this robot has no feet: it is fixed by its first link");
    Err(error.fix("describe where it stands: `sole` of a link"))
}

/// A push of the link of this name: ahead, to the left and up, N.
///
/// # Errors
/// There is no such link, no physics, or the push cannot be meant.
pub fn push_of_link(
    robot: &Robot,
    name: &str,
    force: [f64; 3],
    lasts: Span,
) -> Result<SimEvent, RequestError> {
    require_physics(robot)?;
    let mut links = robot.links.iter();
    let Some(link) = links.position(|link| link.name == name) else {
        let known = robot.links.iter().map(|link| link.name.as_str());
        return Err(unknown("link", name, known, &robot.name));
    };
    let strength = force.iter().map(|part| part * part).sum::<f64>().sqrt();
    if strength.is_nan() || strength > FORCE_MAX {
        let error = ErrorCode::OutOfRange.error("this push is too hard");
        return Err(error.fix(format!("push with at most {FORCE_MAX} N")));
    }
    if lasts == Span::ZERO || lasts > LONGEST_PUSH {
        let error = ErrorCode::OutOfRange.error("a push takes more than 0 s and at most a minute");
        return Err(error.fix("push for 100ms"));
    }
    Ok(SimEvent::PushLink { link, force, lasts })
}

/// A floor that rises by this angle, rad.
///
/// # Errors
/// There is no physics, or the floor would be too steep.
pub fn tilted_floor(robot: &Robot, tilt: f64) -> Result<SimEvent, RequestError> {
    require_physics(robot)?;
    if tilt.abs() <= TILT_MAX {
        return Ok(SimEvent::TiltFloor { angle: tilt });
    }
    let error = ErrorCode::OutOfRange.error("this floor is too steep");
    Err(error.fix("tilt it by at most 45deg, either way"))
}

/// A box that is put down, or steps that are built.
///
/// # Errors
/// There is no physics, or no obstacle can be like this.
pub fn obstacle(robot: &Robot, event: SimEvent) -> Result<SimEvent, RequestError> {
    require_physics(robot)?;
    let is_length = |length: f64| LENGTHS.contains(&length);
    match event {
        SimEvent::PutBox { edges, mass, at } => {
            let has_mass = mass.is_none_or(|mass| MASSES.contains(&mass));
            let is_near = at.into_iter().all(|place| place.abs() <= FARTHEST);
            if !(edges.into_iter().all(is_length) && has_mass && is_near) {
                let error = ErrorCode::OutOfRange
                    .error("this box is too small, too large, too heavy or too far away");
                return Err(error.fix(
                    "use edges from 1cm to 2m, a mass from 10g to 100kg, or `fixed`, and a place within 10m",
                ));
            }
        }
        SimEvent::BuildSteps {
            count,
            height,
            depth,
            gap,
        } => {
            let is_count = (1..=STEPS_MAX).contains(&usize::from(count));
            let is_near = (0.0..=FARTHEST).contains(&gap);
            if !(is_count && is_length(height) && is_length(depth) && is_near) {
                let error = ErrorCode::OutOfRange
                    .error("these steps are too many, too small, too large or too far away");
                return Err(error.fix(format!(
                    "use 1 to {STEPS_MAX} steps, of 1cm to 2m each way, 0 to 10m ahead of the body"
                )));
            }
        }
        _ => {}
    }
    Ok(event)
}
