//! Units of values, and times as they are written. Called by the readers and writers.
//! A time is counted in ns from the digits of its text, without a detour over binary
//! fractions.

use crate::text::number::{NumberFault, scaled};

/// What the values of a track measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueUnit {
    /// The joint's own SI unit: rad, m, or 0..1.
    #[default]
    Native,
    /// rad.
    Radian,
    /// °.
    Degree,
    /// 10⁻⁶ rad, as Sony's files have it.
    Microradian,
    /// m.
    Metre,
    /// cm.
    Centimetre,
    /// mm.
    Millimetre,
}

impl ValueUnit {
    /// A value of this unit in SI.
    pub fn to_si(self, value: f64) -> f64 {
        match self {
            ValueUnit::Native | ValueUnit::Radian | ValueUnit::Metre => value,
            ValueUnit::Degree => value.to_radians(),
            ValueUnit::Microradian => value / 1e6,
            ValueUnit::Centimetre => value / 1e2,
            ValueUnit::Millimetre => value / 1e3,
        }
    }

    /// A value of SI in this unit.
    pub fn of_si(self, value: f64) -> f64 {
        match self {
            ValueUnit::Native | ValueUnit::Radian | ValueUnit::Metre => value,
            ValueUnit::Degree => value.to_degrees(),
            ValueUnit::Microradian => value * 1e6,
            ValueUnit::Centimetre => value * 1e2,
            ValueUnit::Millimetre => value * 1e3,
        }
    }

    /// The SI unit of the same dimension.
    pub fn si(self) -> ValueUnit {
        match self {
            ValueUnit::Native => ValueUnit::Native,
            ValueUnit::Radian | ValueUnit::Degree | ValueUnit::Microradian => ValueUnit::Radian,
            ValueUnit::Metre | ValueUnit::Centimetre | ValueUnit::Millimetre => ValueUnit::Metre,
        }
    }

    /// The unit behind a number in our own files; none for the joint's own unit.
    pub(crate) fn suffix(self) -> Option<&'static str> {
        match self {
            ValueUnit::Native => Some(""),
            ValueUnit::Radian => Some("rad"),
            ValueUnit::Degree => Some("deg"),
            ValueUnit::Metre => Some("m"),
            ValueUnit::Centimetre => Some("cm"),
            ValueUnit::Millimetre => Some("mm"),
            ValueUnit::Microradian => None,
        }
    }

    /// The units by the words for them; none is a part of one behind it.
    const NAMES: [(&str, ValueUnit); 7] = [
        ("deg", ValueUnit::Degree),
        ("°", ValueUnit::Degree),
        ("rad", ValueUnit::Radian),
        ("mm", ValueUnit::Millimetre),
        ("cm", ValueUnit::Centimetre),
        ("m", ValueUnit::Metre),
        ("", ValueUnit::Native),
    ];

    /// The unit of this word, as titles of tables have it.
    pub(crate) fn named(word: &str) -> Option<ValueUnit> {
        let word = match word {
            "degree" | "degrees" => "deg",
            "radian" | "radians" => "rad",
            other => other,
        };
        let named = Self::NAMES
            .iter()
            .find(|name| name.0 == word && !word.is_empty());
        named.map(|pair| pair.1)
    }

    /// The words for units, for a message.
    pub(crate) fn known() -> String {
        let words = Self::NAMES.iter().map(|name| name.0);
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        words.join(", ")
    }

    /// Divides a text such as `30deg` into its number and its unit.
    pub(crate) fn split(text: &str) -> (&str, ValueUnit) {
        let found = Self::NAMES
            .iter()
            .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?.trim_end(), *unit)));
        found.unwrap_or((text, ValueUnit::Native))
    }
}

/// Reads a time: a number of seconds, or with `s`, `ms`, `us` or `min` behind it; ns.
pub(crate) fn written_time(text: &str, comma: bool) -> Result<i64, NumberFault> {
    const SUFFIXES: [(&str, u32, i64); 6] = [
        ("min", 9, 60),
        ("ms", 6, 1),
        ("us", 3, 1),
        ("µs", 3, 1),
        ("s", 9, 1),
        ("", 9, 1),
    ];
    let text = text.trim();
    for (suffix, places, times) in SUFFIXES {
        if let Some(number) = text.strip_suffix(suffix) {
            let ns = scaled(number.trim_end(), places, comma)?;
            return ns.checked_mul(times).ok_or(NumberFault::Large);
        }
    }
    Err(NumberFault::NotANumber)
}

/// A number of 10^-places as a decimal number, as short as it can be.
pub(crate) fn decimal(amount: i64, places: usize) -> String {
    let digits = format!("{:0width$}", amount.unsigned_abs(), width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    let part = part.trim_end_matches('0');
    let sign = if amount < 0 { "-" } else { "" };
    if part.is_empty() {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{part}")
    }
}

/// A time in seconds.
pub(crate) fn seconds(ns: i64) -> String {
    decimal(ns, 9)
}

/// A time in seconds, of a key.
pub(crate) fn key_seconds(ns: u64) -> String {
    seconds(i64::try_from(ns).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_from_their_digits() {
        let cases = [
            ("0.1", 100_000_000),
            ("1.52", 1_520_000_000),
            ("0.0133333", 13_333_300),
            ("500ms", 500_000_000),
            ("1.5 min", 90_000_000_000),
            ("-0.52", -520_000_000),
            ("1e-3", 1_000_000),
            ("0.0000000004", 0),
            ("0.0000000005", 1),
            ("0", 0),
        ];
        for (text, ns) in cases {
            assert_eq!(written_time(text, false), Ok(ns), "{text}");
        }
        assert_eq!(written_time("1,5", true), Ok(1_500_000_000));
        assert_eq!(written_time("1,5", false), Err(NumberFault::Comma));
        assert_eq!(written_time("soon", false), Err(NumberFault::NotANumber));
    }

    #[test]
    fn a_time_that_is_written_is_the_time_that_is_read() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..10_000 {
            let ns = random.i64(-1_000_000_000_000_000..1_000_000_000_000_000);
            assert_eq!(written_time(&seconds(ns), false), Ok(ns));
        }
        assert_eq!(decimal(-5, 1), "-0.5");
        assert_eq!(decimal(1_520, 3), "1.52");
        assert_eq!(decimal(40, 0), "40");
    }
}
