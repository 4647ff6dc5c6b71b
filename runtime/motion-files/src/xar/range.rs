//! The part of a timeline that Choregraphe plays: from `start_frame` to `end_frame`. Called by `xar`.
//! Within the part, every curve stays as it was; the frame `start_frame` is as far from the
//! start as the frame 1 of other timelines.

use crate::curves::bernstein::BezierPiece;
use crate::curves::segment::{SegmentShape, shape};
use crate::curves::value_at;
use crate::motion::{BezierHandle, JointKey, JointTrack, KeySide};

/// From one instant of a timeline to another, ns.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedRange {
    pub(super) from: u64,
    pub(super) to: u64,
    /// How much earlier everything is.
    pub(super) shift: u64,
}

impl PlayedRange {
    /// Cuts a track to the part; says whether anything was outside of it.
    pub(super) fn cut(&self, track: &mut JointTrack) -> bool {
        let holds = |key: &JointKey| (self.from..=self.to).contains(&key.time);
        let is_cut = !track.keys.iter().all(holds);
        if is_cut {
            with_handles(&mut track.keys);
            divide(track, self.from);
            divide(track, self.to);
            track.keys.retain(holds);
        }
        for key in &mut track.keys {
            key.time = key.time.saturating_sub(self.shift);
        }
        is_cut
    }
}

/// Gives curves that follow from their neighbours the same handles as their own.
fn with_handles(keys: &mut [JointKey]) {
    let shapes: Vec<_> = (1..keys.len()).map(|i| shape(keys, i - 1)).collect();
    for (number, shape) in shapes.into_iter().enumerate() {
        if let (SegmentShape::Curve(piece), Some([key, next])) =
            (shape, keys.get_mut(number..number + 2))
        {
            (key.leave, next.arrive) = sides(&piece);
        }
    }
}

/// How a curve leaves its first key, and comes to its last one.
fn sides(piece: &BezierPiece) -> (KeySide, KeySide) {
    let [leave, arrive] = piece.handles().map(|(time, value)| {
        KeySide::Bezier(BezierHandle {
            time: time.round() as i64,
            value,
        })
    });
    (leave, arrive)
}

/// Puts a key at an instant between two others, so that nothing else changes.
fn divide(track: &mut JointTrack, time: u64) {
    let after = track.keys.partition_point(|key| key.time < time);
    let Some(value) = value_at(track, time) else {
        return;
    };
    let Some(number) = after.checked_sub(1) else {
        return;
    };
    let shape = shape(&track.keys, number);
    let Some([key, next]) = track.keys.get_mut(number..number + 2) else {
        return;
    };
    if next.time == time {
        return;
    }
    let mut new = JointKey::linear(time, value);
    match shape {
        SegmentShape::Line => {}
        SegmentShape::Step => new.leave = KeySide::Step,
        SegmentShape::Curve(piece) => {
            let (first, second) = piece.split_at((time - key.time) as f64);
            (key.leave, new.arrive) = sides(&first);
            (new.leave, next.arrive) = sides(&second);
        }
    }
    track.keys.insert(after, new);
}
