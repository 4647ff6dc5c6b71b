//! Kinematics for guests and the host alike: where the links of a body are, and which joints bring them where they
//! should be. `no_std`, without a heap, without `unsafe`; the only dependency computes sines.
//!
//! ```
//! use kinematics::{Limb, Transform, Tree, TreeJoint, TreeLink, Vec3};
//!
//! // A table: written by hand, or made from a robot's description when something is built.
//! const ARM: Tree<'static> = Tree {
//!     joints: &[TreeJoint::new("Shoulder", -2.0, 2.0), TreeJoint::new("Elbow", 0.0, 2.5)],
//!     links: &[
//!         TreeLink { name: "torso", ..TreeLink::PLAIN },
//!         TreeLink { name: "upper-arm", parent: Some(0), joint: Some(0), axis: Vec3::Y, ..TreeLink::PLAIN },
//!         TreeLink {
//!             name: "forearm",
//!             parent: Some(1),
//!             joint: Some(1),
//!             axis: Vec3::Y,
//!             origin: Transform::shift(0.1, 0.0, 0.0),
//!             ..TreeLink::PLAIN
//!         },
//!     ],
//! };
//! const _: () = assert!(ARM.fault().is_none());
//!
//! let hand = Limb::<2>::to(&ARM, "forearm").unwrap().with_tip([0.08, 0.0, 0.0]);
//! let solution = hand.reach([0.12, 0.0, -0.06]).within(0.001).from(&[0.0, 0.5]);
//! assert!(solution.is_reached());
//!
//! // What is too far is told so, with the distance that is left.
//! let solution = hand.reach([0.3, 0.0, 0.0]).from(&[0.0, 0.5]);
//! assert!(!solution.is_reached() && (solution.residual.distance - 0.12).abs() < 1e-6);
//! ```
//!
//! | to | see |
//! |---|---|
//! | describe a body | [`Tree`], [`TreeLink`], [`TreeJoint`] |
//! | place one link, or all | [`Tree::pose`], [`Tree::place`] |
//! | know how links move with joints | [`Tree::jacobian`] |
//! | find the centre of mass | [`Tree::centre`], [`Tree::centre_jacobian`] |
//! | bring a link somewhere | [`Limb::reach`], [`Limb::look_at`], [`Limb::request`], [`Goal`] |
//! | say how | [`IkRequest`], [`Effort`] |
//! | know what came of it | [`Solution`], [`Reachability`], [`Residual`] |
//!
//! # Inverse kinematics
//! Damped least squares (Levenberg and Marquardt) over the joints between the root and the links that have goals. Each
//! step is the lowest point of a quadratic form in the box of the joints' limits, so a solution never has to be
//! clipped. Where a goal is out of reach, the form has the second derivative of points as well: without it, the way to
//! the nearest posture takes more than twice as many steps. Where the way ends before the goals, other starts are
//! tried, which are the same in each run; [`IkRequest::nearby`] leaves them out, for goals that are followed turn by
//! turn. What the goals leave free goes towards a posture ([`IkRequest::prefer`]), once they are met.
//!
//! All numbers are `f64`, and every operation is exact or from `libm`, so a guest gets the same bits as the host, on
//! each machine: a check and a replay see what the robot does.
//!
//! # What it costs
//! An arm of six joints (`tables/six.rs`), in µs: the median of 500 cases, and in brackets the slowest tenth. Measured
//! by `compare/guest.py`, guest and native in one run, on a shared machine of two cores; the guest compiled by
//! Cranelift, with fuel. `"s"` is the `opt-level` of the profile of guests.
//!
//! | request | guest, `"s"` | native, `"s"` | guest, 3 | native, 3 | fuel, `"s"` | fuel, 3 | reached |
//! |---|---|---|---|---|---|---|---|
//! | a pose anywhere, from home | 12.0 (32) | 6.0 (16) | 9.2 (24) | 4.9 (13) | 286,000 | 196,000 | 99 % |
//! | a point anywhere, from home | 6.4 (12) | 3.5 (7) | 4.7 (9) | 2.7 (5) | 164,000 | 112,000 | 100 % |
//! | a pose up to 0.3 rad away in each joint | 4.1 (5) | 1.8 (2) | 3.1 (4) | 1.6 (2) | 91,000 | 62,000 | 100 % |
//! | a pose up to 0.02 rad away, as each turn | 3.2 (3) | 1.4 (1) | 2.3 (2) | 1.2 (1) | 68,000 | 46,000 | 100 % |
//! | a point out of reach, as each turn | 11.9 (15) | 6.9 (9) | 9.2 (12) | 5.6 (7) | 312,000 | 222,000 | |
//! | forward kinematics of the tool | 0.21 | 0.13 | 0.16 | 0.13 | | | |
//!
//! A guest with all of it is 32 kB, or 44 kB with `opt-level = 3`. That level must be the guest's own: this crate's
//! code is made there, for its number of joints, so a level of the package `kinematics` alone changes nothing.
//!
//! # Why it is written by hand
//! - `k` (0.32) needs `std`, a heap in each step, and 40 crates. In one run on the arm above, natively, it takes
//!   13.9 µs (this: 1.5) for a pose 0.02 rad away, and 22 µs (2.0) for 0.3 rad, where it reaches 94 %. From home it
//!   reaches 36 % of the poses.
//! - `nalgebra` (0.35, without `std`) would fit: one plain damped step with its matrices of fixed size takes 0.54 µs in
//!   a guest, one step here 0.75 µs, with limits. But only its decomposition would be used, and that one has to leave
//!   out the joints that stand at a limit; for it a guest would build 8 more crates.
//! - `optik` is not on the registry, and `parry` has no kinematics.
//!
//! Three vectors, quaternions and a decomposition of 40 lines are what is left. Tests compare them with products of
//! matrices, with differences and with closed forms; `compare/compare.py` with Pinocchio, over 10,000 random postures
//! of NAO, the Aibo, the hexapod and five arms that are imported from URDF: places differ by at most 2e-15 m.
//!
//! # Tables
//! A [`Tree`] borrows its rows, so that a guest has it as a constant, which takes neither time nor memory when it
//! starts. `dcm-run config links` makes one of a robot's description; `tables/` has some. A link's numbers mean what
//! they mean in a description (`at`, `turn`, `axis`, `slides`, `ratio`, `offset`, `mass`, `centre`), but a turn is a
//! quaternion ([`Rotation::of_angles`]) and parents and joints are numbers. A wheel is no joint here: its value is a
//! speed.

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
