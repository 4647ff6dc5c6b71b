//! The limits on their own: random courses against the law of the file.

extern crate std;
use super::*;
use crate::body::ActuatorId;
use crate::body::CouplingRow;
use crate::body::{Actuator, Kind};
use proptest::prelude::*;

const DT: f64 = 0.01;

fn joint(velocity: f64, acceleration: f64) -> Actuator<'static> {
    Actuator {
        velocity,
        acceleration,
        ..Actuator::new("J", Kind::Joint, -1.0, 1.0)
    }
}

fn follow(actuator: &Actuator<'_>, track: &mut Track, target: f64, turns: usize) {
    for _ in 0..turns {
        track.commanded = target;
        limit(actuator, track, true, DT);
    }
}

#[test]
fn a_command_within_the_limits_passes_unchanged() {
    let (actuator, mut track) = (joint(2.0, 60.0), Track::NEW);
    for turn in 1..=40 {
        // Stands for three turns, then goes at 0.5 rad/s.
        track.commanded = if turn < 4 {
            0.0
        } else {
            f64::from(turn - 3) * 0.5 * DT
        };
        limit(&actuator, &mut track, true, DT);
        assert_eq!(track.limited, track.commanded, "turn {turn}");
    }
    assert_eq!(track.clips, [0; crate::track::CLIP_KINDS]);
}

#[test]
fn a_step_is_followed_at_the_velocity_limit_and_arrives_exactly() {
    let (actuator, mut track) = (joint(2.0, crate::body::UNLIMITED), Track::NEW);
    follow(&actuator, &mut track, 0.5, 10);
    assert!((track.limited - 0.2).abs() < 1e-12);
    follow(&actuator, &mut track, 0.5, 20);
    assert_eq!(track.limited, 0.5);
    assert!(
        (24..=25).contains(&track.clipped(Clip::Velocity)),
        "0.5 rad at 0.02 rad a turn"
    );
}

#[test]
fn with_an_acceleration_limit_a_step_does_not_overshoot() {
    let (actuator, mut track) = (joint(2.0, 10.0), Track::NEW);
    let mut highest: f64 = 0.0;
    for _ in 0..300 {
        follow(&actuator, &mut track, 0.5, 1);
        highest = highest.max(track.limited);
    }
    assert!(highest <= 0.5 + 1e-9, "overshot to {highest}");
    assert!(
        (track.limited - 0.5).abs() < 1e-3,
        "stopped at {}",
        track.limited
    );
}

#[test]
fn heat_takes_the_stiffness_away_along_a_line() {
    let heat = Heat {
        sensor: crate::body::SensorId(0),
        warm: 60.0,
        hot: 80.0,
    };
    let cases = [
        (20.0, 0.8),
        (60.0, 0.8),
        (70.0, 0.4),
        (80.0, 0.0),
        (f64::NAN, 0.0),
    ];
    for (celsius, left) in cases {
        let mut track = Track {
            limited: 0.8,
            ..Track::NEW
        };
        cool(&heat, celsius, &mut track);
        assert!(
            (track.limited - left).abs() < 1e-12,
            "{celsius} °C left {}",
            track.limited
        );
    }
    let mut free = Track {
        limited: -1.0,
        ..Track::NEW
    };
    cool(&heat, 99.0, &mut free);
    assert_eq!(free.limited, -1.0, "a motor that is free is left free");
}

#[test]
fn current_takes_the_stiffness_away_along_a_line_whatever_its_sign() {
    let current = CurrentLimit {
        sensor: crate::body::SensorId(0),
        high: 2.0,
        limit: 3.0,
    };
    for (amperes, left) in [
        (0.0, 0.8),
        (2.0, 0.8),
        (-2.5, 0.4),
        (3.0, 0.0),
        (f64::NAN, 0.0),
    ] {
        let mut track = Track {
            limited: 0.8,
            ..Track::NEW
        };
        restrain(&current, amperes, &mut track);
        assert!(
            (track.limited - left).abs() < 1e-12,
            "{amperes} A left {}",
            track.limited
        );
        assert_eq!(track.clipped(Clip::Current), u64::from(left < 0.8));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_course_leaves_range_velocity_or_acceleration(
        targets in prop::collection::vec((-3.0f64..3.0, 1u8..30), 1..20),
        velocity in prop_oneof![0.1f64..10.0, Just(f64::INFINITY)],
        acceleration in prop_oneof![0.5f64..200.0, Just(f64::INFINITY)],
    ) {
        let (actuator, mut track) = (joint(velocity, acceleration), Track::NEW);
        let mut speed_before = 0.0;
        for (target, turns) in targets {
            for _ in 0..turns {
                let before = track.limited;
                follow(&actuator, &mut track, target, 1);
                let speed = (track.limited - before) / DT;
                prop_assert!(actuator.range.holds(track.limited));
                prop_assert!(speed.abs() <= velocity + 1e-9);
                prop_assert!(
                    (speed - speed_before).abs() <= acceleration * DT + 1e-6,
                    "from {speed_before} to {speed}"
                );
                speed_before = speed;
            }
        }
    }

    /// After each corner of what is commanded it lags, catches up, and is on the line to the last bit: neither behind
    /// nor ahead.
    #[test]
    fn after_a_corner_it_comes_back_onto_the_line(
        speeds in prop::collection::vec(-1.2f64..1.2, 2..6),
        acceleration in 3.0f64..100.0,
    ) {
        let actuator = Actuator { range: Range { min: -99.0, max: 99.0 }, ..joint(2.0, acceleration) };
        let (mut track, mut commanded, mut before) = (Track::NEW, 0.0, 0.0);
        for speed in speeds {
            let corner: f64 = speed - before;
            let turns = (60.0 + 8.0 * corner.abs() / acceleration / DT) as u32;
            for _ in 0..turns {
                commanded += speed * DT;
                follow(&actuator, &mut track, commanded, 1);
            }
            prop_assert_eq!(track.limited, commanded, "at {} rad/s after {}", speed, before);
            before = speed;
        }
    }

    #[test]
    fn a_coupled_pair_never_leaves_its_table(
        targets in prop::collection::vec((-2.0f64..2.0, -1.0f64..1.0, 1u8..40), 1..12),
    ) {
        let row = |driver, min, max| CouplingRow { driver, range: Range { min, max } };
        let rows = [row(-1.0, -0.2, 0.1), row(0.0, -0.6, 0.5), row(1.0, -0.2, 0.1)];
        let coupling = Coupling { driver: ActuatorId(0), driven: ActuatorId(1), rows: &rows };
        // The driver is much faster than the driven one: it has to wait.
        let pitch = Actuator { velocity: 0.5, ..Actuator::new("P", Kind::Joint, -0.6, 0.5) };
        let actuators = [joint(8.0, f64::INFINITY), pitch];
        let mut tracks = [Track::NEW; 2];
        for (yaw, pitch, turns) in targets {
            for _ in 0..turns {
                let before = [tracks[0].limited, tracks[1].limited];
                (tracks[0].commanded, tracks[1].commanded) = (yaw, pitch);
                for (actuator, track) in actuators.iter().zip(&mut tracks) {
                    limit(actuator, track, true, DT);
                }
                couple(&coupling, &actuators, &mut tracks, (State::Running, &RampTimes::default()), DT);
                let allowed = coupling.range_at(tracks[0].limited);
                prop_assert!(allowed.min - 1e-12 <= tracks[1].limited);
                prop_assert!(tracks[1].limited <= allowed.max + 1e-12);
                for at in 0..2 {
                    let step = (tracks[at].limited - before[at]).abs();
                    prop_assert!(step <= actuators[at].velocity * DT + 1e-12);
                }
            }
        }
    }
}

#[test]
fn a_driver_that_waited_gets_there_in_the_end() {
    let row = |driver, min, max| CouplingRow {
        driver,
        range: Range { min, max },
    };
    let rows = [
        row(-1.0, -0.2, 0.1),
        row(0.0, -0.6, 0.5),
        row(1.0, -0.2, 0.1),
    ];
    let coupling = Coupling {
        driver: ActuatorId(0),
        driven: ActuatorId(1),
        rows: &rows,
    };
    let pitch = Actuator {
        velocity: 0.5,
        ..Actuator::new("P", Kind::Joint, -0.6, 0.5)
    };
    let actuators = [joint(8.0, f64::INFINITY), pitch];
    let mut tracks = [
        Track::NEW,
        Track {
            limited: 0.5,
            ..Track::NEW
        },
    ];
    for _ in 0..200 {
        (tracks[0].commanded, tracks[1].commanded) = (1.0, 0.5);
        for (actuator, track) in actuators.iter().zip(&mut tracks) {
            limit(actuator, track, true, DT);
        }
        couple(
            &coupling,
            &actuators,
            &mut tracks,
            (State::Running, &RampTimes::default()),
            DT,
        );
    }
    assert_eq!((tracks[0].limited, tracks[1].limited), (1.0, 0.1));
    assert!(tracks[0].clipped(Clip::Coupled) > 0);
}
