//! The table of a NAO, of its description `runtime/description/robots/nao.toml`.
//! Made by `make.sh` with `dcm-run config links`; for tests and benches, and to be copied.

// The compiler would have an angle of a description replaced by the constant that it is near to.
#![allow(
    clippy::approx_constant,
    reason = "a description's numbers are its own"
)]

use kinematics::{Transform, Tree, TreeJoint, TreeLink, Vec3};

pub(crate) const NAO: Tree<'static> = Tree {
    links: NAO_LINKS,
    joints: NAO_JOINTS,
};

const _: () = assert!(NAO.fault().is_none());

const NAO_JOINTS: &[TreeJoint<'static>] = &[
    TreeJoint::new("HeadYaw", -2.08567, 2.08567),
    TreeJoint::new("HeadPitch", -0.671952, 0.514872),
    TreeJoint::new("LShoulderPitch", -2.08567, 2.08567),
    TreeJoint::new("LShoulderRoll", -0.314159, 1.32645),
    TreeJoint::new("LElbowYaw", -2.08567, 2.08567),
    TreeJoint::new("LElbowRoll", -1.54462, -0.0349066),
    TreeJoint::new("LWristYaw", -1.82387, 1.82387),
    TreeJoint::new("RShoulderPitch", -2.08567, 2.08567),
    TreeJoint::new("RShoulderRoll", -1.32645, 0.314159),
    TreeJoint::new("RElbowYaw", -2.08567, 2.08567),
    TreeJoint::new("RElbowRoll", 0.0349066, 1.54462),
    TreeJoint::new("RWristYaw", -1.82387, 1.82387),
    TreeJoint::new("LHipYawPitch", -1.14529, 0.740718),
    TreeJoint::new("LHipRoll", -0.379435, 0.79046),
    TreeJoint::new("LHipPitch", -1.53589, 0.48398),
    TreeJoint::new("LKneePitch", -0.0923279, 2.11255),
    TreeJoint::new("LAnklePitch", -1.18944, 0.922581),
    TreeJoint::new("LAnkleRoll", -0.397761, 0.768992),
    TreeJoint::new("RHipRoll", -0.79046, 0.379435),
    TreeJoint::new("RHipPitch", -1.53589, 0.48398),
    TreeJoint::new("RKneePitch", -0.0923279, 2.11255),
    TreeJoint::new("RAnklePitch", -1.1863, 0.932006),
    TreeJoint::new("RAnkleRoll", -0.768992, 0.397761),
];

const NAO_LINKS: &[TreeLink<'static>] = &[
    TreeLink {
        name: "torso",
        mass: 1.0496,
        centre: Vec3::new(-0.00413, 0.0, 0.04342),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "neck",
        parent: Some(0),
        joint: Some(0),
        origin: Transform::shift(0.0, 0.0, 0.1265),
        mass: 0.07842,
        centre: Vec3::new(-1e-5, 0.0, -0.02742),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "head",
        parent: Some(1),
        joint: Some(1),
        axis: Vec3::Y,
        mass: 0.60533,
        centre: Vec3::new(-0.00112, 0.0, 0.05258),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-shoulder",
        parent: Some(0),
        joint: Some(2),
        origin: Transform::shift(0.0, 0.098, 0.1),
        axis: Vec3::Y,
        mass: 0.09304,
        centre: Vec3::new(-0.00165, -0.02663, 0.00014),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-upper-arm",
        parent: Some(3),
        joint: Some(3),
        mass: 0.15777,
        centre: Vec3::new(0.02455, 0.00563, 0.0033),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-elbow",
        parent: Some(4),
        joint: Some(4),
        origin: Transform::shift(0.105, 0.015, 0.0),
        axis: Vec3::X,
        mass: 0.06483,
        centre: Vec3::new(-0.02744, 0.0, -0.00014),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-forearm",
        parent: Some(5),
        joint: Some(5),
        mass: 0.07761,
        centre: Vec3::new(0.02556, 0.00281, 0.00076),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-hand",
        parent: Some(6),
        joint: Some(6),
        origin: Transform::shift(0.05595, 0.0, 0.0),
        axis: Vec3::X,
        mass: 0.18533,
        centre: Vec3::new(0.03434, -0.00088, 0.00308),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-shoulder",
        parent: Some(0),
        joint: Some(7),
        origin: Transform::shift(0.0, -0.098, 0.1),
        axis: Vec3::Y,
        mass: 0.09304,
        centre: Vec3::new(-0.00165, 0.02663, 0.00014),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-upper-arm",
        parent: Some(8),
        joint: Some(8),
        mass: 0.15777,
        centre: Vec3::new(0.02455, -0.00563, 0.0033),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-elbow",
        parent: Some(9),
        joint: Some(9),
        origin: Transform::shift(0.105, -0.015, 0.0),
        axis: Vec3::X,
        mass: 0.06483,
        centre: Vec3::new(-0.02744, 0.0, -0.00014),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-forearm",
        parent: Some(10),
        joint: Some(10),
        mass: 0.07761,
        centre: Vec3::new(0.02556, -0.00281, 0.00076),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-hand",
        parent: Some(11),
        joint: Some(11),
        origin: Transform::shift(0.05595, 0.0, 0.0),
        axis: Vec3::X,
        mass: 0.18533,
        centre: Vec3::new(0.03434, 0.00088, 0.00308),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-pelvis",
        parent: Some(0),
        joint: Some(12),
        origin: Transform::shift(0.0, 0.05, -0.085),
        axis: Vec3::new(0.0, 0.7071067811865476, -0.7071067811865476),
        mass: 0.06981,
        centre: Vec3::new(-0.00781, -0.01114, 0.02661),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-hip",
        parent: Some(13),
        joint: Some(13),
        axis: Vec3::X,
        mass: 0.13053,
        centre: Vec3::new(-0.01549, 0.00029, -0.00515),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-thigh",
        parent: Some(14),
        joint: Some(14),
        axis: Vec3::Y,
        mass: 0.38968,
        centre: Vec3::new(0.00138, 0.00221, -0.05373),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-shin",
        parent: Some(15),
        joint: Some(15),
        origin: Transform::shift(0.0, 0.0, -0.1),
        axis: Vec3::Y,
        mass: 0.29142,
        centre: Vec3::new(0.00453, 0.00225, -0.04936),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-ankle",
        parent: Some(16),
        joint: Some(16),
        origin: Transform::shift(0.0, 0.0, -0.1029),
        axis: Vec3::Y,
        mass: 0.13416,
        centre: Vec3::new(0.00045, 0.00029, 0.00685),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "left-foot",
        parent: Some(17),
        joint: Some(17),
        axis: Vec3::X,
        mass: 0.16184,
        centre: Vec3::new(0.02542, 0.0033, -0.03239),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-pelvis",
        parent: Some(0),
        joint: Some(12),
        origin: Transform::shift(0.0, -0.05, -0.085),
        axis: Vec3::new(0.0, 0.7071067811865476, 0.7071067811865476),
        mass: 0.06981,
        centre: Vec3::new(-0.00781, 0.01114, 0.02661),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-hip",
        parent: Some(19),
        joint: Some(18),
        axis: Vec3::X,
        mass: 0.13053,
        centre: Vec3::new(-0.01549, -0.00029, -0.00515),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-thigh",
        parent: Some(20),
        joint: Some(19),
        axis: Vec3::Y,
        mass: 0.38968,
        centre: Vec3::new(0.00138, -0.00221, -0.05373),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-shin",
        parent: Some(21),
        joint: Some(20),
        origin: Transform::shift(0.0, 0.0, -0.1),
        axis: Vec3::Y,
        mass: 0.29142,
        centre: Vec3::new(0.00453, -0.00225, -0.04936),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-ankle",
        parent: Some(22),
        joint: Some(21),
        origin: Transform::shift(0.0, 0.0, -0.1029),
        axis: Vec3::Y,
        mass: 0.13416,
        centre: Vec3::new(0.00045, -0.00029, 0.00685),
        ..TreeLink::PLAIN
    },
    TreeLink {
        name: "right-foot",
        parent: Some(23),
        joint: Some(22),
        axis: Vec3::X,
        mass: 0.16184,
        centre: Vec3::new(0.02542, -0.0033, -0.03239),
        ..TreeLink::PLAIN
    },
];
