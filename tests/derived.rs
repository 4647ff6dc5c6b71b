//! Sensors that are computed from others: the weight on a foot, and where it presses, compared with a computation of
//! the test's own over random readings.

use cycle::{
    Body, BodyError, Derived, DerivedTerm, Incoming, Instant, Outgoing, Sensor, SensorId, Span,
};
use tests::{
    HookClosures, Wire, bare, body_of, joints, plan, sensor, start, turn_with, with_cycle,
};

const PERIOD: Span = Span::from_millis(10);

fn term(sensor: u16, place: f64) -> DerivedTerm {
    DerivedTerm {
        sensor: SensorId(sensor),
        place,
    }
}

fn derived<'m>(name: &'static str, terms: &'m [DerivedTerm], is_centre: bool) -> Sensor<'m> {
    Sensor {
        derived: Some(Derived { terms, is_centre }),
        ..sensor(name)
    }
}

#[test]
fn weight_and_centre_follow_the_force_sensors_in_the_same_turn() {
    let mut random = fastrand::Rng::with_seed(4);
    let terms: Vec<_> = (0..4).map(|it| term(it, random.f64() - 0.5)).collect();
    let sensors = [
        sensor("FrontLeft"),
        sensor("FrontRight"),
        sensor("RearLeft"),
        sensor("RearRight"),
        derived("TotalWeight", &terms, false),
        derived("CenterOfPressure/X", &terms, true),
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
                    moment += read * term.place;
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

#[test]
fn a_body_whose_sensor_is_derived_from_a_derived_or_a_missing_one_is_refused() {
    let actuators = joints(1);
    let check = |terms: &[DerivedTerm]| {
        let other = [term(0, 0.0)];
        let sensors = [
            sensor("A"),
            derived("B", &other, false),
            derived("C", terms, true),
        ];
        let body = body_of(&actuators, &sensors);
        Body { ..body }.check()
    };
    assert_eq!(check(&[term(0, 0.1)]), Ok(()));
    for wrong in [term(1, 0.0), term(2, 0.0), term(3, 0.0), term(0, f64::NAN)] {
        let found = check(&[term(0, 0.0), wrong]);
        assert_eq!(found, Err(BodyError::Derived(SensorId(2))), "{wrong:?}");
    }
}
