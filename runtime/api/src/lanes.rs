//! Lanes of clients' own over HTTP: how they are opened and changed.
//! Read by the server's routes, written by the client. The law: times are in seconds, as everywhere over HTTP.

use serde::{Deserialize, Serialize};
use socket::{LaneEnd, LaneOptions};
use utoipa::{IntoParams, ToSchema};

/// A lane to open. All but its name is optional.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenLaneRequest {
    /// Its name: up to 64 letters, digits, `-`, `_`, `.` and `/`.
    pub lane: String,
    /// Its priority, -1 to 100 (default: 10): the lane of the highest one that drives an actuator has it.
    #[serde(default = "standard")]
    pub priority: f64,
    /// Its weight among lanes of the same priority: up to 1 a share, above that votes (up to 1,000) (default: 1).
    #[serde(default = "whole")]
    pub weight: f64,
    /// The actuators that it may drive, names and aliases (default: all).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joints: Option<Vec<String>>,
    /// Whether it holds an actuator after its last command there, until it ends (default: true).
    #[serde(default = "yes")]
    pub hold: bool,
    /// How long it fades in, and out at its end, s (default: 0).
    #[serde(default)]
    pub fade_s: f64,
    /// How it ends (default: `release`).
    #[serde(default)]
    pub ending: LaneEnd,
    /// It ends when its client has sent nothing for so long, s (default: never).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silent_after_s: Option<f64>,
    /// The body goes to its safe pose when its client has sent nothing for so long, s (default: never).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retreat_after_s: Option<f64>,
}

/// A change of a lane.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TuneLaneRequest {
    /// Its new priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// Its new weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// How a lane is ended.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EndLaneQuery {
    /// How it ends (default: as it declared).
    #[serde(default)]
    pub ending: Option<LaneEnd>,
}

/// The lane of a request to move.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LaneQuery {
    /// A lane of the client's own (default: the one that all clients share).
    #[serde(default)]
    pub lane: Option<String>,
}

impl OpenLaneRequest {
    /// Its name, and its options as the loop reads them, with times by `nanos`.
    ///
    /// # Errors
    /// The first error of `nanos`.
    pub fn options<E>(
        self,
        nanos: impl Fn(f64) -> Result<u64, E>,
    ) -> Result<(String, LaneOptions), E> {
        let options = LaneOptions {
            priority: self.priority,
            weight: self.weight,
            joints: self.joints,
            hold: self.hold,
            fade_ns: nanos(self.fade_s)?,
            ending: self.ending,
            silent_after_ns: self.silent_after_s.map(&nanos).transpose()?,
            retreat_after_ns: self.retreat_after_s.map(&nanos).transpose()?,
        };
        Ok((self.lane, options))
    }

    /// The request for a lane of this name with these options.
    pub fn of(lane: String, options: LaneOptions) -> OpenLaneRequest {
        let seconds = |ns: u64| ns as f64 / 1e9;
        OpenLaneRequest {
            lane,
            priority: options.priority,
            weight: options.weight,
            joints: options.joints,
            hold: options.hold,
            fade_s: seconds(options.fade_ns),
            ending: options.ending,
            silent_after_s: options.silent_after_ns.map(seconds),
            retreat_after_s: options.retreat_after_ns.map(seconds),
        }
    }
}

fn standard() -> f64 {
    LaneOptions::default().priority
}

fn whole() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}
