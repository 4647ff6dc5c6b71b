//! Promise 2: a turn allocates nothing and frees nothing, while everything happens that can happen.
//! A test binary of its own, because its allocator watches the loop's thread.

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cycle::{Merge, Span};
use drivers::sim::{Happening, Script};
use robot::config::{Source, load_told};
use robot::live::{Control, Motion, Operation, Order, Setup, Tempo, herald, live, make_page, post};
use robot::record::{Recording, record, replay};
use sensors::Page;

thread_local! {
    /// Whether this thread's allocations are counted.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
}

static COUNTED: AtomicU64 = AtomicU64::new(0);

struct Watchful;

fn count() {
    // The cell is gone while a thread ends: then nothing is counted any more.
    if WATCHED.try_with(Cell::get).unwrap_or(false) {
        COUNTED.fetch_add(1, Ordering::Relaxed);
    }
}

// SAFETY: every call is handed on to the system's allocator, whose promises are kept unchanged;
// counting touches an atomic and a thread's cell that needs no allocation.
unsafe impl GlobalAlloc for Watchful {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count();
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Watchful = Watchful;

#[test]
fn thousands_of_turns_allocate_nothing_while_everything_happens() {
    let turns = tests::effort() * 20_000;
    let (robot, layers) = load_told(&Source::of("nao")).expect("it is shipped");
    let robot = Arc::new(robot);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nao.page");
    let writer = make_page(&robot, &path, 0, 1).expect("a page");
    let page = Page::open(&path).expect("a page");
    let film = folder.path().join("nao.mcap");
    let (recorder, tape, _scribe) = record(&film, &robot, &layers, false, 0).expect("a recording");
    let (mut counter, mailbox) = post();
    let (herald, mut news) = herald();
    let control = Control::default();
    let script = (0..1000).map(|it| {
        let happening = Happening::Glide {
            sensor: it % robot.sensors.len(),
            value: 1.0,
            over: Span::from_millis(100),
        };
        (cycle::Instant::from_millis(it as u64 * 50), happening)
    });
    let setup = Setup {
        page: Some(writer),
        arm: true,
        script: Script::new(script.collect()),
        tape: Some(tape),
        ..Setup::bare(Tempo::Fast, mailbox, herald, &control)
    };
    std::thread::scope(|scope| {
        let robot = &robot;
        let body = scope.spawn(move || {
            let tally = live(robot, setup, |_| WATCHED.set(true));
            WATCHED.set(false);
            tally
        });
        let mut random = fastrand::Rng::with_seed(3);
        let (mut asked, mut answered, mut lines) = (0, 0, 0);
        let begun = Instant::now();
        while page.latest() < turns {
            assert!(
                begun.elapsed() < Duration::from_secs(600),
                "the loop stands still"
            );
            asked += u64::from(counter.send(asked, order(&mut random, robot)).is_ok());
            while counter.back().is_some() {
                answered += 1;
            }
            while news.next_line().is_some() {
                lines += 1;
            }
            std::thread::yield_now();
        }
        // Before it goes: going frees what it held.
        let counted = COUNTED.load(Ordering::Relaxed);
        while counter.send(0, Order::Quit).is_err() {
            while counter.back().is_some() {}
        }
        let tally = body
            .join()
            .expect("it does not panic")
            .expect("it was put together");
        println!(
            "{} turns, {answered} errands answered, {lines} lines: {counted} allocations",
            tally.turns
        );
        assert!(answered > 1000 && lines > 100, "too little happened");
        assert_eq!(counted, 0, "allocations and frees in {turns} turns");
    });
    // Whatever was asked, at random: with the same inputs it is the same again.
    recorder.finish().expect("it was written");
    let recording = Recording::open(&film).expect("a recording");
    let verdict = replay(
        &recording,
        Default::default(),
        |_| ControlFlow::Continue(()),
    );
    let verdict = verdict.expect("it can be played");
    assert!(
        verdict.is_identical() && verdict.same >= turns,
        "{verdict:?}"
    );
}

/// Anything that may be asked but to go.
fn order(random: &mut fastrand::Rng, robot: &robot::config::Robot) -> Order {
    match random.u8(0..12) {
        0 => {
            let all = [
                Operation::Arm,
                Operation::Hold,
                Operation::Resume,
                Operation::Retreat,
            ];
            Order::Operate(all[random.usize(0..all.len())])
        }
        1 => Order::Operate(
            [
                Operation::Press,
                Operation::Release,
                Operation::Disarm,
                Operation::Clear,
            ][random.usize(0..4)],
        ),
        2 => Order::Happen(Happening::Silence {
            board: random.usize(0..robot.boards.len()),
            silent: random.u8(0..4) == 0,
        }),
        3 => Order::Happen(Happening::Push {
            actuator: random.usize(0..25),
            torque: random.f64() * 4.0 - 2.0,
        }),
        _ => {
            let first = random.u16(0..robot.actuators.len() as u16 - 3);
            let to = (first..first + 3).map(cycle::ActuatorId).collect();
            let after: Vec<_> = (0..random.u64(1..40))
                .map(|it| Span::from_millis(it * 7))
                .collect();
            let values = (0..after.len() * 3)
                .map(|_| random.f64() * 8.0 - 4.0)
                .collect();
            let merges = [
                Merge::Merge,
                Merge::ClearAll,
                Merge::ClearAfter,
                Merge::ClearBefore,
            ];
            Order::Move(Motion::new(to, merges[random.usize(0..4)], after, values))
        }
    }
}
