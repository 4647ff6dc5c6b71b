//! How a body stands on level ground: the rotation that puts as many of its feet there as it can stand on.
//! Computed once, before the first step.

use kinematics::{Rotation, Vec3};

/// How far a point may be below a plane that rests on others, m.
const LEVEL: f64 = 1e-4;

/// The least area of a triangle to stand on, m².
const AREA_MIN: f64 = 1e-6;

/// The most points that are tried, because all triples of them are.
const POINTS_MAX: usize = 48;

/// The rotation of a body that stands with these points of its feet, seen in its own frame, and this centre of mass. A
/// body with fewer than three points stays as it is.
pub(super) fn standing(points: &[Vec3], center: Vec3) -> Rotation {
    let points = &points[..points.len().min(POINTS_MAX)];
    let mut best: Option<(bool, Vec3)> = None;
    for (one, a) in points.iter().enumerate() {
        for (other, b) in points.iter().enumerate().skip(one + 1) {
            for c in &points[other + 1..] {
                let Some(normal) = supporting_normal(points, [*a, *b, *c]) else {
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
