//! Sensors that are computed: the weight on a foot, and where it presses, a joint behind a gear, how long a button is
//! pressed, gains; compared with a computation of the test's own over random readings.

use cycle::{
    Actuator, ActuatorId, Body, BodyError, Derived, DerivedTerm, GainTerm, Gains, Incoming,
    Instant, Kind, LaneSettings, Outgoing, Sensor, SensorId, Span,
};
use tests::{
    HookClosures, Wire, bare, body_of, joints, plan, sensor, start, turn_with, with_cycle,
};

const PERIOD: Span = Span::from_millis(10);

fn term(sensor: u16, coefficient: f64) -> DerivedTerm {
    DerivedTerm {
        sensor: SensorId(sensor),
        coefficient,
    }
}

fn derived<'m>(name: &'static str, from: Derived<'m>) -> Sensor<'m> {
    Sensor {
        derived: Some(from),
        ..sensor(name)
    }
}

#[test]
fn weight_and_centre_follow_the_force_sensors_in_the_same_turn() {
    let mut random = fastrand::Rng::with_seed(4);
    let all: Vec<_> = (0..4).map(|i| term(i, 1.0)).collect();
    let terms: Vec<_> = (0..4).map(|i| term(i, random.f64() - 0.5)).collect();
    let sensors = [
        sensor("FrontLeft"),
        sensor("FrontRight"),
        sensor("RearLeft"),
        sensor("RearRight"),
        derived("TotalWeight", Derived::Sum(&all)),
        derived("CenterOfPressure/X", Derived::Centre(&terms)),
    ];
    let actuators = joints(1);
    let body = body_of(&actuators, &sensors);
    with_cycle(&body, &plan(&body, 1, 16), bare(PERIOD), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let mut centres = 0;
        for _ in 0..2_000 * tests::effort() {
            now = now + PERIOD;
            let least = if random.u8(..4) == 0 { 1e-4 } else { 3.0 };
            let read: Vec<f64> = (0..4).map(|_| least * (random.f64() - 0.2)).collect();
            let mut board = Wire(|_: &Outgoing<'_>, back: &mut Incoming<'_>| {
                back.counts[..4].copy_from_slice(&read);
                // What the board says of a derived sensor has no meaning.
                back.counts[4..6].fill(f64::NAN);
                back.answers[0].answered = true;
            });
            let mut hooks =
                HookClosures(|_: &mut cycle::Stage<'_>| {}, |_: &mut cycle::Stage<'_>| {});
            turn_with(cycle, now, &mut hooks, &mut board);
            let values = cycle.stage().sensors();
            let weight: f64 = read.iter().sum();
            assert!(
                (values[4] - weight).abs() < 1e-12,
                "{} of {weight}",
                values[4]
            );
            let (mut all, mut moment) = (0.0, 0.0);
            for (read, term) in read.iter().zip(&terms) {
                if *read > 0.0 {
                    all += read;
                    moment += read * term.coefficient;
                }
            }
            let centre = if all < 0.001 { 0.0 } else { moment / all };
            assert!(
                (values[5] - centre).abs() < 1e-12,
                "{} of {centre}",
                values[5]
            );
            assert!(values[5].abs() <= 0.5, "the centre lies among the sensors");
            centres += u32::from(centre != 0.0);
        }
        assert!(centres > 1_000);
    });
}

/// Two motors turn two joints by a differential gear; a button is pressed; gains are set.
#[test]
fn joints_behind_a_gear_pressed_buttons_and_gains_are_read_in_the_same_turn() {
    const JOINT: ActuatorId = ActuatorId(0);
    let mut random = fastrand::Rng::with_seed(9);
    let (pitch, roll) = (
        [term(0, 1.0 / 150.0), term(1, 1.0 / 150.0)],
        [term(0, 1.0 / 173.0), term(1, -1.0 / 173.0)],
    );
    let gain = |of| Derived::Gain(JOINT, of);
    let sensors = [
        sensor("Motor/Left"),
        sensor("Motor/Right"),
        sensor("Button"),
        derived("Pitch", Derived::Sum(&pitch)),
        derived("Roll", Derived::Sum(&roll)),
        derived("Button/Held", Derived::Held(SensorId(2))),
        derived("P", gain(GainTerm::P)),
        derived("I", gain(GainTerm::I)),
        derived("D", gain(GainTerm::D)),
    ];
    let own = Gains {
        p: 2.0,
        i: 0.5,
        d: 0.1,
    };
    let actuators = [Actuator {
        gains: Some(own),
        ..Actuator::new("A", Kind::Joint, -1.0, 1.0)
    }];
    let body = body_of(&actuators, &sensors);
    with_cycle(&body, &plan(&body, 1, 8), bare(PERIOD), |cycle| {
        let mut now = start(cycle, Instant::from_millis(1_000), PERIOD);
        let settings = LaneSettings {
            room: 8,
            ..LaneSettings::STANDARD
        };
        let by = cycle.stage().open(settings).expect("a lane");
        let (mut pressed, mut held, mut longest) = (false, Span::ZERO, Span::ZERO);
        for _ in 0..3_000 * tests::effort() {
            let elapsed = Span::from_nanos(random.u64(8_000_000..12_000_000));
            now = now + elapsed;
            let motors = [100.0 * random.f64(), 100.0 * random.f64()];
            pressed ^= random.u8(..20) == 0;
            let answers = random.u8(..10) != 0;
            let mut wanted = own;
            if random.bool() {
                wanted.p = f64::from(random.u8(1..9));
                wanted.d = random.f64();
                cycle
                    .stage()
                    .set_gains(by, JOINT, wanted, 1.0)
                    .expect("allowed");
            }
            let level = f64::from(u8::from(pressed));
            let mut board = Wire(|_: &Outgoing<'_>, back: &mut Incoming<'_>| {
                back.counts[..3].copy_from_slice(&[motors[0], motors[1], level]);
                back.counts[3..].fill(random.f64());
                back.answers[0].answered = answers;
            });
            turn_with(cycle, now, &mut (), &mut board);
            let values = cycle.stage().sensors();
            // What did not come is as it was.
            if answers {
                let by_hand = (motors[0] + motors[1]) / 150.0;
                assert!((values[3] - by_hand).abs() < 1e-12, "{}", values[3]);
                let by_hand = (motors[0] - motors[1]) / 173.0;
                assert!((values[4] - by_hand).abs() < 1e-12, "{}", values[4]);
            }
            let is_held = values[2] > 0.5;
            held = if is_held { held + elapsed } else { Span::ZERO };
            longest = longest.max(held);
            assert!(
                (values[5] - held.seconds()).abs() < 1e-9,
                "{} of {held:?}",
                values[5]
            );
            assert_eq!(values[6..9], [wanted.p, wanted.i, wanted.d]);
        }
        assert!(longest.seconds() > 0.5);
    });
}

#[test]
fn a_body_whose_sensor_is_derived_from_a_derived_or_a_missing_one_is_refused() {
    let actuators = joints(1);
    let check = |from: Derived<'_>| {
        let other = [term(0, 0.0)];
        let sensors = [
            sensor("A"),
            derived("B", Derived::Sum(&other)),
            derived("C", from),
        ];
        let body = body_of(&actuators, &sensors);
        Body { ..body }.check()
    };
    let refused = Err(BodyError::Derived(SensorId(2)));
    assert_eq!(check(Derived::Centre(&[term(0, 0.1)])), Ok(()));
    assert_eq!(check(Derived::Held(SensorId(0))), Ok(()));
    for wrong in [term(1, 0.0), term(2, 0.0), term(3, 0.0), term(0, f64::NAN)] {
        let terms = [term(0, 0.0), wrong];
        assert_eq!(check(Derived::Centre(&terms)), refused, "{wrong:?}");
        assert_eq!(check(Derived::Sum(&terms)), refused, "{wrong:?}");
    }
    assert_eq!(check(Derived::Held(SensorId(1))), refused);
    // A joint without gains, and none.
    for joint in [0, 1] {
        let gain = Derived::Gain(ActuatorId(joint), GainTerm::P);
        assert_eq!(check(gain), refused);
    }
}
