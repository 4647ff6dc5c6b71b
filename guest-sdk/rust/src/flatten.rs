//! Converts a curve to few straight lines, within a given error. Used by every eased movement.
//! No line is further from the curve than the error at any instant; and the number of lines is close to
//! the minimum for lines whose ends are on the curve.
//!
//! A chord over a share `h` of a piece is off by at most `h² · bend / 8`, where `bend` is the largest
//! second derivative under it; for cubics, whose second derivative is linear, by at most `h² · sum / 9√3`, where `sum`
//! adds those at both ends. Each line is made as long as the bound allows, by a few trials: no sampling, no
//! memory. Both bounds are nearly exact, so this greedy choice costs at most three lines where the curvature changes
//! its sign. Lines with their ends on the curve meet its keys; a third fewer lines would do otherwise, but miss the
//! keys.

use crate::curve::{Curve, Piece};
use crate::time::Span;

/// The default error: a quarter of a degree, a step of a light with 256 steps.
pub const ERROR: f64 = 0.004;

/// The smallest error. With a smaller one, nearly every turn would need a command.
const LEAST: f64 = 1e-6;

/// A point of a line: a value, and its time after the curve's start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The time.
    pub at: Span,
    /// The value.
    pub value: f64,
}

/// The points of the lines of a curve; see [`flatten`].
#[derive(Clone, Debug)]
pub struct Lines<C> {
    curve: C,
    error: f64,
    place: usize,
    piece: Option<Piece>,
    /// The share of the piece that is done.
    share: f64,
    /// The share of the last line: the first guess for the next.
    last: f64,
}

/// The ends of straight lines that stay within `error` of the curve; the curve's start is first.
///
/// ```
/// use choreography::prelude::*;
///
/// let nod = Eased::between(0.0, 0.4, 1.s(), Ease::Sine);
/// let lines = flatten(nod, 0.004);
/// assert_eq!(lines.count(), 8); // 7 lines instead of 100 turns
/// ```
pub fn flatten<C: Curve>(curve: C, error: f64) -> Lines<C> {
    let error = if error > LEAST { error } else { LEAST };
    Lines {
        curve,
        error,
        place: 0,
        piece: None,
        share: 0.0,
        last: 1.0,
    }
}

impl<C: Curve> Iterator for Lines<C> {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let Some(piece) = self.piece else {
            let piece = self.curve.piece(0)?;
            self.piece = Some(piece);
            return Some(Point {
                at: piece.start,
                value: piece.value(0.0),
            });
        };
        if self.share >= 1.0 {
            self.place += 1;
            self.piece = Some(self.curve.piece(self.place)?);
            self.share = 0.0;
            return self.next();
        }
        let share = reach(&piece, self.share, self.error, self.last);
        (self.last, self.share) = (share - self.share, share);
        let value = piece.value(share);
        let at = if share < 1.0 {
            piece.start + (piece.end - piece.start) * share
        } else {
            piece.end
        };
        Some(Point { at, value })
    }
}

/// The share where a line from this share may end; `guess` is its approximate length.
fn reach(piece: &Piece, from: f64, error: f64, guess: f64) -> f64 {
    let end = piece.turn(from);
    let longest = end - from;
    let bend = piece.bend(from);
    let (mut length, mut best) = (guess.min(longest), 0.0);
    for _ in 0..40 {
        let stray = piece.stray(length, bend, piece.bend(from + length));
        if stray <= error {
            best = length;
            if length >= longest {
                return end;
            }
            // The line is close enough to the maximum.
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

/// Linear interpolation at a share of a line.
pub fn mix(from: impl Into<f64>, to: impl Into<f64>, share: f64) -> f64 {
    let (from, to) = (from.into(), to.into());
    from + (to - from) * share
}
