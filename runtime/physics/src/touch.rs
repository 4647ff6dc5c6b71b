//! What touches what, in one pose of all links. Used by the world in every step.
//! At most `TOUCHES_MAX` points are kept; those beyond are counted.

use alloc::vec::Vec;

use kinematics::Vec3;

use crate::ground::Ground;
use crate::matrix::Matrix3;
use crate::model::{Collider, Model, ModelError, Mount, PAIRS_MAX, Shape};
use crate::tree::Tree;

/// The most points of contact in one step.
pub const TOUCHES_MAX: usize = 256;

/// A point in which two shapes overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap {
    /// The shape below the point; the ground if missing.
    pub(crate) under: Option<usize>,
    pub(crate) over: usize,
    pub(crate) point: Vec3,
    /// From `under` to `over`.
    pub(crate) normal: Vec3,
    /// How deep they overlap, m.
    pub(crate) depth: f64,
}

/// The shapes of a world, and which of them may touch.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    pub(crate) colliders: Vec<Collider>,
    pairs: Vec<(usize, usize)>,
}

/// The points of contact of one step.
#[derive(Clone, Debug)]
pub(crate) struct Touches {
    pub(crate) list: Vec<Overlap>,
    /// How many did not fit.
    pub(crate) dropped: usize,
}

impl Touches {
    pub(crate) fn new() -> Touches {
        Touches {
            list: Vec::with_capacity(TOUCHES_MAX),
            dropped: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.dropped = 0;
    }

    fn add(&mut self, touch: Overlap) {
        if self.list.len() < TOUCHES_MAX {
            self.list.push(touch);
        } else {
            self.dropped += 1;
        }
    }
}

/// A segment with a radius, in the world.
#[derive(Clone, Copy)]
struct PlacedCapsule {
    from: Vec3,
    to: Vec3,
    radius: f64,
}

/// A box, in the world.
#[derive(Clone, Copy)]
struct PlacedBox<'t> {
    center: Vec3,
    axes: &'t Matrix3,
    half: Vec3,
}

impl Shapes {
    /// # Errors
    /// There are more pairs than a step may look at.
    pub(crate) fn new(model: &Model) -> Result<Shapes, ModelError> {
        let mut pairs = Vec::new();
        for (first, one) in model.colliders.iter().enumerate() {
            for (second, other) in model.colliders.iter().enumerate().skip(first + 1) {
                if !may_touch(model, one, other) {
                    continue;
                }
                // A pair of a box and a capsule names the box first.
                let is_box = matches!(one.shape, Shape::Box { .. });
                pairs.push(if is_box {
                    (first, second)
                } else {
                    (second, first)
                });
            }
        }
        if pairs.len() > PAIRS_MAX {
            return Err(ModelError::Size("pairs of shapes", PAIRS_MAX));
        }
        Ok(Shapes {
            colliders: model.colliders.clone(),
            pairs,
        })
    }

    /// Finds all points of contact.
    pub(crate) fn find(&self, tree: &Tree, ground: &Ground, touches: &mut Touches) {
        touches.clear();
        for over in 0..self.colliders.len() {
            if self.colliders[over].meets_ground {
                self.find_on_ground(tree, ground, over, touches);
            }
        }
        for (under, over) in &self.pairs {
            self.find_between(tree, *under, *over, touches);
        }
    }

    fn find_on_ground(&self, tree: &Tree, ground: &Ground, over: usize, touches: &mut Touches) {
        let collider = &self.colliders[over];
        let mut ball = |center: Vec3, radius: f64| {
            let Some((distance, normal)) = ground.distance(center) else {
                return;
            };
            let depth = radius - distance;
            if depth > 0.0 {
                touches.add(Overlap {
                    under: None,
                    over,
                    point: center - normal * (radius - 0.5 * depth),
                    normal,
                    depth,
                });
            }
        };
        match &collider.shape {
            Shape::Capsule { from, to, radius } => {
                ball(tree.point(collider.link, *from), *radius);
                if from != to {
                    ball(tree.point(collider.link, *to), *radius);
                }
            }
            Shape::Box { .. } => {
                for corner in self.placed_box(tree, over).into_iter().flat_map(corners) {
                    ball(corner, 0.0);
                }
            }
            Shape::Hull { corners } => {
                for corner in corners {
                    ball(tree.point(collider.link, *corner), 0.0);
                }
            }
            Shape::Wheel {
                center,
                axle,
                radius,
                half_width,
            } => {
                let axle = tree.axes(collider.link).apply(*axle);
                let center = tree.point(collider.link, *center);
                for side in [-half_width, *half_width] {
                    for rim in lowest_of_rim(ground, center + axle * side, axle, *radius) {
                        ball(rim, 0.0);
                    }
                }
            }
        }
    }

    fn find_between(&self, tree: &Tree, under: usize, over: usize, touches: &mut Touches) {
        let capsules = (
            self.placed_capsule(tree, under),
            self.placed_capsule(tree, over),
        );
        match (
            self.placed_box(tree, under),
            self.placed_box(tree, over),
            capsules,
        ) {
            (None, None, (Some(below), Some(above))) => {
                let (p, q) = nearest_points(below, above);
                let gap = q - p;
                let reach = below.radius + above.radius;
                let distance = gap.length();
                // Axes that cross have no direction in which they come apart.
                if distance < reach && distance > 1e-9 {
                    let normal = gap * (1.0 / distance);
                    let depth = reach - distance;
                    touches.add(Overlap {
                        under: Some(under),
                        over,
                        point: p + normal * (below.radius - 0.5 * depth),
                        normal,
                        depth,
                    });
                }
            }
            (Some(block), None, (_, Some(capsule))) => {
                let middle = nearest_to_box(&block, capsule);
                let ends = [0.0, 1.0].into_iter().filter(|end| *end != middle);
                for part in ends.chain([middle]) {
                    let center = capsule.from + (capsule.to - capsule.from) * part;
                    ball_in_box(&block, center, capsule.radius, (under, over), touches);
                }
            }
            (Some(below), Some(above), _) => {
                for corner in corners(above) {
                    ball_in_box(&below, corner, 0.0, (under, over), touches);
                }
                for corner in corners(below) {
                    ball_in_box(&above, corner, 0.0, (over, under), touches);
                }
            }
            _ => {}
        }
    }

    fn placed_capsule(&self, tree: &Tree, collider: usize) -> Option<PlacedCapsule> {
        let Collider { link, shape, .. } = &self.colliders[collider];
        match shape {
            Shape::Capsule { from, to, radius } => Some(PlacedCapsule {
                from: tree.point(*link, *from),
                to: tree.point(*link, *to),
                radius: *radius,
            }),
            Shape::Box { .. } | Shape::Hull { .. } | Shape::Wheel { .. } => None,
        }
    }

    fn placed_box<'t>(&self, tree: &'t Tree, collider: usize) -> Option<PlacedBox<'t>> {
        let Collider { link, shape, .. } = &self.colliders[collider];
        match shape {
            Shape::Box { center, half } => Some(PlacedBox {
                center: tree.point(*link, *center),
                axes: tree.axes(*link),
                half: *half,
            }),
            Shape::Capsule { .. } | Shape::Hull { .. } | Shape::Wheel { .. } => None,
        }
    }
}

/// Whether two shapes may touch: those of links that are neither the same nor joined, and not excluded.
fn may_touch(model: &Model, one: &Collider, other: &Collider) -> bool {
    let pair = (one.link.min(other.link), one.link.max(other.link));
    let is_solid =
        |collider: &Collider| matches!(collider.shape, Shape::Capsule { .. } | Shape::Box { .. });
    let is_still =
        |collider: &Collider| matches!(model.links[collider.link].mount, Mount::Fixed(_));
    let is_ignored =
        |ignored: &(usize, usize)| (ignored.0.min(ignored.1), ignored.0.max(ignored.1)) == pair;
    one.meets_links
        && other.meets_links
        && one.link != other.link
        && !(is_still(one) && is_still(other))
        && is_solid(one)
        && is_solid(other)
        && model.parent(pair.1) != Some(pair.0)
        && !model.ignored_pairs.iter().any(is_ignored)
}

fn corners(placed: PlacedBox<'_>) -> impl Iterator<Item = Vec3> {
    let PlacedBox { center, axes, half } = placed;
    let (x, y, z) = (axes.x * half.x, axes.y * half.y, axes.z * half.z);
    let sign = |corner: usize, bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
    (0..8)
        .map(move |corner| center + x * sign(corner, 0) + y * sign(corner, 1) + z * sign(corner, 2))
}

/// The points of a wheel's rim on which it can stand: the lowest one, or three around it if the wheel lies.
fn lowest_of_rim(
    ground: &Ground,
    center: Vec3,
    axle: Vec3,
    radius: f64,
) -> impl Iterator<Item = Vec3> {
    let normal = ground.distance(center).map_or(Vec3::Z, |found| found.1);
    let down = (-normal).across(axle);
    let lies = down.length() < 0.05;
    let first = if lies { axle.any_across() } else { down.unit() };
    let count = if lies { 3 } else { 1 };
    (0..count).map(move |number| {
        let angle = core::f64::consts::TAU / 3.0 * f64::from(number);
        center + Matrix3::about(axle, angle).apply(first) * radius
    })
}

/// The nearest points of two segments.
fn nearest_points(one: PlacedCapsule, other: PlacedCapsule) -> (Vec3, Vec3) {
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
fn ball_in_box(
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
