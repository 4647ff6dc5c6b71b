//! What went wrong on the way to a board and back, counted by its kind.
//! Counted by the session; read by whoever shows the link.
//! The law: every transfer is either a good answer or exactly one of these.

use wire::Refused;

/// What went wrong in a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The transfer itself failed: the system said so.
    Transfer,
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
    /// It says again what it said before: it stands still.
    Frozen,
    /// It has not heard anything new for too long.
    Deaf,
    /// It has let go of its motors by itself.
    Relaxed,
    /// Its stop line is pressed.
    Stopped,
    /// It is being asked for its table.
    Asking,
}

/// How many kinds there are; the reasons of a refusal are told apart.
pub const FAULT_KINDS: usize = 19;

/// The names of the kinds, in the order of [`Fault::kind`].
pub const FAULT_NAMES: [&str; FAULT_KINDS] = [
    "transfer",
    "silence",
    "corrupt",
    "version",
    "odd",
    "rebooted",
    "mismatch",
    "liar",
    "frozen",
    "deaf",
    "relaxed",
    "stopped",
    "asking",
    "refused-seal",
    "refused-version",
    "refused-form",
    "refused-sequence",
    "refused-table",
    "refused-boots",
];

impl Fault {
    /// Its place among the counts.
    pub fn kind(self) -> usize {
        match self {
            Fault::Transfer => 0,
            Fault::Silence => 1,
            Fault::Corrupt => 2,
            Fault::Version => 3,
            Fault::Odd => 4,
            Fault::Rebooted => 5,
            Fault::Mismatch => 6,
            Fault::Liar => 7,
            Fault::Frozen => 8,
            Fault::Deaf => 9,
            Fault::Relaxed => 10,
            Fault::Stopped => 11,
            Fault::Asking => 12,
            Fault::Refused(Refused::Seal) => 13,
            Fault::Refused(Refused::Version) => 14,
            Fault::Refused(Refused::Form) => 15,
            Fault::Refused(Refused::Sequence) => 16,
            Fault::Refused(Refused::Table) => 17,
            Fault::Refused(Refused::Boots) => 18,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        FAULT_NAMES[self.kind()]
    }
}

/// All faults of a board so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    counts: [u64; FAULT_KINDS],
    /// Transfers with a good answer.
    pub good: u64,
    /// Of these, those whose answer shows that the frame before was not taken.
    pub unheard: u64,
}

impl Faults {
    pub(crate) fn count(&mut self, fault: Fault) {
        self.counts[fault.kind()] += 1;
    }

    /// How many there were of this kind.
    pub fn of(&self, fault: Fault) -> u64 {
        self.counts[fault.kind()]
    }

    /// All transfers.
    pub fn transfers(&self) -> u64 {
        self.good + self.counts.iter().sum::<u64>()
    }
}
