//! Judges whether feet slip: a foot that carries the body moves over the floor.
//! Asked in every turn of a simulation with physics.

use description::Robot;
use drivers::sim::RigidRobot;
use kinematics::Vec3;
use physics::{PhysicsWorld, Shape};

use super::balance::GRAVITY;
use super::finding::CheckFinding;
use super::format::{amount, seconds};
use super::rule::Rule;

/// How far a foot may move over the floor while it carries, m.
const SLIPPED: f64 = 0.02;

/// A foot carries from this share of what a foot carries when all of them stand.
const CARRIES: f64 = 0.4;

/// Watches all feet.
#[derive(Clone, Debug)]
pub(super) struct SlipMonitor {
    feet: Vec<Foot>,
    /// For each shape of the world, its link.
    link_of_shape: Vec<usize>,
    /// The force from which a foot carries, N.
    carried: f64,
}

#[derive(Clone, Debug)]
struct Foot {
    name: String,
    /// Its link in the world, and the middle of its sole there.
    link: usize,
    middle: Vec3,
    /// Where it was when it began to carry.
    stood_at: Option<Vec3>,
    has_slipped: bool,
}

impl SlipMonitor {
    pub(super) fn of(robot: &Robot, body: &RigidRobot) -> SlipMonitor {
        let colliders = &body.model.colliders;
        // The casters of a body on wheels slide.
        let mut shapes = colliders.iter().map(|collider| &collider.shape);
        let rolls = shapes.any(|shape| matches!(shape, Shape::Wheel { .. }));
        let links = robot.links.iter().zip(&body.links);
        let feet = links.filter(|(spec, _)| !rolls && !spec.sole.is_empty());
        let feet = feet.map(|(spec, link)| {
            let points = body.feet.iter().filter(|(foot, _)| foot == link);
            let points: Vec<Vec3> = points.map(|(_, point)| *point).collect();
            let sum = points.iter().fold(Vec3::ZERO, |sum, point| sum + *point);
            Foot {
                name: spec.name.clone(),
                link: *link,
                middle: sum * (1.0 / points.len() as f64),
                stood_at: None,
                has_slipped: false,
            }
        });
        let mass: f64 = body.model.links.iter().map(|link| link.mass).sum();
        let feet: Vec<Foot> = feet.collect();
        SlipMonitor {
            carried: CARRIES * mass * GRAVITY / feet.len().max(1) as f64,
            feet,
            link_of_shape: colliders.iter().map(|collider| collider.link).collect(),
        }
    }

    /// A new show begins.
    pub(super) fn begin(&mut self) {
        for foot in &mut self.feet {
            (foot.stood_at, foot.has_slipped) = (None, false);
        }
    }

    /// The feet that have slipped far enough by this turn, `at` s on the show's clock; each is reported once.
    pub(super) fn look(
        &mut self,
        world: &PhysicsWorld,
        at: f64,
        mut report: impl FnMut(CheckFinding),
    ) {
        for foot in &mut self.feet {
            let contacts = world.contacts().filter(|contact| contact.under.is_none());
            let own = contacts.filter(|contact| self.link_of_shape[contact.over] == foot.link);
            let force: f64 = own.map(|contact| contact.force.length()).sum();
            if force < self.carried {
                foot.stood_at = None;
                continue;
            }
            let place = world.point(foot.link, foot.middle);
            let stood_at = *foot.stood_at.get_or_insert(place);
            // A foot that rolls over its edge moves up.
            let way = (place - stood_at)
                .dot(Vec3::X)
                .hypot((place - stood_at).dot(Vec3::Y));
            if foot.has_slipped || way < SLIPPED {
                continue;
            }
            foot.has_slipped = true;
            let (name, far) = (&foot.name, amount(SLIPPED * 1e3, "mm"));
            let sentence = format!("{name} has slipped {far} over the floor by {}", seconds(at));
            let fix = format!(
                "put less weight on {name}, or move more slowly before {}",
                seconds(at)
            );
            report(CheckFinding {
                who: name.clone(),
                at: Some(at),
                ..CheckFinding::new(Rule::Slip, sentence, fix)
            });
        }
    }
}
