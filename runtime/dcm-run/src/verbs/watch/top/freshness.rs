//! Whether the screen shows the robot as it is now. The loop of `top` passes it every reading.
//! Figures count as new only when the robot has made another turn; what is old looks old.

use std::time::{Duration, Instant};

use super::snapshot::RobotSnapshot;

/// The age from which on figures are old: no sooner than this, and than so many periods.
const STALE: Duration = Duration::from_secs(1);
const STALE_PERIODS: u32 = 3;

/// What is known of the connection.
#[derive(Debug)]
pub(super) struct Freshness {
    /// The last turn that was read.
    turn: u64,
    /// When it was new.
    fresh: Instant,
    /// From one turn to the next.
    period: Duration,
    /// Why the last reading failed.
    lost: Option<String>,
}

impl Freshness {
    /// Before the first reading.
    pub(super) fn new(now: Instant) -> Freshness {
        Freshness {
            turn: 0,
            fresh: now,
            period: Duration::ZERO,
            lost: None,
        }
    }

    /// A reading, or why it failed.
    pub(super) fn note(&mut self, reading: Result<&RobotSnapshot, String>, now: Instant) {
        if let Ok(snapshot) = &reading {
            self.period = Duration::from_nanos(snapshot.turns.period_ns);
        }
        match reading {
            // A replay that is paused makes no turns.
            Ok(snapshot) if snapshot.turn != self.turn || snapshot.is_replay => {
                (self.turn, self.fresh, self.lost) = (snapshot.turn, now, None);
            }
            Ok(_) => self.lost = None,
            Err(why) => self.lost = Some(why),
        }
    }

    /// Why the figures are old, if they are.
    pub(super) fn stale(&self, now: Instant) -> Option<String> {
        let silence = now.saturating_duration_since(self.fresh);
        match &self.lost {
            Some(why) => Some(format!("not connected, trying again: {why}")),
            None if silence >= STALE.max(self.period * STALE_PERIODS) => {
                Some(format!("no new turn for {} s", silence.as_secs()))
            }
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Freshness, RobotSnapshot};

    #[test]
    fn figures_are_old_a_second_after_the_last_new_turn() {
        let begun = Instant::now();
        let at = |ms| begun + Duration::from_millis(ms);
        let turn = |turn, is_replay| RobotSnapshot {
            turn,
            is_replay,
            ..RobotSnapshot::default()
        };
        let mut fresh = Freshness::new(begun);
        fresh.note(Ok(&turn(7, false)), at(100));
        assert_eq!(fresh.stale(at(1000)), None);
        // The same turn again is nothing new, however often it is read.
        fresh.note(Ok(&turn(7, false)), at(1000));
        let old = fresh.stale(at(1100)).expect("it is old");
        assert_eq!(old, "no new turn for 1 s");
        fresh.note(Err("it does not answer".to_owned()), at(1200));
        let old = fresh.stale(at(1200)).expect("it is old");
        assert_eq!(old, "not connected, trying again: it does not answer");
        // A robot that was started anew counts from 0.
        fresh.note(Ok(&turn(0, false)), at(1300));
        assert_eq!(fresh.stale(at(1400)), None);
        fresh.note(Ok(&turn(0, true)), at(9000));
        assert_eq!(fresh.stale(at(9500)), None);
    }

    #[test]
    fn a_body_with_long_turns_is_given_three_of_them() {
        let begun = Instant::now();
        let at = |ms| begun + Duration::from_millis(ms);
        let mut slow = RobotSnapshot {
            turn: 3,
            ..RobotSnapshot::default()
        };
        slow.turns.period_ns = 800_000_000;
        let mut fresh = Freshness::new(begun);
        fresh.note(Ok(&slow), at(0));
        assert_eq!(fresh.stale(at(2399)), None);
        assert!(fresh.stale(at(2400)).is_some());
    }
}
