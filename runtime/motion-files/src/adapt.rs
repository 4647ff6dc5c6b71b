//! Makes a motion fit a format: what the format cannot hold is replaced by the nearest that it can.
//! Called before `write`, when one format is converted into another.
//! What was lost is said; values change by no more than the stated error, times by less
//! than the format's step.

use std::collections::BTreeSet;

use crate::aibo;
use crate::curve_room::{CurveRoom, trim, with_handles};
use crate::curves::CurveFault;
use crate::detect::MotionFormat;
use crate::fault::quoted;
use crate::motion::{JointKey, JointTrack, KeySide, KeyedMotion};
use crate::sampled::straighten;
use crate::team::bottango;
use crate::units::{ValueUnit, key_seconds};
use crate::webots;

/// What a format can hold.
struct FormatRoom {
    /// The step of its times, ns; nothing if any ns can be written.
    step: fn(&KeyedMotion) -> Option<f64>,
    /// Which curves.
    curves: CurveRoom,
    /// Whether it has a name, a body, loops.
    names: [bool; 3],
    /// Whether it has a lead, sounds and labels.
    cues: bool,
    /// The unit of values, for a joint.
    unit: fn(&JointTrack) -> ValueUnit,
    /// Whether it has weights.
    weights: bool,
}

fn own_unit(_track: &JointTrack) -> ValueUnit {
    ValueUnit::Native
}

fn kept_unit(track: &JointTrack) -> ValueUnit {
    match track.unit {
        ValueUnit::Microradian => ValueUnit::Radian,
        other => other,
    }
}

/// Choregraphe: degrees, but 0..1 for hands.
fn xar_unit(track: &JointTrack) -> ValueUnit {
    let is_share = track.unit == ValueUnit::Native && track.joint.ends_with("Hand");
    if is_share || track.unit.si() == ValueUnit::Metre {
        ValueUnit::Native
    } else {
        ValueUnit::Degree
    }
}

fn any_time(_motion: &KeyedMotion) -> Option<f64> {
    None
}

fn whole_ms(_motion: &KeyedMotion) -> Option<f64> {
    Some(1e6)
}

/// A file of an AIBO has frames of 8 ms.
fn aibo_frames(_motion: &KeyedMotion) -> Option<f64> {
    Some(aibo::FRAME as f64)
}

fn frames(motion: &KeyedMotion) -> Option<f64> {
    Some(1e9 / motion.rate.unwrap_or(25.0))
}

fn room(format: MotionFormat) -> FormatRoom {
    let lines = FormatRoom {
        step: any_time,
        curves: CurveRoom::Lines,
        names: [false; 3],
        cues: false,
        unit: own_unit,
        weights: false,
    };
    match format {
        MotionFormat::Csv | MotionFormat::Json => FormatRoom {
            curves: CurveRoom::All,
            names: [true; 3],
            cues: true,
            unit: kept_unit,
            ..lines
        },
        MotionFormat::Webots => FormatRoom {
            step: whole_ms,
            ..lines
        },
        MotionFormat::Python => FormatRoom {
            curves: CurveRoom::Handles,
            ..lines
        },
        MotionFormat::Xar => FormatRoom {
            step: frames,
            curves: CurveRoom::Splines,
            names: [true, true, false],
            unit: xar_unit,
            ..lines
        },
        MotionFormat::Mot => FormatRoom {
            step: whole_ms,
            weights: true,
            ..lines
        },
        MotionFormat::Pos => FormatRoom {
            weights: true,
            ..lines
        },
        MotionFormat::Mtn => FormatRoom {
            step: aibo_frames,
            ..lines
        },
        MotionFormat::Bottango => FormatRoom {
            step: whole_ms,
            curves: CurveRoom::Pairs,
            names: [true; 3],
            ..lines
        },
        _ => lines,
    }
}

/// The motion as the format can hold it, and what was lost; `error`: of curves that become lines,
/// in SI.
///
/// # Errors
/// Why its curves cannot become lines.
pub fn adapted(
    motion: &KeyedMotion,
    format: MotionFormat,
    error: f64,
) -> Result<(KeyedMotion, Vec<String>), CurveFault> {
    let room = room(format);
    let mut lost = Vec::new();
    let mut out = motion.clone();
    out.tracks
        .iter_mut()
        .for_each(|track| trim(track, room.curves));
    with_handles(&mut out, room.curves);
    let step = (room.step)(&out);
    let curves = straighten(&mut out, room.curves, (step, error))?;
    drop_names(&mut out, &room, &mut lost);
    if let Some(step) = step {
        snap(&mut out, step, &mut lost);
    }
    let sentence = curves.sentence(&out, room.curves, error);
    lost.splice(0..0, sentence);
    begin(&mut out, format, &mut lost);
    let mut instants = BTreeSet::new();
    for track in &mut out.tracks {
        let unit = (room.unit)(track);
        if track.unit != unit {
            *track = converted(track, unit);
        }
        if !room.weights {
            drop_weights(track, &mut lost);
        }
        // Keys at the ends may have been left out.
        trim(track, room.curves);
        if format == MotionFormat::Pos {
            instants.extend(
                track
                    .keys
                    .drain(1.min(track.keys.len())..)
                    .map(|key| key.time),
            );
            instants.extend(track.keys.first().map(|key| key.time));
        }
    }
    if instants.len() > 1 {
        let sentence = "all but the first key of each joint are lost: the format has one instant";
        lost.push(sentence.to_owned());
    }
    out.tracks.retain(|track| !track.keys.is_empty());
    if format == MotionFormat::Bottango {
        lost.extend(out.tracks.iter().filter_map(bottango::no_shares));
        lost.extend(out.tracks.iter_mut().filter_map(second_key));
    }
    if format == MotionFormat::Webots {
        webots::fitted(&mut out);
    }
    if format == MotionFormat::Xar {
        out.rate = Some(out.rate.unwrap_or(25.0));
    } else {
        out.rate = None;
    }
    Ok((out, lost))
}

/// Leaves out the keys that do not count, and lets the others count in full.
fn drop_weights(track: &mut JointTrack, lost: &mut Vec<String>) {
    let joint = quoted(&track.joint);
    // Before its first key that counts, a joint stays where it is.
    let held = track
        .keys
        .iter()
        .take_while(|key| key.weight <= 0.0)
        .count();
    if let Some(last) = track.keys.drain(..held).next_back() {
        let until = key_seconds(last.time);
        lost.push(format!(
            "{joint} stays where it is until {until} s: that is lost"
        ));
    }
    let count = track.keys.len();
    track.keys.retain(|key| key.weight > 0.0);
    let left_out = count - track.keys.len();
    if left_out > 0 {
        lost.push(format!(
            "{left_out} keys of {joint} without weight are lost"
        ));
    }
    if track
        .keys
        .iter()
        .any(|key| key.weight.total_cmp(&1.0).is_ne())
    {
        lost.push(format!("the weights of {joint} are lost"));
        track.keys.iter_mut().for_each(|key| key.weight = 1.0);
    }
}

fn drop_names(out: &mut KeyedMotion, room: &FormatRoom, lost: &mut Vec<String>) {
    let [name, body, loops] = room.names;
    if !name && !std::mem::take(&mut out.name).is_empty() {
        lost.push("the name is lost".to_owned());
    }
    if !body && !std::mem::take(&mut out.body).is_empty() {
        lost.push("the name of the body is lost".to_owned());
    }
    if !loops && std::mem::take(&mut out.loops) {
        lost.push("that it loops is lost".to_owned());
    }
    if !room.cues {
        if out.lead.take().is_some() {
            lost.push("the lead is lost".to_owned());
        }
        if !std::mem::take(&mut out.sounds).is_empty() {
            lost.push("the sounds are lost".to_owned());
        }
        if !std::mem::take(&mut out.labels).is_empty() {
            lost.push("the names of instants are lost".to_owned());
        }
    }
}

/// Moves keys to whole steps of time, and says how far. A key that was on a step stays there; of two
/// others that come to one instant, the earlier one moves a step back, so that a jump stays one, or is
/// left out if there is no room.
fn snap(out: &mut KeyedMotion, step: f64, lost: &mut Vec<String>) {
    let mut farthest = 0;
    let count = out.key_count();
    for track in &mut out.tracks {
        // Each key, and when it was.
        let mut keys: Vec<(JointKey, u64)> = Vec::with_capacity(track.keys.len());
        let mut was_exact = false;
        for mut key in track.keys.drain(..) {
            let steps = (key.time as f64 / step).round();
            let time = (steps * step).round() as u64;
            let is_exact = time == key.time;
            if was_exact && !is_exact && keys.last().is_some_and(|key| key.0.time >= time) {
                continue;
            }
            was_exact = is_exact;
            let before = std::mem::replace(&mut key.time, time);
            if let Some(mut last) = keys.pop_if(|key| key.0.time >= time) {
                last.0.time = ((steps - 1.0).max(0.0) * step).round() as u64;
                if last.0.time < time && keys.last().is_none_or(|key| key.0.time < last.0.time) {
                    keys.push(last);
                }
            }
            keys.push((key, before));
        }
        for (key, before) in keys {
            farthest = farthest.max(key.time.abs_diff(before));
            track.keys.push(key);
        }
    }
    if farthest > 0 {
        let most = key_seconds(farthest.next_multiple_of(1_000));
        lost.push(format!(
            "keys moved to whole steps of the format's time, by {most} s at most"
        ));
    }
    let left_out = count - out.key_count();
    if left_out > 0 {
        lost.push(format!(
            "{left_out} keys are lost, for which the format's time has no step of their own"
        ));
    }
}

/// Gives a joint with one key another, since a curve has two ends, and says so.
fn second_key(track: &mut JointTrack) -> Option<String> {
    let [only] = &track.keys[..] else {
        return None;
    };
    let second = JointKey::linear(only.time + 1_000_000, only.value);
    track.keys.push(second);
    Some(format!(
        "{} has a second key 1 ms behind its only one: the format has curves alone",
        quoted(&track.joint)
    ))
}

/// Gives a motion keys at its begin, if the format cannot do without, and says so.
fn begin(out: &mut KeyedMotion, format: MotionFormat, lost: &mut Vec<String>) {
    let (instant, sentence) = match format {
        MotionFormat::Mtn | MotionFormat::Hulks => (
            0,
            "the way to the first keys is lost: the format has keys at its start",
        ),
        MotionFormat::Trajectory | MotionFormat::Mcap => {
            // A point at 0 s would tell a controller to be there at once.
            let keys = out.tracks.iter().filter_map(|track| track.keys.first());
            let first = keys.map(|key| key.time).min();
            (
                first.unwrap_or(0),
                "the way to the first keys of some joints is lost: the first point of the format has all joints",
            )
        }
        _ => return,
    };
    if begin_at(out, instant) {
        lost.push(sentence.to_owned());
    }
}

/// Gives a motion keys at an instant, if it has none until there and the format cannot do without: each joint is then
/// from this instant where its first key says. Whether it had to.
fn begin_at(out: &mut KeyedMotion, instant: u64) -> bool {
    let mut is_late = false;
    for track in &mut out.tracks {
        if let Some(first) = track.keys.first().filter(|key| key.time > instant) {
            let first = JointKey::linear(instant, first.value);
            track.keys.insert(0, first);
            is_late = true;
        }
    }
    is_late
}

fn converted(track: &JointTrack, unit: ValueUnit) -> JointTrack {
    let si = track.in_si();
    if unit.si() == unit {
        return JointTrack { unit, ..si };
    }
    let mut out = si;
    out.unit = unit;
    for key in &mut out.keys {
        key.value = unit.of_si(key.value);
        for side in [&mut key.arrive, &mut key.leave] {
            if let KeySide::Bezier(handle) = side {
                handle.value = unit.of_si(handle.value);
            }
        }
    }
    out
}
