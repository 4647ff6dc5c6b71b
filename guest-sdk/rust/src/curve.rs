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
    /// A polynomial, the constant first.
    Poly([f64; 6]),
    /// `base + rise · cos(π (from + by · share))`.
    Cosine {
        base: f64,
        rise: f64,
        from: f64,
        by: f64,
    },
}

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
        Piece::new(
            start,
            end,
            Shape::Poly([from, first, square, cube, 0.0, 0.0]),
            to,
        )
    }

    /// A cubic by Bézier's four values, evenly spaced in time: it starts at the first, leaves towards the
    /// second, and comes from the third to the last.
    pub fn bezier(start: Span, end: Span, [a, b, c, d]: [f64; 4]) -> Piece {
        let shape = [
            a,
            3.0 * (b - a),
            3.0 * (a - 2.0 * b + c),
            d - a + 3.0 * (b - c),
            0.0,
            0.0,
        ];
        Piece::new(start, end, Shape::Poly(shape), d)
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
        match self.shape {
            Shape::Poly(of) => of.iter().rev().fold(0.0, |sum, it| sum * share + it),
            Shape::Cosine {
                base,
                rise,
                from,
                by,
            } => base + rise * cosine(from, by, share),
        }
    }

    /// How strongly it bends at a share: the second derivative by the share, without its sign.
    pub(crate) fn bend(&self, share: f64) -> f64 {
        let bend = match self.shape {
            Shape::Poly([_, _, c, d, e, f]) => {
                2.0 * c + share * (6.0 * d + share * (12.0 * e + share * 20.0 * f))
            }
            Shape::Cosine { rise, from, by, .. } => {
                let turn = PI * by;
                rise * turn * turn * cosine(from, by, share)
            }
        };
        libm::fabs(bend)
    }

    /// Where its bend is at its strongest or weakest between its ends: between two such shares the strongest
    /// is at one of them. 2 where there is none.
    pub(crate) fn extremes(&self) -> [f64; 2] {
        // A cosine of half a turn at most bends ever more, or ever less.
        let Shape::Poly([_, _, _, d, e, f]) = self.shape else {
            return [2.0; 2];
        };
        // The third derivative over 6: d + 4 e x + 10 f x².
        let (a, b, c) = (10.0 * f, 2.0 * e, d);
        let found = if a == 0.0 {
            [-c / (2.0 * b), 2.0]
        } else {
            let root = libm::sqrt(b * b - a * c);
            [(-b - root) / a, (-b + root) / a]
        };
        // What is no number is nowhere.
        found.map(|it| if it > 0.0 && it < 1.0 { it } else { 2.0 })
    }
}

/// `cos(π (from + by · share))`, where the sum lies between 0 and 1: to 1e-11, in a tenth of the code that any
/// angle would take.
fn cosine(from: f64, by: f64, share: f64) -> f64 {
    // The sine of what is left to a quarter turn, by its series.
    let angle = PI * (0.5 - (from + by * share));
    let square = angle * angle;
    let series = (1..8).rev().fold(1.0, |sum, it| {
        let even = f64::from(2 * it);
        1.0 - sum * square / (even * (even + 1.0))
    });
    angle * series
}
