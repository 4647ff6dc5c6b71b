//! A limb: the part of a tree that brings given links where they should be, such as an arm, or both arms and the waist.
//! Made once, when a guest starts; asked for movements as often as every turn.
//! Links that no joint moves are joined to those before them, so that a turn pays for joints alone; everything
//! has its place in the limb itself, for at most `N` of them.

use crate::differential::{Twist, column};
use crate::rotation::Transform;
use crate::tree::{Tree, TreeJoint};
use crate::vector::Vec3;

/// What stands for "no step".
const NOTHING: u16 = u16::MAX;

/// Why a limb cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimbFault {
    /// The table has no link with this number or name.
    NoSuchLink,
    /// Between the root and the link there is no joint.
    Stiff,
    /// More moving links or joints than the limb has room for: it needs at least this many.
    TooMany(usize),
}

/// A link that a joint moves, with everything stiff between it and the one before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    link: u16,
    /// The step that it hangs on.
    pub(crate) parent: u16,
    /// The joint: its place in the limb.
    pub(crate) column: u16,
    slides: bool,
    origin: Transform,
    axis: Vec3,
    ratio: f64,
    offset: f64,
}

impl Step {
    const NONE: Step = Step {
        link: NOTHING,
        parent: NOTHING,
        column: 0,
        slides: false,
        origin: Transform::NONE,
        axis: Vec3::Z,
        ratio: 1.0,
        offset: 0.0,
    };
}

/// Where a link hangs: on which step, and its pose seen from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mount {
    pub(crate) step: usize,
    pub(crate) pose: Transform,
}

/// A part of a body whose joints bring links where they should be. `N` is the most joints, and moving links, that it
/// can have.
#[derive(Clone, Debug)]
pub struct Limb<'t, const N: usize> {
    pub(crate) tree: Tree<'t>,
    steps: [Step; N],
    step_count: usize,
    joints: [u16; N],
    joint_count: usize,
    /// Joints that stay where they are.
    held: [bool; N],
    /// The link that `reach` and `look_at` mean, and a point and an axis of it.
    pub(crate) end: usize,
    pub(crate) tip: Vec3,
    pub(crate) sight: Vec3,
}

impl<'t, const N: usize> Limb<'t, N> {
    /// All joints between the root and these links. [`Limb::reach`] and [`Limb::look_at`] mean the first link.
    ///
    /// # Errors
    /// If there is no such link, none of them moves, or there are more joints than `N`.
    pub const fn of(tree: &Tree<'t>, ends: &[usize]) -> Result<Limb<'t, N>, LimbFault> {
        let mut limb = Limb {
            tree: *tree,
            steps: [Step::NONE; N],
            step_count: 0,
            joints: [0; N],
            joint_count: 0,
            held: [false; N],
            end: 0,
            tip: Vec3::ZERO,
            sight: Vec3::X,
        };
        let Some(first) = ends.first() else {
            return Err(LimbFault::NoSuchLink);
        };
        limb.end = *first;
        let mut place = 0;
        while place < ends.len() {
            if ends[place] >= tree.links.len() {
                return Err(LimbFault::NoSuchLink);
            }
            place += 1;
        }
        let (mut needed, mut link) = (0, 0);
        while link < tree.links.len() {
            if tree.mover(link).is_some() && is_above(tree, link, ends) {
                needed += 1;
                if needed <= N {
                    limb.push(link);
                }
            }
            link += 1;
        }
        match needed {
            0 => Err(LimbFault::Stiff),
            _ if needed > N => Err(LimbFault::TooMany(needed)),
            _ => Ok(limb),
        }
    }

    /// The joints between the root and the link with this name.
    ///
    /// # Errors
    /// As [`Limb::of`].
    pub const fn to(tree: &Tree<'t>, end: &str) -> Result<Limb<'t, N>, LimbFault> {
        match tree.link(end) {
            Some(end) => Limb::of(tree, &[end]),
            None => Err(LimbFault::NoSuchLink),
        }
    }

    /// What [`Limb::reach`] brings to a point: this point of the link (m, in its frame), for example between the
    /// fingers.
    #[must_use]
    pub fn with_tip(mut self, tip: impl Into<Vec3>) -> Limb<'t, N> {
        self.tip = tip.into();
        self
    }

    /// What [`Limb::look_at`] points: this axis of the link, from its tip. It is the link's x axis otherwise.
    #[must_use]
    pub fn looking_along(mut self, axis: impl Into<Vec3>) -> Limb<'t, N> {
        self.sight = axis.into().unit();
        self
    }

    /// Both of the above, for a constant. The axis has length 1; [`Goal::is_sound`](crate::Goal::is_sound) says so of
    /// each request, if it has not.
    #[must_use]
    pub const fn with_tip_and_sight(mut self, tip: Vec3, sight: Vec3) -> Limb<'t, N> {
        (self.tip, self.sight) = (tip, sight);
        self
    }

    /// Leaves a joint of the table where it stands. Nothing changes if the limb does not have it.
    #[must_use]
    pub fn holding(mut self, joint: usize) -> Limb<'t, N> {
        for column in 0..self.joint_count {
            self.held[column] |= usize::from(self.joints[column]) == joint;
        }
        self
    }

    /// Where the link of the tip is, seen from the root, for values in the order of [`Limb::joints`]. A joint without
    /// a value stands at 0.
    pub fn pose(&self, values: &[f64]) -> Transform {
        let (mut all, mut poses) = ([0.0; N], [Transform::NONE; N]);
        for (value, item) in all.iter_mut().zip(values) {
            *value = *item;
        }
        self.place(&all, &mut poses);
        let mount = self.mount(self.end);
        mount.map_or(Transform::NONE, |mount| poses[mount.step] * mount.pose)
    }

    /// The point of it that [`Limb::reach`] brings to a place, in the frame of its link, m.
    pub const fn tip(&self) -> Vec3 {
        self.tip
    }

    /// The axis of it that [`Limb::look_at`] points, in the frame of its link.
    pub const fn sight(&self) -> Vec3 {
        self.sight
    }

    /// The number of that link in the table.
    pub const fn end(&self) -> usize {
        self.end
    }

    /// The table that it is a part of.
    pub const fn tree(&self) -> &Tree<'t> {
        &self.tree
    }

    /// Its joints, by their numbers in the table.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.joints[..self.joint_count]
            .iter()
            .map(|joint| usize::from(*joint))
    }

    /// How many joints it has: at most `N`.
    pub const fn joint_count(&self) -> usize {
        self.joint_count
    }

    /// The row of one of its joints in the table. `None` if it has fewer.
    pub const fn joint_row(&self, place: usize) -> Option<&TreeJoint<'t>> {
        if place < self.joint_count {
            Some(&self.tree.joints[self.joints[place] as usize])
        } else {
            None
        }
    }

    /// How far its joints reach: the way along all of its links, m. What a joint slides counts with its range.
    pub fn span(&self) -> f64 {
        let tip = self.mount(self.end);
        let tip = tip.map_or(0.0, |tip| tip.pose.point(self.tip).length());
        let steps = self.steps[..self.step_count].iter();
        tip + steps
            .map(|step| {
                let range = self.range(usize::from(step.column));
                let slid = if step.slides {
                    range[1] - range[0]
                } else {
                    0.0
                };
                // The first step's place does not change: nothing swings it.
                let first = step.parent == NOTHING;
                let hung = if first { 0.0 } else { step.origin.at.length() };
                hung + if slid.is_finite() { slid } else { 0.0 }
            })
            .sum::<f64>()
    }

    /// Adds a moving link; there is room for it.
    const fn push(&mut self, link: usize) {
        let row = &self.tree.links[link];
        let joint = match self.tree.mover(link) {
            Some(joint) => joint as u16,
            None => 0,
        };
        let mut column = 0;
        while column < self.joint_count && self.joints[column] != joint {
            column += 1;
        }
        if column == self.joint_count {
            self.joints[column] = joint;
            self.joint_count += 1;
        }
        let mount = match self.tree.parent(link) {
            Some(parent) => self.mount_from(parent),
            None => Err(Transform::NONE),
        };
        let (parent, before) = match mount {
            Ok(mount) => (mount.step as u16, mount.pose),
            Err(pose) => (NOTHING, pose),
        };
        self.steps[self.step_count] = Step {
            link: link as u16,
            parent,
            column: column as u16,
            slides: row.slides,
            origin: before.and_then(row.origin),
            axis: row.axis,
            ratio: row.ratio,
            offset: row.offset,
        };
        self.step_count += 1;
    }

    /// The step that a link hangs on. If no step of this limb moves it: the way from the root to it, or from the next
    /// link above it that a joint of another limb moves.
    const fn mount_from(&self, link: usize) -> Result<Mount, Transform> {
        let (mut at, mut pose) = (link, Transform::NONE);
        loop {
            let mut step = 0;
            while step < self.step_count {
                if self.steps[step].link as usize == at {
                    return Ok(Mount { step, pose });
                }
                step += 1;
            }
            if self.tree.mover(at).is_some() {
                return Err(pose);
            }
            pose = self.tree.links[at].origin.and_then(pose);
            match self.tree.parent(at) {
                Some(parent) => at = parent,
                None => return Err(pose),
            }
        }
    }

    /// Where a link hangs in this limb. `None` if there is no such link, or the limb does not move it.
    pub(crate) fn mount(&self, link: usize) -> Option<Mount> {
        let is_there = link < self.tree.links.len();
        is_there.then(|| self.mount_from(link).ok())?
    }

    pub(crate) fn width(&self) -> usize {
        self.joint_count
    }

    pub(crate) fn joint(&self, column: usize) -> usize {
        usize::from(self.joints[column])
    }

    pub(crate) fn is_held(&self, column: usize) -> bool {
        self.held[column]
    }

    /// The lowest and the highest value of a joint.
    pub(crate) fn range(&self, column: usize) -> [f64; 2] {
        let joint = &self.tree.joints[self.joint(column)];
        [joint.lowest, joint.highest]
    }

    /// Places all of its steps.
    #[inline]
    pub(crate) fn place(&self, values: &[f64; N], poses: &mut [Transform; N]) {
        for (place, step) in self.steps[..self.step_count].iter().enumerate() {
            let by = step.ratio * values[usize::from(step.column)] + step.offset;
            let frame = match poses[..place].get(usize::from(step.parent)) {
                Some(parent) => *parent * step.origin,
                None => step.origin,
            };
            poses[place] = frame.moved(step.axis, step.slides, by);
        }
    }

    /// The axes of all of its steps, seen from the root; as long as one unit of their joints moves them.
    #[inline]
    pub(crate) fn axes(&self, poses: &[Transform; N]) -> [Vec3; N] {
        let mut axes = [Vec3::ZERO; N];
        let steps = self.steps[..self.step_count].iter().zip(poses);
        for ((step, pose), axis) in steps.zip(&mut axes) {
            *axis = pose.turn.turn(step.axis) * step.ratio;
        }
        axes
    }

    /// Calls with each joint between the root and a step, and what one unit of it does to a point that hangs on that
    /// step.
    #[inline]
    pub(crate) fn columns(
        &self,
        step: usize,
        point: Vec3,
        poses: &[Transform; N],
        axes: &[Vec3; N],
        mut with: impl FnMut(usize, Twist),
    ) {
        let mut next = step;
        // Past the root there is no step.
        while let (Some(step), Some(axis)) = (self.steps.get(next), axes.get(next)) {
            let twist = column(*axis, poses[next].at, step.slides, point);
            with(usize::from(step.column), twist);
            next = usize::from(step.parent);
        }
    }
}

/// Whether a link is between the root and one of these ends, or is one of them.
const fn is_above(tree: &Tree<'_>, link: usize, ends: &[usize]) -> bool {
    let mut place = 0;
    while place < ends.len() {
        let mut next = Some(ends[place]);
        while let Some(at) = next {
            if at == link {
                return true;
            }
            next = if at > link { tree.parent(at) } else { None };
        }
        place += 1;
    }
    false
}
