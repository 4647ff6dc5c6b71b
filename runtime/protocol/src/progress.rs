//! How far a request to move is, how it ended, and which commands wait.
//! Filled in by the loop's request handler; the server passes it on. A published field is never removed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::exact_integer;

/// The maximum number of requests that one question may be about.
pub const TICKETS_MAX: usize = 256;

/// The longest time that one question may wait for their end, ns.
pub const WAIT_MAX_NS: u64 = 60_000_000_000;

/// How far a request to move is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
pub struct RequestProgress {
    /// Its number.
    pub ticket: u32,
    /// How it ended; missing while commands wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<RequestEnd>,
    /// The request that removed its last commands, if it ended as `cleared`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<u32>,
    /// How many commands were accepted.
    pub commands: u32,
    /// How many of them wait.
    pub waiting: u32,
    /// How many were executed.
    pub executed: u32,
    /// How many of the executed ones had no effect, because the body followed no commands at that instant.
    pub missed: u32,
    /// How many were removed before their instant.
    pub removed: u32,
    /// How many were clipped to their range.
    pub clipped: u32,
    /// The instant of its last command, ns of the robot's time.
    #[serde(with = "exact_integer")]
    #[schema(value_type = String)]
    pub until_ns: u64,
    /// When it ended, ns of the robot's time.
    #[serde(
        with = "exact_integer",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<String>)]
    pub ended_ns: Option<u64>,
}

/// How a request to move ended.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RequestEnd {
    /// All its commands were executed.
    Arrived,
    /// All were executed, and some had been clipped to their range.
    Clipped,
    /// Commands passed while the body followed none, for example in a hold.
    Missed,
    /// Somebody cancelled it.
    Cancelled,
    /// Another request removed commands of it: `clear-all`, `clear-after` or `clear-before`.
    Cleared,
    /// The lane of its commands ended.
    LaneEnded,
    /// Its joint was made limp, and the description says that such commands are dropped (`safety.limp-commands`).
    Dropped,
    /// Nothing is known of it: there was no such request, or it ended so long ago that later ones have taken its
    /// place, or more requests were on their way than are followed (1,024).
    Unknown,
}

impl RequestProgress {
    /// What is said of a request that is not known.
    pub fn unknown(ticket: u32) -> RequestProgress {
        RequestProgress {
            ticket,
            end: Some(RequestEnd::Unknown),
            by: None,
            commands: 0,
            waiting: 0,
            executed: 0,
            missed: 0,
            removed: 0,
            clipped: 0,
            until_ns: 0,
            ended_ns: None,
        }
    }

    /// What became of it, for people.
    pub fn sentence(&self) -> String {
        let commands = |count: u32| match count {
            1 => "1 command".to_owned(),
            _ => format!("{count} commands"),
        };
        let removed = commands(self.removed);
        match self.end {
            None => format!(
                "on its way: {} of {} wait",
                self.waiting,
                commands(self.commands)
            ),
            Some(RequestEnd::Arrived) => "arrived".to_owned(),
            Some(RequestEnd::Clipped) => {
                format!(
                    "arrived, with {} clipped to the range",
                    commands(self.clipped)
                )
            }
            Some(RequestEnd::Missed) => {
                format!(
                    "ended; {} passed while the body followed none",
                    commands(self.missed)
                )
            }
            Some(RequestEnd::Cancelled) => format!("cancelled, with {removed} removed"),
            Some(RequestEnd::Cleared) => match self.by {
                Some(by) => format!("cleared by request {by}, with {removed} removed"),
                None => format!("cleared, with {removed} removed"),
            },
            Some(RequestEnd::Dropped) => "dropped, because its joint was made limp".to_owned(),
            Some(RequestEnd::LaneEnded) => "ended with its lane".to_owned(),
            Some(RequestEnd::Unknown) => "not known".to_owned(),
        }
    }
}

/// The commands of clients that wait for an actuator.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct WaitingCommands {
    /// The actuator.
    pub actuator: String,
    /// How many commands wait for it.
    pub count: u32,
    /// What the clients' commands want of it now, in its unit.
    pub value: f64,
    /// The first of the commands in their order; up to 4,096 are listed for all actuators together.
    pub commands: Vec<WaitingCommand>,
}

/// A command that waits.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct WaitingCommand {
    /// Its instant, ns of the robot's time.
    #[serde(with = "exact_integer")]
    #[schema(value_type = String)]
    pub at_ns: u64,
    /// Its value, in the actuator's unit.
    pub value: f64,
    /// The request that it belongs to.
    pub ticket: u32,
}
