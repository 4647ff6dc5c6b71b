//! The rest of the DCM's calls: calibrations and preferences, those that every module of NAOqi has, and those that are
//! not supported.
//! Every call of NAO's DCM has an answer; that of an unsupported call says what to use instead.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use protocol::{
    Ask, CalibrationStatus, ErrorBody, ErrorCode, FaultCode, LoopInfo, PreferenceChange,
    PreferenceStatus,
};
use sensors::Label;
use serde_json::{Value, json};

use super::extract::JsonBody;
use crate::api_error::ApiError;
use crate::app::App;

/// The parts of a NAO that keep preferences.
const TARGETS: [&str; 5] = ["Chest", "Head", "Main", "All", "Local"];

/// `ping`: always true.
#[utoipa::path(get, path = "/api/v2/dcm/ping", tag = "dcm",
    responses((status = 200, content_type = "application/json", body = bool),
        (status = "default", body = ErrorBody)))]
pub async fn ping() -> Json<bool> {
    Json(true)
}

/// `version`: the version of the program on the robot.
#[utoipa::path(get, path = "/api/v2/dcm/version", tag = "dcm",
    responses((status = 200, content_type = "application/json", body = String),
        (status = "default", body = ErrorBody)))]
pub async fn version() -> Json<&'static str> {
    Json(env!("CARGO_PKG_VERSION"))
}

/// `calibration`: the limp joint is at this position now:
/// `["HeadYaw/Position/Actuator/Value", "Manual", "InPosition", 0.1]`.
#[utoipa::path(post, path = "/api/v2/dcm/calibration", tag = "dcm",
    request_body = Vec<Value>,
    responses((status = 200, body = Vec<CalibrationStatus>), (status = "default", body = ErrorBody)))]
pub async fn calibration(
    State(app): State<Arc<App>>,
    JsonBody((joint, how, what, at)): JsonBody<(String, String, String, f64)>,
) -> Result<Json<Vec<CalibrationStatus>>, ApiError> {
    if (how.as_str(), what.as_str()) != ("Manual", "InPosition") {
        let sentence = format!("there is no calibration of the kind `{how}`, `{what}`");
        let error = ErrorCode::InvalidRequest.error(sentence);
        return Err(error
            .fix("move the limp joint to a known position, and send `Manual`, `InPosition` and that position")
            .into());
    }
    let ask = Ask::Calibrate {
        joint,
        at: Some(at),
        moved: None,
        measures: None,
    };
    Ok(Json(app.loop_client.get(ask).await?))
}

/// `preferences`: `["Add", "Chest", "safety.return-speed", 0.5]` tries a value, `["Save", "All", "", 0]` keeps what is
/// tried, and `["Load", "All", "", 0]` takes it back. Keys are those of the description or the NAO's.
#[utoipa::path(post, path = "/api/v2/dcm/preferences", tag = "dcm",
    request_body = Vec<Value>,
    responses((status = 200, body = PreferenceChange), (status = "default", body = ErrorBody)))]
pub async fn preferences(
    State(app): State<Arc<App>>,
    JsonBody((action, target, key, value)): JsonBody<(String, String, String, Value)>,
) -> Result<Json<PreferenceChange>, ApiError> {
    if !TARGETS.contains(&target.as_str()) {
        let error = ErrorCode::InvalidRequest.error(format!("there is no target `{target}`"));
        let targets = TARGETS.join(", ");
        return Err(error
            .fix(format!(
                "one of {targets}: all mean this robot's local layer"
            ))
            .into());
    }
    match action.as_str() {
        "Add" => {
            let value = match value {
                Value::String(text) => text,
                other => other.to_string(),
            };
            let ask = Ask::TryPreference { key, value };
            let tried: Vec<PreferenceStatus> = app.loop_client.get(ask).await?;
            let keys = tried.into_iter().map(|preference| preference.key).collect();
            Ok(Json(PreferenceChange { keys, file: None }))
        }
        "Save" => Ok(Json(app.loop_client.get(Ask::KeepPreferences).await?)),
        "Load" => {
            let undo = Ask::UndoPreferences { kept: false };
            Ok(Json(app.loop_client.get(undo).await?))
        }
        _ => {
            let error = ErrorCode::InvalidRequest.error(format!("there is no action `{action}`"));
            Err(error.fix("one of Add, Save, Load").into())
        }
    }
}

/// `special`: `["Version"]`, `["Chain"]`, `["Diagnostic"]` and `["Config"]` tell about the robot; `["Reset"]` is not
/// supported, and the error says why.
#[utoipa::path(post, path = "/api/v2/dcm/special", tag = "dcm",
    request_body = Vec<String>,
    responses((status = 200, content_type = "application/json", body = Value),
        (status = "default", body = ErrorBody)))]
pub async fn special(
    State(app): State<Arc<App>>,
    JsonBody((what,)): JsonBody<(String,)>,
) -> Result<Json<Value>, ApiError> {
    match what.as_str() {
        "Version" => version_of_robot(&app).await,
        "Chain" => Ok(Json(chain(&app))),
        "Diagnostic" => {
            let codes: Vec<FaultCode> = app.loop_client.get(Ask::Faults).await?;
            Ok(Json(diagnostic(&app, &codes)?))
        }
        "Config" => {
            let ask = Ask::Preferences { key: String::new() };
            let all: Vec<PreferenceStatus> = app.loop_client.get(ask).await?;
            let pairs = all
                .into_iter()
                .map(|item| (item.key, Value::from(item.value)));
            Ok(Json(Value::Object(pairs.collect())))
        }
        "Reset" => Err(not_here(
            "special(\"Reset\")",
            "a board that was reset by hand would lose what holds the body; one that has restarted gets its \
             configuration by itself",
            "`POST /api/v2/loop/clear` clears a fault; to reset the boards, stop the loop and switch them off",
        )),
        other => {
            let error =
                ErrorCode::InvalidRequest.error(format!("there is no special command `{other}`"));
            Err(error
                .fix("one of Version, Chain, Diagnostic, Config")
                .into())
        }
    }
}

/// The versions of the program and of the robot's description.
async fn version_of_robot(app: &App) -> Result<Json<Value>, ApiError> {
    let here: LoopInfo = app.loop_client.get(Ask::Hello).await?;
    Ok(Json(json!({
        "server": env!("CARGO_PKG_VERSION"), "loop": here.version, "protocol": here.protocol,
        "robot": here.robot, "description": here.description, "identity": here.identity,
    })))
}

/// The boards in their order, and what each of them drives and reads.
fn chain(app: &App) -> Value {
    let page = app.streams.page();
    let (actuators, sensors) = (page.actuators(), page.sensors());
    let names = |labels: &[Label], board: usize| {
        let own = labels
            .iter()
            .filter(|label| usize::from(label.board) == board);
        own.map(|value| value.name.clone()).collect::<Vec<_>>()
    };
    let boards = app.streams.boards().iter().enumerate();
    let boards = boards.map(|(place, name)| {
        json!({ "board": name, "actuators": names(&actuators, place), "sensors": names(&sensors, place) })
    });
    boards.collect()
}

/// The state of each board: what was answered, what not, and its fault.
fn diagnostic(app: &App, codes: &[FaultCode]) -> Result<Value, ApiError> {
    let period = app.streams.page().period().seconds();
    let told = app.streams.page().read(|frame| {
        let boards = app.streams.boards().iter().enumerate();
        let boards = boards.map(|(place, name)| {
            let [acks, nacks, age, error] = frame.board(place).unwrap_or_default();
            json!({ "board": name, "ack": acks, "nack": nacks, "age_s": age as f64 * period, "error": error,
                "fault": codes.iter().find(|code| u64::from(code.code) == error) })
        });
        boards.collect()
    });
    told.ok_or_else(|| {
        ErrorCode::NoPage
            .error("the state of the body cannot be read")
            .into()
    })
}

/// `exit`: not supported; the error says how a loop is stopped.
#[utoipa::path(post, path = "/api/v2/dcm/exit", tag = "dcm",
    responses((status = 501, body = ErrorBody), (status = "default", body = ErrorBody)))]
pub async fn exit() -> ApiError {
    not_here(
        "exit",
        "a call of the DCM cannot end the robot's loop",
        "stop the loop with `dcm-run stop` on its machine",
    )
}

fn not_here(call: &str, sentence: &str, fix: &str) -> ApiError {
    let sentence = format!("there is no `{call}` here: {sentence}");
    ErrorCode::NotHere.error(sentence).fix(fix).into()
}
