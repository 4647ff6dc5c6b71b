//! Figures without idle zeros. Used by the tables of `trace` and by the sentences of `check`.

/// So many places behind the point at most, and none that says nothing.
pub(crate) fn short(value: f64, places: usize) -> String {
    if value.abs() >= 1e7 {
        return format!("{value:.4e}");
    }
    let text = format!("{value:.places$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A value with its unit; angles in degrees beside.
pub(crate) fn amount(value: f64, unit: &str) -> String {
    written(value, unit, 4)
}

/// Two values that are not the same, with as many digits as it takes to see that.
pub(crate) fn both(one: f64, other: f64, unit: &str) -> [String; 2] {
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
