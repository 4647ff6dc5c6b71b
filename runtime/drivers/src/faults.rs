//! The reasons why a board did not answer, each with a number, a name and a remedy.
//! Each device counts them; the page shows the number as the board's error.
//! The law: every exchange ends in a good answer or in exactly one of these faults.

use cycle::named_enum;
use wire::Refused;

use crate::bus::BusFault;

/// Why a board did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The transfer itself failed: the system said so.
    Transfer(BusFault),
    /// Nobody drives the line, or nothing that is a frame came back.
    Silence,
    /// A frame came back that was changed on its way.
    Corrupt,
    /// It is of another version.
    Version,
    /// It is no frame that a board may send now.
    Odd,
    /// The board refused what it was sent last: for this reason.
    Refused(Refused),
    /// It has booted again.
    Rebooted,
    /// Its table is not the one that the description has.
    Mismatch,
    /// It acknowledges what was never sent.
    Liar,
    /// It says again what it said before: it stands still, or what comes is from before.
    Frozen,
    /// It has not heard anything new for too long.
    Deaf,
    /// It has let go of its motors by itself.
    Relaxed,
    /// Its stop line is pressed.
    Stopped,
    /// It is being asked for its table.
    Asking,
    /// The line that says that it is ready does not say so.
    NotReady,
    /// The line that says that it has a fault says so.
    FaultLine,
    /// What is read aside, on a thread of its own, has become too old.
    Stale,
    /// A row of its table is none: what is sound is its checksum alone.
    BadRow,
    /// It says that its motors have no power, while the body runs.
    Unpowered,
    /// It answers, but its exchanges take more than half of a turn.
    Slow,
}

/// Defines the kinds of faults from one table: the kind, one fault of it, its name, and its remedy.
macro_rules! fault_kinds {
    ($($Kind:ident = ($($one:tt)+) $(or ($($others:tt)+))? => $name:literal, $remedy:literal,)+) => {
        named_enum! {
            /// The kind of a fault. The reasons of a refusal and the faults of a bus are kinds of their own.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum FaultKind {
                $(#[doc = $name] $Kind => $name,)+
            }
        }

        /// What to look at, for people: each kind's own, as the table in this crate's README has it.
        const REMEDIES: [&str; FAULT_KINDS] = [$($remedy),+];

        /// One fault of each kind.
        const KINDS: [Fault; FAULT_KINDS] = [$($($one)+),+];

        impl Fault {
            /// Its place among the counts.
            pub fn kind(self) -> usize {
                match self {
                    $($($one)+ $(| $($others)+)? => FaultKind::$Kind as usize,)+
                }
            }
        }
    };
}

// The number of a kind is its place here, and the error that boards are shown with is one more: new ones come last.
fault_kinds! {
    Gone = (Fault::Transfer(BusFault::Gone)) => "gone", "plug it in, or start it: it is found again",
    Forbidden = (Fault::Transfer(BusFault::Forbidden)) =>
        "forbidden", "add the user to the group that owns the bus, and log in anew",
    Busy = (Fault::Transfer(BusFault::Busy)) => "busy", "end the other process that has the bus",
    TimedOut = (Fault::Transfer(BusFault::TimedOut)) =>
        "timed-out", "look at what its process does; a real robot wants no process in its turn",
    TooLong = (Fault::Transfer(BusFault::TooLong)) =>
        "too-long", "boot with a larger `spidev.bufsiz`; `dcm-run doctor` says which",
    Settings = (Fault::Transfer(BusFault::Settings)) => "settings", "change `mode` or `speed`",
    Transfer = (Fault::Transfer(BusFault::Other(0))) or (Fault::Transfer(BusFault::Other(_))) =>
        "transfer", "look at the kernel's log",
    Silence = (Fault::Silence) => "silence", "look at the board's power, MISO and chip select",
    Corrupt = (Fault::Corrupt) => "corrupt", "look at wires and ground, or take a lower `speed`",
    Version = (Fault::Version) => "version", "bring firmware and runtime to one version",
    Odd = (Fault::Odd) => "odd", "look at `wire dump --bytes`; of an AS5048A, at its magnet",
    Rebooted = (Fault::Rebooted) => "rebooted", "look at its supply, if nobody pressed reset",
    Mismatch = (Fault::Mismatch) => "mismatch", "end the loop, and ask `wire probe`, which says what differs",
    Liar = (Fault::Liar) => "liar", "look at its firmware",
    Frozen = (Fault::Frozen) => "frozen", "look at its firmware, which hangs",
    Deaf = (Fault::Deaf) => "deaf", "look at MOSI and its receive buffer",
    Relaxed = (Fault::Relaxed) => "relaxed", "find out why; then `clear`, `arm`",
    Stopped = (Fault::Stopped) => "stopped", "release it, `estop --release`; then `clear`, `arm`",
    Asking = (Fault::Asking) => "asking", "wait a moment",
    NotReady = (Fault::NotReady) => "not-ready", "look at its supply; is the line named right, `!`?",
    FaultLine = (Fault::FaultLine) => "fault-line", "see what the board's maker says of it",
    Stale = (Fault::Stale) => "stale", "see whether LoLA has another client",
    RefusedSeal = (Fault::Refused(Refused::Seal)) => "refused-seal", "look at MOSI and ground, or take a lower `speed`",
    RefusedVersion = (Fault::Refused(Refused::Version)) =>
        "refused-version", "bring firmware and runtime to one version",
    RefusedForm = (Fault::Refused(Refused::Form)) => "refused-form", "look at its firmware",
    RefusedSequence = (Fault::Refused(Refused::Sequence)) => "refused-sequence", "find out who else drives it",
    RefusedTable = (Fault::Refused(Refused::Table)) => "refused-table", "end the loop, and ask `wire probe`",
    RefusedBoots = (Fault::Refused(Refused::Boots)) =>
        "refused-boots", "look at its firmware; it is asked for its table again",
    BadRow = (Fault::BadRow) => "bad-row", "end the loop, and ask `wire probe`, which names the row and what is wrong",
    Unpowered = (Fault::Unpowered) => "unpowered", "look at its supply, its fuse, its relay",
    Slow = (Fault::Slow) => "slow", "take a higher `speed`, a smaller table, or `every`",
}

/// How many kinds there are.
pub const FAULT_KINDS: usize = FaultKind::ALL.len();

/// The names of the kinds, in the order of [`Fault::kind`].
pub const FAULT_NAMES: [&str; FAULT_KINDS] = FaultKind::NAMES;

/// Errors from here on are the board's own.
const OWN: u16 = 0x8000;

impl Fault {
    /// Its name.
    pub fn name(self) -> &'static str {
        FAULT_NAMES[self.kind()]
    }

    /// What to look at, as a request to a person.
    pub fn remedy(self) -> &'static str {
        REMEDIES[self.kind()]
    }

    /// The error that a board is shown with while it does not answer for this reason.
    pub fn error(self) -> u16 {
        self.kind() as u16 + 1
    }

    /// The fault of this error; nothing if it is none, or the board's own. A number of the system is not in it.
    pub fn of_error(error: u16) -> Option<Fault> {
        KINDS.get(usize::from(error).checked_sub(1)?).copied()
    }
}

impl From<BusFault> for Fault {
    fn from(fault: BusFault) -> Fault {
        Fault::Transfer(fault)
    }
}

/// The error of a board that answered and named one of its own.
pub fn own_error(code: u16) -> u16 {
    if code == 0 { 0 } else { OWN | code }
}

/// What the error of a board means.
pub fn error_name(error: u16) -> String {
    match error {
        0 => "none".to_owned(),
        OWN.. => format!("its own {}", error & !OWN),
        _ => {
            let name = FAULT_NAMES.get(usize::from(error) - 1);
            name.map_or_else(|| error.to_string(), |it| (*it).to_owned())
        }
    }
}

/// All exchanges with a board so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    counts: [u64; FAULT_KINDS],
    /// Exchanges with a good answer.
    pub good: u64,
    /// Of these, those whose answer shows that the frame before was not taken.
    pub unheard: u64,
}

impl Faults {
    /// One more of this kind.
    pub fn count(&mut self, fault: Fault) {
        self.counts[fault.kind()] += 1;
    }

    /// How many there were of this kind.
    pub fn of(&self, fault: Fault) -> u64 {
        self.counts[fault.kind()]
    }

    /// These and others of the same board.
    #[must_use]
    pub fn and(mut self, others: &Faults) -> Faults {
        for (count, more) in self.counts.iter_mut().zip(others.counts) {
            *count += more;
        }
        self.good += others.good;
        self.unheard += others.unheard;
        self
    }

    /// All exchanges.
    pub fn exchanges(&self) -> u64 {
        self.good + self.counts.iter().sum::<u64>()
    }

    /// Those kinds that there were, by name.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = FAULT_NAMES.into_iter().zip(self.counts);
        all.filter(|(_, count)| *count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document's table and the answers that people get are one.
    #[test]
    fn every_fault_has_the_remedy_of_the_document() {
        let document = include_str!("../README.md");
        for fault in KINDS {
            let begin = format!("| `{}` |", fault.name());
            let row = document.lines().find(|it| it.starts_with(&begin));
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
