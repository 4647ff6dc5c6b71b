//! The cycle's view of a robot: borrowed tables of actuators, sensors and couplings.
//! Made once by every loop and every check.
//! An actuator, a sensor or a board has the same number here as in the robot.

use cycle::{Body, Coupling, Derived, GroupRule};

use super::{ActuatorSpec, CouplingSpec, DerivedSpec, Robot, SensorSpec};

/// The cycle's view of a robot. Lives as long as the loop.
#[derive(Debug)]
pub struct BodyTables<'r> {
    actuators: Vec<cycle::Actuator<'r>>,
    sensors: Vec<cycle::Sensor<'r>>,
    couplings: Vec<Coupling<'r>>,
    groups: Vec<GroupRule>,
    boards: u8,
}

impl<'r> BodyTables<'r> {
    /// The tables of `robot`.
    pub fn of(robot: &'r Robot) -> BodyTables<'r> {
        let actuator = |spec: &'r ActuatorSpec| cycle::Actuator {
            name: &spec.name,
            path: &spec.path,
            kind: spec.kind,
            range: spec.range,
            velocity: spec.velocity,
            acceleration: spec.acceleration,
            derived_acceleration: spec.derived_acceleration,
            rest: spec.rest,
            safe: spec.safe,
            sensor: spec.sensor,
            gains: spec.gains,
            heat: spec.heat,
            current: spec.current,
            group: spec.group,
            board: spec.board,
            calibration: spec.calibration,
        };
        let sensor = |spec: &'r SensorSpec| cycle::Sensor {
            name: &spec.name,
            path: &spec.path,
            board: spec.board,
            calibration: spec.calibration,
            derived: spec.derived.as_ref().map(|derived| match derived {
                DerivedSpec::Sum(terms) => Derived::Sum(terms),
                DerivedSpec::Centre(terms) => Derived::Centre(terms),
                DerivedSpec::Held(sensor) => Derived::Held(*sensor),
                DerivedSpec::Gain(actuator, term) => Derived::Gain(*actuator, *term),
            }),
        };
        let coupling = |spec: &'r CouplingSpec| Coupling {
            driver: spec.driver,
            driven: spec.driven,
            rows: &spec.rows,
        };
        BodyTables {
            actuators: robot.actuators.iter().map(actuator).collect(),
            sensors: robot.sensors.iter().map(sensor).collect(),
            couplings: robot.couplings.iter().map(coupling).collect(),
            groups: robot.groups.iter().map(|group| group.contest).collect(),
            boards: u8::try_from(robot.boards.len()).unwrap_or(u8::MAX),
        }
    }

    /// The body.
    pub fn body(&self) -> Body<'_> {
        Body {
            actuators: &self.actuators,
            sensors: &self.sensors,
            couplings: &self.couplings,
            groups: &self.groups,
            boards: self.boards,
        }
    }
}
