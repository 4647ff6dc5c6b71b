//! What reading the page costs. `cargo bench -p tests --bench page`
//!
//! Every number is for one complete frame of 26 joints and 26 sensors, while a writer in another thread publishes 1,000
//! turns in a second. Measured in the same run, as the limit: copying as many words by relaxed loads from plain memory
//! that nobody writes.

use std::array;
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::thread;
use std::time::{Duration, Instant as Clock};

use cycle::{Body, Incoming, Instant, Outgoing, Span};
use divan::{Bencher, black_box};
use sensors::{Frame, PageReader, PageWriter};
use tests::{Wire, bare, creation, joints, plan, turn_shown, with_cycle};

const PERIOD: Span = Span::from_millis(1);
const JOINTS: usize = 26;
const SENSORS: usize = 26;

/// Words in the whole frame: its header, joints, sensors and board, without the stamp.
const FRAME: usize = 7 + JOINTS * 6 + SENSORS + 4;

fn main() {
    divan::main();
}

/// Calls `f` with a page on which a writer publishes once in a millisecond.
fn with_page(f: impl FnOnce(&PageReader)) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let (ready, done) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            let write = |writer: &mut PageWriter, turn: &mut dyn FnMut(&mut PageWriter)| {
                let mut next = Clock::now();
                while !done.load(Relaxed) {
                    turn(writer);
                    ready.store(true, Relaxed);
                    next += Duration::from_millis(1);
                    thread::sleep(next.saturating_duration_since(Clock::now()));
                }
            };
            with_turns(&path, write);
        });
        while !ready.load(Relaxed) {
            thread::yield_now();
        }
        f(&PageReader::open(&path).expect("a page"));
        done.store(true, Relaxed);
    });
}

/// Calls this with a writer, and a function that makes one turn of a body of 26 joints and publishes it there.
fn with_turns(
    path: &std::path::Path,
    f: impl FnOnce(&mut PageWriter, &mut dyn FnMut(&mut PageWriter)),
) {
    let actuators = joints(JOINTS);
    let name = |place| &*Box::leak(format!("S{place}").into_boxed_str());
    let sensors: Vec<_> = (0..SENSORS)
        .map(|place| tests::sensor(name(place)))
        .collect();
    let body = Body {
        sensors: &sensors,
        ..tests::body(&actuators)
    };
    let mut writer = PageWriter::create(path, &creation(&body, PERIOD)).expect("a page");
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        let mut now = Instant::from_millis(1_000);
        f(&mut writer, &mut |page| {
            now = now + PERIOD;
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                back.counts.fill(out.turn as f64);
                back.answers[0].answered = true;
            });
            turn_shown(cycle, now, &mut board, page);
        });
    });
}

/// All sent values and all sensors, added up in place.
fn sum(frame: Frame<'_>) -> f64 {
    let sent: f64 = (0..JOINTS).filter_map(|i| frame.sent(i)).sum();
    let sensors: f64 = (0..SENSORS).filter_map(|i| frame.sensor(i)).sum();
    sent + sensors
}

/// The sum of 52 values of the newest frame.
#[divan::bench]
fn newest_frame_summed_in_place(bencher: Bencher<'_, '_>) {
    with_page(|page| bencher.bench_local(|| page.read(sum)));
}

/// The same, once for each frame as soon as it is there: its words are still in the cache of the writer's processor.
#[divan::bench(sample_size = 1, sample_count = 1000)]
fn fresh_frame_summed_in_place(bencher: Bencher<'_, '_>) {
    with_page(|page| {
        let wait = || {
            let seen = page.latest();
            while page.latest() == seen {
                std::hint::spin_loop();
            }
        };
        bencher
            .with_inputs(wait)
            .bench_local_values(|()| page.read(sum));
    });
}

/// One value of the newest frame: the cost of the seqlock alone.
#[divan::bench]
fn newest_frame_one_joint(bencher: Bencher<'_, '_>) {
    with_page(|page| bencher.bench_local(|| page.read(|frame| frame.sent(black_box(3)))));
}

/// The limit: as many words copied from plain memory: the 52 values, and a whole frame.
#[divan::bench(consts = [JOINTS + SENSORS, FRAME])]
fn limit_words_copied<const N: usize>(bencher: Bencher<'_, '_>) {
    let words: Vec<_> = (0..N as u64).map(AtomicU64::new).collect();
    bencher.bench_local(|| {
        let words: &[AtomicU64] = black_box(&words);
        array::from_fn::<u64, N, _>(|i| words[i].load(Relaxed))
    });
}

/// The limit: the 52 values added up in plain memory, one after the other, as floating-point numbers must be.
#[divan::bench]
fn limit_words_summed(bencher: Bencher<'_, '_>) {
    let words: Vec<_> = (0..JOINTS + SENSORS)
        .map(|i| AtomicU64::new((i as f64).to_bits()))
        .collect();
    let value = |word: &AtomicU64| f64::from_bits(word.load(Relaxed));
    bencher.bench_local(|| {
        let (sent, sensors) = black_box(&words).split_at(JOINTS);
        let sent: f64 = sent.iter().map(value).sum();
        let sensors: f64 = sensors.iter().map(value).sum();
        sent + sensors
    });
}

/// The limit of a fresh frame: as many words, as far apart, that another thread has just stored.
#[divan::bench(sample_size = 1, sample_count = 1000)]
fn limit_fresh_words_copied(bencher: Bencher<'_, '_>) {
    let words: Vec<_> = (0..FRAME as u64).map(AtomicU64::new).collect();
    let (stored, done) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                thread::sleep(Duration::from_millis(1));
                let next = stored.load(Relaxed) + 1;
                words.iter().for_each(|word| word.store(next, Relaxed));
                stored.store(next, Release);
            }
        });
        let wait = || {
            let seen = stored.load(Relaxed);
            while stored.load(Acquire) == seen {
                std::hint::spin_loop();
            }
        };
        bencher.with_inputs(wait).bench_local_values(|()| {
            let words: &[AtomicU64] = black_box(&words);
            array::from_fn::<u64, { JOINTS + SENSORS }, _>(|value| {
                let at = if value < JOINTS {
                    value * 6
                } else {
                    JOINTS * 5 + value
                };
                words[at].load(Relaxed)
            })
        });
        done.store(true, Relaxed);
    });
}
