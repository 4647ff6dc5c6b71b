//! Makes the figure of a body from its description, for drawing it.
//! Used by the handler. The law: links keep the order of the description.

use ::protocol::{Capsule, Figure, FigureLink, FigurePose, Joint};
use cycle::{ActuatorId, Heat, Kind};

use description::urdf::drawn;
use description::{ActuatorSpec, Robot};

/// The figure of a robot.
pub fn figure(robot: &Robot) -> Figure {
    let links = robot.links.iter().map(|it| FigureLink {
        name: it.name.clone(),
        parent: it.parent,
        joint: it.joint.map(|it| it.0),
        at: it.at,
        turn: it.turn,
        axis: it.axis,
        slides: it.slides,
        ratio: it.ratio,
        offset: it.offset,
        capsules: it
            .capsules
            .iter()
            .copied()
            .chain(it.hulls.iter().flat_map(|it| drawn(it)))
            .map(|it| Capsule {
                from: it.from,
                to: it.to,
                radius: it.radius,
            })
            .collect(),
        sole: it.sole.clone(),
    });
    let joints = robot.actuators.iter().enumerate();
    let joints = joints.filter(|(_, it)| matches!(it.kind, Kind::Joint | Kind::Hand));
    Figure {
        links: links.collect(),
        joints: joints.map(|(place, it)| joint(robot, place, it)).collect(),
        poses: robot.poses.iter().map(|it| pose(robot, it)).collect(),
    }
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
        named(robot.sensors.iter().position(|it| it.name == name)?)
    };
    let heat = heat_of(robot, place);
    let measured = actuator.sensor.and_then(|it| named(usize::from(it.0)));
    let current = beside("Current");
    let temperature = heat.map_or_else(
        || beside("Temperature"),
        |it| named(usize::from(it.sensor.0)),
    );
    Joint {
        actuator: u16::try_from(place).unwrap_or(u16::MAX),
        name: actuator.name.clone(),
        unit: actuator.unit.clone(),
        lowest: actuator.range.min,
        highest: actuator.range.max,
        sensor: measured.as_ref().map(|it| it.0),
        sensor_name: measured.map(|it| it.1),
        current: current.as_ref().map(|it| it.0),
        current_name: current.map(|it| it.1),
        temperature: temperature.as_ref().map(|it| it.0),
        temperature_name: temperature.map(|it| it.1),
        warm: heat.map(|it| it.warm),
        hot: heat.map(|it| it.hot),
    }
}

/// How heat reduces the stiffness of the joint at `place`.
fn heat_of(robot: &Robot, place: usize) -> Option<Heat> {
    let stiffens = |it: &&ActuatorSpec| matches!(it.kind, Kind::Stiffness { joint } if usize::from(joint.0) == place);
    let mut stiffness = robot.actuators.iter().filter(stiffens);
    stiffness.find_map(|it| it.heat)
}
