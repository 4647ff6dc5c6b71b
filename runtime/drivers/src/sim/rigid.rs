//! The simulated body as rigid bodies: what hangs on the motors, the floor, pushes, and hands that lift it.
//! Stepped by the simulated board. Without it each motor moves its own joint alone.

use cycle::{Span, named_enum};
use kinematics::{Rotation, Transform, Vec3};
use physics::{
    AirDrag, Ground, Model, ModelError, PhysicsWorld, StepError, Surface, WorldSettings,
};

use super::felt::{BodySensors, FeltSensor, GRAVITY};
use super::motor::{MotorDrive, MotorState};

/// The length of a step.
const STEP: Span = Span::from_millis(2);

/// The longest time that one turn simulates. After a longer stall the body goes on from where it was, because a turn
/// must not do the work of a hundred.
const LONGEST: Span = Span::from_millis(200);

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
    sensors: BodySensors,
    floor: TiltingFloor,
    links: Vec<usize>,
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

/// The settings of the world of a simulated robot.
fn world_settings() -> WorldSettings {
    WorldSettings {
        step: STEP.seconds(),
        gravity: Vec3::new(0.0, 0.0, -GRAVITY),
        ground: Ground::level(FLOOR_FRICTION),
    }
}

impl RigidRobot {
    /// How long a step takes on this machine, and how long it simulates, s. As few steps as a clock can measure,
    /// because the first motion waits for it.
    ///
    /// # Errors
    /// [`ModelError`]: the bodies are impossible.
    pub fn measure_step(&self) -> Result<(f64, f64), ModelError> {
        let mut world = PhysicsWorld::new(&self.model, world_settings())?;
        let begun = std::time::Instant::now();
        let mut steps = 0;
        while steps < 100 && begun.elapsed().as_millis() < 5 && world.step().is_ok() {
            steps += 1;
        }
        let each = begun.elapsed().as_secs_f64() / f64::from(steps.max(1));
        Ok((each, STEP.seconds()))
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
        let mut physics = SimPhysics {
            world,
            floor: TiltingFloor::default(),
            dofs: robot.dofs,
            sensors: BodySensors::of(robot.sensors, &robot.model),
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
        physics.sensors.read(&mut physics.world);
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
        self.sensors.read(&mut self.world);
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
        let share = (1.0 - along / HAND_SPEED).clamp(0.0, 1.0);
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
        self.sensors.reading(sensor)
    }
}
