//! A world that is stepped through time: bodies, motors and contacts.
//! A step is a function of positions, speeds, motors and pushes alone; the first two are its state. After `new` and
//! `reserve_boxes` nothing is allocated, and the work of a step is bounded by the number of coordinates, pairs and
//! contacts.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use kinematics::{Rotation, Transform, Vec3};

use crate::box_counts::BoxCounts;
use crate::ground::Ground;
use crate::linear::{factor, solve};
use crate::model::{DofModel, Model, ModelError};
use crate::overlap::{TOUCHES_MAX, Touches};
use crate::solver::StepProblem;
use crate::touch::Shapes;
use crate::tree::Tree;

/// A speed that only a world that explodes reaches, m/s or rad/s. It keeps positions finite for months.
const SPEED_MAX: f64 = 1e6;

/// What holds for the whole world.
#[derive(Clone, Debug)]
pub struct WorldSettings {
    /// The length of a step, s.
    pub step: f64,
    /// m/s².
    pub gravity: Vec3,
    /// The ground.
    pub ground: Ground,
}

/// The drag of the air on bodies that move freely. It grows with the square of the speed: next to nothing where robots
/// walk and fall, it keeps a body that is thrown or slides down a long slope at speeds that steps can follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AirDrag {
    /// The speed at which it carries a body's weight, m/s.
    pub fall_speed: f64,
    /// The speed of rotation at which it slows a body by `spin_loss`, rad/s.
    pub spin_speed: f64,
    /// rad/s².
    pub spin_loss: f64,
}

/// A command for a motor: a spring towards its target and a brake towards its speed, within its torques.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotorCommand {
    /// rad or m.
    pub target: f64,
    /// Torque for each rad of error, N·m/rad; zero for a wheel.
    pub stiffness: f64,
    /// The speed at which the brake rests, rad/s or m/s: zero, but for a wheel.
    pub speed: f64,
    /// Torque for each rad/s of difference, N·m·s/rad.
    pub damping: f64,
    /// The least torque and the greatest, N·m. A motor without torque is limp.
    pub torques: (f64, f64),
}

/// A point in which two shapes touched in the last step.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// The shape below; the ground if missing.
    pub under: Option<usize>,
    /// The shape above.
    pub over: usize,
    /// Where, in the world.
    pub point: Vec3,
    /// How deep they overlapped, m.
    pub depth: f64,
    /// The force on the shape above, in the world's directions, N.
    pub force: Vec3,
}

/// How a point of a link moves, in the world's directions.
#[derive(Clone, Copy, Debug)]
pub struct PointMotion {
    /// m/s.
    pub velocity: Vec3,
    /// rad/s.
    pub angular_velocity: Vec3,
    /// m/s². What an accelerometer reads is this less gravity.
    pub acceleration: Vec3,
}

/// A step whose result is not finite, or faster than anything can be. The world is as it was before the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepError;

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the simulated world exploded: a speed is beyond all bounds")
    }
}

impl core::error::Error for StepError {}

/// Bodies and the ground, in one moment.
#[derive(Clone, Debug)]
pub struct PhysicsWorld {
    pub(crate) settings: WorldSettings,
    pub(crate) tree: Tree,
    pub(crate) shapes: Shapes,
    pub(crate) dofs: Vec<DofModel>,
    /// Poses of the free links, in their order.
    pub(crate) bases: Vec<Transform>,
    /// How many of them belong to the model: their coordinates come before those of joints, and those of boxes after.
    pub(crate) model_bases: usize,
    pub(crate) box_counts: BoxCounts,
    /// By coordinate; the coordinates of free links are not used.
    pub(crate) positions: Vec<f64>,
    pub(crate) speeds: Vec<f64>,
    pub(crate) accelerations: Vec<f64>,
    pub(crate) motors: Vec<MotorCommand>,
    pub(crate) pushes: Vec<Vec3>,
    /// Torques from outside, by degree of freedom.
    pub(crate) joint_pushes: Vec<f64>,
    /// Where free links are held, in their order.
    pub(crate) holds: Vec<Option<Transform>>,
    pub(crate) air: Option<AirDrag>,
    pub(crate) touches: Touches,
    pub(crate) problem: StepProblem,
    /// How easily a link gives way, by link, and a coordinate, by coordinate: in the pose of zeros.
    pub(crate) link_weights: Vec<f64>,
    pub(crate) weights: Vec<f64>,
    pub(crate) rounds: usize,
}

impl PhysicsWorld {
    /// A world of this model, at rest: all joints at 0, free links at the origin.
    ///
    /// # Errors
    /// [`ModelError`]: the model or the settings are invalid.
    pub fn new(model: &Model, settings: WorldSettings) -> Result<PhysicsWorld, ModelError> {
        model.check()?;
        let is_step = settings.step > 0.0 && settings.step <= 0.02;
        if !(is_step && settings.gravity.is_finite() && settings.ground.is_sound()) {
            return Err(ModelError::Number("world".into()));
        }
        let shapes = Shapes::new(model)?;
        let (size, links) = (model.size(), model.links.len());
        let free = model.free_links().count();
        let mut world = PhysicsWorld {
            tree: Tree::new(model),
            shapes,
            dofs: model.dofs.clone(),
            bases: vec![Transform::NONE; free],
            model_bases: free,
            box_counts: BoxCounts::default(),
            positions: vec![0.0; size],
            speeds: vec![0.0; size],
            accelerations: vec![0.0; size],
            motors: vec![MotorCommand::default(); model.dofs.len()],
            pushes: vec![Vec3::ZERO; links],
            joint_pushes: vec![0.0; model.dofs.len()],
            holds: vec![None; free],
            air: None,
            touches: Touches::new(),
            problem: StepProblem::new(size, TOUCHES_MAX),
            link_weights: vec![0.0; links],
            weights: vec![0.0; size],
            rounds: 0,
            settings,
        };
        world.tree.place(&world.bases, &world.positions);
        world.weigh();
        Ok(world)
    }

    /// Computes the weights of rows, once.
    fn weigh(&mut self) {
        let size = self.tree.size;
        let mut factored = vec![0.0; size * size];
        self.tree.mass_matrix(&mut factored);
        factor(&mut factored, size);
        for coordinate in 0..size {
            let mut column = vec![0.0; size];
            column[coordinate] = 1.0;
            solve(&factored, size, &mut column);
            self.weights[coordinate] = column[coordinate];
        }
        for link in 0..self.link_weights.len() {
            let center = self.tree.center(link);
            let mut sum = 0.0;
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let mut row = vec![0.0; size];
                for freedom in self.tree.chain(link) {
                    let lever = self.tree.lever(link, *freedom, center);
                    row[self.tree.freedoms[*freedom].coordinate] += lever.dot(axis);
                }
                let mut solved = row.clone();
                solve(&factored, size, &mut solved);
                sum += row.iter().zip(&solved).map(|(a, b)| a * b).sum::<f64>();
            }
            self.link_weights[link] = sum / 3.0;
        }
    }

    /// The coordinate of the first joint.
    pub(crate) fn first_dof(&self) -> usize {
        6 * self.model_bases
    }

    /// The first of a free link's six coordinates.
    pub(crate) fn base_coordinate(&self, number: usize) -> usize {
        if number < self.model_bases {
            6 * number
        } else {
            6 * number + self.dofs.len()
        }
    }

    /// Sets what a motor does from now on.
    pub fn command_motor(&mut self, dof: usize, command: MotorCommand) {
        self.motors[dof] = command;
    }

    /// Pushes a link at its centre of mass from now on, N; zero ends the push.
    pub fn push(&mut self, link: usize, force: Vec3) {
        self.pushes[link] = force;
    }

    /// Pushes a joint from outside with this torque from now on, N·m or N.
    pub fn push_joint(&mut self, dof: usize, torque: f64) {
        self.joint_pushes[dof] = torque;
    }

    /// Holds a free link from now on as a strong hand would, or lets go of it. It reaches the pose within about a
    /// second; `number` counts the free links.
    pub fn hold_free_link(&mut self, number: usize, pose: Option<Transform>) {
        self.holds[number] = pose;
    }

    /// Sets the drag of the air; `None` for no air.
    pub fn set_air(&mut self, air: Option<AirDrag>) {
        self.air = air;
    }

    /// Changes the ground. Returns false and keeps the old ground if the new one is invalid.
    #[must_use]
    pub fn set_ground(&mut self, ground: Ground) -> bool {
        let is_sound = ground.is_sound();
        if is_sound {
            self.settings.ground = ground;
        }
        is_sound
    }

    /// Makes one step.
    ///
    /// # Errors
    /// [`StepError`]: the result is not finite, and the world has not changed.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.prepare();
        // A start from zero makes the step a function of the state alone.
        self.accelerations.fill(0.0);
        let rounds = self.problem.minimize(&mut self.accelerations);
        let step = self.settings.step;
        let mut speeds = self.speeds.iter().zip(&self.accelerations);
        // Written this way, the comparison also rejects NaN.
        let is_sane = speeds.all(|(speed, rate)| (speed + step * rate).abs() < SPEED_MAX);
        let Some(rounds) = rounds.filter(|_| is_sane) else {
            self.forget_results();
            return Err(StepError);
        };
        self.rounds = rounds;
        self.advance();
        Ok(())
    }

    /// Moves everything by one step: first speeds, then positions.
    fn advance(&mut self) {
        let (step, first) = (self.settings.step, self.first_dof());
        for (speed, rate) in self.speeds.iter_mut().zip(&self.accelerations) {
            *speed += step * rate;
        }
        for index in 0..self.bases.len() {
            let from = self.base_coordinate(index);
            let base = &mut self.bases[index];
            let speed = |row: usize| self.speeds[from + row];
            let linear = Vec3::new(speed(0), speed(1), speed(2));
            let angular = Vec3::new(speed(3), speed(4), speed(5));
            base.at += linear * step;
            base.turn = turned(base.turn, angular * step);
        }
        let joints = first..first + self.dofs.len();
        let positions = self.positions[joints.clone()].iter_mut();
        for (position, speed) in positions.zip(&self.speeds[joints]) {
            *position += step * speed;
        }
        self.tree.place(&self.bases, &self.positions);
    }
}

/// A rotation, turned further by a rotation vector in the world's directions.
fn turned(rotation: Rotation, by: Vec3) -> Rotation {
    let angle = by.length();
    let turn = if angle < 1e-12 {
        Rotation::of_parts([1.0, 0.5 * by.x, 0.5 * by.y, 0.5 * by.z])
    } else {
        Rotation::about(by * (1.0 / angle), angle)
    };
    (turn * rotation).renewed()
}
