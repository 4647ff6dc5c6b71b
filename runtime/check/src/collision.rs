//! Self-collision: whether links of the body touch, by the distance between their capsules and hulls.
//! Asked in every turn; computes a distance only when the joints have moved far enough for a collision.
//! Links that share a joint are never compared. Links with only shapeless links between them are compared,
//! unless they overlap in a posture of the description. A pair that touched when the show began is compared again as
//! soon as it has come apart.

use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::details::{
    closest_points_segment_segment_with_locations, contact_support_map_support_map,
};
use parry3d_f64::shape::{ConvexPolyhedron, Segment, SupportMap};

use super::kinematics::KinematicTree;
use cycle::ActuatorId;
use description::Robot;

/// A convex part of a link.
#[derive(Clone, Debug)]
enum CollisionShape {
    Capsule(Segment, f64),
    Hull(ConvexPolyhedron),
}

/// All pairs of links that can collide, and how far each pair is apart at least.
#[derive(Clone, Debug)]
pub(super) struct CollisionDetector {
    /// Each with its link.
    shapes: Vec<(usize, CollisionShape)>,
    pairs: Vec<LinkPair>,
    /// How far each link has moved in this turn at most, m.
    travels: Vec<f64>,
    /// Links that overlap in a posture of the description: nobody can say whether they collide.
    inside: Vec<(usize, usize)>,
}

/// A distance that no two parts of a robot exceed, m.
const FAR: f64 = 1e4;

/// Joints that are closer than this are one joint with several axes, m.
const ONE_PLACE: f64 = 0.02;

#[derive(Clone, Debug)]
struct LinkPair {
    links: (usize, usize),
    /// The shapes of both, as indices.
    shapes: Vec<(usize, usize)>,
    /// How far both may still move, together, before they could collide, m.
    slack: f64,
    state: ContactState,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ContactState {
    /// It has not been looked at.
    New,
    /// They touched from the beginning.
    Excused,
    Apart,
    Touching,
}

/// Two links that collide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    /// Their indices.
    pub(super) links: (usize, usize),
    /// How deep they overlap, m.
    pub(super) depth: f64,
    /// Whether the collision has just begun.
    pub(super) begins: bool,
}

fn vector(value: [f64; 3]) -> Vector {
    Vector::new(value[0], value[1], value[2])
}

impl CollisionDetector {
    /// No pairs at all.
    pub(super) fn none() -> CollisionDetector {
        CollisionDetector {
            shapes: Vec::new(),
            pairs: Vec::new(),
            travels: Vec::new(),
            inside: Vec::new(),
        }
    }

    /// All pairs of a robot.
    pub(super) fn of(robot: &Robot) -> CollisionDetector {
        let links = robot.links.iter().enumerate();
        let shapes = links.flat_map(|(link, it)| {
            let capsules = it.capsules.iter();
            let capsules = capsules.map(|capsule| {
                CollisionShape::Capsule(
                    Segment::new(vector(capsule.from), vector(capsule.to)),
                    capsule.radius,
                )
            });
            let corners =
                |one: &Vec<[f64; 3]>| one.iter().map(|item| vector(*item)).collect::<Vec<_>>();
            let hulls = it.hulls.iter();
            let hulls =
                hulls.filter_map(move |hull| ConvexPolyhedron::from_convex_hull(&corners(hull)));
            let all = capsules.chain(hulls.map(CollisionShape::Hull));
            all.map(move |value| (link, value)).collect::<Vec<_>>()
        });
        let shapes: Vec<_> = shapes.collect();
        let of = |link: usize| {
            let all = shapes.iter().enumerate();
            let own = all.filter(move |(_, pair)| pair.0 == link);
            own.map(|(place, _)| place).collect::<Vec<_>>()
        };
        let count = robot.links.len();
        let postures = postures(robot);
        let (mut pairs, mut inside) = (Vec::new(), Vec::new());
        for one in 0..count {
            for other in one + 1..count {
                let (mine, theirs) = (of(one), of(other));
                if mine.is_empty() || theirs.is_empty() || share_a_joint(robot, one, other) {
                    continue;
                }
                let both = mine.iter();
                let both = both.flat_map(|mine| theirs.iter().map(move |their| (*mine, *their)));
                let pair = LinkPair {
                    links: (one, other),
                    shapes: both.collect(),
                    slack: 0.0,
                    state: ContactState::New,
                };
                let meet = |item: &Vec<Pose>| pair.apart(&shapes, item) < 0.0;
                match between(robot, one, other) {
                    Some(far) if postures.iter().any(meet) => {
                        // Joints at one place are one joint in several directions.
                        if far > ONE_PLACE {
                            inside.push(pair.links);
                        }
                    }
                    _ => pairs.push(pair),
                }
            }
        }
        CollisionDetector {
            shapes,
            pairs,
            travels: Vec::new(),
            inside,
        }
    }

    /// Pairs of links that nobody can judge.
    pub(super) fn unjudged(&self) -> &[(usize, usize)] {
        &self.inside
    }

    /// A new show begins: links that touch now are excused until they have come apart.
    pub(super) fn begin(&mut self) {
        for pair in &mut self.pairs {
            pair.slack = 0.0;
            pair.state = ContactState::New;
        }
    }

    /// Each actuator has moved as far as `moved` says. Returns whether any pair must be looked at.
    pub(super) fn moved(&mut self, kinematics: &KinematicTree, moved: &[f64]) -> bool {
        if self.pairs.is_empty() {
            return false;
        }
        let travels = &mut self.travels;
        kinematics.travels(moved, travels);
        let mut look = false;
        for pair in &mut self.pairs {
            pair.slack -= travels[pair.links.0] + travels[pair.links.1];
            look |= pair.slack <= 0.0;
        }
        look
    }

    /// Looks at every pair that could collide.
    pub(super) fn look(&mut self, poses: &[Pose], mut touches: impl FnMut(Contact)) {
        for pair in self.pairs.iter_mut().filter(|pair| pair.slack <= 0.0) {
            let apart = pair.apart(&self.shapes, poses);
            pair.slack = apart.max(0.0);
            let touching = apart < 0.0;
            pair.state = match (pair.state, touching) {
                (ContactState::New | ContactState::Excused, true) => ContactState::Excused,
                (_, false) => ContactState::Apart,
                (before, true) => {
                    touches(Contact {
                        links: pair.links,
                        depth: -apart,
                        begins: before == ContactState::Apart,
                    });
                    ContactState::Touching
                }
            };
        }
    }
}

impl LinkPair {
    /// The distance of both links, m; below 0 they overlap.
    fn apart(&self, shapes: &[(usize, CollisionShape)], poses: &[Pose]) -> f64 {
        let apart = self.shapes.iter().map(|(one, other)| {
            let ((mine, a), (theirs, b)) = (&shapes[*one], &shapes[*other]);
            apart(&poses[*mine], a, &poses[*theirs], b)
        });
        apart.fold(f64::INFINITY, f64::min)
    }
}

/// The distance of two shapes, m; below 0 they overlap.
fn apart(a: &Pose, one: &CollisionShape, b: &Pose, other: &CollisionShape) -> f64 {
    // A capsule is as far away as its line is, less its thickness.
    let between = a.inv_mul(b);
    let (line, far) = match (one, other) {
        (CollisionShape::Hull(one), CollisionShape::Hull(other)) => {
            (0.0, meet(&between, one, other))
        }
        (CollisionShape::Capsule(one, thick), CollisionShape::Hull(other)) => {
            (*thick, meet(&between, one, other))
        }
        (CollisionShape::Hull(one), CollisionShape::Capsule(other, thick)) => {
            (*thick, meet(&between, one, other))
        }
        (CollisionShape::Capsule(one, thick), CollisionShape::Capsule(other, thicker)) => {
            return distance(a, one, b, other) - thick - thicker;
        }
    };
    far - line
}

/// The distance of two convex shapes, m. If they overlap, it is below 0 by how far they must move to come apart.
fn meet(between: &Pose, one: &impl SupportMap, other: &impl SupportMap) -> f64 {
    let contact = contact_support_map_support_map(between, one, other, FAR);
    contact.map_or(FAR, |contact| contact.dist)
}

/// The poses of all links at rest, and in each posture of the description.
fn postures(robot: &Robot) -> Vec<Vec<Pose>> {
    let Some(kinematics) = KinematicTree::of(robot) else {
        return Vec::new();
    };
    let none: &[(ActuatorId, f64)] = &[];
    let named = robot.poses.iter().map(|pose| pose.1.as_slice());
    let placed = std::iter::once(none).chain(named).map(|posture| {
        let mut poses = Vec::new();
        let place = |joint: usize| {
            let own = posture.iter().find(|pair| usize::from(pair.0.0) == joint);
            own.map_or(robot.actuators[joint].rest, |pair| pair.1)
        };
        kinematics.place(place, &mut poses);
        poses
    });
    placed.collect()
}

fn share_a_joint(robot: &Robot, one: usize, other: usize) -> bool {
    robot.links[other].parent == Some(one) || robot.links[one].parent == Some(other)
}

/// The distance between the joints of two links that have only links without shapes between them, m.
fn between(robot: &Robot, one: usize, other: usize) -> Option<f64> {
    let up_from = |mut link: usize, to: usize| {
        let mut far = 0.0;
        // The nearest ancestor that has a shape of its own.
        while let Some(parent) = robot.links[link].parent {
            if parent == to {
                return Some(far);
            }
            if robot.links[parent].has_shape() {
                return None;
            }
            far += vector(robot.links[link].at).length();
            link = parent;
        }
        None
    };
    up_from(other, one).or_else(|| up_from(one, other))
}

fn distance(a: &Pose, one: &Segment, b: &Pose, other: &Segment) -> f64 {
    let between = a.inv_mul(b);
    let (mine, theirs) = closest_points_segment_segment_with_locations(&between, one, other);
    let (mine, theirs) = (one.point_at(&mine), other.point_at(&theirs));
    (mine - between.transform_point(theirs)).length()
}

#[cfg(test)]
mod tests {
    use description::{RobotSource, load_told};

    use super::*;

    /// Where the joints of a body are that wanders about, `turn` for turn: each joint swings with a time of its own.
    fn posture(robot: &Robot, turn: u32, walk: u32) -> Vec<f64> {
        let all = robot.actuators.iter().enumerate();
        all.map(|(place, item)| {
            let (min, max) = (item.range.min.max(-3.0), item.range.max.min(3.0));
            let phase =
                f64::from(turn) * (0.003 + 0.0007 * ((place as u32 * 7 + walk) % 11) as f64);
            min + (max - min) * (0.5 + 0.5 * (phase + f64::from(walk)).sin())
        })
        .collect()
    }

    /// A detector that looks only when links have moved far enough finds what one finds that looks in every turn.
    #[test]
    fn what_touches_is_found_in_the_same_turn_as_by_looking_always() {
        let mut found = 0;
        for name in ["nao", "aibo-ers7", "hexapod"] {
            let (robot, _) = load_told(&RobotSource::of(name)).expect("it is shipped");
            let kinematics = KinematicTree::of(&robot).expect("it has links");
            let (mut seldom, mut looks, mut turns) = (CollisionDetector::of(&robot), 0, 0);
            let mut always = seldom.clone();
            for walk in 0..3 {
                let mut last = posture(&robot, 0, walk);
                let mut poses = Vec::new();
                seldom.begin();
                always.begin();
                for turn in 0..2_000 {
                    let now = posture(&robot, turn, walk);
                    let moved: Vec<_> = now
                        .iter()
                        .zip(&last)
                        .map(|pair| (pair.0 - pair.1).abs())
                        .collect();
                    last = now;
                    kinematics.place(|kinematic| last[kinematic], &mut poses);
                    let [mut by_one, mut by_other] = [Vec::new(), Vec::new()];
                    turns += 1;
                    if seldom.moved(&kinematics, &moved) {
                        looks += 1;
                        seldom.look(&poses, |value| by_one.push(value));
                    }
                    always.pairs.iter_mut().for_each(|pair| pair.slack = 0.0);
                    always.look(&poses, |value| by_other.push(value));
                    assert_eq!(by_one, by_other, "{name}, turn {turn} of walk {walk}");
                    found += by_one.len();
                }
            }
            assert!(looks < turns, "{name} looks in every turn");
        }
        assert!(found > 100, "only {found} contacts: the walk is too tame");
    }
}
