//! Keys and edits, compared with plain computations: maps of keys, and lines between them.

use std::collections::BTreeMap;
use std::vec::Vec;

use crate::answer::Answer;
use crate::curve::Curve;
use crate::ease::{Ease, Eased};
use crate::keys::{Keys, Through};
use crate::output::Output;
use crate::sequence::MotionSequence;
use crate::time::{Span, Time};

/// Keys of one output: milliseconds, value, weight.
type Map = BTreeMap<u64, (f64, f64)>;

const ROOM: usize = 12;

/// What the lines through these keys and (0, 0) at time zero have at this time.
fn plain(keys: &Map, ms: f64) -> (f64, f64) {
    let (mut t0, mut v0, mut w0) = (0.0, 0.0, 0.0);
    for (t1, (v1, w1)) in keys {
        let t1 = *t1 as f64;
        if ms < t1 {
            let k = (t1 - ms) / (t1 - t0);
            return (v0 * k + v1 * (1.0 - k), w0 * k + w1 * (1.0 - k));
        }
        (t0, v0, w0) = (t1, *v1, *w1);
    }
    (v0, w0)
}

fn map_of<const N: usize, const K: usize>(of: &MotionSequence<N, K>, place: usize) -> Map {
    let keys = of.keys(place).iter();
    keys.map(|key| {
        (
            key.at.nanos() / 1_000_000,
            (key.output.value, key.output.weight),
        )
    })
    .collect()
}

fn output(random: &mut fastrand::Rng) -> Output {
    Output {
        value: 4.0 * random.f64() - 2.0,
        weight: random.f64(),
    }
}

/// A sequence of this many keys at most, at whole milliseconds.
fn any<const K: usize>(random: &mut fastrand::Rng, count: usize) -> MotionSequence<3, K> {
    let mut sequence = MotionSequence::new();
    for _ in 0..count {
        sequence.set_edit_time(random.u64(1..2_000).ms());
        let (place, output) = (random.usize(0..3), output(random));
        let _ = sequence.set(place, output);
    }
    sequence
}

#[test]
fn keys_are_lines_in_any_order_and_a_full_list_refuses() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut refused = 0;
    for _ in 0..200 {
        let mut sequence = MotionSequence::<2, ROOM>::new();
        let mut maps = [Map::new(), Map::new()];
        for _ in 0..40 {
            let (place, ms) = (random.usize(0..2), random.u64(1..60));
            let output = output(&mut random);
            sequence.set_edit_time(ms.ms());
            let has_room = maps[place].len() < ROOM || maps[place].contains_key(&ms);
            let answer = sequence.set(place, output);
            assert_eq!(answer.is_done(), has_room);
            if has_room {
                maps[place].insert(ms, (output.value, output.weight));
            } else {
                assert_eq!(answer, Answer::Full);
                refused += 1;
            }
            if random.u8(0..8) == 0 {
                let was = maps[place].remove(&ms).is_some();
                assert_eq!(sequence.remove(place), was);
            }
        }
        for (place, map) in maps.iter().enumerate() {
            assert_eq!(map_of(&sequence, place), *map);
            for _ in 0..50 {
                let us = random.u64(0..70_000);
                let (value, weight) = plain(map, us as f64 / 1e3);
                let found = sequence.output(place, us.us());
                assert!((found.value - value).abs() < 1e-9, "{map:?} at {us} us");
                assert!((found.weight - weight).abs() < 1e-9, "{map:?} at {us} us");
            }
        }
        let ends = maps.iter().filter_map(|map| map.keys().next_back());
        assert_eq!(sequence.end(), ends.max().copied().unwrap_or(0).ms());
    }
    assert!(refused > 100, "only {refused} keys found no room");
}

#[test]
fn the_first_key_is_not_the_start_whose_weight_alone_counts() {
    let mut sequence = MotionSequence::<1, 1>::new();
    assert_eq!(sequence.set(0, Output::of(0.5)), Answer::Done);
    assert_eq!(map_of(&sequence, 0), Map::from([(1, (0.5, 1.0))]));
    sequence.set_edit_time(Span::ZERO);
    assert_eq!(sequence.set(0, Output::of(0.0)), Answer::Done); // needs no room
    assert_eq!(
        (sequence.keys(0).len(), sequence.pose()[0].weight),
        (1, 1.0)
    );
    assert_eq!(sequence.output(0, 500.us()), Output::of(0.25));
}

#[test]
fn a_pose_leaves_out_what_has_no_weight_unless_it_is_explicit() {
    let unused = Output {
        value: 0.7,
        weight: 0.0,
    };
    let pose = [Output::of(0.1), unused, Output::of(-0.2)];
    let mut sequence = MotionSequence::<3, 2>::new();
    sequence.set_edit_time(300.ms());
    assert_eq!(sequence.set_pose(&pose), Answer::Done);
    let counts = |of: &MotionSequence<3, 2>| [0, 1, 2].map(|i| of.keys(i).len());
    assert_eq!(counts(&sequence), [1, 0, 1]);
    sequence.advance_edit_time(200.ms());
    assert_eq!(sequence.edit_time(), 500.ms());
    assert_eq!(sequence.set_explicit_pose(&pose), Answer::Done);
    assert_eq!((counts(&sequence), sequence.pose()), ([2, 1, 2], pose));
    // The second output alone has room.
    sequence.advance_edit_time(200.ms());
    assert_eq!(sequence.set_explicit_pose(&pose), Answer::Full);
    assert_eq!(counts(&sequence), [2, 1, 2]);
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        let bad = Output {
            value: 0.0,
            weight: bad,
        };
        assert_eq!(
            sequence.set_explicit_pose(&[unused, bad, unused]),
            Answer::Full
        );
        assert_eq!(sequence.set(1, bad), Answer::NotFinite);
    }
    let bad = [unused, Output::of(f64::NAN), unused];
    assert_eq!(sequence.set_pose(&bad), Answer::NotFinite);
    assert_eq!(sequence.set(3, unused), Answer::Unknown);
    sequence.set_edit_time(3_000_000.s());
    assert_eq!(sequence.set(1, unused), Answer::OutOfReach);
    assert_eq!(counts(&sequence), [2, 1, 2]);
}

#[test]
fn a_sequence_that_is_laid_over_replaces_coinciding_keys_or_nothing() {
    let mut random = fastrand::Rng::with_seed(2);
    let (mut laid, mut full, mut replaced) = (0, 0, 0);
    for _ in 0..500 {
        let mut below = any::<ROOM>(&mut random, 18);
        let mut above = any::<20>(&mut random, 10);
        let base = random.u64(0..500);
        // Half of its keys coincide.
        for key in below.keys(0).iter().step_by(2) {
            above.set_edit_time(key.at - base.ms());
            let _ = above.set(0, output(&mut random));
        }
        let start = above.starts[0];
        let mut maps = [0, 1, 2].map(|i| map_of(&below, i));
        for (place, map) in maps.iter_mut().enumerate() {
            for (ms, key) in map_of(&above, place) {
                replaced += usize::from(map.insert(ms + base, key).is_some());
            }
        }
        if start.weight > 0.0 && base > 0 {
            maps[0].insert(base, (start.value, start.weight));
        }
        let before = [0, 1, 2].map(|i| map_of(&below, i));
        below.set_edit_time(base.ms());
        let answer = below.overlay(&above);
        let after = [0, 1, 2].map(|i| map_of(&below, i));
        if maps.iter().all(|map| map.len() <= ROOM) {
            assert_eq!((answer, &after), (Answer::Done, &maps));
            assert_eq!(below.edit_time(), base.ms() + above.end());
            laid += 1;
        } else {
            assert_eq!((answer, &after), (Answer::Full, &before));
            assert_eq!(below.edit_time(), base.ms());
            full += 1;
        }
    }
    assert!(
        laid > 50 && full > 50 && replaced > 200,
        "{laid} {full} {replaced}"
    );
}

#[test]
fn compressing_drops_what_lies_on_lines_and_moves_nothing_further_than_the_error() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..200 {
        let error = 0.05 * random.f64();
        // Corners, and between them keys that are off by at most the error, nearly.
        let mut noisy = MotionSequence::<1, 60>::new();
        let corners: Map = (0..6)
            .map(|i| {
                (
                    1 + 200 * i,
                    (4.0 * random.f64() - 2.0, 0.2 + 0.8 * random.f64()),
                )
            })
            .collect();
        for ms in (1..=1001).step_by(20) {
            let (value, weight) = plain(&corners, ms as f64);
            let off = if ms % 200 == 1 { 0.0 } else { 0.45 * error };
            let off = off * (2.0 * random.f64() - 1.0);
            noisy.set_edit_time(ms.ms());
            assert!(
                noisy
                    .set(
                        0,
                        Output {
                            value: value + off,
                            weight
                        }
                    )
                    .is_done()
            );
        }
        let mut few = noisy;
        let dropped = few.compress(error);
        assert_eq!(few.keys(0).len() + dropped, noisy.keys(0).len());
        assert!(few.keys(0).len() <= 6 + 6, "{} keys", few.keys(0).len());
        for us in (1_000..1_001_000).step_by(777) {
            let (one, two) = (noisy.output(0, us.us()), few.output(0, us.us()));
            assert!((one.value - two.value).abs() <= error + 1e-9);
            assert!((one.weight - two.weight).abs() <= error + 1e-9);
        }
        // Without noise nothing but the corners is left.
        let mut exact = MotionSequence::<1, 60>::new();
        for ms in (1..=1001).step_by(20) {
            let (value, weight) = plain(&corners, ms as f64);
            exact.set_edit_time(ms.ms());
            assert!(exact.set(0, Output { value, weight }).is_done());
        }
        exact.compress(1e-9);
        let left: Vec<u64> = map_of(&exact, 0).into_keys().collect();
        assert_eq!(left, [1, 201, 401, 601, 801, 1001]);
    }
}

#[test]
fn compressing_goes_on_behind_an_output_with_few_keys_and_keeps_what_fades() {
    let mut sequence = MotionSequence::<3, 8>::new();
    for ms in [100, 200, 300, 400] {
        sequence.set_edit_time(ms.ms());
        let faded = Output {
            value: 0.5,
            weight: 0.0,
        };
        let answer = sequence.set(1, Output::of(ms as f64 / 1e3));
        assert!(answer.then(|| sequence.set(2, faded)).is_done());
    }
    assert!(sequence.set(0, Output::of(1.0)).is_done()); // Tekkotsu stops here
    assert_eq!(sequence.compress(1e-9), 2);
    assert_eq!([0, 1, 2].map(|i| sequence.keys(i).len()), [1, 2, 4]);
}

#[test]
fn scaling_changes_times_alone() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..200 {
        let before = any::<ROOM>(&mut random, 20);
        let (mut after, factor) = (before, 0.1 + 3.0 * random.f64());
        assert_eq!(after.scale(factor), Answer::Done);
        for (one, two) in (0..3).flat_map(|i| before.keys(i).iter().zip(after.keys(i))) {
            assert_eq!(one.output, two.output);
            let at = one.at.seconds() * factor;
            assert!((two.at.seconds() - at).abs() < 1e-9);
        }
        for (factor, answer) in [
            (0.0, Answer::NotFinite),
            (f64::NAN, Answer::NotFinite),
            (1e-9, Answer::OutOfReach),
            (1e9, Answer::OutOfReach),
        ] {
            let mut same = before;
            assert_eq!(same.scale(factor), answer);
            assert_eq!(map_of(&same, 0), map_of(&before, 0));
        }
    }
}

/// Moves later keys back until no joint is too fast: the earliest that is, again and again.
fn slowed(
    mut lists: [Vec<(f64, f64)>; 3],
    from: &[f64; 3],
    rates: &[f64; 3],
) -> [Vec<(f64, f64)>; 3] {
    loop {
        let mut worst: Option<(f64, f64)> = None;
        for (place, list) in lists.iter().enumerate() {
            let mut before = (0.0, from[place]);
            for key in list {
                let lack = (key.1 - before.1).abs() / rates[place] - (key.0 - before.0);
                if lack > 1e-8 && worst.is_none_or(|worst| key.0 < worst.0) {
                    worst = Some((key.0, lack));
                }
                before = *key;
            }
        }
        let Some((at, lack)) = worst else {
            return lists;
        };
        for key in lists.iter_mut().flatten().filter(|pair| pair.0 >= at) {
            key.0 += lack;
        }
    }
}

#[test]
fn a_safe_sequence_keeps_the_limits_and_is_no_longer_than_it_must_be() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut longer = 0;
    for _ in 0..300 {
        let before = any::<ROOM>(&mut random, 25);
        let (mut after, margin) = (before, 0.5 + 0.5 * random.f64());
        let limits = [3.0, 8.0, 20.0].map(|value| value * (0.5 + random.f64()));
        let from = [0, 1, 2].map(|_| 4.0 * random.f64() - 2.0);
        assert_eq!(after.make_safe(&from, &limits, margin), Answer::Done);
        let lists = [0, 1, 2].map(|place| -> Vec<(f64, f64)> {
            let keys = before.keys(place).iter();
            keys.map(|key| (key.at.seconds(), key.output.value))
                .collect()
        });
        let expected = slowed(lists, &from, &limits.map(|limit| limit * margin));
        for (place, expected) in expected.iter().enumerate() {
            assert_eq!(after.keys(place).len(), expected.len());
            let (mut time, mut value) = (0.0, from[place]);
            for (key, (at, same)) in after.keys(place).iter().zip(expected) {
                assert!((key.at.seconds() - at).abs() < 1e-6);
                assert_eq!(key.output.value, *same);
                let speed = (same - value).abs() / (key.at.seconds() - time);
                assert!(speed <= limits[place] * margin * (1.0 + 1e-9), "{speed}");
                (time, value) = (key.at.seconds(), *same);
            }
        }
        longer += usize::from(after.end() > before.end());
        let mut again = after;
        assert_eq!(again.make_safe(&from, &limits, margin), Answer::Done);
        assert_eq!(again.end(), after.end());
    }
    assert!(longer > 200, "{longer} had to be stretched");
}

#[test]
fn limits_are_in_seconds_and_the_end_moves_with_its_keys() {
    let mut sequence = MotionSequence::<2, 2>::new();
    sequence.set_edit_time(100.ms());
    assert!(
        sequence
            .set_pose(&[Output::of(1.0), Output::of(0.1)])
            .is_done()
    );
    sequence.advance_edit_time(100.ms());
    assert!(sequence.set(1, Output::of(0.2)).is_done());
    // Tekkotsu divides by milliseconds: 1 rad in 100 ms would pass for slow.
    assert_eq!(
        sequence.make_safe(&[0.0; 2], &[2.0, f64::INFINITY], 0.5),
        Answer::Done
    );
    assert_eq!(sequence.keys(0)[0].at, 1.s());
    assert_eq!([0, 1].map(|i| sequence.keys(1)[i].at), [1.s(), 1.1.s()]);
    assert_eq!((sequence.end(), sequence.edit_time()), (1.1.s(), 1.1.s()));
    for (limits, answer) in [
        ([0.0, 1.0], Answer::NotFinite),
        ([f64::NAN, 1.0], Answer::NotFinite),
        ([1e-9, 1.0], Answer::OutOfReach),
    ] {
        assert_eq!(sequence.make_safe(&[0.0; 2], &limits, 1.0), answer);
        assert_eq!(sequence.end(), 1.1.s());
    }
    // A start that nobody knows is not counted.
    assert_eq!(
        sequence.make_safe(&[f64::NAN, 0.1], &[0.0, 1.0], 1.0),
        Answer::Done
    );
}

#[test]
fn a_curve_that_is_traced_is_within_its_error_whatever_was_there() {
    let mut random = fastrand::Rng::with_seed(9);
    let eases = [Ease::Sine, Ease::BackOut, Ease::CubicIn, Ease::Jerkless];
    for _ in 0..200 {
        let mut sequence = MotionSequence::<1, 64>::new();
        let points: Vec<_> = (0..5)
            .map(|i| ((i * 250).ms(), random.f64() * 2.0 - 1.0))
            .collect();
        // Keys where it will have some, with easings.
        for at in [1, 251, 501, 751, 1001] {
            sequence.set_edit_time(at.ms());
            assert!(sequence.set(0, Output::of(0.3)).is_done());
            assert!(sequence.set_ease(0, eases[random.usize(0..4)]));
        }
        sequence.set_edit_time(1.ms());
        let curve = Keys::new(&points, Through::Swings);
        assert!(sequence.trace(0, curve, 0.02).is_done());
        for ms in 0..=1000 {
            let off = sequence.output(0, (1 + ms).ms()).value - curve.value(ms.ms());
            assert!(off.abs() <= 0.02 + 1e-9, "{off} at {ms} ms");
        }
    }
}

#[test]
fn a_curve_of_more_lines_than_can_be_counted_is_refused_at_once() {
    let mut sequence = MotionSequence::<1, 8>::new();
    for far in [1e9, 1e12, 1e15] {
        let swing = Eased::between(0.0, far, 1.s(), Ease::Sine);
        assert_eq!(sequence.trace(0, swing, 0.004), Answer::Full);
    }
    assert_eq!(sequence.keys(0).len(), 0);
}

#[test]
fn a_start_that_is_no_number_is_not_counted() {
    let mut sequence = MotionSequence::<2, 4>::new();
    for (at, place, value) in [(100, 0, 0.5), (200, 0, 0.6), (300, 1, 1.0)] {
        sequence.set_edit_time(at.ms());
        assert!(sequence.set(place, Output::of(value)).is_done());
    }
    let before = sequence;
    for none in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut after = before;
        let made = after.make_safe(&[none, none], &[f64::INFINITY; 2], 1.0);
        assert_eq!((made, after.end()), (Answer::Done, before.end()));
        let made = after.make_safe(&[none, 0.0], &[f64::INFINITY, 1e-12], 1.0);
        assert_eq!((made, after.end()), (Answer::OutOfReach, before.end()));
    }
}
