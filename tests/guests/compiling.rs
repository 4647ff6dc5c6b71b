//! From bytes to machine code, outside the loop: a child with limits, two tiers, and a cache that accepts only what it
//! wrote itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use guests::{
    Cache, CodeForm, CompileError, CompileLimits, Compiler, GuestError, LoadOptions, PrepareError,
    Tier,
};
use tests::rig::{FORMS, Plan, Rig, everything, with_rig};

use crate::text::guest;

/// The child of these tests.
fn child() -> Compiler {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_compiler"));
    Compiler::child(program).with_first(Tier::Good)
}

const SMALL: &str = r#"(func (export "pre-process")
    (drop (call $commands.set (i32.const 0) (f64.const 7) (call $clock.now))))"#;

/// One function with this many steps, with many values alive across all of them.
fn large(steps: usize) -> Vec<u8> {
    const FIGURES: usize = 60;
    let step = |value: usize| {
        let (a, b, c) = (value % FIGURES, value * 7 % FIGURES, value * 13 % FIGURES);
        format!(
            "(if (i32.lt_s (local.get {a}) (local.get {b}))
              (then (local.set {a} (i32.add (local.get {b}) (local.get {c}))))
              (else (local.set {b} (i32.xor (local.get {a}) (local.get {c})))))"
        )
    };
    let steps: String = (0..steps).map(step).collect();
    guest(&format!(
        r#"(func (export "pre-process") (local{}) {steps})"#,
        " i32".repeat(FIGURES)
    ))
}

fn seconds(time: u64) -> CompileLimits {
    CompileLimits {
        time: Duration::from_secs(time),
        clock: Duration::from_secs(4 * time),
        memory: 2 << 30,
        gives_way: false,
    }
}

#[test]
fn a_child_compiles_what_a_guest_is_made_of() {
    for form in FORMS {
        let plan = Plan {
            compiler: child(),
            cache: Cache::in_memory(),
            ..Plan::of(form)
        };
        with_rig(&plan, |rig| {
            let choreography = rig.prepare(&guest(SMALL), &everything()).expect("a guest");
            assert_eq!(choreography.tier, Tier::Good);
            let loaded = rig
                .manager
                .load(&choreography, &everything(), &LoadOptions::default());
            loaded.expect("a guest");
            rig.turn();
            assert_eq!(rig.sent[0], 7.0);
        });
    }
}

#[test]
fn what_takes_too_long_to_compile_well_is_compiled_quickly() {
    // How long that takes depends on the machine, and on how this compiler was compiled: a faster one gets more. Other
    // tests compute meanwhile, so the clock is not the limit.
    let limits = |time| CompileLimits {
        clock: Duration::from_secs(600),
        ..seconds(time)
    };
    let quickly = |locals: usize| {
        let large = large(locals);
        let tried = [1, 3, 10, 30].map(limits).into_iter();
        let compiled = tried.map(|value| child().compile(&large, CodeForm::InPlace, value));
        let (code, tier) = compiled.flatten().next().expect("the quick tier");
        assert!(!code.is_empty());
        tier == Tier::Quick
    };
    let first = if cfg!(debug_assertions) {
        2_000
    } else {
        40_000
    };
    let mut sizes = (0..6).map(|i| first << i);
    assert!(sizes.any(quickly), "all of it was compiled well");
}

#[test]
fn what_cannot_even_be_compiled_quickly_is_refused() {
    let too_large = if cfg!(debug_assertions) {
        20_000
    } else {
        80_000
    };
    let refused = child().compile(&large(too_large), CodeForm::Calls, seconds(1));
    let error = refused.expect_err("it is too large");
    let text = error.to_string();
    // On a busy machine the clock may be over first.
    let by_processor = text.starts_with(
        "it cannot be compiled within 1 s, not even without optimising: its largest function has ",
    ) && text.ends_with(
        "; fix: divide it, or set `compile-time` in `[loop]` of the robot's description",
    );
    let by_clock = text.starts_with("it cannot be compiled within 4 s of the clock: ");
    assert!(by_processor || by_clock, "{text}");
}

#[test]
fn what_needs_too_much_memory_to_compile_is_refused() {
    let limits = CompileLimits {
        memory: 48 << 20,
        ..seconds(20)
    };
    let error = child().compile(&large(20_000), CodeForm::Calls, limits);
    let error = error.expect_err("it needs more").to_string();
    assert!(
        error.starts_with("it cannot be compiled within 48 MiB, ")
            && error.contains("`compile-memory`"),
        "{error}"
    );
}

#[test]
fn a_compiler_that_is_not_there_or_says_nothing_is_told() {
    let error = Compiler::child(PathBuf::from("/nobody/home"))
        .compile(&guest(SMALL), CodeForm::Calls, seconds(1))
        .expect_err("nobody is there");
    assert!(matches!(error, CompileError::Child(_)), "{error}");
    let error = Compiler::child(PathBuf::from("/bin/false"))
        .compile(&guest(SMALL), CodeForm::Calls, seconds(1))
        .expect_err("it says nothing");
    assert!(matches!(error, CompileError::Limits(..)), "{error}");
    let error = child()
        .compile(b"\0asm\x0d\0\x01\0\xff", CodeForm::Calls, seconds(5))
        .expect_err("it is no component");
    assert!(matches!(error, CompileError::Refused(_)), "{error}");
    let words = ["in-place", "good", "1"].map(str::to_owned);
    assert!(guests::be_child(&words).is_err());
}

#[test]
fn a_compiler_that_gets_no_processor_is_not_told_as_the_choreographys_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("compiler");
    fs::write(&program, "#!/bin/sh\nexec /bin/sleep 60\n").expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).expect("a program");
    let limits = CompileLimits {
        clock: Duration::from_millis(200),
        ..seconds(1)
    };
    let began = std::time::Instant::now();
    let error = Compiler::child(program).compile(&guest(SMALL), CodeForm::Calls, limits);
    let error = error.expect_err("it never answers").to_string();
    assert!(
        error.contains(" s of the clock: other programs take the processors"),
        "{error}"
    );
    assert!(began.elapsed() < Duration::from_secs(30), "it is ended");
}

#[test]
fn the_body_moves_on_while_it_is_compiled() {
    let plan = Plan {
        compiler: child(),
        cache: Cache::in_memory(),
        ..Plan::of(CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        rig.load(&guest(SMALL), &everything(), &LoadOptions::default())
            .expect("a guest");
        let manager = rig.manager;
        let bytes = large(2_000);
        std::thread::scope(|scope| {
            let preparing = scope.spawn(|| manager.prepare(&bytes, &everything()));
            let mut turns = 0;
            while !preparing.is_finished() {
                rig.turn();
                assert_eq!(rig.sent[0], 7.0);
                turns += 1;
                std::thread::sleep(Duration::from_millis(1));
            }
            let choreography = preparing
                .join()
                .expect("no panic")
                .expect("in one tier or the other");
            assert!(turns > 100, "only {turns} turns");
            println!("{turns} turns while it was compiled");
            let loaded = manager.load(&choreography, &everything(), &LoadOptions::default());
            let id = loaded.expect("a guest");
            rig.turns(5);
            assert_eq!(rig.fate(id).1, guests::End::None);
        });
    });
}

/// In a rig with this cache.
fn with_cache(folder: &Path, form: CodeForm, f: impl FnOnce(&mut Rig<'_, '_>)) {
    let plan = Plan {
        cache: Cache::at(folder).expect("a folder of ours"),
        ..Plan::of(form)
    };
    with_rig(&plan, f);
}

fn is_cached(rig: &Rig<'_, '_>, bytes: &[u8]) -> bool {
    match rig.prepare(bytes, &everything()) {
        Ok(prepare) => prepare.cached,
        Err(GuestError::Prepare(PrepareError::Contract(it))) => panic!("{it}"),
        Err(error) => panic!("{error}"),
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    found.sort();
    found
}

#[test]
fn what_was_compiled_is_found_again_in_its_form_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("code");
    with_cache(&cache, CodeForm::InPlace, |rig| {
        assert!(!is_cached(rig, &guest(SMALL)));
        assert!(is_cached(rig, &guest(SMALL)));
        assert!(!is_cached(rig, &guest(r#"(func (export "pre-process"))"#)));
    });
    with_cache(&cache, CodeForm::InPlace, |rig| {
        assert!(is_cached(rig, &guest(SMALL)));
        rig.load(&guest(SMALL), &everything(), &LoadOptions::default())
            .expect("a guest");
        rig.turn();
        assert_eq!(rig.sent[0], 7.0);
    });
    with_cache(&cache, CodeForm::Calls, |rig| {
        assert!(!is_cached(rig, &guest(SMALL)));
        assert!(is_cached(rig, &guest(SMALL)));
    });
    assert_eq!(files(&cache).len(), 3);
    for file in files(&cache) {
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
}

#[test]
fn code_that_was_changed_in_any_bit_is_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("code");
    with_cache(&cache, CodeForm::InPlace, |rig| {
        let bytes = guest(SMALL);
        assert!(!is_cached(rig, &bytes));
        let file = files(&cache).remove(0);
        let good = fs::read(&file).expect("code");
        let mut random = fastrand::Rng::with_seed(1);
        // Every bit of the header, and some of the rest.
        let head = (0..48)
            .flat_map(|byte| (0..8).map(move |bit| (byte, bit)))
            .step_by(31);
        let rest: Vec<_> = (0..8)
            .map(|_| (random.usize(48..good.len()), random.u8(0..8)))
            .collect();
        for (byte, bit) in head.chain(rest) {
            let mut bad = good.clone();
            bad[byte] ^= 1 << bit;
            fs::write(&file, &bad).expect("a file");
            assert!(!is_cached(rig, &bytes), "bit {bit} of byte {byte}");
        }
        for length in [0, 1, 39, 40, 41, good.len() / 2, good.len() - 1] {
            fs::write(&file, &good[..length]).expect("a file");
            assert!(!is_cached(rig, &bytes), "cut off at {length}");
        }
        let mut longer = good.clone();
        longer.push(0);
        fs::write(&file, &longer).expect("a file");
        assert!(!is_cached(rig, &bytes), "with a byte more");
        assert!(is_cached(rig, &bytes));
    });
}

#[test]
fn code_of_another_guest_or_behind_a_link_is_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("code");
    with_cache(&cache, CodeForm::InPlace, |rig| {
        let bytes = guest(SMALL);
        assert!(!is_cached(rig, &bytes));
        let mine = files(&cache).remove(0);
        assert!(!is_cached(rig, &guest(r#"(func (export "pre-process"))"#)));
        let other = files(&cache)
            .into_iter()
            .find(|file| *file != mine)
            .expect("two files");
        fs::copy(&other, &mine).expect("a copy");
        assert!(!is_cached(rig, &bytes), "another's code under its name");
        assert!(is_cached(rig, &bytes));
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&mine, &elsewhere).expect("a file");
        std::os::unix::fs::symlink(&elsewhere, &mine).expect("a link");
        assert!(!is_cached(rig, &bytes), "a link");
    });
}

#[test]
fn a_folder_in_which_others_can_write_is_no_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("code");
    Cache::at(&cache).expect("it is made");
    let mode = fs::metadata(&cache).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    for mode in [0o777, 0o770, 0o702] {
        fs::set_permissions(&cache, fs::Permissions::from_mode(mode)).expect("ours");
        let error = Cache::at(&cache).expect_err("others can write there");
        assert!(error.to_string().contains("others can write"), "{error}");
    }
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path().join("code"), &link).expect("a link");
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o700)).expect("ours");
    Cache::at(&link).expect_err("a link is no folder");
}

#[test]
fn machine_code_is_never_taken_from_outside() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("code");
    with_cache(&cache, CodeForm::InPlace, |rig| {
        assert!(!is_cached(rig, &guest(SMALL)));
        let code = fs::read(files(&cache).remove(0)).expect("code");
        for upload in [&code[..], &code[40..]] {
            let error = rig.prepare(upload, &everything()).expect_err("it is code");
            assert!(error.to_string().contains("not WebAssembly"), "{error}");
        }
    });
}
