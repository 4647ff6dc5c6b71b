//! What each board's bus has to carry, and how much of the turn that takes.
//! Asked by the reader, which refuses what cannot fit, and by `dcm-run config show`.
//! The law: it counts the bits that are on the wire; what the kernel and the controller take comes on top.

use cycle::Span;

use super::board::{Board, Bus, Driver};
use super::layout::layout;
use super::robot::Robot;

/// What a board's bus carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The board's number.
    pub board: usize,
    /// Bits of one transfer.
    pub bits: u32,
    /// Bits in a second.
    pub speed: u32,
    /// How long a transfer takes.
    pub takes: Span,
    /// The time from one transfer to the next.
    pub of: Span,
}

impl Load {
    /// The share of its time that the bus is busy.
    pub fn share(&self) -> f64 {
        self.takes.seconds() / self.of.seconds()
    }
}

/// The load of every board that is on an SPI bus, and waited for in the turn.
pub fn loads(robot: &Robot) -> impl Iterator<Item = Load> {
    let boards = robot.boards.iter().enumerate();
    boards.filter_map(|(place, board)| load(robot, place, board))
}

fn load(robot: &Robot, place: usize, board: &Board) -> Option<Load> {
    let Driver::Servo {
        bus: Bus::Spi(spi), ..
    } = &board.driver
    else {
        return None;
    };
    let layout = layout(robot, place);
    let bytes = wire::length(layout.outputs.len(), layout.inputs.len());
    let bits = 8 * bytes.unwrap_or(wire::frame::LONGEST) as u32;
    let nanos = u64::from(bits) * 1_000_000_000 / u64::from(spi.speed.max(1));
    Some(Load {
        board: place,
        bits,
        speed: spi.speed,
        takes: Span::from_nanos(nanos),
        of: robot.settings.period,
    })
}

/// The share of the fullest turn that all transfers take, one after the other.
pub fn fullest(robot: &Robot) -> f64 {
    // Boards that are spoken to now and then may all be due in the same turn.
    loads(robot).map(|it| it.share()).sum()
}
