//! The table of a hexapod, of its description `runtime/description/robots/hexapod.toml`.
//! Made by `make.sh` with `dcm-run config links`; for tests and benches, and to be copied.

// The compiler would have an angle of a description replaced by the constant that it is near to.
#![allow(
    clippy::approx_constant,
    reason = "a description's numbers are its own"
)]

use kinematics::{Rotation, Transform, Tree, TreeJoint, TreeLink, Vec3};

pub(crate) const HEXAPOD: Tree<'static> = Tree {
    links: HEXAPOD_LINKS,
    joints: HEXAPOD_JOINTS,
};

const _: () = assert!(HEXAPOD.fault().is_none());

const HEXAPOD_JOINTS: &[TreeJoint<'static>] = &[
    TreeJoint::new("LFrontCoxa", -0.7853981633974483, 0.7853981633974483),
    TreeJoint::new("LFrontFemur", -1.5707963267948966, 1.5707963267948966),
    TreeJoint::new("LFrontTibia", -2.2689280275926285, 0.3490658503988659),
    TreeJoint::new("LMiddleCoxa", -0.7853981633974483, 0.7853981633974483),
    TreeJoint::new("LMiddleFemur", -1.5707963267948966, 1.5707963267948966),
    TreeJoint::new("LMiddleTibia", -2.2689280275926285, 0.3490658503988659),
    TreeJoint::new("LRearCoxa", -0.7853981633974483, 0.7853981633974483),
    TreeJoint::new("LRearFemur", -1.5707963267948966, 1.5707963267948966),
    TreeJoint::new("LRearTibia", -2.2689280275926285, 0.3490658503988659),
    TreeJoint::new("RFrontCoxa", -0.7853981633974483, 0.7853981633974483),
    TreeJoint::new("RFrontFemur", -1.5707963267948966, 1.5707963267948966),
    TreeJoint::new("RFrontTibia", -2.2689280275926285, 0.3490658503988659),
    TreeJoint::new("RMiddleCoxa", -0.7853981633974483, 0.7853981633974483),
    TreeJoint::new("RMiddleFemur", -1.5707963267948966, 1.5707963267948966),
    TreeJoint::new("RMiddleTibia", -2.2689280275926285, 0.3490658503988659),
    TreeJoint::new("RRearCoxa", -0.7853981633974483, 0.7853981633974483),
    TreeJoint::new("RRearFemur", -1.5707963267948966, 1.5707963267948966),
    TreeJoint::new("RRearTibia", -2.2689280275926285, 0.3490658503988659),
];

const HEXAPOD_LINKS: &[TreeLink<'static>] = &[
    TreeLink {
        name: "trunk",
        mass: 1.1,
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "LFront-coxa",
        parent: Some(0),
        joint: Some(0),
        origin: Transform::new(
            Vec3::new(0.08, 0.06, 0.0),
            Rotation::of_parts([0.9238795255076916, 0.0, 0.0, 0.3826834492732639]),
        ),
        mass: 0.06,
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "LFront-femur",
        parent: Some(1),
        joint: Some(1),
        origin: Transform::shift(0.04, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.1,
        centre: Vec3::new(0.035, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "LFront-tibia",
        parent: Some(2),
        joint: Some(2),
        origin: Transform::shift(0.07, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.06,
        centre: Vec3::new(0.05, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "LMiddle-coxa",
        parent: Some(0),
        joint: Some(3),
        origin: Transform::new(
            Vec3::new(0.0, 0.08, 0.0),
            Rotation::of_parts([0.707106790659974, 0.0, 0.0, 0.707106771713121]),
        ),
        mass: 0.06,
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "LMiddle-femur",
        parent: Some(4),
        joint: Some(4),
        origin: Transform::shift(0.04, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.1,
        centre: Vec3::new(0.035, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "LMiddle-tibia",
        parent: Some(5),
        joint: Some(5),
        origin: Transform::shift(0.07, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.06,
        centre: Vec3::new(0.05, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "LRear-coxa",
        parent: Some(0),
        joint: Some(6),
        origin: Transform::new(
            Vec3::new(-0.08, 0.06, 0.0),
            Rotation::of_parts([0.3826834278345439, 0.0, 0.0, 0.9238795343879003]),
        ),
        mass: 0.06,
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "LRear-femur",
        parent: Some(7),
        joint: Some(7),
        origin: Transform::shift(0.04, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.1,
        centre: Vec3::new(0.035, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "LRear-tibia",
        parent: Some(8),
        joint: Some(8),
        origin: Transform::shift(0.07, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.06,
        centre: Vec3::new(0.05, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "RFront-coxa",
        parent: Some(0),
        joint: Some(9),
        origin: Transform::new(
            Vec3::new(0.08, -0.06, 0.0),
            Rotation::of_parts([0.9238795255076916, 0.0, 0.0, -0.3826834492732639]),
        ),
        mass: 0.06,
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "RFront-femur",
        parent: Some(10),
        joint: Some(10),
        origin: Transform::shift(0.04, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.1,
        centre: Vec3::new(0.035, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "RFront-tibia",
        parent: Some(11),
        joint: Some(11),
        origin: Transform::shift(0.07, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.06,
        centre: Vec3::new(0.05, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "RMiddle-coxa",
        parent: Some(0),
        joint: Some(12),
        origin: Transform::new(
            Vec3::new(0.0, -0.08, 0.0),
            Rotation::of_parts([0.707106790659974, 0.0, 0.0, -0.707106771713121]),
        ),
        mass: 0.06,
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "RMiddle-femur",
        parent: Some(13),
        joint: Some(13),
        origin: Transform::shift(0.04, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.1,
        centre: Vec3::new(0.035, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "RMiddle-tibia",
        parent: Some(14),
        joint: Some(14),
        origin: Transform::shift(0.07, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.06,
        centre: Vec3::new(0.05, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "RRear-coxa",
        parent: Some(0),
        joint: Some(15),
        origin: Transform::new(
            Vec3::new(-0.08, -0.06, 0.0),
            Rotation::of_parts([0.3826834278345439, 0.0, 0.0, -0.9238795343879003]),
        ),
        mass: 0.06,
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "RRear-femur",
        parent: Some(16),
        joint: Some(16),
        origin: Transform::shift(0.04, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.1,
        centre: Vec3::new(0.035, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "RRear-tibia",
        parent: Some(17),
        joint: Some(17),
        origin: Transform::shift(0.07, 0.0, 0.0),
        axis: Vec3::new(0.0, -1.0, 0.0),
        mass: 0.06,
        centre: Vec3::new(0.05, 0.0, 0.0),
        ..TreeLink::PLAIN
    },
];
