//! Which curves a format can hold, and splines and mixed sides written as handles, where it has these alone.
//! Called by `adapt`.
//! A curve that is written with other sides is the same curve.

use crate::curves::is_straight;
use crate::curves::segment::{SegmentShape, shape};
use crate::motion::{BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CurveRoom {
    /// Lines alone.
    Lines,
    /// Lines, steps and handles.
    Handles,
    /// The same, but a handle alone is none.
    Pairs,
    /// The same and splines.
    Splines,
    /// Everything between two keys.
    All,
}

/// Whether a format holds all curves of a motion as they are.
pub(crate) fn curves_fit(motion: &KeyedMotion, room: CurveRoom) -> bool {
    if room == CurveRoom::Lines {
        return is_straight(motion);
    }
    let mut tracks = motion.tracks.iter();
    tracks.all(|track| track.keys.windows(2).all(|pair| fits(pair, room)))
}

/// Whether a format holds what lies between two keys.
fn fits(pair: &[JointKey], room: CurveRoom) -> bool {
    let [key, next] = pair else { return true };
    match (key.leave, next.arrive, room) {
        (KeySide::Ease(_), _, room) => room == CurveRoom::All,
        (KeySide::Bezier(_), KeySide::Bezier(_), _)
        | (KeySide::Step | KeySide::Linear, KeySide::Linear, _) => true,
        (KeySide::Spline, KeySide::Spline, CurveRoom::All) => true,
        (.., CurveRoom::All | CurveRoom::Pairs) => false,
        (KeySide::Spline, ..) | (_, KeySide::Spline, _) => room == CurveRoom::Splines,
        _ => true,
    }
}

/// Makes sides that lead nowhere, before the first key and behind the last one, straight, unless the format holds them.
pub(crate) fn trim(track: &mut JointTrack, room: CurveRoom) {
    let is_held = |side: KeySide| match room {
        CurveRoom::Lines | CurveRoom::Pairs | CurveRoom::All => false,
        CurveRoom::Handles => !matches!(side, KeySide::Spline | KeySide::Ease(_)),
        CurveRoom::Splines => !matches!(side, KeySide::Ease(_)),
    };
    let straighten = |side: &mut KeySide| {
        if !is_held(*side) {
            *side = KeySide::Linear;
        }
    };
    if let Some(first) = track.keys.first_mut() {
        straighten(&mut first.arrive);
    }
    if let Some(last) = track.keys.last_mut() {
        straighten(&mut last.leave);
    }
}

/// Gives curves that the format cannot hold as they are the handles that they have.
pub(crate) fn with_handles(motion: &mut KeyedMotion, room: CurveRoom) {
    if room == CurveRoom::Lines {
        return;
    }
    for track in &mut motion.tracks {
        let as_read = track.keys.clone();
        for number in 1..as_read.len() {
            let is_eased = matches!(as_read[number - 1].leave, KeySide::Ease(_));
            if is_eased || fits(&as_read[number - 1..=number], room) {
                continue;
            }
            let SegmentShape::Curve(curve) = shape(&as_read, number - 1) else {
                // How a key is reached has no effect on a line or step before it.
                track.keys[number].arrive = KeySide::Linear;
                continue;
            };
            let [out, back] = curve.handles().map(|(time, value)| {
                let time = time.round() as i64;
                KeySide::Bezier(BezierHandle { time, value })
            });
            track.keys[number - 1].leave = out;
            track.keys[number].arrive = back;
        }
    }
}
