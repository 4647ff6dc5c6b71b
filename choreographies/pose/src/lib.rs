//! Moves the arms and the head to a pose at limited speeds, and says when it is there: first when all of it is
//! commanded, then when the sensors have confirmed it, or when they did not in time.
//!
//! Poses are values with weights: one is made of two others here, and the head of a third is laid over it.

#![no_std]

use choreography::posture::{MoveStatus, Posture, PostureMove};
use choreography::prelude::*;

choreography! {
    /// Moves the arms and the head to a pose, and says when it is there.
    motion StrikePose as "pose";
    hooks pre_process, is_alive;
    joints LShoulderPitch, LShoulderRoll, RShoulderPitch, RShoulderRoll, HeadYaw, HeadPitch;
    sensors
        LPitchAngle = "LShoulderPitch", LRollAngle = "LShoulderRoll", RPitchAngle = "RShoulderPitch",
        RRollAngle = "RShoulderRoll", YawAngle = "HeadYaw", PitchAngle = "HeadPitch";
    params
        Raised = "raised" from 0.0 to 1.0 usually 1.0,          // 0 is the pose at rest
        Speed = "speed" from 0.05 to 0.8 usually 0.2,           // the share of what each joint can do
        Tolerance = "tolerance" from 0.005 to 0.5 usually 0.035, // radians
        Timeout = "timeout" from 0.1 to 10.0 usually 2.0,       // seconds
        Hold = "hold" from 0.0 to 1.0 usually 1.0;              // 0 lets go when all is commanded
    topics Arrived = "pose/arrived", Settled = "pose/settled", TimedOut = "pose/timed-out";
    fuel 30_000;
}

/// The places of the head.
const YAW: usize = 4;
const PITCH: usize = 5;

static JOINTS: [&Actuator; 6] = [
    &LShoulderPitch,
    &LShoulderRoll,
    &RShoulderPitch,
    &RShoulderRoll,
    &HeadYaw,
    &HeadPitch,
];

/// Its state from turn to turn.
pub struct StrikePose {
    body: PostureMove<6>,
    /// The values of `raised` and `speed` that it has taken.
    set: [f64; 2],
}

impl Motion for StrikePose {
    fn start() -> StrikePose {
        let body = PostureMove::new(JOINTS);
        let body = body.measured_by([
            &LPitchAngle,
            &LRollAngle,
            &RPitchAngle,
            &RRollAngle,
            &YawAngle,
            &PitchAngle,
        ]);
        let set = [f64::NAN; 2];
        StrikePose { body, set }
    }

    fn pre_process(&mut self, now: Instant) {
        self.obey();
        match self.body.step(now) {
            Some(MoveStatus::Arrived) => {
                Arrived.post(1.0);
            }
            Some(MoveStatus::Settled) => {
                Settled.post(1.0);
            }
            Some(MoveStatus::TimedOut) => {
                TimedOut.post(self.body.distance());
                warn!(
                    "a joint is ",
                    self.body.distance(),
                    " rad from where it should be"
                );
            }
            _ => {}
        }
    }

    fn is_alive(&self) -> bool {
        match self.body.status() {
            MoveStatus::Moving => true,
            MoveStatus::Arrived => self.body.hold,
            MoveStatus::Settled | MoveStatus::TimedOut => false,
        }
    }
}

impl StrikePose {
    /// Does what people have set.
    fn obey(&mut self) {
        let body = &mut self.body;
        body.tolerance = Tolerance.get();
        body.timeout = Timeout.get().s();
        body.hold = Hold.get() > 0.5;
        let set = [Raised.get(), Speed.get()];
        if self.set[1] != set[1] {
            body.set_speed_share(set[1]);
        }
        if self.set[0] != set[0] {
            body.set_target(pose(set[0]));
        }
        self.set = set;
    }
}

/// The arms this share of the way from rest to raised, and the head up.
fn pose(raised: f64) -> Posture<6> {
    let mut pose = Posture::of(JOINTS.map(|joint| joint.limits().rest));
    pose.average(&Posture::of([-1.0, 0.4, -1.0, -0.4, 0.0, 0.0]), raised);
    let mut looks_up = Posture::new(); // and says nothing about the arms
    looks_up.set(YAW, 0.0);
    looks_up.set(PITCH, -0.25);
    pose.overlay(&looks_up);
    pose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_does_what_is_set_while_it_moves() {
        let mut stage = Rehearsal::of::<StrikePose>(nao());
        stage.run_for(500.ms());
        stage.set_param("raised", 0.0);
        stage.set_param("speed", 0.4);
        stage.run_to_its_end(5.s());
        assert_eq!(stage.sent(&LShoulderPitch), LShoulderPitch.limits().rest);
        let share = stage.fastest(&LShoulderPitch) / LShoulderPitch.limits().velocity;
        assert!((share - 0.4).abs() < 0.01, "{share}");
    }

    #[test]
    fn it_goes_there_at_its_speed_and_ends_when_sensors_confirm_it() {
        let mut stage = Rehearsal::of::<StrikePose>(nao());
        stage.pose(&[
            ("LShoulderPitch", 1.9),
            ("HeadYaw", -1.5),
            ("HeadPitch", 0.1),
        ]);
        stage.run_to_its_end(5.s());
        assert_eq!(
            (stage.sent(&LShoulderPitch), stage.sent(&RShoulderRoll)),
            (-1.0, -0.4)
        );
        assert_eq!((stage.sent(&HeadYaw), stage.sent(&HeadPitch)), (0.0, -0.25));
        for joint in [&LShoulderPitch, &HeadYaw] {
            let share = stage.fastest(joint) / joint.limits().velocity;
            assert!((share - 0.2).abs() < 1e-6);
        }
        assert_eq!(
            (stage.posted(&Arrived).len(), stage.posted(&Settled).len()),
            (1, 1)
        );
        stage.assert_nothing_clipped();
    }

    #[test]
    fn a_joint_that_is_held_back_in_either_direction_is_told() {
        for wrong in [0.2, -0.2] {
            let mut stage = Rehearsal::of::<StrikePose>(nao());
            let start = stage.now();
            while !stage.is_over() {
                let place = stage.sent(&HeadYaw) + wrong;
                stage.sensor(&YawAngle, place);
                stage.turn();
            }
            assert!(stage.posted(&Settled).is_empty());
            let told = stage.posted(&TimedOut);
            assert!(told.len() == 1 && (told[0] - 0.2).abs() < 1e-9);
            assert!(stage.now() - start > 2.s());
        }
    }

    #[test]
    fn it_mixes_poses_and_lets_go_at_once_if_it_does_not_hold() {
        let mut stage = Rehearsal::of::<StrikePose>(nao());
        stage.set_param("raised", 0.5);
        stage.set_param("hold", 0.0);
        stage.run_to_its_end(5.s());
        assert!((stage.sent(&LShoulderPitch) - 0.2).abs() < 1e-9);
        assert_eq!(
            (stage.posted(&Arrived).len(), stage.posted(&Settled).len()),
            (1, 0)
        );
    }
}
