//! A capsule for a shape: a line with a thickness, as long and as wide as the shape, or as the box around a mesh.
//! Used by `body`. The law: a capsule ends where its shape ends; corners stick out, edges are round.

use parry3d_f64::math::Vector;
use parry3d_f64::utils::obb;

use super::model::{Form, Pose, Solid};
use crate::config::Capsule;

/// The capsule of `solid`, seen from its link, to a micrometre.
pub(super) fn capsule(solid: &Solid) -> Capsule {
    let centre = [0.0; 3];
    let (centre, half, radius) = match &solid.form {
        Form::Sphere { radius } => (centre, [0.0; 3], *radius),
        Form::Capsule { radius, length } => (centre, [0.0, 0.0, length / 2.0], *radius),
        Form::Cylinder { radius, length } => {
            let half = (length / 2.0 - radius).max(0.0);
            (centre, [0.0, 0.0, half], *radius)
        }
        Form::Box(sides) => {
            let (half, radius) = along_longest(*sides);
            (centre, half, radius)
        }
        Form::Mesh(corners) => around(corners),
    };
    let place = |sign: f64| {
        let turned = turned(solid.pose, [0, 1, 2].map(|it| centre[it] + sign * half[it]));
        let at = solid.pose.at;
        [0, 1, 2].map(|it| tidy(turned[it] + at[it]))
    };
    Capsule {
        from: place(-1.0),
        to: place(1.0),
        radius: tidy(radius).max(1e-6),
    }
}

/// The middle of the smaller of two boxes around these corners, one along the axes of the mesh and one along its own
/// spread, with what `along_longest` makes of it.
fn around(corners: &[[f64; 3]]) -> ([f64; 3], [f64; 3], f64) {
    let side = |axis: usize| {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        corners.iter().fold(ends, |(low, high), it| {
            (low.min(it[axis]), high.max(it[axis]))
        })
    };
    let ends = [0, 1, 2].map(side);
    let sides = ends.map(|(low, high)| high - low);
    let points: Vec<Vector> = corners.iter().map(|it| Vector::from_array(*it)).collect();
    let (pose, boxed) = obb(&points);
    let spread = (boxed.half_extents * 2.0).to_array();
    let volume = |it: [f64; 3]| it.iter().product::<f64>();
    if volume(spread) < volume(sides) * 0.999 {
        let (half, radius) = along_longest(spread);
        let half = pose.rotation * Vector::from_array(half);
        return (pose.translation.to_array(), half.to_array(), radius);
    }
    let (half, radius) = along_longest(sides);
    (
        ends.map(|(low, high)| f64::midpoint(low, high)),
        half,
        radius,
    )
}

/// Half the line along the longest side, and half of the wider of the two others.
fn along_longest(sides: [f64; 3]) -> ([f64; 3], f64) {
    let longest = (1..3).fold(
        0,
        |most, it| if sides[it] > sides[most] { it } else { most },
    );
    let others = sides.iter().enumerate().filter(|it| it.0 != longest);
    let radius = others.fold(0.0, |most: f64, it| most.max(*it.1)) / 2.0;
    let mut half = [0.0; 3];
    half[longest] = (sides[longest] / 2.0 - radius).max(0.0);
    (half, radius)
}

/// A point of a shape, turned as the shape is: about x, then y, then z, all standing still.
pub(super) fn turned(pose: Pose, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [(sr, cr), (sp, cp), (sy, cy)] = pose.turn.map(f64::sin_cos);
    let (y, z) = (cr * y - sr * z, sr * y + cr * z);
    let (x, z) = (cp * x + sp * z, cp * z - sp * x);
    [cy * x - sy * y, sy * x + cy * y, z]
}

fn tidy(value: f64) -> f64 {
    // The sum makes 0 of -0.
    (value * 1e6).round() / 1e6 + 0.0
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn of(form: Form, turn: [f64; 3]) -> Capsule {
        let at = [1.0, 2.0, 3.0];
        let pose = Pose { at, turn };
        capsule(&Solid { pose, form })
    }

    #[test]
    fn a_capsule_is_as_long_and_as_wide_as_its_shape() {
        let ball = of(Form::Sphere { radius: 0.1 }, [0.3, 0.2, 0.1]);
        assert_eq!(
            (ball.from, ball.to, ball.radius),
            ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 0.1)
        );
        let (radius, length) = (0.1, 1.0);
        let rod = of(Form::Cylinder { radius, length }, [0.0; 3]);
        assert_eq!((rod.from, rod.to), ([1.0, 2.0, 2.6], [1.0, 2.0, 3.4]));
        let pill = of(Form::Capsule { radius, length }, [0.0, FRAC_PI_2, 0.0]);
        assert_eq!((pill.from, pill.to), ([0.5, 2.0, 3.0], [1.5, 2.0, 3.0]));
        let disc = of(
            Form::Cylinder {
                radius,
                length: 0.02,
            },
            [0.0; 3],
        );
        assert_eq!((disc.from, disc.radius), (disc.to, 0.1));
        let beam = of(Form::Box([0.2, 0.8, 0.1]), [0.0, 0.0, FRAC_PI_2]);
        assert_eq!((beam.from, beam.to), ([1.3, 2.0, 3.0], [0.7, 2.0, 3.0]));
        assert_eq!(beam.radius, 0.1);
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
