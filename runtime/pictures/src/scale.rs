//! Axes: from values to pixels, with ticks at round figures.
//! Called by `svg`. Ticks lie inside the axis, a step apart that is 1, 2 or 5 times a power
//! of ten, and are written with as many digits as tell them apart.

/// An axis of less than this is one of no extent.
const LEAST: f64 = 1e-15;

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The pixels of both ends.
    from: f64,
    to: f64,
}

impl Scale {
    /// An axis from `low` to `high`, at these pixels. What has no extent gets a little of it.
    pub(crate) fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Scale {
        let size = low.abs().max(high.abs());
        let (low, high) = if high - low > (size * 1e-9).max(LEAST) {
            (low, high)
        } else {
            let more = if size < LEAST * 1e3 { 1.0 } else { size * 0.05 };
            (low - more, high + more)
        };
        Scale {
            low,
            high,
            from,
            to,
        }
    }

    /// The pixel of a value.
    pub(crate) fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Ticks, about `count` of them, and how each is written.
    pub(crate) fn ticks(&self, count: f64) -> Vec<(f64, String)> {
        let step = step((self.high - self.low) / count.max(1.0));
        // An end that is a tick stays one, whatever the division leaves of it.
        let (low, high) = (self.low / step - 1e-9, self.high / step + 1e-9);
        let (first, last) = (low.ceil(), high.floor());
        let mut ticks = Vec::new();
        let mut number = first;
        while number <= last {
            // A product, so that no rounding adds up; the sum makes 0 of -0.
            let value = number * step + 0.0;
            ticks.push((
                value,
                written(value, step, self.low.abs().max(self.high.abs())),
            ));
            number += 1.0;
        }
        ticks
    }
}

/// The round step that is next above `least`.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let digit = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|value| value * power >= least * 0.999_999);
    let (digit, power) = digit.map_or((1.0, power * 10.0), |digit| (digit, power));
    // Powers below one are divisions, so that 0.2 is 0.2.
    if power < 1.0 {
        digit / (1.0 / power).round()
    } else {
        digit * power
    }
}

fn written(value: f64, step: f64, most: f64) -> String {
    let places = -(step * 1.000_001).log10().floor();
    let text = if (1e-4..=1e6).contains(&most) && places < 7.0 || most == 0.0 {
        format!("{value:.*}", digits(places))
    } else if value == 0.0 {
        "0".to_owned()
    } else {
        // One power for all ticks of an axis.
        let order = most.log10().floor();
        format!(
            "{:.*}e{order}",
            digits(places + order),
            value / 10f64.powf(order)
        )
    };
    // A minus is as wide as a plus.
    text.replace('-', "\u{2212}")
}

fn digits(places: f64) -> usize {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped"
    )]
    let digits = places.clamp(0.0, 15.0) as usize;
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(low: f64, high: f64, count: f64) -> Vec<String> {
        let scale = Scale::new((low, high), (0.0, 100.0));
        scale.ticks(count).into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 10.0, 5.0), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(ticks(-0.31, 0.31, 6.0), ["−0.2", "0.0", "0.2"]);
        assert_eq!(
            ticks(0.1, 0.35, 5.0),
            ["0.10", "0.15", "0.20", "0.25", "0.30", "0.35"]
        );
        assert_eq!(
            ticks(1234.5, 1234.8, 3.0),
            ["1234.5", "1234.6", "1234.7", "1234.8"]
        );
        assert_eq!(ticks(0.0, 3e6, 3.0), ["0", "1e6", "2e6", "3e6"]);
        assert_eq!(
            ticks(0.0, 4e-6, 4.0),
            ["0", "1e-6", "2e-6", "3e-6", "4e-6"].map(|text| text.replace('-', "−"))
        );
    }

    #[test]
    fn what_has_no_extent_gets_some() {
        assert_eq!(ticks(6.0, 6.0, 4.0), ["5.8", "6.0", "6.2"]);
        assert_eq!(ticks(0.0, 0.0, 2.0), ["−1", "0", "1"]);
        assert_eq!(ticks(0.0, 1e-310, 2.0), ["−1", "0", "1"]);
        assert!(ticks(1e-12, 1e-12, 4.0).len() > 1);
        assert!(ticks(1e15, 1e15, 4.0).len() > 1);
        assert!(ticks(1.0, 1.0 + 1e-15, 4.0).len() > 1);
    }
}
