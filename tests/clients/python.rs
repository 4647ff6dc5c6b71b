//! The page's Python reader: while a page is written, at rest, forged, and with files that are no page.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant as Clock};

use sensors::{Frame, PageReader, RING};
use serde_json::{Value, json};

use super::{JOINTS, ROOT, SENSORS, WAITED, move_about, turns_seen};

/// The values of a frame as Rust reads them, in the form in which `page.py` prints them.
fn seen<'p>(frame: Frame<'p>) -> Value {
    let all = |value: fn(&Frame<'p>, usize) -> Option<f64>| -> Vec<u64> {
        let joints = (0..JOINTS).map(|i| value(&frame, i));
        joints
            .map(|joint| joint.expect("a joint").to_bits())
            .collect()
    };
    let sensors = (0..SENSORS).map(|i| frame.sensor(i).expect("a sensor").to_bits());
    json!({
        "turn": frame.turn(),
        "now": frame.now().nanos(),
        "elapsed": frame.elapsed().nanos(),
        "work": frame.work().nanos(),
        "state": frame.state().expect("a state").name(),
        "power": frame.power().to_bits(),
        "events": frame.events(),
        "commanded": all(Frame::commanded),
        "limited": all(Frame::limited),
        "sent": all(Frame::sent),
        "acknowledged": all(Frame::acknowledged),
        "coverage": all(Frame::coverage),
        "clips": (0..JOINTS).map(|i| frame.clips(i).expect("a joint")).collect::<Vec<_>>(),
        "sensors": sensors.collect::<Vec<_>>(),
        "boards": [frame.board(0).expect("a board")],
    })
}

/// Runs Python with these arguments; it can import the reader.
fn python(words: &[&str]) -> Output {
    let run = Command::new(tests::python())
        .args(words)
        .env("PYTHONPATH", format!("{ROOT}/runtime/sensors/clients"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output();
    run.expect("it has just run")
}

/// What `page.py` printed: for each line its first word, and the rest.
fn told(what: &str, path: &Path) -> Vec<(String, Value)> {
    let client = format!("{ROOT}/tests/clients/page.py");
    let output = python(&[&client, what, path.to_str().expect("a path")]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines = String::from_utf8(output.stdout).expect("words");
    let line = |line: &str| {
        let object: serde_json::Map<_, _> = serde_json::from_str(line).expect("a line of JSON");
        object.into_iter().next().expect("one thing")
    };
    lines.lines().map(line).collect()
}

#[test]
fn reads_whole_frames_while_they_are_written_a_thousand_times_a_second() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let (ready, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let (told, written) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut written = HashMap::new();
            let mut next = Clock::now();
            move_about(&path, |page| {
                let turn = page.latest();
                written.insert(turn, page.read_turn(turn, seen).expect("just written"));
                ready.store(turn > 1500, Ordering::Relaxed);
                // The first turns fill the ring; from then on there is one in each millisecond.
                next += Duration::from_millis(1);
                if turn <= 1500 {
                    next = Clock::now();
                }
                std::thread::sleep(next.saturating_duration_since(Clock::now()));
                done.load(Ordering::Relaxed)
            });
            written
        });
        // The writer ends, whatever happens to the reader.
        let told = std::panic::catch_unwind(|| {
            while !ready.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            told("live", &path)
        });
        done.store(true, Ordering::Relaxed);
        let written = writer.join().expect("the writer");
        (told.expect("what Python saw"), written)
    });
    let (mut newest, mut kept, mut past) = (Vec::new(), 0, Vec::new());
    for (what, value) in &told {
        if what == "past" {
            let row: Vec<u64> = serde_json::from_value(value.clone()).expect("a row");
            let frame = &written[&row[0]];
            let wanted = [
                &frame["turn"],
                &frame["now"],
                &frame["sent"][3],
                &frame["coverage"][25],
                &frame["clips"][2],
                &frame["sensors"][5],
                &frame["boards"][0][0],
            ];
            assert!(wanted.into_iter().eq(value.as_array().expect("a row")));
            past.push(row[0]);
            continue;
        }
        let turn = value["turn"].as_u64().expect("a turn");
        assert_eq!(value, &written[&turn], "turn {turn}");
        if what == "newest" {
            newest.push(turn);
        } else {
            kept += 1;
        }
    }
    assert_eq!(newest.len(), 200);
    assert!(newest.is_sorted_by(|one, next| one < next));
    assert!(*written.keys().max().expect("turns") > newest[199]);
    assert!(
        kept > 10,
        "{kept} of 21 frames between the oldest and the newest"
    );
    assert!(past.is_sorted_by(|one, next| one < next));
    assert!(past.len() > RING / 2, "{} rows of history", past.len());
    let moved = |turn: u64| written[&turn]["sent"][3].as_u64();
    assert_ne!(moved(newest[0]), moved(newest[199]), "nothing moved");
    println!(
        "{} turns written, {} to {} read as they came, {kept} later, {} rows of history",
        written.len(),
        newest[0],
        newest[199],
        past.len()
    );
}

#[test]
fn waits_for_every_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let client = format!("{ROOT}/tests/clients/page.py");
    let wait = || python(&[&client, "wait", path.to_str().expect("a path")]);
    let wanted: Vec<_> = (1..=WAITED).collect();
    assert_eq!(turns_seen(&path, wait), wanted);
}

#[test]
fn reads_what_is_kept_and_every_label() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    move_about(&path, |page| page.latest() == 1100);
    let page = PageReader::open(&path).expect("a page");
    let mut told = told("kept", &path).into_iter();
    for label in page.actuators().iter().chain(&page.sensors()) {
        let (min, max) = label.range;
        let wanted = json!([label.name, label.unit, min, max, label.board]);
        assert_eq!(told.next(), Some(("label".to_owned(), wanted)));
    }
    let header = json!([1_000_000, 77, std::process::id(), -5, true, 1100, "tight"]);
    assert_eq!(told.next(), Some(("header".to_owned(), header)));
    for turn in page.turns() {
        let wanted = page.read_turn(turn, seen).expect("kept");
        assert_eq!(told.next(), Some(("kept".to_owned(), wanted)));
    }
    assert_eq!(told.next(), None);
}

#[test]
fn gives_no_frame_whose_stamp_is_not_its_own_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    move_about(&path, |page| page.latest() == 30);
    let told = told("forged", &path);
    let (last, all) = told.split_last().expect("lines");
    assert_eq!(all.len(), 10);
    for (what, item) in all {
        assert_eq!(item, &json!(true), "{what}");
    }
    let wanted = "FILE has no \"J99.sent\": use a sensor's name, or an actuator's as in NAME.sent";
    assert_eq!(last.1, json!(wanted));
}

#[test]
fn refuses_in_the_words_of_rust_and_shows_a_table_from_the_shell() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let reader = format!("{ROOT}/runtime/sensors/clients/dcm_page.py");
    let ask = |words: &[&str]| {
        let words = [&[reader.as_str(), path.to_str().expect("a path")], words].concat();
        let output = python(&words);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).expect("words");
        (output.status.code(), text.trim().to_owned())
    };
    let refused = || {
        let error = PageReader::open(&path).expect_err("no page").to_string();
        assert_eq!(ask(&[]), (Some(1), error));
    };
    refused();
    move_about(&path, |page| page.latest() == 30);
    let good = fs::read(&path).expect("its bytes");
    let with = |word: usize, value: u64| {
        let mut bytes = good.clone();
        bytes[word * 8..][..8].copy_from_slice(&value.to_ne_bytes());
        bytes
    };
    let bad = [
        Vec::new(),
        b"hello".to_vec(),
        vec![7; 4096],
        good[..good.len() - 8].to_vec(),
        good[..4096].to_vec(),
        with(1, 4),
        with(1, u64::MAX),
        with(3, 7),
        with(5, 3),
        with(6, u64::MAX),
        with(9, 5),
    ];
    for bytes in bad {
        fs::write(&path, bytes).expect("a file");
        refused();
    }
    fs::write(&path, with(14, 0)).expect("a file");
    assert_eq!(ask(&[]), (Some(2), "no frame is available".to_owned()));

    fs::write(&path, &good).expect("a file");
    let table = ask(&[]).1;
    let first = table.lines().next().expect("a line");
    assert_eq!(
        first,
        "turn 30  running  at 5.030000 s, 1970-01-01T00:00:05.030000+00:00"
    );
    let starts = |word: &str| table.lines().any(|line| line.starts_with(word));
    assert!(
        starts("J25 ") && starts("S25 ") && starts("board "),
        "{table}"
    );
    let shown: Value = serde_json::from_str(&ask(&["--json"]).1).expect("JSON");
    assert_eq!(
        (
            &shown["turn"],
            &shown["actuators"][25]["name"],
            &shown["sensors"][6]["value"]
        ),
        (&json!(30), &json!("J25"), &json!(16.0))
    );
    let past = ask(&["--history", "turn", "S6", "board0.nacks"]).1;
    assert_eq!(past.lines().next(), Some("turn,S6,board0.nacks"));
    assert_eq!(past.lines().last(), Some("30,16.0,4"));
}
