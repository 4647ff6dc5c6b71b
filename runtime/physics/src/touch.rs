//! What touches what, in one pose of all links. Used by the world in every step.

use alloc::vec::Vec;

use kinematics::Vec3;

use crate::bounds::{Bound, Plate, plate};
use crate::box_contact::{PlacedPlate, touch_capsule, touch_plate, touch_wheel};
use crate::box_pair::touch_boxes;
use crate::capsule::{PlacedCapsule, nearest_points};
use crate::ground::Ground;
use crate::matrix::Matrix3;
use crate::model::{Collider, Model, ModelError, Mount, PAIRS_MAX, Shape};
use crate::overlap::{Overlap, Touches};
use crate::placed_box::PlacedBox;
use crate::tree::Tree;

/// The shapes of a world, and which of them may touch.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    pub(crate) colliders: Vec<Collider>,
    pub(crate) pairs: Vec<(usize, usize)>,
    /// By collider: a ball around it.
    bounds: Vec<Bound>,
    /// By collider: the plate of a flat hull.
    plates: Vec<Option<Plate>>,
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
                // A pair of a box and another shape names the box first.
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
        let colliders = model.colliders.iter();
        Ok(Shapes {
            colliders: model.colliders.clone(),
            pairs,
            bounds: colliders.clone().map(|one| Bound::of(&one.shape)).collect(),
            plates: colliders.map(|one| plate(&one.shape)).collect(),
        })
    }

    /// Reserves room for so many boxes that are added later.
    pub(crate) fn reserve(&mut self, boxes: usize) {
        let all = self.colliders.len() + boxes;
        self.colliders.reserve_exact(boxes);
        self.bounds.reserve_exact(boxes);
        self.plates.reserve_exact(boxes);
        self.pairs.reserve_exact(boxes * all);
    }

    /// Adds a box, which touches the earlier boxes and whatever touches anything.
    pub(crate) fn add_box(&mut self, collider: Collider, first_box: usize) {
        let number = self.colliders.len();
        for (other, earlier) in self.colliders.iter().enumerate() {
            // A box that meets the ground moves.
            let either_moves = collider.meets_ground || earlier.meets_ground;
            if other >= first_box && either_moves {
                self.pairs.push((other, number));
            } else if other < first_box && (earlier.meets_ground || earlier.meets_links) {
                self.pairs.push((number, other));
            }
        }
        self.bounds.push(Bound::of(&collider.shape));
        self.plates.push(None);
        self.colliders.push(collider);
    }

    /// Removes all shapes from this one on.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.pairs
            .retain(|(under, over)| *under < count && *over < count);
        self.colliders.truncate(count);
        self.bounds.truncate(count);
        self.plates.truncate(count);
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
                for corner in self
                    .placed_box(tree, over)
                    .into_iter()
                    .flat_map(PlacedBox::corners)
                {
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
        let Some(block) = self.placed_box(tree, under) else {
            self.find_between_capsules(tree, under, over, touches);
            return;
        };
        let Bound { center, radius } = self.bounds[over];
        let Collider { link, shape, .. } = &self.colliders[over];
        if block.distance(tree.point(*link, center)) > radius {
            return;
        }
        let pair = (under, over);
        match shape {
            Shape::Capsule { .. } => {
                if let Some(capsule) = self.placed_capsule(tree, over) {
                    touch_capsule(&block, capsule, pair, touches);
                }
            }
            Shape::Box { .. } => {
                if let Some(above) = self.placed_box(tree, over) {
                    touch_boxes(&block, &above, pair, touches);
                }
            }
            Shape::Hull { corners } => {
                if let Some(plate) = &self.plates[over] {
                    let corners = plate.corners.iter();
                    let placed = PlacedPlate {
                        corners: corners.map(|corner| tree.point(*link, *corner)),
                        outward: plate.outward.map(|outward| tree.axes(*link).apply(outward)),
                    };
                    touch_plate(&block, placed, pair, touches);
                } else {
                    for corner in corners {
                        let point = tree.point(*link, *corner);
                        let ball = PlacedCapsule {
                            from: point,
                            to: point,
                            radius: 0.0,
                        };
                        touch_capsule(&block, ball, pair, touches);
                    }
                }
            }
            Shape::Wheel {
                center,
                axle,
                radius,
                half_width,
            } => {
                let wheel = PlacedCapsule {
                    from: tree.point(*link, *center - *axle * *half_width),
                    to: tree.point(*link, *center + *axle * *half_width),
                    radius: *radius,
                };
                touch_wheel(&block, wheel, pair, touches);
            }
        }
    }

    fn find_between_capsules(&self, tree: &Tree, under: usize, over: usize, touches: &mut Touches) {
        let capsules = (
            self.placed_capsule(tree, under),
            self.placed_capsule(tree, over),
        );
        let (Some(below), Some(above)) = capsules else {
            return;
        };
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
    let is_box = |collider: &Collider| matches!(collider.shape, Shape::Box { .. });
    let is_capsule = |collider: &Collider| matches!(collider.shape, Shape::Capsule { .. });
    let is_still =
        |collider: &Collider| matches!(model.links[collider.link].mount, Mount::Fixed(_));
    let is_ignored =
        |ignored: &(usize, usize)| (ignored.0.min(ignored.1), ignored.0.max(ignored.1)) == pair;
    one.meets_links
        && other.meets_links
        && one.link != other.link
        && !(is_still(one) && is_still(other))
        && (is_box(one) || is_box(other) || is_capsule(one) && is_capsule(other))
        && model.parent(pair.1) != Some(pair.0)
        && !model.ignored_pairs.iter().any(is_ignored)
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
