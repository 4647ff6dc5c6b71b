//! Tests of the crate: each part against a computation that shares nothing with it.
//!
//! | file | compares |
//! |---|---|
//! | `forward` | poses with products of 4x4 matrices |
//! | `differential` | Jacobians, gradients of goals with differences |
//! | `boxes` | steps in limits with the conditions of a lowest point |
//! | `inverse` | solutions with their goals, for the tables of robots |
//! | `planar` | two and three links in a plane with closed forms |
//! | `posture` | what goals leave free |
//! | `refusals` | what makes no sense; determinism; the limit of steps |

use std::vec::Vec;

use crate::{Rotation, Transform, Tree, TreeJoint, TreeLink, Vec3};

mod boxes;
mod differential;
mod forward;
mod inverse;
mod planar;
mod posture;
mod refusals;

#[path = "../../tables/hexapod.rs"]
mod hexapod;
#[path = "../../tables/nao.rs"]
mod nao;
#[path = "../../tables/seven.rs"]
mod seven;
#[path = "../../tables/six.rs"]
mod six;

use hexapod::HEXAPOD;
use nao::NAO;
use seven::SEVEN;
use six::SIX;

/// The tables of robots, and a link of each that many joints move.
const ROBOTS: [(Tree<'static>, &str); 4] = [
    (NAO, "left-hand"),
    (HEXAPOD, "RRear-tibia"),
    (SIX, "tool"),
    (SEVEN, "tool"),
];

/// Random numbers of a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let share = ((value ^ (value >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * share
    }

    fn below(&mut self, count: usize) -> usize {
        (self.between(0.0, count as f64) as usize).min(count - 1)
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        [0; 3].map(|_| self.between(-size, size)).into()
    }

    fn axis(&mut self) -> Vec3 {
        loop {
            let vector = self.vector(1.0);
            if vector.length() > 0.1 {
                return vector.unit();
            }
        }
    }

    fn turn(&mut self) -> Rotation {
        Rotation::of_angles([0; 3].map(|_| self.between(-3.0, 3.0)))
    }

    /// Values of all joints of a table, within their ranges.
    fn values(&mut self, tree: &Tree<'_>) -> Vec<f64> {
        let joints = tree.joints.iter();
        joints
            .map(|joint| self.between(joint.lowest, joint.highest))
            .collect()
    }
}

/// A table that owns its rows.
struct OwnTree {
    links: Vec<TreeLink<'static>>,
    joints: Vec<TreeJoint<'static>>,
}

impl OwnTree {
    fn tree(&self) -> Tree<'_> {
        Tree {
            links: &self.links,
            joints: &self.joints,
        }
    }

    /// Some tree: links that turn, slide or do neither, joints that move several of them by different amounts.
    fn random(dice: &mut Dice) -> OwnTree {
        let joints = 1 + dice.below(6);
        let links = 2 + dice.below(10);
        let joints = (0..joints).map(|_| {
            let lowest = dice.between(-2.0, 0.0);
            TreeJoint::new("", lowest, lowest + dice.between(0.1, 3.0))
        });
        let joints: Vec<_> = joints.collect();
        let links = (0..links).map(|place| TreeLink {
            name: "",
            // Rather chains than bushes.
            parent: place
                .checked_sub(1 + dice.below(2))
                .or(place.checked_sub(1))
                .map(|value| value as u16),
            joint: (dice.below(4) > 0).then(|| dice.below(joints.len()) as u16),
            origin: Transform::new(dice.vector(0.5), dice.turn()),
            axis: dice.axis(),
            slides: dice.below(4) == 0,
            ratio: dice.between(-1.5, 1.5),
            offset: dice.between(-1.0, 1.0),
            mass: dice.between(-0.5, 1.0).max(0.0),
            centre: dice.vector(0.2),
        });
        let links = links.collect();
        OwnTree { links, joints }
    }

    /// A chain in a plane: links of these lengths, each turning within ±`range`; the last link is the tip.
    fn planar(lengths: &[f64], range: f64) -> OwnTree {
        let joints = lengths
            .iter()
            .map(|_| TreeJoint::new("", -range, range))
            .collect();
        let before = core::iter::once(0.0).chain(lengths.iter().copied());
        let mut links: Vec<_> = before
            .enumerate()
            .map(|(place, length)| TreeLink {
                parent: place.checked_sub(1).map(|value| value as u16),
                joint: (place < lengths.len()).then_some(place as u16),
                origin: Transform::shift(length, 0.0, 0.0),
                ..TreeLink::PLAIN
            })
            .collect();
        if let Some(tip) = links.last_mut() {
            tip.name = "tip";
        }
        OwnTree { links, joints }
    }
}

fn near(a: Vec3, b: Vec3, error: f64) -> bool {
    (a - b).length() <= error
}
