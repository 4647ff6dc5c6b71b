//! The search: the way from a start, from other starts where that ends before the goals, and what the posture wants.
//! Called once by each request, with the steps that it may take.
//! Other starts fill the joints' ranges evenly, and are the same in each run; what was nearest is followed to
//! its end, and steps are kept for that.

use crate::effort::{Effort, Reachability};
use crate::posture::Posture;
use crate::solver::{Patience, Solver, Stand};

impl<const N: usize> Solver<'_, '_, N> {
    /// The way from a start, and from others where that ends too early; then what the posture wants.
    pub(crate) fn search(
        &mut self,
        start: Stand<N>,
        posture: Option<&Posture<'_>>,
    ) -> (Stand<N>, Reachability) {
        let Effort {
            iterations,
            restarts,
            ..
        } = self.effort;
        let mut best = start.clone();
        let mut end = Reachability::Unfinished;
        if restarts > 0 {
            // The rest is kept for the end of the best way.
            self.ceiling = iterations - iterations / 4;
        }
        for attempt in 0..=restarts {
            let mut stand = match attempt {
                0 => start.clone(),
                _ => self.measure(self.other_start(attempt, &start.values, posture)),
            };
            let patience = if restarts == 0 {
                Patience::Long
            } else {
                Patience::Short
            };
            end = self.descend(&mut stand, patience);
            if stand.cost < best.cost || attempt == 0 || end == Reachability::Reached {
                best = stand;
            }
            if end == Reachability::Reached || self.is_spent() {
                break;
            }
        }
        self.ceiling = iterations;
        if end != Reachability::Reached && restarts > 0 {
            end = self.descend(&mut best, Patience::Long);
        }
        if let (Reachability::Reached, Some(posture)) = (end, posture) {
            self.settle(&mut best, posture);
        }
        (best, end)
    }

    /// Another posture to start from: the preferred one or the middle of all ranges, then others that fill the ranges.
    fn other_start(
        &self,
        attempt: u32,
        start: &[f64; N],
        posture: Option<&Posture<'_>>,
    ) -> [f64; N] {
        let mut values = *start;
        for column in 0..self.limb.width() {
            let [low, high] = [self.low[column], self.high[column]];
            let is_bounded = low.is_finite() && high.is_finite();
            let (low, high) = if is_bounded {
                (low, high)
            } else {
                (start[column] - 3.0, start[column] + 3.0)
            };
            let share = match attempt {
                1 => 0.5,
                _ => scattered(attempt, column),
            };
            let wanted = posture.filter(|_| attempt == 1);
            let wanted = wanted.and_then(|value| value.value(self.limb.joint(column)));
            values[column] = wanted.unwrap_or(low + (high - low) * share);
        }
        self.moved(&values, &[0.0; N])
    }
}

/// The first primes: the fractions of their roots have nothing to do with each other.
const PRIMES: [f64; 16] = [
    2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0, 31.0, 37.0, 41.0, 43.0, 47.0, 53.0,
];

/// A number from 0 to 1 for each attempt and column: the same in each run, and attempts fill the ranges evenly (a
/// Kronecker sequence).
fn scattered(attempt: u32, column: usize) -> f64 {
    let way = f64::from(attempt) * libm::sqrt(PRIMES[column % PRIMES.len()]);
    way - libm::floor(way)
}
