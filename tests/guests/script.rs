//! Scripts: guests whose code is an engine, the same for all, and whose text stands beside it in the file.

use std::path::Path;

use guests::{Cache, CodeForm, ContractError, LoadOptions, WasiGrant, check};
use tests::rig::{Plan, everything, with_rig};

use crate::text::guest;

/// An engine whose language has one word: a digit, the value that J0 is sent. Anything else is an error in a script.
const ENGINE: &str = r#"(memory (export "memory") 1)
    (data (i32.const 0) "TypeError: no digit\n  at script:1")
    (global $value (mut f64) (f64.const 0))
    (func (export "start") (local $digit i32)
        (local.set $digit (i32.sub
            (i32.wrap_i64 (i64.and (call $script.word (i32.const 0)) (i64.const 255))) (i32.const 48)))
        (if (i32.or (i32.eqz (call $script.length)) (i32.gt_u (local.get $digit) (i32.const 9)))
            (then (call $script.fail (i32.const 0) (i32.const 34))))
        (global.set $value (f64.convert_i32_u (local.get $digit))))
    (func (export "pre-process")
        (drop (call $commands.set (i32.const 0) (global.get $value) (call $clock.now))))"#;

/// Hooks that command J0 or end the guest, each of which an engine has, whichever its script has.
const HOOKS: &str = r#"
    (func $send (param f64) (drop (call $commands.set (i32.const 0) (local.get 0) (call $clock.now))))
    (func (export "pre-process") (call $send (f64.const 1)))
    (func (export "post-process") (call $send (f64.const 2)))
    (func (export "is-alive") (result i32) (i32.const 0))"#;

#[test]
fn only_the_hooks_that_a_manifest_lists_are_called() {
    let engine = guest(HOOKS);
    let only = with(&engine, "dcm:manifest", "hooks = [\"pre-process\"]");
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        let choreography = rig.prepare(&only, &everything()).expect("a guest");
        assert_eq!(choreography.checked.hooks, ["pre-process"]);
        let loaded = rig
            .manager
            .load(&choreography, &everything(), &LoadOptions::default());
        loaded.expect("it starts");
        // Nothing of it ends it, and only 1 is sent.
        for _ in 0..10 {
            rig.turns(1);
            assert_eq!(rig.sent[0], 1.0);
        }
    });
    let refused = |lines: &str| {
        let listed = with(&engine, "dcm:manifest", lines);
        let error = check(&listed, WasiGrant::default()).expect_err("refused");
        error.to_string()
    };
    let failure = refused("hooks = [\"preprocess\"]");
    let wanted = "`hooks` lists `preprocess`, and it exports pre-process, post-process, is-alive";
    assert!(failure.contains(wanted), "{failure}");
    let error = refused("hooks = []");
    assert!(error.contains("nobody would call it"), "{error}");
}

/// A component with a custom section behind it.
fn with(component: &[u8], name: &str, text: &str) -> Vec<u8> {
    let length = |n: usize| u8::try_from(n).expect("a short section");
    let mut bytes = component.to_vec();
    bytes.extend([0, length(1 + name.len() + text.len()), length(name.len())]);
    bytes.extend([name.as_bytes(), text.as_bytes()].concat());
    bytes
}

fn script(text: &str) -> Vec<u8> {
    with(&guest(ENGINE), "dcm:script", text)
}

/// Loads it, with this folder for machine code; whether its code was there, and what J0 is sent.
fn play(folder: &Path, bytes: &[u8]) -> (bool, f64) {
    let plan = Plan {
        cache: Cache::at(folder).expect("a folder of ours"),
        ..Plan::of(CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        let choreography = rig.prepare(bytes, &everything()).expect("a guest");
        let loaded = rig
            .manager
            .load(&choreography, &everything(), &LoadOptions::default());
        loaded.expect("it starts");
        rig.turns(2);
        (choreography.cached, rig.sent[0])
    })
}

#[test]
fn an_engine_is_compiled_once_for_all_its_scripts() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("code");
    // Neither do the lines of a manifest matter to the code.
    let named = with(&script("9"), "dcm:manifest", "name = \"nine\"");
    assert_eq!(play(&folder, &script("3")), (false, 3.0));
    assert_eq!(play(&folder, &script("7")), (true, 7.0));
    assert_eq!(play(&folder, &named), (true, 9.0));
    // Another engine is other code.
    let other = guest(&ENGINE.replace("(i32.const 48)", "(i32.const 47)"));
    let other = with(&other, "dcm:script", "3");
    assert_eq!(play(&folder, &other), (false, 4.0));
}

#[test]
fn a_script_that_fails_says_why() {
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        for wrong in [script("x"), script(""), guest(ENGINE)] {
            let error = rig.load(&wrong, &everything(), &LoadOptions::default());
            let error = error.expect_err("no digit").to_string();
            assert_eq!(error, "it failed: TypeError: no digit\n  at script:1");
        }
    });
}

#[test]
fn a_text_has_a_largest_size() {
    let engine = guest(ENGINE);
    let long = |length: usize| {
        let mut section = b"\x0adcm:script".to_vec();
        section.resize(section.len() + length, b'1');
        let mut bytes = engine.clone();
        bytes.push(0);
        let mut rest = section.len();
        while rest > 127 {
            bytes.push(u8::try_from(rest & 127).expect("seven bits") | 128);
            rest >>= 7;
        }
        bytes.push(u8::try_from(rest).expect("seven bits"));
        bytes.extend(section);
        bytes
    };
    let most = 1 << 20;
    let checked = check(&long(most), WasiGrant::default()).expect("it fits");
    assert!(checked.is_interpreted() && checked.script.len() == most);
    let error = check(&long(most + 1), WasiGrant::default()).expect_err("too long");
    assert_eq!(error, ContractError::Script(most + 1));
    assert!(error.to_string().contains("fix:"), "{error}");
}
