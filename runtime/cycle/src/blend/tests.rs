//! The blend's test vectors, and the hull that it never leaves.

extern crate std;
use super::*;
use proptest::prelude::*;
use std::vec::Vec;

/// Mixes (priority, value, weight) requests, as the stage would in their order.
fn mix(requests: &[(f64, f64, f64)]) -> Option<(f64, f64)> {
    let mut sorted = requests.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut mix, mut level) = (Mix::EMPTY, f64::INFINITY);
    for (priority, value, weight) in sorted {
        if priority != level {
            mix.close();
            level = priority;
        }
        mix.add(value, 0.0, weight);
    }
    mix.close();
    mix.finish()
        .map(|blended| (blended.value, blended.coverage))
}

fn assert_near(found: Option<(f64, f64)>, value: f64, cover: f64) {
    let (found_value, found_cover) = found.expect("something is covered");
    assert!(
        (found_value - value).abs() < 1e-12,
        "{found_value} is not {value}"
    );
    assert!(
        (found_cover - cover).abs() < 1e-12,
        "{found_cover} is not {cover}"
    );
}

#[test]
fn nobody_claims_it() {
    assert_eq!(mix(&[]), None);
}

#[test]
fn one_lane_drives_fully_however_light_it_is() {
    assert_near(mix(&[(10.0, 1.0, 1.0)]), 1.0, 1.0);
    assert_near(mix(&[(10.0, 1.0, 0.1)]), 1.0, 0.1);
}

#[test]
fn equal_priorities_vote_by_weight() {
    assert_near(mix(&[(10.0, 1.0, 1.0), (10.0, 0.0, 1.0)]), 0.5, 1.0);
    assert_near(mix(&[(10.0, 1.0, 3.0), (10.0, 0.0, 1.0)]), 0.75, 1.0);
}

#[test]
fn a_lower_level_gets_what_is_left() {
    assert_near(mix(&[(50.0, 1.0, 0.5), (10.0, 0.0, 1.0)]), 0.5, 1.0);
    assert_near(mix(&[(50.0, 1.0, 0.5), (10.0, 0.0, 0.5)]), 2.0 / 3.0, 0.75);
    assert_near(
        mix(&[(10.0, 1.0, 0.5), (10.0, 0.0, 0.5), (5.0, -1.0, 1.0)]),
        0.125,
        1.0,
    );
    assert_near(
        mix(&[(50.0, 1.0, 0.5), (10.0, 0.0, 0.5), (5.0, -1.0, 1.0)]),
        0.25,
        1.0,
    );
}

#[test]
fn a_full_weight_hides_everything_below() {
    assert_eq!(mix(&[(50.0, 0.3, 1.0), (10.0, 9.0, 5.0)]), Some((0.3, 1.0)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_result_never_leaves_the_hull(
        requests in prop::collection::vec(
            (0u8..5, -1e6f64..1e6, prop_oneof![Just(0.0), 0.0f64..1.5, Just(1.0), 1e-12f64..1e-6]),
            1..12,
        ),
    ) {
        let requests: Vec<_> = requests.iter().map(|request| (f64::from(request.0), request.1, request.2)).collect();
        let heard: Vec<_> = requests.iter().filter(|request| request.2 > 0.0).collect();
        match mix(&requests) {
            None => prop_assert!(heard.is_empty()),
            Some((value, cover)) => {
                let low = heard.iter().map(|pair| pair.1).fold(f64::INFINITY, f64::min);
                let high = heard.iter().map(|pair| pair.1).fold(f64::NEG_INFINITY, f64::max);
                prop_assert!(low <= value && value <= high);
                prop_assert!(cover > 0.0 && cover <= 1.0);
            }
        }
    }

    #[test]
    fn the_order_within_a_level_does_not_matter(
        a in (-10.0f64..10.0, 0.01f64..2.0),
        b in (-10.0f64..10.0, 0.01f64..2.0),
    ) {
        let one = mix(&[(10.0, a.0, a.1), (10.0, b.0, b.1)]).unwrap();
        let other = mix(&[(10.0, b.0, b.1), (10.0, a.0, a.1)]).unwrap();
        prop_assert!((one.0 - other.0).abs() < 1e-12);
    }
}
