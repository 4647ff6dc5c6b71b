//! What a world shows of itself, and its state as plain numbers: for sensors, for pictures and for snapshots.

use kinematics::{Rotation, Transform, Vec3};

use crate::model::Shape;
use crate::world::{ContactPoint, PhysicsWorld, PointMotion};

impl PhysicsWorld {
    /// How many numbers a state has.
    pub fn state_len(&self) -> usize {
        7 * self.bases.len() + self.dofs.len() + self.speeds.len()
    }

    /// All speeds: six for each free link (linear, then angular), then those of joints, then six for each box that
    /// moves.
    pub fn speeds(&self) -> &[f64] {
        &self.speeds
    }

    /// The accelerations of the last step, in the order of the speeds.
    pub fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    /// Writes the state: place and rotation (`w, x, y, z`) of each free link, the positions of all joints, then all
    /// speeds. A list of another length than `state_len` is filled as far as it goes.
    pub fn write_state(&self, state: &mut [f64]) {
        let poses = self.bases.iter().flat_map(|base| {
            let [w, x, y, z] = base.turn.parts();
            [base.at.x, base.at.y, base.at.z, w, x, y, z]
        });
        let joints = self.first_dof()..self.first_dof() + self.dofs.len();
        let positions = self.positions[joints].iter().copied();
        let numbers = poses.chain(positions).chain(self.speeds.iter().copied());
        for (place, number) in state.iter_mut().zip(numbers) {
            *place = number;
        }
    }

    /// Restores a state. Returns false and changes nothing if it has another length or is not finite. Motors and pushes
    /// are no part of it: they stay as they are.
    #[must_use]
    pub fn read_state(&mut self, state: &[f64]) -> bool {
        let is_finite = state.iter().all(|number| number.is_finite());
        if state.len() != self.state_len() || !is_finite {
            return false;
        }
        let (poses, rest) = state.split_at(7 * self.bases.len());
        for (base, pose) in self.bases.iter_mut().zip(poses.chunks_exact(7)) {
            let turn = Rotation::of_parts([pose[3], pose[4], pose[5], pose[6]]);
            // A rotation that a world has written has length 1 already: dividing once more would change its last bits.
            let is_unit =
                (turn.parts().iter().map(|part| part * part).sum::<f64>() - 1.0).abs() < 1e-9;
            let turn = if is_unit { turn } else { turn.renewed() };
            *base = Transform::new(Vec3::new(pose[0], pose[1], pose[2]), turn);
        }
        let (positions, speeds) = rest.split_at(self.dofs.len());
        let first = self.first_dof();
        self.positions[first..first + positions.len()].copy_from_slice(positions);
        self.speeds.copy_from_slice(speeds);
        self.tree.place(&self.bases, &self.positions);
        self.forget_results();
        true
    }

    /// Whether any link of the model moves freely.
    pub fn has_free_link(&self) -> bool {
        self.model_bases > 0
    }

    /// Where a free link is; `number` counts the free links.
    pub fn free_link(&self, number: usize) -> Transform {
        self.bases[number]
    }

    /// Puts a free link somewhere, at rest; `number` counts the free links.
    pub fn place_free_link(&mut self, number: usize, pose: Transform) {
        self.bases[number] = pose;
        let first = self.base_coordinate(number);
        self.speeds[first..first + 6].fill(0.0);
        self.tree.place(&self.bases, &self.positions);
        self.forget_results();
    }

    /// Puts a joint somewhere, at rest.
    pub fn place_joint(&mut self, dof: usize, position: f64) {
        let coordinate = self.first_dof() + dof;
        self.positions[coordinate] = position;
        self.speeds[coordinate] = 0.0;
        self.tree.place(&self.bases, &self.positions);
        self.forget_results();
    }

    /// Clears what the last step has computed: it belongs to another state.
    pub(crate) fn forget_results(&mut self) {
        self.accelerations.fill(0.0);
        self.problem.torques.clear();
        self.touches.clear();
        self.problem.contacts.clear();
        self.rounds = 0;
    }

    /// A joint's position and speed.
    pub fn joint(&self, dof: usize) -> (f64, f64) {
        let coordinate = self.first_dof() + dof;
        (self.positions[coordinate], self.speeds[coordinate])
    }

    /// The torque of a motor in the last step, N·m.
    pub fn motor_torque(&self, dof: usize) -> f64 {
        let row = self.problem.torques.get(dof);
        row.map_or(0.0, |row| row.at(self.accelerations[row.coordinate]).0)
    }

    /// A point of a link's frame, in the world.
    pub fn point(&self, link: usize, point: Vec3) -> Vec3 {
        self.tree.point(link, point)
    }

    /// The height of the lowest point of all shapes of the model that touch the ground; none if there are none.
    pub fn lowest_point(&self) -> Option<f64> {
        let shapes = self.shapes.colliders[..self.boxes().start]
            .iter()
            .enumerate();
        let shapes = shapes.filter(|(_, shape)| shape.meets_ground);
        let heights = shapes.map(|(number, _)| -self.reach(number, -Vec3::Z));
        heights.reduce(f64::min)
    }

    /// How far a shape reaches along a direction of length 1, from the origin, m.
    pub fn reach(&self, collider: usize, direction: Vec3) -> f64 {
        let collider = &self.shapes.colliders[collider];
        let along = |point: Vec3| self.tree.point(collider.link, point).dot(direction);
        let slope = |own: Vec3| self.tree.axes(collider.link).apply(own).dot(direction);
        match &collider.shape {
            Shape::Capsule { from, to, radius } => along(*from).max(along(*to)) + radius,
            Shape::Box { center, half } => {
                let reach = (half.x * slope(Vec3::X)).abs()
                    + (half.y * slope(Vec3::Y)).abs()
                    + (half.z * slope(Vec3::Z)).abs();
                along(*center) + reach
            }
            Shape::Hull { corners } => {
                let places = corners.iter().map(|corner| along(*corner));
                places.fold(f64::NEG_INFINITY, f64::max)
            }
            Shape::Wheel {
                center,
                axle,
                radius,
                half_width,
            } => {
                let tilt = slope(*axle);
                let rim = radius * libm::sqrt((1.0 - tilt * tilt).max(0.0));
                along(*center) + rim + half_width * tilt.abs()
            }
        }
    }

    /// A direction of a link's frame, in the world.
    pub fn direction(&self, link: usize, direction: Vec3) -> Vec3 {
        self.tree.axes(link).apply(direction)
    }

    /// A direction of the world, in a link's frame.
    pub fn direction_in(&self, link: usize, direction: Vec3) -> Vec3 {
        self.tree.axes(link).apply_inverse(direction)
    }

    /// How a point of a link's frame moves, with the accelerations of the last step.
    pub fn motion(&mut self, link: usize, point: Vec3) -> PointMotion {
        self.tree.accelerate(&self.speeds, &self.accelerations);
        let (velocity, angular_velocity, acceleration) =
            self.tree.motion_of(link, self.tree.point(link, point));
        PointMotion {
            velocity,
            angular_velocity,
            acceleration,
        }
    }

    /// The contacts of the last step.
    pub fn contacts(&self) -> impl Iterator<Item = ContactPoint> {
        let rows = self.problem.contacts.iter();
        self.touches.list.iter().zip(rows).map(|(touch, row)| {
            let [normal, one, other] = row.directions;
            ContactPoint {
                under: touch.under,
                over: touch.over,
                point: touch.point,
                depth: touch.depth,
                force: normal * row.force[0] + one * row.force[1] + other * row.force[2],
            }
        })
    }

    /// How many contacts of the last step did not fit.
    pub fn dropped_contacts(&self) -> usize {
        self.touches.dropped
    }

    /// How many rounds the solver took in the last step.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The centre of mass of all links but boxes that were added.
    pub fn center_of_mass(&self) -> Vec3 {
        let (mut sum, mut mass) = (Vec3::ZERO, 0.0);
        for link in 0..self.box_counts.first_of(self.pushes.len()) {
            sum += self.tree.center(link) * self.tree.mass(link);
            mass += self.tree.mass(link);
        }
        sum * (1.0 / mass)
    }

    /// The kinetic and potential energy of all bodies, J.
    pub fn energy(&mut self) -> f64 {
        self.tree.accelerate(&self.speeds, &self.accelerations);
        self.tree.energy(&self.speeds, self.settings.gravity)
    }
}
