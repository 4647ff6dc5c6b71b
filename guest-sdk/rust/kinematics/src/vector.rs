//! Three numbers with a direction: places in m, axes, and how fast something moves. Used by everything here.
//! No operation panics; what has no direction stays the zero vector, and is never NaN by that.

use core::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A vector: of a place (m), of an axis (of length 1), or of a movement.
///
/// ```
/// use kinematics::Vec3;
///
/// let hand: Vec3 = [0.2, 0.1, 0.0].into();
/// assert_eq!(hand + Vec3::Z * 0.5, Vec3::new(0.2, 0.1, 0.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    /// Forwards.
    pub x: f64,
    /// To the left.
    pub y: f64,
    /// Upwards.
    pub z: f64,
}

impl Vec3 {
    /// No way at all.
    pub const ZERO: Vec3 = Vec3::new(0.0, 0.0, 0.0);
    /// Forwards.
    pub const X: Vec3 = Vec3::new(1.0, 0.0, 0.0);
    /// To the left.
    pub const Y: Vec3 = Vec3::new(0.0, 1.0, 0.0);
    /// Upwards.
    pub const Z: Vec3 = Vec3::new(0.0, 0.0, 1.0);

    /// The vector of these three numbers.
    #[inline]
    pub const fn new(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// The scalar product.
    #[inline]
    pub const fn dot(self, other: Vec3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The vector product.
    #[inline]
    pub const fn cross(self, other: Vec3) -> Vec3 {
        Vec3::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// The sum, where operators cannot be used: in constants.
    #[inline]
    pub(crate) const fn plus(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }

    /// The multiple, likewise.
    #[inline]
    pub(crate) const fn times(self, by: f64) -> Vec3 {
        Vec3::new(self.x * by, self.y * by, self.z * by)
    }

    /// Its length.
    #[inline]
    pub fn length(self) -> f64 {
        libm::sqrt(self.dot(self))
    }

    /// The same direction with length 1; zero if it has none.
    #[inline]
    pub fn unit(self) -> Vec3 {
        let length = self.length();
        if length > 0.0 {
            self * (1.0 / length)
        } else {
            Vec3::ZERO
        }
    }

    /// What of it is across this direction of length 1.
    #[inline]
    pub fn across(self, direction: Vec3) -> Vec3 {
        self - direction * self.dot(direction)
    }

    /// Some direction of length 1 that is across this one; which one is always the same.
    pub fn any_across(self) -> Vec3 {
        let [x, y, z] = [self.x, self.y, self.z].map(libm::fabs);
        let least = if x <= y && x <= z {
            Vec3::X
        } else if y <= z {
            Vec3::Y
        } else {
            Vec3::Z
        };
        self.cross(least).unit()
    }

    /// Whether it is three numbers.
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// Whether its length is 1, to what the rounding of a description may do.
    pub(crate) const fn is_unit(self) -> bool {
        let square = self.x * self.x + self.y * self.y + self.z * self.z;
        square > 1.0 - 1e-6 && square < 1.0 + 1e-6
    }
}

impl From<[f64; 3]> for Vec3 {
    #[inline]
    fn from([x, y, z]: [f64; 3]) -> Vec3 {
        Vec3::new(x, y, z)
    }
}

impl From<Vec3> for [f64; 3] {
    #[inline]
    fn from(vector: Vec3) -> [f64; 3] {
        [vector.x, vector.y, vector.z]
    }
}

impl Add for Vec3 {
    type Output = Vec3;

    #[inline]
    fn add(self, other: Vec3) -> Vec3 {
        self.plus(other)
    }
}

impl AddAssign for Vec3 {
    #[inline]
    fn add_assign(&mut self, other: Vec3) {
        *self = *self + other;
    }
}

impl Sub for Vec3 {
    type Output = Vec3;

    #[inline]
    fn sub(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Neg for Vec3 {
    type Output = Vec3;

    #[inline]
    fn neg(self) -> Vec3 {
        Vec3::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64> for Vec3 {
    type Output = Vec3;

    #[inline]
    fn mul(self, by: f64) -> Vec3 {
        self.times(by)
    }
}
