//! Figures as people read them. Used by the judges' sentences.

use crate::figure::short;

/// A value with its unit; angles in degrees beside.
pub(super) fn amount(value: f64, unit: &str) -> String {
    let number = short(value, 4);
    match unit {
        "rad" => format!("{number} rad ({}°)", short(value.to_degrees(), 1)),
        "" => number,
        unit => format!("{number} {unit}"),
    }
}

/// A time.
pub(super) fn seconds(value: f64) -> String {
    format!("{} s", short(value, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_say_no_more_than_they_must() {
        assert_eq!(amount(0.5, "rad"), "0.5 rad (28.6°)");
        assert_eq!(amount(-0.00001, "m"), "0 m");
        assert_eq!(amount(8.26797, "rad/s"), "8.268 rad/s");
        assert_eq!(seconds(3.2), "3.2 s");
        assert_eq!(seconds(0.0), "0 s");
        assert_eq!(seconds(120.0), "120 s");
    }
}
