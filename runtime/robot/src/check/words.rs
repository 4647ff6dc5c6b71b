//! Figures as people read them. Used by the judges' sentences.

use crate::figure::short;

/// A value with its unit; angles in degrees beside.
pub(super) fn amount(value: f64, unit: &str) -> String {
    written(value, unit, 4)
}

/// Two values that are not the same, with as many digits as it takes to see that.
pub(super) fn both(one: f64, other: f64, unit: &str) -> [String; 2] {
    let all = (4..12).map(|digits| [one, other].map(|it| written(it, unit, digits)));
    let [last, ..] = [[one, other].map(|it| written(it, unit, 12))];
    let mut differ = all.filter(|it| it[0] != it[1]);
    differ.next().unwrap_or(last)
}

fn written(value: f64, unit: &str, digits: usize) -> String {
    let number = short(value, digits);
    match unit {
        "rad" => format!("{number} rad ({}°)", short(value.to_degrees(), digits - 3)),
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
        let [asked, edge] = both(-0.092_346_017, -0.092_346, "rad");
        assert_eq!(asked, "-0.09234602 rad (-5.29104°)");
        assert_eq!(edge, "-0.092346 rad (-5.29104°)");
        assert_eq!(both(1.0, 0.5, "m"), ["1 m", "0.5 m"]);
        assert_eq!(amount(8.26797, "rad/s"), "8.268 rad/s");
        assert_eq!(seconds(3.2), "3.2 s");
        assert_eq!(seconds(0.0), "0 s");
        assert_eq!(seconds(120.0), "120 s");
    }
}
