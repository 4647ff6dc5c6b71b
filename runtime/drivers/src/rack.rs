//! All boards of a robot that are not simulated: makes an exchange with each board that is due.
//! Owned by the loop; mounted at start-up from the description.
//! A turn makes one exchange with each board that is due and nothing else; a fault is the board's answer, and
//! is counted.

use std::fmt;
use std::time::Instant;

use cycle::{Answer, Board, Incoming, Outgoing};

use crate::faults::{Fault, Faults};

/// The number of slow exchanges after which a board counts as slow, and of quick ones after which it does not.
const SLOW: u8 = 10;

/// One board of any kind: a servo board, lines, a light strip.
pub trait Device: Send + fmt::Debug {
    /// Sends the device its part of `out` and stores its readings in its part of `back`. Returns at once, or within the
    /// time of a transfer.
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) -> Answer;

    /// Whether its stop line is pressed.
    fn stopped(&self) -> bool {
        false
    }

    /// The counts of its exchanges and faults.
    fn faults(&self) -> Faults;
}

/// A mounted board.
#[derive(Debug)]
pub struct Mounted {
    /// Its number in the body.
    pub board: usize,
    /// Its device.
    pub device: Box<dyn Device>,
    every: u64,
    answer: Answer,
    /// A score of recent slow exchanges, 0 to twice [`SLOW`].
    slow: u8,
    /// The instant of the last exchange.
    before: cycle::Instant,
}

impl Mounted {
    /// A board with this number, due once in `every` turns.
    pub fn new(board: usize, device: Box<dyn Device>, every: u64) -> Mounted {
        Mounted {
            board,
            device,
            every: every.max(1),
            answer: Answer::default(),
            slow: 0,
            before: cycle::Instant::ZERO,
        }
    }

    /// Makes one exchange. A board that takes more than half of a turn makes turns late: it gets the error `slow`,
    /// although it answers.
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        let begun = Instant::now();
        self.answer = self.device.exchange(out, back);
        let took = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let turn = (out.now - self.before).nanos() / self.every;
        self.before = out.now;
        self.slow = if took > turn / 2 {
            (self.slow + 1).min(2 * SLOW)
        } else {
            self.slow.saturating_sub(1)
        };
        if self.slow >= SLOW && self.answer.answered && self.answer.error == 0 {
            self.answer.error = Fault::Slow.error();
        }
    }

    /// The number of turns from one exchange to the next.
    pub fn every(&self) -> u64 {
        self.every
    }
}

/// All boards.
#[derive(Debug, Default)]
pub struct Rack(pub Vec<Mounted>);

impl Rack {
    /// Whether the stop line of any board is pressed.
    pub fn stopped(&self) -> bool {
        self.0.iter().any(|item| item.device.stopped())
    }
}

impl Board for Rack {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        for mounted in &mut self.0 {
            // A board that is not due keeps its last answer. The boards are not all due in the same turn.
            let turn = out.turn + mounted.board as u64;
            if turn.is_multiple_of(mounted.every) {
                mounted.exchange(out, back);
            }
            if let Some(answer) = back.answers.get_mut(mounted.board) {
                *answer = mounted.answer;
            }
        }
    }
}
