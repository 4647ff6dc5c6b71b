//! The echo of an ultrasound sensor: computes the time of flight from the trigger and the edges of the echo line.
//! Called by the counter of an echo line, on its thread; pure, so that tests can try every order of edges.
//! A time of flight is the time between the first rise after a trigger and the next fall, and at most that of
//! the longest echo; one trigger gives at most one.

use cycle::{Instant, Span};

/// The longest echo; after that, nothing reflects. In 60 ms sound travels 10 metres and back.
pub(super) const LONGEST: Span = Span::from_millis(60);

/// The state of one echo line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Echo {
    /// No trigger was fired.
    #[default]
    Idle,
    /// Waits for the rise, after the trigger at this instant.
    Fired(Instant),
    /// Waits for the fall, after the rise at this instant.
    Rose(Instant),
}

impl Echo {
    /// The trigger was raised at this instant.
    pub(super) fn fire(&mut self, at: Instant) {
        match self {
            // A sensor ignores a second trigger while its echo is high.
            Echo::Rose(rose) if at.since(*rose) <= LONGEST => {}
            _ => *self = Echo::Fired(at),
        }
    }

    /// The echo line rose or fell. Returns the time of flight at the end of an echo.
    pub(super) fn edge(&mut self, rising: bool, at: Instant) -> Option<Span> {
        match (*self, rising) {
            // A rise from before the trigger arrived late, and belongs to something else.
            (Echo::Fired(fired), true) if at >= fired => {
                let timely = at.since(fired) <= LONGEST;
                *self = if timely { Echo::Rose(at) } else { Echo::Idle };
                None
            }
            (Echo::Rose(rose), false) => {
                *self = Echo::Idle;
                let flight = at.since(rose);
                (at >= rose && flight <= LONGEST).then_some(flight)
            }
            // Two rises in a row: the fall between them was lost, so there is no time of flight.
            (Echo::Rose(_), true) => {
                *self = Echo::Idle;
                None
            }
            _ => None,
        }
    }

    /// Edges were lost: discards the echo under way.
    pub(super) fn forget(&mut self) {
        *self = Echo::Idle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: u64) -> Instant {
        Instant::ZERO + Span::from_micros(micros)
    }

    #[test]
    fn a_rise_and_a_fall_after_a_trigger_are_a_flight() {
        let mut echo = Echo::default();
        echo.fire(at(1_000));
        assert_eq!(echo.edge(true, at(1_400)), None);
        assert_eq!(echo.edge(false, at(7_231)), Some(Span::from_micros(5_831)));
        // The trigger is used up.
        assert_eq!(echo.edge(true, at(8_000)), None);
        assert_eq!(echo.edge(false, at(9_000)), None);
    }

    #[test]
    fn what_belongs_to_no_trigger_is_no_flight() {
        let mut echo = Echo::default();
        assert_eq!(echo.edge(true, at(10)), None);
        assert_eq!(echo.edge(false, at(20)), None);
        // It was high when it was triggered: its fall does not end this echo.
        echo.fire(at(100));
        assert_eq!(echo.edge(true, at(90)), None);
        assert_eq!(echo.edge(false, at(110)), None);
        // The next echo counts.
        assert_eq!(echo.edge(true, at(500)), None);
        assert_eq!(echo.edge(false, at(700)), Some(Span::from_micros(200)));
    }

    #[test]
    fn an_echo_that_is_too_long_says_that_nothing_is_there() {
        let mut echo = Echo::default();
        echo.fire(at(0));
        assert_eq!(echo.edge(true, at(400)), None);
        assert_eq!(echo.edge(false, at(60_401)), None);
        echo.fire(at(100_000));
        assert_eq!(echo.edge(true, at(160_001)), None, "too late for an echo");
        assert_eq!(echo.edge(false, at(160_101)), None);
        echo.fire(at(200_000));
        echo.edge(true, at(200_400));
        assert_eq!(echo.edge(false, at(260_400)), Some(LONGEST));
    }

    #[test]
    fn a_second_trigger_does_not_cut_a_flight_short() {
        let mut echo = Echo::default();
        echo.fire(at(0));
        echo.edge(true, at(400));
        echo.fire(at(20_000));
        let flight = echo.edge(false, at(30_400));
        assert_eq!(flight, Some(Span::from_millis(30)));
        // An echo without a fall ends some time.
        echo.fire(at(40_000));
        echo.edge(true, at(40_400));
        echo.fire(at(140_000));
        assert_eq!(echo.edge(false, at(140_100)), None);
        echo.edge(true, at(140_400));
        let flight = echo.edge(false, at(140_500));
        assert_eq!(flight, Some(Span::from_micros(100)));
    }

    /// Any order of triggers and edges, also a wrong one: every time of flight is from a rise to the next fall.
    #[test]
    fn every_flight_is_between_neighbouring_edges_after_a_trigger_that_no_other_has_used() {
        let mut chance = fastrand::Rng::with_seed(11);
        let mut flights = 0;
        for _ in 0..2_000 {
            let (mut echo, mut now) = (Echo::default(), 1);
            let (mut fires, mut used) = (Vec::new(), 0);
            let mut last_edge: Option<(u64, bool)> = None;
            for _ in 0..60 {
                now += chance.u64(1..30_000);
                // Some edges arrive late, with an earlier time.
                let told = now - chance.u64(0..now.min(40_000)) * u64::from(chance.u8(..8) == 0);
                match chance.u8(..5) {
                    0 | 1 => {
                        echo.fire(at(now));
                        fires.push(now);
                    }
                    2 => {
                        echo.forget();
                        last_edge = None;
                    }
                    kind => {
                        let rising = kind == 3;
                        if let Some(flight) = echo.edge(rising, at(told)) {
                            assert!(!rising && flight <= LONGEST);
                            let (rose, was_rise) = last_edge.expect("an edge before");
                            assert!(was_rise, "the edge before it is a rise");
                            assert_eq!(flight, at(told).since(at(rose)));
                            assert!(fires.iter().any(|fire| *fire <= rose));
                            used += 1;
                            flights += 1;
                        }
                        // Edges that are ignored as too early do not count.
                        last_edge = Some((told, rising));
                    }
                }
            }
            assert!(used <= fires.len());
        }
        assert!(flights > 500, "{flights}");
    }
}
