//! Scores: one long `run` on a thread of its own. They send commands ahead, sleep until instants, come late; no command
//! is lost.

use std::time::{Duration, Instant};

use guests::{CodeForm, End, Grant, GuestId, GuestLife, LoadOptions};
use tests::rig::{Plan, Rig, everything, with_rig};

use crate::both;
use crate::text::{guest, hears, module};

fn score(body: &str) -> String {
    module(&format!(r#"(func (export "run") (local $i i64) {body})"#))
}

/// Does this for i = 1 to this number.
fn times(count: u32, what: &str) -> String {
    format!(
        "(loop $on (local.set $i (i64.add (local.get $i) (i64.const 1))) {what}
        (br_if $on (i64.lt_u (local.get $i) (i64.const {count}))))"
    )
}

/// A loop that does not wait for scores, as on a robot.
fn alone(f: impl Fn(&mut Rig<'_, '_>)) {
    let plan = Plan {
        lockstep: None,
        ..Plan::of(CodeForm::InPlace)
    };
    with_rig(&plan, f);
}

fn wait(rig: &mut Rig<'_, '_>, mut done: impl FnMut(&mut Rig<'_, '_>) -> bool) {
    rig.until(usize::MAX, |rig| {
        std::thread::sleep(Duration::from_micros(100));
        done(rig)
    });
}

fn life(rig: &Rig<'_, '_>, id: GuestId) -> GuestLife {
    rig.fate(id).0
}

#[test]
fn a_whole_choreography_is_sent_ahead_even_if_it_is_more_than_the_lane_has_room_for() {
    both(|rig| {
        // 10,000 commands, one for each future turn.
        let id = rig.guest(&score(&format!(
            "(local $begin i64) (local.set $begin (call $clock.now)) {}",
            times(
                10_000,
                "(drop (call $commands.set (i32.const 0)
                (f64.convert_i64_u (i64.rem_u (local.get $i) (i64.const 1000)))
                (i64.add (local.get $begin) (i64.mul (local.get $i) (i64.const 1000000)))))"
            )
        )));
        let begun = rig.now.nanos() / 1_000_000;
        rig.turns(2);
        for _ in 0..9_990 {
            rig.turn();
            let at = rig.now.nanos() / 1_000_000;
            let place = at - begun;
            // The first may arrive a turn late; every other is in time.
            assert_eq!(rig.sent[0], (place % 1000) as f64, "at {place}");
        }
        rig.turns(20);
        let (life, end) = rig.fate(id);
        assert_eq!((life, end), (GuestLife::Gone, End::Finished));
        let figures = rig.status(id).figures;
        assert_eq!((figures.commands, figures.refused), (10_000, 0));
    });
}

#[test]
fn a_clear_overtakes_what_the_loop_has_not_taken_yet() {
    both(|rig| {
        let each = |joint: u32| {
            format!(
                "(drop (call $commands.set (i32.const {joint}) (f64.convert_i64_u (local.get $i))
                (i64.add (local.get $begin) (i64.mul (local.get $i) (i64.const 1000000)))))"
            )
        };
        // 500 commands for a joint, and 8,000 for another: more than the lane has room for. After 100 turns the second
        // joint is cleared, and set.
        let id = rig.guest(&score(&format!(
            "(local $begin i64) (local.set $begin (call $clock.now)) {} (local.set $i (i64.const 0)) {}
            (drop (call $clock.sleep-until (i64.add (local.get $begin) (i64.const 100000000))))
            (drop (call $commands.clear (i32.const 0)))
            (drop (call $commands.set (i32.const 0) (f64.const 777) (call $clock.now)))",
            times(500, &each(1)),
            times(8_000, &each(0)),
        )));
        let begun = rig.now.nanos() / 1_000_000;
        rig.turns(2);
        for _ in 0..600 {
            rig.turn();
            let place = rig.now.nanos() / 1_000_000 - begun;
            assert_eq!(rig.sent[1], place.min(500) as f64, "the other at {place}");
            match place {
                ..100 => assert_eq!(rig.sent[0], place as f64, "at {place}"),
                // The turn in which it wakes, and the one that takes what it has sent then.
                100..103 => {}
                _ => assert_eq!(rig.sent[0], 777.0, "at {place}"),
            }
        }
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
    });
}

#[test]
fn it_sleeps_until_the_instant_and_goes_on() {
    both(|rig| {
        let id = rig.guest(&score(&times(
            50,
            "(drop (call $clock.sleep-until (i64.mul (i64.div_u
                (i64.add (call $clock.now) (i64.const 5000000)) (i64.const 5000000)) (i64.const 5000000))))
            (drop (call $commands.set (i32.const 1)
                (f64.convert_i64_u (i64.div_u (call $clock.now) (i64.const 1000000))) (call $clock.now)))",
        )));
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..300 {
            rig.turn();
            seen.insert(rig.sent[1] as u64);
        }
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
        // In virtual time the loop waits for it: it wakes up in every fifth turn, never between.
        seen.remove(&0);
        assert_eq!(seen.len(), 50, "{seen:?}");
        assert!(seen.iter().all(|value| value % 5 == 0), "{seen:?}");
    });
}

#[test]
fn what_comes_late_is_taken_and_told() {
    both(|rig| {
        rig.turns(300);
        let id = rig.guest(&score(&times(
            200,
            "(drop (call $commands.set (i32.const 0) (f64.convert_i64_u (local.get $i))
                (i64.add (i64.sub (call $clock.now) (i64.const 250000000))
                  (i64.mul (local.get $i) (i64.const 1000000)))))",
        )));
        rig.turns(5);
        assert_eq!(rig.sent[0], 200.0);
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
        let figures = rig.status(id).figures;
        assert_eq!(
            (figures.commands, figures.late, figures.refused),
            (200, 200, 0)
        );
    });
}

#[test]
fn the_loop_goes_on_while_it_thinks() {
    alone(|rig| {
        let id = rig.guest(&score(&format!(
            "{} (drop (call $commands.set (i32.const 0) (f64.const 5) (call $clock.now)))",
            times(400_000_000, "")
        )));
        let begun = Instant::now();
        rig.turns(100);
        assert_eq!((life(rig, id), rig.sent[0]), (GuestLife::Running, 0.0));
        assert!(begun.elapsed() < Duration::from_secs(5));
        rig.manager.end(id).expect("it is there");
        wait(rig, |rig| life(rig, id) == GuestLife::Gone);
        assert_eq!(rig.fate(id).1, End::Stopped);
    });
}

#[test]
fn each_has_an_instance_of_its_own() {
    both(|rig| {
        let text = |joint: u32| {
            module(&format!(
                r#"(global $count (mut f64) (f64.const 0))
                (func (export "run") (local $i i64)
                  {}
                  (drop (call $commands.set (i32.const {joint}) (global.get $count) (call $clock.now)))
                  (drop (call $clock.sleep-until (i64.const -1))))"#,
                times(
                    100,
                    "(global.set $count (f64.add (global.get $count) (f64.const 1)))"
                )
            ))
        };
        let ids = [0, 1, 2].map(|i| rig.guest(&text(i)));
        rig.turns(5);
        assert_eq!(rig.sent[..3], [100.0; 3]);
        for id in ids {
            rig.manager.end(id).expect("it is there");
        }
        rig.turns(3);
        assert_eq!(
            ids.map(|id| rig.fate(id)),
            [(GuestLife::Gone, End::Stopped); 3]
        );
    });
}

#[test]
fn the_same_choreography_may_play_twice_at_once() {
    both(|rig| {
        let bytes = guest(
            r#"(func (export "run") (drop (call $clock.sleep-until (i64.const 50000000000))))"#,
        );
        let choreography = rig.prepare(&bytes, &everything()).expect("a score");
        let bring = || {
            rig.manager
                .load(&choreography, &everything(), &LoadOptions::default())
        };
        let ids = [bring().expect("a score"), bring().expect("a score")];
        rig.turns(3);
        assert_eq!(ids.map(|id| life(rig, id)), [GuestLife::Running; 2]);
        for id in ids {
            rig.manager.end(id).expect("it is there");
        }
        rig.turns(3);
        assert_eq!(ids.map(|id| life(rig, id)), [GuestLife::Gone; 2]);
    });
}

#[test]
fn it_is_paused_and_goes_on_from_where_it_was() {
    both(|rig| {
        let id = rig.guest(&score(&times(
            1_000,
            "(drop (call $clock.sleep-until (i64.add (call $clock.now) (i64.const 1000000))))
            (drop (call $commands.set (i32.const 0) (f64.convert_i64_u (local.get $i)) (call $clock.now)))",
        )));
        rig.turns(20);
        rig.manager.pause(id, true).expect("it is there");
        rig.turn();
        let paused = rig.sent[0];
        rig.manager.set_priority(id, 50.0).expect("it is there");
        rig.turns(20);
        assert_eq!((rig.sent[0], life(rig, id)), (paused, GuestLife::Paused));
        rig.manager.pause(id, false).expect("it is there");
        rig.turns(3);
        assert!(
            (paused..=paused + 3.0).contains(&rig.sent[0]),
            "{} after {paused}",
            rig.sent[0]
        );
        rig.turns(10);
        assert!(
            (paused + 10.0..=paused + 13.0).contains(&rig.sent[0]),
            "{} after {paused}",
            rig.sent[0]
        );
        rig.manager.end(id).expect("it is there");
        rig.turns(3);
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Stopped));
    });
}

#[test]
fn it_hears_its_end_in_its_sleep_and_in_its_work() {
    alone(|rig| {
        let sleeps = rig.guest(&score("(drop (call $clock.sleep-until (i64.const -1)))"));
        let works = rig.guest(&score("(loop $on (br $on))"));
        rig.turns(10);
        std::thread::sleep(Duration::from_millis(5));
        for id in [sleeps, works] {
            rig.manager.end(id).expect("it is there");
        }
        wait(rig, |rig| {
            [sleeps, works]
                .iter()
                .all(|item| life(rig, *item) == GuestLife::Gone)
        });
        assert_eq!([sleeps, works].map(|id| rig.fate(id).1), [End::Stopped; 2]);
    });
}

#[test]
fn it_goes_when_what_it_has_sent_is_played() {
    both(|rig| {
        let id = rig.guest(&score(
            "(drop (call $commands.set (i32.const 0) (f64.const 0) (call $clock.now)))
            (drop (call $commands.set (i32.const 0) (f64.const 40)
                (i64.add (call $clock.now) (i64.const 40000000))))",
        ));
        rig.turns(30);
        assert_eq!(life(rig, id), GuestLife::Running);
        rig.turns(20);
        assert_eq!(
            (rig.fate(id), rig.sent[0]),
            ((GuestLife::Gone, End::Finished), 40.0)
        );
    });
}

#[test]
fn the_events_of_many_scores_delay_nobody() {
    alone(|rig| {
        // One guest that posts events, and one that shows at J0 how many it receives.
        rig.guest(&module(
            r#"(func (export "pre-process") (drop (call $events.post (i32.const 1) (f64.const 1))))"#,
        ));
        let listener = rig.guest(&module(
            &(hears(3)
                + r#"(global $heard (mut f64) (f64.const 0))
            (func (export "pre-process")
              (loop $all (if (call $events.next) (then
                (if (i32.eq (call $events.current-topic) (i32.const 1)) (then
                  (global.set $heard (f64.add (global.get $heard) (f64.const 1)))))
                (br $all))))
              (drop (call $commands.set (i32.const 0) (global.get $heard) (call $clock.now))))"#),
        ));
        rig.turns(2);
        let floods: Vec<_> = (0..6)
            .map(|_| {
                rig.guest(&score(
                    "(loop $on (drop (call $events.post (i32.const 2) (f64.const 7))) (br $on))",
                ))
            })
            .collect();
        let mut before = rig.sent[0];
        for _ in 0..200 {
            std::thread::sleep(Duration::from_micros(100));
            rig.turn();
            assert_eq!(rig.sent[0], before + 1.0);
            before = rig.sent[0];
        }
        assert_eq!(rig.status(listener).figures.missed_events, 0);
        for id in floods {
            rig.manager.end(id).expect("it is there");
        }
        assert_eq!(life(rig, listener), GuestLife::Running);
    });
}

/// A score that uses much fuel in no time, with unused constants, and does this for ever.
fn burns(what: &str) -> String {
    let burn = "(drop (i32.const 1))".repeat(2_000);
    let often = "(call $burn)".repeat(20);
    module(&format!(
        r#"(func $burn {burn}) (func (export "run") (loop $on {often} {what} (br $on)))"#
    ))
}

#[test]
fn in_virtual_time_who_never_lets_it_pass_gets_no_new_fuel_and_ends() {
    // The robot's time stands still while the loop waits, so it never sleeps.
    let past = "(drop (call $clock.sleep-until (i64.const 0)))";
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        for what in [
            "",
            past,
            "(drop (call $clock.sleep-until (call $clock.now)))",
        ] {
            let id = rig.guest(&burns(what));
            let honest = rig.guest(&score(
                "(drop (call $commands.set (i32.const 0) (f64.const 7) (call $clock.now)))
                (drop (call $clock.sleep-until (i64.const -1)))",
            ));
            let begun = Instant::now();
            rig.turns(5);
            assert!(begun.elapsed() < Duration::from_secs(9), "{what}");
            assert_eq!(rig.fate(id), (GuestLife::Gone, End::OutOfFuel), "{what}");
            assert_eq!((life(rig, honest), rig.sent[0]), (GuestLife::Running, 7.0));
            rig.manager.end(honest).expect("it is there");
            wait(rig, |rig| life(rig, honest) == GuestLife::Gone);
        }
    });
}

#[test]
fn in_virtual_time_who_never_sleeps_costs_one_wait_and_no_more() {
    let plan = Plan {
        lockstep: Some(Duration::from_secs(2)),
        ..Plan::of(CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        // A call that cannot be interrupted, without using up what other tests need.
        let grant = Grant {
            wasi: crate::wasi::access(&["clocks"], None),
            ..everything()
        };
        let ids = [(); 2].map(|()| {
            let blocks = crate::leaving::blocks(14_000);
            let loaded = rig.load(&blocks, &grant, &LoadOptions::default());
            loaded.unwrap_or_else(|error| panic!("{error}"))
        });
        let mut long = 0;
        let begun = Instant::now();
        for _ in 0..20 {
            let turn = Instant::now();
            rig.turn();
            long += u32::from(turn.elapsed() >= Duration::from_secs(2));
        }
        assert_eq!(long, 1, "so many turns waited");
        assert!(begun.elapsed() < Duration::from_secs(15));
        for id in ids {
            let _ = rig.manager.end(id);
        }
        wait(rig, |rig| rig.scheduler.is_empty());
    });
}

#[test]
fn those_that_wait_for_the_next_turn_are_woken_by_every_turn() {
    both(|rig| {
        let ids = [0, 1, 2].map(|joint| {
            rig.guest(&score(&times(
                500,
                &format!(
                    "(drop (call $clock.sleep-until (i64.add (call $clock.now) (i64.const 1000000))))
                    (drop (call $commands.set (i32.const {joint})
                      (f64.convert_i64_u (local.get $i)) (call $clock.now)))"
                ),
            )))
        });
        rig.turns(5);
        for _ in 0..200 {
            let before = rig.sent.clone();
            rig.turn();
            let joints = rig.sent.iter().zip(&before).take(3).enumerate();
            for (joint, (sent, before)) in joints {
                assert_eq!(*sent, before + 1.0, "J{joint} was not woken");
            }
        }
        for id in ids {
            rig.manager.end(id).expect("it is there");
        }
        rig.turns(3);
        assert_eq!(ids.map(|id| life(rig, id)), [GuestLife::Gone; 3]);
    });
}
