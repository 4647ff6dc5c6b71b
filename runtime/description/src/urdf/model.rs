//! What a URDF says, as far as a `robot.toml` can use it; every place is a byte in its text.
//! Made by `read`; used by `order` and `draft`. The law: its figures are finite, its names are its own.

use cycle::named_enum;

/// A robot.
#[derive(Debug)]
pub(super) struct Urdf {
    pub(super) name: String,
    pub(super) links: Vec<UrdfLink>,
    pub(super) joints: Vec<UrdfJoint>,
    /// What was read past, and where.
    pub(super) warnings: Vec<(usize, String)>,
}

/// A link.
#[derive(Debug)]
pub(super) struct UrdfLink {
    pub(super) name: String,
    pub(super) at: usize,
    pub(super) mass: f64,
    pub(super) centre: [f64; 3],
    /// Of its collisions; of its looks if it has no collisions with a shape.
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
    /// What the safety controller leaves of the range.
    pub(super) soft: Bounds,
    /// What `<ros2_control>` leaves of the range.
    pub(super) command: Bounds,
    /// The speed that `<ros2_control>` allows.
    pub(super) command_speed: Option<f64>,
    pub(super) mimic: Option<Mimic>,
    /// Whether a motor drives it, as far as is said.
    pub(super) driven: Actuation,
}

/// What `<ros2_control>` and `<transmission>` say of a joint's motor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Actuation {
    /// It has one, or nobody says anything.
    Motor,
    /// Nobody commands it, but its place is read.
    Read,
    /// Nobody commands it.
    Loose,
}

/// The lowest and the highest value, as far as they were said.
pub(super) type Bounds = (Option<f64>, Option<f64>);

named_enum! {
    /// What a joint lets its child do.
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
