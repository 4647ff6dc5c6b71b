//! Jacobians and the gradients of goals against differences; the centre of mass against its sum.

use std::vec;
use std::vec::Vec;

use proptest::prelude::*;

use super::forward::by_matrices;
use super::{Dice, NAO, OwnTree, near};
use crate::solver::Solver;
use crate::{Effort, Goal, Limb, Transform, Tree, Twist, Vec3};

/// A step of differences: its square is small beside what is compared, and rounding is small beside it.
const STEP: f64 = 1e-5;

/// What changes for each unit of a joint.
fn difference<T>(values: &[f64], joint: usize, of: impl Fn(&[f64]) -> T) -> [T; 2] {
    [-STEP, STEP].map(|by| {
        let mut values = values.to_vec();
        values[joint] += by;
        of(&values)
    })
}

fn placed(tree: &Tree<'_>, values: &[f64]) -> Vec<Transform> {
    let mut poses = vec![Transform::NONE; tree.links.len()];
    tree.place(values, &mut poses);
    poses
}

proptest! {
    #[test]
    fn jacobians_are_differences(seed: u64) {
        let mut dice = Dice(seed);
        let own = OwnTree::random(&mut dice);
        let tree = own.tree();
        let values = dice.values(&tree);
        let (link, point) = (tree.links.len() - 1, dice.vector(0.3));
        let poses = placed(&tree, &values);
        let mut columns = vec![Twist::default(); tree.joints.len()];
        prop_assert!(tree.jacobian(link, point, &poses, &mut columns));
        let mut centres = vec![Vec3::ZERO; tree.joints.len()];
        let has_mass = tree.centre_jacobian(&poses, &mut centres);
        prop_assert_eq!(has_mass, tree.mass() > 0.0);
        for (joint, column) in columns.iter().enumerate() {
            let pose = |values: &[f64]| tree.pose(link, values).expect("a link");
            let [before, after] = difference(&values, joint, pose);
            let shift = (after.point(point) - before.point(point)) * (0.5 / STEP);
            let turn = (after.turn * before.turn.inverse()).vector() * (0.5 / STEP);
            prop_assert!(near(column.shift, shift, 1e-8), "{column:?} {shift:?}");
            prop_assert!(near(column.turn, turn, 1e-8), "{column:?} {turn:?}");
            if has_mass {
                let centre = |values: &[f64]| tree.centre(&placed(&tree, values)).expect("a mass");
                let [before, after] = difference(&values, joint, centre);
                prop_assert!(near(centres[joint], (after - before) * (0.5 / STEP), 1e-8));
            }
        }
    }

    #[test]
    fn the_centre_is_the_sum_of_the_masses(seed: u64) {
        let mut dice = Dice(seed);
        let values = dice.values(&NAO);
        let all = by_matrices(&NAO, &values);
        let mut sum = [0.0; 3];
        for (link, pose) in NAO.links.iter().zip(&all) {
            let [x, y, z]: [f64; 3] = link.centre.into();
            for (row, sum) in sum.iter_mut().enumerate() {
                *sum += link.mass * (pose[row][0] * x + pose[row][1] * y + pose[row][2] * z + pose[row][3]);
            }
        }
        let expected = Vec3::from(sum) * (1.0 / NAO.mass());
        prop_assert!(near(NAO.centre(&placed(&NAO, &values)).expect("a mass"), expected, 1e-15));
    }

    /// Far from a goal as well, for every kind.
    #[test]
    fn the_cost_of_every_goal_falls_along_its_gradient(seed: u64) {
        let mut dice = Dice(seed);
        let own = OwnTree::random(&mut dice);
        let tree = own.tree();
        let link = tree.links.len() - 1;
        let Ok(limb) = Limb::<12>::of(&tree, &[link]) else {
            return Ok(()); // nothing moves it
        };
        let goals = [
            Goal::point_of(link, dice.vector(0.3), dice.vector(1.0)),
            Goal::plane(link, dice.vector(0.3), dice.vector(1.0), dice.axis()),
            Goal::direction(link, dice.axis(), dice.axis()),
            Goal::orientation(link, dice.turn()),
            Goal::gaze(link, dice.vector(0.3), dice.axis(), dice.vector(2.0)),
        ];
        let values = dice.values(&tree);
        let mut start = [0.0; 12];
        for (value, joint) in start.iter_mut().zip(limb.joints()) {
            *value = values[joint];
        }
        for goal in goals {
            let mount = limb.mount(link).expect("it moves");
            let goals = [goal.weighing(0.7).hung(mount, 0.6)];
            let solver = Solver {
                limb: &limb,
                goals: &goals,
                effort: Effort::USUAL,
                low: [-9.0; 12],
                high: [9.0; 12],
                used: 0,
                ceiling: 1,
            };
            let stand = solver.measure(start);
            // The cost has an edge where an axis is opposite to where it should be.
            if stand.residual.angle > 3.0 {
                continue;
            }
            let form = solver.form(&stand, false);
            for column in 0..limb.joints().len() {
                let cost = |values: &[f64]| solver.measure(values.try_into().expect("as many")).cost;
                let [before, after] = difference(&start, column, cost);
                let expected = (before - after) * (0.5 / STEP);
                let error = (form.gradient[column] - expected).abs();
                prop_assert!(error < 1e-6 * (1.0 + expected.abs()), "{goal:?}: {error:e}");
            }
        }
    }

    /// With the curvature, the form of a point is the whole second derivative.
    #[test]
    fn the_form_of_a_point_has_its_curvature(seed: u64) {
        let mut dice = Dice(seed);
        let (tree, name) = super::ROBOTS[dice.below(4)];
        let limb = Limb::<8>::to(&tree, name).expect("a limb");
        let mount = limb.mount(limb.end).expect("it moves");
        let goals = [Goal::point(limb.end, dice.vector(0.5)).hung(mount, 1.0)];
        let solver = Solver {
            limb: &limb,
            goals: &goals,
            effort: Effort::USUAL,
            low: [-9.0; 8],
            high: [9.0; 8],
            used: 0,
                ceiling: 1,
        };
        let values = dice.values(&tree);
        let mut start = [0.0; 8];
        for (value, joint) in start.iter_mut().zip(limb.joints()) {
            *value = values[joint];
        }
        let form = solver.form(&solver.measure(start), true);
        for column in 0..limb.joints().len() {
            let gradient = |values: &[f64]| {
                let stand = solver.measure(values.try_into().expect("as many"));
                solver.form(&stand, false).gradient
            };
            let [before, after] = difference(&start, column, gradient);
            for other in 0..=column {
                let expected = (before[other] - after[other]) * (0.5 / STEP);
                prop_assert!((form.matrix[column][other] - expected).abs() < 1e-8);
            }
        }
    }
}
