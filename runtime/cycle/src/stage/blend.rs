//! Blends all lanes of the stage, level by level, and records which actuators each lane drove and which are hidden.
//! Run once in every turn, after sampling and before the limits; the arithmetic is in `crate::blend`.
//! Only lanes that may drive the actuator in this safety state take part.

use super::operate::RESUMING;
use super::{LaneSet, Stage, TurnSet};
use crate::bits;
use crate::blend::{Blended, Mix};
use crate::body::Gains;
use crate::event_log::Event;
use crate::safety::State;

impl Stage<'_> {
    /// Blends all lanes, and records for each lane the driven and the hidden actuators. The turn's set `Touched` then
    /// holds the actuators that were driven.
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
        let now = self.turn_times.now;
        self.set_mut(place, LaneSet::Hidden).fill(0);
        self.set_mut(place, LaneSet::Shifted).fill(0);
        let cell = &self.lanes[place];
        let factor = cell.settings.weight * cell.fade(now);
        if cell.settings.weight <= 0.0 {
            // What its guest does meanwhile is elsewhere when it has an effect again.
            self.lanes[place].resumes_for = RESUMING;
        }
        let cell = &self.lanes[place];
        if cell.is_paused() || factor <= 0.0 {
            self.set_mut(place, LaneSet::Driven).fill(0);
            return;
        }
        let coming_in = cell.is_coming_in(now);
        let resumes = cell.resumes_for > 0;
        for word in 0..words {
            let shown = match self.safety.state {
                State::Boot => 0,
                State::Running => u64::MAX,
                _ => self.turn_set_mut(TurnSet::Lights)[word],
            };
            let directs = self.set(place, LaneSet::Directs)[word];
            let asked = (self.set(place, LaneSet::Claims)[word] | directs) & shown;
            let drove = self.set(place, LaneSet::Driven)[word];
            if resumes {
                self.defer_starts(place, (word, asked));
            }
            let (mut driven, mut hidden, mut shifted) = (0, 0, 0);
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
                    // What it does unseen is elsewhere when it is seen.
                    timeline.defer_start();
                    continue;
                }
                let moved = timeline.show(value, weight, drove & bit != 0);
                let mix = &mut self.tracks[actuator].mix;
                if coming_in {
                    mix.origin = Some(timeline.from);
                }
                hidden |= if mix.is_covered() { bit } else { 0 };
                driven |= bit;
                shifted |= if moved == 0.0 { 0 } else { bit };
                mix.add(value, moved, weight);
            }
            self.turn_set_mut(TurnSet::Level)[word] |= driven;
            self.set_mut(place, LaneSet::Driven)[word] = driven;
            self.set_mut(place, LaneSet::Hidden)[word] = hidden;
            self.set_mut(place, LaneSet::Shifted)[word] = shifted;
        }
        if self.lanes[place].takes_over.is_some() {
            self.join(place, words);
        }
        self.report_overridden(place);
    }

    /// The gains that a lane asks for a joint, and their weight without its fades: `None` if it has no say. A lane that
    /// drives the joint without setting gains counts with the body's own at full weight.
    fn gains_of(&self, place: usize, actuator: usize, own: Gains) -> Option<(Gains, f64)> {
        let cell = &self.lanes[place];
        if cell.is_paused() {
            return None;
        }
        let direct = &self.directs[self.timeline_place(place, actuator)];
        let asked = bits::holds(self.set(place, LaneSet::Gains), actuator);
        let drives = bits::holds(self.set(place, LaneSet::Driven), actuator);
        match (asked, drives) {
            (true, _) => Some((direct.gains, direct.gains_weight * cell.settings.weight)),
            (false, true) => Some((own, cell.settings.weight)),
            (false, false) => None,
        }
    }

    /// What a lane drives first when it has an effect again, or the body moves again, is no movement that it asks for.
    #[cold]
    fn defer_starts(&mut self, place: usize, (word, asked): (usize, u64)) {
        for actuator in bits::members(word, asked) {
            let row = self.timeline_place(place, actuator);
            self.timelines[row].defer_start();
        }
    }

    fn report_overridden(&mut self, place: usize) {
        let overridden = !bits::is_empty(self.set(place, LaneSet::Hidden));
        let was = core::mem::replace(&mut self.lanes[place].was_overridden, overridden);
        if overridden && !was {
            self.events.note(Event::Overridden(self.id(place)));
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

    /// The blended value of an actuator; `None` if no lane claims it. Removes it, so that the next turn begins with an
    /// empty blend.
    pub(crate) fn take_blend(&mut self, actuator: usize) -> Option<Blended> {
        if !bits::holds(self.turn_set_mut(TurnSet::Touched), actuator) {
            return None;
        }
        core::mem::replace(&mut self.tracks[actuator].mix, Mix::EMPTY).finish()
    }

    /// Whether any lane set gains in this turn.
    pub(crate) fn gains_were_asked(&self) -> bool {
        self.order[..self.open]
            .iter()
            .any(|place| !bits::is_empty(self.set(usize::from(*place), LaneSet::Gains)))
    }

    /// The blended gains of a joint: the body's own unless a lane set others.
    pub(crate) fn blend_gains(&self, actuator: usize, own: Gains) -> Gains {
        let mut mixes = [Mix::EMPTY; 3];
        let mut level = f64::INFINITY;
        let weight_of = |place| {
            let gains = self.gains_of(place, actuator, own);
            gains.map_or(0.0, |gain| gain.1)
        };
        for &place in &self.order[..self.open] {
            let place = usize::from(place);
            let Some((gains, weight)) = self.gains_of(place, actuator, own) else {
                continue;
            };
            let weight = weight * self.lanes[place].fade(self.turn_times.now);
            if weight <= 0.0 {
                continue;
            }
            let priority = self.lanes[place].settings.priority;
            if priority.total_cmp(&level).is_ne() {
                mixes.iter_mut().for_each(Mix::close);
                level = priority;
            }
            let old = self.taken_over(place);
            let covers = old.map(|value| self.covers(place, value, &weight_of));
            for (mix, gain) in mixes.iter_mut().zip([gains.p, gains.i, gains.d]) {
                mix.add(gain, 0.0, weight);
                if let Some(covers) = covers {
                    mix.join(covers);
                }
            }
        }
        mixes.iter_mut().for_each(Mix::close);
        let [p, i, d] = mixes.map(|mix| mix.finish().map(|value| value.value));
        match (p, i, d) {
            (Some(p), Some(i), Some(d)) => Gains { p, i, d },
            _ => own,
        }
    }
}
