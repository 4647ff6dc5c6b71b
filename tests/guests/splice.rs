//! Guests of unusual structure work like others: splicing finds every call that is made in place, and shifts every
//! index correctly.

use guests::{CodeForm, End, GuestLife, Hook, LoadOptions};
use tests::rig::{FORMS, Plan, everything, with_rig};

use crate::text::{commands, whole};

/// A guest with everything that a component can have above and between its lowered functions, which sends two commands.
fn odd() -> Vec<u8> {
    whole(&format!(
        r#"(component
        (type $nothing (func))
        (core module $outside (func (export "h")))
        (core type $core (func (param i32)))
        {}
        (import "dcm:choreography/clock@0.1.0" (instance $clock (export "now" (func (result u64)))))
        (alias export $clock "now" (func $now))
        (component $inner
          (alias outer 1 $outside (core module $mine))
          (alias outer 1 $nothing (type $same))
          (component $within
            (alias outer 2 $outside (core module $theirs))
            (alias outer 1 $same (type $x))
            (core instance $i (instantiate $theirs))
            (func (export "run") (type $x) (canon lift (core func $i "h"))))
          (instance $w (instantiate $within))
          (core instance $i (instantiate $mine))
          (func (export "run") (type $same) (canon lift (core func $i "h")))
          (export "again" (func $w "run")))
        (instance $in (instantiate $inner))
        (instance $bag (export "now" (func $now)) (export "run" (func $in "run")))
        (alias export $bag "now" (func $bagged))
        (alias export $in "again" (func $again))
        (core func $run (canon lower (func $again)))
        (core func $first (canon lower (func $now)))
        (core func $second (canon lower (func $bagged)))
        (core func $set (canon lower (func $c "set")))
        (core module $m
          (import "" "run" (func $run)) (import "" "first" (func $first (result i64)))
          (import "" "second" (func $second (result i64)))
          (import "" "set" (func $set (param i32 f64 i64) (result i32)))
          (func (export "h")
            (drop (call $set (i32.const 0) (f64.const 0.25) (call $first)))
            (drop (call $set (i32.const 1) (f64.const -0.5) (call $second)))))
        (core instance $bare (instantiate $outside))
        (core instance $i (instantiate $m (with "" (instance
          (export "run" (func $run)) (export "first" (func $first))
          (export "second" (func $second)) (export "set" (func $set))))))
        (func $hook (canon lift (core func $i "h")))
        (export "pre-process" (func $hook)))"#,
        commands(
            r#""set" (func (param "to" u32) (param "value" f64) (param "at" u64) (result $a))"#
        )
    ))
}

#[test]
fn a_guest_of_unusual_shape_is_the_same_in_both_forms() {
    let bytes = odd();
    let mut sent = Vec::new();
    for form in FORMS {
        with_rig(&Plan::of(form), |rig| {
            let id = rig.load(&bytes, &everything(), &LoadOptions::default());
            let id = id.unwrap_or_else(|error| panic!("{form:?}: {error}"));
            rig.turns(40);
            assert_eq!(
                rig.fate(id),
                (GuestLife::Running, End::None),
                "{}",
                rig.status(id).figures.details
            );
            let status = rig.status(id);
            assert_eq!(status.figures.commands, 80, "{form:?}");
            // A call of the host costs 150.
            let fuel = status.figures.hooks[Hook::PreProcess as usize].last;
            assert_eq!(fuel > 450, form == CodeForm::Calls, "{form:?}: {fuel}");
            sent.push(rig.sent.clone());
        });
    }
    assert_eq!(sent[0], sent[1]);
    assert_ne!(sent[0][0], 0.0);
}
