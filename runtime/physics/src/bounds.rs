//! What is computed of a shape once, before the first step: a ball around it, and the outline of a flat hull.

use alloc::vec::Vec;

use kinematics::Vec3;

use crate::model::Shape;
use crate::polygon::PLATE_CORNERS_MAX;

/// How far the corners of a flat hull may be from their plane, m.
const PLATE_THICKNESS_MAX: f64 = 1e-3;

/// Twice the least area of a triangle of a flat hull's corners, m².
const PLATE_AREA_MIN: f64 = 2e-6;

/// A ball around a shape, in the frame of its link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) center: Vec3,
    pub(crate) radius: f64,
}

impl Bound {
    pub(crate) fn of(shape: &Shape) -> Bound {
        match shape {
            Shape::Capsule { from, to, radius } => Bound {
                center: (*from + *to) * 0.5,
                radius: radius + (*to - *from).length() * 0.5,
            },
            Shape::Box { center, half } => Bound {
                center: *center,
                radius: half.length(),
            },
            Shape::Hull { corners } => {
                let distances = corners.iter().map(|corner| corner.length());
                Bound {
                    center: Vec3::ZERO,
                    radius: distances.fold(0.0, f64::max),
                }
            }
            Shape::Wheel {
                center,
                radius,
                half_width,
                ..
            } => Bound {
                center: *center,
                radius: radius + half_width,
            },
        }
    }
}

/// A flat hull, such as a sole.
#[derive(Clone, Debug)]
pub(crate) struct Plate {
    /// In the order in which they go around it.
    pub(crate) corners: Vec<Vec3>,
    /// The direction away from the origin of its link, if that is not in its plane: nothing touches it from the other
    /// side.
    pub(crate) outward: Option<Vec3>,
}

/// The plate of a shape; none if it is not flat, or has too many corners.
pub(crate) fn plate(shape: &Shape) -> Option<Plate> {
    let Shape::Hull { corners } = shape else {
        return None;
    };
    let (first, rest) = (corners[0], &corners[1..]);
    let crosses = rest.iter().enumerate().flat_map(|(number, one)| {
        let others = rest[number + 1..].iter();
        others.map(move |other| (*one - first).cross(*other - first))
    });
    let largest = crosses.fold(Vec3::ZERO, |most: Vec3, cross| {
        if cross.length() > most.length() {
            cross
        } else {
            most
        }
    });
    let area = largest.length();
    if area < PLATE_AREA_MIN || corners.len() > PLATE_CORNERS_MAX {
        return None;
    }
    let normal = largest * (1.0 / area);
    if corners
        .iter()
        .any(|corner| normal.dot(*corner - first).abs() > PLATE_THICKNESS_MAX)
    {
        return None;
    }
    let mut middle = Vec3::ZERO;
    for corner in corners {
        middle += *corner * (1.0 / corners.len() as f64);
    }
    let side = normal.any_across();
    let other = normal.cross(side);
    let angle = |corner: &Vec3| {
        let arm = *corner - middle;
        libm::atan2(arm.dot(other), arm.dot(side))
    };
    let mut ordered = corners.clone();
    ordered.sort_by(|one, other| angle(one).total_cmp(&angle(other)));
    let offset = normal.dot(first);
    Some(Plate {
        corners: ordered,
        outward: (offset.abs() > PLATE_THICKNESS_MAX).then(|| normal * 1.0_f64.copysign(offset)),
    })
}
