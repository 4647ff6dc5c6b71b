//! A robot as rigid bodies, as the description makes it, and what is found out about it before the first turn.

use cycle::{Span, named_enum};
use kinematics::{Transform, Vec3};
use physics::{Model, ModelError, PhysicsWorld, WorldSettings};

use super::felt::{FeltSensor, GRAVITY};
use super::floor::TiltingFloor;

/// The length of a step.
pub(super) const STEP: Span = Span::from_millis(2);

/// How deep links may be inside each other at the start, m: they are pushed apart gently.
const OVERLAP_MAX: f64 = 0.002;

/// A height at which nothing touches the floor, m.
const HIGH: f64 = 1000.0;

named_enum! {
    /// How the body is placed at the start.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BodyStart {
        /// On its feet, in its rest pose. Somebody steadies it until a motor has its full force for the first time, or
        /// until it is pushed or lifted.
        #[default]
        Standing => "standing",
        /// On its front; a body with more than two feet stands limp, and sinks onto its belly.
        LyingFront => "lying-front",
        /// On its back.
        LyingBack => "lying-back",
        /// With its joints as its description has it, on whatever is lowest then.
        Sitting => "sitting",
        /// In somebody's hands, above the floor.
        Held => "held",
    }
}

/// A robot as rigid bodies, and what its sensors feel of them.
#[derive(Clone, Debug)]
pub struct RigidRobot {
    /// The links, joints and shapes.
    pub model: Model,
    /// The degree of freedom of each actuator that moves links.
    pub dofs: Vec<Option<usize>>,
    /// What each sensor feels; none for a sensor that measures something else.
    pub sensors: Vec<Option<FeltSensor>>,
    /// How the body lies or stands at first.
    pub start: BodyStart,
    /// The actuators that start elsewhere than at rest, and where.
    pub pose: Vec<(usize, f64)>,
    /// The link of the model that each of the robot's links belongs to.
    pub links: Vec<usize>,
    /// The points on which the body stands: their link, and where on it.
    pub feet: Vec<(usize, Vec3)>,
    /// Links that start inside each other, and so do not collide.
    pub overlaps: Vec<LinkOverlap>,
}

/// Two links of a model that are inside each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkOverlap {
    /// Their indices.
    pub links: [usize; 2],
    /// How deep, m.
    pub depth: f64,
}

/// The settings of the world of a simulated robot.
pub(super) fn world_settings() -> WorldSettings {
    WorldSettings {
        step: STEP.seconds(),
        gravity: Vec3::new(0.0, 0.0, -GRAVITY),
        ground: TiltingFloor::default().ground(),
    }
}

impl RigidRobot {
    /// Lets links that are inside each other pass through each other: they would be thrown apart. `rest` returns the
    /// rest position of an actuator.
    ///
    /// # Errors
    /// [`ModelError`]: the bodies are impossible.
    pub fn ignore_overlaps(&mut self, rest: impl Fn(usize) -> f64) -> Result<(), ModelError> {
        let mut world = PhysicsWorld::new(&self.model, world_settings())?;
        for (actuator, dof) in self.dofs.iter().enumerate() {
            if let Some(dof) = dof {
                let placed = self.pose.iter().find(|(placed, _)| *placed == actuator);
                let start = placed.map_or_else(|| rest(actuator), |(_, position)| *position);
                world.place_joint(*dof, start);
            }
        }
        if world.has_free_link() {
            world.place_free_link(0, Transform::shift(0.0, 0.0, HIGH));
        }
        if world.step().is_err() {
            return Ok(());
        }
        for contact in world.contacts() {
            let Some(under) = contact.under else { continue };
            let [over, under] = [contact.over, under].map(|shape| self.model.colliders[shape].link);
            let links = [over.min(under), over.max(under)];
            if contact.depth < OVERLAP_MAX {
                continue;
            }
            match self.overlaps.iter_mut().find(|known| known.links == links) {
                Some(known) => known.depth = known.depth.max(contact.depth),
                None => self.overlaps.push(LinkOverlap {
                    links,
                    depth: contact.depth,
                }),
            }
        }
        let pairs = self
            .overlaps
            .iter()
            .map(|overlap| (overlap.links[0], overlap.links[1]));
        self.model.ignored_pairs.extend(pairs);
        Ok(())
    }

    /// How long a step takes on this machine, and how long it simulates, s. It measures for 5 ms at most, because the
    /// first motion waits for it.
    ///
    /// # Errors
    /// [`ModelError`]: the bodies are impossible.
    pub fn measure_step(&self) -> Result<(f64, f64), ModelError> {
        let mut world = PhysicsWorld::new(&self.model, world_settings())?;
        if world.has_free_link() {
            let height = -world.lowest_point().unwrap_or(0.0);
            world.place_free_link(0, Transform::shift(0.0, 0.0, height));
        }
        let begun = std::time::Instant::now();
        let mut steps = 0;
        while steps < 100 && begun.elapsed().as_millis() < 5 && world.step().is_ok() {
            steps += 1;
        }
        let each = begun.elapsed().as_secs_f64() / f64::from(steps.max(1));
        Ok((each, STEP.seconds()))
    }
}
