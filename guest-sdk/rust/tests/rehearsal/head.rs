//! The head pointer: where it looks is compared with plain matrices; its speeds, and all ways to tell it where to look.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use std::f64::consts::{PI, TAU};

use choreography::head::HeadPointer;
use choreography::kinematics::{Reachability, Transform, Tree, TreeJoint, TreeLink, nao::*};
use choreography::posture::MoveStatus;
use choreography::prelude::*;
use choreography::rehearsal::Body;

use crate::matrices::{Nao, angle, anywhere, length, minus, put};

static Head: BodyLimb<2> = BodyLimb::new(HEAD);
static RArm: BodyLimb<5> = BodyLimb::new(RIGHT_HAND);
static HeadYaw: Actuator = Actuator::named("HeadYaw");
static HeadPitch: Actuator = Actuator::named("HeadPitch");
static YawSensor: Sensor = Sensor::named("HeadYaw");
static PitchSensor: Sensor = Sensor::named("HeadPitch");
/// Sensors that do not follow the actuators: a test sets what they measure.
static YawEncoder: Sensor = Sensor::named("YawEncoder");
static PitchEncoder: Sensor = Sensor::named("PitchEncoder");

/// A NAO's head on a body whose ranges do not depend on each other.
fn body() -> Body {
    Body::new(10.ms())
        .joint("HeadYaw", -2.08567..=2.08567, 8.26797, 0.0)
        .joint("HeadPitch", -0.671952..=0.514872, 7.19407, 0.0)
        .sensor("YawEncoder", 0.0)
        .sensor("PitchEncoder", 0.0)
}

/// The eye, and the way in which it looks, for what was last sent.
fn eye(nao: &Nao, stage: &Rehearsal) -> ([f64; 3], [f64; 3]) {
    let head = nao.sent("head", stage);
    let limb = Head.limb();
    (
        head.point(limb.tip().into()),
        head.turn(limb.sight().into()),
    )
}

/// The angle between the way in which the head looks and the way to a place.
fn off(nao: &Nao, stage: &Rehearsal, place: [f64; 3]) -> f64 {
    let (eye, sight) = eye(nao, stage);
    angle(sight, minus(place, eye))
}

/// Turns until it has arrived; how many.
fn arrive<const N: usize>(stage: &mut Rehearsal, head: &mut HeadPointer<N>) -> u32 {
    for turn in 1..1000 {
        let told = head.step(now());
        stage.turn();
        if told == Some(MoveStatus::Arrived) {
            return turn;
        }
    }
    panic!("it has not arrived");
}

#[test]
fn any_place_before_the_head_is_looked_at() {
    let (robot, mut random) = (Nao::read(), fastrand::Rng::with_seed(1));
    for _ in 0..300 {
        let mut stage = Rehearsal::alone(body());
        put(&mut stage, &Head, anywhere(&Head, &mut random));
        let mut head = HeadPointer::new(&Head);
        let speed = 0.5 + 3.0 * random.f64();
        head.motion.set_speeds(.., speed);
        // What the eye sees in some posture of the head.
        let seen = Head.pose_at(&anywhere(&Head, &mut random));
        let before = HEAD_TIP + Head.limb().sight() * (0.1 + 2.0 * random.f64());
        let place = seen.point(before);
        let aim = head.look_at(place);
        assert!(aim.is_reached(), "{place:?} {aim:?}");
        arrive(&mut stage, &mut head);
        let left = off(&robot, &stage, place.into());
        assert!((left - aim.residual.angle).abs() < 1e-6 && left <= 1e-3 + 1e-6);
        for joint in [&HeadYaw, &HeadPitch] {
            assert!(stage.fastest(joint) <= speed + 1e-9);
        }
        assert!((head.target_pose().at - Head.pose().at).length() < 1e-12);
        stage.assert_nothing_clipped();
    }
}

const HEAD_TIP: Vec3 = Vec3::new(0.05871, 0.0, 0.06364);

#[test]
fn what_is_behind_it_is_looked_at_as_nearly_as_can_be() {
    let robot = Nao::read();
    for place in [[-1.0, 0.2, 0.1], [0.1, 0.0, 3.0], [0.2, 0.0, -2.0]] {
        let mut stage = Rehearsal::alone(body());
        let mut head = HeadPointer::new(&Head);
        let aim = head.look_at(place);
        assert_eq!(aim.end, Reachability::Closest);
        arrive(&mut stage, &mut head);
        let left = off(&robot, &stage, place);
        assert!((left - aim.residual.angle).abs() < 1e-6);
        // No other posture of the head is clearly better.
        let best = (0..=100).flat_map(|yaw| (0..=100).map(move |pitch| (yaw, pitch)));
        let best = best.map(|(yaw, pitch)| {
            let share = |n: i32| f64::from(n) / 100.0;
            let yaw = -2.08567 + 2.0 * 2.08567 * share(yaw);
            let pitch = -0.671952 + (0.514872 + 0.671952) * share(pitch);
            let frame = robot.frame("head", &|value| {
                if value == "HeadYaw" { yaw } else { pitch }
            });
            let eye = frame.point(HEAD_TIP.into());
            angle(frame.turn(Head.limb().sight().into()), minus(place, eye))
        });
        let best = best.fold(f64::INFINITY, f64::min);
        assert!(left < best + 1e-3, "{place:?}: {left}, not {best}");
    }
}

// A periscope: it turns, tilts, and slides forwards along the way in which it looks.
const PERISCOPE: Tree<'static> = Tree {
    joints: &[
        TreeJoint::new("Pan", -3.0, 3.0),
        TreeJoint::new("Tilt", -1.2, 1.2),
        TreeJoint::new("Zoom", 0.0, 0.4),
    ],
    links: &[
        TreeLink {
            name: "base",
            ..TreeLink::PLAIN
        },
        TreeLink {
            name: "pan",
            parent: Some(0),
            joint: Some(0),
            ..TreeLink::PLAIN
        },
        TreeLink {
            name: "tilt",
            parent: Some(1),
            joint: Some(1),
            axis: Vec3::Y,
            origin: Transform::shift(0.1, 0.0, 0.5),
            ..TreeLink::PLAIN
        },
        TreeLink {
            name: "eye",
            parent: Some(2),
            joint: Some(2),
            axis: Vec3::X,
            slides: true,
            ..TreeLink::PLAIN
        },
    ],
};
static Periscope: BodyLimb<3> = BodyLimb::new(LimbChain::to(PERISCOPE, "eye"));

#[test]
fn a_place_is_looked_at_from_a_distance() {
    let mut random = fastrand::Rng::with_seed(2);
    for round in 0..200 {
        let mut stage = Rehearsal::alone(
            Body::new(10.ms())
                .joint("Pan", -3.0..=3.0, 5.0, 0.0)
                .joint("Tilt", -1.2..=1.2, 5.0, 0.0)
                .joint("Zoom", 0.0..=0.4, 1.0, 0.0),
        );
        let [pan, tilt, zoom] = anywhere(&Periscope, &mut random).map(|anywhere| 0.9 * anywhere);
        // Where its eye is, and looks, in closed form.
        let (yaw, pitch) = (pan.sin_cos(), tilt.sin_cos());
        let sight = [yaw.1 * pitch.1, yaw.0 * pitch.1, -pitch.0];
        let distance = 0.3 + random.f64();
        // Every other time the place is nearer than it can go back to see it from there.
        let is_far = round % 2 == 0;
        let gone = if is_far { zoom + distance } else { 0.2 };
        let neck = [0.1 * yaw.1, 0.1 * yaw.0, 0.5];
        let place = [0, 1, 2].map(|value| neck[value] + gone * sight[value]);
        let mut head = HeadPointer::new(&Periscope);
        let aim = head.look_at_from(place, distance);
        arrive(&mut stage, &mut head);
        let (yaw, pitch) = (stage.sent("Pan").sin_cos(), stage.sent("Tilt").sin_cos());
        let sight = [yaw.1 * pitch.1, yaw.0 * pitch.1, -pitch.0];
        let neck = [0.1 * yaw.1, 0.1 * yaw.0, 0.5];
        let eye = [0, 1, 2].map(|value| neck[value] + stage.sent("Zoom") * sight[value]);
        let (left, is) = (angle(sight, minus(place, eye)), length(minus(place, eye)));
        assert!(left < 1.1e-3, "{left}");
        assert_eq!(aim.is_reached(), is_far, "{aim:?}");
        assert!(((is - distance).abs() - aim.residual.distance).abs() < 2e-4);
        if is_far {
            assert!((is - distance).abs() < 2e-4);
        }
    }
}

#[test]
fn a_direction_is_looked_along() {
    let (robot, mut random) = (Nao::read(), fastrand::Rng::with_seed(3));
    for _ in 0..100 {
        let mut stage = Rehearsal::alone(body());
        let mut head = HeadPointer::new(&Head);
        let (yaw, pitch) = (3.0 * random.f64() - 1.5, 0.8 * random.f64() - 0.4);
        let along = [
            yaw.cos() * pitch.cos(),
            yaw.sin() * pitch.cos(),
            -pitch.sin(),
        ];
        let length = 0.1 + 9.0 * random.f64();
        assert!(
            head.look_in_direction(along.map(|value| value * length))
                .is_reached()
        );
        arrive(&mut stage, &mut head);
        assert!(angle(eye(&robot, &stage).1, along) < 1.1e-3);
    }
    let stage = Rehearsal::alone(body());
    let mut head = HeadPointer::new(&Head);
    assert!(matches!(
        head.look_in_direction(Vec3::ZERO).end,
        Reachability::Refused(_)
    ));
    drop(stage);
}

#[test]
fn it_looks_at_a_hand_that_moves() {
    let (robot, mut stage) = (Nao::read(), Rehearsal::alone(nao()));
    let mut head = HeadPointer::new(&Head);
    RArm.reach([0.2, -0.1, 0.1]).over(500.ms());
    stage.run_for(500.ms());
    RArm.reach([0.15, 0.0, 0.15]).over(2.s());
    for turn in 0..220 {
        head.look_at_limb(&RArm);
        head.step(now());
        stage.turn();
        if turn > 50 {
            let hand = robot.sent("right-hand", &stage);
            let place = hand.point(RArm.limb().tip().into());
            // It sees where the hand was in the turn before.
            assert!(off(&robot, &stage, place) < 0.02);
        }
    }
}

/// The original's `setJoints` does not start a movement that has arrived before.
#[test]
fn joints_that_are_set_after_it_has_arrived_move() {
    let mut stage = Rehearsal::alone(body());
    let mut head = HeadPointer::new(&Head);
    head.motion.hold = false; // then only a new movement drives anything
    head.set_joints([0.3, 0.1]);
    arrive(&mut stage, &mut head);
    head.set_joints([-0.3, -0.1]);
    assert!(head.is_alive());
    arrive(&mut stage, &mut head);
    assert_eq!(
        [&HeadYaw, &HeadPitch].map(|value| stage.sent(value)),
        [-0.3, -0.1]
    );
    head.set_joint(1, 10.deg());
    arrive(&mut stage, &mut head);
    assert_eq!(stage.sent(&HeadPitch), f64::from(10.deg()));
    head.set_joint(2, 0.5); // it has no such joint
    assert!(!head.is_alive());
}

#[test]
fn a_value_out_of_range_becomes_the_limit_that_is_nearer_on_the_circle() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..300 {
        let mut stage = Rehearsal::alone(body());
        let mut head = HeadPointer::new(&Head);
        let value = 20.0 * random.f64() - 10.0;
        head.set_joint(0, value);
        arrive(&mut stage, &mut head);
        let most = 2.08567;
        // Walks round the circle both ways, in small steps, until it meets a limit.
        let meets = |way: f64| {
            let steps = (0i32..).find(|i| {
                let at = (value + way * f64::from(*i) * 1e-3 + PI).rem_euclid(TAU) - PI;
                (at.abs() - most).abs() < 1e-3
            });
            let at = value + way * f64::from(steps.expect("a limit")) * 1e-3;
            (steps, most.copysign((at + PI).rem_euclid(TAU) - PI))
        };
        let (up, down) = (meets(1.0), meets(-1.0));
        let nearer = if up.0 < down.0 { up.1 } else { down.1 };
        let expected = if value.abs() <= most { value } else { nearer };
        let close =
            up.0.zip(down.0)
                .is_some_and(|pair| pair.0.abs_diff(pair.1) < 5);
        assert!(
            close || stage.sent(&HeadYaw) == expected,
            "{value}: {expected}"
        );
        stage.assert_nothing_clipped();
    }
    // 200° is 160° to the other side.
    let (mut stage, mut head) = (Rehearsal::alone(body()), HeadPointer::new(&Head));
    head.set_joints([200.deg(), 0.deg()]);
    arrive(&mut stage, &mut head);
    assert_eq!(stage.sent(&HeadYaw), -2.08567);
    head.set_joint(0, f64::NAN);
    head.step(now());
    stage.turn();
    assert_eq!(stage.sent(&HeadYaw), -2.08567);
}

/// The original's speeds are in radians for each frame, so that they change with its length.
#[test]
fn a_speed_is_that_of_a_second_whatever_the_period_is() {
    for period in [5.ms(), 10.ms(), 32.ms()] {
        let mut stage = Rehearsal::alone(body().with_period(period));
        let mut head = HeadPointer::new(&Head);
        head.motion.set_speeds(.., 2.0);
        head.set_joints([1.0, 0.0]);
        let took = f64::from(arrive(&mut stage, &mut head)) * period.seconds();
        assert!(
            (0.5..0.5 + 2.0 * period.seconds()).contains(&took),
            "{took}"
        );
        assert!(stage.fastest(&HeadYaw) < 2.0 + 1e-9);
    }
    // Without a speed of its own, it is as fast as the joints can be.
    let (mut stage, mut head) = (Rehearsal::alone(body()), HeadPointer::new(&Head));
    head.set_joints([1.0, 0.0]);
    arrive(&mut stage, &mut head);
    assert!((stage.fastest(&HeadYaw) - 8.26797).abs() < 1e-9);
    stage.assert_nothing_clipped();
}

#[test]
fn it_freezes_where_it_is_and_goes_on_when_it_is_told_to() {
    let mut stage = Rehearsal::alone(body());
    let mut head = HeadPointer::new(&Head);
    head.motion.set_speeds(.., 1.0);
    head.set_joints([1.0, 0.3]);
    for _ in 0..25 {
        head.step(now());
        stage.turn();
    }
    let there = [&HeadYaw, &HeadPitch].map(|value| stage.sent(value));
    assert!((there[0] - 0.25).abs() < 1e-9);
    head.freeze();
    for _ in 0..50 {
        head.step(now());
        stage.turn();
        assert_eq!([&HeadYaw, &HeadPitch].map(|value| stage.sent(value)), there);
    }
    assert_eq!(head.motion.status(), MoveStatus::Settled);
    head.set_joints([1.0, 0.3]);
    assert_eq!(arrive(&mut stage, &mut head), 75);
}

#[test]
fn a_snapshot_holds_what_is_measured() {
    let mut stage = Rehearsal::alone(body());
    let mut head = HeadPointer::new(&Head);
    head.motion = head.motion.measured_by([&YawEncoder, &PitchEncoder]);
    head.set_joints([0.5, 0.2]);
    arrive(&mut stage, &mut head);
    // Somebody has turned the head.
    stage.sensor(&YawEncoder, -0.7);
    stage.sensor(&PitchEncoder, 0.1);
    head.take_snapshot();
    arrive(&mut stage, &mut head);
    assert_eq!(
        [&HeadYaw, &HeadPitch].map(|value| stage.sent(value)),
        [-0.7, 0.1]
    );
}

/// The original reports its arrival when it has commanded the last value, whatever the sensors say.
#[test]
fn an_arrival_is_confirmed_by_sensors_or_is_late() {
    let mut stage = Rehearsal::alone(body());
    let mut head = HeadPointer::new(&Head);
    head.motion = head.motion.measured_by([&YawEncoder, &PitchEncoder]);
    head.set_joints([0.5, 0.0]);
    arrive(&mut stage, &mut head);
    let stuck = stage.now();
    assert!(head.is_alive());
    let mut told = None;
    while told.is_none() {
        told = head.step(now());
        stage.turn();
    }
    assert_eq!(told, Some(MoveStatus::TimedOut));
    assert!(stage.now() - stuck > 1990.ms() && !head.is_alive());
    stage.sensor(&YawEncoder, 0.46); // within its tolerance of 0.05
    head.set_joints([0.5, 0.01]);
    arrive(&mut stage, &mut head);
    assert_eq!(head.step(now()), Some(MoveStatus::Settled));
}

/// A movement that began at what sensors measure would stay behind them for ever.
#[test]
fn a_place_that_is_looked_at_anew_in_each_turn_is_reached_in_time() {
    let (robot, mut stage) = (Nao::read(), Rehearsal::alone(body()));
    let mut head = HeadPointer::new(&Head);
    head.motion = head.motion.measured_by([&YawSensor, &PitchSensor]);
    head.motion.set_speeds(.., 1.0);
    let mut arrivals = 0;
    for _ in 0..200 {
        head.look_at([1.0, 1.0, 0.2]);
        arrivals += u32::from(head.step(now()) == Some(MoveStatus::Arrived));
        for sensor in [&YawSensor, &PitchSensor] {
            stage.sensor(sensor, 0.0);
        }
        stage.turn();
    }
    assert!(off(&robot, &stage, [1.0, 1.0, 0.2]) < 2e-3);
    assert_eq!(arrivals, 1, "the same place is one target");
}

#[test]
fn a_neck_without_one_joint_does_what_the_other_can() {
    let mut stage = Rehearsal::alone(nao().without("HeadPitch"));
    let mut head = HeadPointer::new(&Head);
    let aim = head.look_at([1.0, 1.0, 0.6]);
    assert_eq!(aim.end, Reachability::Closest);
    arrive(&mut stage, &mut head);
    assert!((stage.sent("HeadYaw") - 0.78).abs() < 0.05);
}

#[test]
fn a_distance_that_is_no_number_is_looked_at_from_nowhere() {
    let mut stage = Rehearsal::alone(body());
    let mut head = HeadPointer::new(&Head);
    for none in [f64::NAN, f64::INFINITY] {
        let aim = head.look_at_from([0.5, 0.3, 0.1], none);
        assert!(matches!(aim.end, Reachability::Refused(_)), "{aim:?}");
        head.step(now());
        stage.turn();
        assert_eq!(stage.sent("HeadYaw"), 0.0);
    }
}
