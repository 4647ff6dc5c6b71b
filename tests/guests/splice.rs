//! Guests of unusual structure work like others: splicing finds every call that is made in place, and shifts every
//! index correctly.

use wasm_encoder::reencode::{Reencode, ReencodeComponent, utils};

use guests::{CodeForm, End, GuestLife, Hook, LoadOptions};
use tests::rig::{FORMS, Plan, everything, with_rig};

use crate::text::{commands, guest, whole};

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

/// The same component; the core modules in it have as many types as there may be, of which the last ones are not used.
fn with_many_types(component: &[u8]) -> Vec<u8> {
    struct ManyTypes;
    impl Reencode for ManyTypes {
        type Error = std::convert::Infallible;
        fn parse_type_section(
            &mut self,
            types: &mut wasm_encoder::TypeSection,
            section: wasmparser::TypeSectionReader<'_>,
        ) -> Result<(), wasm_encoder::reencode::Error> {
            utils::parse_type_section(self, types, section)?;
            while types.len() < 1_000_000 {
                types.ty().function([], []);
            }
            Ok(())
        }
    }
    impl ReencodeComponent for ManyTypes {}
    let mut whole = wasm_encoder::Component::new();
    let parser = wasmparser::Parser::new(0);
    let done = ManyTypes.parse_component(&mut whole, parser, component);
    done.expect("a component");
    whole.finish()
}

/// A module that has as many types as there may be has no room for those of copies: its calls stay calls.
#[test]
fn a_guest_without_room_for_copies_plays_without_them() {
    let small = guest(
        "(func (export \"pre-process\")
           (drop (call $commands.set (i32.const 0) (f64.const 0.25) (call $clock.now))))",
    );
    let bytes = with_many_types(&small);
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        let id = rig.load(&bytes, &everything(), &LoadOptions::default());
        let id = id.unwrap_or_else(|error| panic!("{error}"));
        rig.turns(10);
        assert_eq!(rig.status(id).figures.details, "");
        assert_eq!(rig.sent[0], 0.25);
    });
}

/// What a module does in its hook, at random: it reads and sets in blocks, loops, branches that are not taken, code
/// that is never reached, and other functions; it counts what was answered.
struct Random {
    random: fastrand::Rng,
    /// How many calls may still be written.
    left: u32,
}

impl Random {
    fn number(&mut self) -> String {
        match self.random.u32(0..12) {
            0 => "nan".to_owned(),
            1 => "inf".to_owned(),
            2 => "-inf".to_owned(),
            3 => "-0".to_owned(),
            _ => format!("{:.3}", self.random.f64() - 0.5),
        }
    }

    /// An instant: now, soon, or out of reach.
    fn instant(&mut self) -> &'static str {
        let all = [
            "(call $clock.now)",
            "(i64.add (call $clock.now) (i64.const 30000000))",
            "(i64.const -5)",
            "(i64.mul (call $clock.turn) (i64.const 10000000))",
        ];
        all[self.random.usize(0..all.len())]
    }

    fn statement(&mut self, depth: u32) -> String {
        self.left = self.left.saturating_sub(1);
        let within = |random: &mut Random| random.statements(depth + 1);
        match self.random.u32(if depth > 3 { 0..5 } else { 0..11 }) {
            0 | 1 => format!(
                "(local.set $answers (i32.add (i32.mul (local.get $answers) (i32.const 7))
                   (call $commands.set (i32.const {}) (f64.const {}) {})))",
                self.random.u32(0..10),
                self.number(),
                self.instant()
            ),
            2 => format!(
                "(local.set $sum (f64.add (f64.mul (local.get $sum) (f64.const 0.5))
                   (call $sensors.read (i32.const {}))))",
                self.random.u32(0..12)
            ),
            3 => format!(
                "(drop (call $commands.set (i32.const {}) (local.get $sum) {}))",
                self.random.u32(0..8),
                self.instant()
            ),
            4 => "(if (f64.ne (local.get $sum) (local.get $sum))
                   (then (local.set $sum (f64.const 0.125))))"
                .to_owned(),
            5 => format!(
                "(if (i32.and (local.get $answers) (i32.const {})) (then {}) (else {}))",
                self.random.u32(1..4),
                within(self),
                within(self)
            ),
            6 => format!(
                "(block (block (br_table 0 1 (i32.and (local.get $answers) (i32.const 1))) {}) {})",
                within(self),
                within(self)
            ),
            7 => format!(
                "(local.set $left (i32.const {}))
                 (loop {} (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                   (br_if 0 (i32.gt_s (local.get $left) (i32.const 0))))",
                self.random.u32(1..4),
                // What is within changes no other loop's count.
                self.simple()
            ),
            8 => format!("(block (br 0) {})", within(self)),
            9 => "(local.set $sum (call $other (local.get $sum)))".to_owned(),
            _ => "(local.set $answers (i32.add (local.get $answers)
                   (call_indirect (type $set) (i32.const 1) (f64.const 0.25) (call $clock.now) (i32.const 0))))"
                .to_owned(),
        }
    }

    fn simple(&mut self) -> String {
        (0..3).map(|_| self.statement(9)).collect()
    }

    fn statements(&mut self, depth: u32) -> String {
        let count = self.random.u32(1..6);
        let mut text = String::new();
        for _ in 0..count {
            if self.left > 0 {
                text += &self.statement(depth);
            }
        }
        text
    }

    fn module(&mut self) -> String {
        let locals = "(local $answers i32) (local $left i32)";
        let mut hook = String::new();
        while self.left > 0 {
            hook += &self.statement(0);
        }
        self.left = 20;
        format!(
            r#"(type $set (func (param i32 f64 i64) (result i32)))
            (table funcref (elem $commands.set))
            (func $again (param i32 f64 i64) (result i32)
              (return_call $commands.set (local.get 0) (local.get 1) (local.get 2)))
            (func $other (param $sum f64) (result f64) {locals} {}
              (drop (call $again (i32.const 2) (local.get $sum) (call $clock.now)))
              (local.get $sum))
            (func (export "pre-process") (local $sum f64) {locals}
              {hook}
              (drop (call $commands.set (i32.const 0)
                (f64.div (f64.convert_i32_u (i32.and (local.get $answers) (i32.const 65535)))
                  (f64.const 65536)) (call $clock.now)))
              (return)
              (drop (call $commands.set (i32.const 1) (call $sensors.read (i32.const 0)) (call $clock.now))))"#,
            // Not itself again.
            self.simple(),
        )
    }
}

#[test]
fn what_is_written_in_place_of_a_call_does_what_the_call_did() {
    for seed in 0..(8 * tests::effort()).min(16) {
        let mut random = Random {
            random: fastrand::Rng::with_seed(seed),
            // Some have more calls than are written in place.
            left: if seed % 8 == 0 { 600 } else { 40 },
        };
        let text = random.module();
        let bytes = guest(&text);
        let mut sent = Vec::new();
        for form in FORMS {
            with_rig(&Plan::of(form), |rig| {
                let id = rig.load(&bytes, &everything(), &LoadOptions::default());
                let id = id.unwrap_or_else(|error| panic!("seed {seed}, {form:?}: {error}"));
                let mut history = Vec::new();
                for turn in 0..25 {
                    for (place, sensed) in rig.sensed.iter_mut().enumerate() {
                        *sensed = f64::from(turn * 3 + place as u32 * 5 % 7) / 100.0;
                    }
                    rig.turns(1);
                    history.extend(rig.sent.iter().map(|value| value.to_bits()));
                }
                let status = rig.status(id);
                assert_eq!(
                    status.figures.life,
                    GuestLife::Running,
                    "seed {seed}, {form:?}: {}",
                    status.figures.details
                );
                sent.push((history, status.figures.commands, status.figures.refused));
            });
        }
        assert_eq!(sent[0], sent[1], "seed {seed}:\n{text}");
        assert!(sent[0].1 > 0, "seed {seed} sends nothing");
    }
}
