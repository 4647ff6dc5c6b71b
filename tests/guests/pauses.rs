//! A paused guest has no effect from the first turn on.

use guests::{GuestLife, LoadOptions};
use tests::rig::everything;

use crate::both;
use crate::text::{guest, module, with_manifest};

#[test]
fn a_guest_that_is_paused_while_it_waits_has_no_effect_in_any_turn() {
    let motion = r#"(func (export "start")
          (drop (call $lane.set-priority (f64.const 90)))
          (drop (call $commands.set (i32.const 0) (f64.const 5) (call $clock.now))))
        (func (export "pre-process")
          (drop (call $commands.set (i32.const 0) (f64.const 5) (call $clock.now))))"#;
    let score = r#"(func (export "run")
          (drop (call $lane.set-priority (f64.const 90)))
          (loop $on (drop (call $commands.set (i32.const 0) (f64.const 5) (call $clock.now)))
            (drop (call $clock.sleep-until (i64.add (call $clock.now) (i64.const 1000000)))) (br $on)))"#;
    both(|rig| {
        for text in [motion, score] {
            let holds = rig.guest(&module(
                r#"(func (export "pre-process")
                  (drop (call $commands.set (i32.const 0) (f64.const 7) (call $clock.now))))"#,
            ));
            rig.turns(3);
            rig.cycle.stage().hold().expect("it runs");
            rig.turns(3);
            let bytes = with_manifest(guest(text), "fade-in = 0");
            let id = rig.load(&bytes, &everything(), &LoadOptions::default());
            let id = id.unwrap_or_else(|error| panic!("{error}"));
            rig.turn();
            rig.manager.pause(id, true).expect("it is there");
            rig.turn();
            rig.cycle.stage().resume().expect("it holds");
            rig.until(50, |rig| rig.fate(id).0 == GuestLife::Paused);
            for _ in 0..10 {
                assert_eq!((rig.sent[0], rig.fate(id).0), (7.0, GuestLife::Paused));
                rig.turn();
            }
            rig.manager.pause(id, false).expect("it is there");
            rig.turns(3);
            assert_eq!(rig.sent[0], 5.0);
            for item in [id, holds] {
                rig.manager.end(item).expect("it is there");
            }
            rig.until(usize::MAX, |rig| rig.scheduler.is_empty());
        }
    });
}
