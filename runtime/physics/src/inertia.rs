//! Inertia tensors: `xx, yy, zz, xy, xz, yz`, in kg·m². Which ones a body can have, and how they turn.
//! Used where a model or a description is checked.

use kinematics::{Rotation, Vec3};

use crate::matrix::Matrix3;

/// Whether a rigid body can have this inertia: with principal moments above zero, of which none exceeds the sum of the
/// other two. Both hold exactly if the second moment of mass, `trace / 2 - tensor`, has no negative eigenvalue, and the
/// tensor is positive; rounding of a file is allowed for.
pub fn is_inertia(tensor: &[f64; 6]) -> bool {
    let [xx, yy, zz, xy, xz, yz] = *tensor;
    let half = 0.5 * (xx + yy + zz);
    if !tensor.iter().all(|part| part.is_finite()) || half <= 0.0 {
        return false;
    }
    let slack = 1e-6 * half;
    let moment = [
        half - xx + slack,
        half - yy + slack,
        half - zz + slack,
        -xy,
        -xz,
        -yz,
    ];
    is_positive(&moment) && is_positive(tensor)
}

/// Whether a symmetric matrix is positive definite, by its leading minors.
fn is_positive(matrix: &[f64; 6]) -> bool {
    let [xx, yy, zz, xy, xz, yz] = *matrix;
    let minor = xx * yy - xy * xy;
    let whole = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    xx > 0.0 && minor > 0.0 && whole > 0.0
}

/// An inertia along the axes of a frame, seen from outside that frame, in which it has this rotation.
pub fn turn_inertia(tensor: &[f64; 6], rotation: Rotation) -> [f64; 6] {
    turned_by(tensor, &Matrix3::of(rotation))
}

/// The tensor along axes that `axes` turns: `R·T·Rᵀ`.
pub(crate) fn turned_by(tensor: &[f64; 6], axes: &Matrix3) -> [f64; 6] {
    let [xx, yy, zz, xy, xz, yz] = *tensor;
    let columns = [
        axes.x * xx + axes.y * xy + axes.z * xz,
        axes.x * xy + axes.y * yy + axes.z * yz,
        axes.x * xz + axes.y * yz + axes.z * zz,
    ];
    let [a, b, c] = columns.map(<[f64; 3]>::from);
    let [u, v, w] = [axes.x, axes.y, axes.z].map(<[f64; 3]>::from);
    let part =
        |row: usize, column: usize| a[row] * u[column] + b[row] * v[column] + c[row] * w[column];
    [
        part(0, 0),
        part(1, 1),
        part(2, 2),
        part(0, 1),
        part(0, 2),
        part(1, 2),
    ]
}

/// The tensor of a body about a point that is `arm` away from its centre of mass.
pub(crate) fn about_point(tensor: [f64; 6], mass: f64, arm: Vec3) -> [f64; 6] {
    let [xx, yy, zz, xy, xz, yz] = tensor;
    let [p, q, r]: [f64; 3] = arm.into();
    [
        xx + mass * (q * q + r * r),
        yy + mass * (p * p + r * r),
        zz + mass * (p * p + q * q),
        xy - mass * p * q,
        xz - mass * p * r,
        yz - mass * q * r,
    ]
}
