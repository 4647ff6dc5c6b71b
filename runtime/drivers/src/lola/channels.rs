//! The names of LoLA's channels: a group and one of its members, `Position/HeadYaw` or `REye/3`.
//! Used by whoever mounts a NAO: a description names them.
//! The law: every channel has one name, which reads back as itself, and whatever is no name is a [`NoChannel`].

use std::fmt;
use std::str::FromStr;

use super::groups::{COMMANDS, Group, INPUTS, Members, OUTPUTS, READINGS, SONARS};

fn find(groups: &[Group], text: &str) -> Result<usize, NoChannel> {
    let (key, member) = text.split_once('/').ok_or(NoChannel)?;
    let group = groups.iter().find(|it| it.key == key).ok_or(NoChannel)?;
    Ok(group.first + member_of(group, member).ok_or(NoChannel)?)
}

fn write(groups: &[Group], place: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(group) = groups.iter().find(|it| it.places().contains(&place)) else {
        return Err(fmt::Error);
    };
    let member = place - group.first;
    match group.members {
        Members::Named(names) => write!(f, "{}/{}", group.key, names[member]),
        Members::Numbered(_) => write!(f, "{}/{member}", group.key),
    }
}

/// The number of a group's member, by its name or as a number.
fn member_of(group: &Group, text: &str) -> Option<usize> {
    let by_name = match group.members {
        Members::Named(names) => names.iter().position(|it| *it == text),
        Members::Numbered(_) => None,
    };
    // In one spelling only: what is not the number's own is a mistake.
    let by_number = || {
        text.parse()
            .ok()
            .filter(|it: &usize| it.to_string() == text)
    };
    by_name.or_else(by_number).filter(|it| *it < group.len())
}

/// LoLA has no channel of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoChannel;

impl fmt::Display for NoChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "LoLA has no channel of this name; fix: name a group and one of its members, such as Position/HeadYaw, \
             Battery/Charge or REye/3"
        )
    }
}

impl std::error::Error for NoChannel {}

/// A channel that LoLA is told: `Position/HeadYaw`, `Stiffness/HeadYaw`, `Chest/Red`, `REye/3`, `Sonar/Left`.
/// Instead of its name, a member's number is understood as well: `Sonar/0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LolaOutput(usize);

/// A channel that LoLA says: `Position/HeadYaw`, `Touch/Head/Touch/Front`, `FSR/LFoot/RearLeft`, `Battery/Charge`.
/// Instead of its name, a member's number is understood as well: `Touch/1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LolaInput(usize);

impl LolaOutput {
    /// All of them, in the order of the wire; `to_string` is the name.
    pub fn all() -> impl Iterator<Item = LolaOutput> {
        (0..COMMANDS).map(LolaOutput)
    }

    /// Its place among the values of a packet.
    pub fn place(self) -> usize {
        self.0
    }

    /// Whether a trigger drives it, which fires, and not an actuator that has a value.
    pub fn is_trigger(self) -> bool {
        SONARS.places().contains(&self.0)
    }
}

impl LolaInput {
    /// All of them, in the order of the wire; `to_string` is the name.
    pub fn all() -> impl Iterator<Item = LolaInput> {
        (0..READINGS).map(LolaInput)
    }

    /// Its place among the values of a packet.
    pub fn place(self) -> usize {
        self.0
    }
}

impl FromStr for LolaOutput {
    type Err = NoChannel;

    fn from_str(text: &str) -> Result<LolaOutput, NoChannel> {
        find(&OUTPUTS, text).map(LolaOutput)
    }
}

impl FromStr for LolaInput {
    type Err = NoChannel;

    fn from_str(text: &str) -> Result<LolaInput, NoChannel> {
        find(&INPUTS, text).map(LolaInput)
    }
}

impl fmt::Display for LolaOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(&OUTPUTS, self.0, f)
    }
}

impl fmt::Display for LolaInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(&INPUTS, self.0, f)
    }
}
