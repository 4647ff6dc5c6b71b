//! The newest frame of a page that another process writes 1,000 times a second. Called by `main`. As for the
//! peers, the reader gets 26 sent values and 26 sensors, and adds them up.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant as Clock};

use cycle::{Body, Incoming, Instant, Outgoing, Span};
use protocol::JOINTS;
use sensors::{Frame, PageReader, PageWriter};
use tests::{Wire, bare, creation, joints, plan, turn_shown, with_cycle};

const PERIOD: Span = Span::from_millis(1);

/// All sent values and all sensors, added up in place.
fn sum(frame: Frame<'_>) -> f64 {
    let sent: f64 = (0..JOINTS).filter_map(|i| frame.sent(i)).sum();
    let sensors: f64 = (0..JOINTS).filter_map(|i| frame.sensor(i)).sum();
    sent + sensors
}

/// Reads what a process of its own writes.
pub(crate) fn read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let mut writer = protocol::writer(&["page-writer", path.to_str().expect("a path")]);
    while !path.exists() {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(Duration::from_millis(50));
    let page = PageReader::open(&path).expect("a page");
    let newest = page.latest();
    thread::sleep(Duration::from_millis(10));
    assert_ne!(newest, page.latest(), "nobody writes");
    protocol::contest(|| {
        std::hint::black_box(page.read(sum));
    });
    writer.kill().expect("a process");
    writer.wait().expect("an end");
}

/// Writes a turn in each millisecond until it is ended.
pub(crate) fn write(path: &Path) {
    let actuators = joints(JOINTS);
    let name = |place| &*Box::leak(format!("S{place}").into_boxed_str());
    let sensors: Vec<_> = (0..JOINTS)
        .map(|place| tests::sensor(name(place)))
        .collect();
    let body = Body {
        sensors: &sensors,
        ..tests::body(&actuators)
    };
    let mut page = PageWriter::create(path, &creation(&body, PERIOD)).expect("a page");
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        let (mut now, mut next) = (Instant::from_millis(1_000), Clock::now());
        while !protocol::orphaned() {
            now = now + PERIOD;
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                back.counts.fill(out.turn as f64);
                back.answers[0].answered = true;
            });
            turn_shown(cycle, now, &mut board, &mut page);
            next += Duration::from_millis(1);
            thread::sleep(next.saturating_duration_since(Clock::now()));
        }
    });
}
