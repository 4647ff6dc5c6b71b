//! Reads the board's table, row by row, and compares it with the description.
//! Part of the session, before any target is sent.
//! A board whose table differs from the description is never driven.

use wire::row::table;
use wire::{Direction, Row, RowKind, Up, UpKind};

use super::{Phase, Session};
use crate::faults::Fault;
use crate::servo::Probed;
use crate::servo::layout::OutputPart;

impl Session {
    /// Takes the table of a board that was probed before the first turn, so that it is driven from the first turn on.
    ///
    /// # Errors
    /// The table differs from the description.
    pub fn knows(&mut self, probed: &Probed) -> Result<(), Fault> {
        let outputs = usize::from(probed.about.outputs);
        let counts = (outputs, usize::from(probed.about.inputs));
        let rows = probed.rows.iter().enumerate();
        let mut suit = rows.map(|(place, row)| {
            (row.direction == Direction::Output) == (place < outputs) && self.suits(place, row)
        });
        if counts != (self.layout.outputs.len(), self.layout.inputs.len()) || !suit.all(|item| item)
        {
            return Err(Fault::Mismatch);
        }
        self.about = Some(probed.about);
        self.table = Some(probed.about.table);
        self.boots = probed.boots;
        self.rows.clone_from(&probed.rows);
        self.run();
        Ok(())
    }

    /// Changes to the running phase after the table is known.
    fn run(&mut self) {
        for (place, row) in self.rows.iter().take(self.words.len()).enumerate() {
            (self.words[place], self.ahead[place]) = (row.rest, row.rest);
        }
        (self.phase, self.refused) = (Phase::Running, None);
        (self.is_fresh, self.blind) = (true, true);
    }

    /// Whether the output's kind fits its contents, so that a trigger or a gain is never taken for a target, and
    /// whether the row matches the description.
    fn suits(&self, place: usize, row: &Row) -> bool {
        let described = self.expected.get(place);
        if described.is_some_and(|described| described.differing(row).next().is_some()) {
            return false;
        }
        let kind = row.kind;
        let part = self
            .layout
            .outputs
            .get(place)
            .copied()
            .flatten()
            .map(|output| output.part);
        match part {
            None => true,
            Some(OutputPart::Fire) => kind == RowKind::Trigger,
            Some(OutputPart::P | OutputPart::I | OutputPart::D) => kind == RowKind::Gain,
            Some(OutputPart::Target) => !matches!(kind, RowKind::Trigger | RowKind::Gain),
        }
    }

    /// Takes the next row of the table.
    pub(super) fn read(&mut self, up: &Up<'_>) -> Fault {
        // Store the clock, so that a frozen board is detected in the running phase.
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
            // A row was lost: continue from there.
            (Phase::Reading(wanted), UpKind::Row(number, _)) if number > wanted => {
                self.ask = wanted;
            }
            // The answer to an earlier question.
            _ => {}
        }
        if self.about.is_some() && self.rows.len() == self.channels() {
            let claimed = self.about.map(|about| about.table);
            let read = table(self.rows.iter().copied());
            if claimed != Some(read) || self.table.is_some_and(|table| table != read) {
                return Fault::Mismatch;
            }
            self.table = Some(read);
            self.run();
        }
        Fault::Asking
    }
}
