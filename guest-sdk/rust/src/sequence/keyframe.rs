//! Keyframes, and the list of those of one output. Called by the sequence.
//! Times rise strictly, and the first is after zero. Whether there is room is known before anything changes.

use crate::ease::Ease;
use crate::flatten::mix;
use crate::output::Output;
use crate::time::Span;

/// An output at an instant of a motion sequence. Between two of them, value and weight go on straight lines, unless the
/// later one has an easing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// The time after the start of the sequence.
    pub at: Span,
    /// The value and its weight.
    pub output: Output,
    /// How the value comes here from the key before. The weight is never eased.
    pub ease: Ease,
}

impl Keyframe {
    pub(super) const fn new(at: Span, output: Output) -> Keyframe {
        Keyframe {
            at,
            output,
            ease: Ease::Linear,
        }
    }
}

/// The keyframes of one output, at most K.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyList<const K: usize> {
    keys: [Keyframe; K],
    length: usize,
}

impl<const K: usize> KeyList<K> {
    pub(super) const fn new() -> KeyList<K> {
        let output = Output {
            value: 0.0,
            weight: 0.0,
        };
        let key = Keyframe::new(Span::ZERO, output);
        KeyList {
            keys: [key; K],
            length: 0,
        }
    }

    pub(super) fn keys(&self) -> &[Keyframe] {
        self.keys.get(..self.length).unwrap_or(&[])
    }

    pub(super) fn keys_mut(&mut self) -> &mut [Keyframe] {
        self.keys.get_mut(..self.length).unwrap_or(&mut [])
    }

    /// The time of the last key; zero if there is none.
    pub(super) fn end(&self) -> Span {
        self.keys().last().map_or(Span::ZERO, |key| key.at)
    }

    pub(super) fn has_key(&self, at: Span) -> bool {
        self.place(at).is_ok()
    }

    /// Whether this many more keys have room.
    pub(super) fn has_room(&self, more: usize) -> bool {
        self.length + more <= K
    }

    /// Sets the key at this time, or makes it. Returns whether there was room.
    pub(super) fn put(&mut self, at: Span, output: Output) -> bool {
        let place = match self.place(at) {
            Ok(place) => {
                self.edit(place, |keyframe| keyframe.output = output);
                return true;
            }
            Err(_) if !self.has_room(1) => return false,
            Err(place) => {
                self.keys.copy_within(place..self.length, place + 1);
                self.length += 1;
                place
            }
        };
        self.edit(place, |value| *value = Keyframe::new(at, output));
        true
    }

    /// Sets how the value comes to the key at this time. Returns whether there is one.
    pub(super) fn ease(&mut self, at: Span, ease: Ease) -> bool {
        let place = self.place(at);
        place.is_ok_and(|place| self.edit(place, |value| value.ease = ease))
    }

    fn edit(&mut self, place: usize, change: impl FnOnce(&mut Keyframe)) -> bool {
        self.keys.get_mut(place).map(change).is_some()
    }

    /// Removes the key at this time. Returns whether there was one.
    pub(super) fn remove(&mut self, at: Span) -> bool {
        let Ok(place) = self.place(at) else {
            return false;
        };
        self.keys.copy_within(place + 1..self.length, place);
        self.length -= 1;
        true
    }

    /// Drops the keys behind the first `length`.
    pub(super) fn cut(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// The output at this time, with this key at time zero. After the last key it stays as that is.
    pub(super) fn output(&self, start: Output, at: Span) -> Output {
        let keys = self.keys();
        let next = keys.partition_point(|key| key.at <= at);
        let before = next
            .checked_sub(1)
            .and_then(|value| keys.get(value))
            .copied();
        let before = before.unwrap_or(Keyframe::new(Span::ZERO, start));
        keys.get(next).map_or(before.output, |after| {
            let share = (at - before.at) / (after.at - before.at);
            let mut mixed = Output::mix(before.output, after.output, share);
            if after.ease != Ease::Linear {
                let share = after.ease.at(share);
                mixed.value = mix(before.output.value, after.output.value, share);
            }
            mixed
        })
    }

    fn place(&self, at: Span) -> Result<usize, usize> {
        self.keys().binary_search_by_key(&at, |key| key.at)
    }
}
