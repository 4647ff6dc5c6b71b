//! Capsules in the world, and where two of them are nearest to each other.

use kinematics::Vec3;

/// A segment with a radius, in the world.
#[derive(Clone, Copy)]
pub(crate) struct PlacedCapsule {
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
    pub(crate) radius: f64,
}

/// The nearest points of two segments.
pub(crate) fn nearest_points(one: PlacedCapsule, other: PlacedCapsule) -> (Vec3, Vec3) {
    let (u, v, w) = (
        one.to - one.from,
        other.to - other.from,
        one.from - other.from,
    );
    let (uu, vv, uv, uw, vw) = (u.dot(u), v.dot(v), u.dot(v), u.dot(w), v.dot(w));
    let area = uu * vv - uv * uv;
    let mut s = if area > 1e-12 * uu * vv {
        ((uv * vw - vv * uw) / area).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mut t = if vv > 0.0 { (uv * s + vw) / vv } else { 0.0 };
    if vv == 0.0 || !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = if uu > 0.0 {
            ((uv * t - uw) / uu).clamp(0.0, 1.0)
        } else {
            0.0
        };
    }
    (one.from + u * s, other.from + v * t)
}
