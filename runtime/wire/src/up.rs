//! A frame from the board to the host: the acknowledgement, the state and the inputs, or a row of the table.
//!
//! | bytes | what |
//! |---|---|
//! | 0 | mark `0x7D` |
//! | 1 | version |
//! | 2 | kind: 1 row, 2 run, 3 nothing yet |
//! | 3 | bit 0: motors are powered; bit 1: it relaxed them itself; bit 2: its stop line is pressed |
//! | 4, 5 | the sequence of the last frame that it took |
//! | 6, 7 | its own error, 0 for none |
//! | 8, 9 | inputs that follow; of a row: its number |
//! | 10 | its count of boots, 1 to 255 and 1 again |
//! | 11 | why it refused the last frame that it refused since the one before this: 0 none |
//! | 12 to 15 | its clock, µs |
//! | 16 … | for each input a word; of a row: the row |
//! | last 4 | CRC-32 (Castagnoli) of everything before |
//!
//! A board sends its frame while it receives the host's, so its frame describes the state after the previous transfer.

use crate::frame::{FrameError, HEAD, SEAL, VERSION, open, seal, word, words};
use crate::row::{ABOUT, About, ROW, Row};

const MARK: u8 = 0x7d;

/// What a frame carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UpKind {
    /// A row of the table, and its number.
    Row(u16, Row),
    /// The board's own row.
    About(About),
    /// The board's inputs.
    Run,
    /// There was no question yet, or there is no such row.
    Nothing,
}

/// Why a board refused a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The checksum was wrong.
    Seal,
    /// The frame had another version.
    Version,
    /// The form or the length was invalid.
    Form,
    /// The sequence was not newer than the last one taken.
    Sequence,
    /// The number of outputs differs from the table.
    Table,
    /// The boot count differs from the board's.
    Boots,
}

const REFUSED: [Refused; 6] = [
    Refused::Seal,
    Refused::Version,
    Refused::Form,
    Refused::Sequence,
    Refused::Table,
    Refused::Boots,
];

/// A frame of the board. `inputs` are those that `parse` found; `emit` takes others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Up<'f> {
    /// What the frame carries.
    pub kind: UpKind,
    /// The motors are powered.
    pub powered: bool,
    /// The board relaxed the motors itself.
    pub relaxed: bool,
    /// Its stop line is pressed.
    pub stopped: bool,
    /// The sequence of the last frame that it took.
    pub acknowledged: u16,
    /// The board's own error code; 0 for none.
    pub error: u16,
    /// The boot count.
    pub boots: u8,
    /// Why it refused a frame since its last answer.
    pub refused: Option<Refused>,
    /// Its clock, µs.
    pub clock: u32,
    /// One word for each input.
    pub inputs: &'f [[u8; 2]],
}

impl<'f> Up<'f> {
    /// The word of an input.
    pub fn input(&self, place: usize) -> Option<u16> {
        self.inputs
            .get(place)
            .map(|input| u16::from_le_bytes(*input))
    }

    /// Encodes the frame into `into`, with inputs from `input` instead of its own; false if it does not fit.
    pub fn emit(&self, into: &mut [u8], count: usize, mut input: impl FnMut(usize) -> u16) -> bool {
        let is_run = self.kind == UpKind::Run;
        let count = if is_run { count } else { 0 };
        let needed = match self.kind {
            UpKind::Run => 2 * count,
            UpKind::Nothing => 0,
            UpKind::Row(..) | UpKind::About(_) => ROW,
        };
        if into.len() < HEAD + needed + SEAL || into.len() > crate::frame::LONGEST {
            return false;
        }
        let (kind, number, row) = match self.kind {
            UpKind::Row(number, row) => (1, number, Some(row.bytes())),
            UpKind::About(about) => (1, ABOUT, Some(about.bytes())),
            UpKind::Run => (2, count as u16, None),
            UpKind::Nothing => (3, 0, None),
        };
        let refused = self
            .refused
            .and_then(|value| REFUSED.iter().position(|one| *one == value));
        let flags =
            u8::from(self.powered) | u8::from(self.relaxed) << 1 | u8::from(self.stopped) << 2;
        let [a0, a1] = self.acknowledged.to_le_bytes();
        let [e0, e1] = self.error.to_le_bytes();
        let [n0, n1] = number.to_le_bytes();
        let [c0, c1, c2, c3] = self.clock.to_le_bytes();
        let why = refused.map_or(0, |value| value as u8 + 1);
        let head = [
            MARK, VERSION, kind, flags, a0, a1, e0, e1, n0, n1, self.boots, why, c0, c1, c2, c3,
        ];
        let (first, rest) = into.split_at_mut(HEAD);
        first.copy_from_slice(&head);
        rest.fill(0);
        let words = rest.as_chunks_mut::<2>().0.iter_mut();
        for (place, word) in words.enumerate().take(count) {
            *word = input(place).to_le_bytes();
        }
        if let Some(row) = row {
            rest[..ROW].copy_from_slice(&row);
        }
        seal(into);
        true
    }

    /// Decodes a frame.
    ///
    /// # Errors
    /// A [`FrameError`]: the first error in the frame.
    pub fn parse(bytes: &'f [u8]) -> Result<Up<'f>, FrameError> {
        let (head, rest) = open(bytes, MARK)?;
        let number = word(head, 8);
        let row = rest.first_chunk::<ROW>();
        let (kind, count) = match head[2] {
            1 if number == ABOUT => {
                let about = About::of(row.ok_or(FrameError::Length)?).ok_or(FrameError::About)?;
                (UpKind::About(about), 0)
            }
            1 => {
                let row = Row::of(row.ok_or(FrameError::Length)?);
                (
                    UpKind::Row(number, row.map_err(|error| FrameError::Row(number, error))?),
                    0,
                )
            }
            2 => (UpKind::Run, number),
            3 => (UpKind::Nothing, 0),
            other => return Err(FrameError::Kind(other)),
        };
        if head[3] > 7 {
            return Err(FrameError::Field);
        }
        let refused = match usize::from(head[11]) {
            0 => None,
            why => Some(*REFUSED.get(why - 1).ok_or(FrameError::Field)?),
        };
        Ok(Up {
            kind,
            powered: head[3] & 1 != 0,
            relaxed: head[3] & 2 != 0,
            stopped: head[3] & 4 != 0,
            acknowledged: word(head, 4),
            error: word(head, 6),
            boots: head[10],
            refused,
            clock: u32::from_le_bytes([head[12], head[13], head[14], head[15]]),
            inputs: words(rest, usize::from(count))?,
        })
    }
}
