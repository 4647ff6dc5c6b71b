//! Motion sequences: keyframes of N outputs, at most K of each, to be played, edited, and taught by hand.
//! Called by motions: `start` makes and edits a [`MotionSequence`], `pre_process` steps a [`MotionPlayer`] or feeds a
//! [`MotionRecorder`].
//! Each output has a list of its own. Its first key is the start, at time zero: where the body is when it is
//! played, with a weight of 0, so that the sequence fades in. What has no room is refused, and changes nothing.
//!
//! ```
//! use choreography::prelude::*;
//! use choreography::sequence::{MotionPlayer, MotionSequence};
//!
//! choreography! {
//!     /// Looks to the left, and back.
//!     motion Glance as "glance";
//!     hooks pre_process, is_alive;
//!     joints HeadYaw, HeadPitch;
//! }
//!
//! struct Glance(MotionPlayer<2, 4>);
//!
//! impl Motion for Glance {
//!     fn start() -> Glance {
//!         let mut keys = MotionSequence::new();
//!         for (at, yaw, pitch) in [(400.ms(), 0.6, -0.2), (700.ms(), 0.6, -0.2), (1100.ms(), 0.0, 0.0)] {
//!             keys.set_edit_time(at);
//!             let answer = keys.set_pose(&[Output::of(yaw), Output::of(pitch)]);
//!             assert!(answer.is_done(), "there is room for four keys");
//!         }
//!         Glance(MotionPlayer::new(keys, [&HeadYaw, &HeadPitch]))
//!     }
//!     fn pre_process(&mut self, now: Instant) {
//!         self.0.step(now);
//!     }
//!     fn is_alive(&self) -> bool {
//!         self.0.is_alive()
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Glance>(nao());
//! stage.pose(&[("HeadYaw", -0.2)]);
//! stage.run_for(210.ms()); // it begins in the first turn
//! assert!((stage.sent(&HeadYaw) - 0.2).abs() < 1e-9); // half of the way from -0.2
//! stage.run_to_its_end(2.s());
//! assert_eq!((stage.sent(&HeadYaw), stage.highest(&HeadYaw)), (0.0, 0.6));
//! stage.assert_nothing_clipped();
//! ```

use core::array::from_fn;

use crate::answer::Answer;
use crate::ease::Ease;
use crate::output::Output;
use crate::time::Span;
use keyframe::KeyList;

mod approach;
mod cue;
mod edit;
mod keyframe;
mod layers;
mod outputs;
mod own;
mod playback;
mod player;
mod recorder;
#[cfg(test)]
mod tests;
mod trace;

pub use cue::{CuePoint, CueSheet};
pub use keyframe::Keyframe;
pub use layers::MotionLayers;
pub use playback::{Milestone, Rounds};
pub use player::MotionPlayer;
pub use recorder::MotionRecorder;

/// The edit time of an empty sequence: not zero, so that the first key is not the start.
const FIRST: Span = Span::from_millis(1);

/// The latest time of a key: 24.8 days, as for commands.
const REACH: Span = Span::from_millis(1 << 31);

/// Keyframes of N outputs, at most K of each, beside the start. The author decides which actuator has which place.
///
/// Keys are set, read and removed at its *edit time*, which begins at 1 ms.
///
/// ```
/// use choreography::prelude::*;
/// use choreography::sequence::MotionSequence;
///
/// let mut nod = MotionSequence::<2, 2>::new();
/// nod.set_edit_time(400.ms());
/// assert_eq!(nod.set(0, Output::of(0.5)), Answer::Done);
/// nod.advance_edit_time(600.ms());
/// assert_eq!(nod.set(0, Output { value: -0.5, weight: 0.5 }), Answer::Done);
/// assert_eq!(nod.output(0, 700.ms()), Output { value: 0.0, weight: 0.75 });
/// nod.advance_edit_time(1.s());
/// assert_eq!(nod.set(0, Output::of(0.0)), Answer::Full); // and nothing has changed
/// assert_eq!((nod.end(), nod.keys(0).len()), (1.s(), 2));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MotionSequence<const N: usize, const K: usize> {
    /// The keys at time zero. Their values are where the body is when it is played.
    starts: [Output; N],
    lists: [KeyList<K>; N],
    edit_time: Span,
}

impl<const N: usize, const K: usize> Default for MotionSequence<N, K> {
    fn default() -> Self {
        MotionSequence::new()
    }
}

impl<const N: usize, const K: usize> MotionSequence<N, K> {
    /// A sequence without keys.
    pub const fn new() -> MotionSequence<N, K> {
        let start = Output {
            value: 0.0,
            weight: 0.0,
        };
        MotionSequence {
            starts: [start; N],
            lists: [KeyList::new(); N],
            edit_time: FIRST,
        }
    }

    /// The time at which it is edited.
    pub const fn edit_time(&self) -> Span {
        self.edit_time
    }

    /// Sets the edit time.
    pub fn set_edit_time(&mut self, at: Span) {
        self.edit_time = at;
    }

    /// Moves the edit time forward.
    pub fn advance_edit_time(&mut self, by: Span) {
        self.edit_time = self.edit_time + by;
    }

    /// Sets the key of an output at the edit time, or makes it. At time zero this is the start: only its weight
    /// counts, because its value is where the body is when it is played.
    ///
    /// It is refused with [`Answer::Full`] if the output has K other keys, with [`Answer::Unknown`] if there is no such
    /// output, with [`Answer::NotFinite`] if a number is not finite or the weight negative, and with
    /// [`Answer::OutOfReach`] after 24.8 days.
    #[must_use = "a key that is refused is not there"]
    pub fn set(&mut self, place: usize, output: Output) -> Answer {
        let answer = self.may_set(place, output);
        if answer.is_done() {
            self.put(place, self.edit_time, output);
        }
        answer
    }

    /// Sets the keys of all outputs of a pose that have a weight, at the edit time. All are set or none; see
    /// [`MotionSequence::set`]. `posture.outputs()` is a pose.
    #[must_use = "a pose that is refused is not there"]
    pub fn set_pose(&mut self, pose: &[Output; N]) -> Answer {
        // A weight that is NaN is refused, not left out.
        self.set_those(pose, |value| value.weight > 0.0 || value.weight.is_nan())
    }

    /// Sets the keys of all outputs of a pose, also of those with a weight of 0, at the edit time. All are set or none;
    /// see [`MotionSequence::set`].
    #[must_use = "a pose that is refused is not there"]
    pub fn set_explicit_pose(&mut self, pose: &[Output; N]) -> Answer {
        self.set_those(pose, |_| true)
    }

    /// The pose at the edit time. Before the first keys, values count from 0.
    pub fn pose(&self) -> [Output; N] {
        from_fn(|place| self.output(place, self.edit_time))
    }

    /// Sets how the value of an output comes to its key at the edit time; without this, on a straight line. Returns
    /// whether there is such a key.
    pub fn set_ease(&mut self, place: usize, ease: Ease) -> bool {
        let list = self.lists.get_mut(place);
        list.is_some_and(|key_list| key_list.ease(self.edit_time, ease))
    }

    /// Removes the key of an output at the edit time. Returns whether there was one.
    pub fn remove(&mut self, place: usize) -> bool {
        let list = self.lists.get_mut(place);
        list.is_some_and(|value| value.remove(self.edit_time))
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        *self = MotionSequence::new();
    }

    /// The time of the last key of all outputs.
    pub fn end(&self) -> Span {
        self.lists
            .iter()
            .map(KeyList::end)
            .fold(Span::ZERO, Span::max)
    }

    /// The keys of an output, in their order, without the start.
    pub fn keys(&self, place: usize) -> &[Keyframe] {
        self.lists.get(place).map_or(&[], KeyList::keys)
    }

    /// An output at this time. After its last key it stays as that is; a weight of 0 leaves the actuator to others.
    pub fn output(&self, place: usize, at: Span) -> Output {
        let start = self.starts.get(place).copied().unwrap_or_default();
        self.output_from(start, place, at)
    }

    /// An output at this time, with this key at time zero.
    fn output_from(&self, start: Output, place: usize, at: Span) -> Output {
        let list = self.lists.get(place);
        list.map_or(start, |value| value.output(start, at))
    }

    fn set_those(&mut self, pose: &[Output; N], are_set: impl Fn(&Output) -> bool) -> Answer {
        let outputs = || pose.iter().enumerate().filter(|pair| are_set(pair.1));
        for (place, output) in outputs() {
            let answer = self.may_set(place, *output);
            if !answer.is_done() {
                return answer;
            }
        }
        for (place, output) in outputs() {
            self.put(place, self.edit_time, *output);
        }
        Answer::Done
    }

    /// The answer to a key at the edit time.
    fn may_set(&self, place: usize, output: Output) -> Answer {
        let at = self.edit_time;
        let Some(list) = self.lists.get(place) else {
            return Answer::Unknown;
        };
        let is_sound =
            output.value.is_finite() && output.weight.is_finite() && output.weight >= 0.0;
        if !is_sound {
            Answer::NotFinite
        } else if at > REACH {
            Answer::OutOfReach
        } else if at == Span::ZERO || list.has_key(at) || list.has_room(1) {
            Answer::Done
        } else {
            Answer::Full
        }
    }

    /// Sets a key that has room.
    fn put(&mut self, place: usize, at: Span, output: Output) {
        if at == Span::ZERO {
            if let Some(start) = self.starts.get_mut(place) {
                *start = output;
            }
        } else if let Some(list) = self.lists.get_mut(place) {
            list.put(at, output);
        }
    }
}
