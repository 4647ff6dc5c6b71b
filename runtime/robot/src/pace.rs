//! The timing of turns: their absolute instants, and the sleep until the next one.
//! Called by the loop once in every turn.
//! Turns lie on a grid. Missed turns are skipped, never made up in a burst.

use cycle::{Instant, Span};
use rustix::io::Errno;
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec, clock_gettime};

/// The monotonic clock, counted from the robot's start.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// The system clock's ns at the robot's instant 0; it wraps if that was before the machine's start.
    zero: u64,
}

impl Clock {
    /// A clock that starts now.
    pub fn start() -> Clock {
        Clock::start_at(Instant::ZERO)
    }

    /// A clock on which it is this instant now.
    pub fn start_at(instant: Instant) -> Clock {
        Clock {
            zero: monotonic_now().wrapping_sub(instant.nanos()),
        }
    }

    /// The instant now.
    pub fn now(&self) -> Instant {
        Instant::from_nanos(monotonic_now().wrapping_sub(self.zero))
    }

    /// Sleeps until `instant`; returns at once if it has passed.
    pub fn sleep_until(&self, instant: Instant) {
        if instant <= self.now() {
            return;
        }
        let nanos = self.zero.wrapping_add(instant.nanos());
        let until = Timespec {
            tv_sec: i64::try_from(nanos / 1_000_000_000).unwrap_or(i64::MAX),
            tv_nsec: (nanos % 1_000_000_000) as _,
        };
        // A signal interrupts the sleep: sleep again. Other errors cannot occur with a valid clock and time.
        // If one did, a loop that does not sleep is better than one that stops.
        while clock_nanosleep_absolute(ClockId::Monotonic, &until) == Err(Errno::INTR) {}
    }
}

fn monotonic_now() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// The grid of turns.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    period: Span,
    next: Instant,
}

impl Pace {
    /// A turn every `period`, the first one at `first`. A period of 0 counts as 1 ns.
    pub fn new(period: Span, first: Instant) -> Pace {
        Pace {
            period: period.max(Span::from_nanos(1)),
            next: first,
        }
    }

    /// The instant of the next turn: the first one on the grid that is not before `now`, and that was not returned
    /// before.
    pub fn next(&mut self, now: Instant) -> Instant {
        let behind = (now - self.next).nanos();
        let skipped = behind.div_ceil(self.period.nanos());
        let turn = self.next + self.period.times(skipped);
        self.next = turn + self.period;
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Instant = Instant::from_millis;

    #[test]
    fn turns_lie_on_the_grid() {
        let mut pace = Pace::new(Span::from_millis(10), MS(100));
        assert_eq!(pace.next(MS(95)), MS(100));
        assert_eq!(pace.next(MS(101)), MS(110));
        assert_eq!(pace.next(MS(120)), MS(120), "just in time");
    }

    #[test]
    fn missed_turns_are_skipped() {
        let mut pace = Pace::new(Span::from_millis(10), MS(100));
        assert_eq!(pace.next(MS(100)), MS(100));
        assert_eq!(pace.next(MS(157)), MS(160));
        assert_eq!(pace.next(MS(160)), MS(170));
    }

    #[test]
    fn the_clock_starts_at_zero_and_sleeps_until_an_instant() {
        let clock = Clock::start();
        let until = clock.now() + Span::from_millis(3);
        clock.sleep_until(until);
        assert!(clock.now() >= until);
        clock.sleep_until(Instant::ZERO);
    }
}
