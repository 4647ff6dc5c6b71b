//! Gives all joints their force softly: it grows with the square of the time, and is all there after two seconds.
//!
//! Joints that get their force at once jerk to where they were sent. Play it when joints are limp. It ends by itself;
//! then all have their usual force. A joint whose stiffness is known keeps what it has: a robot that stands must not
//! fall.

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
    /// The levels with which the joints begin.
    from: [f64; 25],
}

impl Motion for PowerUp {
    fn start() -> PowerUp {
        PowerUp {
            body: GainSet::new(JOINTS).stiffened_by(FORCES),
            fade: None,
            from: [0.0; 25],
        }
    }

    fn pre_process(&mut self, now: Instant) {
        let fade = match self.fade {
            Some(fade) => fade,
            None => {
                // What has no stiffness of its own (NaN) has gains, which nobody can read: they begin at nothing.
                self.from = FORCES.map(|force| force.sent().max(0.0));
                PowerFade::beginning(now).lasting(Takes.get().s())
            }
        };
        self.fade = Some(fade);
        let power = fade.power(now);
        for (place, from) in self.from.into_iter().enumerate() {
            self.body
                .set_power(place..=place, from + (1.0 - from) * power);
        }
        self.body.step();
        if fade.is_over(now) {
            Powered.post(1.0);
        }
    }

    fn is_alive(&self) -> bool {
        self.fade.is_none_or(|fade| !fade.is_over(now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use choreography::rehearsal::Body;

    /// A NAO that is limp.
    fn limp() -> Rehearsal {
        let mut stage = Rehearsal::of::<PowerUp>(nao());
        FORCES.iter().for_each(|force| stage.put(force, 0.0));
        stage
    }

    #[test]
    fn the_force_grows_with_the_square_of_the_time() {
        let mut stage = limp();
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
        let mut stage = limp();
        stage.turn();
        stage.sensor("RElbowRoll", 1.2);
        stage.run_to_its_end(3.s());
        assert_eq!(
            (stage.sent(&RElbowRoll), stage.fastest(&RElbowRoll)),
            (1.2, 0.0)
        );
    }

    #[test]
    fn a_joint_that_has_force_keeps_it() {
        let mut stage = limp();
        stage.put(&LKneePitchForce, 0.6);
        stage.run_to_its_end(3.s());
        assert_eq!(
            (stage.lowest(&LKneePitchForce), stage.sent(&LKneePitchForce)),
            (0.6, 1.0)
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
