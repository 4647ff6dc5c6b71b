//! The parts that all frames have in common: a mark, a version, words, and a checksum at the end.
//! Used by both directions, on both ends.
//! CRC-32 of Castagnoli's polynomial detects one, two or three changed bits in a frame of any length, up to
//! five in one of 26 joints, and every burst of up to 31 bits on the wire. `tests/protocol/distance.rs` proves it.

use core::fmt;

use crc::{CRC_32_ISCSI, Crc, Table};

use crate::row::RowError;

pub use crate::size::{CHANNELS, HEAD, LONGEST, SEAL, SHORT, length};

/// The version of the protocol. The receiver refuses a frame of any other version, and reports it.
pub const VERSION: u8 = 1;

const CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

/// Why bytes are not a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// Fewer or more bytes than a frame may have.
    Length,
    /// The checksum is wrong: the bytes were changed on their way.
    Seal,
    /// The mark is not that of this direction.
    Mark,
    /// Another version, this one.
    Version(u8),
    /// An unknown kind of frame.
    Kind(u8),
    /// The frame claims more words than it has.
    Words,
    /// A field of the head has an invalid value.
    Field,
    /// The row of this number is invalid.
    Row(u16, RowError),
    /// The board's own row is invalid: more channels than a frame carries, or an invalid name.
    About,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Length => f.write_str("its length is not that of a frame"),
            FrameError::Seal => f.write_str("its checksum is wrong"),
            FrameError::Mark => f.write_str("its first byte is not the mark of this direction"),
            FrameError::Version(version) => {
                write!(f, "its version is {version}, expected {VERSION}")
            }
            FrameError::Kind(kind) => write!(f, "its kind is {kind}, which does not exist"),
            FrameError::Words => f.write_str("it claims more words than it has"),
            FrameError::Field => f.write_str("a field of its head has an invalid value"),
            FrameError::Row(number, flaw) => write!(f, "row {number} is invalid: {flaw}"),
            FrameError::About => f.write_str(
                "row 0xFFFF is invalid: more channels than a frame carries, or a name with a space",
            ),
        }
    }
}

/// The checksum of these bytes.
pub fn checksum(bytes: &[u8]) -> u32 {
    CRC.checksum(bytes)
}

/// Writes the checksum at the end.
pub(crate) fn seal(frame: &mut [u8]) {
    if let Some((body, seal)) = frame.split_last_chunk_mut::<SEAL>() {
        *seal = checksum(body).to_le_bytes();
    }
}

/// The head of a frame with a correct checksum, and the bytes between it and the checksum.
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

/// The word at an offset of the head.
pub(crate) fn word(head: &[u8; HEAD], at: usize) -> u16 {
    u16::from_le_bytes([head[at], head[at + 1]])
}

/// The first `count` words behind the head.
pub(crate) fn words(rest: &[u8], count: usize) -> Result<&[[u8; 2]], FrameError> {
    let (words, _) = rest.as_chunks::<2>();
    words.get(..count).ok_or(FrameError::Words)
}
