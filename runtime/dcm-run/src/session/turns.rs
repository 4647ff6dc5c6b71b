//! Counts the turns: how many were late, and how long they took. From the robot's server, or from the page.
//! Used by `state` and by `top`. A turn is counted once, with the server's measures.

use cycle::{RealtimeVerdict, Span};
use sensors::PageReader;
use serde_json::{Value, json};

use crate::text::words::time;

/// The upper bounds of the buckets that are counted here, ns; the last bucket has none.
const BOUNDS: [u64; 10] = [
    10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000,
];

/// The counts of turns, of this program or of the robot's server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    pub(crate) period_ns: u64,
    /// Turns that were counted.
    pub(crate) seen: u64,
    /// Turns that were overwritten before they were counted.
    pub(crate) unseen: u64,
    /// Turns that began more than half a period late.
    pub(crate) late: u64,
    /// Whether the loop keeps its period.
    pub(crate) realtime: RealtimeVerdict,
    /// Upper bounds of the buckets, ns.
    pub(crate) bounds: Vec<u64>,
    /// Turns by duration: one bucket more than there are bounds.
    pub(crate) work: Vec<u64>,
    /// The last turn that was counted here; 0 if the server counts.
    pub(crate) last: u64,
}

impl Turns {
    /// Nothing counted yet of this page.
    pub(crate) fn of(page: &PageReader) -> Turns {
        Turns {
            period_ns: page.period().nanos(),
            bounds: BOUNDS.to_vec(),
            work: vec![0; BOUNDS.len() + 1],
            last: page.turns().next().unwrap_or(1).saturating_sub(1),
            ..Turns::default()
        }
    }

    /// Counts the new turns of the page.
    pub(crate) fn count(&mut self, page: &PageReader) {
        self.realtime = page.realtime();
        let latest = page.latest();
        let oldest = page.turns().next().unwrap_or(1);
        // Skips the turns that are overwritten: there may be very many.
        let gone = oldest.saturating_sub(self.last.saturating_add(1));
        self.unseen += gone;
        self.last += gone;
        for turn in self.last.saturating_add(1)..=latest {
            match page.read_turn(turn, |frame| {
                (frame.elapsed().nanos(), frame.work().nanos())
            }) {
                Some((elapsed, work)) => self.add(elapsed, work),
                None => self.unseen += 1,
            }
            self.last = turn;
        }
    }

    fn add(&mut self, elapsed: u64, work: u64) {
        self.seen += 1;
        let over = elapsed.saturating_sub(self.period_ns);
        self.late += u64::from(over.saturating_mul(2) > self.period_ns);
        let bucket = self.bounds.iter().position(|bound| work <= *bound);
        if let Some(count) = self.work.get_mut(bucket.unwrap_or(self.bounds.len())) {
            *count += 1;
        }
    }

    /// Every bucket with its label and count.
    pub(crate) fn buckets(&self) -> Vec<(String, u64)> {
        let named = self.work.iter().enumerate().map(|(place, count)| {
            let name = match (self.bounds.get(place), self.bounds.last()) {
                (Some(bound), _) => short(*bound),
                (None, Some(last)) => format!(">{}", short(*last)),
                (None, None) => String::new(),
            };
            (name, *count)
        });
        named.collect()
    }

    /// As JSON, like the server's.
    pub(crate) fn as_json(&self) -> Value {
        json!({
            "period_ns": self.period_ns, "turns": self.seen, "unseen": self.unseen, "late": self.late,
            "realtime": self.realtime.name(), "bounds_ns": self.bounds, "work": self.work,
        })
    }
}

/// A bound as a short label.
fn short(nanos: u64) -> String {
    match nanos {
        n if n >= 1_000_000 && n.is_multiple_of(1_000_000) => format!("{}ms", n / 1_000_000),
        n if n >= 1_000 && n.is_multiple_of(1_000) => format!("{}µs", n / 1_000),
        other => time(Span::from_nanos(other)).replace(' ', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::{BOUNDS, Turns, short};

    #[test]
    fn buckets_have_their_bounds_as_labels() {
        let turns = Turns {
            bounds: vec![10_000, 1_000_000],
            work: vec![3, 4, 0],
            ..Turns::default()
        };
        let names: Vec<_> = turns.buckets().into_iter().map(|bucket| bucket.0).collect();
        assert_eq!(names, ["10µs", "1ms", ">1ms"]);
    }

    #[test]
    fn turns_are_counted_into_their_buckets() {
        let mut turns = Turns {
            period_ns: 10_000_000,
            bounds: BOUNDS.to_vec(),
            work: vec![0; BOUNDS.len() + 1],
            ..Turns::default()
        };
        turns.add(10_000_000, 10_000);
        turns.add(15_000_001, u64::MAX);
        turns.add(15_000_000, 10_001);
        assert_eq!((turns.seen, turns.late), (3, 1));
        assert_eq!((turns.work[0], turns.work[1], turns.work[10]), (1, 1, 1));
        assert_eq!(short(1_500), "1.5µs");
    }
}
