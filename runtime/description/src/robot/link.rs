//! A link: a part of the body, with its joint, its mass and its shapes.
//! Read from `[links]`; used by kinematics, by checks and by physics.

use cycle::ActuatorId;

/// A part of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSpec {
    /// Its name.
    pub name: String,
    /// What it hangs on: a place in the list, before its own.
    pub parent: Option<usize>,
    /// The joint that moves it.
    pub joint: Option<ActuatorId>,
    /// Its place seen from its parent, m.
    pub at: [f64; 3],
    /// Its turn seen from its parent: roll, pitch, yaw in rad.
    pub turn: [f64; 3],
    /// The joint's axis, of length 1.
    pub axis: [f64; 3],
    /// Whether it slides along the axis.
    pub slides: bool,
    /// How far it moves for each step of the joint.
    pub ratio: f64,
    /// How far it has moved while the joint stands at 0: rad, or m.
    pub offset: f64,
    /// kg.
    pub mass: f64,
    /// The centre of its mass, m.
    pub centre: [f64; 3],
    /// Its inertia about that centre, along its axes: `xx, yy, zz, xy, xz, yz`, kg·m²; that of its capsules if missing.
    pub inertia: Option<[f64; 6]>,
    /// Its body for collisions, where it is round.
    pub capsules: Vec<CollisionCapsule>,
    /// Its body for collisions, where it has edges: the corners of convex bodies, m.
    pub hulls: Vec<Vec<[f64; 3]>>,
    /// The corners with which it stands on the ground, m.
    pub sole: Vec<[f64; 3]>,
    /// The coefficient of friction of its surface.
    pub friction: f64,
    /// Its rolling shape, around its joint's axis.
    pub wheel: Option<WheelShape>,
}

impl LinkSpec {
    /// Whether anything can touch it.
    pub fn has_shape(&self) -> bool {
        !self.capsules.is_empty() || !self.hulls.is_empty()
    }
}

/// Whether all of these corners lie in one plane, to a thousandth of their extent.
pub fn is_flat(corners: &[[f64; 3]]) -> bool {
    let Some(first) = corners.first() else {
        return true;
    };
    let ways = corners
        .iter()
        .map(|corner| [0, 1, 2].map(|axis| corner[axis] - first[axis]));
    let ways: Vec<[f64; 3]> = ways.collect();
    let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let length = |way: &[f64; 3]| dot(way, way).sqrt();
    let cross = |a: &[f64; 3], b: &[f64; 3]| {
        [0, 1, 2].map(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
    };
    let longest = |all: Vec<[f64; 3]>| {
        all.into_iter()
            .max_by(|a, b| length(a).total_cmp(&length(b)))
    };
    let along = longest(ways.clone()).unwrap_or_default();
    let normal = longest(ways.iter().map(|way| cross(&along, way)).collect()).unwrap_or_default();
    let least = 1e-3 * length(&along) * length(&normal);
    !ways.iter().any(|way| dot(way, &normal).abs() > least)
}

/// A line with a thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionCapsule {
    /// m.
    pub from: [f64; 3],
    /// m.
    pub to: [f64; 3],
    /// m.
    pub radius: f64,
}

/// A wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelShape {
    /// m.
    pub radius: f64,
    /// m.
    pub width: f64,
}
