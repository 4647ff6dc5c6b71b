//! Where the links of a body are when its joints stand somewhere.
//! Made once for a robot; asked by the judges of touch and of balance, many times a second.
//! The law: parents come before their children, so one pass places them all.

use parry3d_f64::math::{Pose, Rotation, Vector};

use cycle::Kind;

use description::{LinkSpec, Robot};

/// The body's links, ready to be placed.
#[derive(Clone, Debug)]
pub(super) struct Skeleton {
    bones: Vec<Bone>,
    /// How far a link can be moved by one rad of any joint, m.
    pub(super) reach: f64,
    /// kg.
    mass: f64,
}

#[derive(Clone, Debug)]
struct Bone {
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

impl Skeleton {
    /// The skeleton of a robot; nothing if its description has no links.
    pub(super) fn of(robot: &Robot) -> Option<Skeleton> {
        let is_wheel = |it: usize| robot.actuators[it].kind == Kind::Wheel;
        let bone = |it: &LinkSpec| Bone {
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
        (!robot.links.is_empty()).then(|| Skeleton {
            bones: robot.links.iter().map(bone).collect(),
            reach: offsets + farthest,
            mass,
        })
    }

    /// Places all links for joints that stand where `place` says.
    pub(super) fn place(&self, place: impl Fn(usize) -> f64, poses: &mut Vec<Pose>) {
        poses.clear();
        for bone in &self.bones {
            let value = bone
                .joint
                .map_or(0.0, |it| bone.ratio * place(it) + bone.offset);
            let moved = if bone.slides {
                Pose::from_translation(bone.axis * value)
            } else {
                Pose::from_rotation(Rotation::from_axis_angle(bone.axis, value))
            };
            let hung = bone.parent.map_or(Pose::IDENTITY, |it| poses[it]);
            poses.push(hung * bone.origin * moved);
        }
    }

    /// Every link with a mass, and the centre of it in the link's frame.
    pub(super) fn masses(&self) -> impl Iterator<Item = (usize, f64, Vector)> + '_ {
        let bones = self.bones.iter().enumerate();
        bones
            .filter(|it| it.1.mass > 0.0)
            .map(|(link, it)| (link, it.mass, it.centre))
    }

    /// The centre of mass, seen from the root; nothing for a body without mass.
    pub(super) fn centre(&self, poses: &[Pose]) -> Option<Vector> {
        if self.mass <= 0.0 {
            return None;
        }
        let parts = self.bones.iter().zip(poses);
        let sum = parts.fold(Vector::ZERO, |sum, (bone, pose)| {
            sum + pose.transform_point(bone.centre) * bone.mass
        });
        Some(sum / self.mass)
    }
}
