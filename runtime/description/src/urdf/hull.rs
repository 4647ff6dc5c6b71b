//! The corners of a shape with edges: of a box, of a cylinder, of the hull around a mesh.
//! Used by `draft`. A box is itself; a cylinder is a prism around it, at most a hundredth wider; of a mesh
//! with more corners than these the outermost are kept, in directions all around.

use std::f64::consts::{PI, TAU};

use super::capsule::{tidy, turned};
use super::model::{Geometry, Solid};
use crate::is_flat;

/// The sides of a cylinder's prism: the distance of a corner is the radius times 1/cos(π/24).
const SIDES: usize = 24;

/// The maximum number of corners of a mesh.
const CORNERS: usize = 64;

/// The corners in the link's frame, rounded to a micrometre; `None` for a round or flat shape.
pub(super) fn corners(solid: &Solid) -> Option<Vec<[f64; 3]>> {
    let own = match &solid.form {
        Geometry::Sphere { .. } | Geometry::Capsule { .. } => return None,
        Geometry::Box(sides) => of_box(*sides),
        Geometry::Cylinder { radius, length } => of_cylinder(*radius, *length),
        Geometry::Mesh(corners) => outermost(corners),
    };
    let placed = own.iter().map(|item| {
        let turned = turned(solid.pose, *item);
        [0, 1, 2].map(|axis| tidy(turned[axis] + solid.pose.at[axis]))
    });
    let placed: Vec<_> = placed.collect();
    // A flat shape has no volume.
    (!is_flat(&placed)).then_some(placed)
}

fn of_box(sides: [f64; 3]) -> Vec<[f64; 3]> {
    let corner = |at: usize| {
        [0, 1, 2].map(|axis| sides[axis] * if at >> axis & 1 == 0 { -0.5 } else { 0.5 })
    };
    (0..8).map(corner).collect()
}

fn of_cylinder(radius: f64, length: f64) -> Vec<[f64; 3]> {
    let out = radius / (PI / SIDES as f64).cos();
    let corner = |at: usize| {
        let angle = TAU * (at / 2) as f64 / SIDES as f64;
        let end = if at.is_multiple_of(2) { -0.5 } else { 0.5 };
        [out * angle.cos(), out * angle.sin(), end * length]
    };
    (0..2 * SIDES).map(corner).collect()
}

/// All corners if they are few; else the outermost ones, each in another direction.
fn outermost(corners: &[[f64; 3]]) -> Vec<[f64; 3]> {
    if corners.len() <= CORNERS {
        return corners.to_vec();
    }
    let golden = PI * (3.0 - 5f64.sqrt());
    let farthest = |at: usize| {
        // Evenly over a sphere, along a spiral.
        let z = 1.0 - (2 * at + 1) as f64 / CORNERS as f64;
        let (around, out) = (golden * at as f64, (1.0 - z * z).sqrt());
        let direction = [out * around.cos(), out * around.sin(), z];
        let along = |item: &[f64; 3]| item.iter().zip(direction).map(|(a, b)| a * b).sum::<f64>();
        let best = |best: [f64; 3], point: &[f64; 3]| {
            if along(point) > along(&best) {
                *point
            } else {
                best
            }
        };
        corners.iter().fold(corners[0], best)
    };
    let mut found: Vec<[f64; 3]> = Vec::new();
    for corner in (0..CORNERS).map(farthest) {
        if !found.contains(&corner) {
            found.push(corner);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::urdf::model::Pose;

    #[test]
    fn a_box_is_itself_and_a_cylinder_is_inside_of_its_prism() {
        let pose = Pose::default();
        let form = Geometry::Box([0.2, 0.4, 0.6]);
        let corners = corners(&Solid { pose, form }).expect("corners");
        assert_eq!(corners.len(), 8);
        assert!(
            corners
                .iter()
                .all(|corner| corner.map(f64::abs) == [0.1, 0.2, 0.3])
        );
        let (radius, length) = (0.05, 0.02);
        let form = Geometry::Cylinder { radius, length };
        let corners = super::corners(&Solid { pose, form }).expect("corners");
        for angle in (0..100).map(|i| f64::from(i) * 0.07) {
            let along = |value: &[f64; 3]| value[0] * angle.cos() + value[1] * angle.sin();
            let out = corners.iter().map(along).fold(0.0, f64::max);
            assert!((radius - 1e-6..radius * 1.01).contains(&out), "{out}");
        }
        let flat = Geometry::Box([0.2, 0.4, 0.0]);
        assert_eq!(super::corners(&Solid { pose, form: flat }), None);
        assert_eq!(
            super::corners(&Solid {
                pose,
                form: Geometry::Sphere { radius }
            }),
            None
        );
    }

    #[test]
    fn of_many_corners_the_outermost_are_kept() {
        let ball = (0..5000).map(|i| {
            let (a, z) = (f64::from(i), 1.0 - f64::from(i) / 2500.0);
            let out = (1.0 - z * z).max(0.0).sqrt();
            [out * a.cos(), out * a.sin(), z]
        });
        let kept = outermost(&ball.collect::<Vec<_>>());
        assert!((32..=CORNERS).contains(&kept.len()), "{}", kept.len());
    }
}
