//! The force of joints: what is asked for is the usual gains times the power, and a start gets its force by a square.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::gains::{GainSet, JointGains, PowerFade};
use choreography::prelude::*;
use choreography::rehearsal::Body;
use fastrand::Rng;

static Hip: Actuator = Actuator::named("Hip");
static Knee: Actuator = Actuator::named("Knee");
static Foot: Actuator = Actuator::named("Foot");
static HipForce: Actuator = Actuator::named("HipStiffness");
static KneeForce: Actuator = Actuator::named("KneeStiffness");
static FootForce: Actuator = Actuator::named("FootStiffness");
const JOINTS: [&Actuator; 3] = [&Hip, &Knee, &Foot];

/// A leg whose gains are those of its boards.
fn leg() -> Body {
    let joints = ["Hip", "Knee", "Foot"].iter();
    joints.fold(Body::new(10.ms()), |item, name| {
        item.joint(name, -2.0..=2.0, 5.0, 0.0)
    })
}

/// What all joints were asked for in the last turn.
fn asked(stage: &Rehearsal) -> [Option<[f64; 4]>; 3] {
    JOINTS.map(|joint| stage.gains(joint))
}

#[test]
fn random_levels_of_one_of_some_and_of_all_are_factors_of_the_usual_gains() {
    let mut random = Rng::with_seed(6);
    let mut stage = Rehearsal::alone(leg());
    let usual = [
        JointGains::of(20.0, 4.0, 0.5),
        JointGains::of(10.0, 0.0, 2.0),
        JointGains::of(1.0, 1.0, 1.0),
    ];
    let mut set = GainSet::new(JOINTS).usually(usual);
    // The plain account: gains and a weight for each joint.
    let mut plain = usual.map(|usual| [usual.p, usual.i, usual.d, 1.0]);
    for _ in 0..500 {
        let (from, to) = (random.usize(0..4), random.usize(0..4));
        let places = from.min(to)..from.max(to);
        let level = random.f64() * 1.5;
        match random.u8(0..4) {
            0 => {
                set.set_power(.., level);
                for (gain, usual) in plain.iter_mut().zip(usual) {
                    gain[..3]
                        .copy_from_slice(&[usual.p, usual.i, usual.d].map(|value| value * level));
                }
            }
            1 => {
                set.set_power(places.clone(), level);
                for place in places {
                    let usual = usual[place];
                    let gains = [usual.p, usual.i, usual.d].map(|value| value * level);
                    plain[place][..3].copy_from_slice(&gains);
                }
            }
            2 => {
                set.set_gains(places.clone(), JointGains::of(level, 0.0, 3.0));
                for place in places {
                    plain[place][..3].copy_from_slice(&[level, 0.0, 3.0]);
                }
            }
            _ => {
                let weight = f64::from(random.u8(0..3)) / 2.0;
                set.set_weight(places.clone(), weight);
                for place in places {
                    plain[place][3] = weight;
                }
            }
        }
        assert!(set.step().is_done());
        stage.turn();
        let expected = plain.map(|plain| (plain[3] > 0.0).then_some(plain));
        assert_eq!(asked(&stage), expected);
    }
}

#[test]
fn no_power_makes_limp_and_what_is_no_level_changes_nothing() {
    let mut stage = Rehearsal::alone(leg());
    let mut set = GainSet::new(JOINTS);
    set.set_power(1..=1, 0.0);
    for none in [-0.1, f64::NAN, f64::INFINITY] {
        set.set_power(.., none);
        set.set_gains(.., JointGains::of(none, 0.0, 0.0));
        set.set_gains(.., JointGains::of(1.0, 0.0, none));
    }
    set.set_weight(.., f64::NAN);
    assert_eq!(set.gains(1), Some(JointGains::LIMP));
    assert_eq!(set.gains(2), Some(JointGains::USUAL));
    assert_eq!(set.gains(3), None);
    for turn in 0..20 {
        set.step();
        for name in ["Hip", "Knee"] {
            stage.sensor(name, 0.01 * f64::from(turn)); // somebody pushes both
        }
        stage.turn();
    }
    // The limp one has followed the hand.
    assert_eq!((stage.sent(&Hip), stage.sent(&Knee)), (0.0, 0.19));
}

/// In Tekkotsu gains stay when nobody asks for them any more. Here they return, so a set holds them unless it is told
/// to ask once.
#[test]
fn gains_are_asked_for_in_each_turn_or_once_after_each_change() {
    let mut stage = Rehearsal::alone(leg());
    let mut set = GainSet::new(JOINTS);
    for _ in 0..3 {
        set.step();
        stage.turn();
        assert_eq!(asked(&stage), [Some([1.0; 4]); 3]);
    }
    set.hold = false;
    for level in [0.5, 0.25] {
        set.set_power(.., level);
        set.step();
        stage.turn();
        assert_eq!(asked(&stage), [Some([level, level, level, 1.0]); 3]);
        set.step();
        stage.turn();
        assert_eq!(asked(&stage), [None; 3]);
    }
}

#[test]
fn a_stiffness_of_its_own_has_the_level_and_other_joints_have_gains() {
    let mut stage = Rehearsal::alone(leg().stiffness("Hip").stiffness("Knee"));
    let mut set = GainSet::new(JOINTS).stiffened_by([&HipForce, &KneeForce, &FootForce]);
    set.set_power(.., 0.4);
    set.set_gains(1..=1, JointGains::of(7.0, 1.0, 0.0));
    assert!(set.step().is_done());
    stage.turn();
    // More than all of the force is all of it.
    assert_eq!((stage.sent(&HipForce), stage.sent(&KneeForce)), (0.4, 1.0));
    assert_eq!(asked(&stage), [None, None, Some([0.4, 0.4, 0.4, 1.0])]);
    stage.assert_nothing_clipped();
    let mut absent = GainSet::new([&FootForce]);
    assert_eq!(absent.step(), Answer::Unknown);
}

#[test]
fn a_start_gets_its_power_by_the_square_of_the_time() {
    let mut random = Rng::with_seed(5);
    for _ in 0..1000 {
        let (start, after) = (random.f64() * 1e6, random.f64() * 4.0);
        let begun = Instant::ZERO + start.s();
        let plain = ((after - 0.128).max(0.0) / 2.0).min(1.0).powi(2);
        let fade = PowerFade::beginning(begun);
        assert!((fade.power(begun + after.s()) - plain).abs() < 1e-6);
        let plain = ((after - 0.128).max(0.0) / 0.5).min(1.0).powi(2);
        let fade = fade.lasting(500.ms());
        assert!((fade.power(begun + after.s()) - plain).abs() < 1e-6);
        assert_eq!(fade.is_over(begun + after.s()), after.s() >= 628.ms());
    }
    let at_once = PowerFade::beginning(Instant::ZERO).lasting(Span::ZERO);
    assert_eq!(at_once.power(Instant::ZERO), 0.0);
    assert_eq!(at_once.power(Instant::ZERO + 127.ms()), 0.0);
    assert_eq!(at_once.power(Instant::ZERO + 128.ms()), 1.0);
}
