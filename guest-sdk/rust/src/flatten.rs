//! From a curve to few straight lines, within a stated error. Used by every eased movement.
//! The law: at no instant does a line lie further from the curve than the error; and there are nearly as few
//! lines as there can be with their ends on the curve.
//!
//! A chord over a share `h` of a piece strays from it by at most `h² · bend / 8`, where `bend` is the strongest
//! second derivative under it; for cubics, whose bend is a straight line, by at most `h² · sum / 9√3`, where `sum`
//! is that of the bends at both ends. So each line is made as long as the bound allows, by a few trials: no
//! sampling, no memory. Both bounds are nearly what happens, so that greed loses little: three lines at most where
//! a curve turns from left to right. Lines that end on the curve meet its keys; lines beside it would be fewer by a
//! third, and would miss them.

use crate::curve::{Curve, Piece};
use crate::time::Span;

/// The error that is used where none is said: a quarter of a degree, a step of a light of 256 steps.
pub const ERROR: f64 = 0.004;

/// The smallest error; who wants less wants every turn.
const LEAST: f64 = 1e-6;

/// A command in the making: this value, so long after the curve's start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// When.
    pub at: Span,
    /// What.
    pub value: f64,
}

/// The points of the few lines that a curve becomes; see [`flatten`].
#[derive(Clone, Debug)]
pub struct Lines<C> {
    curve: C,
    error: f64,
    place: usize,
    piece: Option<Piece>,
    /// The share of the piece that is done.
    share: f64,
    /// The share that the last line took: the next takes about as much.
    last: f64,
}

/// The ends of straight lines that stay within `error` of the curve everywhere, the curve's start first.
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

/// How far a line from this share may go; `guess` is about how long it will be.
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
            // As good as it gets.
            if stray > 0.9 * error {
                break;
            }
        } else if best > 0.0 && length < 1.02 * best {
            break;
        }
        // It strays by the square of its length, about: Heron's step to the root.
        let step = 0.5 * (1.0 + 0.97 * error / stray);
        length = (length * step.clamp(0.1, 2.0)).min(longest);
    }
    // What is no number fits nowhere: it is one line.
    if from + best > from { from + best } else { end }
}

/// The value at a share of a line, for whoever interpolates by hand.
pub fn mix(from: impl Into<f64>, to: impl Into<f64>, share: f64) -> f64 {
    let (from, to) = (from.into(), to.into());
    from + (to - from) * share
}
