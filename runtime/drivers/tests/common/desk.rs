//! A reference board at the other end of a bus, in the same process and in a time of its own: a period for each
//! transfer. Its motors stand where they are while they exert no force.
//! The same transfers give the same answers.

use std::sync::{Arc, Mutex, MutexGuard};

use board::{Firmware, Motion};
use cycle::{Answer, Incoming, Instant, Outgoing, Span, Target};
use drivers::bus::{BusFault, Transfer};
use drivers::rack::Device;
use drivers::servo::{Layout, Output, OutputPart, Servo, Session};
use wire::row::name;
use wire::{Direction, Row, RowKind};

pub(crate) const PERIOD: Span = Span::from_millis(10);
pub(crate) const LOWEST: u16 = 1_000;
pub(crate) const HIGHEST: u16 = 60_000;
pub(crate) const REST: u16 = 30_000;

/// A board of so many joints, outputs and then inputs.
pub(crate) fn rows(joints: usize) -> Vec<Row> {
    let row = |direction, number: usize| Row {
        kind: RowKind::Position,
        lowest: LOWEST,
        highest: HIGHEST,
        rest: REST,
        name: name(&format!("J{number}")),
        ..Row::unspecified(direction)
    };
    let outputs = (0..joints).map(|i| row(Direction::Output, i));
    outputs
        .chain((0..joints).map(|i| row(Direction::Input, i)))
        .collect()
}

/// Every joint is driven and read.
pub(crate) fn layout(joints: usize) -> Layout {
    let part = OutputPart::Target;
    Layout {
        outputs: (0..joints)
            .map(|actuator| Some(Output { actuator, part }))
            .collect(),
        inputs: (0..joints).map(Some).collect(),
    }
}

/// Whether the board can be heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plug {
    In,
    /// The system says that the bus is gone.
    Out,
    /// The bus is there, and nobody drives its line.
    Floats,
}

#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) firmware: Firmware<'static>,
    pub(crate) plug: Plug,
    pub(crate) clock: u32,
    /// Where its motors are.
    pub(crate) at: Vec<u16>,
    /// What it said in the last transfer, before any wire.
    pub(crate) said: Vec<u8>,
}

/// The bus to the board; a copy of it is the same board.
#[derive(Clone, Debug)]
pub(crate) struct Desk(Arc<Mutex<Board>>);

impl Desk {
    pub(crate) fn new(joints: usize) -> Desk {
        // They live as long as the test.
        let rows = Vec::leak(rows(joints));
        let motions = Vec::leak(vec![Motion::default(); joints]);
        let firmware = Firmware::new("desk", rows, motions, 500, 1).expect("a board");
        Desk(Arc::new(Mutex::new(Board {
            firmware,
            plug: Plug::In,
            clock: 0,
            at: vec![REST; joints],
            said: Vec::new(),
        })))
    }

    pub(crate) fn board(&self) -> MutexGuard<'_, Board> {
        self.0.lock().expect("nobody panicked")
    }
}

impl Transfer for Desk {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        let mut board = self.board();
        let board = &mut *board;
        board.clock = board.clock.wrapping_add(10_000);
        let clock = board.clock;
        board.firmware.tick(clock);
        for (place, at) in board.at.iter_mut().enumerate() {
            *at = board.firmware.output(place, clock).unwrap_or(*at);
        }
        match board.plug {
            Plug::Out => return Err(BusFault::Gone),
            Plug::Floats => {
                up.fill(0xff);
                return Ok(());
            }
            Plug::In => {}
        }
        if !board.firmware.answer(up, clock, |i| board.at[i]) {
            up.fill(0xff);
        }
        board.said.clear();
        board.said.extend_from_slice(up);
        board.firmware.hear(down, clock);
        Ok(())
    }
}

pub(crate) fn servo<T: Transfer>(joints: usize, bus: T) -> Servo<T> {
    Servo::new(Session::new(layout(joints), PERIOD), bus)
}

/// A turn of this number, with all joints at one target: the answer, and what the first sensor reads.
pub(crate) fn turn(
    device: &mut impl Device,
    joints: usize,
    turn: u64,
    powered: bool,
    counts: f64,
) -> (Answer, f64) {
    let target = Target {
        counts,
        ..Target::default()
    };
    let mut read = vec![f64::NAN; joints];
    let out = Outgoing {
        turn,
        now: Instant::from_millis(10 * turn),
        powered,
        targets: &vec![target; joints],
        fires: &[],
    };
    let mut back = Incoming {
        counts: &mut read,
        answers: &mut [],
    };
    let answer = device.exchange(&out, &mut back);
    (answer, read[0])
}
