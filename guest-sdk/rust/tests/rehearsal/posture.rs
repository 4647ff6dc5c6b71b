//! Postures: their algebra is that of a plain computation; and moves keep their speeds, and begin where the body is.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::posture::{MoveStatus, Posture, PostureMove};
use choreography::prelude::*;
use choreography::rehearsal::Body;
use proptest::array::uniform5;
use proptest::prelude::{
    Just, ProptestConfig, Strategy, TestCaseError, prop_assert, prop_assert_eq, prop_oneof,
    proptest,
};

static Left: Actuator = Actuator::named("Left");
static Right: Actuator = Actuator::named("Right");
static Tail: Actuator = Actuator::named("Tail");
static HeadYaw: Actuator = Actuator::named("HeadYaw");
static HeadPitch: Actuator = Actuator::named("HeadPitch");
static Nothing: Actuator = Actuator::named("Nothing");
static Arms: [&Actuator; 3] = [&Left, &Right, &Tail];
/// Sensors that do not follow the actuators: a test sets what they measure.
static LeftEncoder: Sensor = Sensor::named("LeftEncoder");
static RightEncoder: Sensor = Sensor::named("RightEncoder");
static NoEncoder: Sensor = Sensor::named("NoEncoder");

const UNUSED: Output = Output {
    value: 0.5,
    weight: 0.0,
};

/// A body that can do all that is asked, so that nothing but the move limits its speed.
fn body() -> Body {
    ["Left", "Right", "Tail"]
        .iter()
        .fold(Body::new(10.ms()), |item, name| {
            item.joint(name, -9.0..=9.0, 1e4, 0.0)
        })
        .sensor("LeftEncoder", 0.0)
        .sensor("RightEncoder", 0.0)
}

// The algebra.

fn output() -> impl Strategy<Value = Output> {
    let weight = prop_oneof![Just(0.0), Just(1.0), 0.01..1.5f64];
    (-3.0..3.0f64, weight).prop_map(|(value, weight)| Output { value, weight })
}

fn posture() -> impl Strategy<Value = Posture<5>> {
    uniform5(output()).prop_map(Posture::from)
}

/// A value and a weight, if there is a weight.
type Plain = Option<(f64, f64)>;

fn plain(of: &Posture<5>, place: usize) -> Plain {
    let output = of.outputs()[place];
    (output.weight > 0.0).then_some((output.value, output.weight))
}

/// Compares each output with what a plain computation makes of the outputs of two postures.
fn compare(
    found: &Posture<5>,
    [one, two]: [&Posture<5>; 2],
    expected: impl Fn(Plain, Plain) -> Plain,
) -> Result<(), TestCaseError> {
    for place in 0..5 {
        let expected = expected(plain(one, place), plain(two, place));
        let is = plain(found, place);
        prop_assert_eq!(is.is_some(), found.is_used(place));
        match (is, expected) {
            (None, None) => {}
            (Some(is), Some(pair)) => {
                prop_assert!(
                    (is.0 - pair.0).abs() < 1e-9 && (is.1 - pair.1).abs() < 1e-9,
                    "{is:?}, not {pair:?}"
                );
            }
            other => return Err(TestCaseError::fail(format!("{place}: {other:?}"))),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_overlay_is_over_and_an_underlay_under(one in posture(), two in posture()) {
        let (mut over, mut under) = (one, one);
        over.overlay(&two);
        under.underlay(&two);
        compare(&over, [&one, &two], |one, two| two.or(one))?;
        compare(&under, [&one, &two], Option::or)?;
    }

    #[test]
    fn an_average_mixes_what_both_use_and_fades_what_one_uses(
        one in posture(), two in posture(), share in 0.001..0.999f64,
    ) {
        let mut found = one;
        found.average(&two, share);
        let rest = 1.0 - share;
        compare(&found, [&one, &two], |one, two| match (one, two) {
            (Some(one), Some(two)) => Some((rest * one.0 + share * two.0, rest * one.1 + share * two.1)),
            (Some(one), None) => Some((one.0, rest * one.1)),
            (None, Some(two)) => Some((two.0, share * two.1)),
            (None, None) => None,
        })?;
    }

    #[test]
    fn a_combination_adds_weights_and_takes_the_mean_by_them(
        one in posture(), two in posture(),
        shares in [prop_oneof![Just(0.0), 0.01..2.0f64], prop_oneof![Just(0.0), 0.01..2.0f64]],
    ) {
        let mut found = one;
        found.combine(&two, shares[0], shares[1]);
        compare(&found, [&one, &two], |one, two| {
            let weighed = |item: Plain, share| item.map(|pair| (pair.0, pair.1 * share)).filter(|pair| pair.1 > 0.0);
            match (weighed(one, shares[0]), weighed(two, shares[1])) {
                (Some((a, u)), Some((b, v))) => Some((a + (b - a) * v / (u + v), u + v)),
                (one, two) => one.or(two),
            }
        })?;
    }

    #[test]
    fn differences_are_of_what_both_use(one in posture(), two in posture()) {
        let (mut sum, mut count, mut largest) = (0.0, 0u32, 0.0);
        for (a, b) in one.outputs().iter().zip(two.outputs()) {
            if a.weight * b.weight != 0.0 {
                let way = if a.value > b.value { a.value - b.value } else { b.value - a.value };
                (sum, count) = (sum + way.powi(2), count + 1);
                if way > largest {
                    largest = way;
                }
            }
        }
        let mean = if count == 0 { 0.0 } else { sum / f64::from(count) };
        for (one, two) in [(&one, &two), (&two, &one)] {
            prop_assert!((one.diff(two) - sum).abs() < 1e-9);
            prop_assert!((one.average_diff(two) - mean).abs() < 1e-9);
            prop_assert!((one.largest_diff(two) - largest).abs() < 1e-9);
        }
    }
}

/// The original divides 0 by 0 there.
#[test]
fn a_combination_of_what_neither_uses_is_unused_and_a_number() {
    let mut found = Posture::from([UNUSED, UNUSED]);
    found.set(1, 2.0);
    found.combine(&Posture::from([UNUSED, UNUSED]), 1.0, 1.0);
    assert_eq!(found.outputs()[0], UNUSED);
    assert_eq!(found.outputs()[1], Output::of(2.0));
    let same = found;
    found.combine(&same, 0.0, 0.0);
    assert!(
        found
            .outputs()
            .iter()
            .all(|output| output.value.is_finite())
    );
    assert_eq!([found.is_used(0), found.is_used(1)], [false, false]);
}

/// The original compares signed differences, so it does not see a value that is too low.
#[test]
fn the_largest_difference_has_no_sign() {
    let (low, high) = (Posture::of([0.0, 0.0]), Posture::of([0.25, 2.0]));
    assert_eq!(
        (low.largest_diff(&high), high.largest_diff(&low)),
        (2.0, 2.0)
    );
}

#[test]
fn a_share_of_nearly_nothing_is_none_and_one_of_nearly_all_is_all() {
    let (one, two) = (
        Posture::from([Output::of(1.0), UNUSED]),
        Posture::from([UNUSED, Output::of(3.0)]),
    );
    for (share, expected) in [
        (0.0, one),
        (0.000_9, one),
        (f64::NAN, one),
        (0.999_1, two),
        (1.0, two),
    ] {
        let mut found = one;
        found.average(&two, share);
        assert_eq!(found, expected, "{share}");
    }
}

#[test]
fn weights_are_set_for_all_for_one_and_for_some() {
    let mut found = Posture::of([1.0, 2.0, 3.0, 4.0]);
    let weights = |posture: &Posture<4>| posture.outputs().map(|output| output.weight);
    found.set_weights(.., 0.25);
    assert_eq!(weights(&found), [0.25; 4]);
    found.set_weights(1..3, 0.5);
    found.set_weight(3, 0.75);
    found.set_weight(4, 0.1);
    found.set(4, 9.0);
    assert_eq!(weights(&found), [0.25, 0.5, 0.5, 0.75]);
    assert_eq!(
        found.outputs().map(|output| output.value),
        [1.0, 2.0, 3.0, 4.0]
    );
    found.set(0, 30.deg());
    assert_eq!(found.outputs()[0], Output::of(30.deg()));
    assert!(found.is_used(3) && !found.is_used(4));
    found.clear();
    assert_eq!(found, Posture::default());
    assert!((0..4).all(|i| !found.is_used(i)));
}

#[test]
fn what_is_no_number_is_unused() {
    for value in [f64::NAN, f64::INFINITY] {
        let (broken, sound) = (Posture::of([value]), Posture::of([2.0]));
        let sound_output = sound.outputs()[0];
        let after =
            |change: fn(&mut Posture<1>, &Posture<1>), mut mine: Posture<1>, other: &Posture<1>| {
                change(&mut mine, other);
                mine.outputs()[0]
            };
        assert_eq!(after(Posture::overlay, sound, &broken), sound_output);
        assert_eq!(after(Posture::underlay, broken, &sound), sound_output);
        let half = Output {
            weight: 0.5,
            ..sound_output
        };
        assert_eq!(
            after(|mine, other| mine.average(other, 0.5), sound, &broken),
            half
        );
        assert_eq!(
            after(|mine, other| mine.combine(other, 0.5, 1.0), sound, &broken),
            half
        );
        assert_eq!(
            (sound.diff(&broken), sound.largest_diff(&broken)),
            (0.0, 0.0)
        );
    }
    let negative = Posture::from([Output {
        value: 1.0,
        weight: -1.0,
    }]);
    assert!(!negative.is_used(0));
}

#[test]
fn snapshots_take_values_and_leave_weights() {
    let mut stage = Rehearsal::alone(body());
    stage.put(&Left, 0.3);
    stage.sensor(&LeftEncoder, 0.7);
    let start = Posture::from([UNUSED, UNUSED, Output::of(2.0)]);
    let mut found = start;
    found.take_sent(&[&Left, &Nothing, &Left]);
    assert_eq!(found.outputs().map(|output| output.value), [0.3, 0.5, 0.3]);
    assert_eq!(found.outputs().map(|output| output.weight), [0.0, 0.0, 1.0]);
    let mut found = start;
    found.take_sensed(&[&LeftEncoder, &NoEncoder, &LeftEncoder]);
    assert_eq!(found.outputs().map(|output| output.value), [0.7, 0.5, 0.7]);
    assert_eq!(found.outputs().map(|output| output.weight), [0.0, 0.0, 1.0]);
}

#[test]
fn a_posture_drives_what_it_uses_in_one_turn() {
    let mut stage = Rehearsal::alone(body());
    let mut posture = Posture::of([1.0, 2.0, 3.0]);
    assert_eq!(posture.drive(&[&Left, &Nothing, &Right]), Answer::Unknown);
    stage.turn();
    assert_eq!((stage.sent(&Left), stage.sent(&Right)), (1.0, 3.0));
    posture = Posture::from([Output::of(-1.0), UNUSED, Output::of(f64::NAN)]);
    assert_eq!(posture.drive(&Arms), Answer::Done);
    Left.to(0.0).over(20.ms());
    stage.turn();
    assert_eq!(Arms.map(|value| stage.sent(value)), [-1.0, 3.0, 0.0]);
    stage.run_for(50.ms());
    assert_eq!(stage.sent(&Left), 0.0);
}

// The move.

/// One turn: what its step returned.
fn play<const N: usize>(
    stage: &mut Rehearsal,
    movement: &mut PostureMove<N>,
) -> Option<MoveStatus> {
    let told = movement.step(now());
    stage.turn();
    told
}

/// Some turns: each status that was returned, with the number of the turn.
fn told<const N: usize>(
    stage: &mut Rehearsal,
    movement: &mut PostureMove<N>,
    turns: usize,
) -> Vec<(usize, MoveStatus)> {
    (1..=turns)
        .filter_map(|turn| play(stage, movement).map(|status| (turn, status)))
        .collect()
}

/// A move of one joint, from 0 to a target at a speed.
fn to(target: f64, speed: f64) -> PostureMove<1> {
    let mut movement = PostureMove::new([&Left]);
    movement.set_speed(0, speed);
    movement.set(0, target);
    movement
}

#[track_caller]
fn assert_near(is: f64, expected: f64) {
    assert!((is - expected).abs() < 1e-9, "{is}, not {expected}");
}

#[test]
fn any_move_goes_at_its_speeds_and_arrives_when_it_should() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..300 {
        let period = [5.0, 10.0, 32.0][random.usize(..3)] / 1e3;
        let mut stage = Rehearsal::alone(body().with_period(period.s()));
        let mut movement = PostureMove::new(Arms);
        let mut target = Posture::<3>::new();
        let mut ways = [(0.0, 0.0, f64::INFINITY); 3]; // from, to, by in a turn
        let mut turns = 0.0f64;
        for (place, (from, to, by)) in ways.iter_mut().enumerate() {
            *from = 4.0 * random.f64() - 2.0;
            *to = *from;
            stage.put(Arms[place], *from);
            let no_limit = [0.0, -1.0, f64::INFINITY][random.usize(..3)];
            movement.set_speed(place, no_limit);
            if random.u8(..4) > 0 {
                let speed = 0.2 + 5.0 * random.f64();
                movement.set_speed(place, speed);
                *by = speed * period;
            }
            if random.u8(..4) > 0 {
                *to = 4.0 * random.f64() - 2.0;
                let weight = 0.1 + random.f64();
                target.set_output(place, Output { value: *to, weight });
                turns = turns.max((*to - *from).abs() / *by);
            }
        }
        movement.set_target(target);
        let told = told(&mut stage, &mut movement, turns as usize + 3);
        let arrivals: Vec<_> = told
            .iter()
            .filter(|pair| pair.1 == MoveStatus::Arrived)
            .collect();
        let [(arrival, _)] = arrivals[..] else {
            panic!("{told:?}")
        };
        let late = *arrival as f64 - turns;
        assert!(late > -1e-6 && late < 1.0 + 1e-6, "{arrival}, not {turns}");
        for (actuator, (from, to, by)) in Arms.iter().zip(ways) {
            let mut before = from;
            for (turn, sent) in (1..).zip(stage.course(actuator)) {
                assert!((sent - before).abs() <= by + 1e-9);
                before = sent;
                let gone = (by * f64::from(turn)).min((to - from).abs());
                assert_near(sent, from + gone * (to - from).signum());
            }
            assert_eq!(before, to);
        }
    }
}

#[test]
fn speeds_are_shares_of_what_the_joints_can_do() {
    for share in [1.0, 0.25] {
        let mut stage = Rehearsal::alone(nao());
        let mut movement = PostureMove::new([&HeadYaw, &HeadPitch]);
        if share < 1.0 {
            movement.set_speed_share(share);
        }
        movement.set_target(Posture::of([1.0, 0.25]));
        let told = told(&mut stage, &mut movement, 100);
        let turns = 1.0 / (HeadYaw.limits().velocity * share * 0.01);
        assert_eq!(told[1], (turns.ceil() as usize, MoveStatus::Arrived));
        for joint in [&HeadYaw, &HeadPitch] {
            assert_near(stage.fastest(joint), joint.limits().velocity * share);
        }
        stage.assert_nothing_clipped();
    }
}

#[test]
fn a_step_is_as_long_as_the_time_that_has_passed() {
    let mut stage = Rehearsal::alone(body());
    let mut value = to(1.0, 1.0);
    value.step(now()); // the first is one period long
    value.step(now()); // time stands still
    stage.turn();
    assert_near(stage.sent(&Left), 0.01);
    value.step(now() + 20.ms()); // this turn is late
    stage.turn();
    assert_near(stage.sent(&Left), 0.04);
}

#[test]
fn each_status_is_returned_once_for_each_target() {
    use MoveStatus::{Arrived, Moving, Settled};
    let mut stage = Rehearsal::alone(body());
    let mut movement = to(0.5, 1.0);
    assert_eq!(movement.status(), Moving);
    assert_eq!(
        told(&mut stage, &mut movement, 400),
        [(1, Moving), (50, Arrived), (51, Settled)]
    );
    movement.set_target(Posture::of([0.3]));
    assert_eq!(
        told(&mut stage, &mut movement, 400),
        [(1, Moving), (20, Arrived), (21, Settled)]
    );
    movement.set(0, 0.3); // it is there, and says so
    assert_eq!(
        told(&mut stage, &mut movement, 400),
        [(1, Arrived), (2, Settled)]
    );
    movement.set(1, 0.3); // there is no such output
    assert_eq!(told(&mut stage, &mut movement, 400), []);
}

/// The original reports that the command has arrived, and says that the sensors have.
#[test]
fn it_settles_when_sensors_confirm_it_and_not_before() {
    use MoveStatus::{Arrived, Moving, Settled};
    let mut stage = Rehearsal::alone(body());
    let mut measured = to(0.5, 1.0).measured_by([&LeftEncoder]);
    stage.sensor_after(1.s(), &LeftEncoder, 0.5 - 0.036);
    stage.sensor_after(1500.ms(), &LeftEncoder, 0.5 - 0.034);
    let told = told(&mut stage, &mut measured, 400);
    // A step sees what was measured in the turn before.
    assert_eq!(told, [(1, Moving), (50, Arrived), (151, Settled)]);
    assert!((measured.distance() - 0.034).abs() < 1e-9 && !measured.is_alive());
}

/// The original looks at signed differences, so it takes a joint for settled that is too low.
#[test]
fn a_joint_that_is_too_low_is_as_wrong_as_one_that_is_too_high() {
    for (error, is_alive) in [(0.1, true), (-0.1, true), (0.03, false), (-0.03, false)] {
        let mut stage = Rehearsal::alone(body());
        let mut measured = to(0.5, 1.0).measured_by([&LeftEncoder]);
        stage.sensor(&LeftEncoder, 0.5 + error);
        told(&mut stage, &mut measured, 60);
        assert_eq!(measured.is_alive(), is_alive, "{error}");
        assert_eq!(
            measured.status() == MoveStatus::Settled,
            !is_alive,
            "{error}"
        );
    }
}

#[test]
fn it_is_alive_until_it_arrives_and_then_until_sensors_confirm_or_time_is_over() {
    let mut stage = Rehearsal::alone(body());
    let mut measured = to(0.5, 1.0).measured_by([&LeftEncoder]);
    stage.sensor(&LeftEncoder, 0.5); // even so: it is on its way
    told(&mut stage, &mut measured, 49);
    assert!(measured.is_alive());
    stage.sensor(&LeftEncoder, 0.2); // and now something is in its way
    let arrival = now();
    assert_eq!(play(&mut stage, &mut measured), Some(MoveStatus::Arrived));
    while now() - arrival < 2.s() {
        assert_eq!(play(&mut stage, &mut measured), None);
        assert!(measured.is_alive());
    }
    assert_eq!(play(&mut stage, &mut measured), None);
    assert!(!measured.is_alive());
    assert_eq!(play(&mut stage, &mut measured), Some(MoveStatus::TimedOut));
    stage.sensor(&LeftEncoder, 0.5); // too late
    assert_eq!(told(&mut stage, &mut measured, 100), []);
    assert_eq!(measured.status(), MoveStatus::TimedOut);

    (measured.timeout, measured.tolerance) = (100.ms(), 0.25);
    measured.set(0, 0.0); // 0.5 from what is measured, and this time it does not wait as long
    let told = told(&mut stage, &mut measured, 200);
    assert_eq!(told[2], (50 + 11, MoveStatus::TimedOut));
    measured.timeout = 3600.s();
    assert!(measured.is_alive());
    measured.tolerance = 0.75;
    assert!(!measured.is_alive());
}

#[test]
fn it_holds_its_target_or_leaves_it_to_others() {
    for hold in [true, false] {
        let mut stage = Rehearsal::alone(body());
        let mut measured = to(0.5, 1.0).measured_by([&LeftEncoder]);
        measured.hold = hold;
        told(&mut stage, &mut measured, 49);
        assert!(measured.is_alive());
        told(&mut stage, &mut measured, 1);
        assert_eq!((stage.sent(&Left), measured.is_alive()), (0.5, hold));
        Left.to(-0.5).over(20.ms());
        told(&mut stage, &mut measured, 5);
        assert_eq!(stage.sent(&Left), if hold { 0.5 } else { -0.5 });
        // It goes back, if it is to hold again, and as slowly as ever.
        measured.hold = true;
        told(&mut stage, &mut measured, 1);
        assert_near(stage.sent(&Left), if hold { 0.5 } else { -0.49 });
    }
}

#[test]
fn another_target_in_mid_motion_is_no_jump() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut stage = Rehearsal::alone(body());
    let mut movement = PostureMove::new([&Left, &Right]);
    movement.set_speeds(.., 1.5);
    let mut last = [0.0; 2];
    for _ in 0..200 {
        let mut any = || 4.0 * random.f64() - 2.0;
        last = [any(), any()];
        if any() > 0.0 {
            movement.set_target(Posture::of(last));
        } else {
            last[0] = movement.target().outputs()[0].value;
            movement.set(1, last[1]);
        }
        let turns = random.usize(1..150);
        told(&mut stage, &mut movement, turns);
    }
    told(&mut stage, &mut movement, 300);
    for (arm, target) in [&Left, &Right].into_iter().zip(last) {
        assert_near(stage.fastest(arm), 1.5);
        assert_eq!(stage.sent(arm), target);
    }
}

#[test]
fn a_target_that_changes_in_every_turn_is_followed_whatever_sensors_measure() {
    let mut stage = Rehearsal::alone(body());
    let mut measured = to(0.0, 1.0).measured_by([&LeftEncoder]); // it always measures 0
    for turn in 1..=100 {
        measured.set_target(Posture::of([1.0 + 1e-3 * f64::from(turn)]));
        stage.sensor(&Left, 0.0);
        play(&mut stage, &mut measured);
        assert_near(stage.sent(&Left), 0.01 * f64::from(turn));
    }
}

#[test]
fn another_value_of_one_output_lets_the_others_go_on() {
    for all in [false, true] {
        let mut stage = Rehearsal::alone(body());
        let mut movement = PostureMove::new([&Left, &Right]);
        movement.set_speeds(.., 1.0);
        movement.set_target(Posture::of([1.0, 1.0]));
        told(&mut stage, &mut movement, 50);
        // Somebody else has had a say in both.
        stage.pose(&[("Left", 0.2), ("Right", 0.2)]);
        if all {
            movement.set_target(Posture::of([-1.0, 1.0]));
        } else {
            movement.set(0, -1.0);
        }
        play(&mut stage, &mut movement);
        // Its own way goes on: in a blend, what is sent is not what it has commanded.
        assert_near(stage.sent(&Left), 0.49);
        assert_near(stage.sent(&Right), 0.51);
    }
}

#[test]
fn after_turns_without_a_step_it_begins_where_the_body_is() {
    use MoveStatus::{Arrived, Moving, Settled};
    let mut stage = Rehearsal::alone(body());
    let mut value = to(0.5, 1.0);
    told(&mut stage, &mut value, 20);
    stage.run_for(1.s());
    stage.put(&Left, 0.4);
    assert_eq!(told(&mut stage, &mut value, 1), [(1, Moving)]);
    assert_near(stage.sent(&Left), 0.41);
    assert_eq!(
        told(&mut stage, &mut value, 100),
        [(9, Arrived), (10, Settled)]
    );
    stage.run_for(1.s());
    stage.put(&Left, 0.4);
    assert_eq!(
        told(&mut stage, &mut value, 100),
        [(1, Moving), (10, Arrived), (11, Settled)]
    );
    // If it does not hold, it has nothing to go back to.
    value.hold = false;
    stage.run_for(1.s());
    stage.put(&Left, 0.4);
    assert_eq!(told(&mut stage, &mut value, 100), []);
    assert_eq!(stage.sent(&Left), 0.4);
}

#[test]
fn what_this_body_does_not_have_is_not_waited_for() {
    let mut stage = Rehearsal::alone(body());
    let mut measured = PostureMove::new([&Left, &Nothing]).measured_by([&LeftEncoder, &NoEncoder]);
    measured.set_speeds(.., 1.0);
    measured.set_target(Posture::of([0.5, 2.0]));
    stage.sensor(&LeftEncoder, 0.5);
    let told = told(&mut stage, &mut measured, 100);
    assert_eq!(
        told[1..],
        [(50, MoveStatus::Arrived), (51, MoveStatus::Settled)]
    );
    assert!(!measured.is_alive());
}

#[test]
fn a_value_that_is_no_number_moves_nothing() {
    let mut stage = Rehearsal::alone(body());
    let mut value = to(0.5, 1.0);
    let mut statuses = told(&mut stage, &mut value, 20);
    for none in [f64::NAN, f64::INFINITY] {
        value.set(0, none);
    }
    statuses.extend(told(&mut stage, &mut value, 80));
    assert_eq!(statuses[1], (30, MoveStatus::Arrived));
}

#[test]
fn a_speed_that_is_no_number_changes_nothing() {
    let mut stage = Rehearsal::alone(body());
    let mut value = to(0.5, 1.0);
    value.set_speed(0, f64::NAN);
    value.set_speed(1, 9.0);
    assert_eq!(
        told(&mut stage, &mut value, 100)[1],
        (50, MoveStatus::Arrived)
    );
}

choreography! {
    /// Bows, and ends when its encoders say that it has.
    motion Bow as "bow";
    hooks pre_process, is_alive;
    joints BowLeft = "Left", BowRight = "Right";
    sensors BowLeftEncoder = "LeftEncoder", BowRightEncoder = "RightEncoder";
    topics Status = "status";
}

struct Bow(PostureMove<2>);

impl Motion for Bow {
    fn start() -> Bow {
        let arms = PostureMove::new([&BowLeft, &BowRight]);
        let mut arms = arms.measured_by([&BowLeftEncoder, &BowRightEncoder]);
        arms.set_speeds(.., 2.0);
        arms.set_target(Posture::of([1.0, -0.5]));
        Bow(arms)
    }
    fn pre_process(&mut self, now: Instant) {
        if let Some(status) = self.0.step(now) {
            Status.post(f64::from(status as u8));
        }
    }
    fn is_alive(&self) -> bool {
        self.0.is_alive()
    }
}

#[test]
fn a_motion_ends_when_its_sensors_confirm_it_or_do_not_in_time() {
    for (reads, took, status) in [
        // In the turn of its arrival; and, without a confirmation, one turn after two seconds.
        ([1.0, -0.5], 500.ms(), vec![0.0, 1.0]),
        ([1.0, 0.0], 2510.ms(), vec![0.0, 1.0, 3.0]),
    ] {
        let mut stage = Rehearsal::of::<Bow>(body());
        stage.sensor(&RightEncoder, reads[1]);
        stage.sensor(&LeftEncoder, reads[0]);
        assert_eq!(stage.run_to_its_end(5.s()), took);
        assert_eq!(stage.posted("status"), status);
        assert_near(stage.fastest(&Left), 2.0);
        assert_eq!((stage.sent(&Left), stage.sent(&Right)), (1.0, -0.5));
    }
}
