//! Boxes that are added to a world while it runs: steps of a staircase, and things that lie in the way.
//! They come after everything else, so that a world without them computes what it computed before. Their room is
//! reserved at the start: adding one allocates nothing.

use core::fmt;
use core::ops::Range;

use kinematics::{Transform, Vec3};

use crate::model::{Collider, Shape};
use crate::overlap::TOUCHES_MAX;
use crate::solver::StepProblem;
use crate::world::PhysicsWorld;

/// A box to be added to a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxModel {
    /// Half of its edges, m.
    pub half: Vec3,
    /// kg; a box without mass cannot move.
    pub mass: Option<f64>,
    /// The coefficient of friction.
    pub friction: f64,
}

/// There is no room for another box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxesFull;

impl fmt::Display for BoxesFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no room for another box; fix: take the earlier ones away")
    }
}

impl core::error::Error for BoxesFull {}

impl PhysicsWorld {
    /// Reserves room for so many boxes that move, and so many that do not.
    pub fn reserve_boxes(&mut self, moving: usize, still: usize) {
        let (all, size) = (moving + still, self.tree.size + 6 * moving);
        self.box_counts.moving_max = moving;
        self.box_counts.still_max = still;
        self.tree.reserve(all, moving);
        self.shapes.reserve(all);
        self.bases.reserve_exact(moving);
        self.holds.reserve_exact(moving);
        self.pushes.reserve_exact(all);
        self.link_weights.reserve_exact(all);
        for by_coordinate in [
            &mut self.positions,
            &mut self.speeds,
            &mut self.accelerations,
            &mut self.weights,
        ] {
            by_coordinate.reserve_exact(6 * moving);
        }
        self.problem = StepProblem::new(size, TOUCHES_MAX);
        self.problem.resize(self.tree.size);
    }

    /// How many more boxes can be added: those that move, and those that do not.
    pub fn box_room(&self) -> (usize, usize) {
        let boxes = &self.box_counts;
        let moving = boxes.moving_max - boxes.moving;
        (moving, boxes.still_max - boxes.still)
    }

    /// Adds a box, at rest. It must not start inside anything.
    ///
    /// # Errors
    /// [`BoxesFull`]: there are as many as `reserve_boxes` has made room for.
    pub fn add_box(&mut self, model: BoxModel, pose: Transform) -> Result<(), BoxesFull> {
        let (links, shapes) = (self.pushes.len(), self.shapes.colliders.len());
        let first_box = self.box_counts.first_of(shapes);
        let (count, room) = match model.mass {
            Some(_) => (&mut self.box_counts.moving, self.box_counts.moving_max),
            None => (&mut self.box_counts.still, self.box_counts.still_max),
        };
        if *count >= room {
            return Err(BoxesFull);
        }
        *count += 1;
        let moves = model.mass.is_some();
        let Vec3 { x, y, z } = model.half;
        let square = [y * y + z * z, x * x + z * z, x * x + y * y];
        let mass = model.mass.unwrap_or(0.0);
        let inertia = square.map(|square| mass * square / 3.0);
        let still = (!moves).then_some(pose);
        self.tree.add_root(mass, inertia, still);
        let collider = Collider {
            link: links,
            shape: Shape::Box {
                center: Vec3::ZERO,
                half: model.half,
            },
            meets_ground: moves,
            meets_links: true,
            friction: model.friction,
        };
        self.shapes.add_box(collider, first_box);
        self.pushes.push(Vec3::ZERO);
        self.link_weights.push(if moves { 1.0 / mass } else { 0.0 });
        if moves {
            self.bases.push(pose);
            self.holds.push(None);
            for weight in [mass; 3].into_iter().chain(inertia) {
                self.weights.push(1.0 / weight);
                self.positions.push(0.0);
                self.speeds.push(0.0);
                self.accelerations.push(0.0);
            }
            self.problem.resize(self.tree.size);
        }
        self.tree.place(&self.bases, &self.positions);
        self.forget_results();
        Ok(())
    }

    /// Takes all boxes away.
    pub fn clear_boxes(&mut self) {
        let links = self.box_counts.first_of(self.pushes.len());
        self.shapes
            .truncate(self.box_counts.first_of(self.shapes.colliders.len()));
        self.tree.truncate(links);
        self.pushes.truncate(links);
        self.link_weights.truncate(links);
        self.bases.truncate(self.model_bases);
        self.holds.truncate(self.model_bases);
        for by_coordinate in [
            &mut self.positions,
            &mut self.speeds,
            &mut self.accelerations,
            &mut self.weights,
        ] {
            by_coordinate.truncate(self.tree.size);
        }
        self.problem.resize(self.tree.size);
        self.box_counts.moving = 0;
        self.box_counts.still = 0;
        self.tree.place(&self.bases, &self.positions);
        self.forget_results();
    }

    /// The indices of all shapes; those of boxes come last.
    pub fn shapes(&self) -> Range<usize> {
        0..self.shapes.colliders.len()
    }

    /// The indices of all shapes of boxes.
    pub fn boxes(&self) -> Range<usize> {
        let all = self.shapes.colliders.len();
        self.box_counts.first_of(all)..all
    }
}
