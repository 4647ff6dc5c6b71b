//! Motion sequences on the stage: what a body does that is played one, or taught one by hand.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::prelude::*;
use choreography::sequence::{Milestone, MotionPlayer, MotionRecorder, MotionSequence};

static HeadYaw: Actuator = Actuator::named("HeadYaw");
static HeadPitch: Actuator = Actuator::named("HeadPitch");
static YawSensor: Sensor = Sensor::named("HeadYaw");
static PitchSensor: Sensor = Sensor::named("HeadPitch");

fn near(found: Output, expected: Output) -> bool {
    (found.value - expected.value).abs() < 1e-6 && (found.weight - expected.weight).abs() < 1e-6
}

/// A player of these keys of the yaw and of the pitch: milliseconds, value, weight.
fn player_of(yaw: &[(u64, f64, f64)], pitch: &[(u64, f64, f64)]) -> MotionPlayer<2, 8> {
    let mut sequence = MotionSequence::new();
    for (place, keys) in [yaw, pitch].into_iter().enumerate() {
        for &(ms, value, weight) in keys {
            sequence.set_edit_time(ms.ms());
            assert!(sequence.set(place, Output { value, weight }).is_done());
        }
    }
    MotionPlayer::new(sequence, [&HeadYaw, &HeadPitch])
}

/// Steps the player for one turn.
fn turn(stage: &mut Rehearsal, player: &mut MotionPlayer<2, 8>) -> Option<Milestone> {
    let milestone = player.step(now());
    stage.turn();
    milestone
}

/// The example of Tekkotsu's own format, with the values that its rules give.
#[test]
fn the_worked_example_has_its_values() {
    let yaw = [(400, 0.5, 1.0), (1000, -0.5, 1.0), (1500, 0.0, 0.0)];
    let pitch = [(400, -0.3, 1.0), (1000, -0.3, 1.0), (1500, -0.1, 1.0)];
    let mut player = player_of(&yaw, &pitch);
    let mut stage = Rehearsal::alone(nao());
    stage.put("HeadYaw", 0.1);
    let expected = [
        (200, 0.3, 0.5, -0.15),
        (400, 0.5, 1.0, -0.3),
        (700, 0.0, 1.0, -0.3),
        (1000, -0.5, 1.0, -0.3),
        (1250, -0.25, 0.5, -0.2),
    ];
    for (ms, value, weight, pitch) in expected {
        while now() < Instant::ZERO + ms.ms() {
            turn(&mut stage, &mut player);
        }
        turn(&mut stage, &mut player);
        assert!(
            near(player.output(0), Output { value, weight }),
            "at {ms} ms"
        );
        assert!((stage.sent("HeadYaw") - value).abs() < 1e-9, "at {ms} ms");
        assert!((stage.sent("HeadPitch") - pitch).abs() < 1e-9, "at {ms} ms");
    }
    while player.is_alive() {
        turn(&mut stage, &mut player);
    }
    // The last key has no weight: it takes the value that the body has.
    assert_eq!(player.output(0).weight, 0.0);
    let last = stage.sent("HeadYaw");
    assert_eq!(player.sequence().keys(0)[2].output.value, last);
    assert!(last < -0.001, "and not 0, as it was written");
    stage.assert_nothing_clipped();
}

/// The joints have commands of their own, which show when the player lets go.
#[test]
fn without_hold_an_output_is_left_behind_its_last_key() {
    for is_held in [true, false] {
        let mut stage = Rehearsal::alone(nao());
        HeadYaw.to(0.0).now();
        HeadPitch.to(0.0).now();
        let mut player = player_of(&[(295, 0.3, 1.0)], &[(595, 0.2, 1.0)]);
        player.set_hold(is_held);
        let (mut told, mut ahead) = (Vec::new(), Vec::new());
        for _ in 0..80 {
            ahead.push(player.outlook(0, 30.ms()).weight > 0.0);
            told.push(turn(&mut stage, &mut player));
        }
        let (yaw, pitch) = (stage.course("HeadYaw"), stage.course("HeadPitch"));
        // The turn that passes a last key meets it exactly.
        assert_eq!((yaw[30], pitch[60]), (0.3, 0.2));
        assert_eq!(told.iter().position(Option::is_some), Some(60));
        let after = if is_held { (0.3, 0.2) } else { (0.0, 0.0) };
        let behind = |from: usize| from..80; // after some turns on the way back
        assert!(behind(35).all(|i| yaw[i] == after.0), "held: {is_held}");
        assert!(behind(65).all(|i| pitch[i] == after.1), "held: {is_held}");
        // What is planned ahead lets go, too: Tekkotsu's growing sequences do not.
        assert_eq!((ahead[20], ahead[29], ahead[50]), (true, is_held, is_held));
    }
}

#[test]
fn what_goes_on_after_a_pause_does_not_jump() {
    let mut stage = Rehearsal::alone(nao());
    let mut player = player_of(&[(400, 0.4, 1.0)], &[]);
    player.pause();
    for _ in 0..10 {
        turn(&mut stage, &mut player); // it does not begin
    }
    stage.put("HeadYaw", 0.1);
    player.resume();
    for _ in 0..=20 {
        turn(&mut stage, &mut player);
    }
    player.pause();
    for _ in 0..50 {
        turn(&mut stage, &mut player);
        assert!((stage.sent("HeadYaw") - 0.25).abs() < 1e-9);
    }
    stage.run_for(1.s()); // without any steps
    player.resume();
    turn(&mut stage, &mut player);
    assert!((stage.sent("HeadYaw") - 0.25).abs() < 1e-9);
    while player.is_alive() {
        turn(&mut stage, &mut player);
    }
    assert!(stage.fastest("HeadYaw") < 0.75 + 1e-6);
    // Played again, it begins where the body is now.
    player.play();
    for _ in 0..=20 {
        turn(&mut stage, &mut player);
    }
    assert!(near(
        player.output(0),
        Output {
            value: 0.4,
            weight: 0.5
        }
    ));
    player.seek(9.s());
    assert_eq!(player.position(), 400.ms());
}

#[test]
fn a_key_without_weight_begins_where_the_sensors_are() {
    let mut stage = Rehearsal::alone(nao());
    let yaw = [(200, 0.3, 1.0), (400, 0.0, 0.0), (800, -0.3, 1.0)];
    let mut player = player_of(&yaw, &[]).measured_by([&YawSensor, &PitchSensor]);
    for step in 0..=80 {
        let feels = if step == 40 { 0.5 } else { -0.1 };
        stage.sensor(&YawSensor, feels);
        turn(&mut stage, &mut player);
        let (value, weight) = match step {
            10 => (0.1, 0.5),
            30 => (0.15, 0.5),
            40 => (0.5, 0.0),
            60 => (0.1, 0.5),
            80 => (-0.3, 1.0),
            _ => continue,
        };
        let found = player.output(0);
        assert!(
            near(found, Output { value, weight }),
            "step {step}: {found:?}"
        );
    }
}

#[test]
fn what_the_body_does_not_have_is_told_and_stops_nothing() {
    static Nothing: Actuator = Actuator::named("Nothing");
    static NoSensor: Sensor = Sensor::named("Nothing");
    let mut stage = Rehearsal::alone(nao());
    stage.put("HeadYaw", 0.2);
    let sequence = *player_of(&[(200, 0.3, 1.0)], &[(200, 0.3, 1.0)]).sequence();
    let mut player = MotionPlayer::new(sequence, [&HeadYaw, &Nothing]);
    player = player.measured_by([&NoSensor, &NoSensor]);
    for _ in 0..=10 {
        turn(&mut stage, &mut player);
    }
    // It begins where the joint was sent.
    assert!((stage.sent("HeadYaw") - 0.25).abs() < 1e-9);
    assert_eq!(player.answer(), Answer::Unknown);
}

/// A hand that moves a joint: a sum of two sines, with the noise of a sensor.
fn hand(random: &mut fastrand::Rng) -> impl FnMut(f64) -> f64 + use<> {
    let [a, b, c, d] = [(); 4].map(|()| 0.5 + 0.5 * random.f64());
    let mut noise = fastrand::Rng::with_seed(random.u64(..));
    move |t| {
        let way = 0.15 * (a * 5.0 * t + c).sin() + 0.1 * (b * 9.0 * t + d).sin();
        way + 0.004 * (noise.f64() - 0.5)
    }
}

#[test]
fn what_is_taught_is_played_within_the_error_at_every_sample() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..30 {
        let error = 0.01 + 0.05 * random.f64();
        let (mut stage, mut hands) = (
            Rehearsal::alone(nao()),
            [hand(&mut random), hand(&mut random)],
        );
        let mut recorder = MotionRecorder::<2, 200>::new(error);
        let mut samples = Vec::new();
        for step in 0..300 {
            let sample = [0, 1].map(|i| hands[i](0.01 * f64::from(step)));
            stage.sensor(&YawSensor, sample[0]);
            stage.sensor(&PitchSensor, sample[1]);
            let read = [YawSensor.read(), PitchSensor.read()];
            assert!(recorder.feed(now(), &read).is_done());
            samples.push(sample);
            stage.turn();
        }
        let lesson = recorder.finish();
        assert_eq!(lesson.end(), 1.s() + 2.99.s());
        // Played, it comes to the first sample in the second that leads there.
        let mut player = MotionPlayer::new(lesson, [&HeadYaw, &HeadPitch]);
        for step in 0..400 {
            player.step(now());
            stage.turn();
            if let Some(sample) = samples.get(step.max(100) - 100).filter(|_| step >= 100) {
                assert!((stage.sent("HeadYaw") - sample[0]).abs() <= error + 1e-9);
                assert!((stage.sent("HeadPitch") - sample[1]).abs() <= error + 1e-9);
            }
        }
        assert!(!player.is_alive());
        // Far fewer keys than samples, when the error is above the noise; and more than one line.
        let keys = lesson.keys(0).len();
        assert!((3..100).contains(&keys), "{keys} keys within {error}");
        stage.assert_nothing_clipped();
    }
}
