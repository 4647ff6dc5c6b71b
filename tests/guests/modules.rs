//! Core modules of other languages' compilers: what stands for WASI preview 1, and what is refused before a component
//! is made of them.

use guests::{End, LoadOptions, WasiAccess, componentize};
use tests::rig::{FORMS, Plan, full_names, with_rig};

use crate::wasi::play;

const P1: &str = "wasi_snapshot_preview1";

fn made(text: &str) -> Result<Vec<u8>, String> {
    let module = wat::parse_str(full_names(text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
    componentize(&module)
}

fn refusal(text: &str) -> String {
    made(text).expect_err(text)
}

/// A module that asks preview 1 for what every standard library asks for, and traps at a wrong answer. Its function is
/// exported with this name.
fn program(export: &str, sleeps: bool) -> String {
    let sleep = if sleeps {
        // 50 ms on the monotonic clock.
        "(i32.store (i32.const 1016) (i32.const 1)) (i64.store (i32.const 1024) (i64.const 50000000))
         (call $ok (call $poll (i32.const 1000) (i32.const 1100) (i32.const 1) (i32.const 1200)))
         (call $same (i64.load32_u (i32.const 1200)) (i64.const 1))
         (call $same (i64.load (i32.const 1100)) (i64.const 77))
         (call $ok (call $time (i32.const 1) (i64.const 0) (i32.const 256)))
         (if (i64.lt_u (i64.load (i32.const 256)) (i64.add (i64.load (i32.const 248)) (i64.const 50000000)))
           (then unreachable))"
    } else {
        ""
    };
    format!(
        r#"(module
        (import "{P1}" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (import "{P1}" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
        (import "{P1}" "fd_fdstat_get" (func $stat (param i32 i32) (result i32)))
        (import "{P1}" "fd_prestat_get" (func $prestat (param i32 i32) (result i32)))
        (import "{P1}" "path_open"
          (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
        (import "{P1}" "args_sizes_get" (func $args (param i32 i32) (result i32)))
        (import "{P1}" "random_get" (func $random (param i32 i32) (result i32)))
        (import "{P1}" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
        (import "{P1}" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
        (import "{P1}" "sched_yield" (func $yield (result i32)))
        (memory (export "memory") 1)
        (data (i32.const 0) "\40\00\00\00\0e\00\00\00\4e\00\00\00\05\00\00\00")
        (data (i32.const 64) "first\n\nsecond\nthird")
        (func $same (param i64 i64) (if (i64.ne (local.get 0) (local.get 1)) (then unreachable)))
        (func $ok (param i32) (call $same (i64.extend_i32_u (local.get 0)) (i64.const 0)))
        (func $bad (param i32) (call $same (i64.extend_i32_u (local.get 0)) (i64.const 8)))
        (func (export "{export}")
          (call $ok (call $write (i32.const 1) (i32.const 0) (i32.const 2) (i32.const 128)))
          (call $same (i64.load32_u (i32.const 128)) (i64.const 19))
          (call $bad (call $write (i32.const 3) (i32.const 0) (i32.const 2) (i32.const 128)))
          (call $ok (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 128)))
          (call $same (i64.load32_u (i32.const 128)) (i64.const 0))
          (call $ok (call $stat (i32.const 1) (i32.const 160)))
          (call $same (i64.load8_u (i32.const 160)) (i64.const 2))
          (call $bad (call $prestat (i32.const 3) (i32.const 160)))
          (call $bad (call $open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)
            (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 128)))
          (call $ok (call $args (i32.const 192) (i32.const 196)))
          (call $same (i64.load (i32.const 192)) (i64.const 0))
          (call $ok (call $random (i32.const 200) (i32.const 16)))
          (if (i64.eq (i64.load (i32.const 200)) (i64.load (i32.const 208))) (then unreachable))
          (call $ok (call $time (i32.const 0) (i64.const 1) (i32.const 248)))
          (if (i64.eqz (i64.load (i32.const 248))) (then unreachable))
          (i64.store (i32.const 1000) (i64.const 77))
          {sleep}
          (call $ok (call $yield))))"#
    )
}

#[test]
fn preview_1_writes_to_the_log_and_lives_in_the_robots_time() {
    let score = made(&program("run", true)).expect("a component");
    // Without any grant.
    let (end, said, _) = play(&score, WasiAccess::default());
    assert_eq!(end, End::Finished);
    assert_eq!(said, ["first", "", "second", "third"]);
    assert!(guests::check(&score, guests::WasiGrant::default()).is_ok());
    let module = wat::parse_str(program("run", true)).expect("a module");
    println!(
        "what stands for preview 1 takes {} bytes",
        score.len() - module.len()
    );
}

#[test]
fn preview_1_is_there_in_hooks_as_well() {
    let motion = made(&program("pre-process", false)).expect("a component");
    for form in FORMS {
        let said = with_rig(&Plan::of(form), |rig| {
            let grant = tests::rig::everything();
            rig.load(&motion, &grant, &LoadOptions::default())
                .unwrap_or_else(|error| panic!("{error}"));
            rig.turns(3);
            std::iter::from_fn(|| rig.manager.said())
                .map(|value| value.text)
                .take(6)
                .collect::<Vec<_>>()
        });
        // It ends no line at its end.
        let wanted = ["first", "", "second", "thirdfirst", "", "second"];
        assert_eq!(said, wanted);
    }
}

#[test]
fn all_of_preview_1_can_be_imported() {
    // Names and types as in its specification, from which compilers take them.
    let functions = [
        ("args_get", "i32 i32"),
        ("clock_res_get", "i32 i32"),
        ("environ_get", "i32 i32"),
        ("environ_sizes_get", "i32 i32"),
        ("fd_advise", "i32 i64 i64 i32"),
        ("fd_allocate", "i32 i64 i64"),
        ("fd_close", "i32"),
        ("fd_datasync", "i32"),
        ("fd_fdstat_set_flags", "i32 i32"),
        ("fd_fdstat_set_rights", "i32 i64 i64"),
        ("fd_filestat_get", "i32 i32"),
        ("fd_filestat_set_size", "i32 i64"),
        ("fd_filestat_set_times", "i32 i64 i64 i32"),
        ("fd_pread", "i32 i32 i32 i64 i32"),
        ("fd_prestat_dir_name", "i32 i32 i32"),
        ("fd_pwrite", "i32 i32 i32 i64 i32"),
        ("fd_readdir", "i32 i32 i32 i64 i32"),
        ("fd_renumber", "i32 i32"),
        ("fd_seek", "i32 i64 i32 i32"),
        ("fd_sync", "i32"),
        ("fd_tell", "i32 i32"),
        ("path_create_directory", "i32 i32 i32"),
        ("path_filestat_get", "i32 i32 i32 i32 i32"),
        ("path_filestat_set_times", "i32 i32 i32 i32 i64 i64 i32"),
        ("path_link", "i32 i32 i32 i32 i32 i32 i32"),
        ("path_readlink", "i32 i32 i32 i32 i32 i32"),
        ("path_remove_directory", "i32 i32 i32"),
        ("path_rename", "i32 i32 i32 i32 i32 i32"),
        ("path_symlink", "i32 i32 i32 i32 i32"),
        ("path_unlink_file", "i32 i32 i32"),
        ("proc_raise", "i32"),
        ("sock_accept", "i32 i32 i32"),
        ("sock_recv", "i32 i32 i32 i32 i32 i32"),
        ("sock_send", "i32 i32 i32 i32 i32"),
        ("sock_shutdown", "i32 i32"),
    ];
    let imports = functions.map(|(name, types)| {
        format!("(import \"{P1}\" \"{name}\" (func (param {types}) (result i32)))")
    });
    let imports = imports.concat();
    let text = format!(
        "(module {imports} (import \"{P1}\" \"proc_exit\" (func (param i32)))
        (memory (export \"memory\") 1) (func (export \"pre-process\")))"
    );
    made(&text).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_hook_that_nobody_would_call_is_told_its_name() {
    for (name, near) in [
        ("preProcess", "pre-process"),
        ("preprocess", "pre-process"),
        ("pre_process", "pre-process"),
        ("PostProcess", "post-process"),
        ("isAlive", "is-alive"),
        ("Start", "start"),
        ("Run", "run"),
    ] {
        // With another hook beside it, too.
        for other in ["", "(func (export \"stop\"))"] {
            let said = refusal(&format!("(module (func (export \"{name}\")) {other})"));
            let wanted = format!("it exports `{name}`, which nobody calls; did you mean `{near}`?");
            assert!(said.starts_with(&wanted), "{said}");
            assert!(said.contains(&format!("//go:wasmexport {near}")), "{said}");
        }
    }
    // Where the hook is there, another name is the module's own affair.
    made("(module (func (export \"pre-process\")) (func (export \"preprocess\")))")
        .expect("a component");
}

#[test]
fn a_hook_of_another_type_is_told_its_type() {
    for (text, wanted) in [
        (
            "(module (func (export \"pre-process\") (param f64)))",
            "it exports `pre-process` as a function (f64); fix: make it a function ()",
        ),
        (
            "(module (func (export \"is-alive\")))",
            "it exports `is-alive` as a function (); fix: make it a function () -> (i32)",
        ),
        (
            "(module (func (export \"run\") (result i32 i64) (i32.const 0) (i64.const 0)))",
            "it exports `run` as a function () -> (i32, i64); fix: make it a function ()",
        ),
        (
            "(module (global (export \"start\") i32 (i32.const 0)))",
            "it exports `start` as no function; fix: make it a function ()",
        ),
    ] {
        assert_eq!(refusal(text), wanted);
    }
}

#[test]
fn an_import_that_nobody_satisfies_is_told_with_what_to_change() {
    for (module, name, wanted) in [
        ("env", "abort", "build with `--use abort=`"),
        (
            "env",
            "sin",
            "the linker left it undefined: define this function",
        ),
        ("gojs", "runtime.wasmExit", "GOOS=wasip1"),
        ("wasi_unstable", "fd_write", "build it for `wasip1`"),
        ("dcm/commands", "sett", "did you mean `set`?"),
        (
            "dcm:choreography/command@0.1.0",
            "set",
            "did you mean `dcm:choreography/commands@0.1.0`?",
        ),
        (
            "dcm:choreography/commands",
            "set",
            "did you mean `dcm:choreography/commands@0.1.0`?",
        ),
        (
            "commands",
            "set",
            "did you mean `dcm:choreography/commands@0.1.0`?",
        ),
        ("moon", "rise", "; `dcm-run wit` prints what is"),
    ] {
        let said = refusal(&format!(
            "(module (import \"{module}\" \"{name}\" (func)) (memory (export \"memory\") 1) (func (export \"run\")))"
        ));
        assert!(
            said.starts_with("it imports `") && said.contains(wanted),
            "{module} {name}: {said}"
        );
    }
}

#[test]
fn a_program_and_a_module_without_memory_are_told_how_to_be_built() {
    let said = refusal("(module (func (export \"_start\")))");
    assert!(
        said.starts_with("it is a program: ") && said.contains("-mexec-model=reactor"),
        "{said}"
    );
    let said = refusal(
        "(module (import \"dcm/log\" \"write\" (func (param i32 i32 i32) (result i32))) (memory 1)
         (func (export \"run\")))",
    );
    assert!(
        said.starts_with("it exports no memory with the name `memory`"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_with_an_import_is_told_by_its_name_and_type() {
    let one = |module: &str, name: &str, of: &str| {
        refusal(&format!(
            "(module (import \"{module}\" \"{name}\" (func {of})) (memory (export \"memory\") 1)
             (func (export \"run\")))"
        ))
    };
    let said = one(P1, "fd_wrote", "(param i32 i32 i32 i32) (result i32)");
    assert!(said.ends_with("did you mean `fd_write`?"), "{said}");
    let said = one(P1, "fd_write", "(param i32 i32 i32) (result i32)");
    let wanted = "it imports `wasi_snapshot_preview1` `fd_write` as a function (i32, i32, i32) -> (i32), and it is \
                  (i32, i32, i32, i32) -> (i32); fix: declare it so";
    assert_eq!(said, wanted);
    let said = one("dcm/commands", "set", "(param i32 f32 i64) (result i32)");
    assert!(
        said.contains("(i32, f32, i64) -> (i32), and it is (i32, f64, i64) -> (i32)"),
        "{said}"
    );
    let said = one("dcm:choreography/commands@0.2.0", "set", "");
    assert!(
        said.contains("this runtime keeps version 0.1.0 of the contract"),
        "{said}"
    );
}

#[test]
fn a_program_with_hooks_is_refused_because_its_start_would_not_be_called() {
    let said = refusal("(module (func (export \"_start\")) (func (export \"run\")))");
    assert!(said.starts_with("it is a program: "), "{said}");
}

#[test]
fn an_invalid_module_is_told_what_is_invalid() {
    let twice = "(module (func (export \"start\")) (func (export \"start\")))";
    let large = "(module (memory 65537) (func (export \"start\")))";
    for (text, wanted) in [
        (twice, "duplicate export name `start`"),
        (large, "memory size"),
    ] {
        let module = wat::parse_str(text).expect(text);
        let error = componentize(&module).expect_err(text);
        assert!(
            error.starts_with("it is not a valid module: ") && error.contains(wanted),
            "{error}"
        );
    }
}

#[test]
fn a_file_of_any_kind_and_length_is_refused_in_a_few_words() {
    for bytes in [&b"\x7fELF\x02\x01"[..], b"", b"\xff\xfe", b"print('hello')"] {
        let error = componentize(bytes).expect_err("no WebAssembly");
        assert!(error.starts_with("it is no WebAssembly: "), "{error}");
    }
    let open = "(".repeat(3_000_000);
    let long = format!("(module (func {}))", "oh".repeat(1_000_000));
    for text in [open, long] {
        let error = componentize(text.as_bytes()).expect_err("an error");
        assert!(error.len() < 1_000, "{} bytes", error.len());
    }
}

/// Modules of AssemblyScript run their top level so.
#[test]
fn a_start_function_may_call_what_the_module_imports() {
    let text = r#"(module
        (import "dcm/body" "find-actuator" (func $find (param i32 i32) (result i32)))
        (memory (export "memory") 1)
        (data (i32.const 0) "Bend")
        (global $calls (mut i32) (i32.const 0))
        (func $top (drop (call $find (i32.const 0) (i32.const 4)))
          (global.set $calls (i32.add (global.get $calls) (i32.const 1))))
        (start $top)
        (func (export "pre-process") (if (i32.ne (global.get $calls) (i32.const 1)) (then unreachable))))"#;
    let bytes = made(text).expect("a component");
    for form in FORMS {
        with_rig(&Plan::of(form), |rig| {
            let loaded = rig.load(&bytes, &tests::rig::everything(), &LoadOptions::default());
            let id = loaded.unwrap_or_else(|error| panic!("{error}"));
            for _ in 0..4 {
                rig.turn();
            }
            assert_eq!(rig.fate(id).1, End::None);
        });
    }
}
