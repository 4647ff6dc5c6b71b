//! Approximates a shape by capsules: lines with a radius, as long and as wide as the shape, or the box around a mesh.
//! Used by `draft` for round and flat shapes, and by drawings for shapes with edges. Capsules end where the
//! shape ends; its corners are not covered.

use parry3d_f64::math::{Rotation, Vector};
use parry3d_f64::utils::obb;

use super::model::{Geometry, Pose, Solid};
use crate::CollisionCapsule;

/// The maximum number of capsules in a box, side by side.
const ABREAST: f64 = 4.0;

/// Links of more shapes than this have one capsule for each.
const SHAPES: usize = 8;

/// A capsule in the frame of a shape: its centre, half of its line, and the radius.
type LocalCapsule = (Vector, Vector, f64);

/// The capsules of a link's shapes in the link's frame, rounded to a micrometre.
pub(super) fn capsules(solids: &[Solid]) -> Vec<CollisionCapsule> {
    let abreast = if solids.len() > SHAPES { 1.0 } else { ABREAST };
    let of = |solid: &Solid| {
        let pose = solid.pose;
        thick(&solid.form, abreast)
            .into_iter()
            .map(move |thick| placed(thick, pose))
    };
    solids.iter().flat_map(of).collect()
}

/// Capsules that look like a hull, for drawings.
pub fn drawn(corners: &[[f64; 3]]) -> Vec<CollisionCapsule> {
    capsules(&[Solid {
        pose: Pose::default(),
        form: Geometry::Mesh(corners.to_vec()),
    }])
}

fn placed((middle, half, radius): LocalCapsule, pose: Pose) -> CollisionCapsule {
    let place = |at: Vector| {
        let turned = turned(pose, at.to_array());
        [0, 1, 2].map(|i| tidy(turned[i] + pose.at[i]))
    };
    CollisionCapsule {
        from: place(middle - half),
        to: place(middle + half),
        radius: tidy(radius).max(1e-6),
    }
}

fn thick(form: &Geometry, abreast: f64) -> Vec<LocalCapsule> {
    let upright = |length: f64, radius: f64| {
        let half = Vector::new(0.0, 0.0, length.max(0.0) / 2.0);
        vec![(Vector::ZERO, half, radius)]
    };
    match form {
        Geometry::Sphere { radius } => upright(0.0, *radius),
        Geometry::Capsule { radius, length } => upright(*length, *radius),
        Geometry::Cylinder { radius, length } => upright(length - 2.0 * radius, *radius),
        Geometry::Box(sides) => in_box(*sides, abreast),
        Geometry::Mesh(corners) => around(corners, abreast),
    }
}

/// Those of the smaller of two boxes around these corners: one along the axes of the mesh, one along its own spread.
fn around(corners: &[[f64; 3]], abreast: f64) -> Vec<LocalCapsule> {
    let points: Vec<Vector> = corners
        .iter()
        .map(|corner| Vector::from_array(*corner))
        .collect();
    let low = points.iter().copied().reduce(Vector::min);
    let high = points.iter().copied().reduce(Vector::max);
    let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
    let sides = high - low;
    let (pose, boxed) = obb(&points);
    let spread = boxed.half_extents * 2.0;
    let (sides, middle, turn) = if spread.element_product() < sides.element_product() * 0.999 {
        (spread, pose.translation, pose.rotation)
    } else {
        (sides, (low + high) / 2.0, Rotation::IDENTITY)
    };
    let moved = |(at, half, radius): LocalCapsule| (middle + turn * at, turn * half, radius);
    in_box(sides.to_array(), abreast)
        .into_iter()
        .map(moved)
        .collect()
}

/// Along the longest side, as thick as the shortest, and as many beside each other as the third side has room for.
fn in_box(sides: [f64; 3], abreast: f64) -> Vec<LocalCapsule> {
    let mut order = [0, 1, 2];
    // The first of those that are equally long is the longest, as it is written.
    order.sort_by(|a, b| sides[*b].total_cmp(&sides[*a]));
    let [long, wide, thin] = order.map(|order| sides[order]);
    let count = (wide / thin + 0.25).floor().clamp(1.0, abreast);
    let radius = if count > 1.0 {
        (thin / 2.0).max(wide / (2.0 * count))
    } else {
        wide / 2.0
    };
    let along = |axis: usize, by: f64| {
        let mut vector = [0.0; 3];
        vector[axis] = by;
        Vector::from_array(vector)
    };
    let half = along(order[0], (long / 2.0 - radius).max(0.0));
    let outermost = (wide / 2.0 - radius).max(0.0);
    let place = |value: usize| match count {
        1.0 => 0.0,
        _ => outermost * (2.0 * value as f64 / (count - 1.0) - 1.0),
    };
    (0..count as usize)
        .map(|i| (along(order[1], place(i)), half, radius))
        .collect()
}

/// A point of a shape, turned as the shape is: about x, then y, then z, all standing still.
pub(super) fn turned(pose: Pose, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [(sr, cr), (sp, cp), (sy, cy)] = pose.turn.map(f64::sin_cos);
    let (y, z) = (cr * y - sr * z, sr * y + cr * z);
    let (x, z) = (cp * x + sp * z, cp * z - sp * x);
    [cy * x - sy * y, sy * x + cy * y, z]
}

pub(super) fn tidy(value: f64) -> f64 {
    // The sum makes 0 of -0.
    (value * 1e6).round() / 1e6 + 0.0
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn of(form: Geometry, turn: [f64; 3]) -> CollisionCapsule {
        let at = [1.0, 2.0, 3.0];
        let pose = Pose { at, turn };
        let all = capsules(&[Solid { pose, form }]);
        assert_eq!(all.len(), 1);
        all[0]
    }

    #[test]
    fn a_capsule_is_as_long_and_as_wide_as_its_shape() {
        let ball = of(Geometry::Sphere { radius: 0.1 }, [0.3, 0.2, 0.1]);
        assert_eq!(
            (ball.from, ball.to, ball.radius),
            ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 0.1)
        );
        let (radius, length) = (0.1, 1.0);
        let rod = of(Geometry::Cylinder { radius, length }, [0.0; 3]);
        assert_eq!((rod.from, rod.to), ([1.0, 2.0, 2.6], [1.0, 2.0, 3.4]));
        let pill = of(Geometry::Capsule { radius, length }, [0.0, FRAC_PI_2, 0.0]);
        assert_eq!((pill.from, pill.to), ([0.5, 2.0, 3.0], [1.5, 2.0, 3.0]));
        let disc = of(
            Geometry::Cylinder {
                radius,
                length: 0.02,
            },
            [0.0; 3],
        );
        assert_eq!((disc.from, disc.radius), (disc.to, 0.1));
        let beam = of(Geometry::Box([0.1, 0.8, 0.1]), [0.0, 0.0, FRAC_PI_2]);
        assert_eq!((beam.from, beam.to), ([1.35, 2.0, 3.0], [0.65, 2.0, 3.0]));
        assert_eq!(beam.radius, 0.05);
    }

    #[test]
    fn a_plate_is_covered_by_capsules_beside_each_other() {
        let pose = Pose::default();
        let form = Geometry::Box([0.1, 0.6, 0.3]);
        let all = capsules(&[Solid { pose, form }]);
        assert_eq!(all.len(), 3);
        for (capsule, z) in all.iter().zip([-0.1, 0.0, 0.1]) {
            assert_eq!(capsule.from, [0.0, -0.25, z]);
            assert_eq!((capsule.to, capsule.radius), ([0.0, 0.25, z], 0.05));
        }
        // None is wider than the box, and of nothing but a plate four are enough.
        let form = Geometry::Box([0.6, 0.001, 0.4]);
        let all = capsules(&[Solid { pose, form }]);
        assert_eq!(all.len(), 4);
        assert!(
            all.iter()
                .all(|capsule| capsule.from[2].abs() + capsule.radius <= 0.2 + 1e-9)
        );
    }

    #[test]
    fn turns_are_made_about_x_then_y_then_z() {
        let pose = Pose {
            at: [0.0; 3],
            turn: [FRAC_PI_2, FRAC_PI_2, 0.0],
        };
        // y comes to z by the roll, and to x by the pitch.
        let point = turned(pose, [0.0, 1.0, 0.0]).map(tidy);
        assert_eq!(point, [1.0, 0.0, 0.0]);
    }
}
