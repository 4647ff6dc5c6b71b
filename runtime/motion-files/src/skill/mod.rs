//! Skills of the robot-soccer simulation, `.skill` and `.skl`: states with target angles in
//! degrees, and waits. Called by `lib`; `read` reads lines, `play` makes motions.
//! A line that is written is the line that was read, up to blanks; each command becomes a line.
//! Commands that need the ball or the balance are kept, but cannot be played.

mod constant;
mod play;
mod read;

use crate::fault::ReadFailure;

/// The first word of a skill.
pub(crate) const MARK: &str = "STARTSKILL";

/// A file of skills.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillFile {
    /// Its lines: each command has one.
    pub lines: Vec<SkillLine>,
}

/// A line of a file of skills.
#[derive(Clone, Debug)]
pub struct SkillLine {
    /// Its number in the file, counted from 1; 0 in one that was not read.
    pub number: usize,
    /// The line and column of its command, and of each of its numbers or joints; none in one that
    /// was not read.
    pub places: Vec<(usize, usize)>,
    /// What it says.
    pub command: SkillCommand,
}

/// The same line may have another place.
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
    /// A sum or product, such as `( 12 + $lift )`, with single blanks.
    Expression(String),
}

impl SkillFile {
    /// Reads a file.
    pub(crate) fn read(text: &str) -> Result<SkillFile, ReadFailure> {
        read::read(text)
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
        .map(|(joint, number)| format!("{joint} {}", number.written()));
    let pairs: Vec<_> = pairs.collect();
    format!("{word} {} end", pairs.join(" "))
}

impl SkillNumber {
    fn written(&self) -> String {
        match self {
            SkillNumber::Is(is) => crate::text::number::shortest(*is),
            SkillNumber::Parameter(name) => format!("${name}"),
            SkillNumber::Expression(text) => text.clone(),
        }
    }
}
