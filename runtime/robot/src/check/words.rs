//! Figures as people read them. Used by the judges' sentences.

/// A value with its unit; angles in degrees beside.
pub(super) fn amount(value: f64, unit: &str) -> String {
    let number = short(value);
    match unit {
        "rad" => format!("{number} rad ({}°)", short_to(value.to_degrees(), 1)),
        "" => number,
        unit => format!("{number} {unit}"),
    }
}

/// A time.
pub(super) fn seconds(value: f64) -> String {
    format!("{} s", short_to(value, 3))
}

fn short(value: f64) -> String {
    short_to(value, 4)
}

/// So many places behind the point at most, and none that says nothing.
fn short_to(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
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
