//! The simulated body as rigid bodies: what hangs on the motors, the ground, pushes, and the sensors that feel them.
//! Stepped by the simulated board. Without it each motor moves its own joint alone.

use ::physics::{
    AirDrag, Ground, Model, ModelError, PhysicsWorld, StepError, Surface, WorldSettings,
};
use cycle::{Span, named_enum};
use kinematics::{Rotation, Transform, Vec3};

use super::motor::{MotorDrive, MotorState};

/// The length of a step.
const STEP: Span = Span::from_millis(2);

/// The longest time that one turn simulates. After a longer stall the body goes on from where it was, because a turn
/// must not do the work of a hundred.
const LONGEST: Span = Span::from_millis(200);

/// m/s².
const GRAVITY: f64 = 9.81;

/// The speed at which a hand can no longer push, m/s.
const HAND_SPEED: f64 = 3.0;

/// How fast the floor is tilted, rad/s: no faster than feet can follow.
const TILT_SPEED: f64 = 0.35;

/// At 2 m/s, the speed of a NAO that falls over, it carries a hundredth of the weight.
const AIR: AirDrag = AirDrag {
    fall_speed: 20.0,
    spin_speed: 50.0,
    spin_loss: 20.0,
};

/// The floor's coefficient of friction.
const FLOOR_FRICTION: f64 = 0.8;

/// How high a held body hangs above the floor, m.
const HELD_HEIGHT: f64 = 0.2;

/// The share of a motor's strength from which a standing body is no longer steadied.
const FULL_FORCE: f64 = 0.95;

/// The least force that closes a switch, N.
const TOUCH_MIN: f64 = 0.2;

named_enum! {
    /// How the body is placed at the start.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BodyStart {
        /// On its feet, in its rest pose. Somebody steadies it until a motor has its full force for the first time.
        #[default]
        Standing => "standing",
        /// On its front; a body with more than two feet on its belly.
        LyingFront => "lying-front",
        /// On its back.
        LyingBack => "lying-back",
        /// In somebody's hands, above the floor.
        Held => "held",
    }
}

/// What a sensor feels of the body and its surroundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeltSensor {
    /// The index of its link in the model.
    pub link: usize,
    /// Where on the link, m.
    pub at: Vec3,
    /// The direction in the link's frame, of length 1.
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
        /// Whether anything touches the link: 0 or 1.
        Touch => "touch",
    }
}

/// A robot as rigid bodies, and what its sensors feel of them.
#[derive(Clone, Debug)]
pub struct RigidRobot {
    /// The links, joints and shapes.
    pub model: Model,
    /// The degree of freedom of each actuator that moves links.
    pub dofs: Vec<Option<usize>>,
    /// What each sensor feels; none for a sensor that measures something else.
    pub sensors: Vec<Option<FeltSensor>>,
    /// How the body lies or stands at first.
    pub start: BodyStart,
    /// Whether the body has more than two feet.
    pub has_many_feet: bool,
    /// The link of the model that each of the robot's links belongs to.
    pub links: Vec<usize>,
}

/// The rigid bodies of a simulated robot.
#[derive(Debug)]
pub(super) struct SimPhysics {
    world: PhysicsWorld,
    dofs: Vec<Option<usize>>,
    sensors: Vec<Option<FeltSensor>>,
    soles: Vec<ForceSole>,
    floor: TiltingFloor,
    links: Vec<usize>,
    link_of_shape: Vec<usize>,
    /// What each sensor reads.
    readings: Vec<f64>,
    push: Option<LinkPush>,
    /// Whether somebody still steadies the body: nothing moves.
    steadied: bool,
    /// The time that no step has simulated yet.
    pending: Span,
}

/// A push of a link that is not over yet.
#[derive(Clone, Copy, Debug)]
struct LinkPush {
    link: usize,
    /// In the world's directions, N.
    force: Vec3,
    left: Span,
}

/// A floor that may be tilted about a point.
#[derive(Clone, Copy, Debug, Default)]
struct TiltingFloor {
    /// rad.
    angle: f64,
    wanted: f64,
    through: Vec3,
}

impl TiltingFloor {
    fn normal(&self) -> Vec3 {
        Vec3::new(-libm::sin(self.angle), 0.0, libm::cos(self.angle))
    }
}

/// The force sensors under one link.
#[derive(Debug)]
struct ForceSole {
    link: usize,
    /// Each sensor's place, and its share of a force of 1 at the points (0, 0), (1, 0) and (0, 1), less the first.
    shares: Vec<(usize, [f64; 3])>,
}

/// The settings of the world of a simulated robot.
pub fn world_settings() -> WorldSettings {
    WorldSettings {
        step: STEP.seconds(),
        gravity: Vec3::new(0.0, 0.0, -GRAVITY),
        ground: Ground::level(FLOOR_FRICTION),
    }
}

impl SimPhysics {
    /// The bodies in their start posture, with joints where their motors are.
    pub(super) fn new(
        robot: RigidRobot,
        motors: &[Option<MotorState>],
    ) -> Result<SimPhysics, ModelError> {
        let mut world = PhysicsWorld::new(&robot.model, world_settings())?;
        world.set_air(Some(AIR));
        let colliders = robot.model.colliders.iter();
        let mut physics = SimPhysics {
            world,
            soles: ForceSole::all(&robot.sensors),
            floor: TiltingFloor::default(),
            link_of_shape: colliders.map(|collider| collider.link).collect(),
            readings: vec![0.0; robot.sensors.len()],
            dofs: robot.dofs,
            sensors: robot.sensors,
            links: robot.links,
            push: None,
            steadied: robot.start == BodyStart::Standing,
            pending: Span::ZERO,
        };
        for (dof, motor) in physics.dofs.iter().zip(motors) {
            if let (Some(dof), Some(motor)) = (dof, motor) {
                physics.world.place_joint(*dof, motor.position);
            }
        }
        physics.place(robot.start, robot.has_many_feet);
        physics.read();
        Ok(physics)
    }

    pub(super) fn world(&self) -> &PhysicsWorld {
        &self.world
    }

    fn place(&mut self, start: BodyStart, has_many_feet: bool) {
        if !self.world.has_free_link() {
            return;
        }
        let quarter = std::f64::consts::FRAC_PI_2;
        let turn = match (start, has_many_feet) {
            (BodyStart::LyingFront, false) => Rotation::about(Vec3::Y, quarter),
            (BodyStart::LyingBack, false) => Rotation::about(Vec3::Y, -quarter),
            (BodyStart::LyingBack, true) => Rotation::about(Vec3::X, 2.0 * quarter),
            _ => Rotation::NONE,
        };
        self.world
            .place_free_link(0, Transform::new(Vec3::ZERO, turn));
        let mut height = -self.world.lowest_point().unwrap_or(0.0);
        if start == BodyStart::Held {
            height += HELD_HEIGHT;
        }
        let pose = Transform::new(Vec3::new(0.0, 0.0, height), turn);
        self.world.place_free_link(0, pose);
        if start == BodyStart::Held {
            self.world.hold_free_link(0, Some(pose));
        }
    }

    /// Whether a joint of this actuator is simulated here.
    pub(super) fn moves(&self, actuator: usize) -> bool {
        self.dofs[actuator].is_some()
    }

    /// Advances by `elapsed`, with each motor driven as asked, and reads the sensors.
    pub(super) fn advance(
        &mut self,
        motors: &mut [Option<MotorState>],
        drives: &[MotorDrive],
        elapsed: Span,
    ) -> Result<(), StepError> {
        self.steadied &= drives.iter().all(|drive| drive.force < FULL_FORCE);
        if self.steadied {
            return Ok(());
        }
        self.pending = Span::from_nanos(self.pending.nanos() + elapsed.nanos()).min(LONGEST);
        while self.pending >= STEP {
            self.steadied &= drives.iter().all(|drive| drive.force < FULL_FORCE);
            if self.steadied {
                return Ok(());
            }
            self.pending = Span::from_nanos(self.pending.nanos() - STEP.nanos());
            self.step(motors, drives)?;
        }
        self.read();
        Ok(())
    }

    fn step(
        &mut self,
        motors: &mut [Option<MotorState>],
        drives: &[MotorDrive],
    ) -> Result<(), StepError> {
        for ((dof, motor), drive) in self.dofs.iter().zip(motors.iter()).zip(drives) {
            if let (Some(dof), Some(motor)) = (dof, motor) {
                self.world.command_motor(*dof, motor.command(drive));
                self.world.push_joint(*dof, motor.push_at_its_speed());
            }
        }
        self.turn_floor();
        self.apply_push();
        self.world.step()?;
        for (dof, motor) in self.dofs.iter().zip(motors) {
            if let (Some(dof), Some(motor)) = (dof, motor) {
                let (position, speed) = self.world.joint(*dof);
                let torque = self.world.motor_torque(*dof);
                motor.follow(position, speed, torque, STEP.seconds());
            }
        }
        Ok(())
    }

    /// Pushes one of the robot's links for a time, instead of an earlier push; false if there is no such link. The
    /// body's directions count: x is where it faces, z is up.
    pub(super) fn push(&mut self, link: usize, force: Vec3, lasts: Span) -> bool {
        let Some(&link) = self.links.get(link) else {
            return false;
        };
        if let Some(earlier) = self.push {
            self.world.push(earlier.link, Vec3::ZERO);
        }
        let ahead = self.world.direction(0, Vec3::X);
        let turn = Rotation::about(Vec3::Z, libm::atan2(ahead.y, ahead.x));
        self.push = Some(LinkPush {
            link,
            force: turn.turn(force),
            left: lasts,
        });
        true
    }

    /// Applies the push for a step: a hand cannot follow a link that is faster than itself.
    fn apply_push(&mut self) {
        let Some(LinkPush { link, force, left }) = self.push else {
            return;
        };
        if left == Span::ZERO {
            self.world.push(link, Vec3::ZERO);
            self.push = None;
            return;
        }
        let speed = self.world.motion(link, Vec3::ZERO).velocity;
        let along = speed.dot(force.unit());
        let share = (1.0 - along / HAND_SPEED).max(0.0).min(1.0);
        self.world.push(link, force * share);
        let left = Span::from_nanos(left.nanos().saturating_sub(STEP.nanos()));
        self.push = Some(LinkPush { link, force, left });
    }

    /// Lifts the body off the floor and holds it upright there, or lets go of it.
    pub(super) fn hold(&mut self, held: bool) {
        if !self.world.has_free_link() {
            return;
        }
        let pose = held.then(|| {
            let base = self.world.free_link(0);
            let ahead = self.world.direction(0, Vec3::X);
            let turn = Rotation::about(Vec3::Z, libm::atan2(ahead.y, ahead.x));
            let lift = HELD_HEIGHT - self.world.lowest_point().unwrap_or(0.0);
            Transform::new(base.at + Vec3::Z * lift.max(0.0), turn)
        });
        self.world.hold_free_link(0, pose);
    }

    /// Tilts the floor slowly about the place below the body, until it rises by this angle where the body faced at the
    /// start.
    pub(super) fn tilt_floor(&mut self, angle: f64) {
        let body = self.world.point(0, Vec3::ZERO);
        let normal = self.floor.normal();
        let below = normal.dot(body - self.floor.through) / normal.z;
        self.floor = TiltingFloor {
            through: body - Vec3::Z * below,
            wanted: angle,
            ..self.floor
        };
    }

    /// Turns the floor a little further.
    fn turn_floor(&mut self) {
        let TiltingFloor { angle, wanted, .. } = self.floor;
        if angle == wanted {
            return;
        }
        let most = TILT_SPEED * STEP.seconds();
        self.floor.angle += (wanted - angle).max(-most).min(most);
        let surface = Surface::Plane {
            normal: self.floor.normal(),
            through: self.floor.through,
        };
        // A finite angle below a right one, which the caller has checked, is always accepted.
        let _ = self.world.set_ground(Ground {
            surface,
            friction: FLOOR_FRICTION,
        });
    }

    /// What a sensor reads, if it feels the body.
    pub(super) fn reading(&self, sensor: usize) -> Option<f64> {
        self.sensors[sensor].map(|_| self.readings[sensor])
    }

    fn read(&mut self) {
        for (place, sensor) in self.sensors.iter().enumerate() {
            let Some(sensor) = sensor else { continue };
            let FeltSensor {
                link, at, along, ..
            } = *sensor;
            let reading = match sensor.quantity {
                FeltQuantity::Acceleration => {
                    let acceleration = self.world.motion(link, at).acceleration;
                    let felt = acceleration + Vec3::Z * GRAVITY;
                    felt.dot(self.world.direction(link, along))
                }
                FeltQuantity::Rotation => {
                    let speed = self.world.motion(link, at).angular_velocity;
                    speed.dot(self.world.direction(link, along))
                }
                FeltQuantity::Angle => angles(&self.world, link).dot(along),
                FeltQuantity::Touch => {
                    let (force, _) = self.forces_on(link);
                    f64::from(force.length() > TOUCH_MIN)
                }
                // Those of a sole are read together.
                FeltQuantity::Force | FeltQuantity::Load => continue,
            };
            self.readings[place] = reading;
        }
        for sole in &self.soles {
            let (force, moment) = self.forces_on(sole.link);
            sole.share(force.z, moment, &self.sensors, &mut self.readings);
        }
    }

    /// The force on a link, in its frame, and the sum of points times the force along z: where its pressure is.
    fn forces_on(&self, link: usize) -> (Vec3, Vec3) {
        let origin = self.world.point(link, Vec3::ZERO);
        let (mut sum, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for contact in self.world.contacts() {
            let is_over = self.link_of_shape[contact.over] == link;
            let is_under = contact.under.map(|shape| self.link_of_shape[shape]) == Some(link);
            if is_over == is_under {
                continue;
            }
            let sign = if is_over { 1.0 } else { -1.0 };
            let force = self.world.direction_in(link, contact.force * sign);
            let point = self.world.direction_in(link, contact.point - origin);
            sum += force;
            moment += point * force.z;
        }
        (sum, moment)
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
        // Enough to divide by where all sensors lie on a line: across it they share nothing.
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
