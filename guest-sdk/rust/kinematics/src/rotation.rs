//! Rotations, as quaternions of length 1, and poses. Used by tables, by forward kinematics and by goals.
//! A rotation is made of tables' numbers, of an angle or of other rotations, so its length stays 1 by itself
//! to rounding, over the few products of one pass from the root.

use core::ops::Mul;

use crate::vector::Vec3;

/// A rotation: the quaternion `w + x i + y j + z k` of length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    w: f64,
    v: Vec3,
}

impl Rotation {
    /// No rotation.
    pub const NONE: Rotation = Rotation::of_parts([1.0, 0.0, 0.0, 0.0]);

    /// The rotation of these parts of a quaternion of length 1: `w, x, y, z`. [`Tree::fault`](crate::Tree::fault)
    /// looks whether it is one.
    pub const fn of_parts([w, x, y, z]: [f64; 4]) -> Rotation {
        Rotation {
            w,
            v: Vec3::new(x, y, z),
        }
    }

    /// The parts of its quaternion: `w, x, y, z`.
    pub const fn parts(self) -> [f64; 4] {
        [self.w, self.v.x, self.v.y, self.v.z]
    }

    /// About an axis of length 1, rad.
    #[inline]
    pub fn about(axis: Vec3, angle: f64) -> Rotation {
        let (sine, cosine) = libm::sincos(0.5 * angle);
        Rotation {
            w: cosine,
            v: axis * sine,
        }
    }

    /// Roll, pitch and yaw about fixed axes, as in URDF and in a robot's description: rad.
    pub fn of_angles([roll, pitch, yaw]: [f64; 3]) -> Rotation {
        Rotation::about(Vec3::Z, yaw)
            * Rotation::about(Vec3::Y, pitch)
            * Rotation::about(Vec3::X, roll)
    }

    /// The rotation back.
    #[inline]
    pub fn inverse(self) -> Rotation {
        Rotation {
            w: self.w,
            v: -self.v,
        }
    }

    /// A vector, turned.
    #[inline]
    pub const fn turn(self, vector: Vec3) -> Vec3 {
        // v + 2 q × (q × v + w v): fewer products than the matrix would need.
        let twice = self.v.cross(vector).plus(vector.times(self.w));
        vector.plus(self.v.cross(twice).times(2.0))
    }

    /// The product, where operators cannot be used: in constants.
    #[inline]
    const fn after(self, first: Rotation) -> Rotation {
        let bent = first.v.times(self.w).plus(self.v.times(first.w));
        Rotation {
            w: self.w * first.w - self.v.dot(first.v),
            v: bent.plus(self.v.cross(first.v)),
        }
    }

    /// Its axis times its angle, the shorter way round: at most π long.
    pub fn vector(self) -> Vec3 {
        let (w, v) = if self.w < 0.0 {
            (-self.w, -self.v)
        } else {
            (self.w, self.v)
        };
        let sine = v.length();
        // Near no rotation at all the quotient is 2, and the division would lose it.
        if sine < 1e-9 {
            return v * 2.0;
        }
        v * (2.0 * libm::atan2(sine, w) / sine)
    }

    /// The same with length 1 again; after many products, or for numbers that were measured.
    pub fn renewed(self) -> Rotation {
        let length = libm::sqrt(self.w * self.w + self.v.dot(self.v));
        if length > 0.0 {
            Rotation {
                w: self.w / length,
                v: self.v * (1.0 / length),
            }
        } else {
            Rotation::NONE
        }
    }

    /// Whether its length is 1, to what the rounding of a description may do.
    pub(crate) const fn is_unit(self) -> bool {
        let v = self.v;
        let square = self.w * self.w + v.x * v.x + v.y * v.y + v.z * v.z;
        square > 1.0 - 1e-6 && square < 1.0 + 1e-6
    }
}

impl Mul for Rotation {
    type Output = Rotation;

    /// First the other, then this one.
    #[inline]
    fn mul(self, other: Rotation) -> Rotation {
        self.after(other)
    }
}

/// A pose: where the frame of a link is, seen from another, and how it is turned there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Its place, m.
    pub at: Vec3,
    /// Its turn.
    pub turn: Rotation,
}

impl Transform {
    /// The frame itself.
    pub const NONE: Transform = Transform::new(Vec3::ZERO, Rotation::NONE);

    /// At this place, turned so.
    #[inline]
    pub const fn new(at: Vec3, turn: Rotation) -> Transform {
        Transform { at, turn }
    }

    /// At this place, m; not turned.
    pub const fn shift(x: f64, y: f64, z: f64) -> Transform {
        Transform::new(Vec3::new(x, y, z), Rotation::NONE)
    }

    /// A point of this frame, seen from outside.
    #[inline]
    pub const fn point(self, vector: Vec3) -> Vec3 {
        self.at.plus(self.turn.turn(vector))
    }

    /// The product, where operators cannot be used: in constants.
    #[inline]
    pub(crate) const fn and_then(self, other: Transform) -> Transform {
        Transform::new(self.point(other.at), self.turn.after(other.turn))
    }

    /// The same, moved along an axis of its own, or about it.
    #[inline]
    pub(crate) fn moved(self, axis: Vec3, slides: bool, by: f64) -> Transform {
        if slides {
            Transform::new(self.point(axis * by), self.turn)
        } else {
            Transform::new(self.at, self.turn * Rotation::about(axis, by))
        }
    }

    /// The way back.
    pub fn inverse(self) -> Transform {
        let turn = self.turn.inverse();
        Transform::new(-turn.turn(self.at), turn)
    }
}

impl Mul for Transform {
    type Output = Transform;

    /// A pose that is seen from this one.
    #[inline]
    fn mul(self, other: Transform) -> Transform {
        self.and_then(other)
    }
}
