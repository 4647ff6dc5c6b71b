//! What each board's bus has to carry, and how much of the turn that takes.
//! Asked by the reader, which refuses what cannot fit, and by `dcm-run config show`.
//! It counts the bits that are on the wire; what the kernel and the controller take comes on top.

use cycle::Span;

use super::layout;
use super::{BoardSpec, Bus, Driver, Robot};

/// What a board's bus carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BusLoad {
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

impl BusLoad {
    /// The share of its time that the bus is busy.
    pub fn share(&self) -> f64 {
        self.takes.seconds() / self.of.seconds()
    }
}

/// The load of every board that is on an SPI bus: of one that is waited for in the turn, and of a part aside.
pub fn loads(robot: &Robot) -> impl Iterator<Item = BusLoad> {
    let boards = robot.boards.iter().enumerate();
    boards.filter_map(|(place, board)| load(robot, place, board))
}

fn load(robot: &Robot, place: usize, board: &BoardSpec) -> Option<BusLoad> {
    let Some(Bus::Spi(spi)) = board.bus() else {
        return None;
    };
    let (bits, of) = match &board.driver {
        Driver::Part {
            part,
            period,
            chained,
            ..
        } => (part.bits(*chained), *period),
        _ => {
            let layout = layout(robot, place);
            let bytes = wire::length(layout.outputs.len(), layout.inputs.len());
            (
                8 * bytes.unwrap_or(usize::MAX / 8).min(1 << 20) as u32,
                robot.settings.period,
            )
        }
    };
    let nanos = u64::from(bits) * 1_000_000_000 / u64::from(spi.speed.max(1));
    let words = u64::from(bits / u32::from(spi.bits.max(1)));
    let delays = u64::from(spi.delay) + words * u64::from(spi.word_delay);
    Some(BusLoad {
        board: place,
        bits,
        speed: spi.speed,
        takes: Span::from_nanos(nanos + 1_000 * delays),
        of,
    })
}

/// The share of the fullest turn that transfers take, one after the other. A part that is aside makes the turn wait
/// where it shares a controller with a board of the turn: its longest transfer may have just begun.
pub fn fullest(robot: &Robot) -> f64 {
    let is_part = |load: &BusLoad| matches!(robot.boards[load.board].driver, Driver::Part { .. });
    let on = |load: &BusLoad| controller(&robot.boards[load.board]);
    let all: Vec<_> = loads(robot).collect();
    // Boards that are spoken to now and then may all be due in the same turn.
    let turns = || all.iter().filter(|item| !is_part(item));
    let own: f64 = turns().map(|turn| turn.takes.seconds()).sum();
    let mut controllers: Vec<_> = turns().filter_map(on).collect();
    controllers.sort_unstable();
    controllers.dedup();
    let waits = controllers.iter().map(|controller| {
        let parts = all
            .iter()
            .filter(|item| is_part(item) && on(item) == Some(controller));
        parts.map(|part| part.takes.seconds()).fold(0.0, f64::max)
    });
    (own + waits.sum::<f64>()) / robot.settings.period.seconds()
}

/// The controller that a board hangs on: the kernel lets one transfer of a controller wait for another.
fn controller(board: &BoardSpec) -> Option<&str> {
    let Some(Bus::Spi(spi)) = board.bus() else {
        return None;
    };
    let node = spi.path.file_name()?.to_str()?.strip_prefix("spidev")?;
    node.split_once('.').map(|pair| pair.0)
}
