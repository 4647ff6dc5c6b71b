//! All servo boards of a robot as the cycle sees them: one transfer with each in a turn, in their order.
//! Owned by the loop; made at start-up from the description.
//! The law: a turn's exchange is a transfer for each board that is due and nothing else; what goes wrong is the
//! board's answer, and is counted.

use cycle::{Answer, Board, Incoming, Outgoing};

use super::session::Session;
use crate::bus::{BusFault, Transfer};

/// A board in its place.
#[derive(Debug)]
pub struct Mounted {
    /// Its number in the body.
    pub board: usize,
    /// The conversation with it.
    pub session: Session,
    /// What carries it.
    pub bus: Box<dyn Transfer>,
    /// It is spoken to in every turn, or in one of so many.
    pub every: u64,
    /// The bus's last fault.
    pub fault: Option<BusFault>,
    down: Vec<u8>,
    up: Vec<u8>,
    answer: Answer,
}

impl Mounted {
    /// A board of this number on this bus.
    pub fn new(board: usize, session: Session, bus: Box<dyn Transfer>, every: u64) -> Mounted {
        let room = session.longest().unwrap_or(0);
        Mounted {
            board,
            session,
            bus,
            every: every.max(1),
            fault: None,
            down: vec![0; room],
            up: vec![0; room],
            answer: Answer::default(),
        }
    }

    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) -> Answer {
        let size = self.session.compose(out, &mut self.down);
        let (down, up) = (&self.down[..size], &mut self.up[..size]);
        match self.bus.transfer(down, up) {
            Ok(()) => {
                self.fault = None;
                self.session.hear(up, back)
            }
            Err(fault) => {
                self.fault = Some(fault);
                self.session.failed()
            }
        }
    }
}

/// All boards.
#[derive(Debug, Default)]
pub struct Rack(pub Vec<Mounted>);

impl Board for Rack {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        for mounted in &mut self.0 {
            // Between its turns a board is as it was.
            if out.turn.is_multiple_of(mounted.every) {
                mounted.answer = mounted.exchange(out, back);
            }
            if let Some(answer) = back.answers.get_mut(mounted.board) {
                *answer = mounted.answer;
            }
        }
    }
}
