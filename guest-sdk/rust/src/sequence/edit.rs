//! Edits of a whole sequence: another one over it, fewer keys, other times, and times that the joints can keep.
//! Called by motions, in `start`: the work grows with the square of the number of keys.
//! All of an edit is made, or nothing. No edit of times changes the order of the keys, or loses one.

use core::array::from_fn;

use super::keyframe::{KeyList, Keyframe};
use super::{MotionSequence, REACH};
use crate::answer::Answer;
use crate::ease::Ease;
use crate::output::Output;
use crate::time::{Span, Time};

impl<const N: usize, const K: usize> MotionSequence<N, K> {
    /// Lays another sequence over this one: its time zero is at the edit time. Keys at the same instant are replaced,
    /// all others stay. Its starts are keys if they have a weight. Afterwards the edit time is at its end.
    ///
    /// All is laid or nothing: it is refused with [`Answer::Full`] if one output would have more than K keys, and with
    /// [`Answer::OutOfReach`] if it would end after 24.8 days.
    #[must_use = "a sequence that is refused is not there"]
    pub fn overlay<const L: usize>(&mut self, other: &MotionSequence<N, L>) -> Answer {
        let base = self.edit_time;
        let end = base + other.end();
        if end > REACH {
            return Answer::OutOfReach;
        }
        for (place, list) in self.lists.iter().enumerate() {
            let is_new = |keyframe: &Keyframe| {
                keyframe.at + base > Span::ZERO && !list.has_key(keyframe.at + base)
            };
            let more = other.weighted_keys(place).filter(is_new).count();
            if !list.has_room(more) {
                return Answer::Full;
            }
        }
        for place in 0..N {
            for key in other.weighted_keys(place) {
                let at = key.at + base;
                self.put(place, at, key.output);
                self.lists[place].ease(at, key.ease);
            }
        }
        self.edit_time = end;
        Answer::Done
    }

    /// Drops keys that lie on the line between two others, with their value and their weight within this error. Returns
    /// how many. No output is further than the error from what it was, at any time.
    ///
    /// Keys that are reached with an easing stay. Keys with a weight of 0 do, and so do their neighbours and the
    /// first key: a line from there begins where the body is when it is played, which nobody knows yet.
    pub fn compress(&mut self, error: f64) -> usize {
        self.lists.iter_mut().map(|item| thin(item, error)).sum()
    }

    /// Multiplies all times by this factor: 2 makes it half as fast.
    ///
    /// It is refused with [`Answer::NotFinite`] if the factor is not a positive number, and with
    /// [`Answer::OutOfReach`] if it would end after 24.8 days, or if two keys would be at the same nanosecond.
    #[must_use = "a change that is refused is not made"]
    pub fn scale(&mut self, factor: f64) -> Answer {
        if !factor.is_finite() || factor <= 0.0 {
            return Answer::NotFinite;
        }
        if self.end() * factor > REACH || self.lists.iter().any(|item| falls_together(item, factor))
        {
            return Answer::OutOfReach;
        }
        for key in self.lists.iter_mut().flat_map(KeyList::keys_mut) {
            key.at = key.at * factor;
        }
        self.edit_time = self.edit_time * factor;
        Answer::Done
    }

    /// Inserts time where a joint would be faster than this share of its limit, 0.9 say: all later keys of all outputs
    /// are moved back together. Limits are in units per second, and infinite for what has none.
    ///
    /// It begins `from` these values, where the body is; one that is no number is not counted. The player does the same
    /// from other poses, too fast perhaps. Keys with a weight of 0 count with the value that they have.
    ///
    /// It is refused with [`Answer::NotFinite`] if an output moves whose limit is not a positive number, and with
    /// [`Answer::OutOfReach`] if its movements need more than 24.8 days together.
    ///
    /// ```
    /// use choreography::prelude::*;
    /// use choreography::sequence::MotionSequence;
    ///
    /// static Yaw: Actuator = Actuator::named("HeadYaw");
    /// static Pitch: Actuator = Actuator::named("HeadPitch");
    ///
    /// let (stage, joints) = (Rehearsal::alone(nao()), [&Yaw, &Pitch]);
    /// let mut hasty = MotionSequence::<2, 2>::new(); // 1 rad in 1 ms
    /// assert!(hasty.set_pose(&[Output::of(1.0), Output::of(0.1)]).is_done());
    /// let (from, limits) = (joints.map(Actuator::sent), joints.map(|joint| joint.limits().velocity));
    /// assert!(hasty.make_safe(&from, &limits, 0.5).is_done());
    /// assert!((hasty.end().seconds() - 2.0 / limits[0]).abs() < 1e-6);
    /// ```
    #[must_use = "a change that is refused is not made"]
    pub fn make_safe(&mut self, from: &[f64; N], limits: &[f64; N], margin: f64) -> Answer {
        let rates: [f64; N] = from_fn(|place| limits[place] * margin);
        let mut needed = 0.0;
        for (list, (from, rate)) in self.lists.iter().zip(from.iter().zip(rates)) {
            for way in ways(*from, list.keys()).filter(|value| *value > 0.0) {
                // NaN is no limit either.
                if rate.is_nan() || rate <= 0.0 {
                    return Answer::NotFinite;
                }
                needed += way / rate;
            }
        }
        if (self.end().seconds() + needed).s() > REACH {
            return Answer::OutOfReach;
        }
        let mut done = Span::ZERO;
        while let Some(at) = self.next_time(done) {
            let lacks = self.lists.iter().zip(from.iter().zip(rates));
            let lacks = lacks.map(|(list, (from, rate))| lack(list, *from, rate, at));
            let lack = lacks.fold(Span::ZERO, Span::max);
            self.delay(at, lack);
            done = at + lack;
        }
        Answer::Done
    }

    /// The keys of an output, and its start if that has a weight.
    fn weighted_keys(&self, place: usize) -> impl Iterator<Item = Keyframe> {
        let start = self.starts.get(place).filter(|start| start.weight > 0.0);
        let start = start.map(|start| Keyframe::new(Span::ZERO, *start));
        start.into_iter().chain(self.keys(place).iter().copied())
    }

    /// The first time of a key after this one.
    fn next_time(&self, after: Span) -> Option<Span> {
        let next = |key_list: &KeyList<K>| {
            let place = key_list.keys().partition_point(|key| key.at <= after);
            key_list.keys().get(place).map(|key| key.at)
        };
        self.lists.iter().filter_map(next).min()
    }

    /// Moves all keys at this time and later back.
    fn delay(&mut self, at: Span, by: Span) {
        if by == Span::ZERO {
            return;
        }
        let keys = self.lists.iter_mut().flat_map(KeyList::keys_mut);
        for key in keys.filter(|key| key.at >= at) {
            key.at = key.at + by;
        }
        if self.edit_time >= at {
            self.edit_time = self.edit_time + by;
        }
    }
}

/// How far the value would move to each key, if it kept the highest speed of its easing.
fn ways(from: f64, keys: &[Keyframe]) -> impl Iterator<Item = f64> {
    let from = if from.is_finite() { from } else { f64::NAN };
    let values = keys.iter().map(|key| key.output.value);
    let before = core::iter::once(from).chain(values);
    let way =
        |pair: (f64, &Keyframe)| libm::fabs(pair.1.output.value - pair.0) * pair.1.ease.peak();
    before.zip(keys).map(way)
}

/// The time that the movement to the key at this time lacks.
fn lack<const K: usize>(list: &KeyList<K>, from: f64, rate: f64, at: Span) -> Span {
    let keys = list.keys();
    let Ok(place) = keys.binary_search_by_key(&at, |key| key.at) else {
        return Span::ZERO;
    };
    let before = place.checked_sub(1).and_then(|value| keys.get(value));
    let start = before.map_or(Span::ZERO, |value| value.at);
    let way = ways(from, keys).nth(place).unwrap_or(0.0);
    // The next nanosecond, so that it is not faster. A way that is NaN needs no time.
    let needs = Span::from_nanos(libm::ceil(way / rate * 1e9) as u64);
    needs - (at - start)
}

/// Whether two keys, or one and the start, would have the same time.
fn falls_together<const K: usize>(list: &KeyList<K>, factor: f64) -> bool {
    let mut before = Span::ZERO;
    list.keys().iter().any(|key| {
        let at = key.at * factor;
        at <= core::mem::replace(&mut before, at)
    })
}

/// Drops the keys of one output that lie on a line.
fn thin<const K: usize>(list: &mut KeyList<K>, error: f64) -> usize {
    let keys = list.keys_mut();
    let length = keys.len();
    let (mut from, mut kept) = (0, 1);
    while from + 1 < length {
        let mut to = from + 1;
        while to + 1 < length && is_line(&keys[from..=to + 1], error) {
            to += 1;
        }
        keys[kept] = keys[to];
        (from, kept) = (to, kept + 1);
    }
    list.cut(kept);
    length.saturating_sub(kept)
}

/// Whether the keys between the first and the last are on the line between these.
fn is_line(keys: &[Keyframe], error: f64) -> bool {
    let [first, between @ .., last] = keys else {
        return false;
    };
    let is_near = |keyframe: &Keyframe| {
        let share = (keyframe.at - first.at) / (last.at - first.at);
        let line = Output::mix(first.output, last.output, share);
        libm::fabs(line.value - keyframe.output.value) <= error
            && libm::fabs(line.weight - keyframe.output.weight) <= error
    };
    let is_straight = keys[1..].iter().all(|key| key.ease == Ease::Linear);
    let has_weight = keys.iter().all(|key| key.output.weight > 0.0);
    is_straight && has_weight && between.iter().all(is_near)
}
