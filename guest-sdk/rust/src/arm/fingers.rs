//! The geometry of a gripper with two fingers that turn: from the gap between them to the angle of their joint.
//! Called by `gripper`.
//! A gap that the fingers cannot have is the nearest one that they can.

use crate::maths::{asin, sin};

/// Two fingers that turn about axes beside each other, mirrored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fingers {
    /// Between the two axes, m.
    pub spacing: f64,
    /// From an axis to the tip of its finger, m.
    pub length: f64,
    /// The angle of the tips outwards where the joint stands at 0, rad.
    pub angle: f64,
}

impl Fingers {
    /// The value of the joint at which the gap between the tips is this wide, m.
    ///
    /// ```
    /// use choreography::arm::Fingers;
    ///
    /// let fingers = Fingers { spacing: 0.02, length: 0.05, angle: 0.1 };
    /// let value = fingers.value_for(0.07); // each tip is 25 mm outside of its axis: 30 degrees
    /// assert!((value - (30f64.to_radians() - 0.1)).abs() < 1e-12);
    /// assert!((fingers.gap_at(value) - 0.07).abs() < 1e-12);
    /// ```
    pub fn value_for(&self, gap: f64) -> f64 {
        let sine = (gap - self.spacing) / (2.0 * self.length);
        asin(sine.clamp(-1.0, 1.0)) - self.angle
    }

    /// The gap at this value of the joint, m.
    pub fn gap_at(&self, value: f64) -> f64 {
        self.spacing + 2.0 * self.length * sin(value + self.angle)
    }
}
