//! Asks a board what it is: its name, its table, its watchdog.
//! Called by people's tools, where nobody drives the board; it lets go of its motors when it is asked.
//! The law: it ends after so many transfers, whatever comes back.

use std::fmt;
use std::time::Duration;

use wire::frame::{FrameError, SHORT};
use wire::{About, Down, DownKind, Row, RowError, TableQuery, Up, UpKind};

use super::compare::{Expected, acceleration};
use crate::bus::Transfer;
use crate::faults::Fault;

/// Transfers that are tried for each question.
const TRIES: usize = 8;

/// A board needs a moment between two transfers.
const PAUSE: Duration = Duration::from_millis(1);

/// What a board says that it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Probed {
    /// The board.
    pub about: About,
    /// How often it has booted.
    pub boots: u8,
    /// Its table: outputs, then inputs.
    pub rows: Vec<Row>,
}

/// Why nothing is known of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeError {
    /// What came back last instead of an answer.
    Fault(Fault),
    /// The row of this number is none, though it came over the wire as it was sent.
    Row(u16, RowError),
    /// What the board says of itself is nothing, though it came as it was sent.
    About,
    /// It says that it has booted 0 times, which is no board's count.
    Boots,
    /// It answers, but has heard nothing of what it was asked.
    Unheard,
    /// The checksum that the board tells of its table is another than that of its rows.
    Table,
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let firmware = "fix: look at the board's firmware, its wires are sound";
        match self {
            ProbeError::Fault(Fault::Version) => write!(
                f,
                "the board speaks another version of the protocol; fix: bring its firmware to version {}",
                wire::VERSION
            ),
            ProbeError::Fault(Fault::Odd) => {
                write!(
                    f,
                    "the board answers something else than was asked; {firmware}"
                )
            }
            ProbeError::Fault(fault) => write!(
                f,
                "no board answered as one should: {}; fix: look at its wires, mode and speed",
                fault.name()
            ),
            ProbeError::Row(number, flaw) => {
                write!(f, "row {number} of its table is none: {flaw}; {firmware}")
            }
            ProbeError::Boots => write!(
                f,
                "it says that it has booted 0 times: a board counts from 1 to 255, and then from 1 again; {firmware}"
            ),
            ProbeError::Unheard => write!(
                f,
                "the board answers, and has heard nothing of what it was asked; fix: look at the wire from here to it, \
                 MOSI, and at its receive buffer"
            ),
            ProbeError::About => write!(
                f,
                "what it says of itself is nothing: more channels than a frame carries, or a name with a space; \
                 {firmware}"
            ),
            ProbeError::Table => write!(
                f,
                "the checksum that it tells of its table is not that of its rows; {firmware}"
            ),
        }
    }
}

impl std::error::Error for ProbeError {}

/// Asks the board at the other end of `bus`, and tells it how fast each output may gather speed; `expected` is its
/// table as it is described, or nothing.
///
/// # Errors
/// [`ProbeError`].
pub fn probe(bus: &mut dyn Transfer, expected: &[Expected]) -> Result<Probed, ProbeError> {
    let mut asker = Asker { bus, sequence: 0 };
    let (about, boots) = asker.ask(TableQuery::About, |up| match up.kind {
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
        asker.ask(ask, |up| match up.kind {
            UpKind::Row(it, row) if it == number => Some(row),
            _ => None,
        })
    });
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    if wire::row::table(rows.iter().copied()) != about.table {
        return Err(ProbeError::Table);
    }
    Ok(Probed { about, boots, rows })
}

struct Asker<'b> {
    bus: &'b mut dyn Transfer,
    sequence: u16,
}

impl Asker<'_> {
    /// Asks until the answer comes: it is always that to the transfer before.
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
                    None => ProbeError::Fault(Fault::Odd),
                },
                Err(FrameError::Version(_)) => ProbeError::Fault(Fault::Version),
                // Its checksum is sound: asked again it says the same.
                Err(FrameError::Row(number, flaw)) => return Err(ProbeError::Row(number, flaw)),
                Err(FrameError::About) => return Err(ProbeError::About),
                Err(FrameError::Seal | FrameError::Length)
                    if back.iter().all(|it| *it == back[0]) =>
                {
                    ProbeError::Fault(Fault::Silence)
                }
                Err(FrameError::Seal | FrameError::Length) => ProbeError::Fault(Fault::Corrupt),
                Err(_) => ProbeError::Fault(Fault::Odd),
            };
        }
        Err(last)
    }
}
