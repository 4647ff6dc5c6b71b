//! A show for a robot: its joints are the robot's, or there is a mistake that says which are not. Called by whoever
//! knows the robot that plays.
//! What the robot does not have is never left out in silence.

use std::collections::HashMap;

use cycle::ActuatorId;
use description::{Dimension, Robot, nearest};
use motion_files::{
    FileMistake, JointTrack, KeyedMotion, MotionFormat, ReadFailure, ValueUnit, has_columns, paired,
};
use printable::shortened;

use super::Show;

/// The maximum number of mistakes that are shown.
const MISTAKES_MAX: usize = 10;

/// The greatest number of joints that one message names.
const NAMED_MAX: usize = 8;

/// From so many joints on, a robot that has none of them is told once; of fewer, each with a similar name.
const STRANGERS_MIN: usize = 4;

impl Show {
    /// The same show for a robot: a joint that it has as a pair moves both.
    ///
    /// # Errors
    /// What the robot does not have, or not so, each with its line and a similar name.
    pub fn fitted(&self, robot: &Robot) -> Result<Show, ReadFailure> {
        let has = |name: &str| !members(robot, name).is_empty();
        let mut motion = paired(&self.motion, &has);
        let mut remarks = self.remarks.clone();
        remarks.extend(self.other_body(robot));
        remarks.extend(self.spread(robot));
        remarks.extend(self.fingers(&mut motion, robot));
        remarks.extend(self.twins(&mut motion, robot));
        remarks.extend(self.other_columns(&mut motion, robot));
        if motion.tracks.is_empty() {
            return Err(super::of_all(format!(
                "it moves nothing but the fingers of {}",
                robot.name
            )));
        }
        if let Some(mistake) = self.strangers(&motion, robot) {
            return Err(mistake.into());
        }
        let mut list: Vec<_> = motion
            .tracks
            .iter()
            .filter_map(|track| self.misfit(track, robot))
            .chain(self.conflicts(&motion, robot))
            .collect();
        if list.is_empty() {
            return Ok(Show {
                motion,
                remarks,
                ..self.clone()
            });
        }
        let more = list.len().saturating_sub(MISTAKES_MAX);
        list.truncate(MISTAKES_MAX);
        Err(ReadFailure { list, more })
    }

    /// Says that the file names another body, if both are known.
    fn other_body(&self, robot: &Robot) -> Option<FileMistake> {
        let (body, own) = (kind_of_body(&self.motion.body)?, kind_of_body(&robot.name)?);
        if body == own {
            return None;
        }
        let sentence = format!(
            "it is for `{}`, a body of the kind {body}, not for {}: look at what its joints do here",
            self.motion.body, robot.name
        );
        Some(self.mistake(&self.motion.body, sentence))
    }

    /// Says of other programs' joints that several move here, since they are names of pairs or groups.
    fn spread(&self, robot: &Robot) -> Vec<FileMistake> {
        use MotionFormat::{Csv, Json, Mot, Mtn, Pos};
        // In these, names of pairs and groups are meant.
        if matches!(self.format, Csv | Json | Mot | Mtn | Pos) {
            return Vec::new();
        }
        let sentence = self.motion.tracks.iter().filter_map(|track| {
            let joint = &track.joint;
            let pair = ["L", "R"].map(|side| format!("{side}{joint}"));
            let names: Vec<_> = match &members(robot, joint)[..] {
                [] if pair.iter().all(|item| robot.actuator(item).is_some()) => pair.to_vec(),
                [] | [_] => return None,
                several => {
                    let all = several
                        .iter()
                        .filter_map(|pair| robot.actuators.get(usize::from(pair.0)));
                    all.map(|value| value.name.clone()).collect()
                }
            };
            let robot = &robot.name;
            let sentence = format!(
                "`{joint}` is several joints on {robot}: `{}`",
                names.join("`, `")
            );
            Some(self.mistake(joint, sentence))
        });
        sentence.collect()
    }

    /// Takes out the fingers of a hand that one motor moves, as a NAO's in Webots, and says so.
    fn fingers(&self, motion: &mut KeyedMotion, robot: &Robot) -> Vec<FileMistake> {
        let mut remarks = Vec::new();
        for hand in ["LHand", "RHand"] {
            if members(robot, hand).is_empty() {
                continue;
            }
            let is_finger = |name: &str| {
                let begin = format!("{}Phalanx", &hand[..1]);
                let number = name.strip_prefix(&begin).and_then(|rest| rest.parse().ok());
                number.is_some_and(|byte: u8| (1..=8).contains(&byte))
                    && members(robot, name).is_empty()
            };
            let (fingers, others): (Vec<_>, Vec<_>) = std::mem::take(&mut motion.tracks)
                .into_iter()
                .partition(|item| is_finger(&item.joint));
            motion.tracks = others;
            let Some(first) = fingers.first() else {
                continue;
            };
            let sentence = format!(
                "the fingers {} are left out: on {} `{hand}` moves them together; fix: let it move, from 0 to 1",
                listed(&fingers),
                robot.name
            );
            remarks.push(self.mistake(&first.joint, sentence));
        }
        remarks
    }

    /// Takes out the columns of a table that are no joints of the robot, if others are, and says so. A name that is
    /// nearly a joint's, or that the mapping gives, is meant as one.
    fn other_columns(&self, motion: &mut KeyedMotion, robot: &Robot) -> Option<FileMistake> {
        let is_known = |track: &JointTrack| !members(robot, &track.joint).is_empty();
        if self.format != MotionFormat::Csv
            || !motion.tracks.iter().any(is_known)
            || !has_columns(&self.bytes)
        {
            return None;
        }
        let is_meant = |track: &JointTrack| {
            let aliases = robot.aliases.iter().map(|alias| alias.0.as_str());
            let known = robot
                .actuators
                .iter()
                .map(|actuator| actuator.name.as_str())
                .chain(aliases);
            let mut rules = self.map.joints.iter();
            nearest(&track.joint, known).is_some()
                || with_unit(&track.joint, robot).is_some()
                || rules.any(|rule| rule.to.as_ref() == Some(&track.joint))
        };
        let (kept, others): (Vec<_>, Vec<_>) = std::mem::take(&mut motion.tracks)
            .into_iter()
            .partition(|item| is_known(item) || is_meant(item));
        motion.tracks = kept;
        let first = others.first()?;
        let (columns, such) = match others.len() {
            1 => ("column", "no such actuator"),
            _ => ("columns", "no such actuators"),
        };
        let sentence = format!(
            "left out: the {columns} {}: {} has {such}",
            listed(&others),
            robot.name
        );
        Some(self.mistake(&first.joint, sentence))
    }

    /// One mistake for a motion of several joints of which the robot has none.
    fn strangers(&self, motion: &KeyedMotion, robot: &Robot) -> Option<FileMistake> {
        let first = motion
            .tracks
            .first()
            .filter(|_| motion.tracks.len() >= STRANGERS_MIN)?;
        let mut tracks = motion.tracks.iter();
        if tracks.any(|track| !members(robot, &track.joint).is_empty()) {
            return None;
        }
        let (robot, names) = (&robot.name, listed(&motion.tracks));
        let sentence = format!(
            "{robot} has none of its joints, {names}: fix: choose the robot that it was made for, or map its joints"
        );
        Some(self.mistake(&first.joint, sentence))
    }

    /// Takes out the keys of joints that are another name of one that moves as well, such as a NAO's `RHipYawPitch`,
    /// and says so: NAOqi drives that motor by its left name. In a table, only values at the same instants are meant.
    fn twins(&self, motion: &mut KeyedMotion, robot: &Robot) -> Vec<FileMistake> {
        let is_table = matches!(self.format, MotionFormat::Csv | MotionFormat::Json);
        let mut remarks = Vec::new();
        let before = motion.tracks.clone();
        for track in &mut motion.tracks {
            let name = &track.joint;
            let own = match members(robot, name)[..] {
                [id] => robot
                    .actuators
                    .get(usize::from(id.0))
                    .map(|actuator| &actuator.name),
                _ => None,
            };
            let is_own = |track: &&JointTrack| track.joint != *name && Some(&track.joint) == own;
            let Some(twin) = before.iter().find(is_own) else {
                continue;
            };
            let (Some(first), Some(last)) = (twin.keys.first(), twin.keys.last()) else {
                continue;
            };
            let covers = |time: u64| {
                if is_table {
                    twin.keys
                        .binary_search_by_key(&time, |key| key.time)
                        .is_ok()
                } else {
                    (first.time..=last.time).contains(&time)
                }
            };
            let (robot, own) = (&robot.name, &twin.joint);
            if track.keys.iter().all(|key| covers(key.time)) {
                track.keys.clear();
                let sentence =
                    format!("`{name}` is left out: on {robot} it is `{own}`, which moves as well");
                remarks.push(self.mistake(name, sentence));
            } else if !is_table && track.keys.iter().any(|key| covers(key.time)) {
                let (from, to) = (first.time as f64 / 1e9, last.time as f64 / 1e9);
                let sentence = format!(
                    "`{name}` is left out from {from} s to {to} s: on {robot} it is `{own}`, which moves then"
                );
                remarks.push(self.mistake(name, sentence));
                track.keys.retain(|key| !covers(key.time));
            }
        }
        motion.tracks.retain(|track| !track.keys.is_empty());
        remarks
    }

    /// What is wrong with a joint for this robot.
    fn misfit(&self, track: &JointTrack, robot: &Robot) -> Option<FileMistake> {
        let name = &track.joint;
        let ids = members(robot, name);
        if ids.is_empty() {
            let known = robot
                .actuators
                .iter()
                .map(|actuator| actuator.name.as_str());
            let meant = with_unit(name, robot)
                .map(|unit| format!("; fix: write `{unit}`, the unit in brackets"))
                .or_else(|| nearest(name, known).map(|name| format!("; did you mean `{name}`?")))
                .unwrap_or_default();
            let shown = shortened(name);
            let sentence = format!("{} has no actuator `{shown}`{meant}", robot.name);
            return Some(self.mistake(name, sentence));
        }
        let measures = dimension(track.unit)?;
        let all = ids
            .iter()
            .filter_map(|id| robot.actuators.get(usize::from(id.0)));
        let mut wrong = all.filter_map(|item| measures.fits(&item.name, &item.unit).err());
        Some(self.mistake(name, wrong.next()?))
    }

    /// Actuators that get two values at one instant through two names: an alias and their own name, or two aliases.
    fn conflicts(&self, motion: &KeyedMotion, robot: &Robot) -> Vec<FileMistake> {
        let tracks = &motion.tracks;
        let all: Vec<_> = tracks
            .iter()
            .map(|track| members(robot, &track.joint))
            .collect();
        if all.iter().all(|item| item.len() < 2) {
            return Vec::new();
        }
        let mut values: HashMap<(ActuatorId, u64), (f64, usize)> = HashMap::new();
        let mut list: Vec<FileMistake> = Vec::new();
        for (place, track) in tracks.iter().enumerate() {
            let ids = &all[place];
            for key in &track.keys {
                let value = track.si(key);
                for id in ids {
                    let (other, by) = *values.entry((*id, key.time)).or_insert((value, place));
                    if other.total_cmp(&value).is_ne() && list.len() < MISTAKES_MAX {
                        let at = key.time as f64 / 1e9;
                        let sentence = format!(
                            "two values for the same joint at {at} s: {other} for `{}`, and {value} for `{}`",
                            tracks[by].joint, track.joint
                        );
                        list.push(self.mistake(&track.joint, sentence));
                    }
                }
            }
        }
        list.dedup_by(|a, b| a.sentence == b.sentence);
        list
    }
}

/// The joints of tracks, for a message.
fn listed(tracks: &[JointTrack]) -> String {
    let named = tracks
        .iter()
        .take(NAMED_MAX)
        .map(|track| format!("`{}`", track.joint));
    let named: Vec<_> = named.collect();
    let more = tracks.len().saturating_sub(NAMED_MAX);
    match more {
        0 => named.join(", "),
        _ => format!("{} and {more} more", named.join(", ")),
    }
}

/// The actuators that a name means: one, or those of an alias.
fn members(robot: &Robot, name: &str) -> Vec<ActuatorId> {
    let own = robot.actuator(name).map(|actuator| vec![actuator]);
    let alias = || robot.aliases.iter().find(|alias| alias.0 == name);
    own.or_else(|| alias().map(|alias| alias.1.clone()))
        .unwrap_or_default()
}

/// Which body a name means.
fn kind_of_body(name: &str) -> Option<&'static str> {
    const KINDS: [(&str, &str); 10] = [
        ("juliette", "Pepper"),
        ("pepper", "Pepper"),
        ("romeo", "Romeo"),
        ("nao", "NAO"),
        ("ers", "Aibo"),
        ("aibo", "Aibo"),
        ("reachy", "Reachy"),
        ("op2", "ROBOTIS OP"),
        ("hexapod", "hexapod"),
        ("wheels", "wheels"),
    ];
    let name = name.to_lowercase();
    let begins = |pair: &&(&str, &str)| {
        name.split(['-', '_', ' '])
            .any(|word| word.starts_with(pair.0))
    };
    KINDS.iter().find(begins).map(|kind| kind.1)
}

/// What the values of a track measure, if its file says so.
fn dimension(unit: ValueUnit) -> Option<Dimension> {
    match unit.si() {
        ValueUnit::Radian => Some(Dimension::Angle),
        ValueUnit::Metre => Some(Dimension::Length),
        _ => None,
    }
}

/// How a column is written that has its unit behind a joint's name, such as `HeadYaw_deg`.
fn with_unit(column: &str, robot: &Robot) -> Option<String> {
    let units = [
        ("_degrees", "deg"),
        ("_deg", "deg"),
        ("_radians", "rad"),
        ("_rad", "rad"),
    ];
    let found = units
        .iter()
        .find_map(|unit| Some((column.strip_suffix(unit.0)?, unit.1)));
    let (joint, unit) = found.filter(|pair| !members(robot, pair.0).is_empty())?;
    Some(format!("{joint} [{unit}]"))
}
