//! The control gains of a joint. Used by the body's table, by lanes that set gains, and by the limits.
//! A joint whose gains are all zero exerts no force.

/// A joint's control gains. All zero means limp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gains {
    /// Proportional.
    pub p: f64,
    /// Integral.
    pub i: f64,
    /// Derivative.
    pub d: f64,
}

impl Gains {
    /// Gains that exert no force.
    pub const LIMP: Gains = Gains {
        p: 0.0,
        i: 0.0,
        d: 0.0,
    };

    /// Whether these gains exert no force.
    pub fn is_limp(self) -> bool {
        self == Gains::LIMP
    }

    /// Whether every gain is a finite number that is not negative.
    pub fn is_sound(self) -> bool {
        [self.p, self.i, self.d]
            .iter()
            .all(|gain| gain.is_finite() && *gain >= 0.0)
    }

    /// Every gain times `factor`.
    pub fn scaled(self, factor: f64) -> Gains {
        Gains {
            p: self.p * factor,
            i: self.i * factor,
            d: self.d * factor,
        }
    }
}
