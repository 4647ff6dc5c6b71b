//! A ring buffer of the last frames sent: finds the turn of a sequence number.
//! The session keeps one, and compares a board's clocks with `is_later`.
//! A sequence that is not in it was never sent, or was sent too long ago.

/// The number of frames that it keeps.
const KEPT: usize = 16;

/// The last frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct SentFrames {
    frames: [Option<(u16, u64)>; KEPT],
    next: usize,
}

impl SentFrames {
    pub(super) fn nothing() -> SentFrames {
        SentFrames {
            frames: [None; KEPT],
            next: 0,
        }
    }

    /// Stores that a frame with this sequence was sent in this turn.
    pub(super) fn note(&mut self, sequence: u16, turn: u64) {
        self.frames[self.next] = Some((sequence, turn));
        self.next = (self.next + 1) % KEPT;
    }

    /// The turn of this sequence, and how many frames ago it was; 0 for the last.
    pub(super) fn turn_of(&self, sequence: u16) -> Option<(u64, usize)> {
        (0..KEPT).find_map(|back| {
            let place = (self.next + KEPT - 1 - back) % KEPT;
            let (known, turn) = self.frames[place]?;
            (known == sequence).then_some((turn, back))
        })
    }
}

/// Whether the board's clock reading `this` is later than `that`; the 32-bit clock wraps.
pub(super) fn is_later(this: u32, that: u32) -> bool {
    (1..1 << 31).contains(&this.wrapping_sub(that))
}
