//! Judges whether the body stands: on which of its soles, how far its centre of mass is within them, and whether what
//! it does is too fast for it to stay there.
//!
//! A pose is given in the torso's frame and says nothing of the ground. So each sole is tried as the ground, and where
//! none will do, each set of three corners: it is the ground if no other sole and no other part goes through it. The
//! ground that was there before is kept for as long as it may be one. Asked every few turns while the joints move.
//! The law: it is judged only where a ground was found; what has none is counted, not passed.

use std::collections::VecDeque;

use parry3d_f64::math::{Pose, Vector};

use super::hull::{hull, nearest, within};
use super::skeleton::Skeleton;
use description::Robot;

/// Corners of soles that are no higher than this above the ground are on it, m. So much may also be below it: boards
/// round, and joints give way.
const ON_THE_GROUND: f64 = 0.005;

/// How far another part may seem to be in the ground, m: shapes are only like the body.
const IN_THE_GROUND: f64 = 0.02;

/// A centre of mass that is no farther inside is nearly outside, m.
const NEARLY: f64 = 0.01;

/// Grounds whose directions differ by less are the same, rad.
const SAME: f64 = 0.003;

/// From one look to the next, s.
pub(super) const STEP: f64 = 0.02;

/// Looks between the three from which an acceleration is worked out.
const STRIDE: usize = 2;

/// m/s².
const GRAVITY: f64 = 9.81;

/// The soles of a body, the ground, and the last looks.
#[derive(Clone, Debug)]
pub(super) struct Balance {
    soles: Vec<(usize, Vec<Vector>)>,
    /// Ends of capsules and corners of hulls of links that have no sole, with their radius.
    parts: Vec<(usize, Vector, f64)>,
    ground: Option<Plane>,
    looks: VecDeque<Vec<Pose>>,
    since: f64,
    /// How far it has tipped over the edge, rad, how fast it does, and the least margin that the zero-moment point
    /// has had since it began to.
    tipped: (f64, f64, f64),
}

/// Three corners that are on the ground: places in the list of soles, and in theirs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plane([(usize, usize); 3]);

/// What was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stance {
    /// It has no ground.
    None,
    /// It stands on its soles.
    Stands {
        /// How far the centre of mass is within the polygon, m; below 0 it is outside.
        margin: f64,
        /// The same for the zero-moment point, when it moves.
        moving: Option<f64>,
        /// How far it has tipped over the edge by now, of the way after which it falls.
        tipped: f64,
        /// Where the centre of mass is outside, or nearly: how it would stand when it has tipped onto another sole.
        leans: Option<Lean>,
    },
}

/// A body that has tipped over an edge of one sole and stands on another as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lean {
    /// How far it has tipped, rad.
    pub(super) angle: f64,
    /// How far its centre of mass is within what it stands on then, m.
    pub(super) margin: f64,
}

/// The ground, as the torso sees it.
struct Ground {
    up: Vector,
    along: Vector,
    across: Vector,
    /// Of the plane, along `up`.
    height: f64,
    polygon: Vec<(f64, f64)>,
}

impl Balance {
    /// Of a robot; nothing if nobody can say whether it stands.
    pub(super) fn of(robot: &Robot) -> Option<Balance> {
        let corners = |it: &[[f64; 3]]| {
            it.iter()
                .map(|it| Vector::new(it[0], it[1], it[2]))
                .collect()
        };
        let links = || robot.links.iter().enumerate();
        let soles: Vec<_> = links()
            .filter(|(_, it)| !it.sole.is_empty())
            .map(|(link, it)| (link, corners(&it.sole)))
            .collect();
        let bare = links().filter(|(_, it)| it.sole.is_empty());
        let parts = bare.flat_map(|(link, it)| {
            let ends = it
                .capsules
                .iter()
                .flat_map(|it| [(it.from, it.radius), (it.to, it.radius)]);
            let corners = it.hulls.iter().flatten().map(|it| (*it, 0.0));
            ends.chain(corners)
                .map(move |(end, radius)| (link, Vector::new(end[0], end[1], end[2]), radius))
        });
        let parts = parts.collect();
        (!soles.is_empty()).then(|| Balance {
            soles,
            parts,
            ground: None,
            looks: VecDeque::new(),
            since: STEP,
            tipped: (0.0, 0.0, f64::INFINITY),
        })
    }

    /// A new show begins, from wherever the body is.
    pub(super) fn begin(&mut self) {
        self.ground = None;
        self.looks.clear();
        self.since = STEP;
        self.tipped = (0.0, 0.0, f64::INFINITY);
    }

    /// A turn has passed; whether it is time to look.
    pub(super) fn is_due(&mut self, elapsed: f64) -> bool {
        self.since += elapsed;
        let due = self.since >= STEP - 1e-9;
        if due {
            self.since = 0.0;
        }
        due
    }

    /// Looks at the body.
    pub(super) fn look(&mut self, skeleton: &Skeleton, poses: &[Pose]) -> Stance {
        let Some(centre) = skeleton.centre(poses) else {
            return Stance::None;
        };
        self.looks.push_back(poses.to_vec());
        if self.looks.len() > 2 * STRIDE + 1 {
            self.looks.pop_front();
        }
        let kept = self.ground.and_then(|it| self.stands_on(it, poses, centre));
        let Some((ground, plane)) = kept.or_else(|| self.find(poses, centre)) else {
            self.ground = None;
            self.tipped = (0.0, 0.0, f64::INFINITY);
            return Stance::None;
        };
        self.ground = Some(plane);
        let margin = ground.margin(centre);
        let moving = self
            .zero_moment(skeleton, &ground, plane)
            .map(|it| ground.margin(it));
        let height = centre.dot(ground.up) - ground.height;
        // Where the centre of mass itself is outside, that is what is told.
        let tipped = if margin >= 0.0 {
            self.tip(margin, moving.unwrap_or(margin), height)
        } else {
            self.tipped = (0.0, 0.0, f64::INFINITY);
            0.0
        };
        let moving = moving.map(|it| it.min(self.tipped.2));
        let leans = (margin < NEARLY)
            .then(|| self.leans(&ground, poses, centre))
            .flatten();
        Stance::Stands {
            margin,
            moving,
            tipped,
            leans,
        }
    }

    /// How far it tips over its edge until it stands on that and on another sole, and how well it stands there; nothing
    /// if it lies before.
    fn leans(&self, ground: &Ground, poses: &[Pose], centre: Vector) -> Option<Lean> {
        let edge = ground.edge(centre)?;
        let over_it = |it: &Ground| edge.iter().all(|end| it.is_on(*end));
        let grounds = self
            .threes()
            .filter_map(|it| self.stands_on(it, poses, centre))
            .map(|it| it.0);
        let leans = grounds.filter(over_it).map(|it| Lean {
            angle: it.up.dot(ground.up).clamp(-1.0, 1.0).acos(),
            margin: it.margin(centre),
        });
        // On the ground itself it does not lean.
        let stable = leans.filter(|it| it.margin >= 0.0 && it.angle > SAME);
        let stable: Vec<_> = stable.collect();
        let angle = stable.iter().map(|it| it.angle).min_by(f64::total_cmp)?;
        // The same ground is found from several of its corners, by a little more or less.
        let same = stable.iter().filter(|it| it.angle - angle < SAME);
        let margin = same.map(|it| it.margin).max_by(f64::total_cmp)?;
        Some(Lean { angle, margin })
    }

    /// All sets of three corners.
    fn threes(&self) -> impl Iterator<Item = Plane> {
        let corners: Vec<_> = (0..self.soles.len())
            .flat_map(|sole| (0..self.soles[sole].1.len()).map(move |corner| (sole, corner)))
            .collect();
        let count = corners.len();
        let threes = (0..count).flat_map(move |a| {
            (a + 1..count).flat_map(move |b| (b + 1..count).map(move |c| [a, b, c]))
        });
        threes.map(move |it| Plane(it.map(|at| corners[at])))
    }

    /// The ground of these three corners, if the body may stand on it.
    fn stands_on(&self, plane: Plane, poses: &[Pose], centre: Vector) -> Option<(Ground, Plane)> {
        let place = |(sole, corner): (usize, usize)| {
            let (link, corners) = &self.soles[sole];
            poses[*link].transform_point(corners[corner])
        };
        let [a, b, c] = plane.0.map(place);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let up = if normal.dot(centre - a) < 0.0 {
            -normal
        } else {
            normal
        };
        let height = up.dot(a);
        if up == Vector::ZERO || up.dot(centre) <= height {
            return None;
        }
        let corners = self.soles.iter().flat_map(|(link, corners)| {
            let pose = &poses[*link];
            corners.iter().map(move |it| pose.transform_point(*it))
        });
        let along = up.any_orthonormal_vector();
        let across = up.cross(along);
        let mut ground = Vec::with_capacity(16);
        for corner in corners {
            let above = corner.dot(up) - height;
            if above < -ON_THE_GROUND {
                return None;
            }
            if above <= ON_THE_GROUND {
                ground.push((corner.dot(along), corner.dot(across)));
            }
        }
        let under = |(link, end, radius): &(usize, Vector, f64)| {
            poses[*link].transform_point(*end).dot(up) - radius - height < -IN_THE_GROUND
        };
        if self.parts.iter().any(under) {
            return None;
        }
        let polygon = hull(ground);
        let ground = Ground {
            up,
            along,
            across,
            height,
            polygon,
        };
        (ground.polygon.len() >= 3).then_some((ground, plane))
    }

    /// The best ground of this pose: that of a whole sole, or of three corners; of several the one whose edge is
    /// farthest away.
    fn find(&self, poses: &[Pose], centre: Vector) -> Option<(Ground, Plane)> {
        let flat = self.soles.iter().enumerate().filter(|it| it.1.1.len() >= 3);
        let whole = flat.map(|(sole, _)| Plane([0, 1, 2].map(|it| (sole, it))));
        if let Some(found) = self.best(whole, poses, centre) {
            return Some(found);
        }
        self.best(self.threes(), poses, centre)
    }

    fn best(
        &self,
        planes: impl Iterator<Item = Plane>,
        poses: &[Pose],
        centre: Vector,
    ) -> Option<(Ground, Plane)> {
        let found = planes.filter_map(|it| self.stands_on(it, poses, centre));
        found.max_by(|a, b| a.0.margin(centre).total_cmp(&b.0.margin(centre)))
    }

    /// Where the ground must push for the links to move as they do: the zero-moment point, of the middle one of the
    /// last looks, as seen from a sole that stands still.
    fn zero_moment(&self, skeleton: &Skeleton, ground: &Ground, plane: Plane) -> Option<Vector> {
        if self.looks.len() < 2 * STRIDE + 1 {
            return None;
        }
        let foot = self.soles[plane.0[0].0].0;
        let [before, middle, after] = [0, STRIDE, 2 * STRIDE].map(|it| &self.looks[it]);
        let seconds = STEP * STRIDE as f64;
        let (mut force, mut moment) = (0.0, Vector::ZERO);
        let now = &self.looks[2 * STRIDE];
        // All as seen from the foot, and then in the frame in which the ground is known: that of the last look.
        let seen = |poses: &[Pose], link: usize, centre: Vector| {
            let from_foot = poses[foot]
                .inverse()
                .transform_point(poses[link].transform_point(centre));
            now[foot].transform_point(from_foot)
        };
        for (link, mass, centre) in skeleton.masses() {
            let [a, b, c] = [before, middle, after].map(|it| seen(it, link, centre));
            let acceleration = (a - b * 2.0 + c) / (seconds * seconds);
            let push = mass * (GRAVITY + acceleration.dot(ground.up));
            let above = b.dot(ground.up) - ground.height;
            force += push;
            moment += b * push - acceleration * (mass * above);
        }
        (force > 0.0).then(|| moment / force)
    }

    /// How far it tips over the edge: outside of it gravity turns it on, inside back.
    fn tip(&mut self, margin: f64, moving: f64, height: f64) -> f64 {
        let arm = height * height + margin * margin;
        let (angle, speed, least) = self.tipped;
        let speed = speed - GRAVITY * moving / arm.max(1e-6) * STEP;
        let angle = angle + speed * STEP;
        self.tipped = if angle <= 0.0 {
            (0.0, 0.0, f64::INFINITY)
        } else {
            (angle, speed, least.min(moving))
        };
        let most = (margin.max(0.0) / height.max(1e-3)).atan();
        self.tipped.0 / most.max(1e-3)
    }
}

impl Ground {
    /// The ends of the edge over which a body tips whose centre of mass is outside of it.
    fn edge(&self, centre: Vector) -> Option<[Vector; 2]> {
        let point = (centre.dot(self.along), centre.dot(self.across));
        let (from, to) = nearest(&self.polygon, point)?;
        let place = |it: (f64, f64)| self.along * it.0 + self.across * it.1 + self.up * self.height;
        Some([place(from), place(to)])
    }

    /// Whether this point lies on it.
    fn is_on(&self, point: Vector) -> bool {
        (point.dot(self.up) - self.height).abs() <= 2.0 * ON_THE_GROUND
    }

    /// How far a point is within the polygon.
    fn margin(&self, point: Vector) -> f64 {
        within(
            &self.polygon,
            (point.dot(self.along), point.dot(self.across)),
        )
    }
}
