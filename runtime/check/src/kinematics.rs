//! Forward kinematics: the poses of a body's links for the positions of its joints.
//! Made once for a robot; used by the judges of collision and of balance.
//! Parents come before their children, so one pass places them all.

use parry3d_f64::math::{Pose, Rotation, Vector};

use cycle::Kind;

use description::{LinkSpec, Robot};

/// The body's links, ready to be placed.
#[derive(Clone, Debug)]
pub(super) struct KinematicTree {
    links: Vec<KinematicLink>,
    /// For each link, the joints that move it, and how far one rad, or one m, of each moves any point of it at most, m.
    levers: Vec<Vec<(usize, f64)>>,
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

fn vector(value: [f64; 3]) -> Vector {
    Vector::new(value[0], value[1], value[2])
}

/// Roll, pitch and yaw about fixed axes.
fn turned(turn: [f64; 3]) -> Rotation {
    let about = |axis: Vector, angle: f64| Rotation::from_axis_angle(axis, angle);
    about(Vector::Z, turn[2]) * about(Vector::Y, turn[1]) * about(Vector::X, turn[0])
}

/// No joint of a robot slides farther than this, m.
const STROKE_MAX: f64 = 1e3;

/// The levers of a link. A joint turns all that is beyond it, so that a point moves as far as it is away from the
/// joint: no farther than with every link between them stretched out.
fn levers(robot: &Robot, links: &[KinematicLink], link: usize) -> Vec<(usize, f64)> {
    let length = |item: &[f64; 3]| vector(*item).length();
    let shape = &robot.links[link];
    let capsules = shape.capsules.iter();
    let ends =
        capsules.map(|capsule| length(&capsule.from).max(length(&capsule.to)) + capsule.radius);
    let corners = shape.sole.iter().chain(shape.hulls.iter().flatten());
    let mut arm = ends.chain(corners.map(length)).fold(0.0, f64::max);
    let (mut all, mut at) = (Vec::new(), Some(link));
    while let Some(place) = at {
        let link = &links[place];
        if let Some(joint) = link.joint {
            let ratio = link.ratio.abs();
            if link.slides {
                all.push((joint, ratio));
                let range = robot.actuators[joint].range;
                let stroke = range.min.abs().max(range.max.abs()).min(STROKE_MAX);
                arm += ratio * stroke + link.offset.abs();
            } else {
                all.push((joint, ratio * arm));
            }
        }
        arm += length(&robot.links[place].at);
        at = link.parent;
    }
    all
}

impl KinematicTree {
    /// The tree of a robot's links; `None` if its description has none.
    pub(super) fn of(robot: &Robot) -> Option<KinematicTree> {
        let is_wheel = |i: usize| robot.actuators[i].kind == Kind::Wheel;
        let link = |spec: &LinkSpec| KinematicLink {
            parent: spec.parent,
            // A wheel's value is its speed: however far it has turned, it touches the ground as before.
            joint: spec
                .joint
                .map(|joint| usize::from(joint.0))
                .filter(|value| !is_wheel(*value)),
            origin: Pose::from_parts(vector(spec.at), turned(spec.turn)),
            axis: vector(spec.axis),
            slides: spec.slides,
            ratio: spec.ratio,
            offset: spec.offset,
            mass: spec.mass,
            centre: vector(spec.centre),
        };
        let links: Vec<_> = robot.links.iter().map(link).collect();
        let levers: Vec<_> = (0..links.len()).map(|i| levers(robot, &links, i)).collect();
        let mass = robot.links.iter().map(|link| link.mass).sum();
        (!links.is_empty()).then_some(KinematicTree {
            levers,
            links,
            mass,
        })
    }

    /// How far any point of each link has moved from the root at most, m, if each joint has moved as `moved` says.
    pub(super) fn travels(&self, moved: &[f64], travels: &mut Vec<f64>) {
        travels.clear();
        travels.extend(self.levers.iter().map(|levers| {
            let all = levers.iter().map(|(joint, lever)| lever * moved[*joint]);
            all.sum::<f64>()
        }));
    }

    /// Places all links for joints that stand where `place` says.
    pub(super) fn place(&self, place: impl Fn(usize) -> f64, poses: &mut Vec<Pose>) {
        poses.clear();
        for link in &self.links {
            let value = link
                .joint
                .map_or(0.0, |joint| link.ratio * place(joint) + link.offset);
            let moved = if link.slides {
                Pose::from_translation(link.axis * value)
            } else {
                Pose::from_rotation(Rotation::from_axis_angle(link.axis, value))
            };
            let hung = link.parent.map_or(Pose::IDENTITY, |parent| poses[parent]);
            poses.push(hung * link.origin * moved);
        }
    }

    /// Every link with a mass, and the centre of it in the link's frame.
    pub(super) fn masses(&self) -> impl Iterator<Item = (usize, f64, Vector)> + '_ {
        let links = self.links.iter().enumerate();
        links
            .filter(|link| link.1.mass > 0.0)
            .map(|(link, item)| (link, item.mass, item.centre))
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

#[cfg(test)]
mod tests {
    use description::{LinkSpec, RobotSource, load_told};

    use super::*;

    /// A sequence of numbers that look random, from 0 to 1.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    fn points(link: &LinkSpec) -> Vec<Vector> {
        let ends = link
            .capsules
            .iter()
            .flat_map(|capsule| [capsule.from, capsule.to]);
        let all = ends.chain(link.hulls.iter().flatten().copied());
        all.chain(link.sole.iter().copied()).map(vector).collect()
    }

    /// No point of a link moves farther than `travels` says, in large steps and in small ones.
    fn check(robot: &Robot, dice: &mut Dice) {
        let tree = KinematicTree::of(robot).expect("it has links");
        let within = |value: f64| value.clamp(-10.0, 10.0);
        let somewhere = |dice: &mut Dice| -> Vec<f64> {
            let all = robot.actuators.iter().map(|actuator| actuator.range);
            all.map(|range| {
                within(range.min) + dice.roll() * (within(range.max) - within(range.min))
            })
            .collect()
        };
        let (mut before, mut after, mut travels) = (Vec::new(), Vec::new(), Vec::new());
        let mut nearest: f64 = 0.0;
        for round in 0..300 {
            let (from, to) = (somewhere(dice), somewhere(dice));
            let share = 0.1f64.powi(round % 5);
            let to: Vec<_> = from
                .iter()
                .zip(&to)
                .map(|(from, to)| from + share * (to - from))
                .collect();
            let moved: Vec<_> = from
                .iter()
                .zip(&to)
                .map(|pair| (pair.0 - pair.1).abs())
                .collect();
            tree.place(|i| from[i], &mut before);
            tree.place(|i| to[i], &mut after);
            tree.travels(&moved, &mut travels);
            for (place, link) in robot.links.iter().enumerate() {
                for point in points(link) {
                    let way =
                        before[place].transform_point(point) - after[place].transform_point(point);
                    let way = way.length();
                    assert!(
                        way <= travels[place] + 1e-9,
                        "{}: {way} m, not {}",
                        link.name,
                        travels[place]
                    );
                    nearest = nearest.max(way / travels[place].max(1e-12));
                }
            }
        }
        assert!(nearest > 0.05, "the bound is far too wide: {nearest}");
    }

    #[test]
    fn no_link_moves_farther_than_its_levers_say() {
        let mut dice = Dice(7);
        for name in ["nao", "aibo-ers7", "hexapod"] {
            let (mut robot, _) = load_told(&RobotSource::of(name)).expect("it is shipped");
            check(&robot, &mut dice);
            // The same with joints that slide, and gears.
            for link in &mut robot.links {
                link.slides = dice.roll() < 0.3;
                link.ratio = 4.0 * dice.roll() - 2.0;
                link.offset = dice.roll() - 0.5;
            }
            check(&robot, &mut dice);
        }
    }
}
