//! Events between guests: who receives what, and from which turn on.

use guests::{GuestLife, LoadOptions};
use tests::rig::{Plan, everything, with_rig};

use crate::both;
use crate::text::{guest, hears, module};

/// Posts its turn's number on each of these topics, which have the first numbers.
fn speaker(topics: u32) -> String {
    let posts = (0..topics).map(|i| {
        format!(
            "(drop (call $events.post (i32.const {i}) (f64.const {})))",
            10 + i
        )
    });
    module(
        &(hears(topics)
            + &format!(
                r#"(func (export "pre-process") {})"#,
                posts.collect::<String>()
            )),
    )
}

/// Shows at J0 how many events it received in its first call, and at J1 in its second.
const NEWCOMER: &str = r#"
    (global $calls (mut i32) (i32.const 0))
    (func $heard (result f64) (local $heard f64)
      (loop $all (if (call $events.next) (then
        (local.set $heard (f64.add (local.get $heard) (f64.const 1))) (br $all))))
      (local.get $heard))
    (func $show
      (if (i32.lt_u (global.get $calls) (i32.const 2)) (then
        (drop (call $commands.set (global.get $calls) (f64.add (f64.const 100) (call $heard)) (call $clock.now)))
        (global.set $calls (i32.add (global.get $calls) (i32.const 1))))))"#;

#[test]
fn a_guest_that_has_waited_for_long_receives_no_old_events() {
    let motion = r#"(func (export "pre-process") (call $show))"#;
    let score = r#"(func (export "run") (call $show)
        (drop (call $clock.sleep-until (i64.add (call $clock.now) (i64.const 1000000)))) (call $show)
        (drop (call $clock.sleep-until (i64.const -1))))"#;
    both(|rig| {
        for (text, asks) in [(motion, "start"), (score, "run")] {
            let speaker = rig.guest(&speaker(1));
            rig.turns(3);
            rig.cycle.stage().hold().expect("it runs");
            rig.turns(3);
            let topic = "(drop (call $events.topic (i32.const 0) (i32.const 1)))";
            let memory = r#"(memory (export "memory") 1) (data (i32.const 0) "a")"#;
            let body = if asks == "start" {
                format!(r#"{memory} (func (export "start") {topic}) {NEWCOMER} {text}"#)
            } else {
                format!(
                    "{memory} {NEWCOMER} {}",
                    text.replacen("(call $show)", &format!("{topic} (call $show)"), 1)
                )
            };
            let id = rig.guest(&module(&body));
            rig.turns(50);
            assert_eq!(rig.fate(id).0, GuestLife::Armed);
            rig.cycle.stage().resume().expect("it holds");
            rig.until(50, |rig| rig.fate(id).0 == GuestLife::Running);
            rig.turns(5);
            // It may receive events of the turn before it started, but none from the time in which it waited.
            assert!((100.0..=101.0).contains(&rig.sent[0]), "{:?}", rig.sent);
            assert!((101.0..=102.0).contains(&rig.sent[1]), "{:?}", rig.sent);
            for item in [id, speaker] {
                rig.manager.end(item).expect("it is there");
            }
            rig.until(usize::MAX, |rig| rig.scheduler.is_empty());
        }
    });
}

#[test]
fn a_guest_hears_only_of_what_it_has_asked_for() {
    both(|rig| {
        rig.guest(&speaker(3));
        // It subscribes to `b` only; J0 shows how many events it received in a turn, J1 their values.
        rig.guest(&module(
            r#"(memory (export "memory") 1) (data (i32.const 0) "b")
            (func (export "start") (drop (call $events.topic (i32.const 0) (i32.const 1))))
            (func (export "pre-process") (local $heard f64) (local $sum f64)
              (loop $all (if (call $events.next) (then
                (local.set $heard (f64.add (local.get $heard) (f64.const 1)))
                (local.set $sum (f64.add (local.get $sum) (call $events.current-value)))
                (if (i32.ne (call $events.current-topic) (i32.const 1)) (then (unreachable)))
                (br $all))))
              (drop (call $commands.set (i32.const 0) (local.get $heard) (call $clock.now)))
              (drop (call $commands.set (i32.const 1) (local.get $sum) (call $clock.now))))"#,
        ));
        // It subscribes to nothing.
        rig.guest(&module(
            r#"(func (export "pre-process") (if (call $events.next) (then (unreachable))))"#,
        ));
        rig.turns(10);
        assert_eq!(rig.sent[..2], [1.0, 11.0]);
        assert_eq!(rig.scheduler.len(), 3);
    });
}

/// Subscribes to 64 topics of its own, named by its parameter; shows at J0 how many it got.
const GREEDY: &str = r#"
    (memory (export "memory") 1) (data (i32.const 8) "who")
    (global $got (mut f64) (f64.const 0))
    (func (export "start") (local $left i32)
      (i32.store8 (i32.const 0) (i32.add (i32.const 65) (i32.trunc_f64_u (call $params.get
        (call $params.declare (i32.const 8) (i32.const 3) (f64.const 0) (f64.const 0) (f64.const 60))))))
      (local.set $left (i32.const 64))
      (loop $on
        (i32.store8 (i32.const 1) (i32.add (i32.const 32) (local.get $left)))
        (if (i32.ne (call $events.topic (i32.const 0) (i32.const 2)) (i32.const -1))
          (then (global.set $got (f64.add (global.get $got) (f64.const 1)))))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br_if $on (local.get $left))))
    (func (export "pre-process")
      (drop (call $commands.set (i32.const 0) (global.get $got) (call $clock.now))))"#;

#[test]
fn topics_without_subscribers_are_used_again() {
    for form in tests::rig::FORMS {
        let plan = Plan {
            lanes: 24,
            room: 16,
            ..Plan::of(form)
        };
        with_rig(&plan, |rig| {
            let greedy = rig.prepare(&guest(GREEDY), &everything()).expect("a guest");
            let bring = |who: u32, rig: &mut tests::rig::Rig<'_, '_>| {
                let options = LoadOptions {
                    params: vec![("who".to_owned(), f64::from(who))],
                    priority: Some(f64::from(who)),
                    ..LoadOptions::default()
                };
                let id = rig.manager.load(&greedy, &everything(), &options);
                rig.turns(2);
                (id.expect("there is room"), rig.sent[0])
            };
            let mut ids = Vec::new();
            for who in 0..16 {
                let (id, got) = bring(who, rig);
                assert_eq!(got, 64.0, "{who}");
                ids.push(id);
            }
            let (late, got) = bring(16, rig);
            assert_eq!(got, 0.0);
            rig.manager.end(late).expect("it is there");
            // One guest ends: there is room for another with other names.
            rig.manager.end(ids[3]).expect("it is there");
            rig.turns(3);
            let (_, got) = bring(17, rig);
            assert_eq!(got, 64.0);
            let (_, got) = bring(18, rig);
            assert_eq!(got, 0.0);
        });
    }
}
