//! Easings: how a movement accelerates and decelerates.

use crate::curve::{Curve, Piece, Shape};
use crate::time::Span;

/// How a movement goes from its start to its end.
///
/// ```
/// use choreography::prelude::*;
///
/// assert_eq!(Ease::Jerkless.at(0.5), 0.5);
/// assert_eq!(Ease::Cubic.at(7.0), 1.0); // it has arrived
/// assert!(Ease::BackOut.at(0.6) > 1.0); // it overshoots a little, and comes back
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ease {
    /// Constant speed, with a jerk at both ends.
    Linear,
    /// Smooth start and smooth end: right for most movements.
    #[default]
    Sine,
    /// Smooth start, full speed at the end.
    SineIn,
    /// Full speed at the start, smooth end.
    SineOut,
    /// As `Sine`, but slower at both ends.
    Cubic,
    /// As `SineIn`, but slower at the start.
    CubicIn,
    /// As `SineOut`, but slower at the end.
    CubicOut,
    /// Minimum jerk between two positions at rest: how the arms of animals move.
    Jerkless,
    /// Swings back a little first.
    BackIn,
    /// Overshoots a little, and comes back. Consider the joint's range.
    BackOut,
}

/// The overshoot of `Back`: a tenth of the way.
const SWING: f64 = 1.70158;

impl Ease {
    /// The share of the way at this share of the time. Both are 0 at the start and 1 at the end.
    pub fn at(self, share: f64) -> f64 {
        // Exactly: sines in a polynomial are a little off at their ends.
        if share >= 1.0 {
            return 1.0;
        } else if share.is_nan() || share <= 0.0 {
            return 0.0;
        }
        let ticks = share * 1e9;
        Eased::new(self, 0.0, 1.0, 1_000_000_000.0).value(Span::from_nanos(ticks as u64))
    }

    /// Its highest speed, as a multiple of the average.
    pub const fn peak(self) -> f64 {
        match self {
            Ease::Linear => 1.0,
            Ease::Sine | Ease::SineIn | Ease::SineOut => core::f64::consts::FRAC_PI_2,
            Ease::Cubic | Ease::CubicIn | Ease::CubicOut => 3.0,
            Ease::Jerkless => 1.875,
            Ease::BackIn | Ease::BackOut => SWING + 3.0,
        }
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
}

/// An easing from 0 to 1; `Cubic` has a second half, with its own share.
const fn unit(ease: Ease, second: bool) -> Shape {
    const fn cosine(base: f64, rise: f64, from: f64, by: f64) -> Shape {
        Shape::Cosine {
            base,
            rise,
            from,
            by,
        }
    }
    match ease {
        Ease::Linear => Shape::Cubic([0.0, 1.0, 0.0, 0.0]),
        Ease::Sine => cosine(0.5, -0.5, 0.0, 1.0),
        Ease::SineIn => cosine(1.0, -1.0, 0.0, 0.5),
        Ease::SineOut => cosine(0.0, 1.0, 0.5, -0.5),
        Ease::Cubic if second => Shape::Cubic([0.5, 1.5, -1.5, 0.5]),
        Ease::Cubic => Shape::Cubic([0.0, 0.0, 0.0, 0.5]),
        Ease::CubicIn => Shape::Cubic([0.0, 0.0, 0.0, 1.0]),
        Ease::CubicOut => Shape::Cubic([0.0, 3.0, -3.0, 1.0]),
        Ease::Jerkless => Shape::Jerkless {
            base: 0.0,
            rise: 1.0,
        },
        Ease::BackIn => Shape::Cubic([0.0, 0.0, -SWING, SWING + 1.0]),
        Ease::BackOut => Shape::Cubic([0.0, SWING + 3.0, -2.0 * SWING - 3.0, SWING + 1.0]),
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
        Some(Piece::new(
            start,
            end,
            unit(self.ease, place == 1).stretched(self.from, self.to),
            last,
        ))
    }
}
