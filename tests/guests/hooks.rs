//! What hooks do, and when it reaches the board.

use guests::{End, GuestLife, LoadOptions};

use crate::both;
use crate::text::module;

/// In this hook, sets J0 to twice the value of S0, now.
fn doubler(hook: &str) -> String {
    format!(
        r#"(module
        (import "dcm/sensors" "read" (func $read (param i32) (result f64)))
        (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
        (import "dcm/clock" "now" (func $now (result i64)))
        (func (export "{hook}")
          (drop (call $set (i32.const 0)
            (f64.mul (call $read (i32.const 0)) (f64.const 2))
            (call $now)))))"#
    )
}

#[test]
fn what_pre_process_sets_reaches_the_wire_in_that_very_turn() {
    both(|rig| {
        rig.guest(
            r#"(module
            (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
            (import "dcm/clock" "turn" (func $turn (result i64)))
            (import "dcm/clock" "now" (func $now (result i64)))
            (func (export "pre-process")
              (drop (call $set (i32.const 1) (f64.convert_i64_u (call $turn)) (call $now)))))"#,
        );
        for _ in 0..10 {
            let report = rig.turn();
            assert_eq!(rig.sent[1], report.turn as f64);
        }
    });
}

#[test]
fn post_process_sees_the_sensors_of_that_very_turn() {
    both(|rig| {
        rig.guest(&doubler("post-process"));
        rig.turn();
        for turn in 1..10 {
            rig.sensed[0] = f64::from(turn);
            rig.turn();
            // What it reads now is sent in the next turn.
            rig.sensed[0] = -1.0;
            rig.turn();
            assert_eq!(rig.sent[0], f64::from(turn) * 2.0);
        }
    });
}

#[test]
fn pre_process_sees_the_sensors_of_the_turn_before() {
    both(|rig| {
        rig.guest(&doubler("pre-process"));
        rig.sensed[0] = 3.0;
        rig.turn();
        rig.sensed[0] = 5.0;
        rig.turn();
        assert_eq!(rig.sent[0], 6.0);
        rig.turn();
        assert_eq!(rig.sent[0], 10.0);
    });
}

#[test]
fn a_guest_that_is_not_alive_ends_and_its_report_says_so() {
    both(|rig| {
        let id = rig.guest(
            r#"(module
            (global $left (mut i32) (i32.const 3))
            (func (export "is-alive") (result i32)
              (global.set $left (i32.sub (global.get $left) (i32.const 1)))
              (i32.gt_s (global.get $left) (i32.const 0))))"#,
        );
        rig.turns(2);
        assert_eq!(rig.fate(id), (GuestLife::Running, End::None));
        rig.turns(3);
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
        let kept = LoadOptions {
            keep: true,
            ..LoadOptions::default()
        };
        let stays = rig.guest_with(
            r#"(module (func (export "is-alive") (result i32) (i32.const 0)))"#,
            &kept,
        );
        rig.turns(10);
        assert_eq!(rig.fate(stays), (GuestLife::Running, End::None));
    });
}

#[test]
fn nobody_takes_the_topics_of_all_others() {
    // Subscribes to 2,000 topics; traps if it gets more than 64 of them.
    let greedy = module(
        r#"(memory (export "memory") 1)
        (func (export "start") (local $left i32) (local $got i32)
          (local.set $left (i32.const 2000))
          (loop $on
            (i32.store (i32.const 0) (i32.add (i32.const 0x41414141)
              (i32.add (i32.and (local.get $left) (i32.const 15))
                (i32.add (i32.shl (i32.and (i32.shr_u (local.get $left) (i32.const 4)) (i32.const 15)) (i32.const 8))
                  (i32.shl (i32.and (i32.shr_u (local.get $left) (i32.const 8)) (i32.const 15)) (i32.const 16))))))
            (if (i32.ne (call $events.topic (i32.const 0) (i32.const 4)) (i32.const -1))
              (then (local.set $got (i32.add (local.get $got) (i32.const 1)))))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $on (local.get $left)))
          (if (i32.ne (local.get $got) (i32.const 64)) (then (unreachable))))
        (func (export "pre-process"))"#,
    );
    let modest = module(
        r#"(memory (export "memory") 1) (data (i32.const 0) "clap")
        (func (export "start")
          (if (i32.eq (call $events.topic (i32.const 0) (i32.const 4)) (i32.const -1)) (then (unreachable))))
        (func (export "pre-process"))"#,
    );
    both(|rig| {
        rig.guest(&greedy);
        rig.guest(&modest);
        rig.turns(2);
    });
}

#[test]
fn it_is_asked_whether_it_lives_between_two_updates_and_is_updated_no_more_if_not() {
    // Shows its last three calls as digits, 1 for `is-alive` and 2 for `pre-process`; and how often each was called.
    let text = |lives: u32| {
        module(&format!(
            r#"(global $last (mut i32) (i32.const 0))
            (global $asked (mut i32) (i32.const 0)) (global $updated (mut i32) (i32.const 0))
            (func $note (param $digit i32)
              (global.set $last (i32.rem_u (i32.add (i32.mul (global.get $last) (i32.const 10))
                (local.get $digit)) (i32.const 1000))))
            (func (export "is-alive") (result i32)
              (call $note (i32.const 1))
              (global.set $asked (i32.add (global.get $asked) (i32.const 1)))
              (i32.lt_u (global.get $asked) (i32.const {lives})))
            (func (export "pre-process")
              (call $note (i32.const 2))
              (global.set $updated (i32.add (global.get $updated) (i32.const 1)))
              (drop (call $commands.set (i32.const 0) (f64.convert_i32_u (global.get $last)) (call $clock.now)))
              (drop (call $commands.set (i32.const 1) (f64.convert_i32_u (global.get $asked)) (call $clock.now)))
              (drop (call $commands.set (i32.const 2) (f64.convert_i32_u (global.get $updated)) (call $clock.now))))"#
        ))
    };
    both(|rig| {
        let id = rig.guest(&text(1_000));
        rig.turn();
        assert_eq!(rig.sent[..3], [2.0, 0.0, 1.0]);
        for turn in 2..100 {
            rig.turn();
            let turn = f64::from(turn);
            assert_eq!(rig.sent[..3], [212.0, turn - 1.0, turn]);
        }
        rig.manager.end(id).expect("it is there");
        rig.turns(3);
        let id = rig.guest(&text(2));
        rig.turns(10);
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
        assert_eq!(
            rig.sent[..3],
            [212.0, 1.0, 2.0],
            "it was updated after it had ended"
        );
    });
}
