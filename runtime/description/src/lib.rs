//! `robot.toml`: from texts in layers to a robot, with every mistake told at once.
//!
//! The way of a description: `layers` finds and parses, `tree` holds what was written and where,
//! `examine` compares it with `shapes`, `read` makes the robot, `tables` lends it to the cycle. `urdf` makes a
//! description of the models that others wrote; `amount` writes values with their units.

mod amount;
mod board;
mod budget;
mod ends;
mod entry;
mod examine;
mod layers;
mod layout;
mod names;
mod problem;
mod quantity;
mod read;
mod robot;
mod schema;
mod shape;
mod shapes;
mod shipped;
mod show;
mod tree;
pub mod urdf;
mod write;

pub use amount::{amount, both, end_of};
pub use board::{BoardSpec, Bus, Driver, PartModel, Port};
pub use budget::{BusLoad, fullest, loads};
pub use ends::{lola_input, lola_output};
pub use layers::{Layer, RobotSource, TEXT_MAX, config_folder};
pub use layout::layout;
pub use problem::nearest;
pub use problem::{Problem, Problems, place_of};
pub use quantity::{Dimension, WrittenPosition};
pub use robot::{
    ActuatorSpec, BodyTables, CollisionCapsule, CouplingSpec, ExclusiveGroup, GrantSpec, GuestForm,
    Leave, LineReading, LineValue, LinkSpec, Machine, ROUNDED, Robot, SensorSpec, is_flat,
};
pub use schema::schema;
pub use shapes::FORMAT;
pub use shipped::NAMES as SHIPPED;
pub use show::{EffectiveValue, show};
pub use tree::Spot;
pub use write::{WriteError, write};

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

fn finish(
    tree: tree::Table,
    layers: Vec<Layer>,
    mut list: Vec<Problem>,
) -> Result<Robot, Problems> {
    let (robot, found) = read::read(&tree, layers.len().saturating_sub(1));
    list.extend(found);
    if list.is_empty() {
        return Ok(robot);
    }
    // In the order of the files, as a person reads them.
    list.sort_by_key(|it| {
        it.spots
            .first()
            .map_or((0, 0), |(spot, _)| (spot.layer, spot.from))
    });
    list.dedup();
    Err(Problems { layers, list })
}

#[cfg(test)]
mod tests {
    use super::*;

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
                robot.actuators.iter().any(|it| it.safe.is_some()) || name == "wheels",
                "{name}"
            );
        }
    }

    #[test]
    fn the_nao_is_whole() {
        let nao = parse("nao", shipped::text("nao").expect("it is shipped")).expect("it loads");
        let count = |wanted: fn(&cycle::Kind) -> bool| {
            nao.actuators.iter().filter(|it| wanted(&it.kind)).count()
        };
        assert_eq!(
            count(|it| matches!(it, cycle::Kind::Joint | cycle::Kind::Hand)),
            25
        );
        assert_eq!(count(|it| matches!(it, cycle::Kind::Stiffness { .. })), 25);
        assert_eq!(count(|it| *it == cycle::Kind::Light), 89);
        assert_eq!(count(|it| *it == cycle::Kind::Trigger), 1);
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
        let mass: f64 = nao.links.iter().map(|it| it.mass).sum();
        assert!((5.0..5.6).contains(&mass), "{mass} kg");
    }
}
