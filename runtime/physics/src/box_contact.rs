//! Contacts of boxes: with balls, plates, wheels and other boxes. Used by `touch`.
//! Flat surfaces that lie on each other touch in the corners of what they share, so that an edge carries a plate that
//! juts out over it.

use kinematics::Vec3;

use crate::matrix::Matrix3;
use crate::touch::{Overlap, PlacedCapsule, Touches, nearest_points};

/// The most corners of a plate.
pub(crate) const PLATE_CORNERS_MAX: usize = 48;

/// Each of the six planes that clip a polygon adds a corner at most.
const POLYGON_MAX: usize = PLATE_CORNERS_MAX + 6;

/// How much less deep than their faces the edges of two boxes must overlap, to touch alone.
const EDGE_SHARE: f64 = 0.9;

/// How far a wheel may jut out over the side of a box that carries it, as a share of its height above it.
const JUT_SHARE: f64 = 0.2;

/// A box, in the world.
#[derive(Clone, Copy)]
pub(crate) struct PlacedBox<'t> {
    pub(crate) center: Vec3,
    pub(crate) axes: &'t Matrix3,
    pub(crate) half: Vec3,
}

/// A direction in which two boxes overlap.
#[derive(Clone, Copy)]
struct BoxAxis {
    /// From the first box to the second.
    normal: Vec3,
    depth: f64,
}

impl PlacedBox<'_> {
    /// Its axes and half of its edges.
    fn sides(&self) -> [(Vec3, f64); 3] {
        let Matrix3 { x, y, z } = *self.axes;
        [(x, self.half.x), (y, self.half.y), (z, self.half.z)]
    }

    fn local(&self, point: Vec3) -> Vec3 {
        self.axes.apply_inverse(point - self.center)
    }

    /// Half of its extent along an axis.
    fn reach(&self, axis: Vec3) -> f64 {
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
    fn face_towards(&self, direction: Vec3) -> [Vec3; 4] {
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

/// A convex polygon.
struct Polygon {
    corners: [Vec3; POLYGON_MAX],
    count: usize,
}

impl Polygon {
    fn of(corners: impl Iterator<Item = Vec3>) -> Polygon {
        let mut polygon = Polygon {
            corners: [Vec3::ZERO; POLYGON_MAX],
            count: 0,
        };
        for corner in corners {
            polygon.add(corner);
        }
        polygon
    }

    fn add(&mut self, corner: Vec3) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }

    fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// Removes what lies farther than `limit` along an axis.
    fn clip(&mut self, axis: Vec3, limit: f64) {
        let mut kept = Polygon::of(core::iter::empty());
        let corners = self.corners();
        let Some(mut last) = corners.last().copied() else {
            return;
        };
        for &corner in corners {
            let (before, here) = (last.dot(axis) - limit, corner.dot(axis) - limit);
            if (before <= 0.0) != (here <= 0.0) {
                kept.add(last + (corner - last) * (before / (before - here)));
            }
            if here <= 0.0 {
                kept.add(corner);
            }
            last = corner;
        }
        *self = kept;
    }
}

/// The six outward normals of a box in its own frame, each with its distance from the middle.
fn faces(half: Vec3) -> [(Vec3, f64); 6] {
    let sides = [(Vec3::X, half.x), (Vec3::Y, half.y), (Vec3::Z, half.z)];
    let [x, y, z] = sides;
    [x, y, z, (-x.0, x.1), (-y.0, y.1), (-z.0, z.1)]
}

/// Adds the points in which a flat convex plate, whose corners go around it, overlaps a box: the corners of the part
/// inside, which leaves through the face where it is least deep.
pub(crate) fn touch_plate(
    block: &PlacedBox<'_>,
    plate: impl Iterator<Item = Vec3>,
    (under, over): (usize, usize),
    touches: &mut Touches,
) {
    let mut inside = Polygon::of(plate.map(|corner| block.local(corner)));
    let faces = faces(block.half);
    for (normal, limit) in faces {
        inside.clip(normal, limit);
    }
    let depth_at = |(normal, limit): (Vec3, f64), corner: &Vec3| limit - normal.dot(*corner);
    let depth = |face: (Vec3, f64)| {
        let depths = inside.corners().iter().map(|corner| depth_at(face, corner));
        depths.fold(0.0, f64::max)
    };
    let least = |one, other| {
        if depth(other) < depth(one) {
            other
        } else {
            one
        }
    };
    let Some(face) = faces.into_iter().reduce(least) else {
        return;
    };
    for corner in inside.corners() {
        let depth = depth_at(face, corner);
        let normal = block.axes.apply(face.0);
        touches.add(Overlap {
            under: Some(under),
            over,
            point: block.center + block.axes.apply(*corner) + normal * (0.5 * depth),
            normal,
            depth,
        });
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
    if let Some((axis, point)) = edges {
        if axis.depth < EDGE_SHARE * one.depth.min(other.depth) {
            touches.add(Overlap {
                under: Some(under),
                over,
                point,
                normal: axis.normal,
                depth: axis.depth,
            });
            return;
        }
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

fn clamp_to(point: Vec3, half: Vec3) -> Vec3 {
    Vec3::new(
        point.x.clamp(-half.x, half.x),
        point.y.clamp(-half.y, half.y),
        point.z.clamp(-half.z, half.z),
    )
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
