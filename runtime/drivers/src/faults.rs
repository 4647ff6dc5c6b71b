//! The reasons why a board did not answer, each with a number, a name and a remedy.
//! Each device counts them; the page shows the number as the board's error.
//! Every exchange ends in a good answer or in exactly one of these faults.

use cycle::named_enum;
use wire::Refused;

use crate::bus::BusFault;

/// Why a board did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The system reported that the transfer failed.
    Transfer(BusFault),
    /// Nothing drives the line, or the answer is not a frame.
    Silence,
    /// The frame was changed on its way to the host.
    Corrupt,
    /// The frame has another version of the protocol.
    Version,
    /// The board may not send such a frame now.
    UnexpectedFrame,
    /// The board refused the last frame, for this reason.
    Refused(Refused),
    /// The board has rebooted.
    Rebooted,
    /// The board's table differs from the description.
    Mismatch,
    /// The board acknowledges a frame that was never sent.
    WrongAck,
    /// The board repeats an earlier answer: its firmware hangs, or the frame is an old one.
    Frozen,
    /// The board has not acknowledged a new frame for too long.
    NoNewAck,
    /// The board has relaxed its motors by itself.
    MotorsOff,
    /// The board's stop line is pressed.
    Stopped,
    /// The host is reading the board's table.
    Asking,
    /// The board's ready line is inactive.
    NotReady,
    /// The board's fault line is active.
    FaultLine,
    /// The last reading of a part that runs on its own thread is too old.
    Stale,
    /// A row of the board's table is invalid, although its checksum is correct.
    BadRow,
    /// The board reports that its motors have no power although they may exert force.
    Unpowered,
    /// The board answers, but an exchange takes more than half a turn.
    Slow,
    /// The physics of the simulated body has no finite result.
    Exploded,
}

/// Defines the kinds of faults from one table: the kind, one fault of it, its name, and its remedy.
macro_rules! fault_kinds {
    ($($Kind:ident = ($($one:tt)+) $(or ($($others:tt)+))? => $name:literal, $remedy:literal,)+) => {
        named_enum! {
            /// The kind of a fault. Each reason of a refusal and each fault of a bus is a separate kind.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum FaultKind {
                $(#[doc = $name] $Kind => $name,)+
            }
        }

        /// A remedy for each kind, the same as in the table of this crate's README.
        const REMEDIES: [&str; FAULT_KINDS] = [$($remedy),+];

        /// One fault of each kind.
        const KINDS: [Fault; FAULT_KINDS] = [$($($one)+),+];

        impl Fault {
            /// The index of this fault's kind among the counts.
            pub fn kind(self) -> usize {
                match self {
                    $($($one)+ $(| $($others)+)? => FaultKind::$Kind as usize,)+
                }
            }
        }
    };
}

// A kind's number is its index here, and its error code is one more. So append new kinds at the end.
fault_kinds! {
    Gone = (Fault::Transfer(BusFault::Gone)) => "gone", "plug it in or start it; it reconnects by itself",
    Forbidden = (Fault::Transfer(BusFault::Forbidden)) =>
        "forbidden", "add the user to the group that owns the bus, then log in again",
    Busy = (Fault::Transfer(BusFault::Busy)) => "busy", "end the other process that uses the bus",
    TimedOut = (Fault::Transfer(BusFault::TimedOut)) =>
        "timed-out", "check the board's process; do not use a process on a real robot",
    TooLong = (Fault::Transfer(BusFault::TooLong)) =>
        "too-long", "boot with a larger `spidev.bufsiz`; `dcm-run doctor` prints the value",
    Settings = (Fault::Transfer(BusFault::Settings)) => "settings", "change `mode` or `speed`",
    Transfer = (Fault::Transfer(BusFault::Other(0))) or (Fault::Transfer(BusFault::Other(_))) =>
        "transfer", "check the kernel log",
    Silence = (Fault::Silence) => "silence", "check the board's power, MISO and chip select",
    Corrupt = (Fault::Corrupt) => "corrupt", "check wires and ground, or lower `speed`",
    Version = (Fault::Version) => "version", "update firmware and runtime to the same version",
    UnexpectedFrame = (Fault::UnexpectedFrame) =>
        "unexpected-frame", "check `wire dump --bytes`; for an AS5048A, check its magnet",
    Rebooted = (Fault::Rebooted) => "rebooted", "check its supply, unless someone pressed reset",
    Mismatch = (Fault::Mismatch) => "mismatch", "end the loop and run `wire probe`, which prints the differences",
    WrongAck = (Fault::WrongAck) => "wrong-ack", "check its firmware",
    Frozen = (Fault::Frozen) => "frozen", "check its firmware, which hangs",
    NoNewAck = (Fault::NoNewAck) => "no-new-ack", "check MOSI and its receive buffer",
    MotorsOff = (Fault::MotorsOff) => "motors-off", "find the cause; then `clear`, `arm`",
    Stopped = (Fault::Stopped) => "stopped", "release it, `estop --release`; then `clear`, `arm`",
    Asking = (Fault::Asking) => "asking", "wait a moment",
    NotReady = (Fault::NotReady) => "not-ready", "check its supply, and the line's name and `!`",
    FaultLine = (Fault::FaultLine) => "fault-line", "see the board's manual",
    Stale = (Fault::Stale) => "stale", "check whether LoLA has another client",
    RefusedSeal = (Fault::Refused(Refused::Seal)) => "refused-seal", "check MOSI and ground, or lower `speed`",
    RefusedVersion = (Fault::Refused(Refused::Version)) =>
        "refused-version", "update firmware and runtime to the same version",
    RefusedForm = (Fault::Refused(Refused::Form)) => "refused-form", "check its firmware",
    RefusedSequence = (Fault::Refused(Refused::Sequence)) => "refused-sequence", "find the other host that drives it",
    RefusedTable = (Fault::Refused(Refused::Table)) => "refused-table", "end the loop and run `wire probe`",
    RefusedBoots = (Fault::Refused(Refused::Boots)) =>
        "refused-boots", "check its firmware; the host reads its table again",
    BadRow = (Fault::BadRow) => "bad-row", "end the loop and run `wire probe`, which names the row and the error",
    Unpowered = (Fault::Unpowered) => "unpowered", "check its supply, its fuse and its relay",
    Slow = (Fault::Slow) => "slow", "raise `speed`, shrink the table, or use `every`",
    Exploded = (Fault::Exploded) =>
        "exploded", "restart the simulation; check the masses and inertias of `[links]`, or use `--physics off`",
}

/// How many kinds there are.
pub const FAULT_KINDS: usize = FaultKind::ALL.len();

/// The names of the kinds, in the order of [`Fault::kind`].
pub const FAULT_NAMES: [&str; FAULT_KINDS] = FaultKind::NAMES;

/// Error codes from here on are the board's own.
const OWN: u16 = 0x8000;

impl Fault {
    /// The name of the fault's kind.
    pub fn name(self) -> &'static str {
        FAULT_NAMES[self.kind()]
    }

    /// What a person should do about it.
    pub fn remedy(self) -> &'static str {
        REMEDIES[self.kind()]
    }

    /// The error code of a board that does not answer for this reason.
    pub fn error(self) -> u16 {
        self.kind() as u16 + 1
    }

    /// One fault of each kind, in the order of their error codes.
    pub fn all() -> impl Iterator<Item = Fault> {
        KINDS.into_iter()
    }

    /// The fault of this error code; `None` for 0 and for a board's own error. The system's error number is lost.
    pub fn of_error(error: u16) -> Option<Fault> {
        KINDS.get(usize::from(error).checked_sub(1)?).copied()
    }
}

impl From<BusFault> for Fault {
    fn from(fault: BusFault) -> Fault {
        Fault::Transfer(fault)
    }
}

/// The error code of a board that answered and reported an error of its own.
pub fn own_error(code: u16) -> u16 {
    if code == 0 { 0 } else { OWN | code }
}

/// The name of a board's error code.
pub fn error_name(error: u16) -> String {
    match error {
        0 => "none".to_owned(),
        OWN.. => format!("its own {}", error & !OWN),
        _ => {
            let name = FAULT_NAMES.get(usize::from(error) - 1);
            name.map_or_else(|| error.to_string(), |name| (*name).to_owned())
        }
    }
}

/// Counts of all exchanges with a board so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    counts: [u64; FAULT_KINDS],
    /// Exchanges with a good answer.
    pub good: u64,
    /// Of these, answers that show that the board did not take the previous frame.
    pub unheard: u64,
}

impl Faults {
    /// Counts one more fault of this kind.
    pub fn count(&mut self, fault: Fault) {
        self.counts[fault.kind()] += 1;
    }

    /// The number of faults of this kind.
    pub fn of(&self, fault: Fault) -> u64 {
        self.counts[fault.kind()]
    }

    /// The sum of these counts and others of the same board.
    #[must_use]
    pub fn and(mut self, others: &Faults) -> Faults {
        for (count, more) in self.counts.iter_mut().zip(others.counts) {
            *count += more;
        }
        self.good += others.good;
        self.unheard += others.unheard;
        self
    }

    /// The number of all exchanges.
    pub fn exchanges(&self) -> u64 {
        self.good + self.counts.iter().sum::<u64>()
    }

    /// The names and counts of the kinds that have occurred.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = FAULT_NAMES.into_iter().zip(self.counts);
        all.filter(|(_, count)| *count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The README's table and the program's answers have the same remedies.
    #[test]
    fn every_fault_has_the_remedy_of_the_document() {
        let document = include_str!("../README.md");
        for fault in KINDS {
            let begin = format!("| `{}` |", fault.name());
            let row = document.lines().find(|line| line.starts_with(&begin));
            let row = row.unwrap_or_else(|| panic!("{} is not in the table", fault.name()));
            assert!(row.ends_with(&format!("| {} |", fault.remedy())), "{row}");
        }
    }

    #[test]
    fn every_fault_has_a_number_and_a_name_of_its_own() {
        for (kind, fault) in KINDS.into_iter().enumerate() {
            assert_eq!(fault.kind(), kind);
            assert_eq!(Fault::of_error(fault.error()), Some(fault));
            assert_eq!(error_name(fault.error()), FAULT_NAMES[kind]);
        }
        for error in [0, FAULT_KINDS as u16 + 1, own_error(7)] {
            assert_eq!(Fault::of_error(error), None);
        }
    }
}
