//! Values with their units, as people read them. Used by the sentences of `check` and of the socket.
//! Two values that differ are written so that the difference can be seen.

/// A number with so many digits that say something at most.
fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return value.to_string();
    }
    let text = format!("{value:.0$e}", digits.saturating_sub(1));
    let rounded: f64 = text.parse().unwrap_or(value);
    if (1e-4..1e7).contains(&rounded.abs()) {
        rounded.to_string()
    } else if rounded.abs() < 1e-4 && digits <= DIGITS {
        "0".to_owned()
    } else {
        text
    }
}

/// Digits that people read.
const DIGITS: usize = 4;

/// A value with its unit; angles in degrees beside.
pub fn amount(value: f64, unit: &str) -> String {
    written(value, unit, DIGITS)
}

/// Two values that are not the same, with as many digits as it takes to see that.
pub fn both(one: f64, other: f64, unit: &str) -> [String; 2] {
    let all = (DIGITS..16).map(|digits| [one, other].map(|value| written(value, unit, digits)));
    let last = [one, other].map(|value| written(value, unit, 16));
    let differ = |item: &[String; 2]| {
        let [one, other] = item
            .each_ref()
            .map(|text| text.split(' ').next().unwrap_or_default());
        one != other
    };
    all.into_iter().find(differ).unwrap_or(last)
}

/// How far from the end of a range its text may be, in its unit.
const END_NEAR: f64 = 5e-6;

/// The end of a range in words, rounded inwards: whoever asks for it as it is written stays inside, and arrives at the
/// end.
pub fn end_of(end: f64, unit: &str, is_inside: impl Fn(f64) -> bool) -> String {
    for digits in DIGITS..16 {
        let step = 10f64.powi(digits as i32 - 1 - end.abs().max(1e-9).log10().floor() as i32);
        for rounded in [(end * step).floor() / step, (end * step).ceil() / step] {
            let text = significant(rounded, digits);
            if text
                .parse()
                .is_ok_and(|value: f64| is_inside(value) && (value - end).abs() <= END_NEAR)
            {
                return written(rounded, unit, digits);
            }
        }
    }
    written(end, unit, 16)
}

fn written(value: f64, unit: &str, digits: usize) -> String {
    let number = significant(value, digits);
    match unit {
        "rad" if value.to_degrees().is_finite() => format!(
            "{number} rad ({}°)",
            significant(value.to_degrees(), digits)
        ),
        "" => number,
        unit => format!("{number} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::end_of;

    #[test]
    fn the_end_of_a_range_is_rounded_inwards_and_stays_near() {
        let upper = |end: f64| end_of(end, "rad", |value| value <= end);
        let lower = |end: f64| end_of(end, "m", |value| value >= end);
        assert_eq!(upper(2.085_67), "2.08567 rad (119.5°)");
        assert_eq!(lower(-0.092_346), "-0.092346 m");
        // Between two digits, the one inside.
        assert_eq!(lower(-1.0 / 3.0), "-0.33333 m");
        assert_eq!(lower(-2.0 / 3.0), "-0.666666 m");
        assert_eq!(lower(0.0), "0 m");
    }
}
