//! Judges whether a body with weight falls while a show plays: it tips over, or a part other than a foot hits the
//! floor.
//! Asked in every turn of a simulation with physics. A body that lies when the show begins does not fall.

use description::Robot;
use drivers::sim::{BodyStart, RigidRobot};
use kinematics::Vec3;
use physics::PhysicsWorld;

use super::balance::GRAVITY;
use super::finding::CheckFinding;
use super::format::seconds;
use super::rule::{Rule, Severity};

/// The cosine of the angle by which a body that stands may tip.
const TIPPED: f64 = 0.5;

/// Other parts than feet hit the floor, instead of touching it, if it pushes them with this many times the weight.
const HIT: f64 = 1.5;

/// A body that is tipped still stands while its feet carry this share of its weight: it bows.
const CARRIED: f64 = 0.5;

/// Watches a body for falls.
#[derive(Clone, Debug)]
pub(super) struct FallMonitor {
    /// For each shape of the world, the name of its link; none if it is a foot or a wheel.
    parts: Vec<Option<String>>,
    /// Which shapes touch the floor in this turn.
    touching: Vec<bool>,
    /// Which ones touched it in the last turn.
    touched: Vec<bool>,
    /// N.
    weight: f64,
    /// Whether the body is held at the start, so that it cannot fall.
    is_held: bool,
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
            touching: vec![false; body.model.colliders.len()],
            touched: vec![false; body.model.colliders.len()],
            is_held: body.start == BodyStart::Held,
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
        self.touching.fill(false);
        self.up = (!lies && !self.is_held && world.has_free_link())
            .then(|| world.direction_in(0, Vec3::Z));
        self.has_fallen = false;
    }

    /// Whether the body has fallen since the show began.
    pub(super) fn has_fallen(&self) -> bool {
        self.has_fallen
    }

    /// Whether the body stood when the show began, and has not fallen since.
    pub(super) fn stands(&self) -> bool {
        self.up.is_some() && !self.has_fallen
    }

    /// What has happened in this turn, `at` s on the show's clock.
    pub(super) fn look(&mut self, world: &PhysicsWorld, at: f64) -> Option<CheckFinding> {
        let up = self.up.filter(|_| !self.has_fallen)?;
        let when = seconds(at);
        let (mut on_feet, mut on_others) = (0.0, 0.0);
        let (mut hits, mut touches) = (None, None);
        std::mem::swap(&mut self.touching, &mut self.touched);
        self.touching.fill(false);
        for contact in world.contacts().filter(|contact| contact.under.is_none()) {
            let force = contact.force.length();
            let Some(part) = &self.parts[contact.over] else {
                on_feet += force;
                continue;
            };
            on_others += force;
            hits = hits.or(Some(part));
            self.touching[contact.over] = true;
            if !self.touched[contact.over] {
                touches = Some(part);
            }
        }
        if world.direction(0, up).z < TIPPED && on_feet < CARRIED * self.weight {
            self.has_fallen = true;
            return Some(fall(format!("the body tips over at {when} and falls"), at));
        }
        if let Some(part) = hits.filter(|_| on_others > HIT * self.weight) {
            self.has_fallen = true;
            let sentence = format!("{part} hits the floor at {when}: the body falls");
            return Some(fall(sentence, at));
        }
        let part = touches?;
        Some(CheckFinding {
            who: part.clone(),
            severity: Severity::Warning,
            fix: format!("keep {part} off the floor"),
            ..fall(format!("{part} touches the floor at {when}"), at)
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
