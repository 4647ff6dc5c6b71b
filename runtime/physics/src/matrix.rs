//! Rotations as matrices: a link turns many vectors in a step.
//! Used by the tree, by inertias and by shapes.

use kinematics::{Rotation, Vec3};

/// A rotation as a matrix, by its columns: the images of the three axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix3 {
    pub(crate) x: Vec3,
    pub(crate) y: Vec3,
    pub(crate) z: Vec3,
}

impl Matrix3 {
    pub(crate) const IDENTITY: Matrix3 = Matrix3 {
        x: Vec3::X,
        y: Vec3::Y,
        z: Vec3::Z,
    };

    pub(crate) fn of(rotation: Rotation) -> Matrix3 {
        Matrix3 {
            x: rotation.turn(Vec3::X),
            y: rotation.turn(Vec3::Y),
            z: rotation.turn(Vec3::Z),
        }
    }

    /// The rotation about an axis of length 1.
    pub(crate) fn about(axis: Vec3, angle: f64) -> Matrix3 {
        let (sine, cosine) = libm::sincos(angle);
        let Vec3 { x, y, z } = axis;
        let rest = 1.0 - cosine;
        Matrix3 {
            x: Vec3::new(
                cosine + x * x * rest,
                x * y * rest + z * sine,
                x * z * rest - y * sine,
            ),
            y: Vec3::new(
                x * y * rest - z * sine,
                cosine + y * y * rest,
                y * z * rest + x * sine,
            ),
            z: Vec3::new(
                x * z * rest + y * sine,
                y * z * rest - x * sine,
                cosine + z * z * rest,
            ),
        }
    }

    pub(crate) fn apply(&self, vector: Vec3) -> Vec3 {
        self.x * vector.x + self.y * vector.y + self.z * vector.z
    }

    /// The inverse, applied to a vector.
    pub(crate) fn apply_inverse(&self, vector: Vec3) -> Vec3 {
        Vec3::new(self.x.dot(vector), self.y.dot(vector), self.z.dot(vector))
    }

    pub(crate) fn times(&self, other: &Matrix3) -> Matrix3 {
        Matrix3 {
            x: self.apply(other.x),
            y: self.apply(other.y),
            z: self.apply(other.z),
        }
    }
}
