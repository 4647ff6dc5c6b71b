//! Which format a file has. Called by `lib`, and by programs that take files of people.
//! What is inside decides; the ending of the name decides only between formats that look
//! alike.

use std::borrow::Cow;

use crate::tekkotsu::walk::WalkParameters;
use crate::tekkotsu::{posture, sequence, waypoints};
use crate::tree::TreeNode;
use crate::{aibo, own, python, recorded, team, webots, xar};

/// A format of motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MotionFormat {
    /// Our own CSV.
    Csv,
    /// Our own JSON.
    Json,
    /// Webots, `.motion`.
    Webots,
    /// The Python export of Choregraphe, `.py`.
    Python,
    /// A project of Choregraphe, `.xar`.
    Xar,
    /// A posture of Tekkotsu, `.pos`.
    Pos,
    /// A motion sequence of Tekkotsu, `.mot`.
    Mot,
    /// Waypoints of Tekkotsu, `.wyp`.
    Wyp,
    /// Parameters of a walk, `.prm`.
    Prm,
    /// Sony's AIBO, `.mtn`.
    Mtn,
    /// Reachy Mini, `.json`.
    Reachy,
    /// The HULKs, `.json`.
    Hulks,
    /// Bottango, `.json`.
    Bottango,
    /// A trajectory of ROS in YAML, or JSON.
    Trajectory,
    /// A trajectory of ROS in a recording, `.mcap`.
    Mcap,
}

/// All formats, and the ending, the name and a sentence of each.
const FORMATS: [(MotionFormat, &str, &str, &str); 15] = [
    (MotionFormat::Csv, "csv", "csv", "CSV"),
    (MotionFormat::Json, "json", "json", "JSON"),
    (
        MotionFormat::Webots,
        "webots",
        "motion",
        "a motion of Webots",
    ),
    (
        MotionFormat::Python,
        "python",
        "py",
        "a Python export of Choregraphe",
    ),
    (MotionFormat::Xar, "xar", "xar", "a project of Choregraphe"),
    (MotionFormat::Pos, "pos", "pos", "a posture of Tekkotsu"),
    (
        MotionFormat::Mot,
        "mot",
        "mot",
        "a motion sequence of Tekkotsu",
    ),
    (MotionFormat::Wyp, "wyp", "wyp", "waypoints of Tekkotsu"),
    (MotionFormat::Prm, "prm", "prm", "parameters of a walk"),
    (MotionFormat::Mtn, "mtn", "mtn", "a motion of an AIBO"),
    (
        MotionFormat::Reachy,
        "reachy",
        "json",
        "a move of Reachy Mini",
    ),
    (
        MotionFormat::Hulks,
        "hulks",
        "json",
        "a motion of the HULKs",
    ),
    (
        MotionFormat::Bottango,
        "bottango",
        "json",
        "an export of Bottango",
    ),
    (
        MotionFormat::Trajectory,
        "trajectory",
        "yaml",
        "a trajectory of ROS",
    ),
    (
        MotionFormat::Mcap,
        "mcap",
        "mcap",
        "a trajectory of ROS in MCAP",
    ),
];

impl MotionFormat {
    /// All formats.
    pub fn all() -> impl Iterator<Item = MotionFormat> {
        FORMATS.iter().map(|format| format.0)
    }

    fn row(self) -> (&'static str, &'static str, &'static str) {
        let row = FORMATS.iter().find(|format| format.0 == self);
        row.map_or(("", "", ""), |row| (row.1, row.2, row.3))
    }

    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The usual ending of its files.
    pub fn ending(self) -> &'static str {
        self.row().1
    }

    /// What a file of it is, for a message.
    pub fn about(self) -> &'static str {
        self.row().2
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<MotionFormat> {
        FORMATS
            .iter()
            .find(|format| format.1 == name)
            .map(|format| format.0)
    }

    /// The format that the ending of a file's name stands for; of several, our own.
    pub fn of_ending(name: &str) -> Option<MotionFormat> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        let other = match ending.as_str() {
            "tsv" | "txt" => Some(MotionFormat::Csv),
            "qianim" => Some(MotionFormat::Xar),
            "motion2" => Some(MotionFormat::Hulks),
            "yml" => Some(MotionFormat::Trajectory),
            _ => None,
        };
        other.or_else(|| {
            FORMATS
                .iter()
                .find(|format| format.2 == ending)
                .map(|format| format.0)
        })
    }
}

/// Files of robot soccer that are no motions of joints: their endings, a word in each, and the reason.
const REFUSED: [(&[&str], &str, &str); 2] = [
    (
        &["kmc"],
        "phaseParameters",
        "a kick of B-Human is balanced by its engine while it plays; fix: record the joints of a kick, and convert the \
         recording",
    ),
    (
        &["skill", "skl"],
        "STARTSTATE",
        "a skill of the robot-soccer simulation moves the joints of its simulator; fix: write the angles as CSV",
    ),
];

/// The reason why a text of this name is not read, if it is known.
pub(crate) fn refusal(name: &str, text: &str) -> Option<&'static str> {
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    let (_, _, reason) = REFUSED.iter().find(|(endings, word, _)| match &ending {
        Some(ending) if MotionFormat::of_ending(name).is_none() => {
            endings.contains(&ending.as_str()) || text.contains(word)
        }
        Some(_) => false,
        None => text.contains(word),
    })?;
    Some(reason)
}

/// Whether a file of this name is of a kind that is refused; reading it fails with the reason.
pub fn is_refused(name: &str, bytes: &[u8]) -> bool {
    crate::text::decode(bytes).is_ok_and(|text| refusal(name, &text).is_some())
}

/// The format of bytes that are no text, if it is one of ours.
pub(crate) fn of_bytes(name: &str, bytes: &[u8]) -> Option<MotionFormat> {
    if bytes.starts_with(aibo::MARK) {
        return Some(MotionFormat::Mtn);
    }
    let is_recording = recorded::OTHERS
        .iter()
        .any(|pair| bytes.starts_with(pair.0));
    if is_recording || bytes.starts_with(b"\x89MCAP0\r\n") {
        return Some(MotionFormat::Mcap);
    }
    let ending = MotionFormat::of_ending(name);
    if ending == Some(MotionFormat::Prm) || (ending.is_none() && WalkParameters::is_likely(bytes)) {
        return Some(MotionFormat::Prm);
    }
    ending.filter(|ending| matches!(ending, MotionFormat::Mtn | MotionFormat::Mcap))
}

/// The format of a text.
pub(crate) fn of_text(name: &str, text: &str) -> MotionFormat {
    let start = text.trim_start();
    let ending = MotionFormat::of_ending(name);
    let marks = [
        (webots::MARK, MotionFormat::Webots),
        (posture::MARK, MotionFormat::Pos),
        (sequence::MARK, MotionFormat::Mot),
        (waypoints::MARK, MotionFormat::Wyp),
    ];
    if let Some((_, format)) = marks.iter().find(|mark| start.starts_with(mark.0)) {
        return *format;
    }
    if start.starts_with('<') && xar::is_project(start) {
        return MotionFormat::Xar;
    }
    // Only its ending says what one of these is if its beginning is broken.
    match ending {
        Some(MotionFormat::Csv) => return MotionFormat::Csv,
        Some(MotionFormat::Json | MotionFormat::Trajectory) | None => {}
        Some(format) => return format,
    }
    let has = |word: &str| text.contains(word);
    // YAML may begin with a brace as well, but its names have no quotes.
    let is_yaml = start.starts_with('{') && has("joint_names") && !has("\"joint_names\"");
    if start.starts_with(['{', '[']) && !is_yaml {
        return MotionFormat::Json;
    }
    if has("joint_names") && has("points") {
        MotionFormat::Trajectory
    } else if python::is_export(text) {
        MotionFormat::Python
    } else if ending == Some(MotionFormat::Json) {
        MotionFormat::Json
    } else if ending == Some(MotionFormat::Trajectory) {
        MotionFormat::Trajectory
    } else {
        MotionFormat::Csv
    }
}

/// The format of a tree that was written in JSON.
pub(crate) fn of_tree(root: &TreeNode) -> MotionFormat {
    if own::json::is_own(root) {
        MotionFormat::Json
    } else if team::reachy::is_move(root) {
        MotionFormat::Reachy
    } else if team::hulks::is_motion(root) {
        MotionFormat::Hulks
    } else if team::bottango::is_export(root) {
        MotionFormat::Bottango
    } else if team::trajectory::find(root).is_some() {
        MotionFormat::Trajectory
    } else {
        MotionFormat::Json
    }
}

/// The format of a file, from its name and bytes.
pub fn detect(name: &str, bytes: &[u8]) -> Option<MotionFormat> {
    if let Some(format) = of_bytes(name, bytes) {
        return Some(format);
    }
    let text: Cow<'_, str> = crate::text::decode(bytes).ok()?;
    let format = of_text(name, &text);
    if format != MotionFormat::Json {
        return Some(format);
    }
    let root = crate::tree::json::read(&text).ok();
    Some(root.map_or(format, |root| of_tree(&root)))
}
