//! Many lanes, one body: levels of priority, each covering a part of what the levels above left.
//! Run once in every turn, after sampling and before the limits.
//! The law: the result never leaves the hull of what was asked, and the order of lanes within
//! a level does not matter beyond the last bit.
//!
//! This is Tekkotsu's blend, with its gains fixed: they are mixed by the same routine as values.

use crate::bits;
use crate::body::Gains;
use crate::diary::Event;
use crate::safety::State;
use crate::stage::{Set, Stage, TurnSet};
use crate::time::Instant;

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
    origin: Option<f64>,
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
    fn is_covered(&self) -> bool {
        self.alpha <= 0.0
    }

    /// Adds one lane's value to the level, and how far the lane has moved it. Weights above 1 are votes within it; a
    /// weight of 0 says nothing.
    #[inline]
    fn add(&mut self, value: f64, moved: f64, weight: f64) {
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
    fn close(&mut self) {
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
    fn finish(&self) -> Option<Blended> {
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

impl Stage<'_> {
    /// Blends all lanes into `mix` and tells each lane what of it came through. Which actuators
    /// were touched is left in the turn's set.
    pub(crate) fn blend(&mut self) {
        let words = bits::words(self.body.actuators.len());
        self.turn_set_mut(TurnSet::Touched).fill(0);
        self.turn_set_mut(TurnSet::Level).fill(0);
        let mut level = f64::INFINITY;
        for at in 0..self.open {
            let place = usize::from(self.order[at]);
            let priority = self.lanes[place].settings.priority;
            if priority.total_cmp(&level).is_ne() {
                self.close_level(words);
                level = priority;
            }
            self.add_lane(place, words);
        }
        self.close_level(words);
    }

    fn add_lane(&mut self, place: usize, words: usize) {
        let now = self.beat.now;
        self.set_mut(place, Set::Hidden).fill(0);
        let cell = &self.lanes[place];
        let factor = cell.settings.weight * cell.fade(now);
        if cell.is_paused() || factor <= 0.0 {
            self.set_mut(place, Set::Driven).fill(0);
            return;
        }
        let coming_in = cell.is_coming_in(now);
        for word in 0..words {
            let shown = match self.safety.state {
                State::Boot => 0,
                State::Running => u64::MAX,
                _ => self.turn_set_mut(TurnSet::Lights)[word],
            };
            let directs = self.set(place, Set::Directs)[word];
            let asked = (self.set(place, Set::Claims)[word] | directs) & shown;
            let drove = self.set(place, Set::Driven)[word];
            let (mut driven, mut hidden) = (0, 0);
            for actuator in bits::members(word, asked) {
                let bit = 1 << (actuator % 64);
                let row = self.timeline_place(place, actuator);
                let timeline = &mut self.timelines[row];
                let (value, weight) = if directs & bit != 0 {
                    (
                        self.directs[row].value,
                        self.directs[row].weight * timeline.weight,
                    )
                } else {
                    (timeline.value(), timeline.weight)
                };
                let weight = weight * factor;
                if weight <= 0.0 {
                    continue;
                }
                let moved = timeline.show(value, drove & bit != 0);
                let mix = &mut self.tracks[actuator].mix;
                if coming_in {
                    mix.origin = Some(timeline.from);
                }
                hidden |= if mix.is_covered() { bit } else { 0 };
                driven |= bit;
                mix.add(value, moved, weight);
            }
            self.turn_set_mut(TurnSet::Level)[word] |= driven;
            self.set_mut(place, Set::Driven)[word] = driven;
            self.set_mut(place, Set::Hidden)[word] = hidden;
        }
        self.tell_overridden(place);
    }

    fn tell_overridden(&mut self, place: usize) {
        let overridden = !bits::is_empty(self.set(place, Set::Hidden));
        let was = core::mem::replace(&mut self.lanes[place].was_overridden, overridden);
        if overridden && !was {
            self.diary.note(Event::Overridden(self.id(place)));
        }
    }

    fn close_level(&mut self, words: usize) {
        for word in 0..words {
            let members = core::mem::take(&mut self.turn_set_mut(TurnSet::Level)[word]);
            self.turn_set_mut(TurnSet::Touched)[word] |= members;
            for actuator in bits::members(word, members) {
                self.tracks[actuator].mix.close();
            }
        }
    }

    /// What lanes ask of an actuator; `None` if nobody claims it. Takes the blend, so that the next turn begins with an
    /// empty one.
    pub(crate) fn take_blend(&mut self, actuator: usize) -> Option<Blended> {
        if !bits::holds(self.turn_set_mut(TurnSet::Touched), actuator) {
            return None;
        }
        core::mem::replace(&mut self.tracks[actuator].mix, Mix::EMPTY).finish()
    }

    /// Whether any lane asked for gains in this turn.
    pub(crate) fn gains_were_asked(&self) -> bool {
        self.order[..self.open]
            .iter()
            .any(|place| !bits::is_empty(self.set(usize::from(*place), Set::Gains)))
    }

    /// The blended gains of a joint: the body's own unless a lane asked for others. A lane that
    /// drives the joint without asking for gains asks for the body's own with full weight.
    pub(crate) fn blend_gains(&self, actuator: usize, own: Gains, now: Instant) -> Gains {
        let mut mixes = [Mix::EMPTY; 3];
        let mut level = f64::INFINITY;
        for &place in &self.order[..self.open] {
            let place = usize::from(place);
            let cell = &self.lanes[place];
            if cell.is_paused() {
                continue;
            }
            let asked = bits::holds(self.set(place, Set::Gains), actuator);
            let drives = bits::holds(self.set(place, Set::Driven), actuator);
            let direct = &self.directs[self.timeline_place(place, actuator)];
            let (gains, weight) = match (asked, drives) {
                (true, _) => (direct.gains, direct.gains_weight),
                (false, true) => (own, 1.0),
                (false, false) => continue,
            };
            let weight = weight * cell.settings.weight * cell.fade(now);
            if weight <= 0.0 {
                continue;
            }
            if cell.settings.priority.total_cmp(&level).is_ne() {
                mixes.iter_mut().for_each(Mix::close);
                level = cell.settings.priority;
            }
            for (mix, gain) in mixes.iter_mut().zip([gains.p, gains.i, gains.d]) {
                mix.add(gain, 0.0, weight);
            }
        }
        mixes.iter_mut().for_each(Mix::close);
        let [p, i, d] = mixes.map(|mix| mix.finish().map(|it| it.value));
        match (p, i, d) {
            (Some(p), Some(i), Some(d)) => Gains { p, i, d },
            _ => own,
        }
    }
}

#[cfg(test)]
#[path = "blend/tests.rs"]
mod tests;
