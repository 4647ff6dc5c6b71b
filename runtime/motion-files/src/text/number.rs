//! Numbers as people write them. Called by every reader of texts.
//! A number is finite, or it is a fault; `nan`, `inf` and hexadecimal numbers are none. A
//! decimal comma is one only where the caller says so.

use std::fmt;

/// The longest number, letters.
const LETTERS_MAX: usize = 400;

/// Why a text is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberFault {
    /// There is nothing.
    Empty,
    /// It is something else.
    NotANumber,
    /// It has a decimal comma.
    Comma,
    /// It is greater than any that can be used.
    Large,
}

impl fmt::Display for NumberFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberFault::Empty => "a number is missing",
            NumberFault::NotANumber => "expected a number such as 0.5",
            NumberFault::Comma => "it has a decimal comma; fix: write a point, as in 0.5",
            NumberFault::Large => "it is too large",
        })
    }
}

/// Whether this looks like a number: a sign, digits with one point, an exponent.
fn is_plain(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (digits, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text.get(at + 1..)),
        None => (text, None),
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_exponent = exponent.is_none_or(|text| {
        let unwrap_or = text.strip_prefix(['+', '-']).unwrap_or(text);
        !unwrap_or.is_empty() && all_digits(unwrap_or)
    });
    all_digits(whole) && all_digits(part) && whole.len() + part.len() > 0 && is_exponent
}

/// The text with a point instead of a decimal comma, if it may have one.
fn pointed(text: &str, comma: bool) -> Result<std::borrow::Cow<'_, str>, NumberFault> {
    if text.is_empty() {
        return Err(NumberFault::Empty);
    }
    if text.len() > LETTERS_MAX {
        return Err(NumberFault::Large);
    }
    if !text.contains(',') {
        let plain = is_plain(text).then_some(text.into());
        return plain.ok_or(NumberFault::NotANumber);
    }
    let point = text.replacen(',', ".", 1);
    match (is_plain(&point), comma) {
        (true, true) => Ok(point.into()),
        (true, false) => Err(NumberFault::Comma),
        (false, _) => Err(NumberFault::NotANumber),
    }
}

/// Reads a number; `comma`: whether it may have a decimal comma.
pub(crate) fn number(text: &str, comma: bool) -> Result<f64, NumberFault> {
    let value: f64 = pointed(text, comma)?
        .parse()
        .map_err(|_| NumberFault::NotANumber)?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(NumberFault::Large)
    }
}

/// Whether a whole number is octal in C: with a 0 before its digits.
pub(crate) fn is_octal(text: &str) -> bool {
    let bare = text.strip_prefix('+').unwrap_or(text);
    let digits = bare.strip_prefix('0').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads a whole number, also a hexadecimal or octal one as C writes it.
pub(crate) fn whole(text: &str) -> Result<u64, NumberFault> {
    if text.is_empty() {
        return Err(NumberFault::Empty);
    }
    let bare = text.strip_prefix('+').unwrap_or(text);
    let hex = bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X"));
    let is_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let read = match hex {
        Some(digits) if is_digits(digits) => u64::from_str_radix(digits, 16),
        None if is_octal(text) => u64::from_str_radix(bare, 8),
        None if is_digits(bare) => bare.parse(),
        _ => return Err(NumberFault::NotANumber),
    };
    read.map_err(|error| match error.kind() {
        std::num::IntErrorKind::PosOverflow => NumberFault::Large,
        _ => NumberFault::NotANumber,
    })
}

/// Reads a number as a count of 10^-places, from its digits; what is finer is rounded.
pub(crate) fn scaled(text: &str, places: u32, comma: bool) -> Result<i64, NumberFault> {
    let text = pointed(text, comma)?;
    let exponential = text.contains(['e', 'E']);
    let bare = text.strip_prefix(['+', '-']).unwrap_or(&text);
    let minus = text.starts_with('-');
    if exponential {
        let value = number(&text, false)? * 10f64.powi(places.cast_signed());
        if value.abs() > 9e18 {
            return Err(NumberFault::Large);
        }
        return Ok(value.round() as i64);
    }
    let (whole, part) = bare.split_once('.').unwrap_or((bare, ""));
    let part = part.bytes().chain(std::iter::repeat(b'0'));
    let kept = usize::try_from(places).unwrap_or(0);
    let mut digits = whole.bytes().chain(part);
    let mut amount: i64 = 0;
    for digit in digits.by_ref().take(whole.len() + kept) {
        let digit = i64::from(digit.wrapping_sub(b'0'));
        amount = amount
            .checked_mul(10)
            .and_then(|n| n.checked_add(digit))
            .ok_or(NumberFault::Large)?;
    }
    if digits.next().is_some_and(|digit| digit >= b'5') {
        amount = amount.checked_add(1).ok_or(NumberFault::Large)?;
    }
    Ok(if minus { -amount } else { amount })
}

/// A number, as short as it can be so that it reads as the same one.
pub(crate) fn shortest(value: f64) -> String {
    let plain = value.to_string();
    if plain.len() <= 24 {
        return plain;
    }
    format!("{value:e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_are_numbers() {
        for text in ["1", "-0.5", "+3.", ".25", "1e-3", "0", "-0"] {
            assert!(number(text, false).is_ok(), "{text}");
        }
        for text in [
            "nan", "NaN", "inf", "-inf", "0x10", "1_000", "1e", "e5", ".", "-", "1.2.3", "١",
        ] {
            assert_eq!(number(text, true), Err(NumberFault::NotANumber), "{text}");
        }
        assert_eq!(number("", false), Err(NumberFault::Empty));
        assert_eq!(number("1e999", false), Err(NumberFault::Large));
        assert_eq!(number(&"9".repeat(500), false), Err(NumberFault::Large));
        assert_eq!(number("0,5", false), Err(NumberFault::Comma));
        assert_eq!(number("0,5", true), Ok(0.5));
        assert_eq!(number("1,000.5", true), Err(NumberFault::NotANumber));
        assert_eq!(whole("0x1F"), Ok(31));
        assert_eq!(whole("-1"), Err(NumberFault::NotANumber));
        assert_eq!([whole("010"), whole("+0017")], [Ok(8), Ok(15)]);
        assert_eq!([whole("0"), whole("100")], [Ok(0), Ok(100)]);
        assert_eq!(whole("089"), Err(NumberFault::NotANumber));
    }

    #[test]
    fn the_shortest_text_is_the_same_number() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..20_000 {
            let value = f64::from_bits(random.u64(..));
            if value.is_finite() {
                let text = shortest(value);
                assert_eq!(
                    number(&text, false).map(f64::to_bits),
                    Ok(value.to_bits()),
                    "{text}"
                );
            }
        }
    }
}
