//! Reads a board's name, its table and its watchdog.
//! Called by command-line tools while no loop drives the board: a question makes the board relax its motors.
//! It ends after a bounded number of transfers, whatever the board answers.

use std::fmt;
use std::time::Duration;

use wire::frame::{FrameError, SHORT};
use wire::{About, Down, DownKind, Row, RowError, TableQuery, Up, UpKind};

use super::compare::{Expected, acceleration};
use crate::bus::Transfer;
use crate::faults::Fault;

/// The most transfers for one question.
const TRIES: usize = 8;

/// The pause between two transfers, in which the board prepares its answer.
const PAUSE: Duration = Duration::from_millis(1);

/// What a board reports about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Probed {
    /// The board's own row.
    pub about: About,
    /// Its boot count.
    pub boots: u8,
    /// Its table: outputs, then inputs.
    pub rows: Vec<Row>,
}

/// Why probing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeError {
    /// The fault of the last transfer.
    Fault(Fault),
    /// The row of this number is invalid, although it arrived undamaged.
    Row(u16, RowError),
    /// The board's own row is invalid, although it arrived undamaged.
    About,
    /// The board reports a boot count of 0, which is invalid.
    Boots,
    /// The board answers, but does not receive the questions.
    Unheard,
    /// The board's checksum of its table does not match its rows.
    Table,
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let firmware = "fix: check the board's firmware; its wires are good";
        match self {
            ProbeError::Fault(Fault::Version) => write!(
                f,
                "the board speaks another version of the protocol; fix: update its firmware to version {}",
                wire::VERSION
            ),
            ProbeError::Fault(Fault::UnexpectedFrame) => {
                write!(f, "the board answers a different question; {firmware}")
            }
            ProbeError::Fault(fault) => write!(
                f,
                "no valid answer from the board: {}; fix: check its wires, mode and speed",
                fault.name()
            ),
            ProbeError::Row(number, flaw) => {
                write!(
                    f,
                    "row {number} of its table is invalid: {flaw}; {firmware}"
                )
            }
            ProbeError::Boots => write!(
                f,
                "it reports 0 boots: a board counts from 1 to 255, and then from 1 again; {firmware}"
            ),
            ProbeError::Unheard => write!(
                f,
                "the board answers, but does not receive the questions; fix: check the wire from the host to it, \
                 MOSI, and its receive buffer"
            ),
            ProbeError::About => write!(
                f,
                "its row 0xFFFF is invalid: more channels than a frame carries, or a name with a space; \
                 {firmware}"
            ),
            ProbeError::Table => write!(
                f,
                "the checksum of its table does not match its rows; {firmware}"
            ),
        }
    }
}

impl std::error::Error for ProbeError {}

/// Probes the board at the other end of `bus`, and tells it the greatest acceleration of each output. `expected` is its
/// table by the description, or empty.
///
/// # Errors
/// [`ProbeError`].
pub fn probe(bus: &mut dyn Transfer, expected: &[Expected]) -> Result<Probed, ProbeError> {
    let mut session = ProbeSession { bus, sequence: 0 };
    let (about, boots) = session.ask(TableQuery::About, |up| match up.kind {
        UpKind::About(about) => Some((about, up.boots)),
        _ => None,
    })?;
    if boots == 0 {
        return Err(ProbeError::Boots);
    }
    let rows = (0..about.outputs.saturating_add(about.inputs)).map(|number| {
        let ask = TableQuery::Row {
            number,
            acceleration: acceleration(expected, number),
        };
        session.ask(ask, |up| match up.kind {
            UpKind::Row(answered, row) if answered == number => Some(row),
            _ => None,
        })
    });
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    if wire::row::table(rows.iter().copied()) != about.table {
        return Err(ProbeError::Table);
    }
    Ok(Probed { about, boots, rows })
}

struct ProbeSession<'b> {
    bus: &'b mut dyn Transfer,
    sequence: u16,
}

impl ProbeSession<'_> {
    /// Asks until the answer comes. Each transfer brings the answer to the previous one.
    fn ask<A>(
        &mut self,
        ask: TableQuery,
        answer: impl Fn(&Up<'_>) -> Option<A>,
    ) -> Result<A, ProbeError> {
        let mut last = ProbeError::Fault(Fault::Silence);
        for _ in 0..TRIES {
            self.sequence = self.sequence.wrapping_add(1);
            let down = Down {
                kind: DownKind::Ask(ask),
                powered: false,
                stopped: false,
                keeps: false,
                sequence: self.sequence,
                horizon: 0,
                boots: 0,
                outputs: &[],
            };
            let (mut out, mut back) = ([0; SHORT], [0; SHORT]);
            down.emit(&mut out, 0, |_| (0, 0));
            std::thread::sleep(PAUSE);
            if let Err(fault) = self.bus.transfer(&out, &mut back) {
                last = ProbeError::Fault(Fault::Transfer(fault));
                continue;
            }
            last = match Up::parse(&back) {
                Ok(up) => match answer(&up) {
                    Some(answer) => return Ok(answer),
                    None if up.kind == UpKind::Nothing => ProbeError::Unheard,
                    None => ProbeError::Fault(Fault::UnexpectedFrame),
                },
                Err(FrameError::Version(_)) => ProbeError::Fault(Fault::Version),
                // The checksum is correct, so asking again gives the same row.
                Err(FrameError::Row(number, flaw)) => return Err(ProbeError::Row(number, flaw)),
                Err(FrameError::About) => return Err(ProbeError::About),
                Err(FrameError::Seal | FrameError::Length)
                    if back.iter().all(|item| *item == back[0]) =>
                {
                    ProbeError::Fault(Fault::Silence)
                }
                Err(FrameError::Seal | FrameError::Length) => ProbeError::Fault(Fault::Corrupt),
                Err(_) => ProbeError::Fault(Fault::UnexpectedFrame),
            };
        }
        Err(last)
    }
}
