//! The guest of the peers that run WebAssembly. Called by `main`. It is our guest in `tests/harness/busy.rs`,
//! with a loop or with every call written out, and only the names of its imports differ.

use protocol::JOINTS;

const IMPORTS: &str = r#"
    (import "host" "read" (func $read (param i32) (result f64)))
    (import "host" "set" (func $set (param i32 f64 i64) (result i32)))
    (import "host" "now" (func $now (result i64)))"#;

const LOOP: &str = r#"
    (loop $more
      (local.set $all (i32.or (local.get $all)
        (call $set (local.get $place) (call $read (local.get $place)) (local.get $now))))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $place) (i32.const 26))))"#;

fn written_out() -> String {
    let one = |place: usize| {
        format!(
            "(local.set $all (i32.or (local.get $all)
               (call $set (i32.const {place}) (call $read (i32.const {place})) (local.get $now))))"
        )
    };
    (0..JOINTS).map(one).collect()
}

fn text(imports: &str, body: &str, result: &str, last: &str) -> String {
    format!(
        r#"(module {imports} (global $all (mut i32) (i32.const 0)) (func (export "hook") {result}
             (local $now i64) (local $all i32) (local $place i32)
             (local.set $now (call $now))
             {body}
             (global.set $all (local.get $all)) {last}))"#
    )
}

/// The module for engines of core modules.
pub(crate) fn core(is_written_out: bool) -> Vec<u8> {
    let body = match is_written_out {
        true => written_out(),
        false => LOOP.to_owned(),
    };
    wat::parse_str(text(IMPORTS, &body, "", "")).expect("a module")
}

/// The module for Extism: functions of the host have a namespace of their own, and a call returns 0.
pub(crate) fn extism() -> Vec<u8> {
    let imports = IMPORTS.replace("\"host\"", "\"extism:host/user\"");
    wat::parse_str(text(&imports, LOOP, "(result i32)", "(i32.const 0)")).expect("a module")
}

/// The component around the same module.
pub(crate) fn component() -> Vec<u8> {
    let inner = text(IMPORTS, LOOP, "", "").replacen("(module", "(core module $inner", 1);
    let text = format!(
        r#"(component
          (import "read" (func $read (param "of" u32) (result f64)))
          (import "set" (func $set (param "to" u32) (param "value" f64) (param "at" u64) (result u32)))
          (import "now" (func $now (result u64)))
          (core func $read-core (canon lower (func $read)))
          (core func $set-core (canon lower (func $set)))
          (core func $now-core (canon lower (func $now)))
          {inner}
          (core instance $it (instantiate $inner (with "host" (instance
            (export "read" (func $read-core)) (export "set" (func $set-core)) (export "now" (func $now-core))))))
          (func (export "hook") (canon lift (core func $it "hook"))))"#
    );
    wat::parse_str(text).expect("a component")
}
