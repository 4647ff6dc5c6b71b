//! The files of Tekkotsu: postures, motion sequences, waypoints, parameters of walks. Called by
//! `lib`. Each is kept line by line, so that it is written as it was read; `posture` and `sequence`
//! also say what their lines mean for a body.
//! Lines end in CR, LF or CR LF, the last is `#END`; without it a file is read with a
//! remark. Angles are rad. Numbers may have decimal commas, since blanks divide them.

pub(crate) mod posture;
mod posture_read;
pub(crate) mod sequence;
mod sequence_read;
pub(crate) mod walk;
pub(crate) mod waypoints;

use crate::fault::{FileMistake, quoted};
use crate::text::number::number;
use crate::text::{SourceLine, SourceWord, check_lines, lines};

/// What a file may name that is outside of it.
pub trait MotionSurroundings {
    /// The model of the body.
    fn model(&self) -> &str;
    /// The names of a model's outputs, in its order.
    fn outputs(&self, model: &str) -> Option<Vec<String>>;
    /// Other names of the model.
    fn other_models(&self) -> Vec<String> {
        Vec::new()
    }
    /// Names of lists of its outputs, and other names of them.
    fn other_names(&self) -> Vec<String> {
        Vec::new()
    }
    /// The bytes of another file.
    fn file(&self, name: &str) -> Option<Vec<u8>>;
}

/// All names of outputs that the body has, if it is known.
fn known_names(around: &dyn MotionSurroundings) -> Option<Vec<String>> {
    let mut names = around.outputs(around.model())?;
    names.extend(around.other_names());
    Some(names)
}

/// Nothing is known beside the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSurroundings;

impl MotionSurroundings for NoSurroundings {
    fn model(&self) -> &'static str {
        ""
    }
    fn outputs(&self, _model: &str) -> Option<Vec<String>> {
        None
    }
    fn file(&self, _name: &str) -> Option<Vec<u8>> {
        None
    }
}

/// The text between a first line that begins with `mark` and the last line `#END`.
struct Framed<'t> {
    /// What follows the mark on its line.
    header: String,
    lines: Vec<SourceLine<'t>>,
    /// Whether there is a last line.
    ended: bool,
}

/// Takes off the first line and the last one.
fn framed<'t>(
    text: &'t str,
    mark: &str,
    remarks: &mut Vec<FileMistake>,
) -> Result<Framed<'t>, FileMistake> {
    check_lines(text)?;
    let mut all = lines(text);
    let header = all
        .next()
        .and_then(|value| value.text.trim_start().strip_prefix(mark));
    let Some(header) = header else {
        return Err(FileMistake::new(
            1,
            1,
            format!("the first line does not begin with {mark}"),
        ));
    };
    let mut kept = Vec::new();
    for line in all {
        if line.text.trim() == "#END" {
            return Ok(Framed {
                header: header.to_owned(),
                lines: kept,
                ended: true,
            });
        }
        kept.push(line);
    }
    let number = kept.last().map_or(1, |line| line.number) + 1;
    let sentence = "the last line #END is missing: the file may be cut off; fix: check its end";
    remarks.push(FileMistake::new(number, 1, sentence));
    Ok(Framed {
        header: header.to_owned(),
        lines: kept,
        ended: false,
    })
}

/// The words of a line, between blanks and tabs.
fn blank_words<'t>(line: &SourceLine<'t>) -> Vec<SourceWord<'t>> {
    line.words(|c| c == ' ' || c == '\t')
}

/// A number of a line.
fn word_number(
    line: &SourceLine<'_>,
    word: Option<&SourceWord<'_>>,
    what: &str,
) -> Result<f64, FileMistake> {
    let Some(word) = word else {
        return Err(line.short(format!("{what} is missing")));
    };
    number(word.text, true)
        .map_err(|fault| line.wrong(word, format!("{what} is {}: {fault}", quoted(word.text))))
}

/// Old names of nine letters, filled up with `~`.
fn bare_name(name: &str) -> &str {
    name.trim_end_matches('~')
}

/// The outputs that a name means: itself, or if the body has no such output, its left and right
/// one.
fn meant<'n>(name: &'n str, known: Option<&[String]>) -> Vec<std::borrow::Cow<'n, str>> {
    let Some(known) = known else {
        return vec![name.into()];
    };
    let has = |name: &str| known.iter().any(|item| item == name);
    if has(name) {
        return vec![name.into()];
    }
    let pair = [format!("L{name}"), format!("R{name}")];
    pair.into_iter()
        .filter(|pair| has(pair))
        .map(Into::into)
        .collect()
}
