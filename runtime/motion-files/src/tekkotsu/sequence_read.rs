//! Reads the lines of a motion sequence. Called by `lib` and `sequence`.
//! A line has up to three words; more are left out, with a remark, and so is a comment behind
//! them, which Tekkotsu knows only at the start of a line. Commands may be written in any case. What
//! Tekkotsu skips with a warning is a mistake here: a number that is none, a weight that is none.

use super::sequence::{MARK, SequenceFile, SequenceLine, SequenceStep};
use super::{blank_words, framed, word_number};
use crate::fault::{FileMistake, MistakeList, ReadFailure, quoted};
use crate::motion::{KEYS_MAX, TIME_MAX};
use crate::text::number::{NumberFault, is_octal, whole};
use crate::text::{SourceLine, SourceWord};

impl SequenceFile {
    /// Reads a sequence.
    pub(crate) fn read(
        text: &str,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<SequenceFile, ReadFailure> {
        let framed = framed(text, MARK, remarks)?;
        let mut mistakes = MistakeList::default();
        let mut lines = Vec::new();
        for line in &framed.lines {
            if lines.len() >= KEYS_MAX {
                mistakes.add(line.short("too many lines"));
                break;
            }
            if let Some(step) = mistakes.keep(step(line, remarks)) {
                lines.push(SequenceLine {
                    number: line.number,
                    step,
                });
            }
        }
        mistakes.or(SequenceFile {
            header: framed.header,
            lines,
            ended: framed.ended,
        })
    }
}

fn step(
    line: &SourceLine<'_>,
    remarks: &mut Vec<FileMistake>,
) -> Result<SequenceStep, FileMistake> {
    if let Some(comment) = line.text.strip_prefix('#') {
        return Ok(SequenceStep::Comment(comment.to_owned()));
    }
    let words = blank_words(line);
    let Some(first) = words.first() else {
        return Ok(SequenceStep::Blank);
    };
    let argument = words.get(1);
    let command = first.text.to_ascii_lowercase();
    let (step, used) = match command.as_str() {
        "radians" => (SequenceStep::Radians, 1),
        "degrees" => (SequenceStep::Degrees, 1),
        "delay" => (SequenceStep::Delay(ms(line, argument, remarks)?), 2),
        "advancetime" => (SequenceStep::AdvanceTime(ms(line, argument, remarks)?), 2),
        "settime" => (SequenceStep::SetTime(ms(line, argument, remarks)?), 2),
        "load" => (SequenceStep::Load(file(line, argument)?), 2),
        "overlay" => (SequenceStep::Overlay(file(line, argument)?), 2),
        "loadexplicit" => (SequenceStep::LoadExplicit(file(line, argument)?), 2),
        _ => {
            let what = format!("the value of {}", quoted(first.text));
            let value = word_number(line, argument, &what)?;
            // Tekkotsu takes what is no weight for 1.
            let weight = words.get(2).filter(|word| !word.text.starts_with('#'));
            let used = if weight.is_some() { 3 } else { 2 };
            let weight = weight.map(|weight| word_number(line, Some(weight), "the weight"));
            let key = SequenceStep::Key {
                output: first.text.to_owned(),
                value,
                weight: weight.transpose()?,
            };
            (key, used)
        }
    };
    if let Some(word) = words.get(used) {
        let sentence = format!("{} and what follows is left out", quoted(word.text));
        remarks.push(line.wrong(word, sentence));
    }
    Ok(step)
}

fn ms(
    line: &SourceLine<'_>,
    word: Option<&SourceWord<'_>>,
    remarks: &mut Vec<FileMistake>,
) -> Result<u64, FileMistake> {
    let Some(word) = word else {
        return Err(line.short("the milliseconds are missing"));
    };
    let ms = whole(word.text).map_err(|fault| {
        let fix = match fault {
            NumberFault::NotANumber => "expected a whole number, such as 500".to_owned(),
            other => other.to_string(),
        };
        let sentence = format!("{} is no count of milliseconds: {fix}", quoted(word.text));
        line.wrong(word, sentence)
    })?;
    if ms > TIME_MAX / 1_000_000 {
        return Err(line.wrong(word, "a time is from 0 to 250,000 s"));
    }
    if is_octal(word.text) {
        let word_text = quoted(word.text);
        let sentence = format!(
            "{word_text} is octal for Tekkotsu, and {ms} ms; fix: remove the 0 if that is not meant"
        );
        remarks.push(line.wrong(word, sentence));
    }
    Ok(ms)
}

fn file(line: &SourceLine<'_>, word: Option<&SourceWord<'_>>) -> Result<String, FileMistake> {
    let word = word.ok_or_else(|| line.short("the name of the file is missing"))?;
    Ok(word.text.to_owned())
}
