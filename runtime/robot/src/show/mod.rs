//! Shows without code: motions in files, our own and those of other programs.
//!
//! `motion-files` reads them; a `Show` is what one of them becomes for a robot, and `guests` makes a choreography of
//! it. Used by the command line. A mistake names its line, and a file with mistakes is not played at all; a
//! curve is followed within the stated error.

mod fit;
mod mirror;

pub use mirror::mirrors;

use std::fmt;

use description::nearest;
use guests::{CompiledShow, CompiledShowError, TimedCommand};
use motion_files::{
    ALL, CurveFault, FileMistake, JointMap, JointTrack, KeyedMotion, MotionFormat,
    MotionSurroundings, NoSurroundings, ReadFailure, is_answered, joined, joint_place, means_all,
    straightened,
};

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
    /// What the file is.
    format: MotionFormat,
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
        let tolerated = remarks.len();
        let motions = read.document.motions(options.around, &mut remarks)?;
        let motion = chosen(motions, options.motion)?;
        remarks.retain(|remark| !is_answered(remark, options.map, std::slice::from_ref(&motion)));
        remarks.extend(misnamed(options.map, &motion));
        let mapped = options
            .map
            .apply(&motion)
            .map_err(|fault| fault.mistake(bytes))?;
        let straight = straightened(&mapped, options.error);
        let mut motion = straight.map_err(|fault| of_curve(bytes, &fault))?;
        for track in &motion.tracks {
            // What waits for its first key has keys without weight before it.
            let mut counting = track.keys.iter().skip_while(|key| key.weight <= 0.0);
            if counting.any(|item| item.weight != 1.0) {
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
            .retain(|track| track.keys.iter().any(|key| key.weight > 0.0));
        if motion.key_count() == 0 {
            // Postures and sequences leave out what a robot does not have, with a remark each.
            let robot = options.around.model();
            let is_strange = !robot.is_empty() && remarks.len() > tolerated;
            return Err(of_all(if is_strange {
                none_fits(robot)
            } else {
                "the file has no commands".to_owned()
            }));
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
            format: read.format,
            motion,
            bytes: bytes.to_vec(),
            map: options.map.clone(),
        })
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
            let counts = track.keys.iter().skip_while(|key| key.weight <= 0.0);
            counts.map(move |key| TimedCommand {
                actuator,
                at: key.time,
                value: track.si(key),
            })
        });
        // Keys without weight before the others: until then a joint stays where it is.
        let hold = |track: &JointTrack| {
            let waits = track.keys.iter().take_while(|key| key.weight <= 0.0);
            waits.last().map(|wait| wait.time)
        };
        let joints = || self.motion.tracks.iter().map(|track| track.joint.as_str());
        CompiledShow {
            name: self.name.clone(),
            lines: lines.collect(),
            holds: self.motion.tracks.iter().map(hold).collect(),
            actuators: joints().map(str::to_owned).collect(),
            mirror: joints()
                .map(|joint| (self.map.mirrored(joint), self.map.sign(joint)))
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

/// The sentence for a file of which the robot has nothing.
pub fn none_fits(robot: &str) -> String {
    format!(
        "{robot} has none of its joints; fix: choose the robot that it was made for, or map its joints"
    )
}

/// The only motion, the one of this name, or all one after another.
fn chosen(motions: Vec<KeyedMotion>, name: Option<&str>) -> Result<KeyedMotion, ReadFailure> {
    if name.is_some_and(|name| means_all(name, &motions)) {
        let long = "all of its motions together are too long; fix: choose one of them";
        return joined(&motions).ok_or_else(|| of_all(long.to_owned()));
    }
    let names: Vec<_> = motions
        .iter()
        .map(|motion| format!("`{}`", motion.name))
        .collect();
    let names = names.join(", ");
    let count = motions.len();
    let mut fitting = motions.into_iter();
    let found = match name {
        Some(name) => fitting.find(|item| item.name == name),
        None if count == 1 => fitting.next(),
        None => None,
    };
    found.ok_or_else(|| {
        of_all(match name {
            Some(name) => format!("there is no motion `{name}` in it; fix: one of {names}"),
            None if count == 0 => "there is no motion in it".to_owned(),
            None => format!(
                "there are {count} motions in it; fix: --motion with one of {names}, or `--motion {ALL}`: one after \
                 another"
            ),
        })
    })
}

/// A curve that cannot be followed, at the first place of its joint.
fn of_curve(bytes: &[u8], fault: &CurveFault) -> ReadFailure {
    let joint = match fault {
        CurveFault::Backward { joint, .. } => joint,
        _ => "",
    };
    let (line, column) = joint_place(bytes, joint).unwrap_or((1, 1));
    FileMistake {
        line,
        column,
        sentence: fault.to_string(),
    }
    .into()
}

/// What a mapping says of joints that the motion does not have, but for a letter or two.
pub fn misnamed(map: &JointMap, motion: &KeyedMotion) -> Vec<FileMistake> {
    let mirrored = |text: &str| {
        if map.mirror {
            map.mirrored(text)
        } else {
            text.to_owned()
        }
    };
    let names: Vec<_> = motion
        .tracks
        .iter()
        .map(|track| mirrored(&track.joint))
        .collect();
    let is_known = |name: &str| names.iter().any(|item| item == name);
    let ruled = |name: &str| map.joints.iter().any(|joint| joint.from == name);
    let free = || {
        names
            .iter()
            .map(String::as_str)
            .filter(|value| !ruled(value))
    };
    let strange = map.joints.iter().filter(|joint| !is_known(&joint.from));
    let told = strange.filter_map(|rule| {
        let meant = nearest(&rule.from, free())?;
        let from = &rule.from;
        let place = rule.place.map_or(String::new(), |(line, column)| {
            format!(" (line {line}, column {column})")
        });
        Some(of_line(format!(
            "`{from}` in the mapping{place} is no joint of this motion; did you mean `{meant}`?"
        )))
    });
    told.collect()
}

/// A remark on the whole file.
fn of_line(sentence: String) -> FileMistake {
    FileMistake {
        line: 1,
        column: 1,
        sentence,
    }
}

/// A mistake of the whole file.
fn of_all(sentence: impl ToString) -> ReadFailure {
    of_line(sentence.to_string()).into()
}

#[cfg(test)]
mod tests;
