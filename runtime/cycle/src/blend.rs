//! The arithmetic of the blend: levels of priority, each covering a part of what the levels above left.
//! Used by `stage::blend`, which blends every lane once in every turn.
//! The law: the result never leaves the hull of what was asked, and the order of lanes within
//! a level does not matter beyond the last bit.
//!
//! This is Tekkotsu's blend, with its gains fixed: they are mixed by the same routine as values.

/// One actuator's blend in the making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// What the levels above have left uncovered.
    alpha: f64,
    sum: f64,
    cover: f64,
    level_value: f64,
    level_weight: f64,
    /// How far the lanes themselves have moved it, all in all, and those of this level.
    moved: f64,
    level_moved: f64,
    /// What this level will leave uncovered.
    level_rest: f64,
    low: f64,
    high: f64,
    /// Where the actuator started, if a lane that comes in has a part in it.
    pub(crate) origin: Option<f64>,
}

impl Mix {
    pub(crate) const EMPTY: Mix = Mix {
        alpha: 1.0,
        sum: 0.0,
        cover: 0.0,
        level_value: 0.0,
        level_weight: 0.0,
        moved: 0.0,
        level_moved: 0.0,
        level_rest: 1.0,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        origin: None,
    };

    /// Whether the levels above have left nothing.
    pub(crate) fn is_covered(&self) -> bool {
        self.alpha <= 0.0
    }

    /// Adds one lane's value to the level, and how far the lane has moved it. Weights above 1 are votes within it; a
    /// weight of 0 says nothing.
    #[inline]
    pub(crate) fn add(&mut self, value: f64, moved: f64, weight: f64) {
        if weight <= 0.0 {
            return;
        }
        self.level_value += value * weight;
        self.level_moved += moved * weight;
        self.level_weight += weight;
        self.level_rest *= 1.0 - weight.min(1.0);
        if !self.is_covered() {
            self.low = self.low.min(value);
            self.high = self.high.max(value);
        }
    }

    /// Ends the level.
    #[inline]
    pub(crate) fn close(&mut self) {
        if self.level_weight > 0.0 {
            let part = self.alpha * (1.0 - self.level_rest);
            self.sum += share(self.level_value, self.level_weight) * part;
            self.moved += share(self.level_moved, self.level_weight) * part;
            self.cover += part;
            self.alpha *= self.level_rest;
        }
        (self.level_value, self.level_moved) = (0.0, 0.0);
        (self.level_weight, self.level_rest) = (0.0, 1.0);
    }

    /// What lanes ask of the actuator; `None` if none does.
    pub(crate) fn finish(&self) -> Option<Blended> {
        if self.cover <= 0.0 {
            return None;
        }
        let (value, moved) = match self.origin {
            // What a lane that comes in leaves uncovered belongs to where the actuator started.
            Some(origin) if self.cover < 1.0 => {
                let low = self.low.min(origin);
                let high = self.high.max(origin);
                let value = self.sum + (1.0 - self.cover) * origin;
                (value.max(low).min(high), self.moved)
            }
            _ => {
                let value = share(self.sum, self.cover);
                (
                    value.max(self.low).min(self.high),
                    share(self.moved, self.cover),
                )
            }
        };
        Some(Blended {
            value,
            moved,
            coverage: self.cover.min(1.0),
        })
    }
}

/// What lanes ask of an actuator in a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blended {
    pub(crate) value: f64,
    /// How far the lanes themselves have moved it since the turn before. Whatever else it has moved came of who drives
    /// it, and with which share: nobody has asked for that way.
    pub(crate) moved: f64,
    /// How much of the actuator they claim, 0 to 1.
    pub(crate) coverage: f64,
}

/// `sum / weight`. A lone lane has weight 1, and a division is the dearest step of a blend.
#[inline]
fn share(sum: f64, weight: f64) -> f64 {
    if weight.to_bits() == 1.0f64.to_bits() {
        sum
    } else {
        sum / weight
    }
}

#[cfg(test)]
#[path = "blend/tests.rs"]
mod tests;
