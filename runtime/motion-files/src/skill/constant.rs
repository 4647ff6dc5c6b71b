//! What stands for a number in a skill: sums, differences, products and quotients of numbers. Called by `skill` and
//! `play`. What is no constant has no value, and is never guessed.

/// Brackets within brackets.
const DEPTH_MAX: usize = 32;

/// The value of a constant; nothing if it needs a parameter or is no expression.
pub(super) fn constant(text: &str) -> Option<f64> {
    let mut reader = ConstantReader {
        rest: text,
        depth: 0,
    };
    let value = reader.sum()?;
    (reader.rest.trim_start().is_empty() && value.is_finite()).then_some(value)
}

struct ConstantReader<'t> {
    rest: &'t str,
    depth: usize,
}

impl ConstantReader<'_> {
    /// Takes this character if it is the next one.
    fn take(&mut self, character: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(character);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        loop {
            if self.take('*') {
                value *= self.factor()?;
            } else if self.take('/') {
                value /= self.factor()?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        let mut sign = 1.0;
        while let Some(minus) = [('-', true), ('+', false)]
            .into_iter()
            .find(|pair| self.take(pair.0))
        {
            sign *= if minus.1 { -1.0 } else { 1.0 };
        }
        if self.take('(') {
            self.depth += 1;
            let value = (self.depth <= DEPTH_MAX).then(|| self.sum()).flatten()?;
            self.depth -= 1;
            return self.take(')').then_some(sign * value);
        }
        let text = self.rest.trim_start();
        let mut end = 0;
        for (at, letter) in text.char_indices() {
            let after_power = at > 0 && text[..at].ends_with(['e', 'E']);
            let fits =
                letter.is_ascii_digit() || letter == '.' || matches!(letter, 'e' | 'E') && at > 0;
            if !(fits || after_power && matches!(letter, '+' | '-')) {
                break;
            }
            end = at + 1;
        }
        let (number, rest) = text.split_at(end);
        self.rest = rest;
        Some(sign * number.parse::<f64>().ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::constant;

    #[test]
    fn constants_have_values() {
        let cases = [
            ("2", 2.0),
            ("(6/4)", 1.5),
            ("2*3+1", 7.0),
            ("( 2 + 3 * 4 - -1 )", 15.0),
            ("-(4/8)", -0.5),
            ("+5", 5.0),
            ("1e1 - 2.5E-1", 9.75),
            ("8/2/2", 2.0),
            ("1-2-3", -4.0),
        ];
        for (text, value) in cases {
            assert_eq!(constant(text), Some(value), "{text}");
        }
        let long = format!("{}1{}", "(".repeat(100), ")".repeat(100));
        for text in [
            "",
            "(",
            "5/0",
            "$a",
            "2 3",
            "2*",
            "( 12 + $lift )",
            "1)",
            "x",
            "é",
            &long,
        ] {
            assert_eq!(constant(text), None, "{text}");
        }
    }
}
