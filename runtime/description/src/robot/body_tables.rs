//! The cycle's view of a robot: borrowed tables of actuators, sensors and couplings.
//! Made once by every loop and every check.
//! The law: an actuator, a sensor or a board has the same number here as in the robot.

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
        let actuator = |it: &'r ActuatorSpec| cycle::Actuator {
            name: &it.name,
            path: &it.path,
            kind: it.kind,
            range: it.range,
            velocity: it.velocity,
            acceleration: it.acceleration,
            derived_acceleration: it.derived_acceleration,
            rest: it.rest,
            safe: it.safe,
            sensor: it.sensor,
            gains: it.gains,
            heat: it.heat,
            current: it.current,
            group: it.group,
            board: it.board,
            calibration: it.calibration,
        };
        let sensor = |it: &'r SensorSpec| cycle::Sensor {
            name: &it.name,
            path: &it.path,
            board: it.board,
            calibration: it.calibration,
            derived: it.derived.as_ref().map(|it| match it {
                DerivedSpec::Sum(terms) => Derived::Sum(terms),
                DerivedSpec::Centre(terms) => Derived::Centre(terms),
                DerivedSpec::Held(sensor) => Derived::Held(*sensor),
                DerivedSpec::Gain(actuator, term) => Derived::Gain(*actuator, *term),
            }),
        };
        let coupling = |it: &'r CouplingSpec| Coupling {
            driver: it.driver,
            driven: it.driven,
            rows: &it.rows,
        };
        BodyTables {
            actuators: robot.actuators.iter().map(actuator).collect(),
            sensors: robot.sensors.iter().map(sensor).collect(),
            couplings: robot.couplings.iter().map(coupling).collect(),
            groups: robot.groups.iter().map(|it| it.contest).collect(),
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
