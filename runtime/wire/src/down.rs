//! A frame from the host to the board: targets, or a question about the table.
//!
//! | bytes | what |
//! |---|---|
//! | 0 | mark `0xD7` |
//! | 1 | version |
//! | 2 | kind: 1 ask, 2 run, 3 rest |
//! | 3 | bit 0: the motors may exert force; bit 1: the emergency stop is pressed; bit 2: the host has taken over |
//! | 4, 5 | sequence, one more in each frame; after 65,535 comes 0 |
//! | 6, 7 | horizon: the second target of each output holds so many times 50 µs after the first |
//! | 8, 9 | outputs that follow; of a question: the row that is asked for |
//! | 10 | the board's count of boots, as the host knows it |
//! | 11 | 0 |
//! | 12 to 15 | of a question about an output's row: its greatest acceleration, words/s²; else, or unlimited, 0 |
//! | 16 … | for each output its target now and its target at the horizon, 16 bits each |
//! | last 4 | CRC-32 (Castagnoli) of everything before |
//!
//! All numbers are little-endian. The bytes between the outputs and the checksum are 0.

use crate::frame::{FrameError, HEAD, SEAL, VERSION, open, seal, word, words};

const MARK: u8 = 0xd7;

/// Nanoseconds of one step of the horizon.
pub const STEP: u64 = 50_000;

/// The words of an output that must stay as it is. A host that has just taken over sends them where it does not know
/// what the previous host sent. No motor ever moves this way in one turn.
pub const KEPT: (u16, u16) = (u16::MAX, 0);

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DownKind {
    /// Asks for a row of the table.
    Ask(TableQuery),
    /// Carries targets.
    Run,
    /// Asks for nothing: the board answers, and resets its watchdog.
    Rest,
}

/// A question about the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableQuery {
    /// Asks for the board's own row.
    About,
    /// Asks for a channel's row.
    Row {
        /// Its number.
        number: u16,
        /// The greatest acceleration of its output, in words/s²; 0 for no limit.
        acceleration: u32,
    },
}

/// The number of the board's own row.
const ABOUT: u16 = u16::MAX;

/// A frame of the host. `outputs` are those that `parse` found; `emit` takes others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Down<'f> {
    /// The kind of frame.
    pub kind: DownKind,
    /// The motors may exert force.
    pub powered: bool,
    /// The emergency stop is pressed.
    pub stopped: bool,
    /// The host has taken over from another one: an output whose words are [`KEPT`] stays as it is.
    pub keeps: bool,
    /// The sequence number, which increases by 1 in each frame.
    pub sequence: u16,
    /// The time from the first target of each output to the second, in steps of 50 µs.
    pub horizon: u16,
    /// The board's boot count, as the host knows it.
    pub boots: u8,
    /// Two words for each output: its target now and its target at the horizon.
    pub outputs: &'f [[u8; 2]],
}

impl<'f> Down<'f> {
    /// The number of outputs.
    pub fn count(&self) -> usize {
        self.outputs.len() / 2
    }

    /// An output's target now and its target at the horizon.
    pub fn output(&self, place: usize) -> Option<(u16, u16)> {
        let [now, ahead] = self.outputs.as_chunks::<2>().0.get(place)?;
        Some((u16::from_le_bytes(*now), u16::from_le_bytes(*ahead)))
    }

    /// Encodes the frame into `into`, with outputs from `output` instead of its own; false if it does not fit.
    pub fn emit(
        &self,
        into: &mut [u8],
        count: usize,
        mut output: impl FnMut(usize) -> (u16, u16),
    ) -> bool {
        let count = if self.kind == DownKind::Run { count } else { 0 };
        if into.len() < HEAD + 4 * count + SEAL || into.len() > crate::frame::LONGEST {
            return false;
        }
        let (kind, number) = match self.kind {
            DownKind::Ask(TableQuery::About) => (1, ABOUT),
            DownKind::Ask(TableQuery::Row { number, .. }) => (1, number),
            DownKind::Run => (2, count as u16),
            DownKind::Rest => (3, 0),
        };
        let [s0, s1] = self.sequence.to_le_bytes();
        let [h0, h1] = self.horizon.to_le_bytes();
        let [n0, n1] = number.to_le_bytes();
        let flags =
            u8::from(self.powered) | u8::from(self.stopped) << 1 | u8::from(self.keeps) << 2;
        let acceleration = match self.kind {
            DownKind::Ask(TableQuery::Row { acceleration, .. }) => acceleration,
            _ => 0,
        };
        let [a0, a1, a2, a3] = acceleration.to_le_bytes();
        let head = [
            MARK, VERSION, kind, flags, s0, s1, h0, h1, n0, n1, self.boots, 0, a0, a1, a2, a3,
        ];
        let (first, rest) = into.split_at_mut(HEAD);
        first.copy_from_slice(&head);
        let (used, spare) = rest.split_at_mut(4 * count);
        for (place, words) in used.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let (now, ahead) = output(place);
            let ([a, b], [c, d]) = (now.to_le_bytes(), ahead.to_le_bytes());
            *words = [a, b, c, d];
        }
        spare.fill(0);
        seal(into);
        true
    }

    /// Decodes a frame.
    ///
    /// # Errors
    /// A [`FrameError`]: the first error in the frame.
    pub fn parse(bytes: &'f [u8]) -> Result<Down<'f>, FrameError> {
        let (head, rest) = open(bytes, MARK)?;
        let number = word(head, 8);
        let acceleration = u32::from(word(head, 12)) | u32::from(word(head, 14)) << 16;
        let kind = match head[2] {
            1 if number == ABOUT => DownKind::Ask(TableQuery::About),
            1 => DownKind::Ask(TableQuery::Row {
                number,
                acceleration,
            }),
            2 => DownKind::Run,
            3 => DownKind::Rest,
            other => return Err(FrameError::Kind(other)),
        };
        let is_row = matches!(kind, DownKind::Ask(TableQuery::Row { .. }));
        if head[3] > 7 || head[11] != 0 || (acceleration != 0 && !is_row) {
            return Err(FrameError::Field);
        }
        let count = if kind == DownKind::Run { number } else { 0 };
        Ok(Down {
            kind,
            powered: head[3] & 1 != 0,
            stopped: head[3] & 2 != 0,
            keeps: head[3] & 4 != 0,
            sequence: word(head, 4),
            horizon: word(head, 6),
            boots: head[10],
            outputs: words(rest, 2 * usize::from(count))?,
        })
    }
}
