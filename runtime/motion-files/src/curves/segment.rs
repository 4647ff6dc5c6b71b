//! What lies between two keys. Called by `curves`.
//! `Step` and `Ease` of the key before decide alone; a handle on either side makes a cubic
//! curve; a straight side beside a handle is a handle of a third of the line; two straight sides
//! are a line.

use super::bernstein::BezierPiece;
use crate::motion::{EaseShape, JointKey, KeySide};

/// What lies between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SegmentShape {
    Line,
    Step,
    Curve(BezierPiece),
}

/// What lies between the key of this number and the next.
pub(crate) fn shape(keys: &[JointKey], number: usize) -> SegmentShape {
    let (Some(key), Some(next)) = (keys.get(number), keys.get(number + 1)) else {
        return SegmentShape::Line;
    };
    let duration = next.time.saturating_sub(key.time) as f64;
    match (key.leave, next.arrive) {
        (KeySide::Step, _) => SegmentShape::Step,
        (KeySide::Ease(ease), _) => {
            SegmentShape::Curve(eased(ease, duration, key.value, next.value))
        }
        (KeySide::Linear, KeySide::Linear | KeySide::Step | KeySide::Ease(_)) => SegmentShape::Line,
        (leave, arrive) => {
            let third = (duration / 3.0, (next.value - key.value) / 3.0);
            let out = match leave {
                KeySide::Bezier(handle) => (handle.time as f64, handle.value),
                KeySide::Spline => (third.0, slope(keys, number) * third.0),
                _ => third,
            };
            let back = match arrive {
                KeySide::Bezier(handle) => (handle.time as f64, handle.value),
                KeySide::Spline => (-third.0, -slope(keys, number + 1) * third.0),
                _ => (-third.0, -third.1),
            };
            SegmentShape::Curve(BezierPiece::cubic(
                [0.0, out.0, duration + back.0, duration],
                [
                    key.value,
                    key.value + out.1,
                    next.value + back.1,
                    next.value,
                ],
            ))
        }
    }
}

/// The slope of a spline at a key, per ns: that of the line between its neighbours, flat where the
/// value turns and at both ends, and never so steep that the curve leaves the values of its keys.
fn slope(keys: &[JointKey], number: usize) -> f64 {
    let before = number.checked_sub(1).and_then(|value| keys.get(value));
    let (Some(before), Some(key), Some(after)) = (before, keys.get(number), keys.get(number + 1))
    else {
        return 0.0;
    };
    let steep = |a: &JointKey, b: &JointKey| {
        (b.value - a.value) / b.time.saturating_sub(a.time).max(1) as f64
    };
    let (left, right) = (steep(before, key), steep(key, after));
    if left * right <= 0.0 {
        return 0.0;
    }
    let limit = 3.0 * left.abs().min(right.abs());
    steep(before, after).clamp(-limit, limit)
}

/// A curve of its own between two values.
fn eased(ease: EaseShape, duration: f64, from: f64, to: f64) -> BezierPiece {
    let at = |share: f64| from + (to - from) * share;
    let values: &[f64] = match ease {
        EaseShape::In => &[0.0, 0.0, 0.0, 1.0],
        EaseShape::Out => &[0.0, 1.0, 1.0, 1.0],
        EaseShape::InOut => &[0.0, 0.0, 1.0, 1.0],
        EaseShape::MinJerk => &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
    };
    let mut own = [0.0; 6];
    for (place, share) in own.iter_mut().zip(values) {
        *place = at(*share);
    }
    BezierPiece::even(duration, &own[..values.len()])
}
