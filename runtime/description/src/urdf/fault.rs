//! What can be wrong with a URDF, and the sentence for it with its line and the fix.
//! Made by every step of the import. A fault names the thing as its file names it.

use std::fmt;

use super::model::JointType;
use super::{LINKS_MAX, URDF_MAX};
use crate::TEXT_MAX;

/// The most faults that are told of one file.
const TOLD_MAX: usize = 20;

/// What is wrong. An owner is a phrase such as "the joint `elbow`".
#[derive(Clone, Debug, PartialEq)]
pub enum UrdfFault {
    /// The file is too large.
    Large,
    /// There are too many links.
    Many,
    /// It is no XML.
    Xml(String),
    /// It is a template for a URDF.
    Xacro,
    /// The root element is another.
    NotUrdf(String),
    /// There is no link.
    Empty,
    /// Something has no name.
    Nameless(&'static str),
    /// Something has the name of another.
    Twice(String),
    /// Something lacks a part that it must have.
    Lacks(String, &'static str),
    /// A figure is none.
    Number(String, String, String),
    /// A figure is not where it may be.
    Bound(String, String, f64, &'static str),
    /// An axis has no length.
    Axis(String),
    /// A range's lowest value is above its highest.
    Crossed(String, f64, f64),
    /// There is no such type of joint.
    Type(String, String),
    /// There is no such link or joint; the last is what may be meant.
    Unknown(String, &'static str, String, Option<String>),
    /// Two joints carry one link.
    Parents(String, String, String),
    /// Several links hang on nothing.
    Roots(Vec<String>),
    /// Links that hang on each other.
    Ring(Vec<String>),
    /// Joints that move as each other.
    MimicRing(String),
    /// The text would be longer than a description may be.
    Long(usize),
    /// The robot would not load.
    Loading(String),
}

impl fmt::Display for UrdfFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UrdfFault::Large => write!(f, "a URDF can have at most {} MiB", URDF_MAX >> 20),
            UrdfFault::Many => write!(f, "there are more than {LINKS_MAX} links"),
            UrdfFault::Xml(why) => write!(f, "invalid XML: {why}"),
            UrdfFault::Xacro => write!(
                f,
                "this is a xacro file: make the URDF first, with `xacro robot.urdf.xacro > robot.urdf`"
            ),
            UrdfFault::NotUrdf(tag) => write!(
                f,
                "this is not a URDF: its first element is `<{tag}>`, not `<robot>`"
            ),
            UrdfFault::Empty => write!(f, "the robot has no `<link>`"),
            UrdfFault::Nameless(what) => write!(f, "{what} has no name: add `name=\"...\"`"),
            UrdfFault::Twice(owner) => {
                write!(f, "{owner} is described twice: rename one")
            }
            UrdfFault::Lacks(owner, what) => write!(f, "{owner} has no {what}"),
            UrdfFault::Number(owner, key, text) => {
                write!(
                    f,
                    "`{key}` of {owner} is `{text}`: expected {}",
                    figures(key)
                )
            }
            UrdfFault::Bound(owner, key, value, bound) => {
                write!(f, "`{key}` of {owner} is {value}: expected {bound}")
            }
            UrdfFault::Axis(owner) => write!(
                f,
                "the axis of {owner} has no length: set a direction, such as `xyz=\"0 0 1\"`"
            ),
            UrdfFault::Crossed(owner, lower, upper) => write!(
                f,
                "the limits of {owner} are crossed: `lower` is {lower} and `upper` is {upper}"
            ),
            UrdfFault::Type(owner, kind) => write!(
                f,
                "{owner} has the unknown type `{kind}`: expected {}",
                JointType::NAMES.join(", ")
            ),
            UrdfFault::Unknown(owner, what, name, near) => {
                unknown(f, owner, what, name, near.as_deref())
            }
            UrdfFault::Parents(link, first, second) => write!(
                f,
                "the link `{link}` is the child of two joints, `{first}` and `{second}`: a link has one parent"
            ),
            UrdfFault::Roots(links) => roots(f, links),
            UrdfFault::Ring(links) => write!(
                f,
                "the links {} form a ring: a robot is a tree",
                list(links)
            ),
            UrdfFault::MimicRing(joint) => {
                write!(
                    f,
                    "the joint `{joint}` mimics itself, directly or through other joints"
                )
            }
            UrdfFault::Long(bytes) => write!(
                f,
                "the description would have {bytes} bytes, more than {TEXT_MAX}: leave out shapes"
            ),
            UrdfFault::Loading(problems) => write!(f, "the robot would not load: {problems}"),
        }
    }
}

fn unknown(
    f: &mut fmt::Formatter<'_>,
    owner: &str,
    what: &str,
    name: &str,
    near: Option<&str>,
) -> fmt::Result {
    write!(
        f,
        "{owner} names the {what} `{name}`, which is not described"
    )?;
    match near {
        Some(near) => write!(f, "; did you mean `{near}`?"),
        None => Ok(()),
    }
}

fn roots(f: &mut fmt::Formatter<'_>, links: &[String]) -> fmt::Result {
    let (count, links) = (links.len(), list(links));
    write!(
        f,
        "{count} links have no parent, and a robot has one root: {links}; join them with a fixed joint"
    )
}

fn figures(key: &str) -> &'static str {
    match key {
        "xyz" | "rpy" | "size" => "three finite numbers",
        _ => "a finite number",
    }
}

/// The first names of a list.
fn list(names: &[String]) -> String {
    let shown = names.iter().take(6).map(|name| format!("`{name}`"));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if names.len() > 6 {
        text.push_str(", ...");
    }
    text
}

/// Everything that is wrong with a URDF, each with its line, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct UrdfFaults(pub Vec<(Option<usize>, UrdfFault)>);

impl UrdfFaults {
    pub(super) fn one(fault: UrdfFault) -> UrdfFaults {
        UrdfFaults(vec![(None, fault)])
    }

    /// Faults at bytes of `text`.
    pub(super) fn new(text: &str, mut found: Vec<(usize, UrdfFault)>) -> UrdfFaults {
        found.sort_by_key(|pair| pair.0);
        let mut lines = LineCounter::new(text);
        UrdfFaults(
            found
                .into_iter()
                .map(|(at, fault)| (Some(lines.of(at)), fault))
                .collect(),
        )
    }
}

impl fmt::Display for UrdfFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (line, fault)) in self.0.iter().take(TOLD_MAX).enumerate() {
            if place > 0 {
                writeln!(f)?;
            }
            if let Some(line) = line {
                write!(f, "line {line}: ")?;
            }
            write!(f, "{fault}")?;
        }
        match self.0.len().saturating_sub(TOLD_MAX) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for UrdfFaults {}

/// Warnings at bytes of `text`, as sentences in the order of the file.
pub(super) fn sentences(text: &str, mut found: Vec<(usize, String)>) -> Vec<String> {
    found.sort_by_key(|pair| pair.0);
    let mut lines = LineCounter::new(text);
    found
        .into_iter()
        .map(|(at, sentence)| format!("line {}: {sentence}", lines.of(at)))
        .collect()
}

/// Lines of places that only go forwards, so that a long file is walked through once.
struct LineCounter<'t> {
    text: &'t [u8],
    at: usize,
    line: usize,
}

impl LineCounter<'_> {
    fn new(text: &str) -> LineCounter<'_> {
        let (at, line) = (0, 1);
        let text = text.as_bytes();
        LineCounter { text, at, line }
    }

    fn of(&mut self, at: usize) -> usize {
        let at = at.clamp(self.at, self.text.len().max(self.at));
        let passed = self.text.get(self.at..at).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at = at;
        self.line
    }
}
