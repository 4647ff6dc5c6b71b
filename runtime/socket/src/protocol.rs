//! What is answered on the socket: one JSON object on each line. The README beside this file describes the
//! same for other programs.
//! The law: a line is answered by a line with the same number, and an error says what to do.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::figure::Figure;
use crate::told::{Guest, Happened, Loaded, RecordingStatus};

/// The longest line, bytes.
pub const LINE_MAX: usize = 1 << 20;

/// The version of what is said.
pub const VERSION: u32 = 1;

/// An answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Reply {
    /// The number of the request; 0 if it could not be read.
    pub id: u64,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of a request.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was done.
    Ok(Told),
    /// It was not.
    Error(Trouble),
}

/// What is told.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// Who is there.
    Here {
        /// The version of what is said.
        protocol: u32,
        /// The program's version.
        version: String,
        /// The loop's name.
        name: String,
        /// The robot's name.
        robot: String,
        /// The file in which its state is shown.
        page: String,
        /// Its process.
        process: u32,
        /// The description it was started with: a shipped robot's name, or a path.
        description: String,
        /// Its boards, by their numbers on the page.
        boards: Vec<String>,
    },
    /// Places on the page.
    Found {
        /// Of actuators.
        actuators: Vec<u16>,
        /// Of sensors.
        sensors: Vec<u16>,
    },
    /// Commands were taken.
    Taken {
        /// How many.
        commands: u32,
        /// How many of them came after their instant.
        late: u32,
        /// How many were brought within their range.
        clipped: u32,
        /// How many of their actuators somebody else drives as well.
        #[serde(default)]
        shared: u32,
        /// How many of their joints exert no force, and go there when they do again.
        #[serde(default)]
        limp: u32,
        /// How many cannot go so far while the joints that they are coupled to stand where they do.
        #[serde(default)]
        coupled: u32,
        /// How long the longest way takes at its joint's velocity, if that is longer than was asked; else 0.
        #[serde(default)]
        needs_ns: u64,
    },
    /// The body is in this state now.
    State(String),
    /// A guest has come in.
    Loaded(Loaded),
    /// Who plays, and who has played.
    Guests(Vec<Guest>),
    /// What happened.
    #[serde(rename = "chronicle")]
    Events {
        /// The number to ask for next.
        next: u64,
        /// The oldest first; those that are too old are not there any more.
        happened: Vec<Happened>,
    },
    /// The members of an alias as they were said; those that are not known are empty.
    Aliased(Vec<String>),
    /// The text of each layer of the description, the first one below.
    Description(Vec<String>),
    /// Long names, in the order of the page.
    Names {
        /// Of actuators.
        actuators: Vec<String>,
        /// Of sensors.
        sensors: Vec<String>,
    },
    /// How the body hangs together.
    Figure(Figure),
    /// What becomes of the recording of this run.
    Recording(RecordingStatus),
    /// Parameters are what is said here: brought into their ranges.
    Tuned(BTreeMap<String, f64>),
    /// It is done.
    Done,
}

/// Why something was not done.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
pub struct Trouble {
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub sentence: String,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Trouble {
    /// Trouble without a fix.
    pub fn new(code: &str, sentence: impl Into<String>) -> Trouble {
        Trouble {
            code: code.to_owned(),
            sentence: sentence.into(),
            fix: None,
        }
    }

    /// With what to do about it.
    #[must_use]
    pub fn fix(self, fix: impl Into<String>) -> Trouble {
        Trouble {
            fix: Some(fix.into()),
            ..self
        }
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.sentence)?;
        match &self.fix {
            Some(fix) => write!(f, "; fix: {fix}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Trouble {}
