//! A box in the world. Used by everything that finds its contacts.

use kinematics::Vec3;

use crate::matrix::Matrix3;

/// A box, in the world.
#[derive(Clone, Copy)]
pub(crate) struct PlacedBox<'t> {
    pub(crate) center: Vec3,
    pub(crate) axes: &'t Matrix3,
    pub(crate) half: Vec3,
}

impl PlacedBox<'_> {
    /// Its axes and half of its edges.
    pub(crate) fn sides(&self) -> [(Vec3, f64); 3] {
        let Matrix3 { x, y, z } = *self.axes;
        [(x, self.half.x), (y, self.half.y), (z, self.half.z)]
    }

    pub(crate) fn local(&self, point: Vec3) -> Vec3 {
        self.axes.apply_inverse(point - self.center)
    }

    /// Half of its extent along an axis.
    pub(crate) fn reach(&self, axis: Vec3) -> f64 {
        let reaches = self.sides().map(|(side, half)| half * side.dot(axis).abs());
        reaches[0] + reaches[1] + reaches[2]
    }

    /// How far a point is from it; 0 inside.
    pub(crate) fn distance(&self, point: Vec3) -> f64 {
        let local = self.local(point);
        (local - clamp_to(local, self.half)).length()
    }

    pub(crate) fn corners(self) -> impl Iterator<Item = Vec3> {
        let [x, y, z] = self.sides().map(|(axis, half)| axis * half);
        let sign = |corner: usize, bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
        (0..8).map(move |corner| {
            self.center + x * sign(corner, 0) + y * sign(corner, 1) + z * sign(corner, 2)
        })
    }

    /// The four corners of the face towards a direction.
    pub(crate) fn face_towards(&self, direction: Vec3) -> [Vec3; 4] {
        let [x, y, z] = self.sides();
        let tilt = |(axis, _): (Vec3, f64)| axis.dot(direction).abs();
        let (out, one, other) = if tilt(x) >= tilt(y) && tilt(x) >= tilt(z) {
            (x, y, z)
        } else if tilt(y) >= tilt(z) {
            (y, z, x)
        } else {
            (z, x, y)
        };
        let middle = self.center + out.0 * out.1.copysign(out.0.dot(direction));
        let (one, other) = (one.0 * one.1, other.0 * other.1);
        [
            middle + one + other,
            middle - one + other,
            middle - one - other,
            middle + one - other,
        ]
    }
}

/// The six outward normals of a box in its own frame, each with its distance from the middle.
pub(crate) fn faces(half: Vec3) -> [(Vec3, f64); 6] {
    let sides = [(Vec3::X, half.x), (Vec3::Y, half.y), (Vec3::Z, half.z)];
    let [x, y, z] = sides;
    [x, y, z, (-x.0, x.1), (-y.0, y.1), (-z.0, z.1)]
}

pub(crate) fn clamp_to(point: Vec3, half: Vec3) -> Vec3 {
    Vec3::new(
        point.x.clamp(-half.x, half.x),
        point.y.clamp(-half.y, half.y),
        point.z.clamp(-half.z, half.z),
    )
}
