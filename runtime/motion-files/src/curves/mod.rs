//! From curves to straight lines: what plays a motion knows timed commands with lines between them.
//! Called before a motion is played or compiled, and for formats that have no curves.
//! Nowhere is a line further from its curve than the stated error. A curve lies within the
//! hull of its control points, and so does its distance from a line; a piece whose hull is too far
//! away is halved.

pub(crate) mod bernstein;
pub(crate) mod segment;

use std::fmt;

use crate::motion::{JointKey, JointTrack, KEYS_MAX, KeySide, KeyedMotion};
use bernstein::BezierPiece;
use segment::{SegmentShape, shape};

/// How often a piece may be halved.
const HALVINGS_MAX: u32 = 16;

/// Why curves cannot become lines.
#[derive(Clone, Debug, PartialEq)]
pub enum CurveFault {
    /// The stated error is no positive number.
    NoError,
    /// It would take too many keys.
    Keys,
    /// A handle goes back in time.
    Backward {
        /// The joint.
        joint: String,
        /// The key before the curve, ns.
        time: u64,
    },
}

impl fmt::Display for CurveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CurveFault::NoError => write!(f, "the error of curves must be greater than 0"),
            CurveFault::Keys => write!(
                f,
                "the curves would need more than {KEYS_MAX} keys; fix: allow a greater error"
            ),
            CurveFault::Backward { joint, time } => write!(
                f,
                "the curve of {} after {} s goes back in time; fix: shorten its handles",
                crate::fault::quoted(joint),
                *time as f64 / 1e9
            ),
        }
    }
}

impl std::error::Error for CurveFault {}

/// The same motion with lines alone, no further from its curves than `error`, in SI.
///
/// # Errors
/// [`CurveFault`].
pub fn straightened(motion: &KeyedMotion, error: f64) -> Result<KeyedMotion, CurveFault> {
    if !(error.is_finite() && error > 0.0) {
        return Err(CurveFault::NoError);
    }
    let mut keys = 0;
    let mut tracks = Vec::with_capacity(motion.tracks.len());
    for track in &motion.tracks {
        let own = error / track.unit.to_si(1.0).abs().max(f64::MIN_POSITIVE);
        let track = straight_track(track, own)?;
        keys += track.keys.len();
        if keys > KEYS_MAX {
            return Err(CurveFault::Keys);
        }
        tracks.push(track);
    }
    Ok(KeyedMotion {
        tracks,
        ..motion.clone()
    })
}

fn straight_track(track: &JointTrack, error: f64) -> Result<JointTrack, CurveFault> {
    let mut keys: Vec<JointKey> = Vec::with_capacity(track.keys.len());
    for (number, key) in track.keys.iter().enumerate() {
        let Some(next) = track.keys.get(number + 1) else {
            push(&mut keys, key.time, key.value, key.weight);
            break;
        };
        push(&mut keys, key.time, key.value, key.weight);
        match shape(&track.keys, number) {
            SegmentShape::Line => {}
            SegmentShape::Step => {
                // The value stays until 1 ns before the next key.
                push(
                    &mut keys,
                    next.time.saturating_sub(1),
                    key.value,
                    key.weight,
                );
            }
            SegmentShape::Curve(piece) => {
                if !piece.is_forward() {
                    return Err(CurveFault::Backward {
                        joint: track.joint.clone(),
                        time: key.time,
                    });
                }
                let weights = (key.weight, next.weight);
                flatten(&piece, error, weights, (key.time, next.time), &mut keys)?;
            }
        }
    }
    Ok(JointTrack {
        keys,
        ..track.clone()
    })
}

/// The first joint of a motion with a curve that goes back in time.
pub(crate) fn backward(motion: &KeyedMotion) -> Option<(&str, CurveFault)> {
    motion.tracks.iter().find_map(|track| {
        let mut numbers = 0..track.keys.len();
        let number = numbers.find(|number| match shape(&track.keys, *number) {
            SegmentShape::Curve(piece) => !piece.is_forward(),
            _ => false,
        })?;
        let fault = CurveFault::Backward {
            joint: track.joint.clone(),
            time: track.keys.get(number)?.time,
        };
        Some((&*track.joint, fault))
    })
}

/// Adds the keys inside a curve.
fn flatten(
    piece: &BezierPiece,
    error: f64,
    weights: (f64, f64),
    (from, to): (u64, u64),
    keys: &mut Vec<JointKey>,
) -> Result<(), CurveFault> {
    let mut waiting = vec![(*piece, 0)];
    while let Some((piece, halvings)) = waiting.pop() {
        if halvings < HALVINGS_MAX && piece.distance() > error {
            let (first, second) = piece.halves();
            waiting.push((second, halvings + 1));
            waiting.push((first, halvings + 1));
            continue;
        }
        let (time, value) = piece.end();
        if waiting.is_empty() {
            break;
        }
        let time = from.saturating_add(time.max(0.0).round() as u64);
        if time < to {
            let share = (time - from) as f64 / (to - from).max(1) as f64;
            let weight = weights.0 + (weights.1 - weights.0) * share;
            push(keys, time, value, weight);
        }
        if keys.len() > KEYS_MAX {
            return Err(CurveFault::Keys);
        }
    }
    Ok(())
}

fn push(keys: &mut Vec<JointKey>, time: u64, value: f64, weight: f64) {
    if keys.last().is_none_or(|key| key.time < time) {
        keys.push(JointKey {
            weight,
            ..JointKey::linear(time, value)
        });
    }
}

/// Whether there are lines alone in a motion.
pub fn is_straight(motion: &KeyedMotion) -> bool {
    let mut keys = motion.tracks.iter().flat_map(|track| &track.keys);
    keys.all(|key| key.arrive == KeySide::Linear && key.leave == KeySide::Linear)
}

/// The value of a track at an instant, in the track's unit: for pictures, and for tests of what was
/// straightened.
pub fn value_at(track: &JointTrack, time: u64) -> Option<f64> {
    let after = track.keys.partition_point(|key| key.time <= time);
    let Some(number) = after.checked_sub(1) else {
        return track.keys.first().map(|key| key.value);
    };
    let (key, Some(next)) = (track.keys.get(number)?, track.keys.get(after)) else {
        return track.keys.last().map(|key| key.value);
    };
    let passed = (time - key.time) as f64;
    match shape(&track.keys, number) {
        SegmentShape::Step => Some(key.value),
        SegmentShape::Line => {
            let share = passed / (next.time - key.time) as f64;
            Some(key.value + (next.value - key.value) * share)
        }
        SegmentShape::Curve(piece) => Some(piece.value_at(passed)),
    }
}
