//! The robot's table of actuators and sensors: read-only after it is checked.
//! Built by `robot` from `robot.toml`; read by every step of the turn.
//! With a body that passed [`Body::check`], no step of the turn divides by zero, exceeds a limit or looks up a
//! missing entry.

mod calibrate;
mod coupling;
mod derived;
mod gains;
mod range;

pub use calibrate::Calibration;
pub use coupling::{Coupling, CouplingRow};
pub(crate) use derived::derive;
pub use derived::{Derived, DerivedTerm, GainTerm};
pub use gains::Gains;
pub use range::Range;

/// No limit of a velocity or an acceleration.
pub const UNLIMITED: f64 = f64::INFINITY;

/// The NAO's prefix of every name of an actuator or sensor.
pub const NAO_PREFIX: &str = "Device/SubDeviceList/";

/// One actuator's number in its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActuatorId(pub u16);

/// One sensor's number in its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SensorId(pub u16);

/// One board's number in its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardId(pub u8);

/// One exclusive group's number in its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u8);

impl ActuatorId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl SensorId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How an actuator uses its commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A position in rad or m: interpolated; follows its sensor while limp.
    Joint,
    /// A gripper or hand, 0 to 1: as a joint.
    Hand,
    /// A velocity of a wheel in rad/s: interpolated; zero whenever the body does not run.
    Wheel,
    /// The share 0 to 1 of a joint's force; at or below 0 the joint is limp.
    Stiffness {
        /// The joint that it stiffens.
        joint: ActuatorId,
    },
    /// A brightness 0 to 1: interpolated, shown in every state but boot.
    Light,
    /// A value that is sent once when it is due, such as an ultrasound mode.
    Trigger,
}

impl Kind {
    /// Whether limits of motion apply to this kind, and it follows its sensor while limp.
    pub(crate) const fn is_jointed(self) -> bool {
        matches!(self, Kind::Joint | Kind::Hand)
    }
}

/// How heat lowers a motor's stiffness: full below `warm`, zero at `hot`, linear between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heat {
    /// The sensor that reads the motor's temperature in °C.
    pub sensor: SensorId,
    /// Up to this temperature the stiffness is unchanged, °C.
    pub warm: f64,
    /// From this temperature on the stiffness is zero, °C.
    pub hot: f64,
}

/// How a motor's current lowers its stiffness: full below `high`, zero at `limit`, linear between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurrentLimit {
    /// The sensor that reads the motor's current in A; its sign does not count.
    pub sensor: SensorId,
    /// Up to this current the stiffness is unchanged, A.
    pub high: f64,
    /// From this current on the stiffness is zero, A.
    pub limit: f64,
}

/// One actuator.
#[derive(Clone, Copy, Debug)]
pub struct Actuator<'m> {
    /// Its short name, `HeadYaw`.
    pub name: &'m str,
    /// Its path, `HeadYaw/Position/Actuator/Value`; may be empty.
    pub path: &'m str,
    /// How it uses its commands.
    pub kind: Kind,
    /// The allowed values, in its unit.
    pub range: Range,
    /// The fastest change, units per second; [`UNLIMITED`] if none is set.
    pub velocity: f64,
    /// The fastest change of speed, units per second squared; [`UNLIMITED`] if none is set.
    pub acceleration: f64,
    /// An estimate of an unknown `acceleration`. It limits how the actuator stops and returns to its lanes' value.
    pub derived_acceleration: f64,
    /// The value at the start if no sensor measures it.
    pub rest: f64,
    /// The value of the safe pose; `None` leaves it where it is.
    pub safe: Option<f64>,
    /// The sensor that measures it.
    pub sensor: Option<SensorId>,
    /// The default gains; `None` if it has no gains.
    pub gains: Option<Gains>,
    /// For a stiffness: how the motor's temperature lowers it.
    pub heat: Option<Heat>,
    /// For a stiffness: how the motor's current lowers it.
    pub current: Option<CurrentLimit>,
    /// Its exclusive group.
    pub group: Option<GroupId>,
    /// The board that drives it.
    pub board: BoardId,
    /// The conversion between its unit and the board's counts.
    pub calibration: Calibration,
}

impl<'m> Actuator<'m> {
    /// An actuator with this name, kind and range, and defaults for the rest.
    pub const fn new(name: &'m str, kind: Kind, min: f64, max: f64) -> Actuator<'m> {
        let range = Range { min, max };
        Actuator {
            name,
            path: "",
            kind,
            range,
            velocity: UNLIMITED,
            acceleration: UNLIMITED,
            derived_acceleration: UNLIMITED,
            rest: range.clamp(0.0),
            safe: None,
            sensor: None,
            gains: None,
            heat: None,
            current: None,
            group: None,
            board: BoardId(0),
            calibration: Calibration::NONE,
        }
    }
}

/// One sensor.
#[derive(Clone, Copy, Debug)]
pub struct Sensor<'m> {
    /// Its short name.
    pub name: &'m str,
    /// Its path, `HeadYaw/Position/Sensor/Value`; may be empty.
    pub path: &'m str,
    /// The board that reads it.
    pub board: BoardId,
    /// The conversion between the board's counts and its unit.
    pub calibration: Calibration,
    /// What it is computed from; none if its board reads it.
    pub derived: Option<Derived<'m>>,
}

/// The rule for a second lane that requests an exclusive group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupRule {
    /// The request is refused, whatever the lane's priority.
    Refuse,
    /// A lane of higher priority takes the group; the previous holder's commands in the group are deleted.
    Rank,
}

/// The whole body.
#[derive(Clone, Copy, Debug)]
pub struct Body<'m> {
    /// Every actuator; an [`ActuatorId`] is a place in this list.
    pub actuators: &'m [Actuator<'m>],
    /// Every sensor; a [`SensorId`] is a place in this list.
    pub sensors: &'m [Sensor<'m>],
    /// Ranges that depend on another actuator.
    pub couplings: &'m [Coupling<'m>],
    /// The exclusive groups; a [`GroupId`] is a place in this list.
    pub groups: &'m [GroupRule],
    /// How many boards there are.
    pub boards: u8,
}

/// Why a body is invalid. Each variant names the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// More actuators or sensors than their numbers can count.
    TooLarge,
    /// The range is crossed or not finite.
    Range(ActuatorId),
    /// A velocity or acceleration limit is not above zero.
    Rate(ActuatorId),
    /// The rest or safe value lies outside the range.
    Rest(ActuatorId),
    /// The default gains are negative or not finite.
    Gains(ActuatorId),
    /// The calibration cannot be inverted, or no count lies in the range.
    Calibration(ActuatorId),
    /// The sensor's calibration cannot be used.
    SensorCalibration(SensorId),
    /// A sensor is derived from itself, from another derived one, or from what is not there.
    Derived(SensorId),
    /// It refers to a sensor, joint, group or board that does not exist.
    Dangling(ActuatorId),
    /// The sensor's board does not exist.
    SensorBoard(SensorId),
    /// The range of a stiffness excludes zero, so its joint could never be limp.
    StiffnessWithoutZero(ActuatorId),
    /// This joint has two stiffnesses.
    TwoStiffnesses(ActuatorId),
    /// The warm and hot temperatures are crossed.
    Heat(ActuatorId),
    /// The coupling at this index names a wrong actuator, names one twice, or has an invalid table.
    Coupling(u16),
    /// The currents of a limit are crossed, or not above zero.
    Current(ActuatorId),
    /// Two actuators have this one's name.
    SameName(ActuatorId),
}

impl<'m> Body<'m> {
    /// The actuator with this name: short, path, or with the NAO's prefix.
    pub fn actuator(&self, name: &str) -> Option<ActuatorId> {
        let place = self
            .actuators
            .iter()
            .position(|actuator| answers(actuator.name, actuator.path, name))?;
        u16::try_from(place).ok().map(ActuatorId)
    }

    /// The sensor with this name: short, path, or with the NAO's prefix.
    pub fn sensor(&self, name: &str) -> Option<SensorId> {
        let place = self
            .sensors
            .iter()
            .position(|sensor| answers(sensor.name, sensor.path, name))?;
        u16::try_from(place).ok().map(SensorId)
    }

    /// The stiffness that belongs to `joint`, if there is one.
    pub fn stiffness_of(&self, joint: ActuatorId) -> Option<ActuatorId> {
        let place = self
            .actuators
            .iter()
            .position(|actuator| actuator.kind == Kind::Stiffness { joint })?;
        u16::try_from(place).ok().map(ActuatorId)
    }

    /// Checks everything that a turn relies on.
    ///
    /// # Errors
    /// The first error, with its entry.
    pub fn check(&self) -> Result<(), BodyError> {
        if self.actuators.len() > usize::from(u16::MAX)
            || self.sensors.len() > usize::from(u16::MAX)
        {
            return Err(BodyError::TooLarge);
        }
        for (place, sensor) in (0u16..).zip(self.sensors) {
            if sensor.board.0 >= self.boards {
                return Err(BodyError::SensorBoard(SensorId(place)));
            }
            if !sensor.calibration.is_sound() {
                return Err(BodyError::SensorCalibration(SensorId(place)));
            }
            let derived = sensor.derived.as_ref();
            if derived.is_some_and(|derived| !derived.is_sound(self.actuators, self.sensors)) {
                return Err(BodyError::Derived(SensorId(place)));
            }
        }
        for (place, actuator) in (0u16..).zip(self.actuators) {
            self.check_actuator(ActuatorId(place), actuator)?;
        }
        for (place, coupling) in (0u16..).zip(self.couplings) {
            let twice = self.couplings[..usize::from(place)]
                .iter()
                .any(|other| other.shares(coupling));
            if twice || !coupling.is_sound(self.actuators) {
                return Err(BodyError::Coupling(place));
            }
        }
        Ok(())
    }

    fn check_actuator(&self, id: ActuatorId, actuator: &Actuator<'m>) -> Result<(), BodyError> {
        let sensor_missing = |sensor: SensorId| sensor.index() >= self.sensors.len();
        let stiffens = |other: &Actuator<'_>, joint| other.kind == Kind::Stiffness { joint };
        if !actuator.range.is_sound() {
            return Err(BodyError::Range(id));
        }
        let rates = [
            actuator.velocity,
            actuator.acceleration,
            actuator.derived_acceleration,
        ];
        if !rates.iter().all(|rate| *rate > 0.0) {
            return Err(BodyError::Rate(id));
        }
        let is_outside = |value: f64| !actuator.range.holds(value);
        if is_outside(actuator.rest) || actuator.safe.is_some_and(is_outside) {
            return Err(BodyError::Rest(id));
        }
        if actuator.gains.is_some_and(|gains| !gains.is_sound()) {
            return Err(BodyError::Gains(id));
        }
        if !actuator.calibration.is_sound() || !actuator.calibration.reaches(actuator.range) {
            return Err(BodyError::Calibration(id));
        }
        if actuator.board.0 >= self.boards
            || actuator.sensor.is_some_and(sensor_missing)
            || actuator
                .heat
                .is_some_and(|heat| sensor_missing(heat.sensor))
            || actuator
                .current
                .is_some_and(|limit| sensor_missing(limit.sensor))
            || actuator
                .group
                .is_some_and(|group| usize::from(group.0) >= self.groups.len())
        {
            return Err(BodyError::Dangling(id));
        }
        if let Kind::Stiffness { joint } = actuator.kind {
            match self.actuators.get(joint.index()) {
                Some(other) if matches!(other.kind, Kind::Joint | Kind::Hand | Kind::Wheel) => {}
                _ => return Err(BodyError::Dangling(id)),
            }
            if !actuator.range.holds(0.0) {
                return Err(BodyError::StiffnessWithoutZero(id));
            }
            if self.actuators[..id.index()]
                .iter()
                .any(|other| stiffens(other, joint))
            {
                return Err(BodyError::TwoStiffnesses(joint));
            }
        }
        let is_sound = |heat: Heat| heat.warm < heat.hot && heat.hot.is_finite();
        if !actuator.heat.is_none_or(is_sound) {
            return Err(BodyError::Heat(id));
        }
        let is_sound = |limit: CurrentLimit| {
            0.0 < limit.high && limit.high < limit.limit && limit.limit.is_finite()
        };
        if actuator.current.is_some_and(|limit| !is_sound(limit)) {
            return Err(BodyError::Current(id));
        }
        let namesake = |other: &Actuator<'_>| answers(other.name, other.path, actuator.name);
        if self.actuators[..id.index()].iter().any(namesake) {
            return Err(BodyError::SameName(id));
        }
        Ok(())
    }
}

/// Whether `asked` matches this short name or path.
fn answers(name: &str, path: &str, asked: &str) -> bool {
    let asked = asked.strip_prefix(NAO_PREFIX).unwrap_or(asked);
    asked == name || (!path.is_empty() && asked == path)
}

#[cfg(test)]
#[path = "body/tests.rs"]
mod tests;
