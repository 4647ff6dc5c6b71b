//! Sets the force of the head, the arms and the legs, each by a parameter: 1 is all of it, and 0 makes them limp.
//!
//! A part of a show for people who handle the robot: without force a hand can put an arm somewhere. Gains hold for one
//! turn, so it asks for them in each. A change takes half a second, so that nothing falls or jerks.

#![no_std]

use choreography::Param;
use choreography::gains::GainSet;
use choreography::prelude::*;

choreography! {
    /// Sets the force of the head, the arms and the legs.
    motion PowerDial as "power";
    hooks pre_process;
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
    params
        Head = "head" from 0.0 to 1.0 usually 1.0,
        Arms = "arms" from 0.0 to 1.0 usually 1.0,
        Legs = "legs" from 0.0 to 1.0 usually 1.0;
    fuel 100_000;
    loops;
}

/// The head, the arms, and the legs.
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

/// How fast the force changes, all of it in a second.
const RATE: f64 = 2.0;

/// Its state from turn to turn.
pub struct PowerDial {
    body: GainSet<25>,
    /// The force of each joint.
    levels: [f64; 25],
    /// Whether it has seen what force they had before.
    has_begun: bool,
    last: Instant,
}

impl Motion for PowerDial {
    fn start() -> PowerDial {
        PowerDial {
            body: GainSet::new(JOINTS).stiffened_by(FORCES),
            levels: [1.0; 25],
            has_begun: false,
            last: now(),
        }
    }

    fn pre_process(&mut self, now: Instant) {
        let most = RATE * (now - self.last).seconds();
        self.last = now;
        if !self.has_begun {
            // A limp joint gets its force slowly, too.
            self.has_begun = true;
            let sent = FORCES.map(Actuator::sent);
            self.levels = sent.map(|level| if level.is_finite() { level } else { 1.0 });
        }
        let [head, arms, legs] = [&Head, &Arms, &Legs].map(Param::get);
        for (place, level) in self.levels.iter_mut().enumerate() {
            let wanted = match place {
                0..2 => head,
                2..14 => arms,
                _ => legs,
            };
            *level += (wanted - *level).clamp(-most, most);
            self.body.set_power(place..=place, *level);
        }
        self.body.step();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_force() {
        let mut stage = Rehearsal::of::<PowerDial>(nao());
        stage.set_param("arms", 0.3);
        stage.set_param("legs", 0.8);
        stage.run_for(1.s());
        for (place, force) in FORCES.iter().enumerate() {
            let expected = match force.name() {
                name if name.starts_with("Head") => 1.0,
                name if ["Shoulder", "Elbow", "Wrist", "Hand"]
                    .iter()
                    .any(|of| name.contains(of)) =>
                {
                    0.3
                }
                _ => 0.8,
            };
            assert!(
                (stage.sent(force) - expected).abs() < 1e-9,
                "{}",
                JOINTS[place].name()
            );
        }
        stage.assert_nothing_clipped();
    }

    #[test]
    fn started_on_limp_joints_it_gives_them_force_slowly() {
        let mut stage = Rehearsal::of::<PowerDial>(nao());
        let limp = [&HeadYawForce, &RElbowYawForce, &LKneePitchForce];
        stage.pose(&limp.map(|limp| (limp.name(), 0.0)));
        stage.run_for(250.ms());
        for force in limp {
            assert!((stage.sent(force) - 0.5).abs() < 0.03, "{}", force.name());
        }
        assert_eq!(stage.sent(&LElbowYawForce), 1.0);
        stage.run_for(300.ms());
        for force in limp {
            assert_eq!(stage.sent(force), 1.0);
            let course = stage.course(force);
            let steps = course.windows(2).map(|value| (value[1] - value[0]).abs());
            assert!(steps.fold(0.0, f64::max) <= 0.02 + 1e-9);
        }
    }

    #[test]
    fn a_limp_arm_stays_where_a_hand_has_put_it() {
        let mut stage = Rehearsal::of::<PowerDial>(nao());
        stage.set_param("arms", 0.0);
        stage.run_for(1.s());
        stage.sensor("RShoulderPitch", -0.5);
        stage.run_for(100.ms());
        stage.set_param("arms", 1.0);
        stage.run_for(1.s());
        assert_eq!(stage.sent(&RShoulderPitch), -0.5);
        let course = stage.course(&RShoulderPitchForce);
        assert!(
            course
                .windows(2)
                .all(|value| (value[1] - value[0]).abs() <= 0.02 + 1e-9)
        );
    }
}
