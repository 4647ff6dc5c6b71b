//! Whatever is requested, in whatever order: nothing outside the limits, and only finite numbers are sent.

use cycle::{
    Actuator, ActuatorId, BoardId, Body, Calibration, Command, CommandSet, Coupling, CouplingRow,
    CurrentLimit, Cycle, Ending, Gains, GroupId, GroupRule, Heat, Instant, Kind, LaneId,
    LaneSettings, Merge, Range, Request, Sensor, SensorId, Span, State, To, ZeroChange,
};
use tests::{HookClosures, Wire, bare, plan, turn_with, with_cycle};

const MS: u64 = 1_000_000;

/// The stiffness of a joint, on until it is switched off.
fn stiffness(name: &'static str, joint: u16) -> Actuator<'static> {
    let joint = ActuatorId(joint);
    Actuator {
        rest: 1.0,
        ..Actuator::new(name, Kind::Stiffness { joint }, 0.0, 1.0)
    }
}

/// A body with one of everything.
fn actuators() -> Vec<Actuator<'static>> {
    let joint = |name, max: f64| Actuator {
        velocity: 6.0,
        acceleration: 80.0,
        sensor: Some(SensorId(0)),
        safe: Some(0.0),
        gains: Some(Gains {
            p: 10.0,
            i: 0.5,
            d: 1.0,
        }),
        calibration: Calibration {
            gain: -0.0015,
            offset: 0.02,
            whole: true,
        },
        ..Actuator::new(name, Kind::Joint, -max, max)
    };
    vec![
        Actuator {
            acceleration: f64::INFINITY,
            ..joint("Yaw", 2.0857)
        },
        Actuator {
            acceleration: f64::INFINITY,
            velocity: 3.0,
            ..joint("Pitch", 0.6)
        },
        Actuator {
            group: Some(GroupId(0)),
            ..joint("Hip", 1.0)
        },
        Actuator {
            heat: Some(Heat {
                sensor: SensorId(1),
                warm: 60.0,
                hot: 80.0,
            }),
            current: Some(CurrentLimit {
                sensor: SensorId(2),
                high: 1.5,
                limit: 2.0,
            }),
            calibration: Calibration::steps(1.0 / 255.0),
            ..Actuator::new(
                "HipStiffness",
                Kind::Stiffness {
                    joint: ActuatorId(2),
                },
                -1.0,
                1.0,
            )
        },
        Actuator {
            velocity: 40.0,
            ..Actuator::new("Wheel", Kind::Wheel, -9.0, 9.0)
        },
        Actuator {
            calibration: Calibration::steps(1.0 / 64.0),
            ..Actuator::new("Eye", Kind::Light, 0.0, 1.0)
        },
        Actuator::new("Us", Kind::Trigger, 0.0, 255.0),
        stiffness("YawStiffness", 0),
        stiffness("PitchStiffness", 1),
    ]
}

#[test]
fn nothing_outside_the_limits_and_nothing_that_is_not_finite_is_ever_sent() {
    let turns = 100_000 * tests::effort().min(50);
    let period = Span::from_millis(10);
    let actuators = actuators();
    let sensor = |name| Sensor {
        name,
        path: "",
        derived: None,
        board: BoardId(0),
        calibration: Calibration::NONE,
    };
    let sensors = [sensor("Position"), sensor("Motor"), sensor("Current")];
    let row = |driver, min, max| CouplingRow {
        driver,
        range: Range { min, max },
    };
    let rows = [
        row(-2.0857, -0.3, 0.2),
        row(0.0, -0.6, 0.5),
        row(2.0857, -0.3, 0.2),
    ];
    let couplings = [Coupling {
        driver: ActuatorId(0),
        driven: ActuatorId(1),
        rows: &rows,
    }];
    let body = Body {
        actuators: &actuators,
        sensors: &sensors,
        couplings: &couplings,
        groups: &[GroupRule::Rank],
        boards: 1,
    };
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut running, mut clipped, mut led_back) = (0u64, 0u64, 0u64);
    with_cycle(&body, &plan(&body, 6, 256), bare(period), |cycle| {
        let mut lanes: Vec<LaneId> = Vec::new();
        let mut now = 1_000 * MS;
        let mut before: Vec<f64> = cycle
            .stage()
            .tracks()
            .iter()
            .map(|track| track.limited)
            .collect();
        let mut before_sent = before[1];
        for _ in 0..turns {
            for _ in 0..rng.u8(..4) {
                disturb(cycle, &mut lanes, &mut rng, now);
            }
            now += if rng.u8(..) < 4 {
                rng.u64(..5_000 * MS)
            } else {
                rng.u64(5 * MS..15 * MS)
            };
            let amperes = 5.0 * rng.f64() - 2.5;
            let counts = [odd(&mut rng), 40.0 + 50.0 * rng.f64(), amperes];
            let silent = rng.u8(..) < 10;
            let mut frame = Vec::new();
            let mut board = Wire(
                |out: &cycle::Outgoing<'_>, back: &mut cycle::Incoming<'_>| {
                    frame = out.targets.to_vec();
                    back.counts.copy_from_slice(&counts);
                    back.answers[0].answered = !silent;
                },
            );
            let mut idle =
                HookClosures(|_: &mut cycle::Stage<'_>| {}, |_: &mut cycle::Stage<'_>| {});
            let limp: Vec<_> = cycle
                .stage()
                .tracks()
                .iter()
                .map(|track| track.limp)
                .collect();
            // The state in which the turn is made; at its end another one may begin.
            let state = cycle.stage().state();
            let report = turn_with(cycle, Instant::from_nanos(now), &mut idle, &mut board);
            running += u64::from(report.state == State::Running);
            clipped += u64::from(report.clips > 0);
            // The limits assume one period at most, however long the stall was.
            let seconds = report.elapsed.min(period).seconds();
            for (place, track) in cycle.stage().tracks().iter().enumerate() {
                let described = &actuators[place];
                let name = described.name;
                // A hand may have put it outside of its range; then it does not go farther.
                let range = described.range;
                let beyond = |value: f64| (range.min - value).max(value - range.max).max(0.0);
                assert!(
                    track.limp || limp[place] || beyond(track.sent) <= beyond(before[place]) + 1e-9,
                    "{name} was sent {}",
                    track.sent
                );
                assert!(
                    frame[place].counts.is_finite() && frame[place].gains.is_sound(),
                    "{name}"
                );
                let step = (track.limited - before[place]).abs();
                // A limp joint follows its sensor, however fast a hand moves it.
                let free = limp[place] || described.kind == Kind::Wheel;
                assert!(
                    free || step <= described.velocity * seconds + 1e-9,
                    "{name} moved {step}"
                );
                before[place] = track.limited;
            }
            // Pitch is in the range that yaw allows. Where a hand or a calibration has moved that range away, it goes
            // back as fast as it may.
            let pitch = couplings[0].range_at(cycle.stage().tracks()[0].sent);
            let sent = cycle.stage().tracks()[1].sent;
            let beyond = |value: f64| (pitch.min - value).max(value - pitch.max).max(0.0);
            let reach = actuators[1].velocity * seconds;
            let may_be = (beyond(before_sent) - reach).max(0.0);
            // Limp, or left there by a hand, it stays until the body moves.
            let tracks = cycle.stage().tracks();
            let moves = matches!(state, State::Running | State::Safe) || tracks[0].limp;
            let moves = moves
                && !matches!(state, State::Estop | State::Armed)
                && !limp[1]
                && !tracks[1].limp;
            assert!(
                !moves || beyond(sent) <= may_be + 0.003,
                "pitch {sent}, {} beyond its range, before {before_sent}",
                beyond(sent)
            );
            led_back += u64::from(moves && beyond(sent) > 0.01);
            before_sent = sent;
        }
    });
    // The test means nothing if it was never tried.
    println!(
        "{running} of {turns} turns running, {clipped} with a value clipped, {led_back} outside a coupled range"
    );
    assert!(running > turns / 4 && clipped > turns / 10 && led_back > turns / 1000);
}

fn odd(rng: &mut fastrand::Rng) -> f64 {
    match rng.u8(..) {
        0..4 => f64::NAN,
        4..8 => f64::INFINITY,
        8..10 => f64::MIN,
        10..12 => f64::MAX,
        12..16 => f64::MIN_POSITIVE / 4.0,
        _ => rng.f64() * 8.0 - 4.0,
    }
}

/// A weight, sometimes one of which two overflow.
fn heavy(rng: &mut fastrand::Rng) -> f64 {
    if rng.u8(..) < 20 {
        f64::MAX
    } else {
        rng.f64() * 2.0
    }
}

/// One random call, valid or not; what is refused is refused.
fn disturb(cycle: &mut Cycle<'_>, lanes: &mut Vec<LaneId>, rng: &mut fastrand::Rng, now: u64) {
    let stage = cycle.stage();
    let by = if lanes.is_empty() {
        LaneId::NOBODY
    } else {
        lanes[rng.usize(..lanes.len())]
    };
    let actuator = ActuatorId(rng.u16(..10));
    match rng.u8(..25) {
        0 => drop(stage.arm()),
        1 if rng.u8(..) < 20 => drop(stage.disarm()),
        2 if rng.u8(..) < 40 => drop(stage.hold()),
        3 => drop(stage.resume()),
        4 if rng.u8(..) < 20 => drop(stage.retreat()),
        5 => drop(stage.clear_fault()),
        6 if rng.u8(..) < 20 => drop(stage.press_stop()),
        7 => drop(stage.release_stop()),
        8 => {
            let settings = LaneSettings {
                priority: odd(rng) * 10.0,
                weight: rng.f64(),
                room: rng.u32(..300),
                fade_in: Span::from_millis(rng.u64(..100)),
                fade_out: Span::from_millis(rng.u64(..100)),
                ending: [
                    Ending::Hold,
                    Ending::Release,
                    Ending::SafePose(Span::from_millis(50)),
                ][rng.usize(..3)],
                ..LaneSettings::STANDARD
            };
            lanes.extend(stage.open(settings));
        }
        9 if rng.bool() => drop(stage.finish(by)),
        10 => drop(stage.end(by, Ending::Release)),
        11 => drop(stage.set_priority(by, odd(rng))),
        12 => drop(stage.set_weight(by, odd(rng))),
        13 => drop(stage.set_weight_on(by, actuator, odd(rng))),
        14..17 => drop(stage.drive(by, actuator, odd(rng), heavy(rng))),
        17 => {
            let gains = Gains {
                p: odd(rng),
                i: odd(rng).abs(),
                d: 0.0,
            };
            let _ = stage.set_gains(by, actuator, gains, heavy(rng));
        }
        // A hand on a joint turns its zero.
        18 => drop(stage.trim(
            ActuatorId(rng.u16(..2)),
            ZeroChange::To(rng.f64() * 0.6 - 0.3),
        )),
        _ => {
            let list: Vec<_> = (0..rng.usize(..6))
                .map(|_| Command {
                    at: Instant::from_nanos(now - 50 * MS + rng.u64(..400 * MS)),
                    value: odd(rng),
                })
                .collect();
            let merge = Merge::ALL[rng.usize(..4)];
            let request = Request {
                to: To::One(actuator),
                merge,
                commands: CommandSet::Same(&list),
            };
            let _ = stage.submit(by, &request);
        }
    }
}
