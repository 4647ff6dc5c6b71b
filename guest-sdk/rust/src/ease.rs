//! Easings: how a movement gathers speed and loses it.

use crate::curve::{Curve, Piece, Shape};
use crate::time::Span;

/// How a movement goes from its start to its end.
///
/// ```
/// use choreography::prelude::*;
///
/// assert_eq!(Ease::Jerkless.at(0.5), 0.5);
/// assert_eq!(Ease::Cubic.at(7.0), 1.0); // it has long arrived
/// assert!(Ease::BackOut.at(0.6) > 1.0); // it goes a little beyond, and comes back
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ease {
    /// Evenly: a jerk at both ends.
    Linear,
    /// Softly off, softly on: the one for most things.
    #[default]
    Sine,
    /// Softly off, at full speed in the end.
    SineIn,
    /// At full speed off, softly on.
    SineOut,
    /// As `Sine`, with more of a pause at both ends.
    Cubic,
    /// As `SineIn`, with more of a pause.
    CubicIn,
    /// As `SineOut`, with more of a pause.
    CubicOut,
    /// The least jerk that there is between two places of rest: how arms of animals move.
    Jerkless,
    /// Takes a small swing back first.
    BackIn,
    /// Goes a little too far, and comes back. Mind the joint's range.
    BackOut,
}

/// How far `Back` swings: a tenth of the way.
const SWING: f64 = 1.70158;

impl Ease {
    /// The share of the way at this share of the time. Both are 0 at the start and 1 at the end.
    pub fn at(self, share: f64) -> f64 {
        let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
        let ticks = share * 1e9;
        Eased::new(self, 0.0, 1.0, 1_000_000_000.0).value(Span::from_nanos(ticks as u64))
    }
}

/// A movement from one value to another.
#[derive(Clone, Copy, Debug)]
pub struct Eased {
    ease: Ease,
    from: f64,
    to: f64,
    span: Span,
}

impl Eased {
    fn new(ease: Ease, from: f64, to: f64, nanos: f64) -> Eased {
        Eased {
            ease,
            from,
            to,
            span: Span::from_nanos(nanos as u64),
        }
    }

    /// From one value to another within this time.
    pub fn between(from: impl Into<f64>, to: impl Into<f64>, span: Span, ease: Ease) -> Eased {
        Eased {
            ease,
            from: from.into(),
            to: to.into(),
            span,
        }
    }

    /// A polynomial of the share of the way.
    fn poly(&self, of: [f64; 6]) -> Shape {
        let rise = self.to - self.from;
        let mut shape = of.map(|it| it * rise);
        shape[0] += self.from;
        Shape::Poly(shape)
    }

    /// A part of a cosine.
    fn cosine(&self, base: f64, rise: f64, from: f64, by: f64) -> Shape {
        let way = self.to - self.from;
        Shape::Cosine {
            base: self.from + base * way,
            rise: rise * way,
            from,
            by,
        }
    }

    fn shape(&self, second: bool) -> Shape {
        match self.ease {
            Ease::Linear => self.poly([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
            Ease::Sine => self.cosine(0.5, -0.5, 0.0, 1.0),
            Ease::SineIn => self.cosine(1.0, -1.0, 0.0, 0.5),
            Ease::SineOut => self.cosine(0.0, 1.0, 0.5, -0.5),
            // Two halves, each with its own share.
            Ease::Cubic if second => self.poly([0.5, 1.5, -1.5, 0.5, 0.0, 0.0]),
            Ease::Cubic => self.poly([0.0, 0.0, 0.0, 0.5, 0.0, 0.0]),
            Ease::CubicIn => self.poly([0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
            Ease::CubicOut => self.poly([0.0, 3.0, -3.0, 1.0, 0.0, 0.0]),
            Ease::Jerkless => self.poly([0.0, 0.0, 0.0, 10.0, -15.0, 6.0]),
            Ease::BackIn => self.poly([0.0, 0.0, -SWING, SWING + 1.0, 0.0, 0.0]),
            Ease::BackOut => {
                self.poly([0.0, SWING + 3.0, -2.0 * SWING - 3.0, SWING + 1.0, 0.0, 0.0])
            }
        }
    }
}

impl Curve for Eased {
    fn piece(&self, place: usize) -> Option<Piece> {
        let half = Span::from_nanos(self.span.nanos() / 2);
        let (start, end, last) = match (self.ease, place) {
            (Ease::Cubic, 0) => (Span::ZERO, half, 0.5 * (self.from + self.to)),
            (Ease::Cubic, 1) => (half, self.span, self.to),
            (_, 0) => (Span::ZERO, self.span, self.to),
            _ => return None,
        };
        Some(Piece::new(start, end, self.shape(place == 1), last))
    }
}
