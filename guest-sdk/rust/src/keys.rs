//! Keyframes: values at times, and the curve through them.

use crate::curve::{Curve, Piece};
use crate::time::Span;

/// How a curve passes its keys. It always begins and ends at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Through {
    /// On straight lines.
    Straight,
    /// It stops at every key.
    Stops,
    /// It passes smoothly without overshoot: values between two keys are between their
    /// values. (Fritsch and Butland's monotone cubic.)
    #[default]
    Flows,
    /// It passes smoothly and may overshoot. (Catmull and Rom's spline, for keys at any times.)
    Swings,
}

/// A curve through keys.
///
/// ```
/// use choreography::prelude::*;
///
/// let keys = [(0.ms(), 0.0), (400.ms(), 1.0), (800.ms(), 0.0)];
/// let curve = Keys::new(&keys, Through::Flows);
/// assert_eq!(curve.value(400.ms()), 1.0);
/// assert_eq!(curve.value(200.ms()), 0.5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Keys<'k> {
    /// The key before the others.
    first: Option<f64>,
    keys: &'k [(Span, f64)],
    through: Through,
}

impl<'k> Keys<'k> {
    /// A curve through these keys, whose times must increase.
    pub fn new(keys: &'k [(Span, f64)], through: Through) -> Keys<'k> {
        Keys {
            first: None,
            keys,
            through,
        }
    }

    /// Begins at this value, unless the first key is at time 0.
    pub fn beginning(self, value: f64) -> Keys<'k> {
        let told = self.keys.first().is_some_and(|key| key.0 == Span::ZERO);
        Keys {
            first: (!told).then_some(value),
            ..self
        }
    }

    /// How it passes its keys.
    pub fn going(self, through: Through) -> Keys<'k> {
        Keys { through, ..self }
    }

    /// Whether the start value is given.
    pub(crate) fn begins(&self) -> bool {
        self.first.is_some() || self.keys.first().is_none_or(|key| key.0 == Span::ZERO)
    }

    /// The time of the last key.
    pub fn end(&self) -> Span {
        self.keys.last().map_or(Span::ZERO, |key| key.0)
    }

    fn key(&self, place: usize) -> Option<(Span, f64)> {
        let place = match self.first {
            Some(value) if place == 0 => return Some((Span::ZERO, value)),
            Some(_) => place - 1,
            None => place,
        };
        self.keys.get(place).copied()
    }

    /// The slope at a key, per second; 0 at both ends.
    fn slope(&self, place: usize) -> f64 {
        let before = place.checked_sub(1).and_then(|value| self.key(value));
        let (Some(before), Some(at), Some(after)) = (before, self.key(place), self.key(place + 1))
        else {
            return 0.0;
        };
        let (one, two) = ((at.0 - before.0).seconds(), (after.0 - at.0).seconds());
        let (up, on) = ((at.1 - before.1) / one, (after.1 - at.1) / two);
        let slope = match self.through {
            Through::Swings => (up * two + on * one) / (one + two),
            Through::Flows if up * on > 0.0 => {
                let (near, far) = (two + 2.0 * one, one + 2.0 * two);
                (near + far) / (far / up + near / on)
            }
            _ => 0.0,
        };
        // Two keys at one time have no slope between them.
        if slope.is_finite() { slope } else { 0.0 }
    }
}

impl Curve for Keys<'_> {
    fn piece(&self, place: usize) -> Option<Piece> {
        let (from, to) = (self.key(place)?, self.key(place + 1)?);
        let (start, end) = (from.0, to.0);
        let slopes = match self.through {
            Through::Straight => [(to.1 - from.1) / (end - start).seconds(); 2],
            _ => [self.slope(place), self.slope(place + 1)],
        };
        Some(Piece::hermite(start, end, from.1, to.1, slopes))
    }
}
