//! Reads the lines of a posture. Called by `lib`.
//! Every line is understood or a mistake; what it means for a body is decided later.

use super::posture::{MARK, PostureFile, PostureLine, PosturePart};
use super::{framed, word_number};
use crate::fault::{FileMistake, MistakeList, ReadFailure, quoted};
use crate::motion::KEYS_MAX;
use crate::text::SourceLine;

/// Names that begin a condensed line.
const CONDENSED: [&str; 6] = [
    "outputs",
    "weights",
    "meta-info",
    "buttons",
    "sensors",
    "pidduties",
];

impl PostureFile {
    /// Reads a posture.
    pub(crate) fn read(
        text: &str,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<PostureFile, ReadFailure> {
        let framed = framed(text, MARK, remarks)?;
        let mut mistakes = MistakeList::default();
        let mut lines = Vec::new();
        let mut condensed = false;
        for line in &framed.lines {
            if lines.len() >= KEYS_MAX {
                mistakes.add(line.short("too many lines"));
                break;
            }
            if let Some(keep) = mistakes.keep(read_line(line, condensed)) {
                match keep.part {
                    PosturePart::Condensed(_) => condensed = true,
                    PosturePart::Verbose => condensed = false,
                    _ => {}
                }
                lines.push(keep);
            }
        }
        mistakes.or(PostureFile {
            header: framed.header,
            lines,
            ended: framed.ended,
        })
    }
}

fn read_line(line: &SourceLine<'_>, condensed: bool) -> Result<PostureLine, FileMistake> {
    let (text, comment) = match line.text.split_once('#') {
        Some((text, comment)) => (text, Some(comment.to_owned())),
        None => (line.text, None),
    };
    let line = SourceLine {
        number: line.number,
        text,
    };
    Ok(PostureLine {
        number: line.number,
        part: part(&line, condensed)?,
        comment,
    })
}

fn part(line: &SourceLine<'_>, condensed: bool) -> Result<PosturePart, FileMistake> {
    let words = line.words(|value| matches!(value, ' ' | '\t' | '='));
    let Some(first) = words.first() else {
        return Ok(PosturePart::Blank);
    };
    if let Some(inside) = first.text.strip_prefix('<') {
        let name = inside.strip_suffix('>').filter(|_| words.len() == 1);
        let Some(name) = name else {
            return Err(line.wrong(first, "a section stands alone on its line, as <outputs>"));
        };
        let (name, ends) = match name.strip_prefix('/') {
            Some(name) => (name, true),
            None => (name, false),
        };
        if !CONDENSED.contains(&name) {
            let sentence = format!("unknown section {}", quoted(name));
            return Err(line.wrong(first, sentence));
        }
        return Ok(PosturePart::Section {
            name: name.to_owned(),
            ends,
        });
    }
    let rest = words.get(1);
    match first.text {
        "specialize" => {
            let from = first.start + first.text.len();
            let expression = line.text.get(from..).unwrap_or("").trim();
            let expression = (!expression.is_empty()).then(|| expression.to_owned());
            return Ok(PosturePart::Specialize(expression));
        }
        "verbose" if rest.is_none() => return Ok(PosturePart::Verbose),
        "condensed" => {
            let model = rest.ok_or_else(|| line.short("the model is missing"))?;
            return Ok(PosturePart::Condensed(model.text.to_owned()));
        }
        _ => {}
    }
    let name = first.text.to_owned();
    if condensed && CONDENSED.contains(&first.text) {
        let values = words.iter().skip(1);
        let values = values.map(|value| word_number(line, Some(value), "a value"));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        if values.is_empty() {
            return Err(line.short("the values are missing"));
        }
        return Ok(PosturePart::Values { name, values });
    }
    let value = word_number(line, rest, &format!("the value of {}", quoted(&name)))?;
    let weight = match words.get(2) {
        None => None,
        Some(word) => Some(word_number(line, Some(word), "the weight")?),
    };
    if let Some(word) = words.get(3) {
        let sentence = "expected a name, a value, and perhaps a weight; fix: remove the rest";
        return Err(line.wrong(word, sentence));
    }
    Ok(PosturePart::Entry {
        name,
        value,
        weight,
    })
}
