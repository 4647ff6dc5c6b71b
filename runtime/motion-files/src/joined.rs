//! Several motions as one: one after another, as a script plays them. Called by whoever was asked for all motions of a
//! file.
//! Each begins where the one before has ended, and moves nothing before; until it moves a joint, that stays
//! where the one before has left it.

use crate::motion::{
    JointKey, JointTrack, KEYS_MAX, KeySide, KeyedMotion, MotionLabel, MotionSound, TIME_MAX,
    TRACKS_MAX,
};

/// The name by which all motions of a file are chosen, unless one of them has it.
pub const ALL: &str = "all";

/// How long a motion takes to its first values if it has them at its instant 0, ns; as long as the lead of a show.
const LEAD: u64 = 1_000_000_000;

/// Whether this name means all of these motions.
pub fn means_all(name: &str, motions: &[KeyedMotion]) -> bool {
    name == ALL && motions.len() > 1 && motions.iter().all(|motion| motion.name != name)
}

/// These motions, one after another; none if that is more than a motion can have.
pub fn joined(motions: &[KeyedMotion]) -> Option<KeyedMotion> {
    let mut all = KeyedMotion {
        loops: false,
        ..motions.first().cloned().unwrap_or_default()
    };
    all.name.clear();
    for motion in motions.iter().skip(1) {
        append(&mut all, motion)?;
        if all.end() > TIME_MAX || all.key_count() > KEYS_MAX {
            return None;
        }
    }
    Some(all)
}

/// Appends a motion to another.
fn append(all: &mut KeyedMotion, motion: &KeyedMotion) -> Option<()> {
    let base = all.end();
    let is_at_once = |track: &JointTrack| track.keys.first().is_some_and(|key| key.time == 0);
    let is_there = |track: &JointTrack| {
        let last = all.tracks.iter().find(|known| known.joint == track.joint);
        let last = last.and_then(|known| known.keys.last().map(|key| known.si(key)));
        let first = track.keys.first().map(|key| track.si(key));
        last.is_some() && last == first
    };
    let jumps = motion
        .tracks
        .iter()
        .any(|track| is_at_once(track) && !is_there(track));
    let lead = motion.lead.unwrap_or(LEAD).max(1);
    let begin = base.checked_add(if jumps { lead } else { 0 })?;
    let at = |time: u64| begin.checked_add(time).filter(|value| *value <= TIME_MAX);
    for label in &motion.labels {
        all.labels.push(MotionLabel {
            at: at(label.at)?,
            ..label.clone()
        });
    }
    for sound in &motion.sounds {
        all.sounds.push(MotionSound {
            at: at(sound.at)?,
            ..sound.clone()
        });
    }
    for own in &motion.tracks {
        let place = all.tracks.iter().position(|track| track.joint == own.joint);
        if place.is_none() && all.tracks.len() >= TRACKS_MAX {
            return None;
        }
        let place = place.unwrap_or_else(|| {
            all.tracks.push(JointTrack {
                joint: own.joint.clone(),
                unit: own.unit,
                keys: Vec::new(),
            });
            all.tracks.len() - 1
        });
        let track = all.tracks.get_mut(place)?;
        let mut own = if track.unit == own.unit {
            own.clone()
        } else {
            *track = track.in_si();
            own.in_si()
        };
        if let Some(first) = own.keys.first_mut() {
            // As by itself: a handle before the first key is for a curve that is not there.
            first.arrive = KeySide::Linear;
        }
        hold(track, base, own.keys.first());
        for key in own.keys {
            track.insert(JointKey {
                time: at(key.time)?,
                ..key
            });
        }
    }
    Some(())
}

/// Lets a joint stay until its next motion begins: where its last key has left it, or where it is if it has none.
fn hold(track: &mut JointTrack, until: u64, next: Option<&JointKey>) {
    let Some(last) = track.keys.last_mut() else {
        // A key without weight: the joint is not moved before it.
        track.keys.extend(next.map(|value| JointKey {
            weight: 0.0,
            ..JointKey::linear(until, value.value)
        }));
        return;
    };
    last.leave = KeySide::Linear;
    if last.time < until {
        let held = JointKey {
            weight: last.weight,
            ..JointKey::linear(until, last.value)
        };
        track.keys.push(held);
    }
}
