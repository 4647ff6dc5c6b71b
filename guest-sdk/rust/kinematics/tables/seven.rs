//! The table of an arm of seven joints and a gripper, with the lengths of the Panda.
//! Made by `make.sh` with `dcm-run config links`; for tests and benches, and to be copied.

// The compiler would have an angle of a description replaced by the constant that it is near to.
#![allow(
    clippy::approx_constant,
    reason = "a description's numbers are its own"
)]

use kinematics::{Rotation, Transform, Tree, TreeJoint, TreeLink, Vec3};

pub(crate) const SEVEN: Tree<'static> = Tree {
    links: SEVEN_LINKS,
    joints: SEVEN_JOINTS,
};

const _: () = assert!(SEVEN.fault().is_none());

const SEVEN_JOINTS: &[TreeJoint<'static>] = &[
    TreeJoint::new("joint1", -2.8973, 2.8973),
    TreeJoint::new("joint2", -1.7628, 1.7628),
    TreeJoint::new("joint3", -2.8973, 2.8973),
    TreeJoint::new("joint4", -3.0718, -0.0698),
    TreeJoint::new("joint5", -2.8973, 2.8973),
    TreeJoint::new("joint6", -0.0175, 3.7525),
    TreeJoint::new("joint7", -2.8973, 2.8973),
    TreeJoint::new("finger", 0.0, 0.04),
];

const SEVEN_LINKS: &[TreeLink<'static>] = &[
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
        origin: Transform::shift(0.0, 0.0, 0.333),
        mass: 4.97,
        centre: Vec3::new(0.004, 0.002, -0.05),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link2",
        parent: Some(1),
        joint: Some(1),
        origin: Transform::new(
            Vec3::ZERO,
            Rotation::of_parts([0.7071068967259818, -0.7071066656470943, 0.0, 0.0]),
        ),
        mass: 0.65,
        centre: Vec3::new(-0.003, -0.03, 0.003),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link3",
        parent: Some(2),
        joint: Some(2),
        origin: Transform::new(
            Vec3::new(0.0, -0.316, 0.0),
            Rotation::of_parts([0.7071068967259818, 0.7071066656470943, 0.0, 0.0]),
        ),
        mass: 3.23,
        centre: Vec3::new(0.03, 0.04, -0.07),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link4",
        parent: Some(3),
        joint: Some(3),
        origin: Transform::new(
            Vec3::new(0.0825, 0.0, 0.0),
            Rotation::of_parts([0.7071068967259818, 0.7071066656470943, 0.0, 0.0]),
        ),
        mass: 3.59,
        centre: Vec3::new(-0.05, 0.1, 0.03),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link5",
        parent: Some(4),
        joint: Some(4),
        origin: Transform::new(
            Vec3::new(-0.0825, 0.384, 0.0),
            Rotation::of_parts([0.7071068967259818, -0.7071066656470943, 0.0, 0.0]),
        ),
        mass: 1.23,
        centre: Vec3::new(-0.01, 0.04, -0.04),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link6",
        parent: Some(5),
        joint: Some(5),
        origin: Transform::new(
            Vec3::ZERO,
            Rotation::of_parts([0.7071068967259818, 0.7071066656470943, 0.0, 0.0]),
        ),
        mass: 1.67,
        centre: Vec3::new(0.06, -0.014, -0.01),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "link7",
        parent: Some(6),
        joint: Some(6),
        origin: Transform::new(
            Vec3::new(0.088, 0.0, 0.0),
            Rotation::of_parts([0.7071068967259818, 0.7071066656470943, 0.0, 0.0]),
        ),
        mass: 0.74,
        centre: Vec3::new(0.01, -0.004, 0.06),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "tool",
        parent: Some(7),
        origin: Transform::shift(0.0, 0.0, 0.107),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-finger",
        parent: Some(8),
        joint: Some(7),
        origin: Transform::new(
            Vec3::new(0.0, 0.0, 0.0584),
            Rotation::of_parts([0.9238795255076916, 0.0, 0.0, -0.3826834492732639]),
        ),
        axis: Vec3::Y,
        slides: true,
        mass: 0.015,
        centre: Vec3::new(0.0, 0.015, 0.03),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-finger",
        parent: Some(8),
        joint: Some(7),
        origin: Transform::new(
            Vec3::new(0.0, 0.0, 0.0584),
            Rotation::of_parts([0.9238795255076916, 0.0, 0.0, -0.3826834492732639]),
        ),
        axis: Vec3::new(0.0, -1.0, 0.0),
        slides: true,
        ratio: 1.1,
        offset: 0.002,
        mass: 0.015,
        centre: Vec3::new(0.0, -0.015, 0.03),
    },
];
