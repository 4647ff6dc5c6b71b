//! Figures as people read them. Used by the judges' sentences.

pub(super) use description::{amount, both, end_of};
use scripting::decimals;

/// A time.
pub(super) fn seconds(value: f64) -> String {
    format!("{} s", decimals(value, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_say_no_more_than_they_must() {
        assert_eq!(amount(0.5, "rad"), "0.5 rad (28.65°)");
        assert_eq!(amount(-0.00001, "m"), "0 m");
        let [asked, edge] = both(-0.092_346_017, -0.092_346, "rad");
        assert!(asked.starts_with("-0.09234602 rad"), "{asked}");
        assert!(edge.starts_with("-0.092346 rad"), "{edge}");
        assert_eq!(both(1.0, 0.5, "m"), ["1 m", "0.5 m"]);
        assert_eq!(amount(8.26797, "rad/s"), "8.268 rad/s");
        assert_eq!(seconds(3.2), "3.2 s");
        assert_eq!(seconds(0.0), "0 s");
        assert_eq!(seconds(120.0), "120 s");
    }
}
