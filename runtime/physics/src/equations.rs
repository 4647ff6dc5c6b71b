//! The equations of one step: what acts on each coordinate, and the rows of motors, dry friction, stops and contacts.
//! Written by a world in every step, for the solver.

use kinematics::Vec3;

use crate::overlap::Overlap;
use crate::rows::{ContactRow, StopRow, TorqueRow};
use crate::solver::JacobianEntry;
use crate::world::{MotorCommand, PhysicsWorld};

/// How long contacts and stops take to push something out, s. Not below two steps.
const TIME_CONSTANT: f64 = 0.005;

/// How much of the wanted acceleration a contact enforces: at the surface, and from `IMPEDANCE_WIDTH` on.
const IMPEDANCE: (f64, f64) = (0.9, 0.95);

/// m or rad.
const IMPEDANCE_WIDTH: f64 = 0.001;

/// How much stiffer friction is than the normal: with less, contacts creep.
const FRICTION_STIFFNESS: f64 = 10.0;

/// The least friction: at zero the cone degenerates.
const FRICTION_MIN: f64 = 1e-5;

/// The slope of dry friction, in units of the joint's inertia: enough to stop it within a step.
const DRY_SLOPE: f64 = 1000.0;

/// The time constant of the critically damped spring that moves a held link, s.
const HOLD_TIME: f64 = 0.2;

impl MotorCommand {
    /// The torque as a function of the acceleration: the brake counts at the end of the step, which keeps it stable.
    pub(crate) fn row(&self, coordinate: usize, position: f64, speed: f64, step: f64) -> TorqueRow {
        let error = self.target - position;
        TorqueRow {
            coordinate,
            start: self.stiffness * error + self.damping * (self.speed - speed),
            slope: step * self.damping,
            limits: self.torques,
        }
    }
}

impl PhysicsWorld {
    /// Writes the equations of this step.
    pub(crate) fn prepare(&mut self) {
        let (size, first) = (self.tree.size, self.first_dof());
        let gravity = self.settings.gravity;
        self.tree
            .bias(&self.speeds, gravity, &mut self.problem.force);
        for force in &mut self.problem.force {
            *force = -*force;
        }
        self.tree.mass_matrix(&mut self.problem.mass);
        for (index, dof) in self.dofs.iter().enumerate() {
            let coordinate = first + index;
            self.problem.mass[coordinate * size + coordinate] += self.settings.step * dof.damping;
            self.problem.force[coordinate] +=
                self.joint_pushes[index] - dof.damping * self.speeds[coordinate];
        }
        for (link, push) in self.pushes.iter().enumerate() {
            if *push == Vec3::ZERO {
                continue;
            }
            let center = self.tree.center(link);
            for freedom in self.tree.chain(link) {
                let lever = self.tree.lever(link, *freedom, center);
                self.problem.force[self.tree.freedoms[*freedom].coordinate] += lever.dot(*push);
            }
        }
        self.add_drag();
        self.write_joint_rows();
        self.write_holds();
        self.shapes
            .find(&self.tree, &self.settings.ground, &mut self.touches);
        self.problem.contacts.clear();
        self.problem.jacobian.clear();
        for index in 0..self.touches.list.len() {
            self.write_contact(self.touches.list[index]);
        }
    }

    /// The drag of the air on free links, with the inertias of the pose in which all joints are at 0.
    fn add_drag(&mut self) {
        let Some(air) = self.air else { return };
        let gravity = self.settings.gravity.length();
        for index in 0..self.bases.len() {
            let first = self.base_coordinate(index);
            for (from, speed_of, loss) in [
                (first, air.fall_speed, gravity),
                (first + 3, air.spin_speed, air.spin_loss),
            ] {
                let speeds = &self.speeds[from..from + 3];
                let speed = Vec3::new(speeds[0], speeds[1], speeds[2]);
                let share = speed.length() / (speed_of * speed_of);
                for (row, part) in [speed.x, speed.y, speed.z].into_iter().enumerate() {
                    let inertia = 1.0 / self.weights[from + row];
                    self.problem.force[from + row] -= inertia * loss * share * part;
                }
            }
        }
    }

    /// The rows of motors, then those of dry friction, and those of stops. A motor's row has the number of its joint.
    fn write_joint_rows(&mut self) {
        let (step, first) = (self.settings.step, self.first_dof());
        self.problem.torques.clear();
        self.problem.stops.clear();
        for (index, motor) in self.motors.iter().enumerate() {
            let coordinate = first + index;
            let (position, speed) = (self.positions[coordinate], self.speeds[coordinate]);
            let row = motor.row(coordinate, position, speed, step);
            self.problem.torques.push(row);
        }
        for (index, dof) in self.dofs.iter().enumerate() {
            let coordinate = first + index;
            let (position, speed) = (self.positions[coordinate], self.speeds[coordinate]);
            if dof.friction > 0.0 {
                let slope = DRY_SLOPE / self.weights[coordinate];
                self.problem.torques.push(TorqueRow {
                    coordinate,
                    start: -speed * slope / step,
                    slope,
                    limits: (-dof.friction, dof.friction),
                });
            }
            let Some((low, high)) = dof.stops else {
                continue;
            };
            for (sign, room) in [(1.0, position - low), (-1.0, high - position)] {
                if room < 0.0 {
                    let spring = Spring::of(-room, step);
                    self.problem.stops.push(StopRow {
                        coordinate,
                        sign,
                        wanted: spring.push - spring.damping * sign * speed,
                        stiffness: 1.0 / (spring.give * self.weights[coordinate]),
                    });
                }
            }
        }
    }

    /// The rows of the hands that hold free links: an acceleration towards the pose, far stiffer than whatever acts
    /// against it.
    fn write_holds(&mut self) {
        for (number, hold) in self.holds.iter().enumerate() {
            let Some(pose) = hold else { continue };
            let base = self.bases[number];
            let shift = pose.at - base.at;
            let turn = (pose.turn * base.turn.inverse()).vector();
            let errors = [shift.x, shift.y, shift.z, turn.x, turn.y, turn.z];
            for (row, error) in errors.into_iter().enumerate() {
                let coordinate = self.base_coordinate(number) + row;
                let speed = self.speeds[coordinate];
                let wanted = (error / HOLD_TIME - 2.0 * speed) / HOLD_TIME;
                let slope = DRY_SLOPE / self.weights[coordinate];
                self.problem.torques.push(TorqueRow {
                    coordinate,
                    start: wanted * slope,
                    slope,
                    limits: (f64::NEG_INFINITY, f64::INFINITY),
                });
            }
        }
    }

    fn write_contact(&mut self, touch: Overlap) {
        let link_of = |collider: usize| self.shapes.colliders[collider].link;
        let friction_of = |collider: usize| self.shapes.colliders[collider].friction;
        let (over, under) = (link_of(touch.over), touch.under.map(link_of));
        let side = touch.normal.any_across();
        let directions = [touch.normal, side, touch.normal.cross(side)];
        let from = self.problem.jacobian.len();
        for (link, sign) in [(Some(over), 1.0), (under, -1.0)] {
            for freedom in link.iter().flat_map(|link| self.tree.chain(*link)) {
                let lever = self.tree.lever(link.unwrap_or(0), *freedom, touch.point) * sign;
                let rows = directions.map(|direction| lever.dot(direction));
                let coordinate = self.tree.freedoms[*freedom].coordinate;
                let entries = &mut self.problem.jacobian[from..];
                match entries
                    .iter_mut()
                    .find(|entry| entry.coordinate == coordinate)
                {
                    Some(entry) => {
                        for (sum, row) in entry.rows.iter_mut().zip(rows) {
                            *sum += row;
                        }
                    }
                    None => self
                        .problem
                        .jacobian
                        .push(JacobianEntry { coordinate, rows }),
                }
            }
        }
        // The solver adds to the lower half of a matrix.
        self.problem.jacobian[from..].sort_unstable_by_key(|entry| entry.coordinate);
        let mut speed = [0.0; 3];
        for entry in &self.problem.jacobian[from..] {
            for (sum, row) in speed.iter_mut().zip(entry.rows) {
                *sum += row * self.speeds[entry.coordinate];
            }
        }
        let spring = Spring::of(touch.depth, self.settings.step);
        let weight = self.link_weights[over] + under.map_or(0.0, |link| self.link_weights[link]);
        let stiffness = 1.0 / (spring.give * weight).max(1e-15);
        let below = touch
            .under
            .map_or(self.settings.ground.friction, friction_of);
        self.problem.contacts.push(ContactRow {
            from,
            to: self.problem.jacobian.len(),
            friction: friction_of(touch.over).min(below).max(FRICTION_MIN),
            wanted: [
                spring.push - spring.damping * speed[0],
                -spring.damping * speed[1],
                -spring.damping * speed[2],
            ],
            stiffness: [stiffness, FRICTION_STIFFNESS * stiffness],
            directions,
            excess: [0.0; 3],
            change: [0.0; 3],
            force: [0.0; 3],
        });
    }
}

/// How a contact or a stop pushes, `depth` deep.
struct Spring {
    /// The acceleration that it wants at rest.
    push: f64,
    /// The acceleration against each unit of speed.
    damping: f64,
    /// How much it gives way.
    give: f64,
}

impl Spring {
    fn of(depth: f64, step: f64) -> Spring {
        let time = TIME_CONSTANT.max(2.0 * step);
        let (low, high) = IMPEDANCE;
        let share = (depth / IMPEDANCE_WIDTH).min(1.0);
        let blend = if share <= 0.5 {
            2.0 * share * share
        } else {
            1.0 - 2.0 * (1.0 - share) * (1.0 - share)
        };
        let impedance = low + blend * (high - low);
        Spring {
            push: impedance * depth / (high * high * time * time),
            damping: 2.0 / (high * time),
            give: (1.0 - impedance) / impedance,
        }
    }
}
