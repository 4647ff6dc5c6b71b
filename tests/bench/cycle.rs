//! What a turn costs, and how the cost grows. `cargo bench -p tests --bench cycle`
//!
//! Every number is for a whole turn or a whole request, so that the cost of one actuator, lane or command is a
//! difference. Measured in the same run: `floor`, a plain loop that interpolates the same lines and does nothing else.

use std::cell::RefCell;

use cycle::{
    Actuator, ActuatorId, Command, CommandSet, Cycle, Incoming, Instant, Kind, LaneId, Merge,
    Outgoing, Ports, Request, Span, To, Trajectory,
};
use divan::{Bencher, black_box};
use scripting::memory::{CycleStore, TrajectoryStore};
use tests::{bare, lane, start};

const PERIOD: Span = Span::from_millis(1);
const MS: u64 = 1_000_000;

fn main() {
    divan::main();
}

/// A cycle that lives as long as the program.
fn cycle(
    actuators: Vec<Actuator<'static>>,
    lanes: usize,
    room: usize,
) -> &'static mut Cycle<'static> {
    let actuators = Vec::leak(actuators);
    let body = &*Box::leak(Box::new(tests::body(actuators)));
    let plan = tests::plan(body, lanes, room);
    let store = Box::leak(Box::new(CycleStore::new(&plan)));
    let cycle = Cycle::new(body, &plan, store.lend(), bare(PERIOD)).expect("a sound body");
    let cycle = Box::leak(Box::new(cycle));
    start(cycle, Instant::from_millis(1_000), PERIOD);
    cycle
}

/// Every lane has a line of ten days on every actuator.
fn busy(
    actuators: Vec<Actuator<'static>>,
    lanes: usize,
) -> (&'static mut Cycle<'static>, Vec<LaneId>) {
    let count = actuators.len();
    let cycle = cycle(actuators, lanes, count);
    let all: Vec<_> = (0..count as u16).map(ActuatorId).collect();
    let at = cycle.stage().now() + Span::from_millis(864_000_000);
    let opened = (0..lanes)
        .map(|number| {
            let by = cycle.stage().open(lane(count)).expect("a lane");
            let values = vec![1.0 + number as f64; count];
            cycle
                .stage()
                .submit(by, &Request::vector(To::Many(&all), &at, &values))
                .expect("room");
            by
        })
        .collect();
    (cycle, opened)
}

/// A board that takes the frame and gives nothing.
struct Sink;

impl cycle::Board for Sink {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        black_box(out.targets);
        back.answers[0].answered = true;
    }
}

fn turns(bencher: Bencher<'_, '_>, cycle: &mut Cycle<'_>) {
    let mut now = cycle.stage().now();
    bencher.bench_local(|| {
        now = now + PERIOD;
        let (mut hooks, mut inbox, mut page) = ((), (), ());
        cycle.turn(
            black_box(now),
            &mut Ports {
                inbox: &mut inbox,
                hooks: &mut hooks,
                board: &mut Sink,
                page: &mut page,
            },
        )
    });
}

/// A whole turn with one lane that moves every actuator. Divide by the number for ns per actuator.
#[divan::bench(args = [26, 128, 1024])]
fn turn_of_one_lane(bencher: Bencher<'_, '_>, actuators: usize) {
    let (cycle, _) = busy(tests::joints(actuators), 1);
    turns(bencher, cycle);
}

/// A whole turn without commands: the cost of the body itself.
#[divan::bench(args = [26, 128, 1024])]
fn turn_of_no_lane(bencher: Bencher<'_, '_>, actuators: usize) {
    let cycle = cycle(tests::joints(actuators), 1, 1);
    turns(bencher, cycle);
}

/// A whole turn with one lane that holds every actuator where it arrived: the difference from `turn_of_one_lane` is the
/// sampling.
#[divan::bench(args = [26, 128, 1024])]
fn turn_of_one_lane_that_holds(bencher: Bencher<'_, '_>, actuators: usize) {
    let (cycle, lanes) = busy(tests::joints(actuators), 1);
    idle_turn(cycle);
    let all: Vec<_> = (0..actuators as u16).map(ActuatorId).collect();
    cycle
        .stage()
        .submit(lanes[0], &Request::stop(To::Many(&all)))
        .expect("room");
    turns(bencher, cycle);
}

/// A whole turn of 26 joints with many lanes of equal priority.
#[divan::bench(args = [1, 8, 64])]
fn turn_of_26_by_lanes(bencher: Bencher<'_, '_>, lanes: usize) {
    let (cycle, _) = busy(tests::joints(26), lanes);
    turns(bencher, cycle);
}

/// A whole turn of 26 joints with all kinds of limits: velocity, acceleration, whole counts.
#[divan::bench]
fn turn_of_26_with_all_limits(bencher: Bencher<'_, '_>) {
    let limited = tests::joints(26).into_iter().map(|joint| Actuator {
        velocity: 5.0,
        acceleration: 50.0,
        calibration: cycle::Calibration::steps(0.0015),
        ..joint
    });
    let (cycle, _) = busy(limited.collect(), 1);
    turns(bencher, cycle);
}

/// The limit: a plain loop over the same lines, in plain arrays.
#[divan::bench(args = [26, 128, 1024])]
fn floor(bencher: Bencher<'_, '_>, actuators: usize) {
    let start: Vec<_> = (0..actuators).map(|_| (0u64, 0.0f64)).collect();
    let end: Vec<_> = (0..actuators)
        .map(|i| (864_000_000 * MS, 1.0 + i as f64))
        .collect();
    let mut out = vec![0.0; actuators];
    let mut now = 1_000 * MS;
    bencher.bench_local(move || {
        now += MS;
        for ((out, (t0, x0)), (t1, x1)) in out.iter_mut().zip(&start).zip(&end) {
            *out = x0 + (x1 - x0) * (now - t0) as i64 as f64 / (t1 - t0) as i64 as f64;
        }
        black_box(&mut out);
    });
}

fn commands(now: Instant, count: u64) -> Vec<Command> {
    (1..=count)
        .map(|i| Command {
            at: now + Span::from_millis(i),
            value: i as f64 / 10.0,
        })
        .collect()
}

/// One request with 1,000 commands onto 1,000 that wait: divide by 1,000 for ns per command.
#[divan::bench(args = ["appended", "before", "between", "shuffled"], sample_size = 1)]
fn insert_a_thousand(bencher: Bencher<'_, '_>, order: &str) {
    let cycle = cycle(vec![Actuator::new("A", Kind::Joint, -1e9, 1e9)], 1, 4096);
    let by = cycle.stage().open(lane(4096)).expect("a lane");
    let now = cycle.stage().now();
    let waiting = commands(now + Span::from_millis(2_000), 1000);
    let mut new = match order {
        "before" => commands(now, 1000),
        "between" => commands(now + Span::from_micros(2_000_500), 1000),
        _ => commands(now + Span::from_millis(4_000), 1000),
    };
    if order == "shuffled" {
        fastrand::Rng::with_seed(1).shuffle(&mut new);
    }
    let set = |list, merge| Request {
        to: To::One(ActuatorId(0)),
        merge,
        commands: CommandSet::Same(list),
    };
    let cycle = RefCell::new(cycle);
    bencher
        .with_inputs(|| {
            // A turn renews the lane's steps.
            idle_turn(&mut cycle.borrow_mut());
            let request = set(&waiting, Merge::ClearAll);
            cycle
                .borrow_mut()
                .stage()
                .submit(by, &request)
                .expect("room");
        })
        .bench_local_values(|()| {
            cycle
                .borrow_mut()
                .stage()
                .submit(by, &set(&new, Merge::Merge))
                .expect("room")
        });
}

/// A prepared trajectory of 26 times 4,096 commands is swapped in, and then cleared.
#[divan::bench(sample_size = 1)]
fn swap_in_a_full_sheet_and_clear_it(bencher: Bencher<'_, '_>) {
    let cycle = cycle(tests::joints(26), 1, 26);
    let by = cycle.stage().open(lane(26)).expect("a lane");
    let (body, now) = (cycle.stage().body(), cycle.stage().now());
    let store = Box::leak(Box::new(TrajectoryStore::new(26 * 4096, 26)));
    let spare = RefCell::new(Some(Trajectory::new(store.lend())));
    let all: Vec<_> = (0..26).map(ActuatorId).collect();
    let list = commands(now, 4096);
    let cycle = RefCell::new(cycle);
    bencher
        .with_inputs(|| {
            let mut cycle = cycle.borrow_mut();
            idle_turn(&mut cycle);
            let mut trajectory = spare
                .take()
                .or_else(|| cycle.stage().spent_trajectory(by))
                .expect("one");
            trajectory.begin(Merge::ClearAll);
            for actuator in &all {
                trajectory.add(body, now, *actuator, &list).expect("room");
            }
            trajectory
        })
        .bench_local_values(|trajectory| {
            let mut cycle = cycle.borrow_mut();
            cycle.stage().swap_in(by, trajectory).expect("a free place");
            cycle
                .stage()
                .submit(by, &Request::stop(To::Many(&all)))
                .expect("room");
        });
}

/// A turn at the instant of the last one: nothing becomes due.
fn idle_turn(cycle: &mut Cycle<'_>) {
    let now = cycle.stage().now();
    let (mut inbox, mut hooks, mut page) = ((), (), ());
    cycle.turn(
        now,
        &mut Ports {
            inbox: &mut inbox,
            hooks: &mut hooks,
            board: &mut Sink,
            page: &mut page,
        },
    );
}
