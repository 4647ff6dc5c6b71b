//! The names of LoLA's channels: a group and one of its members, `Position/HeadYaw` or `REye/3`.
//! Used when a NAO is mounted: a description names its channels.
//! Every channel has one name, which parses as that channel; any other text gives [`NoChannel`].

use std::fmt;
use std::str::FromStr;

use super::groups::{COMMANDS, Group, INPUTS, Members, OUTPUTS, READINGS, SONARS};

fn find(groups: &[Group], text: &str) -> Result<usize, NoChannel> {
    let (key, member) = text.split_once('/').ok_or(NoChannel)?;
    let group = groups
        .iter()
        .find(|group| group.key == key)
        .ok_or(NoChannel)?;
    Ok(group.first + member_of(group, member).ok_or(NoChannel)?)
}

fn write(groups: &[Group], place: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(group) = groups.iter().find(|group| group.places().contains(&place)) else {
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
        Members::Named(names) => names.iter().position(|name| *name == text),
        Members::Numbered(_) => None,
    };
    // Accept only the canonical spelling of a number.
    let by_number = || text.parse().ok().filter(|n: &usize| n.to_string() == text);
    by_name
        .or_else(by_number)
        .filter(|name| *name < group.len())
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

/// A channel to LoLA: `Position/HeadYaw`, `Stiffness/HeadYaw`, `Chest/Red`, `REye/3`, `Sonar/Left`. A member's number
/// may stand for its name: `Sonar/0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LolaOutput(usize);

/// A channel from LoLA: `Position/HeadYaw`, `Touch/Head/Touch/Front`, `FSR/LFoot/RearLeft`, `Battery/Charge`. A
/// member's number may stand for its name: `Touch/1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LolaInput(usize);

impl LolaOutput {
    /// All channels, in the order of the wire; `to_string` gives the name.
    pub fn all() -> impl Iterator<Item = LolaOutput> {
        (0..COMMANDS).map(LolaOutput)
    }

    /// Its index among the values of a packet.
    pub fn place(self) -> usize {
        self.0
    }

    /// Whether a trigger drives it, instead of an actuator with a value.
    pub fn is_trigger(self) -> bool {
        SONARS.places().contains(&self.0)
    }
}

impl LolaInput {
    /// All channels, in the order of the wire; `to_string` gives the name.
    pub fn all() -> impl Iterator<Item = LolaInput> {
        (0..READINGS).map(LolaInput)
    }

    /// Its index among the values of a packet.
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
