//! Judges whether the body stands: its centre of mass over the polygon of the soles that are on the ground.
//! Asked when the joints have moved far enough for it to matter.
//! The law: it is judged only while the soles are below the body; a body without soles claims nothing.

use parry3d_f64::math::{Pose, Vector};

use super::skeleton::Skeleton;
use crate::config::Robot;

/// Corners of soles that are no higher than this above the lowest are on the ground, m.
const ON_THE_GROUND: f64 = 0.005;

/// The soles of a body.
#[derive(Clone, Debug)]
pub(super) struct Balance {
    soles: Vec<(usize, Vec<Vector>)>,
}

impl Balance {
    /// Of a robot; nothing if nobody can say whether it stands.
    pub(super) fn of(robot: &Robot) -> Option<Balance> {
        let links = robot.links.iter().enumerate();
        let soles: Vec<_> = links
            .filter(|(_, it)| !it.sole.is_empty())
            .map(|(link, it)| {
                let corners = it.sole.iter().map(|it| Vector::new(it[0], it[1], it[2]));
                (link, corners.collect())
            })
            .collect();
        (!soles.is_empty()).then_some(Balance { soles })
    }

    /// How far the centre of mass is within the polygon, m; below 0 it is outside. Nothing if the body
    /// does not claim to stand.
    pub(super) fn margin(&self, skeleton: &Skeleton, poses: &[Pose]) -> Option<f64> {
        let centre = skeleton.centre(poses)?;
        let up = self.up(poses)?;
        let corners = self.soles.iter().flat_map(|(link, corners)| {
            let pose = &poses[*link];
            corners.iter().map(move |it| pose.transform_point(*it))
        });
        let corners: Vec<_> = corners.collect();
        let lowest = corners
            .iter()
            .map(|it| it.dot(up))
            .fold(f64::INFINITY, f64::min);
        if centre.dot(up) <= lowest {
            return None;
        }
        let along = up.any_orthonormal_vector();
        let across = up.cross(along);
        let flat = |it: Vector| (it.dot(along), it.dot(across));
        let ground: Vec<_> = corners
            .into_iter()
            .filter(|it| it.dot(up) - lowest <= ON_THE_GROUND)
            .map(flat)
            .collect();
        let polygon = hull(ground);
        (polygon.len() >= 3).then(|| within(&polygon, flat(centre)))
    }

    /// Which way is up: away from the lowest sole, if it is one to stand on; else as the root says.
    fn up(&self, poses: &[Pose]) -> Option<Vector> {
        let flat_soles = self.soles.iter().filter(|it| it.1.len() >= 3);
        let height = |(link, corners): &(usize, Vec<Vector>)| {
            let heights = corners.iter().map(|it| poses[*link].transform_point(*it).z);
            heights.fold(f64::INFINITY, f64::min)
        };
        let lowest = flat_soles.min_by(|a, b| height(a).total_cmp(&height(b)));
        let Some((link, corners)) = lowest else {
            return Some(Vector::Z);
        };
        let [a, b, c] =
            [corners[0], corners[1], corners[2]].map(|it| poses[*link].transform_point(it));
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let up = if normal.z < 0.0 { -normal } else { normal };
        // Soles that face forward or back carry nothing: it lies.
        (up.z > 0.5).then_some(up)
    }
}

/// The convex hull, counter-clockwise: Andrew's monotone chain.
fn hull(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = &(f64, f64)>| {
        let mut chain: Vec<(f64, f64)> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..] {
                if turn(a, b, *point) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter());
    lower.extend(half(&mut points.iter().rev()));
    lower
}

/// Positive if `c` lies to the left of the way from `a` to `b`.
fn turn(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// How far a point is from the edge of a convex polygon; below 0 outside of it.
fn within(polygon: &[(f64, f64)], point: (f64, f64)) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let edges = polygon.iter().zip(next);
    let inside = edges.clone().map(|(a, b)| {
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        turn(*a, *b, point) / length
    });
    let nearest = inside.fold(f64::INFINITY, f64::min);
    if nearest >= 0.0 {
        return nearest;
    }
    let outside = edges.map(|(a, b)| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let share = ((point.0 - a.0) * dx + (point.1 - a.1) * dy) / (dx * dx + dy * dy);
        let share = share.clamp(0.0, 1.0);
        (point.0 - a.0 - dx * share).hypot(point.1 - a.1 - dy * share)
    });
    -outside.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [(f64, f64); 4] = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];

    #[test]
    fn a_hull_leaves_out_what_lies_within() {
        let mut points = SQUARE.to_vec();
        points.extend([(1.0, 1.0), (1.0, 0.0), (0.5, 1.5)]);
        let mut found = hull(points);
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        assert_eq!(found, [(0.0, 0.0), (0.0, 2.0), (2.0, 0.0), (2.0, 2.0)]);
        assert_eq!(hull(vec![(0.0, 0.0), (1.0, 1.0)]).len(), 2);
    }

    #[test]
    fn the_margin_is_the_way_to_the_nearest_edge() {
        assert!((within(&SQUARE, (0.5, 1.0)) - 0.5).abs() < 1e-12);
        assert!((within(&SQUARE, (3.0, 1.0)) + 1.0).abs() < 1e-12);
        assert!((within(&SQUARE, (5.0, 6.0)) + 5.0).abs() < 1e-12);
    }
}
