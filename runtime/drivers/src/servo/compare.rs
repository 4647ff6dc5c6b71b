//! Compares a row of a board's table with the description.
//! The session uses it and drives no board that differs; tools use it to print the differences.
//! A trait that one of the two does not specify is not compared.

use cycle::named_enum;
use wire::row::text;
use wire::{Direction, Row, RowKind, Unit};

use super::layout::OutputPart;

named_enum! {
    /// A compared trait of a row.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Trait {
        /// Whether it is an output or an input.
        Direction => "direction",
        /// Its name.
        Name => "name",
        /// Its kind.
        Kind => "kind",
        /// Its unit.
        Unit => "unit",
        /// The range of an output's words: it must include those that the description may send.
        Range => "range",
        /// The value of one word.
        Step => "step",
        /// The word that an output has at rest.
        Rest => "rest",
    }
}

/// The allowed relative difference of two steps: a calibration may correct the board's step.
const STEP: f32 = 0.05;

/// The allowed difference of two words at rest: the width of the range divided by this.
const REST: u16 = 50;

/// A row by the description.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The row.
    pub row: Row,
    /// What an output carries; `None` for an input and for an unused output.
    pub part: Option<OutputPart>,
    /// The greatest acceleration of an output, in words/s²; 0 for no limit. The host sends it to the board.
    pub acceleration: u32,
    /// The traits that may differ on the board.
    pub allowed: Vec<Trait>,
}

/// The greatest acceleration of the output of this row.
pub(super) fn acceleration(table: &[Expected], row: u16) -> u32 {
    table
        .get(usize::from(row))
        .map_or(0, |table| table.acceleration)
}

impl Trait {
    /// The trait's value in a row, for people.
    pub fn of(self, row: &Row) -> String {
        match self {
            Trait::Direction if row.direction == Direction::Output => "output".to_owned(),
            Trait::Direction => "input".to_owned(),
            Trait::Name => format!("`{}`", text(&row.name)),
            Trait::Kind => row.kind.name().to_owned(),
            Trait::Unit => row.unit.name().to_owned(),
            Trait::Range => format!("{} to {}", row.lowest, row.highest),
            Trait::Step => format!("{} {}", row.step, row.unit.name()),
            Trait::Rest => row.rest.to_string(),
        }
    }
}

impl Expected {
    /// The traits in which the board's row differs and must not.
    pub fn differing<'e>(&'e self, found: &'e Row) -> impl Iterator<Item = Trait> + 'e {
        let all = Trait::ALL.into_iter();
        all.filter(|value| self.differs(*value, found) && !self.allowed.contains(value))
    }

    fn differs(&self, what: Trait, found: &Row) -> bool {
        let ours = &self.row;
        let is_target = self.part == Some(OutputPart::Target);
        match what {
            Trait::Direction => ours.direction != found.direction,
            Trait::Name => {
                let (ours, found) = (text(&ours.name), text(&found.name));
                !ours.is_empty() && !found.is_empty() && ours != found
            }
            Trait::Kind => {
                let other = [ours.kind, found.kind].contains(&RowKind::Other);
                !other && ours.kind != found.kind
            }
            Trait::Unit => {
                let is_unspecified = [ours.unit, found.unit].contains(&Unit::UNSPECIFIED);
                !is_unspecified && ours.unit != found.unit
            }
            // Allow one word for rounding.
            Trait::Range => {
                is_target
                    && (found.lowest > ours.lowest.saturating_add(1)
                        || found.highest.saturating_add(1) < ours.highest)
            }
            Trait::Step => {
                let (ours, found) = (ours.step, found.step);
                ours != 0.0 && found != 0.0 && (found - ours).abs() > STEP * ours.abs()
            }
            Trait::Rest => {
                let span = ours.highest - ours.lowest;
                is_target && ours.rest.abs_diff(found.rest) > (span / REST).max(1)
            }
        }
    }
}
