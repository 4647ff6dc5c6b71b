//! What grows, and how it is measured at each size. Called by `main`.
//! Each is a whole turn, in which only one thing grows.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use cycle::{
    ActuatorId, Command, CommandSet, Cycle, Inbox, Incoming, Instant, LaneId, Merge, Outgoing,
    Ports, Publisher, Request, Span, Stage, To,
};
use guests::{CodeForm, LoadOptions};
use sensors::{PageReader, PageWriter};
use tests::busy::busy;
use tests::rig::{Plan, component, everything, with_rig};
use tests::{Wire, bare, body, body_of, creation, joints, lane, plan, start, with_cycle};

use crate::{Effort, time};

const JOINTS: usize = 26;
const PERIOD: Span = Span::from_millis(1);

/// Commands of a request.
const TOGETHER: usize = 26;

pub(crate) struct Series {
    /// What grows.
    pub(crate) what: &'static str,
    pub(crate) sizes: &'static [usize],
    /// The most that there may be.
    pub(crate) most: usize,
    /// The median of a turn, ns.
    pub(crate) measure: fn(usize, Effort) -> f64,
}

pub(crate) const SERIES: &[Series] = &[
    Series {
        what: "actuators, all moved by one lane",
        sizes: &[26, 64, 256, 1_024, 4_096],
        most: 4_096,
        measure: |size, effort| moving(size, 1, effort),
    },
    Series {
        what: "lanes, each of which moves 26 joints",
        sizes: &[1, 4, 16, 64, 256],
        most: 1_024,
        measure: |size, effort| moving(JOINTS, size, effort),
    },
    Series {
        what: "guests, each of which reads and sends 26",
        sizes: &[1, 4, 16, 64, 256],
        most: 256,
        measure: guests,
    },
    Series {
        what: "timed commands taken in, in requests of 26",
        sizes: &[26, 260, 2_600, 26_000, 104_000],
        most: usize::MAX,
        measure: commands,
    },
    Series {
        what: "readers of the page, in other threads",
        sizes: &[1, 4, 16, 64],
        most: 1_024,
        measure: readers,
    },
];

/// A turn of this cycle, with this inbox and page.
fn turn(cycle: &mut Cycle<'_>, now: Instant, inbox: &mut impl Inbox, page: &mut impl Publisher) {
    let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
        back.counts.fill(out.turn as f64);
        back.answers[0].answered = true;
    });
    cycle.turn(
        now,
        &mut Ports {
            inbox,
            hooks: &mut (),
            board: &mut board,
            page,
        },
    );
}

/// Every lane has a line of ten days on every actuator.
fn moving(wide: usize, lanes: usize, effort: Effort) -> f64 {
    let actuators = joints(wide);
    let body = body(&actuators);
    let mut page = PageWriter::private(&creation(&body, PERIOD)).expect("memory");
    with_cycle(&body, &plan(&body, lanes, wide), bare(PERIOD), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let all: Vec<_> = (0..wide as u16).map(ActuatorId).collect();
        let at = now + Span::from_millis(864_000_000);
        for number in 0..lanes {
            let by = cycle.stage().open(lane(wide)).expect("a lane");
            let values = vec![1.0 + number as f64; wide];
            let request = Request::vector(To::Many(&all), &at, &values);
            cycle.stage().submit(by, &request).expect("room");
        }
        time(effort, || {
            now = now + PERIOD;
            turn(cycle, now, &mut (), &mut page);
        })
    })
}

fn guests(many: usize, effort: Effort) -> f64 {
    let plan = Plan {
        joints: JOINTS,
        lanes: many + 1,
        ..Plan::of(CodeForm::InPlace)
    };
    with_rig(&plan, |rig| {
        let made = rig.prepare(
            &component(&busy("pre-process", JOINTS, JOINTS)),
            &everything(),
        );
        let choreography = made.unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..many {
            let options = LoadOptions::default();
            let loaded = rig.manager.load(&choreography, &everything(), &options);
            loaded.unwrap_or_else(|error| panic!("{error}"));
            rig.turn();
        }
        rig.turns(100);
        time(effort, || _ = rig.turn_alone())
    })
}

/// Requests that have come since the last turn: each a line of so many commands, for one joint after the other.
struct Requests<'r> {
    lanes: &'r [LaneId],
    each: usize,
    taken: &'r Cell<u64>,
}

impl Inbox for Requests<'_> {
    fn take_in(&mut self, stage: &mut Stage<'_>) {
        let now = stage.now();
        let line: Vec<_> = (1..=TOGETHER as u64)
            .map(|i| Command {
                at: now + Span::from_millis(i),
                value: i as f64,
            })
            .collect();
        for number in 0..self.each {
            let request = Request {
                to: To::One(ActuatorId((number % JOINTS) as u16)),
                merge: Merge::ClearAll,
                commands: CommandSet::Same(&line),
            };
            let by = self.lanes[number % self.lanes.len()];
            let receipt = stage.submit(by, &request).expect("room");
            self.taken.set(self.taken.get() + u64::from(receipt.taken));
        }
    }
}

fn commands(many: usize, effort: Effort) -> f64 {
    let actuators = joints(JOINTS);
    let body = body(&actuators);
    let room = JOINTS * TOGETHER;
    let lanes = (many / room).max(1);
    let mut page = PageWriter::private(&creation(&body, PERIOD)).expect("memory");
    with_cycle(&body, &plan(&body, lanes, room), bare(PERIOD), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let open = |_| cycle.stage().open(lane(room)).expect("a lane");
        let lanes: Vec<_> = (0..lanes).map(open).collect();
        let (taken, mut turns) = (Cell::new(0), 0);
        let mut inbox = Requests {
            lanes: &lanes,
            each: many / TOGETHER,
            taken: &taken,
        };
        let took = time(effort, || {
            now = now + PERIOD;
            turns += 1;
            turn(cycle, now, &mut inbox, &mut page);
        });
        assert_eq!(taken.get(), turns * many as u64, "not all were taken");
        took
    })
}

/// A turn that is published, while so many threads read it, each a thousand times a second.
fn readers(many: usize, effort: Effort) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("robot.page");
    let actuators = joints(JOINTS);
    let names: Vec<_> = (0..JOINTS).map(|place| format!("S{place}")).collect();
    let sensors: Vec<_> = names.iter().map(|name| tests::sensor(name)).collect();
    let body = body_of(&actuators, &sensors);
    let mut page = PageWriter::create(&path, &creation(&body, PERIOD)).expect("a page");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..many {
            scope.spawn(|| read(&path, &done));
        }
        let took = with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
            let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
            time(effort, || {
                now = now + PERIOD;
                turn(cycle, now, &mut (), &mut page);
            })
        });
        done.store(true, Relaxed);
        took
    })
}

fn read(path: &Path, done: &AtomicBool) {
    let page = PageReader::open(path).expect("a page");
    while !done.load(Relaxed) {
        std::hint::black_box(page.read(|frame| frame.sent(3)));
        std::thread::sleep(Duration::from_millis(1));
    }
}
