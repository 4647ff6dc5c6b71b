//! The simulated body as rigid bodies: what hangs on the motors, the floor, pushes, and hands that lift it.
//! Stepped by the simulated board. Without it each motor moves its own joint alone.

use std::collections::BTreeSet;

use cycle::Span;
use kinematics::{Rotation, Transform, Vec3};
use physics::{AirDrag, Model, ModelError, PhysicsWorld, Shape, StepError};

use super::felt::{BodySensors, FeltQuantity};
use super::floor::TiltingFloor;
use super::motor::{MotorDrive, MotorState};
use super::rigid_robot::{BodyStart, RigidRobot, STEP, world_settings};
use super::script::EventError;
use super::sleep::SleepState;
use super::stance::{POINTS_MAX, standing};

/// The most boxes that can move.
pub const BOXES_MAX: usize = 8;

/// The most steps, and boxes that cannot move.
pub const STEPS_MAX: usize = 16;

/// The numbers of a box in the state of a world: its pose and its speeds.
const BOX_STATE_LEN: usize = 13;

/// The longest time that one turn simulates. After a longer stall the body goes on from where it was, because a turn
/// must not do the work of a hundred.
const LONGEST: Span = Span::from_millis(200);

/// The speed at which a hand can no longer push, m/s.
const HAND_SPEED: f64 = 3.0;

/// At 2 m/s, the speed of a NAO that falls over, it carries a hundredth of the weight.
const AIR: AirDrag = AirDrag {
    fall_speed: 20.0,
    spin_speed: 50.0,
    spin_loss: 20.0,
};

/// How high a held body hangs above the floor, m.
const HELD_HEIGHT: f64 = 0.2;

/// The steps in which a standing body settles before the first turn.
const SETTLING_STEPS: usize = 100;

/// The share of a motor's strength from which a standing body is no longer steadied.
const FULL_FORCE: f64 = 0.95;

/// The rigid bodies of a simulated robot.
#[derive(Debug)]
pub(super) struct SimPhysics {
    pub(super) world: PhysicsWorld,
    dofs: Vec<Option<usize>>,
    sensors: BodySensors,
    pub(super) floor: TiltingFloor,
    links: Vec<usize>,
    push: Option<LinkPush>,
    /// Whether somebody still steadies the body: nothing moves.
    steadied: bool,
    pub(super) sleep: SleepState,
    /// Room for a state of the world.
    pub(super) state: Vec<f64>,
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

impl SimPhysics {
    /// The bodies in their start posture, with joints where their motors are.
    pub(super) fn new(
        robot: RigidRobot,
        motors: &[Option<MotorState>],
    ) -> Result<SimPhysics, ModelError> {
        let mut world = PhysicsWorld::new(&robot.model, world_settings())?;
        world.set_air(Some(AIR));
        world.reserve_boxes(BOXES_MAX, STEPS_MAX);
        let mut physics = SimPhysics {
            world,
            floor: TiltingFloor::default(),
            dofs: robot.dofs,
            sensors: BodySensors::of(robot.sensors, &robot.model),
            links: robot.links,
            push: None,
            steadied: false,
            sleep: SleepState::new(motors.len()),
            state: Vec::new(),
            pending: Span::ZERO,
        };
        for (dof, motor) in physics.dofs.iter().zip(motors) {
            if let (Some(dof), Some(motor)) = (dof, motor) {
                physics.world.place_joint(*dof, motor.position);
            }
        }
        let stance = match robot.start {
            BodyStart::Sitting => physics.stance(&robot.model, physics.lowest_points(&robot.model)),
            _ => physics.stance(&robot.model, physics.feet_points(&robot.feet)),
        };
        let feet = robot.feet.iter().map(|(link, _)| link);
        let has_many_feet = feet.collect::<BTreeSet<_>>().len() > 2;
        physics.place(robot.start, has_many_feet, stance);
        physics.state = vec![0.0; physics.world.state_len()];
        physics.state.reserve_exact(BOXES_MAX * BOX_STATE_LEN);
        let is_steadied = matches!(robot.start, BodyStart::Standing | BodyStart::Sitting);
        physics.steadied = is_steadied && physics.world.has_free_link();
        if physics.steadied {
            physics.settle(motors);
        } else {
            physics.sensors.read(&mut physics.world);
        }
        Ok(physics)
    }

    pub(super) fn world(&self) -> &PhysicsWorld {
        &self.world
    }

    /// Lets a standing body press the floor as it will, with stiff joints, so that its sensors read that from the
    /// first turn on. It starts from where it was placed.
    fn settle(&mut self, motors: &[Option<MotorState>]) {
        self.world.write_state(&mut self.state);
        for (dof, motor) in self.dofs.iter().zip(motors) {
            if let (Some(dof), Some(motor)) = (dof, motor) {
                let drive = MotorDrive {
                    target: motor.position,
                    force: 1.0,
                    is_wheel: false,
                };
                self.world.command_motor(*dof, motor.command(&drive));
            }
        }
        for _ in 0..SETTLING_STEPS {
            if self.world.step().is_err() {
                break;
            }
        }
        self.sensors.read(&mut self.world);
        let _ = self.world.read_state(&self.state);
    }

    fn feet_points(&self, feet: &[(usize, Vec3)]) -> Vec<Vec3> {
        let points = feet.iter();
        points
            .map(|(link, point)| self.world.point(*link, *point))
            .collect()
    }

    /// The lowest points of all shapes, the lowest ones first.
    fn lowest_points(&self, model: &Model) -> Vec<Vec3> {
        let shapes = model.colliders.iter().filter(|shape| shape.meets_ground);
        let mut points: Vec<Vec3> = shapes
            .flat_map(|collider| {
                let place = |point: Vec3, radius: f64| {
                    self.world.point(collider.link, point) - Vec3::Z * radius
                };
                match &collider.shape {
                    Shape::Capsule { from, to, radius } => {
                        vec![place(*from, *radius), place(*to, *radius)]
                    }
                    Shape::Hull { corners } => corners.iter().map(|c| place(*c, 0.0)).collect(),
                    Shape::Wheel { center, radius, .. } => vec![place(*center, *radius)],
                    Shape::Box { .. } => Vec::new(),
                }
            })
            .collect();
        points.sort_by(|one, other| one.z.total_cmp(&other.z));
        points.truncate(POINTS_MAX);
        points
    }

    /// The rotation with which the body rests on these points.
    fn stance(&self, model: &Model, points: Vec<Vec3>) -> Rotation {
        let (mut center, mut mass) = (Vec3::ZERO, 0.0);
        for (number, link) in model.links.iter().enumerate() {
            center += self.world.point(number, link.center) * link.mass;
            mass += link.mass;
        }
        standing(&points, center * (1.0 / mass))
    }

    fn place(&mut self, start: BodyStart, has_many_feet: bool, stance: Rotation) {
        if !self.world.has_free_link() {
            return;
        }
        let quarter = std::f64::consts::FRAC_PI_2;
        let turn = match (start, has_many_feet) {
            (BodyStart::LyingFront, false) => Rotation::about(Vec3::Y, quarter),
            (BodyStart::LyingBack, false) => Rotation::about(Vec3::Y, -quarter),
            (BodyStart::LyingBack, true) => Rotation::about(Vec3::X, 2.0 * quarter),
            (BodyStart::Standing | BodyStart::Sitting, _) => stance,
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
        if self.push.is_some() || self.floor.is_moving() {
            self.sleep.wake();
        }
        if self.sleep.is_asleep(drives) {
            for (dof, motor) in self.dofs.iter().zip(motors) {
                if let (Some(_), Some(motor)) = (dof, motor) {
                    motor.rest(elapsed.min(LONGEST).seconds());
                }
            }
            return Ok(());
        }
        self.pending = Span::from_nanos(self.pending.nanos() + elapsed.nanos()).min(LONGEST);
        while self.pending >= STEP {
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
        if let Some(ground) = self.floor.turn(STEP) {
            // The caller has checked the angle, so the ground is sound.
            let _ = self.world.set_ground(ground);
        }
        self.apply_push();
        self.world.step()?;
        self.sleep.observe(&self.world);
        for (dof, motor) in self.dofs.iter().zip(motors) {
            if let (Some(dof), Some(motor)) = (dof, motor) {
                let (position, speed) = self.world.joint(*dof);
                let torque = self.world.motor_torque(*dof);
                motor.follow(position, speed, torque, STEP.seconds());
            }
        }
        Ok(())
    }

    /// Pushes one of the robot's links for a time, instead of an earlier push. The body's directions count: x is where
    /// it faces, z is up.
    pub(super) fn push(&mut self, link: usize, force: Vec3, lasts: Span) -> Result<(), EventError> {
        let link = *self.links.get(link).ok_or(EventError::NotSimulated)?;
        if let Some(earlier) = self.push {
            self.world.push(earlier.link, Vec3::ZERO);
        }
        self.disturb();
        self.push = Some(LinkPush {
            link,
            force: self.heading().turn(force),
            left: lasts,
        });
        Ok(())
    }

    /// Ends steadying and sleep: somebody acts on the body.
    pub(super) fn disturb(&mut self) {
        self.steadied = false;
        self.sleep.wake();
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
        self.disturb();
        if !self.world.has_free_link() {
            return;
        }
        let ground = self.ground_below_body();
        let pose = held.then(|| {
            let base = self.world.free_link(0);
            let upright = Transform::new(Vec3::ZERO, self.heading());
            self.world.write_state(&mut self.state);
            self.world.place_free_link(0, upright);
            let lowest = self.world.lowest_point().unwrap_or(0.0);
            // It was written by this world.
            let _ = self.world.read_state(&self.state);
            let height = ground + HELD_HEIGHT - lowest;
            Transform::new(Vec3::new(base.at.x, base.at.y, height), upright.turn)
        });
        self.world.hold_free_link(0, pose);
    }

    /// The rotation about the vertical towards which the body faces, or its head points if it lies.
    pub(super) fn heading(&self) -> Rotation {
        let ahead = self.world.direction(0, Vec3::X);
        let is_level = ahead.z.abs() < 0.9;
        let ahead = if is_level {
            ahead
        } else {
            self.world.direction(0, Vec3::Z)
        };
        Rotation::about(Vec3::Z, libm::atan2(ahead.y, ahead.x))
    }

    /// Tilts the floor slowly about the place below the body, until it rises by this angle where the body faced at the
    /// start.
    pub(super) fn tilt_floor(&mut self, angle: f64) {
        self.floor.tilt(self.world.point(0, Vec3::ZERO), angle);
    }

    /// What a sensor reads, if it feels the body.
    pub(super) fn reading(&self, sensor: usize) -> Option<(FeltQuantity, f64)> {
        self.sensors.reading(sensor)
    }
}
