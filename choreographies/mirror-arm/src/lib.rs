//! Lets the left arm do what a hand does with the right one, as in a mirror: from a touch of the forehead to the next.
//! The right arm is limp meanwhile.
//!
//! For a body with four legs, use one follower for each leg that copies. If this guest is stopped in the midst of it,
//! the right arm of a NAO stays limp, because its stiffness is an actuator and keeps its value: play `power` to give
//! it force.

#![no_std]

use choreography::gains::GainSet;
use choreography::mirror::{MirrorFollower, NAO, other_side};
use choreography::prelude::*;

choreography! {
    /// Lets the left arm do what a hand does with the right one.
    motion MirrorArm as "mirror-arm";
    hooks pre_process;
    joints
        LShoulderPitch, LShoulderRoll, LElbowYaw, LElbowRoll, LWristYaw, LHand,
        RShoulderPitch, RShoulderRoll, RElbowYaw, RElbowRoll, RWristYaw, RHand,
        ShoulderPitchForce = "RShoulderPitchStiffness", ShoulderRollForce = "RShoulderRollStiffness",
        ElbowYawForce = "RElbowYawStiffness", ElbowRollForce = "RElbowRollStiffness",
        WristForce = "RWristYawStiffness", HandForce = "RHandStiffness";
    sensors
        Touch = "Head/Touch/Front",
        ShoulderPitchAngle = "RShoulderPitch", ShoulderRollAngle = "RShoulderRoll", ElbowYawAngle = "RElbowYaw",
        ElbowRollAngle = "RElbowRoll", WristAngle = "RWristYaw", HandAngle = "RHand";
    params Speed = "speed" from 0.05 to 0.8 usually 0.4;        // the share of what each joint can do
    topics Toggle = "mirror-arm/toggle";                        // as a touch
    fuel 100_000;
    loops;
}

static LEFT: [&Actuator; 6] = [
    &LShoulderPitch,
    &LShoulderRoll,
    &LElbowYaw,
    &LElbowRoll,
    &LWristYaw,
    &LHand,
];
static RIGHT: [&Actuator; 6] = [
    &RShoulderPitch,
    &RShoulderRoll,
    &RElbowYaw,
    &RElbowRoll,
    &RWristYaw,
    &RHand,
];
#[rustfmt::skip]
static FORCES: [&Actuator; 6] = [
    &ShoulderPitchForce, &ShoulderRollForce, &ElbowYawForce, &ElbowRollForce, &WristForce, &HandForce,
];
#[rustfmt::skip]
static ANGLES: [&Sensor; 6] = [
    &ShoulderPitchAngle, &ShoulderRollAngle, &ElbowYawAngle, &ElbowRollAngle, &WristAngle, &HandAngle,
];

/// Its state from turn to turn.
pub struct MirrorArm {
    right: GainSet<6>,
    left: MirrorFollower<6>,
    speed: f64,
    is_on: bool,
    was_touched: bool,
}

impl Motion for MirrorArm {
    fn start() -> MirrorArm {
        let signs = LEFT.map(|value| other_side(&NAO, value.name()).map_or(1.0, |side| side.1));
        MirrorArm {
            right: GainSet::new(RIGHT).stiffened_by(FORCES),
            left: MirrorFollower::new(LEFT, ANGLES, signs),
            speed: 0.0,
            is_on: false,
            was_touched: false,
        }
    }

    fn pre_process(&mut self, now: Instant) {
        if Speed.get().total_cmp(&self.speed).is_ne() {
            self.speed = Speed.get();
            self.left.set_speed_share(self.speed);
        }
        let touches = Touch.is_on();
        let was_touched = core::mem::replace(&mut self.was_touched, touches);
        self.is_on ^= touches && !was_touched;
        while let Some(event) = next_event() {
            self.is_on ^= event.is(&Toggle);
        }
        self.right.set_power(.., if self.is_on { 0.0 } else { 1.0 });
        self.right.step();
        if self.is_on {
            self.left.step(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_left_arm_is_the_right_one_in_a_mirror() {
        let mut stage = Rehearsal::of::<MirrorArm>(nao());
        stage.run_for(100.ms());
        assert_eq!(stage.driven(&LElbowRoll), None);
        stage.sensor(&Touch, 1.0);
        let pose = [0.2, -0.9, 0.7, 1.1, -0.5, 0.8];
        for _ in 0..300 {
            for (angle, value) in ANGLES.iter().zip(pose) {
                stage.sensor(angle, value);
            }
            stage.turn();
        }
        let left = LEFT.map(|value| stage.sent(value));
        assert_eq!(left, [0.2, 0.9, -0.7, -1.1, 0.5, 0.8]);
        for joint in LEFT {
            assert!(stage.fastest(joint) < 0.401 * joint.limits().velocity);
        }
        // The other one is limp: it is not driven, and is where the hand has it.
        for (joint, value) in RIGHT.iter().zip(pose) {
            assert_eq!((stage.driven(joint), stage.sent(joint)), (None, value));
        }
        assert!(FORCES.iter().all(|force| stage.sent(force) == 0.0));
        stage.sensor(&Touch, 0.0);
        stage.post("mirror-arm/toggle", 1.0);
        stage.run_for(100.ms());
        assert!(FORCES.iter().all(|force| stage.sent(force) == 1.0));
        assert_eq!(
            (stage.driven(&LElbowRoll), stage.sent(&RElbowRoll)),
            (None, 1.1)
        );
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_follows_a_hand_that_moves() {
        let mut stage = Rehearsal::of::<MirrorArm>(nao());
        stage.sensor_after(100.ms(), &Touch, 1.0);
        stage.run_for(2.s());
        for turn in 0..500u32 {
            let roll = -0.5 - 0.4 * (f64::from(turn) * 0.02).sin();
            stage.sensor(&ShoulderRollAngle, roll);
            stage.turn();
            assert!(turn < 50 || (stage.sent(&LShoulderRoll) + roll).abs() < 0.02);
        }
        stage.assert_nothing_clipped();
    }
}
