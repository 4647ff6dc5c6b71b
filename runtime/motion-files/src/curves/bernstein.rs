//! A piece of a curve of time and value, by its control points. Called by `curves`.
//! The distance of a piece from the line between its ends is never greater than `distance`
//! says.

/// The greatest number of control points: degree 5.
const POINTS_MAX: usize = 6;

/// A Bézier curve: times in ns from the key before it, and values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BezierPiece {
    times: [f64; POINTS_MAX],
    values: [f64; POINTS_MAX],
    points: usize,
}

impl BezierPiece {
    /// A cubic curve.
    pub(crate) fn cubic(times: [f64; 4], values: [f64; 4]) -> BezierPiece {
        BezierPiece::of(&times, &values)
    }

    /// A curve over a duration that takes these values at evenly spaced control points.
    pub(crate) fn even(duration: f64, values: &[f64]) -> BezierPiece {
        let count = values.len().min(POINTS_MAX);
        let mut times = [0.0; POINTS_MAX];
        for (number, time) in times.iter_mut().enumerate().take(count) {
            *time = duration * number as f64 / (count.max(2) - 1) as f64;
        }
        BezierPiece::of(&times[..count], values)
    }

    fn of(times: &[f64], values: &[f64]) -> BezierPiece {
        let mut piece = BezierPiece {
            times: [0.0; POINTS_MAX],
            values: [0.0; POINTS_MAX],
            points: times.len().min(values.len()).min(POINTS_MAX),
        };
        for (place, time) in piece.times.iter_mut().zip(times) {
            *place = *time;
        }
        for (place, value) in piece.values.iter_mut().zip(values) {
            *place = *value;
        }
        piece
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let pairs = self.times.into_iter().zip(self.values);
        pairs.take(self.points)
    }

    fn start(&self) -> (f64, f64) {
        (self.times[0], self.values[0])
    }

    /// Its last point.
    pub(crate) fn end(&self) -> (f64, f64) {
        self.points().last().unwrap_or((0.0, 0.0))
    }

    /// Whether its time never goes back: each control point of a cubic between its ends is enough.
    pub(crate) fn is_forward(&self) -> bool {
        let (from, to) = (self.times[0], self.end().0);
        self.points().all(|(time, _)| (from..=to).contains(&time))
            && self.points().all(|point| point.1.is_finite())
    }

    /// A bound of its distance in value from the line between its ends.
    pub(crate) fn distance(&self) -> f64 {
        let ((from, start), (to, end)) = (self.start(), self.end());
        let slope = if to > from {
            (end - start) / (to - from)
        } else {
            0.0
        };
        let off = self
            .points()
            .map(|(time, value)| (value - start - slope * (time - from)).abs());
        off.fold(0.0, f64::max)
    }

    /// Both halves.
    pub(crate) fn halves(&self) -> (BezierPiece, BezierPiece) {
        self.split(0.5)
    }

    /// What is before a share of it, and what is behind.
    fn split(&self, share: f64) -> (BezierPiece, BezierPiece) {
        let mix = |from: f64, to: f64| from * (1.0 - share) + to * share;
        let (mut first, mut second) = (*self, *self);
        let (mut times, mut values) = (self.times, self.values);
        let last = self.points.saturating_sub(1);
        for level in 0..self.points {
            first.times[level] = times[0];
            first.values[level] = values[0];
            second.times[last - level] = times[last - level];
            second.values[last - level] = values[last - level];
            for at in 0..last - level {
                times[at] = mix(times[at], times[at + 1]);
                values[at] = mix(values[at], values[at + 1]);
            }
        }
        (first, second)
    }

    /// What is before an instant, and what is behind it.
    pub(crate) fn split_at(&self, time: f64) -> (BezierPiece, BezierPiece) {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.split(middle).0.end().0 < time {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.split(high)
    }

    /// The handles of a cubic: from its start, and from its end.
    pub(crate) fn handles(&self) -> [(f64, f64); 2] {
        let ((from, start), (to, end)) = (self.start(), self.end());
        let back = self.points.saturating_sub(2);
        [
            (self.times[1] - from, self.values[1] - start),
            (self.times[back] - to, self.values[back] - end),
        ]
    }

    /// The value when so much time has passed since its key.
    pub(crate) fn value_at(&self, time: f64) -> f64 {
        let mut piece = *self;
        for _ in 0..64 {
            let (first, second) = piece.halves();
            piece = if time < first.end().0 { first } else { second };
        }
        piece.start().1
    }
}
