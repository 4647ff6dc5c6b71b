//! What the robot tells of the movements of guests: begun, arrived, settled by the sensors or not, ended.
//! The oracle is a plain reading of what was sent and sensed, turn by turn.

use std::fmt::Write;

use cycle::Gains;
use guests::{CodeForm, GuestId, GuestLife, LoadOptions, PostedEvent};
use tests::rig::{FORMS, Plan, Rig, with_rig};

use crate::text::module;

/// Of a range of 2,000: 2 % of it is more.
const TOLERANCE: f64 = 0.035;
const STILL: usize = 100;
const PATIENCE: usize = 2_000;

const JOINTS: usize = 4;

/// What was sent and sensed in a turn.
struct Turn {
    number: u64,
    sent: Vec<f64>,
    sensed: Vec<f64>,
}

/// A rig whose joints follow what is sent, each as fast as it can: 1 is at once, 0 is stuck.
struct Bench<'a, 'r, 'm> {
    rig: &'a mut Rig<'r, 'm>,
    follows: [f64; JOINTS],
    trace: Vec<Turn>,
    told: Vec<PostedEvent>,
}

impl Bench<'_, '_, '_> {
    fn turns(&mut self, count: usize) {
        for _ in 0..count {
            for (joint, follows) in self.follows.iter().enumerate() {
                let (sent, sensed) = (self.rig.sent[joint], &mut self.rig.sensed[joint]);
                *sensed += (sent - *sensed) * follows;
            }
            let sensed = self.rig.sensed.clone();
            let number = self.rig.turn().turn;
            self.trace.push(Turn {
                number,
                sent: self.rig.sent[..JOINTS].to_vec(),
                sensed,
            });
            while let Some(event) = self.rig.manager.posted() {
                self.told.push(event);
            }
        }
    }

    /// The events of a guest, each with its turn and value.
    fn told_of(&self, guest: &str) -> Vec<(String, u64, f64)> {
        let of = self
            .told
            .iter()
            .filter(|item| item.guest.as_deref() == Some(guest));
        let word =
            |event: &PostedEvent| event.topic.split('/').next().unwrap_or_default().to_owned();
        of.map(|value| (word(value), value.turn, value.value))
            .collect()
    }

    /// What is to be told of a movement of these joints: the turn of its arrival, then how it ends. `first` is the
    /// first turn after the arrival in which sensors count.
    fn expected(&self, moved: &[usize], first: u64) -> (u64, (&'static str, u64, f64)) {
        let mut changes = self.trace.windows(2).filter(|pair| {
            moved
                .iter()
                .any(|joint| pair[0].sent[*joint] != pair[1].sent[*joint])
        });
        let arrived = changes.next_back().expect("it moved")[1].number + 1;
        let distance = |turn: &Turn, joint: usize| (turn.sent[joint] - turn.sensed[joint]).abs();
        let mut inside = 0;
        let later = self
            .trace
            .iter()
            .filter(|trace| trace.number >= arrived + first);
        for (count, turn) in later.enumerate() {
            let farthest = moved
                .iter()
                .map(|item| distance(turn, *item))
                .fold(0.0, f64::max);
            inside = if farthest <= TOLERANCE { inside + 1 } else { 0 };
            if inside == STILL {
                let since = (turn.number - arrived) as f64 * 1e-3;
                return (arrived, ("settled", turn.number, since));
            }
            if count + 1 == PATIENCE {
                return (arrived, ("unsettled", turn.number, farthest));
            }
        }
        panic!("the trace is too short");
    }
}

fn bench(form: CodeForm, f: impl Fn(&mut Bench<'_, '_, '_>)) {
    let gains = Gains {
        p: 8.0,
        i: 2.0,
        d: 1.0,
    };
    let plan = Plan {
        joints: JOINTS,
        measured: true,
        gains: Some(gains),
        ..Plan::of(form)
    };
    with_rig(&plan, |rig| {
        let mut bench = Bench {
            rig,
            follows: [1.0; JOINTS],
            trace: Vec::new(),
            told: Vec::new(),
        };
        bench.turns(2);
        f(&mut bench);
    });
}

/// Commands for joints, each a value at so many ms from now.
fn commands(of: &[(usize, f64, u64)]) -> String {
    let mut text = String::new();
    for (joint, value, ms) in of {
        let after = ms * 1_000_000;
        write!(
            text,
            "(drop (call $commands.set (i32.const {joint}) (f64.const {value})
               (i64.add (call $clock.now) (i64.const {after}))))"
        )
        .expect("a string");
    }
    text
}

/// A guest that sends these commands when it begins, and ends with them or stays.
fn mover(of: &[(usize, f64, u64)], stays: bool) -> String {
    let commands = commands(of);
    let hook = if stays {
        r#"(func (export "pre-process"))"#
    } else {
        ""
    };
    module(&format!(r#"(func (export "start") {commands}) {hook}"#))
}

fn load(bench: &mut Bench<'_, '_, '_>, name: &str, text: &str) -> GuestId {
    let options = LoadOptions {
        name: Some(name.to_owned()),
        ..LoadOptions::default()
    };
    bench.rig.guest_with(text, &options)
}

fn random_moves(random: &mut fastrand::Rng) -> Vec<(usize, f64, u64)> {
    let joints = random.usize(1..JOINTS);
    let mut all = Vec::new();
    for joint in 0..joints {
        let mut at = 0;
        for _ in 0..random.usize(1..4) {
            at += random.u64(2..80);
            all.push((joint, random.f64() * 4.0 - 2.0, at));
        }
    }
    all
}

fn near(told: &(String, u64, f64), expected: (&str, u64, f64)) -> bool {
    (told.0.as_str(), told.1) == (expected.0, expected.1) && (told.2 - expected.2).abs() < 1e-9
}

#[test]
fn movements_arrive_and_settle_when_the_sensors_say_so() {
    for form in FORMS {
        let mut random = fastrand::Rng::with_seed(24);
        for case in 0..(12 * tests::effort()).min(24) {
            let (moves, stays) = (random_moves(&mut random), random.bool());
            let follows: [f64; JOINTS] = std::array::from_fn(|_| match random.u32(0..8) {
                0 => 0.0,
                _ => 0.001 + random.f64().powi(3),
            });
            bench(form, |bench| {
                bench.follows = follows;
                let id = load(bench, "mover", &mover(&moves, stays));
                bench.turns(300 + PATIENCE + STILL);
                let told = bench.told_of("mover");
                let mut moved: Vec<_> = moves.iter().map(|movement| movement.0).collect();
                moved.dedup();
                let (arrived, end) = bench.expected(&moved, u64::from(stays));
                let what = format!("case {case}: {moves:?} {follows:?} {stays}: {told:?}");
                assert_eq!(told[0].0, "started", "{what}");
                assert!(
                    near(&told[1], ("arrived", arrived, 0.0)),
                    "{arrived} {what}"
                );
                let rest: Vec<_> = told[2..].iter().filter(|pair| pair.0 != "ended").collect();
                assert!(rest.len() == 1 && near(rest[0], end), "{end:?} {what}");
                let ended = told.iter().find(|pair| pair.0 == "ended");
                assert_eq!(ended.is_some(), !stays, "{what}");
                if let Some(ended) = ended {
                    assert_eq!((ended.1, ended.2), (arrived, 0.0), "{what}");
                    assert_eq!(bench.rig.fate(id).0, GuestLife::Gone);
                }
            });
        }
    }
}

#[test]
fn what_is_stopped_does_not_arrive() {
    for form in FORMS {
        bench(form, |bench| {
            let id = load(bench, "mover", &mover(&[(0, 1.0, 200)], true));
            bench.turns(50);
            bench.rig.manager.end(id).expect("it is there");
            bench.turns(PATIENCE + STILL);
            let words: Vec<_> = bench
                .told_of("mover")
                .into_iter()
                .map(|row| (row.0, row.2))
                .collect();
            let expected = [("started".to_owned(), 0.0), ("ended".to_owned(), 1.0)];
            assert_eq!(words, expected);
        });
    }
}

#[test]
fn what_is_set_in_every_turn_arrives_when_it_stays_the_same() {
    // 50 turns of motion, 60 of rest, 50 of motion, then rest.
    let text = module(
        r#"(global $turn (mut f64) (f64.const 0)) (global $value (mut f64) (f64.const 0))
        (func (export "pre-process")
          (global.set $turn (f64.add (global.get $turn) (f64.const 1)))
          (if (i32.or (f64.lt (global.get $turn) (f64.const 50))
                      (i32.and (f64.gt (global.get $turn) (f64.const 110)) (f64.lt (global.get $turn) (f64.const 160))))
            (then (global.set $value (f64.add (global.get $value) (f64.const 0.01)))))
          (drop (call $commands.set (i32.const 1) (global.get $value) (call $clock.now))))"#,
    );
    for form in FORMS {
        bench(form, |bench| {
            load(bench, "driver", &text);
            bench.turns(600);
            let (last, _) = bench.expected(&[1], 1);
            let told = bench.told_of("driver");
            let words: Vec<_> = told.iter().map(|pair| (pair.0.as_str(), pair.1)).collect();
            // `last` is the first turn without a change.
            let arrived = last + STILL as u64 - 1;
            let settled = arrived + STILL as u64;
            assert_eq!(words[1..], [("arrived", arrived), ("settled", settled)]);
        });
    }
}

#[test]
fn what_another_guest_takes_away_is_not_waited_for() {
    for form in FORMS {
        bench(form, |bench| {
            bench.follows = [1.0, 0.0, 1.0, 1.0];
            load(bench, "mover", &mover(&[(0, 1.0, 20), (1, 1.0, 20)], true));
            bench.turns(60);
            // The joint that is stuck goes on, but not for the one that has arrived.
            let options = LoadOptions {
                name: Some("other".to_owned()),
                priority: Some(50.0),
                ..LoadOptions::default()
            };
            bench
                .rig
                .guest_with(&mover(&[(1, 2.0, 300)], true), &options);
            bench.turns(400);
            let words: Vec<_> = bench
                .told_of("mover")
                .into_iter()
                .map(|pair| pair.0)
                .collect();
            assert_eq!(words, ["started", "arrived", "settled"]);
            let words: Vec<_> = bench
                .told_of("other")
                .into_iter()
                .map(|pair| pair.0)
                .collect();
            assert_eq!(words, ["started", "arrived"]);
        });
    }
}

/// A guest that drives a joint by 0.001 a turn for so many turns, and then holds it.
fn driver(turns: u32) -> String {
    module(&format!(
        r#"(global $turn (mut f64) (f64.const 0)) (global $value (mut f64) (f64.const 0))
        (func (export "pre-process")
          (global.set $turn (f64.add (global.get $turn) (f64.const 1)))
          (if (f64.lt (global.get $turn) (f64.const {turns}))
            (then (global.set $value (f64.add (global.get $value) (f64.const 0.001)))))
          (drop (call $commands.set (i32.const 1) (global.get $value) (call $clock.now))))"#
    ))
}

fn words(bench: &Bench<'_, '_, '_>, guest: &str) -> Vec<String> {
    bench
        .told_of(guest)
        .into_iter()
        .map(|pair| pair.0)
        .collect()
}

#[test]
fn the_time_of_a_paused_guest_stands_still() {
    for form in FORMS {
        bench(form, |bench| {
            let id = load(bench, "driver", &driver(300));
            bench.turns(100);
            bench.rig.manager.pause(id, true).expect("it is there");
            bench.turns(3 * PATIENCE);
            assert_eq!(words(bench, "driver"), ["started"]);
            bench.rig.manager.pause(id, false).expect("it is there");
            bench.turns(800);
            assert_eq!(words(bench, "driver"), ["started", "arrived", "settled"]);
        });
    }
}

#[test]
fn a_guest_that_another_one_hides_arrives_when_it_is_seen_again() {
    for form in FORMS {
        bench(form, |bench| {
            load(bench, "driver", &driver(400));
            bench.turns(50);
            let options = LoadOptions {
                name: Some("above".to_owned()),
                priority: Some(50.0),
                ..LoadOptions::default()
            };
            let above = bench
                .rig
                .guest_with(&mover(&[(1, 0.5, 20)], true), &options);
            bench.turns(2_000);
            assert_eq!(words(bench, "driver"), ["started"]);
            bench.rig.manager.end(above).expect("it is there");
            bench.turns(2_000);
            assert_eq!(words(bench, "driver"), ["started", "arrived", "settled"]);
        });
    }
}

#[test]
fn what_others_do_to_a_constant_value_is_no_movement_of_its_guest() {
    for form in FORMS {
        bench(form, |bench| {
            load(bench, "driver", &driver(50));
            bench.turns(500);
            let before = words(bench, "driver");
            let options = LoadOptions {
                name: Some("beside".to_owned()),
                ..LoadOptions::default()
            };
            let beside = bench.rig.guest_with(&driver(20), &options);
            bench.turns(300);
            for weight in [0.5, 0.1, 1.0] {
                let tuned = bench
                    .rig
                    .manager
                    .tune(beside, &Default::default(), None, Some(weight));
                tuned.expect("it is there");
                bench.turns(300);
            }
            assert_eq!(words(bench, "driver"), before);
        });
    }
}

/// A show whose values stay the same for a while is still playing.
#[test]
fn a_show_arrives_at_its_end_alone() {
    let lines = [(0, 0.0), (200, 1.0), (700, 1.0), (900, 0.5)];
    let lines = lines.map(|(ms, value)| guests::TimedCommand {
        actuator: 0,
        at: ms * 1_000_000,
        value,
    });
    let show = guests::CompiledShow {
        actuators: vec!["J1".to_owned()],
        lines: lines.to_vec(),
        ..guests::CompiledShow::default()
    };
    let bytes = show.component().expect("a component");
    for form in FORMS {
        bench(form, |bench| {
            let options = LoadOptions {
                name: Some("show".to_owned()),
                ..LoadOptions::default()
            };
            let loaded = bench.rig.load(&bytes, &tests::rig::everything(), &options);
            loaded.expect("a sound show");
            bench.turns(1_500);
            let told = bench.told_of("show");
            let words: Vec<_> = told.iter().map(|pair| pair.0.as_str()).collect();
            assert_eq!(words, ["started", "arrived", "ended", "settled"]);
            assert!(told[1].1 > 900, "{told:?}");
        });
    }
}

#[test]
fn a_version_that_takes_over_is_no_end_and_no_beginning() {
    for form in FORMS {
        bench(form, |bench| {
            let old = load(bench, "mover", &mover(&[(0, 1.0, 500)], true));
            bench.turns(20);
            let new = tests::rig::component(&mover(&[(0, 2.0, 30)], true));
            let (grant, options) = (tests::rig::everything(), LoadOptions::default());
            let new = bench.rig.prepare(&new, &grant).expect("it is sound");
            let options = LoadOptions {
                name: Some("mover".to_owned()),
                ..options
            };
            let fade = cycle::Span::from_millis(10);
            let swapped = bench.rig.manager.swap(old, &new, &grant, &options, fade);
            swapped.expect("it is there");
            bench.turns(400);
            let words: Vec<_> = bench
                .told_of("mover")
                .into_iter()
                .map(|pair| pair.0)
                .collect();
            assert_eq!(words, ["started", "arrived", "settled"]);
        });
    }
}

/// A guest of another name is another guest: whoever waits for the end of the first hears of it.
#[test]
fn a_guest_of_another_name_is_an_end_and_a_beginning() {
    for form in FORMS {
        bench(form, |bench| {
            let old = load(bench, "first", &mover(&[(0, 1.0, 500)], true));
            bench.turns(20);
            let new = tests::rig::component(&mover(&[(0, 2.0, 30)], true));
            let grant = tests::rig::everything();
            let new = bench.rig.prepare(&new, &grant).expect("it is sound");
            let options = LoadOptions {
                name: Some("second".to_owned()),
                ..LoadOptions::default()
            };
            let fade = cycle::Span::from_millis(10);
            let swapped = bench.rig.manager.swap(old, &new, &grant, &options, fade);
            swapped.expect("it is there");
            bench.turns(400);
            assert_eq!(words(bench, "second"), ["started", "arrived", "settled"]);
            assert_eq!(words(bench, "first"), ["started", "ended"]);
            let ended = bench.told_of("first").pop().expect("an event");
            assert_eq!(ended.2, 1.0);
        });
    }
}

/// Sensors of a limp joint show where it is, and so does what is sent to it; but it is not where it was wanted.
#[test]
fn a_joint_without_force_does_not_settle() {
    for form in FORMS {
        for (stays, limp) in [(true, true), (false, true), (true, false), (false, false)] {
            bench(form, |bench| {
                if limp {
                    let hook =
                        "(func (export \"pre-process\") (drop (call $lane.set-gains (i32.const 0)
                        (f64.const 0) (f64.const 0) (f64.const 0) (f64.const 1))))";
                    let options = LoadOptions {
                        priority: Some(50.0),
                        ..LoadOptions::default()
                    };
                    bench.rig.guest_with(&module(hook), &options);
                    bench.turns(5);
                }
                load(bench, "mover", &mover(&[(0, 5.0, 50), (1, 3.0, 50)], stays));
                bench.turns(300 + PATIENCE + STILL);
                let told = bench.told_of("mover");
                let last = told.iter().rfind(|pair| pair.0 != "ended").expect("events");
                match limp {
                    true => assert_eq!((last.0.as_str(), last.2), ("unsettled", 5.0), "{told:?}"),
                    false => assert_eq!(last.0, "settled", "{told:?}"),
                }
            });
        }
    }
}

#[test]
fn the_emergency_stop_is_told_and_stops_the_time_of_movements() {
    for form in FORMS {
        bench(form, |bench| {
            load(bench, "mover", &mover(&[(0, 1.0, 100)], true));
            bench.turns(50);
            bench.rig.cycle.stage().press_stop().expect("it runs");
            bench.turns(250);
            bench
                .rig
                .cycle
                .stage()
                .release_stop()
                .expect("it is pressed");
            bench.turns(10);
            let own = |bench: &Bench<'_, '_, '_>| -> Vec<_> {
                let own = bench
                    .told
                    .iter()
                    .filter(|event| event.is_own && event.guest.is_none());
                own.map(|event| (event.topic.clone(), (event.value * 1e3).round()))
                    .collect()
            };
            let expected = [
                ("estop/pressed".to_owned(), 0.0),
                ("estop/released".to_owned(), 250.0),
            ];
            assert_eq!(own(bench), expected);
            assert_eq!(bench.told_of("mover").len(), 1, "it waits for the body");
        });
    }
}

#[test]
fn guests_do_not_post_to_the_topics_of_the_robot() {
    let text = |topic: &str| {
        module(&format!(
            r#"(memory (export "memory") 1) (data (i32.const 0) "{topic}")
            (global $topic (mut i32) (i32.const 0))
            (func (export "start") (global.set $topic (call $events.topic (i32.const 0) (i32.const {}))))
            (func (export "pre-process") (drop (call $commands.set (i32.const 0)
              (f64.convert_i32_u (call $events.post (global.get $topic) (f64.const 1))) (call $clock.now))))"#,
            topic.len()
        ))
    };
    const FORBIDDEN: f64 = 2.0;
    for form in FORMS {
        let posts = [
            ("settled/a", true),
            ("estop/pressed", true),
            ("estop/start", false),
            ("arrived", false),
        ];
        for (topic, is_own) in posts {
            bench(form, |bench| {
                load(bench, "poster", &text(topic));
                bench.turns(5);
                let answer = bench.rig.sent[0];
                assert_eq!(answer == 0.0, !is_own, "{topic}: {answer}");
                assert!(!is_own || answer == FORBIDDEN, "{topic}: {answer}");
                let posted = bench
                    .told
                    .iter()
                    .any(|event| !event.is_own && event.topic == topic);
                assert_eq!(posted, !is_own, "{topic}");
            });
        }
    }
}

#[test]
fn a_guest_that_stands_where_it_is_sent_arrives_when_it_ends() {
    // It drives a joint in 20 turns, to where it is already, and ends itself.
    let text = module(
        r#"(global $turn (mut i32) (i32.const 0))
        (func (export "pre-process")
          (global.set $turn (i32.add (global.get $turn) (i32.const 1)))
          (drop (call $commands.set (i32.const 1) (f64.const 0) (call $clock.now))))
        (func (export "is-alive") (result i32) (i32.lt_u (global.get $turn) (i32.const 20)))"#,
    );
    for form in FORMS {
        bench(form, |bench| {
            load(bench, "stand", &text);
            bench.turns(400);
            let told = bench.told_of("stand");
            let words: Vec<_> = told.iter().map(|pair| pair.0.as_str()).collect();
            assert_eq!(words, ["started", "arrived", "ended", "settled"]);
            assert!((told[3].2 - STILL as f64 * 1e-3).abs() < 0.002, "{told:?}");
        });
    }
}

#[test]
fn what_ends_itself_before_it_is_there_has_not_arrived() {
    let commands = commands(&[(1, 1.0, 200)]);
    let text = module(&format!(
        r#"(global $turn (mut i32) (i32.const 0))
        (func (export "start") {commands})
        (func (export "pre-process") (global.set $turn (i32.add (global.get $turn) (i32.const 1))))
        (func (export "is-alive") (result i32) (i32.lt_u (global.get $turn) (i32.const 50)))"#
    ));
    for form in FORMS {
        bench(form, |bench| {
            load(bench, "mover", &text);
            bench.turns(PATIENCE + STILL);
            assert_eq!(words(bench, "mover"), ["started", "ended"]);
        });
    }
}

/// Guests that post without end keep neither each other nor the robot from the log, and what is not logged is counted.
#[test]
fn guests_that_post_without_end_hide_nothing_that_the_robot_tells() {
    bench(CodeForm::InPlace, |bench| {
        let flood = |name: &str| {
            let posts = "(drop (call $events.post (global.get $topic) (f64.const 1)))".repeat(60);
            module(&format!(
                r#"(memory (export "memory") 1) (data (i32.const 0) "flood/{name}")
                (global $topic (mut i32) (i32.const 0))
                (func (export "start") (global.set $topic (call $events.topic (i32.const 0) (i32.const {}))))
                (func (export "pre-process") {posts})"#,
                6 + name.len()
            ))
        };
        for name in ["a", "b"] {
            load(bench, name, &flood(name));
        }
        bench.turns(3_000);
        load(bench, "mover", &mover(&[(1, 2.0, 300)], true));
        bench.turns(1_000);
        let words: Vec<_> = bench
            .told_of("mover")
            .into_iter()
            .map(|pair| pair.0)
            .collect();
        assert_eq!(words, ["started", "arrived", "settled"]);
        let of = |name: &str| {
            let flood = format!("flood/{name}");
            bench
                .told
                .iter()
                .filter(move |item| item.topic == flood)
                .count()
        };
        // 4 s: all guests together 400 events at once and 100 in a second.
        assert!((of("a") + of("b")).abs_diff(400 + 4 * 100) < 5);
        assert!(
            of("a").abs_diff(of("b")) < 300,
            "{} and {}",
            of("a"),
            of("b")
        );
        let lost: u64 = bench.told.iter().map(|item| item.lost).sum();
        let count = bench.told.iter().filter(|item| item.lost > 0).count();
        assert!(lost > 300_000 && count <= 5, "{lost} in {count}");
    });
}
