//! Curves, as pieces: what easings and keyframes are made of, and what `flatten` cuts into straight lines.
//! The law: a piece knows its own bend, so that how far a chord strays from it is computed, never guessed.

use core::f64::consts::PI;

use crate::time::Span;

/// A value over time, in pieces that follow on each other.
pub trait Curve {
    /// The piece at this place, counted from 0; `None` after the last.
    fn piece(&self, place: usize) -> Option<Piece>;

    /// Its value so long after its start; the last value after its end, 0 if it has no pieces at all.
    fn value(&self, after: Span) -> f64 {
        let (mut place, mut value) = (0, 0.0);
        while let Some(piece) = self.piece(place) {
            value = piece.value(piece.share(after));
            if after <= piece.end {
                break;
            }
            place += 1;
        }
        value
    }
}

impl<C: Curve + ?Sized> Curve for &C {
    fn piece(&self, place: usize) -> Option<Piece> {
        (**self).piece(place)
    }
}

/// A smooth part of a curve.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub(crate) start: Span,
    pub(crate) end: Span,
    shape: Shape,
    /// Its value at its end, to the last bit: a curve meets its keys.
    last: f64,
}

/// What a piece is over its own share, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A cubic, the constant first.
    Cubic([f64; 4]),
    /// `base + rise · (10 x³ - 15 x⁴ + 6 x⁵)`.
    Jerkless { base: f64, rise: f64 },
    /// `base + rise · cos(π (from + by · x))`.
    Cosine {
        base: f64,
        rise: f64,
        from: f64,
        by: f64,
    },
}

impl Shape {
    /// What goes from 0 to 1 goes from one value to another.
    pub(crate) fn stretched(self, low: f64, high: f64) -> Shape {
        let way = high - low;
        match self {
            Shape::Cubic([a, b, c, d]) => Shape::Cubic([low + a * way, b * way, c * way, d * way]),
            Shape::Jerkless { base, rise } => Shape::Jerkless {
                base: low + base * way,
                rise: rise * way,
            },
            Shape::Cosine {
                base,
                rise,
                from,
                by,
            } => Shape::Cosine {
                base: low + base * way,
                rise: rise * way,
                from,
                by,
            },
        }
    }
}

/// Where the easing of the least jerk bends most: `(3 ± √3) / 6`.
const MOST: [f64; 2] = [0.211_324_865_405_187_1, 0.788_675_134_594_812_9];

impl Curve for Piece {
    fn piece(&self, place: usize) -> Option<Piece> {
        (place == 0).then_some(*self)
    }
}

impl Piece {
    pub(crate) fn new(start: Span, end: Span, shape: Shape, last: f64) -> Piece {
        Piece {
            start,
            end,
            shape,
            last,
        }
    }

    /// A cubic from one value to another, with slopes per second at both ends (Hermite's form).
    pub fn hermite(start: Span, end: Span, from: f64, to: f64, slopes: [f64; 2]) -> Piece {
        let seconds = (end - start).seconds();
        let [first, last] = slopes.map(|it| it * seconds);
        let rise = to - from;
        let square = 3.0 * rise - 2.0 * first - last;
        let cube = first + last - 2.0 * rise;
        Piece::new(start, end, Shape::Cubic([from, first, square, cube]), to)
    }

    /// A cubic by Bézier's four values, evenly spaced in time: it starts at the first, leaves towards the
    /// second, and comes from the third to the last.
    pub fn bezier(start: Span, end: Span, [a, b, c, d]: [f64; 4]) -> Piece {
        let shape = [
            a,
            3.0 * (b - a),
            3.0 * (a - 2.0 * b + c),
            d - a + 3.0 * (b - c),
        ];
        Piece::new(start, end, Shape::Cubic(shape), d)
    }

    /// Which share of it has passed so long after the curve's start, from 0 to 1.
    fn share(&self, after: Span) -> f64 {
        if after >= self.end {
            return 1.0;
        }
        (after - self.start) / (self.end - self.start)
    }

    /// Its value at a share.
    pub(crate) fn value(&self, share: f64) -> f64 {
        if share >= 1.0 {
            return self.last;
        }
        let x = share;
        match self.shape {
            Shape::Cubic([a, b, c, d]) => a + x * (b + x * (c + x * d)),
            Shape::Jerkless { base, rise } => {
                base + rise * x * x * x * (10.0 + x * (6.0 * x - 15.0))
            }
            Shape::Cosine {
                base,
                rise,
                from,
                by,
            } => base + rise * cosine(from, by, x),
        }
    }

    /// How far a chord over so much of it may stray from it, at most, by its bends at both ends. Between them its
    /// bend does not turn round.
    pub(crate) fn stray(&self, length: f64, one: f64, two: f64) -> f64 {
        let most = match self.shape {
            // The bend is a line. One that falls to nothing gives h² / 9√3, and any line is the sum of two.
            Shape::Cubic(_) => 0.064_150_029_909_958_42 * (one + two),
            // As if it were as strong all the way.
            _ => 0.125 * one.max(two),
        };
        length * length * most
    }

    /// How strongly it bends at a share: the second derivative by the share, without its sign.
    pub(crate) fn bend(&self, share: f64) -> f64 {
        let x = share;
        libm::fabs(match self.shape {
            Shape::Cubic([_, _, c, d]) => 2.0 * c + 6.0 * d * x,
            Shape::Jerkless { rise, .. } => rise * x * (60.0 + x * (120.0 * x - 180.0)),
            Shape::Cosine { rise, from, by, .. } => {
                rise * (PI * by) * (PI * by) * cosine(from, by, x)
            }
        })
    }

    /// The next share after this one where its bend turns round, else its end: up to there, it is strongest at
    /// one of the two.
    pub(crate) fn turn(&self, share: f64) -> f64 {
        // The second derivative of a cubic is a line, and half a cosine falls or rises throughout.
        match self.shape {
            Shape::Jerkless { .. } => MOST.into_iter().find(|it| *it > share).unwrap_or(1.0),
            _ => 1.0,
        }
    }
}

/// `cos(π (from + by · share))`, where the sum lies between 0 and 1: to 1e-11, in a tenth of the code that any
/// angle would take.
fn cosine(from: f64, by: f64, share: f64) -> f64 {
    // The sine of what is left to a quarter turn, by its series.
    const THIRD: f64 = -1.0 / 6.0;
    const FIFTH: f64 = 1.0 / 120.0;
    const SEVENTH: f64 = -1.0 / 5_040.0;
    const NINTH: f64 = 1.0 / 362_880.0;
    const ELEVENTH: f64 = -1.0 / 39_916_800.0;
    const THIRTEENTH: f64 = 1.0 / 6_227_020_800.0;
    const FIFTEENTH: f64 = -1.0 / 1_307_674_368_000.0;
    let angle = PI * (0.5 - (from + by * share));
    let z = angle * angle;
    let series = NINTH + z * (ELEVENTH + z * (THIRTEENTH + z * FIFTEENTH));
    angle * (1.0 + z * (THIRD + z * (FIFTH + z * (SEVENTH + z * series))))
}
