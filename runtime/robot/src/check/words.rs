//! Figures as people read them. Used by the judges' sentences.

use crate::figure::short;
pub(super) use crate::figure::{amount, both, end_of};

/// A time.
pub(super) fn seconds(value: f64) -> String {
    format!("{} s", short(value, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_say_no_more_than_they_must() {
        assert_eq!(amount(0.5, "rad"), "0.5 rad (28.65°)");
        assert_eq!(amount(-0.00001, "m"), "0 m");
        let [asked, edge] = both(-0.092_346_017, -0.092_346, "rad");
        assert_eq!(asked, "-0.092346017 rad (-5.2910369°)");
        assert_eq!(edge, "-0.092346 rad (-5.29104°)");
        assert_eq!(both(1.0, 0.5, "m"), ["1 m", "0.5 m"]);
        assert_eq!(amount(8.26797, "rad/s"), "8.268 rad/s");
        assert_eq!(seconds(3.2), "3.2 s");
        assert_eq!(seconds(0.0), "0 s");
        assert_eq!(seconds(120.0), "120 s");
    }
}
