//! How many boxes were added to a world. They are the last links, and the last shapes.

/// How many boxes there are, and how many there may be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoxCounts {
    pub(crate) moving: usize,
    pub(crate) still: usize,
    pub(crate) moving_max: usize,
    pub(crate) still_max: usize,
}

impl BoxCounts {
    fn count(self) -> usize {
        self.moving + self.still
    }

    /// The first link, or shape, that is a box, of so many.
    pub(crate) fn first_of(self, all: usize) -> usize {
        all - self.count()
    }
}
