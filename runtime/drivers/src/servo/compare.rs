//! Compares a row of a board's table with the description.
//! The session uses it and drives no board that differs; tools use it to tell people what differs.
//! The law: what one of the two does not state is not compared.

use cycle::named_enum;
use wire::row::text;
use wire::{Direction, Row, RowKind, Unit};

use super::layout::OutputPart;

named_enum! {
    /// What of a row is compared.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Trait {
        /// Whether it is an output or an input.
        Direction => "direction",
        /// Its name.
        Name => "name",
        /// Its kind.
        Kind => "kind",
        /// What it measures.
        Unit => "unit",
        /// The words that an output takes: those that the description may send must be among them.
        Range => "range",
        /// How much a word is.
        Step => "step",
        /// The word that an output has at rest.
        Rest => "rest",
    }
}

/// How far two steps may be apart, as a share: a calibration corrects what a board believes of itself.
const STEP: f32 = 0.05;

/// How far two words at rest may be apart: a part of the words between the ends of the range.
const REST: u16 = 50;

/// A row as the description has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The row.
    pub row: Row,
    /// What an output carries; nothing for an input, and for what nobody uses.
    pub part: Option<OutputPart>,
    /// How fast an output may gather speed, in words/s²; 0 if that is not limited. The board is told it.
    pub acceleration: u32,
    /// What may be otherwise on the board.
    pub allowed: Vec<Trait>,
}

/// How fast the output of this row may gather speed, as the board is told.
pub(super) fn acceleration(table: &[Expected], row: u16) -> u32 {
    table.get(usize::from(row)).map_or(0, |it| it.acceleration)
}

impl Trait {
    /// What a row says of it, for people.
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
    /// What the board's row has otherwise, and may not.
    pub fn differing<'e>(&'e self, told: &'e Row) -> impl Iterator<Item = Trait> + 'e {
        let all = Trait::ALL.into_iter();
        all.filter(|it| self.differs(*it, told) && !self.allowed.contains(it))
    }

    fn differs(&self, what: Trait, told: &Row) -> bool {
        let ours = &self.row;
        let is_target = self.part == Some(OutputPart::Target);
        match what {
            Trait::Direction => ours.direction != told.direction,
            Trait::Name => {
                let (ours, told) = (text(&ours.name), text(&told.name));
                !ours.is_empty() && !told.is_empty() && ours != told
            }
            Trait::Kind => {
                let other = [ours.kind, told.kind].contains(&RowKind::Other);
                !other && ours.kind != told.kind
            }
            Trait::Unit => {
                let untold = [ours.unit, told.unit].contains(&Unit::UNTOLD);
                !untold && ours.unit != told.unit
            }
            // By a word more or less it is rounded.
            Trait::Range => {
                is_target
                    && (told.lowest > ours.lowest.saturating_add(1)
                        || told.highest.saturating_add(1) < ours.highest)
            }
            Trait::Step => {
                let (ours, told) = (ours.step, told.step);
                ours != 0.0 && told != 0.0 && (told - ours).abs() > STEP * ours.abs()
            }
            Trait::Rest => {
                let span = ours.highest - ours.lowest;
                is_target && ours.rest.abs_diff(told.rest) > (span / REST).max(1)
            }
        }
    }
}
