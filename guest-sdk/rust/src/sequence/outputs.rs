//! What a player gives its actuators, in this turn and in later ones. Called by motions, and by the player
//! in each step.
//! An output that has no key yet, or is left behind its last, has no weight.

use super::player::{MotionPlayer, span};
use crate::answer::Answer;
use crate::output::Output;
use crate::time::Span;

impl<const N: usize, const K: usize> MotionPlayer<N, K> {
    /// An output in this turn; a weight of 0 leaves its actuator to others.
    pub fn output(&self, place: usize) -> Output {
        self.outlook(place, Span::ZERO)
    }

    /// Whether a pause has stopped it on its way to a place.
    pub(super) fn stands_on_its_way(&self) -> bool {
        let way = self.approach.as_ref();
        self.playback.is_paused && way.is_some_and(|approach| !approach.is_chosen_in_pause)
    }

    /// An output in a later turn of this round, if nobody intervenes.
    pub fn outlook(&self, place: usize, ahead: Span) -> Output {
        let ahead = if self.stands_on_its_way() {
            Span::ZERO
        } else {
            ahead
        };
        let at = self.playback.at(self.sequence.end());
        let speed = if self.is_playing() {
            self.playback.speed
        } else {
            0.0
        };
        let left = self
            .approach
            .map_or(Span::ZERO, |approach| approach.lasts - approach.passed);
        let there = ahead.max(left) - left;
        let output = self.output_at(place, at + there.nanos() as f64 * speed);
        match &self.approach {
            Some(way) if ahead < left => way.output(place, ahead, output),
            _ => output,
        }
    }

    fn output_at(&self, place: usize, at: f64) -> Output {
        let (Some(list), Some(origin)) = (self.sequence.lists.get(place), self.origins.get(place))
        else {
            return Output::default();
        };
        if !self.playback.has_begun() {
            return Output::default();
        }
        let last = list.end();
        let mut after = span(at);
        if !self.is_held {
            // The turn that passes the last key meets it.
            let is_met = after <= last || span(self.playback.before()) < last && self.is_now(at);
            if !is_met || at < 0.0 || self.playback.is_past() {
                return Output::default();
            }
            after = after.min(last);
        }
        self.sequence.output_from(*origin, place, after)
    }

    fn is_now(&self, at: f64) -> bool {
        at <= self.playback.at(self.sequence.end())
    }

    /// Drives the actuators to the outputs of this turn, after [`advance`](MotionPlayer::advance).
    pub fn drive(&mut self) -> Answer {
        self.own.begin();
        let mut first = Answer::Done;
        for (place, actuator) in self.actuators.into_iter().enumerate() {
            let output = self.output(place);
            if output.weight > 0.0 {
                self.own.note(place, output);
                let answer = actuator.drive_to(output);
                first = if first.is_done() { answer } else { first };
            }
        }
        self.answer = first;
        first
    }
}
