//! What is put in the way of the simulated body: boxes, and steps.
//! Directions are those in which the body faces at that moment.

use std::ops::Range;

use kinematics::{Rotation, Transform, Vec3};
use physics::BoxModel;

use super::rigid::SimPhysics;
use super::script::EventError;

/// The coefficient of friction of boxes and steps.
const FRICTION: f64 = 0.8;

/// How far steps reach to both sides, m.
const STEP_HALF_WIDTH: f64 = 1.0;

/// How far the last step reaches ahead, m.
const LANDING: f64 = 2.0;

/// How far steps reach below the floor: nothing leaves them downwards, m.
const FOUNDATION: f64 = 0.5;

/// The directions of a body: ahead and to its left.
struct BodyHeading {
    turn: Rotation,
    ahead: Vec3,
    left: Vec3,
}

impl SimPhysics {
    fn body_heading(&self) -> BodyHeading {
        let turn = self.heading();
        BodyHeading {
            turn,
            ahead: turn.turn(Vec3::X),
            left: turn.turn(Vec3::Y),
        }
    }

    /// Puts a box down from above: it lies on the floor, or on the highest thing below it.
    pub(super) fn put_box(
        &mut self,
        edges: [f64; 3],
        mass: Option<f64>,
        at: [f64; 2],
    ) -> Result<(), EventError> {
        let half = Vec3::from(edges) * 0.5;
        let heading = self.body_heading();
        let middle = self.world.point(0, Vec3::ZERO) + heading.ahead * at[0] + heading.left * at[1];
        let below = self.highest_below(self.world.shapes(), middle, half, &heading);
        let place = Vec3::new(middle.x, middle.y, below + half.z);
        self.add_box(half, mass, Transform::new(place, heading.turn))
    }

    /// The height of the highest of these shapes, or of the floor, below a box at this place.
    fn highest_below(
        &self,
        shapes: Range<usize>,
        middle: Vec3,
        half: Vec3,
        heading: &BodyHeading,
    ) -> f64 {
        let mut highest = f64::NEG_INFINITY;
        for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let corner = middle + heading.ahead * (x * half.x) + heading.left * (y * half.y);
            highest = highest.max(self.floor.height_below(corner));
        }
        for shape in shapes {
            let is_below = [(heading.ahead, half.x), (heading.left, half.y)]
                .into_iter()
                .all(|(axis, half)| {
                    let place = middle.dot(axis);
                    let (low, high) = (
                        -self.world.reach(shape, -axis),
                        self.world.reach(shape, axis),
                    );
                    low < place + half && place - half < high
                });
            if is_below {
                highest = highest.max(self.world.reach(shape, Vec3::Z));
            }
        }
        highest
    }

    /// Builds a flight of steps of this depth and height, so far ahead of the body's foremost point.
    pub(super) fn build_steps(
        &mut self,
        count: u8,
        [depth, height]: [f64; 2],
        gap: f64,
    ) -> Result<(), EventError> {
        if usize::from(count) > self.world.box_room().1 {
            return Err(EventError::Full);
        }
        let heading = self.body_heading();
        let base = self.world.point(0, Vec3::ZERO);
        let shapes = self.world.shapes().take(self.world.boxes().start);
        let foremost = shapes
            .map(|shape| self.world.reach(shape, heading.ahead))
            .fold(base.dot(heading.ahead), f64::max);
        let start = base + heading.ahead * (foremost - base.dot(heading.ahead) + gap);
        let floor = self.floor.height_below(start);
        let length = depth * f64::from(count - 1) + depth.max(LANDING);
        let middle = start + heading.ahead * (0.5 * length);
        let half = Vec3::new(0.5 * length, STEP_HALF_WIDTH, 0.0);
        if self.highest_below(self.world.boxes(), middle, half, &heading) > middle.z.max(floor) {
            return Err(EventError::Occupied);
        }
        for number in 0..count {
            let step = f64::from(number);
            let is_last = number + 1 == count;
            let length = if is_last { depth.max(LANDING) } else { depth };
            let top = floor + height * (step + 1.0);
            let bottom = floor - FOUNDATION;
            let middle = start + heading.ahead * (depth * step + 0.5 * length);
            let place = Vec3::new(middle.x, middle.y, 0.5 * (top + bottom));
            let half = Vec3::new(0.5 * length, STEP_HALF_WIDTH, 0.5 * (top - bottom));
            self.add_box(half, None, Transform::new(place, heading.turn))?;
        }
        Ok(())
    }

    /// The height of the highest box, or of the floor, below the body as it is turned at that moment.
    pub(super) fn ground_below_body(&self) -> f64 {
        let heading = self.body_heading();
        let own = 0..self.world.boxes().start;
        let reach = |axis: Vec3| {
            let reaches = own.clone().map(|shape| self.world.reach(shape, axis));
            reaches.fold(f64::NEG_INFINITY, f64::max)
        };
        let extent = |axis: Vec3| (-reach(-axis), reach(axis));
        let ((back, front), (right, left)) = (extent(heading.ahead), extent(heading.left));
        let middle = heading.ahead * (0.5 * (back + front)) + heading.left * (0.5 * (right + left));
        let half = Vec3::new(0.5 * (front - back), 0.5 * (left - right), 0.0);
        self.highest_below(self.world.boxes(), middle, half, &heading)
    }

    fn add_box(
        &mut self,
        half: Vec3,
        mass: Option<f64>,
        pose: Transform,
    ) -> Result<(), EventError> {
        let model = BoxModel {
            half,
            mass,
            friction: FRICTION,
        };
        self.world
            .add_box(model, pose)
            .map_err(|_| EventError::Full)?;
        self.after_change();
        Ok(())
    }

    /// Takes boxes and steps away.
    pub(super) fn empty_floor(&mut self) {
        self.world.clear_boxes();
        self.after_change();
    }

    fn after_change(&mut self) {
        self.sleep.wake();
        self.state.resize(self.world.state_len(), 0.0);
    }
}
