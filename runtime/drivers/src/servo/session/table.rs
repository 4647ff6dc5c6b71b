//! The board's table comes in, row by row, and is compared with the description.
//! Part of the conversation, before any target goes out.
//! The law: a board whose table is not the description's is never driven.

use wire::row::table;
use wire::{Direction, Row, RowKind, Up, UpKind};

use super::{Phase, Session};
use crate::faults::Fault;
use crate::servo::Probed;
use crate::servo::layout::OutputPart;

impl Session {
    /// The board was asked already, before the first turn: it is driven from the first on.
    ///
    /// # Errors
    /// Its table is not the description's.
    pub fn knows(&mut self, probed: &Probed) -> Result<(), Fault> {
        let outputs = usize::from(probed.about.outputs);
        let counts = (outputs, usize::from(probed.about.inputs));
        let rows = probed.rows.iter().enumerate();
        let mut suit = rows.map(|(place, row)| {
            (row.direction == Direction::Output) == (place < outputs) && self.suits(place, row)
        });
        if counts != (self.layout.outputs.len(), self.layout.inputs.len()) || !suit.all(|it| it) {
            return Err(Fault::Mismatch);
        }
        self.about = Some(probed.about);
        self.table = Some(probed.about.table);
        self.boots = probed.boots;
        self.rows.clone_from(&probed.rows);
        self.run();
        Ok(())
    }

    /// The table is known: from here on targets go out.
    fn run(&mut self) {
        for (place, row) in self.rows.iter().take(self.words.len()).enumerate() {
            (self.words[place], self.ahead[place]) = (row.rest, row.rest);
        }
        (self.phase, self.refused) = (Phase::Running, None);
        (self.is_fresh, self.blind) = (true, true);
    }

    /// Whether an output of this kind can carry what the description sends there: a trigger acts, a gain shapes, and
    /// neither may be mistaken for a place to go to. And whether the row is the one that is described.
    fn suits(&self, place: usize, row: &Row) -> bool {
        let described = self.expected.get(place);
        if described.is_some_and(|it| it.differing(row).next().is_some()) {
            return false;
        }
        let kind = row.kind;
        let part = self
            .layout
            .outputs
            .get(place)
            .copied()
            .flatten()
            .map(|it| it.part);
        match part {
            None => true,
            Some(OutputPart::Fire) => kind == RowKind::Trigger,
            Some(OutputPart::P | OutputPart::I | OutputPart::D) => kind == RowKind::Gain,
            Some(OutputPart::Target) => !matches!(kind, RowKind::Trigger | RowKind::Gain),
        }
    }

    /// The table comes in, row by row.
    pub(super) fn read(&mut self, up: &Up<'_>) -> Fault {
        // A clock that stands still is one when the board runs, too.
        self.clock = Some(up.clock);
        match (self.phase, up.kind) {
            (Phase::Strange, UpKind::About(about)) => {
                let outputs = usize::from(about.outputs) == self.layout.outputs.len();
                if !outputs || usize::from(about.inputs) != self.layout.inputs.len() {
                    return Fault::Mismatch;
                }
                (self.about, self.boots, self.ask) = (Some(about), up.boots, 0);
                self.phase = Phase::Reading(0);
                self.unanswered = 0;
            }
            (Phase::Reading(_), _) if up.boots != self.boots => return Fault::Rebooted,
            (Phase::Reading(wanted), UpKind::Row(number, row)) if number == wanted => {
                let is_output = usize::from(number) < self.layout.outputs.len();
                let direction = if is_output {
                    Direction::Output
                } else {
                    Direction::Input
                };
                if row.direction != direction || !self.suits(usize::from(number), &row) {
                    return Fault::Mismatch;
                }
                self.rows.push(row);
                self.phase = Phase::Reading(wanted + 1);
                self.unanswered = 0;
            }
            // One between was lost: from there on again.
            (Phase::Reading(wanted), UpKind::Row(number, _)) if number > wanted => {
                self.ask = wanted;
            }
            // The answer to what was asked before.
            _ => {}
        }
        if self.about.is_some() && self.rows.len() == self.channels() {
            let told = self.about.map(|it| it.table);
            let read = table(self.rows.iter().copied());
            if told != Some(read) || self.table.is_some_and(|it| it != read) {
                return Fault::Mismatch;
            }
            self.table = Some(read);
            self.run();
        }
        Fault::Asking
    }
}
