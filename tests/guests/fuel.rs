//! What a hook may use: fuel for each call, and the deadline behind it; and what is reported of it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use nix::sys::pthread::{pthread_kill, pthread_self};
use nix::sys::signal::{SigHandler, Signal, signal};

use guests::{CodeForm, End, Grant, GuestLife, Hook, HookUsage, LoadOptions};
use tests::rig::{FORMS, Plan, Rig, everything, with_rig};

use crate::both;
use crate::text::{guest, module, with_manifest};

/// Loops this many times in each `pre-process`: the parameter's `usual`.
fn worker() -> String {
    module(
        r#"(memory (export "memory") 1) (data (i32.const 0) "loops")
        (global $param (mut i32) (i32.const 0))
        (func (export "start") (global.set $param
          (call $params.declare (i32.const 0) (i32.const 5) (f64.const 0) (f64.const 10) (f64.const 1e9))))
        (func (export "pre-process") (local $left i32)
          (local.set $left (i32.trunc_f64_u (call $params.get (global.get $param))))
          (if (local.get $left) (then (loop $again
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $again (local.get $left))))))"#,
    )
}

fn used(rig: &Rig<'_, '_>, id: guests::GuestId, hook: Hook) -> HookUsage {
    rig.status(id).figures.hooks[hook as usize]
}

/// The fuel of one loop of the worker, and of an empty call.
fn cost(rig: &mut Rig<'_, '_>) -> (u64, u64) {
    let id = rig.guest(&worker());
    rig.manager.turn(id, "loops", 0.0).expect("it has it");
    rig.turn();
    let none = used(rig, id, Hook::PreProcess).last;
    rig.manager.turn(id, "loops", 1000.0).expect("it has it");
    rig.turn();
    let each = (used(rig, id, Hook::PreProcess).last - none) / 1000;
    rig.manager.end(id).expect("it is there");
    rig.turns(2);
    (each, none)
}

#[test]
fn fuel_is_for_each_call_and_what_is_left_is_gone() {
    both(|rig| {
        let (each, none) = cost(rig);
        let id = rig.guest(&worker());
        let most = (everything().fuel - none) / each - 10;
        rig.manager.turn(id, "loops", 0.0).expect("it has it");
        // A hundred turns of thrift.
        rig.turns(100);
        for _ in 0..100 {
            rig.manager
                .turn(id, "loops", most as f64)
                .expect("it has it");
            rig.turn();
            assert_eq!(rig.fate(id), (GuestLife::Running, End::None));
        }
        rig.manager
            .turn(id, "loops", (most + 40) as f64)
            .expect("it has it");
        rig.turn();
        assert_eq!(rig.fate(id).1, End::OutOfFuel);
        assert_eq!(used(rig, id, Hook::PreProcess).last, everything().fuel);
    });
}

#[test]
fn a_manifest_may_ask_for_less_than_the_grant_and_gets_no_more() {
    both(|rig| {
        for (asked, given) in [
            (5_000_u64, 5_000),
            (100_000, 100_000),
            (u64::MAX >> 1, 1_000_000),
        ] {
            let spins = guest(r#"(func (export "pre-process") (loop $on (br $on)))"#);
            let bytes = with_manifest(spins, &format!("fuel = {asked}"));
            let id = rig.load(&bytes, &everything(), &LoadOptions::default());
            let id = id.expect("a guest");
            assert_eq!(rig.status(id).fuel, given);
            rig.turn();
            assert_eq!(rig.fate(id).1, End::OutOfFuel);
            assert_eq!(used(rig, id, Hook::PreProcess).last, given);
        }
    });
}

#[test]
fn what_was_used_is_told_by_guest_hook_and_turn() {
    both(|rig| {
        let (each, none) = cost(rig);
        let first = rig.guest(&worker());
        let second = rig.guest(&module(
            r#"(func (export "post-process") (drop (i32.const 1)))
            (func (export "is-alive") (result i32) (i32.const 1))"#,
        ));
        rig.manager.turn(first, "loops", 100.0).expect("it has it");
        rig.turn();
        rig.manager.turn(first, "loops", 0.0).expect("it has it");
        let turn = rig.turn().turn;
        let told = used(rig, first, Hook::PreProcess);
        let wanted = HookUsage {
            calls: 2,
            last: none,
            most: none + 100 * each,
            total: 2 * none + 100 * each,
            turn,
        };
        assert_eq!(told, wanted);
        assert_eq!(used(rig, first, Hook::PostProcess), HookUsage::default());
        assert_eq!(used(rig, first, Hook::Start).calls, 1);
        assert!(used(rig, first, Hook::Start).last > 0);
        assert_eq!(used(rig, second, Hook::PreProcess), HookUsage::default());
        for hook in [Hook::PostProcess, Hook::IsAlive] {
            let told = used(rig, second, hook);
            assert_eq!(
                (told.calls, told.turn, told.total),
                (2, turn, 2 * told.last)
            );
        }
    });
}

#[test]
fn the_same_guest_uses_the_same_fuel_every_time() {
    for form in FORMS {
        let run = || {
            with_rig(&Plan::of(form), |rig| {
                let id = rig.guest(&module(
                    r#"(func (export "pre-process") (local $left i32) (local.set $left (i32.const 26))
                      (loop $again
                        (drop (call $commands.set (i32.const 1)
                          (call $sensors.read (i32.const 1)) (call $clock.now)))
                        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                        (br_if $again (local.get $left))))"#,
                ));
                rig.turns(50);
                used(rig, id, Hook::PreProcess)
            })
        };
        let (first, again) = (run(), run());
        assert_eq!(first, again);
        assert_eq!(first.most, first.last);
        println!("{form:?}: 26 reads and sets are {} fuel", first.last);
    }
}

#[test]
fn a_guest_without_fuel_is_disarmed_within_the_same_turn() {
    both(|rig| {
        // It holds J0 at 5; in its tenth turn it commands 900, then spins in `pre-process`.
        let id = rig.guest(&module(
            r#"(global $turns (mut i32) (i32.const 0))
            (func (export "pre-process")
              (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
              (drop (call $commands.set (i32.const 0)
                (select (f64.const 900) (f64.const 5) (i32.eq (global.get $turns) (i32.const 10)))
                (call $clock.now)))
              (if (i32.eq (global.get $turns) (i32.const 10)) (then (loop $on (br $on)))))
            (func (export "post-process"))"#,
        ));
        rig.turns(9);
        assert_eq!((rig.sent[0], rig.fate(id).0), (5.0, GuestLife::Running));
        rig.turn();
        let (life, end) = rig.fate(id);
        assert!(
            matches!(life, GuestLife::Ending | GuestLife::Gone),
            "{life:?}"
        );
        assert_eq!(end, End::OutOfFuel);
        // The command of that call has no effect, and it is not called again.
        assert_eq!(rig.sent[0], 5.0);
        assert_eq!(used(rig, id, Hook::PreProcess).calls, 10);
        assert_eq!(used(rig, id, Hook::PostProcess).calls, 9);
        rig.turns(3);
        assert_eq!(rig.fate(id).0, GuestLife::Gone);
        assert_eq!(
            rig.status(id).figures.details,
            "it used more fuel than it was granted"
        );
    });
}

#[test]
fn what_start_and_stop_may_use_is_a_hundred_times_as_much_and_no_more() {
    both(|rig| {
        let busy = |loops: u32| {
            format!(
                r#"(func $busy (local $left i32) (local.set $left (i32.const {loops}))
                  (loop $again (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                    (br_if $again (local.get $left))))
                (func (export "start") (call $busy)) (func (export "pre-process"))"#
            )
        };
        let (each, _) = cost(rig);
        let enough = (everything().fuel * 100 / each) as u32;
        rig.guest(&module(&busy(enough / 2)));
        let refused = rig.load(
            &guest(&busy(enough * 2)),
            &everything(),
            &LoadOptions::default(),
        );
        let refused = refused.expect_err("too much");
        assert!(refused.to_string().contains("more fuel"), "{refused}");
    });
}

#[test]
fn the_clock_ends_what_fuel_does_not() {
    let endless = Grant {
        fuel: u64::MAX / 1000,
        ..everything()
    };
    for form in FORMS {
        let plan = Plan {
            strict: true,
            lockstep: None,
            ..Plan::of(form)
        };
        with_rig(&plan, |rig| {
            let spins = guest(r#"(func (export "pre-process") (loop $on (br $on)))"#);
            let id = rig
                .load(&spins, &endless, &LoadOptions::default())
                .expect("a guest");
            rig.turn();
            assert_eq!(rig.fate(id).1, End::TooLong);
            rig.turns(2);
            let told = rig.status(id).figures.details;
            assert_eq!(told, "it took longer than a hook may take");
        });
    }
}

/// What the system does to a thread on a busy machine: it puts it aside for 20 ms in the middle of a hook.
#[test]
fn a_hook_whose_thread_is_put_aside_is_not_ended() {
    extern "C" fn put_aside(_: i32) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let handler = SigHandler::Handler(put_aside);
    // SAFETY: the handler only sleeps, no other test uses this signal, and only this test's thread gets it.
    #[allow(unsafe_code, reason = "a thread is interrupted by a signal of its own")]
    unsafe { signal(Signal::SIGUSR2, handler) }.expect("a signal");
    let plan = Plan {
        strict: true,
        lockstep: None,
        ..Plan::of(CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        let id = rig.guest(&worker());
        rig.manager.turn(id, "loops", 100_000.0).expect("it has it");
        let thread = pthread_self();
        let hooks_end = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !hooks_end.load(Relaxed) {
                    pthread_kill(thread, Signal::SIGUSR2).expect("a thread");
                    std::thread::sleep(Duration::from_micros(21_300));
                }
            });
            rig.turns(300);
            hooks_end.store(true, Relaxed);
        });
        assert_eq!(rig.fate(id), (GuestLife::Running, End::None));
    });
}

#[test]
fn in_virtual_time_a_slow_machine_ends_nobody() {
    let much = Grant {
        fuel: 400_000_000,
        ..everything()
    };
    let plan = Plan {
        strict: true,
        lockstep: Some(guests::THINKING),
        ..Plan::of(CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        // Several hundred periods of work: on a robot the deadline would end it.
        let works = guest(
            r#"(func (export "pre-process") (local $left i32) (local.set $left (i32.const 40000000))
              (loop $again (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                (br_if $again (local.get $left))))"#,
        );
        let id = rig
            .load(&works, &much, &LoadOptions::default())
            .expect("a guest");
        rig.turn();
        assert_eq!(rig.fate(id), (GuestLife::Running, End::None));
    });
}

/// Code that costs next to nothing by itself, but makes the host work.
const CALLS: [&str; 4] = [
    "(drop (call $lane.is-hidden))",
    "(drop (call $events.next))",
    "(drop (call $sensors.age (i32.const 0)))",
    "(drop (call $sensors.acknowledged (i32.const 0)))",
];

#[test]
fn a_guest_that_only_calls_the_host_uses_up_its_fuel_as_well() {
    let fuel = everything().fuel;
    both(|rig| {
        for call in CALLS {
            let asks = |calls: u64| {
                module(&format!(
                    r#"(func (export "pre-process") (local $left i32) (local.set $left (i32.const {calls}))
                      (loop $on {call} (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                        (br_if $on (local.get $left))))"#
                ))
            };
            let modest = rig.guest(&asks(fuel / 200));
            let greedy = rig.guest(&asks(fuel / 150));
            rig.turns(3);
            assert_eq!(rig.fate(modest), (GuestLife::Running, End::None), "{call}");
            assert_eq!(
                rig.fate(greedy),
                (GuestLife::Gone, End::OutOfFuel),
                "{call}"
            );
            rig.manager.end(modest).expect("it is there");
            rig.turns(2);
        }
    });
}

#[test]
fn a_call_without_a_loop_uses_up_the_fuel_at_once() {
    // Between two loops or functions, compiled code does not check its fuel.
    let little = Grant {
        fuel: 15_000,
        ..everything()
    };
    both(|rig| {
        for call in CALLS {
            let asks = |calls: usize| {
                guest(&format!(
                    r#"(func (export "pre-process") {})"#,
                    call.repeat(calls)
                ))
            };
            let mut bring = |calls: usize| {
                let loaded = rig.load(&asks(calls), &little, &LoadOptions::default());
                rig.turns(3);
                rig.fate(loaded.unwrap_or_else(|error| panic!("{error}")))
            };
            assert_eq!(bring(60), (GuestLife::Running, End::None), "{call}");
            assert_eq!(bring(110), (GuestLife::Gone, End::OutOfFuel), "{call}");
        }
    });
}
