//! Gives all joints their force softly: it grows with the square of the time, and is all there after two seconds.
//!
//! Joints that get their force at once jerk to where they were sent. Play it when the robot starts. It ends by itself;
//! then the joints have their usual force.

#![no_std]

use choreography::gains::{GainSet, PowerFade};
use choreography::prelude::*;

choreography! {
    /// Gives all joints their force softly.
    motion PowerUp as "power-up";
    hooks pre_process, is_alive;
    joints
        HeadYaw, HeadPitch, LShoulderPitch, LShoulderRoll, LElbowYaw, LElbowRoll, LWristYaw, LHand,
        RShoulderPitch, RShoulderRoll, RElbowYaw, RElbowRoll, RWristYaw, RHand, LHipYawPitch, LHipRoll,
        LHipPitch, LKneePitch, LAnklePitch, LAnkleRoll, RHipRoll, RHipPitch, RKneePitch, RAnklePitch,
        RAnkleRoll;
    joints
        HeadYawForce = "HeadYawStiffness", HeadPitchForce = "HeadPitchStiffness",
        LShoulderPitchForce = "LShoulderPitchStiffness", LShoulderRollForce = "LShoulderRollStiffness",
        LElbowYawForce = "LElbowYawStiffness", LElbowRollForce = "LElbowRollStiffness",
        LWristYawForce = "LWristYawStiffness", LHandForce = "LHandStiffness",
        RShoulderPitchForce = "RShoulderPitchStiffness", RShoulderRollForce = "RShoulderRollStiffness",
        RElbowYawForce = "RElbowYawStiffness", RElbowRollForce = "RElbowRollStiffness",
        RWristYawForce = "RWristYawStiffness", RHandForce = "RHandStiffness",
        LHipYawPitchForce = "LHipYawPitchStiffness", LHipRollForce = "LHipRollStiffness",
        LHipPitchForce = "LHipPitchStiffness", LKneePitchForce = "LKneePitchStiffness",
        LAnklePitchForce = "LAnklePitchStiffness", LAnkleRollForce = "LAnkleRollStiffness",
        RHipRollForce = "RHipRollStiffness", RHipPitchForce = "RHipPitchStiffness",
        RKneePitchForce = "RKneePitchStiffness", RAnklePitchForce = "RAnklePitchStiffness",
        RAnkleRollForce = "RAnkleRollStiffness";
    params Takes = "takes" from 0.2 to 10.0 usually 2.0;        // seconds
    topics Powered = "powered";
    fuel 100_000;
    priority 102.0;                                             // above the emergency stop
}

#[rustfmt::skip]
static JOINTS: [&Actuator; 25] = [
    &HeadYaw, &HeadPitch, &LShoulderPitch, &LShoulderRoll, &LElbowYaw, &LElbowRoll, &LWristYaw, &LHand,
    &RShoulderPitch, &RShoulderRoll, &RElbowYaw, &RElbowRoll, &RWristYaw, &RHand, &LHipYawPitch, &LHipRoll,
    &LHipPitch, &LKneePitch, &LAnklePitch, &LAnkleRoll, &RHipRoll, &RHipPitch, &RKneePitch, &RAnklePitch,
    &RAnkleRoll,
];
#[rustfmt::skip]
static FORCES: [&Actuator; 25] = [
    &HeadYawForce, &HeadPitchForce, &LShoulderPitchForce, &LShoulderRollForce, &LElbowYawForce,
    &LElbowRollForce, &LWristYawForce, &LHandForce, &RShoulderPitchForce, &RShoulderRollForce, &RElbowYawForce,
    &RElbowRollForce, &RWristYawForce, &RHandForce, &LHipYawPitchForce, &LHipRollForce, &LHipPitchForce,
    &LKneePitchForce, &LAnklePitchForce, &LAnkleRollForce, &RHipRollForce, &RHipPitchForce, &RKneePitchForce,
    &RAnklePitchForce, &RAnkleRollForce,
];

/// Its state from turn to turn.
pub struct PowerUp {
    body: GainSet<25>,
    /// `None` before its first turn.
    fade: Option<PowerFade>,
}

impl Motion for PowerUp {
    fn start() -> PowerUp {
        PowerUp {
            body: GainSet::new(JOINTS).stiffened_by(FORCES),
            fade: None,
        }
    }

    fn pre_process(&mut self, now: Instant) {
        let begins = || PowerFade::beginning(now).lasting(Takes.get().s());
        let fade = *self.fade.get_or_insert_with(begins);
        self.body.set_power(.., fade.power(now));
        self.body.step();
        if fade.is_over(now) {
            Powered.post(1.0);
        }
    }

    fn is_alive(&self) -> bool {
        self.fade.is_none_or(|it| !it.is_over(now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use choreography::rehearsal::Body;

    #[test]
    fn the_force_grows_with_the_square_of_the_time() {
        let mut stage = Rehearsal::of::<PowerUp>(nao());
        let took = stage.run_to_its_end(3.s());
        assert_eq!(took, 2140.ms()); // four buffers of waiting, and the first turn
        for force in FORCES {
            let course = stage.course(force);
            for (turn, power) in course.iter().enumerate() {
                let after = f64::max(turn as f64 * 0.01 - 0.128, 0.0);
                assert!((power - (after / 2.0).min(1.0).powi(2)).abs() < 1e-6);
            }
        }
        assert_eq!(
            (stage.sent(&HeadYawForce), stage.posted(&Powered).len()),
            (1.0, 1)
        );
        stage.assert_nothing_clipped();
    }

    #[test]
    fn a_joint_without_force_is_where_a_hand_has_it_when_it_gets_some() {
        let mut stage = Rehearsal::of::<PowerUp>(nao());
        stage.turn();
        stage.sensor("RElbowRoll", 1.2);
        stage.run_to_its_end(3.s());
        assert_eq!(
            (stage.sent(&RElbowRoll), stage.fastest(&RElbowRoll)),
            (1.2, 0.0)
        );
    }

    #[test]
    fn a_body_with_gains_gets_its_gains() {
        let body = Body::new(10.ms()).joint("HeadYaw", -1.0..=1.0, 2.0, 0.0);
        let mut stage = Rehearsal::of::<PowerUp>(body);
        stage.set_param("takes", 1.0);
        stage.run_for(630.ms());
        let [p, i, d, weight] = stage.gains(&HeadYaw).unwrap_or_default();
        assert!(
            (p - 0.2421).abs() < 1e-3 && p == i && i == d && weight == 1.0,
            "{p}"
        );
    }
}
