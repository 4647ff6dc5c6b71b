//! Hostile bytes for everything that the robot's server reads from outside: bodies, queries, uploads, signatures, its
//! own files. Good inputs are mutated from a seed; a hundred times as many with `PROMISES=full`. The same function is a
//! target of libFuzzer: `cargo +nightly fuzz run server --fuzz-dir tests/fuzz`. No panic; bounded memory; an
//! error has a code and a sentence.

use daemon::routes::BODY_MAX;
use tests::bodies::{INPUTS, ServerInput, server};
use tests::effort;
use tests::mutilator::Mutilator;

use tests::allocator::{Counts, watch};

/// The memory that reading one request may take, bytes: an eighth of the server's limit.
const MOST: isize = 64 << 20;

thread_local! {
    /// Counts the memory of this thread while it reads.
    static COUNTS: &'static Counts = Counts::new();
}

/// Reads bytes as this input within the bound; returns whether they were accepted.
fn read(input: &ServerInput, bytes: &[u8]) -> bool {
    COUNTS.with(|counts| {
        counts.clear();
        watch(Some(counts));
    });
    let came = (input.read)(bytes);
    watch(None);
    let took = COUNTS.with(|counts| counts.most());
    assert!(
        took <= MOST,
        "{}: {took} bytes for {} bytes",
        input.name,
        bytes.len()
    );
    came
}

#[test]
fn every_input_accepts_what_is_good_and_nothing_else() {
    for input in INPUTS {
        let good = (input.good)();
        let text = String::from_utf8_lossy(&good).into_owned();
        assert!(read(input, &good), "{}: {text}", input.name);
        assert!(!read(input, b"\xff\0"), "{}", input.name);
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
    for input in INPUTS {
        let good = (input.good)();
        for _ in 0..effort() * 1_000 {
            if read(input, &mutilator.mutilate(&good)) {
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
    let pieces: [(&str, &str, &str); 9] = [
        ("[", "[],", "[]]"),
        ("", "[", ""),
        ("", "{\"a\":", ""),
        ("[", "\"\",", "\"\"]"),
        ("[\"A\",\"Merge\",[", "[0,0],", "[0,0]]]"),
        ("[\"A\",\"Merge\",\"time-mixed\",[", "[],", "[]]]"),
        ("{\"after_ns\":1,\"to\":[", "\"\",", "\"\"]}"),
        ("{\"to\":[],\"lists\":[", "[],", "[]]}"),
        ("{\"", "x", "\":1}"),
    ];
    for (head, piece, tail) in pieces {
        let times = (BODY_MAX - head.len() - tail.len()) / piece.len();
        let body = format!("{head}{}{tail}", piece.repeat(times));
        for input in INPUTS {
            read(input, body.as_bytes());
        }
    }
}

/// Somebody who edits the index by hand may write anything in place of a digest.
#[test]
fn a_table_with_odd_digests_is_mended() {
    let input = INPUTS
        .iter()
        .find(|input| input.name == "the store's table");
    let input = input.expect("it is one of them");
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
        assert!(read(input, text.as_bytes()), "{text}");
    }
}
