//! Players on a stage, compared in every turn with lines and clocks that are computed beside.

use std::vec;
use std::vec::Vec;

use crate::prelude::*;
use crate::sequence::{Milestone, MotionPlayer, MotionSequence, Rounds};

static YAW: Actuator = Actuator::named("HeadYaw");
static PITCH: Actuator = Actuator::named("HeadPitch");

/// Keys of one output: seconds, value, weight.
type PlainKeys = Vec<(f64, f64, f64)>;

const TURN: f64 = 0.01;

/// What the lines through these keys have at this time; the first key is at zero.
fn plain(keys: &[(f64, f64, f64)], t: f64) -> Output {
    for pair in keys.windows(2) {
        let ((t0, v0, w0), (t1, v1, w1)) = (pair[0], pair[1]);
        if t >= t0 && t < t1 {
            let k = (t1 - t) / (t1 - t0);
            let (value, weight) = (v0 * k + v1 * (1.0 - k), w0 * k + w1 * (1.0 - k));
            return Output { value, weight };
        }
    }
    let (_, value, weight) = keys[keys.len() - 1];
    Output { value, weight }
}

fn near(found: Output, expected: Output) -> bool {
    (found.value - expected.value).abs() < 1e-6 && (found.weight - expected.weight).abs() < 1e-6
}

/// Keys of both joints, the start of weight 0 first, at whole milliseconds and slow enough for the body.
fn any(random: &mut fastrand::Rng, starts: [f64; 2]) -> [PlainKeys; 2] {
    starts.map(|start| {
        let mut keys = vec![(0.0, start, 0.0)];
        let mut at = 0.0;
        for _ in 0..random.usize(1..6) {
            at += random.u64(150..600) as f64 / 1e3;
            keys.push((at, 0.6 * random.f64() - 0.3, 0.1 + 0.9 * random.f64()));
        }
        keys
    })
}

fn sequence_of(keys: &[PlainKeys; 2]) -> MotionSequence<2, 8> {
    let mut sequence = MotionSequence::new();
    for (place, keys) in keys.iter().enumerate() {
        for &(at, value, weight) in &keys[1..] {
            sequence.set_edit_time(at.s());
            assert!(sequence.set(place, Output { value, weight }).is_done());
        }
    }
    sequence
}

fn player_of(keys: &[PlainKeys; 2]) -> MotionPlayer<2, 8> {
    MotionPlayer::new(sequence_of(keys), [&YAW, &PITCH])
}

/// Steps the player for one turn.
fn turn(stage: &mut Rehearsal, player: &mut MotionPlayer<2, 8>) -> Option<Milestone> {
    let milestone = player.step(now());
    stage.turn();
    milestone
}

/// A stage with the head at random places.
fn begin(random: &mut fastrand::Rng) -> (Rehearsal, [f64; 2]) {
    let starts = [random.f64() - 0.5, 0.4 * random.f64() - 0.2];
    let mut stage = Rehearsal::alone(nao());
    stage.pose(&[("HeadYaw", starts[0]), ("HeadPitch", starts[1])]);
    (stage, starts)
}

fn end_of(keys: &[PlainKeys; 2]) -> f64 {
    keys[0][keys[0].len() - 1]
        .0
        .max(keys[1][keys[1].len() - 1].0)
}

/// Every turn is at the time that has passed at its speed. Tekkotsu plans a buffer of turns ahead, at speed 1.
#[test]
fn the_speed_holds_in_every_turn_and_in_those_ahead() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut planned_wrong = 0;
    for _ in 0..60 {
        let (mut stage, starts) = begin(&mut random);
        let keys = any(&mut random, starts);
        let (mut player, speed) = (player_of(&keys), 0.2 + 1.3 * random.f64());
        assert!(player.set_speed(speed).is_done());
        let (end, mut ends) = (end_of(&keys), 0);
        for step in 0..((end / speed / TURN) as u32 + 5) {
            let t = (f64::from(step) * TURN * speed).min(end);
            let milestone = turn(&mut stage, &mut player);
            ends += u32::from(milestone == Some(Milestone::End));
            assert_eq!(player.is_alive(), t < end, "at {t} of {end}");
            for (place, joint) in ["HeadYaw", "HeadPitch"].into_iter().enumerate() {
                let expected = plain(&keys[place], t);
                assert!(near(player.output(place), expected));
                if expected.weight > 0.0 {
                    assert!((stage.sent(joint) - expected.value).abs() < 1e-6);
                }
                // Three turns ahead, as in a buffer of four.
                let right = plain(
                    &keys[place],
                    if t < end { t + 3.0 * TURN * speed } else { end },
                );
                let wrong = plain(&keys[place], t + 3.0 * TURN);
                assert!(near(player.outlook(place, 30.ms()), right));
                planned_wrong += u32::from((right.value - wrong.value).abs() > 1e-3);
            }
        }
        assert_eq!(ends, 1);
        stage.assert_nothing_clipped();
    }
    assert!(
        planned_wrong > 1_000,
        "Tekkotsu is right but for {planned_wrong}"
    );
}

/// Tekkotsu neither plays nor ends a sequence whose time is exactly its end.
#[test]
fn an_end_that_is_met_exactly_is_told_once() {
    for backwards in [false, true] {
        let mut stage = Rehearsal::alone(nao());
        let mut player = player_of(&[
            vec![(0.0, 0.0, 0.0), (0.4, 0.3, 1.0)],
            vec![(0.0, 0.0, 0.0)],
        ]);
        assert!(
            player
                .set_speed(if backwards { -1.0 } else { 1.0 })
                .is_done()
        );
        let told: Vec<_> = (0..60).map(|_| turn(&mut stage, &mut player)).collect();
        let ends = (0..60).filter(|&i| told[i] == Some(Milestone::End));
        assert_eq!(ends.collect::<Vec<_>>(), [40]);
        assert!(!player.is_alive());
        // Seeking revives it, and its end is told again.
        player.seek(200.ms());
        assert!(player.is_alive());
        let again = (0..60).filter(|_| turn(&mut stage, &mut player) == Some(Milestone::End));
        assert_eq!(again.count(), 1);
        // At its end it has no way, but back.
        player.resume();
        assert!(!player.is_alive());
        assert!(
            player
                .set_speed(if backwards { 1.0 } else { -1.0 })
                .is_done()
        );
        player.resume();
        assert!(player.is_alive());
    }
    // Two and a half rounds in a turn.
    let mut stage = Rehearsal::alone(nao());
    let mut quick = player_of(&[
        vec![(0.0, 0.0, 0.0), (0.1, 0.01, 1.0)],
        vec![(0.0, 0.0, 0.0)],
    ]);
    quick.set_rounds(Rounds::Count(4));
    assert!(quick.set_speed(25.0).is_done());
    let told = [(); 4].map(|()| turn(&mut stage, &mut quick));
    assert_eq!(
        told,
        [None, Some(Milestone::Round), Some(Milestone::End), None]
    );
    let mut empty = player_of(&[vec![(0.0, 0.0, 0.0)], vec![(0.0, 0.0, 0.0)]]);
    empty.set_rounds(Rounds::Endless);
    assert_eq!(empty.step(now()), Some(Milestone::End));
    assert_eq!(empty.step(now()), None);
}

/// A plain clock of a player: seconds, one turn at a time.
struct PlainClock {
    t: f64,
    speed: f64,
    is_paused: bool,
    is_over: bool,
}

impl PlainClock {
    fn step(&mut self, passed: f64, end: f64) -> bool {
        if self.is_paused || self.is_over {
            return false;
        }
        self.t = (self.t + passed * self.speed).clamp(0.0, end);
        let (forward, backward) = (self.speed > 0.0, self.speed < 0.0);
        self.is_over = forward && self.t > end - 1e-9 || backward && self.t < 1e-9;
        self.is_over
    }
}

#[test]
fn pauses_seeks_and_changes_of_speed_do_as_a_plain_clock_does() {
    let mut random = fastrand::Rng::with_seed(2);
    let (mut told, mut backwards) = (0, 0);
    for _ in 0..100 {
        let (mut stage, starts) = begin(&mut random);
        let keys = any(&mut random, starts);
        let (mut player, end) = (player_of(&keys), end_of(&keys));
        let mut clock = PlainClock {
            t: 0.0,
            speed: 1.0,
            is_paused: false,
            is_over: false,
        };
        let mut passed = 0.0;
        for step in 0..300 {
            let what = if step > 0 { random.u32(0..60) } else { 60 };
            match what {
                0 => {
                    player.pause();
                    clock.is_paused = true;
                }
                1 | 2 => {
                    let way = if clock.speed > 0.0 {
                        end - clock.t
                    } else {
                        clock.t
                    };
                    // One that plays loses no time by it.
                    if clock.is_paused || clock.is_over {
                        passed = 0.0;
                    }
                    clock.is_over &= way < 1e-9;
                    clock.is_paused = false;
                    player.resume();
                }
                3 => {
                    let ms = random.u64(1..(end * 1e3) as u64);
                    player.seek(ms.ms());
                    passed = if clock.is_over { 0.0 } else { passed };
                    (clock.t, clock.is_over) = (ms as f64 / 1e3, false);
                }
                4 => {
                    clock.speed = [0.5, 1.0, 1.5, -0.5, -1.0, -1.5][random.usize(0..6)];
                    assert!(player.set_speed(clock.speed).is_done());
                }
                _ => {}
            }
            let ends = clock.step(passed, end);
            passed = TURN;
            assert_eq!(
                turn(&mut stage, &mut player),
                ends.then_some(Milestone::End)
            );
            assert_eq!(player.is_alive(), !clock.is_over);
            assert_eq!(player.is_playing(), !clock.is_over && !clock.is_paused);
            assert!((player.position().seconds() - clock.t).abs() < 1e-6);
            for (place, keys) in keys.iter().enumerate() {
                assert!(near(player.output(place), plain(keys, clock.t)));
            }
            told += u32::from(ends);
            backwards += u32::from(ends && clock.speed < 0.0);
        }
    }
    assert!(
        told > 50 && backwards > 10,
        "{told} ends, {backwards} backwards"
    );
    let mut player = player_of(&[vec![(0.0, 0.0, 0.0)], vec![(0.0, 0.0, 0.0)]]);
    assert_eq!(player.set_speed(f64::NAN), Answer::NotFinite);
}

/// The keys of all rounds in one list. Each begins as the one before has ended.
fn unrolled(keys: &[(f64, f64, f64)], rounds: u32, end: f64) -> PlainKeys {
    let mut all = vec![keys[0]];
    for round in 0..rounds {
        let base = f64::from(round) * end;
        all.extend(keys[1..].iter().map(|key| (base + key.0, key.1, key.2)));
        let (_, value, weight) = all[all.len() - 1];
        all.push((base + end, value, weight));
    }
    all
}

/// No time is lost from one round to the next; in Tekkotsu, what is behind the end is.
#[test]
fn rounds_follow_each_other_without_a_gap() {
    let mut random = fastrand::Rng::with_seed(3);
    for case in 0..40 {
        let (mut stage, starts) = begin(&mut random);
        let keys = any(&mut random, starts);
        let (mut player, end, count) = (player_of(&keys), end_of(&keys), random.u32(1..5));
        let speed = 0.3 + random.f64();
        assert!(player.set_speed(speed).is_done());
        let endless = case % 4 == 0;
        player.set_rounds(if endless {
            Rounds::Endless
        } else {
            Rounds::Count(count)
        });
        let lists = [0, 1].map(|i| unrolled(&keys[i], count, end));
        let whole = f64::from(count) * end;
        let (mut rounds, mut ends) = (0, 0);
        for step in 0..=((whole / speed / TURN) as u32 + 3) {
            let milestone = turn(&mut stage, &mut player);
            rounds += u32::from(milestone == Some(Milestone::Round));
            ends += u32::from(milestone == Some(Milestone::End));
            let t = f64::from(step) * TURN * speed;
            if endless && t >= whole {
                break;
            }
            assert_eq!(player.is_alive(), t < whole);
            for (place, list) in lists.iter().enumerate() {
                let (found, expected) = (player.output(place), plain(list, t));
                assert!(
                    near(found, expected),
                    "{found:?}, not {expected:?} at {t} of {end}"
                );
            }
        }
        assert_eq!(ends, u32::from(!endless));
        assert_eq!(rounds, if endless { count } else { count - 1 });
        stage.assert_nothing_clipped();
    }
}

#[test]
fn rounds_backwards_begin_at_the_last_keys() {
    let mut stage = Rehearsal::alone(nao());
    let mut player = player_of(&[
        vec![(0.0, 0.1, 0.0), (0.4, 0.3, 1.0)],
        vec![(0.0, 0.0, 0.0)],
    ]);
    player.set_rounds(Rounds::Count(3));
    assert!(player.set_speed(-1.0).is_done());
    stage.put("HeadYaw", 0.1);
    let mut told = Vec::new();
    for step in 0..130 {
        if let Some(milestone) = turn(&mut stage, &mut player) {
            told.push((step, milestone));
        }
        let t = match step {
            0..=40 => 0.4 - f64::from(step) * TURN, // 0 is met, and is of this round
            41..=80 => 0.8 - f64::from(step) * TURN,
            81..=120 => 1.2 - f64::from(step) * TURN,
            _ => 0.0,
        };
        let expected = Output {
            value: 0.1 + 0.5 * t,
            weight: t / 0.4,
        };
        assert!(near(player.output(0), expected), "step {step}");
    }
    let expected = [
        (41, Milestone::Round),
        (81, Milestone::Round),
        (120, Milestone::End),
    ];
    assert_eq!(told, expected);
}

/// A place that is chosen before it has begun, and while it is paused, is come to slowly when it goes on: from where
/// the body is then.
#[test]
fn a_way_that_was_chosen_before_the_first_step_is_no_jump() {
    let mut random = fastrand::Rng::with_seed(12);
    for _ in 0..100 {
        let (mut stage, starts) = begin(&mut random);
        let keys = any(&mut random, starts);
        let mut player = player_of(&keys);
        let (waits, is_first) = (random.usize(0..200), random.bool());
        let at = (random.f64() * end_of(&keys)).s();
        let turns = random.u32(30..130);
        let over = (f64::from(turns) * TURN).s();
        if is_first {
            player.pause();
            player.approach(at, over);
        } else {
            player.approach(at, over);
            player.pause();
        }
        for _ in 0..waits {
            assert_eq!(turn(&mut stage, &mut player), None);
        }
        player.resume();
        for _ in 0..turns {
            turn(&mut stage, &mut player);
        }
        for joint in [&YAW, &PITCH] {
            let most = 0.5 * joint.limits().velocity;
            assert!(stage.fastest(joint) <= most + 1e-9);
        }
    }
}

/// Who says in every turn that it is to go on loses no time.
#[test]
fn a_player_that_is_told_to_go_on_in_every_turn_goes_on() {
    let mut stage = Rehearsal::alone(nao());
    let mut player = player_of(&[
        vec![(0.0, 0.0, 0.0), (0.5, 0.3, 1.0)],
        vec![(0.0, 0.0, 0.0)],
    ]);
    let mut ends = 0;
    for _ in 0..200 {
        player.resume();
        ends += u32::from(turn(&mut stage, &mut player) == Some(Milestone::End));
    }
    assert_eq!((ends, player.position()), (1, 500.ms()));
}

/// A pause stops a way to a place as it stops everything, and takes none of its time; what is chosen meanwhile moves.
#[test]
fn a_pause_stops_it_on_its_way_and_a_place_that_is_chosen_then_does_not_wait() {
    let mut random = fastrand::Rng::with_seed(13);
    for _ in 0..100 {
        let (mut stage, starts) = begin(&mut random);
        let keys = any(&mut random, starts);
        let mut player = player_of(&keys);
        turn(&mut stage, &mut player);
        player.approach((0.5 * end_of(&keys)).s(), 500.ms());
        let before = random.usize(2..40);
        for _ in 0..before {
            turn(&mut stage, &mut player);
        }
        player.pause();
        let outputs = [0, 1].map(|i| player.output(i));
        for _ in 0..random.usize(1..100) {
            turn(&mut stage, &mut player);
            assert_eq!([0, 1].map(|i| player.output(i)), outputs);
            assert_eq!([0, 1].map(|i| player.outlook(i, 1.s())), outputs);
        }
        if random.bool() {
            // The rest of the way, and then time passes again: the turn of the resumption is none of it.
            player.resume();
            for _ in 0..50 - before {
                turn(&mut stage, &mut player);
            }
            let at = player.position();
            turn(&mut stage, &mut player);
            turn(&mut stage, &mut player);
            assert!(player.position() > at);
        } else {
            let at = (0.25 * end_of(&keys)).s();
            player.approach(at, 500.ms());
            for _ in 0..200 {
                turn(&mut stage, &mut player);
            }
            assert_eq!(player.position(), at);
            for (place, keys) in keys.iter().enumerate() {
                assert!(near(player.output(place), plain(keys, at.seconds())));
            }
        }
    }
}
