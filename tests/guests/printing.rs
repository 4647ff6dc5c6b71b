//! The output of a score: lines of its log, at once, and limited so that nothing else suffers.

use guests::End;

use crate::text::whole;
use crate::wasi::{STREAMS, access, play};

/// Prints this many bytes of a pattern, 4,096 in one call; then, with a parameter, sleeps until 50 ms and prints one
/// more line. Traps if a write fails.
fn prints(data: &str, length: u32, calls: u32, after: bool) -> Vec<u8> {
    let after = if after {
        r#"(drop (call $sleep (i64.const 50000000)))
          (call $write (local.get $out) (i32.const 8192) (i32.const 6) (i32.const 9000))"#
    } else {
        ""
    };
    whole(&format!(
        r#"(component {STREAMS}
        (import "wasi:cli/stdout@0.2.0" (instance $std
          (alias outer 1 $out (type $o0)) (export "output-stream" (type $o (eq $o0)))
          (export "get-stdout" (func (result (own $o))))))
        (import "dcm/clock" (instance $clock
          (export "sleep-until" (func (param "at" u64) (result u64)))))
        (core module $memory (memory (export "m") 1) (data (i32.const 8192) "after\n")
          {data})
        (core instance $memory (instantiate $memory))
        (alias core export $memory "m" (core memory $m))
        (core func $sleep (canon lower (func $clock "sleep-until")))
        (core func $get (canon lower (func $std "get-stdout")))
        (core func $write (canon lower
          (func $streams "[method]output-stream.blocking-write-and-flush") (memory $m)))
        (core module $main
          (import "" "m" (memory 1))
          (import "" "get" (func $get (result i32)))
          (import "" "sleep" (func $sleep (param i64) (result i64)))
          (import "" "write" (func $write (param i32 i32 i32 i32)))
          (func (export "run") (local $out i32) (local $left i32)
            (local.set $out (call $get)) (local.set $left (i32.const {calls}))
            (loop $on
              (call $write (local.get $out) (i32.const 0) (i32.const {length}) (i32.const 9000))
              (if (i32.load8_u (i32.const 9000)) (then (unreachable)))
              (local.set $left (i32.sub (local.get $left) (i32.const 1)))
              (br_if $on (local.get $left)))
            {after}))
        (core instance $i (instantiate $main (with "" (instance (export "m" (memory $m))
          (export "get" (func $get)) (export "sleep" (func $sleep)) (export "write" (func $write))))))
        (func (export "run") (canon lift (core func $i "run"))))"#
    ))
}

/// The number of dropped lines, as a line reports it.
fn dropped(line: &str) -> Option<u64> {
    line.strip_prefix("lines lost before this: ")?.parse().ok()
}

#[test]
fn ten_mebibytes_are_lines_as_far_as_anybody_reads_them_and_the_rest_is_counted() {
    // 64 lines of 63 letters in each call.
    let line = "x".repeat(63) + "\\n";
    let data = format!("(data (i32.const 0) \"{}\")", line.repeat(64));
    let (end, said, _) = play(&prints(&data, 4096, 2560, false), access(&[], None));
    assert_eq!(end, End::Finished);
    let lost: u64 = said.iter().filter_map(|item| dropped(item)).sum();
    let lines = said.iter().filter(|item| dropped(item).is_none());
    assert!(
        lines
            .clone()
            .all(|line| line.len() == 63 && line.starts_with('x'))
    );
    let lines = lines.count() as u64;
    println!("{lines} lines, {lost} dropped");
    assert_eq!(lines + lost, 64 * 2560);
    assert!(lines >= 64 && lost > 0);
}

#[test]
fn one_line_without_an_end_is_one_line_cut_short() {
    let data = format!("(data (i32.const 0) \"{}\")", "y".repeat(4096));
    let (end, said, _) = play(&prints(&data, 4096, 2560, false), access(&[], None));
    assert_eq!(end, End::Finished);
    assert_eq!(said, ["y".repeat(256)]);
}

#[test]
fn a_line_is_cut_between_letters_and_may_come_in_pieces() {
    // 255 letters of one byte, and one of two; in three calls, with a line end after the third.
    let data = format!(
        "(data (i32.const 0) \"{}\\c3\\a9z\\r\\n\\n\\ff\\n\")",
        "z".repeat(255)
    );
    let (_, said, _) = play(&prints(&data, 263, 1, false), access(&[], None));
    assert_eq!(
        said,
        ["z".repeat(255), String::new(), "\u{fffd}".to_owned()]
    );
    let (_, said, _) = play(
        &prints("(data (i32.const 0) \"one,\")", 4, 3, false),
        access(&[], None),
    );
    assert_eq!(said, ["one,one,one,"]);
}

#[test]
fn what_was_dropped_is_told_with_the_next_line() {
    let data = format!("(data (i32.const 0) \"{}\")", "a\\n".repeat(100));
    let text = prints(&data, 200, 1, true);

    let said = tests::rig::with_rig(&tests::rig::Plan::of(guests::CodeForm::InPlace), |rig| {
        let grant = guests::Grant {
            wasi: access(&[], None),
            ..tests::rig::everything()
        };
        let loaded = rig.load(&text, &grant, &guests::LoadOptions::default());
        let id = loaded.unwrap_or_else(|error| panic!("{error}"));
        // It prints a hundred lines at once; nobody collects them meanwhile.
        rig.turn_alone();
        rig.turn_alone();
        let first = crate::text::said(rig);
        assert_eq!(first, vec!["a"; 64], "at once, not when it sleeps or ends");
        rig.until(60_000, |rig| rig.fate(id).0 == guests::GuestLife::Gone);
        rig.turns(2);
        crate::text::said(rig)
    });
    assert_eq!(said, ["lines lost before this: 36", "after"]);
}
