//! Numbers and percentages on lights. Part of [`LightEngine`].
//! A display clears its own lights first, and leaves all others as they are.

use super::{LightCycle, LightEngine, LightMask};
use crate::maths::floor;
use crate::time::{Instant, Span};

/// How numbers that a display cannot show blink: short pulses of half the light, three in a second.
const OUT_OF_RANGE: LightCycle = LightCycle {
    period: Span::from_millis(333),
    amplitude: 10.0,
    offset: -5.0,
    phase: Span::ZERO,
};

/// The lights of each digit, and the bar that blinks if the number is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigitTable {
    /// The lights of the digits 0 to 9.
    pub digits: [LightMask; 10],
    /// The light of the sign. It can be one of the digits', too.
    pub bar: usize,
}

impl DigitTable {
    /// Digits to be counted: as many of these lights as the number says.
    pub const fn counting(lights: [usize; 9], bar: usize) -> DigitTable {
        let mut digits = [LightMask::NONE; 10];
        let mut digit = 1;
        while digit < 10 {
            digits[digit] = LightMask::of(lights.split_at(digit).0);
            digit += 1;
        }
        DigitTable { digits, bar }
    }

    fn lights(&self) -> LightMask {
        let bar = LightMask::of(&[self.bar]);
        self.digits.iter().fold(bar, |all, item| all | *item)
    }
}

/// Two columns of four lights, from the lowest to the top one, which both may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LightColumns {
    /// The left column.
    pub left: [usize; 4],
    /// The right column.
    pub right: [usize; 4],
}

impl LightColumns {
    fn lights(&self) -> LightMask {
        LightMask::of(&self.left) | LightMask::of(&self.right)
    }
}

/// What a column shows of a percentage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PercentStyle {
    /// All of it: a light for each quarter.
    #[default]
    Major,
    /// Its last quarter, four times as large.
    Minor,
    /// Nothing.
    Dark,
}

impl PercentStyle {
    /// The values of a column's lights, from the lowest, for a share of 0 to 1.
    fn levels(self, share: f64) -> [f64; 4] {
        let quarters = 4.0 * share;
        let height = match self {
            PercentStyle::Major => quarters,
            // All of it ends with a quarter that is full, not with one that is empty.
            PercentStyle::Minor => 4.0 * (quarters - floor(quarters).min(3.0)),
            PercentStyle::Dark => 0.0,
        };
        [0.0, 1.0, 2.0, 3.0].map(|below| (height - below).clamp(0.0, 1.0))
    }
}

impl<const N: usize> LightEngine<N> {
    /// Shows a number of -9 to 9. If it is negative, the bar blinks: above the middle if the digit has it, else below.
    /// With other numbers all lights of the table blink.
    pub fn display_number(&mut self, table: &DigitTable, number: i32, now: Instant) {
        self.clear_these(table.lights());
        let Some(digit) = table.digits.get(number.unsigned_abs() as usize) else {
            return self.cycle(table.lights(), OUT_OF_RANGE, now);
        };
        self.set(*digit, 1.0);
        if number < 0 {
            let sign = LightCycle {
                amplitude: 0.5,
                offset: if digit.has(table.bar) { 0.25 } else { -0.25 },
                ..LightCycle::of(Span::from_millis(500))
            };
            self.cycle(LightMask::of(&[table.bar]), sign, now);
        }
    }

    /// Shows a number of -99 to 99, the tens on the left. Of the lowest three lights of a column one is brighter: the
    /// first for 1, 4 and 7, the second for 2, 5 and 8, the third for 3, 6 and 9; all three are a third brighter from 4
    /// on, and another third from 7 on. The top lights are on if it is negative. Other numbers let all lights blink.
    pub fn display_two_digits(&mut self, columns: &LightColumns, number: i32, now: Instant) {
        self.clear_these(columns.lights());
        let size = number.unsigned_abs();
        if size > 99 {
            return self.cycle(columns.lights(), OUT_OF_RANGE, now);
        }
        for (column, digit) in [(columns.left, size / 10), (columns.right, size % 10)] {
            let [low, middle, high, top] = column;
            if let Some(step) = digit.checked_sub(1) {
                let ground = f64::from(step / 3) / 3.0;
                self.set(LightMask::of(&[low, middle, high]), ground);
                let place = [low, middle, high][step as usize % 3];
                self.set(LightMask::of(&[place]), ground + 1.0 / 3.0);
            }
            if number < 0 {
                self.set(LightMask::of(&[top]), 1.0);
            }
        }
    }

    /// Shows a share of 0 to 1: a column is lit up to it, its last light in part. A light of both columns shows the
    /// larger value. Below 0, and for NaN, all lights are at 0.25; above 1 all are at 0.75.
    pub fn display_percent(
        &mut self,
        columns: &LightColumns,
        share: f64,
        left: PercentStyle,
        right: PercentStyle,
    ) {
        self.clear_these(columns.lights());
        if share > 1.0 {
            return self.set(columns.lights(), 0.75);
        }
        if share < 0.0 || share.is_nan() {
            return self.set(columns.lights(), 0.25);
        }
        for (column, style) in [(columns.left, left), (columns.right, right)] {
            for (place, level) in column.into_iter().zip(style.levels(share)) {
                let both = self.setting(place).max(level);
                self.set(LightMask::of(&[place]), both);
            }
        }
    }
}
