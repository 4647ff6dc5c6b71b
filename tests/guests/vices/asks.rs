//! Misbehaviour in calls: too many, invalid numbers, impossible instants, unknown indices, texts outside memory.

use guests::End::{OutOfFuel, Trap};

use super::Fate::{Ends, Refused, Stays};
use super::corpus;
use crate::text::{Flat, contract, guest};

/// The prelude of those that pass texts or lists.
const MEMORY: &str = r#"(memory (export "memory") 17) (data (i32.const 0) "HeadYaw and more")"#;

/// Does this as many times in every `pre-process`.
fn often(times: u32, what: &str) -> Vec<u8> {
    guest(&format!(
        r#"{MEMORY} (func (export "pre-process") (local $left i32)
        (local.set $left (i32.const {times}))
        (loop $again {what}
          (local.set $left (i32.sub (local.get $left) (i32.const 1)))
          (br_if $again (local.get $left))))"#
    ))
}

/// Does this in every hook of a turn, and in `start`.
fn everywhere(what: &str) -> Vec<u8> {
    guest(&format!(
        r#"{MEMORY} (func $it {what})
        (func (export "start") (call $it)) (func (export "pre-process") (call $it))
        (func (export "post-process") (call $it)) (func (export "stop") (call $it))
        (func (export "is-alive") (result i32) (call $it) (i32.const 1))"#
    ))
}

/// Traps unless this is so.
fn sure(what: &str) -> String {
    format!("(if (i32.eqz {what}) (then (unreachable)))")
}

/// Calls every function that has a floating-point parameter with this number, in each such parameter.
fn with_figure(figure: &str) -> Vec<u8> {
    everywhere(&calls(
        |value| value == Flat::F64,
        &format!("(f64.const {figure})"),
    ))
}

/// Calls every function that takes an instant with this one.
fn with_instant(instant: &str) -> Vec<u8> {
    everywhere(&calls(
        |value| value == Flat::I64,
        &format!("(i64.const {instant})"),
    ))
}

/// Calls every function that takes an index with this one.
fn with_number(number: u32) -> Vec<u8> {
    everywhere(&calls(
        |value| value == Flat::I32,
        &format!("(i32.const {number})"),
    ))
}

/// Calls of every function that has such a parameter; all other parameters are harmless.
fn calls(which: fn(Flat) -> bool, argument: &str) -> String {
    let mut text = String::new();
    for function in contract() {
        if !function.params.iter().any(|parameter| which(*parameter)) {
            continue;
        }
        let given = |flat: &Flat| match flat {
            other if which(*other) => argument.to_owned(),
            // Number 0 is the topic of the two well-behaved guests: a listener may receive any events.
            Flat::I32 | Flat::Enum(_) => "(i32.const 1)".to_owned(),
            Flat::I64 => "(call $clock.now)".to_owned(),
            Flat::F64 => "(f64.const 1)".to_owned(),
            Flat::Text | Flat::Words => "(i32.const 0) (i32.const 0)".to_owned(),
        };
        let params: Vec<_> = function.params.iter().map(given).collect();
        let call = format!("(call {} {})", function.called(), params.join(" "));
        text += &match function.result {
            Some(_) => format!("(drop {call})\n"),
            None => format!("{call}\n"),
        };
    }
    text
}

/// Passes a text at this address to the log.
fn writes(place: u32, length: u32) -> Vec<u8> {
    often(
        1,
        &format!("(drop (call $log.write (i32.const 1) (i32.const {place}) (i32.const {length})))"),
    )
}

/// Passes a list at this address.
fn sets_all(place: u32, words: u32) -> Vec<u8> {
    often(
        1,
        &format!("(drop (call $bulk.set-all (i32.const {place}) (i32.const {words})))"),
    )
}

const SET: &str = "(drop (call $commands.set (i32.const 0) (f64.const 7) (call $clock.now)))";
const POST: &str = "(drop (call $events.post (i32.const 1) (f64.const 7)))";
const WRITE: &str = "(drop (call $log.write (i32.const 2) (i32.const 0) (i32.const 16)))";

/// Requests without end.
fn forever(what: &str) -> Vec<u8> {
    often(1, &format!("(loop $on {what} (br $on))"))
}

/// Without end, declares topics or parameters with names of four bytes, in `start`.
fn names(call: &str) -> Vec<u8> {
    guest(&format!(
        r#"{MEMORY} (func (export "start") (local $left i32)
        (local.set $left (i32.const 3000))
        (loop $again
          (i32.store (i32.const 100) (i32.add (i32.const 0x20202020) (local.get $left)))
          (i32.store8 (i32.const 101) (i32.add (i32.const 65)
            (i32.rem_u (i32.shr_u (local.get $left) (i32.const 6)) (i32.const 50))))
          (i32.store8 (i32.const 100) (i32.add (i32.const 48)
            (i32.and (local.get $left) (i32.const 63))))
          (drop {call})
          (local.set $left (i32.sub (local.get $left) (i32.const 1)))
          (br_if $again (local.get $left))))
        (func (export "pre-process"))"#
    ))
}

corpus! {
    floods_commands: often(1_100, SET) => Stays("");
    floods_commands_without_end: forever(SET) => Ends(OutOfFuel, "");
    floods_commands_in_every_hook: everywhere(&SET.repeat(600)) => Stays("");
    floods_commands_for_far_away: often(700,
        "(drop (call $commands.set (i32.const 1) (f64.const 1)
          (i64.add (call $clock.now) (i64.mul (i64.extend_i32_u (local.get $left)) (i64.const 2000000000)))))"
    ) => Stays("");
    clears_and_commands_in_turn: often(500,
        "(drop (call $commands.put (i32.const 1) (f64.const 1) (call $clock.now) (i32.const 1)))
        (drop (call $commands.put (i32.const 1) (f64.const 1) (call $clock.now) (i32.const 3)))
        (drop (call $commands.clear (i32.const 1)))") => Stays("");
    clears_what_is_not_its_own: often(4,
        "(drop (call $commands.clear (i32.rem_u (local.get $left) (i32.const 4))))") => Stays("");
    floods_events: often(3_000, POST) => Stays("");
    floods_events_without_end: forever(POST) => Ends(OutOfFuel, "");
    floods_events_in_every_hook: everywhere(&POST.repeat(600)) => Stays("");
    floods_the_log: often(3_000, WRITE) => Stays("");
    floods_the_log_without_end: forever(WRITE) => Ends(OutOfFuel, "");
    floods_the_log_in_every_hook: everywhere(&WRITE.repeat(600)) => Stays("");
    floods_parameters: names("(call $params.declare (i32.const 100) (i32.const 4)
        (f64.const 0) (f64.const 0) (f64.const 1))") => Stays("");
    floods_topics: names("(call $events.topic (i32.const 100) (i32.const 4))") => Stays("");
    floods_everything_the_lane_has: often(2_000,
        "(drop (call $lane.drive (i32.const 2) (f64.const 9) (f64.const 1)))
        (drop (call $lane.set-gains (i32.const 2) (f64.const 9) (f64.const 1) (f64.const 1) (f64.const 1)))
        (drop (call $lane.set-weight (f64.const 0.5)))
        (drop (call $lane.set-weight-on (i32.const 2) (f64.const 0.5)))
        (drop (call $lane.set-priority (f64.const 9)))") => Stays("");
    reads_without_end: forever("(drop (call $sensors.read (i32.const 1)))") => Ends(OutOfFuel, "");
    asks_the_host_without_end: forever("(drop (call $lane.is-hidden))") => Ends(OutOfFuel, "");
    listens_without_end: forever("(drop (call $events.next))") => Ends(OutOfFuel, "");
    hands_over_nothings_without_end: guest(&format!(
        r#"{MEMORY} (func (export "start") (memory.fill (i32.const 0) (i32.const 0xff) (i32.const 65536))
          (loop $on (i64.store (global.get $at) (i64.const 0))
            (global.set $at (i32.add (global.get $at) (i32.const 24)))
            (br_if $on (i32.lt_u (global.get $at) (i32.const 24576)))))
        (global $at (mut i32) (i32.const 0))
        (func (export "pre-process")
          (loop $on (drop (call $bulk.set-all (i32.const 0) (i32.const 3072))) (br $on)))"#
    )) => Ends(OutOfFuel, "");

    says_not_a_number: with_figure("nan") => Stays("");
    says_not_a_number_with_a_message: with_figure("nan:0xdeadbeef") => Stays("");
    says_infinity: with_figure("inf") => Stays("");
    says_minus_infinity: with_figure("-inf") => Stays("");
    says_almost_nothing: with_figure("4.9e-324") => Stays("");
    says_minus_nothing: with_figure("-0") => Stays("");
    says_too_much: with_figure("1.7976931348623157e308") => Stays("");
    says_too_little: with_figure("-1.7976931348623157e308") => Stays("");
    means_the_beginning_of_time: with_instant("0") => Stays("");
    means_the_end_of_time: with_instant("0xffffffffffffffff") => Stays("");
    means_the_middle_of_time: with_instant("0x8000000000000000") => Stays("");
    means_an_instant_before_it_all: with_instant("0x7fffffffffffffff") => Stays("");

    names_nothing: with_number(u32::MAX) => Stays("");
    names_the_first_that_is_not: with_number(5) => Stays("");
    names_what_wraps_to_the_first: with_number(1 << 16) => Stays("");
    names_what_wraps_in_bytes: with_number(1 << 29) => Stays("");
    names_what_wraps_in_the_sign: with_number(1 << 31) => Stays("");
    names_what_it_was_not_granted: everywhere(&format!("{}{}",
        sure("(call $commands.set (i32.const 4) (f64.const 1) (call $clock.now))"),
        sure("(call $lane.drive (i32.const 4) (f64.const 1) (f64.const 1))"))) => Stays("");
    reads_what_is_not_there: often(1, &["(f64.ne (call $sensors.read (i32.const 99)) (f64.const nan))",
        "(f64.ne (call $sensors.read (i32.const 0x20000000)) (f64.const nan))",
        "(f64.ne (call $lane.sent (i32.const 0xffffffff)) (f64.const nan))",
        "(i64.eq (call $sensors.age (i32.const 99)) (i64.const -1))",
        "(f64.ne (call $params.get (i32.const 0)) (f64.const nan))",
        "(f64.ne (call $state.kept (i32.const 256)) (f64.const nan))",
        "(call $state.keep (i32.const 256) (f64.const 1))",
        "(i32.eqz (call $commands.waiting (i32.const 99)))"].map(sure).concat()) => Stays("");

    wants_a_higher_priority: often(1, &format!("{}{}",
        sure("(i32.eq (call $lane.set-priority (f64.const 10.0001)) (i32.const 2))"),
        sure("(i32.eq (call $lane.set-priority (f64.const 1e300)) (i32.const 2))"))) => Stays("");
    is_now_heard_and_now_not: often(1,
        "(drop (call $lane.set-priority (select (f64.const -1) (f64.const 10)
          (i32.and (i32.wrap_i64 (call $clock.turn)) (i32.const 1)))))
        (drop (call $commands.set (i32.const 0) (f64.const 1) (call $clock.now)))") => Stays("");
    drives_with_the_weight_of_a_mountain: often(1,
        "(drop (call $lane.drive (i32.const 0) (f64.const 1000) (f64.const 1e300)))
        (drop (call $lane.set-weight (f64.const 1e300)))
        (drop (call $lane.set-weight-on (i32.const 0) (f64.const 1e300)))") => Stays("");
    merges_as_nobody_can: often(1,
        "(drop (call $commands.put (i32.const 0) (f64.const 1) (call $clock.now) (i32.const 77)))"
    ) => Ends(Trap, "discriminant");
    writes_at_a_level_that_is_none: often(1,
        "(drop (call $log.write (i32.const -1) (i32.const 0) (i32.const 3)))") => Ends(Trap, "discriminant");
    writes_from_beyond_its_memory: writes(u32::MAX - 8, 16) => Ends(Trap, "out of bounds");
    writes_four_gigabytes: writes(0, u32::MAX) => Ends(Trap, "out of bounds");
    writes_what_wraps: writes(16, u32::MAX - 7) => Ends(Trap, "out of bounds");
    writes_more_than_it_may: writes(0, 65_537) => Ends(Trap, "");
    writes_as_much_as_it_may: writes(0, 65_536) => Stays("");
    writes_what_is_no_text: often(1, "(i32.store (i32.const 0) (i32.const 0x80fffec0))
        (drop (call $log.write (i32.const 1) (i32.const 0) (i32.const 4)))") => Ends(Trap, "utf-8");
    hands_over_four_gigabytes: sets_all(0, u32::MAX) => Ends(Trap, "out of bounds");
    hands_over_what_wraps: sets_all(8, 1 << 29) => Ends(Trap, "out of bounds");
    hands_over_what_is_not_aligned: sets_all(4, 3) => Ends(Trap, "aligned");
    hands_over_more_than_it_may: sets_all(0, 8_193) => Ends(Trap, "");
    hands_over_what_is_no_command: sets_all(0, 4) => Stays("");
    asks_for_names_inside_a_turn: often(1, &[
        "(i32.eq (call $body.find-actuator (i32.const 0) (i32.const 7)) (i32.const -1))",
        "(i32.eq (call $body.find-sensor (i32.const 0) (i32.const 7)) (i32.const -1))",
        "(i32.eqz (call $body.alias-length (i32.const 0) (i32.const 7)))",
        "(i32.eq (call $body.alias-member (i32.const 0) (i32.const 7) (i32.const 0)) (i32.const -1))",
        "(i32.eq (call $events.topic (i32.const 0) (i32.const 7)) (i32.const -1))",
        "(i32.eq (call $params.declare (i32.const 0) (i32.const 7)
            (f64.const 0) (f64.const 0) (f64.const 1)) (i32.const -1))"].map(sure).concat()) => Stays("");
    sleeps_inside_a_turn: often(1,
        "(drop (call $clock.sleep-until (i64.const -1)))
        (drop (call $clock.sleep-until (i64.add (call $clock.now) (i64.const 1000000000000))))"
    ) => Stays("");
    asks_for_a_name_of_a_megabyte_inside_a_turn: often(1,
        "(drop (call $body.find-actuator (i32.const 0) (i32.const 1048576)))") => Ends(Trap, "");
    asks_for_a_name_of_a_megabyte_in_start: guest(&format!(
        r#"{MEMORY} (func (export "start")
        (drop (call $body.find-actuator (i32.const 0) (i32.const 1048576))))"#)) => Refused("failed");
    never_ends_start: guest(
        r#"(func (export "start") (loop $on (drop (call $clock.sleep-until (i64.const -1))) (br $on)))"#
    ) => Refused("more fuel");
}
