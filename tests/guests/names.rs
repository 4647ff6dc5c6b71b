//! The names of guests and their log lines in a terminal.

use guests::LoadOptions;
use tests::rig::everything;

use crate::both;
use crate::text::{guest, said, with_manifest};

/// Names that nobody could type, or that have another meaning.
fn names() -> Vec<String> {
    let letters = |count: usize| "x".repeat(count);
    let own = [
        "",
        " ",
        "\n",
        "a\nb\r\n\tc",
        "\u{1b}[31mred\u{1b}[0m",
        "\u{9b}31m",
        "\u{0}",
        "\u{202e}backwards",
        "17",
        "00017",
        "18446744073709551616",
        "-5",
        "--help",
        "1.5",
        "1e9",
        "inf",
        "NaN",
        "../../etc/passwd",
        "two words; rm -rf *",
    ];
    let mut names: Vec<_> = own.into_iter().map(str::to_owned).collect();
    names.extend([
        letters(64),
        letters(65),
        letters(10_000),
        "7".repeat(10_000),
    ]);
    names
}

/// Whether it can be typed as it stands, and has no other meaning.
fn is_sound(name: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    (1..=64).contains(&name.chars().count())
        && name.chars().all(letter)
        && !name.starts_with('-')
        && !name.starts_with('.')
        && name.parse::<f64>().is_err()
        && !name.chars().all(|c| c.is_ascii_digit())
}

#[test]
fn a_guests_name_can_be_typed_whatever_it_calls_itself() {
    both(|rig| {
        let bytes = guest(r#"(func (export "pre-process"))"#);
        for name in names() {
            // Twice: the second gets a number behind its name.
            let mut ids = Vec::new();
            for _ in 0..2 {
                let options = LoadOptions {
                    name: Some(name.clone()),
                    ..LoadOptions::default()
                };
                let loaded = rig.load(&bytes, &everything(), &options);
                ids.push(loaded.unwrap_or_else(|error| panic!("{error}")));
            }
            for id in &ids {
                let shown = rig.status(*id).name;
                assert!(is_sound(&shown), "{name:?} became {shown:?}");
                assert_eq!(rig.manager.find(&shown).expect("it is there"), *id);
            }
            for id in ids {
                rig.manager.end(id).expect("it is there");
            }
            rig.turns(2);
        }
        let own = with_manifest(bytes.clone(), r#"name = "\u001b[2J\n17""#);
        let id = rig.load(&own, &everything(), &LoadOptions::default());
        let shown = rig.status(id.expect("a guest")).name;
        assert!(is_sound(&shown), "{shown:?}");
    });
}

#[test]
fn a_line_of_the_log_moves_no_cursor() {
    let writes = |export: &str| {
        guest(&format!(
            r#"(memory (export "memory") 1)
            (data (i32.const 0) "\1b[2Jone\r\ntwo\00\08\7f\c2\85\c2\9b31m\c3\a9.")
            (func (export "{export}") (drop (call $log.write (i32.const 1) (i32.const 0) (i32.const 25))))"#
        ))
    };
    both(|rig| {
        for export in ["start", "pre-process", "run"] {
            let id = rig.load(&writes(export), &everything(), &LoadOptions::default());
            let id = id.unwrap_or_else(|error| panic!("{error}"));
            rig.turns(2);
            let lines = said(rig);
            let line = lines.first().expect("a line");
            assert!(!line.chars().any(char::is_control), "{line:?}");
            assert!(line.contains("one") && line.contains("two"), "{line:?}");
            assert!(line.ends_with("31m\u{e9}."), "{line:?}");
            let _ = rig.manager.end(id);
            rig.turns(3);
            said(rig);
        }
    });
}
