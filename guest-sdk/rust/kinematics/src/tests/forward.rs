//! Forward kinematics against products of 4x4 matrices; rotations against Rodrigues' formula.

use std::vec;
use std::vec::Vec;

use proptest::prelude::*;

use super::{Dice, NAO, OwnTree, ROBOTS, near};
use crate::{Rotation, Transform, Tree, TreeFault, TreeJoint, TreeLink, Vec3};

type Matrix = [[f64; 4]; 4];

const UNIT: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |row: usize, column: usize| (0..4).map(|i| a[row][i] * b[i][column]).sum();
    [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| entry(row, column)))
}

fn shift(by: Vec3) -> Matrix {
    let mut unit = UNIT;
    (unit[0][3], unit[1][3], unit[2][3]) = (by.x, by.y, by.z);
    unit
}

/// Rodrigues' formula.
fn about(axis: Vec3, angle: f64) -> Matrix {
    let (s, c) = (angle.sin(), angle.cos());
    let [x, y, z]: [f64; 3] = axis.into();
    let t = 1.0 - c;
    [
        [t * x * x + c, t * x * y - s * z, t * x * z + s * y, 0.0],
        [t * x * y + s * z, t * y * y + c, t * y * z - s * x, 0.0],
        [t * x * z - s * y, t * y * z + s * x, t * z * z + c, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

/// The matrix of a quaternion, by its usual formula.
fn of_parts([w, x, y, z]: [f64; 4]) -> Matrix {
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
            0.0,
        ],
        [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
            0.0,
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
            0.0,
        ],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

fn matrix(transform: Transform) -> Matrix {
    product(&shift(transform.at), &of_parts(transform.turn.parts()))
}

fn off(a: &Matrix, b: &Matrix) -> f64 {
    let both = a.iter().flatten().zip(b.iter().flatten());
    both.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// All links, by matrices.
pub(super) fn by_matrices(tree: &Tree<'_>, values: &[f64]) -> Vec<Matrix> {
    let mut all: Vec<Matrix> = Vec::new();
    for link in tree.links {
        let parent = link.parent.map_or(UNIT, |parent| all[usize::from(parent)]);
        let moved = match link.joint {
            None => UNIT,
            Some(joint) => {
                let by = link.ratio * values[usize::from(joint)] + link.offset;
                if link.slides {
                    shift(link.axis * by)
                } else {
                    about(link.axis, by)
                }
            }
        };
        all.push(product(&product(&parent, &matrix(link.origin)), &moved));
    }
    all
}

fn compare(tree: &Tree<'_>, values: &[f64]) -> f64 {
    let mut poses = vec![Transform::NONE; tree.links.len()];
    assert_eq!(tree.place(values, &mut poses), poses.len());
    let all = by_matrices(tree, values);
    let mut worst: f64 = 0.0;
    for (link, pose) in poses.iter().enumerate() {
        worst = worst.max(off(&matrix(*pose), &all[link]));
        let alone = tree.pose(link, values).expect("a link");
        worst = worst.max(off(&matrix(alone), &all[link]));
    }
    worst
}

proptest! {
    #[test]
    fn links_are_where_matrices_place_them(seed: u64) {
        let mut dice = Dice(seed);
        let own = OwnTree::random(&mut dice);
        let values = dice.values(&own.tree());
        prop_assert_eq!(own.tree().fault(), None);
        prop_assert!(compare(&own.tree(), &values) < 1e-13);
    }

    #[test]
    fn robots_are_where_matrices_place_them(seed: u64) {
        let mut dice = Dice(seed);
        for (tree, _) in ROBOTS {
            let values = dice.values(&tree);
            prop_assert!(compare(&tree, &values) < 1e-13);
        }
    }

    #[test]
    fn one_link_is_seen_from_another(seed: u64) {
        let mut dice = Dice(seed);
        let values = dice.values(&NAO);
        let (a, b) = (dice.below(NAO.links.len()), dice.below(NAO.links.len()));
        let way = NAO.pose_from(a, b, &values).expect("links");
        let there = NAO.pose(a, &values).expect("a link") * way;
        prop_assert!(near(there.at, NAO.pose(b, &values).expect("a link").at, 1e-14));
    }

    #[test]
    fn a_rotation_is_its_vector(seed: u64) {
        let mut dice = Dice(seed);
        let axis = dice.axis();
        let angle = dice.between(0.0, 3.1);
        let turned = matrix(Transform::new(Vec3::ZERO, Rotation::about(axis, angle)));
        prop_assert!(off(&turned, &about(axis, angle)) < 1e-14);
        prop_assert!(near(Rotation::about(axis, angle).vector(), axis * angle, 1e-13));
        let [roll, pitch, yaw] = [0; 3].map(|_| dice.between(-3.0, 3.0));
        let fixed = product(&product(&about(Vec3::Z, yaw), &about(Vec3::Y, pitch)), &about(Vec3::X, roll));
        let turn = Rotation::of_angles([roll, pitch, yaw]);
        prop_assert!(off(&of_parts(turn.parts()), &fixed) < 1e-14);
        let back = Transform::new(dice.vector(1.0), turn);
        prop_assert!(near((back.inverse() * back).at, Vec3::ZERO, 1e-15));
    }
}

#[test]
fn small_rotations_keep_all_their_digits() {
    for angle in [0.0, 1e-300, 1e-12, 1e-9, 1e-6] {
        let vector = Rotation::about(Vec3::Y, angle).vector();
        assert!((vector.y - angle).abs() <= 1e-15 * angle, "{angle}");
    }
}

#[test]
fn faults_of_tables_are_found() {
    let joints = [TreeJoint::new("a", -1.0, 1.0)];
    let fault = |link: TreeLink<'_>| {
        let links = [TreeLink::PLAIN, link];
        let tree = Tree {
            links: &links,
            joints: &joints,
        };
        // Nothing panics for it, either.
        let mut poses = [Transform::NONE; 2];
        assert_eq!(tree.place(&[0.5], &mut poses), 2);
        assert!(tree.pose(1, &[0.5]).is_some());
        tree.fault()
    };
    let link = TreeLink {
        parent: Some(0),
        joint: Some(0),
        ..TreeLink::PLAIN
    };
    assert_eq!(fault(link), None);
    let parent = Some(1);
    assert_eq!(
        fault(TreeLink { parent, ..link }),
        Some(TreeFault::Parent(1))
    );
    let joint = Some(1);
    assert_eq!(fault(TreeLink { joint, ..link }), Some(TreeFault::Joint(1)));
    let axis = Vec3::new(0.0, 0.0, 2.0);
    assert_eq!(fault(TreeLink { axis, ..link }), Some(TreeFault::Length(1)));
    let ratio = f64::NAN;
    assert_eq!(
        fault(TreeLink { ratio, ..link }),
        Some(TreeFault::Number(1))
    );
    let mass = -1.0;
    assert_eq!(fault(TreeLink { mass, ..link }), Some(TreeFault::Number(1)));
    for (lowest, highest) in [(1.0, -1.0), (f64::NAN, 1.0), (f64::INFINITY, f64::INFINITY)] {
        let joints = [TreeJoint::new("a", lowest, highest)];
        let tree = Tree {
            links: &[],
            joints: &joints,
        };
        assert_eq!(tree.fault(), Some(TreeFault::Range(0)));
    }
}
