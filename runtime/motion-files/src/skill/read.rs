//! Reads the commands of a file of skills. Called by `skill`.
//! Words are divided by white space, and ends of lines are no more than that: several commands may stand on a
//! line, and a list of joints goes on until its `end`. A number is all that hangs together by brackets and signs, with
//! blanks or without; what is neither a constant nor has a parameter is a mistake.

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

/// The end of a list, and of a wait.
const END: &str = "end";

/// A command as it stands in the file: its words, and where what is missing from it would stand.
struct SkillPart<'w, 't> {
    words: &'w [SkillWord<'t>],
    end: SkillPlace,
}

impl SkillPart<'_, '_> {
    fn short(&self, sentence: impl Into<String>) -> FileMistake {
        FileMistake::new(self.end.0, self.end.1, sentence)
    }
}

/// Reads a file.
pub(super) fn read(text: &str) -> Result<SkillFile, ReadFailure> {
    check_lines(text)?;
    let mut mistakes = MistakeList::default();
    let mut all = Vec::new();
    let mut begun = false;
    let mut rest = lines(text).peekable();
    'lines: while let Some(mut line) = rest.next() {
        let mut words = words(&line);
        let mut from = 0;
        if words.is_empty() {
            all.push(placed(line.number, (SkillCommand::Blank, Vec::new())));
        }
        while let Some(first) = words.get(from).copied() {
            if all.len() >= KEYS_MAX {
                mistakes.add(line.short("too many lines"));
                break 'lines;
            }
            if let Some(comment) = comment(&line, &first) {
                all.push(placed(first.place.0, (comment, Vec::new())));
                break;
            }
            let mut seen = from + 1;
            while is_open(&first, words.len() - from, &words[seen..])
                && let Some(next) = rest.next_if(goes_on)
            {
                seen = words.len();
                words.extend(self::words(&next));
                line = next;
            }
            let own = from..from + length(&words[from..]);
            from = own.end;
            let line_end = || {
                let end = line.short("");
                (end.line, end.column)
            };
            let part = SkillPart {
                end: words.get(from).map_or_else(line_end, |word| word.place),
                words: &words[own],
            };
            if let Some(command) = mistakes.keep(command(&part)) {
                begun |= matches!(
                    command.0,
                    SkillCommand::StartSkill(_) | SkillCommand::Reflect(..)
                );
                all.push(placed(first.place.0, command));
            }
        }
    }
    if !begun {
        let sentence = format!("there is no {MARK}; fix: check that it is a skill");
        mistakes.add(FileMistake::new(1, 1, sentence));
    }
    mistakes.or(SkillFile { lines: all })
}

fn placed(number: usize, (command, places): PlacedCommand) -> SkillLine {
    SkillLine {
        number,
        places,
        command,
    }
}

/// The comment that begins at a word of a line.
fn comment(line: &SourceLine<'_>, word: &SkillWord<'_>) -> Option<SkillCommand> {
    word.text.strip_prefix('#')?;
    let from = line.text.char_indices().nth(word.place.1 - 1)?.0;
    let text = line.text.get(from + 1..)?;
    Some(SkillCommand::Comment(text.to_owned()))
}

/// How many words a command has at most that has no `end`; nothing for one that has.
fn single_length(word: &SkillWord<'_>) -> Option<usize> {
    match word.text.to_ascii_lowercase().as_str() {
        "endskill" | "startstate" | "endstate" => Some(1),
        "startskill" => Some(2),
        "reflectskill" => Some(3),
        _ => None,
    }
}

/// Whether a command of so many words goes on, if the next line does not begin another; these are the newest of them.
fn is_open(first: &SkillWord<'_>, count: usize, newest: &[SkillWord<'_>]) -> bool {
    if let Some(length) = single_length(first) {
        return count < length && !newest.iter().any(begins);
    }
    let has_end = is_one_of(first, &LISTS) || is_one_of(first, &["wait"]);
    has_end && !newest.iter().any(|item| item.text == END || begins(item))
}

/// How many words belong to the first command.
fn length(words: &[SkillWord<'_>]) -> usize {
    let Some(first) = words.first() else {
        return 0;
    };
    let next = words.iter().skip(1).position(begins);
    let next = next.map_or(words.len(), |value| value + 1);
    if let Some(length) = single_length(first) {
        return length.min(next);
    }
    let known = is_one_of(first, &LISTS) || is_one_of(first, &SINGLES) || is_one_of(first, &OTHERS);
    if !known {
        // All that nobody knows is one mistake.
        return next;
    }
    let end = words.iter().take(next).position(|word| word.text == END);
    end.map_or(next, |end| end + 1)
}

fn words<'t>(line: &SourceLine<'t>) -> Vec<SkillWord<'t>> {
    let words = line.words(|c| c == ' ' || c == '\t').into_iter();
    // Columns are counted on from word to word: a line may be a whole file.
    let (mut from, mut column) = (0, 1);
    let placed = words.map(|word| {
        column += line
            .text
            .get(from..word.start)
            .unwrap_or("")
            .chars()
            .count();
        from = word.start;
        SkillWord {
            text: word.text,
            place: (line.number, column),
        }
    });
    placed.collect()
}

fn is_one_of(word: &SkillWord<'_>, names: &[&str]) -> bool {
    names
        .iter()
        .any(|name| word.text.eq_ignore_ascii_case(name))
}

/// Whether a word begins a command, or a comment.
fn begins(word: &SkillWord<'_>) -> bool {
    word.text.starts_with('#')
        || is_one_of(word, &LISTS)
        || is_one_of(word, &SINGLES)
        || is_one_of(word, &OTHERS)
}

/// Whether a line may belong to the command before it: it has words, and no command of its own.
fn goes_on(line: &SourceLine<'_>) -> bool {
    words(line).first().is_some_and(|word| !begins(word))
}

fn command(part: &SkillPart<'_, '_>) -> Result<PlacedCommand, FileMistake> {
    let words = part.words;
    let Some(first) = words.first() else {
        return Ok((SkillCommand::Blank, Vec::new()));
    };
    let name = |at: usize| match words.get(at) {
        Some(word) => Ok(word.text.to_owned()),
        None => Err(part.short("a name is missing")),
    };
    let alone = |command: SkillCommand| (command, vec![first.place]);
    match first.text.to_ascii_lowercase().as_str() {
        "startskill" => Ok(alone(SkillCommand::StartSkill(name(1)?))),
        "endskill" => Ok(alone(SkillCommand::EndSkill)),
        "reflectskill" => Ok(alone(SkillCommand::Reflect(name(1)?, name(2)?))),
        "startstate" => Ok(alone(SkillCommand::StartState)),
        "endstate" => Ok(alone(SkillCommand::EndState)),
        "settar" => pairs(part, SkillCommand::SetTargets),
        "inctar" => pairs(part, SkillCommand::AddTargets),
        "setscale" => pairs(part, SkillCommand::SetScale),
        "reset" => {
            let joints = ended(part)?;
            let names = joints.iter().map(|joint| joint.text.to_owned()).collect();
            let places = words.iter().map(|word| word.place).collect();
            Ok((SkillCommand::Reset(names), places))
        }
        "wait" => {
            let rest = match words.last() {
                Some(last) if last.text == END => ended(part)?,
                _ => words.get(1..).unwrap_or_default(),
            };
            let missing = || part.short("expected a time in seconds behind wait");
            let (time, place, left) = value(rest)?.ok_or_else(missing)?;
            if let Some(word) = left.first() {
                return Err(word.wrong("expected `end` behind the time of wait"));
            }
            Ok((SkillCommand::Wait(time), vec![first.place, place]))
        }
        other if OTHERS.contains(&other) => {
            let words = words.iter().map(|word| word.text.to_owned());
            Ok((SkillCommand::Other(words.collect()), vec![first.place]))
        }
        _ => Err(first.wrong(format!("unknown command {}", quoted(first.text)))),
    }
}

/// The words between the first one and `end`.
fn ended<'w, 't>(part: &SkillPart<'w, 't>) -> Result<&'w [SkillWord<'t>], FileMistake> {
    match part.words {
        [_, inside @ .., last] if last.text == END && !inside.is_empty() => Ok(inside),
        _ => Err(part.short("expected joints, and `end` behind them")),
    }
}

/// A list of joints with a number behind each.
fn pairs(
    part: &SkillPart<'_, '_>,
    of: fn(Vec<(String, SkillNumber)>) -> SkillCommand,
) -> Result<PlacedCommand, FileMistake> {
    let mut pairs = Vec::new();
    let mut places: Vec<_> = part.words.iter().take(1).map(|word| word.place).collect();
    let mut rest = ended(part)?;
    while let [joint, behind @ ..] = rest {
        if joint.text.starts_with(['+', '-', '*', '/', '(', ')', '$']) {
            let sentence = format!(
                "{} is no joint; fix: write a joint, then its number",
                quoted(joint.text)
            );
            return Err(joint.wrong(sentence));
        }
        let missing = || part.short("each joint needs a number behind it");
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
    let is_name = |text: &str| {
        text.chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '.')
    };
    if let Some(name) = text.strip_prefix('$').filter(|rest| is_name(rest)) {
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
