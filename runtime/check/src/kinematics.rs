//! Forward kinematics: the poses of a body's links for the positions of its joints.
//! Made once for a robot; used by the judges of collision and of balance.
//! The law: parents come before their children, so one pass places them all.

use parry3d_f64::math::{Pose, Rotation, Vector};

use cycle::Kind;

use description::{LinkSpec, Robot};

/// The body's links, ready to be placed.
#[derive(Clone, Debug)]
pub(super) struct KinematicTree {
    links: Vec<KinematicLink>,
    /// How far one rad of any joint can move a part of the body, m.
    pub(super) reach: f64,
    /// The mass of the body, kg.
    mass: f64,
}

#[derive(Clone, Debug)]
struct KinematicLink {
    parent: Option<usize>,
    joint: Option<usize>,
    origin: Pose,
    axis: Vector,
    slides: bool,
    ratio: f64,
    offset: f64,
    mass: f64,
    centre: Vector,
}

fn vector(it: [f64; 3]) -> Vector {
    Vector::new(it[0], it[1], it[2])
}

/// Roll, pitch and yaw about fixed axes.
fn turned(turn: [f64; 3]) -> Rotation {
    let about = |axis: Vector, angle: f64| Rotation::from_axis_angle(axis, angle);
    about(Vector::Z, turn[2]) * about(Vector::Y, turn[1]) * about(Vector::X, turn[0])
}

impl KinematicTree {
    /// The tree of a robot's links; `None` if its description has none.
    pub(super) fn of(robot: &Robot) -> Option<KinematicTree> {
        let is_wheel = |it: usize| robot.actuators[it].kind == Kind::Wheel;
        let link = |it: &LinkSpec| KinematicLink {
            parent: it.parent,
            // A wheel's value is its speed: however far it has turned, it touches the ground as before.
            joint: it
                .joint
                .map(|it| usize::from(it.0))
                .filter(|it| !is_wheel(*it)),
            origin: Pose::from_parts(vector(it.at), turned(it.turn)),
            axis: vector(it.axis),
            slides: it.slides,
            ratio: it.ratio,
            offset: it.offset,
            mass: it.mass,
            centre: vector(it.centre),
        };
        let length = |it: &[f64; 3]| vector(*it).length();
        let farthest = |it: &LinkSpec| {
            let capsules = it.capsules.iter();
            let ends = capsules.map(|it| length(&it.from).max(length(&it.to)) + it.radius);
            ends.chain(it.sole.iter().chain(it.hulls.iter().flatten()).map(length))
                .fold(0.0, f64::max)
        };
        let offsets: f64 = robot.links.iter().map(|it| length(&it.at)).sum();
        let farthest = robot.links.iter().map(farthest).fold(0.0, f64::max);
        let mass = robot.links.iter().map(|it| it.mass).sum();
        (!robot.links.is_empty()).then(|| KinematicTree {
            links: robot.links.iter().map(link).collect(),
            reach: offsets + farthest,
            mass,
        })
    }

    /// Places all links for joints that stand where `place` says.
    pub(super) fn place(&self, place: impl Fn(usize) -> f64, poses: &mut Vec<Pose>) {
        poses.clear();
        for link in &self.links {
            let value = link
                .joint
                .map_or(0.0, |it| link.ratio * place(it) + link.offset);
            let moved = if link.slides {
                Pose::from_translation(link.axis * value)
            } else {
                Pose::from_rotation(Rotation::from_axis_angle(link.axis, value))
            };
            let hung = link.parent.map_or(Pose::IDENTITY, |it| poses[it]);
            poses.push(hung * link.origin * moved);
        }
    }

    /// Every link with a mass, and the centre of it in the link's frame.
    pub(super) fn masses(&self) -> impl Iterator<Item = (usize, f64, Vector)> + '_ {
        let links = self.links.iter().enumerate();
        links
            .filter(|it| it.1.mass > 0.0)
            .map(|(link, it)| (link, it.mass, it.centre))
    }

    /// The centre of mass in the root's frame; `None` for a body without mass.
    pub(super) fn centre(&self, poses: &[Pose]) -> Option<Vector> {
        if self.mass <= 0.0 {
            return None;
        }
        let parts = self.links.iter().zip(poses);
        let sum = parts.fold(Vector::ZERO, |sum, (link, pose)| {
            sum + pose.transform_point(link.centre) * link.mass
        });
        Some(sum / self.mass)
    }
}
