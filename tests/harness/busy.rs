//! Guests that do a lot in every turn: for measuring, and for whatever must hold while they play.
//! The law: each sensor is read and each command sent by a call of its own, as every language does it.

use std::fmt::Write;

/// Reads so many sensors in its hook, and sends as many commands for now: what each sensor reads.
pub fn busy(hook: &str, sensors: usize, commands: usize) -> String {
    let mut body = String::new();
    for place in 0..commands.max(sensors) {
        let value = if place < sensors {
            format!("(call $read (i32.const {place}))")
        } else {
            "(f64.const 0.1)".to_owned()
        };
        // Writing to a text does not fail.
        let _ = if place < commands {
            writeln!(
                body,
                "(local.set $all (i32.or (local.get $all) (call $set (i32.const {place}) {value} \
                 (local.get $now))))"
            )
        } else {
            writeln!(body, "(local.set $sum (f64.add (local.get $sum) {value}))")
        };
    }
    format!(
        r#"(module
        (import "dcm/sensors" "read" (func $read (param i32) (result f64)))
        (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
        (import "dcm/clock" "now" (func $now (result i64)))
        (global $sum (mut f64) (f64.const 0))
        (global $all (mut i32) (i32.const 0))
        (func (export "{hook}")
          (local $now i64) (local $sum f64) (local $all i32)
          (local.set $now (call $now))
          {body}
          (global.set $all (local.get $all))
          (global.set $sum (local.get $sum))))"#
    )
}
