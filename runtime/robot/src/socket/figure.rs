//! Makes the figure of a body from its description, for drawing it.
//! Used by the handler. Links keep the order of the description.

use ::protocol::{Capsule, Figure, FigureBase, FigureForce, FigureLink, FigurePose, Joint};
use cycle::{ActuatorId, Heat, Kind};

use description::urdf::drawn;
use description::{ActuatorSpec, Robot};
use drivers::sim::FeltQuantity;

/// The figure of a robot.
pub fn figure(robot: &Robot) -> Figure {
    let links = robot.links.iter().map(|link| FigureLink {
        name: link.name.clone(),
        parent: link.parent,
        joint: link.joint.map(|joint| joint.0),
        at: link.at,
        turn: link.turn,
        axis: link.axis,
        slides: link.slides,
        ratio: link.ratio,
        offset: link.offset,
        capsules: link
            .capsules
            .iter()
            .copied()
            .chain(link.hulls.iter().flat_map(|hull| drawn(hull)))
            .map(|capsule| Capsule {
                from: capsule.from,
                to: capsule.to,
                radius: capsule.radius,
            })
            .collect(),
        sole: link.sole.clone(),
    });
    let joints = robot.actuators.iter().enumerate();
    let joints = joints.filter(|(_, joint)| matches!(joint.kind, Kind::Joint | Kind::Hand));
    Figure {
        links: links.collect(),
        joints: joints
            .map(|(place, actuator)| joint(robot, place, actuator))
            .collect(),
        forces: forces(robot).collect(),
        base: base(robot),
        poses: robot
            .poses
            .iter()
            .map(|pose_spec| pose(robot, pose_spec))
            .collect(),
    }
}

/// The sensors of forces.
fn forces(robot: &Robot) -> impl Iterator<Item = FigureForce> {
    (0..).zip(&robot.sensors).filter_map(|(sensor, spec)| {
        let felt = spec.felt?;
        let is_force = matches!(felt.quantity, FeltQuantity::Force | FeltQuantity::Load);
        is_force.then_some(FigureForce {
            sensor,
            link: felt.link,
            at: [felt.at.x, felt.at.y, felt.at.z],
        })
    })
}

/// The sensors that follow the first link, if it is simulated.
fn base(robot: &Robot) -> Option<FigureBase> {
    let follow = |quantity| robot.physics.then(|| robot.sensors_of_root(quantity))?;
    Some(FigureBase {
        position: follow(FeltQuantity::Position)?,
        angles: follow(FeltQuantity::Angle)?,
    })
}

fn pose(robot: &Robot, (name, values): &(String, Vec<(ActuatorId, f64)>)) -> FigurePose {
    let named = |(id, value): &(ActuatorId, f64)| {
        let actuator = robot.actuators.get(usize::from(id.0))?;
        Some((actuator.name.clone(), *value))
    };
    FigurePose {
        name: name.clone(),
        values: values.iter().filter_map(named).collect(),
    }
}

fn joint(robot: &Robot, place: usize, actuator: &ActuatorSpec) -> Joint {
    let named = |id: usize| {
        let name = robot.sensors.get(id)?.name.clone();
        Some((u16::try_from(id).ok()?, name))
    };
    // The description names a joint's other sensors after the joint.
    let beside = |suffix: &str| {
        let name = format!("{}{suffix}", actuator.name);
        named(
            robot
                .sensors
                .iter()
                .position(|sensor| sensor.name == name)?,
        )
    };
    let heat = heat_of(robot, place);
    let measured = actuator
        .sensor
        .and_then(|sensor| named(usize::from(sensor.0)));
    let current = beside("Current");
    let temperature = heat.map_or_else(
        || beside("Temperature"),
        |heat| named(usize::from(heat.sensor.0)),
    );
    Joint {
        actuator: u16::try_from(place).unwrap_or(u16::MAX),
        name: actuator.name.clone(),
        unit: actuator.unit.clone(),
        lowest: actuator.range.min,
        highest: actuator.range.max,
        sensor: measured.as_ref().map(|measured| measured.0),
        sensor_name: measured.map(|measured| measured.1),
        current: current.as_ref().map(|pair| pair.0),
        current_name: current.map(|pair| pair.1),
        temperature: temperature.as_ref().map(|temperature| temperature.0),
        temperature_name: temperature.map(|temperature| temperature.1),
        warm: heat.map(|heat| heat.warm),
        hot: heat.map(|heat| heat.hot),
    }
}

/// How heat reduces the stiffness of the joint at `place`.
fn heat_of(robot: &Robot, place: usize) -> Option<Heat> {
    let stiffens = |spec: &&ActuatorSpec| match spec.kind {
        Kind::Stiffness { joint } => usize::from(joint.0) == place,
        _ => false,
    };
    let mut stiffness = robot.actuators.iter().filter(stiffens);
    stiffness.find_map(|stiffness| stiffness.heat)
}
