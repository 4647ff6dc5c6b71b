//! The turn, seen from its interfaces: what hooks set, what boards receive, what pages show.

use cycle::{
    Actuator, ActuatorId, BoardId, Body, Cycle, Event, FaultThresholds, Gains, Incoming, Instant,
    Kind, LaneSettings, MakeError, NotNow, Outgoing, Ports, Sensor, SensorId, Settings, Span,
    Stage, State,
};
use scripting::memory::CycleStore;
use tests::{HookClosures, Seen, Wire, bare, body_of, plan, sensor, start, turn_with, with_cycle};

const A: ActuatorId = ActuatorId(0);
const PERIOD: Span = Span::from_millis(10);

fn measured() -> (Vec<Actuator<'static>>, Vec<Sensor<'static>>) {
    let joint = Actuator {
        sensor: Some(SensorId(0)),
        ..Actuator::new("A", Kind::Joint, -9.0, 9.0)
    };
    (vec![joint], vec![sensor("A")])
}

#[test]
fn a_turn_runs_its_steps_in_order_and_hooks_reach_the_wire_in_the_same_turn() {
    let (actuators, sensors) = measured();
    let body = body_of(&actuators, &sensors);
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        let by = cycle
            .stage()
            .open(LaneSettings {
                room: 8,
                ..LaneSettings::STANDARD
            })
            .expect("a lane");
        let now = start(cycle, Instant::from_millis(1_000), PERIOD) + PERIOD;
        let order = std::cell::RefCell::new(Vec::new());
        let mut inbox = HookClosures(
            |_: &mut Stage<'_>| order.borrow_mut().push("take in".to_owned()),
            |_: &mut Stage<'_>| {},
        );
        let mut hooks = HookClosures(
            |stage: &mut Stage<'_>| {
                order.borrow_mut().push("pre-process".to_owned());
                stage.drive(by, A, 1.25, 1.0).expect("allowed");
            },
            |stage: &mut Stage<'_>| {
                order
                    .borrow_mut()
                    .push(format!("post-process sees {}", stage.sensors()[0]));
            },
        );
        let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
            order
                .borrow_mut()
                .push(format!("exchange sends {}", out.targets[0].counts));
            back.counts[0] = 0.75;
            back.answers[0].answered = true;
        });
        let mut page = Seen(|view: &cycle::View<'_>| {
            let sent = view.tracks[0].sent;
            order
                .borrow_mut()
                .push(format!("publish shows {sent} and {}", view.sensors[0]));
        });
        let ports = &mut Ports {
            inbox: &mut inbox,
            hooks: &mut hooks,
            board: &mut board,
            page: &mut page,
        };
        let report = cycle.turn(now, ports);
        assert_eq!(report.now, now);
        assert_eq!(
            *order.borrow(),
            [
                "take in",
                "pre-process",
                "exchange sends 1.25",
                "publish shows 1.25 and 0.75",
                "post-process sees 0.75",
            ]
        );
    });
}

#[test]
fn nothing_is_armed_before_ten_readings_and_half_a_second_of_good_link() {
    let (actuators, sensors) = measured();
    let body = body_of(&actuators, &sensors);
    with_cycle(&body, &plan(&body, 1, 8), Settings::at(PERIOD), |cycle| {
        let mut now = Instant::from_millis(1_000);
        let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
            assert!(!out.powered || out.turn > 50);
            back.counts[0] = 2.0;
            back.answers[0].answered = true;
        });
        let mut states = Vec::new();
        for _ in 0..400 {
            now = now + PERIOD;
            let mut idle = ();
            let report = turn_with(cycle, now, &mut idle, &mut board);
            if states.last() != Some(&(report.state)) {
                println!("turn {}: {}", report.turn, report.state.name());
                states.push(report.state);
            }
            if report.state == State::Disarmed {
                let armed = cycle.stage().arm();
                assert_eq!(armed.is_ok(), report.turn >= 50, "turn {}", report.turn);
            }
            assert!(cycle.stage().tracks()[0].sent == 2.0 || report.turn == 1);
        }
        assert_eq!(
            states,
            [State::Boot, State::Disarmed, State::Armed, State::Running]
        );
    });
}

#[test]
fn turns_are_counted_by_an_event_log_that_nobody_reads() {
    let (actuators, sensors) = measured();
    let body = body_of(&actuators, &sensors);
    let few = cycle::Plan {
        entries: 2,
        ..plan(&body, 1, 8)
    };
    with_cycle(&body, &few, bare(PERIOD), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        for _ in 0..9 {
            now = now + PERIOD.times(3);
            tests::turn(cycle, now);
        }
        assert_eq!(cycle.stage().events().count(Event::Overrun), 9);
        assert_eq!(cycle.stage().events().since(0).count(), 2);
    });
}

#[test]
fn a_cycle_is_not_made_over_a_bad_body_little_memory_or_no_period() {
    let (mut actuators, sensors) = measured();
    let body = body_of(&actuators, &sensors);
    let good = plan(&body, 1, 8);
    let made = |body: &Body<'_>, plan: &cycle::Plan, store: &cycle::Plan, settings| {
        let mut store = CycleStore::new(store);
        Cycle::new(&Body { ..*body }, plan, store.lend(), settings).map(drop)
    };
    assert_eq!(made(&body, &good, &good, bare(PERIOD)), Ok(()));
    assert_eq!(
        made(&body, &good, &good, bare(Span::ZERO)),
        Err(MakeError::Period)
    );
    let more = cycle::Plan {
        commands: 9,
        ..good
    };
    let error = made(&body, &more, &good, bare(PERIOD)).expect_err("one command short");
    let wanted = cycle::TooSmall {
        what: "commands",
        needed: 9,
        found: 8,
    };
    assert_eq!(error, MakeError::Memory(wanted));
    actuators[0].range.min = 10.0;
    let body = body_of(&actuators, &sensors);
    let error = made(&body, &good, &good, bare(PERIOD)).expect_err("a crossed range");
    assert_eq!(error, MakeError::Body(cycle::BodyError::Range(A)));
}

#[test]
fn a_direct_output_set_between_turns_or_after_the_exchange_is_heard_in_the_next_turn() {
    let (actuators, sensors) = measured();
    let body = body_of(&actuators, &sensors);
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        let settings = LaneSettings {
            room: 8,
            ..LaneSettings::STANDARD
        };
        let by = cycle.stage().open(settings).expect("a lane");
        let now = start(cycle, Instant::from_millis(1_000), PERIOD);
        cycle.stage().drive(by, A, 1.5, 1.0).expect("allowed");
        let mut hooks = HookClosures(
            |_: &mut Stage<'_>| {},
            |stage: &mut Stage<'_>| stage.drive(by, A, -2.5, 1.0).expect("allowed"),
        );
        turn_with(cycle, now + PERIOD, &mut hooks, &mut ());
        assert_eq!(cycle.stage().tracks()[0].sent, 1.5);
        tests::turn(cycle, now + PERIOD.times(2));
        assert_eq!(cycle.stage().tracks()[0].sent, -2.5);
        assert_eq!(cycle.stage().tracks()[0].coverage, 1.0);
        tests::turn(cycle, now + PERIOD.times(3));
        assert_eq!(
            (
                cycle.stage().tracks()[0].sent,
                cycle.stage().tracks()[0].coverage
            ),
            (-2.5, 0.0)
        );
    });
}

/// While a board does not answer, `resume` would lead back to holding in the same turn: it is refused, with the board
/// and its reason. When the body holds because of it, that is reported once.
#[test]
fn nothing_goes_on_while_a_board_does_not_answer() {
    let (actuators, sensors) = measured();
    let body = body_of(&actuators, &sensors);
    let usual = bare(PERIOD);
    let settings = Settings {
        thresholds: FaultThresholds {
            missing_to_hold: 4,
            missing_to_lost: 100,
            ..usual.thresholds
        },
        ..usual
    };
    with_cycle(&body, &plan(&body, 1, 16), settings, |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let mut turn = |cycle: &mut Cycle<'_>, answered: bool| {
            now = now + PERIOD;
            let mut board = Wire(|_: &Outgoing<'_>, back: &mut Incoming<'_>| {
                back.answers[0].answered = answered;
                back.answers[0].error = if answered { 0 } else { 17 };
            });
            let mut idle = HookClosures(|_: &mut Stage<'_>| {}, |_: &mut Stage<'_>| {});
            turn_with(cycle, now, &mut idle, &mut board);
            cycle.view().state
        };
        for missing in 1..30 {
            let state = turn(cycle, false);
            let holds = missing >= 4;
            assert_eq!(state == State::Holding, holds, "{missing}");
            if holds {
                let refused = NotNow::Missing(BoardId(0), 17);
                assert_eq!(cycle.stage().resume(), Err(refused), "{missing}");
            }
        }
        let told = Event::BoardSilent(BoardId(0), 17);
        let lines = cycle.stage().events().since(0);
        assert_eq!(lines.filter(|line| line.1.event == told).count(), 1);
        assert_eq!(turn(cycle, true), State::Holding, "a person lets it go on");
        assert_eq!(cycle.stage().resume(), Ok(State::Running));
        assert_eq!(turn(cycle, true), State::Running);
    });
}

#[test]
fn of_all_gains_between_two_turns_the_board_gets_the_last_and_a_joints_own_if_there_are_none() {
    let own = Gains {
        p: 4.0,
        i: 1.0,
        d: 0.0,
    };
    let joint = Actuator {
        gains: Some(own),
        ..Actuator::new("A", Kind::Joint, -9.0, 9.0)
    };
    let actuators = [joint, Actuator { name: "B", ..joint }];
    let body = body_of(&actuators, &[]);
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        let settings = LaneSettings {
            room: 8,
            ..LaneSettings::STANDARD
        };
        let by = cycle.stage().open(settings).expect("a lane");
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let mut random = fastrand::Rng::with_seed(15);
        let (mut before, mut changes, mut asked) = (own, 0, 0);
        for _ in 0..2_000 {
            now = now + PERIOD;
            let mut wanted = own;
            for _ in 0..random.usize(..4) {
                wanted.p = f64::from(random.u8(1..4));
                cycle
                    .stage()
                    .set_gains(by, A, wanted, 1.0)
                    .expect("allowed");
                asked += 1;
            }
            let mut sent = [Gains::LIMP; 2];
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                sent = [out.targets[0].gains, out.targets[1].gains];
                back.answers[0].answered = true;
            });
            turn_with(cycle, now, &mut (), &mut board);
            assert_eq!(sent, [wanted, own]);
            changes += u32::from(wanted != before);
            before = wanted;
        }
        assert!(changes > 500 && changes < asked, "{changes} of {asked}");
    });
}
