//! The arithmetic of the blend: each level of priority covers a part of what the levels above left uncovered.
//! Used by `stage::blend`, which blends all lanes once in every turn.
//! The result lies between the lowest and the highest requested value, and the order of lanes within a level
//! changes at most the last bit.
//!
//! This is Tekkotsu's blend, with a correction: gains are mixed by the same routine as values.

/// The blend of one actuator under construction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// The share that the levels above have left uncovered.
    alpha: f64,
    sum: f64,
    cover: f64,
    level_value: f64,
    level_weight: f64,
    /// How far the lanes themselves have moved it: in total, and at this level.
    moved: f64,
    level_moved: f64,
    /// The share that this level will leave uncovered.
    level_rest: f64,
    low: f64,
    high: f64,
    /// The actuator's value at the start, if a lane that fades in takes part.
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

    /// Whether the levels above cover everything.
    pub(crate) fn is_covered(&self) -> bool {
        self.alpha <= 0.0
    }

    /// Adds one lane's value to the level, and how far the lane has moved it. Weights above 1 count as votes within the
    /// level; a weight of 0 has no effect.
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

    /// Two lanes of the level were added that cover these shares; they are one that changes hands, and cover the third.
    pub(crate) fn join(&mut self, [first, second, together]: [f64; 3]) {
        // One that covers everything leaves nothing anyway.
        if first < 1.0 && second < 1.0 {
            let apart = (1.0 - first) * (1.0 - second);
            self.level_rest *= (1.0 - together).max(0.0) / apart;
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

    /// The blended value of the actuator; `None` if no lane drives it.
    pub(crate) fn finish(&self) -> Option<Blended> {
        if self.cover <= 0.0 {
            return None;
        }
        let (value, moved) = match self.origin {
            // The share that a fading-in lane leaves uncovered goes to the actuator's value at the start.
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

/// The blended value of an actuator in a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blended {
    pub(crate) value: f64,
    /// How far the lanes themselves have moved it since the previous turn. The rest of the change comes from a change
    /// of lanes or shares, which no lane requested.
    pub(crate) moved: f64,
    /// The share of the actuator that they claim, 0 to 1.
    pub(crate) coverage: f64,
}

/// `sum / weight`. A single lane has weight 1, and the division is the most expensive step of a blend.
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
