//! The guest that makes the calls of a table in its memory, and traps at another answer than the table has.

use std::fmt::Write;

use tests::rig::component;

/// Where the table of calls begins.
const TABLE: u32 = 4096;

/// A row of six words, bytes.
const ROW: u32 = 24;

/// Rows for which there is room.
pub(super) const ROWS: usize = 2_730;

/// Where what they point at begins.
pub(super) const DATA: u32 = TABLE + (64 << 10);

/// A line of the table: what is done, with up to four arguments, and the answer.
#[derive(Clone, Copy)]
pub(super) enum Step {
    EndOfTurn = 0,
    Write,
    Random,
    Time,
    Resolution,
    Poll,
    Stat,
    Read,
    /// As many bytes at one address as at another are the same.
    Same,
    /// A number at one address is as far above that at another as a third says, or farther.
    Above,
    End,
}

pub(super) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn segment(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "\\{byte:02x}");
    }
    text
}

/// A component that makes these calls, with this at [`DATA`]; as a score, or as a motion.
pub(super) fn module(rows: &[[u32; 6]], data: &[u8], is_score: bool) -> Vec<u8> {
    let rows: Vec<u8> = rows.iter().flat_map(|row| words(row)).collect();
    let pages = (DATA as usize + data.len()).div_ceil(1 << 16);
    // A score ends when its table does, and sleeps for a turn between two; a motion is called again.
    let hook = if is_score {
        "(export \"run\") (loop $on (br_if $on (call $play)
          (i64.store (i32.const 24) (i64.const 1000000)) (i32.store (i32.const 16) (i32.const 1))
          (drop (call $poll (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 128)))))"
    } else {
        "(export \"pre-process\") (drop (call $play))"
    };
    component(&format!(
        r#"(module
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
        (import "wasi_snapshot_preview1" "clock_res_get" (func $resolution (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_fdstat_get" (func $stat (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") {pages})
        (data (i32.const {TABLE}) "{rows}") (data (i32.const {DATA}) "{data}")
        (global $row (mut i32) (i32.const {TABLE}))
        (func $same (param $a i32) (param $b i32) (param $left i32) (result i32)
          (block $done (loop $on
            (br_if $done (i32.eqz (local.get $left)))
            (if (i32.ne (i32.load8_u (local.get $a)) (i32.load8_u (local.get $b))) (then (return (i32.const 1))))
            (local.set $a (i32.add (local.get $a) (i32.const 1)))
            (local.set $b (i32.add (local.get $b) (i32.const 1)))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br $on)))
          (i32.const 0))
        (func $a (result i32) (i32.load offset=4 (global.get $row)))
        (func $b (result i32) (i32.load offset=8 (global.get $row)))
        (func $c (result i32) (i32.load offset=12 (global.get $row)))
        (func $d (result i32) (i32.load offset=16 (global.get $row)))
        (func $call (result i32)
          (block $above (block $same (block $read (block $stat (block $poll (block $resolution (block $time
          (block $random (block $write
            (br_table $write $write $random $time $resolution $poll $stat $read $same $above
              (i32.load (global.get $row))))
            (return (call $write (call $a) (call $b) (call $c) (call $d))))
            (return (call $random (call $a) (call $b))))
            (return (call $time (call $a) (i64.const 0) (call $b))))
            (return (call $resolution (call $a) (call $b))))
            (return (call $poll (call $a) (call $b) (call $c) (call $d))))
            (return (call $stat (call $a) (call $b))))
            (return (call $read (call $a) (call $b) (call $c) (call $d))))
            (return (call $same (call $a) (call $b) (call $c))))
          (i64.lt_u (i64.sub (i64.load (call $a)) (i64.load (call $b))) (i64.extend_i32_u (call $c))))
        (func $play (result i32) (local $step i32)
          (block $over (loop $on
            (local.set $step (i32.load (global.get $row)))
            (br_if $over (i32.eq (local.get $step) (i32.const {end})))
            (if (i32.ne (local.get $step) (i32.const {end_of_turn})) (then
              (if (i32.ne (call $call) (i32.load offset=20 (global.get $row))) (then (unreachable)))))
            (global.set $row (i32.add (global.get $row) (i32.const {ROW})))
            (br_if $on (i32.ne (local.get $step) (i32.const {end_of_turn})))
            (return (i32.const 1))))
          (i32.const 0))
        (func {hook}))"#,
        rows = segment(&rows),
        data = segment(data),
        end = Step::End as u32,
        end_of_turn = Step::EndOfTurn as u32,
    ))
}
