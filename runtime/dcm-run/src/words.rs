//! Formats numbers for people, and reads the times and values that people write.
//! Called by every verb. The law: colours are left out if the output is not a terminal, or NO_COLOR is set.

use anstyle::{AnsiColor, Style};
use cycle::{Span, State};
use description::Dimension;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const ODD: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// The colour of a state.
pub(crate) fn style_of(state: State) -> Style {
    match state {
        State::Running => GOOD,
        State::Boot | State::Disarmed => FAINT,
        State::Armed | State::Holding | State::Safe => ODD,
        State::Fault | State::Estop => BAD,
    }
}

/// `text` in a colour.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A time on the command line: `500ms`, `2s`, or a number of seconds.
pub(crate) fn span(text: &str) -> Result<Span, String> {
    let seconds = Dimension::Time
        .read(text)
        .map_err(|it| format!("expected {it}"))?;
    if !(0.0..=1e10).contains(&seconds) {
        return Err("expected a time from 0 to 1e10 s".to_owned());
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "just checked"
    )]
    Ok(Span::from_nanos((seconds * 1e9).round() as u64))
}

/// A value on the command line: in SI, or with a unit such as `30deg`.
pub(crate) fn value(text: &str) -> Result<f64, String> {
    Dimension::Position
        .read(text)
        .map_err(|it| format!("expected {it}"))
}

/// A time for people: `12 ns`, `3.4 µs`, `1.25 ms`, `2.0 s`.
pub(crate) fn time(span: Span) -> String {
    #[allow(clippy::cast_precision_loss, reason = "three digits are shown")]
    let nanos = span.nanos() as f64;
    match nanos {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} µs", n / 1e3),
        n if n < 1e9 => format!("{:.2} ms", n / 1e6),
        n => format!("{:.1} s", n / 1e9),
    }
}

/// A size for people.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..10_240 => format!("{bytes} bytes"),
        10_240..10_485_760 => format!("{} KiB", bytes >> 10),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// A count for people: `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A value of an actuator or a sensor.
pub(crate) fn figure(value: f64) -> String {
    if value == 0.0 || (0.001..100_000.0).contains(&value.abs()) {
        format!("{value:.4}")
    } else {
        format!("{value:.3e}")
    }
}

/// A number for people: up to five significant digits.
pub(crate) fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let text = format!("{value:.4e}");
    let rounded: f64 = text.parse().unwrap_or(value);
    if (1e-4..1e7).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(123), "123");
        assert_eq!(time(Span::from_nanos(999)), "999 ns");
        assert_eq!(time(Span::from_millis(10)), "10.00 ms");
        assert_eq!(figure(-0.5), "-0.5000");
        assert_eq!(figure(1e-9), "1.000e-9");
        assert_eq!(digits(30f64.to_radians()), "0.5236");
        assert_eq!(
            (digits(400.0), digits(-0.25)),
            ("400".to_owned(), "-0.25".to_owned())
        );
        assert_eq!(digits(123_456.7), "123460");
    }

    #[test]
    fn times_are_read_with_their_units() {
        assert_eq!(span("500ms"), Ok(Span::from_millis(500)));
        assert_eq!(span("2"), Ok(Span::from_millis(2000)));
        assert!(span("-1s").is_err() && span("soon").is_err());
    }
}
