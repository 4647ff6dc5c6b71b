//! Every way to describe a body wrongly is refused, with its place.

use super::*;

const JOINT: Actuator<'_> = Actuator::new("HeadYaw", Kind::Joint, -2.0, 2.0);
const STIFF: Actuator<'_> = Actuator {
    path: "HeadYaw/Hardness/Actuator/Value",
    ..Actuator::new(
        "HeadYawStiffness",
        Kind::Stiffness {
            joint: ActuatorId(0),
        },
        -1.0,
        1.0,
    )
};

fn check(actuators: &[Actuator<'_>]) -> Result<(), BodyError> {
    Body {
        actuators,
        sensors: &[],
        couplings: &[],
        groups: &[],
        boards: 1,
    }
    .check()
}

#[test]
fn one_name_a_path_and_the_naos_full_key_all_answer() {
    let joint = Actuator {
        path: "HeadYaw/Position/Actuator/Value",
        ..JOINT
    };
    let actuators = [joint, STIFF];
    let body = Body {
        actuators: &actuators,
        sensors: &[],
        couplings: &[],
        groups: &[],
        boards: 1,
    };
    assert_eq!(body.check(), Ok(()));
    for name in [
        "HeadYaw",
        "HeadYaw/Position/Actuator/Value",
        "Device/SubDeviceList/HeadYaw/Position/Actuator/Value",
    ] {
        assert_eq!(body.actuator(name), Some(ActuatorId(0)), "{name}");
    }
    assert_eq!(body.actuator("HeadYaw/Position"), None);
    assert_eq!(body.actuator(""), None);
    assert_eq!(body.stiffness_of(ActuatorId(0)), Some(ActuatorId(1)));
}

#[test]
fn each_fault_of_an_actuator_is_named() {
    let id = ActuatorId(0);
    let changed = |change: fn(&mut Actuator<'static>)| {
        let mut joint = JOINT;
        change(&mut joint);
        joint
    };
    let range = |min: f64, max: f64| Range { min, max };
    let cases = [
        (
            Actuator {
                range: range(1.0, -1.0),
                ..JOINT
            },
            BodyError::Range(id),
        ),
        (
            Actuator {
                range: range(f64::NAN, 1.0),
                ..JOINT
            },
            BodyError::Range(id),
        ),
        (
            changed(|actuator| actuator.velocity = 0.0),
            BodyError::Rate(id),
        ),
        (
            changed(|actuator| actuator.acceleration = f64::NAN),
            BodyError::Rate(id),
        ),
        (changed(|actuator| actuator.rest = 3.0), BodyError::Rest(id)),
        (
            changed(|actuator| actuator.safe = Some(-3.0)),
            BodyError::Rest(id),
        ),
        (
            changed(|value| {
                value.gains = Some(Gains {
                    p: -1.0,
                    i: 0.0,
                    d: 0.0,
                });
            }),
            BodyError::Gains(id),
        ),
        (
            changed(|actuator| actuator.calibration = Calibration::steps(0.0)),
            BodyError::Calibration(id),
        ),
        (
            Actuator {
                calibration: Calibration::steps(9.0),
                range: range(1.0, 2.0),
                rest: 1.0,
                ..JOINT
            },
            BodyError::Calibration(id),
        ),
        (
            changed(|actuator| actuator.sensor = Some(SensorId(0))),
            BodyError::Dangling(id),
        ),
        (
            changed(|actuator| actuator.board = BoardId(1)),
            BodyError::Dangling(id),
        ),
        (
            changed(|actuator| actuator.group = Some(GroupId(0))),
            BodyError::Dangling(id),
        ),
        (STIFF, BodyError::Dangling(id)),
    ];
    for (actuator, error) in cases {
        assert_eq!(check(&[actuator]), Err(error));
    }
}

#[test]
fn faults_between_actuators_are_named() {
    assert_eq!(
        check(&[JOINT, JOINT]),
        Err(BodyError::SameName(ActuatorId(1)))
    );
    let other = Actuator {
        name: "Other",
        path: "",
        ..STIFF
    };
    assert_eq!(
        check(&[JOINT, STIFF, other]),
        Err(BodyError::TwoStiffnesses(ActuatorId(0)))
    );
    let never_limp = Actuator {
        range: Range { min: 0.5, max: 1.0 },
        rest: 0.5,
        ..STIFF
    };
    assert_eq!(
        check(&[JOINT, never_limp]),
        Err(BodyError::StiffnessWithoutZero(ActuatorId(1)))
    );
}

#[test]
fn a_coupling_must_name_two_sound_actuators_once() {
    use crate::body::CouplingRow;
    let pitch = Actuator::new("HeadPitch", Kind::Joint, -0.7, 0.5);
    let actuators = [JOINT, pitch];
    let row = |driver, min, max| CouplingRow {
        driver,
        range: Range { min, max },
    };
    let good = [row(-1.0, -0.1, 0.1), row(1.0, -0.5, 0.5)];
    let falling = [row(1.0, -0.1, 0.1), row(-1.0, -0.5, 0.5)];
    let wide = [row(0.0, -9.0, 9.0)];
    let coupling = |rows| Coupling {
        driver: ActuatorId(0),
        driven: ActuatorId(1),
        rows,
    };
    let check = |couplings: &[Coupling<'_>]| {
        Body {
            actuators: &actuators,
            sensors: &[],
            couplings,
            groups: &[],
            boards: 1,
        }
        .check()
    };
    assert_eq!(check(&[coupling(&good)]), Ok(()));
    for rows in [&falling[..], &wide[..], &[]] {
        assert_eq!(check(&[coupling(rows)]), Err(BodyError::Coupling(0)));
    }
    assert_eq!(
        check(&[coupling(&good), coupling(&good)]),
        Err(BodyError::Coupling(1))
    );
}
