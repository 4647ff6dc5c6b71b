//! Reads the lines of a file of skills. Called by `skill`.
//! The law: a list of joints goes on over lines until its `end`, and is one command. A number is all that hangs
//! together by brackets and signs, with blanks or without; what is neither a constant nor has a parameter is a mistake.

use super::constant::constant;
use super::{MARK, SkillCommand, SkillFile, SkillLine, SkillNumber};
use crate::fault::{FileMistake, MistakeList, ReadFailure, quoted};
use crate::motion::KEYS_MAX;
use crate::text::number::number;
use crate::text::{SourceLine, check_lines, lines};

/// Commands that are kept as words.
const OTHERS: [&str; 7] = [
    "stabilize",
    "setfoot",
    "startcurve",
    "controlpoint",
    "endcurve",
    "waitpose",
    "calibrate",
];

/// Commands with a list that ends with `end`.
const LISTS: [&str; 4] = ["settar", "inctar", "setscale", "reset"];

/// Commands that begin no list.
const SINGLES: [&str; 6] = [
    "startskill",
    "endskill",
    "reflectskill",
    "startstate",
    "endstate",
    "wait",
];

const SIGNS: [char; 4] = ['+', '-', '*', '/'];

/// A place in the file: its line and column.
type SkillPlace = (usize, usize);

/// A word and where it stands.
#[derive(Clone, Copy)]
struct SkillWord<'t> {
    text: &'t str,
    place: SkillPlace,
}

impl SkillWord<'_> {
    fn wrong(&self, sentence: impl Into<String>) -> FileMistake {
        FileMistake::new(self.place.0, self.place.1, sentence)
    }
}

/// A command, and where its words stand: its own, and those of its numbers or joints.
type PlacedCommand = (SkillCommand, Vec<SkillPlace>);

/// Reads a file.
pub(super) fn read(text: &str) -> Result<SkillFile, ReadFailure> {
    check_lines(text)?;
    let mut mistakes = MistakeList::default();
    let mut all = Vec::new();
    let mut begun = false;
    let mut rest = lines(text).peekable();
    while let Some(line) = rest.next() {
        if all.len() >= KEYS_MAX {
            mistakes.add(line.short("too many lines"));
            break;
        }
        let mut words = words(&line);
        let is_list = words.first().is_some_and(|it| is_one_of(it, &LISTS));
        while is_list && words.last().is_some_and(|it| it.text != "end") {
            let Some(next) = rest.next_if(goes_on) else {
                break;
            };
            words.extend(self::words(&next));
        }
        if let Some((command, places)) = mistakes.keep(command(&line, &words)) {
            begun |= matches!(
                command,
                SkillCommand::StartSkill(_) | SkillCommand::Reflect(..)
            );
            all.push(SkillLine {
                number: line.number,
                places,
                command,
            });
        }
    }
    if !begun {
        let sentence = format!("there is no {MARK}; fix: check that it is a skill");
        mistakes.add(FileMistake::new(1, 1, sentence));
    }
    mistakes.or(SkillFile { lines: all })
}

fn words<'t>(line: &SourceLine<'t>) -> Vec<SkillWord<'t>> {
    let words = line.words(|it| it == ' ' || it == '\t').into_iter();
    let placed = words.map(|word| {
        let place = line.wrong(&word, "");
        SkillWord {
            text: word.text,
            place: (place.line, place.column),
        }
    });
    placed.collect()
}

fn is_one_of(word: &SkillWord<'_>, names: &[&str]) -> bool {
    names.iter().any(|it| word.text.eq_ignore_ascii_case(it))
}

/// Whether a line may belong to the list before it: it has words, and no command of its own.
fn goes_on(line: &SourceLine<'_>) -> bool {
    let begins = |it: &SkillWord<'_>| {
        it.text.starts_with('#')
            || is_one_of(it, &LISTS)
            || is_one_of(it, &SINGLES)
            || is_one_of(it, &OTHERS)
    };
    words(line).first().is_some_and(|it| !begins(it))
}

fn command(line: &SourceLine<'_>, words: &[SkillWord<'_>]) -> Result<PlacedCommand, FileMistake> {
    let bare = line.text.trim_start();
    if let Some(comment) = bare.strip_prefix('#') {
        return Ok((SkillCommand::Comment(comment.to_owned()), Vec::new()));
    }
    let Some(first) = words.first() else {
        return Ok((SkillCommand::Blank, Vec::new()));
    };
    let name = |at: usize| match words.get(at) {
        Some(word) => Ok(word.text.to_owned()),
        None => Err(line.short("a name is missing")),
    };
    let alone = |command: SkillCommand, used: usize| match words.get(used) {
        None => Ok((command, vec![first.place])),
        Some(word) => Err(word.wrong("nothing may follow here; fix: remove it")),
    };
    match first.text.to_ascii_lowercase().as_str() {
        "startskill" => alone(SkillCommand::StartSkill(name(1)?), 2),
        "endskill" => alone(SkillCommand::EndSkill, 1),
        "reflectskill" => alone(SkillCommand::Reflect(name(1)?, name(2)?), 3),
        "startstate" => alone(SkillCommand::StartState, 1),
        "endstate" => alone(SkillCommand::EndState, 1),
        "settar" => pairs(line, words, SkillCommand::SetTargets),
        "inctar" => pairs(line, words, SkillCommand::AddTargets),
        "setscale" => pairs(line, words, SkillCommand::SetScale),
        "reset" => {
            let joints = ended(line, words)?;
            let names = joints.iter().map(|it| it.text.to_owned()).collect();
            let places = words.iter().map(|it| it.place).collect();
            Ok((SkillCommand::Reset(names), places))
        }
        "wait" => {
            let rest = match words.last() {
                Some(last) if last.text == "end" => ended(line, words)?,
                _ => words.get(1..).unwrap_or_default(),
            };
            let missing = || line.short("expected a time in seconds behind wait");
            let (time, place, left) = value(rest)?.ok_or_else(missing)?;
            if !left.is_empty() {
                return Err(missing());
            }
            Ok((SkillCommand::Wait(time), vec![first.place, place]))
        }
        other if OTHERS.contains(&other) => {
            let words = words.iter().map(|it| it.text.to_owned());
            Ok((SkillCommand::Other(words.collect()), vec![first.place]))
        }
        _ => Err(first.wrong(format!("unknown command {}", quoted(first.text)))),
    }
}

/// The words between the first one and `end`.
fn ended<'w, 't>(
    line: &SourceLine<'_>,
    words: &'w [SkillWord<'t>],
) -> Result<&'w [SkillWord<'t>], FileMistake> {
    match words {
        [_, inside @ .., last] if last.text == "end" && !inside.is_empty() => Ok(inside),
        _ => Err(line.short("expected joints, and `end` at the end of the line")),
    }
}

/// A list of joints with a number behind each.
fn pairs(
    line: &SourceLine<'_>,
    words: &[SkillWord<'_>],
    of: fn(Vec<(String, SkillNumber)>) -> SkillCommand,
) -> Result<PlacedCommand, FileMistake> {
    let mut pairs = Vec::new();
    let mut places: Vec<_> = words.iter().take(1).map(|it| it.place).collect();
    let mut rest = ended(line, words)?;
    while let [joint, behind @ ..] = rest {
        if joint.text.starts_with(['+', '-', '*', '/', '(', ')', '$']) {
            let sentence = format!(
                "{} is no joint; fix: write a joint, then its number",
                quoted(joint.text)
            );
            return Err(joint.wrong(sentence));
        }
        let missing = || line.short("each joint needs a number behind it");
        let (number, place, left) = value(behind)?.ok_or_else(missing)?;
        pairs.push((joint.text.to_owned(), number));
        places.push(place);
        rest = left;
    }
    Ok((of(pairs), places))
}

/// A number, its place, and the words behind it.
type FoundNumber<'w, 't> = (SkillNumber, SkillPlace, &'w [SkillWord<'t>]);

/// The number that words begin with: those that brackets and signs hold together. Nothing if there are no words.
fn value<'w, 't>(words: &'w [SkillWord<'t>]) -> Result<Option<FoundNumber<'w, 't>>, FileMistake> {
    let Some(first) = words.first() else {
        return Ok(None);
    };
    let mut text = String::new();
    let mut depth = 0_usize;
    let mut used = 0;
    for word in words {
        let hangs = depth > 0
            || text.ends_with(SIGNS)
            || word.text.starts_with(SIGNS)
            || word.text.starts_with(')');
        if !(text.is_empty() || hangs) {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word.text);
        used += 1;
        depth += word.text.matches('(').count();
        let closed = word.text.matches(')').count();
        let missing = || word.wrong("a bracket closes that was not opened");
        depth = depth.checked_sub(closed).ok_or_else(missing)?;
    }
    if depth > 0 {
        return Err(first.wrong("the bracket that opens here is not closed"));
    }
    let number = of_text(&text).map_err(|sentence| first.wrong(sentence))?;
    Ok(Some((
        number,
        first.place,
        words.get(used..).unwrap_or_default(),
    )))
}

fn of_text(text: &str) -> Result<SkillNumber, String> {
    let is_name = |it: &str| {
        it.chars()
            .all(|it| it.is_alphanumeric() || it == '_' || it == '.')
    };
    if let Some(name) = text.strip_prefix('$').filter(|it| is_name(it)) {
        return Ok(SkillNumber::Parameter(name.to_owned()));
    }
    let read = number(text, true).map(SkillNumber::Is);
    read.or_else(|fault| {
        if constant(text).is_some() || text.contains('$') {
            return Ok(SkillNumber::Expression(text.to_owned()));
        }
        Err(if text.contains(' ') || text.contains('(') {
            format!(
                "{} is no sum or product of numbers; fix: write a number",
                quoted(text)
            )
        } else {
            format!("{}: {fault}", quoted(text))
        })
    })
}
