//! A posture, `.pos`: its lines, what they mean for a body, and its text. Called by `lib` and
//! `sequence`.
//! A line that is written is the line that was read; outputs that are not named have no
//! weight.

use regex_lite::Regex;

use super::{MotionSurroundings, bare_name, known_names, meant};
use crate::fault::{FileMistake, WriteFailure, quoted};
use crate::motion::{JointKey, JointTrack, KeyedMotion, TRACKS_MAX};
use crate::text::number::shortest;

/// The first word of a posture.
pub(crate) const MARK: &str = "#POS";

/// A posture.
#[derive(Clone, Debug, PartialEq)]
pub struct PostureFile {
    /// What follows `#POS` on its line.
    pub header: String,
    /// Its lines, without the first and last.
    pub lines: Vec<PostureLine>,
    /// Whether it ends with `#END`.
    pub ended: bool,
}

/// A line of a posture.
#[derive(Clone, Debug)]
pub struct PostureLine {
    /// Its number in the file, counted from 1; 0 in one that was not read.
    pub number: usize,
    /// What it says.
    pub part: PosturePart,
    /// What stands behind `#`.
    pub comment: Option<String>,
}

/// The same line may have another number.
impl PartialEq for PostureLine {
    fn eq(&self, other: &PostureLine) -> bool {
        self.part == other.part && self.comment == other.comment
    }
}

/// What a line of a posture says.
#[derive(Clone, Debug, PartialEq)]
pub enum PosturePart {
    /// Nothing.
    Blank,
    /// The following lines are for robots whose model matches; without an expression, for all.
    Specialize(Option<String>),
    /// The order of which model condensed lines have.
    Condensed(String),
    /// Lines are entries again.
    Verbose,
    /// A section begins or ends.
    Section {
        /// Its name.
        name: String,
        /// Whether it ends.
        ends: bool,
    },
    /// All values of a section on one line.
    Values {
        /// `outputs`, `weights`, `meta-info`, or a section of sensors.
        name: String,
        /// The values.
        values: Vec<f64>,
    },
    /// One output.
    Entry {
        /// Its name.
        name: String,
        /// Its value.
        value: f64,
        /// How much it counts; 1 if it is not said.
        weight: Option<f64>,
    },
}

/// What a posture says of one output.
#[derive(Clone, Debug, PartialEq)]
pub struct PostureOutput {
    /// The output.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// How much it counts.
    pub weight: f64,
}

impl PostureFile {
    /// What it says of the outputs of a body; each once, in the order of the lines.
    ///
    /// # Errors
    /// What does not fit.
    pub fn outputs(
        &self,
        around: &dyn MotionSurroundings,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<Vec<PostureOutput>, FileMistake> {
        let mut reader = PostureMeaning {
            known: known_names(around),
            around,
            outputs: Vec::new(),
            condensed: None,
        };
        let mut applies = true;
        let mut is_for_others = false;
        let mut is_output = true;
        for line in &self.lines {
            match &line.part {
                PosturePart::Specialize(None) => applies = true,
                PosturePart::Specialize(Some(expression)) => {
                    applies = matches(expression, around, line.number)?;
                    is_for_others |= !applies;
                }
                PosturePart::Section { name, ends } => is_output = *ends || name == "outputs",
                _ if !applies => {}
                PosturePart::Entry {
                    name,
                    value,
                    weight,
                } if is_output => {
                    let weight = weight.unwrap_or(1.0);
                    reader.entry(name, *value, weight, line.number, remarks);
                }
                PosturePart::Condensed(model) => reader.condensed = Some(model),
                PosturePart::Verbose => reader.condensed = None,
                PosturePart::Values { name, values } => {
                    reader.values(name, values, line.number, remarks)?;
                }
                PosturePart::Blank | PosturePart::Entry { .. } => {}
            }
        }
        if is_for_others && reader.outputs.is_empty() {
            let model = quoted(around.model());
            let sentence =
                format!("no part of the file is for the model {model}: see `specialize`");
            remarks.push(FileMistake::new(1, 1, sentence));
        }
        Ok(reader.outputs)
    }

    /// The posture as a motion of one key.
    pub(crate) fn motion(
        &self,
        around: &dyn MotionSurroundings,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<KeyedMotion, FileMistake> {
        let outputs = self.outputs(around, remarks)?;
        let tracks = outputs.into_iter().map(|output| JointTrack {
            joint: output.name,
            keys: vec![JointKey {
                weight: output.weight,
                ..JointKey::linear(0, output.value)
            }],
            ..JointTrack::default()
        });
        Ok(KeyedMotion {
            tracks: tracks.collect(),
            ..KeyedMotion::default()
        })
    }

    /// The first values of a motion as a posture.
    pub(crate) fn of_motion(motion: &KeyedMotion) -> PostureFile {
        let mut lines = Vec::new();
        for track in &motion.tracks {
            if let Some(key) = track.keys.first() {
                lines.push(PostureLine {
                    number: 0,
                    part: PosturePart::Entry {
                        name: track.joint.clone(),
                        value: track.si(key),
                        weight: (key.weight.total_cmp(&1.0).is_ne()).then_some(key.weight),
                    },
                    comment: None,
                });
            }
        }
        PostureFile {
            header: String::new(),
            lines,
            ended: true,
        }
    }

    /// The same with all values on one line, in the order of the body's outputs; those that it does not name have no
    /// weight.
    ///
    /// # Errors
    /// What does not fit the body, or that its order is not known.
    pub fn condensed(
        &self,
        around: &dyn MotionSurroundings,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<PostureFile, FileMistake> {
        let outputs = self.outputs(around, remarks)?;
        let order = around.outputs(around.model()).ok_or_else(|| {
            let sentence = "the order of the outputs is not known; fix: name the robot";
            FileMistake::new(1, 1, sentence)
        })?;
        let of = |name: &String| outputs.iter().find(|output| &output.name == name);
        let row = |of_output: &dyn Fn(&PostureOutput) -> f64| {
            let values = order.iter().map(|name| of(name).map_or(0.0, of_output));
            values.collect::<Vec<_>>()
        };
        let values = |name: &str, values| PosturePart::Values {
            name: name.to_owned(),
            values,
        };
        // Tekkotsu knows its own bodies by their own names.
        let other = around.other_models().into_iter().next();
        let model = other.unwrap_or_else(|| around.model().to_owned());
        let mut parts = vec![
            PosturePart::Condensed(model),
            values("outputs", row(&|value| value.value)),
        ];
        let weights = row(&|value| value.weight);
        if weights.iter().any(|weight| weight.total_cmp(&1.0).is_ne()) {
            parts.push(values("weights", weights));
        }
        let line = |part| PostureLine {
            number: 0,
            part,
            comment: None,
        };
        Ok(PostureFile {
            header: self.header.clone(),
            lines: parts.into_iter().map(line).collect(),
            ended: true,
        })
    }

    /// Its text.
    pub(crate) fn write(&self) -> Result<String, WriteFailure> {
        let mut out = format!("{MARK}{}\n", self.header);
        for line in &self.lines {
            let part = match &line.part {
                PosturePart::Blank => String::new(),
                PosturePart::Specialize(None) => "specialize".to_owned(),
                PosturePart::Specialize(Some(expression)) => format!("specialize {expression}"),
                PosturePart::Condensed(model) => format!("condensed {model}"),
                PosturePart::Verbose => "verbose".to_owned(),
                PosturePart::Section { name, ends: false } => format!("<{name}>"),
                PosturePart::Section { name, ends: true } => format!("</{name}>"),
                PosturePart::Values { name, values } => {
                    let values: Vec<_> = values.iter().map(|value| shortest(*value)).collect();
                    format!("{name} {}", values.join(" "))
                }
                PosturePart::Entry {
                    name,
                    value,
                    weight,
                } => match weight {
                    None => format!("{name} {}", shortest(*value)),
                    Some(weight) => format!("{name} {} {}", shortest(*value), shortest(*weight)),
                },
            };
            out.push_str(&part);
            if let Some(comment) = &line.comment {
                let space = if part.is_empty() { "" } else { " " };
                out.push_str(&format!("{space}#{comment}"));
            }
            out.push('\n');
        }
        if self.ended {
            out.push_str("#END\n");
        }
        Ok(out)
    }
}

fn matches(
    expression: &str,
    around: &dyn MotionSurroundings,
    number: usize,
) -> Result<bool, FileMistake> {
    let compiled = Regex::new(expression).map_err(|_| {
        let sentence = format!("{} is no expression for models", quoted(expression));
        FileMistake::new(number, 1, sentence)
    })?;
    let model = around.model();
    let mut others = around.other_models().into_iter();
    // As long as nobody knows the body, all parts count.
    Ok(model.is_empty() || compiled.is_match(model) || others.any(|item| compiled.is_match(&item)))
}

/// Gathers what the lines mean.
struct PostureMeaning<'f> {
    known: Option<Vec<String>>,
    around: &'f dyn MotionSurroundings,
    outputs: Vec<PostureOutput>,
    condensed: Option<&'f String>,
}

impl PostureMeaning<'_> {
    fn entry(
        &mut self,
        name: &str,
        value: f64,
        weight: f64,
        number: usize,
        remarks: &mut Vec<FileMistake>,
    ) {
        let names = meant(bare_name(name), self.known.as_deref());
        if names.is_empty() {
            let sentence = format!(
                "{} has no output {}, which is left out",
                quoted(self.around.model()),
                quoted(name)
            );
            remarks.push(FileMistake::new(number, 1, sentence));
        }
        for name in names {
            let is_full = self.outputs.len() >= TRACKS_MAX;
            match self.outputs.iter_mut().find(|output| output.name == name) {
                Some(output) => (output.value, output.weight) = (value, weight),
                None if is_full => {
                    let sentence = format!("more than {TRACKS_MAX} outputs; the rest is left out");
                    remarks.push(FileMistake::new(number, 1, sentence));
                }
                None => self.outputs.push(PostureOutput {
                    name: name.into_owned(),
                    value,
                    weight,
                }),
            }
        }
    }

    fn values(
        &mut self,
        name: &str,
        values: &[f64],
        number: usize,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<(), FileMistake> {
        if name != "outputs" && name != "weights" {
            return Ok(());
        }
        let Some(model) = self.condensed else {
            let sentence = "condensed values before `condensed` and a model";
            return Err(FileMistake::new(number, 1, sentence));
        };
        let Some(order) = self.around.outputs(model) else {
            let sentence = format!(
                "the order of the model {} is not known; fix: name its robot, or save the posture as verbose",
                quoted(model)
            );
            return Err(FileMistake::new(number, 1, sentence));
        };
        if order.len() != values.len() {
            let sentence = format!(
                "{} values, but the model {} has {}",
                values.len(),
                quoted(model),
                order.len()
            );
            return Err(FileMistake::new(number, 1, sentence));
        }
        for (output, value) in order.iter().zip(values) {
            if name == "outputs" {
                self.entry(output, *value, 1.0, number, remarks);
            } else if let Some(known) = self.outputs.iter_mut().find(|item| &item.name == output) {
                known.weight = *value;
            }
        }
        Ok(())
    }
}
