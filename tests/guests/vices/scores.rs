//! Misbehaviour of scores: they have a thread of their own, and must not delay anybody.

use guests::End::{Finished, Trap};

use super::Fate::{Ends, Refused, Stays, Tires};
use super::corpus;
use crate::text::{guest, with_manifest};

/// A score with memory that does this.
fn score(what: &str) -> Vec<u8> {
    guest(&format!(
        r#"(memory (export "memory") 17) (data (i32.const 0) "never mind")
        (func (export "run") (local $left i32) {what})"#
    ))
}

/// Does this for ever.
fn forever(what: &str) -> Vec<u8> {
    score(&format!("(loop $on {what} (br $on))"))
}

/// Does this in every millisecond for ever.
fn steadily(what: &str) -> Vec<u8> {
    forever(&format!(
        "(drop (call $clock.sleep-until (i64.add (call $clock.now) (i64.const 1000000)))) {what}"
    ))
}

const SET: &str = "(drop (call $commands.set (i32.const 0) (f64.const 900) (call $clock.now)))";

corpus! {
    spins: forever("") => Tires;
    spins_and_asks: forever("(drop (call $clock.now))") => Tires;
    sleeps_for_ever: score("(drop (call $clock.sleep-until (i64.const -1)))") => Stays("");
    sleeps_for_ever_again_and_again: forever("(drop (call $clock.sleep-until (i64.const -1)))") => Stays("");
    sleeps_into_the_past: forever("(drop (call $clock.sleep-until (i64.const 0)))") => Tires;
    floods_commands: forever(SET) => Tires;
    floods_commands_steadily: steadily(&SET.repeat(3_000)) => Stays("");
    floods_commands_for_far_away: forever(
        "(drop (call $commands.set (i32.const 1) (f64.const 1)
          (i64.add (call $clock.now) (i64.const 1000000000000))))") => Tires;
    floods_clears: forever("(drop (call $commands.clear (i32.const 2)))") => Tires;
    floods_words: forever("(drop (call $bulk.set-all (i32.const 0) (i32.const 3072)))") => Tires;
    floods_events: forever("(drop (call $events.post (i32.const 1) (f64.const 9)))") => Tires;
    floods_the_log: forever(
        "(drop (call $log.write (i32.const 2) (i32.const 0) (i32.const 10)))") => Tires;
    floods_gains: forever("(drop (call $lane.set-gains (i32.const 0) (f64.const 1) (f64.const 1)
        (f64.const 1) (f64.const 1)))") => Tires;
    floods_its_lane: forever("(drop (call $lane.set-priority (f64.const 10)))
        (drop (call $lane.set-weight (f64.const 0.1)))
        (drop (call $lane.drive (i32.const 0) (f64.const 900) (f64.const 1)))") => Tires;
    wants_a_higher_priority: forever("(if (i32.ne (call $lane.set-priority (f64.const 60)) (i32.const 2))
        (then (unreachable)))") => Tires;
    commands_what_it_was_not_granted: forever(
        "(if (i32.ne (call $commands.set (i32.const 4) (f64.const 1) (call $clock.now)) (i32.const 2))
        (then (unreachable)))") => Tires;
    says_not_a_number: steadily("(drop (call $commands.set (i32.const 0) (f64.const nan) (call $clock.now)))
        (drop (call $commands.set (i32.const 0) (f64.const inf) (i64.const -1)))
        (drop (call $lane.drive (i32.const 0) (f64.const -inf) (f64.const nan)))
        (drop (call $lane.set-priority (f64.const nan)))") => Stays("");
    returns_at_once: score("") => Ends(Finished, "");
    finishes_at_once: score("(drop (call $lane.finish)) (loop $on (br $on))") => Ends(Finished, "");
    traps: score("(unreachable)") => Ends(Trap, "unreachable");
    traps_after_a_flood: score("(local.set $left (i32.const 10000))
        (loop $on (drop (call $commands.set (i32.const 0) (f64.const 900) (call $clock.now)))
          (local.set $left (i32.sub (local.get $left) (i32.const 1))) (br_if $on (local.get $left)))
        (unreachable)") => Ends(Trap, "unreachable");
    traps_before_it_runs: guest(
        r#"(func $f unreachable) (start $f) (func (export "run"))"#) => Ends(Trap, "unreachable");
    recurses: guest(r#"(func $deep (param i64) (result i64)
          (i64.add (call $deep (i64.add (local.get 0) (i64.const 1))) (local.get 0)))
        (func (export "run") (drop (call $deep (i64.const 0))))"#) => Ends(Trap, "call stack exhausted");
    grows_to_the_limit_and_beyond: forever(
        "(if (i32.eq (memory.grow (i32.const 1)) (i32.const -1))
          (then (if (i32.ne (memory.size) (i32.const 256)) (then (unreachable)))))") => Tires;
    begins_with_more_memory_than_granted: guest(
        r#"(memory 300) (func (export "run"))"#) => Ends(Trap, "memory");
    writes_four_gigabytes: score(
        "(drop (call $log.write (i32.const 1) (i32.const 0) (i32.const -1)))") => Ends(Trap, "out of bounds");
    hands_over_four_gigabytes: score(
        "(drop (call $bulk.set-all (i32.const 0) (i32.const -1)))") => Ends(Trap, "out of bounds");
    merges_as_nobody_can: score(
        "(drop (call $commands.put (i32.const 0) (f64.const 1) (call $clock.now) (i32.const 4)))"
    ) => Ends(Trap, "discriminant");
    asks_for_random_numbers: crate::text::exporting(
        r#"(import "wasi:random/random@0.2.0" (instance (export "get-random-u64" (func (result u64)))))"#,
        "run") => Refused("wasi = [\"random\"]");
    answers_something: crate::text::whole(
        r#"(component (core module $m (func (export "h") (result i32) (i32.const 1)))
        (core instance $i (instantiate $m))
        (func (export "run") (result bool) (canon lift (core func $i "h"))))"#) => Refused("not as `func()`");
    its_manifest_wants_a_higher_priority: with_manifest(score(""), "priority = 60.0")
        => Refused("its grant allows a priority of 10 at most");
}
