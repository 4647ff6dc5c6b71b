//! Commands: which instants are accepted, what waits and is taken all the same, what is cleared, and what an ending
//! guest is answered.

use cycle::REACH;
use guests::{End, GuestLife, Hook, LoadOptions};
use tests::rig::everything;

use crate::both;
use crate::text::{TELLER, guest, module, said};

/// Does this in its first `pre-process`, and reports the answers.
fn asks(what: &str) -> String {
    module(&format!(
        r#"{TELLER} (global $asked (mut i32) (i32.const 0))
        (func (export "pre-process")
          (if (global.get $asked) (then (return)))
          (global.set $asked (i32.const 1))
          {what} (call $told))"#
    ))
}

#[test]
fn instants_are_believed_within_reach_and_no_further() {
    let reach = REACH.nanos();
    let now = "(call $clock.now)";
    let later = |nanos: u64| format!("(i64.add {now} (i64.const {nanos}))");
    let earlier = |nanos: u64| format!("(i64.sub {now} (i64.const {nanos}))");
    let instants = [
        ("(i64.const -1)".to_owned(), 'f'),
        ("(i64.const 0x7fffffffffffffff)".to_owned(), 'f'),
        ("(i64.const 0)".to_owned(), 'a'),
        (now.to_owned(), 'a'),
        (later(reach), 'a'),
        (later(reach + 1), 'f'),
        (later(u64::MAX / 2), 'f'),
        // The robot's clock was 0 less than a second ago, so there was no such instant.
        (earlier(1_000_000_000), 'f'),
        (earlier(1), 'a'),
    ];
    let wanted: String = instants.iter().map(|instant| instant.1).collect();
    let ways = [
        "(call $say (call $commands.set (i32.const 0) (f64.const 1) AT))",
        "(call $say (call $commands.put (i32.const 1) (f64.const 1) AT (i32.const 0)))",
        "(i64.store (i32.const 0) (i64.const 2)) (f64.store (i32.const 8) (f64.const 1))
         (i64.store (i32.const 16) AT) (call $say (call $bulk.set-all (i32.const 0) (i32.const 3)))",
    ];
    both(|rig| {
        assert!(rig.now.nanos() < 900_000_000, "{:?}", rig.now);
        for way in ways {
            let all: String = instants
                .iter()
                .map(|instant| way.replace("AT", &instant.0))
                .collect();
            rig.guest(&asks(&all));
            rig.turns(2);
            assert_eq!(said(rig), [wanted.as_str()], "{way}");
        }
        // NaN does nothing, whatever its instant.
        rig.guest(&asks(
            "(call $say (call $commands.set (i32.const 0) (f64.const nan) (i64.const -1)))",
        ));
        rig.turns(2);
        assert_eq!(said(rig), ["a"]);
    });
}

#[test]
fn an_invalid_weight_is_answered_with_not_finite() {
    let weights = [
        ("1000.0001", 'e'),
        ("-0.0000001", 'e'),
        ("nan", 'e'),
        ("inf", 'e'),
        ("-inf", 'e'),
        ("1e300", 'e'),
        ("0", 'a'),
        ("-0", 'a'),
        ("0.5", 'a'),
        ("1", 'a'),
        ("3", 'a'),
        ("1000", 'a'),
    ];
    let ways = [
        "(call $lane.set-weight (f64.const W))",
        "(call $lane.set-weight-on (i32.const 0) (f64.const W))",
        "(call $lane.drive (i32.const 0) (f64.const 3) (f64.const W))",
    ];
    let gains = "(call $lane.set-gains (i32.const 0) (f64.const 1) (f64.const 1) (f64.const 1) (f64.const W))";
    let all = |way: &str| {
        let one = |pair: &(&str, char)| format!("(call $say {})", way.replace('W', pair.0));
        weights.iter().map(one).collect::<String>()
    };
    let wanted: String = weights.iter().map(|weight| weight.1).collect();
    both(|rig| {
        for way in ways {
            rig.guest(&asks(&all(way)));
            rig.turns(2);
            assert_eq!(said(rig), [wanted.as_str()], "{way}");
        }
        // This body's joints have no gains: an invalid weight is refused before that.
        let wanted = wanted.replace('a', "i");
        let id = rig.guest(&asks(&all(gains)));
        rig.turns(2);
        assert_eq!(said(rig), [wanted.as_str()]);
        let refused = wanted.matches('e').count() as u64;
        assert_eq!(rig.status(id).figures.refused, refused);
    });
}

#[test]
fn all_that_was_laid_down_in_start_is_taken_however_many_turns_it_takes() {
    // In descending time, each of them passes all that wait. The values alternate between 0 and 10.
    let text = module(
        r#"(func (export "start") (local $left i32) (local.set $left (i32.const 4096))
          (loop $on
            (if (call $commands.set (i32.const 1)
                (f64.mul (f64.const 10) (f64.convert_i32_u (i32.and (local.get $left) (i32.const 1))))
                (i64.add (call $clock.now)
                  (i64.mul (i64.extend_i32_u (i32.add (local.get $left) (i32.const 800))) (i64.const 1000000))))
              (then (unreachable)))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $on (local.get $left))))"#,
    );
    both(|rig| {
        let begun = rig.now.nanos() / 1_000_000;
        let id = rig.guest(&text);
        rig.turns(800);
        let figures = rig.status(id).figures;
        println!("{} turns until all were taken", figures.deferred + 1);
        assert!(figures.deferred > 1, "it was too easy");
        assert_eq!((figures.commands, figures.refused), (4096, 0));
        assert_eq!(figures.late, 0);
        for left in 1..=4096u64 {
            rig.turn();
            assert_eq!(rig.now.nanos() / 1_000_000, begun + 800 + left);
            assert_eq!(rig.sent[1], (left % 2 * 10) as f64, "{left}");
        }
        rig.turns(3);
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
    });
}

#[test]
fn a_guest_that_finishes_in_start_is_gone_after_its_first_turn() {
    both(|rig| {
        let hook = r#"(func (export "pre-process")
            (drop (call $commands.set (i32.const 0) (f64.const 5) (call $clock.now))))"#;
        for hook in ["", hook] {
            let id = rig.guest(&module(&format!(
                r#"(func (export "start") (drop (call $lane.finish))) {hook}"#
            )));
            rig.turn();
            let (life, end) = rig.fate(id);
            assert!(
                matches!(life, GuestLife::Ending | GuestLife::Gone),
                "{life:?}"
            );
            assert_eq!(end, End::Finished);
            rig.turns(3);
            assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
            let used = rig.status(id).figures.hooks[Hook::PreProcess as usize];
            assert_eq!((used.calls, rig.sent[0]), (0, 0.0));
        }
    });
}

#[test]
fn in_stop_everything_that_moves_is_answered_ending() {
    let text = module(&format!(
        r#"{TELLER}
        (func $all
          (call $say (call $commands.set (i32.const 0) (f64.const 9) (call $clock.now)))
          (call $say (call $commands.put (i32.const 0) (f64.const 9) (call $clock.now) (i32.const 0)))
          (call $say (call $commands.put (i32.const 0) (f64.const 9) (call $clock.now) (i32.const 1)))
          (call $say (call $commands.put (i32.const 0) (f64.const 9) (call $clock.now) (i32.const 2)))
          (call $say (call $commands.put (i32.const 0) (f64.const 9) (call $clock.now) (i32.const 3)))
          (call $say (call $commands.clear (i32.const 0)))
          (call $say (call $commands.set (i32.const 0) (f64.const 9) (call $clock.now)))
          (i64.store (i32.const 0) (i64.const 0)) (f64.store (i32.const 8) (f64.const 9))
          (i64.store (i32.const 16) (call $clock.now))
          (call $say (call $bulk.set-all (i32.const 0) (i32.const 3)))
          (call $say (call $lane.drive (i32.const 0) (f64.const 9) (f64.const 1)))
          (call $say (call $lane.set-weight (f64.const 1)))
          (call $say (call $lane.finish))
          (call $told))
        (func (export "pre-process") (local $left i32) (local.set $left (i32.const 100))
          (loop $on
            (drop (call $commands.set (i32.const 0) (f64.const 5)
              (i64.add (call $clock.now) (i64.mul (i64.extend_i32_u (local.get $left)) (i64.const 1000000)))))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $on (local.get $left))))
        (func (export "stop") (call $all))"#
    ));
    both(|rig| {
        // Once with hundreds of waiting commands, once with a guest that was never admitted.
        let id = rig.guest(&text);
        rig.turns(3);
        rig.manager.end(id).expect("it is there");
        rig.turns(3);
        assert_eq!(said(rig), ["kkkkkkkkkkk"]);
        rig.cycle.stage().hold().expect("it runs");
        rig.turn();
        let id = rig.guest(&text);
        rig.turn();
        rig.manager.end(id).expect("it is there");
        rig.turns(3);
        assert_eq!(said(rig), ["kkkkkkkkkkk"]);
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Stopped));
    });
}

#[test]
fn what_is_cleared_stops_in_that_very_turn_whatever_waits_for_room() {
    // J0 is on its way to 400 in 400 ms. J1's many commands fill the command buffer for some turns; behind them waits a
    // jump of J0 to 900. In the third turn J0 is cleared.
    let flood = 900;
    let text = format!(
        r#"(global $turns (mut i32) (i32.const 0))
        (func (export "start") (local $left i32)
          (drop (call $commands.set (i32.const 0) (f64.const 0) (call $clock.now)))
          (drop (call $commands.set (i32.const 0) (f64.const 400)
            (i64.add (call $clock.now) (i64.const 400000000))))
          (local.set $left (i32.const {flood}))
          (loop $on
            (if (call $commands.set (i32.const 1) (f64.const 3)
                (i64.add (call $clock.now)
                  (i64.mul (i64.extend_i32_u (i32.add (local.get $left) (i32.const 500))) (i64.const 1000000))))
              (then (unreachable)))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $on (local.get $left)))
          (drop (call $commands.set (i32.const 0) (f64.const 900)
            (i64.add (call $clock.now) (i64.const 410000000)))))
        (func (export "pre-process")
          (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
          (if (i32.eq (global.get $turns) (i32.const 3)) (then
            (if (call $commands.clear (i32.const 0)) (then (unreachable))))))"#
    );
    both(|rig| {
        let id = rig.load(&guest(&text), &everything(), &LoadOptions::default());
        let id = id.unwrap_or_else(|error| panic!("{error}"));
        rig.turns(2);
        let (second, waited) = (rig.sent[0], rig.status(id).figures.deferred);
        assert!(second > 0.0);
        rig.turn();
        let third = rig.sent[0];
        let figures = rig.status(id).figures;
        assert!(figures.deferred > waited, "nothing waited for room");
        assert!(third - second < 0.5, "it went on from {second} to {third}");
        for _ in 0..600 {
            rig.turn();
            assert_eq!(rig.sent[0], third);
        }
        let figures = rig.status(id).figures;
        // Two for J0 were accepted before; the jump never was. All commands for J1 arrived.
        assert_eq!((figures.commands, figures.refused), (flood + 2, 0));
        assert_eq!(rig.sent[1], 3.0);
    });
}
