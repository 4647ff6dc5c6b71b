//! What all frames have in common: a mark, a version, words, and a checksum at the very end.
//! Used by both directions, on both sides.
//! The law: a frame that differs from what was sent in one, two or three bits is never taken for sound, nor one that
//! differs within 31 bits that follow each other on the wire: CRC-32 of Castagnoli's polynomial tells them at every
//! length, and up to five bits at that of 26 joints. `tests/protocol/distance.rs` proves it.

use core::fmt;

use crc::{CRC_32_ISCSI, Crc, Table};

use crate::row::RowError;

pub use crate::size::{CHANNELS, HEAD, LONGEST, SEAL, SHORT, length};

/// The version of the protocol. Whoever hears another one refuses the frame, and says so.
pub const VERSION: u8 = 1;

const CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// They are fewer, or more, than a frame may have.
    Length,
    /// The checksum is another: they were changed on their way.
    Seal,
    /// They do not begin as a frame of this direction does.
    Mark,
    /// They are of this version.
    Version(u8),
    /// This is no kind of frame.
    Kind(u8),
    /// The frame says that it has more words than it has.
    Words,
    /// A field has a value that means nothing.
    Field,
    /// The row of this number is none.
    Row(u16, RowError),
    /// What the board says of itself is nothing: more channels than a frame carries, or no name.
    About,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Length => f.write_str("it is shorter or longer than a frame may be"),
            FrameError::Seal => f.write_str("its checksum does not fit"),
            FrameError::Mark => f.write_str("it does not begin as a frame of this direction does"),
            FrameError::Version(it) => write!(f, "it is of version {it}, and {VERSION} is spoken here"),
            FrameError::Kind(it) => write!(f, "there is no kind {it} of frames"),
            FrameError::Words => f.write_str("it says that it has more words than it has"),
            FrameError::Field => f.write_str("a field of its head has a value that means nothing"),
            FrameError::Row(number, flaw) => write!(f, "row {number} is none: {flaw}"),
            FrameError::About => f.write_str(
                "what the board says of itself is nothing: more channels than a frame carries, or a name with a space",
            ),
        }
    }
}

/// The checksum of these bytes.
pub fn checksum(bytes: &[u8]) -> u32 {
    CRC.checksum(bytes)
}

/// Puts the checksum behind everything else.
pub(crate) fn seal(frame: &mut [u8]) {
    if let Some((body, seal)) = frame.split_last_chunk_mut::<SEAL>() {
        *seal = checksum(body).to_le_bytes();
    }
}

/// The head of a frame that is sound, and what is between it and the checksum.
pub(crate) fn open(bytes: &[u8], mark: u8) -> Result<(&[u8; HEAD], &[u8]), FrameError> {
    if bytes.len() > LONGEST {
        return Err(FrameError::Length);
    }
    let (body, seal) = bytes.split_last_chunk::<SEAL>().ok_or(FrameError::Length)?;
    let (head, rest) = body.split_first_chunk::<HEAD>().ok_or(FrameError::Length)?;
    if checksum(body) != u32::from_le_bytes(*seal) {
        return Err(FrameError::Seal);
    }
    if head[0] != mark {
        return Err(FrameError::Mark);
    }
    if head[1] != VERSION {
        return Err(FrameError::Version(head[1]));
    }
    Ok((head, rest))
}

/// A word at a place of a head.
pub(crate) fn word(head: &[u8; HEAD], at: usize) -> u16 {
    u16::from_le_bytes([head[at], head[at + 1]])
}

/// So many words of what lies behind a head.
pub(crate) fn words(rest: &[u8], count: usize) -> Result<&[[u8; 2]], FrameError> {
    let (words, _) = rest.as_chunks::<2>();
    words.get(..count).ok_or(FrameError::Words)
}
