//! Limbs: where they are, and where they go, is compared with plain matrices; limits, missing joints, refusals; and
//! inverse kinematics of postures.

#![allow(non_upper_case_globals, reason = "named as on the body")]

use choreography::kinematics::{Effort, Goal, GoalFault, Reachability, Rotation, nao::*};
use choreography::posture::Posture;
use choreography::prelude::*;

use crate::matrices::{Nao, about, angle, anywhere, length, minus, put, times, turned_by};

static Head: BodyLimb<2> = BodyLimb::new(HEAD);
static LArm: BodyLimb<5> = BodyLimb::new(LEFT_HAND);
static RArm: BodyLimb<5> = BodyLimb::new(RIGHT_HAND);
static LLeg: BodyLimb<6> = BodyLimb::new(LEFT_FOOT);
static RLeg: BodyLimb<6> = BodyLimb::new(RIGHT_FOOT);
/// The hand's own axis as what it points with.
static Finger: BodyLimb<5> = BodyLimb::new(LimbChain::to(NAO, "right-hand"));

/// The distance of a limb's tip from a place, by matrices.
fn off<const N: usize>(nao: &Nao, stage: &Rehearsal, limb: &BodyLimb<N>, place: Vec3) -> f64 {
    let tip = nao.sent(limb.name(), stage).point(limb.limb().tip().into());
    length(minus(tip, place.into()))
}

#[test]
fn the_table_is_that_of_the_robot_that_is_shipped() {
    let nao = Nao::read();
    let names: Vec<_> = NAO.links.iter().map(|link| link.name.to_owned()).collect();
    let mut sorted = names.clone();
    sorted.sort();
    let mut shipped = nao.links();
    shipped.sort();
    assert_eq!(sorted, shipped);
    let ranges = nao.ranges();
    for joint in NAO.joints {
        assert_eq!(
            ranges[joint.name],
            [joint.lowest, joint.highest],
            "{}",
            joint.name
        );
    }
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..200 {
        let values: Vec<_> = NAO
            .joints
            .iter()
            .map(|_| 4.0 * random.f64() - 2.0)
            .collect();
        let value = |name: &str| values[NAO.joint(name).expect("a joint")];
        for (place, name) in names.iter().enumerate() {
            let (is, should) = (
                NAO.pose(place, &values).expect("a link"),
                nao.frame(name, &value),
            );
            assert!(length(minus(is.at.into(), should.at)) < 1e-12, "{name}");
            let axes = [Vec3::X, Vec3::Y].map(|value| is.turn.turn(value).into());
            assert!(
                angle(axes[0], should.turn([1.0, 0.0, 0.0])) < 1e-7,
                "{name}"
            );
            assert!(
                angle(axes[1], should.turn([0.0, 1.0, 0.0])) < 1e-7,
                "{name}"
            );
        }
    }
}

#[test]
fn a_tip_is_where_matrices_place_it() {
    fn compare<const N: usize>(nao: &Nao, limb: &BodyLimb<N>, random: &mut fastrand::Rng) {
        let mut stage = Rehearsal::alone(choreography::rehearsal::nao());
        put(&mut stage, limb, anywhere(limb, random));
        assert!(off(nao, &stage, limb, limb.tip()) < 1e-12);
        assert!(limb.is_present() && limb.joint_count() == N);
    }
    let (nao, mut random) = (Nao::read(), fastrand::Rng::with_seed(2));
    for _ in 0..50 {
        compare(&nao, &Head, &mut random);
        compare(&nao, &LArm, &mut random);
        compare(&nao, &RArm, &mut random);
        compare(&nao, &LLeg, &mut random);
        compare(&nao, &RLeg, &mut random);
    }
}

#[test]
fn an_arm_arrives_where_it_should_and_when_it_should() {
    let (robot, mut random) = (Nao::read(), fastrand::Rng::with_seed(3));
    let mut reached = 0;
    for _ in 0..300 {
        let mut stage = Rehearsal::alone(nao());
        let place = RArm.tip_at(&anywhere(&RArm, &mut random));
        put(&mut stage, &RArm, anywhere(&RArm, &mut random));
        let begins = RArm.sent();
        let found = RArm.reach(place).within(0.005).over(2.s());
        assert_eq!((found.answer, found.arrival), (Answer::Done, now() + 2.s()));
        stage.run_for(1.s());
        for ((joint, from), to) in RArm.actuators().into_iter().zip(begins).zip(RArm.sent()) {
            let limits = joint.limits();
            assert!(limits.lowest <= to && to <= limits.highest);
            assert!((to - from).abs() <= 1.0 + 2.1 && joint.waiting() <= 1);
        }
        stage.run_for(1.s());
        let left = off(&robot, &stage, &RArm, place);
        assert!((left - found.residual.distance).abs() < 1e-9);
        assert_eq!(found.is_reached(), left <= 0.005);
        reached += u32::from(found.is_reached());
        for other in ["HeadYaw", "LShoulderPitch", "RHand", "RKneePitch"] {
            assert_eq!(stage.fastest(other), 0.0);
        }
        stage.assert_nothing_clipped();
    }
    assert!(
        reached >= 297,
        "{reached} of 300 places that an arm can reach"
    );
}

#[test]
fn a_leg_brings_its_sole_to_a_whole_pose() {
    let (robot, mut random) = (Nao::read(), fastrand::Rng::with_seed(4));
    let mut reached = 0;
    for _ in 0..100 {
        let mut stage = Rehearsal::alone(nao());
        let start = [0.0, 0.0, -0.5, 1.0, -0.5, 0.0];
        put(&mut stage, &LLeg, start);
        let near = start.map(|start| start + 0.5 * random.f64() - 0.25);
        let (place, turn) = (LLeg.tip_at(&near), LLeg.pose_at(&near).turn);
        let found = LLeg.reach(place).turned(turn).eased(Ease::Sine).over(1.s());
        stage.run_for(1100.ms());
        if found.is_reached() {
            reached += 1;
            let values = |name: &str| {
                let place = LLeg
                    .actuators()
                    .iter()
                    .position(|actuator| actuator.name() == name);
                place.map_or(0.0, |place| near[place])
            };
            let (is, should) = (
                robot.sent("left-foot", &stage),
                robot.frame("left-foot", &values),
            );
            assert!(off(&robot, &stage, &LLeg, place) < 1e-4 + 1e-9);
            assert!(turned_by(&is.turn, &should.turn) < 1e-3 + 1e-9);
        }
    }
    assert!(reached >= 95, "{reached} of 100");
}

#[test]
fn what_is_out_of_reach_is_approached_and_told() {
    let (robot, mut stage) = (Nao::read(), Rehearsal::alone(nao()));
    let place = Vec3::new(2.0, -0.098, 0.1); // straight before the shoulder
    let found = RArm.reach(place).over(2.s());
    assert_eq!(found.end, Reachability::Closest);
    stage.run_for(2.s());
    let left = off(&robot, &stage, &RArm, place);
    assert!((left - found.residual.distance).abs() < 1e-9);
    // The arm is at most this long: upper arm with its offset, forearm, hand.
    let arm = f64::hypot(0.105, 0.015) + 0.05595 + f64::hypot(0.05775, 0.01231);
    assert!(left > 2.0 - arm - 1e-9 && left < 2.0 - arm + 0.01, "{left}");
}

#[test]
fn the_narrower_limits_count_of_the_table_and_of_the_body() {
    let mut random = fastrand::Rng::with_seed(5);
    for wide in [0.3, 9.0] {
        let mut body = choreography::rehearsal::Body::new(10.ms());
        for joint in RArm.actuators() {
            body = body.joint(joint.name(), -wide..=wide, 8.0, 0.1);
        }
        let stage = Rehearsal::alone(body);
        let mut at_limit = 0;
        for _ in 0..100 {
            let place: Vec3 = [0; 3].map(|_| 0.6 * random.f64() - 0.3).into();
            let found = RArm.reach(place).solution();
            for ((_, value), joint) in found.joints().zip(RArm.actuators()) {
                let row = NAO.joints[NAO.joint(joint.name()).expect("a joint")];
                let (lowest, highest) = (row.lowest.max(-wide), row.highest.min(wide));
                assert!(lowest <= value && value <= highest, "{value} of {joint:?}");
                at_limit += u32::from(value == lowest || value == highest);
            }
        }
        assert!(at_limit > 20);
        drop(stage);
    }
}

#[test]
fn a_joint_that_is_missing_stands_still_and_the_others_go() {
    let robot = Nao::read();
    // An elbow that is not there is as straight as the table lets it be.
    for (missing, rest) in [
        ("RWristYaw", 0.0),
        ("RElbowYaw", 0.0),
        ("RElbowRoll", 0.0349066),
    ] {
        let mut stage = Rehearsal::alone(nao().without(missing));
        assert!(!RArm.is_present());
        let place = Vec3::new(0.15, -0.12, 0.06);
        let found = RArm.reach(place).within(0.002).over(1.s());
        assert_eq!(found.answer, Answer::Done);
        stage.run_for(1.s());
        let value = |joint: &str| {
            if joint == missing {
                rest
            } else {
                stage.sent(joint)
            }
        };
        let tip = robot
            .frame("right-hand", &value)
            .point(RArm.limb().tip().into());
        let left = length(minus(tip, place.into()));
        assert!((left - found.residual.distance).abs() < 1e-9);
        assert!(found.is_reached() || missing != "RWristYaw", "{left}");
    }
}

#[test]
fn what_makes_no_sense_moves_nothing() {
    let mut stage = Rehearsal::alone(nao());
    for wanted in [
        RArm.reach([f64::NAN, 0.0, 0.0]),
        RArm.look_at([f64::INFINITY, 0.0, 0.0]),
        RArm.look_along(Vec3::ZERO),
    ] {
        let found = wanted.over(100.ms());
        assert_eq!(found.answer, Answer::Done);
        assert_eq!(found.end, Reachability::Refused(GoalFault::Unsound(0)));
        assert!(!found.is_reached());
    }
    let foreign = RArm.toward(Goal::point(
        NAO.link("left-foot").expect("a link"),
        Vec3::ZERO,
    ));
    let found = foreign.over(100.ms());
    assert_eq!(found.end, Reachability::Refused(GoalFault::Foreign(0)));
    stage.run_for(200.ms());
    for joint in RArm.actuators() {
        assert_eq!((stage.waiting(joint), stage.fastest(joint)), (0, 0.0));
    }
}

#[test]
fn a_speed_is_kept_and_all_joints_arrive_together() {
    let mut random = fastrand::Rng::with_seed(6);
    for ease in [None, Some(Ease::Sine)] {
        for _ in 0..50 {
            let mut stage = Rehearsal::alone(nao());
            put(&mut stage, &LArm, anywhere(&LArm, &mut random));
            let wanted = LArm.reach(LArm.tip_at(&anywhere(&LArm, &mut random)));
            let found = match ease {
                Some(ease) => wanted.eased(ease).at_speed(0.3),
                None => wanted.at_speed(0.3),
            };
            let took = found.arrival - now();
            stage.run_for(took + 10.ms());
            // The peak of a sine is π / 2 of its average; turns cut what a movement needs into whole periods.
            let most = if ease.is_some() {
                0.3 * 1.6
            } else {
                0.3 + 1e-9
            };
            for joint in LArm.actuators() {
                assert!(stage.fastest(joint) <= most * joint.limits().velocity);
                assert_eq!(stage.waiting(joint), 0);
            }
        }
    }
}

#[test]
fn another_place_in_mid_movement_is_no_jump() {
    let (robot, mut stage) = (Nao::read(), Rehearsal::alone(nao()));
    let places = [[0.15, -0.1, 0.1], [0.1, -0.2, 0.0], [0.12, -0.05, 0.15]];
    let mut last = Vec3::ZERO;
    for place in places.into_iter().cycle().take(20) {
        last = place.into();
        RArm.reach(last).nearby().over(800.ms());
        stage.run_for(100.ms());
    }
    stage.run_for(1.s());
    assert!(off(&robot, &stage, &RArm, last) < 1e-3);
    for joint in RArm.actuators() {
        assert!(stage.fastest(joint) < 5.0, "{joint:?}");
    }
    stage.assert_nothing_clipped();
}

#[test]
fn goals_of_all_kinds_are_met_together() {
    let (robot, mut stage) = (Nao::read(), Rehearsal::alone(nao()));
    // The palm on a horizontal plane, and the hand forwards.
    let link = RArm.limb().end();
    let plane = Goal::plane(link, RArm.limb().tip(), [0.0, 0.0, 0.05], Vec3::Z);
    let found = RArm.toward(plane).pointing(Vec3::X, Vec3::X).over(1.s());
    assert!(found.is_reached());
    stage.run_for(1.s());
    let hand = robot.sent("right-hand", &stage);
    assert!((hand.point(RArm.limb().tip().into())[2] - 0.05).abs() < 1e-4);
    assert!(angle(hand.turn([1.0, 0.0, 0.0]), [1.0, 0.0, 0.0]) < 1.1e-3);
    // What the place leaves free goes towards a posture: joints at 0, but for the shoulder.
    let mut rather = [0.0; NAO.joints.len()];
    rather[NAO.joint("RShoulderRoll").expect("a joint")] = -0.5;
    let found = RArm
        .reach([0.15, -0.12, 0.05])
        .prefer(&rather)
        .effort(Effort::THOROUGH);
    let other = RArm
        .reach([0.15, -0.12, 0.05])
        .effort(Effort::THOROUGH)
        .solution();
    let found = found.solution();
    assert!(found.is_reached() && other.is_reached());
    let off = |values: &[f64]| -> f64 {
        let wanted = [0.0, -0.5, 0.0, 0.0, 0.0].iter();
        wanted
            .zip(values)
            .map(|pair| (pair.0 - pair.1).powi(2))
            .sum()
    };
    assert!(off(found.values()) < 0.9 * off(other.values()));
}

choreography! {
    /// Points with its arms.
    motion Points as "points";
    limbs LeftArm = LEFT_HAND, RightArm = RIGHT_HAND;
}

struct Points;

impl Motion for Points {
    fn start() -> Points {
        LeftArm.look_at([1.0, 0.3, 0.2]).over(1.s());
        RightArm.look_at([1.0, -0.3, 0.2]).over(1.s());
        Points
    }
}

#[test]
fn a_cast_says_which_limb_is_not_complete() {
    let mut stage = Rehearsal::of::<Points>(nao().without("LWristYaw"));
    stage.run_for(2.s());
    assert!(stage.is_over());
    let log = stage.log();
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(
        log[0].contains("complete limb to the link `left-hand`"),
        "{log:?}"
    );
    assert!(stage.fastest("RShoulderPitch") > 0.5 && stage.fastest("LShoulderPitch") > 0.5);
}

// Postures.

static RHand: Actuator = Actuator::named("RHand");
static HeadYaw: Actuator = Actuator::named("HeadYaw");

/// A posture's actuators in an order of its own, with some that are not of the limb.
fn outputs() -> [&'static Actuator; 7] {
    let [pitch, roll, yaw, elbow, wrist] = RArm.actuators();
    [&RHand, wrist, elbow, yaw, roll, pitch, &HeadYaw]
}

/// The values of a posture, by the names of their actuators; others stand at 0.
fn valued(posture: &Posture<7>, name: &str) -> f64 {
    let place = outputs().iter().position(|output| output.name() == name);
    place.map_or(0.0, |place| posture.outputs()[place].value)
}

#[test]
fn a_posture_solves_positions_vectors_turns_and_both() {
    let (robot, mut random) = (Nao::read(), fastrand::Rng::with_seed(8));
    let stage = Rehearsal::alone(nao());
    let mut met = [0; 4];
    for round in 0..200 {
        let values = anywhere(&RArm, &mut random);
        let (place, turn) = (Finger.tip_at(&values), Finger.pose_at(&values).turn);
        let ahead = place + turn.turn(Vec3::X) * (0.05 + random.f64());
        let mut posture = Posture::<7>::new();
        posture.set(0, 0.7);
        posture.set_output(
            6,
            Output {
                value: -0.3,
                weight: 0.5,
            },
        );
        let near = values.map(|value| value + 0.1 * random.f64() - 0.05);
        for (place, joint) in outputs().into_iter().enumerate() {
            if let Some(i) = Finger.place_of(joint) {
                posture.set_output(
                    place,
                    Output {
                        value: near[i],
                        weight: 0.25,
                    },
                );
            }
        }
        let before = posture;
        let wanted = match round % 4 {
            0 => Finger.reach(place),
            1 => Finger.look_at(ahead),
            2 => Finger.toward(Goal::orientation(Finger.limb().end(), turn)),
            _ => Finger.reach(place).turned(turn),
        };
        let found = posture.solve(&outputs(), wanted);
        let frame = robot.frame("right-hand", &|name| valued(&posture, name));
        let should = robot.frame("right-hand", &|name| {
            let place = Finger
                .actuators()
                .iter()
                .position(|actuator| actuator.name() == name);
            place.map_or(0.0, |place| values[place])
        });
        let distance = length(minus(frame.at, should.at));
        // The original goes 0.975 of the way to such a place, so that what it points with misses it.
        let gaze = angle(frame.turn([1.0, 0.0, 0.0]), minus(ahead.into(), frame.at));
        let turned = turned_by(&frame.turn, &should.turn);
        let left = match round % 4 {
            0 => [distance, 0.0],
            1 => [0.0, gaze],
            2 => [0.0, turned],
            _ => [distance, turned],
        };
        assert!((left[0] - found.residual.distance).abs() < 1e-9);
        assert!(
            (left[1] - found.residual.angle).abs() < 1e-6,
            "{left:?} {found:?}"
        );
        met[round % 4] += u32::from(found.is_reached());
        assert_eq!(
            [0, 6].map(|i| posture.outputs()[i]),
            [0, 6].map(|i| before.outputs()[i])
        );
        assert!(
            posture.outputs()[1..6]
                .iter()
                .all(|output| output.weight == 0.25)
        );
    }
    assert!(met.iter().all(|value| *value >= 48), "{met:?} of 50 each");
    drop(stage);
}

#[test]
fn a_posture_uses_what_it_has_and_keeps_what_it_cannot_have() {
    let mut stage = Rehearsal::alone(nao());
    stage.put("RShoulderPitch", 0.4);
    stage.put("RElbowRoll", 1.0);
    let [pitch, roll, yaw, elbow, _] = RArm.actuators();
    let three = [pitch, roll, yaw];
    let mut posture = Posture::<3>::new();
    let found = posture.solve(&three, RArm.reach([0.1, -0.15, 0.05]));
    // What the posture does not have stays where it was sent: the elbow's roll and the wrist.
    assert_eq!(found.values()[3..], [elbow.sent(), 0.0]);
    assert_eq!(posture.outputs().map(|output| output.weight), [1.0; 3]);
    let pose = posture.pose_of(&three, &RArm);
    let left = (pose.point(RArm.limb().tip()) - Vec3::new(0.1, -0.15, 0.05)).length();
    assert!((left - found.residual.distance).abs() < 1e-12);
    // Refused: nothing changes.
    let before = posture;
    posture.solve(&three, RArm.reach([f64::NAN; 3]));
    assert_eq!(posture, before);
}

#[test]
fn a_turn_of_the_test_is_a_turn_of_the_sdk() {
    let (x, z) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let mine = times(about(z, 0.3), about(x, -0.8));
    let turn = Rotation::about(Vec3::Z, 0.3) * Rotation::about(Vec3::X, -0.8);
    for (axis, unit) in [(Vec3::X, 0), (Vec3::Y, 1), (Vec3::Z, 2)] {
        let is: [f64; 3] = turn.turn(axis).into();
        assert!(length(minus(is, [0, 1, 2].map(|row| mine[row][unit]))) < 1e-12);
    }
}
