//! What acts on the accelerations, beside inertia: motors, dry friction, stops and contacts.
//! Each row is a convex cost of accelerations; its force is the negative derivative. The model of contacts is MuJoCo's:
//! a row wants an acceleration and gives way in proportion, and friction is an elliptic cone.

use kinematics::Vec3;

/// A torque on one coordinate that falls with its acceleration: `start - slope * acceleration`, within its limits.
/// Motors, dry friction, and what holds a free link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TorqueRow {
    pub(crate) coordinate: usize,
    pub(crate) start: f64,
    pub(crate) slope: f64,
    pub(crate) limits: (f64, f64),
}

impl TorqueRow {
    /// The torque at this acceleration, and by how much it falls for each unit more.
    pub(crate) fn at(&self, acceleration: f64) -> (f64, f64) {
        let torque = self.start - self.slope * acceleration;
        let (low, high) = self.limits;
        if torque <= low {
            (low, 0.0)
        } else if torque >= high {
            (high, 0.0)
        } else {
            (torque, self.slope)
        }
    }
}

/// A mechanical stop that pushes one coordinate, in the direction `sign`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopRow {
    pub(crate) coordinate: usize,
    pub(crate) sign: f64,
    /// The acceleration that it wants.
    pub(crate) wanted: f64,
    pub(crate) stiffness: f64,
}

impl StopRow {
    /// The torque at this acceleration, and by how much it falls for each unit more.
    pub(crate) fn at(&self, acceleration: f64) -> (f64, f64) {
        let excess = self.sign * acceleration - self.wanted;
        if excess < 0.0 {
            (-self.stiffness * excess * self.sign, self.stiffness)
        } else {
            (0.0, 0.0)
        }
    }
}

/// A point in which two shapes touch. Its three rows are the normal and two tangents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactRow {
    /// Its entries, as a range of `StepProblem::jacobian`.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) friction: f64,
    /// The accelerations that it wants.
    pub(crate) wanted: [f64; 3],
    /// How stiff the normal is, and how stiff the tangents are.
    pub(crate) stiffness: [f64; 2],
    /// The normal and the tangents.
    pub(crate) directions: [Vec3; 3],
    /// The accelerations, less the wanted ones.
    pub(crate) excess: [f64; 3],
    /// How `excess` changes along the solver's direction.
    pub(crate) change: [f64; 3],
    pub(crate) force: [f64; 3],
}

impl ContactRow {
    /// The forces for these accelerations beyond the wanted ones, and by how much they fall for each unit more.
    ///
    /// Inside the cone the contact sticks and is a spring in all three directions; in the opposite cone it is free;
    /// between them it slides, on the cone's side.
    pub(crate) fn at(&self, excess: [f64; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
        let friction = self.friction;
        let [normal, side] = self.stiffness;
        // The friction as it appears where the rows are weighed by their stiffness.
        let cone = friction * libm::sqrt(normal / side);
        let scaled = [excess[0] * cone, excess[1] * friction, excess[2] * friction];
        let slip = libm::sqrt(scaled[1] * scaled[1] + scaled[2] * scaled[2]);
        if scaled[0] >= cone * slip {
            return ([0.0; 3], [[0.0; 3]; 3]);
        }
        if cone * scaled[0] + slip <= 0.0 {
            let force = [-normal * excess[0], -side * excess[1], -side * excess[2]];
            let slope = [[normal, 0.0, 0.0], [0.0, side, 0.0], [0.0, 0.0, side]];
            return (force, slope);
        }
        let scale = normal / (cone * cone * (1.0 + cone * cone));
        let depth = scaled[0] - cone * slip;
        let (e, f) = (scaled[1] / slip, scaled[2] / slip);
        let push = -scale * depth * cone;
        let force = [push, -push * friction * e, -push * friction * f];
        let straight = scale * cone * cone;
        let bend = push / slip;
        let square = friction * friction;
        let (ne, nf) = (-straight * friction * e, -straight * friction * f);
        let ef = square * (straight - bend) * e * f;
        let ee = square * (straight * e * e + bend * (1.0 - e * e));
        let ff = square * (straight * f * f + bend * (1.0 - f * f));
        (force, [[straight, ne, nf], [ne, ee, ef], [nf, ef, ff]])
    }
}
