//! Finds the ground on which a body stands, and its support polygon.
//!
//! A pose is given in the torso's frame and says nothing of the ground. So each sole is tried as the ground, and where
//! none will do, each set of three corners: it is the ground if no other sole and no other part goes through it.
//! Used by the judge of balance.
//! A ground is one only if the whole body is above it.

use parry3d_f64::math::{Pose, Vector};

use super::polygon::{convex_hull, nearest, within};
use description::Robot;

/// Corners of soles that are no higher than this above the ground are on it, m. So much may also be below it: boards
/// round, and joints give way.
const ON_THE_GROUND: f64 = 0.005;

/// How far another part may go through the ground, m: the shapes are only approximations of the body.
const IN_THE_GROUND: f64 = 0.02;

/// Grounds whose directions differ by less are the same, rad.
const SAME: f64 = 0.003;

/// The soles of a body, and its other parts, which must not go through the ground.
#[derive(Clone, Debug)]
pub(super) struct SupportFinder {
    soles: Vec<(usize, Vec<Vector>)>,
    /// Ends of capsules and corners of hulls of links that have no sole, with their radius.
    parts: Vec<(usize, Vector, f64)>,
}

/// Three corners that are on the ground; each is an index of a sole and an index of one of its corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SupportCorners([(usize, usize); 3]);

/// A body that has tipped over an edge of one sole, and stands on another one as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TippedStance {
    /// How far it has tipped, rad.
    pub(super) angle: f64,
    /// How far its centre of mass is then within the support polygon, m.
    pub(super) margin: f64,
}

/// The ground in the torso's frame, and the convex polygon of what stands on it.
pub(super) struct SupportPolygon {
    pub(super) up: Vector,
    along: Vector,
    across: Vector,
    /// The height of the ground's plane along `up`, m.
    pub(super) height: f64,
    polygon: Vec<(f64, f64)>,
}

impl SupportFinder {
    /// Of a robot; nothing if its description has no soles.
    pub(super) fn of(robot: &Robot) -> Option<SupportFinder> {
        let corners = |one: &[[f64; 3]]| {
            one.iter()
                .map(|item| Vector::new(item[0], item[1], item[2]))
                .collect()
        };
        let links = || robot.links.iter().enumerate();
        let soles: Vec<_> = links()
            .filter(|(_, link)| !link.sole.is_empty())
            .map(|(link, item)| (link, corners(&item.sole)))
            .collect();
        let bare = links().filter(|(_, link)| link.sole.is_empty());
        let parts = bare.flat_map(|(link, item)| {
            let ends = item
                .capsules
                .iter()
                .flat_map(|capsule| [(capsule.from, capsule.radius), (capsule.to, capsule.radius)]);
            let corners = item.hulls.iter().flatten().map(|hull| (*hull, 0.0));
            ends.chain(corners)
                .map(move |(end, radius)| (link, Vector::new(end[0], end[1], end[2]), radius))
        });
        let parts = parts.collect();
        (!soles.is_empty()).then_some(SupportFinder { soles, parts })
    }

    /// The link that the first of these corners belongs to.
    pub(super) fn foot(&self, corners: SupportCorners) -> usize {
        self.soles[corners.0[0].0].0
    }

    /// Tips the body over the nearest edge until it stands on another sole as well; `None` if no other sole would
    /// hold it.
    pub(super) fn leans(
        &self,
        ground: &SupportPolygon,
        poses: &[Pose],
        centre: Vector,
    ) -> Option<TippedStance> {
        let edge = ground.edge(centre)?;
        let over_it = |polygon: &SupportPolygon| edge.iter().all(|end| polygon.is_on(*end));
        let grounds = self
            .corner_triples()
            .filter_map(|corner_triple| self.stands_on(corner_triple, poses, centre))
            .map(|pair| pair.0);
        let leans = grounds.filter(over_it).map(|polygon| TippedStance {
            angle: polygon.up.dot(ground.up).clamp(-1.0, 1.0).acos(),
            margin: polygon.margin(centre),
        });
        // On the ground itself it does not lean.
        let stable = leans.filter(|lean| lean.margin >= 0.0 && lean.angle > SAME);
        let stable: Vec<_> = stable.collect();
        let angle = stable
            .iter()
            .map(|lean| lean.angle)
            .min_by(f64::total_cmp)?;
        // The same ground is found from several of its corners, by a little more or less.
        let same = stable.iter().filter(|lean| lean.angle - angle < SAME);
        let margin = same.map(|value| value.margin).max_by(f64::total_cmp)?;
        Some(TippedStance { angle, margin })
    }

    /// All sets of three corners.
    fn corner_triples(&self) -> impl Iterator<Item = SupportCorners> {
        let corners: Vec<_> = (0..self.soles.len())
            .flat_map(|sole| (0..self.soles[sole].1.len()).map(move |corner| (sole, corner)))
            .collect();
        let count = corners.len();
        let threes = (0..count).flat_map(move |a| {
            (a + 1..count).flat_map(move |b| (b + 1..count).map(move |c| [a, b, c]))
        });
        threes.map(move |value| SupportCorners(value.map(|at| corners[at])))
    }

    /// The ground through these three corners, if the body can stand on it.
    pub(super) fn stands_on(
        &self,
        plane: SupportCorners,
        poses: &[Pose],
        centre: Vector,
    ) -> Option<(SupportPolygon, SupportCorners)> {
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
            corners
                .iter()
                .map(move |corner| pose.transform_point(*corner))
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
        let polygon = convex_hull(ground);
        let ground = SupportPolygon {
            up,
            along,
            across,
            height,
            polygon,
        };
        (ground.polygon.len() >= 3).then_some((ground, plane))
    }

    /// The best ground of this pose: that of a whole sole, or else of three corners. Of several, the one with the
    /// largest margin.
    pub(super) fn find(
        &self,
        poses: &[Pose],
        centre: Vector,
    ) -> Option<(SupportPolygon, SupportCorners)> {
        let flat = self
            .soles
            .iter()
            .enumerate()
            .filter(|pair| pair.1.1.len() >= 3);
        let whole = flat.map(|(sole, _)| SupportCorners([0, 1, 2].map(|i| (sole, i))));
        if let Some(found) = self.best(whole, poses, centre) {
            return Some(found);
        }
        self.best(self.corner_triples(), poses, centre)
    }

    fn best(
        &self,
        planes: impl Iterator<Item = SupportCorners>,
        poses: &[Pose],
        centre: Vector,
    ) -> Option<(SupportPolygon, SupportCorners)> {
        let found = planes.filter_map(|plane| self.stands_on(plane, poses, centre));
        found.max_by(|a, b| a.0.margin(centre).total_cmp(&b.0.margin(centre)))
    }
}

impl SupportPolygon {
    /// The ends of the edge nearest to the centre of mass: the body tips over it.
    fn edge(&self, centre: Vector) -> Option<[Vector; 2]> {
        let point = (centre.dot(self.along), centre.dot(self.across));
        let (from, to) = nearest(&self.polygon, point)?;
        let place =
            |pair: (f64, f64)| self.along * pair.0 + self.across * pair.1 + self.up * self.height;
        Some([place(from), place(to)])
    }

    /// Whether this point lies on it.
    fn is_on(&self, point: Vector) -> bool {
        (point.dot(self.up) - self.height).abs() <= 2.0 * ON_THE_GROUND
    }

    /// How far a point is within the polygon.
    pub(super) fn margin(&self, point: Vector) -> f64 {
        within(
            &self.polygon,
            (point.dot(self.along), point.dot(self.across)),
        )
    }
}
