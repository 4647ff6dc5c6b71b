//! All boards of a robot that are not simulated, as the cycle sees them: each is spoken to when it is due.
//! Owned by the loop; mounted at start-up from the description.
//! The law: a turn's exchange is one exchange with each board that is due and nothing else; what goes wrong is the
//! board's answer, and is counted.

use std::fmt;
use std::time::Instant;

use cycle::{Answer, Board, Incoming, Outgoing};

use crate::faults::{Fault, Faults};

/// Slow exchanges until a board is called slow, and quick ones until it is not.
const SLOW: u8 = 10;

/// One board, whatever it is: a servo board, lines, a light strip.
pub trait Device: Send + fmt::Debug {
    /// Sends it what it drives and takes what it reads: its own places in `out` and `back`, and no others.
    /// It answers at once, or within the time of a transfer.
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) -> Answer;

    /// Whether a line of it says that the robot must stop now.
    fn stopped(&self) -> bool {
        false
    }

    /// What went wrong so far.
    fn faults(&self) -> Faults;
}

/// A board in its place.
#[derive(Debug)]
pub struct Mounted {
    /// Its number in the body.
    pub board: usize,
    /// What it is.
    pub device: Box<dyn Device>,
    every: u64,
    answer: Answer,
    /// How slow it has been of late, 0 to twice [`SLOW`].
    slow: u8,
    /// The instant of the last exchange.
    before: cycle::Instant,
}

impl Mounted {
    /// A board of this number, spoken to once in so many turns.
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

    /// One exchange. A board that takes more than half of a turn makes turns late, and is told by name for that: it
    /// has an error, though it answers.
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

    /// It is spoken to once in so many turns.
    pub fn every(&self) -> u64 {
        self.every
    }
}

/// All boards.
#[derive(Debug, Default)]
pub struct Rack(pub Vec<Mounted>);

impl Rack {
    /// Whether a line says that the robot must stop now.
    pub fn stopped(&self) -> bool {
        self.0.iter().any(|it| it.device.stopped())
    }
}

impl Board for Rack {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        for mounted in &mut self.0 {
            // Between its turns a board is as it was. They are not all due in the same turn.
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
