//! How links move when joints do: Jacobians, and the centre of mass with its own. Used by guests and the host with
//! poses from [`Tree::place`]; inverse kinematics has the same arithmetic over the part of the tree that it moves.
//! A column of a Jacobian is what one unit of one joint does, seen from the root.

use core::ops::{Add, AddAssign, Mul};

use crate::rotation::Transform;
use crate::tree::{Tree, TreeLink};
use crate::vector::Vec3;

/// How a point of a link moves: for each rad (or m) of a joint, or for each second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// How its link turns: the axis times the angle.
    pub turn: Vec3,
    /// How it moves itself, m.
    pub shift: Vec3,
}

impl Add for Twist {
    type Output = Twist;

    #[inline]
    fn add(self, other: Twist) -> Twist {
        Twist {
            turn: self.turn + other.turn,
            shift: self.shift + other.shift,
        }
    }
}

impl AddAssign for Twist {
    #[inline]
    fn add_assign(&mut self, other: Twist) {
        *self = *self + other;
    }
}

impl Mul<f64> for Twist {
    type Output = Twist;

    #[inline]
    fn mul(self, by: f64) -> Twist {
        Twist {
            turn: self.turn * by,
            shift: self.shift * by,
        }
    }
}

/// What one unit of a joint does to a point that hangs on it: `axis` and `at` are the joint's, seen from the root, and
/// the axis is as long as one unit moves.
#[inline]
pub(crate) fn column(axis: Vec3, at: Vec3, slides: bool, point: Vec3) -> Twist {
    if slides {
        Twist {
            turn: Vec3::ZERO,
            shift: axis,
        }
    } else {
        Twist {
            turn: axis,
            shift: axis.cross(point - at),
        }
    }
}

impl TreeLink<'_> {
    /// What one unit of its joint does to a point that hangs on it, if the link is at this pose.
    #[inline]
    fn column(&self, pose: Transform, point: Vec3) -> Twist {
        let axis = pose.turn.turn(self.axis) * self.ratio;
        column(axis, pose.at, self.slides, point)
    }
}

impl Tree<'_> {
    /// The Jacobian of a point of a link (in the link's frame, m), for links that are at these poses: one column for
    /// each joint. False, and nothing is written, if there is no such link, or `poses` or `columns` is too short.
    pub fn jacobian(
        &self,
        link: usize,
        point: Vec3,
        poses: &[Transform],
        columns: &mut [Twist],
    ) -> bool {
        let is_enough = poses.len() >= self.links.len() && columns.len() >= self.joints.len();
        if link >= self.links.len() || !is_enough {
            return false;
        }
        columns.fill(Twist::default());
        let point = poses[link].point(point);
        let mut next = Some(link);
        while let Some(at) = next {
            if let Some(joint) = self.mover(at) {
                columns[joint] += self.links[at].column(poses[at], point);
            }
            next = self.parent(at);
        }
        true
    }

    /// The mass of the body, kg.
    pub fn mass(&self) -> f64 {
        self.links.iter().map(|link| link.mass).sum()
    }

    /// The centre of mass seen from the root, for links that are at these poses. `None` for a body without mass.
    pub fn centre(&self, poses: &[Transform]) -> Option<Vec3> {
        let parts = self.links.iter().zip(poses);
        let heavy = parts.filter(|part| part.0.mass > 0.0);
        let mut mass = 0.0;
        let mut sum = Vec3::ZERO;
        for (link, pose) in heavy {
            mass += link.mass;
            sum += pose.point(link.centre) * link.mass;
        }
        (mass > 0.0).then(|| sum * (1.0 / mass))
    }

    /// The Jacobian of the centre of mass: how it moves for each unit of each joint. False, and nothing is written, for
    /// a body without mass, or if `poses` or `columns` is too short.
    pub fn centre_jacobian(&self, poses: &[Transform], columns: &mut [Vec3]) -> bool {
        let mass = self.mass();
        let is_enough = poses.len() >= self.links.len() && columns.len() >= self.joints.len();
        if !is_enough || mass <= 0.0 {
            return false;
        }
        columns.fill(Vec3::ZERO);
        for (place, link) in self.links.iter().enumerate() {
            if link.mass <= 0.0 {
                continue;
            }
            let centre = poses[place].point(link.centre);
            let mut next = Some(place);
            while let Some(at) = next {
                if let Some(joint) = self.mover(at) {
                    let moves = self.links[at].column(poses[at], centre).shift;
                    columns[joint] += moves * (link.mass / mass);
                }
                next = self.parent(at);
            }
        }
        true
    }
}
