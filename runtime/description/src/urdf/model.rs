//! The parts of a URDF that a `robot.toml` can use. Every place is a byte in its text.
//! Made by `read`; used by `order` and `draft`. Its figures are finite, its names are its own.

use cycle::named_enum;

/// A robot.
#[derive(Debug)]
pub(super) struct Urdf {
    pub(super) name: String,
    pub(super) links: Vec<UrdfLink>,
    pub(super) joints: Vec<UrdfJoint>,
    /// Warnings about ignored parts, with their places.
    pub(super) warnings: Vec<(usize, String)>,
}

/// A link.
#[derive(Debug)]
pub(super) struct UrdfLink {
    pub(super) name: String,
    pub(super) at: usize,
    pub(super) mass: f64,
    pub(super) centre: [f64; 3],
    /// About the centre of mass, along the link's axes, if a body can have it.
    pub(super) inertia: Option<[f64; 6]>,
    /// Its collision shapes; its visual ones if there are none.
    pub(super) solids: Vec<Solid>,
}

/// A shape and its place on the link.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solid {
    pub(super) pose: Pose,
    pub(super) form: Geometry,
}

/// A shape around its own middle; a cylinder and a capsule stand along z.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Geometry {
    Box([f64; 3]),
    Cylinder {
        radius: f64,
        length: f64,
    },
    Capsule {
        radius: f64,
        length: f64,
    },
    Sphere {
        radius: f64,
    },
    /// The corners of a mesh, at least one.
    Mesh(Vec<[f64; 3]>),
}

/// Where something is, seen from what it hangs on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pose {
    pub(super) at: [f64; 3],
    /// Roll, pitch, yaw about fixed axes.
    pub(super) turn: [f64; 3],
}

/// A joint.
#[derive(Debug)]
pub(super) struct UrdfJoint {
    pub(super) name: String,
    pub(super) at: usize,
    pub(super) kind: JointType,
    pub(super) parent: String,
    pub(super) child: String,
    pub(super) pose: Pose,
    pub(super) axis: [f64; 3],
    pub(super) limit: Option<Limit>,
    /// The range of the safety controller.
    pub(super) soft: Bounds,
    /// The range of `<ros2_control>`.
    pub(super) command: Bounds,
    /// The velocity limit of `<ros2_control>`.
    pub(super) command_speed: Option<f64>,
    pub(super) mimic: Option<Mimic>,
    /// Whether it has a motor.
    pub(super) driven: Actuation,
}

/// A joint's motor, by `<ros2_control>` and `<transmission>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Actuation {
    /// It has one, or there is no information.
    Motor,
    /// It has no command, but its position is measured.
    Read,
    /// It has no command.
    Loose,
}

/// The lowest and the highest value, if given.
pub(super) type Bounds = (Option<f64>, Option<f64>);

named_enum! {
    /// The type of a joint.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum JointType {
        Revolute => "revolute",
        Continuous => "continuous",
        Prismatic => "prismatic",
        Fixed => "fixed",
        Planar => "planar",
        Floating => "floating",
    }
}

impl JointType {
    pub(super) fn moves(self) -> bool {
        matches!(
            self,
            JointType::Revolute | JointType::Continuous | JointType::Prismatic
        )
    }
}

/// `<limit>`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limit {
    pub(super) ends: Bounds,
    pub(super) effort: Option<f64>,
    pub(super) velocity: Option<f64>,
}

/// `<mimic>`.
#[derive(Debug)]
pub(super) struct Mimic {
    pub(super) at: usize,
    pub(super) joint: String,
    pub(super) multiplier: f64,
    pub(super) offset: f64,
}
