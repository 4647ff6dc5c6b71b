//! The head pointer: a neck that turns at limited speeds to values, to places or along directions.
//! Called by motions, in every turn.
//! Whatever is asked, the head goes there from where it was last sent, and no joint is faster than its speed.
//! What it cannot look at, it looks at as nearly as it can.
//!
//! ```
//! use choreography::head::HeadPointer;
//! use choreography::kinematics::nao;
//! use choreography::prelude::*;
//!
//! choreography! {
//!     /// Looks at what lies to the left before it, and ends when it does.
//!     motion Peer as "peer";
//!     hooks pre_process, is_alive;
//!     limbs Head = nao::HEAD;
//! }
//!
//! struct Peer(HeadPointer<2>);
//!
//! impl Motion for Peer {
//!     fn start() -> Peer {
//!         let mut head = HeadPointer::new(&Head);
//!         head.motion.set_speeds(.., 1.0);
//!         head.look_at([0.5, 0.3, 0.1]); // m from the torso
//!         Peer(head)
//!     }
//!     fn pre_process(&mut self, now: Instant) {
//!         self.0.step(now);
//!     }
//!     fn is_alive(&self) -> bool {
//!         self.0.is_alive()
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Peer>(nao());
//! stage.run_to_its_end(2.s());
//! assert!(stage.sent("HeadYaw") > 0.5 && stage.fastest("HeadYaw") < 1.001);
//! stage.assert_nothing_clipped();
//! ```

use crate::kinematics::{
    BodyLimb, Goal, LimbMove, Reachability, Residual, Solution, Transform, Vec3,
};
use crate::maths::TAU;
use crate::posture::{MoveStatus, Posture, PostureMove};
use crate::time::Instant;

/// How far the sensors of a head may be from its target, rad.
const TOLERANCE: f64 = 0.05;

/// A head that points at something. `N` is the number of the joints of its neck.
///
/// Calls of [`HeadPointer::look_at`] and the like set a target; [`HeadPointer::step`] goes towards it. Each returns
/// what is left at the end: a place behind the head is not looked at, but the head still turns as near to it as it can.
#[derive(Clone, Debug)]
pub struct HeadPointer<const N: usize> {
    /// The movement of the neck: its speeds, its tolerance (0.05 rad), its timeout (2 s), whether it holds, its
    /// sensors. At first its speeds are those that the joints can do.
    pub motion: PostureMove<N>,
    limb: &'static BodyLimb<N>,
}

/// Where a head will look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadAim {
    /// Whether it will look as it was asked to.
    pub end: Reachability,
    /// What will be left: the angle between its axis and the way to the place, and how much nearer or farther it is
    /// than it was asked to be.
    pub residual: Residual,
}

impl HeadAim {
    /// Whether it will look as it was asked to.
    pub fn is_reached(&self) -> bool {
        self.end == Reachability::Reached
    }
}

impl<const N: usize> HeadPointer<N> {
    /// The head of this limb. It has no target yet, so it moves nothing.
    pub fn new(limb: &'static BodyLimb<N>) -> HeadPointer<N> {
        let mut motion = PostureMove::new(limb.actuators());
        motion.tolerance = TOLERANCE;
        HeadPointer { motion, limb }
    }

    /// Its limb.
    pub const fn limb(&self) -> &'static BodyLimb<N> {
        self.limb
    }

    /// Turns one joint to a value. A value out of its range is replaced by the limit that is nearer to it as an angle:
    /// a head that should turn by 200° turns as far as it can to the other side.
    pub fn set_joint(&mut self, place: usize, value: impl Into<f64>) {
        self.motion
            .set(place, self.within_range(place, value.into()));
    }

    /// Turns all joints, in the order of the limb, each as [`HeadPointer::set_joint`] does.
    pub fn set_joints(&mut self, values: [impl Into<f64>; N]) {
        let mut place = 0;
        let values = values.map(|value| {
            place += 1;
            self.within_range(place - 1, value.into())
        });
        self.set_target(Posture::of(values));
    }

    /// Looks at a place, m from the root.
    pub fn look_at(&mut self, at: impl Into<Vec3>) -> HeadAim {
        self.aim(self.limb.look_at(at))
    }

    /// Looks at a place, with the eye at this distance of it, m. If it cannot be there, it looks at the place from
    /// where it can.
    pub fn look_at_from(&mut self, at: impl Into<Vec3>, distance: f64) -> HeadAim {
        let at = at.into();
        let (limb, start) = (self.limb.limb(), self.limb.sent());
        // The eye is there, and looks there, if the point so far before it is the place.
        let before = limb.tip() + limb.sight() * distance;
        let both = Goal::point_of(limb.end(), before, at);
        let found = self.limb.toward(both).solution_from(&start);
        match found.end {
            Reachability::Reached => return self.take(&found),
            // A number that is none: it looks nowhere.
            Reachability::Refused(_) => {
                return HeadAim {
                    end: found.end,
                    residual: found.residual,
                };
            }
            _ => {}
        }
        let nearest = self.limb.look_at(at).solution_from(&start);
        let aim = self.take(&nearest);
        let eye = self.limb.pose_of(&nearest).point(limb.tip());
        let distance = crate::maths::abs((at - eye).length() - distance);
        let end = match aim.end {
            Reachability::Reached => Reachability::Closest,
            other => other,
        };
        let residual = Residual {
            distance,
            ..aim.residual
        };
        HeadAim { end, residual }
    }

    /// Looks along a direction of any length, seen from the root.
    pub fn look_in_direction(&mut self, direction: impl Into<Vec3>) -> HeadAim {
        self.aim(self.limb.look_along(direction))
    }

    /// Looks at the tip of a limb, where it was last sent: at a hand. In each turn, it follows it.
    pub fn look_at_limb<const M: usize>(&mut self, other: &BodyLimb<M>) -> HeadAim {
        self.look_at(other.tip())
    }

    /// Stops where it has been commanded so far.
    pub fn freeze(&mut self) {
        self.motion.freeze();
    }

    /// Its target is what the sensors measure.
    pub fn take_snapshot(&mut self) {
        self.motion.take_snapshot();
    }

    /// Moves on, and drives the joints: see [`PostureMove::step`]. Call it once in every turn.
    pub fn step(&mut self, now: Instant) -> Option<MoveStatus> {
        self.motion.step(now)
    }

    /// For the hook `is_alive`: see [`PostureMove::is_alive`].
    pub fn is_alive(&self) -> bool {
        self.motion.is_alive()
    }

    /// Where the head is when it has arrived, seen from the root.
    pub fn target_pose(&self) -> Transform {
        let joints = self.limb.actuators();
        self.motion.target().pose_of(&joints, self.limb)
    }

    fn aim(&mut self, wanted: LimbMove<'static, N>) -> HeadAim {
        let found = wanted.solution();
        self.take(&found)
    }

    /// Makes a solution the target, unless the request made no sense.
    fn take(&mut self, found: &Solution<N>) -> HeadAim {
        if !matches!(found.end, Reachability::Refused(_)) {
            let mut target = *self.motion.target();
            for (place, value) in found.values().iter().enumerate() {
                target.set(place, *value);
            }
            self.set_target(target);
        }
        HeadAim {
            end: found.end,
            residual: found.residual,
        }
    }

    /// A target that is the same goes on: what follows something tells its arrival once.
    fn set_target(&mut self, target: Posture<N>) {
        if *self.motion.target() != target {
            self.motion.set_target(target);
        }
    }

    fn within_range(&self, place: usize, value: f64) -> f64 {
        let joints = self.limb.actuators();
        let limits = joints.get(place).map(|joint| joint.limits());
        limits.map_or(value, |limit| {
            nearer_limit(value, limit.lowest, limit.highest)
        })
    }
}

/// The value, or the limit that is nearer to it on the circle.
fn nearer_limit(value: f64, lowest: f64, highest: f64) -> f64 {
    let off = |limit: f64| {
        let way = crate::maths::fmod(value - limit, TAU);
        let way = crate::maths::abs(way);
        f64::min(way, TAU - way)
    };
    if value < lowest || value > highest {
        if off(lowest) < off(highest) {
            lowest
        } else {
            highest
        }
    } else {
        value
    }
}
