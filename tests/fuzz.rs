//! Hostile bytes for everything that reads bytes from outside: descriptions, the socket, pages, scripts. Good inputs
//! are mutated from a seed; a hundred times as many with `PROMISES=full`. The same functions are libFuzzer's targets:
//! `cargo +nightly fuzz run description --fuzz-dir tests/fuzz`, `line`, `page`. There is an answer for any
//! bytes: no panic, no hang, no unbounded memory.

use description::SHIPPED;
use sensors::{Creation, PageWriter};

use tests::mutilator::Mutilator;
use tests::{effort, hostile};

use crate::ROOT;

#[test]
fn descriptions_of_any_bytes_are_read_or_refused() {
    let mut mutilator = Mutilator {
        random: fastrand::Rng::with_seed(1),
        words: &[
            b"nan",
            b"inf",
            b"-1e308",
            b"\"",
            b"'''",
            b"[[",
            b"]]",
            b"{1..9}",
            b"{",
            b" = ",
            b"\xff",
            b"9999999999999999",
        ],
    };
    let texts = SHIPPED.map(|name| {
        std::fs::read(format!("{ROOT}/runtime/description/robots/{name}.toml"))
            .expect("it is shipped")
    });
    let (mut read, mut refused) = (0, 0);
    for turn in 0..effort() * 1_000 {
        let text = &texts[if turn % 8 == 0 {
            mutilator.random.usize(0..SHIPPED.len())
        } else {
            0
        }];
        let bytes = mutilator.mutilate(text);
        if hostile::description(&bytes) {
            read += 1;
        } else {
            refused += 1;
        }
    }
    println!("{read} descriptions read, {refused} refused");
    assert!(read > 0 && refused > 0);
}

#[test]
fn lines_of_any_bytes_on_the_socket_are_answered_by_one_line() {
    let good: [&[u8]; 7] = [
        br#"{"id":1,"ask":"hello"}"#,
        br#"{"id":2,"ask":{"set":{"actuator":"Base","value":0.5,"after_ns":500000000,"merge":"clear-all"}}}"#,
        br#"{"id":3,"ask":{"move":{"to":["Arm"],"after_ns":[1,2],"values":[0,1,2,3,4,5],"merge":"merge"}}}"#,
        br#"{"id":4,"ask":{"operate":"press"}}"#,
        br#"{"id":5,"ask":{"give":{"sensor":"Button","value":1,"over_ns":0}}}"#,
        br#"{"id":6,"ask":{"pose":{"name":"up","in_ns":1}}}"#,
        br#"{"id":7,"ask":{"find":{"name":"Base"}}}"#,
    ];
    let mut mutilator = Mutilator {
        random: fastrand::Rng::with_seed(2),
        words: &[
            b"null",
            b"1e999",
            b"-1",
            b"[[[[[[[[",
            b"{\"",
            b"\\u0000",
            b"\xff\xfe",
            b"18446744073709551616",
            b"\"ask\":",
            b"\n",
        ],
    };
    let (mut done, mut not_done) = (0u64, 0u64);
    for turn in 0..effort() * 20_000 {
        let kind = mutilator.random.usize(0..good.len());
        let line = mutilator.mutilate(good[kind]);
        if hostile::line(&line, turn % 2 == 0) {
            done += 1;
        } else {
            not_done += 1;
        }
    }
    println!("{done} done, {not_done} refused");
    assert!(done > 0 && not_done > 0);
}

#[test]
fn pages_of_any_bytes_are_read_without_harm_or_refused() {
    let actuators = tests::joints(3);
    let body = tests::body(&actuators);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("good.page");
    let made_for = Creation {
        body: &body,
        actuator_units: &["rad"; 3],
        sensor_units: &[],
        period: cycle::Span::from_millis(10),
        utc_at_zero: 0,
        run: 1,
    };
    tests::with_cycle(
        &body,
        &tests::plan(&body, 1, 10),
        tests::bare(cycle::Span::from_millis(10)),
        |cycle| {
            let mut writer = PageWriter::create(&path, &made_for).expect("a page");
            for turn in 1..50 {
                let mut ports = cycle::Ports {
                    inbox: &mut (),
                    hooks: &mut (),
                    board: &mut (),
                    page: &mut writer,
                };
                cycle.turn(cycle::Instant::from_millis(turn * 10), &mut ports);
            }
        },
    );
    let good = std::fs::read(&path).expect("a page");
    let (mut read, mut refused) = (0, 0);
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..effort() * 2_000 {
        let mut bytes = good.clone();
        // The reader relies on the header and the labels; it only passes on the frames.
        for _ in 0..random.usize(1..5) {
            let place = if random.bool() {
                random.usize(0..16)
            } else {
                random.usize(0..bytes.len() / 8)
            } * 8;
            let all = [
                0,
                1,
                u64::MAX,
                1 << 63,
                random.u64(..),
                random.u64(0..5_000),
            ];
            bytes[place..place + 8].copy_from_slice(&all[random.usize(0..all.len())].to_ne_bytes());
        }
        if random.u8(0..4) == 0 {
            bytes.truncate(random.usize(0..bytes.len()));
        }
        if hostile::page(&bytes) {
            read += 1;
        } else {
            refused += 1;
        }
    }
    println!("{read} pages read, {refused} refused");
    assert!(read > 0 && refused > 0);
}
