//! Judges whether the body touches itself: the distance between the capsules of links that may meet.
//! Asked in every turn; looks closely only when the joints have moved far enough for a touch.
//! The law: links that share a joint are never a pair; a pair that touched when the show began is one again
//! as soon as it has come apart.

use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::details::closest_points_segment_segment_with_locations;
use parry3d_f64::shape::Segment;

use crate::config::Robot;

/// The pairs of links, and how far they are apart at least.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    capsules: Vec<(usize, Segment, f64)>,
    pairs: Vec<Pair>,
}

#[derive(Clone, Debug)]
struct Pair {
    links: (usize, usize),
    /// The capsules of both, as places in the list.
    capsules: Vec<(usize, usize)>,
    /// How much the body may still move before they could touch, m.
    slack: f64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// It has not been looked at.
    New,
    /// They touched from the beginning.
    Excused,
    Apart,
    Touching,
}

/// Two links that have just come to touch, or go deeper into each other than ever in this touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    /// Their places.
    pub(super) links: (usize, usize),
    /// How deep, m.
    pub(super) depth: f64,
    /// Whether it has just begun.
    pub(super) begins: bool,
}

fn vector(it: [f64; 3]) -> Vector {
    Vector::new(it[0], it[1], it[2])
}

impl Touch {
    /// No pairs at all.
    pub(super) fn nobody() -> Touch {
        Touch {
            capsules: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// All pairs of a robot.
    pub(super) fn of(robot: &Robot) -> Touch {
        let links = robot.links.iter().enumerate();
        let capsules = links.flat_map(|(link, it)| {
            let capsules = it.capsules.iter();
            capsules.map(move |it| {
                (
                    link,
                    Segment::new(vector(it.from), vector(it.to)),
                    it.radius,
                )
            })
        });
        let capsules: Vec<_> = capsules.collect();
        let of = |link: usize| {
            let all = capsules.iter().enumerate();
            let own = all.filter(move |(_, it)| it.0 == link);
            own.map(|(place, _)| place).collect::<Vec<_>>()
        };
        let count = robot.links.len();
        let mut pairs = Vec::new();
        for one in 0..count {
            for other in one + 1..count {
                let (mine, theirs) = (of(one), of(other));
                if mine.is_empty() || theirs.is_empty() || neighbours(robot, one, other) {
                    continue;
                }
                let both = mine.iter();
                let both = both.flat_map(|mine| theirs.iter().map(move |their| (*mine, *their)));
                pairs.push(Pair {
                    links: (one, other),
                    capsules: both.collect(),
                    slack: 0.0,
                    state: State::New,
                });
            }
        }
        Touch { capsules, pairs }
    }

    /// A new show begins: what touches now is excused until it has come apart.
    pub(super) fn begin(&mut self) {
        for pair in &mut self.pairs {
            pair.slack = 0.0;
            pair.state = State::New;
        }
    }

    /// The body has moved by no more than this, m; whether any pair must be looked at.
    pub(super) fn moved(&mut self, far: f64) -> bool {
        let mut look = false;
        for pair in &mut self.pairs {
            pair.slack -= far;
            look |= pair.slack <= 0.0;
        }
        look
    }

    /// Looks at every pair that could touch.
    pub(super) fn look(&mut self, poses: &[Pose], mut touches: impl FnMut(Contact)) {
        for pair in self.pairs.iter_mut().filter(|it| it.slack <= 0.0) {
            let apart = pair.capsules.iter().map(|(one, other)| {
                let ((mine, a, thick), (theirs, b, thicker)) =
                    (&self.capsules[*one], &self.capsules[*other]);
                distance(&poses[*mine], a, &poses[*theirs], b) - thick - thicker
            });
            let apart = apart.fold(f64::INFINITY, f64::min);
            pair.slack = apart.max(0.0);
            let touching = apart < 0.0;
            pair.state = match (pair.state, touching) {
                (State::New | State::Excused, true) => State::Excused,
                (_, false) => State::Apart,
                (before, true) => {
                    touches(Contact {
                        links: pair.links,
                        depth: -apart,
                        begins: before == State::Apart,
                    });
                    State::Touching
                }
            };
        }
    }
}

/// Whether two links share a joint, or have only links without a body between them.
fn neighbours(robot: &Robot, one: usize, other: usize) -> bool {
    let bodied = |mut link: usize| {
        // The nearest ancestor that has a body of its own.
        while let Some(parent) = robot.links[link].parent {
            link = parent;
            if !robot.links[link].capsules.is_empty() {
                return Some(link);
            }
        }
        None
    };
    bodied(other) == Some(one) || bodied(one) == Some(other)
}

fn distance(a: &Pose, one: &Segment, b: &Pose, other: &Segment) -> f64 {
    let between = a.inv_mul(b);
    let (mine, theirs) = closest_points_segment_segment_with_locations(&between, one, other);
    let (mine, theirs) = (one.point_at(&mine), other.point_at(&theirs));
    (mine - between.transform_point(theirs)).length()
}
