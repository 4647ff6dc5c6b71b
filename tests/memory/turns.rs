//! Promise 2: a turn allocates nothing and frees nothing, while everything happens that can happen, also to a body with
//! weight.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use board::{Firmware, Motion};
use cycle::{EVENT_NAMES, Merge, Span};
use description::{RobotSource, layout, load, load_told};
use drivers::aside::{Aside, PartChannels, PartDevice, PartTiming};
use drivers::bus::{BusFault, Tap, Transfer};
use drivers::faults::Fault;
use drivers::rack::{Mounted, Rack};
use drivers::servo::{Servo, Session};
use drivers::sim::{Script, SimEvent};
use recording::{Recording, record, replay};
use robot::boards::table::rows;
use robot::live::{
    Control, LoopRequest, LoopSetup, MoveRequest, Operation, Tempo, TurnMoment, TurnWatcher,
    event_channel, live, make_page, request_channel,
};
use sensors::PageReader;

use tests::allocator::{Counts, watch};

#[test]
fn thousands_of_turns_allocate_nothing_while_everything_happens() {
    let turns = tests::effort() * 5_000;
    let (robot, layers) = load_told(&RobotSource::of("nao")).expect("it is shipped");
    let robot = Arc::new(robot);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nao.page");
    let writer = make_page(&robot, &path, 0, 1).expect("a page");
    let page = PageReader::open(&path).expect("a page");
    let film = folder.path().join("nao.mcap");
    let (recorder, tape, _scribe) = record(&film, &robot, &layers, false, 0).expect("a recording");
    let (mut sender, requests) = request_channel();
    let (events, mut news) = event_channel();
    let control = Control::default();
    let script = (0..1000).map(|i| {
        let event = match i % 11 {
            0 => SimEvent::PushLink {
                link: i % robot.links.len(),
                force: [20.0, -10.0, 5.0],
                lasts: Span::from_millis(200),
            },
            1 => SimEvent::Lift { held: i % 3 == 0 },
            2 => SimEvent::TiltFloor {
                angle: (i % 5) as f64 * 0.05 - 0.1,
            },
            3 => SimEvent::PutBox {
                edges: [0.1, 0.1, 0.05],
                mass: (i % 2 == 0).then_some(0.3),
                at: [0.3, (i % 7) as f64 * 0.1],
            },
            4 => SimEvent::BuildSteps {
                count: 2,
                height: 0.02,
                depth: 0.1,
                gap: 1.0,
            },
            5 if i % 3 == 0 => SimEvent::EmptyFloor,
            _ => SimEvent::Glide {
                sensor: i % robot.sensors.len(),
                value: 1.0,
                over: Span::from_millis(100),
            },
        };
        (cycle::Instant::from_millis(i as u64 * 50), event)
    });
    let physics = robot.rigid_robot().expect("rigid bodies");
    assert!(physics.is_some(), "a NAO has weight");
    let setup = LoopSetup {
        page: Some(writer),
        arm: true,
        physics,
        script: Script::new(script.collect()),
        recorder: Some(Box::new(tape)),
        ..LoopSetup::bare(Tempo::Fast, requests, events, &control)
    };
    let counts = Counts::new();
    std::thread::scope(|scope| {
        let robot = &robot;
        let body = scope.spawn(move || {
            let tally = live(robot, setup, |_| watch(Some(counts)));
            watch(None);
            tally
        });
        let mut random = fastrand::Rng::with_seed(3);
        let (mut asked, mut answered, mut lines) = (0, 0, 0);
        let begun = Instant::now();
        // On a busy machine the loop may be far ahead of who asks: it runs until enough was asked.
        while page.latest() < turns || answered <= 1000 || lines <= 100 {
            assert!(
                begun.elapsed() < Duration::from_secs(600),
                "the loop stands still"
            );
            asked += u64::from(sender.send(asked, order(&mut random, robot)).is_ok());
            while sender.back().is_some() {
                answered += 1;
            }
            while news.next_line().is_some() {
                lines += 1;
            }
            std::thread::yield_now();
        }
        // Before the loop ends, which frees its memory.
        let counted = counts.calls();
        while sender.send(0, LoopRequest::Quit).is_err() {
            while sender.back().is_some() {}
        }
        let tally = body
            .join()
            .expect("it does not panic")
            .expect("it was put together");
        println!(
            "{} turns, {answered} requests answered, {lines} lines: {counted} allocations",
            tally.turns
        );
        assert_eq!(counted, 0, "allocations and frees in {turns} turns");
    });
    // All kinds of requests, at random: the same seed gives the same run.
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

/// A bus whose far end is the reference board, in the same thread.
#[derive(Debug)]
struct Wire {
    board: Firmware<'static>,
    clock: u32,
}

impl Transfer for Wire {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        self.clock += 10_000;
        let clock = self.clock;
        if clock.is_multiple_of(7_000_000) {
            return Err(BusFault::Gone);
        }
        if !self.board.answer(up, clock, |value| value as u16 * 100) {
            up.fill(0xff);
        }
        self.board.hear(down, clock);
        Ok(())
    }
}

/// A slow part.
#[derive(Debug)]
struct Slow;

impl PartDevice for Slow {
    fn run(&mut self, _: &[f64], _: bool, inputs: &mut [f64]) -> Result<(), Fault> {
        inputs.iter_mut().for_each(|input| *input += 1.0);
        Ok(())
    }
}

#[test]
fn nor_does_a_turn_with_boards_that_are_real() {
    let turns = tests::effort() * 5_000;
    let robot = load(&RobotSource::of("desk")).expect("it is shipped");
    let folder = tempfile::tempdir().expect("a folder");
    // It lives as long as the board: for ever.
    let rows = Vec::leak(rows(&robot, 0));
    let motions = Vec::leak(vec![Motion::default(); 7]);
    let wire = Wire {
        board: Firmware::new("desk", rows, motions, 500, 1).expect("a board"),
        clock: 0,
    };
    let tap = Tap::new(wire, &folder.path().join("desk.tap")).expect("a file");
    let session = Session::new(layout(&robot, 0), robot.settings.period);
    let places = PartChannels {
        outputs: vec![],
        inputs: vec![robot.sensor("Button").map(|sensor| usize::from(sensor.0))],
    };
    let pace = PartTiming {
        period: Duration::from_millis(1),
        timeout_periods: 1_000,
    };
    let aside = Aside::start(Slow, places, pace).expect("a thread");
    let (_sender, requests) = request_channel();
    let (events, _news) = event_channel();
    let control = Control::default();
    let setup = LoopSetup {
        rack: Rack(vec![
            Mounted::new(0, Box::new(Servo::new(session, tap)), 1),
            Mounted::new(1, Box::new(aside), 3),
        ]),
        arm: true,
        watcher: Some(&mut Enough(turns)),
        ..LoopSetup::bare(Tempo::Fast, requests, events, &control)
    };
    let counts = Counts::new();
    let tally = live(&robot, setup, |_| watch(Some(counts)));
    watch(None);
    let tally = tally.expect("it was put together");
    let lost = EVENT_NAMES
        .iter()
        .position(|event_name| *event_name == "board-missing")
        .expect("an event");
    assert!(tally.turns >= turns && tally.counts[lost] > 10, "{tally:?}");
    assert_eq!(counts.calls(), 0, "allocations and frees in {turns} turns");
}

/// Ends a loop after this many turns, before anything is freed.
struct Enough(u64);

impl TurnWatcher for Enough {
    fn watch(&mut self, moment: &TurnMoment<'_>) -> ControlFlow<()> {
        if moment.view.turn < self.0 {
            return ControlFlow::Continue(());
        }
        watch(None);
        ControlFlow::Break(())
    }
}

/// Any request except the one to end.
fn order(random: &mut fastrand::Rng, robot: &description::Robot) -> LoopRequest {
    match random.u8(0..12) {
        0 => {
            let all = [
                Operation::Arm,
                Operation::Hold,
                Operation::Resume,
                Operation::Retreat,
            ];
            LoopRequest::Operate(all[random.usize(0..all.len())])
        }
        1 => LoopRequest::Operate(
            [
                Operation::Press,
                Operation::Release,
                Operation::Disarm,
                Operation::Clear,
            ][random.usize(0..4)],
        ),
        2 => LoopRequest::Simulate(SimEvent::Silence {
            board: random.usize(0..robot.boards.len()),
            silent: random.u8(0..4) == 0,
        }),
        3 => LoopRequest::Simulate(SimEvent::Push {
            actuator: random.usize(0..25),
            torque: random.f64() * 4.0 - 2.0,
        }),
        _ => {
            let first = random.u16(0..robot.actuators.len() as u16 - 3);
            let to = (first..first + 3).map(cycle::ActuatorId).collect();
            let after: Vec<_> = (0..random.u64(1..40))
                .map(|i| Span::from_millis(i * 7))
                .collect();
            let values = (0..after.len() * 3)
                .map(|_| random.f64() * 8.0 - 4.0)
                .collect();
            LoopRequest::Move(MoveRequest::new(
                to,
                Merge::ALL[random.usize(0..4)],
                after,
                values,
            ))
        }
    }
}
