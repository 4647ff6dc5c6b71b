//! Few lines for a curve: the stated error is kept everywhere, and there are nearly as few as there can be.

use choreography::prelude::*;
use choreography::{ERROR, Point};
use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};

const EASES: [Ease; 10] = [
    Ease::Linear,
    Ease::Sine,
    Ease::SineIn,
    Ease::SineOut,
    Ease::Cubic,
    Ease::CubicIn,
    Ease::CubicOut,
    Ease::Jerkless,
    Ease::BackIn,
    Ease::BackOut,
];

/// The furthest that the lines stray from the curve, at thousands of instants.
fn stray(curve: &impl Curve, lines: &[Point]) -> f64 {
    let mut worst = 0.0f64;
    for pair in lines.windows(2) {
        let length = (pair[1].at - pair[0].at).nanos();
        let steps = 200.min(length.max(1));
        for step in 0..=steps {
            let after = pair[0].at + Span::from_nanos(length * step / steps);
            if after == pair[1].at && pair[1].at == pair[0].at {
                continue;
            }
            let share = (after - pair[0].at) / (pair[1].at - pair[0].at);
            let line = mix(pair[0].value, pair[1].value, share);
            worst = worst.max((curve.value(after) - line).abs());
        }
    }
    worst
}

/// The fewest lines with ends on the curve, found by trying each end of a fine grid.
fn fewest(curve: &impl Curve, end: Span, error: f64) -> usize {
    const GRID: u64 = 400;
    let at = |step: u64| Span::from_nanos(end.nanos() * step / GRID);
    let values: Vec<f64> = (0..=GRID).map(|i| curve.value(at(i))).collect();
    let fits = |from: usize, to: usize| {
        (from..=to).all(|i| {
            let share = (i - from) as f64 / (to - from) as f64;
            (mix(values[from], values[to], share) - values[i]).abs() <= error
        })
    };
    let (mut from, mut lines) = (0, 0);
    while from < GRID as usize {
        // Not the first that does not fit: a line may fit again behind an inflection.
        let to = (from + 1..=GRID as usize)
            .rev()
            .find(|&to| to == from + 1 || fits(from, to));
        from = to.expect("the next one");
        lines += 1;
    }
    lines
}

fn values() -> impl Strategy<Value = f64> {
    prop_oneof![-3.0..3.0f64, Just(0.0), Just(1.0)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_eased_movement_keeps_its_error(
        from in values(), to in values(), ms in 1u64..5000, which in 0usize..10, error in 0.0005f64..0.1,
    ) {
        let curve = Eased::between(from, to, ms.ms(), EASES[which]);
        let lines: Vec<_> = flatten(curve, error).collect();
        prop_assert_eq!(lines[0], Point { at: Span::ZERO, value: lines[0].value });
        prop_assert!((lines[0].value - from).abs() < 1e-9);
        prop_assert_eq!(*lines.last().unwrap(), Point { at: ms.ms(), value: to });
        // Instants are whole nanoseconds: that is all that may be lost.
        prop_assert!(stray(&curve, &lines) <= error + 1e-4 / ms as f64);
    }

    #[test]
    fn a_way_through_keys_keeps_its_error_and_meets_them(
        keys in proptest::collection::vec((1u64..1500, values()), 1..12),
        start in values(), which in 0usize..4, error in 0.0005f64..0.1,
    ) {
        let mut at = Span::ZERO;
        let keys: Vec<_> = keys.into_iter().map(|(ms, value)| { at = at + ms.ms(); (at, value) }).collect();
        let through = [Through::Straight, Through::Stops, Through::Flows, Through::Swings][which];
        let curve = Keys::new(&keys, through).beginning(start);
        let lines: Vec<_> = flatten(curve, error).collect();
        // Flat out, keys of 3 rad in 1 ms lose 6 µrad for a nanosecond.
        prop_assert!(stray(&curve, &lines) <= error + 1e-4);
        for key in &keys {
            let met = lines.iter().any(|line| (line.at, line.value) == *key);
            prop_assert!(met);
        }
        if through != Through::Swings {
            let known: Vec<_> = [start].into_iter().chain(keys.iter().map(|key| key.1)).collect();
            let (low, high) = known.iter().fold((f64::MAX, f64::MIN), |sum, v| (sum.0.min(*v), sum.1.max(*v)));
            for line in &lines {
                prop_assert!(line.value >= low - 1e-9 && line.value <= high + 1e-9);
            }
        }
    }

    #[test]
    fn any_cubic_keeps_its_error(
        a in values(), b in values(), slopes in [-20.0..20.0f64, -20.0..20.0], ms in 10u64..3000,
        error in 0.0005f64..0.1,
    ) {
        let curve = Piece::hermite(Span::ZERO, ms.ms(), a, b, slopes);
        let lines: Vec<_> = flatten(curve, error).collect();
        prop_assert!(stray(&curve, &lines) <= error + 1e-6);
        let same = [a, a + slopes[0] * ms as f64 / 3e3, b - slopes[1] * ms as f64 / 3e3, b];
        let same = Piece::bezier(Span::ZERO, ms.ms(), same);
        prop_assert!((same.value(ms.ms() / 3.0) - curve.value(ms.ms() / 3.0)).abs() < 1e-9);
    }

    #[test]
    fn whatever_is_said_it_ends(
        a in any::<f64>(), b in any::<f64>(), ms in any::<u32>(), which in 0usize..10, error in any::<f64>(),
    ) {
        let curve = Eased::between(a, b, u64::from(ms).ms(), EASES[which]);
        // A way of 1e300 within 1e-6 has more lines than anybody would count.
        let lines = flatten(curve, error).take(100_000).count();
        prop_assert!(lines >= 2);
    }
}

#[test]
fn there_are_nearly_as_few_lines_as_there_can_be() {
    for ease in EASES {
        for error in [0.02, ERROR, 0.001] {
            let curve = Eased::between(0.0, 1.0, 1.s(), ease);
            let (few, fewest) = (
                flatten(curve, error).count() - 1,
                fewest(&curve, 1.s(), error),
            );
            assert!(
                few <= fewest + 3 + fewest / 8,
                "{ease:?} within {error}: {few} lines, {fewest} would do"
            );
        }
    }
}

#[test]
fn a_straight_line_is_one_line() {
    assert_eq!(
        flatten(Eased::between(0.0, 5.0, 9.s(), Ease::Linear), 1e-6).count(),
        2
    );
    let keys = [(0.ms(), 1.0), (500.ms(), 2.0), (700.ms(), 0.0)];
    assert_eq!(
        flatten(Keys::new(&keys, Through::Straight), 1e-6).count(),
        3
    );
}

#[test]
fn a_curve_of_nothing_has_no_lines() {
    assert_eq!(flatten(Keys::new(&[], Through::Flows), 0.01).count(), 0);
    let one = [(0.ms(), 1.0)];
    assert_eq!(flatten(Keys::new(&one, Through::Flows), 0.01).count(), 0);
    assert_eq!(Keys::new(&one, Through::Flows).value(1.s()), 0.0);
}
