//! The file of a tap: what passed on a bus, transfer by transfer. Written by the tap, read by whoever plays it again.
//!
//! It begins with the letters `DCMTAP`, a version (`1`) and a 0. Then come records, with the lower byte of each number
//! first:
//!
//! | bytes | what |
//! |---|---|
//! | 0 | kind: 1 came back, 2 failed, 3 end |
//! | 1 | why it failed: 1 gone, 2 forbidden, 3 busy, 4 timed out, 5 too long, 6 settings, 7 by the system's number |
//! | 2, 3 | bytes that went down |
//! | 4, 5 | bytes that came up |
//! | 6, 7 | 0 |
//! | 8 to 15 | the number of the transfer, from 0; of the end: how many there were |
//! | 16 to 23 | when it began, ns since the first could |
//! | 24 to 27 | the system's number |
//! | 28 … | what went down, what came up |
//! | last 4 | CRC-32 (Castagnoli) of the record before it |
//!
//! A number that is left out is a transfer that was lost. A file without its end was cut: by a loss of power, a full disk.
//! The law: reading is total. What is sound up to the first flaw is the tape, and nothing after it.

use wire::frame::{LONGEST as FRAME, checksum};

use crate::bus::BusFault;

/// What a file begins with.
pub(super) const HEAD: [u8; 8] = *b"DCMTAP\x01\x00";

/// Bytes of a record before what went down.
const FIELDS: usize = 28;

const SEAL: usize = 4;

/// The longest record.
pub(super) const LONGEST: usize = FIELDS + 2 * FRAME + SEAL;

/// The longest file, bytes: nine hours of a NAO's frames at 100 Hz would be more.
pub(super) const MOST: usize = 1 << 28;

const CAME: u8 = 1;
const FAILED: u8 = 2;
const END: u8 = 3;

/// One transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed<'t> {
    /// Its number, from 0.
    pub number: u64,
    /// When it began, ns since the tap began to listen.
    pub nanos: u64,
    /// What went down.
    pub down: &'t [u8],
    /// What came up, or why nothing did.
    pub up: Result<&'t [u8], BusFault>,
}

/// Why a file is no tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotATape {
    /// It does not begin as one.
    Head,
    /// It is of this version.
    Version(u8),
    /// It is longer than a tape may be.
    TooLong,
}

impl std::fmt::Display for NotATape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotATape::Head => write!(f, "this is not the file of a tap"),
            NotATape::Version(it) => write!(
                f,
                "the tap's file is of version {it}, and this program reads version 1; fix: play it with the program \
                 that wrote it"
            ),
            NotATape::TooLong => write!(
                f,
                "the tap's file is longer than {MOST} bytes, which no tap writes"
            ),
        }
    }
}

impl std::error::Error for NotATape {}

/// A file of a tap, as it was read: all of its records are sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tape {
    bytes: Vec<u8>,
    /// Where the records end.
    end: usize,
    records: u64,
    told: Option<u64>,
}

impl Tape {
    /// Reads a file up to its end, or to the first record that is not sound.
    ///
    /// # Errors
    /// [`NotATape`].
    pub fn read(bytes: Vec<u8>) -> Result<Tape, NotATape> {
        if bytes.len() > MOST {
            return Err(NotATape::TooLong);
        }
        match bytes.first_chunk::<8>() {
            Some(&HEAD) => {}
            Some(head) if head[..6] == HEAD[..6] => return Err(NotATape::Version(head[6])),
            _ => return Err(NotATape::Head),
        }
        let (mut at, mut records, mut least, mut told) = (HEAD.len(), 0, 0, None);
        while let Some((record, size)) = bytes.get(at..).and_then(record) {
            match record {
                Record::Passed(it) if it.number >= least && it.number < u64::MAX => {
                    (least, records) = (it.number + 1, records + 1);
                    at += size;
                }
                Record::End(all) if all >= least => {
                    told = Some(all);
                    break;
                }
                // Numbers rise.
                _ => break,
            }
        }
        Ok(Tape {
            bytes,
            end: at,
            records,
            told,
        })
    }

    /// What passed, in its order.
    pub fn passed(&self) -> impl Iterator<Item = Passed<'_>> {
        let mut at = HEAD.len();
        std::iter::from_fn(move || {
            let (passed, next) = self.at(at)?;
            at = next;
            Some(passed)
        })
    }

    /// The record at this place, and the place of the next.
    pub(super) fn at(&self, place: usize) -> Option<(Passed<'_>, usize)> {
        match record(self.bytes.get(place..self.end)?)? {
            (Record::Passed(it), size) => Some((it, place + size)),
            _ => None,
        }
    }

    /// How many transfers are in it.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How many were lost; nothing if the file was cut before its end.
    pub fn lost(&self) -> Option<u64> {
        self.told.map(|all| all - self.records)
    }
}

/// The place of the first record.
pub(super) const FIRST: usize = HEAD.len();

enum Record<'t> {
    Passed(Passed<'t>),
    End(u64),
}

/// Writes a transfer in place of what is in `into`; whether it is one that a bus can carry.
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

/// Writes the end after so many transfers.
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

/// The record that these bytes begin with, and how many bytes it has.
fn record(bytes: &[u8]) -> Option<(Record<'_>, usize)> {
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
