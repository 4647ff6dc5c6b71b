//! A lane that takes over the work of another, as when a guest is swapped: one fades in while the other fades out.
//! Called by the blend.
//! Together they cover what one of them would, so that what is below shows no more than before.

use super::{LaneSet, Stage};
use crate::bits;

impl Stage<'_> {
    /// Joins a lane with the one whose work it takes over: what is below does not show while they change.
    #[cold]
    pub(super) fn join(&mut self, place: usize, words: usize) {
        let Some(old) = self.taken_over(place) else {
            return;
        };
        for word in 0..words {
            let both =
                self.set(place, LaneSet::Driven)[word] & self.set(old, LaneSet::Driven)[word];
            for actuator in bits::members(word, both) {
                let weight_on = |place| self.weight_on(place, actuator);
                let covers = self.covers(place, old, &weight_on);
                self.tracks[actuator].mix.join(covers);
            }
        }
    }

    /// The place of the lane whose work this one takes over, while both are at the same level. One that has not begun
    /// to fade in, or has faded out, has nothing to hand over but what it has taken over itself.
    pub(super) fn taken_over(&self, place: usize) -> Option<usize> {
        let priority = self.lanes[place].settings.priority;
        let mut place = place;
        loop {
            let old = self.lanes[place]
                .takes_over
                .filter(|lane| self.lane(*lane).is_ok())?;
            place = usize::from(old.place);
            let cell = &self.lanes[place];
            if cell.is_paused() || cell.settings.priority.total_cmp(&priority).is_ne() {
                return None;
            }
            if cell.fade(self.turn_times.now) > 0.0 {
                return Some(place);
            }
        }
    }

    /// The shares that cover an actuator: of the lane that is taken over, of the one that takes over, and of both. The
    /// argument gives the weight of a lane without its fades.
    pub(super) fn covers(
        &self,
        place: usize,
        old: usize,
        weight: &impl Fn(usize) -> f64,
    ) -> [f64; 3] {
        let now = self.turn_times.now;
        let cell = &self.lanes[place];
        let own = (weight(place) * cell.fade(now)).min(1.0);
        let before = self.cover(old, weight) * self.lanes[old].fall(now);
        [before, own, self.cover(place, weight) * cell.fall(now)]
    }

    /// The share that a lane covers together with those whose work it takes over, one after the other.
    fn cover(&self, place: usize, weight: &impl Fn(usize) -> f64) -> f64 {
        let (mut next, mut cover, mut rest) = (Some(place), 0.0, 1.0);
        while let Some(place) = next {
            let rise = self.lanes[place].rise(self.turn_times.now);
            cover += rest * rise * weight(place).min(1.0);
            rest *= 1.0 - rise;
            next = self.taken_over(place);
        }
        cover
    }

    /// The weight with which a lane drives an actuator in this blend, without its fades.
    fn weight_on(&self, place: usize, actuator: usize) -> f64 {
        if !bits::holds(self.set(place, LaneSet::Driven), actuator) {
            return 0.0;
        }
        let row = self.timeline_place(place, actuator);
        let direct = match bits::holds(self.set(place, LaneSet::Directs), actuator) {
            true => self.directs[row].weight,
            false => 1.0,
        };
        direct * self.timelines[row].weight * self.lanes[place].settings.weight
    }
}
