//! Skills of the robot-soccer simulation, `.skill` and `.skl`: states with target angles in
//! degrees, and waits. Called by `lib`; `play` makes motions.
//! The law: a line that is written is the line that was read, up to blanks. Commands that need the
//! ball or the balance are kept, but cannot be played.

mod constant;
mod play;

use crate::fault::{FileMistake, MistakeList, ReadFailure, quoted};
use crate::motion::KEYS_MAX;
use crate::text::number::number;
use crate::text::{SourceLine, SourceWord, check_lines, lines};

/// The first word of a skill.
pub(crate) const MARK: &str = "STARTSKILL";

/// A file of skills.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillFile {
    /// Its lines.
    pub lines: Vec<SkillLine>,
}

/// A line of a file of skills.
#[derive(Clone, Debug)]
pub struct SkillLine {
    /// Its number in the file, counted from 1; 0 in one that was not read.
    pub number: usize,
    /// What it says.
    pub command: SkillCommand,
}

/// The same line may have another number.
impl PartialEq for SkillLine {
    fn eq(&self, other: &SkillLine) -> bool {
        self.command == other.command
    }
}

/// What a line of a skill says.
#[derive(Clone, Debug, PartialEq)]
pub enum SkillCommand {
    /// Nothing.
    Blank,
    /// What stands behind `#`.
    Comment(String),
    /// A skill of this name begins.
    StartSkill(String),
    /// It ends.
    EndSkill,
    /// The mirror image of another skill, and its name.
    Reflect(String, String),
    /// A state begins.
    StartState,
    /// It ends.
    EndState,
    /// The angles of joints, °: `settar`.
    SetTargets(Vec<(String, SkillNumber)>),
    /// What is added to angles, °: `inctar`.
    AddTargets(Vec<(String, SkillNumber)>),
    /// The gains of joints: `setscale`.
    SetScale(Vec<(String, SkillNumber)>),
    /// Joints that go to their default: `reset`.
    Reset(Vec<String>),
    /// The state takes so long, s: `wait`.
    Wait(SkillNumber),
    /// Any other command, with its words: `stabilize`, `setfoot`, `STARTCURVE`, `controlpoint`,
    /// `ENDCURVE`.
    Other(Vec<String>),
}

/// A number, or the name of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum SkillNumber {
    /// A number.
    Is(f64),
    /// A parameter, without its `$`.
    Parameter(String),
    /// What stands in brackets, such as `( 12 + $lift )`, with single blanks.
    Expression(String),
}

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

impl SkillFile {
    /// Reads a file.
    pub(crate) fn read(text: &str) -> Result<SkillFile, ReadFailure> {
        check_lines(text)?;
        let mut mistakes = MistakeList::default();
        let mut all = Vec::new();
        let mut begun = false;
        for line in lines(text) {
            if all.len() >= KEYS_MAX {
                mistakes.add(line.short("too many lines"));
                break;
            }
            if let Some(command) = mistakes.keep(command(&line)) {
                begun |= matches!(
                    command,
                    SkillCommand::StartSkill(_) | SkillCommand::Reflect(..)
                );
                all.push(SkillLine {
                    number: line.number,
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

    /// Its text.
    pub(crate) fn write(&self) -> String {
        let mut out = String::new();
        for line in &self.lines {
            let text = match &line.command {
                SkillCommand::Blank => String::new(),
                SkillCommand::Comment(comment) => format!("#{comment}"),
                SkillCommand::StartSkill(name) => format!("{MARK} {name}"),
                SkillCommand::EndSkill => "ENDSKILL".to_owned(),
                SkillCommand::Reflect(from, to) => format!("REFLECTSKILL {from} {to}"),
                SkillCommand::StartState => "STARTSTATE".to_owned(),
                SkillCommand::EndState => "ENDSTATE".to_owned(),
                SkillCommand::SetTargets(list) => targets("settar", list),
                SkillCommand::AddTargets(list) => targets("inctar", list),
                SkillCommand::SetScale(list) => targets("setscale", list),
                SkillCommand::Reset(joints) => format!("reset {} end", joints.join(" ")),
                SkillCommand::Wait(time) => format!("wait {} end", time.written()),
                SkillCommand::Other(words) => words.join(" "),
            };
            out.push_str(&text);
            out.push('\n');
        }
        out
    }
}

fn targets(word: &str, list: &[(String, SkillNumber)]) -> String {
    let pairs = list
        .iter()
        .map(|(joint, it)| format!("{joint} {}", it.written()));
    let pairs: Vec<_> = pairs.collect();
    format!("{word} {} end", pairs.join(" "))
}

impl SkillNumber {
    fn written(&self) -> String {
        match self {
            SkillNumber::Is(it) => crate::text::number::shortest(*it),
            SkillNumber::Parameter(name) => format!("${name}"),
            SkillNumber::Expression(text) => text.clone(),
        }
    }

    fn read(line: &SourceLine<'_>, word: &SourceWord<'_>) -> Result<SkillNumber, FileMistake> {
        if word.text.starts_with('(') {
            let words: Vec<_> = word.text.split_whitespace().collect();
            return Ok(SkillNumber::Expression(words.join(" ")));
        }
        if let Some(name) = word.text.strip_prefix('$') {
            return Ok(SkillNumber::Parameter(name.to_owned()));
        }
        let value = number(word.text, true).map(SkillNumber::Is);
        value.or_else(|fault| match constant::constant(word.text) {
            Some(_) => Ok(SkillNumber::Expression(word.text.to_owned())),
            None => Err(line.wrong(word, format!("{}: {fault}", quoted(word.text)))),
        })
    }
}

fn command(line: &SourceLine<'_>) -> Result<SkillCommand, FileMistake> {
    let bare = line.text.trim_start();
    if let Some(comment) = bare.strip_prefix('#') {
        return Ok(SkillCommand::Comment(comment.to_owned()));
    }
    let words = line.words(|it| it == ' ' || it == '\t');
    let Some(first) = words.first() else {
        return Ok(SkillCommand::Blank);
    };
    let name = |at: usize| match words.get(at) {
        Some(word) => Ok(word.text.to_owned()),
        None => Err(line.short("a name is missing")),
    };
    let alone = |command: SkillCommand, used: usize| match words.get(used) {
        None => Ok(command),
        Some(word) => Err(line.wrong(word, "nothing may follow here; fix: remove it")),
    };
    match first.text.to_ascii_lowercase().as_str() {
        "startskill" => alone(SkillCommand::StartSkill(name(1)?), 2),
        "endskill" => alone(SkillCommand::EndSkill, 1),
        "reflectskill" => alone(SkillCommand::Reflect(name(1)?, name(2)?), 3),
        "startstate" => alone(SkillCommand::StartState, 1),
        "endstate" => alone(SkillCommand::EndState, 1),
        "settar" => Ok(SkillCommand::SetTargets(pairs(line, &words)?)),
        "inctar" => Ok(SkillCommand::AddTargets(pairs(line, &words)?)),
        "setscale" => Ok(SkillCommand::SetScale(pairs(line, &words)?)),
        "reset" => {
            let joints = ended(line, &words)?.iter();
            Ok(SkillCommand::Reset(
                joints.map(|it| it.text.to_owned()).collect(),
            ))
        }
        "wait" => {
            let rest = match words.last() {
                Some(last) if last.text == "end" => ended(line, &words)?,
                _ => words.get(1..).unwrap_or_default(),
            };
            let rest = grouped(line, rest)?;
            let [time] = &rest[..] else {
                return Err(line.short("expected a time in seconds behind wait"));
            };
            Ok(SkillCommand::Wait(SkillNumber::read(line, time)?))
        }
        other if OTHERS.contains(&other) => {
            let words = words.iter().map(|it| it.text.to_owned());
            Ok(SkillCommand::Other(words.collect()))
        }
        _ => {
            let sentence = format!("unknown command {}", quoted(first.text));
            Err(line.wrong(first, sentence))
        }
    }
}

/// The words between the first one and `end`.
fn ended<'w, 't>(
    line: &SourceLine<'_>,
    words: &'w [SourceWord<'t>],
) -> Result<&'w [SourceWord<'t>], FileMistake> {
    match words {
        [_, inside @ .., last] if last.text == "end" && !inside.is_empty() => Ok(inside),
        _ => Err(line.short("expected joints, and `end` at the end of the line")),
    }
}

/// The words, of which those in brackets together are one.
fn grouped<'t>(
    line: &SourceLine<'t>,
    words: &[SourceWord<'t>],
) -> Result<Vec<SourceWord<'t>>, FileMistake> {
    let mut groups = Vec::with_capacity(words.len());
    let mut open: Option<&SourceWord<'t>> = None;
    let mut depth = 0_usize;
    for word in words {
        let first = *open.get_or_insert(word);
        depth += word.text.matches('(').count();
        let closed = word.text.matches(')').count();
        let missing = || line.wrong(word, "a bracket closes that was not opened");
        depth = depth.checked_sub(closed).ok_or_else(missing)?;
        if depth == 0 {
            groups.extend(line.word(first.start, word.start + word.text.len()));
            open = None;
        }
    }
    match open {
        None => Ok(groups),
        Some(first) => Err(line.wrong(first, "the bracket that opens here is not closed")),
    }
}

fn pairs(
    line: &SourceLine<'_>,
    words: &[SourceWord<'_>],
) -> Result<Vec<(String, SkillNumber)>, FileMistake> {
    let words = grouped(line, ended(line, words)?)?;
    let (pairs, rest) = words.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(line.short("each joint needs a number behind it"));
    }
    let pair = |[joint, number]: &[SourceWord<'_>; 2]| {
        Ok((joint.text.to_owned(), SkillNumber::read(line, number)?))
    };
    pairs.iter().map(pair).collect()
}
