//! Which field of LoLA each actuator and sensor is, where a NAO drives it.
//! Asked by the reader, which refuses what is none, and where boards are opened.
//! A joint, its stiffness and what is measured of it have LoLA's own names, if nothing else is said.

use cycle::Kind;
use drivers::lola::{LolaInput, LolaOutput};
use drivers::sim::Quantity;

use super::{ActuatorSpec, Robot, SensorSpec};

/// The field that an actuator is told by; its name if there is none of it.
///
/// # Errors
/// The name.
pub fn lola_output(robot: &Robot, actuator: &ActuatorSpec) -> Result<LolaOutput, String> {
    let usual = || match actuator.kind {
        Kind::Stiffness { joint } => {
            format!("Stiffness/{}", robot.actuators[usize::from(joint.0)].name)
        }
        Kind::Joint | Kind::Hand => format!("Position/{}", actuator.name),
        _ => actuator.name.clone(),
    };
    let name = actuator
        .port
        .as_ref()
        .map_or_else(usual, |port| port.name.clone());
    name.parse().map_err(|_| name)
}

/// The field that a sensor reads; its name if there is none of it.
///
/// # Errors
/// The name.
pub fn lola_input(robot: &Robot, sensor: &SensorSpec) -> Result<LolaInput, String> {
    let usual = || {
        let measured = sensor.sense.measures();
        let Some((quantity, actuator)) = measured else {
            return sensor.name.clone();
        };
        let group = match quantity {
            Quantity::Position => "Position",
            Quantity::Current => "Current",
            Quantity::Temperature => "Temperature",
            Quantity::Speed => "Speed",
        };
        format!("{group}/{}", robot.actuators[actuator].name)
    };
    let name = sensor
        .port
        .as_ref()
        .map_or_else(usual, |port| port.name.clone());
    name.parse().map_err(|_| name)
}
