//! Joints with impossible readings, or that do not follow: the body holds and goes limp after the number of turns in
//! the description, and no earlier. The test counts readings in a row by itself.

use cycle::{
    Actuator, ActuatorId, Command, CommandSet, Event, FaultThresholds, Heat, Incoming, Instant,
    JointThresholds, Kind, LaneSettings, Merge, Outgoing, Request, Sensor, SensorId, Settings,
    Span, State, To,
};
use tests::{HookClosures, Wire, bare, body_of, plan, sensor, start, turn_with, with_cycle};

const PERIOD: Span = Span::from_millis(10);
const HOLD: u32 = 4;
const LOST: u32 = 9;
const ASTRAY: (u32, u32) = (6, 15);

fn settings() -> Settings {
    let usual = bare(PERIOD);
    Settings {
        thresholds: FaultThresholds {
            missing_to_hold: HOLD,
            missing_to_lost: LOST,
            joint: JointThresholds {
                impossible: 0.25,
                follows: 0.2,
                astray_to_hold: ASTRAY.0,
                astray_to_fault: ASTRAY.1,
            },
            ..usual.thresholds
        },
        ..usual
    }
}

fn arm() -> (Vec<Actuator<'static>>, Vec<Sensor<'static>>) {
    let joint = Actuator {
        sensor: Some(SensorId(0)),
        ..Actuator::new("A", Kind::Joint, -1.5, 2.5)
    };
    let stiffness = Kind::Stiffness {
        joint: ActuatorId(0),
    };
    let stiffness = Actuator {
        rest: 1.0,
        heat: Some(Heat {
            sensor: SensorId(1),
            warm: 50.0,
            hot: 70.0,
        }),
        ..Actuator::new("sA", stiffness, 0.0, 1.0)
    };
    (vec![joint, stiffness], vec![sensor("A"), sensor("tA")])
}

/// The joint's reading: the position that it was sent to, or another.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reads {
    Sent,
    Beyond(f64),
    Off(f64),
}

#[test]
fn readings_that_cannot_be_and_joints_that_do_not_follow_stop_the_body_after_so_many_turns() {
    let (mut impossible, mut astray) = (0, 0);
    for seed in 0..300 * tests::effort() {
        let mut random = fastrand::Rng::with_seed(seed);
        let (actuators, sensors) = arm();
        let body = body_of(&actuators, &sensors);
        // A weak or limp joint is not expected to follow.
        let stiffness = [1.0, 0.7, 0.4, 0.0][random.usize(0..4)];
        with_cycle(&body, &plan(&body, 2, 4096), settings(), |cycle| {
            let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
            let lane = cycle.stage().open(LaneSettings::STANDARD).expect("a lane");
            let send = |stage: &mut cycle::Stage<'_>, actuator, value| {
                let command = [Command {
                    at: stage.now(),
                    value,
                }];
                let request = Request {
                    to: To::One(ActuatorId(actuator)),
                    merge: Merge::ClearAll,
                    commands: CommandSet::Same(&command),
                };
                stage.submit(lane, &request).expect("room");
            };
            send(cycle.stage(), 1, stiffness);
            send(cycle.stage(), 0, 0.5);
            let (mut odd, mut off) = (0, 0);
            let mut wanted = State::Running;
            let mut reads = Reads::Sent;
            for turn in 0..200 {
                if turn > 5 && random.u8(..) < 40 {
                    reads = match random.u8(..4) {
                        0 => Reads::Beyond(random.f64() * 2.0),
                        1 => Reads::Beyond(f64::NAN),
                        2 => Reads::Off(random.f64() * 2.0 - 1.0),
                        _ => Reads::Sent,
                    };
                }
                if wanted == State::Holding && random.u8(..) < 60 {
                    cycle.stage().resume().expect("it holds");
                    wanted = State::Running;
                }
                now = now + PERIOD;
                let mut value = 0.0;
                let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                    let sent = out.targets[0].counts;
                    value = match reads {
                        Reads::Sent => sent,
                        Reads::Beyond(by) => 2.5 + by,
                        Reads::Off(by) => sent + by,
                    };
                    back.counts[0] = value;
                    back.counts[1] = 20.0;
                    back.answers[0].answered = true;
                });
                let mut idle =
                    HookClosures(|_: &mut cycle::Stage<'_>| {}, |_: &mut cycle::Stage<'_>| {});
                turn_with(cycle, now, &mut idle, &mut board);
                let sent = cycle.view().tracks[0].sent;
                // The range is 4 rad: a quarter of it beyond the end is impossible, a fifth of it away from the target
                // is astray.
                let cannot_be = !(-2.5..=3.5).contains(&value);
                odd = if cannot_be { odd + 1 } else { 0 };
                let is_on = [State::Running, State::Holding].contains(&wanted);
                let is_expected = is_on && stiffness >= 0.5;
                let is_off = is_expected && !cannot_be && (value - sent).abs() > 0.8;
                off = if is_off { off + 1 } else { 0 };
                wanted = match wanted {
                    State::Fault => State::Fault,
                    _ if odd >= LOST || off >= ASTRAY.1 => State::Fault,
                    State::Running if odd >= HOLD || off > 0 && off % ASTRAY.0 == 0 => {
                        State::Holding
                    }
                    state => state,
                };
                assert_eq!(
                    cycle.stage().state(),
                    wanted,
                    "seed {seed}, turn {turn}: {reads:?}, {odd} and {off}, stiffness {stiffness}"
                );
                if wanted == State::Fault {
                    break;
                }
            }
            impossible += cycle.view().events.count(Event::Impossible(ActuatorId(0)));
            astray += cycle.view().events.count(Event::Astray(ActuatorId(0)));
        });
    }
    println!("{impossible} times an impossible reading, {astray} times astray");
    assert!(impossible > 100 && astray > 20);
}

#[test]
fn heat_that_weakens_a_joint_is_told_once_each_time() {
    let (actuators, sensors) = arm();
    let body = body_of(&actuators, &sensors);
    with_cycle(&body, &plan(&body, 2, 256), settings(), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let told = Event::Weakened(ActuatorId(0));
        for (warmth, wanted) in [(20.0, 0), (60.0, 1), (65.0, 1), (49.0, 1), (80.0, 2)] {
            for _ in 0..120 {
                now = now + PERIOD;
                let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                    back.counts[0] = out.targets[0].counts;
                    back.counts[1] = warmth;
                    back.answers[0].answered = true;
                });
                let mut idle =
                    HookClosures(|_: &mut cycle::Stage<'_>| {}, |_: &mut cycle::Stage<'_>| {});
                turn_with(cycle, now, &mut idle, &mut board);
            }
            assert_eq!(cycle.view().events.count(told), wanted, "at {warmth} °C");
        }
    });
}
