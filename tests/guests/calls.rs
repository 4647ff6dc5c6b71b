//! Every function of the contract, called with random arguments. The guests are generated from the contract's text, so
//! that a new function is called without being named here.

use std::collections::BTreeMap;

use guests::{Choreography, CodeForm, End, Grant, GuestId, GuestLife, LoadOptions};
use tests::rig::{FORMS, Plan, Rig, everything, with_rig};

use crate::text::{Flat, Function, contract, guest};

/// Calls in each call of a hook.
const CALLS: u64 = 1_000;

/// Turns of a run: a hundred million calls in all for `PROMISES=full`.
fn turns() -> u64 {
    170 * tests::effort()
}

/// Numbers at which programs often fail.
const HOSTILE: [u64; 24] = [
    0,
    1,
    5,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x1fff_ffff,
    0x2000_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_ffff,
    0xffff_ffff_ffff_fffe,
    0x7ff0_0000_0000_0000, // infinite
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000, // no number
    0x7ff0_0000_0000_0001,
    0x0000_0000_0000_0001, // almost nothing
    0x3ff0_0000_0000_0000, // 1
    0x7fef_ffff_ffff_ffff, // the most there is
];

/// Functions after which nothing more could be called: they are called rarely.
const RARE: [&str; 2] = ["finish", "sleep-until"];

/// An argument of this kind, drawn for each call; texts and lists lie within memory.
fn draw(of: Flat) -> String {
    match of {
        Flat::I32 => "(i32.wrap_i64 (call $wild))".to_owned(),
        Flat::Enum(names) => {
            format!("(i32.rem_u (i32.wrap_i64 (call $random)) (i32.const {names}))")
        }
        Flat::I64 => "(call $instant)".to_owned(),
        Flat::F64 => "(call $figure)".to_owned(),
        Flat::Text => "(i32.and (i32.wrap_i64 (call $random)) (i32.const 511))
            (i32.and (i32.wrap_i64 (call $random)) (i32.const 511))"
            .to_owned(),
        Flat::Words => "(i32.add (i32.const 2048)
              (i32.and (i32.wrap_i64 (call $random)) (i32.const 504)))
            (i32.and (i32.wrap_i64 (call $random)) (i32.const 63))"
            .to_owned(),
    }
}

/// A call whose result nobody uses.
fn calls(function: &Function, params: &[String]) -> String {
    let call = format!("(call {} {})", function.called(), params.join(" "));
    if function.result.is_some() {
        format!("(drop {call})")
    } else {
        call
    }
}

fn caller(place: usize, function: &Function) -> String {
    let params: Vec<_> = function
        .params
        .iter()
        .map(|parameter| draw(*parameter))
        .collect();
    let call = calls(function, &params);
    let call = if RARE.contains(&function.name.as_str()) {
        format!("(if (i64.eqz (i64.and (call $random) (i64.const 0xfff))) (then {call}))")
    } else {
        call
    };
    format!("(func $f{place} {call})\n")
}

/// What every guest may call. The functions of scripts end the guest, or need its text: they have tests of their own.
fn ordinary() -> impl Iterator<Item = &'static Function> {
    contract()
        .iter()
        .filter(|contract| contract.interface != "script")
}

/// Draws random numbers and calls functions; `$calls` is the body of a hook.
fn caller_of_everything() -> String {
    let all: Vec<_> = ordinary().collect();
    let callers: String = all
        .iter()
        .enumerate()
        .map(|pair| caller(pair.0, pair.1))
        .collect();
    let names: String = (0..all.len()).map(|i| format!(" $f{i}")).collect();
    let hostile: String = HOSTILE
        .iter()
        .flat_map(|item| item.to_le_bytes())
        .map(|le_byte| format!("\\{le_byte:02x}"))
        .collect();
    format!(
        r#"(memory (export "memory") 1)
        (data (i32.const 0) "{letters}") (data (i32.const 1024) "{hostile}") (data (i32.const 1536) "seed")
        (global $seed (mut i64) (i64.const 88172645463325252))
        (type $call (func)) (table funcref (elem{names}))
        (func $random (result i64)
          (global.set $seed (i64.xor (global.get $seed) (i64.shl (global.get $seed) (i64.const 13))))
          (global.set $seed (i64.xor (global.get $seed) (i64.shr_u (global.get $seed) (i64.const 7))))
          (global.set $seed (i64.xor (global.get $seed) (i64.shl (global.get $seed) (i64.const 17))))
          (i64.mul (global.get $seed) (i64.const 0x2545f4914f6cdd1d)))
        (func $wild (result i64) (local $kind i32)
          (local.set $kind (i32.wrap_i64 (i64.shr_u (call $random) (i64.const 60))))
          (if (i32.lt_u (local.get $kind) (i32.const 8))
            (then (return (i64.and (call $random) (i64.const 7)))))
          (if (i32.lt_u (local.get $kind) (i32.const 13))
            (then (return (i64.load offset=1024 (i32.mul (i32.const 8)
              (i32.rem_u (i32.and (i32.wrap_i64 (call $random)) (i32.const 0xffff)) (i32.const {count})))))))
          (call $random))
        (func $instant (result i64)
          (if (result i64) (i64.lt_s (call $random) (i64.const 0))
            (then (i64.add (call $clock.now) (i64.shr_s (call $random) (i64.const 34))))
            (else (call $wild))))
        (func $figure (result f64)
          (if (result f64) (i64.lt_s (call $random) (i64.const 0))
            (then (f64.div (f64.convert_i64_s (i64.shr_s (call $random) (i64.const 48))) (f64.const 1024)))
            (else (f64.reinterpret_i64 (call $wild)))))
        {callers}
        (func $calls (local $left i32) (local.set $left (i32.const {CALLS}))
          (i64.store (i32.add (i32.const 2048) (i32.and (i32.wrap_i64 (call $random)) (i32.const 1016)))
            (call $wild))
          (loop $on
            (call_indirect (type $call) (i32.wrap_i64 (i64.rem_u (i64.shr_u (call $random) (i64.const 8))
              (i64.const {functions}))))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $on (local.get $left))))"#,
        letters = "HeadYaw First Both and so on ".repeat(35),
        count = HOSTILE.len(),
        functions = all.len(),
    )
}

fn much() -> Grant {
    Grant {
        fuel: 50_000_000,
        ..everything()
    }
}

fn bring(rig: &Rig<'_, '_>, choreography: &Choreography, seed: u64) -> GuestId {
    let options = LoadOptions {
        params: vec![("seed".to_owned(), seed as f64)],
        ..LoadOptions::default()
    };
    let loaded = rig.manager.load(choreography, &much(), &options);
    loaded.unwrap_or_else(|error| panic!("{error}"))
}

/// Every sent value is in the body's range, and a number.
fn look(rig: &Rig<'_, '_>) {
    let (trigger, joints) = rig.sent.split_last().expect("a body");
    let sound = joints
        .iter()
        .all(|joint| (-1000.0..=1000.0).contains(joint));
    assert!(sound && (0.0..=1.0).contains(trigger), "{:?}", rig.sent);
}

#[test]
fn every_function_bears_every_argument_in_every_hook() {
    let text = format!(
        r#"{}
        (func (export "start")
          (global.set $seed (i64.add (i64.const 0x9e3779b97f4a7c15) (i64.trunc_f64_u (call $params.get
            (call $params.declare (i32.const 1536) (i32.const 4)
              (f64.const 0) (f64.const 1) (f64.const 1e9))))))
          (call $calls))
        (func (export "pre-process") (call $calls)) (func (export "post-process") (call $calls))
        (func (export "is-alive") (result i32) (call $calls) (i32.const 1))
        (func (export "stop") (call $calls))"#,
        caller_of_everything()
    );
    let bytes = guest(&text);
    for form in FORMS {
        with_rig(&Plan::of(form), |rig| {
            let choreography = rig.prepare(&bytes, &much()).expect("a guest");
            let mut id = bring(rig, &choreography, 0);
            let (mut calls, mut answered) = (0, 0);
            for turn in 1..=turns() {
                rig.sensed[0] = turn as f64;
                rig.turn();
                look(rig);
                while rig.manager.said().is_some() {}
                let (life, end) = rig.fate(id);
                if life == GuestLife::Gone || end == End::Finished {
                    assert_eq!(end, End::Finished, "{}", rig.status(id).figures.details);
                    answered += rig.status(id).figures.commands;
                    id = bring(rig, &choreography, turn);
                }
                assert_eq!(
                    rig.fate(id).1,
                    End::None,
                    "{}",
                    rig.status(id).figures.details
                );
                calls += 3 * CALLS;
            }
            answered += rig.status(id).figures.commands;
            println!("{form:?}: {calls} calls, {answered} commands taken");
            assert!(answered > turns(), "too little was taken");
        });
    }
}

#[test]
fn every_function_bears_every_argument_in_a_score() {
    let text = format!(
        r#"{} (func (export "run") (loop $on (call $calls) (br $on)))"#,
        caller_of_everything()
    );
    let plan = Plan {
        lockstep: None,
        ..Plan::of(CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        let score = rig.prepare(&guest(&text), &much()).expect("a score");
        for _ in 0..4 {
            let loaded = rig.manager.load(&score, &much(), &LoadOptions::default());
            let id = loaded.unwrap_or_else(|error| panic!("{error}"));
            for _ in 0..turns() {
                rig.turn();
                look(rig);
                while rig.manager.said().is_some() {}
                std::thread::sleep(std::time::Duration::from_micros(100));
            }
            // It may have ended by itself.
            let _ = rig.manager.end(id);
            rig.until(usize::MAX, |rig| rig.fate(id).0 == GuestLife::Gone);
            let end = rig.fate(id).1;
            assert!(!end.is_fault(), "{}", rig.status(id).figures.details);
        }
    });
}

/// In its first turn, calls a function with an address and a length that are passed as parameters.
fn points(function: &Function) -> Vec<u8> {
    let mut params = Vec::new();
    for flat in &function.params {
        params.push(match flat {
            Flat::I32 | Flat::Enum(_) => "(i32.const 0)".to_owned(),
            Flat::I64 => "(call $clock.now)".to_owned(),
            Flat::F64 => "(f64.const 0)".to_owned(),
            Flat::Text | Flat::Words => "(i32.trunc_f64_u (call $params.get (i32.const 0)))
                 (i32.trunc_f64_u (call $params.get (i32.const 1)))"
                .to_owned(),
        });
    }
    guest(&format!(
        r#"(memory (export "memory") 1) (data (i32.const 0) "pn")
        (func (export "start")
          (drop (call $params.declare (i32.const 0) (i32.const 1)
            (f64.const 0) (f64.const 0) (f64.const 4294967295)))
          (drop (call $params.declare (i32.const 1) (i32.const 1)
            (f64.const 0) (f64.const 0) (f64.const 4294967295))))
        (func (export "pre-process") {})"#,
        calls(function, &params)
    ))
}

#[test]
fn an_address_that_is_none_ends_the_guest_and_nothing_else() {
    const PLACES: [u64; 9] = [
        0,
        8,
        4,
        65_528,
        65_536,
        65_544,
        1 << 31,
        0xffff_fff8,
        0xffff_ffff,
    ];
    const LENGTHS: [u64; 9] = [0, 1, 8, 9, 8_192, 8_193, 65_536, 1 << 29, 0xffff_ffff];
    let mut ends = BTreeMap::new();
    for form in FORMS {
        with_rig(&Plan::of(form), |rig| {
            for function in ordinary() {
                let Some(kind) = function
                    .params
                    .iter()
                    .copied()
                    .find(|parameter| parameter.points())
                else {
                    continue;
                };
                let unit = if kind == Flat::Words { 8 } else { 1 };
                let choreography = rig
                    .prepare(&points(function), &everything())
                    .expect("a guest");
                for (place, length) in PLACES
                    .iter()
                    .flat_map(|place| LENGTHS.map(|length| (*place, length)))
                {
                    let options = LoadOptions {
                        params: vec![
                            ("p".to_owned(), place as f64),
                            ("n".to_owned(), length as f64),
                        ],
                        ..LoadOptions::default()
                    };
                    let loaded = rig.manager.load(&choreography, &everything(), &options);
                    let id = loaded.unwrap_or_else(|error| panic!("{error}"));
                    rig.turn();
                    let bytes = length * unit;
                    let sound = place + bytes <= 65_536 && bytes <= 65_536 && place % unit == 0;
                    let wanted = if sound { End::None } else { End::Trap };
                    let end = rig.fate(id).1;
                    *ends.entry(format!("{end:?}")).or_insert(0) += 1;
                    assert_eq!(
                        end,
                        wanted,
                        "{} at {place}, {length} long",
                        function.called()
                    );
                    let _ = rig.manager.end(id);
                    rig.turns(2);
                    while rig.manager.said().is_some() {}
                }
            }
        });
    }
    println!("{ends:?}");
    assert_eq!(ends.len(), 2);
}

#[test]
fn a_word_that_is_none_ends_the_guest_and_nothing_else() {
    for form in FORMS {
        with_rig(&Plan::of(form), |rig| {
            for function in ordinary() {
                for (place, flat) in function.params.iter().enumerate() {
                    let Flat::Enum(names) = flat else { continue };
                    let param = |pair: (usize, &Flat)| match (pair.0 == place, pair.1) {
                        (true, _) => format!("(i32.const {names})"),
                        (_, Flat::I32 | Flat::Enum(_)) => "(i32.const 0)".to_owned(),
                        (_, Flat::I64) => "(i64.const 0)".to_owned(),
                        (_, Flat::F64) => "(f64.const 0)".to_owned(),
                        (_, Flat::Text | Flat::Words) => "(i32.const 0) (i32.const 0)".to_owned(),
                    };
                    let params: Vec<_> = function.params.iter().enumerate().map(param).collect();
                    let bytes = guest(&format!(
                        r#"(memory (export "memory") 1)
                        (func (export "pre-process") (drop (call {} {})))"#,
                        function.called(),
                        params.join(" ")
                    ));
                    let id = rig
                        .load(&bytes, &everything(), &LoadOptions::default())
                        .expect("a guest");
                    rig.turn();
                    assert_eq!(rig.fate(id).1, End::Trap, "{}", function.called());
                    rig.turns(2);
                }
            }
        });
    }
}
