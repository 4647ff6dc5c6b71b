//! What a link should do: goals for inverse kinematics, how far a pose is from them, and what each joint changes of
//! that. Made by guests; measured by the solver in each of its steps.
//! Half the square of a goal's error falls along its rows, and nowhere faster: the gradient is exact, also
//! far from the goal. So where the solver stops, there is no way down.

use crate::differential::Twist;
use crate::limb::Mount;
use crate::rotation::{Rotation, Transform};
use crate::vector::Vec3;

/// What a link should do, seen from the root of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoalKind {
    /// A point of it should be at a place.
    Point {
        /// In the link's frame, m.
        point: Vec3,
        /// The place, m.
        at: Vec3,
    },
    /// A point of it should be on a plane: where the product with `normal` is `height`.
    Plane {
        /// In the link's frame, m.
        point: Vec3,
        /// Of length 1.
        normal: Vec3,
        /// The distance of the plane from the root, m.
        height: f64,
    },
    /// An axis of it should point along a direction; how it is turned about the axis does not matter.
    Direction {
        /// In the link's frame, of length 1.
        axis: Vec3,
        /// Of length 1.
        along: Vec3,
    },
    /// It should be turned so.
    Orientation {
        /// Seen from the root.
        turn: Rotation,
    },
    /// An axis of it, from a point of it, should point at a place: a camera, a torch.
    Gaze {
        /// In the link's frame, m.
        eye: Vec3,
        /// In the link's frame, of length 1.
        axis: Vec3,
        /// The place, m.
        at: Vec3,
    },
}

/// A goal of a link, and how much it counts beside others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The link's number in the table.
    pub link: usize,
    /// What it should do.
    pub kind: GoalKind,
    /// How much its error counts beside those of other goals, where not all can be met; 1 usually. An error of 1 rad
    /// counts as much as one of the length that [`Effort::radian`](crate::Effort::radian) says.
    pub weight: f64,
}

impl Goal {
    const fn new(link: usize, kind: GoalKind) -> Goal {
        Goal {
            link,
            kind,
            weight: 1.0,
        }
    }

    /// The origin of the link should be at a place, m.
    pub fn point(link: usize, at: impl Into<Vec3>) -> Goal {
        Goal::point_of(link, Vec3::ZERO, at)
    }

    /// A point of the link (in its frame) should be at a place, m.
    pub fn point_of(link: usize, point: impl Into<Vec3>, at: impl Into<Vec3>) -> Goal {
        let (point, at) = (point.into(), at.into());
        Goal::new(link, GoalKind::Point { point, at })
    }

    /// A point of the link should be on the plane through a place, across a normal of any length.
    pub fn plane(
        link: usize,
        point: impl Into<Vec3>,
        through: impl Into<Vec3>,
        normal: impl Into<Vec3>,
    ) -> Goal {
        let normal = normal.into().unit();
        let kind = GoalKind::Plane {
            point: point.into(),
            normal,
            height: normal.dot(through.into()),
        };
        Goal::new(link, kind)
    }

    /// An axis of the link should point along a direction, both of any length.
    pub fn direction(link: usize, axis: impl Into<Vec3>, along: impl Into<Vec3>) -> Goal {
        let (axis, along) = (axis.into().unit(), along.into().unit());
        Goal::new(link, GoalKind::Direction { axis, along })
    }

    /// The link should be turned so.
    pub const fn orientation(link: usize, turn: Rotation) -> Goal {
        Goal::new(link, GoalKind::Orientation { turn })
    }

    /// An axis of the link, from a point of it, should point at a place.
    pub fn gaze(
        link: usize,
        eye: impl Into<Vec3>,
        axis: impl Into<Vec3>,
        at: impl Into<Vec3>,
    ) -> Goal {
        let (eye, axis, at) = (eye.into(), axis.into().unit(), at.into());
        Goal::new(link, GoalKind::Gaze { eye, axis, at })
    }

    /// The same, counting this much.
    #[must_use]
    pub const fn weighing(mut self, weight: f64) -> Goal {
        self.weight = weight;
        self
    }

    /// Whether its numbers say something: directions have a direction, and nothing is NaN or infinite.
    pub fn is_sound(&self) -> bool {
        let weighs = self.weight >= 0.0 && self.weight.is_finite();
        weighs
            && match self.kind {
                GoalKind::Point { point, at } => point.is_finite() && at.is_finite(),
                GoalKind::Plane {
                    point,
                    normal,
                    height,
                } => point.is_finite() && normal.is_unit() && height.is_finite(),
                GoalKind::Direction { axis, along } => axis.is_unit() && along.is_unit(),
                GoalKind::Orientation { turn } => turn.is_unit(),
                GoalKind::Gaze { eye, axis, at } => {
                    eye.is_finite() && axis.is_unit() && at.is_finite()
                }
            }
    }

    /// The same, said of what it hangs on.
    pub(crate) fn hung(&self, mount: Mount, radian: f64) -> HungGoal {
        let Mount { step, pose } = mount;
        let mut kind = self.kind;
        match &mut kind {
            GoalKind::Point { point, .. } | GoalKind::Plane { point, .. } => {
                *point = pose.point(*point);
            }
            GoalKind::Direction { axis, .. } => *axis = pose.turn.turn(*axis),
            GoalKind::Orientation { turn } => *turn = *turn * pose.turn.inverse(),
            GoalKind::Gaze { eye, axis, .. } => {
                *eye = pose.point(*eye);
                *axis = pose.turn.turn(*axis);
            }
        }
        let is_angle = !matches!(kind, GoalKind::Point { .. } | GoalKind::Plane { .. });
        let scale = if is_angle { radian * radian } else { 1.0 };
        HungGoal {
            step,
            kind,
            is_angle,
            weight: self.weight * scale,
        }
    }
}

/// A goal of a step of a limb: what the solver measures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HungGoal {
    pub(crate) step: usize,
    kind: GoalKind,
    /// Whether its error is an angle.
    pub(crate) is_angle: bool,
    /// What the square of its error counts, m² or m² for each rad².
    pub(crate) weight: f64,
}

impl HungGoal {
    pub(crate) const NONE: HungGoal = HungGoal {
        step: 0,
        kind: GoalKind::Orientation {
            turn: Rotation::NONE,
        },
        is_angle: true,
        weight: 0.0,
    };

    /// How far a step at this pose is from it.
    #[inline]
    pub(crate) fn gap(&self, pose: Transform) -> Gap {
        match self.kind {
            GoalKind::Point { point, at } => {
                let point = pose.point(point);
                Gap::new(point, at - point, Rows::Shift)
            }
            GoalKind::Plane {
                point,
                normal,
                height,
            } => {
                let point = pose.point(point);
                let error = normal * (height - normal.dot(point));
                Gap::new(point, error, Rows::Across(normal))
            }
            GoalKind::Direction { axis, along } => {
                let axis = pose.turn.turn(axis);
                let error = from_to(axis, along);
                Gap::new(pose.at, error, Rows::Swing(axis))
            }
            GoalKind::Orientation { turn } => {
                let error = (turn * pose.turn.inverse()).vector();
                Gap::new(pose.at, error, Rows::Turn)
            }
            GoalKind::Gaze { eye, axis, at } => {
                let (eye, axis) = (pose.point(eye), pose.turn.turn(axis));
                let way = at - eye;
                let length = way.length();
                // Of what is in the eye itself there is no direction, and nothing is wrong.
                if length < NEAREST_GAZE {
                    return Gap::new(eye, Vec3::ZERO, Rows::Swing(axis));
                }
                let along = way * (1.0 / length);
                let nearness = 1.0 / length;
                let error = from_to(axis, along);
                Gap::new(
                    eye,
                    error,
                    Rows::Gaze {
                        axis,
                        along,
                        nearness,
                    },
                )
            }
        }
    }
}

/// What is nearer to the eye than this has no direction, m.
const NEAREST_GAZE: f64 = 1e-6;

/// The shortest rotation from one direction to another, as a vector. For opposite ones, always the same of all.
fn from_to(from: Vec3, to: Vec3) -> Vec3 {
    let cross = from.cross(to);
    let (sine, cosine) = (cross.length(), from.dot(to));
    if sine > 1e-9 {
        cross * (libm::atan2(sine, cosine) / sine)
    } else if cosine > 0.0 {
        cross
    } else {
        from.any_across() * core::f64::consts::PI
    }
}

/// What is left between a pose and a goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// Whose movement counts, seen from the root.
    pub(crate) point: Vec3,
    /// The way to go: m, or the axis times the angle.
    pub(crate) error: Vec3,
    rows: Rows,
}

/// What of a movement counts.
#[derive(Clone, Copy, Debug)]
enum Rows {
    Shift,
    Across(Vec3),
    Turn,
    /// Turning, but not about this axis.
    Swing(Vec3),
    /// The same for an axis that follows a place in this direction, `1 / nearness` m away.
    Gaze {
        axis: Vec3,
        along: Vec3,
        nearness: f64,
    },
}

impl Gap {
    fn new(point: Vec3, error: Vec3, rows: Rows) -> Gap {
        Gap { point, error, rows }
    }

    /// How much of the way a movement of the point goes.
    #[inline]
    pub(crate) fn row(&self, twist: Twist) -> Vec3 {
        match self.rows {
            Rows::Shift => twist.shift,
            Rows::Across(normal) => normal * normal.dot(twist.shift),
            Rows::Turn => twist.turn,
            Rows::Swing(axis) => twist.turn.across(axis),
            Rows::Gaze {
                axis,
                along,
                nearness,
            } => {
                // An eye that moves aside must turn the other way to keep looking there.
                let aside = along.cross(twist.shift) * nearness;
                (twist.turn + aside).across(axis)
            }
        }
    }
}
