//! How a body stands on level ground: the rotation that puts as many of its feet there as it can stand on.
//! Computed once, before the first step.

use kinematics::{Rotation, Vec3};

/// How far a point may be below a plane that rests on others, m.
const LEVEL: f64 = 1e-4;

/// The least area of a triangle to stand on, m².
const AREA_MIN: f64 = 1e-6;

/// The most points that are tried, because all triples of them are.
pub(super) const POINTS_MAX: usize = 48;

/// The rotation of a body that stands with these points of its feet, seen in its own frame, and this centre of mass. A
/// body with fewer than three points stays as it is.
pub(super) fn standing(points: &[Vec3], center: Vec3) -> Rotation {
    // Evenly from all feet.
    let every = points.len().div_ceil(POINTS_MAX).max(1);
    let points: Vec<Vec3> = points.iter().copied().step_by(every).collect();
    let mut best: Option<(bool, Vec3)> = None;
    for (one, a) in points.iter().enumerate() {
        for (other, b) in points.iter().enumerate().skip(one + 1) {
            for c in &points[other + 1..] {
                let Some(normal) = supporting_normal(&points, [*a, *b, *c]) else {
                    continue;
                };
                let found = (is_above([*a, *b, *c], normal, center), normal);
                // Where the body stands comes first; then how little it is turned.
                let is_better =
                    best.is_none_or(|(stands, old)| (found.0, normal.z) > (stands, old.z));
                if is_better {
                    best = Some(found);
                }
            }
        }
    }
    let Some((_, normal)) = best else {
        return Rotation::NONE;
    };
    let axis = normal.cross(Vec3::Z);
    let sine = axis.length();
    if sine < 1e-9 {
        return Rotation::NONE;
    }
    Rotation::about(axis * (1.0 / sine), libm::atan2(sine, normal.z))
}

/// The upward normal of the plane of a triangle, if all points are on it or above.
fn supporting_normal(points: &[Vec3], [a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    let cross = (b - a).cross(c - a);
    if cross.length() < 2.0 * AREA_MIN {
        return None;
    }
    let unit = cross.unit();
    let normal = if unit.z < 0.0 { unit * -1.0 } else { unit };
    let lies_below = |point: &Vec3| normal.dot(*point - a) < -LEVEL;
    (!points.iter().any(lies_below)).then_some(normal)
}

/// Whether a point is above a triangle, seen along its normal.
fn is_above([a, b, c]: [Vec3; 3], normal: Vec3, point: Vec3) -> bool {
    let side = |from: Vec3, to: Vec3| normal.dot((to - from).cross(point - from));
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that was tilted stands level again, on all four points if its centre of mass is above them, and turned no
    /// further than it was tilted.
    #[test]
    fn a_tilted_body_is_put_on_its_feet() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let mut near = |middle: f64, by: f64| middle + (random.f64() - 0.5) * by;
            let feet = [(0.1, 0.1), (0.1, -0.1), (-0.1, -0.1), (-0.1, 0.1)];
            let feet = feet.map(|(x, y)| Vec3::new(near(x, 0.05), near(y, 0.05), -0.3));
            let center = Vec3::new(near(0.0, 0.05), near(0.0, 0.05), 0.0);
            let axis = Vec3::new(near(0.0, 1.0), near(0.0, 1.0), 0.0).unit();
            let angle = near(0.0, 1.0);
            let tilt = Rotation::about(axis, angle);
            let points = feet.map(|foot| tilt.turn(foot));
            let stands = standing(&points, tilt.turn(center));
            let heights = points.map(|point| stands.turn(point).z);
            for height in heights {
                assert!((height + 0.3).abs() < 1e-9, "{heights:?} after {angle}");
            }
            assert!(stands.vector().length() <= angle.abs() + 1e-9);
        }
    }

    #[test]
    fn a_body_without_feet_stays_as_it_is() {
        assert_eq!(standing(&[], Vec3::ZERO), Rotation::NONE);
        assert_eq!(standing(&[Vec3::X, Vec3::Y], Vec3::ZERO), Rotation::NONE);
    }
}
