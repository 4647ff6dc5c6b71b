//! The table of a body: its links, what they hang on, and which joint moves them. Written by hand, or made from a
//! robot's description when something is built; borrowed by everything here.
//! Parents come before their children, so one pass from the front places them all.

use crate::rotation::Transform;
use crate::vector::Vec3;

/// A joint: one number that moves links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeJoint<'t> {
    /// Its name: that of the actuator.
    pub name: &'t str,
    /// The lowest value that it may have: rad, or m if it slides. May be infinite.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
}

impl<'t> TreeJoint<'t> {
    /// A joint with this range: rad, or m.
    pub const fn new(name: &'t str, lowest: f64, highest: f64) -> TreeJoint<'t> {
        TreeJoint {
            name,
            lowest,
            highest,
        }
    }
}

/// A link: a part of the body that does not bend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeLink<'t> {
    /// Its name.
    pub name: &'t str,
    /// What it hangs on: a place in the list, before its own.
    pub parent: Option<u16>,
    /// What moves it: a place in the list of joints. Several links may have the same.
    pub joint: Option<u16>,
    /// Its pose seen from its parent while the joint has not moved it.
    pub origin: Transform,
    /// The joint's axis in its own frame, of length 1.
    pub axis: Vec3,
    /// Whether it slides along the axis; else it turns about it.
    pub slides: bool,
    /// How far it moves for each step of the joint.
    pub ratio: f64,
    /// How far it has moved while the joint stands at 0: rad, or m.
    pub offset: f64,
    /// kg.
    pub mass: f64,
    /// The centre of its mass in its own frame, m.
    pub centre: Vec3,
}

impl TreeLink<'_> {
    /// A link at its parent's place, without a joint or mass: write what is different, and `..TreeLink::PLAIN`.
    pub const PLAIN: TreeLink<'static> = TreeLink {
        name: "",
        parent: None,
        joint: None,
        origin: Transform::NONE,
        axis: Vec3::Z,
        slides: false,
        ratio: 1.0,
        offset: 0.0,
        mass: 0.0,
        centre: Vec3::ZERO,
    };

    /// Its pose seen from its parent, for this value of its joint.
    #[inline]
    pub fn pose(&self, value: f64) -> Transform {
        if self.joint.is_none() {
            return self.origin;
        }
        let by = self.ratio * value + self.offset;
        self.origin.moved(self.axis, self.slides, by)
    }
}

/// A body: its links and joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tree<'t> {
    /// Parents before their children.
    pub links: &'t [TreeLink<'t>],
    /// What moves them.
    pub joints: &'t [TreeJoint<'t>],
}

/// What is wrong with a table. The number is that of the link, or of the joint for [`TreeFault::Range`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeFault {
    /// It has more links or joints than numbers of 16 bits can tell.
    Size,
    /// The link's parent does not come before it.
    Parent(usize),
    /// The link's joint is not in the list.
    Joint(usize),
    /// The link's axis or rotation is not of length 1.
    Length(usize),
    /// A number of the link is infinite or none, or its mass is negative.
    Number(usize),
    /// The joint's range has no value in it.
    Range(usize),
}

impl<'t> Tree<'t> {
    /// What is wrong with this table, if anything is. A table that is written down can be looked at while it is
    /// compiled: `const _: () = assert!(NAO.fault().is_none());`. Everything here can be called for a table with
    /// faults, too: a parent or joint that is not there counts as none.
    pub const fn fault(&self) -> Option<TreeFault> {
        if self.links.len() >= u16::MAX as usize || self.joints.len() >= u16::MAX as usize {
            return Some(TreeFault::Size);
        }
        let mut place = 0;
        while place < self.links.len() {
            if let Some(fault) = self.fault_of_link(place) {
                return Some(fault);
            }
            place += 1;
        }
        let mut place = 0;
        while place < self.joints.len() {
            let joint = &self.joints[place];
            // So that a NaN is a fault, too.
            let has_values = joint.lowest <= joint.highest;
            if !has_values || joint.lowest == f64::INFINITY || joint.highest == f64::NEG_INFINITY {
                return Some(TreeFault::Range(place));
            }
            place += 1;
        }
        None
    }

    const fn fault_of_link(&self, place: usize) -> Option<TreeFault> {
        let link = &self.links[place];
        match link.parent {
            Some(parent) if parent as usize >= place => return Some(TreeFault::Parent(place)),
            _ => {}
        }
        match link.joint {
            Some(joint) if joint as usize >= self.joints.len() => {
                return Some(TreeFault::Joint(place));
            }
            _ => {}
        }
        if !link.axis.is_unit() || !link.origin.turn.is_unit() {
            return Some(TreeFault::Length(place));
        }
        let is_mass = link.mass >= 0.0 && link.mass.is_finite();
        let moves = link.ratio.is_finite() && link.offset.is_finite();
        if !is_mass || !moves || !link.origin.at.is_finite() || !link.centre.is_finite() {
            return Some(TreeFault::Number(place));
        }
        None
    }

    /// The number of the link with this name.
    pub const fn link(&self, name: &str) -> Option<usize> {
        let mut place = 0;
        while place < self.links.len() {
            if is_same(self.links[place].name, name) {
                return Some(place);
            }
            place += 1;
        }
        None
    }

    /// The number of the joint with this name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// What a link hangs on, if the table says so rightly.
    pub(crate) const fn parent(&self, link: usize) -> Option<usize> {
        match self.links[link].parent {
            Some(parent) if (parent as usize) < link => Some(parent as usize),
            _ => None,
        }
    }

    /// What moves a link, likewise.
    pub(crate) const fn mover(&self, link: usize) -> Option<usize> {
        match self.links[link].joint {
            Some(joint) if (joint as usize) < self.joints.len() => Some(joint as usize),
            _ => None,
        }
    }

    /// A link's pose seen from its parent.
    #[inline]
    fn local(&self, link: usize, values: &[f64]) -> Transform {
        let value = self.mover(link).and_then(|mover| values.get(mover));
        self.links[link].pose(value.copied().unwrap_or(0.0))
    }

    /// Places all links, seen from the root, for these values of the joints; a joint without a value stands at 0.
    /// Returns how many were placed: fewer than the links if `poses` is too short.
    pub fn place(&self, values: &[f64], poses: &mut [Transform]) -> usize {
        let count = self.links.len().min(poses.len());
        for link in 0..count {
            let local = self.local(link, values);
            poses[link] = match self.parent(link) {
                Some(parent) => poses[parent] * local,
                None => local,
            };
        }
        count
    }

    /// The pose of one link seen from the root: only the links between them are placed. `None` if there is no such
    /// link.
    pub fn pose(&self, link: usize, values: &[f64]) -> Option<Transform> {
        if link >= self.links.len() {
            return None;
        }
        let (mut at, mut pose) = (link, self.local(link, values));
        while let Some(parent) = self.parent(at) {
            pose = self.local(parent, values) * pose;
            at = parent;
        }
        Some(pose)
    }

    /// The pose of one link seen from another.
    pub fn pose_from(&self, seen_from: usize, link: usize, values: &[f64]) -> Option<Transform> {
        Some(self.pose(seen_from, values)?.inverse() * self.pose(link, values)?)
    }
}

/// Whether two names are the same, in constants, too.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut place = 0;
    while place < one.len() && place < other.len() && one[place] == other[place] {
        place += 1;
    }
    place == one.len() && place == other.len()
}
