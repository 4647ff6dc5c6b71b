//! An arm that reaches at limited speeds, and the gripper at its end.
//! Called by motions, in every turn.
//! An arm moves nothing before it is told to, no joint is faster than its speed, and each reach begins where
//! the arm was last sent. What is out of reach is approached, and told.
//!
//! ```
//! use choreography::arm::{Arm, Gripper};
//! use choreography::kinematics::nao;
//! use choreography::prelude::*;
//!
//! choreography! {
//!     /// Reaches forwards with an open hand.
//!     motion Offer as "offer";
//!     hooks pre_process, is_alive;
//!     limbs RArm = nao::RIGHT_HAND;
//!     joints RHand;
//! }
//!
//! struct Offer {
//!     arm: Arm<5>,
//!     hand: Gripper,
//! }
//!
//! impl Motion for Offer {
//!     fn start() -> Offer {
//!         let (mut arm, mut hand) = (Arm::new(&RArm), Gripper::new(&RHand));
//!         arm.reach_speed = 1.0; // rad/s
//!         if !arm.reach([0.15, -0.1, 0.1]).is_reached() {
//!             say!("that is too far");
//!         }
//!         hand.open(1.0);
//!         Offer { arm, hand }
//!     }
//!     fn pre_process(&mut self, now: Instant) {
//!         self.arm.step(now);
//!         self.hand.step(now);
//!     }
//!     fn is_alive(&self) -> bool {
//!         self.arm.is_alive() || self.hand.is_alive()
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Offer>(nao());
//! stage.run_to_its_end(5.s());
//! assert!((RArm.tip().z - 0.1).abs() < 1e-3 && stage.sent("RHand") == 1.0);
//! assert!(stage.log().is_empty());
//! stage.assert_nothing_clipped();
//! ```

use core::ops::Range;

use crate::kinematics::{BodyLimb, Goal, LimbMove, Reachability, Rotation, Solution, Vec3};
use crate::posture::{MoveStatus, PostureMove};
use crate::time::Instant;

mod fingers;
mod gripper;

pub use fingers::Fingers;
pub use gripper::{Grip, Gripper};

/// How far the sensors of an arm may be from its target, rad.
const TOLERANCE: f64 = 0.05;

/// An arm of `N` joints. At first its joints have no target, so that others can move them.
#[derive(Clone, Debug)]
pub struct Arm<const N: usize> {
    /// The speed of a reach: of each joint, rad/s. Default: 0.3. No joint is faster than it can be.
    pub reach_speed: f64,
    /// The speed of joints that are set to values, rad/s. Default: 0.4.
    pub joint_speed: f64,
    /// The movement of the joints: its tolerance (0.05 rad), its timeout (2 s), whether it holds, its sensors. The arm
    /// sets its speeds and its target.
    pub motion: PostureMove<N>,
    limb: &'static BodyLimb<N>,
}

impl<const N: usize> Arm<N> {
    /// The arm of this limb.
    pub fn new(limb: &'static BodyLimb<N>) -> Arm<N> {
        let mut motion = PostureMove::new(limb.actuators());
        motion.tolerance = TOLERANCE;
        Arm {
            reach_speed: 0.3,
            joint_speed: 0.4,
            motion,
            limb,
        }
    }

    /// Its limb.
    pub const fn limb(&self) -> &'static BodyLimb<N> {
        self.limb
    }

    /// Moves one joint to a value, within its range.
    pub fn set_joint(&mut self, place: usize, value: impl Into<f64>) {
        self.set_speeds(place..place.saturating_add(1), self.joint_speed);
        let value = self.within_range(place, value.into());
        self.motion.set(place, value);
    }

    /// Moves its first joints to values: three, or all.
    pub fn set_joints<const M: usize>(&mut self, values: [impl Into<f64>; M]) {
        for (place, value) in values.into_iter().enumerate() {
            self.set_joint(place, value);
        }
    }

    /// Moves its last joints to values: those of the wrist.
    pub fn set_wrist<const M: usize>(&mut self, values: [impl Into<f64>; M]) {
        let before = self.limb.joint_count().saturating_sub(M);
        for (place, value) in values.into_iter().enumerate() {
            self.set_joint(before + place, value);
        }
    }

    /// Brings its tip to a place, m from the root.
    pub fn reach(&mut self, at: impl Into<Vec3>) -> Solution<N> {
        self.go(self.limb.reach(at))
    }

    /// Brings another point to a place: `offset` from the tip, in the frame of the link, m.
    pub fn reach_with(&mut self, offset: impl Into<Vec3>, at: impl Into<Vec3>) -> Solution<N> {
        let goal = self.offset_goal(offset, at);
        self.go(self.limb.toward(goal))
    }

    /// The same, and turns the link so, seen from the root. Where both cannot be, both count: an error of 1 rad as much
    /// as one of half the arm's length.
    pub fn reach_turned(
        &mut self,
        offset: impl Into<Vec3>,
        at: impl Into<Vec3>,
        turn: Rotation,
    ) -> Solution<N> {
        let goal = self.offset_goal(offset, at);
        self.go(self.limb.toward(goal).turned(turn))
    }

    /// Goes wherever a movement of its limb leads: with other goals, or less exactly.
    pub fn go(&mut self, wanted: LimbMove<'_, N>) -> Solution<N> {
        let found = wanted.solution();
        self.go_to(&found);
        found
    }

    /// Goes to a solution that was looked at before: so it is not solved twice. One of a refused request moves nothing.
    pub fn go_to(&mut self, found: &Solution<N>) {
        if !matches!(found.end, Reachability::Refused(_)) {
            self.set_speeds(0..N, self.reach_speed);
            for (place, value) in found.values().iter().enumerate() {
                self.motion.set(place, *value);
            }
        }
    }

    /// Leaves its joints to others, until it is told to move again.
    pub fn release(&mut self) {
        let mut target = *self.motion.target();
        target.clear();
        self.motion.set_target(target);
    }

    /// Stops where it has been commanded so far.
    pub fn freeze(&mut self) {
        self.motion.freeze();
    }

    /// Moves on, and drives the joints: see [`PostureMove::step`]. Call it once in every turn.
    pub fn step(&mut self, now: Instant) -> Option<MoveStatus> {
        self.motion.step(now)
    }

    /// For the hook `is_alive`: see [`PostureMove::is_alive`].
    pub fn is_alive(&self) -> bool {
        self.motion.is_alive()
    }

    fn offset_goal(&self, offset: impl Into<Vec3>, at: impl Into<Vec3>) -> Goal {
        let limb = self.limb.limb();
        Goal::point_of(limb.end(), limb.tip() + offset.into(), at)
    }

    /// Sets speeds, none of them beyond what the joint can do.
    fn set_speeds(&mut self, places: Range<usize>, speed: f64) {
        for (place, joint) in self.limb.actuators().into_iter().enumerate() {
            if places.contains(&place) {
                let most = joint.limits().velocity;
                let speed = if speed > 0.0 { speed.min(most) } else { most };
                self.motion.set_speed(place, speed);
            }
        }
    }

    fn within_range(&self, place: usize, value: f64) -> f64 {
        let joints = self.limb.actuators();
        let limits = joints.get(place).map(|joint| joint.limits());
        // A limit that is NaN is none; a value that is NaN stays so, and moves nothing.
        limits.map_or(value, |limit| {
            if value.is_nan() {
                value
            } else {
                value.max(limit.lowest).min(limit.highest)
            }
        })
    }
}
