//! Accelerations under motors, stops and contacts: the minimum of a convex cost, by Newton's method with an exact line
//! search. Without rows it is the solution of the equations of motion.
//! It starts from the accelerations that it is given and makes at most `ROUNDS_MAX` rounds.

use alloc::vec;
use alloc::vec::Vec;

use crate::linear::{factor, multiply, solve};
use crate::rows::{ContactRow, StopRow, TorqueRow};

/// The most rounds of Newton's method; with robots at most 24 were seen, and 2 to 3 on average.
const ROUNDS_MAX: usize = 50;

/// The residual force at which the solution is good enough, N.
const TOLERANCE: f64 = 1e-7;

/// The most steps of a line search.
const LINE_STEPS_MAX: usize = 30;

/// How a contact's point moves with one coordinate: along its normal and both tangents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JacobianEntry {
    pub(crate) coordinate: usize,
    pub(crate) rows: [f64; 3],
}

/// The equations of one step.
#[derive(Clone, Debug)]
pub(crate) struct StepProblem {
    size: usize,
    /// The lower half of the mass matrix.
    pub(crate) mass: Vec<f64>,
    /// The forces on the coordinates that do not depend on accelerations.
    pub(crate) force: Vec<f64>,
    pub(crate) torques: Vec<TorqueRow>,
    pub(crate) stops: Vec<StopRow>,
    pub(crate) contacts: Vec<ContactRow>,
    /// The entries of all contacts; within a contact, coordinates rise.
    pub(crate) jacobian: Vec<JacobianEntry>,
    hessian: Vec<f64>,
    gradient: Vec<f64>,
    momentum: Vec<f64>,
    direction: Vec<f64>,
    mass_times_direction: Vec<f64>,
}

/// The derivatives of the cost along a line.
struct Slope {
    first: f64,
    second: f64,
}

impl StepProblem {
    /// A problem with room for so many contacts.
    pub(crate) fn new(size: usize, contacts: usize) -> StepProblem {
        StepProblem {
            size,
            mass: vec![0.0; size * size],
            force: vec![0.0; size],
            torques: Vec::with_capacity(2 * size),
            stops: Vec::with_capacity(2 * size),
            contacts: Vec::with_capacity(contacts),
            jacobian: Vec::with_capacity(contacts * size),
            hessian: vec![0.0; size * size],
            gradient: vec![0.0; size],
            momentum: vec![0.0; size],
            direction: vec![0.0; size],
            mass_times_direction: vec![0.0; size],
        }
    }

    /// Changes the number of coordinates, up to those for which there is room.
    pub(crate) fn resize(&mut self, size: usize) {
        self.size = size;
        for matrix in [&mut self.mass, &mut self.hessian] {
            matrix.resize(size * size, 0.0);
        }
        for vector in [
            &mut self.force,
            &mut self.gradient,
            &mut self.momentum,
            &mut self.direction,
            &mut self.mass_times_direction,
        ] {
            vector.resize(size, 0.0);
        }
    }

    /// Improves `accelerations` until they are those of least cost. Returns the number of rounds; none if the forces
    /// are not finite.
    pub(crate) fn minimize(&mut self, accelerations: &mut [f64]) -> Option<usize> {
        multiply(&self.mass, self.size, accelerations, &mut self.momentum);
        for contact in &mut self.contacts {
            contact.excess = contact.wanted.map(|wanted| -wanted);
            for entry in &self.jacobian[contact.from..contact.to] {
                for (excess, row) in contact.excess.iter_mut().zip(entry.rows) {
                    *excess += row * accelerations[entry.coordinate];
                }
            }
        }
        let mut rounds = 0;
        loop {
            self.derive(accelerations);
            let square: f64 = self.gradient.iter().map(|part| part * part).sum();
            if !square.is_finite() {
                return None;
            }
            if square < TOLERANCE * TOLERANCE || rounds == ROUNDS_MAX {
                return Some(rounds);
            }
            rounds += 1;
            factor(&mut self.hessian, self.size);
            for (direction, gradient) in self.direction.iter_mut().zip(&self.gradient) {
                *direction = -gradient;
            }
            solve(&self.hessian, self.size, &mut self.direction);
            let step = self.search(accelerations);
            for (rate, direction) in accelerations.iter_mut().zip(&self.direction) {
                *rate += step * direction;
            }
            for (momentum, mass_times_direction) in
                self.momentum.iter_mut().zip(&self.mass_times_direction)
            {
                *momentum += step * mass_times_direction;
            }
            for contact in &mut self.contacts {
                for (excess, change) in contact.excess.iter_mut().zip(contact.change) {
                    *excess += step * change;
                }
            }
        }
    }

    /// Computes the gradient and the second derivatives of the cost, and the forces of the contacts.
    fn derive(&mut self, accelerations: &[f64]) {
        let size = self.size;
        self.hessian.copy_from_slice(&self.mass);
        for (index, gradient) in self.gradient.iter_mut().enumerate() {
            *gradient = self.momentum[index] - self.force[index];
        }
        for row in &self.torques {
            let (torque, slope) = row.at(accelerations[row.coordinate]);
            self.gradient[row.coordinate] -= torque;
            self.hessian[row.coordinate * size + row.coordinate] += slope;
        }
        for row in &self.stops {
            let (torque, slope) = row.at(accelerations[row.coordinate]);
            self.gradient[row.coordinate] -= torque;
            self.hessian[row.coordinate * size + row.coordinate] += slope;
        }
        for contact in &mut self.contacts {
            let (force, slope) = contact.at(contact.excess);
            contact.force = force;
            if slope[0][0] == 0.0 {
                continue;
            }
            let entries = &self.jacobian[contact.from..contact.to];
            for (number, entry) in entries.iter().enumerate() {
                self.gradient[entry.coordinate] -= dot(entry.rows, force);
                let weighed = slope.map(|row| dot(row, entry.rows));
                for other in &entries[..=number] {
                    self.hessian[entry.coordinate * size + other.coordinate] +=
                        dot(weighed, other.rows);
                }
            }
        }
    }

    /// How far along the direction the cost is least. The slope along it only rises, so its zero is bracketed.
    fn search(&mut self, accelerations: &[f64]) -> f64 {
        multiply(
            &self.mass,
            self.size,
            &self.direction,
            &mut self.mass_times_direction,
        );
        for contact in &mut self.contacts {
            contact.change = [0.0; 3];
            for entry in &self.jacobian[contact.from..contact.to] {
                for (change, row) in contact.change.iter_mut().zip(entry.rows) {
                    *change += row * self.direction[entry.coordinate];
                }
            }
        }
        let mut base = Slope {
            first: 0.0,
            second: 0.0,
        };
        for (index, direction) in self.direction.iter().enumerate() {
            base.first += direction * (self.momentum[index] - self.force[index]);
            base.second += direction * self.mass_times_direction[index];
        }
        let start = self.slope(accelerations, 0.0, &base).first;
        let (mut low, mut high, mut step) = (0.0, f64::INFINITY, 1.0);
        for _ in 0..LINE_STEPS_MAX {
            let slope = self.slope(accelerations, step, &base);
            if slope.first.abs() <= 1e-6 * start.abs() || slope.second <= 0.0 {
                break;
            }
            if slope.first < 0.0 {
                low = step;
            } else {
                high = step;
            }
            let next = step - slope.first / slope.second;
            step = if next > low && next < high {
                next
            } else if high.is_finite() {
                0.5 * (low + high)
            } else {
                2.0 * step
            };
        }
        step
    }

    fn slope(&self, accelerations: &[f64], step: f64, base: &Slope) -> Slope {
        let mut first = base.first + step * base.second;
        let mut second = base.second;
        for row in &self.torques {
            let direction = self.direction[row.coordinate];
            let (torque, slope) = row.at(accelerations[row.coordinate] + step * direction);
            first -= torque * direction;
            second += slope * direction * direction;
        }
        for row in &self.stops {
            let direction = self.direction[row.coordinate];
            let (torque, slope) = row.at(accelerations[row.coordinate] + step * direction);
            first -= torque * direction;
            second += slope * direction * direction;
        }
        for contact in &self.contacts {
            let change = contact.change;
            let mut excess = contact.excess;
            for (excess, change) in excess.iter_mut().zip(change) {
                *excess += step * change;
            }
            let (force, slope) = contact.at(excess);
            first -= dot(force, change);
            second += dot(slope.map(|row| dot(row, change)), change);
        }
        Slope { first, second }
    }
}

fn dot(left: [f64; 3], right: [f64; 3]) -> f64 {
    left[0] * right[0] + left[1] * right[1] + left[2] * right[2]
}
