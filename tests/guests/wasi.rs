//! WASI: nothing by default, and never anything for hooks. A grant may give a score clocks, random numbers, standard
//! output and one folder, and nothing else.

use std::path::Path;

use guests::{
    CodeForm, ContractError, End, Grant, GuestLife, LoadOptions, WasiAccess, WasiGrant, check,
};
use tests::rig::{Plan, everything, with_rig};

use crate::text::{ANSWER, exporting, whole};

/// It needs no grant, and reaches nothing without one.
const FREE: Option<&str> = Some("free");

/// What a program might import, and the grant's name for it.
const CAPABILITIES: &[(&str, &str, Option<&str>)] = &[
    ("wasi:clocks/wall-clock@0.2.0", "now", Some("clocks")),
    ("wasi:clocks/monotonic-clock@0.2.0", "now", Some("clocks")),
    ("wasi:random/random@0.2.0", "get-random-u64", Some("random")),
    (
        "wasi:random/insecure@0.2.0",
        "get-insecure-random-u64",
        Some("random"),
    ),
    (
        "wasi:random/insecure-seed@0.2.0",
        "insecure-seed",
        Some("random"),
    ),
    ("wasi:cli/stdout@0.2.0", "get-stdout", FREE),
    ("wasi:cli/stderr@0.2.0", "get-stderr", FREE),
    ("wasi:cli/stdin@0.2.0", "get-stdin", FREE),
    ("wasi:cli/environment@0.2.0", "get-environment", FREE),
    ("wasi:cli/exit@0.2.0", "exit", FREE),
    ("wasi:cli/terminal-stdout@0.2.0", "x", FREE),
    ("wasi:io/poll@0.2.0", "poll", FREE),
    ("wasi:filesystem/types@0.2.0", "x", FREE),
    ("wasi:filesystem/preopens@0.2.0", "get-directories", FREE),
    ("wasi:sockets/network@0.2.0", "x", FREE),
    (
        "wasi:sockets/instance-network@0.2.0",
        "instance-network",
        FREE,
    ),
    (
        "wasi:sockets/tcp-create-socket@0.2.0",
        "create-tcp-socket",
        FREE,
    ),
    (
        "wasi:sockets/ip-name-lookup@0.2.0",
        "resolve-addresses",
        FREE,
    ),
    ("wasi:http/types@0.2.0", "x", FREE),
    ("wasi:http/outgoing-handler@0.2.0", "handle", FREE),
    ("wasi:keyvalue/store@0.2.0", "open", None),
    ("wasi:threads/spawn@0.2.0", "x", None),
    ("wasi:cli/run@0.2.0", "run", None),
    ("wasi:nn/graph@0.2.0", "load", None),
    ("wasi:gpio/pin@0.2.0", "x", None),
    ("wasi:snapshot/preview1", "x", None),
];

/// All possible grants.
fn grants() -> impl Iterator<Item = WasiGrant> {
    (0..4).map(|bits| WasiGrant {
        clocks: bits & 1 != 0,
        random: bits & 2 != 0,
    })
}

fn gives(grant: WasiGrant, word: &str) -> bool {
    match word {
        "clocks" => grant.clocks,
        "random" => grant.random,
        "free" => true,
        other => panic!("{other} is no word of a grant"),
    }
}

fn import(name: &str, function: &str) -> String {
    format!(r#"(import "{name}" (instance (export "{function}" (func))))"#)
}

#[test]
fn each_capability_is_refused_unless_its_own_word_is_granted_and_in_a_motion_always() {
    let mut refused = 0;
    for (name, function, word) in CAPABILITIES {
        let score = exporting(&import(name, function), "run");
        let motion = exporting(&import(name, function), "pre-process");
        for grant in grants() {
            let granted = word.is_some_and(|word| gives(grant, word));
            let found = check(&score, grant);
            assert_eq!(found.is_ok(), granted, "{name} with {grant:?}: {found:?}");
            refused += usize::from(found.is_err());
            match check(&motion, grant) {
                Err(ContractError::Wasi { motion: true, .. }) => refused += 1,
                other => panic!("{name} in a motion: {other:?}"),
            }
        }
    }
    println!("{refused} imports refused");
}

#[test]
fn all_grants_that_are_missing_are_told_at_once() {
    let all = [
        ("wasi:clocks/wall-clock@0.2.0", "now"),
        ("wasi:random/random@0.2.0", "get-random-u64"),
        ("wasi:clocks/monotonic-clock@0.2.0", "now"),
        ("wasi:cli/stdout@0.2.0", "get-stdout"),
    ];
    let imports = all.map(|(name, function)| import(name, function)).concat();
    let found = check(&exporting(&imports, "run"), WasiGrant::default());
    let failure = found.expect_err("nothing was granted").to_string();
    assert_eq!(
        failure,
        "it imports `wasi:clocks/wall-clock@0.2.0` and 2 more of WASI, which it was not granted; fix: build it without \
         WASI, or set `wasi = [\"clocks\", \"random\"]` in its `[grants.NAME]` of the robot's description; for a \
         simulation, use `--wasi`"
    );
    // Where one of them can never be had, the others would be granted in vain.
    let imports = imports + &import("wasi:nn/graph@0.2.0", "load");
    let found = check(&exporting(&imports, "run"), WasiGrant::default());
    let error = found.expect_err("nobody has it").to_string();
    assert_eq!(
        error,
        "it imports `wasi:nn/graph@0.2.0`, which no choreography may have; fix: build it without"
    );
}

/// Plays a score with this access; returns its end, and its log lines.
pub(crate) fn play(bytes: &[u8], access: WasiAccess) -> (End, Vec<String>, f64) {
    let grant = Grant {
        wasi: access,
        ..everything()
    };
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        let loaded = rig.load(bytes, &grant, &LoadOptions::default());
        let id = loaded.unwrap_or_else(|error| panic!("{error}"));
        rig.until(usize::MAX, |rig| {
            std::thread::sleep(std::time::Duration::from_micros(100));
            rig.fate(id).0 == GuestLife::Gone
        });
        rig.turns(2);
        let said = std::iter::from_fn(|| rig.manager.said()).map(|value| value.text);
        (rig.fate(id).1, said.collect(), rig.sent[0])
    })
}

/// Waits for an hour: in `block`, or in `poll`.
fn waits(call: &str) -> Vec<u8> {
    whole(&format!(
        r#"(component
        (import "wasi:io/poll@0.2.0" (instance $poll
          (export "pollable" (type $p (sub resource)))
          (export "[method]pollable.block" (func (param "self" (borrow $p))))
          (export "poll" (func (param "in" (list (borrow $p))) (result (list u32))))))
        (alias export $poll "pollable" (type $pollable))
        (import "wasi:clocks/monotonic-clock@0.2.0" (instance $clock
          (alias outer 1 $pollable (type $p0)) (export "pollable" (type $p (eq $p0)))
          (export "subscribe-duration" (func (param "when" u64) (result (own $p))))))
        (core module $memory (memory (export "m") 1)
          (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
        (core instance $memory (instantiate $memory))
        (alias core export $memory "m" (core memory $m))
        (core func $subscribe (canon lower (func $clock "subscribe-duration")))
        (core func $block (canon lower (func $poll "[method]pollable.block")))
        (core func $poll (canon lower (func $poll "poll") (memory $m)
          (realloc (core func $memory "realloc"))))
        (core module $main
          (import "" "m" (memory 1))
          (import "" "subscribe" (func $subscribe (param i64) (result i32)))
          (import "" "block" (func $block (param i32)))
          (import "" "poll" (func $poll (param i32 i32 i32)))
          (func (export "run")
            (i32.store (i32.const 0) (call $subscribe (i64.const 3600000000000)))
            {call}))
        (core instance $i (instantiate $main (with "" (instance (export "m" (memory $m))
          (export "subscribe" (func $subscribe)) (export "block" (func $block)) (export "poll" (func $poll))))))
        (func (export "run") (canon lift (core func $i "run"))))"#
    ))
}

#[test]
fn a_score_that_waits_for_an_hour_ends_when_it_is_told_and_leaves_no_thread() {
    for call in [
        "(call $block (i32.load (i32.const 0)))",
        "(call $poll (i32.const 0) (i32.const 1) (i32.const 8))",
    ] {
        let plan = Plan {
            lockstep: None,
            ..Plan::of(CodeForm::InPlace)
        };
        with_rig(&plan, |rig| {
            let grant = Grant {
                wasi: access(&["clocks"], None),
                ..everything()
            };
            let loaded = rig.load(&waits(call), &grant, &LoadOptions::default());
            let id = loaded.unwrap_or_else(|error| panic!("{error}"));
            let report = rig.manager.report(id).expect("it is there");
            for _ in 0..20 {
                rig.turn();
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            assert_eq!(rig.fate(id).0, GuestLife::Running);
            rig.manager.end(id).expect("it is there");
            tests::process::until("it has gone, and its thread", || {
                rig.turn();
                rig.fate(id) == (GuestLife::Gone, End::Stopped) && report.is_settled()
            });
        });
    }
}

pub(crate) fn access(words: &[&str], folder: Option<&Path>) -> WasiAccess {
    let has = |word: &str| words.contains(&word);
    WasiAccess {
        grant: WasiGrant {
            clocks: has("clocks"),
            random: has("random"),
        },
        folder: folder.map(Path::to_owned),
    }
}

/// Calls this function for a number, and traps if it is 0 twice.
fn number(interface: &str, function: &str) -> Vec<u8> {
    whole(&format!(
        r#"(component
        (import "{interface}" (instance $it (export "{function}" (func (result u64)))))
        (core func $f (canon lower (func $it "{function}")))
        (core module $m (import "" "f" (func $f (result i64)))
          (func (export "run")
            (if (i64.eqz (i64.or (call $f) (call $f))) (then (unreachable)))))
        (core instance $i (instantiate $m (with "" (instance (export "f" (func $f))))))
        (func (export "run") (canon lift (core func $i "run"))))"#
    ))
}

#[test]
fn clocks_and_random_numbers_are_there_if_they_are_granted() {
    let clock = number("wasi:clocks/monotonic-clock@0.2.0", "now");
    assert_eq!(play(&clock, access(&["clocks"], None)).0, End::Finished);
    let random = number("wasi:random/random@0.2.0", "get-random-u64");
    assert_eq!(play(&random, access(&["random"], None)).0, End::Finished);
}

/// Streams, as far as printing needs them.
pub(crate) const STREAMS: &str = r#"
    (import "wasi:io/error@0.2.0" (instance $error (export "error" (type (sub resource)))))
    (alias export $error "error" (type $error))
    (import "wasi:io/streams@0.2.0" (instance $streams
      (alias outer 1 $error (type $e0)) (export "error" (type $e (eq $e0)))
      (export "output-stream" (type $out (sub resource)))
      (type $se0 (variant (case "last-operation-failed" (own $e)) (case "closed")))
      (export "stream-error" (type $se (eq $se0)))
      (export "[method]output-stream.blocking-write-and-flush"
        (func (param "self" (borrow $out)) (param "contents" (list u8)) (result (result (error $se)))))))
    (alias export $streams "output-stream" (type $out))"#;

fn prints(to: &str) -> Vec<u8> {
    whole(&format!(
        r#"(component {STREAMS}
        (import "wasi:cli/{to}@0.2.0" (instance $std
          (alias outer 1 $out (type $o0)) (export "output-stream" (type $o (eq $o0)))
          (export "get-{to}" (func (result (own $o))))))
        (core module $memory (memory (export "m") 1)
          (data (i32.const 0) "One, two,\nthree, four.\nfi"))
        (core instance $memory (instantiate $memory))
        (alias core export $memory "m" (core memory $m))
        (core func $get (canon lower (func $std "get-{to}")))
        (core func $write (canon lower
          (func $streams "[method]output-stream.blocking-write-and-flush") (memory $m)))
        (core module $main
          (import "" "get" (func $get (result i32)))
          (import "" "write" (func $write (param i32 i32 i32 i32)))
          (func (export "run") (call $write (call $get) (i32.const 0) (i32.const 25) (i32.const 100))))
        (core instance $i (instantiate $main (with "" (instance
          (export "get" (func $get)) (export "write" (func $write))))))
        (func (export "run") (canon lift (core func $i "run"))))"#
    ))
}

#[test]
fn what_is_printed_is_a_line_of_the_log() {
    for to in ["stdout", "stderr"] {
        let (end, said, _) = play(&prints(to), access(&[], None));
        assert_eq!(end, End::Finished);
        assert_eq!(said, ["One, two,", "three, four.", "fi"]);
    }
}

/// Makes a folder of this name in the first folder that it has; the answer is sent to J0: 0 done, 1 refused, 9 no
/// folder.
fn makes(name: &str) -> Vec<u8> {
    whole(&format!(
        r#"(component
        (import "wasi:filesystem/types@0.2.0" (instance $types
          (export "descriptor" (type $d (sub resource)))
          (type $c0 (enum "access" "would-block" "already" "bad-descriptor" "busy" "deadlock" "quota" "exist"
            "file-too-large" "illegal-byte-sequence" "in-progress" "interrupted" "invalid" "io"
            "is-directory" "loop" "too-many-links" "message-size" "name-too-long" "no-device" "no-entry"
            "no-lock" "insufficient-memory" "insufficient-space" "not-directory" "not-empty"
            "not-recoverable" "unsupported" "no-tty" "no-such-device" "overflow" "not-permitted" "pipe"
            "read-only" "invalid-seek" "text-file-busy" "cross-device"))
          (export "error-code" (type $c (eq $c0)))
          (export "[method]descriptor.create-directory-at"
            (func (param "self" (borrow $d)) (param "path" string) (result (result (error $c)))))))
        (alias export $types "descriptor" (type $d))
        (import "wasi:filesystem/preopens@0.2.0" (instance $preopens
          (alias outer 1 $d (type $d0)) (export "descriptor" (type $d1 (eq $d0)))
          (export "get-directories" (func (result (list (tuple (own $d1) string)))))))
        (import "dcm:choreography/types@0.1.0" (instance $t
          {ANSWER}
          (export "answer" (type (eq $e)))))
        (alias export $t "answer" (type $answer))
        (import "dcm:choreography/commands@0.1.0" (instance $commands
          (alias outer 1 $answer (type $a0)) (export "answer" (type $a (eq $a0)))
          (export "set" (func (param "to" u32) (param "value" f64) (param "at" u64) (result $a)))))
        (core module $memory (memory (export "m") 1) (data (i32.const 0) "{name}")
          (global $next (mut i32) (i32.const 4096))
          (func (export "realloc") (param i32 i32 i32 i32) (result i32)
            (global.set $next (i32.add (global.get $next) (i32.const 1024)))
            (i32.sub (global.get $next) (i32.const 1024))))
        (core instance $memory (instantiate $memory))
        (alias core export $memory "m" (core memory $m))
        (alias core export $memory "realloc" (core func $realloc))
        (core func $list (canon lower (func $preopens "get-directories") (memory $m) (realloc $realloc)))
        (core func $make (canon lower
          (func $types "[method]descriptor.create-directory-at") (memory $m)))
        (core func $set (canon lower (func $commands "set")))
        (core module $main
          (import "" "m" (memory 1))
          (import "" "list" (func $list (param i32)))
          (import "" "make" (func $make (param i32 i32 i32 i32)))
          (import "" "set" (func $set (param i32 f64 i64) (result i32)))
          (func (export "run")
            (call $list (i32.const 200))
            (if (i32.eqz (i32.load (i32.const 204))) (then
              (drop (call $set (i32.const 0) (f64.const 9) (i64.const 0))) (return)))
            (call $make (i32.load (i32.load (i32.const 200))) (i32.const 0) (i32.const {length})
              (i32.const 300))
            (drop (call $set (i32.const 0)
              (f64.convert_i32_u (i32.load8_u (i32.const 300))) (i64.const 0)))))
        (core instance $i (instantiate $main (with "" (instance
          (export "m" (memory $m)) (export "list" (func $list))
          (export "make" (func $make)) (export "set" (func $set))))))
        (func (export "run") (canon lift (core func $i "run"))))"#,
        length = name.len()
    ))
}

#[test]
fn a_folder_is_given_and_nothing_beside_it() {
    let outside = tempfile::tempdir().expect("a folder");
    let folder = outside.path().join("given");
    std::fs::create_dir(&folder).expect("a folder");
    std::os::unix::fs::symlink(outside.path(), folder.join("way-out")).expect("a link");
    let files = access(&[], Some(&folder));
    let (end, _, answer) = play(&makes("steps"), files.clone());
    assert_eq!((end, answer), (End::Finished, 0.0));
    assert!(folder.join("steps").is_dir());
    for name in [
        "../beside",
        "way-out/beside",
        "/tmp/../beside",
        "steps/../../beside",
    ] {
        let (end, _, answer) = play(&makes(name), files.clone());
        assert_eq!((end, answer), (End::Finished, 1.0), "{name}");
    }
    let mut found: Vec<_> = std::fs::read_dir(outside.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    found.sort();
    assert_eq!(found, ["given"]);
    // Without a folder nothing is opened.
    let (end, _, answer) = play(&makes("steps"), access(&[], None));
    assert_eq!((end, answer), (End::Finished, 9.0));
}

/// Imports a socket's function and one of HTTP; calls one of them, or none.
fn networked(call: &str) -> Vec<u8> {
    whole(&format!(
        r#"(component
        (import "wasi:sockets/ip-name-lookup@0.2.0" (instance $names (export "resolve" (func))))
        (import "wasi:http/outgoing-handler@0.2.0" (instance $http (export "handle" (func))))
        (core func $resolve (canon lower (func $names "resolve")))
        (core func $handle (canon lower (func $http "handle")))
        (core module $main
          (import "" "resolve" (func $resolve))
          (import "" "handle" (func $handle))
          (func (export "run") {call}))
        (core instance $i (instantiate $main (with "" (instance
          (export "resolve" (func $resolve)) (export "handle" (func $handle))))))
        (func (export "run") (canon lift (core func $i "run"))))"#
    ))
}

#[test]
fn sockets_and_http_can_be_imported_but_not_called() {
    let (end, _, _) = play(&networked(""), access(&[], None));
    assert_eq!(end, End::Finished);
    for call in ["(call $resolve)", "(call $handle)"] {
        let (end, _, _) = play(&networked(call), access(&[], None));
        assert_eq!(end, End::Trap, "{call}");
    }
}
