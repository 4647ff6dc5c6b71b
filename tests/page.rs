//! The mapped page: complete frames or none, whoever writes and whatever is in the file.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant as Clock};

use cycle::{Actuator, Body, Incoming, Instant, Kind, Outgoing, Span, State};
use sensors::{Creation, OpenError, PageReader, PageWriter, RING};
use tests::{Wire, bare, body, joints, plan, sensor, turn_shown, with_cycle};

#[path = "clients/page.rs"]
mod clients;

const PERIOD: Span = Span::from_millis(1);

fn creation<'a>(body: &'a Body<'a>) -> Creation<'a> {
    Creation {
        body,
        actuator_units: &["rad"],
        sensor_units: &["V"],
        period: PERIOD,
        utc_at_zero: -5,
        run: 77,
    }
}

#[test]
fn a_page_shows_what_the_turn_did_and_keeps_the_last_1024() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let actuators = [Actuator::new("HeadYaw", Kind::Joint, -2.0, 2.0)];
    let sensors = [sensor("Battery")];
    let body = Body {
        sensors: &sensors,
        ..body(&actuators)
    };
    let mut writer = PageWriter::create(&path, &creation(&body)).expect("a page");
    let page = PageReader::open(&path).expect("a page");
    assert_eq!((page.latest(), page.turns().count()), (0, 0));
    assert!(page.read(|_| ()).is_none(), "nothing was written yet");
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        for turn in 1..=1500u64 {
            let now = Instant::from_millis(5_000 + turn);
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                back.counts[0] = turn as f64 / 10.0;
                back.answers[0].answered = turn % 2 == 0;
                back.answers[0].acknowledged = out.turn;
                back.answers[0].error = 7;
            });
            if turn == 1000 {
                cycle.stage().arm().expect("the boards have answered");
            }
            writer.worked(Span::from_nanos(turn));
            turn_shown(cycle, now, &mut board, &mut writer);
        }
    });
    let label = &page.actuators()[0];
    assert_eq!(
        (label.name.as_str(), label.unit.as_str(), label.range),
        ("HeadYaw", "rad", (-2.0, 2.0))
    );
    assert_eq!(page.sensors()[0].unit, "V");
    assert_eq!(
        (page.utc_at_zero(), page.run(), page.period()),
        (-5, 77, PERIOD)
    );
    assert_eq!(page.writer(), u64::from(std::process::id()));
    let seen = page.read(|frame| {
        let acks = frame.board(0).expect("a board");
        let value = frame.sensor(0).expect("a sensor");
        (
            frame.turn(),
            frame.now(),
            frame.state(),
            value,
            acks,
            frame.work(),
            frame.elapsed(),
        )
    });
    let wanted = (
        1500,
        Instant::from_millis(6_500),
        Some(State::Running),
        150.0,
        [750, 750, 0, 7],
        Span::from_nanos(1500),
        PERIOD,
    );
    assert_eq!(seen, Some(wanted));
    assert!(
        page.read(|frame| frame.sent(1).is_none() && frame.sensor(1).is_none())
            .expect("a frame")
    );
    assert!(page.turns().eq(477..=1500));
    assert!(page.read_turn(476, |_| ()).is_none(), "overwritten");
    assert!(page.read_turn(1501, |_| ()).is_none(), "not there yet");
    let all = page
        .turns()
        .filter(|turn| page.read_turn(*turn, |frame| frame.turn()) == Some(*turn));
    assert_eq!(all.count(), RING);
    assert!(!page.is_closed());
    drop(writer);
    assert!(
        page.is_closed(),
        "closed properly; after a crash it would not be"
    );
}

#[test]
fn two_hammering_readers_never_see_a_torn_frame() {
    hammer(2, 200_000 * tests::effort().min(50));
}

/// Promise 16, with a thousand million reads in its full length.
#[test]
fn sixty_four_readers_never_see_a_torn_frame_and_never_make_the_writer_wait() {
    hammer(64, 3_000_000 * tests::effort());
}

/// Every sensor of a frame has its turn's number: a torn frame would show.
fn hammer(readers: u64, wanted: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let actuators = joints(26);
    let sensors: Vec<_> = (0..26)
        .map(|i| sensor(Box::leak(format!("S{i}").into_boxed_str())))
        .collect();
    let body = Body {
        sensors: &sensors,
        ..body(&actuators)
    };
    let mut writer = PageWriter::create(&path, &creation(&body)).expect("a page");
    let (done, whole) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..readers {
            scope.spawn(|| {
                let page = PageReader::open(&path).expect("a page");
                let mut seen = 0;
                while seen < wanted / readers {
                    let frame = page.read(|frame| {
                        let first = frame.sensor(0).expect("a sensor");
                        let same = (1..26).all(|i| frame.sensor(i) == Some(first));
                        (same, first, frame.turn())
                    });
                    if let Some((same, first, turn)) = frame {
                        assert!(same && first == turn as f64, "a torn frame at turn {turn}");
                        seen += 1;
                    }
                }
                let all = whole.fetch_add(seen, Ordering::Relaxed) + seen;
                if all == wanted / readers * readers {
                    done.store(true, Ordering::Relaxed);
                }
            });
        }
        with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
            let mut now = Instant::from_millis(1_000);
            while !done.load(Ordering::Relaxed) {
                now = now + PERIOD;
                let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                    back.counts.fill(out.turn as f64);
                    back.answers[0].answered = true;
                });
                turn_shown(cycle, now, &mut board, &mut writer);
            }
        });
    });
    println!(
        "{readers} readers: {} frames read whole, none torn",
        whole.into_inner()
    );
}

#[test]
fn what_is_no_page_is_refused_by_name_and_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let actuators = joints(2);
    let body = body(&actuators);
    drop(PageWriter::create(&path, &creation(&body)).expect("a page"));
    let good = fs::read(&path).expect("its bytes");
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("a file");
        PageReader::open(&path).expect_err("no page")
    };
    let with = |word: usize, value: u64| {
        let mut bytes = good.clone();
        bytes[word * 8..][..8].copy_from_slice(&value.to_ne_bytes());
        bytes
    };
    assert!(matches!(open(&[]), OpenError::NotAPage(_)));
    assert!(matches!(open(b"hello"), OpenError::NotAPage(_)));
    assert!(matches!(open(&[0; 4096]), OpenError::NotAPage(_)));
    let other = open(&with(1, 4));
    assert!(matches!(other, OpenError::Version { found: 4, .. }));
    assert!(
        other
            .to_string()
            .contains("is a page of version 4, but this program reads version 3")
    );
    assert!(
        open(&good[..good.len() - 8])
            .to_string()
            .contains("the file is truncated; fix: ")
    );
    for (word, value) in [
        (2, 1),
        (3, 7),
        (4, 0),
        (5, 3),
        (6, u64::MAX),
        (7, 1 << 40),
        (8, 0),
        (9, 5),
    ] {
        let error = open(&with(word, value));
        assert!(
            matches!(error, OpenError::Broken { .. }),
            "word {word}: {error}"
        );
    }
    assert!(matches!(
        PageReader::open(&folder.path().join("none")),
        Err(OpenError::Io(..))
    ));

    // Anything else in the file: an answer, not a panic.
    let mut rng = fastrand::Rng::with_seed(2);
    for _ in 0..300 * tests::effort() {
        let mut bytes = good.clone();
        for _ in 0..rng.usize(..20) {
            let at = rng.usize(..bytes.len().min(2_000));
            bytes[at] = rng.u8(..);
        }
        bytes.truncate(rng.usize(good.len() / 2..good.len() * 2));
        fs::write(&path, &bytes).expect("a file");
        if let Ok(page) = PageReader::open(&path) {
            let turns: Vec<_> = page.turns().take(3).collect();
            let _ = (
                page.actuators(),
                page.sensors(),
                page.read(|frame| frame.state()),
                turns,
            );
        }
    }
}

#[test]
fn a_name_that_is_too_long_is_refused_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let actuators = [Actuator::new(
        "AnActuatorWithANameThatIsMuchLongerThanAnybodyWouldEverWantToType",
        Kind::Joint,
        -1.0,
        1.0,
    )];
    let body = body(&actuators);
    let error =
        PageWriter::create(&folder.path().join("p"), &creation(&body)).expect_err("too long");
    assert!(
        error.to_string().contains("names have room for 47 bytes"),
        "{error}"
    );
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn whoever_waits_sees_every_turn_once_and_in_order() {
    const TURNS: u64 = 400;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let actuators = joints(1);
    let body = body(&actuators);
    let mut writer = PageWriter::create(&path, &creation(&body)).expect("a page");
    let page = PageReader::open(&path).expect("a page");
    // While nobody writes, the wait is as long as was asked for.
    let (begun, short) = (Clock::now(), Duration::from_millis(20));
    assert_eq!(page.wait(0, short), None);
    assert!(begun.elapsed() >= short);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let page = PageReader::open(&path).expect("a page");
                    let mut last = 0;
                    while let Some(turn) = page.wait(last, Duration::from_secs(30)) {
                        assert_eq!(turn, last + 1);
                        let read = page.read_turn(turn, |frame| frame.turn());
                        assert_eq!(read, Some(turn), "it is whole");
                        last = turn;
                    }
                    last
                })
            })
            .collect();
        with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
            for turn in 1..=TURNS {
                turn_shown(cycle, Instant::from_millis(turn), &mut (), &mut writer);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        // The end of the loop ends the waiting.
        drop(writer);
        for reader in readers {
            assert_eq!(reader.join().expect("a reader"), TURNS);
        }
    });
    // What is kept no longer is passed over: the first of the others is told.
    let mut writer = PageWriter::create(&path, &creation(&body)).expect("a page");
    let page = PageReader::open(&path).expect("a page");
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        for turn in 1..=1500 {
            turn_shown(cycle, Instant::from_millis(turn), &mut (), &mut writer);
        }
    });
    assert_eq!(page.wait(3, short), Some(1500 - RING as u64 + 1));
}
