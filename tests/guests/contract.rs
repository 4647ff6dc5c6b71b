//! The errors for a file that is refused: what is wrong, and what to do about it.

use guests::{ContractError, WasiGrant, World, check};

use crate::text::{ANSWER, exporting, guest, hook, import, with_manifest};

fn refusal(bytes: &[u8]) -> String {
    match check(bytes, WasiGrant::default()) {
        Ok(_) => panic!("it was let in"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_file_of_another_kind_is_told_what_it_is() {
    let module = wat::parse_str("(module)").expect("a module");
    let mut large = vec![0; (64 << 20) + 1];
    large[..4].copy_from_slice(b"\0asm");
    let told = [
        (vec![], "the file is empty"),
        (b"print('hello')".to_vec(), "it is not WebAssembly"),
        (
            module,
            "it is a core module, and a choreography is a component; fix: make one of it with `dcm-run build`",
        ),
        (
            large,
            "it has 64 MiB, and a choreography has at most 64 MiB",
        ),
    ];
    for (bytes, wanted) in told {
        assert_eq!(refusal(&bytes), wanted);
    }
}

#[test]
fn a_name_that_is_nearly_right_is_told_the_right_one() {
    let told = [
        (
            "dcm:choreography/command@0.1.0",
            "set",
            "did you mean `commands`?",
        ),
        (
            "dcm:choreography/sensor@0.1.0",
            "read",
            "did you mean `sensors`?",
        ),
        ("dcm:choreography/clock@0.1.0", "new", "did you mean `now`?"),
        (
            "dcm:choreography/body@0.1.0",
            "find-actuators",
            "did you mean `find-actuator`?",
        ),
        (
            "dcm:choreographie/lane@0.1.0",
            "finish",
            "did you mean `dcm:choreography/lane@0.1.0`?",
        ),
        (
            "my:own/lane@0.1.0",
            "finish",
            "did you mean `dcm:choreography/lane@0.1.0`?",
        ),
        ("env:memory/whatever", "x", "; `dcm-run wit` prints what is"),
    ];
    for (interface, function, wanted) in told {
        let found = refusal(&import(interface, function));
        assert!(found.ends_with(wanted), "{found}");
        assert!(
            found.starts_with(&format!("it imports `{interface}")),
            "{found}"
        );
    }
}

#[test]
fn a_hook_that_nobody_would_call_is_told_its_name() {
    for (name, near) in [
        ("preprocess", "pre-process"),
        ("pre-proces", "pre-process"),
        ("isalive", "is-alive"),
    ] {
        let found = refusal(&exporting("", name));
        let wanted = format!("it exports `{name}`, which nobody calls; did you mean `{near}`?");
        assert_eq!(found, wanted);
    }
    let found = refusal(&exporting("", "is-alive"));
    assert_eq!(found, "it exports `is-alive`, but not as `func() -> bool`");
    let found = refusal(&exporting("", "dance"));
    assert!(
        found.contains("(start, pre-process, post-process, is-alive, stop)"),
        "{found}"
    );
}

#[test]
fn another_version_is_told_which_one_is_kept() {
    let found = refusal(&import("dcm:choreography/clock@0.3.0", "now"));
    let wanted = "it imports `dcm:choreography/clock@0.3.0`, and this runtime keeps version 0.1.0 of the \
                  contract; fix: build it against that, or use a newer dcm-run";
    assert_eq!(found, wanted);
    // A component of a later patch version may use what exists already.
    assert!(
        check(
            &import("dcm:choreography/clock@0.1.9", "now"),
            WasiGrant::default()
        )
        .is_ok()
    );
    let found = refusal(&import("dcm:choreography/clock@0.1.9", "moon"));
    assert!(
        found.starts_with("it imports `dcm:choreography/clock@0.1.9: moon`"),
        "{found}"
    );
}

#[test]
fn wasi_is_told_what_would_allow_it() {
    let motion = refusal(&import("wasi:clocks/wall-clock@0.2.0", "now"));
    assert!(
        motion.contains("hooks never get anything of WASI"),
        "{motion}"
    );
    let score = |name: &str| {
        let import = format!(r#"(import "{name}" (instance (export "x" (func))))"#);
        refusal(&exporting(&import, "run"))
    };
    for (name, word) in [
        ("wasi:clocks/wall-clock@0.2.0", "clocks"),
        ("wasi:random/random@0.2.0", "random"),
    ] {
        let found = score(name);
        assert!(
            found.contains(&format!("set `wasi = [\"{word}\"]` in its")),
            "{found}"
        );
    }
    let found = score("wasi:nn/graph@0.2.0");
    assert!(
        found.ends_with("which no choreography may have; fix: build it without"),
        "{found}"
    );
}

#[test]
fn what_keeps_the_contract_is_told_as_what_it_is() {
    let checked = check(
        &tests::rig::component(&hook(
            "pre-process",
            "(drop (call $lane.finish)) (drop (call $clock.now))",
        )),
        WasiGrant::default(),
    )
    .expect("it is sound");
    assert_eq!(checked.world, World::Motion);
    let mut imports: Vec<_> = checked
        .imports
        .iter()
        .filter(|import| !import.1.is_empty())
        .map(|import| (import.0.as_str(), import.1.join(" ")))
        .collect();
    imports.sort();
    let wanted = [
        ("dcm:choreography/clock@0.1.0", "now".to_owned()),
        ("dcm:choreography/lane@0.1.0", "finish".to_owned()),
    ];
    assert_eq!(imports, wanted);
    let score = with_manifest(
        guest(r#"(func (export "run"))"#),
        "name = \"bow\"\nfuel = 7\nfade-in = 20",
    );
    let checked = check(&score, WasiGrant::default()).expect("it is sound");
    assert_eq!(checked.world, World::Score);
    assert_eq!(checked.manifest.name.as_deref(), Some("bow"));
    assert_eq!(
        (checked.manifest.fuel, checked.manifest.fade_in),
        (Some(7), Some(20))
    );
}

/// A guest that writes a line, as text of this encoding, in what it exports.
fn writes(encoding: &str, export: &str) -> Vec<u8> {
    crate::text::whole(&format!(
        r#"(component
        (import "dcm/types" (instance $t
          {ANSWER}
          (export "answer" (type (eq $e)))))
        (alias export $t "answer" (type $answer))
        (import "dcm/log" (instance $log
          (alias outer 1 $answer (type $a0)) (export "answer" (type $a (eq $a0)))
          (type $l0 (enum "debug" "info" "warning")) (export "level" (type $l (eq $l0)))
          (export "write" (func (param "level" $l) (param "text" string) (result $a)))))
        (core module $memory (memory (export "m") 1) (data (i32.const 0) "h\00\e9\00"))
        (core instance $memory (instantiate $memory))
        (alias core export $memory "m" (core memory $m))
        (core func $write (canon lower (func $log "write") (memory $m) string-encoding={encoding}))
        (core module $main
          (import "" "write" (func $write (param i32 i32 i32) (result i32)))
          (func (export "h") (drop (call $write (i32.const 1) (i32.const 0) (i32.const 2)))))
        (core instance $i (instantiate $main (with "" (instance (export "write" (func $write))))))
        (func (export "{export}") (canon lift (core func $i "h"))))"#
    ))
}

#[test]
fn texts_that_would_be_translated_inside_a_turn_are_refused() {
    for encoding in ["utf16", "latin1+utf16"] {
        let found = check(&writes(encoding, "pre-process"), WasiGrant::default()).err();
        assert_eq!(found, Some(ContractError::Encoding), "{encoding}");
        // A score has its own time.
        let found = check(&writes(encoding, "run"), WasiGrant::default());
        assert!(found.is_ok(), "{found:?}");
    }
    let found = check(&writes("utf8", "pre-process"), WasiGrant::default());
    assert!(found.is_ok(), "{found:?}");
    let text = ContractError::Encoding.to_string();
    assert!(text.contains("UTF-8") && text.contains("fix: "), "{text}");
}

/// The contract's types, and one of them imported once more by itself, as in a world that mentions it in its exports.
const WORD_BY_ITSELF: &str = r#"
    (import "dcm/types" (instance $t
      (type $e (enum "done" "unknown" "forbidden" "full" "not-finite" "out-of-reach"
        "inside-a-turn" "taken" "wrong-kind" "too-much" "ending"))
      (export "answer" (type (eq $e)))))
    (alias export $t "answer" (type $answer))
    (import "answer" (type $word (eq $answer)))
    (import "dcm/commands" (instance $commands
      (alias outer 1 $answer (type $a0)) (export "answer" (type $a (eq $a0)))
      (export "set" (func (param "to" u32) (param "value" f64) (param "at" u64) (result $a)))))
    (core func $set (canon lower (func $commands "set")))
    (core module $main (import "" "set" (func $set (param i32 f64 i64) (result i32)))
      (func (export "h") (drop (call $set (i32.const 0) (f64.const 5) (i64.const 0))))
      (func (export "tell") (param i32)))
    (core instance $i (instantiate $main (with "" (instance (export "set" (func $set))))))
    (func (export "tell") (param "of" $word) (canon lift (core func $i "tell")))"#;

#[test]
fn a_word_may_be_imported_by_itself_and_a_resource_may_not() {
    let plays = |export: &str| {
        crate::text::whole(&format!(
            r#"(component {WORD_BY_ITSELF} (func (export "{export}") (canon lift (core func $i "h"))))"#
        ))
    };
    crate::both(|rig| {
        for export in ["pre-process", "run"] {
            rig.sent[0] = 0.0;
            let everything = tests::rig::everything();
            let loaded = rig.load(&plays(export), &everything, &guests::LoadOptions::default());
            let id = loaded.unwrap_or_else(|error| panic!("{export}: {error}"));
            rig.turns(3);
            assert_eq!(rig.sent[0], 5.0, "{export}");
            let _ = rig.manager.end(id);
            rig.turns(3);
        }
    });
    for import in [
        r#"(import "thing" (type (sub resource)))"#,
        r#"(import "things" (instance (export "thing" (type (sub resource)))))"#,
        r#"(import "dance" (func))"#,
        r#"(import "part" (component))"#,
        r#"(import "module" (core module))"#,
    ] {
        for export in ["pre-process", "run"] {
            let found = check(&exporting(import, export), WasiGrant::default());
            assert!(
                matches!(found, Err(ContractError::Unknown { .. })),
                "{import}: {found:?}"
            );
        }
    }
}

/// Components in each other, each empty but for the next one.
fn nested(levels: usize) -> Vec<u8> {
    const EMPTY: [u8; 8] = *b"\0asm\x0d\0\x01\0";
    // A section with a component has the number 4; lengths are numbers of seven bits a byte. From the inside out the
    // whole would be copied for each level: so the lengths are counted first.
    let leb = |mut number: usize| {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let mut lengths = vec![EMPTY.len()];
    for _ in 0..levels {
        let inner = lengths[lengths.len() - 1];
        lengths.push(EMPTY.len() + 1 + leb(inner).len() + inner);
    }
    let mut bytes = EMPTY.to_vec();
    for length in lengths.iter().rev().skip(1) {
        bytes.push(4);
        bytes.extend(leb(*length));
        bytes.extend(EMPTY);
    }
    bytes
}

#[test]
fn components_that_are_nested_too_deep_are_refused_before_they_are_validated() {
    // 10,000 levels took seconds, and four times as many sixteen times as long.
    for levels in [101, 10_000, 400_000] {
        let wanted =
            format!("its components and modules are nested {levels} deep, and at most 100 are");
        let found = refusal(&nested(levels));
        assert!(found.starts_with(&wanted), "{found}");
    }
    let found = refusal(&nested(100));
    assert!(found.starts_with("it exports neither a hook"), "{found}");
}

#[test]
fn components_with_too_many_functions_are_refused_before_they_are_validated() {
    let component = |functions: usize| {
        let text = format!("(component (core module {}))", "(func)".repeat(functions));
        wat::parse_str(text).expect("a component")
    };
    let found = refusal(&component(100_001));
    assert!(
        found.starts_with("it has 100001 functions, and at most 100000 are accepted"),
        "{found}"
    );
    let found = refusal(&component(100_000));
    assert!(found.starts_with("it exports neither a hook"), "{found}");
}

#[test]
fn names_from_a_file_reach_no_terminal_as_they_are() {
    let module =
        "(module (import \"\\1b[31m\\u{202e}evil\" \"\\07\\n\" (func)) (func (export \"run\")))";
    let module = wat::parse_str(module).expect("a module");
    let found = guests::componentize(&module).expect_err("an unknown import");
    assert!(
        found.starts_with("it imports ` [31m evil` `  `"),
        "{found:?}"
    );
    let read = guests::Manifest::read("about = \"\\u001b[2J\\u202e!\"").expect("a manifest");
    assert_eq!(read.about.as_deref(), Some(" [2J !"));
}
