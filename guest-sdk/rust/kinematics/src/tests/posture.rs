//! What goals leave free: the posture against closed forms and against the condition of the nearest point.

use std::vec::Vec;

use proptest::prelude::*;

use super::{Dice, OwnTree, SEVEN};
use crate::{Effort, Limb, Transform, TreeJoint, Twist, Vec3};

const TIGHT: Effort = Effort {
    within: 1e-6,
    within_angle: 1e-6,
    ..Effort::USUAL
};

/// Three joints and a height: with a straight chain preferred, the rest is as straight as the goal lets it be.
#[test]
fn a_plane_leaves_a_chain_free_to_be_straight() {
    let own = OwnTree::planar(&[0.3, 0.3, 0.3], 3.0);
    let tree = own.tree();
    let limb = Limb::<3>::to(&tree, "tip").expect("a chain");
    let goal = crate::Goal::plane(limb.end, Vec3::ZERO, [0.0, 0.3, 0.0], Vec3::Y);
    let request = limb.request().and(goal).prefer(&[0.0; 3]).effort(TIGHT);
    let solution = request.from(&[1.0, -1.5, 0.9]);
    assert!(solution.is_reached());
    // The nearest point to zero, by a fine search: Σ q² over 0.3 (sin a + sin(a + b) + sin(a + b + c)) = 0.3.
    let mut least = f64::INFINITY;
    for first in -400..=400 {
        for second in -400..=400 {
            let (a, b) = (f64::from(first) * 0.0025, f64::from(second) * 0.0025);
            let sine = 1.0 - a.sin() - (a + b).sin();
            if sine.abs() <= 1.0 {
                let c = sine.asin() - a - b;
                least = least.min(a * a + b * b + c * c);
            }
        }
    }
    let found: f64 = solution.values().iter().map(|value| value * value).sum();
    assert!(found < least + 1e-4, "{found} {least}: {solution:?}");
}

proptest! {
    /// Where it ends, no movement that keeps the goal leads towards the posture.
    #[test]
    fn seven_joints_come_as_near_to_a_posture_as_the_goal_lets_them(seed: u64) {
        let mut dice = Dice(seed);
        let limb = Limb::<8>::to(&SEVEN, "tool").expect("an arm");
        // In the middle of the ranges, so that no limit is met.
        let middle: [f64; 8] = core::array::from_fn(|i| 0.5 * (SEVEN.joints[i].lowest + SEVEN.joints[i].highest));
        let there = middle.map(|middle| middle + dice.between(-0.3, 0.3));
        let start = middle.map(|middle| middle + dice.between(-0.3, 0.3));
        let goal = SEVEN.pose(limb.end, &there).expect("a link");
        let request = limb.reach(goal.at).turned(goal.turn).effort(TIGHT);
        let plain = request.from(&start);
        let solution = request.prefer(&middle).from(&start);
        prop_assert!(solution.is_reached() && plain.is_reached());
        let off = |values: &[f64]| -> f64 {
            values.iter().zip(middle).map(|(a, b)| (a - b) * (a - b)).sum()
        };
        prop_assert!(off(solution.values()) <= off(plain.values()) + 1e-9);
        // The one direction that keeps the tool where it is: the null space of its Jacobian.
        let mut values = start;
        solution.write(&mut values);
        let mut poses = [Transform::NONE; 11];
        SEVEN.place(&values, &mut poses);
        let mut columns = [Twist::default(); 8];
        prop_assert!(SEVEN.jacobian(limb.end, Vec3::ZERO, &poses, &mut columns));
        let free = null(&columns[..7]);
        let towards: f64 = free.iter().enumerate().map(|(i, by)| by * (middle[i] - values[i])).sum();
        let mut each = values[..7].iter().zip(SEVEN.joints);
        let touches = each.any(|(value, joint)| *value <= joint.lowest || *value >= joint.highest);
        prop_assert!(towards.abs() < 2e-3 || touches, "{towards:e} {solution:?}");
    }
}

/// The direction that moves nothing: by elimination with the largest pivots.
fn null(columns: &[Twist]) -> [f64; 7] {
    let mut rows = [[0.0; 7]; 6];
    for (place, twist) in columns.iter().enumerate() {
        let all = [
            twist.shift.x,
            twist.shift.y,
            twist.shift.z,
            twist.turn.x,
            twist.turn.y,
            twist.turn.z,
        ];
        for (row, value) in rows.iter_mut().zip(all) {
            row[place] = value;
        }
    }
    let mut order = [0, 1, 2, 3, 4, 5, 6];
    for pivot in 0..6 {
        let entries = (pivot..6).flat_map(|row| (pivot..7).map(move |column| (row, column)));
        let size = |pair: &(usize, usize)| rows[pair.0][order[pair.1]].abs();
        let (row, column) = entries
            .max_by(|a, b| size(a).total_cmp(&size(b)))
            .expect("entries");
        rows.swap(pivot, row);
        order.swap(pivot, column);
        let own = rows[pivot];
        for row in (0..6).filter(|i| *i != pivot) {
            let factor = rows[row][order[pivot]] / own[order[pivot]];
            for (value, other) in rows[row].iter_mut().zip(own) {
                *value -= factor * other;
            }
        }
    }
    let mut free = [0.0; 7];
    free[order[6]] = 1.0;
    for pivot in 0..6 {
        free[order[pivot]] = -rows[pivot][order[6]] / rows[pivot][order[pivot]];
    }
    let length = free.iter().map(|value| value * value).sum::<f64>().sqrt();
    free.map(|value| value / length)
}

#[test]
fn weights_say_which_joint_keeps_its_place() {
    let own = OwnTree::planar(&[0.2, 0.2, 0.2, 0.2], 3.0);
    let tree = own.tree();
    let limb = Limb::<4>::to(&tree, "tip").expect("a chain");
    let posture = [0.3, 0.3, 0.3, 0.3];
    let goal = [0.5, 0.3, 0.0];
    let off = |weights: &[f64]| {
        let request = limb.reach(goal).prefer_by(&posture, weights).effort(TIGHT);
        let solution = request.from(&[0.9, -0.5, 0.4, -0.6]);
        assert!(solution.is_reached());
        core::array::from_fn::<f64, 4, _>(|value| (solution.values()[value] - 0.3).abs())
    };
    let (first, last) = (off(&[1.0, 0.01, 0.01, 0.01]), off(&[0.01, 0.01, 0.01, 1.0]));
    assert!(first[0] < 0.02 && last[3] < 0.02, "{first:?} {last:?}");
    assert!(first[3] > 0.02 || last[0] > 0.02, "{first:?} {last:?}");
    // A weight of nothing is no wish.
    let none = off(&[0.0; 4]);
    let request = limb.reach(goal).effort(TIGHT);
    let plain = request.from(&[0.9, -0.5, 0.4, -0.6]);
    assert!((none[0] - (plain.values()[0] - 0.3).abs()).abs() < 1e-12);
}

/// How much of the way to a posture is left that keeps the tip where it is: joints that stand at a limit stay there.
fn way_left<const N: usize>(limb: &Limb<'_, N>, values: &[f64], posture: &[f64]) -> f64 {
    let tree = &limb.tree;
    let mut poses = [Transform::NONE; 32];
    let poses = &mut poses[..tree.links.len()];
    tree.place(values, poses);
    let mut columns = [Twist::default(); 32];
    let columns = &mut columns[..tree.joints.len()];
    assert!(tree.jacobian(limb.end, limb.tip, poses, columns));
    let is_free = |joint: &usize| {
        let TreeJoint {
            lowest, highest, ..
        } = tree.joints[*joint];
        (lowest + 1e-9..highest - 1e-9).contains(&values[*joint])
    };
    let free: Vec<usize> = limb.joints().filter(is_free).collect();
    let mut way: Vec<f64> = free.iter().map(|i| posture[*i] - values[*i]).collect();
    // What the rows of the Jacobian span is no way: they are made orthogonal, one after another.
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let mut row: Vec<f64> = free.iter().map(|i| columns[*i].shift.dot(axis)).collect();
        rows.iter().for_each(|item| take_away(&mut row, item));
        let length = dot(&row, &row).sqrt();
        if length > 1e-6 {
            row.iter_mut().for_each(|value| *value /= length);
            rows.push(row);
        }
    }
    rows.iter().for_each(|row| take_away(&mut way, row));
    dot(&way, &way).sqrt()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Takes away what lies along a direction.
fn take_away(from: &mut [f64], along: &[f64]) {
    let by = dot(from, along);
    from.iter_mut()
        .zip(along)
        .for_each(|(value, other)| *value -= by * other);
}

/// From anywhere to postures that may be far away: nearly all end where nothing is left to do.
#[test]
fn a_posture_far_away_is_come_near_to() {
    for (tree, link) in super::ROBOTS {
        let limb = Limb::<8>::to(&tree, link).expect("a limb");
        for (iterations, most) in [(100, 130), (1000, 25)] {
            let mut dice = Dice(1);
            let (mut early, mut reached) = (0, 0);
            for _ in 0..1000 {
                let [there, start, posture] = [(); 3].map(|()| dice.values(&tree));
                let goal = tree.pose(limb.end, &there).expect("a link");
                let effort = Effort {
                    iterations,
                    ..Effort::USUAL
                };
                let request = limb.reach(goal.point(limb.tip)).effort(effort);
                let solution = request.prefer(&posture).from(&start);
                let mut values = start;
                solution.write(&mut values);
                reached += u32::from(solution.is_reached());
                early +=
                    u32::from(solution.is_reached() && way_left(&limb, &values, &posture) > 0.05);
            }
            assert!(reached > 990, "{link}: {reached}");
            assert!(early <= most, "{link}, {iterations} steps: {early}");
        }
    }
}
