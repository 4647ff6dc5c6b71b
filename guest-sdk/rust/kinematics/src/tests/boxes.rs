//! The steps in limits against the conditions of the lowest point of a convex form in a box.

use proptest::prelude::*;

use super::Dice;
use crate::bounded::BoxedForm;

const MOST: usize = 9;

proptest! {
    #[test]
    fn a_step_is_the_lowest_point_of_its_box(seed: u64) {
        let mut dice = Dice(seed);
        let count = 1 + dice.below(MOST);
        let rows = 1 + dice.below(12);
        let mut form = [[0.0; MOST]; MOST];
        let mut gradient = [0.0; MOST];
        for _ in 0..rows {
            let row: [f64; MOST] = [0; MOST].map(|_| dice.between(-1.0, 1.0));
            let error = dice.between(-1.0, 1.0);
            for column in 0..count {
                gradient[column] += error * row[column];
                for other in 0..=column {
                    form[column][other] += row[column] * row[other];
                }
            }
        }
        let low = [0; MOST].map(|_| if dice.below(4) == 0 { 0.0 } else { dice.between(-1.0, 0.0) });
        let high = [0; MOST].map(|_| if dice.below(4) == 0 { 0.0 } else { dice.between(0.0, 1.0) });
        let (mut low, mut high) = (low, high);
        low[count..].fill(0.0);
        high[count..].fill(0.0);
        let damping = 1e-3;
        let boxed = BoxedForm { form: &form, damping, gradient: &gradient, low: &low, high: &high };
        let step = boxed.solve().expect("a form that is positive definite");
        for column in 0..count {
            prop_assert!((low[column]..=high[column]).contains(&step[column]));
            let mut pull = gradient[column] - damping * step[column];
            for other in 0..count {
                pull -= form[column.max(other)][column.min(other)] * step[other];
            }
            // It pulls nowhere but into a limit.
            let is_low = step[column] <= low[column];
            let is_high = step[column] >= high[column];
            prop_assert!(pull < 1e-9 || is_high, "{column}: {pull:e}");
            prop_assert!(pull > -1e-9 || is_low, "{column}: {pull:e}");
        }
    }
}

#[test]
fn a_form_without_a_lowest_point_has_no_step() {
    let (low, high) = ([-1.0; 2], [1.0; 2]);
    for (form, damping) in [
        ([[1.0, 0.0], [2.0, 1.0]], 0.0),
        ([[0.0, 0.0], [0.0, 0.0]], 0.0),
        ([[f64::NAN, 0.0], [0.0, 1.0]], 1.0),
        ([[1.0, 0.0], [0.0, f64::INFINITY]], 1.0),
    ] {
        let gradient = [1.0; 2];
        let boxed = BoxedForm {
            form: &form,
            damping,
            gradient: &gradient,
            low: &low,
            high: &high,
        };
        assert!(boxed.solve().is_none(), "{form:?}");
    }
}
