//! Six-dimensional motions, forces and inertias.
//! Used by the tree. Everything is a plain sum in a fixed order, so that results are the same bytes on every machine.

use core::ops::{Add, Mul};

use kinematics::Vec3;

use crate::inertia::{about_point, turned_by};
use crate::matrix::Matrix3;

/// A motion or a force in six coordinates, about the reference point of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spatial {
    pub(crate) angular: Vec3,
    pub(crate) linear: Vec3,
}

impl Spatial {
    pub(crate) const ZERO: Spatial = Spatial {
        angular: Vec3::ZERO,
        linear: Vec3::ZERO,
    };

    pub(crate) fn dot(self, other: Spatial) -> f64 {
        self.angular.dot(other.angular) + self.linear.dot(other.linear)
    }

    /// How a motion changes because it moves along with this one.
    pub(crate) fn cross_motion(self, other: Spatial) -> Spatial {
        Spatial {
            angular: self.angular.cross(other.angular),
            linear: self.angular.cross(other.linear) + self.linear.cross(other.angular),
        }
    }

    /// The same for a force.
    pub(crate) fn cross_force(self, force: Spatial) -> Spatial {
        Spatial {
            angular: self.angular.cross(force.angular) + self.linear.cross(force.linear),
            linear: self.angular.cross(force.linear),
        }
    }

    /// The velocity of a point that is `arm` away from the reference point.
    pub(crate) fn at_point(self, arm: Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm)
    }
}

impl Add for Spatial {
    type Output = Spatial;

    fn add(self, other: Spatial) -> Spatial {
        Spatial {
            angular: self.angular + other.angular,
            linear: self.linear + other.linear,
        }
    }
}

impl Mul<f64> for Spatial {
    type Output = Spatial;

    fn mul(self, factor: f64) -> Spatial {
        Spatial {
            angular: self.angular * factor,
            linear: self.linear * factor,
        }
    }
}

/// The inertia of a rigid body about the reference point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpatialInertia {
    mass: f64,
    /// Mass times the centre of mass.
    first: Vec3,
    /// The symmetric second moment: `xx, yy, zz, xy, xz, yz`.
    second: [f64; 6],
}

impl SpatialInertia {
    pub(crate) const ZERO: SpatialInertia = SpatialInertia {
        mass: 0.0,
        first: Vec3::ZERO,
        second: [0.0; 6],
    };

    /// The inertia of a link whose centre of mass is at `center`, with the `tensor` about it along the link's axes,
    /// which `axes` turns.
    pub(crate) fn of_link(
        mass: f64,
        center: Vec3,
        axes: &Matrix3,
        tensor: &[f64; 6],
    ) -> SpatialInertia {
        SpatialInertia {
            mass,
            first: center * mass,
            second: about_point(turned_by(tensor, axes), mass, center),
        }
    }

    pub(crate) fn add(&mut self, other: &SpatialInertia) {
        self.mass += other.mass;
        self.first += other.first;
        for (own, more) in self.second.iter_mut().zip(other.second) {
            *own += more;
        }
    }

    /// The momentum of a motion.
    pub(crate) fn momentum(&self, motion: Spatial) -> Spatial {
        let Vec3 { x, y, z } = motion.angular;
        let [xx, yy, zz, xy, xz, yz] = self.second;
        let spin = Vec3::new(
            xx * x + xy * y + xz * z,
            xy * x + yy * y + yz * z,
            xz * x + yz * y + zz * z,
        );
        Spatial {
            angular: spin + self.first.cross(motion.linear),
            linear: motion.linear * self.mass - self.first.cross(motion.angular),
        }
    }
}
