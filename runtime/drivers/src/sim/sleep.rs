//! Whether a simulated body sleeps: it has come to rest, and is not stepped until something changes.
//! Most of the time a robot stands still, and dry friction, which the world softens, would let it creep for seconds.

use physics::PhysicsWorld;

use super::motor::MotorDrive;

/// The greatest speed at rest, rad/s or m/s.
const SPEED: f64 = 1e-3;

/// The greatest acceleration at rest, rad/s² or m/s²: at a turning point it is greater.
const ACCELERATION: f64 = 5e-3;

/// How much the force of a motor may change: the heat that limits it is measured with noise.
const FORCE_CHANGE: f64 = 0.05;

/// For how many steps a body must be at rest until it sleeps.
const STEPS_UNTIL_SLEEP: u32 = 100;

/// For how long a body has been at rest, and how its motors were driven meanwhile.
#[derive(Debug)]
pub(super) struct SleepState {
    drives: Vec<MotorDrive>,
    steps_at_rest: u32,
}

impl SleepState {
    /// Of a body with so many actuators.
    pub(super) fn new(actuators: usize) -> SleepState {
        SleepState {
            drives: vec![MotorDrive::default(); actuators],
            steps_at_rest: 0,
        }
    }

    /// Something acts on the body.
    pub(super) fn wake(&mut self) {
        self.steps_at_rest = 0;
    }

    /// Whether the body sleeps while its motors are driven like this.
    pub(super) fn is_asleep(&mut self, drives: &[MotorDrive]) -> bool {
        let mut pairs = self.drives.iter().zip(drives);
        if !pairs.all(|(before, now)| is_close(before, now)) {
            self.drives.copy_from_slice(drives);
            self.steps_at_rest = 0;
        }
        self.steps_at_rest >= STEPS_UNTIL_SLEEP
    }

    /// Counts a step that the world has made.
    pub(super) fn observe(&mut self, world: &PhysicsWorld) {
        let slow = |speed: &f64| speed.abs() < SPEED;
        let steady = |rate: &f64| rate.abs() < ACCELERATION;
        let is_at_rest =
            world.speeds().iter().all(slow) && world.accelerations().iter().all(steady);
        self.steps_at_rest = if is_at_rest {
            self.steps_at_rest + 1
        } else {
            0
        };
    }
}

/// Whether a motor is driven as before, and neither went limp nor turns a wheel, however slowly.
fn is_close(before: &MotorDrive, now: &MotorDrive) -> bool {
    let is_limp = now.force == 0.0;
    let turns = now.is_wheel && now.target != 0.0;
    let change = (before.force - now.force).abs();
    !turns
        && before.target == now.target
        && before.is_wheel == now.is_wheel
        && is_limp == (before.force == 0.0)
        && change < FORCE_CHANGE
}
