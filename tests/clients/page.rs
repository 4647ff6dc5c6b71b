//! The page's readers in other languages, run as programs with pages that Rust writes. This file has C.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use cycle::{
    Actuator, ActuatorId, Body, Incoming, Instant, Kind, Outgoing, RealtimeVerdict, Request, To,
};
use sensors::{PageReader, PageWriter};
use tests::{Wire, bare, body, joints, lane, plan, sensor, turn_shown, with_cycle};

use crate::ROOT;

use super::{PERIOD, creation};

#[path = "python.rs"]
mod python;

const JOINTS: usize = 26;
const SENSORS: usize = 26;

/// Makes turns of a body of 26 moving joints and 26 sensors, and publishes them at `path`, until `shown`, which is
/// called after each turn, returns true. Then the page is closed.
fn move_about(path: &Path, mut shown: impl FnMut(&PageReader) -> bool) {
    let actuators = joints(JOINTS);
    let sensors: Vec<_> = (0..SENSORS)
        .map(|i| sensor(Box::leak(format!("S{i}").into_boxed_str())))
        .collect();
    let body = Body {
        sensors: &sensors,
        ..body(&actuators)
    };
    let mut writer = PageWriter::create(path, &creation(&body)).expect("a page");
    let page = PageReader::open(path).expect("a page");
    with_cycle(&body, &plan(&body, 1, JOINTS), bare(PERIOD), |cycle| {
        for turn in 1.. {
            let now = Instant::from_nanos(5_000_000_000 + turn * 1_000_003);
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                for (place, count) in back.counts.iter_mut().enumerate() {
                    *count = out.turn as f64 / 3.0 + place as f64;
                }
                back.answers[0].answered = turn % 7 != 0;
                back.answers[0].acknowledged = out.turn;
                back.answers[0].error = (turn % 5) as u16;
            });
            match turn {
                5 => drop(cycle.stage().arm()),
                10 => {
                    let all: Vec<_> = (0..JOINTS as u16).map(ActuatorId).collect();
                    let values: Vec<_> = (0..JOINTS).map(|i| 70.0 * i as f64).collect();
                    let by = cycle.stage().open(lane(JOINTS)).expect("a lane");
                    let at = Instant::from_millis(60_000);
                    let request = Request::vector(To::Many(&all), &at, &values);
                    cycle.stage().submit(by, &request).expect("room");
                }
                _ => {}
            }
            writer.worked(cycle::Span::from_nanos(turn * 3));
            writer.judged(RealtimeVerdict::Tight);
            turn_shown(cycle, now, &mut board, &mut writer);
            if shown(&page) {
                return;
            }
        }
    });
}

/// The number of turns that a waiting client sees; all of them are kept.
const WAITED: u64 = 500;

/// Runs a client while turns are made, one after each millisecond; the turns that it printed.
fn turns_seen(path: &Path, client: impl FnOnce() -> Output) -> Vec<u64> {
    let output = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            move_about(path, |page| {
                std::thread::sleep(Duration::from_millis(1));
                page.latest() == WAITED
            });
        });
        while PageReader::open(path).is_err() && !writer.is_finished() {
            std::thread::yield_now();
        }
        client()
    });
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines = String::from_utf8_lossy(&output.stdout);
    let turn = |line: &str| line.parse().expect("a number");
    lines.lines().map(turn).collect()
}

#[test]
fn the_c_header_waits_for_every_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let client = c_client(folder.path());
    let wait = || {
        let words = [path.as_path(), Path::new("wait")];
        Command::new(&client).args(words).output().expect("it runs")
    };
    let wanted: Vec<_> = (1..=WAITED).collect();
    assert_eq!(turns_seen(&path, wait), wanted);
}

/// The C header with its client, compiled by the machine's own compiler.
fn c_client(folder: &Path) -> PathBuf {
    let client = folder.join("client");
    let compiled = Command::new("cc")
        .args(["-std=c99", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror"])
        .args(["-O2", "-o"])
        .arg(&client)
        .arg(format!("{ROOT}/tests/clients/page.c"))
        .arg(format!("-I{ROOT}/runtime/sensors/clients"))
        .output()
        .expect("a C compiler, which Rust's linker needs as well");
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}");
    client
}

#[test]
fn the_c_header_reads_the_same_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let client = c_client(folder.path());
    let ask = || {
        let output = Command::new(&client).arg(&path).output().expect("it runs");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).trim().to_owned();
        (output.status.code(), text)
    };
    let nothing = "the page cannot be opened: does the loop run?".to_owned();
    assert_eq!(ask(), (Some(1), nothing));
    fs::write(&path, [7; 4096]).expect("a file");
    let foreign = "the file is not a page: it does not begin with DCMPAGE";
    assert_eq!(ask().1, foreign);

    let actuators = [Actuator {
        rest: 0.25,
        ..Actuator::new("HeadYaw", Kind::Joint, -2.0, 2.0)
    }];
    let sensors = [sensor("Battery")];
    let body = Body {
        sensors: &sensors,
        ..body(&actuators)
    };
    let mut writer = PageWriter::create(&path, &creation(&body)).expect("a page");
    assert_eq!(ask(), (Some(2), "no frame is available".to_owned()));
    writer.judged(RealtimeVerdict::No);
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        for turn in 1..=2000u64 {
            let mut board = Wire(|_: &Outgoing<'_>, back: &mut Incoming<'_>| {
                back.counts[0] = 11.5;
                back.answers[0].answered = true;
            });
            turn_shown(cycle, Instant::from_millis(turn), &mut board, &mut writer);
        }
    });
    let line =
        "HeadYaw turn 2000 now 2000000000 state 1 sent 0.25 sensor 11.5 acks 2000 realtime 3";
    assert_eq!(ask(), (Some(0), line.to_owned()));

    // A number that would lead it out of the file is refused.
    let good = fs::read(&path).expect("its bytes");
    for word in [1, 2, 3, 4, 5, 6, 7, 8, 9] {
        for value in [0, 4, 1 << 40, u64::MAX] {
            let mut bytes = good.clone();
            bytes[word * 8..][..8].copy_from_slice(&u64::to_ne_bytes(value));
            fs::write(&path, bytes).expect("a file");
            let (code, said) = ask();
            assert_eq!(code, Some(1), "word {word} as {value}: {said}");
        }
    }
    fs::write(&path, &good[..good.len() - 8]).expect("a file");
    assert_eq!(ask().1, "the page is invalid: the file is truncated");
}

#[test]
fn what_a_client_maps_it_cannot_write_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    move_about(&path, |page| page.latest() == 3);
    let before = fs::read(&path).expect("its bytes");

    // C can try: the mapping cannot be made writable, and a store into it ends the program.
    let ended = Command::new(c_client(folder.path()))
        .args([&path, Path::new("write")])
        .output()
        .expect("it runs");
    let output = String::from_utf8_lossy(&ended.stderr);
    assert_eq!((ended.status.signal(), &*output), (Some(11), ""));
    assert_eq!(fs::read(&path).expect("its bytes"), before);

    // Rust has no function for it; the kernel's table says that the mapping would not allow it either.
    let page = PageReader::open(&path).expect("a page");
    let maps = fs::read_to_string("/proc/self/maps").expect("the table of mappings");
    let name = path.to_str().expect("a path");
    let rights: Vec<_> = maps
        .lines()
        .filter(|line| line.ends_with(name))
        .map(|line| line.split(' ').nth(1))
        .collect();
    assert_eq!(rights, [Some("r--s")]);
    assert_eq!(page.latest(), 3);
}
