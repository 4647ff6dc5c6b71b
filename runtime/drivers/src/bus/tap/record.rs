//! One record of a tap's file: a transfer, or the end. Made in the turn, written and read elsewhere.
//! Numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0 | kind: 1 answered, 2 failed, 3 end |
//! | 1 | why it failed: 1 gone, 2 forbidden, 3 busy, 4 timed out, 5 too long, 6 settings, 7 another system error |
//! | 2, 3 | number of bytes sent |
//! | 4, 5 | number of bytes received |
//! | 6, 7 | 0 |
//! | 8 to 15 | the number of the transfer, from 0; of the end: the number of transfers |
//! | 16 to 23 | when it began, ns since the tap was opened |
//! | 24 to 27 | the system's error number |
//! | 28 … | the bytes sent, the bytes received |
//! | last 4 | CRC-32 (Castagnoli) of all bytes before it |
//!
//! Reading is total. Any bytes give a record or `None`.

use wire::frame::{LONGEST as FRAME, checksum};

use crate::bus::BusFault;

/// Bytes of a record before the bytes sent.
const FIELDS: usize = 28;

const SEAL: usize = 4;

/// The longest record.
pub(super) const LONGEST: usize = FIELDS + 2 * FRAME + SEAL;

const CAME: u8 = 1;
const FAILED: u8 = 2;
const END: u8 = 3;

/// One transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed<'t> {
    /// Its number, from 0.
    pub number: u64,
    /// When it began, ns since the tap was opened.
    pub nanos: u64,
    /// The bytes sent.
    pub down: &'t [u8],
    /// The bytes received, or the fault.
    pub up: Result<&'t [u8], BusFault>,
}

/// The kinds of records.
pub(super) enum Record<'t> {
    Passed(Passed<'t>),
    /// The end, with the number of transfers.
    End(u64),
}

/// Encodes a transfer into `into`, which it clears first; false if the transfer is too long.
pub(super) fn write(into: &mut Vec<u8>, passed: &Passed<'_>) -> bool {
    let (kind, (why, number), up) = match passed.up {
        Ok(up) => (CAME, (0, 0), up),
        Err(fault) => (FAILED, code(fault), &[][..]),
    };
    if passed.down.len() > FRAME || up.len() > FRAME {
        return false;
    }
    let sizes = (passed.down.len() as u16, up.len() as u16);
    fields(
        into,
        [kind, why],
        sizes,
        (passed.number, passed.nanos),
        number,
    );
    into.extend_from_slice(passed.down);
    into.extend_from_slice(up);
    seal(into);
    true
}

/// Encodes the end after `transfers` transfers.
pub(super) fn write_end(into: &mut Vec<u8>, transfers: u64, nanos: u64) {
    fields(into, [END, 0], (0, 0), (transfers, nanos), 0);
    seal(into);
}

fn fields(into: &mut Vec<u8>, kind: [u8; 2], sizes: (u16, u16), at: (u64, u64), number: i32) {
    into.clear();
    into.extend_from_slice(&kind);
    into.extend_from_slice(&sizes.0.to_le_bytes());
    into.extend_from_slice(&sizes.1.to_le_bytes());
    into.extend_from_slice(&[0; 2]);
    into.extend_from_slice(&at.0.to_le_bytes());
    into.extend_from_slice(&at.1.to_le_bytes());
    into.extend_from_slice(&number.to_le_bytes());
}

fn seal(record: &mut Vec<u8>) {
    let seal = checksum(record);
    record.extend_from_slice(&seal.to_le_bytes());
}

/// Decodes the record at the front of `bytes`; also returns its length.
pub(super) fn read(bytes: &[u8]) -> Option<(Record<'_>, usize)> {
    let fields = bytes.first_chunk::<FIELDS>()?;
    let two = |at: usize| usize::from(u16::from_le_bytes([fields[at], fields[at + 1]]));
    let eight = |at: usize| Some(u64::from_le_bytes(*fields[at..].first_chunk()?));
    let (down, up) = (two(2), two(4));
    if down > FRAME || up > FRAME || two(6) != 0 {
        return None;
    }
    let body = FIELDS + down + up;
    let seal = bytes.get(body..)?.first_chunk::<SEAL>()?;
    if checksum(&bytes[..body]) != u32::from_le_bytes(*seal) {
        return None;
    }
    let (number, nanos) = (eight(8)?, eight(16)?);
    let system = i32::from_le_bytes(*fields[24..].first_chunk()?);
    let (down, up) = bytes[FIELDS..body].split_at(down);
    let up = match (fields[0], fields[1]) {
        (CAME, 0) if system == 0 => Ok(up),
        (FAILED, why) if up.is_empty() => Err(fault(why, system)?),
        (END, 0) if down.is_empty() && up.is_empty() && system == 0 => {
            return Some((Record::End(number), body + SEAL));
        }
        _ => return None,
    };
    let passed = Passed {
        number,
        nanos,
        down,
        up,
    };
    Some((Record::Passed(passed), body + SEAL))
}

fn code(fault: BusFault) -> (u8, i32) {
    match fault {
        BusFault::Gone => (1, 0),
        BusFault::Forbidden => (2, 0),
        BusFault::Busy => (3, 0),
        BusFault::TimedOut => (4, 0),
        BusFault::TooLong => (5, 0),
        BusFault::Settings => (6, 0),
        BusFault::Other(number) => (7, number),
    }
}

fn fault(why: u8, system: i32) -> Option<BusFault> {
    match (why, system) {
        (1, 0) => Some(BusFault::Gone),
        (2, 0) => Some(BusFault::Forbidden),
        (3, 0) => Some(BusFault::Busy),
        (4, 0) => Some(BusFault::TimedOut),
        (5, 0) => Some(BusFault::TooLong),
        (6, 0) => Some(BusFault::Settings),
        (7, number) => Some(BusFault::Other(number)),
        _ => None,
    }
}
