//! What a core module prints through WASI preview 1: gathered into lines of the log, whatever the bytes are and however
//! they are split into writes. The examples are what C's standard library does.

use guests::{CodeForm, End, GuestError, Level, LoadOptions, WasiAccess};
use tests::rig::{Plan, Rig, component, everything, with_rig};

use crate::both;
use crate::text::said;
use crate::wasi::play;

/// A module with this hook; `$out` and `$err` write a part of what is at 256, from a place on and so long. With an
/// exported `start`, that does this.
fn module(data: &[u8], hook: &str, does: &str) -> Vec<u8> {
    let data: String = data.iter().map(|item| format!("\\{item:02x}")).collect();
    component(&format!(
        r#"(module
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 1) (data (i32.const 256) "{data}") (global $turn (mut i32) (i32.const 0))
        (func $to (param $fd i32) (param $from i32) (param $count i32)
          (i32.store (i32.const 0) (i32.add (i32.const 256) (local.get $from)))
          (i32.store (i32.const 4) (local.get $count))
          (if (call $write (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 8)) (then unreachable))
          (if (i32.ne (i32.load (i32.const 8)) (local.get $count)) (then unreachable)))
        (func $out (param i32 i32) (call $to (i32.const 1) (local.get 0) (local.get 1)))
        (func $err (param i32 i32) (call $to (i32.const 2) (local.get 0) (local.get 1)))
        (func {hook}
          (global.set $turn (i32.add (global.get $turn) (i32.const 1)))
          {does}))"#
    ))
}

/// In the first turn alone.
fn once(does: &str) -> String {
    format!("(if (i32.eq (global.get $turn) (i32.const 1)) (then {does}))")
}

const RUN: &str = "(export \"run\")";
const HOOK: &str = "(export \"pre-process\")";

/// The end and the lines of a module that does this once, as a score and as a motion of both forms.
fn plays(data: &[u8], does: &str, wanted: &[&str]) {
    let (end, lines, _) = play(&module(data, RUN, does), WasiAccess::default());
    assert_eq!(
        (end, lines),
        (
            End::Finished,
            wanted.iter().map(|item| (*item).to_owned()).collect()
        )
    );
    let motion = module(data, HOOK, &once(does));
    both(|rig| {
        let loaded = rig.load(&motion, &everything(), &LoadOptions::default());
        let id = loaded.unwrap_or_else(|error| panic!("{error}"));
        rig.turns(3);
        assert_eq!(
            rig.fate(id).1,
            End::None,
            "{}",
            rig.status(id).figures.details
        );
        rig.manager.end(id).expect("it is there");
        rig.turns(3);
        assert_eq!(said(rig), wanted);
    });
}

#[test]
fn what_is_no_text_ends_no_guest() {
    // Byte by byte, as standard error is written without a buffer.
    let bytes = "aé€\u{1f916}".as_bytes();
    let each: String = (0..bytes.len())
        .map(|i| format!("(call $err (i32.const {i}) (i32.const 1))"))
        .collect();
    plays(bytes, &each, &["aé€\u{1f916}"]);
    let odd = b"a\xff\xc3b\xe2\x82\n\xc3\n\xa9";
    let all = format!("(call $out (i32.const 0) (i32.const {}))", odd.len());
    plays(
        odd,
        &all,
        &["a\u{fffd}\u{fffd}b\u{fffd}", "\u{fffd}", "\u{fffd}"],
    );
}

#[test]
fn a_line_is_cut_before_a_letter_that_does_not_fit() {
    // Three bytes more are a letter that does not fit if a fourth follows, and U+FFFD if none does.
    for (behind, wanted) in [
        ("\u{1f916}!".as_bytes(), ""),
        (b"\xf0\x9f\xa4!", "\u{fffd}"),
    ] {
        let text = [[b'x'; 253].as_slice(), behind].concat();
        let all = format!("(call $out (i32.const 0) (i32.const {}))", text.len());
        plays(&text, &all, &[&format!("{}{wanted}", "x".repeat(253))]);
    }
}

#[test]
fn a_line_is_one_however_many_writes_it_takes() {
    // `perror`, and a `printf` that is not over yet.
    let text = b"position open: no such file\nis ";
    let writes = "(call $out (i32.const 28) (i32.const 3))
        (call $err (i32.const 9) (i32.const 4)) (call $err (i32.const 13) (i32.const 2))
        (call $err (i32.const 15) (i32.const 12)) (call $err (i32.const 27) (i32.const 1))
        (call $out (i32.const 0) (i32.const 8)) (call $out (i32.const 27) (i32.const 1))";
    plays(text, writes, &["open: no such file", "is position"]);
}

#[test]
fn a_line_that_is_too_long_is_told_at_once_and_only_once() {
    let text = [[b'x'; 300].as_slice(), b"\nnext\n"].concat();
    let module = module(
        &text,
        HOOK,
        "(if (i32.le_u (global.get $turn) (i32.const 3)) (then (call $out (i32.const 0) (i32.const 299))))
         (if (i32.eq (global.get $turn) (i32.const 4)) (then (call $out (i32.const 299) (i32.const 7))))",
    );
    both(|rig| {
        let loaded = rig.load(&module, &everything(), &LoadOptions::default());
        loaded.unwrap_or_else(|error| panic!("{error}"));
        let mut lines = Vec::new();
        for _ in 0..6 {
            rig.turn();
            lines.push(said(rig));
        }
        let first = lines
            .iter()
            .position(|line| !line.is_empty())
            .expect("a line");
        assert_eq!(lines[first], ["x".repeat(256)]);
        assert_eq!(lines[first + 1..first + 3].concat(), [""; 0]);
        assert_eq!(lines[first + 3..].concat(), ["next"]);
    });
}

/// What a failed assertion prints before it traps, without a line break at its end.
const LAST_WORDS: &[u8] = b"one\nassertion failed: x > 0";
const DIES: &str = "(call $err (i32.const 0) (i32.const 27)) (unreachable)";

#[test]
fn what_a_guest_says_before_it_traps_is_told() {
    let wanted = ["one", "assertion failed: x > 0"];
    let (end, lines, _) = play(&module(LAST_WORDS, RUN, DIES), WasiAccess::default());
    assert_eq!(
        (end, lines),
        (End::Trap, wanted.map(str::to_owned).to_vec())
    );
    let motion = module(LAST_WORDS, HOOK, DIES);
    both(|rig| {
        let loaded = rig.load(&motion, &everything(), &LoadOptions::default());
        let id = loaded.unwrap_or_else(|error| panic!("{error}"));
        rig.turns(4);
        assert_eq!(rig.fate(id).1, End::Trap);
        assert_eq!(said(rig), wanted);
    });
    // In what is called before the loop knows of it; there is no log yet.
    let first = format!("{DIES}) (func (export \"start\")");
    for (hook, does) in [
        ("(export \"start\")", DIES),
        ("(export \"_initialize\")", &first),
    ] {
        both(|rig| {
            let loaded = rig.load(
                &module(LAST_WORDS, hook, does),
                &everything(),
                &LoadOptions::default(),
            );
            let Err(GuestError::Failed(why)) = loaded else {
                panic!("{loaded:?}");
            };
            let lines: Vec<_> = why.lines().skip(1).collect();
            assert_eq!(
                lines,
                ["  it said: one", "  it said: assertion failed: x > 0"],
                "{why}"
            );
        });
    }
}

#[test]
fn lines_of_a_hook_are_bounded_and_what_is_lost_is_counted() {
    let text = b"1\n2\n3\n4\n5\n6\n7";
    let motion = module(
        text,
        HOOK,
        &once("(call $out (i32.const 0) (i32.const 13))"),
    );
    let again = module(
        text,
        HOOK,
        "(if (i32.le_u (global.get $turn) (i32.const 2)) (then (call $out (i32.const 0) (i32.const 13))))",
    );
    both(|rig| {
        for (motion, last) in [(&motion, &["7"][..]), (&again, &["71", "2", "3", "4"])] {
            let loaded = rig.load(motion, &everything(), &LoadOptions::default());
            let id = loaded.unwrap_or_else(|error| panic!("{error}"));
            rig.turns(3);
            rig.manager.end(id).expect("it is there");
            rig.turns(3);
            let lost = "lines lost before this: 2";
            let mut wanted = [&["1", "2", "3", "4", lost], last].concat();
            if last.len() > 1 {
                wanted.extend([lost, "7"]);
            }
            assert_eq!(said(rig), wanted);
        }
    });
}

#[test]
fn written_lines_that_are_refused_are_counted() {
    let mut random = fastrand::Rng::with_seed(7);
    let counts: Vec<usize> = (0..12).map(|_| random.usize(0..8)).collect();
    let data: String = counts
        .iter()
        .map(|count| format!("\\{count:02x}"))
        .collect();
    // In each turn as many lines as its byte of the table says, numbered by their turn: the last letter of each.
    let motion = format!(
        r#"(module
          (import "dcm:choreography/log@0.1.0" "write" (func $write (param i32 i32 i32) (result i32)))
          (memory (export "memory") 1) (data (i32.const 0) "{data}") (global $turn (mut i32) (i32.const 0))
          (func (export "pre-process") (local $left i32)
            (if (i32.ge_u (global.get $turn) (i32.const 12)) (then (return)))
            (local.set $left (i32.load8_u (global.get $turn)))
            (i32.store8 (i32.const 64) (i32.add (i32.const 97) (global.get $turn)))
            (global.set $turn (i32.add (global.get $turn) (i32.const 1)))
            (block $done (loop $on
              (br_if $done (i32.eqz (local.get $left)))
              (drop (call $write (i32.const 1) (i32.const 64) (i32.const 1)))
              (local.set $left (i32.sub (local.get $left) (i32.const 1)))
              (br $on)))))"#
    );
    let (mut wanted, mut lost) = (Vec::new(), 0);
    let count = |lost: &mut usize| {
        let told = (*lost > 0).then(|| format!("lines lost before this: {lost}"));
        *lost = 0;
        told
    };
    for (turn, lines) in counts.iter().enumerate() {
        let letter = char::from(b'a' + u8::try_from(turn).expect("a few"));
        if *lines > 0 {
            wanted.extend(count(&mut lost));
        }
        wanted.extend(vec![letter.to_string(); (*lines).min(4)]);
        lost += lines.saturating_sub(4);
    }
    wanted.extend(count(&mut lost));
    both(|rig| {
        let loaded = rig.load(&component(&motion), &everything(), &LoadOptions::default());
        let id = loaded.unwrap_or_else(|error| panic!("{error}"));
        rig.turns(15);
        rig.manager.end(id).expect("it is there");
        rig.turns(3);
        assert_eq!(said(rig), wanted, "{counts:?}");
    });
}

/// Writes a hundred thousand line breaks in each turn: too much for its fuel.
#[test]
fn writing_costs_fuel() {
    let all = "(call $out (i32.const 0) (i32.const 60000))".repeat(2);
    let motion = module(b"", HOOK, &all);
    both(|rig| {
        let loaded = rig.load(&motion, &everything(), &LoadOptions::default());
        let id = loaded.unwrap_or_else(|error| panic!("{error}"));
        rig.turns(3);
        assert_eq!(rig.fate(id).1, End::OutOfFuel);
    });
}

#[test]
fn the_lines_of_both_streams_have_the_level_of_news() {
    let text = module(
        b"a\n",
        RUN,
        "(call $out (i32.const 0) (i32.const 2)) (call $err (i32.const 0) (i32.const 2))",
    );
    with_rig(&Plan::of(CodeForm::InPlace), |rig: &mut Rig<'_, '_>| {
        let loaded = rig.load(&text, &everything(), &LoadOptions::default());
        let id = loaded.unwrap_or_else(|error| panic!("{error}"));
        rig.until(60_000, |rig| rig.fate(id).0 == guests::GuestLife::Gone);
        let levels: Vec<_> = std::iter::from_fn(|| rig.manager.said())
            .map(|value| value.level)
            .collect();
        assert_eq!(levels, [Level::Info, Level::Info]);
    });
}
