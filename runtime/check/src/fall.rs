//! Judges whether a body with weight falls while a show plays: it tips over, or a part that is no foot hits the floor.
//! Asked in every turn of a simulation with physics. A body that lies when the show begins does not fall.

use description::Robot;
use drivers::sim::RigidRobot;
use kinematics::Vec3;
use physics::PhysicsWorld;

use super::finding::CheckFinding;
use super::format::seconds;
use super::rule::{Rule, Severity};

/// The cosine of the angle by which a body that stands may tip.
const TIPPED: f64 = 0.5;

/// A part hits the floor, instead of touching it, if the floor pushes it with more than so many times the weight.
const HIT: f64 = 1.5;

/// m/s².
const GRAVITY: f64 = 9.81;

/// Watches a body for falls.
#[derive(Clone, Debug)]
pub(super) struct FallMonitor {
    /// For each shape of the world, the name of its link; none if it is a foot or a wheel.
    parts: Vec<Option<String>>,
    /// kg times m/s².
    weight: f64,
    /// The direction of the first link that was up when the show began; none if the body lay.
    up: Option<Vec3>,
    has_fallen: bool,
}

impl FallMonitor {
    pub(super) fn of(robot: &Robot, body: &RigidRobot) -> FallMonitor {
        let is_foot = |model_link: usize| {
            let links = robot.links.iter().zip(&body.links);
            let mut own = links.filter(|(_, of_model)| **of_model == model_link);
            own.any(|(link, _)| !link.sole.is_empty() || link.wheel.is_some())
        };
        let parts = body.model.colliders.iter().map(|collider| {
            let link = &body.model.links[collider.link];
            (!is_foot(collider.link)).then(|| link.name.clone())
        });
        let mass: f64 = body.model.links.iter().map(|link| link.mass).sum();
        FallMonitor {
            parts: parts.collect(),
            weight: mass * GRAVITY,
            up: None,
            has_fallen: false,
        }
    }

    /// A new show begins, from however the body stands or lies.
    pub(super) fn begin(&mut self, world: &PhysicsWorld) {
        let lies = world
            .contacts()
            .any(|contact| contact.under.is_none() && self.parts[contact.over].is_some());
        self.up = (!lies && world.has_free_link()).then(|| world.direction_in(0, Vec3::Z));
        self.has_fallen = false;
    }

    /// Whether the body stood when the show began, and has not fallen since.
    pub(super) fn stands(&self) -> bool {
        self.up.is_some() && !self.has_fallen
    }

    /// What has happened in this turn, `at` s after the show began.
    pub(super) fn look(&mut self, world: &PhysicsWorld, at: f64) -> Option<CheckFinding> {
        let up = self.up.filter(|_| !self.has_fallen)?;
        let when = seconds(at);
        if world.direction(0, up).z < TIPPED {
            self.has_fallen = true;
            return Some(fall(format!("the body tips over at {when} and falls"), at));
        }
        let mut touched = None;
        for contact in world.contacts().filter(|contact| contact.under.is_none()) {
            let Some(part) = &self.parts[contact.over] else {
                continue;
            };
            if contact.force.length() > HIT * self.weight {
                self.has_fallen = true;
                return Some(fall(
                    format!("{part} hits the floor at {when}: the body falls"),
                    at,
                ));
            }
            touched = Some(part);
        }
        let part = touched?;
        let finding = fall(format!("{part} touches the floor at {when}"), at);
        Some(CheckFinding {
            who: part.clone(),
            severity: Severity::Warning,
            ..finding
        })
    }
}

fn fall(sentence: String, at: f64) -> CheckFinding {
    let fix = format!(
        "keep the centre of mass over the feet before {}",
        seconds(at)
    );
    CheckFinding {
        at: Some(at),
        ..CheckFinding::new(Rule::Fall, sentence, fix)
    }
}
