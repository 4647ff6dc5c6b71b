//! Contacts of boxes with balls, capsules, plates such as soles, and wheels.

use kinematics::Vec3;

use crate::capsule::PlacedCapsule;
use crate::overlap::{Overlap, Touches};
use crate::placed_box::{PlacedBox, clamp_to, faces};
use crate::polygon::Polygon;

/// The cosine of the angle between a plate's touched side and a face from which the plate cannot be touched.
const BEHIND: f64 = 0.7;

/// How far below a box a plate may be that touches it from the side, m.
const SUNK_MAX: f64 = 0.005;

/// How far a wheel may jut out over the side of a box that carries it, as a share of its height above it.
const JUT_SHARE: f64 = 0.2;

/// A flat convex plate, in the world.
pub(crate) struct PlacedPlate<C> {
    /// They go around it.
    pub(crate) corners: C,
    /// The side on which it can be touched, if there is only one.
    pub(crate) outward: Option<Vec3>,
}

/// Adds the points in which a plate overlaps a box: the corners of the part inside, which leaves through the face where
/// it is least deep.
pub(crate) fn touch_plate(
    block: &PlacedBox<'_>,
    plate: PlacedPlate<impl Iterator<Item = Vec3>>,
    (under, over): (usize, usize),
    touches: &mut Touches,
) {
    let mut inside = Polygon::of(plate.corners.map(|corner| block.local(corner)));
    let outward = plate.outward.map(|side| block.axes.apply_inverse(side));
    // A foot that has sunk into the floor a little is not below the box that stands on it.
    let is_behind = |normal: Vec3| outward.is_some_and(|side| normal.dot(side) > BEHIND);
    let faces = faces(block.half);
    for (normal, limit) in faces {
        let room = if is_behind(normal) { SUNK_MAX } else { 0.0 };
        inside.clip(normal, limit + room);
    }
    let depth_at = |(normal, limit): (Vec3, f64), corner: &Vec3| limit - normal.dot(*corner);
    let depth = |face: (Vec3, f64)| {
        let depths = inside.corners().iter().map(|corner| depth_at(face, corner));
        depths.fold(0.0, f64::max)
    };
    let exits = faces.into_iter().filter(|face| !is_behind(face.0));
    let least = |one, other| {
        if depth(other) < depth(one) {
            other
        } else {
            one
        }
    };
    let Some(face) = exits.reduce(least) else {
        return;
    };
    let normal = block.axes.apply(face.0);
    for corner in inside.corners() {
        let depth = depth_at(face, corner);
        if depth > 0.0 {
            touches.add(Overlap {
                under: Some(under),
                over,
                point: block.center + block.axes.apply(*corner) + normal * (0.5 * depth),
                normal,
                depth,
            });
        }
    }
}

/// Adds the points in which a capsule overlaps a box: its ends and where it is nearest.
pub(crate) fn touch_capsule(
    block: &PlacedBox<'_>,
    capsule: PlacedCapsule,
    pair: (usize, usize),
    touches: &mut Touches,
) {
    for center in support_points(block, capsule) {
        touch_ball(block, center, capsule.radius, pair, touches);
    }
}

/// Adds the points in which a wheel, the capsule along its axle, rolls on a box.
pub(crate) fn touch_wheel(
    block: &PlacedBox<'_>,
    wheel: PlacedCapsule,
    (under, over): (usize, usize),
    touches: &mut Touches,
) {
    let axle = block.axes.apply_inverse((wheel.to - wheel.from).unit());
    for center in support_points(block, wheel) {
        let local = block.local(center);
        let nearest = clamp_to(local, block.half);
        let out = local - nearest;
        let across = out.across(axle);
        let distance = across.length();
        let depth = wheel.radius - distance;
        let is_on_it = distance > 0.0 && out.dot(axle).abs() <= JUT_SHARE * distance;
        if is_on_it && depth > 0.0 {
            let normal = across.unit();
            let point = local - normal * (wheel.radius - 0.5 * depth);
            touches.add(Overlap {
                under: Some(under),
                over,
                point: block.center + block.axes.apply(point),
                normal: block.axes.apply(normal),
                depth,
            });
        }
    }
}

/// The ends of a segment, and where it is nearest to a box if that is between them.
fn support_points(block: &PlacedBox<'_>, segment: PlacedCapsule) -> impl Iterator<Item = Vec3> {
    let middle = nearest_to_box(block, segment);
    let ends = [0.0, 1.0].into_iter().filter(move |end| *end != middle);
    let way = segment.to - segment.from;
    ends.chain([middle])
        .map(move |part| segment.from + way * part)
}

/// How far along a capsule's segment it is nearest to a box, 0 to 1. The distance is convex, so its slope is bisected.
fn nearest_to_box(block: &PlacedBox<'_>, capsule: PlacedCapsule) -> f64 {
    let start = block.axes.apply_inverse(capsule.from - block.center);
    let along = block.axes.apply_inverse(capsule.to - capsule.from);
    let slope = |part: f64| {
        let point = start + along * part;
        (point - clamp_to(point, block.half)).dot(along)
    };
    let (mut low, mut high) = (0.0, 1.0);
    if slope(low) >= 0.0 {
        return low;
    }
    if slope(high) <= 0.0 {
        return high;
    }
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if slope(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Adds the point in which a ball overlaps a box. A ball whose centre is inside leaves through the nearest face.
fn touch_ball(
    block: &PlacedBox<'_>,
    center: Vec3,
    radius: f64,
    (under, over): (usize, usize),
    touches: &mut Touches,
) {
    let local = block.axes.apply_inverse(center - block.center);
    let nearest = clamp_to(local, block.half);
    let out = local - nearest;
    let distance = out.length();
    let (normal, depth, surface) = if distance > 0.0 {
        (out * (1.0 / distance), radius - distance, nearest)
    } else {
        let faces = [
            (Vec3::X, block.half.x - local.x.abs(), local.x),
            (Vec3::Y, block.half.y - local.y.abs(), local.y),
            (Vec3::Z, block.half.z - local.z.abs(), local.z),
        ];
        let (axis, inside, place) = faces
            .into_iter()
            .reduce(|least, face| if face.1 < least.1 { face } else { least })
            .unwrap_or((Vec3::Z, 0.0, 0.0));
        let normal = if place < 0.0 { -axis } else { axis };
        (normal, radius + inside, local + normal * inside)
    };
    if depth > 0.0 {
        touches.add(Overlap {
            under: Some(under),
            over,
            point: block.center + block.axes.apply(surface - normal * (0.5 * depth)),
            normal: block.axes.apply(normal),
            depth,
        });
    }
}
