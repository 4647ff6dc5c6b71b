//! The file of a tap: the transfers of a bus. Written by the tap, read by `played` and by `wire dump`.
//!
//! It begins with the letters `DCMTAP`, a version (`1`) and a 0; then come records, see `record.rs`. A missing number
//! is a lost transfer. A file without an end record was cut, for example by a loss of power or a full disk.
//! Reading is total. The tape is everything before the first invalid record.

use super::record::{Passed, Record, read};

/// The first bytes of a file.
pub(super) const HEAD: [u8; 8] = *b"DCMTAP\x01\x00";

/// The longest file, bytes: two and a half hours of a NAO's frames at 100 Hz.
pub(super) const MOST: usize = 1 << 28;

/// Why a file is not a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotATape {
    /// The first bytes are wrong.
    Head,
    /// The file has this other version.
    Version(u8),
    /// The file is longer than the limit.
    TooLong,
}

impl std::fmt::Display for NotATape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotATape::Head => write!(f, "this is not a file of a tap"),
            NotATape::Version(version) => write!(
                f,
                "the tap's file is of version {version}, and this program reads version 1; fix: play it with the \
                 program that wrote it"
            ),
            NotATape::TooLong => write!(
                f,
                "the file is longer than {MOST} bytes, the limit of a tap"
            ),
        }
    }
}

impl std::error::Error for NotATape {}

/// The contents of a tap's file; all records are valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tape {
    bytes: Vec<u8>,
    /// The end of the records.
    end: usize,
    records: u64,
    transfers: Option<u64>,
}

impl Tape {
    /// Reads a file up to its end, or to the first invalid record.
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
        let (mut at, mut records, mut least, mut transfers) = (HEAD.len(), 0, 0, None);
        while let Some((record, size)) = bytes.get(at..).and_then(read) {
            match record {
                Record::Passed(passed) if passed.number >= least && passed.number < u64::MAX => {
                    (least, records) = (passed.number + 1, records + 1);
                    at += size;
                }
                Record::End(all) if all >= least => {
                    transfers = Some(all);
                    break;
                }
                // Numbers must increase.
                _ => break,
            }
        }
        Ok(Tape {
            bytes,
            end: at,
            records,
            transfers,
        })
    }

    /// The transfers, in their order.
    pub fn passed(&self) -> impl Iterator<Item = Passed<'_>> {
        let mut at = HEAD.len();
        std::iter::from_fn(move || {
            let (passed, next) = self.at(at)?;
            at = next;
            Some(passed)
        })
    }

    /// The record at this offset, and the offset of the next.
    pub(super) fn at(&self, place: usize) -> Option<(Passed<'_>, usize)> {
        match read(self.bytes.get(place..self.end)?)? {
            (Record::Passed(record), size) => Some((record, place + size)),
            _ => None,
        }
    }

    /// The number of transfers on the tape.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The number of lost transfers; `None` if the file has no end record.
    pub fn lost(&self) -> Option<u64> {
        self.transfers.map(|all| all - self.records)
    }
}

/// The offset of the first record.
pub(super) const FIRST: usize = HEAD.len();
