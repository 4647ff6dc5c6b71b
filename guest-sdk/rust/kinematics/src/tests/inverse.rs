//! Inverse kinematics of robots: solutions against their goals, limits, several goals, gazes, planes, directions.

use std::vec::Vec;

use proptest::prelude::*;

use super::{Dice, HEXAPOD, NAO, ROBOTS, SEVEN, SIX, near};
use crate::{Effort, Goal, Limb, LimbFault, Reachability, Rotation, Solution, Tree, Vec3};

/// The values of the whole body with a solution in it. It is within its limits, whatever it is.
fn whole<const N: usize>(tree: &Tree<'_>, start: &[f64], solution: &Solution<N>) -> Vec<f64> {
    let mut values = start.to_vec();
    solution.write(&mut values);
    for (joint, value) in solution.joints() {
        let joint = &tree.joints[joint];
        assert!(
            value >= joint.lowest && value <= joint.highest,
            "{joint:?}: {value}"
        );
    }
    values
}

proptest! {
    /// From anywhere to where a link can be; what is told is true.
    #[test]
    fn points_are_reached(seed: u64) {
        let mut dice = Dice(seed);
        for (tree, name) in ROBOTS {
            let limb = Limb::<8>::to(&tree, name).expect("a limb").with_tip(dice.vector(0.05));
            let (there, start) = (dice.values(&tree), dice.values(&tree));
            let goal = tree.pose(limb.end, &there).expect("a link").point(limb.tip);
            let solution = limb.reach(goal).within(1e-6).thoroughly().from(&start);
            let values = whole(&tree, &start, &solution);
            let found = tree.pose(limb.end, &values).expect("a link").point(limb.tip);
            prop_assert!(((found - goal).length() - solution.residual.distance).abs() < 1e-12);
            // In a corner of all limits, one in some ten thousand is told to be a little out of reach.
            prop_assert!(solution.is_reached() || solution.residual.distance < 0.02, "{name}: {solution:?}");
            prop_assert!(near(found, goal, 1e-6) || !solution.is_reached());
            // What the limb does not have stays where it was.
            for (joint, value) in values.iter().enumerate() {
                prop_assert!(*value == start[joint] || limb.joints().any(|item| item == joint));
            }
        }
    }

    /// Small steps need no other start, and do not jump.
    #[test]
    fn what_is_near_is_reached_nearby(seed: u64) {
        let mut dice = Dice(seed);
        let limb = Limb::<6>::to(&SIX, "tool").expect("an arm");
        let there: Vec<f64> = SIX.joints.iter().map(|_| dice.between(-2.9, 2.9)).collect();
        let start: Vec<f64> = there.iter().map(|value| value + dice.between(-0.05, 0.05)).collect();
        let goal = SIX.pose(limb.end, &there).expect("a link");
        let request = limb.reach(goal.at).turned(goal.turn).nearby().within(1e-5).within_angle(1e-5);
        let solution = request.from(&start);
        let values = whole(&SIX, &start, &solution);
        prop_assert!(solution.is_reached(), "{solution:?}");
        let found = SIX.pose(limb.end, &values).expect("a link");
        prop_assert!(near(found.at, goal.at, 1e-5));
        prop_assert!((found.turn * goal.turn.inverse()).vector().length() < 1.1e-5);
        // Near a singular pose joints go farther than they came.
        prop_assert!(solution.iterations < 60, "{solution:?}");
    }

    #[test]
    fn an_axis_lies_along_a_direction_and_a_point_on_a_plane(seed: u64) {
        let mut dice = Dice(seed);
        let limb = Limb::<8>::to(&SEVEN, "tool").expect("an arm");
        let (there, start) = (dice.values(&SEVEN), dice.values(&SEVEN));
        let pose = SEVEN.pose(limb.end, &there).expect("a link");
        let axis = dice.axis();
        let along = pose.turn.turn(axis);
        let normal = dice.axis();
        let tip = dice.vector(0.1);
        let request = limb
            .request()
            .and(Goal::plane(limb.end, tip, pose.point(tip), normal * 3.0))
            .pointing(axis * 2.0, along * 0.5)
            .thoroughly();
        let solution = request.from(&start);
        prop_assert!(solution.is_reached(), "{solution:?}");
        let found = SEVEN.pose(limb.end, &whole(&SEVEN, &start, &solution)).expect("a link");
        prop_assert!(normal.dot(found.point(tip) - pose.point(tip)).abs() <= 1.0001e-4);
        prop_assert!(found.turn.turn(axis).dot(along) > 0.999_999);
    }

    #[test]
    fn a_head_looks_at_what_it_can_see(seed: u64) {
        let mut dice = Dice(seed);
        // The camera in the forehead looks forwards and a little down.
        let (eye, sight) = ([0.0587, 0.0, 0.0636], [0.9998, 0.0, -0.0209]);
        let head = Limb::<2>::to(&NAO, "head").expect("a head").with_tip(eye).looking_along(sight);
        let (there, start) = (dice.values(&NAO), dice.values(&NAO));
        let pose = NAO.pose(head.end, &there).expect("a head");
        let seen = pose.point(Vec3::from(eye) + Vec3::from(sight).unit() * dice.between(0.05, 3.0));
        let solution = head.look_at(seen).within_angle(1e-6).thoroughly().from(&start);
        prop_assert!(solution.is_reached(), "{solution:?}");
        let found = NAO.pose(head.end, &whole(&NAO, &start, &solution)).expect("a head");
        let (way, axis) = (seen - found.point(eye.into()), found.turn.turn(Vec3::from(sight).unit()));
        prop_assert!(axis.cross(way.unit()).length() < 1.01e-6 && axis.dot(way) > 0.0);
    }

    /// Both hands at once, from one table of the whole body.
    #[test]
    fn two_hands_reach_at_once(seed: u64) {
        let mut dice = Dice(seed);
        let hands = ["left-hand", "right-hand"].map(|text| NAO.link(text).expect("a hand"));
        let arms = Limb::<10>::of(&NAO, &hands).expect("two arms");
        prop_assert_eq!(arms.joints().len(), 10);
        let (there, start) = (dice.values(&NAO), dice.values(&NAO));
        let goals = hands.map(|hand| NAO.pose(hand, &there).expect("a hand").at);
        let request = arms.request().and(Goal::point(hands[0], goals[0])).and(Goal::point(hands[1], goals[1]));
        let solution = request.thoroughly().from(&start);
        prop_assert!(solution.is_reached(), "{solution:?}");
        let values = whole(&NAO, &start, &solution);
        for (hand, goal) in hands.iter().zip(goals) {
            prop_assert!(near(NAO.pose(*hand, &values).expect("a hand").at, goal, 1e-4));
        }
    }
}

#[test]
fn no_point_of_these_is_told_to_be_out_of_reach() {
    let mut dice = Dice(3);
    for (tree, name) in ROBOTS {
        let limb = Limb::<8>::to(&tree, name).expect("a limb");
        for _ in 0..500 {
            let (there, start) = (dice.values(&tree), dice.values(&tree));
            let goal = tree.pose(limb.end, &there).expect("a link").at;
            let solution = limb.reach(goal).from(&start);
            assert!(solution.is_reached(), "{name}: {goal:?} {solution:?}");
        }
    }
}

/// Anywhere, with all six numbers: nearly all are found at once, all with more starts. The share is what it was
/// measured to be, with some room.
#[test]
fn whole_poses_are_found_from_one_start() {
    for (tree, name) in [(SIX, "tool"), (SEVEN, "tool")] {
        let limb = Limb::<8>::to(&tree, name).expect("an arm");
        let mut dice = Dice(5);
        let ranges = tree.joints.iter();
        let start: Vec<f64> = ranges
            .map(|range| 0.4 * range.lowest + 0.6 * range.highest)
            .collect();
        let mut found = 0;
        for _ in 0..100 {
            let goal = tree.pose(limb.end, &dice.values(&tree)).expect("a link");
            let request = limb.reach(goal.at).turned(goal.turn);
            found += u32::from(request.from(&start).is_reached());
            let solution = request.thoroughly().from(&start);
            whole(&tree, &start, &solution);
            assert!(solution.is_reached(), "{name}: {goal:?} {solution:?}");
        }
        assert!(found >= 90, "{name}: {found}");
    }
}

#[test]
fn a_joint_that_is_held_stays() {
    let limb = Limb::<5>::to(&NAO, "left-hand").expect("an arm");
    let elbow = NAO.joint("LElbowRoll").expect("a joint");
    let held = limb.clone().holding(elbow);
    let mut start = [0.0; 23];
    start[elbow] = -1.0;
    let goal = [0.1, 0.15, 0.15];
    assert!(limb.reach(goal).from(&start).is_reached());
    let solution = held.reach(goal).from(&start);
    assert_eq!(solution.end, Reachability::Closest);
    assert!(solution.joints().any(|joint| joint == (elbow, -1.0)));
}

#[test]
fn weights_decide_where_not_all_can_be_met() {
    let limb = Limb::<3>::to(&HEXAPOD, "LFront-tibia")
        .expect("a leg")
        .with_tip([0.12, 0.0, 0.0]);
    let goal = |at: [f64; 3], weight| Goal::point_of(limb.end, limb.tip, at).weighing(weight);
    let (left, right) = ([0.16, 0.16, -0.08], [0.16, 0.14, -0.08]);
    for (weights, expected) in [([1.0, 1.0], 0.15), ([3.0, 1.0], 0.155), ([1.0, 0.0], 0.16)] {
        let request = limb
            .request()
            .and(goal(left, weights[0]))
            .and(goal(right, weights[1]));
        let mut values = [0.3; 18];
        let solution = request
            .effort(Effort {
                within: 1e-9,
                ..Effort::USUAL
            })
            .from(&values);
        solution.write(&mut values);
        let tip = HEXAPOD
            .pose(limb.end, &values)
            .expect("a leg")
            .point(limb.tip);
        assert!(
            near(tip, [0.16, expected, -0.08].into(), 1e-6),
            "{weights:?}: {tip:?} {solution:?}"
        );
        assert_eq!(solution.end, Reachability::Closest);
    }
}

#[test]
fn limbs_are_made_of_what_moves_their_links() {
    let arm = Limb::<5>::to(&NAO, "left-hand").expect("an arm");
    let names: Vec<&str> = arm.joints().map(|joint| NAO.joints[joint].name).collect();
    let expected = [
        "LShoulderPitch",
        "LShoulderRoll",
        "LElbowYaw",
        "LElbowRoll",
        "LWristYaw",
    ];
    assert_eq!(names, expected);
    assert!((arm.span() - (0.105f64.hypot(0.015) + 0.05595)).abs() < 1e-12);
    assert_eq!(
        Limb::<4>::to(&NAO, "left-hand").err(),
        Some(LimbFault::TooMany(5))
    );
    assert_eq!(Limb::<4>::to(&NAO, "torso").err(), Some(LimbFault::Stiff));
    assert_eq!(
        Limb::<4>::to(&NAO, "wing").err(),
        Some(LimbFault::NoSuchLink)
    );
    assert_eq!(Limb::<4>::of(&NAO, &[]).err(), Some(LimbFault::NoSuchLink));
    assert_eq!(
        Limb::<4>::of(&NAO, &[999]).err(),
        Some(LimbFault::NoSuchLink)
    );
    // Both legs hang on one joint at the hips.
    let feet = ["left-foot", "right-foot"].map(|text| NAO.link(text).expect("a foot"));
    let legs = Limb::<12>::of(&NAO, &feet).expect("two legs");
    assert_eq!(legs.joints().len(), 11);
}

#[test]
fn an_axis_that_is_opposite_turns_round() {
    let limb = Limb::<8>::to(&SEVEN, "tool").expect("an arm");
    let start = [0.0, 0.3, 0.0, -1.5, 0.0, 1.8, 0.5, 0.0];
    let pose = SEVEN.pose(limb.end, &start).expect("a link");
    let back = -pose.turn.turn(Vec3::Z);
    let solution = limb.request().pointing(Vec3::Z, back).from(&start);
    assert!(solution.is_reached(), "{solution:?}");
    let turned = pose.turn * Rotation::about(Vec3::X, core::f64::consts::PI);
    let solution = limb.request().turned(turned).from(&start);
    assert!(solution.is_reached(), "{solution:?}");
}
