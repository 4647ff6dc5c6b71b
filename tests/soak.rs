//! Long runs in virtual time: random commands, resets and faults from a seed, on the whole robot. Ten million turns
//! with `PROMISES=full cargo test --release -p tests --test soak`; otherwise a hundredth of that. A test program of its
//! own, because it measures its own memory.

use std::sync::Mutex;

use cycle::{
    ActuatorId, CommandSet, Cycle, Instant, Kind, Merge, Ports, Range, Request, Span, State, To,
};
use description::{Robot, RobotSource, load};
use drivers::faults::Fault;
use drivers::sim::{SimBoard, SimEvent};
use robot::live::{SharedSim, assemble};

use tests::effort;

/// The resident memory of this process, KiB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a process");
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS"))
        .expect("a line");
    line.split_whitespace()
        .nth(1)
        .expect("a number")
        .parse()
        .expect("a number")
}

/// The result of a run: a digest of its turns, and what happened.
#[derive(Debug)]
struct Life {
    bytes: u64,
    armed: u64,
    faults: u64,
    refused: u64,
    late: u64,
    taken: u64,
    steepest: f64,
    /// The greatest speed of anything in the world of the physics, m/s or rad/s.
    fastest: f64,
    /// KiB, after the first tenth.
    grown: u64,
}

struct Chance<'r> {
    random: fastrand::Rng,
    robot: &'r Robot,
}

impl Chance<'_> {
    /// A clock that is mostly right, sometimes late, and sometimes stands still.
    fn later(&mut self, now: Instant) -> Instant {
        let period = self.robot.settings.period;
        match self.random.u32(0..10_000) {
            0 => now,
            1 => now + Span::from_millis(self.random.u64(0..5_000)),
            2..10 => now + period.times(2),
            _ => now + period,
        }
    }

    fn event(&mut self) -> SimEvent {
        let value = self.random.f64() * 200.0 - 100.0;
        // What concerns links and the floor needs physics, and has no effect without it.
        match self.random.u8(0..10) {
            0 => SimEvent::Give {
                sensor: self.random.usize(0..self.robot.sensors.len()),
                value: if self.random.u8(0..20) == 0 {
                    f64::NAN
                } else {
                    value
                },
            },
            1 => SimEvent::Silence {
                board: self.random.usize(0..self.robot.boards.len()),
                silent: self.random.usize(0..12 * self.robot.boards.len()) == 0,
            },
            4 => SimEvent::PushLink {
                link: self.random.usize(0..self.robot.links.len().max(1)),
                force: [value, self.random.f64() * 50.0 - 25.0, value / 2.0],
                lasts: Span::from_millis(self.random.u64(1..500)),
            },
            5 => SimEvent::Lift {
                held: self.random.bool(),
            },
            6 => SimEvent::TiltFloor {
                angle: value / 200.0,
            },
            7 => SimEvent::PutBox {
                edges: [(); 3].map(|()| 0.01 + 0.3 * self.random.f64()),
                mass: self.random.bool().then(|| 0.01 + 5.0 * self.random.f64()),
                at: [(); 2].map(|()| self.random.f64() - 0.5),
            },
            8 => SimEvent::BuildSteps {
                count: self.random.u8(1..5),
                height: 0.01 + 0.1 * self.random.f64(),
                depth: 0.01 + 0.3 * self.random.f64(),
                gap: 0.2 * self.random.f64(),
            },
            9 => SimEvent::EmptyFloor,
            _ => SimEvent::Push {
                actuator: self.random.usize(0..self.robot.actuators.len()),
                torque: if self.random.bool() {
                    0.0
                } else {
                    value / 50.0
                },
            },
        }
    }

    fn submit(&mut self, cycle: &mut Cycle<'_>, lane: cycle::LaneId, taken: &mut u64) {
        let now = cycle.stage().now();
        let actuator = ActuatorId(self.random.u16(0..self.robot.actuators.len() as u16));
        let count = self.random.usize(0..12);
        let mut times: Vec<_> = (0..count)
            .map(|_| {
                (now + Span::from_millis(self.random.u64(0..2_000))).before(Span::from_millis(200))
            })
            .collect();
        if self.random.bool() {
            times.sort();
        }
        let values: Vec<_> = (0..count)
            .map(|_| match self.random.u8(0..40) {
                0 => f64::NAN,
                1 => f64::INFINITY,
                2 => 1e300,
                _ => self.random.f64() * 6.0 - 3.0,
            })
            .collect();
        let request = Request {
            to: To::One(actuator),
            merge: Merge::ALL[self.random.usize(0..4)],
            commands: CommandSet::Separate {
                times: &times,
                values: &values,
            },
        };
        *taken += cycle
            .stage()
            .submit(lane, &request)
            .map_or(0, |life| u64::from(life.taken));
    }

    fn operate(&mut self, cycle: &mut Cycle<'_>) {
        let stage = cycle.stage();
        // Some requests are refused.
        let _ = match self.random.u8(0..16) {
            0 => stage.disarm(),
            1 => stage.hold(),
            2 => stage.retreat(),
            3 => stage.press_stop(),
            4 => stage.release_stop(),
            5 => stage.resume(),
            6..9 => stage.clear_fault(),
            _ => stage.arm(),
        };
    }
}

fn live(robot: &Robot, turns: u64, seed: u64) -> Life {
    assemble(robot, |cycle, sim| {
        if let Some(body) = robot.rigid_robot().expect("rigid bodies") {
            sim.borrow_mut().add_physics(body).expect("a world");
        }
        let mut chance = Chance {
            random: fastrand::Rng::with_seed(seed),
            robot,
        };
        let mut life = Life {
            bytes: 0,
            armed: 0,
            faults: 0,
            refused: 0,
            late: 0,
            taken: 0,
            steepest: 0.0,
            fastest: 0.0,
            grown: 0,
        };
        let mut lanes = vec![cycle.stage().open(robot.lane).expect("a lane")];
        let mut now = Instant::ZERO;
        let mut at_first = 0;
        let mut before: Vec<_> = robot
            .actuators
            .iter()
            .map(|actuator| (actuator.rest, true))
            .collect();
        for turn in 0..turns {
            if turn == turns / 10 {
                at_first = memory();
            }
            now = chance.later(now);
            match chance.random.u16(0..1_000) {
                0..10 => {
                    // An event may find no more room on the floor.
                    let _ = sim.borrow_mut().apply(chance.event());
                }
                10..12 => chance.operate(cycle),
                14..16 => lanes.extend(cycle.stage().open(robot.lane)),
                16..18 if lanes.len() > 1 => {
                    let lane = lanes.swap_remove(chance.random.usize(1..lanes.len()));
                    cycle.stage().finish(lane).expect("it is open");
                }
                18..60 => {
                    let lane = lanes[chance.random.usize(0..lanes.len())];
                    chance.submit(cycle, lane, &mut life.taken);
                }
                _ => {}
            }
            let mut ports = Ports {
                inbox: &mut (),
                hooks: &mut (),
                board: &mut SharedSim(sim),
                page: &mut (),
            };
            let report = cycle.turn(now, &mut ports);
            if robot.physics {
                life.fastest = life.fastest.max(fastest(&sim.borrow()));
            }
            life.late += u64::from(report.late);
            life.armed += u64::from(report.state == State::Running);
            life.faults += u64::from(report.state == State::Fault);
            judge(robot, cycle, &report, &mut before, &mut life);
        }
        life.grown = memory().saturating_sub(at_first);
        life.refused = cycle
            .view()
            .events
            .count(cycle::Event::Refused(cycle::LaneId::NOBODY));
        life
    })
    .expect("it is put together")
}

/// The greatest speed in the world of a simulated body.
fn fastest(sim: &SimBoard<'_>) -> f64 {
    let world = sim.physics().expect("physics");
    let speeds = world.speeds().iter();
    speeds.fold(0.0, |most: f64, speed| most.max(speed.abs()))
}

/// Nothing is outside its limits, and all bytes go into the digest.
fn judge(
    robot: &Robot,
    cycle: &Cycle<'_>,
    report: &cycle::Report,
    before: &mut [(f64, bool)],
    life: &mut Life,
) {
    let view = cycle.view();
    let seconds = report.elapsed.min(robot.settings.period.times(2)).seconds();
    for ((track, actuator), before) in view.tracks.iter().zip(&robot.actuators).zip(before) {
        // With weight a limp joint may press its stop, and comes back from there.
        let jointed = matches!(actuator.kind, Kind::Joint | Kind::Hand);
        let beyond = if robot.physics && jointed { 0.5 } else { 0.0 };
        let range = Range {
            min: actuator.range.min - beyond,
            max: actuator.range.max + beyond,
        };
        assert!(
            range.holds(track.sent),
            "{} was sent {} at turn {}",
            actuator.name,
            track.sent,
            report.turn
        );
        // A limp joint is wherever it fell, and continues from there.
        let limp = track.limp || report.power <= 0.0;
        let (before, was_limp) = std::mem::replace(before, (track.limited, limp));
        if jointed && !limp && !was_limp && actuator.velocity.is_finite() && seconds > 0.0 {
            let speed = (track.limited - before).abs() / seconds;
            life.steepest = life.steepest.max(speed / actuator.velocity);
            assert!(
                speed <= actuator.velocity * (1.0 + 1e-9),
                "{} moved at {speed} at turn {}",
                actuator.name,
                report.turn
            );
        }
        life.bytes = (life.bytes ^ track.sent.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
    }
    let exploded = Fault::Exploded.error();
    assert!(
        view.answers.iter().all(|answer| answer.error != exploded),
        "{} exploded at turn {}",
        robot.name,
        report.turn
    );
    for (value, sensor) in view.sensors.iter().zip(&robot.sensors) {
        // What was set by hand may be anything.
        let is_felt = robot.physics && (sensor.felt.is_some() || sensor.sense.measures().is_some());
        assert!(
            value.is_finite() || !is_felt,
            "{} reads {value} at turn {}",
            sensor.name,
            report.turn
        );
        life.bytes = (life.bytes ^ value.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
    }
}

/// One at a time: the memory of a process is one number.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn random_runs_stay_within_limits_and_within_their_memory() {
    let _alone = ALONE.lock();
    let runs = [
        ("nao", 2, false),
        ("desk", 10, false),
        ("hexapod", 4, false),
        ("aibo-ers7", 4, false),
        ("nao", 1, true),
        ("hexapod", 1, true),
        ("aibo-ers7", 1, true),
        ("wheels", 1, true),
        ("desk", 1, true),
    ];
    for (name, share, physics) in runs {
        let mut robot = load(&RobotSource::of(name)).expect("it is shipped");
        robot.physics = physics;
        let turns = effort() * 100_000 * share / 20;
        let begun = std::time::Instant::now();
        let life = live(&robot, turns, 7);
        println!(
            "{name}, physics {physics}: {turns} turns in {:.1} s, {} running, {} late, {} in fault, {} commands, \
             {} refused, \
             fastest at {:.6} of its limit, fastest link {:.0}, \
             memory grown by {} KiB",
            begun.elapsed().as_secs_f64(),
            life.armed,
            life.late,
            life.faults,
            life.taken,
            life.refused,
            life.steepest,
            life.fastest,
            life.grown
        );
        assert!(
            life.armed > turns / 20 && life.taken > turns / 50 && life.refused > 0,
            "too little happened: {life:?}"
        );
        assert!(life.grown <= 1024, "memory grew: {life:?}");
        assert!(life.fastest < 300.0, "its energy is not sane: {life:?}");
    }
}

/// The same seed gives the same bytes: every value sent and every sensor of every turn.
#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let _alone = ALONE.lock();
    let mut robot = load(&RobotSource::of("nao")).expect("it is shipped");
    robot.physics = false;
    let first = live(&robot, 5_000, 11);
    assert_eq!(first.bytes, live(&robot, 5_000, 11).bytes);
    robot.physics = true;
    let heavy = live(&robot, 5_000, 11);
    assert_eq!(heavy.bytes, live(&robot, 5_000, 11).bytes);
    assert_ne!(heavy.bytes, first.bytes);
    robot.physics = false;
    robot.seed += 1;
    assert_ne!(
        first.bytes,
        live(&robot, 5_000, 11).bytes,
        "the noise has another seed"
    );
}
