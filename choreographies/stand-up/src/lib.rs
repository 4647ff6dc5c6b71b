//! Stands up in safe steps, from any position of the legs, then ends.
//!
//! A score: it runs beside the loop, sends a step, sleeps until it is done, checks it, and goes on. Poses are tables;
//! each step takes as long as its longest movement needs.

#![no_std]

use choreography::prelude::*;

choreography! {
    /// Stands up in safe stages, from wherever the legs are.
    score StandUp as "stand-up";
    joints
        HeadYaw, HeadPitch,
        LShoulderPitch, LShoulderRoll, LElbowYaw, LElbowRoll, RShoulderPitch, RShoulderRoll, RElbowYaw, RElbowRoll,
        LHipYawPitch, LHipRoll, LHipPitch, LKneePitch, LAnklePitch, LAnkleRoll,
        RHipRoll, RHipPitch, RKneePitch, RAnklePitch, RAnkleRoll;
    sensors LeftFoot = "LFoot/FSR/TotalWeight", RightFoot = "RFoot/FSR/TotalWeight";
    params Pace = "pace" from 0.05 to 0.3 usually 0.12;         // the share of a joint's maximum velocity
}

type Pose<const N: usize> = [(&'static Actuator, f64); N];

/// Arms at the sides, head up: out of the way of the legs.
static ARMS: Pose<10> = [
    (&HeadYaw, 0.0),
    (&HeadPitch, 0.0),
    (&LShoulderPitch, 1.4),
    (&LShoulderRoll, 0.26),
    (&LElbowYaw, -1.39),
    (&LElbowRoll, -1.03),
    (&RShoulderPitch, 1.4),
    (&RShoulderRoll, -0.26),
    (&RElbowYaw, 1.39),
    (&RElbowRoll, 1.03),
];

/// Legs, by the flexion of hips, knees and ankles; nothing sideways.
fn legs([hip, knee, ankle]: [f64; 3]) -> Pose<11> {
    [
        (&LHipYawPitch, 0.0),
        (&LHipRoll, 0.0),
        (&LHipPitch, hip),
        (&LKneePitch, knee),
        (&LAnklePitch, ankle),
        (&LAnkleRoll, 0.0),
        (&RHipRoll, 0.0),
        (&RHipPitch, hip),
        (&RKneePitch, knee),
        (&RAnklePitch, ankle),
        (&RAnkleRoll, 0.0),
    ]
}

const CROUCH: [f64; 3] = [-0.7, 2.11, -1.18];
const READY: [f64; 3] = [-0.44, 0.7, -0.35];
const STAND: [f64; 3] = [-0.13, -0.09, 0.09];

/// Knees that bend further than this must first come under the body, all the way down.
const DEEP: f64 = 1.0;
/// The minimum load of both feet when the robot stands on them, kg.
const ON_ITS_FEET: f64 = 1.5;

/// Stands up.
pub struct StandUp;

impl Score for StandUp {
    fn run() {
        while body_state() != State::Running {
            sleep(100.ms());
        }
        go(&ARMS);
        let knees = LKneePitch.sent().max(RKneePitch.sent());
        if knees > DEEP {
            say!("the knees bend by ", knees, ": it crouches first");
            go(&legs(CROUCH));
        }
        if LeftFoot.read() + RightFoot.read() < ON_ITS_FEET {
            warn!("nothing carries it: it does not stand up in the air");
            return;
        }
        go(&legs(READY));
        go(&legs(STAND));
        say!("it stands");
    }
}

/// Moves to a pose, all joints together, and sleeps until it is reached.
fn go(pose: &[(&Actuator, f64)]) {
    sleep_until(strike(pose, Pace.get(), 500.ms()) + 200.ms());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands(stage: &Rehearsal) -> bool {
        let there = |pose: Pose<11>| {
            pose.iter()
                .all(|(joint, value)| (stage.sent(*joint) - value).abs() < 1e-9)
        };
        there(legs(STAND))
    }

    #[test]
    fn it_stands_up_from_its_crouch() {
        let mut stage = Rehearsal::of::<StandUp>(nao());
        stage.run_to_its_end(15.s());
        assert!(stands(&stage));
        assert!(stage.log().iter().any(|item| item == "it stands"));
        // It rises slowly, and never goes down further.
        assert!(stage.fastest("LKneePitch") < 1.6);
        assert!(stage.highest("LKneePitch") <= 2.11);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_stands_up_from_anywhere_at_any_pace() {
        for (knee, pace) in [(2.0, 0.3), (0.3, 0.3), (1.2, 0.05), (-0.05, 0.12)] {
            let mut stage = Rehearsal::of::<StandUp>(nao());
            stage.set_param("pace", pace);
            stage.pose(&[
                ("LKneePitch", knee),
                ("RKneePitch", knee),
                ("LHipRoll", 0.2),
                ("LShoulderPitch", -1.5),
            ]);
            stage.run_to_its_end(60.s());
            assert!(stands(&stage), "from {knee}");
            stage.assert_nothing_clipped();
        }
    }

    #[test]
    fn it_keeps_its_feet_flat_on_the_way_up() {
        let mut stage = Rehearsal::of::<StandUp>(nao());
        stage.run_to_its_end(15.s());
        let (hip, knee, ankle) = (
            stage.course("LHipPitch"),
            stage.course("LKneePitch"),
            stage.course("LAnklePitch"),
        );
        for ((hip, knee), ankle) in hip.iter().zip(&knee).zip(&ankle) {
            assert!(
                (hip + knee + ankle).abs() < 0.3,
                "the torso tilts by {}",
                hip + knee + ankle
            );
        }
    }

    #[test]
    fn it_does_not_stand_up_in_the_air() {
        let mut stage = Rehearsal::of::<StandUp>(nao());
        stage.sensor(&LeftFoot, 0.0);
        stage.sensor(&RightFoot, 0.0);
        stage.run_to_its_end(10.s());
        assert!(
            stage
                .log()
                .iter()
                .any(|text| text.starts_with("warning: nothing carries it"))
        );
        assert!(!stands(&stage));
    }

    #[test]
    fn it_waits_until_the_body_may_move() {
        let mut stage = Rehearsal::of::<StandUp>(nao());
        stage.set_state(State::Holding);
        stage.run_for(5.s());
        assert_eq!(stage.fastest("LShoulderRoll"), 0.0);
        stage.set_state(State::Running);
        stage.run_to_its_end(20.s());
    }
}
