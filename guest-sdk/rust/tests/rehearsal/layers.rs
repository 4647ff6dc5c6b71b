//! What motion sequences have beyond Tekkotsu's: easings, splines, cue points, to and fro, and layers.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::prelude::*;
use choreography::sequence::{
    CueSheet, Milestone, MotionLayers, MotionPlayer, MotionSequence, Rounds,
};
use fastrand::Rng;

static HeadYaw: Actuator = Actuator::named("HeadYaw");
static HeadPitch: Actuator = Actuator::named("HeadPitch");
static Start: Topic = Topic::named("start");
static Middle: Topic = Topic::named("middle");
static End: Topic = Topic::named("end");

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

/// A sequence of one output with random keys, 50 to 500 ms apart.
fn any(random: &mut Rng, count: usize) -> MotionSequence<1, 8> {
    let mut sequence = MotionSequence::new();
    sequence.set_edit_time(Span::ZERO);
    for _ in 0..count {
        sequence.advance_edit_time(random.u64(50..500).ms());
        let output = Output {
            value: random.f64() - 0.5,
            weight: 0.25 + 0.75 * random.f64(),
        };
        assert!(sequence.set(0, output).is_done());
    }
    sequence
}

#[test]
fn an_eased_key_is_reached_on_its_easing_with_an_even_weight() {
    let mut random = Rng::with_seed(1);
    for ease in EASES {
        let mut sequence = any(&mut random, 2);
        let [one, two] = sequence.keys(0) else {
            panic!("two keys");
        };
        let (one, two) = (*one, *two);
        assert!(sequence.set_ease(0, ease) && !sequence.set_ease(1, ease));
        for _ in 0..100 {
            let share = random.f64();
            let at = one.at + (two.at - one.at) * share;
            let found = sequence.output(0, at);
            let (from, to) = (one.output, two.output);
            let value = from.value + (to.value - from.value) * ease.at(share);
            let weight = from.weight + (to.weight - from.weight) * share;
            assert!((found.value - value).abs() < 1e-6 && (found.weight - weight).abs() < 1e-6);
        }
        // Another value at the same instant keeps the easing; a sequence laid over brings its own.
        assert!(sequence.set(0, Output::of(0.1)).is_done());
        assert_eq!(sequence.keys(0)[1].ease, ease);
        let mut copy = MotionSequence::<1, 8>::new();
        assert!(copy.overlay(&sequence).is_done());
        assert_eq!(copy.keys(0)[1].ease, ease);
    }
}

#[test]
fn the_peak_of_an_easing_is_the_highest_of_its_slopes() {
    for ease in EASES {
        let slopes = (0..2000).map(|i| {
            let (from, to) = (f64::from(i) / 2000.0, f64::from(i + 1) / 2000.0);
            ((ease.at(to) - ease.at(from)) * 2000.0).abs()
        });
        let highest = slopes.fold(0.0, f64::max);
        assert!((highest - ease.peak()).abs() < 0.02, "{ease:?} {highest}");
    }
}

#[test]
fn eased_keys_are_safe_as_well_and_are_not_taken_for_lines() {
    let mut random = Rng::with_seed(2);
    for _ in 0..100 {
        let mut sequence = any(&mut random, 5);
        let mut times: Vec<Span> = sequence.keys(0).iter().map(|key| key.at).collect();
        for at in &times {
            sequence.set_edit_time(*at);
            sequence.set_ease(0, EASES[random.usize(0..10)]);
        }
        let limit = 0.2 + random.f64();
        assert!(sequence.make_safe(&[0.0], &[limit], 1.0).is_done());
        times = sequence.keys(0).iter().map(|key| key.at).collect();
        let end = times[4].nanos() / 1_000_000;
        for ms in 0..end {
            let [from, to] = [ms, ms + 1].map(|value| sequence.output(0, value.ms()).value);
            assert!((to - from).abs() <= limit * 1e-3 * (1.0 + 1e-3));
        }
    }
    let mut even = MotionSequence::<1, 4>::new();
    for (ms, value) in [(100u64, 0.1), (200, 0.2), (300, 0.3)] {
        even.set_edit_time(ms.ms());
        assert!(even.set(0, Output::of(value)).is_done());
    }
    let mut eased = even;
    eased.set_edit_time(200.ms());
    assert!(eased.set_ease(0, Ease::Sine));
    assert_eq!((even.compress(0.01), eased.compress(0.01)), (1, 0));
}

#[test]
fn a_curve_is_laid_within_its_error_or_not_at_all() {
    let mut random = Rng::with_seed(3);
    for _ in 0..100 {
        let mut at = Span::ZERO;
        let points: [(Span, f64); 5] = core::array::from_fn(|_| {
            let point = (at, random.f64() - 0.5);
            at = at + random.u64(100..600).ms();
            point
        });
        let spline = Keys::new(&points, Through::Swings);
        let (mut sequence, base) = (MotionSequence::<1, 64>::new(), random.u64(1..1000).ms());
        sequence.set_edit_time(base);
        assert!(sequence.trace(0, spline, 0.01).is_done());
        assert_eq!(sequence.edit_time(), base + points[4].0);
        for _ in 0..100 {
            let after = points[4].0 * random.f64();
            let found = sequence.output(0, base + after).value;
            assert!((found - spline.value(after)).abs() < 0.0101);
        }
        let mut small = MotionSequence::<1, 3>::new();
        assert_eq!(small.trace(0, spline, 0.01), Answer::Full);
        assert_eq!(small.trace(1, spline, 0.01), Answer::Unknown);
        assert_eq!((small.keys(0).len(), small.edit_time()), (0, 1.ms()));
    }
}

/// A plain account of random steps: which times were passed, counted on the endless way of all rounds.
#[test]
fn cues_are_told_once_for_each_round_in_which_they_are_passed() {
    let mut random = Rng::with_seed(4);
    for _ in 0..50 {
        let mut stage = Rehearsal::alone(nao());
        let sequence = any(&mut random, 4);
        let end = sequence.end().nanos() / 1_000_000;
        let mut cues = CueSheet::<3>::new();
        let middle = random.u64(1..end);
        let times = [0, middle, end];
        for (ms, topic) in times.into_iter().zip([&Start, &Middle, &End]) {
            assert!(cues.add(ms.ms(), topic).is_done());
        }
        assert_eq!(cues.add(1.s(), &End), Answer::Full);
        let mut player = MotionPlayer::new(sequence, [&HeadYaw]);
        player.set_rounds(Rounds::Endless);
        let (mut way, mut told, mut plain) = (0, [0; 3], [1, 0, 0]);
        let mut begun = false;
        for _ in 0..200 {
            let speed = random.u64(0..4);
            player.set_speed(speed as f64);
            player.step(now());
            let before = way;
            if begun {
                way += 10 * speed; // milliseconds
            }
            begun = true;
            for (plain, at) in plain.iter_mut().zip(times) {
                // At k · end + at for each round k; a round begins behind the end of the one before.
                let passed = |n: u64| match at {
                    0 => n.saturating_sub(1) / end,
                    _ => (n + end - at) / end,
                };
                *plain += passed(way) - passed(before);
            }
            for cue in cues.passed(&player) {
                told[times
                    .iter()
                    .position(|time| time.ms() == cue.at)
                    .unwrap_or(0)] += 1;
            }
            assert_eq!(told, plain, "{way} of {end}, {times:?}");
            stage.turn();
        }
    }
}

#[test]
fn a_cue_is_gone_to_by_its_name_and_is_not_passed_by_that() {
    let mut stage = Rehearsal::alone(nao());
    let mut keys = MotionSequence::<1, 2>::new();
    keys.set_edit_time(1.s());
    assert!(keys.set(0, Output::of(0.5)).is_done());
    let mut cues = CueSheet::<2>::new();
    assert!(cues.add(400.ms(), &Middle).is_done());
    let mut player = MotionPlayer::new(keys, [&HeadYaw]);
    player.step(now());
    assert_eq!(cues.seek(&mut player, &Middle), Answer::Done);
    assert_eq!(cues.seek(&mut player, &End), Answer::Unknown);
    assert_eq!(player.position(), 400.ms());
    stage.turn();
    player.step(now());
    assert_eq!(cues.passed(&player).count(), 0);
    // Backwards it is passed again, and a pause passes nothing.
    player.set_speed(-1.0);
    let mut told = 0;
    for turn in 0..30 {
        stage.turn();
        if turn == 10 {
            player.pause();
        }
        player.step(now());
        told += cues.passed(&player).count();
    }
    assert_eq!(told, 1);
}

#[test]
fn to_and_fro_is_a_triangle_wave() {
    let mut random = Rng::with_seed(5);
    for _ in 0..20 {
        let mut stage = Rehearsal::alone(nao());
        let mut keys = MotionSequence::<1, 1>::new();
        let turns = random.u64(2..40);
        keys.set_edit_time((turns * 10).ms());
        assert!(keys.set(0, Output::of(0.3)).is_done());
        let mut player = MotionPlayer::new(keys, [&HeadYaw]);
        for turn in 0..300u64 {
            if player.step(now()) == Some(Milestone::End) {
                player.reverse();
            }
            stage.turn();
            let place = turn % (2 * turns);
            let expected = place.min(2 * turns - place) * 10;
            assert_eq!(player.position(), expected.ms());
        }
        let way = 0.3 / (turns as f64 * 0.01);
        assert!(stage.fastest(&HeadYaw) <= way * (1.0 + 1e-6));
    }
}

#[test]
fn layers_are_a_mean_by_their_weights_and_shares() {
    let mut random = Rng::with_seed(6);
    for _ in 0..50 {
        let mut stage = Rehearsal::alone(nao());
        let players = [0; 3].map(|_| {
            let sequence = any(&mut random, 6);
            MotionPlayer::new(sequence, [&HeadYaw])
        });
        let mut alone = players.clone();
        let mut layers = MotionLayers::new(players);
        // Shares by a plain account: where each fade began, where it goes, and how long.
        let mut fades = [
            (0.0, 1.0, 1.0, 0.0),
            (0.0, 0.0, 0.0, 0.0),
            (0.0, 0.0, 0.0, 0.0),
        ];
        let share = |(begun, from, to, over): (f64, f64, f64, f64), t: f64| {
            let done = if over > 0.0 { (t - begun) / over } else { 1.0 };
            from + (to - from) * done.min(1.0)
        };
        for turn in 0..150 {
            let t = f64::from(turn) * 0.01;
            if random.u8(0..15) == 0 {
                let (layer, to) = (random.usize(0..3), random.f64());
                let over = f64::from(random.u8(0..5)) / 10.0;
                // It counts from the next step on, which was a turn ago.
                let begun = f64::max(t - 0.01, 0.0);
                fades[layer] = (begun, share(fades[layer], begun), to, over);
                layers.fade(layer, to, over.s());
            }
            layers.step(now());
            for alone in &mut alone {
                alone.advance(now());
            }
            stage.turn();
            let (mut sum, mut weight) = (0.0, 0.0);
            for (player, fade) in alone.iter().zip(fades) {
                let part = player.output(0).weight * share(fade, t);
                sum += player.output(0).value * part;
                weight += part;
            }
            let found = layers.output(0);
            assert!((found.weight - f64::min(weight, 1.0)).abs() < 1e-6);
            assert!(weight < 1e-3 || (found.value - sum / weight).abs() < 1e-6);
        }
    }
    let mut stage = Rehearsal::alone(nao());
    let still = MotionPlayer::new(MotionSequence::<1, 1>::new(), [&HeadPitch]);
    let mut none = MotionLayers::new([still]);
    none.fade(0, f64::NAN, 1.s());
    none.fade(4, 0.5, 1.s());
    none.step(now());
    stage.turn();
    assert_eq!((stage.driven(&HeadPitch), none.share(0)), (None, 1.0));
}
