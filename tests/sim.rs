//! The simulated body under a real cycle: it boots, moves, falls, gets warm, and repeats itself.

use cycle::{
    Actuator, ActuatorId, BoardId, Calibration, Cycle, Instant, Kind, LaneSettings, Plan, Request,
    Sensor, SensorId, Settings, Span, State, To,
};
use drivers::sim::{Motor, SimBoard, SimError, SimSensor};
use tests::{body_of, plan, turn_with, with_cycle};

const PERIOD: Span = Span::from_millis(10);

fn arm() -> (
    Vec<Actuator<'static>>,
    Vec<Sensor<'static>>,
    Vec<Option<Motor>>,
    Vec<SimSensor>,
) {
    let steps = Calibration::steps(0.0015);
    let joint = |name, sensor| Actuator {
        velocity: 4.0,
        sensor: Some(SensorId(sensor)),
        safe: Some(0.0),
        calibration: steps,
        ..Actuator::new(name, Kind::Joint, -2.0, 2.0)
    };
    let stiffness = Kind::Stiffness {
        joint: ActuatorId(0),
    };
    let actuators = vec![
        joint("Shoulder", 0),
        joint("Elbow", 1),
        Actuator {
            rest: 1.0,
            ..Actuator::new("ShoulderStiffness", stiffness, 0.0, 1.0)
        },
    ];
    let sensor = |name, calibration| Sensor {
        name,
        path: "",
        derived: None,
        board: BoardId(0),
        calibration,
    };
    let sensors = vec![
        sensor("Shoulder", steps),
        sensor("Elbow", steps),
        sensor("ShoulderHeat", Calibration::steps(0.1)),
        sensor("Button", Calibration::NONE),
    ];
    let motors = vec![
        Some(Motor {
            load: -0.4,
            ..Motor::SERVO
        }),
        Some(Motor::SERVO),
        None,
    ];
    let senses = vec![
        SimSensor::position(0).with_noise(0.002).delayed(3),
        SimSensor::position(1).with_noise(0.002).delayed(3),
        SimSensor::temperature(0),
        SimSensor::by_hand(0.0),
    ];
    (actuators, sensors, motors, senses)
}

/// Makes this many turns; returns what the sensors read, as bits.
fn play(
    seed: u64,
    turns: u64,
    mut each: impl FnMut(u64, &mut Cycle<'_>, &mut SimBoard<'_>),
) -> Vec<u64> {
    let (actuators, sensors, motors, senses) = arm();
    let body = body_of(&actuators, &sensors);
    let mut board = SimBoard::new(&body, &motors, &senses, seed).expect("a sound body");
    let mut read = Vec::new();
    let plan: Plan = plan(&body, 2, 64);
    with_cycle(&body, &plan, Settings::at(PERIOD), |cycle| {
        for turn in 1..=turns {
            each(turn, cycle, &mut board);
            let now = Instant::from_millis(10 * turn);
            turn_with(cycle, now, &mut (), &mut board);
            read.extend(
                cycle
                    .stage()
                    .sensors()
                    .iter()
                    .map(|sensor| sensor.to_bits()),
            );
        }
    });
    read
}

/// Arms as soon as it is allowed, and lifts both joints two seconds later.
fn wave(turn: u64, cycle: &mut Cycle<'_>) {
    let stage = cycle.stage();
    if stage.state() == State::Disarmed {
        // Refused until the link has been good for half a second.
        let _ = stage.arm();
    }
    if turn == 300 {
        let by = stage
            .open(LaneSettings {
                room: 64,
                ..LaneSettings::STANDARD
            })
            .expect("a lane");
        let at = stage.now() + Span::from_millis(600);
        let both = [ActuatorId(0), ActuatorId(1)];
        stage
            .submit(by, &Request::vector(To::Many(&both), &at, &[0.8, -0.6]))
            .expect("room");
    }
}

#[test]
fn it_falls_while_limp_rises_from_where_it_lies_and_arrives() {
    let (mut lowest, mut jump) = (0.0f64, 0.0f64);
    play(1, 600, |turn, cycle, board| {
        let before = cycle.stage().tracks()[0].sent;
        wave(turn, cycle);
        let state = cycle.stage().state();
        let stands = board.position(0).expect("a motor");
        lowest = lowest.min(stands);
        if state == State::Armed {
            jump = jump.max((cycle.stage().tracks()[0].sent - before).abs());
        }
        if turn == 600 {
            assert_eq!(state, State::Running);
            let elbow = board.position(1).expect("a motor");
            assert!(
                (stands - 0.8).abs() < 0.05 && (elbow + 0.6).abs() < 0.05,
                "{stands} {elbow}"
            );
            assert!(
                cycle.stage().sensors()[2] > 25.0,
                "holding a load has warmed the motor"
            );
        }
    });
    assert!(lowest < -0.2, "limp, it fell to {lowest}");
    assert!(jump < 0.05, "armed, its target jumped by {jump}");
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_does_not() {
    let run = |seed| play(seed, 500, |turn, cycle, _| wave(turn, cycle));
    assert_eq!(run(4), run(4));
    assert_ne!(run(4), run(5));
}

#[test]
fn a_board_whose_plug_is_pulled_is_lost_and_its_joints_fall() {
    play(2, 900, |turn, cycle, board| {
        wave(turn, cycle);
        board.silence(0, turn > 500);
        board.give(3, 1.0);
        match turn {
            400 => assert_eq!(cycle.stage().sensors()[3], 1.0, "the button"),
            500 => assert_eq!(cycle.stage().state(), State::Running),
            510 => assert_eq!(cycle.stage().state(), State::Holding),
            560 => assert_eq!(cycle.stage().state(), State::Fault),
            900 => assert!(
                board.position(0).expect("a motor") < 0.0,
                "the shoulder fell"
            ),
            _ => {}
        }
    });
}

#[test]
fn a_body_that_cannot_be_is_not_simulated() {
    let (actuators, sensors, mut motors, mut senses) = arm();
    let body = body_of(&actuators, &sensors);
    let made = |motors: &[_], senses: &[_]| SimBoard::new(&body, motors, senses, 0).map(drop);
    assert_eq!(made(&motors[..1], &senses), Err(SimError::Count));
    senses[3] = SimSensor::current(2);
    assert_eq!(made(&motors, &senses), Err(SimError::Sensor(3)));
    senses[3] = SimSensor::by_hand(0.0);
    motors[1] = Some(Motor {
        inertia: 0.0,
        ..Motor::SERVO
    });
    assert_eq!(made(&motors, &senses), Err(SimError::Motor(1)));
}
