//! The layout of the page in words of 64 bits, as the README of this crate describes it.
//! Used by the writer and the reader; the C header and the Python reader repeat it.
//! A change here is a new version, and readers refuse every other version.

use cycle::{Body, RealtimeVerdict, State};

/// The version of this layout.
pub const VERSION: u64 = 3;

/// Frames in the ring.
pub const RING: usize = 1024;

/// The longest name of an actuator or sensor, in bytes.
pub const LABEL_NAME_MAX: usize = 47;

/// The longest unit, in bytes.
pub const LABEL_UNIT_MAX: usize = 7;

pub(crate) const MAGIC: u64 = u64::from_ne_bytes(*b"DCMPAGE\0");

/// The header's words.
pub(crate) mod header {
    pub(crate) const MAGIC: usize = 0;
    pub(crate) const VERSION: usize = 1;
    pub(crate) const FILE_WORDS: usize = 2;
    pub(crate) const RING: usize = 3;
    pub(crate) const FRAME_WORDS: usize = 4;
    pub(crate) const ACTUATORS: usize = 5;
    pub(crate) const SENSORS: usize = 6;
    pub(crate) const BOARDS: usize = 7;
    pub(crate) const LABELS_AT: usize = 8;
    pub(crate) const RING_AT: usize = 9;
    pub(crate) const PERIOD: usize = 10;
    pub(crate) const UTC_AT_ZERO: usize = 11;
    pub(crate) const RUN: usize = 12;
    pub(crate) const WRITER: usize = 13;
    pub(crate) const LATEST: usize = 14;
    pub(crate) const CLOSED: usize = 15;
    pub(crate) const REALTIME: usize = 16;
    pub(crate) const WORDS: usize = 17;
}

/// A label's words.
pub(crate) mod label {
    pub(crate) const NAME: core::ops::Range<usize> = 0..6;
    pub(crate) const UNIT: usize = 6;
    pub(crate) const MIN: usize = 7;
    pub(crate) const MAX: usize = 8;
    pub(crate) const BOARD: usize = 9;
    pub(crate) const TRIM: usize = 10;
    pub(crate) const WORDS: usize = 11;
}

/// A frame's words before its actuators.
pub(crate) mod frame {
    pub(crate) const STAMP: usize = 0;
    pub(crate) const TURN: usize = 1;
    pub(crate) const NOW: usize = 2;
    pub(crate) const ELAPSED: usize = 3;
    pub(crate) const WORK: usize = 4;
    pub(crate) const STATE: usize = 5;
    pub(crate) const POWER: usize = 6;
    pub(crate) const EVENTS: usize = 7;
    pub(crate) const WORDS: usize = 8;
    pub(crate) const ACTUATOR_WORDS: usize = 6;
    pub(crate) const BOARD_WORDS: usize = 4;
}

const _: () = {
    assert!(header::REALTIME + 1 == header::WORDS);
    assert!(label::TRIM + 1 == label::WORDS);
    assert!(label::NAME.end * 8 == LABEL_NAME_MAX + 1);
    assert!(frame::EVENTS + 1 == frame::WORDS);
    assert!(RING.is_power_of_two());
};

/// The numbers of actuators, sensors and boards in a page, which determine its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageShape {
    /// Number of actuators.
    pub actuators: usize,
    /// Number of sensors.
    pub sensors: usize,
    /// Number of boards.
    pub boards: usize,
}

impl PageShape {
    /// The shape of a page for this body.
    pub fn of(body: &Body<'_>) -> PageShape {
        PageShape {
            actuators: body.actuators.len(),
            sensors: body.sensors.len(),
            boards: usize::from(body.boards),
        }
    }

    /// Words in a frame, rounded up to whole cache lines.
    pub(crate) fn frame_words(&self) -> usize {
        (self.boards_at() + self.boards * frame::BOARD_WORDS).next_multiple_of(8)
    }

    pub(crate) fn sensors_at(&self) -> usize {
        frame::WORDS + self.actuators * frame::ACTUATOR_WORDS
    }

    pub(crate) fn boards_at(&self) -> usize {
        self.sensors_at() + self.sensors
    }

    pub(crate) fn labels_at() -> usize {
        header::WORDS
    }

    pub(crate) fn ring_at(&self) -> usize {
        let labels = (self.actuators + self.sensors) * label::WORDS;
        (PageShape::labels_at() + labels).next_multiple_of(8)
    }

    pub(crate) fn file_words(&self) -> usize {
        self.ring_at() + RING * self.frame_words()
    }
}

/// The label of an actuator or a sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Its short name.
    pub name: String,
    /// Its unit, such as `rad`.
    pub unit: String,
    /// The lowest and highest value; both 0 for a sensor.
    pub range: (f64, f64),
    /// The board that drives or reads it.
    pub board: u8,
    /// How far the zero of this joint was moved since the start of the loop; 0 for all else.
    pub trim: f64,
}

/// The number of a state in a frame.
pub(crate) fn state_number(state: State) -> u64 {
    state as u64
}

/// The state with this number in a frame; `None` if the number is unknown.
pub(crate) fn state_of(number: u64) -> Option<State> {
    State::ALL.get(usize::try_from(number).ok()?).copied()
}

/// The verdict with this number in the header; unknown if the number is.
pub(crate) fn verdict_of(number: u64) -> RealtimeVerdict {
    let verdict = usize::try_from(number)
        .ok()
        .and_then(|value| RealtimeVerdict::ALL.get(value));
    verdict.copied().unwrap_or_default()
}
