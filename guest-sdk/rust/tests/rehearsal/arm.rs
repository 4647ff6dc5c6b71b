//! Arms and grippers: where an arm goes is compared with plain matrices, a gripper with its geometry; loads and pulses.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::arm::{Arm, Fingers, Grip, Gripper};
use choreography::kinematics::{Reachability, Rotation, nao::*};
use choreography::posture::MoveStatus;
use choreography::prelude::*;
use choreography::rehearsal::Body;

use crate::matrices::{Nao, angle, anywhere, length, minus, put};

static RArm: BodyLimb<5> = BodyLimb::new(RIGHT_HAND);
static LLeg: BodyLimb<6> = BodyLimb::new(LEFT_FOOT);
static Jaw: Actuator = Actuator::named("Jaw");
static JawSensor: Sensor = Sensor::named("Jaw");
static Load: Sensor = Sensor::named("Load");
static NoSensor: Sensor = Sensor::named("NoSensor");

/// Turns until it has arrived; how many.
fn arrive<const N: usize>(stage: &mut Rehearsal, arm: &mut Arm<N>) -> u32 {
    for turn in 1..3000 {
        let told = arm.step(now());
        stage.turn();
        if told == Some(MoveStatus::Arrived) {
            return turn;
        }
    }
    panic!("it has not arrived");
}

#[test]
fn it_leaves_its_joints_to_others_until_it_is_told_to_move() {
    let mut stage = Rehearsal::alone(nao());
    let mut arm = Arm::new(&RArm);
    let [shoulder, roll, ..] = RArm.actuators();
    shoulder.to(0.5).over(500.ms());
    for _ in 0..60 {
        arm.step(now());
        stage.turn();
    }
    assert_eq!(stage.sent(shoulder), 0.5);
    // One joint is told to, and the others are still free.
    arm.set_joint(0, 0.0);
    roll.to(-0.4).over(500.ms());
    arrive(&mut stage, &mut arm);
    assert_eq!((stage.sent(shoulder), stage.sent(roll)), (0.0, -0.4));
    // And all are, after it was told so.
    arm.release();
    shoulder.to(0.3).over(100.ms());
    for _ in 0..20 {
        arm.step(now());
        stage.turn();
    }
    assert_eq!(stage.sent(shoulder), 0.3);
}

/// The original's default is 0.3 rad in each frame: thirty times as fast, and faster where frames are shorter.
#[test]
fn its_usual_speed_is_that_of_a_second() {
    for period in [5.ms(), 10.ms(), 32.ms()] {
        let mut stage = Rehearsal::alone(nao().with_period(period));
        let mut arm = Arm::new(&RArm);
        assert!(arm.reach([0.15, -0.1, 0.1]).is_reached());
        arrive(&mut stage, &mut arm);
        let fastest = RArm.actuators().map(|actuator| stage.fastest(actuator));
        let fastest = fastest.into_iter().fold(0.0, f64::max);
        assert!((fastest - 0.3).abs() < 1e-9, "{fastest}");
        stage.assert_nothing_clipped();
    }
}

#[test]
fn no_joint_is_faster_than_it_can_be() {
    for speed in [99.0, 0.0, -1.0, f64::INFINITY, f64::NAN] {
        let mut stage = Rehearsal::alone(nao());
        let mut arm = Arm::new(&RArm);
        (arm.reach_speed, arm.joint_speed) = (speed, speed);
        arm.reach([0.15, -0.1, 0.1]);
        arrive(&mut stage, &mut arm);
        arm.set_joints([0.0; 5]);
        arrive(&mut stage, &mut arm);
        for joint in RArm.actuators() {
            assert!(stage.fastest(joint) <= joint.limits().velocity + 1e-9);
        }
        assert!(stage.fastest("RShoulderPitch") > 8.0);
    }
}

#[test]
fn three_joints_all_joints_or_the_wrist_are_set() {
    let names = RArm.actuators().map(Actuator::name);
    let sent = |stage: &Rehearsal| names.map(|name| stage.sent(name));
    let mut stage = Rehearsal::alone(nao());
    let mut arm = Arm::new(&RArm);
    let rest = sent(&stage);
    arm.set_joints([1.0, -0.3, 0.9]);
    arrive(&mut stage, &mut arm);
    assert_eq!(sent(&stage), [1.0, -0.3, 0.9, rest[3], rest[4]]);
    arm.set_wrist([0.2]);
    arrive(&mut stage, &mut arm);
    assert_eq!(sent(&stage), [1.0, -0.3, 0.9, rest[3], 0.2]);
    for name in names {
        assert!(stage.fastest(name) < 0.4 + 1e-9);
    }
    // What is out of range becomes the limit, what is NaN moves nothing.
    arm.set_joints([9.0, 9.0, -9.0, -9.0, f64::NAN]);
    arrive(&mut stage, &mut arm);
    let limits = RArm
        .actuators()
        .map(|actuator| (actuator.limits().lowest, actuator.limits().highest));
    let [pitch, roll, yaw, elbow, _] = limits;
    assert_eq!(sent(&stage), [pitch.1, roll.1, yaw.0, elbow.0, 0.2]);
    arm.set_wrist([0.0; 9]); // more than it has: the first count
    arm.set_joint(5, 1.0);
    arrive(&mut stage, &mut arm);
    stage.assert_nothing_clipped();
}

#[test]
fn any_point_of_the_hand_is_brought_to_a_place() {
    let (robot, mut random) = (Nao::read(), fastrand::Rng::with_seed(1));
    let mut reached = 0;
    for _ in 0..100 {
        let mut stage = Rehearsal::alone(nao());
        let mut arm = Arm::new(&RArm);
        arm.reach_speed = 3.0;
        let offset = [0; 3].map(|_| 0.1 * random.f64() - 0.05);
        let pose = RArm.pose_at(&anywhere(&RArm, &mut random));
        let place = pose.point(RArm.limb().tip() + offset.into());
        put(&mut stage, &RArm, anywhere(&RArm, &mut random));
        let found = arm.reach_with(offset, place);
        arrive(&mut stage, &mut arm);
        let tip: [f64; 3] = (RArm.limb().tip() + offset.into()).into();
        let is = robot.sent("right-hand", &stage).point(tip);
        let left = length(minus(is, place.into()));
        assert!((left - found.residual.distance).abs() < 1e-9);
        assert_eq!(found.is_reached(), left <= 1e-4);
        reached += u32::from(found.is_reached());
    }
    assert!(reached >= 97, "{reached} of 100");
}

/// The original solves this with a weight of 0 for the turn, so that the turn does not count at all.
#[test]
fn a_turn_counts_as_well_as_a_place() {
    let (robot, mut random) = (Nao::read(), fastrand::Rng::with_seed(2));
    for round in 0..50 {
        let mut stage = Rehearsal::alone(nao());
        let start = [0.0, 0.0, -0.5, 1.0, -0.5, 0.0];
        put(&mut stage, &LLeg, start);
        let mut leg = Arm::new(&LLeg);
        leg.reach_speed = 3.0;
        let near = start.map(|start| start + 0.3 * random.f64() - 0.15);
        let (pose, offset) = (LLeg.pose_at(&near), [0.02, 0.0, 0.01]);
        let place = pose.point(LLeg.limb().tip() + offset.into());
        let found = leg.reach_turned(offset, place, pose.turn);
        assert!(found.is_reached(), "{round}: {found:?}");
        arrive(&mut stage, &mut leg);
        let foot = robot.sent("left-foot", &stage);
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let should: [f64; 3] = pose.turn.turn(axis).into();
            assert!(angle(foot.turn(axis.into()), should) < 1.1e-3);
        }
        // A place alone would have been reached with another turn.
        let alone = LLeg
            .reach(LLeg.tip() + Vec3::new(0.01, 0.01, 0.02))
            .solution();
        assert!(alone.is_reached());
    }
    // Where both cannot be, neither is left out.
    let stage = Rehearsal::alone(nao());
    let mut arm = Arm::new(&RArm);
    let back = Rotation::about(Vec3::Z, 3.0);
    let found = arm.reach_turned(Vec3::ZERO, [0.18, -0.1, 0.1], back);
    let place_alone = arm.reach([0.18, -0.1, 0.1]);
    let turn = |item: &[f64]| {
        let values: [f64; 5] = item.try_into().expect("five joints");
        let is = RArm.pose_at(&values).turn;
        (is.inverse() * back).vector().length()
    };
    assert!(!found.is_reached());
    assert!(turn(found.values()) < turn(place_alone.values()) - 0.1);
    drop(stage);
}

#[test]
fn it_freezes_and_does_what_makes_sense_only() {
    let mut stage = Rehearsal::alone(nao());
    let mut arm = Arm::new(&RArm);
    arm.reach([0.15, -0.1, 0.1]);
    for _ in 0..50 {
        arm.step(now());
        stage.turn();
    }
    let there = RArm.sent();
    arm.freeze();
    for _ in 0..50 {
        arm.step(now());
        stage.turn();
    }
    assert_eq!(RArm.sent(), there);
    let found = arm.reach([f64::NAN; 3]);
    assert!(matches!(found.end, Reachability::Refused(_)));
    arm.step(now());
    stage.turn();
    assert_eq!(RArm.sent(), there);
}

// Grippers.

/// A jaw that is open at 1 and closed at -0.5; its load is what a test says.
fn jaw() -> Body {
    Body::new(10.ms())
        .joint("Jaw", -0.5..=1.0, 6.0, 0.5)
        .sensor("Load", 0.0)
}

fn play(stage: &mut Rehearsal, gripper: &mut Gripper, turns: usize) {
    for _ in 0..turns {
        gripper.step(now());
        stage.turn();
    }
}

#[test]
fn a_gap_is_where_the_geometry_says() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..200 {
        let mut stage = Rehearsal::alone(jaw());
        let fingers = Fingers {
            spacing: 0.05 * random.f64(),
            length: 0.02 + 0.1 * random.f64(),
            angle: 0.6 * random.f64() - 0.3,
        };
        let mut hand = Gripper::new(&Jaw).with_fingers(fingers);
        // Both tips, as points: each beside its own axis, and turned.
        let between = |value: f64| {
            let (half, turned) = (fingers.spacing / 2.0, value + fingers.angle);
            let tip = [
                half + fingers.length * turned.sin(),
                fingers.length * turned.cos(),
            ];
            f64::hypot(tip[0] - -tip[0], tip[1] - tip[1]).copysign(tip[0])
        };
        let gap = 0.3 * random.f64() - 0.05;
        let will = hand.set_gap(gap);
        play(&mut stage, &mut hand, 50);
        let is = between(stage.sent(&Jaw));
        assert!((is - will).abs() < 1e-9);
        let nearest = gap.max(between(-0.5)).min(between(1.0));
        assert!((is - nearest).abs() < 1e-9, "{is}, not {nearest} of {gap}");
        assert!(!hand.is_alive());
        stage.assert_nothing_clipped();
    }
    let stage = Rehearsal::alone(jaw());
    let mut hand = Gripper::new(&Jaw);
    assert!(hand.set_gap(0.05).is_nan(), "its geometry is not known");
    drop(stage);
}

#[test]
fn it_opens_to_a_share_of_its_range() {
    for opens_down in [false, true] {
        let mut stage = Rehearsal::alone(jaw());
        let mut hand = Gripper::new(&Jaw);
        if opens_down {
            hand = hand.opening_down();
        }
        hand.motion.set_speed(0, 2.0);
        for (share, value) in [
            (0.0, -0.5),
            (1.0, 1.0),
            (0.25, -0.125),
            (7.0, 1.0),
            (-7.0, -0.5),
        ] {
            hand.open(share);
            play(&mut stage, &mut hand, 100);
            let value = if opens_down { 0.5 - value } else { value };
            assert_eq!(stage.sent(&Jaw), value, "{share}");
        }
        let before = stage.sent(&Jaw);
        hand.open(f64::NAN);
        play(&mut stage, &mut hand, 10);
        assert_eq!(stage.sent(&Jaw), before);
        assert!(stage.fastest(&Jaw) < 2.0 + 1e-9);
    }
}

/// A thing between the fingers: from where it is met, the load grows with what the hand aims beyond that.
fn squeeze(stage: &mut Rehearsal, hand: &mut Gripper, sign: f64) -> Vec<f64> {
    let (met, stiffness) = (0.2, 1000.0);
    let mut loads = Vec::new();
    for _ in 0..400 {
        hand.step(now());
        stage.turn();
        let aim = stage.sent(&Jaw);
        // The joint stops at the thing, however far it is told to close.
        stage.sensor(&JawSensor, aim.max(met));
        let load = sign * stiffness * (met - aim).max(0.0);
        stage.sensor(&Load, load);
        loads.push(load);
    }
    loads
}

#[test]
fn it_closes_until_it_feels_the_load_and_no_farther() {
    // Loads as the original has them, which are negative when it closes, and positive ones.
    for load in [-280.0, 280.0, -40.0] {
        let mut stage = Rehearsal::alone(jaw());
        let mut hand = Gripper::new(&Jaw).measured_by(&JawSensor, &Load);
        hand.open(1.0);
        play(&mut stage, &mut hand, 50);
        assert_eq!(hand.close_to_load(load), Answer::Done);
        assert!(hand.is_alive());
        let loads = squeeze(&mut stage, &mut hand, load.signum());
        assert_eq!((hand.grip(), hand.is_alive()), (Grip::Holds, false));
        // It pushes harder and harder, one increment at a time: so much beyond the wanted load at most.
        let most = loads
            .iter()
            .fold(0.0f64, |most, value| most.max(value.abs()));
        assert!(most >= load.abs() && most < load.abs() + 51.0, "{most}");
        assert!((loads[399].abs() - most).abs() < 1e-6, "it holds on");
        // Each increment waits for the load to stay the same for a while.
        let pushes = loads
            .windows(2)
            .filter(|value| value[1].abs() > value[0].abs() + 30.0)
            .count();
        assert!(pushes <= 1 + (load.abs() / 50.0) as usize);
        stage.assert_nothing_clipped();
        // What slips is held again.
        stage.sensor(&Load, 0.0);
        hand.step(now());
        assert_eq!(hand.grip(), Grip::Closing);
    }
}

/// A soft thing gives a little load from where it is met on: the hand stops where it feels what it was asked for, at
/// any speed, and however long it has closed through the air before.
#[test]
fn a_soft_thing_is_not_squeezed_farther() {
    let mut random = fastrand::Rng::with_seed(8);
    for _ in 0..100 {
        let mut stage = Rehearsal::alone(jaw());
        let mut hand = Gripper::new(&Jaw).measured_by(&JawSensor, &Load);
        let (met, soft) = (random.f64(), 0.5 + 5.0 * random.f64());
        let (wanted, speed) = (0.4 * soft * random.f64(), 0.1 + 3.0 * random.f64());
        hand.open(1.0);
        play(&mut stage, &mut hand, 50);
        hand.motion.set_speed(0, speed);
        assert_eq!(hand.close_to_load(wanted + 1e-6), Answer::Done);
        let mut load = 0.0;
        for _ in 0..2_000 {
            hand.step(now());
            stage.turn();
            let sent = stage.sent(&Jaw);
            load = soft * (met - sent).max(0.0);
            stage.sensor(&JawSensor, sent);
            stage.sensor(&Load, load);
        }
        assert_eq!(hand.grip(), Grip::Holds);
        // What it moves in two turns: until the load is read, and until it has stopped.
        let most = wanted + 1e-5 + soft * speed * 0.02;
        assert!(load >= wanted && load <= most, "{load}, not {wanted}");
    }
}

#[test]
fn a_hand_with_nothing_in_it_is_empty() {
    let mut stage = Rehearsal::alone(jaw());
    let mut hand = Gripper::new(&Jaw).measured_by(&JawSensor, &Load);
    hand.open(1.0);
    play(&mut stage, &mut hand, 50);
    hand.close_to_load(-100.0);
    let mut told = Vec::new();
    for _ in 0..200 {
        told.extend(hand.step(now()));
        stage.turn();
    }
    assert_eq!(told, [Grip::Empty]);
    assert_eq!((stage.sent(&Jaw), hand.is_alive()), (-0.5, false));
    stage.assert_nothing_clipped();
}

#[test]
fn it_does_not_close_for_a_load_that_nothing_feels() {
    let mut stage = Rehearsal::alone(jaw());
    let mut hand = Gripper::new(&Jaw);
    assert_eq!(hand.close_to_load(1.0), Answer::Unknown);
    let mut hand = Gripper::new(&Jaw).measured_by(&JawSensor, &NoSensor);
    assert_eq!(hand.close_to_load(1.0), Answer::Unknown);
    let mut hand = Gripper::new(&Jaw).measured_by(&JawSensor, &Load);
    assert_eq!(hand.close_to_load(f64::NAN), Answer::Unknown);
    // A sensor that reads nothing yet is waited for.
    stage.sensor(&Load, f64::NAN);
    assert_eq!(hand.close_to_load(1.0), Answer::Done);
    play(&mut stage, &mut hand, 100);
    assert_eq!((stage.sent(&Jaw), hand.grip()), (0.5, Grip::Closing));
}

/// In the original the pulse is stored, and never used.
#[test]
fn a_pulse_makes_the_joint_limp_in_turns_and_its_gains_come_back() {
    let mut stage = Rehearsal::alone(jaw());
    let mut hand = Gripper::new(&Jaw);
    hand.open(0.5);
    hand.set_pulse(50.ms(), 30.ms());
    for turn in 0..40 {
        play(&mut stage, &mut hand, 1);
        let limp = (turn % 8 >= 5).then_some([0.0; 3]);
        let gains = stage.gains(&Jaw).map(|[p, i, d, _]| [p, i, d]);
        assert_eq!(gains, limp, "turn {turn}");
        assert!(
            stage.sent(&Jaw) >= 0.25,
            "it still knows where it should be"
        );
    }
    hand.clear_pulse();
    for _ in 0..20 {
        play(&mut stage, &mut hand, 1);
        assert_eq!(stage.gains(&Jaw), None);
    }
    hand.set_pulse(Span::ZERO, Span::ZERO); // neither stiff nor limp: its own gains
    play(&mut stage, &mut hand, 1);
    assert_eq!(stage.gains(&Jaw), None);
}
