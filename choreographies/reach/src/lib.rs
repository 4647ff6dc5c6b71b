//! Reaches for a place with the right hand, grasps there, and comes back.
//!
//! The SDK's arm and gripper, and a state: each step begins when the one before has arrived. The place is given by
//! parameters; a touch of the head begins. A place that is too far is told before anything moves. The hand closes until
//! it feels something: a NAO does not measure the current of its hand, so that here it is a touch of the hand's side.

#![no_std]

use choreography::arm::{Arm, Grip, Gripper};
use choreography::kinematics::nao;
use choreography::posture::MoveStatus;
use choreography::prelude::*;

choreography! {
    /// Reaches for a place with the right hand when its head is touched, and grasps there.
    motion Reach as "reach";
    hooks pre_process;
    limbs RArm = nao::RIGHT_HAND;
    joints RHand;
    sensors Touch = "Head/Touch/Front", Opening = "RHand", Side = "RHand/Touch/Left";
    params
        X = "x" from 0.0 to 0.3 usually 0.17,                   // metres before the torso,
        Y = "y" from -0.3 to 0.1 usually -0.1,                  // to the left of it,
        Z = "z" from -0.1 to 0.3 usually 0.06,                  // above it
        Speed = "speed" from 0.1 to 3.0 usually 1.0;            // radians per second
    topics Grasped = "grasped";                                 // 1 if there was something, else 0
    fuel 3_000_000;
    loops;
    fade_out 500 ms;
}

/// How near to the place is near enough, m.
const NEAR: f64 = 0.005;

/// What the sensor of the hand reads when there is something.
const TOUCHED: f64 = 1.0;

/// Its state from turn to turn.
pub struct Reach {
    arm: Arm<5>,
    hand: Gripper,
    /// The values of the arm before it reached.
    home: [f64; 5],
    step: Step,
}

/// What it does.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    /// It waits for a touch.
    Waits,
    /// The arm goes to the place, and the hand opens.
    Reaches,
    /// The hand closes.
    Grasps,
    /// The arm comes back.
    Returns,
    /// Whoever touched its head still does.
    Done,
}

impl Motion for Reach {
    fn start() -> Reach {
        Reach {
            arm: Arm::new(&RArm),
            hand: Gripper::new(&RHand).measured_by(&Opening, &Side),
            home: [0.0; 5],
            step: Step::Waits,
        }
    }

    fn pre_process(&mut self, now: Instant) {
        (self.arm.reach_speed, self.arm.joint_speed) = (Speed.get(), Speed.get());
        let has_arrived = self.arm.step(now) == Some(MoveStatus::Arrived);
        self.hand.step(now);
        self.step = match self.step {
            Step::Waits if Touch.is_on() => self.begin(),
            Step::Reaches if has_arrived => self.grasp(),
            Step::Grasps if self.hand.grip() != Grip::Closing => self.come_back(),
            Step::Returns if has_arrived => {
                self.arm.release(); // others may move it now
                Step::Done
            }
            Step::Done if !Touch.is_on() => Step::Waits,
            same => same,
        };
    }
}

impl Reach {
    fn begin(&mut self) -> Step {
        let place = [X.get(), Y.get(), Z.get()];
        self.home = RArm.sent();
        let found = RArm.reach(place).within(NEAR).solution();
        if !found.is_reached() {
            say!("that is ", found.residual.distance, " m too far");
            return Step::Done;
        }
        self.arm.go_to(&found);
        self.hand.open(1.0);
        Step::Reaches
    }

    /// Closes the hand until it feels something; without a sensor, closes it.
    fn grasp(&mut self) -> Step {
        if !self.hand.close_to_load(TOUCHED).is_done() {
            self.hand.open(0.0);
        }
        Step::Grasps
    }

    fn come_back(&mut self) -> Step {
        Grasped.post(f64::from(u8::from(self.hand.grip() == Grip::Holds)));
        self.arm.set_joints(self.home);
        Step::Returns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(place: [f64; 3]) -> f64 {
        (RArm.tip() - place.into()).length()
    }

    #[test]
    fn it_reaches_grasps_and_comes_back() {
        let mut stage = Rehearsal::of::<Reach>(nao());
        stage.run_for(1.s());
        assert_eq!(stage.fastest("RShoulderPitch"), 0.0);
        stage.sensor(&Touch, 1.0);
        let mut nearest = f64::INFINITY;
        while stage.posted(&Grasped).is_empty() {
            stage.turn();
            nearest = nearest.min(off([0.17, -0.1, 0.06]));
            // What it grasps is so thick that the hand stays half open.
            let is_felt = stage.sent(&RHand) < 0.5 && stage.highest(&RHand) == 1.0;
            stage.sensor(&Side, if is_felt { 1.0 } else { 0.0 });
        }
        assert!(nearest < NEAR);
        assert_eq!(stage.posted(&Grasped), [1.0]);
        stage.run_for(5.s());
        assert_eq!(stage.sent("RShoulderPitch"), 1.4);
        assert!(stage.sent(&RHand) > 0.3);
        for joint in RArm.actuators() {
            assert!(stage.fastest(joint) < 1.001);
        }
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_says_that_there_was_nothing() {
        let mut stage = Rehearsal::of::<Reach>(nao());
        stage.sensor(&Touch, 1.0);
        stage.run_for(10.s());
        assert_eq!(stage.posted(&Grasped), [0.0]);
        assert_eq!(stage.sent(&RHand), 0.0);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn what_is_too_far_is_told_and_nothing_moves() {
        let mut stage = Rehearsal::of::<Reach>(nao());
        stage.set_param("z", 0.3);
        stage.set_param("x", 0.3);
        stage.sensor(&Touch, 1.0);
        stage.run_for(2.s());
        assert!(stage.log()[0].contains("m too far"), "{:?}", stage.log());
        assert_eq!(stage.fastest("RShoulderPitch"), 0.0);
    }

    #[test]
    fn it_does_what_it_can_without_a_wrist() {
        let mut stage = Rehearsal::of::<Reach>(nao().without("RWristYaw"));
        stage.sensor(&Touch, 1.0);
        stage.run_for(10.s());
        assert_eq!(stage.posted(&Grasped), [0.0]);
        assert_eq!(stage.sent(&RHand), 0.0);
    }
}
