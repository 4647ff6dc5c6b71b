//! Misbehaviour in the file itself: it is no choreography, imports what does not exist, has a false manifest, is a
//! decompression bomb, or tries to reach the intrinsics.

use guests::End::OutOfFuel;

use super::Fate::{Ends, Refused, Stays};
use super::corpus;
use crate::text::{commands, exporting, guest, importing, whole, with_manifest};
use tests::leb;

/// A good component, and how its bytes are changed.
fn damaged(damage: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = idle();
    damage(&mut bytes);
    bytes
}

fn idle() -> Vec<u8> {
    guest(r#"(func (export "pre-process"))"#)
}

fn module(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"))
}

/// An interface of the contract with one function of this type.
fn asks(interface: &str, function: &str, ty: &str) -> Vec<u8> {
    importing(&format!(
        r#"(import "{interface}" (instance (export "{function}" (func {ty}))))"#
    ))
}

/// Components in components, around this one.
fn nested(depth: usize, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..depth {
        let mut outer = b"\0asm\x0d\0\x01\0\x04".to_vec();
        leb(&mut outer, bytes.len());
        outer.extend(&bytes);
        bytes = outer;
    }
    bytes
}

/// Types that double in size this many times.
fn doubling(times: usize) -> Vec<u8> {
    let mut text = "(type $t0 (tuple u32 u32))".to_owned();
    for time in 1..=times {
        text += &format!("(type $t{time} (tuple $t{0} $t{0}))", time - 1);
    }
    exporting(
        &format!("{text} (import \"x\" (func (param \"it\" $t{times})))"),
        "pre-process",
    )
}

/// This many types, one after the other.
fn many_types(count: usize) -> Vec<u8> {
    let mut types = wasm_encoder::TypeSection::new();
    for _ in 0..count {
        types.ty().function([], []);
    }
    let mut module = wasm_encoder::Module::new();
    module.section(&types);
    let mut component = wasm_encoder::Component::new();
    component.section(&wasm_encoder::ModuleSection(&module));
    component.finish()
}

/// A component that passes the intrinsics to a module that would use them.
fn reaches(imports: &str, of: &str) -> Vec<u8> {
    whole(&format!(
        r#"(component {imports}
        (core func $where (canon lower (func {of} "store-data-address")))
        (core func $load (canon lower (func {of} "u64-native-load")))
        (core func $store (canon lower (func {of} "u64-native-store")))
        (core module $m
          (import "" "where" (func $where (result i64)))
          (import "" "load" (func $load (param i64) (result i64)))
          (import "" "store" (func $store (param i64 i64)))
          (func (export "h")
            (call $store (i64.add (call $where) (i64.const 56)) (i64.const 4242))
            (drop (call $load (i64.const 0)))))
        (core instance $i (instantiate $m (with "" (instance
          (export "where" (func $where)) (export "load" (func $load)) (export "store" (func $store))))))
        (func (export "pre-process") (canon lift (core func $i "h"))))"#
    ))
}

/// The intrinsics as an interface of this name.
fn intrinsics(name: &str) -> String {
    format!(
        r#"(import "{name}" (instance $u
          (export "store-data-address" (func (result u64)))
          (export "u64-native-load" (func (param "pointer" u64) (result u64)))
          (export "u64-native-store" (func (param "pointer" u64) (param "value" u64)))))"#
    )
}

/// The real commands, with one of their functions.
fn real() -> String {
    commands(r#""clear" (func (param "of" u32) (result $a))"#)
}

/// In a nested component, which has an interface of this name only if it is given one.
fn nested_reach(given: &str) -> Vec<u8> {
    whole(&format!(
        r#"(component
        (component $inner {}
          (core func $where (canon lower (func $u "store-data-address")))
          (core module $m (import "" "where" (func $where (result i64)))
            (func (export "h") (drop (call $where))))
          (core instance $i (instantiate $m (with "" (instance (export "where" (func $where))))))
          (func (export "pre-process") (canon lift (core func $i "h"))))
        {given}
        (alias export $in "pre-process" (func $h))
        (export "pre-process" (func $h)))"#,
        intrinsics("unsafe-intrinsics")
    ))
}

/// What a nested component is given under that name, made by the guest itself.
const FAKE: &str = r#"
    (component $maker
      (core module $f (func (export "a") (result i64) (i64.const 7))
        (func (export "b") (param i64) (result i64) (i64.const 7)) (func (export "c") (param i64 i64)))
      (core instance $f (instantiate $f))
      (func (export "store-data-address") (result u64) (canon lift (core func $f "a")))
      (func (export "u64-native-load") (param "pointer" u64) (result u64) (canon lift (core func $f "b")))
      (func (export "u64-native-store") (param "pointer" u64) (param "value" u64)
        (canon lift (core func $f "c"))))
    (instance $fake (instantiate $maker))
    (instance $in (instantiate $inner (with "unsafe-intrinsics" (instance $fake))))"#;

corpus! {
    is_empty: Vec::new() => Refused("the file is empty");
    has_200_megabytes: vec![0; 200 << 20] => Refused("200 MiB");
    has_one_byte: vec![0] => Refused("not WebAssembly");
    is_a_text: b"# a choreography\nmove HeadYaw 0.5\n".to_vec() => Refused("not WebAssembly");
    is_a_picture: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec() => Refused("not WebAssembly");
    is_a_program: b"\x7fELF\x02\x01\x01\0\0\0\0\0".to_vec() => Refused("not WebAssembly");
    is_machine_code_of_the_cache: b"DCMCODE1 and so on".to_vec() => Refused("not WebAssembly");
    is_a_core_module: module(r#"(module (func (export "pre-process")))"#) => Refused("dcm-run build");
    is_a_header: b"\0asm\x0d\0\x01\0".to_vec() => Refused("neither a hook");
    is_of_a_version_to_come: b"\0asm\x0e\0\x01\0".to_vec() => Refused("it is no");
    is_cut_off_in_the_middle: damaged(|value| value.truncate(value.len() / 2)) => Refused("not a valid component");
    is_cut_off_at_its_last_byte: damaged(|value| _ = value.pop()) => Refused("not a valid component");
    has_more_at_its_end: damaged(|value| value.extend([0xff; 64])) => Refused("not a valid component");
    is_there_twice: damaged(|value| value.extend(idle())) => Refused("not a valid component");
    says_more_than_it_has: damaged(|value| value[9] = 0xff) => Refused("not a valid component");
    does_not_type_check: whole(
        r#"(component (core module $m (func (export "h") (result i32) (i64.const 0)))
        (core instance $i (instantiate $m)))"#) => Refused("not a valid component");

    has_nobody_to_call: importing("").into_iter().take(8).collect() => Refused("neither a hook");
    exports_something_else: exporting("", "dance") => Refused("neither a hook");
    exports_nearly_a_hook: exporting("", "preprocess") => Refused("did you mean `pre-process`");
    exports_a_hook_misspelt: exporting("", "pre-proces") => Refused("did you mean `pre-process`");
    exports_a_hook_of_another_type: exporting("", "is-alive") => Refused("func() -> bool");
    exports_a_hook_that_wants_something: whole(
        r#"(component (core module $m (func (export "h") (param i64)))
        (core instance $i (instantiate $m))
        (func (export "pre-process") (param "now" u64) (canon lift (core func $i "h"))))"#
    ) => Refused("not as `func()`");
    exports_an_instance_of_a_hooks_name: whole(
        r#"(component (instance $i) (export "start" (instance $i)))"#) => Refused("not as `a function`");
    is_both_motion_and_score: guest(
        r#"(func (export "pre-process")) (func (export "run"))"#) => Refused("not both");

    imports_an_interface_that_is_not: asks("dcm:choreography/wings@0.1.0", "flap", "")
        => Refused("not part of the contract");
    imports_an_interface_misspelt: asks("dcm:choreography/comands@0.1.0", "set", "")
        => Refused("did you mean `commands`");
    imports_a_function_that_is_not: asks("dcm:choreography/lane@0.1.0", "jump", "")
        => Refused("not part of the contract");
    imports_a_function_misspelt: asks("dcm:choreography/lane@0.1.0", "finsh", "")
        => Refused("did you mean `finish`");
    imports_a_function_of_another_type: asks("dcm:choreography/clock@0.1.0", "now", "(result u32)")
        => Refused("does not fit the contract");
    imports_in_place_another_type: asks("dcm:choreography/sensors@0.1.0", "read",
        "(param \"of\" u64) (result f64)") => Refused("does not fit the contract");
    imports_more_than_it_gets: asks("dcm:choreography/clock@0.1.0", "turn",
        "(param \"of\" u64) (result u64)") => Refused("does not fit the contract");
    imports_a_bare_function: importing(r#"(import "set" (func (param "to" u32)))"#)
        => Refused("not part of the contract");
    imports_a_module: importing(r#"(import "core" (core module))"#) => Refused("not part of the contract");
    imports_a_component: importing(r#"(import "all" (component))"#) => Refused("not part of the contract");
    imports_a_type: importing(r#"(import "thing" (type (sub resource)))"#)
        => Refused("not part of the contract");
    imports_another_package: asks("dcm:choreo/commands@0.1.0", "set", "")
        => Refused("did you mean `dcm:choreography/commands@0.1.0`");
    imports_a_newer_contract: asks("dcm:choreography/clock@0.2.0", "now", "(result u64)")
        => Refused("use a newer dcm-run");
    imports_the_contract_of_years_to_come: asks("dcm:choreography/clock@1.0.0", "now", "(result u64)")
        => Refused("use a newer dcm-run");
    imports_a_function_of_a_newer_contract: asks("dcm:choreography/clock@0.1.7", "tomorrow", "(result u64)")
        => Refused("use a newer dcm-run");
    imports_a_little_newer_contract: asks("dcm:choreography/clock@0.1.7", "now", "(result u64)")
        => Stays("");
    imports_no_version: asks("dcm:choreography/clock", "now", "(result u64)") => Refused("version");
    imports_a_version_that_is_none: asks("dcm:choreography/clock@0.1.0-rc.1", "now", "(result u64)")
        => Refused("version");
    imports_wasi: asks("wasi:cli/environment@0.2.0", "initial-cwd", "(result (option string))")
        => Refused("hooks never get anything of WASI");

    its_manifest_is_no_toml: with_manifest(idle(), "name = = 7") => Refused("its manifest");
    its_manifest_is_no_text: with_manifest(idle(), "\u{0}\u{1}\u{2}") => Refused("its manifest");
    its_manifest_has_a_word_of_its_own: with_manifest(idle(), "motors = 7") => Refused("motors");
    its_manifest_is_too_long: with_manifest(idle(), &"# more\n".repeat(10_000)) => Refused("bytes");
    its_manifest_weighs_too_much: with_manifest(idle(), "weight = 7000.0") => Refused("weight");
    its_manifest_wants_a_priority_that_is_none: with_manifest(idle(), "priority = nan")
        => Refused("priority");
    its_manifest_wants_a_higher_priority: with_manifest(idle(), "priority = 100.0")
        => Refused("its grant allows a priority of 10 at most");
    its_manifest_wants_all_fuel: with_manifest(
        guest(r#"(func (export "pre-process") (loop $on (br $on)))"#), "fuel = 9223372036854775807"
    ) => Ends(OutOfFuel, "");
    its_manifest_wants_no_fuel: with_manifest(idle(), "fuel = 0") => Ends(OutOfFuel, "");
    its_manifest_fades_for_weeks: with_manifest(idle(), "fade-out = 4294967295") => Refused("fade");

    is_nested_two_thousand_deep: nested(2_000, importing("")) => Refused("nested 2001 deep");
    holds_what_is_nested_two_thousand_deep: damaged(|value| {
        let within = nested(2_000, importing(""));
        value.push(4);
        leb(value, within.len());
        value.extend(within);
    }) => Refused("nested 2002 deep");
    has_types_that_double: doubling(40) => Refused("not a valid component");
    has_a_million_types: many_types(1_000_001) => Refused("not a valid component");
    has_a_name_of_a_megabyte: importing(&format!(
        r#"(import "{}" (func))"#, "a".repeat(1 << 20))) => Refused("not a valid component");

    reaches_for_the_intrinsics: reaches(&intrinsics("unsafe-intrinsics"), "$u")
        => Refused("`unsafe-intrinsics`, which is not part of the contract");
    reaches_for_them_beside_the_real: reaches(&format!("{}{}", real(), intrinsics("unsafe-intrinsics")), "$u")
        => Refused("`unsafe-intrinsics`, which is not part of the contract");
    reaches_for_them_before_the_real: reaches(&format!("{}{}", intrinsics("unsafe-intrinsics"), real()), "$u")
        => Refused("`unsafe-intrinsics`, which is not part of the contract");
    reaches_for_them_by_another_name: reaches(&intrinsics("u0123456789abcdef"), "$u")
        => Refused("not part of the contract");
    reaches_for_them_in_our_name: reaches(&intrinsics("dcm:choreography/unsafe-intrinsics@0.1.0"), "$u")
        => Refused("not part of the contract");
    reaches_for_them_as_a_part_of_ours: reaches(&intrinsics("dcm:choreography/sensors@0.1.0"), "$u")
        => Refused("store-data-address");
    reaches_for_them_as_a_part_of_a_little_newer: reaches(&intrinsics("dcm:choreography/sensors@0.1.9"), "$u")
        => Refused("store-data-address");
    reaches_for_them_through_an_alias: reaches(&format!(
        r#"{} (instance $v (export "store-data-address" (func $u "store-data-address"))
          (export "u64-native-load" (func $u "u64-native-load"))
          (export "u64-native-store" (func $u "u64-native-store")))"#,
        intrinsics("unsafe-intrinsics")), "$v") => Refused("not part of the contract");
    reaches_for_them_from_inside: nested_reach("(instance $in (instantiate $inner))")
        => Refused("not a valid component");
    reaches_for_them_from_inside_with_help: nested_reach(&format!(
        "{} (instance $in (instantiate $inner (with \"unsafe-intrinsics\" (instance $o))))",
        intrinsics("unsafe-intrinsics").replace("$u", "$o"))) => Refused("not part of the contract");
    gives_itself_intrinsics_of_its_own: nested_reach(FAKE) => Stays("");
}
