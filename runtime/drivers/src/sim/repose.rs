//! Whether a simulated body has come to rest, so that nothing of it need be computed until something changes.
//! Most of the time a robot stands still, and dry friction, which the world softens, would let it creep for seconds.

use physics::PhysicsWorld;

use super::motor::MotorDrive;

/// The greatest speed at rest, rad/s or m/s.
const SPEED: f64 = 1e-3;

/// The greatest acceleration at rest, rad/s² or m/s²: at a turning point it is greater.
const ACCELERATION: f64 = 5e-3;

/// How much the force of a motor may change: the heat that limits it is measured with noise.
const FORCE_CHANGE: f64 = 0.05;

/// For how many steps a body must be calm until it rests.
const CALM_STEPS: u32 = 100;

/// What of a body must stay as it is for the body to rest.
#[derive(Debug)]
pub(super) struct Repose {
    drives: Vec<MotorDrive>,
    calm_steps: u32,
}

impl Repose {
    /// Of a body with so many actuators.
    pub(super) fn new(actuators: usize) -> Repose {
        Repose {
            drives: vec![MotorDrive::default(); actuators],
            calm_steps: 0,
        }
    }

    /// Ends it: something acts on the body.
    pub(super) fn disturb(&mut self) {
        self.calm_steps = 0;
    }

    /// Whether the body rests, with its motors driven like this.
    pub(super) fn lasts(&mut self, drives: &[MotorDrive]) -> bool {
        let mut pairs = self.drives.iter().zip(drives);
        if !pairs.all(|(before, now)| is_close(before, now)) {
            self.drives.copy_from_slice(drives);
            self.calm_steps = 0;
        }
        self.calm_steps >= CALM_STEPS
    }

    /// Counts a step that the world has made.
    pub(super) fn observe(&mut self, world: &PhysicsWorld) {
        let slow = |speed: &f64| speed.abs() < SPEED;
        let steady = |rate: &f64| rate.abs() < ACCELERATION;
        let is_calm = world.speeds().iter().all(slow) && world.accelerations().iter().all(steady);
        self.calm_steps = if is_calm { self.calm_steps + 1 } else { 0 };
    }
}

/// Whether a motor is driven as before.
fn is_close(before: &MotorDrive, now: &MotorDrive) -> bool {
    let change = (before.force - now.force).abs();
    before.target == now.target && before.is_wheel == now.is_wheel && change < FORCE_CHANGE
}
