//! Kinematics.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::float_cmp, reason = "tests mean exactly what they say")
)]

#[cfg(test)]
extern crate self as kinematics;
#[cfg(test)]
extern crate std;

mod bounded;
mod differential;
mod effort;
mod goal;
mod limb;
mod posture;
mod request;
mod rotation;
mod search;
mod solver;
#[cfg(test)]
mod tests;
mod tree;
mod vector;

pub use differential::Twist;
pub use effort::{Effort, GoalFault, Reachability, Residual, Solution};
pub use goal::{Goal, GoalKind};
pub use limb::{Limb, LimbFault};
pub use request::{GOALS, IkRequest};
pub use rotation::{Rotation, Transform};
pub use tree::{Tree, TreeFault, TreeJoint, TreeLink};
pub use vector::Vec3;
