//! The other side: the table is that of the body and of the runtime's mapping, and followers keep their speed.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::mirror::{MirrorFollower, NAO, other_side};
use choreography::posture::Posture;
use choreography::prelude::*;
use fastrand::Rng;

static LShoulderPitch: Actuator = Actuator::named("LShoulderPitch");
static LShoulderRoll: Actuator = Actuator::named("LShoulderRoll");
static RPitch: Sensor = Sensor::named("RShoulderPitch");
static RRoll: Sensor = Sensor::named("RShoulderRoll");

/// The joints of a NAO have mirrored ranges, and those that roll or turn change their sign.
#[test]
fn the_table_of_a_nao_fits_the_ranges_of_its_joints() {
    let stage = Rehearsal::alone(nao());
    for row in NAO {
        let [left, right] = [row.left, row.right].map(|value| Actuator::named(value).limits());
        let one = [right.lowest * row.sign, right.highest * row.sign];
        let (low, high) = (one[0].min(one[1]), one[0].max(one[1]));
        let is_near = (low - left.lowest).abs() < 0.02 && (high - left.highest).abs() < 0.02;
        assert!(is_near || row.left == row.right, "{row:?}");
        // As the runtime mirrors the motions of files.
        let turns = row.left.ends_with("Roll") || row.left.ends_with("Yaw");
        assert_eq!(row.sign, if turns { -1.0 } else { 1.0 }, "{row:?}");
        for name in [row.left, row.right] {
            let (other, sign) = other_side(&NAO, name).expect("a row");
            assert_eq!(other_side(&NAO, other), Some((name, sign)));
        }
    }
    drop(stage);
}

#[test]
fn a_posture_that_is_mirrored_twice_is_what_it_was() {
    let mut random = Rng::with_seed(2);
    let places = [(1, -1.0), (0, -1.0), (2, -1.0), (3, 1.0)];
    for _ in 0..100 {
        let mut any = || Output {
            value: random.f64() - 0.5,
            weight: f64::from(random.u8(0..3)) / 2.0,
        };
        let posture = Posture::from([any(), any(), any(), any()]);
        let other = posture.mirrored(&places);
        let [left, right, middle, pitch] = *posture.outputs();
        assert_eq!(other.outputs()[0].value, -right.value);
        assert_eq!(other.outputs()[1].value, -left.value);
        assert_eq!(other.outputs()[2].value, -middle.value);
        assert_eq!(other.outputs()[3], pitch);
        assert_eq!(other.outputs()[0].weight, right.weight);
        assert_eq!(other.mirrored(&places), posture);
    }
    let none = Posture::of([1.0]).mirrored(&[(7, 1.0)]);
    assert!(!none.is_used(0));
}

#[test]
fn joints_follow_a_hand_as_in_a_mirror_at_their_speed() {
    let mut random = Rng::with_seed(3);
    let mut stage = Rehearsal::alone(nao());
    let joints = [&LShoulderPitch, &LShoulderRoll];
    let mut left = MirrorFollower::new(joints, [&RPitch, &RRoll], [1.0, -1.0]);
    left.set_speed_share(0.25);
    for _ in 0..20 {
        // A hand puts the other arm somewhere, beyond the range of this one perhaps.
        let (pitch, roll) = (4.0 * random.f64() - 2.0, 3.0 * random.f64() - 1.5);
        for turn in 0..400 {
            stage.sensor(&RPitch, pitch);
            stage.sensor(&RRoll, if turn == 50 { f64::NAN } else { roll });
            left.step(now());
            stage.turn();
        }
        let limits = LShoulderRoll.limits();
        assert_eq!(stage.sent(&LShoulderPitch), pitch);
        let expected = (-roll).clamp(limits.lowest, limits.highest);
        assert_eq!(stage.sent(&LShoulderRoll), expected);
    }
    for joint in joints {
        assert!(stage.fastest(joint) < 0.2501 * joint.limits().velocity);
    }
    stage.assert_nothing_clipped();
    left.release();
    stage.turn();
    assert_eq!(stage.driven(&LShoulderPitch), None);
}
