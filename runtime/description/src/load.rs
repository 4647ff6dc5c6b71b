//! Reads a robot: from its files, from its texts, or from one text.
//! Called by every verb that needs a robot, by `write` and by an import.
//! A robot without a single mistake, or every mistake in the order of the files.

use crate::layers::{self, RobotSource};
use crate::problem::{Problem, Problems};
use crate::read;
use crate::robot::Robot;
use crate::text::Layer;
use crate::tree::Table;

/// Reads the robot that `source` means, with all its layers.
///
/// # Errors
/// Every mistake in every layer.
pub fn load(source: &RobotSource) -> Result<Robot, Problems> {
    let laid = layers::lay(source)?;
    finish(laid.tree, laid.layers, laid.problems)
}

/// As [`load`], and the texts that it was read from, the lowest first.
///
/// # Errors
/// As for [`load`].
pub fn load_told(source: &RobotSource) -> Result<(Robot, Vec<Layer>), Problems> {
    let laid = layers::lay(source)?;
    let texts = laid.layers.clone();
    Ok((finish(laid.tree, laid.layers, laid.problems)?, texts))
}

/// Reads a robot from its texts, the lowest first.
///
/// # Errors
/// Every mistake in every layer.
pub fn of_layers(layers: Vec<Layer>) -> Result<Robot, Problems> {
    let mut problems = Vec::new();
    let tree = layers::lay_texts(&layers, &mut problems);
    finish(tree, layers, problems)
}

/// Reads a robot from one text, as a layer of this name.
///
/// # Errors
/// Every mistake in it.
pub fn parse(name: &str, text: &str) -> Result<Robot, Problems> {
    of_layers(vec![Layer {
        name: name.to_owned(),
        path: None,
        text: text.to_owned(),
    }])
}

fn finish(tree: Table, layers: Vec<Layer>, mut list: Vec<Problem>) -> Result<Robot, Problems> {
    let (robot, found) = read::read(&tree, layers.len().saturating_sub(1));
    list.extend(found);
    if list.is_empty() {
        return Ok(robot);
    }
    // In the order of the files, as a person reads them.
    list.sort_by_key(|problem| {
        problem
            .spots
            .first()
            .map_or((0, 0), |(spot, _)| (spot.layer, spot.from))
    });
    list.dedup();
    Err(Problems { layers, list })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::SHIPPED;
    use crate::robot::BodyTables;

    #[test]
    fn every_shipped_robot_loads_and_makes_a_cycle() {
        for name in SHIPPED {
            let robot = load(&RobotSource::of(name));
            let robot = robot.unwrap_or_else(|problems| panic!("{name}:\n{problems}"));
            let tables = BodyTables::of(&robot);
            assert_eq!(tables.body().check(), Ok(()), "{name}");
            assert!(
                !robot.links.is_empty() && robot.links[0].parent.is_none(),
                "{name}"
            );
            assert!(
                robot
                    .actuators
                    .iter()
                    .any(|actuator| actuator.safe.is_some())
                    || name == "wheels",
                "{name}"
            );
        }
    }

    #[test]
    fn the_nao_is_whole() {
        let nao =
            parse("nao", layers::shipped_text("nao").expect("it is shipped")).expect("it loads");
        let count = |wanted: fn(&cycle::Kind) -> bool| {
            nao.actuators
                .iter()
                .filter(|actuator| wanted(&actuator.kind))
                .count()
        };
        assert_eq!(
            count(|value| matches!(value, cycle::Kind::Joint | cycle::Kind::Hand)),
            25
        );
        assert_eq!(
            count(|value| matches!(value, cycle::Kind::Stiffness { .. })),
            25
        );
        assert_eq!(count(|value| *value == cycle::Kind::Light), 89);
        assert_eq!(count(|value| *value == cycle::Kind::Trigger), 1);
        assert_eq!(nao.couplings[0].rows.len(), 13);
        for key in [
            "Device/SubDeviceList/HeadYaw/Position/Actuator/Value",
            "HeadYaw/Hardness/Actuator/Value",
            "Face/Led/Green/Right/315Deg/Actuator/Value",
            "US/Actuator/Value",
        ] {
            assert!(nao.actuator(key).is_some(), "{key}");
        }
        for key in [
            "Device/SubDeviceList/LKneePitch/ElectricCurrent/Sensor/Value",
            "RHand/Temperature/Sensor/Status",
            "US/Left/Sensor/Value9",
            "Diagnosis/Passive/RAnkleRoll/Error",
            "LFoot/FSR/CenterOfPressure/X/Sensor/Value",
        ] {
            assert!(nao.sensor(key).is_some(), "{key}");
        }
        let mass: f64 = nao.links.iter().map(|link| link.mass).sum();
        assert!((5.0..5.6).contains(&mass), "{mass} kg");
    }
}
