//! Asks a board what it is: its name, its table, its watchdog.
//! Called by people's tools, where nobody drives the board; it lets go of its motors when it is asked.
//! The law: it ends after so many transfers, whatever comes back.

use std::time::Duration;

use wire::frame::{Flaw, SHORT};
use wire::{About, Ask, Down, DownKind, Row, Up, UpKind};

use crate::bus::Transfer;
use crate::faults::Fault;

/// Transfers that are tried for each question.
const TRIES: usize = 8;

/// A board needs a moment between two transfers.
const PAUSE: Duration = Duration::from_millis(1);

/// What a board says that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// The board.
    pub about: About,
    /// How often it has booted.
    pub boots: u8,
    /// Its table: outputs, then inputs.
    pub rows: Vec<Row>,
}

/// Asks the board at the other end of `bus`.
///
/// # Errors
/// What came back last instead of an answer.
pub fn probe(bus: &mut dyn Transfer) -> Result<Probed, Fault> {
    let mut asker = Asker { bus, sequence: 0 };
    let (about, boots) = asker.ask(Ask::About, |up| match up.kind {
        UpKind::About(about) => Some((about, up.boots)),
        _ => None,
    })?;
    let rows = (0..about.outputs.saturating_add(about.inputs)).map(|number| {
        asker.ask(Ask::Row(number), |up| match up.kind {
            UpKind::Row(it, row) if it == number => Some(row),
            _ => None,
        })
    });
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    if wire::row::table(rows.iter().copied()) != about.table {
        return Err(Fault::Mismatch);
    }
    Ok(Probed { about, boots, rows })
}

struct Asker<'b> {
    bus: &'b mut dyn Transfer,
    sequence: u16,
}

impl Asker<'_> {
    /// Asks until the answer comes: it is always that to the transfer before.
    fn ask<A>(&mut self, ask: Ask, answer: impl Fn(&Up<'_>) -> Option<A>) -> Result<A, Fault> {
        let mut last = Fault::Silence;
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
                last = Fault::Transfer(fault);
                continue;
            }
            last = match Up::parse(&back) {
                Ok(up) => match answer(&up) {
                    Some(answer) => return Ok(answer),
                    None => Fault::Odd,
                },
                Err(Flaw::Version(_)) => Fault::Version,
                Err(_) if back.iter().all(|it| *it == back[0]) => Fault::Silence,
                Err(_) => Fault::Corrupt,
            };
        }
        Err(last)
    }
}
