//! Curves that a format cannot hold become lines, with keys at the format's own steps of time. Called by `adapt`.
//! Only the joints whose curves do not fit are changed, and how far the lines are from the curves is measured
//! when all keys are where they stay.

use crate::curve_room::{CurveRoom, curves_fit};
use crate::curves::{CurveFault, straightened, value_at};
use crate::fault::quoted;
use crate::motion::{JointTrack, KeySide, KeyedMotion};

/// How many instants are compared between two keys.
const INSTANTS: u64 = 4;

/// The most joints that a sentence names.
const NAMED_MAX: usize = 5;

/// Joints whose curves became lines, as they were.
pub(crate) struct LostCurves {
    before: Vec<JointTrack>,
    step: u64,
}

/// Makes lines of the curves that the format cannot hold, no further than `error` away in SI, with keys on whole steps.
pub(crate) fn straighten(
    out: &mut KeyedMotion,
    room: CurveRoom,
    (step, error): (Option<f64>, f64),
) -> Result<LostCurves, CurveFault> {
    let mut lost = LostCurves {
        before: Vec::new(),
        step: step.unwrap_or(0.0).ceil() as u64,
    };
    let alone = |track: &JointTrack| KeyedMotion {
        tracks: vec![track.clone()],
        ..KeyedMotion::default()
    };
    let (straight, mut keys) = (out.tracks.iter().map(alone), 0);
    let straight: Vec<_> = straight.collect();
    for (track, before) in out.tracks.iter_mut().zip(straight) {
        if curves_fit(&before, room) {
            continue;
        }
        let lines = straightened(&before, error)?.tracks;
        keys += lines.iter().map(|line| line.keys.len()).sum::<usize>();
        if keys > crate::motion::KEYS_MAX {
            return Err(CurveFault::Keys);
        }
        let before = before.tracks.into_iter();
        for (mut lines, before) in lines.into_iter().zip(before) {
            if let Some(step) = step {
                on_steps(&mut lines, &before, step);
            }
            *track = lines;
            lost.before.push(before);
        }
    }
    Ok(lost)
}

/// Moves the keys inside of curves to whole steps: they have the values that the curve has there.
fn on_steps(lines: &mut JointTrack, curve: &JointTrack, step: f64) {
    let nearest = |time: u64| ((time as f64 / step).round() * step).round() as u64;
    let mut own = curve.keys.iter().map(|key| key.time).peekable();
    let mut last = 0;
    lines.keys.retain_mut(|key| {
        while own.next_if(|value| *value < key.time).is_some() {}
        // A key of the curve, or 1 ns before it, where a step ends, moves as in other joints.
        if own.peek().is_some_and(|value| value - key.time <= 1) {
            last = nearest(key.time);
            return true;
        }
        let time = nearest(key.time);
        let is_free = time > last && own.peek().is_none_or(|value| time < nearest(*value));
        if let Some(value) = value_at(curve, time).filter(|_| is_free) {
            (key.time, key.value, last) = (time, value, time);
        }
        is_free
    });
}

impl LostCurves {
    /// What is said of it: how far away the lines are, where that is more than `error`.
    pub(crate) fn sentence(
        &self,
        out: &KeyedMotion,
        room: CurveRoom,
        error: f64,
    ) -> Option<String> {
        if self.before.is_empty() {
            return None;
        }
        let mut most = error;
        for before in &self.before {
            let after = out.tracks.iter().find(|track| track.joint == before.joint);
            // Without steps, lines keep within the error that was asked for.
            let after = after.filter(|_| self.step > 0);
            most = after.map_or(most, |after| most.max(distance(before, after, self.step)));
        }
        let what = if room == CurveRoom::Lines {
            "curves".to_owned()
        } else {
            let names = self
                .before
                .iter()
                .take(NAMED_MAX)
                .map(|item| quoted(&item.joint));
            let names = names.collect::<Vec<_>>().join(", ");
            let more = match self.before.len().saturating_sub(NAMED_MAX) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("the curves of {names}{more}")
        };
        Some(format!(
            "{what} became lines, no further than {} away",
            rounded_up(most, error)
        ))
    }
}

/// The greatest distance of two forms of a track where it was a curve, in SI. Jumps move, and that is said elsewhere.
fn distance(before: &JointTrack, after: &JointTrack, step: u64) -> f64 {
    let mut most = 0.0_f64;
    let ends = before.keys.iter().chain(&after.keys).map(|key| key.time);
    let mut times: Vec<u64> = ends.collect();
    times.sort_unstable();
    times.dedup();
    let jumps = before
        .keys
        .windows(2)
        .filter(|pair| pair[0].leave == KeySide::Step);
    let jumps: Vec<u64> = jumps
        .flat_map(|jump| [jump[0].time, jump[1].time])
        .collect();
    let is_jump = |time: u64| {
        let after = jumps.partition_point(|jump| *jump < time.saturating_sub(step));
        jumps
            .get(after)
            .is_some_and(|jump| *jump <= time.saturating_add(step))
    };
    for pair in times.windows(2) {
        let after_first = before.keys.partition_point(|key| key.time <= pair[0]);
        let first = after_first
            .checked_sub(1)
            .and_then(|value| before.keys.get(value));
        let next = before.keys.get(after_first);
        let is_line = first.is_some_and(|value| value.leave == KeySide::Linear)
            && next.is_some_and(|value| value.arrive == KeySide::Linear);
        if is_line || first.is_none_or(|value| value.leave == KeySide::Step) {
            continue;
        }
        for part in 0..=INSTANTS {
            let time = pair[0] + (pair[1] - pair[0]) * part / INSTANTS;
            if is_jump(time) {
                continue;
            }
            if let (Some(one), Some(other)) = (value_at(before, time), value_at(after, time)) {
                let [one, other] =
                    [(before, one), (after, other)].map(|pair| pair.0.unit.to_si(pair.1));
                most = most.max((one - other).abs());
            }
        }
    }
    most
}

/// A distance with three digits, not less than it is; what was asked for stays as it is.
fn rounded_up(most: f64, error: f64) -> f64 {
    if most <= error {
        return error;
    }
    let digit = 10.0_f64.powf(most.log10().floor() - 2.0);
    let text = format!("{:.12}", (most / digit).ceil() * digit);
    text.parse().unwrap_or(most)
}
