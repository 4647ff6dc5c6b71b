//! One input line: its level, the count of its presses, and the time of flight of its echo.
//! The chip's thread passes every edge to it. It does no I/O.
//! An edge to the level that the line already has changes nothing, so that no press is counted twice.

use cycle::{Instant, Span};

use super::echo::Echo;
use super::settings::Reads;

/// One input line.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeCounter {
    reads: Reads,
    active: bool,
    presses: u64,
    echo: Echo,
    fired: Instant,
    flight: Option<Span>,
}

impl EdgeCounter {
    pub(super) fn new(reads: Reads) -> EdgeCounter {
        EdgeCounter {
            reads,
            active: false,
            presses: 0,
            echo: Echo::default(),
            fired: Instant::ZERO,
            flight: None,
        }
    }

    /// The trigger of an echo.
    pub(super) fn trigger(&self) -> Option<usize> {
        match self.reads {
            Reads::Echo { trigger } => Some(trigger),
            Reads::Level | Reads::Presses => None,
        }
    }

    /// Sets when its trigger was last raised; zero if never.
    pub(super) fn fired(&mut self, at: Instant) {
        if at != self.fired {
            self.fired = at;
            self.echo.fire(at);
        }
    }

    /// The line became active or inactive at this instant.
    pub(super) fn edge(&mut self, active: bool, at: Instant) {
        self.flight = self.echo.edge(active, at).or(self.flight);
        self.now(active);
    }

    /// Sets the first level. It does not count as a press.
    pub(super) fn begin(&mut self, active: bool) {
        self.active = active;
    }

    /// Sets the level that was read again because edges were lost.
    pub(super) fn again(&mut self, active: bool) {
        self.echo.forget();
        self.now(active);
    }

    fn now(&mut self, active: bool) {
        self.presses += u64::from(active && !self.active);
        self.active = active;
    }

    pub(super) fn active(&self) -> bool {
        self.active
    }

    pub(super) fn presses(&self) -> u64 {
        self.presses
    }

    /// The reading in counts; `None` before the first echo.
    #[allow(
        clippy::cast_precision_loss,
        reason = "nobody presses a button 2^53 times"
    )]
    pub(super) fn counts(&self) -> Option<f64> {
        match self.reads {
            Reads::Level => Some(f64::from(u8::from(self.active))),
            Reads::Presses => Some(self.presses as f64),
            Reads::Echo { .. } => self.flight.map(Span::seconds),
        }
    }
}

/// The numbers of one chip's events. The kernel has dropped an event whose number is missing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    last: u32,
}

impl Sequence {
    /// Takes the number of the next event. Returns how many were lost before it.
    pub(super) fn next(&mut self, number: u32) -> u64 {
        // The number wraps, so use wrapping arithmetic. The first is 1.
        let lost = number.wrapping_sub(self.last).wrapping_sub(1);
        self.last = number;
        u64::from(lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presses_are_counted_once_also_after_events_were_lost() {
        let mut counter = EdgeCounter::new(Reads::Presses);
        counter.begin(true);
        assert_eq!(counter.counts(), Some(0.0), "pressed before the start");
        counter.edge(true, Instant::ZERO);
        counter.edge(false, Instant::ZERO);
        counter.edge(true, Instant::ZERO);
        assert_eq!(counter.counts(), Some(1.0));
        counter.edge(false, Instant::ZERO);
        // Read again as pressed; then the event for the same press arrives.
        counter.again(true);
        counter.edge(true, Instant::ZERO);
        assert_eq!(counter.counts(), Some(2.0));
        assert!(counter.active());
    }

    #[test]
    fn an_echo_has_no_reading_before_the_first_and_keeps_the_last() {
        let mut counter = EdgeCounter::new(Reads::Echo { trigger: 0 });
        counter.edge(true, Instant::from_millis(1));
        counter.edge(false, Instant::from_millis(2));
        assert_eq!(counter.counts(), None);
        counter.fired(Instant::from_millis(10));
        counter.edge(true, Instant::from_millis(11));
        // Each edge sets the same trigger again.
        counter.fired(Instant::from_millis(10));
        counter.edge(false, Instant::from_millis(15));
        assert_eq!(counter.counts(), Some(0.004));
        counter.fired(Instant::from_millis(100));
        counter.edge(true, Instant::from_millis(101));
        counter.again(true);
        counter.edge(false, Instant::from_millis(103));
        assert_eq!(counter.counts(), Some(0.004), "its edges were lost");
    }

    #[test]
    fn a_number_that_is_missing_was_lost() {
        let mut sequence = Sequence::default();
        assert_eq!(sequence.next(1), 0);
        assert_eq!(sequence.next(2), 0);
        assert_eq!(sequence.next(6), 3);
        let mut sequence = Sequence { last: u32::MAX };
        assert_eq!(sequence.next(0), 0);
        assert_eq!(sequence.next(2), 1);
    }
}
