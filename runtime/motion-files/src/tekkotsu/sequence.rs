//! A motion sequence, `.mot`: its lines, what they mean for a body, and its text. Called by `lib`.
//! The playhead begins at 1 ms, as Tekkotsu's does; a file that is loaded counts its times
//! from the playhead, and leaves it at its last key. Names are matched as a whole, not by their
//! beginnings.

use std::collections::BTreeMap;

use super::posture::{MARK as POSTURE_MARK, PostureFile, PostureOutput};
use super::{MotionSurroundings, bare_name, known_names, meant};
use crate::fault::{FileMistake, ReadFailure, WriteFailure, quoted};
use crate::motion::{JointKey, KEYS_MAX, KeySide, KeyedMotion, TIME_MAX};
use crate::text::decode;
use crate::text::number::shortest;

/// The first word of a sequence.
pub(crate) const MARK: &str = "#MSq";

const FORMAT: &str = "a motion sequence of Tekkotsu";
const MS: u64 = 1_000_000;

/// Where the playhead begins, ms.
const PLAYHEAD: u64 = 1;

/// How many files may load each other.
const LOADS_MAX: usize = 8;

/// A motion sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceFile {
    /// What follows `#MSq` on its line.
    pub header: String,
    /// Its lines, without the first and last.
    pub lines: Vec<SequenceLine>,
    /// Whether it ends with `#END`.
    pub ended: bool,
}

/// A line of a sequence.
#[derive(Clone, Debug)]
pub struct SequenceLine {
    /// Its number in the file, counted from 1; 0 in one that was not read.
    pub number: usize,
    /// What it says.
    pub step: SequenceStep,
}

/// The same line may have another number.
impl PartialEq for SequenceLine {
    fn eq(&self, other: &SequenceLine) -> bool {
        self.step == other.step
    }
}

/// What a line of a sequence says.
#[derive(Clone, Debug, PartialEq)]
pub enum SequenceStep {
    /// Nothing.
    Blank,
    /// What stands behind `#`.
    Comment(String),
    /// Moves the playhead forward, ms: `delay`.
    Delay(u64),
    /// The same: `advanceTime`.
    AdvanceTime(u64),
    /// Sets the playhead, ms.
    SetTime(u64),
    /// Values are rad from here on.
    Radians,
    /// Values are degrees from here on.
    Degrees,
    /// `load`, of a posture or a sequence.
    Load(String),
    /// `overlay`, the same.
    Overlay(String),
    /// `loadExplicit`: a posture, with the outputs that have no weight.
    LoadExplicit(String),
    /// A key at the playhead.
    Key {
        /// The output.
        output: String,
        /// Its value.
        value: f64,
        /// How much it counts; 1 if it is not said.
        weight: Option<f64>,
    },
}

impl SequenceFile {
    /// The motion that it is for a body.
    pub(crate) fn motion(
        &self,
        around: &dyn MotionSurroundings,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<KeyedMotion, ReadFailure> {
        let mut player = SequencePlayer {
            known: known_names(around),
            around,
            motion: KeyedMotion::default(),
            playhead: PLAYHEAD,
            end: 0,
            keys: 0,
            loads: 0,
            depth: 0,
        };
        player.play(self, 0, remarks)?;
        Ok(player.motion)
    }

    /// A flat sequence of a motion of lines.
    pub(crate) fn of_motion(motion: &KeyedMotion) -> Result<SequenceFile, WriteFailure> {
        let no_room = |what: String| WriteFailure::NoRoom {
            format: FORMAT,
            what,
        };
        let mut rows: BTreeMap<u64, Vec<SequenceStep>> = BTreeMap::new();
        for track in motion.as_they_begin(|_| true) {
            for key in &track.keys {
                let straight = [key.arrive, key.leave] == [KeySide::Linear; 2];
                if !straight || key.time % MS != 0 {
                    let joint = quoted(&track.joint);
                    return Err(no_room(format!("a curve or part of a ms, of {joint}")));
                }
                let weight = (key.weight.total_cmp(&1.0).is_ne()).then_some(key.weight);
                rows.entry(key.time / MS)
                    .or_default()
                    .push(SequenceStep::Key {
                        output: track.joint.clone(),
                        value: track.si(key),
                        weight,
                    });
            }
        }
        let mut steps = vec![SequenceStep::Radians];
        let mut last = None;
        for (time, keys) in rows {
            steps.push(match last {
                None => SequenceStep::SetTime(time),
                Some(last) => SequenceStep::Delay(time - last),
            });
            steps.extend(keys);
            last = Some(time);
        }
        let lines = steps
            .into_iter()
            .map(|step| SequenceLine { number: 0, step });
        Ok(SequenceFile {
            header: String::new(),
            lines: lines.collect(),
            ended: true,
        })
    }

    /// Its text.
    pub(crate) fn write(&self) -> String {
        let mut out = format!("{MARK}{}\n", self.header);
        for line in &self.lines {
            let text = match &line.step {
                SequenceStep::Blank => String::new(),
                SequenceStep::Comment(comment) => format!("#{comment}"),
                SequenceStep::Delay(ms) => format!("delay {ms}"),
                SequenceStep::AdvanceTime(ms) => format!("advanceTime {ms}"),
                SequenceStep::SetTime(ms) => format!("setTime {ms}"),
                SequenceStep::Radians => "radians".to_owned(),
                SequenceStep::Degrees => "degrees".to_owned(),
                SequenceStep::Load(file) => format!("load {file}"),
                SequenceStep::Overlay(file) => format!("overlay {file}"),
                SequenceStep::LoadExplicit(file) => format!("loadExplicit {file}"),
                SequenceStep::Key {
                    output,
                    value,
                    weight,
                } => match weight {
                    None => format!("{output} {}", shortest(*value)),
                    Some(weight) => format!("{output} {} {}", shortest(*value), shortest(*weight)),
                },
            };
            out.push_str(&text);
            out.push('\n');
        }
        if self.ended {
            out.push_str("#END\n");
        }
        out
    }
}

/// Plays the lines into keys.
struct SequencePlayer<'f> {
    known: Option<Vec<String>>,
    around: &'f dyn MotionSurroundings,
    motion: KeyedMotion,
    playhead: u64,
    end: u64,
    keys: usize,
    loads: usize,
    /// In how many files the one that is played was loaded.
    depth: usize,
}

impl SequencePlayer<'_> {
    /// Plays a file whose times count from `base`.
    fn play(
        &mut self,
        file: &SequenceFile,
        base: u64,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<(), ReadFailure> {
        let mut degrees = false;
        for line in &file.lines {
            let wrong = |sentence: String| FileMistake::new(line.number, 1, sentence);
            match &line.step {
                SequenceStep::Blank | SequenceStep::Comment(_) => {}
                SequenceStep::Radians => degrees = false,
                SequenceStep::Degrees => degrees = true,
                SequenceStep::Delay(ms) | SequenceStep::AdvanceTime(ms) => {
                    self.playhead = self.playhead.saturating_add(*ms);
                }
                SequenceStep::SetTime(ms) => self.playhead = base.saturating_add(*ms),
                SequenceStep::Key {
                    output,
                    value,
                    weight,
                } => {
                    let value = if degrees { value.to_radians() } else { *value };
                    self.key(output, value, weight.unwrap_or(1.0), line.number, remarks)?;
                }
                SequenceStep::Load(name) | SequenceStep::Overlay(name) => {
                    self.load(name, false, line.number, remarks)?;
                }
                SequenceStep::LoadExplicit(name) => self.load(name, true, line.number, remarks)?,
            }
            if self.playhead > TIME_MAX / MS {
                let sentence = "the playhead is after 250,000 s; fix: check the times";
                return Err(wrong(sentence.to_owned()).into());
            }
        }
        Ok(())
    }

    fn key(
        &mut self,
        name: &str,
        value: f64,
        weight: f64,
        number: usize,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<(), FileMistake> {
        let names = meant(bare_name(name), self.known.as_deref());
        if names.is_empty() {
            let sentence = format!(
                "{} has no output {}, which is left out",
                quoted(self.around.model()),
                quoted(name)
            );
            remarks.push(FileMistake::new(number, 1, sentence));
        }
        self.end = self.end.max(self.playhead);
        // Of a sequence that is loaded, Tekkotsu takes over only what counts.
        if self.depth > 0 && weight <= 0.0 {
            return Ok(());
        }
        for name in names {
            self.keys += 1;
            if self.keys > KEYS_MAX {
                let sentence = format!("more than {KEYS_MAX} keys");
                return Err(FileMistake::new(number, 1, sentence));
            }
            let Some(track) = self.motion.track(&name) else {
                return Err(FileMistake::new(number, 1, "too many outputs"));
            };
            track.insert(JointKey {
                weight,
                ..JointKey::linear(self.playhead * MS, value)
            });
        }
        Ok(())
    }

    fn load(
        &mut self,
        name: &str,
        explicit: bool,
        number: usize,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<(), ReadFailure> {
        let wrong = |sentence: String| FileMistake::new(number, 1, sentence);
        let Some(bytes) = self.around.file(name) else {
            let sentence = format!(
                "there is no file {}; fix: put it beside this one",
                quoted(name)
            );
            return Err(wrong(sentence).into());
        };
        self.loads += 1;
        if self.loads > LOADS_MAX {
            let sentence =
                format!("more than {LOADS_MAX} files are loaded; fix: check for circles");
            return Err(wrong(sentence).into());
        }
        let inside = |mistake: FileMistake| wrong(format!("in {}: {mistake}", quoted(name)));
        let text = decode(&bytes).map_err(inside)?;
        let read = |failure: ReadFailure| wrong(format!("in {}: {failure}", quoted(name)));
        if text.trim_start().starts_with(POSTURE_MARK) {
            let posture = PostureFile::read(&text, remarks).map_err(read)?;
            let outputs = posture.outputs(self.around, remarks).map_err(inside)?;
            return Ok(self.pose(&outputs, explicit, number, remarks)?);
        }
        if explicit {
            let sentence = format!("{} is no posture, which loadExplicit needs", quoted(name));
            return Err(wrong(sentence).into());
        }
        let sequence = SequenceFile::read(&text, remarks).map_err(read)?;
        let base = self.playhead;
        let end = std::mem::take(&mut self.end);
        self.depth += 1;
        let played = self.play(&sequence, base, remarks);
        self.depth -= 1;
        self.playhead = self.end.max(base);
        self.end = self.end.max(end);
        played
    }

    /// Sets a pose at the playhead.
    fn pose(
        &mut self,
        outputs: &[PostureOutput],
        explicit: bool,
        number: usize,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<(), FileMistake> {
        for output in outputs {
            if explicit || output.weight > 0.0 {
                self.key(&output.name, output.value, output.weight, number, remarks)?;
            }
        }
        let model = self.around.model();
        let all = self.around.outputs(model).filter(|_| explicit);
        for name in all.unwrap_or_default() {
            if outputs.iter().all(|output| output.name != name) {
                self.key(&name, 0.0, 0.0, number, remarks)?;
            }
        }
        Ok(())
    }
}
