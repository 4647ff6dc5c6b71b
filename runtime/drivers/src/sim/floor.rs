//! The floor under the simulated body, which may be tilted.

use cycle::Span;
use kinematics::Vec3;
use physics::{Ground, Surface};

/// How fast the floor is tilted, rad/s: no faster than feet can follow.
const TILT_SPEED: f64 = 0.35;

/// The floor's coefficient of friction.
const FLOOR_FRICTION: f64 = 0.8;

/// A floor that may be tilted about a point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TiltingFloor {
    /// rad.
    angle: f64,
    wanted: f64,
    through: Vec3,
}

impl TiltingFloor {
    /// Begins to tilt it about the place below `body`.
    pub(super) fn tilt(&mut self, body: Vec3, angle: f64) {
        self.through = Vec3::new(body.x, body.y, self.height_below(body));
        self.wanted = angle;
    }

    /// Whether it is being tilted.
    pub(super) fn is_moving(&self) -> bool {
        self.angle != self.wanted
    }

    /// Turns it a little further; none if it stays as it is.
    pub(super) fn turn(&mut self, step: Span) -> Option<Ground> {
        if !self.is_moving() {
            return None;
        }
        let most = TILT_SPEED * step.seconds();
        self.angle += (self.wanted - self.angle).clamp(-most, most);
        Some(self.ground())
    }

    /// The floor as a `Ground`.
    pub(super) fn ground(&self) -> Ground {
        Ground {
            surface: Surface::Plane {
                normal: self.normal(),
                through: self.through,
            },
            friction: FLOOR_FRICTION,
        }
    }

    /// Its height below a point.
    pub(super) fn height_below(&self, point: Vec3) -> f64 {
        let normal = self.normal();
        point.z - normal.dot(point - self.through) / normal.z
    }

    fn normal(&self) -> Vec3 {
        Vec3::new(-libm::sin(self.angle), 0.0, libm::cos(self.angle))
    }
}
