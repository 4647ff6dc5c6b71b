//! Sets of lights, by their places in an engine. All calls of [`LightEngine`](super::LightEngine) take one.

use core::ops::{BitAnd, BitOr, Not};

/// A set of lights, by their places in the engine's list: `LightMask::of(&[0, 2])`. Places from 128 on, and those that
/// the engine does not have, count for nothing.
///
/// ```
/// use choreography::lights::LightMask;
///
/// const EYES: LightMask = LightMask::of(&[0, 1]);
/// const CHEST: LightMask = LightMask::of(&[2]);
/// assert!((EYES | CHEST).has(2) && !(EYES & CHEST).has(1));
/// assert!((!EYES).has(2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LightMask(u128);

impl LightMask {
    /// The most lights that can be told apart.
    pub const PLACES: usize = 128;
    /// No light.
    pub const NONE: LightMask = LightMask(0);
    /// All lights.
    pub const ALL: LightMask = LightMask(u128::MAX);

    /// The lights at these places.
    pub const fn of(places: &[usize]) -> LightMask {
        let (mut mask, mut rest) = (0, places);
        while let [place, more @ ..] = rest {
            if *place < LightMask::PLACES {
                mask |= 1 << *place;
            }
            rest = more;
        }
        LightMask(mask)
    }

    /// Whether the light at this place is in it.
    pub const fn has(self, place: usize) -> bool {
        place < LightMask::PLACES && (self.0 >> place) & 1 == 1
    }
}

impl BitOr for LightMask {
    type Output = LightMask;
    fn bitor(self, other: LightMask) -> LightMask {
        LightMask(self.0 | other.0)
    }
}

impl BitAnd for LightMask {
    type Output = LightMask;
    fn bitand(self, other: LightMask) -> LightMask {
        LightMask(self.0 & other.0)
    }
}

impl Not for LightMask {
    type Output = LightMask;
    fn not(self) -> LightMask {
        LightMask(!self.0)
    }
}
