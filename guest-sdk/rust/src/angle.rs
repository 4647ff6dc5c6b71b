//! Angles: `30.deg()` can be used wherever radians can. The contract uses radians.

use core::f64::consts::PI;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// An angle. A value can be a number or an angle: `HeadYaw.to(0.5)` and `HeadYaw.to(30.deg())`.
///
/// ```
/// use choreography::prelude::*;
///
/// assert!((f64::from(180.deg()) - 3.14159).abs() < 1e-5);
/// assert!((f64::from(0.2 + -90.deg() / 2.0) - (0.2 - 0.785398)).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Angle(f64);

/// Numbers that convert to angles.
pub trait Turn: Sized {
    /// An angle in degrees.
    fn deg(self) -> Angle;
    /// An angle in radians.
    fn rad(self) -> Angle;
}

impl Turn for f64 {
    fn deg(self) -> Angle {
        Angle::from_degrees(self)
    }
    fn rad(self) -> Angle {
        Angle(self)
    }
}

impl Turn for i32 {
    fn deg(self) -> Angle {
        f64::from(self).deg()
    }
    fn rad(self) -> Angle {
        f64::from(self).rad()
    }
}

impl Angle {
    /// An angle in degrees; for constants.
    pub const fn from_degrees(degrees: f64) -> Angle {
        Angle(degrees * (PI / 180.0))
    }

    /// The radians.
    pub const fn radians(self) -> f64 {
        self.0
    }

    /// The degrees.
    pub const fn degrees(self) -> f64 {
        self.0 * (180.0 / PI)
    }
}

impl From<Angle> for f64 {
    fn from(angle: Angle) -> f64 {
        angle.0
    }
}

impl Neg for Angle {
    type Output = Angle;
    fn neg(self) -> Angle {
        Angle(-self.0)
    }
}

impl Add for Angle {
    type Output = Angle;
    fn add(self, other: Angle) -> Angle {
        Angle(self.0 + other.0)
    }
}

impl Add<Angle> for f64 {
    type Output = Angle;
    fn add(self, other: Angle) -> Angle {
        Angle(self + other.0)
    }
}

impl Sub for Angle {
    type Output = Angle;
    fn sub(self, other: Angle) -> Angle {
        Angle(self.0 - other.0)
    }
}

impl Mul<f64> for Angle {
    type Output = Angle;
    fn mul(self, times: f64) -> Angle {
        Angle(self.0 * times)
    }
}

impl Mul<Angle> for f64 {
    type Output = Angle;
    fn mul(self, angle: Angle) -> Angle {
        angle * self
    }
}

impl Div<f64> for Angle {
    type Output = Angle;
    fn div(self, parts: f64) -> Angle {
        Angle(self.0 / parts)
    }
}
