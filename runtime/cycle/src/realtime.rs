//! Whether a loop keeps its period: the verdict over its last turns.
//! Kept by the loop, which puts it on the page after every turn; `dcm-run bench` asks it for several periods.
//! A verdict is of the last few thousand turns, and of no fewer than it needs.

use crate::named_enum;
use crate::time::Span;

named_enum! {
    /// Whether a loop keeps its period. A turn is done when it has worked, counted from the instant for which it was
    /// planned.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum RealtimeVerdict {
        /// There were too few turns to tell, or they do not follow the clock.
        #[default]
        Unknown = 0 => "unknown",
        /// At least 999 of 1,000 turns were done within half of the period.
        Comfortable = 1 => "comfortable",
        /// At least 99 of 100 turns were done within the period.
        Tight = 2 => "tight",
        /// Fewer were.
        No = 3 => "no",
    }
}

impl RealtimeVerdict {
    /// A phrase for people.
    pub const fn phrase(self) -> &'static str {
        match self {
            RealtimeVerdict::Unknown => "real-time not known yet",
            RealtimeVerdict::Comfortable => "real-time OK",
            RealtimeVerdict::Tight => "real-time tight",
            RealtimeVerdict::No => "not real-time",
        }
    }
}

/// Turns of which a verdict is made at least.
const TURNS_MIN: u64 = 100;

/// Turns after which the oldest are forgotten, as many at once: the verdict is of so many to twice as many.
const TURNS_KEPT: u64 = 2_000;

/// Counts of turns.
#[derive(Clone, Copy, Debug, Default)]
struct TurnCounts {
    turns: u64,
    /// Turns that were done later than half of the period.
    beyond_half: u64,
    /// Turns that were done later than the whole period.
    beyond: u64,
}

/// Judges whether a loop keeps its period.
#[derive(Clone, Copy, Debug)]
pub struct RealtimeJudge {
    period: Span,
    current: TurnCounts,
    before: TurnCounts,
}

impl RealtimeJudge {
    /// Without any turn yet.
    pub fn new(period: Span) -> RealtimeJudge {
        RealtimeJudge {
            period,
            current: TurnCounts::default(),
            before: TurnCounts::default(),
        }
    }

    /// Counts a turn that began so long `after` its instant, and then worked for so long.
    pub fn count(&mut self, after: Span, work: Span) {
        if self.current.turns == TURNS_KEPT {
            self.before = core::mem::take(&mut self.current);
        }
        let done = after.nanos().saturating_add(work.nanos());
        let period = self.period.nanos();
        self.current.turns += 1;
        self.current.beyond_half += u64::from(done > period / 2);
        self.current.beyond += u64::from(done > period);
    }

    /// The verdict over the turns that are counted.
    pub fn verdict(&self) -> RealtimeVerdict {
        let sum = |of: fn(&TurnCounts) -> u64| of(&self.before) + of(&self.current);
        let turns = sum(|counts| counts.turns);
        if turns < TURNS_MIN {
            RealtimeVerdict::Unknown
        } else if sum(|counts| counts.beyond_half) * 1_000 <= turns {
            RealtimeVerdict::Comfortable
        } else if sum(|counts| counts.beyond) * 100 <= turns {
            RealtimeVerdict::Tight
        } else {
            RealtimeVerdict::No
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    /// The verdict by its words, over the turns that it is of.
    fn by_words(done: &[u64], period: u64) -> RealtimeVerdict {
        let full = done.len().saturating_sub(1) / TURNS_KEPT as usize;
        let kept = &done[full.saturating_sub(1) * TURNS_KEPT as usize..];
        let share = |within: u64| {
            kept.iter().filter(|value| **value <= within).count() as f64 / kept.len() as f64
        };
        match () {
            () if kept.len() < 100 => RealtimeVerdict::Unknown,
            () if share(period / 2) >= 0.999 => RealtimeVerdict::Comfortable,
            () if share(period) >= 0.99 => RealtimeVerdict::Tight,
            () => RealtimeVerdict::No,
        }
    }

    #[test]
    fn the_verdict_is_what_its_words_say() {
        let mut state = 25u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005);
            state = state.wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut seen = Vec::new();
        for _ in 0..60 {
            let period = 100_000 + random(20_000_000);
            let mut judge = RealtimeJudge::new(Span::from_nanos(period));
            let mut done = Vec::new();
            // Each run has its own share of late turns, and changes it once.
            let rare = [random(6), random(6)].map(|value| 10u64.pow(value as u32));
            for turn in 0..50 + random(9_000) {
                let is_late = random(rare[usize::from(turn > 4_000)]) == 0;
                let after = random(if is_late { 2 * period } else { period / 4 });
                let work = random(period / 4);
                judge.count(Span::from_nanos(after), Span::from_nanos(work));
                done.push(after + work);
                if random(50) == 0 {
                    let turns = done.len();
                    assert_eq!(judge.verdict(), by_words(&done, period), "{turns} turns");
                    seen.push(judge.verdict());
                }
            }
        }
        for verdict in RealtimeVerdict::ALL {
            assert!(seen.contains(&verdict), "never {}", verdict.name());
        }
    }
}
