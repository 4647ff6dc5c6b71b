//! The soles of an imported robot: the lowest corners of its feet when every joint is at 0.
//! Used by `draft`. By default only a link that joints move can be a foot, so a robot on a fixed base has no
//! soles.

use std::f64::consts::TAU;

use super::capsule::turned;
use super::joint::is_endless;
use super::model::{Geometry, Solid, Urdf, UrdfJoint};
use super::order::OrderedLink;

/// Corners that are no higher than this above the lowest belong to the sole, m.
const FLAT: f64 = 0.005;

/// Corners of a round edge.
const ROUND: usize = 8;

/// The maximum number of corners of a sole. Of more, the outermost in this many directions are kept.
const CORNERS_MAX: usize = 16;

/// A corner of a link's shapes, seen from the link and from the ground.
type Corner = ([f64; 3], [f64; 3]);

/// The corners of each link's sole, in the order of the links; empty for most.
pub(super) fn soles(urdf: &Urdf, order: &[OrderedLink], named: &[String]) -> Vec<Vec<[f64; 3]>> {
    let mut soles = vec![Vec::new(); urdf.links.len()];
    // Each link with the corners of its shapes, and how high each is.
    let corners: Vec<(usize, bool, Vec<Corner>)> = order
        .iter()
        .map(|(link, _)| {
            let chain = chain(urdf, order, *link);
            let place = |item| world(&chain, item);
            let height = |item| place(item)[2];
            let zero = height([0.0; 3]);
            // The direction of gravity in the link's frame.
            let down = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
                .map(|value| zero - height(value));
            let solids = urdf.links[*link].solids.iter();
            let points = solids.flat_map(|solid| corners(solid, down));
            let feet = chain
                .iter()
                .any(|item| item.kind.moves() && !is_endless(item));
            let rolls = chain.iter().any(|item| is_endless(item));
            (
                *link,
                feet && !rolls,
                points.map(|point| (point, place(point))).collect(),
            )
        })
        .collect();
    let least = |points: &[Corner]| {
        points
            .iter()
            .map(|point| point.1[2])
            .fold(f64::INFINITY, f64::min)
    };
    let lowest = corners
        .iter()
        .map(|corner| least(&corner.2))
        .fold(f64::INFINITY, f64::min);
    for (link, is_foot, points) in corners {
        let is_named = named.contains(&urdf.links[link].name);
        let ground = if is_named { least(&points) } else { lowest };
        if is_named || (named.is_empty() && is_foot) {
            let mut low = points;
            low.retain(|pair| pair.1[2] <= ground + FLAT);
            soles[link] = tidied(outline(low));
        }
    }
    soles
}

/// The joints between a link and the root, its own first.
fn chain<'u>(urdf: &'u Urdf, order: &[OrderedLink], link: usize) -> Vec<&'u UrdfJoint> {
    let mut chain = Vec::new();
    let mut link = link;
    while let Some((_, Some(carrier))) = order.iter().find(|pair| pair.0 == link) {
        let joint = &urdf.joints[*carrier];
        chain.push(joint);
        let Some(parent) = urdf.links.iter().position(|link| link.name == joint.parent) else {
            break;
        };
        link = parent;
    }
    chain
}

/// The position of a link's point when every joint is at 0.
fn world(chain: &[&UrdfJoint], point: [f64; 3]) -> [f64; 3] {
    chain.iter().fold(point, |sum, joint| {
        let turned = turned(joint.pose, sum);
        [0, 1, 2].map(|axis| turned[axis] + joint.pose.at[axis])
    })
}

/// The corners of a shape, seen from its link; of what is round, those that are lowest.
fn corners(solid: &Solid, down: [f64; 3]) -> Vec<[f64; 3]> {
    let place = |item: [f64; 3]| {
        let turned = turned(solid.pose, item);
        [0, 1, 2].map(|axis| turned[axis] + solid.pose.at[axis])
    };
    let below = |point: [f64; 3], radius: f64| {
        let place = place(point);
        [0, 1, 2].map(|axis| place[axis] + radius * down[axis])
    };
    match &solid.form {
        Geometry::Mesh(corners) => corners.iter().copied().map(place).collect(),
        Geometry::Sphere { radius } => vec![below([0.0; 3], *radius)],
        Geometry::Capsule { radius, length } => [-0.5, 0.5]
            .map(|value| below([0.0, 0.0, value * length], *radius))
            .to_vec(),
        Geometry::Cylinder { radius, length } => {
            let angles = (0..ROUND).map(|i| i as f64 * TAU / ROUND as f64);
            let rim = angles.map(|angle| (radius * angle.cos(), radius * angle.sin()));
            rim.flat_map(|(x, y)| [-0.5, 0.5].map(|value| place([x, y, value * length])))
                .collect()
        }
        Geometry::Box([x, y, z]) => (0..8)
            .map(|i| {
                let side = |bit: usize, length: f64| {
                    if i >> bit & 1 == 0 {
                        -length / 2.0
                    } else {
                        length / 2.0
                    }
                };
                place([side(0, *x), side(1, *y), side(2, *z)])
            })
            .collect(),
    }
}

/// The corners that are farthest out, as the link sees them, if there are too many.
fn outline(corners: Vec<Corner>) -> Vec<[f64; 3]> {
    if corners.len() <= CORNERS_MAX {
        return corners.into_iter().map(|corner| corner.0).collect();
    }
    let directions = 0..CORNERS_MAX;
    let farthest = directions.filter_map(|direction| {
        let (y, x) = (direction as f64 * TAU / CORNERS_MAX as f64).sin_cos();
        let out = |corner: &Corner| x * corner.1[0] + y * corner.1[1];
        corners.iter().max_by(|a, b| out(a).total_cmp(&out(b)))
    });
    farthest.map(|farthest| farthest.0).collect()
}

/// To a micrometre, and each once.
fn tidied(points: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    let mut tidied: Vec<[f64; 3]> = Vec::new();
    for point in points {
        let point = point.map(|point| (point * 1e6).round() / 1e6 + 0.0);
        if !tidied.contains(&point) {
            tidied.push(point);
        }
    }
    tidied
}
