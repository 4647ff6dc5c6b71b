//! Shows without code: motions in files, our own and those of other programs.
//!
//! `motion-files` reads them; a `Show` is what one of them becomes for a robot, and `guests` makes a choreography of
//! it. Used by the command line. The law: a mistake names its line, and a file with mistakes is not played at all; a
//! curve is followed within the stated error.

use std::collections::HashMap;
use std::fmt;

use cycle::ActuatorId;
use description::{Dimension, Robot, nearest};
use guests::{CompiledShow, CompiledShowError, TimedCommand};
use motion_files::{
    FileMistake, JointMap, JointTrack, KeyedMotion, MotionSurroundings, NoSurroundings,
    ReadFailure, ValueUnit, joint_place, mirrored, paired, straightened,
};

/// The maximum number of mistakes that are shown.
const MISTAKES_MAX: usize = 10;

/// The default time from the start of a show to its instant 0, ns.
const LEAD: u64 = 1_000_000_000;

/// How far a line may be from its curve, in SI.
pub const CURVE_ERROR: f64 = 0.001;

/// The largest file, bytes.
pub const SHOW_MAX: usize = motion_files::FILE_MAX;

/// How a file is read.
#[derive(Clone, Copy)]
pub struct ShowOptions<'o> {
    /// From its joints to those of the robot.
    pub map: &'o JointMap,
    /// How far a line may be from its curve, in SI.
    pub error: f64,
    /// Which of several motions.
    pub motion: Option<&'o str>,
    /// The files beside it.
    pub around: &'o dyn MotionSurroundings,
}

impl fmt::Debug for ShowOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShowOptions")
            .field("map", self.map)
            .field("error", &self.error)
            .field("motion", &self.motion)
            .finish_non_exhaustive()
    }
}

/// A show that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Show {
    /// Its name: the motion's, or the file's.
    pub name: String,
    /// What was tolerated in the file.
    pub remarks: Vec<FileMistake>,
    /// Lines alone, with the joints of the robot.
    motion: KeyedMotion,
    /// The file, in which joints have their places.
    bytes: Vec<u8>,
    /// How it was mapped: which joints change their sign in the mirror.
    map: JointMap,
}

impl Show {
    /// Reads a file of this name with nothing special.
    ///
    /// # Errors
    /// Its mistakes, each with its line.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Show, ReadFailure> {
        let options = ShowOptions {
            map: &JointMap::default(),
            error: CURVE_ERROR,
            motion: None,
            around: &NoSurroundings,
        };
        Show::read_with(file, bytes, &options)
    }

    /// Reads a file of this name.
    ///
    /// # Errors
    /// Its mistakes, each with its line.
    pub fn read_with(
        file: &str,
        bytes: &[u8],
        options: &ShowOptions<'_>,
    ) -> Result<Show, ReadFailure> {
        let read = motion_files::read(file, bytes)?;
        let mut remarks = read.remarks;
        let motions = read.document.motions(options.around, &mut remarks)?;
        let motion = chosen(motions, options.motion)?;
        let mapped = options.map.apply(&motion).map_err(of_all)?;
        let mut motion = straightened(&mapped, options.error).map_err(of_all)?;
        for track in &motion.tracks {
            if track.keys.iter().any(|it| it.weight != 1.0)
                && track.keys.iter().any(|it| it.weight > 0.0)
            {
                let (line, column) = joint_place(bytes, &track.joint).unwrap_or((1, 1));
                let sentence = format!("the weights of `{}` are not played", track.joint);
                remarks.push(FileMistake {
                    line,
                    column,
                    sentence,
                });
            }
        }
        // A joint that never counts is not moved.
        motion
            .tracks
            .retain(|it| it.keys.iter().any(|it| it.weight > 0.0));
        if motion.key_count() == 0 {
            return Err(of_all("the file has no commands"));
        }
        let stem = std::path::Path::new(file).file_stem();
        let stem = stem.unwrap_or_default().to_string_lossy().into_owned();
        let name = if motion.name.is_empty() {
            stem
        } else {
            motion.name.clone()
        };
        Ok(Show {
            name,
            remarks,
            motion,
            bytes: bytes.to_vec(),
            map: options.map.clone(),
        })
    }

    /// The same show for a robot: a joint that it has as a pair moves both.
    ///
    /// # Errors
    /// What the robot does not have, or not so, each with its line and a similar name.
    pub fn fitted(&self, robot: &Robot) -> Result<Show, ReadFailure> {
        let has = |name: &str| !members(robot, name).is_empty();
        let mut motion = paired(&self.motion, &has);
        let mut remarks = self.remarks.clone();
        remarks.extend(self.twins(&mut motion, robot));
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

    /// Takes out the joints that are another name of one that has a value at each of their instants, such as a NAO's
    /// `RHipYawPitch`, and says so.
    fn twins(&self, motion: &mut KeyedMotion, robot: &Robot) -> Vec<FileMistake> {
        let mut remarks = Vec::new();
        let mut kept = Vec::new();
        for track in &motion.tracks {
            let name = &track.joint;
            let own = match members(robot, name)[..] {
                [id] => robot.actuators.get(usize::from(id.0)).map(|it| &it.name),
                _ => None,
            };
            let covers = |it: &JointTrack| {
                let has = |time: u64| it.keys.binary_search_by_key(&time, |it| it.time).is_ok();
                it.joint != *name
                    && Some(&it.joint) == own
                    && track.keys.iter().all(|it| has(it.time))
            };
            let twin = motion.tracks.iter().find(|it| covers(it));
            kept.push(twin.is_none());
            remarks.extend(twin.map(|twin| {
                let (robot, own) = (&robot.name, &twin.joint);
                let sentence =
                    format!("`{name}` is left out: on {robot} it is `{own}`, which moves as well");
                self.mistake(name, sentence)
            }));
        }
        let mut kept = kept.into_iter();
        motion.tracks.retain(|_| kept.next().unwrap_or(true));
        remarks
    }

    /// What is wrong with a joint for this robot.
    fn misfit(&self, track: &JointTrack, robot: &Robot) -> Option<FileMistake> {
        let name = &track.joint;
        let ids = members(robot, name);
        if ids.is_empty() {
            let known = robot.actuators.iter().map(|it| it.name.as_str());
            let meant =
                nearest(name, known).map_or(String::new(), |it| format!("; did you mean `{it}`?"));
            let sentence = format!("{} has no actuator `{name}`{meant}", robot.name);
            return Some(self.mistake(name, sentence));
        }
        let measures = dimension(track.unit)?;
        let all = ids
            .iter()
            .filter_map(|it| robot.actuators.get(usize::from(it.0)));
        let mut wrong = all.filter_map(|it| measures.fits(&it.name, &it.unit).err());
        Some(self.mistake(name, wrong.next()?))
    }

    /// Actuators that get two values at one instant through two names: an alias and their own name, or two aliases.
    fn conflicts(&self, motion: &KeyedMotion, robot: &Robot) -> Vec<FileMistake> {
        let tracks = &motion.tracks;
        let all: Vec<_> = tracks.iter().map(|it| members(robot, &it.joint)).collect();
        if all.iter().all(|it| it.len() < 2) {
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

    /// A mistake at the first place of a joint in the file.
    fn mistake(&self, joint: &str, sentence: String) -> FileMistake {
        let (line, column) = joint_place(&self.bytes, joint).unwrap_or((1, 1));
        FileMistake {
            line,
            column,
            sentence,
        }
    }

    /// Its commands.
    pub fn compiled(&self) -> CompiledShow {
        let tracks = self.motion.tracks.iter().enumerate();
        let lines = tracks.flat_map(|(actuator, track)| {
            track.keys.iter().map(move |key| TimedCommand {
                actuator,
                at: key.time,
                value: track.si(key),
            })
        });
        let joints = || self.motion.tracks.iter().map(|it| it.joint.as_str());
        CompiledShow {
            name: self.name.clone(),
            lines: lines.collect(),
            actuators: joints().map(str::to_owned).collect(),
            mirror: joints()
                .map(|it| (mirrored(it), self.map.sign(it)))
                .collect(),
            lead: self.motion.lead.unwrap_or(LEAD),
            loops: self.motion.loops,
        }
    }

    /// The choreography that it becomes.
    ///
    /// # Errors
    /// [`CompiledShowError`].
    pub fn component(&self) -> Result<Vec<u8>, CompiledShowError> {
        self.compiled().component()
    }
}

/// The only motion, or the one of this name.
fn chosen(motions: Vec<KeyedMotion>, name: Option<&str>) -> Result<KeyedMotion, ReadFailure> {
    let names: Vec<_> = motions.iter().map(|it| format!("`{}`", it.name)).collect();
    let names = names.join(", ");
    let count = motions.len();
    let mut fitting = motions.into_iter();
    let found = match name {
        Some(name) => fitting.find(|it| it.name == name),
        None if count == 1 => fitting.next(),
        None => None,
    };
    found.ok_or_else(|| {
        of_all(match name {
            Some(name) => format!("there is no motion `{name}` in it; fix: one of {names}"),
            None if count == 0 => "there is no motion in it".to_owned(),
            None => format!("there are {count} motions in it; fix: --motion with one of {names}"),
        })
    })
}

/// A mistake of the whole file.
fn of_all(sentence: impl ToString) -> ReadFailure {
    FileMistake {
        line: 1,
        column: 1,
        sentence: sentence.to_string(),
    }
    .into()
}

/// The actuators that a name means: one, or those of an alias.
fn members(robot: &Robot, name: &str) -> Vec<ActuatorId> {
    let own = robot.actuator(name).map(|it| vec![it]);
    let alias = || robot.aliases.iter().find(|it| it.0 == name);
    own.or_else(|| alias().map(|it| it.1.clone()))
        .unwrap_or_default()
}

/// What the values of a track measure, if its file says so.
fn dimension(unit: ValueUnit) -> Option<Dimension> {
    match unit.si() {
        ValueUnit::Radian => Some(Dimension::Angle),
        ValueUnit::Metre => Some(Dimension::Length),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
