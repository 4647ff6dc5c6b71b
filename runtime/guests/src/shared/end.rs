//! Why a guest ended. Kept as a number in its report, and in recordings.
//! Of several reasons the first one counts.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Why a guest ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum End {
    /// It has not ended.
    None,
    /// It ended itself.
    Finished,
    /// Somebody stopped it.
    Stopped,
    /// Another version took over.
    Swapped,
    /// It used more fuel than it was granted.
    OutOfFuel,
    /// A hook took longer than it may, by the clock.
    TooLong,
    /// It trapped.
    Trap,
    /// There was no free lane.
    NoLane,
}

impl End {
    /// All of them, in their order.
    pub const ALL: [End; 8] = [
        End::None,
        End::Finished,
        End::Stopped,
        End::Swapped,
        End::OutOfFuel,
        End::TooLong,
        End::Trap,
        End::NoLane,
    ];

    /// As words.
    pub fn words(self) -> &'static str {
        match self {
            End::None => "",
            End::Finished => "finished",
            End::Stopped => "stopped",
            End::Swapped => "another version took over",
            End::OutOfFuel => "ran out of fuel",
            End::TooLong => "took too long",
            End::Trap => "trapped",
            End::NoLane => "there was no lane for it",
        }
    }

    /// The end of this number.
    pub(crate) fn of(number: &AtomicU8) -> End {
        let number = usize::from(number.load(Relaxed));
        End::ALL.get(number).copied().unwrap_or(End::Trap)
    }

    /// Sets it if no end is set.
    pub(crate) fn set_first(self, number: &AtomicU8) {
        let none = End::None as u8;
        // If this fails, a reason is set already.
        let _ = number.compare_exchange(none, self as u8, Relaxed, Relaxed);
    }

    /// Whether it was the guest's own fault.
    pub fn is_fault(self) -> bool {
        matches!(self, End::OutOfFuel | End::TooLong | End::Trap)
    }
}
