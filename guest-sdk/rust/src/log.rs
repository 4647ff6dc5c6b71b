//! Log lines, formatted without `core::fmt`, which would be larger than most
//! choreographies.

use crate::answer::Answer;
use crate::raw;

/// The maximum length of a line, bytes; the rest is cut off.
const LINE: usize = 256;

/// The level of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Details.
    Debug,
    /// Normal information.
    Info,
    /// A problem.
    Warning,
}

/// A line that is being built. [`say!`](crate::say) and [`warn!`](crate::warn) build and write one.
#[derive(Clone, Debug)]
pub struct Line {
    bytes: [u8; LINE],
    length: usize,
}

/// Values that can be part of a line: texts, numbers, booleans.
pub trait Said {
    /// Adds it to the line.
    fn add_to(&self, line: &mut Line);
}

impl Default for Line {
    fn default() -> Line {
        Line::new()
    }
}

impl Line {
    /// An empty line.
    pub const fn new() -> Line {
        Line {
            bytes: [0; LINE],
            length: 0,
        }
    }

    /// Adds a text, a number or a boolean. Numbers have at most three decimals.
    pub fn with(mut self, said: impl Said) -> Line {
        said.add_to(&mut self);
        self
    }

    /// Writes it. At most four lines are accepted inside a turn.
    pub fn write(&self, level: Level) -> Answer {
        Answer::of(raw::write(level as u32, self.bytes()))
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        core::str::from_utf8(self.bytes()).unwrap_or("")
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&[])
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }

    fn digits(&mut self, value: u64, at_least: u32) {
        if value >= 10 || at_least > 1 {
            self.digits(value / 10, at_least.saturating_sub(1));
        }
        self.push(b'0' + (value % 10) as u8);
    }
}

impl Said for &str {
    fn add_to(&self, line: &mut Line) {
        // The cut is at a character boundary, so that the line stays valid UTF-8.
        let mut whole = self.len().min(LINE - line.length);
        while !self.is_char_boundary(whole) {
            whole -= 1;
        }
        for byte in self.bytes().take(whole) {
            line.push(byte);
        }
    }
}

impl Said for bool {
    fn add_to(&self, line: &mut Line) {
        if *self { "yes" } else { "no" }.add_to(line);
    }
}

impl Said for f64 {
    fn add_to(&self, line: &mut Line) {
        if self.is_nan() {
            return "no number".add_to(line);
        }
        if *self < 0.0 {
            line.push(b'-');
        }
        let size = if *self < 0.0 { -*self } else { *self };
        if size > 1e15 {
            return "much".add_to(line);
        }
        let thousandths = (size * 1000.0 + 0.5) as u64;
        line.digits(thousandths / 1000, 1);
        let mut rest = thousandths % 1000;
        if rest > 0 {
            line.push(b'.');
            let mut places = 3;
            while rest % 10 == 0 {
                rest /= 10;
                places -= 1;
            }
            line.digits(rest, places);
        }
    }
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Said for $type {
            fn add_to(&self, line: &mut Line) {
                #[allow(unused_comparisons, reason = "for those without a sign")]
                if *self < 0 {
                    line.push(b'-');
                }
                line.digits(self.abs_diff(0).into(), 1);
            }
        }
    )*};
}
integers!(i32 u32 i64 u64);

impl Said for crate::Span {
    fn add_to(&self, line: &mut Line) {
        (self.nanos() as f64 / 1e6).add_to(line);
        " ms".add_to(line);
    }
}

/// Writes an information line: `say!("it is ", distance, " m away")`. Numbers have at most three
/// decimals, spans are in ms.
///
/// ```
/// use choreography::prelude::*;
///
/// let stage = Rehearsal::alone(nao());
/// say!("it is ", -0.25, " m away, for the ", 3, "rd time in ", 1.5.s());
/// assert_eq!(stage.log(), ["it is -0.25 m away, for the 3rd time in 1500 ms"]);
/// ```
#[macro_export]
macro_rules! say {
    ($($said:expr),+ $(,)?) => {
        $crate::Line::new()$(.with($said))+.write($crate::Level::Info)
    };
}

/// Writes a warning: `warn!("the head is ", heat, " °C warm")`.
#[macro_export]
macro_rules! warn {
    ($($said:expr),+ $(,)?) => {
        $crate::Line::new()$(.with($said))+.write($crate::Level::Warning)
    };
}
