//! From a curve to few straight lines, within a stated error. Used by every eased movement.
//! The law: at no instant does a line lie further from the curve than the error; and there are nearly as few
//! lines as there can be with their ends on the curve.
//!
//! A chord over a share `h` of a piece strays from it by at most `h² · bend / 8`, where `bend` is the strongest
//! second derivative under it; for cubics, whose bend is a straight line, by at most `h² · sum / 9√3`, where `sum` is
//! that of the bends at both ends. So each line is made as long as the bound allows, by halving: no sampling, no
//! guess, no memory. Both bounds are nearly what happens, so that greed loses little: three lines at most where a
//! curve turns from left to right. Lines that end on the curve meet its keys; lines beside it would be fewer by a third,
//! and would miss them.

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
    /// The share of the piece that is done.
    share: f64,
    begun: bool,
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
        share: 0.0,
        begun: false,
    }
}

impl<C: Curve> Iterator for Lines<C> {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let piece = self.curve.piece(self.place)?;
        if !self.begun {
            self.begun = true;
            return Some(Point {
                at: piece.start,
                value: piece.value(0.0),
            });
        }
        let share = reach(&piece, self.share, self.error);
        let length = piece.end - piece.start;
        let (at, value) = (piece.start + length * share, piece.value(share));
        if share < 1.0 {
            self.share = share;
            return Some(Point { at, value });
        }
        self.share = 0.0;
        self.place += 1;
        Some(Point {
            at: piece.end,
            value,
        })
    }
}

/// How far a line from this share may go.
fn reach(piece: &Piece, from: f64, error: f64) -> f64 {
    let end = piece.turn(from);
    let fits = |to: f64| piece.stray(from, to) <= error;
    let (mut near, mut far) = (from, end);
    if fits(end) {
        return end;
    }
    // Halved until it is known to a hundredth of the line.
    for _ in 0..50 {
        let middle = 0.5 * (near + far);
        if fits(middle) {
            near = middle;
        } else {
            far = middle;
        }
        if far - near <= 0.01 * (near - from) {
            break;
        }
    }
    // What is no number fits nowhere: it is one line.
    if near > from { near } else { end }
}

/// The value at a share of a line, for whoever interpolates by hand.
pub fn mix(from: impl Into<f64>, to: impl Into<f64>, share: f64) -> f64 {
    let (from, to) = (from.into(), to.into());
    from + (to - from) * share
}
