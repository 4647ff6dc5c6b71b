//! The rigid bodies of a robot, for the physics of its simulation.
//! Made once from the links. What a description leaves out is derived: inertias from capsules, rolling wheels from the
//! points on which they stand.

use kinematics::{Rotation, Transform, Vec3};
use physics::{Collider, DofModel, JointModel, LinkModel, Model, ModelError, Mount, Shape};

use cycle::{ActuatorId, Kind};
use drivers::sim::{BodyStart, FeltQuantity, FeltSensor, RigidRobot};

use super::{CollisionCapsule, LinkSpec, Robot, WheelShape};

/// The density of a link without shapes, kg/m³.
const DENSITY: f64 = 500.0;

/// The default width of a wheel, as a share of its radius.
const WHEEL_WIDTH: f64 = 0.4;

/// A robot as rigid bodies, and what each of its links and actuators became.
#[derive(Clone, Debug)]
pub struct RigidBody {
    /// The links, joints and shapes.
    pub model: Model,
    /// The degree of freedom of each actuator that moves links.
    pub dofs: Vec<Option<usize>>,
    /// The link that each link of the robot belongs to: one without mass is a part of its parent.
    pub links: Vec<usize>,
    /// The frame of each link of the robot in the link that it belongs to.
    places: Vec<Transform>,
}

/// Why a robot has no rigid body.
#[derive(Clone, Debug, PartialEq)]
pub enum RigidBodyError {
    /// It has no links.
    NoLinks,
    /// A link that a joint moves, or the first one, has no mass: its name.
    NoMass(String),
    /// It starts sitting, and has no pose for that.
    NoPose,
    /// No body can be like this.
    Model(ModelError),
}

impl std::fmt::Display for RigidBodyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RigidBodyError::NoLinks => {
                write!(f, "the robot has no links; fix: describe them in `[links]`")
            }
            RigidBodyError::NoMass(link) => write!(
                f,
                "the link `{link}` has no mass; fix: set `mass` in `[links.{link}]`"
            ),
            RigidBodyError::NoPose => write!(
                f,
                "the description does not say how the robot sits; fix: set `sitting` in `[simulation]`, a position \
                 for each joint"
            ),
            RigidBodyError::Model(error) => write!(
                f,
                "the physics of this robot is impossible: {error}; fix: correct `[links]`, or use `--physics off`"
            ),
        }
    }
}

impl std::error::Error for RigidBodyError {}

impl Robot {
    /// Whether the description has all that weight needs: masses of the links that move, and a shape.
    pub(crate) fn has_weight(&self) -> bool {
        let has_shape = |link: &LinkSpec| link.has_shape() || !link.sole.is_empty();
        let is_possible = |body: RigidBody| body.model.check().is_ok();
        self.links.iter().any(has_shape) && RigidBody::of(self).is_ok_and(is_possible)
    }

    /// The indices of the sensors that feel this quantity of the first link's origin along x, y and z. Of several, the
    /// last one counts.
    pub fn sensors_of_root(&self, quantity: FeltQuantity) -> Option<[u16; 3]> {
        let follows = |along| {
            let wanted = FeltSensor {
                link: 0,
                at: Vec3::ZERO,
                along,
                quantity,
            };
            let place = self
                .sensors
                .iter()
                .rposition(|sensor| sensor.felt == Some(wanted));
            u16::try_from(place?).ok()
        };
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(follows);
        Some([x?, y?, z?])
    }

    /// The rigid bodies of the simulated body, and what its sensors feel of them; none without physics.
    ///
    /// # Errors
    /// [`RigidBodyError`]: something is missing that cannot be derived.
    pub fn rigid_robot(&self) -> Result<Option<RigidRobot>, RigidBodyError> {
        let body = self.physics.then(|| RigidBody::of(self)).transpose()?;
        let mut body = body.map(|body| body.simulated(self, self.start));
        if let Some(body) = &mut body {
            if body.start == BodyStart::Sitting && body.pose.is_empty() {
                return Err(RigidBodyError::NoPose);
            }
            let rest = |actuator: usize| self.actuators[actuator].rest;
            body.ignore_overlaps(rest).map_err(RigidBodyError::Model)?;
        }
        Ok(body)
    }
}

impl RigidBody {
    /// The rigid bodies of `robot`. A robot with soles moves freely; any other is fixed by its first link.
    ///
    /// # Errors
    /// [`RigidBodyError`]: something is missing that cannot be derived.
    pub fn of(robot: &Robot) -> Result<RigidBody, RigidBodyError> {
        let mut body = RigidBody {
            model: Model::default(),
            dofs: vec![None; robot.actuators.len()],
            links: Vec::with_capacity(robot.links.len()),
            places: Vec::with_capacity(robot.links.len()),
        };
        if robot.links.is_empty() {
            return Err(RigidBodyError::NoLinks);
        }
        let is_free = robot.links.iter().any(|link| !link.sole.is_empty());
        for link in &robot.links {
            let own = Transform::new(link.at.into(), Rotation::of_angles(link.turn));
            let placement = link.parent.map_or(own, |parent| body.places[parent] * own);
            let parent = link.parent.map(|parent| body.links[parent]);
            if let (None, Some(parent), true) = (link.joint, parent, link.mass == 0.0) {
                body.links.push(parent);
                body.places.push(placement);
            } else if link.mass > 0.0 {
                let joint = link.joint.map(|joint| body.joint(robot, link, joint));
                let mount = match parent {
                    Some(parent) => Mount::On {
                        parent,
                        placement,
                        joint,
                    },
                    None if is_free => Mount::Free,
                    None => Mount::Fixed(own),
                };
                body.links.push(body.model.links.len());
                body.places.push(Transform::NONE);
                body.model.links.push(LinkModel {
                    name: link.name.clone(),
                    mount,
                    mass: link.mass,
                    center: link.centre.into(),
                    inertia: link.inertia.unwrap_or_else(|| inertia(link)),
                });
            } else {
                return Err(RigidBodyError::NoMass(link.name.clone()));
            }
            let place = body.places[body.places.len() - 1];
            body.add_shapes(robot, link, place);
        }
        body.ignore_neighbours(robot);
        Ok(body)
    }

    /// The body for a simulated board, with what the sensors of `robot` feel of it.
    pub fn simulated(self, robot: &Robot, start: BodyStart) -> RigidRobot {
        let sensors = robot.sensors.iter().map(|sensor| {
            let felt = sensor.felt?;
            let place = self.places[felt.link];
            let is_of_world = felt.quantity == FeltQuantity::Position;
            Some(FeltSensor {
                link: self.links[felt.link],
                at: place.point(felt.at),
                along: if is_of_world {
                    felt.along
                } else {
                    place.turn.turn(felt.along)
                },
                ..felt
            })
        });
        let links = robot.links.iter().zip(&self.links).zip(&self.places);
        let feet = links.flat_map(|((described, link), place)| {
            let points = described
                .sole
                .iter()
                .map(|corner| place.point((*corner).into()));
            points.map(|point| (*link, point))
        });
        let pose = match start {
            BodyStart::Sitting => &robot.sitting[..],
            _ => &[],
        };
        let pose = pose.iter().map(|(id, value)| (usize::from(id.0), *value));
        RigidRobot {
            overlaps: Vec::new(),
            pose: pose.collect(),
            sensors: sensors.collect(),
            feet: feet.collect(),
            model: self.model,
            dofs: self.dofs,
            links: self.links,
            start,
        }
    }

    /// The joint that moves a link; its degree of freedom is added if no other link has it yet.
    fn joint(&mut self, robot: &Robot, link: &LinkSpec, joint: ActuatorId) -> JointModel {
        let number = usize::from(joint.0);
        let actuator = &robot.actuators[number];
        let dofs = &mut self.model.dofs;
        let dof = *self.dofs[number].get_or_insert_with(|| {
            let motor = actuator.motor;
            let rolls = actuator.kind == Kind::Wheel;
            dofs.push(DofModel {
                name: actuator.name.clone(),
                stops: motor.filter(|_| !rolls).map(|motor| motor.stops),
                armature: motor.map_or(0.0, |motor| motor.inertia),
                damping: 0.0,
                friction: motor.map_or(0.0, |motor| motor.friction),
            });
            dofs.len() - 1
        });
        JointModel {
            dof,
            axis: link.axis.into(),
            slides: link.slides,
            ratio: link.ratio,
            offset: link.offset,
        }
    }

    fn add_shapes(&mut self, robot: &Robot, link: &LinkSpec, place: Transform) {
        let number = self.links[self.links.len() - 1];
        // A foot stands on its corners, and its capsules do not count; a paw stands on its capsule.
        let has_corners = link.sole.len() > 2;
        let mut add = |shape: Shape, meets_ground: bool, meets_links: bool| {
            self.model.colliders.push(Collider {
                link: number,
                shape,
                meets_ground,
                meets_links,
                friction: link.friction,
            });
        };
        for capsule in &link.capsules {
            let shape = Shape::Capsule {
                from: place.point(capsule.from.into()),
                to: place.point(capsule.to.into()),
                radius: capsule.radius,
            };
            add(shape, !has_corners, true);
        }
        for hull in &link.hulls {
            let corners = hull.iter().map(|corner| place.point((*corner).into()));
            let corners = corners.collect();
            add(Shape::Hull { corners }, !has_corners, false);
        }
        let rolls = link
            .joint
            .is_some_and(|joint| robot.actuators[usize::from(joint.0)].kind == Kind::Wheel);
        let axle = Vec3::from(link.axis);
        let lowest = link.sole.first().filter(|_| rolls);
        let derived = lowest.map(|lowest| {
            let radius = Vec3::from(*lowest).across(axle).length();
            WheelShape {
                radius,
                width: WHEEL_WIDTH * radius,
            }
        });
        if let Some(WheelShape { radius, width }) = link.wheel.or(derived) {
            let center = place.at;
            let half_width = 0.5 * width;
            let wheel = Shape::Wheel {
                center,
                axle: place.turn.turn(axle),
                radius,
                half_width,
            };
            add(wheel, true, false);
        } else if has_corners || !link.has_shape() && !link.sole.is_empty() {
            let corners = link.sole.iter().map(|corner| place.point((*corner).into()));
            let corners = corners.collect();
            add(Shape::Hull { corners }, true, false);
        }
    }

    /// Lets each limb overlap the next one above it that has a shape: their ends share a joint.
    fn ignore_neighbours(&mut self, robot: &Robot) {
        for (number, link) in robot.links.iter().enumerate() {
            let mut above = link.parent;
            while let Some(parent) = above {
                if robot.links[parent].has_shape() {
                    let pair = (self.links[parent], self.links[number]);
                    self.model.ignored_pairs.push(pair);
                    break;
                }
                above = robot.links[parent].parent;
            }
        }
    }
}

/// The inertia of a link about its centre of mass: that of its capsules, filled evenly, or of a ball.
fn inertia(link: &LinkSpec) -> [f64; 6] {
    let solids: Vec<FilledCapsule> = link
        .capsules
        .iter()
        .map(FilledCapsule::of_capsule)
        .collect();
    let volume: f64 = solids.iter().map(|solid| solid.volume).sum();
    if volume <= 0.0 {
        let radius = libm::cbrt(3.0 * link.mass / (4.0 * std::f64::consts::PI * DENSITY));
        let moment = 0.4 * link.mass * radius * radius;
        return [moment, moment, moment, 0.0, 0.0, 0.0];
    }
    let mut middle = Vec3::ZERO;
    for solid in &solids {
        middle += solid.center * (solid.volume / volume);
    }
    let mut tensor = [0.0; 6];
    for solid in &solids {
        let share = link.mass * solid.volume / volume;
        for (sum, part) in tensor.iter_mut().zip(solid.about(middle)) {
            *sum += share * part;
        }
    }
    tensor
}

/// A capsule, filled evenly.
struct FilledCapsule {
    volume: f64,
    center: Vec3,
    axis: Vec3,
    /// The moments about its axis and across it, for each kg.
    along: f64,
    across: f64,
}

impl FilledCapsule {
    fn of_capsule(capsule: &CollisionCapsule) -> FilledCapsule {
        let (from, to) = (Vec3::from(capsule.from), Vec3::from(capsule.to));
        let (length, radius) = ((to - from).length(), capsule.radius);
        let square = radius * radius;
        let cylinder = std::f64::consts::PI * square * length;
        let ball = 4.0 / 3.0 * std::f64::consts::PI * square * radius;
        let volume = cylinder + ball;
        let (tube, caps) = (cylinder / volume, ball / volume);
        let along = tube * 0.5 * square + caps * 0.4 * square;
        // The half balls at the ends, about the middle of the capsule.
        let ends = 0.4 * square + 0.25 * length * length + 0.375 * length * radius;
        let across = tube * (0.25 * square + length * length / 12.0) + caps * ends;
        let axis = (to - from).unit();
        FilledCapsule {
            volume,
            center: (from + to) * 0.5,
            axis,
            along,
            across,
        }
    }

    /// The inertia about a point, for each kg.
    fn about(&self, point: Vec3) -> [f64; 6] {
        let arm = self.center - point;
        let square = arm.dot(arm);
        let bend = self.along - self.across;
        let part = |a: f64, b: f64, p: f64, q: f64| bend * a * b - p * q;
        let Vec3 { x, y, z } = self.axis;
        [
            self.across + square + part(x, x, arm.x, arm.x),
            self.across + square + part(y, y, arm.y, arm.y),
            self.across + square + part(z, z, arm.z, arm.z),
            part(x, y, arm.x, arm.y),
            part(x, z, arm.x, arm.z),
            part(y, z, arm.y, arm.z),
        ]
    }
}

#[cfg(test)]
mod tests {
    use physics::{Ground, MotorCommand, PhysicsWorld, WorldSettings};

    use super::*;
    use crate::{RobotSource, SHIPPED, load};

    #[test]
    fn shipped_robots_stand_for_a_minute() {
        for (name, pose) in [
            ("nao", "stand"),
            ("nao", "stand-ready"),
            ("aibo-ers7", "stand"),
            ("hexapod", "stand"),
            ("wheels", ""),
        ] {
            let robot = load(&RobotSource::of(name)).expect(name);
            let body = RigidBody::of(&robot).expect(name);
            let settings = WorldSettings {
                step: 0.002,
                gravity: Vec3::new(0.0, 0.0, -9.81),
                ground: Ground::level(0.8),
            };
            let mut world = PhysicsWorld::new(&body.model, settings).expect(name);
            let pose = robot.pose(pose).unwrap_or_default();
            for (number, dof) in body.dofs.iter().enumerate() {
                let (Some(dof), Some(motor)) = (dof, robot.actuators[number].motor) else {
                    continue;
                };
                let named = pose.iter().find(|pair| usize::from(pair.0.0) == number);
                let target = named.map_or(robot.actuators[number].rest, |pair| pair.1);
                let rolls = robot.actuators[number].kind == Kind::Wheel;
                world.place_joint(*dof, target.max(motor.stops.0).min(motor.stops.1));
                let command = MotorCommand {
                    target,
                    stiffness: if rolls { 0.0 } else { motor.stiffness },
                    speed: 0.0,
                    damping: motor.damping,
                    torques: (-motor.torque, motor.torque),
                };
                world.command_motor(*dof, command);
            }
            let height = -world.lowest_point().expect(name);
            world.place_free_link(0, Transform::shift(0.0, 0.0, height));
            for _ in 0..30_000 {
                world.step().expect(name);
            }
            let upright = world.direction(0, Vec3::Z).z;
            let sunk = height - world.point(0, Vec3::ZERO).z;
            assert!(upright > 0.97, "{name} is tipped: {upright}");
            assert!(sunk.abs() < 0.02, "{name} has sunk by {sunk} m");
        }
    }

    #[test]
    fn every_shipped_robot_has_a_rigid_body() {
        for shipped in SHIPPED {
            let robot = load(&RobotSource::of(shipped)).expect(shipped);
            let body = RigidBody::of(&robot).expect(shipped);
            body.model.check().expect(shipped);
            let mass: f64 = robot.links.iter().map(|link| link.mass).sum();
            let own: f64 = body.model.links.iter().map(|link| link.mass).sum();
            assert!((mass - own).abs() < 1e-9, "{}", shipped);
        }
    }

    #[test]
    fn the_inertia_of_a_capsule_is_that_of_its_points() {
        let capsule = CollisionCapsule {
            from: [0.01, -0.02, 0.03],
            to: [0.05, 0.04, -0.01],
            radius: 0.03,
        };
        let mut link = LinkSpec {
            name: "limb".into(),
            parent: None,
            joint: None,
            at: [0.0; 3],
            turn: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            slides: false,
            ratio: 1.0,
            offset: 0.0,
            mass: 2.0,
            centre: [0.0; 3],
            inertia: None,
            capsules: vec![capsule],
            hulls: Vec::new(),
            sole: Vec::new(),
            friction: 0.8,
            wheel: None,
        };
        let computed = inertia(&link);
        let (from, to) = (Vec3::from(capsule.from), Vec3::from(capsule.to));
        let (mut sum, mut count) = ([0.0; 6], 0.0);
        let steps = 60;
        for number in 0..steps * steps * steps {
            let place = |index: usize| (index as f64 + 0.5) / steps as f64 * 0.14;
            let point = Vec3::new(
                place(number % steps) - 0.04,
                place(number / steps % steps) - 0.06,
                place(number / steps / steps) - 0.06,
            );
            let way = to - from;
            let share = ((point - from).dot(way) / way.dot(way)).clamp(0.0, 1.0);
            if (point - from - way * share).length() > capsule.radius {
                continue;
            }
            let Vec3 { x, y, z } = point - (from + to) * 0.5;
            let parts = [
                y * y + z * z,
                x * x + z * z,
                x * x + y * y,
                -x * y,
                -x * z,
                -y * z,
            ];
            for (sum, part) in sum.iter_mut().zip(parts) {
                *sum += part;
            }
            count += 1.0;
        }
        for (computed, sum) in computed.iter().zip(sum) {
            let wanted = 2.0 * sum / count;
            assert!((computed - wanted).abs() < 2e-5, "{computed} and {wanted}");
        }
        link.capsules.clear();
        assert!(inertia(&link)[0] > 0.0);
    }
}
