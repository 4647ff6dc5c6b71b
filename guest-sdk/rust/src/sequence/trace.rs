//! Curves in a sequence: an easing or a spline through points becomes keys, as few as its error allows.
//! Called by motions, in `start`.
//! All of a curve is laid or nothing.

use super::{MotionSequence, REACH};
use crate::answer::Answer;
use crate::curve::Curve;
use crate::ease::Ease;
use crate::flatten::{Point, flatten};
use crate::output::Output;
use crate::time::Span;

impl<const N: usize, const K: usize> MotionSequence<N, K> {
    /// Lays a curve from the edit time on: keys with full weight, whose lines differ from it by at most the error. Keys
    /// at the same instants are replaced, all others stay. Afterwards the edit time is at its end.
    ///
    /// It is refused with [`Answer::Full`] if the output would have more than K keys, with [`Answer::Unknown`] if there
    /// is no such output, with [`Answer::NotFinite`] if a value is not finite, and with [`Answer::OutOfReach`] if it
    /// would end after 24.8 days.
    ///
    /// ```
    /// use choreography::prelude::*;
    /// use choreography::sequence::MotionSequence;
    ///
    /// let mut swing = MotionSequence::<1, 32>::new();
    /// let points = [(0.ms(), 0.0), (400.ms(), 0.5), (900.ms(), -0.5), (1200.ms(), 0.0)];
    /// let spline = Keys::new(&points, Through::Swings);
    /// assert!(swing.trace(0, spline, 0.01).is_done());
    /// for at in [250.ms(), 600.ms(), 1.s()] {
    ///     let value = swing.output(0, at + 1.ms()).value; // the edit time begins at 1 ms
    ///     assert!((value - spline.value(at)).abs() <= 0.01);
    /// }
    /// ```
    #[must_use = "a curve that is refused is not there"]
    pub fn trace(&mut self, place: usize, curve: impl Curve, error: f64) -> Answer {
        let base = self.edit_time;
        let Some(list) = self.lists.get(place) else {
            return Answer::Unknown;
        };
        let (mut more, mut end) = (0, base);
        for Point { at, value } in flatten(&curve, error) {
            if !value.is_finite() {
                return Answer::NotFinite;
            }
            end = base + at;
            if end > REACH {
                return Answer::OutOfReach;
            }
            more += usize::from(end > Span::ZERO && !list.has_key(end));
            // At once: a curve may have more lines than could ever be counted.
            if !list.has_room(more) {
                return Answer::Full;
            }
        }
        for Point { at, value } in flatten(&curve, error) {
            self.put(place, base + at, Output::of(value));
            self.lists[place].ease(base + at, Ease::Linear);
        }
        self.edit_time = end;
        Answer::Done
    }
}
