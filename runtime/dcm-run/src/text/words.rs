//! Formats numbers for people, and reads the times and values that people write.
//! Called by every verb. Colours are left out if the output is not a terminal, or NO_COLOR is set.

use anstyle::{AnsiColor, Style};
use cycle::{Span, State};
use description::Dimension;
use printable::printable;
use protocol::Measure;

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

/// A path for people.
pub(crate) fn path(path: &std::path::Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

/// The longest duration of a motion or a fade: a day.
const WITHIN_MAX: Span = Span::from_nanos(86_400_000_000_000);

/// A time on the command line: `500ms`, `2s`, or a number of seconds.
pub(crate) fn span(text: &str) -> Result<Span, String> {
    let seconds = Dimension::Time
        .read(text)
        .map_err(|_| "expected a time such as 500ms, 2s or 1min".to_owned())?;
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

/// The duration of a motion or a fade on the command line: a day at most, as over HTTP.
pub(crate) fn within(text: &str) -> Result<Span, String> {
    match span(text) {
        Ok(span) if span <= WITHIN_MAX => Ok(span),
        _ if Dimension::Time.read(text).is_ok() => {
            Err("expected a time from 0 to 86,400 s".to_owned())
        }
        wrong => wrong,
    }
}

/// The period of a loop on the command line.
pub(crate) fn period(text: &str) -> Result<Span, String> {
    let allowed = Span::from_micros(50)..=Span::from_millis(1_000);
    match span(text) {
        Ok(span) if allowed.contains(&span) => Ok(span),
        Ok(_) => Err("expected a period from 50us to 1s, such as 1ms".to_owned()),
        wrong => wrong,
    }
}

/// A time on the command line that must not be 0: the length of a run, a time limit.
pub(crate) fn duration(text: &str) -> Result<Span, String> {
    match span(text)? {
        Span::ZERO => Err("expected a time above 0".to_owned()),
        span => Ok(span),
    }
}

/// A value on the command line: in SI, or with a unit such as `30deg`.
pub(crate) fn value(text: &str) -> Result<f64, String> {
    Dimension::Position
        .read(text)
        .map_err(|_| "expected a number, such as 0.5, or one with a unit, such as 30deg".to_owned())
}

/// A parameter on the command line: in SI, or with a unit such as `30deg` or `500ms`.
pub(crate) fn parameter(text: &str) -> Result<f64, String> {
    value(text).or_else(|why| Dimension::Time.read(text).map_err(|_| why))
}

/// What a value on the command line measures, if that concerns a request.
pub(crate) fn measure(dimension: Dimension) -> Option<Measure> {
    match dimension {
        Dimension::Angle => Some(Measure::Angle),
        Dimension::Length => Some(Measure::Length),
        _ => None,
    }
}

/// `on` or `off` on the command line.
pub(crate) fn on_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected `on` or `off`".to_owned()),
    }
}

/// A force on the command line, N: `20N` or `20`.
pub(crate) fn force(text: &str) -> Result<f64, String> {
    push(text).map(|push| push.amount)
}

/// A length on the command line, m: `2cm` or `0.02`.
pub(crate) fn length(text: &str) -> Result<f64, String> {
    Dimension::Length
        .read(text)
        .map_err(|_| "expected a length, such as 20cm".to_owned())
}

/// Three edges on the command line, m: `30x20x10cm`.
pub(crate) fn edges(text: &str) -> Result<[f64; 3], String> {
    let wrong = || "expected length, width and height, such as 30x20x10cm".to_owned();
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = &text[number.len()..];
    let edges = number
        .split('x')
        .map(|edge| length(&format!("{edge}{unit}")).map_err(|_| wrong()))
        .collect::<Result<Vec<_>, _>>()?;
    edges.try_into().map_err(|_| wrong())
}

/// The mass of something, kg; none if it cannot move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxMass(pub(crate) Option<f64>);

/// A mass on the command line: `500g`, `2kg` or `fixed`.
pub(crate) fn mass(text: &str) -> Result<BoxMass, String> {
    if text == "fixed" {
        return Ok(BoxMass(None));
    }
    let (number_text, unit) = match text.strip_suffix("kg") {
        Some(kilograms) => (kilograms, 1.0),
        None => (text.strip_suffix('g').unwrap_or_default(), 1e-3),
    };
    let mass = number(number_text).map_err(|_| "expected a mass, such as 500g, or `fixed`")?;
    Ok(BoxMass(Some(mass * unit)))
}

/// How hard something is pushed: a torque, or a force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushAmount {
    /// N·m, or N.
    pub(crate) amount: f64,
    /// Whether it has the unit of a force.
    pub(crate) is_force: bool,
}

/// A torque or a force on the command line: `0.5`, or `20N`.
pub(crate) fn push(text: &str) -> Result<PushAmount, String> {
    let force = text.strip_suffix('N');
    let amount = number(force.unwrap_or(text))
        .map_err(|_| "expected a number, or a force such as 20N".to_owned())?;
    Ok(PushAmount {
        amount,
        is_force: force.is_some(),
    })
}

/// A number without a unit on the command line.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    Dimension::Plain
        .read(text)
        .map_err(|_| "expected a number".to_owned())
}

/// A time for people: `12 ns`, `3.4 µs`, `1.25 ms`, `2 s`.
pub(crate) fn time(span: Span) -> String {
    #[allow(clippy::cast_precision_loss, reason = "three digits are shown")]
    let nanos = span.nanos() as f64;
    match nanos {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{} µs", decimals(n / 1e3, 1)),
        n if n < 1e9 => format!("{} ms", decimals(n / 1e6, 2)),
        n => format!("{} s", decimals(n / 1e9, 2)),
    }
}

/// A number with at most so many decimals, without zeros at its end.
fn decimals(value: f64, most: usize) -> String {
    let text = format!("{value:.most$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// So many things: `1 key`, `956 rows`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{} {thing}{end}", count(number))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(123), "123");
        assert_eq!(time(Span::from_nanos(999)), "999 ns");
        assert_eq!(time(Span::from_millis(10)), "10 ms");
        assert_eq!(time(Span::from_nanos(1_250_000)), "1.25 ms");
        assert_eq!(time(Span::from_millis(2000)), "2 s");
        assert_eq!(
            (counted(1, "key"), counted(1200, "row")),
            ("1 key".to_owned(), "1,200 rows".to_owned())
        );
        assert_eq!(counted(0, "turn"), "0 turns");
        assert_eq!(figure(-0.5), "-0.5000");
        assert_eq!(figure(1e-9), "1.000e-9");
    }

    #[test]
    fn times_are_read_with_their_units() {
        assert_eq!(span("500ms"), Ok(Span::from_millis(500)));
        assert_eq!(span("2"), Ok(Span::from_millis(2000)));
        assert!(span("-1s").is_err() && span("soon").is_err());
        assert_eq!(parameter("1.5s"), Ok(1.5));
        assert_eq!(parameter("-250ms"), Ok(-0.25));
        assert_eq!(parameter("180deg"), Ok(std::f64::consts::PI));
        assert!(parameter("soon").is_err());
        assert_eq!(period("2ms"), Ok(Span::from_millis(2)));
        assert!(period("0ms").is_err() && period("100s").is_err() && period("soon").is_err());
        assert!(duration("0").is_err() && duration("1ms").is_ok());
    }
}
