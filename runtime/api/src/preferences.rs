//! Calibrations and preferences over HTTP: what is asked.
//! Read by the server's routes, written by the client. The law: every field has its unit in its description.

use serde::{Deserialize, Serialize};
use socket::Measure;
use utoipa::{IntoParams, ToSchema};

/// Joints whose calibration is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct CalibrationQuery {
    /// Names of joints or aliases, separated by commas (default: all joints that have a sensor).
    #[serde(default)]
    pub of: String,
}

/// Another zero for a limp joint. Either `at` or `moved` is given.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CalibrateRequest {
    /// The joint.
    pub joint: String,
    /// Where it is now, rad or m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// How far its zero shall be from that of the description, rad or m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<f64>,
    /// What the value measures, if the user gave a unit: `angle` or `length`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measure>,
}

/// Values of the description that are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PreferencesQuery {
    /// Only of keys that begin so, such as `joints.HeadYaw` (default: all).
    #[serde(default)]
    pub key: String,
}

/// What is taken back.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct UndoQuery {
    /// Whether what was kept last is taken back, if nothing is tried (default: true).
    #[serde(default = "yes")]
    pub kept: bool,
}

fn yes() -> bool {
    true
}

/// A value of the description to try.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreferenceRequest {
    /// Its key, such as `safety.return-speed`, or one of the NAO's keys.
    pub key: String,
    /// The value in TOML: `0.012`, `"text"`, `[1, 2]`; an empty text removes the value.
    pub value: String,
}
