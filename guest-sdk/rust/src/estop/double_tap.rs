//! Two taps on a button within a short time: how a person means it. Called by motions, in every turn.
//! It is told once, when the second tap is released. A third tap begins a new pair, so that nobody stops a
//! body and gives it back with one nervous finger.

use crate::time::{Instant, Span};

/// Finds double taps: the second one is released within 600 ms after the first was pressed.
///
/// ```
/// use choreography::estop::DoubleTap;
/// use choreography::prelude::*;
///
/// let mut tap = DoubleTap::new();
/// let at = |ms: u64| Instant::ZERO + ms.ms();
/// let presses = [(0, true), (100, false), (300, true), (400, false), (500, true), (550, false)];
/// let told = presses.map(|(ms, is_on)| tap.feed(is_on, at(ms)));
/// assert_eq!(told, [false, false, false, true, false, false]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DoubleTap {
    window: Span,
    is_on: bool,
    /// When it was pressed last.
    pressed: Option<Instant>,
    /// When it was pressed before.
    before: Option<Instant>,
}

impl DoubleTap {
    /// Nothing was pressed yet.
    pub const fn new() -> DoubleTap {
        DoubleTap::within(Span::from_millis(600))
    }

    /// Both taps within another time.
    pub const fn within(window: Span) -> DoubleTap {
        DoubleTap {
            window,
            is_on: false,
            pressed: None,
            before: None,
        }
    }

    /// Both taps within another time from now on.
    pub const fn set_window(&mut self, window: Span) {
        self.window = window;
    }

    /// Takes the state of the button in this turn. Returns whether a double tap has ended in it.
    pub fn feed(&mut self, is_on: bool, now: Instant) -> bool {
        let was_on = core::mem::replace(&mut self.is_on, is_on);
        if is_on && !was_on {
            (self.before, self.pressed) = (self.pressed, Some(now));
        }
        let is_released = was_on && !is_on;
        let is_double = is_released && self.before.is_some_and(|value| now - value < self.window);
        if is_double {
            (self.before, self.pressed) = (None, None);
        }
        is_double
    }
}

impl Default for DoubleTap {
    fn default() -> DoubleTap {
        DoubleTap::new()
    }
}
