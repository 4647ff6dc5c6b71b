//! Pieces of curves, cut into straight lines for scripts: an interpreter would take a thousand times as long.
//! Called by `script`. The same curve gives the same lines as in the SDK of Rust (`curve.rs`, `flatten.rs`),
//! to the last bit; change both or none.

use std::f64::consts::PI;

/// The function of a piece over the share x of its time, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) enum PieceShape {
    /// a + b x + c x² + d x³.
    Cubic,
    /// a + b (10 x³ - 15 x⁴ + 6 x⁵).
    Jerkless,
    /// a + b cos(π (c + d x)).
    Cosine,
}

impl PieceShape {
    /// The shape of this number.
    pub(super) fn of(number: u32) -> PieceShape {
        match number {
            0 => PieceShape::Cubic,
            1 => PieceShape::Jerkless,
            _ => PieceShape::Cosine,
        }
    }
}

/// A smooth part of a curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurvePiece {
    pub(super) shape: PieceShape,
    /// a, b, c and d.
    pub(super) by: [f64; 4],
    /// Its exact value at its end.
    pub(super) last: f64,
    /// The most that a line may be off.
    pub(super) error: f64,
}

/// Where minimum jerk has its largest curvature: (3 ± √3) / 6.
const MOST: [f64; 2] = [0.211_324_865_405_187_1, 0.788_675_134_594_812_9];

/// The smallest error. With a smaller one, nearly every turn would need a command.
const LEAST: f64 = 1e-6;

/// How often the length of a line is improved.
const TRIALS: u32 = 40;

impl CurvePiece {
    /// Its value at a share.
    pub(super) fn value(&self, x: f64) -> f64 {
        if x >= 1.0 {
            return self.last;
        }
        let [a, b, c, d] = self.by;
        match self.shape {
            PieceShape::Cubic => a + x * (b + x * (c + x * d)),
            PieceShape::Jerkless => a + b * x * x * x * (10.0 + x * (6.0 * x - 15.0)),
            PieceShape::Cosine => a + b * cosine(c, d, x),
        }
    }

    /// The curvature at a share: the absolute second derivative by the share.
    fn bend(&self, x: f64) -> f64 {
        let [_, b, c, d] = self.by;
        let bend = match self.shape {
            PieceShape::Cubic => 2.0 * c + 6.0 * d * x,
            PieceShape::Jerkless => b * x * (60.0 + x * (120.0 * x - 180.0)),
            PieceShape::Cosine => b * (PI * d) * (PI * d) * cosine(c, d, x),
        };
        bend.abs()
    }

    /// How far a line over this share is off at most, by the curvature at both its ends.
    fn stray(&self, length: f64, one: f64, two: f64) -> f64 {
        let most = match self.shape {
            PieceShape::Cubic => 0.064_150_029_909_958_42 * (one + two),
            _ => 0.125 * one.max(two),
        };
        length * length * most
    }

    /// The share up to which the curvature is largest at one of both ends.
    fn turn(&self, share: f64) -> f64 {
        match self.shape {
            PieceShape::Jerkless => MOST.into_iter().find(|value| *value > share).unwrap_or(1.0),
            _ => 1.0,
        }
    }

    /// The share at which a line from this share may end; `guess` is its approximate length.
    pub(super) fn reach(&self, from: f64, guess: f64) -> f64 {
        let error = if self.error > LEAST {
            self.error
        } else {
            LEAST
        };
        let end = self.turn(from);
        let longest = end - from;
        let bend = self.bend(from);
        let (mut length, mut best) = (guess.min(longest), 0.0);
        for _ in 0..TRIALS {
            let stray = self.stray(length, bend, self.bend(from + length));
            if stray <= error {
                best = length;
                if length >= longest {
                    return end;
                }
                // The line is close enough to the longest.
                if stray > 0.9 * error {
                    break;
                }
            } else if best > 0.0 && length < 1.02 * best {
                break;
            }
            // The error grows with the square of the length: a step of Heron's method.
            let step = 0.5 * (1.0 + 0.97 * error / stray);
            length = (length * step.clamp(0.1, 2.0)).min(longest);
        }
        // A NaN never fits: it is one line.
        if from + best > from { from + best } else { end }
    }
}

/// cos(π (start + by · share)), by the Taylor series of the sine of the complement.
fn cosine(start: f64, by: f64, share: f64) -> f64 {
    const THIRD: f64 = -1.0 / 6.0;
    const FIFTH: f64 = 1.0 / 120.0;
    const SEVENTH: f64 = -1.0 / 5_040.0;
    const NINTH: f64 = 1.0 / 362_880.0;
    const ELEVENTH: f64 = -1.0 / 39_916_800.0;
    const THIRTEENTH: f64 = 1.0 / 6_227_020_800.0;
    const FIFTEENTH: f64 = -1.0 / 1_307_674_368_000.0;
    let angle = PI * (0.5 - (start + by * share));
    let z = angle * angle;
    let series = NINTH + z * (ELEVENTH + z * (THIRTEENTH + z * FIFTEENTH));
    angle * (1.0 + z * (THIRD + z * (FIFTH + z * (SEVENTH + z * series))))
}
