//! Hostile bytes for whatever the robot's server reads from outside: bodies, queries, uploads, signatures, its own
//! files. Good inputs are mutilated from a seed; a hundred times as many with `PROMISES=full`. The same function is
//! a target of libFuzzer: `cargo +nightly fuzz run server --fuzz-dir tests/fuzz`.
//! The law: never a panic; never more memory than a bound; what is refused has a code and a sentence.

use daemon::routes::BODY_MAX;
use tests::bodies::{DOORS, Door, server};
use tests::effort;
use tests::mutilator::Mutilator;

use tests::allocator::{Counts, watch};

/// What reading one request may take, bytes: an eighth of what the server may have.
const MOST: isize = 64 << 20;

thread_local! {
    /// What reading takes in this thread.
    static COUNTS: &'static Counts = Counts::new();
}

/// Reads bytes at a door within the bound; whether they were let in.
fn read(door: &Door, bytes: &[u8]) -> bool {
    COUNTS.with(|counts| {
        counts.clear();
        watch(Some(counts));
    });
    let came = (door.read)(bytes);
    watch(None);
    let took = COUNTS.with(|counts| counts.most());
    assert!(
        took <= MOST,
        "{}: {took} bytes for {} bytes",
        door.name,
        bytes.len()
    );
    came
}

#[test]
fn every_door_lets_in_what_is_good_and_nothing_else() {
    for door in DOORS {
        let good = (door.good)();
        let text = String::from_utf8_lossy(&good).into_owned();
        assert!(read(door, &good), "{}: {text}", door.name);
        assert!(!read(door, b"\xff\0"), "{}", door.name);
    }
    assert!(!server(b""));
}

#[test]
fn bytes_of_any_kind_are_read_or_refused() {
    let mut mutilator = Mutilator {
        random: fastrand::Rng::with_seed(4),
        words: &[
            b"null",
            b"1e999",
            b"-0.0",
            b"nan",
            b"[[[[[[[[",
            b"{\"",
            b"\\u0000",
            b"\\ud800",
            b"\xff\xfe",
            b"\xc3\xa9",
            b"18446744073709551616",
            b"../../etc/passwd",
            b"\n",
            b"%00",
            b"&&==",
            b"sha256:",
        ],
    };
    let (mut came, mut not) = (0_u64, 0_u64);
    for door in DOORS {
        let good = (door.good)();
        for _ in 0..effort() * 1_000 {
            if read(door, &mutilator.mutilate(&good)) {
                came += 1;
            } else {
                not += 1;
            }
        }
    }
    println!("{came} let in, {not} refused");
    assert!(came > 0 && not > 0);
}

#[test]
fn bodies_as_large_as_they_may_be_take_no_more_than_a_bound() {
    let pieces: [(&str, &str, &str); 8] = [
        ("[", "[],", "[]]"),
        ("", "[", ""),
        ("", "{\"a\":", ""),
        ("[", "\"\",", "\"\"]"),
        ("[\"A\",\"Merge\",[", "[0,0],", "[0,0]]]"),
        ("[\"A\",\"Merge\",\"time-mixed\",[", "[],", "[]]]"),
        ("{\"values\":{", "\"\":0,", "\"\":0},\"in_s\":1}"),
        ("{\"", "x", "\":1}"),
    ];
    for (head, piece, tail) in pieces {
        let times = (BODY_MAX - head.len() - tail.len()) / piece.len();
        let body = format!("{head}{}{tail}", piece.repeat(times));
        for door in DOORS {
            read(door, body.as_bytes());
        }
    }
}

/// Whoever edits the table by hand may write anything where a digest should be.
#[test]
fn a_table_with_odd_digests_is_mended() {
    let door = DOORS.iter().find(|it| it.name == "the store's table");
    let door = door.expect("it is one of them");
    for odd in [
        "",
        "a",
        "aééééééé",
        "../../etc/passwd",
        "\u{1f916}\u{1f916}b",
    ] {
        let text = format!(
            r#"{{"kept":{{"{odd}":{{"name":"x","bytes":18446744073709551615,"came":1,"by":"","key":null,
                "signed":null}}}},"names":{{"{odd}":["{odd}"],"x":[]}},"tags":{{"{odd}":"{odd}"}}}}"#
        );
        assert!(read(door, text.as_bytes()), "{text}");
    }
}
