//! What moves, stops and lets go of the body.
//! The law: stop needs neither a role nor control; letting force in needs the highest role.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use cycle::Merge;
use serde::{Deserialize, Serialize};
use socket::{Ask, Measure, OperationWord, Told, Trouble, merge};
use utoipa::ToSchema;

use super::fault::{ErrorBody, Fault};
use crate::app::App;

/// What the body is now.
#[derive(Debug, Serialize, ToSchema)]
pub struct Now {
    /// Its safety state.
    pub state: String,
}

/// What came of commands.
#[derive(Debug, Serialize, ToSchema)]
pub struct Taken {
    /// How many were taken.
    pub commands: u32,
    /// How many of them came after their instant.
    pub late: u32,
    /// How many were brought within their range.
    pub clipped: u32,
    /// How many of their actuators somebody else drives as well: the two are mixed, by their priorities.
    pub shared: u32,
    /// How many of their joints exert no force: they go there when they do again, at a bounded speed.
    pub limp: u32,
    /// How many cannot go so far while the joints that they are coupled to stand where they do.
    pub coupled: u32,
    /// How long the longest way takes at its joint's velocity, s, if that is longer than was asked; else 0.
    pub needs_s: f64,
}

/// Values for actuators or aliases, reached together.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// Values by names: rad, m, or parts of 1.
    pub values: BTreeMap<String, f64>,
    /// When they are reached, s from now.
    pub in_s: f64,
    /// What happens to commands that wait already.
    #[serde(default = "merge::clear_all", with = "merge")]
    #[schema(schema_with = merge::schema)]
    pub merge: Merge,
    /// What a single value measures: `angle` or `length`; another kind of actuator refuses it.
    #[serde(default)]
    pub measures: Option<Measure>,
    /// Whether a single value beyond the range goes to its end, as it does if this is not said; else it is refused.
    #[serde(default = "yes")]
    pub clip: bool,
}

fn yes() -> bool {
    true
}

/// Timed commands for several actuators: a row of values for each, one value for each time.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Actuators or aliases.
    pub to: Vec<String>,
    /// When, s from now.
    pub times: Vec<f64>,
    /// A row of values for each.
    pub values: Vec<Vec<f64>>,
    /// What happens to commands that wait already.
    #[serde(default = "merge::clear_all", with = "merge")]
    #[schema(schema_with = merge::schema)]
    pub merge: Merge,
}

/// A pose of the description.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pose {
    /// Its name.
    pub name: String,
    /// How long the way takes, s.
    pub in_s: f64,
}

async fn operate(app: &App, word: OperationWord) -> Result<Json<Now>, Fault> {
    match app.line.ask(Ask::Operate(word)).await? {
        Told::State(state) => Ok(Json(Now { state })),
        other => Err(strange(&other)),
    }
}

/// An answer of another kind than was asked for.
pub(super) fn strange(told: &Told) -> Fault {
    let trouble = Trouble::new(
        "no-loop",
        format!("the loop answered something strange: {told:?}"),
    );
    trouble
        .fix("start `dcm-run serve` anew: loop and server must be of one version")
        .into()
}

/// Press stop: the body stands still at once. Everyone may.
#[utoipa::path(post, path = "/api/v1/body/stop", security(()), tag = "body",
    responses((status = 200, body = Now), (status = "default", body = ErrorBody)))]
pub async fn stop(State(app): State<Arc<App>>) -> Result<Json<Now>, Fault> {
    operate(&app, OperationWord::Press).await
}

/// Release the emergency stop: the body holds where it stands until it is told to resume; without force, if it had
/// none before.
#[utoipa::path(post, path = "/api/v1/body/release", security(("token" = ["operate"])), tag = "body",
    responses((status = 200, body = Now), (status = "default", body = ErrorBody)))]
pub async fn release(State(app): State<Arc<App>>) -> Result<Json<Now>, Fault> {
    operate(&app, OperationWord::Release).await
}

/// Give the body force, where it stands.
#[utoipa::path(post, path = "/api/v1/body/arm", security(("token" = ["operate"])), tags = ["body", "moves"],
    responses((status = 200, body = Now), (status = "default", body = ErrorBody)))]
pub async fn arm(State(app): State<Arc<App>>) -> Result<Json<Now>, Fault> {
    operate(&app, OperationWord::Arm).await
}

/// Let the body go limp.
#[utoipa::path(post, path = "/api/v1/body/disarm", security(("token" = ["operate"])), tag = "body",
    responses((status = 200, body = Now), (status = "default", body = ErrorBody)))]
pub async fn disarm(State(app): State<Arc<App>>) -> Result<Json<Now>, Fault> {
    operate(&app, OperationWord::Disarm).await
}

/// What was broken is mended: leave the state `fault`.
#[utoipa::path(post, path = "/api/v1/body/clear", security(("token" = ["operate"])), tag = "body",
    responses((status = 200, body = Now), (status = "default", body = ErrorBody)))]
pub async fn clear(State(app): State<Arc<App>>) -> Result<Json<Now>, Fault> {
    operate(&app, OperationWord::Clear).await
}

/// Slow down and stay.
#[utoipa::path(post, path = "/api/v1/body/hold", security(("token" = ["perform"])), tag = "body",
    responses((status = 200, body = Now), (status = "default", body = ErrorBody)))]
pub async fn hold(State(app): State<Arc<App>>) -> Result<Json<Now>, Fault> {
    operate(&app, OperationWord::Hold).await
}

/// Go to the safe pose, then let go.
#[utoipa::path(post, path = "/api/v1/body/retreat", security(("token" = ["perform"])), tag = "body",
    responses((status = 200, body = Now), (status = "default", body = ErrorBody)))]
pub async fn retreat(State(app): State<Arc<App>>) -> Result<Json<Now>, Fault> {
    operate(&app, OperationWord::Retreat).await
}

/// Let the lanes move the body again, after it was held.
#[utoipa::path(post, path = "/api/v1/body/resume", security(("token" = ["perform"])), tags = ["body", "moves"],
    responses((status = 200, body = Now), (status = "default", body = ErrorBody)))]
pub async fn resume(State(app): State<Arc<App>>) -> Result<Json<Now>, Fault> {
    operate(&app, OperationWord::Resume).await
}

/// Stop the loop, softly.
#[utoipa::path(post, path = "/api/v1/body/quit", security(("token" = ["operate"])), tag = "body",
    responses((status = 200, body = Now), (status = "default", body = ErrorBody)))]
pub async fn quit(State(app): State<Arc<App>>) -> Result<Json<Now>, Fault> {
    app.line.ask(Ask::Quit).await?;
    let state = "leaving".to_owned();
    Ok(Json(Now { state }))
}

/// Values for actuators or aliases, all of them or none.
#[utoipa::path(post, path = "/api/v1/body/set", security(("token" = ["perform"])), tags = ["body", "moves"],
    request_body = Set,
    responses((status = 200, body = Taken), (status = "default", body = ErrorBody)))]
pub async fn set(State(app): State<Arc<App>>, Json(set): Json<Set>) -> Result<Json<Taken>, Fault> {
    let after_ns = nanos(set.in_s)?;
    if let (1, Some((actuator, value))) = (set.values.len(), set.values.first_key_value()) {
        let ask = Ask::Set {
            actuator: actuator.clone(),
            value: *value,
            after_ns,
            measures: set.measures,
            clip: set.clip,
            merge: set.merge,
        };
        return moved(&app, ask).await;
    }
    let ask = Ask::Move {
        after_ns: vec![after_ns],
        values: set.values.values().copied().collect(),
        to: set.values.into_keys().collect(),
        merge: set.merge,
    };
    moved(&app, ask).await
}

/// Timed commands, all of them or none.
#[utoipa::path(post, path = "/api/v1/body/commands", security(("token" = ["perform"])), tags = ["body", "moves"],
    request_body = Commands,
    responses((status = 200, body = Taken), (status = "default", body = ErrorBody)))]
pub async fn commands(
    State(app): State<Arc<App>>,
    Json(commands): Json<Commands>,
) -> Result<Json<Taken>, Fault> {
    let times = commands.times.iter().map(|it| nanos(*it));
    let is_table = commands.values.len() == commands.to.len()
        && commands
            .values
            .iter()
            .all(|it| it.len() == commands.times.len());
    if !is_table {
        let trouble = Trouble::new("shape", "there is not one value for each actuator and time");
        return Err(trouble
            .fix("give a row of values for each name, as long as `times`")
            .into());
    }
    let ask = Ask::Move {
        after_ns: times.collect::<Result<_, _>>()?,
        values: commands.values.into_iter().flatten().collect(),
        to: commands.to,
        merge: commands.merge,
    };
    moved(&app, ask).await
}

/// Go to a pose of the description.
#[utoipa::path(post, path = "/api/v1/body/pose", security(("token" = ["perform"])), tags = ["body", "moves"],
    request_body = Pose,
    responses((status = 200, body = Taken), (status = "default", body = ErrorBody)))]
pub async fn pose(
    State(app): State<Arc<App>>,
    Json(pose): Json<Pose>,
) -> Result<Json<Taken>, Fault> {
    let in_ns = nanos(pose.in_s)?;
    moved(
        &app,
        Ask::Pose {
            name: pose.name,
            in_ns,
        },
    )
    .await
}

pub(super) async fn moved(app: &App, ask: Ask) -> Result<Json<Taken>, Fault> {
    match app.line.ask(ask).await? {
        Told::Taken {
            commands,
            late,
            clipped,
            shared,
            limp,
            coupled,
            needs_ns,
        } => Ok(Json(Taken {
            commands,
            late,
            clipped,
            shared,
            limp,
            coupled,
            needs_s: needs_ns as f64 / 1e9,
        })),
        other => Err(strange(&other)),
    }
}

/// A time from now.
fn nanos(seconds: f64) -> Result<u64, Fault> {
    if (0.0..=86_400.0).contains(&seconds) {
        return Ok((seconds * 1e9).round() as u64);
    }
    let trouble = Trouble::new("time", format!("{seconds} is no time from now"));
    Err(trouble.fix("0 to 86400 s").into())
}
