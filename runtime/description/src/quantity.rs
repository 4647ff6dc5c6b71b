//! Figures with their units: a number in SI, or a text such as `"30deg"` for people.
//! Used wherever a description, a command line or a script gives a figure.
//! Inside there is only SI; a unit that does not fit is refused, never guessed.

/// What a figure measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// A place of a joint: an angle in rad, or a length in m.
    Position,
    /// An angle, rad.
    Angle,
    /// A length, m.
    Length,
    /// A time, s.
    Time,
    /// A speed, rad/s or m/s.
    Speed,
    /// A change of speed, rad/s² or m/s².
    Acceleration,
    /// A mass, kg.
    Mass,
    /// A number of its own kind.
    Plain,
}

/// A place of a joint as it was written: the value in SI, and what its unit measures, if it was written with one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrittenPosition {
    /// The value.
    pub value: f64,
    /// An angle or a length.
    pub measures: Option<Dimension>,
}

impl WrittenPosition {
    /// Reads a place.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<WrittenPosition, String> {
        let value = Dimension::Position.read(text)?;
        let has_unit = text
            .trim()
            .ends_with(|c: char| !(c.is_ascii_digit() || c == '.'));
        let of = |dimension: Dimension| dimension.read(text).is_ok().then_some(dimension);
        let measures = has_unit.then(|| of(Dimension::Angle).or(of(Dimension::Length)));
        Ok(WrittenPosition {
            value,
            measures: measures.flatten(),
        })
    }
}

impl Dimension {
    /// Whether something of this dimension is written in that base unit; a number without one fits all.
    ///
    /// # Errors
    /// A sentence that names both.
    pub fn fits(self, name: &str, unit: &str) -> Result<(), String> {
        let (own, what) = match self {
            Dimension::Angle => ("rad", "an angle"),
            Dimension::Length => ("m", "a length"),
            _ => return Ok(()),
        };
        if unit == own {
            return Ok(());
        }
        let base = if unit.is_empty() {
            "a number without a unit"
        } else {
            unit
        };
        Err(format!("{name} takes {base}, and this is {what}"))
    }
}

const DEGREE: f64 = std::f64::consts::PI / 180.0;
const TURN_PER_MINUTE: f64 = std::f64::consts::TAU / 60.0;

const ANGLES: &[(&str, f64)] = &[("rad", 1.0), ("deg", DEGREE), ("°", DEGREE)];
const LENGTHS: &[(&str, f64)] = &[("m", 1.0), ("cm", 0.01), ("mm", 0.001)];
const TIMES: &[(&str, f64)] = &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("min", 60.0)];
const SPEEDS: &[(&str, f64)] = &[
    ("rad/s", 1.0),
    ("deg/s", DEGREE),
    ("rpm", TURN_PER_MINUTE),
    ("m/s", 1.0),
    ("mm/s", 0.001),
];
const ACCELERATIONS: &[(&str, f64)] = &[
    ("rad/s2", 1.0),
    ("deg/s2", DEGREE),
    ("m/s2", 1.0),
    ("mm/s2", 0.001),
];
const POSITIONS: &[(&str, f64)] = &[
    ("rad", 1.0),
    ("deg", DEGREE),
    ("°", DEGREE),
    ("m", 1.0),
    ("cm", 0.01),
    ("mm", 0.001),
];
const MASSES: &[(&str, f64)] = &[("kg", 1.0), ("g", 0.001)];

impl Dimension {
    fn units(self) -> &'static [(&'static str, f64)] {
        match self {
            Dimension::Position => POSITIONS,
            Dimension::Angle => ANGLES,
            Dimension::Length => LENGTHS,
            Dimension::Time => TIMES,
            Dimension::Speed => SPEEDS,
            Dimension::Acceleration => ACCELERATIONS,
            Dimension::Mass => MASSES,
            Dimension::Plain => &[],
        }
    }

    /// What is expected, for a sentence: "a number, or a text with one of the units rad, deg".
    pub fn expected(self) -> String {
        let units: Vec<_> = self.units().iter().map(|(unit, _)| *unit).collect();
        match units.as_slice() {
            [] => "a number".to_owned(),
            [base, ..] => format!(
                "a number of {base}, or a string with a unit of {}",
                units.join(", ")
            ),
        }
    }

    /// Reads a text: a number, with or without a unit.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(self, text: &str) -> Result<f64, String> {
        let text = text.trim();
        let number_ends = text
            .char_indices()
            .rev()
            .find(|(_, c)| c.is_ascii_digit() || *c == '.')
            .map_or(0, |(place, _)| place + 1);
        // The 2 of `rad/s2` belongs to the unit.
        let (number, unit) = self
            .units()
            .iter()
            .filter_map(|(unit, _)| Some((text.strip_suffix(unit)?, *unit)))
            .max_by_key(|(_, unit)| unit.len())
            .unwrap_or((&text[..number_ends], &text[number_ends..]));
        let factor = match self.units().iter().find(|(item, _)| *item == unit) {
            Some((_, factor)) => *factor,
            None if unit.is_empty() => 1.0,
            None => return Err(self.expected()),
        };
        match number.trim().parse::<f64>() {
            // One division is exact where a product is not: "8ms" is 0.008 to the last bit.
            Ok(value) if value.is_finite() && (1.0 / factor).fract() == 0.0 => {
                Ok(value / (1.0 / factor))
            }
            Ok(value) if value.is_finite() => Ok(value * factor),
            _ => Err(self.expected()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_says_what_is_measured() {
        let read = |text| WrittenPosition::read(text).expect(text);
        assert_eq!(read("30mm").measures, Some(Dimension::Length));
        assert_eq!(read("-5.29°").measures, Some(Dimension::Angle));
        assert!((read("-5.29°").value + 0.092_327_917_5).abs() < 1e-9);
        assert_eq!(read("0.5").measures, None);
        assert!(Dimension::Length.fits("HeadYaw", "rad").is_err());
        assert!(Dimension::Angle.fits("HeadYaw", "rad").is_ok());
    }

    #[test]
    fn figures_are_read_in_si_or_with_a_unit() {
        assert_eq!(Dimension::Time.read("8ms"), Ok(0.008));
        assert_eq!(Dimension::Time.read(" 1.5 s "), Ok(1.5));
        assert_eq!(Dimension::Time.read("100us"), Ok(0.0001));
        assert_eq!(
            Dimension::Position.read("-180deg"),
            Ok(-std::f64::consts::PI)
        );
        assert_eq!(Dimension::Position.read("12.5mm"), Ok(0.0125));
        assert_eq!(Dimension::Acceleration.read("3 rad/s2"), Ok(3.0));
        assert_eq!(Dimension::Acceleration.read("3"), Ok(3.0));
        assert_eq!(Dimension::Plain.read("-1e-3"), Ok(-0.001));
        assert!((Dimension::Speed.read("60rpm").unwrap() - std::f64::consts::TAU).abs() < 1e-12);
    }

    #[test]
    fn a_unit_that_does_not_fit_is_refused() {
        for (dimension, text) in [
            (Dimension::Time, "8deg"),
            (Dimension::Angle, "5 mm"),
            (Dimension::Plain, "3s"),
            (Dimension::Length, ""),
            (Dimension::Length, "m"),
            (Dimension::Time, "inf"),
            (Dimension::Time, "NaNs"),
            (Dimension::Position, "1 2"),
            (Dimension::Position, "é9"),
        ] {
            assert_eq!(dimension.read(text), Err(dimension.expected()), "{text}");
        }
    }
}
