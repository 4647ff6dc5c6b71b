//! Contacts of two boxes. Flat faces that lie on each other touch in the corners of what they share, so that an edge
//! carries a box that juts out over it.

use kinematics::Vec3;

use crate::capsule::{PlacedCapsule, nearest_points};
use crate::overlap::{Overlap, Touches};
use crate::placed_box::{PlacedBox, faces};
use crate::polygon::Polygon;

/// How much less deep than their faces the edges of two boxes must overlap, to touch alone.
const EDGE_SHARE: f64 = 0.9;

/// A direction in which two boxes overlap.
#[derive(Clone, Copy)]
struct BoxAxis {
    /// From the first box to the second.
    normal: Vec3,
    depth: f64,
}

impl PlacedBox<'_> {
    /// The axis of this box along which the other one overlaps it least; none if they are apart.
    fn least_overlap(&self, other: &PlacedBox<'_>) -> Option<BoxAxis> {
        let way = other.center - self.center;
        let mut least: Option<BoxAxis> = None;
        for (axis, half) in self.sides() {
            let distance = way.dot(axis);
            let depth = half + other.reach(axis) - distance.abs();
            if depth <= 0.0 {
                return None;
            }
            if least.is_none_or(|least| depth < least.depth) {
                let normal = axis * 1.0_f64.copysign(distance);
                least = Some(BoxAxis { normal, depth });
            }
        }
        least
    }

    /// The edge along `along` that lies farthest in a direction.
    fn edge_towards(&self, along: usize, direction: Vec3) -> PlacedCapsule {
        let mut middle = self.center;
        for (number, (axis, half)) in self.sides().into_iter().enumerate() {
            if number != along {
                middle += axis * half.copysign(axis.dot(direction));
            }
        }
        let (axis, half) = self.sides()[along];
        PlacedCapsule {
            from: middle - axis * half,
            to: middle + axis * half,
            radius: 0.0,
        }
    }
}

/// Adds the points in which two boxes overlap: where a face of one meets the nearest face of the other, or two edges
/// cross.
pub(crate) fn touch_boxes(
    below: &PlacedBox<'_>,
    above: &PlacedBox<'_>,
    (under, over): (usize, usize),
    touches: &mut Touches,
) {
    let (Some(one), Some(other)) = (below.least_overlap(above), above.least_overlap(below)) else {
        return;
    };
    let Ok(edges) = crossing_edges(below, above) else {
        return;
    };
    if let Some((axis, point)) = edges
        && axis.depth < EDGE_SHARE * one.depth.min(other.depth)
    {
        touches.add(Overlap {
            under: Some(under),
            over,
            point,
            normal: axis.normal,
            depth: axis.depth,
        });
        return;
    }
    if other.depth < one.depth {
        touch_faces(above, below, other.normal, (over, under), touches);
    } else {
        touch_faces(below, above, one.normal, (under, over), touches);
    }
}

/// Adds the points in which the face of one box with this normal meets the nearest face of the other.
fn touch_faces(
    below: &PlacedBox<'_>,
    above: &PlacedBox<'_>,
    normal: Vec3,
    (under, over): (usize, usize),
    touches: &mut Touches,
) {
    let corners = above.face_towards(-normal);
    let mut shared = Polygon::of(corners.into_iter().map(|corner| below.local(corner)));
    let up = below.axes.apply_inverse(normal);
    for (side, limit) in faces(below.half) {
        // The axis of the face itself clips nothing.
        if side.dot(up).abs() < 0.5 {
            shared.clip(side, limit);
        }
    }
    let limit = below.reach(normal);
    for corner in shared.corners() {
        let depth = limit - up.dot(*corner);
        if depth > 0.0 {
            touches.add(Overlap {
                under: Some(under),
                over,
                point: below.center + below.axes.apply(*corner) + normal * (0.5 * depth),
                normal,
                depth,
            });
        }
    }
}

/// The edges of two boxes that overlap least, and the point where they cross; an error if they keep the boxes apart.
fn crossing_edges(
    below: &PlacedBox<'_>,
    above: &PlacedBox<'_>,
) -> Result<Option<(BoxAxis, Vec3)>, ()> {
    let way = above.center - below.center;
    let mut least: Option<(BoxAxis, usize, usize)> = None;
    for (first, (one, _)) in below.sides().into_iter().enumerate() {
        for (second, (other, _)) in above.sides().into_iter().enumerate() {
            let cross = one.cross(other);
            let sine = cross.length();
            if sine < 1e-3 {
                continue;
            }
            let axis = cross * (1.0 / sine);
            let distance = way.dot(axis);
            let depth = below.reach(axis) + above.reach(axis) - distance.abs();
            if depth <= 0.0 {
                return Err(());
            }
            if least.is_none_or(|(least, ..)| depth < least.depth) {
                let normal = axis * 1.0_f64.copysign(distance);
                least = Some((BoxAxis { normal, depth }, first, second));
            }
        }
    }
    Ok(least.map(|(axis, first, second)| {
        let one = below.edge_towards(first, axis.normal);
        let other = above.edge_towards(second, -axis.normal);
        let (p, q) = nearest_points(one, other);
        (axis, (p + q) * 0.5)
    }))
}
