//! The table of an arm of six joints, with the lengths of the UR5.
//! Made by `make.sh` with `dcm-run config links`; for tests and benches, and to be copied.

// The compiler would have an angle of a description replaced by the constant that it is near to.
#![allow(
    clippy::approx_constant,
    reason = "a description's numbers are its own"
)]

use kinematics::{Rotation, Transform, Tree, TreeJoint, TreeLink, Vec3};

pub(crate) const SIX: Tree<'static> = Tree {
    links: SIX_LINKS,
    joints: SIX_JOINTS,
};

const _: () = assert!(SIX.fault().is_none());

const SIX_JOINTS: &[TreeJoint<'static>] = &[
    TreeJoint::new("joint1", -6.283185, 6.283185),
    TreeJoint::new("joint2", -6.283185, 6.283185),
    TreeJoint::new("joint3", -3.141593, 3.141593),
    TreeJoint::new("joint4", -6.283185, 6.283185),
    TreeJoint::new("joint5", -6.283185, 6.283185),
    TreeJoint::new("joint6", -6.283185, 6.283185),
];

const SIX_LINKS: &[TreeLink<'static>] = &[
    TreeLink {
        name: "base",
        mass: 4.0,
        centre: Vec3::new(0.0, 0.0, 0.05),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link1",
        parent: Some(0),
        joint: Some(0),
        mass: 3.7,
        centre: Vec3::new(0.0, -0.02561, 0.00193),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link2",
        parent: Some(1),
        joint: Some(1),
        origin: Transform::new(
            Vec3::new(0.0, 0.0, 0.089159),
            Rotation::of_parts([0.7071068967259818, 0.7071066656470943, 0.0, 0.0]),
        ),
        mass: 8.393,
        centre: Vec3::new(0.2125, 0.0, 0.11336),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link3",
        parent: Some(2),
        joint: Some(2),
        origin: Transform::shift(-0.425, 0.0, 0.0),
        mass: 2.275,
        centre: Vec3::new(0.15, 0.0, 0.0265),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link4",
        parent: Some(3),
        joint: Some(3),
        origin: Transform::shift(-0.39225, 0.0, 0.0),
        mass: 1.219,
        centre: Vec3::new(0.0, -0.0018, 0.01634),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link5",
        parent: Some(4),
        joint: Some(4),
        origin: Transform::new(
            Vec3::new(0.0, 0.0, 0.10915),
            Rotation::of_parts([0.7071068967259818, 0.7071066656470943, 0.0, 0.0]),
        ),
        mass: 1.219,
        centre: Vec3::new(0.0, 0.0018, 0.01634),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link6",
        parent: Some(5),
        joint: Some(5),
        origin: Transform::new(
            Vec3::new(0.0, 0.0, 0.09465),
            Rotation::of_parts([0.7071068967259818, -0.7071066656470943, 0.0, 0.0]),
        ),
        mass: 0.1879,
        centre: Vec3::new(0.0, 0.0, -0.001159),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "tool",
        parent: Some(6),
        origin: Transform::shift(0.0, 0.0, 0.0823),
        ..TreeLink::PLAIN
    },
];
