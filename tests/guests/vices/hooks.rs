//! Misbehaviour in a hook: it spins, recurses, traps, takes memory, never ends.

use guests::End::{Finished, OutOfFuel, Trap};

use super::Fate::{Ends, Refused, Stays};
use super::corpus;
use crate::text::{guest, hook, whole};

const SPIN: &str = "(loop $again (br $again))";

/// A guest whose hook spins from its third call on, and that has the other hooks as well.
fn spins(name: &str) -> Vec<u8> {
    does(name, SPIN)
}

/// A guest that does this in one hook.
fn does(name: &str, what: &str) -> Vec<u8> {
    match name {
        "is-alive" => guest(&format!(
            r#"(func (export "is-alive") (result i32) {what} (i32.const 1))"#
        )),
        _ => tests::rig::component(&with_a_pulse(name, what)),
    }
}

/// With one working hook, so that `start` and `stop` are not the only ones.
fn with_a_pulse(name: &str, what: &str) -> String {
    let pulse = match name {
        "pre-process" => "",
        _ => r#"(func (export "pre-process"))"#,
    };
    crate::text::module(&format!(r#"(func (export "{name}") {what}) {pulse}"#))
}

fn recurses(name: &str) -> Vec<u8> {
    let (head, result) = match name {
        "is-alive" => ("(result i32)", "(i32.const 1)"),
        _ => ("", ""),
    };
    // The sum needs each call's frame: nothing here is a tail call.
    guest(&format!(
        r#"(func $deep (param i64) (result i64)
          (i64.add (call $deep (i64.add (local.get 0) (i64.const 1))) (local.get 0)))
        (func (export "{name}") {head} (drop (call $deep (i64.const 0))) {result})
        {}"#,
        if name == "pre-process" {
            ""
        } else {
            r#"(func (export "pre-process"))"#
        }
    ))
}

/// A guest with memory that does this in `pre-process`.
fn with_memory(pages: &str, what: &str) -> Vec<u8> {
    tests::rig::component(&format!(
        r#"(module (memory (export "memory") {pages}) (func (export "pre-process") {what}))"#
    ))
}

/// This many core instances, each with a memory of its own if requested.
fn instances(count: usize, holds: &str) -> Vec<u8> {
    let each: String = (0..count)
        .map(|i| format!("(core instance $i{i} (instantiate $m))\n"))
        .collect();
    whole(&format!(
        r#"(component
        (core module $m {holds} (func (export "h")))
        {each}
        (func (export "pre-process") (canon lift (core func $i0 "h"))))"#
    ))
}

/// A function with this many locals, all of them alive around a call.
fn locals(count: usize) -> Vec<u8> {
    let declared = " i64".repeat(count);
    let each = |what: fn(usize) -> String| (0..count).map(what).collect::<String>();
    let set = each(|value| {
        format!(
            "(local.set {value} (i64.load (i32.const {})))",
            value % 8000 * 8
        )
    });
    let sum =
        each(|value| format!("(global.set $sum (i64.add (global.get $sum) (local.get {value})))"));
    guest(&format!(
        r#"(memory 1) (global $sum (mut i64) (i64.const 0)) (func $other)
        (table funcref (elem $other))
        (func (export "pre-process") (local{declared}) {set} (call_indirect (i32.const 0)) {sum})"#
    ))
}

corpus! {
    spins_in_start: spins("start") => Refused("more fuel");
    spins_in_pre_process: spins("pre-process") => Ends(OutOfFuel, "more fuel");
    spins_in_post_process: spins("post-process") => Ends(OutOfFuel, "more fuel");
    spins_in_is_alive: spins("is-alive") => Ends(OutOfFuel, "more fuel");
    spins_in_stop: spins("stop") => Stays("in `stop`: it used more fuel");
    spins_before_start: guest(&format!(
        r#"(func $f {SPIN}) (start $f) (func (export "pre-process"))"#
    )) => Refused("more fuel");
    recurses_in_start: recurses("start") => Refused("call stack exhausted");
    recurses_in_pre_process: recurses("pre-process") => Ends(Trap, "call stack exhausted");
    recurses_in_post_process: recurses("post-process") => Ends(Trap, "call stack exhausted");
    recurses_in_is_alive: recurses("is-alive") => Ends(Trap, "call stack exhausted");
    recurses_in_stop: recurses("stop") => Stays("in `stop`: ");
    traps_in_start: does("start", "(unreachable)") => Refused("unreachable");
    traps_in_pre_process: does("pre-process", "(unreachable)") => Ends(Trap, "unreachable");
    traps_in_post_process: does("post-process", "(unreachable)") => Ends(Trap, "unreachable");
    traps_in_is_alive: does("is-alive", "(unreachable)") => Ends(Trap, "unreachable");
    traps_in_stop: does("stop", "(unreachable)") => Stays("in `stop`: ");
    traps_before_start: guest(
        r#"(func $f unreachable) (start $f) (func (export "pre-process"))"#
    ) => Refused("unreachable");
    traps_in_the_seventh_turn: guest(
        r#"(global $left (mut i32) (i32.const 7))
        (func (export "pre-process")
          (global.set $left (i32.sub (global.get $left) (i32.const 1)))
          (drop (i32.div_u (i32.const 1) (global.get $left))))"#
    ) => Ends(Trap, "divide by zero");
    traps_with_its_tray_half_full: tests::rig::component(&hook("pre-process",
        "(drop (call $commands.set (i32.const 0) (f64.const 900) (call $clock.now)))
        (drop (call $lane.set-priority (f64.const 10)))
        (unreachable)"
    )) => Ends(Trap, "unreachable");
    overflows_an_integer: does("pre-process",
        "(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))") => Ends(Trap, "integer overflow");
    makes_an_integer_of_no_number: does("pre-process",
        "(drop (i32.trunc_f64_s (f64.const nan)))") => Ends(Trap, "invalid conversion");
    loads_beyond_its_memory: with_memory("1",
        "(drop (i32.load (i32.const 0xffffffff)))") => Ends(Trap, "out of bounds");
    stores_just_beyond_its_memory: with_memory("1",
        "(i64.store (i32.const 65529) (i64.const 1))") => Ends(Trap, "out of bounds");
    calls_nothing: guest(
        r#"(table 1 funcref) (func (export "pre-process") (call_indirect (i32.const 0)))"#
    ) => Ends(Trap, "uninitialized element");
    calls_beyond_its_table: guest(
        r#"(table 1 funcref) (func (export "pre-process") (call_indirect (i32.const 77)))"#
    ) => Ends(Trap, "table access");
    calls_with_another_type: guest(
        r#"(func $f (param i64)) (table funcref (elem $f))
        (func (export "pre-process") (call_indirect (i32.const 0)))"#
    ) => Ends(Trap, "indirect call type mismatch");
    fills_its_memory_again_and_again: with_memory("16",
        "(loop $again (memory.fill (i32.const 0) (i32.const 7) (i32.const 1048576)) (br $again))"
    ) => Ends(OutOfFuel, "more fuel");
    copies_its_memory_again_and_again: with_memory("16",
        "(loop $again (memory.copy (i32.const 0) (i32.const 8) (i32.const 1000000)) (br $again))"
    ) => Ends(OutOfFuel, "more fuel");
    begins_with_more_memory_than_granted: with_memory("257", "") => Refused("memory");
    begins_with_four_gigabytes: with_memory("65536", "") => Refused("memory");
    grows_in_start_to_the_limit_and_beyond: guest(
        r#"(memory 1)
        (func (export "start") (loop $again
          (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
          (if (i32.ne (memory.size) (i32.const 256)) (then (unreachable)))
          (memory.fill (i32.const 0) (i32.const 1) (i32.const 100000)))
        (func (export "pre-process"))"#
    ) => Stays("");
    grows_inside_a_turn: with_memory("1",
        "(if (i32.ne (memory.grow (i32.const 1)) (i32.const -1)) (then (unreachable)))") => Stays("");
    grows_inside_a_turn_without_end: with_memory("1",
        "(loop $again (drop (memory.grow (i32.const 1))) (br $again))") => Ends(OutOfFuel, "");
    begins_with_a_table_too_large: guest(
        r#"(table 100000 funcref) (func (export "pre-process"))"#) => Refused("table");
    grows_its_table_without_end: guest(
        r#"(table 1 funcref)
        (func (export "start") (loop $again
          (br_if $again (i32.ne (table.grow (ref.null func) (i32.const 100)) (i32.const -1))))
          (if (i32.gt_u (table.size) (i32.const 20000)) (then (unreachable))))
        (func (export "pre-process")
          (if (i32.ne (table.grow (ref.null func) (i32.const 1)) (i32.const -1)) (then (unreachable))))"#
    ) => Stays("");
    has_hundred_instances: instances(100, "") => Refused("instances");
    has_ten_memories: instances(10, "(memory 1)") => Refused("memories");
    has_ten_tables: instances(10, "(table 1 funcref)") => Refused("tables");
    has_thousands_of_locals: locals(2_000) => Stays("");
    finishes_at_once: tests::rig::component(&hook("pre-process",
        "(drop (call $lane.finish))")) => Ends(Finished, "");
    finishes_a_thousand_times: tests::rig::component(&hook("pre-process",
        "(local i32) (loop $again (drop (call $lane.finish))
          (local.set 0 (i32.add (local.get 0) (i32.const 1)))
          (br_if $again (i32.lt_u (local.get 0) (i32.const 1100))))")) => Ends(Finished, "");
    finishes_while_it_starts: tests::rig::component(&with_a_pulse("start",
        "(drop (call $lane.finish))")) => super::Fate::Whatever;
}
