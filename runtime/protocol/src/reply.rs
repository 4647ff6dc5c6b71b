//! The replies of the socket: one JSON object on each line. The README of this crate describes them for other
//! programs.
//! Each request line gets one reply line with the same number, and an error says what to do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::figure::Figure;
use crate::lanes::{DrivenActuator, LaneStatus};
use crate::payload::{FaultCode, Guest, Loaded, LogEntry, RecordingStatus};
use crate::preferences::{CalibrationStatus, PreferenceChange, PreferenceStatus};
use crate::progress::{RequestProgress, WaitingCommands};

/// The maximum length of a line, bytes.
pub const LINE_MAX: usize = 1 << 20;

/// The version of the protocol, and of the API over HTTP.
pub const VERSION: u32 = 2;

/// The reply to a request.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Reply {
    /// The number of the request; 0 if it could not be read.
    pub id: u64,
    /// Its result.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The result of a request.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It succeeded.
    Ok(ReplyBody),
    /// It failed.
    Error(RequestError),
}

/// The contents of a reply.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReplyBody {
    /// Which loop this is.
    Here(LoopInfo),
    /// What a name means.
    Found(FoundRows),
    /// The loop accepted commands.
    Taken(TakenCommands),
    /// How far requests are, in the order in which they were named.
    Progress(Vec<RequestProgress>),
    /// Lanes of clients' own.
    Lanes(Vec<LaneStatus>),
    /// The calibration of joints, in the order in which they were named.
    Calibration(Vec<CalibrationStatus>),
    /// The error codes of boards.
    Faults(Vec<FaultCode>),
    /// Values of the description.
    Preferences(Vec<PreferenceStatus>),
    /// What was kept, or taken back.
    Changed(PreferenceChange),
    /// The commands that wait: of each named actuator, or of each that has some.
    Pending(Vec<WaitingCommands>),
    /// The lanes that drive: of each named actuator, or of each that is driven.
    Driving(Vec<DrivenActuator>),
    /// The body is now in this state.
    State(String),
    /// The body has force, or follows its lanes again.
    MayMove {
        /// Its state.
        state: String,
        /// The guests that play, wait or are paused.
        guests: Vec<Guest>,
    },
    /// A guest was loaded.
    Loaded(Loaded),
    /// The guests that play, and the last ones that ended.
    Guests(Vec<Guest>),
    /// Events and log lines.
    Events(LogEntries),
    /// The members of an alias as they were given.
    Aliased(Vec<String>),
    /// The text of each layer of the description, the base first.
    Description(Vec<String>),
    /// The long names of what is on the page.
    Names(LongNames),
    /// The structure of the body.
    Figure(Figure),
    /// What becomes of the recording of this run.
    Recording(RecordingStatus),
    /// The new values of the parameters, clipped to their ranges.
    Tuned(BTreeMap<String, f64>),
    /// It succeeded; there is nothing to return.
    Done,
}

/// What a loop reports about itself.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
pub struct LoopInfo {
    /// The version of the protocol.
    pub protocol: u32,
    /// The program's version.
    pub version: String,
    /// The loop's name.
    pub name: String,
    /// The robot's name.
    pub robot: String,
    /// The path of its page.
    #[serde(serialize_with = "lossy")]
    #[schema(value_type = String)]
    pub page: PathBuf,
    /// Its process ID.
    pub process: u32,
    /// The description it was started with: a shipped robot's name, or a path.
    pub description: String,
    /// Its boards, in the order of their numbers on the page.
    pub boards: Vec<String>,
    /// Whether it is the replay of a recording, which can only be read.
    #[serde(rename = "replay", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_replay: bool,
    /// What this very robot is, by the NAO's keys, as its description says.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub identity: BTreeMap<String, String>,
}

/// A path as a text, whatever its bytes are: a reply can always be written.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// Indices on the page. Neither: a part that the description says is absent.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
pub struct FoundRows {
    /// Actuators.
    pub actuators: Vec<u16>,
    /// Sensors.
    pub sensors: Vec<u16>,
}

/// Entries of the log.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct LogEntries {
    /// The number to ask for next time.
    pub next: u64,
    /// The oldest first; lines that are too old are gone.
    pub events: Vec<LogEntry>,
}

/// Long names, in the order of the page.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
pub struct LongNames {
    /// Actuators.
    pub actuators: Vec<String>,
    /// Sensors.
    pub sensors: Vec<String>,
    /// The types and addresses of boards and of what hangs on them, by the NAO's keys.
    #[serde(default)]
    pub devices: BTreeMap<String, String>,
}

/// What became of commands that the loop accepted. Nothing was sent for a part that the robot lacks.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct TakenCommands {
    /// The request's number, for questions about it.
    #[serde(default)]
    pub ticket: u32,
    /// Whether it is followed: false if 2,048 others were on their way, so that its progress is not known.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub followed: bool,
    /// The number of commands.
    pub commands: u32,
    /// How many of them came after their instant.
    pub late: u32,
    /// How many of them were clipped to their range.
    pub clipped: u32,
    /// How many of their actuators another lane drives as well.
    #[serde(default)]
    pub shared: u32,
    /// How many of their joints have no stiffness; they move there once they have.
    #[serde(default)]
    pub limp: u32,
    /// How many cannot reach their value because of the position of a coupled joint.
    #[serde(default)]
    pub coupled: u32,
    /// The time that the slowest joint needs at its maximum velocity, if the request allows less; else 0.
    #[serde(default)]
    pub needs_ns: u64,
    /// The actuators of a `move` whose values were clipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clipped_names: Vec<String>,
}

/// Why a request failed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
pub struct RequestError {
    /// The error code, for programs.
    pub code: String,
    /// The message, for people.
    pub sentence: String,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl RequestError {
    /// Adds a fix.
    #[must_use]
    pub fn fix(self, fix: impl Into<String>) -> RequestError {
        RequestError {
            fix: Some(fix.into()),
            ..self
        }
    }
}

impl std::fmt::Display for RequestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.sentence)?;
        match &self.fix {
            Some(fix) => write!(f, "; fix: {fix}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RequestError {}
fn yes() -> bool {
    true
}

fn is_true(flag: &bool) -> bool {
    *flag
}

impl ReplyBody {
    /// Adds the names of the actuators whose values were clipped.
    #[must_use]
    pub fn with_clipped(mut self, names: Vec<String>) -> ReplyBody {
        if let ReplyBody::Taken(taken) = &mut self {
            taken.clipped_names = names;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::LoopInfo;

    #[test]
    fn a_loop_introduces_itself_wherever_its_page_is() {
        let page = OsStr::from_bytes(b"/run/\xff/nao.page").into();
        let info = LoopInfo {
            page,
            ..LoopInfo::default()
        };
        let text = serde_json::to_string(&info).expect("a path of any bytes");
        assert!(text.contains("nao.page"), "{text}");
    }
}
