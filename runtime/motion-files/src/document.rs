//! What a file holds, read and written. Called by programs.
//! `write(d) == Ok(bytes)` implies `read(bytes) == d`: what was written is read again and
//! compared, so that no format loses anything in silence.

use std::collections::HashMap;

use crate::aibo::{self, AiboMotion};
use crate::curves::backward;
use crate::detect::{self, MotionFormat};
use crate::fault::{FileMistake, ReadFailure, WriteFailure, quoted};
use crate::motion::KeyedMotion;
use crate::place::joint_place;
use crate::team::{bottango, hulks, reachy, trajectory};
use crate::tekkotsu::MotionSurroundings;
use crate::tekkotsu::posture::PostureFile;
use crate::tekkotsu::sequence::SequenceFile;
use crate::tekkotsu::walk::WalkParameters;
use crate::tekkotsu::waypoints::WaypointFile;
use crate::text::decode;
use crate::tree::json::{self, JsonLayout};
use crate::tree::{TreeNode, yaml};
use crate::{own, python, recorded, webots, xar};

/// Before the number of a message of a topic that has several, and of a motion whose name another one has.
const NUMBER: char = '#';

/// The topic in the name of a motion.
fn of_topic(name: &str) -> &str {
    let (topic, number) = name.rsplit_once(NUMBER).unwrap_or((name, ""));
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { topic } else { name }
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum MotionDocument {
    /// Motions: of CSV, JSON, Webots, Python; several of `.xar`, or of Python's functions.
    Motions(Vec<KeyedMotion>),
    /// A posture of Tekkotsu.
    Posture(PostureFile),
    /// A motion sequence of Tekkotsu.
    Sequence(SequenceFile),
    /// Waypoints of Tekkotsu.
    Waypoints(WaypointFile),
    /// Parameters of a walk.
    Walk(Box<WalkParameters>),
    /// A motion of an AIBO.
    Aibo(Box<AiboMotion>),
    /// Names and values: of Reachy Mini, the HULKs, Bottango, ROS.
    Tree(MotionFormat, TreeNode),
    /// Trajectories of a recording, by topic.
    Recorded(Vec<(String, TreeNode)>),
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionReading {
    /// Its format.
    pub format: MotionFormat,
    /// What it holds.
    pub document: MotionDocument,
    /// What was tolerated.
    pub remarks: Vec<FileMistake>,
}

/// Reads a file of any format; `name` is its name, which decides between formats that look alike.
///
/// # Errors
/// Its mistakes.
pub fn read(name: &str, bytes: &[u8]) -> Result<MotionReading, ReadFailure> {
    if bytes.is_empty() {
        return Err(
            FileMistake::new(1, 1, "the file is empty; fix: check that it is whole").into(),
        );
    }
    if let Some(format) = detect::of_bytes(name, bytes) {
        return read_as(format, bytes);
    }
    let text = decode(bytes)?;
    if let Some(refusal) = detect::refusal(name, &text) {
        return Err(FileMistake::new(1, 1, refusal).into());
    }
    read_text(detect::of_text(name, &text), &text, true)
}

/// Reads a file of a known format.
///
/// # Errors
/// Its mistakes.
pub fn read_as(format: MotionFormat, bytes: &[u8]) -> Result<MotionReading, ReadFailure> {
    if bytes.len() > crate::FILE_MAX {
        let most = crate::FILE_MAX / 1_000_000;
        let sentence = format!("the file has more than {most} MB; fix: divide it");
        return Err(FileMistake::at_byte(0, sentence).into());
    }
    let document = match format {
        MotionFormat::Prm => MotionDocument::Walk(Box::new(WalkParameters::read(bytes)?)),
        MotionFormat::Mtn => MotionDocument::Aibo(Box::new(AiboMotion::read(bytes)?)),
        MotionFormat::Mcap => MotionDocument::Recorded(recorded::read(bytes)?),
        _ => return read_text(format, &decode(bytes)?, false),
    };
    Ok(MotionReading {
        format,
        document,
        remarks: Vec::new(),
    })
}

fn read_text(
    format: MotionFormat,
    text: &str,
    is_guess: bool,
) -> Result<MotionReading, ReadFailure> {
    let mut remarks = Vec::new();
    let mut format = format;
    let document = match format {
        MotionFormat::Csv => MotionDocument::Motions(vec![own::csv::read(text, &mut remarks)?]),
        MotionFormat::Webots => MotionDocument::Motions(vec![webots::read(text, &mut remarks)?]),
        MotionFormat::Python => MotionDocument::Motions(python::read(text, &mut remarks)?),
        MotionFormat::Xar => MotionDocument::Motions(xar::read(text, &mut remarks)?),
        MotionFormat::Pos => MotionDocument::Posture(PostureFile::read(text, &mut remarks)?),
        MotionFormat::Mot => MotionDocument::Sequence(SequenceFile::read(text, &mut remarks)?),
        MotionFormat::Wyp => MotionDocument::Waypoints(WaypointFile::read(text, &mut remarks)?),
        MotionFormat::Trajectory => {
            MotionDocument::Tree(format, yaml::read_file(text, &mut remarks)?)
        }
        _ => {
            let root = json::read(text)?;
            if is_guess {
                format = detect::of_tree(&root);
            }
            match format {
                MotionFormat::Json => {
                    MotionDocument::Motions(vec![own::json::read(&root, &mut remarks)?])
                }
                _ => MotionDocument::Tree(format, root),
            }
        }
    };
    if let MotionDocument::Motions(motions) = &document
        && let Some((joint, fault)) = motions.iter().find_map(backward)
    {
        let (line, column) = joint_place(text.as_bytes(), joint).unwrap_or((1, 1));
        return Err(FileMistake::new(line, column, fault.to_string()).into());
    }
    if let MotionDocument::Tree(format, root) = &document {
        // A tree that is no motion is not read at all.
        tree_motions(*format, root, &mut remarks)?;
    }
    Ok(MotionReading {
        format,
        document,
        remarks,
    })
}

/// The motions, of which each has a name of its own.
fn numbered(motions: &[KeyedMotion]) -> Vec<KeyedMotion> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let name = |motion: &KeyedMotion, count: usize| match count {
        1 => motion.name.clone(),
        _ => format!("{}{NUMBER}{count}", motion.name),
    };
    let named = motions.iter().map(|motion| {
        let count = counts.entry(&motion.name).or_default();
        *count += 1;
        KeyedMotion {
            name: name(motion, *count),
            ..motion.clone()
        }
    });
    named.collect()
}

fn tree_motions(
    format: MotionFormat,
    root: &TreeNode,
    remarks: &mut Vec<FileMistake>,
) -> Result<Vec<KeyedMotion>, FileMistake> {
    Ok(match format {
        MotionFormat::Reachy => vec![reachy::motion(root, remarks)?],
        MotionFormat::Hulks => vec![hulks::motion(root, remarks)?],
        MotionFormat::Bottango => bottango::motions(root, remarks)?,
        _ => trajectory::motions(root)?,
    })
}

impl MotionDocument {
    /// The motions in it; at least one. Waypoints and parameters of walks have none.
    ///
    /// # Errors
    /// What does not fit, with its line.
    pub fn motions(
        &self,
        around: &dyn MotionSurroundings,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<Vec<KeyedMotion>, ReadFailure> {
        let none = |what: &str| {
            let sentence = format!("{what}, not a motion of joints; fix: let a walk use it");
            ReadFailure::from(FileMistake::new(1, 1, sentence))
        };
        Ok(match self {
            MotionDocument::Motions(motions) => numbered(motions),
            MotionDocument::Posture(posture) => vec![posture.motion(around, remarks)?],
            MotionDocument::Sequence(sequence) => vec![sequence.motion(around, remarks)?],
            MotionDocument::Waypoints(_) => return Err(none("these are places")),
            MotionDocument::Walk(_) => return Err(none("these are parameters of a walk")),
            MotionDocument::Aibo(motion) => {
                let motion = motion.motion();
                vec![motion.map_err(|sentence| FileMistake::at_byte(0, sentence))?]
            }
            MotionDocument::Tree(format, root) => {
                numbered(&tree_motions(*format, root, &mut Vec::new())?)
            }
            MotionDocument::Recorded(list) => {
                let mut motions = Vec::with_capacity(list.len());
                for (topic, root) in list {
                    let mut motion = trajectory::motion(root)?;
                    // Several messages of one topic have names of their own.
                    let before = motions
                        .iter()
                        .filter(|motion: &&KeyedMotion| of_topic(&motion.name) == topic);
                    motion.name = match before.count() {
                        0 => topic.clone(),
                        count => format!("{topic}{NUMBER}{}", count + 1),
                    };
                    motions.push(motion);
                }
                motions
            }
        })
    }

    /// A document of a format for motions; see [`crate::adapted`] for what the format cannot hold.
    ///
    /// # Errors
    /// What the format cannot hold.
    pub fn of_motions(
        motions: &[KeyedMotion],
        format: MotionFormat,
    ) -> Result<MotionDocument, WriteFailure> {
        let one = || match motions {
            [motion] => Ok(motion),
            _ => {
                let names: Vec<_> = motions.iter().map(|motion| quoted(&motion.name)).collect();
                let count = motions.len();
                Err(WriteFailure::NoRoom {
                    format: format.about(),
                    what: format!(
                        "{count} motions; fix: --motion with one of {}",
                        names.join(", ")
                    ),
                })
            }
        };
        Ok(match format {
            MotionFormat::Csv
            | MotionFormat::Json
            | MotionFormat::Webots
            | MotionFormat::Python => MotionDocument::Motions(vec![one()?.clone()]),
            MotionFormat::Xar => MotionDocument::Motions(motions.to_vec()),
            MotionFormat::Pos => MotionDocument::Posture(PostureFile::of_motion(one()?)),
            MotionFormat::Mot => MotionDocument::Sequence(SequenceFile::of_motion(one()?)?),
            MotionFormat::Mtn => MotionDocument::Aibo(Box::new(aibo::of_motion(one()?)?)),
            MotionFormat::Reachy => MotionDocument::Tree(format, reachy::of_motion(one()?)?),
            MotionFormat::Hulks => MotionDocument::Tree(format, hulks::of_motion(one()?)?),
            MotionFormat::Bottango => MotionDocument::Tree(format, bottango::of_motions(motions)?),
            MotionFormat::Trajectory => {
                MotionDocument::Tree(format, trajectory::of_motion(one()?)?)
            }
            MotionFormat::Mcap => {
                let motion = one()?;
                let topic = if motion.name.is_empty() {
                    "/motion"
                } else {
                    of_topic(&motion.name)
                };
                let root = recorded::message(&trajectory::of_motion(motion)?)?;
                MotionDocument::Recorded(vec![(topic.to_owned(), root)])
            }
            MotionFormat::Wyp | MotionFormat::Prm => {
                return Err(WriteFailure::OtherKind {
                    document: "a motion of joints",
                    format: format.about(),
                });
            }
        })
    }

    /// What it is, for a message.
    fn about(&self) -> &'static str {
        match self {
            MotionDocument::Motions(_) => "a motion of joints",
            MotionDocument::Posture(_) => MotionFormat::Pos.about(),
            MotionDocument::Sequence(_) => MotionFormat::Mot.about(),
            MotionDocument::Waypoints(_) => MotionFormat::Wyp.about(),
            MotionDocument::Walk(_) => MotionFormat::Prm.about(),
            MotionDocument::Aibo(_) => MotionFormat::Mtn.about(),
            MotionDocument::Tree(format, _) => format.about(),
            MotionDocument::Recorded(_) => MotionFormat::Mcap.about(),
        }
    }
}

/// Writes a document in its format.
///
/// # Errors
/// What the format cannot hold: nothing is lost in silence.
pub fn write(document: &MotionDocument, format: MotionFormat) -> Result<Vec<u8>, WriteFailure> {
    let bytes = written(document, format)?;
    let lossy = |what: String| WriteFailure::Lossy {
        format: format.about(),
        what,
    };
    match read_as(format, &bytes) {
        Ok(reading) if &reading.document == document => Ok(bytes),
        Ok(reading) => Err(lossy(difference(document, &reading.document))),
        Err(failure) => Err(unread(format, &failure)),
    }
}

/// That a format cannot hold a motion, since what was written is not read: places in it mean nothing to anyone.
fn unread(format: MotionFormat, failure: &ReadFailure) -> WriteFailure {
    let (format, first) = (format.about(), failure.list.first());
    let what = first.map_or_else(|| failure.to_string(), |value| value.sentence.clone());
    if what.contains("; fix: ") {
        WriteFailure::NoRoom { format, what }
    } else {
        WriteFailure::Lossy { format, what }
    }
}

fn written(document: &MotionDocument, format: MotionFormat) -> Result<Vec<u8>, WriteFailure> {
    let text = match (document, format) {
        (MotionDocument::Motions(motions), MotionFormat::Xar) => xar::write(motions)?,
        (MotionDocument::Motions(motions), _) => match (&motions[..], format) {
            ([motion], MotionFormat::Csv) => own::csv::write(motion)?,
            ([motion], MotionFormat::Json) => own::json::write(motion)?,
            ([motion], MotionFormat::Webots) => webots::write(motion)?,
            ([motion], MotionFormat::Python) => python::write(motion)?,
            _ => return Err(other_kind(document, format)),
        },
        (MotionDocument::Posture(posture), MotionFormat::Pos) => posture.write()?,
        (MotionDocument::Sequence(sequence), MotionFormat::Mot) => sequence.write(),
        (MotionDocument::Waypoints(waypoints), MotionFormat::Wyp) => waypoints.write(),
        (MotionDocument::Walk(walk), MotionFormat::Prm) => return Ok(walk.write()),
        (MotionDocument::Aibo(motion), MotionFormat::Mtn) => return motion.write(),
        (MotionDocument::Tree(own, root), format) if *own == format => match format {
            MotionFormat::Trajectory => yaml::write(root),
            MotionFormat::Reachy => json::write(root, JsonLayout::Line),
            _ => json::write(root, JsonLayout::Indented(2)),
        },
        (MotionDocument::Recorded(list), MotionFormat::Mcap) => return recorded::write(list),
        _ => return Err(other_kind(document, format)),
    };
    Ok(text.into_bytes())
}

fn other_kind(document: &MotionDocument, format: MotionFormat) -> WriteFailure {
    WriteFailure::OtherKind {
        document: document.about(),
        format: format.about(),
    }
}

/// The first difference between what was written and what was read, as a sentence.
fn difference(before: &MotionDocument, after: &MotionDocument) -> String {
    let (MotionDocument::Motions(before), MotionDocument::Motions(after)) = (before, after) else {
        return "it reads differently".to_owned();
    };
    for (a, b) in before.iter().zip(after) {
        if (&a.name, &a.body) != (&b.name, &b.body) {
            return format!("the name {} or body {}", quoted(&a.name), quoted(&a.body));
        }
        if (a.loops, a.lead, a.rate) != (b.loops, b.lead, b.rate) {
            return "its loops, lead or rate".to_owned();
        }
        if a.sounds != b.sounds || a.labels != b.labels {
            return "its sounds or labels".to_owned();
        }
        for (x, y) in a.tracks.iter().zip(&b.tracks) {
            if x != y {
                return format!("the keys, curves, weights or unit of {}", quoted(&x.joint));
            }
        }
        if a.tracks.len() != b.tracks.len() {
            return "joints without keys".to_owned();
        }
    }
    "the number of motions".to_owned()
}
