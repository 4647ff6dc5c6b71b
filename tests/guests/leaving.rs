//! Programs with WASI that end: by `exit`, or late, because a deadline cannot interrupt them.

use guests::{CodeForm, End, Grant, GuestLife, LoadOptions};
use tests::rig::{Plan, everything, with_rig};

use crate::text::{exporting, whole};
use crate::wasi::{access, play};

/// Exits in this way, and would set J0 to 7 after that.
fn leaves(status: u32) -> Vec<u8> {
    whole(&format!(
        r#"(component
        (import "wasi:cli/exit@0.2.0" (instance $exit (export "exit" (func (param "status" (result))))))
        (core func $exit (canon lower (func $exit "exit")))
        (core module $m (import "" "exit" (func $exit (param i32)))
          (func (export "run") (call $exit (i32.const {status})) (unreachable)))
        (core instance $i (instantiate $m (with "" (instance (export "exit" (func $exit))))))
        (func (export "run") (canon lift (core func $i "run"))))"#
    ))
}

#[test]
fn a_program_that_exits_in_peace_has_finished() {
    let (end, _, _) = play(&leaves(0), access(&["stdout"], None));
    assert_eq!(end, End::Finished);
    let (end, _, _) = play(&leaves(1), access(&["stdout"], None));
    assert_eq!(end, End::Trap);
}

/// Waits this long in a call of WASI.
pub(crate) fn blocks(millis: u64) -> Vec<u8> {
    whole(&format!(
        r#"(component
        (import "wasi:io/poll@0.2.0" (instance $poll
          (export "pollable" (type $p (sub resource)))
          (export "[method]pollable.block" (func (param "self" (borrow $p))))))
        (alias export $poll "pollable" (type $p))
        (import "wasi:clocks/monotonic-clock@0.2.0" (instance $clock
          (alias outer 1 $p (type $p0)) (export "pollable" (type $p1 (eq $p0)))
          (export "subscribe-duration" (func (param "when" u64) (result (own $p1))))))
        (core func $after (canon lower (func $clock "subscribe-duration")))
        (core func $block (canon lower (func $poll "[method]pollable.block")))
        (core module $m
          (import "" "after" (func $after (param i64) (result i32)))
          (import "" "block" (func $block (param i32)))
          (func (export "run") (call $block (call $after (i64.const {millis}000000)))))
        (core instance $i (instantiate $m (with "" (instance
          (export "after" (func $after)) (export "block" (func $block))))))
        (func (export "run") (canon lift (core func $i "run"))))"#
    ))
}

#[test]
fn a_score_that_waits_in_wasi_keeps_its_place_only_until_it_is_ended() {
    let grant = Grant {
        wasi: access(&["clocks"], None),
        ..everything()
    };
    let plan = Plan {
        lockstep: None,
        lanes: 300,
        room: 16,
        ..Plan::of(CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        let idle = rig.prepare(&exporting("", "start"), &everything());
        let idle = idle.expect("a guest");
        let stays = LoadOptions {
            keep: true,
            ..LoadOptions::default()
        };
        let bring = || rig.manager.load(&idle, &everything(), &stays);
        for _ in 0..guests::GUESTS - 2 {
            bring().expect("there is room");
        }
        // For an hour.
        let blocks = rig.load(&blocks(3_600_000), &grant, &LoadOptions::default());
        let blocks = blocks.unwrap_or_else(|error| panic!("{error}"));
        // A turn takes some of them.
        rig.until(20, |rig| rig.fate(blocks).0 == GuestLife::Running);
        std::thread::sleep(std::time::Duration::from_millis(100));
        let bring = |rig: &tests::rig::Rig<'_, '_>| rig.manager.load(&idle, &everything(), &stays);
        assert!(matches!(bring(rig), Err(guests::GuestError::Full(_))));
        rig.manager.end(blocks).expect("it is there");
        rig.until(50, |rig| rig.fate(blocks).0 == GuestLife::Gone);
        let begun = std::time::Instant::now();
        while bring(rig).is_err() {
            assert!(
                begun.elapsed() < tests::process::TIMEOUT,
                "its place is never free"
            );
            rig.turn();
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert_eq!(rig.fate(blocks).1, End::Stopped);
    });
}
