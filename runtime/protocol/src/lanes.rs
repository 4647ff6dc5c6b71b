//! Lanes of clients' own: how they are opened, and how they stand.
//! Written by clients, read by the loop's request handler. What is not given has the value of the lane that
//! all clients share.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a lane of a client's own is opened. All of it is optional.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct LaneOptions {
    /// Its priority: among lanes that drive an actuator, the highest one has it. -1 to 100; guests and the lane of all
    /// clients usually have 10.
    pub priority: f64,
    /// Its weight among lanes of the same priority: up to 1 a share, above that votes (up to 1,000).
    pub weight: f64,
    /// The actuators that it may drive, names and aliases; all if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<Vec<String>>,
    /// Whether it holds an actuator after its last command there, until it ends. Otherwise other lanes have it then.
    pub hold: bool,
    /// How long it fades in, and out at its end, ns.
    pub fade_ns: u64,
    /// How it ends: `release` (it fades out), `hold` (its actuators stay where they are until it is ended again), or
    /// `safe-pose` (they go to the safe pose first, in 2 s).
    pub ending: LaneEnd,
    /// It ends when its client has sent nothing for so long, ns; never if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent_after_ns: Option<u64>,
    /// The whole body goes to its safe pose when its client has sent nothing for so long, ns. Needs `silent-after-ns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retreat_after_ns: Option<u64>,
}

impl Default for LaneOptions {
    fn default() -> LaneOptions {
        LaneOptions {
            priority: 10.0,
            weight: 1.0,
            joints: None,
            hold: true,
            fade_ns: 0,
            ending: LaneEnd::Release,
            silent_after_ns: None,
            retreat_after_ns: None,
        }
    }
}

/// How a lane ends.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LaneEnd {
    /// It fades out and releases its actuators.
    #[default]
    Release,
    /// Its actuators stay where they are until it is ended again.
    Hold,
    /// Its actuators go to the safe pose, then it releases them.
    SafePose,
}

/// An actuator, and the lanes that drove it in the last turn.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct DrivenActuator {
    /// The actuator.
    pub actuator: String,
    /// The lanes, the highest priority first; none if the actuator stays where it is.
    pub lanes: Vec<DrivingLane>,
}

/// What a lane gives to the value of an actuator.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct DrivingLane {
    /// The name of the guest, or of the client's lane; `clients` for the lane that all clients share.
    pub lane: String,
    /// Its priority.
    pub priority: f64,
    /// Its value, in the actuator's unit.
    pub value: f64,
    /// Its weight among lanes of the same priority, faded.
    pub weight: f64,
    /// Whether lanes of higher priorities cover the actuator, so that this one has no effect.
    pub hidden: bool,
}

/// A lane of a client's own.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct LaneStatus {
    /// Its name.
    pub lane: String,
    /// `open`, `holding` or `retreating` (it takes no more requests), `fading`, or `gone`.
    pub life: String,
    /// Its priority.
    pub priority: f64,
    /// Its weight.
    pub weight: f64,
    /// The actuators that it may drive; all if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joints: Option<Vec<String>>,
}
