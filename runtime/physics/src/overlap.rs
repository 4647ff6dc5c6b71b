//! The points of contact of one step.
//! At most `TOUCHES_MAX` points are kept; those beyond are counted.

use alloc::vec::Vec;

use kinematics::Vec3;

/// The most points of contact in one step.
pub const TOUCHES_MAX: usize = 256;

/// A point in which two shapes overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap {
    /// The shape below the point; the ground if missing.
    pub(crate) under: Option<usize>,
    pub(crate) over: usize,
    pub(crate) point: Vec3,
    /// From `under` to `over`.
    pub(crate) normal: Vec3,
    /// How deep they overlap, m.
    pub(crate) depth: f64,
}

/// The points of contact of one step.
#[derive(Clone, Debug)]
pub(crate) struct Touches {
    pub(crate) list: Vec<Overlap>,
    /// How many did not fit.
    pub(crate) dropped: usize,
}

impl Touches {
    pub(crate) fn new() -> Touches {
        Touches {
            list: Vec::with_capacity(TOUCHES_MAX),
            dropped: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.dropped = 0;
    }

    pub(crate) fn add(&mut self, touch: Overlap) {
        if self.list.len() < TOUCHES_MAX {
            self.list.push(touch);
        } else {
            self.dropped += 1;
        }
    }
}
