//! What sensors feel of the simulated body in its world: accelerations, rotations, angles, positions, forces on soles,
//! touches. Read once after the steps of a turn.

use cycle::named_enum;
use kinematics::Vec3;
use physics::{Model, PhysicsWorld};

/// m/s².
pub(super) const GRAVITY: f64 = 9.81;

/// The least force that closes a switch, N.
const TOUCH_MIN: f64 = 0.2;

/// The least force that closes a bumper's switch, N.
const BUMP_MIN: f64 = 1.0;

/// How far from a bumper's middle it can be pressed, m.
const BUMPER_REACH: f64 = 0.025;

/// What a sensor feels of the body and its surroundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeltSensor {
    /// The index of its link in the model.
    pub link: usize,
    /// Where on the link, m.
    pub at: Vec3,
    /// The direction in the link's frame, or the world's for a position, of length 1.
    pub along: Vec3,
    /// What it feels there.
    pub quantity: FeltQuantity,
}

named_enum! {
    /// A quantity of a link.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FeltQuantity {
        /// The acceleration along a direction, less gravity: what an accelerometer reads, m/s².
        Acceleration => "acceleration",
        /// The speed of rotation about a direction, rad/s.
        Rotation => "rotation",
        /// The roll, pitch or yaw, whichever is about the direction, rad.
        Angle => "angle",
        /// This sensor's share of the force on the link, N.
        Force => "force",
        /// This sensor's share of the force on the link, kg.
        Load => "load",
        /// The position of a point of the link, along a direction of the world, m.
        Position => "position",
        /// Whether anything touches the link: 0 or 1.
        Touch => "touch",
        /// Whether anything presses on a bumper, against a direction: 0 or 1.
        Bump => "bump",
    }
}

impl FeltQuantity {
    /// Whether it is a switch, which a hand may press as well.
    pub fn is_switch(self) -> bool {
        matches!(self, FeltQuantity::Touch | FeltQuantity::Bump)
    }
}

/// The sensors of a body that feel it.
#[derive(Debug)]
pub(super) struct BodySensors {
    sensors: Vec<Option<FeltSensor>>,
    soles: Vec<ForceSole>,
    link_of_shape: Vec<usize>,
    readings: Vec<f64>,
}

/// The force sensors under one link.
#[derive(Debug)]
struct ForceSole {
    link: usize,
    /// Each sensor's place, and its share of a force of 1 at the points (0, 0), (1, 0) and (0, 1), less the first.
    shares: Vec<(usize, [f64; 3])>,
}

impl BodySensors {
    pub(super) fn of(sensors: Vec<Option<FeltSensor>>, model: &Model) -> BodySensors {
        let colliders = model.colliders.iter();
        BodySensors {
            soles: ForceSole::all(&sensors),
            link_of_shape: colliders.map(|collider| collider.link).collect(),
            readings: vec![0.0; sensors.len()],
            sensors,
        }
    }

    /// What a sensor has read, if it feels the body.
    pub(super) fn reading(&self, sensor: usize) -> Option<(FeltQuantity, f64)> {
        let felt = self.sensors[sensor]?;
        Some((felt.quantity, self.readings[sensor]))
    }

    /// Reads all sensors.
    pub(super) fn read(&mut self, world: &mut PhysicsWorld) {
        for (place, sensor) in self.sensors.iter().enumerate() {
            let Some(sensor) = sensor else { continue };
            let FeltSensor {
                link, at, along, ..
            } = *sensor;
            let reading = match sensor.quantity {
                FeltQuantity::Acceleration => {
                    let acceleration = world.motion(link, at).acceleration;
                    let felt = acceleration + Vec3::Z * GRAVITY;
                    felt.dot(world.direction(link, along))
                }
                FeltQuantity::Rotation => {
                    let speed = world.motion(link, at).angular_velocity;
                    speed.dot(world.direction(link, along))
                }
                FeltQuantity::Angle => angles(world, link).dot(along),
                FeltQuantity::Position => world.point(link, at).dot(along),
                FeltQuantity::Touch => {
                    let (force, _) = self.forces_on(world, link);
                    f64::from(force.length() > TOUCH_MIN)
                }
                FeltQuantity::Bump => {
                    let at = world.point(link, at);
                    let is_near = |point: Vec3| (point - at).length() < BUMPER_REACH;
                    let forces = self.contacts_of(world, link);
                    let forces = forces.filter(|(point, _)| is_near(*point));
                    let along = world.direction(link, along);
                    let pressed: f64 = forces.map(|(_, force)| -force.dot(along)).sum();
                    f64::from(pressed > BUMP_MIN)
                }
                // Those of a sole are read together.
                FeltQuantity::Force | FeltQuantity::Load => continue,
            };
            self.readings[place] = reading;
        }
        for sole in &self.soles {
            let (force, moment) = self.forces_on(world, sole.link);
            sole.share(force.z, moment, &self.sensors, &mut self.readings);
        }
    }

    /// The force on a link, in its frame, and the sum of points times the force along z: where its pressure is.
    fn forces_on(&self, world: &PhysicsWorld, link: usize) -> (Vec3, Vec3) {
        let origin = world.point(link, Vec3::ZERO);
        let (mut sum, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for (point, force) in self.contacts_of(world, link) {
            let force = world.direction_in(link, force);
            let point = world.direction_in(link, point - origin);
            sum += force;
            moment += point * force.z;
        }
        (sum, moment)
    }

    /// The points in which something touches a link, and the forces on it, in the world's directions.
    fn contacts_of(&self, world: &PhysicsWorld, link: usize) -> impl Iterator<Item = (Vec3, Vec3)> {
        // Boxes that were added are no links of the body.
        let is_own = move |shape: usize| self.link_of_shape.get(shape) == Some(&link);
        world.contacts().filter_map(move |contact| {
            let (is_over, is_under) = (is_own(contact.over), contact.under.is_some_and(is_own));
            let sign = if is_over { 1.0 } else { -1.0 };
            (is_over != is_under).then_some((contact.point, contact.force * sign))
        })
    }
}

/// Roll, pitch and yaw of a link.
fn angles(world: &PhysicsWorld, link: usize) -> Vec3 {
    let (x, up) = (
        world.direction(link, Vec3::X),
        world.direction_in(link, Vec3::Z),
    );
    Vec3::new(
        libm::atan2(up.y, up.z),
        libm::atan2(-x.z, libm::sqrt(x.x * x.x + x.y * x.y)),
        libm::atan2(x.y, x.x),
    )
}

impl ForceSole {
    /// The soles of all force sensors.
    fn all(sensors: &[Option<FeltSensor>]) -> Vec<ForceSole> {
        let is_force = |sensor: &FeltSensor| {
            matches!(sensor.quantity, FeltQuantity::Force | FeltQuantity::Load)
        };
        let mut soles: Vec<(usize, Vec<(usize, Vec3)>)> = Vec::new();
        for (place, sensor) in sensors.iter().enumerate() {
            let Some(sensor) = sensor.filter(is_force) else {
                continue;
            };
            match soles.iter_mut().find(|sole| sole.0 == sensor.link) {
                Some(sole) => sole.1.push((place, sensor.at)),
                None => soles.push((sensor.link, vec![(place, sensor.at)])),
            }
        }
        let soles = soles.into_iter();
        soles
            .map(|(link, places)| ForceSole::of(link, &places))
            .collect()
    }

    /// A stiff sole on equal springs: a spring's share of a force is an affine function of where it acts.
    fn of(link: usize, places: &[(usize, Vec3)]) -> ForceSole {
        let count = places.len() as f64;
        let mut middle = Vec3::ZERO;
        for (_, at) in places {
            middle += *at * (1.0 / count);
        }
        // Not zero, so that sensors on a line do not divide by zero: across it they share nothing.
        let (mut xx, mut yy, mut xy) = (1e-12, 1e-12, 0.0);
        for (_, at) in places {
            let arm = *at - middle;
            xx += arm.x * arm.x;
            yy += arm.y * arm.y;
            xy += arm.x * arm.y;
        }
        let determinant = xx * yy - xy * xy;
        let shares = places.iter().map(|(place, at)| {
            let arm = *at - middle;
            let x = (yy * arm.x - xy * arm.y) / determinant;
            let y = (xx * arm.y - xy * arm.x) / determinant;
            let start = 1.0 / count - x * middle.x - y * middle.y;
            (*place, [start, x, y])
        });
        ForceSole {
            link,
            shares: shares.collect(),
        }
    }

    /// Writes what each sensor reads of this force along z, whose points times force sum up to `moment`. A spring
    /// cannot pull: where the sole tips, the others carry all.
    fn share(
        &self,
        force: f64,
        moment: Vec3,
        sensors: &[Option<FeltSensor>],
        readings: &mut [f64],
    ) {
        let share =
            |[start, x, y]: [f64; 3]| (start * force + x * moment.x + y * moment.y).max(0.0);
        let sum: f64 = self.shares.iter().map(|(_, row)| share(*row)).sum();
        let scale = if sum > 0.0 { force.max(0.0) / sum } else { 0.0 };
        for (place, row) in &self.shares {
            let is_load = sensors[*place].is_some_and(|s| s.quantity == FeltQuantity::Load);
            let unit = if is_load { GRAVITY } else { 1.0 };
            readings[*place] = share(*row) * scale / unit;
        }
    }
}
