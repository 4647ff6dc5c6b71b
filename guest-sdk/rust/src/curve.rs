//! Curves in pieces: easings and keyframes are made of them, and `flatten` cuts them into straight lines.
//! A piece knows its own curvature, so the error of a chord is computed, never guessed.

use core::f64::consts::PI;

use crate::time::Span;

/// A value over time, as a sequence of pieces.
pub trait Curve {
    /// The piece with this index; `None` after the last.
    fn piece(&self, place: usize) -> Option<Piece>;

    /// Its value at this time after its start; the last value after its end, 0 if it has no pieces.
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
    /// Its exact value at its end, so that a curve meets its keys.
    last: f64,
}

/// The function of a piece over the share of its time, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A cubic: its coefficients, the constant first.
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
    /// Scales from 0 to 1 to the range between two values.
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

/// Where the minimum-jerk easing has its largest curvature: `(3 ± √3) / 6`.
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

    /// A cubic (Hermite) between two values, with slopes per second at both ends.
    pub fn hermite(start: Span, end: Span, from: f64, to: f64, slopes: [f64; 2]) -> Piece {
        let seconds = (end - start).seconds();
        let [first, last] = slopes.map(|slope| slope * seconds);
        let rise = to - from;
        let square = 3.0 * rise - 2.0 * first - last;
        let cube = first + last - 2.0 * rise;
        Piece::new(start, end, Shape::Cubic([from, first, square, cube]), to)
    }

    /// A cubic by Bézier's four values, evenly spaced in time. It starts at the first, leaves towards the
    /// second, and arrives from the third at the last.
    pub fn bezier(start: Span, end: Span, [a, b, c, d]: [f64; 4]) -> Piece {
        let shape = [
            a,
            3.0 * (b - a),
            3.0 * (a - 2.0 * b + c),
            d - a + 3.0 * (b - c),
        ];
        Piece::new(start, end, Shape::Cubic(shape), d)
    }

    /// The share of its time that has passed this long after the curve's start, from 0 to 1.
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

    /// The maximum error of a chord over this share, from its curvature at both ends. Between them the curvature
    /// must not change its sign.
    pub(crate) fn stray(&self, length: f64, one: f64, two: f64) -> f64 {
        let most = match self.shape {
            // The curvature is linear. One that falls to zero gives h² / 9√3, and any line is the sum of two.
            Shape::Cubic(_) => 0.064_150_029_909_958_42 * (one + two),
            // An upper bound: the largest curvature everywhere.
            _ => 0.125 * one.max(two),
        };
        length * length * most
    }

    /// The curvature at a share: the absolute second derivative by the share.
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

    /// The next share at which the curvature changes its sign, else the end. Up to there the curvature is largest at
    /// one of the two ends.
    pub(crate) fn turn(&self, share: f64) -> f64 {
        // The second derivative of a cubic is linear, and that of half a cosine is monotone.
        match self.shape {
            Shape::Jerkless { .. } => MOST.into_iter().find(|value| *value > share).unwrap_or(1.0),
            _ => 1.0,
        }
    }
}

/// `cos(π (from + by · share))` for a sum from 0 to 1. The error is 1e-11, and the code a tenth of one for all
/// angles.
fn cosine(from: f64, by: f64, share: f64) -> f64 {
    // The Taylor series of the sine of the complement.
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
