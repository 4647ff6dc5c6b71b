//! Routes of guests that come from the store: start, schedule, swap.
//! The digest of a choreography is verified before each start.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use protocol::guests::{Confirmation, PlannedStart, StartRequest, Started, SwapRequest};
use protocol::{Ask, ErrorBody, ErrorCode, Loaded, RequestError};

use super::DONE;
use super::choreographies::require_passing;
use super::extract::{JsonBody, PathPart};
use crate::access::Principal;
use crate::api_error::ApiError;
use crate::app::App;
use crate::awaited::awaited;
use crate::clock::clock;
use crate::plans::{PLANS_EACH, PLANS_MAX, StartPlan};
use crate::start::{admitted, execute, play};

/// How far in the future a start may be scheduled, s.
const AHEAD: f64 = 86_400.0;

/// Starts a stored choreography: now, at an instant, when a guest has ended, or when an event is posted.
#[utoipa::path(post, path = "/api/v2/guests", tag = "guests",
    request_body = StartRequest,
    responses((status = 200, body = Started), (status = 202, body = Started), (status = "default", body = ErrorBody)))]
pub async fn start(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    JsonBody(start): JsonBody<StartRequest>,
) -> Result<(StatusCode, Json<Started>), ApiError> {
    // The check takes its time, in which the body may lose its force.
    let had_force = app.streams.has_force() == Some(true);
    let times = [
        start.at.is_some(),
        start.in_s.is_some(),
        start.after.is_some(),
    ];
    if times.iter().filter(|time| **time).count() > 1 {
        let error = ErrorCode::InvalidTime.error("it cannot start at two times");
        return Err(error.fix("give one of `at`, `in_s` and `after`").into());
    }
    let after = match &start.after {
        Some(guest) => Some(awaited(&app, guest).await?),
        None => None,
    };
    let now = || clock().as_secs_f64();
    let at = start.at.or_else(|| Some(now() + start.in_s?));
    let at = at.or_else(|| after.is_some().then(now));
    let Some(at) = at else {
        let loaded = play(&app, &start.choreography, start.options).await?;
        return Ok((StatusCode::OK, Json(Started::Loaded(loaded))));
    };
    if after.is_none() {
        is_ahead(at)?;
    }
    // A start that would be refused later is refused now.
    for name in start.options.mask.iter().flatten() {
        app.loop_client
            .ask(Ask::Find { name: name.clone() })
            .await?;
    }
    admitted(&app, &start.choreography, &mut start.options.clone()).await?;
    if !start.options.unchecked {
        require_passing(&app, who.as_ref(), &start.choreography, &start.options).await?;
    }
    let late = now() - at;
    if after.is_none() && late > 0.0 {
        let sentence = format!(
            "the check ended {late:.1} s after the instant, so the start was not scheduled"
        );
        let fix = "schedule it again: a choreography is checked once only; or check it first, `dcm-run check`";
        return Err(ErrorCode::InvalidTime.error(sentence).fix(fix).into());
    }
    if after.is_some() {
        refuse_after_stop(&app)?;
    }
    let token = who.as_ref().and_then(|value| value.token);
    let by = who.map_or_else(String::new, |value| value.name);
    let plan = StartPlan {
        number: 0,
        choreography: start.choreography,
        options: start.options,
        at,
        after,
        had_force,
        by,
        token,
    };
    let added = tokio::task::block_in_place(|| app.change_plans(|value| value.add(plan)))?;
    let plan = added.ok_or_else(too_many_plans)?;
    let number = plan.number;
    tokio::spawn(execute(app, plan));
    Ok((StatusCode::ACCEPTED, Json(Started::Planned(number))))
}

/// Refuses to plan what follows a guest once the emergency stop is pressed: the press cancelled what would follow, and
/// a request that was being checked then must not bring it back.
fn refuse_after_stop(app: &App) -> Result<(), RequestError> {
    let state = app.streams.page().read(|frame| frame.state()).flatten();
    if state != Some(cycle::State::Estop) {
        return Ok(());
    }
    let error =
        ErrorCode::NotNow.error("the emergency stop is pressed, so nothing is planned to follow");
    Err(error.fix("release it first: `dcm-run estop --release`"))
}

fn too_many_plans() -> RequestError {
    let sentence =
        format!("{PLANS_EACH} starts of one client, or {PLANS_MAX} in all, are scheduled already");
    let error = ErrorCode::Full.error(sentence);
    error.fix("cancel one: `dcm-run start --cancel NUMBER`")
}

/// Checks whether a start may be planned for this time.
fn is_ahead(at: f64) -> Result<(), ApiError> {
    let ahead = at - clock().as_secs_f64();
    if (0.0..=AHEAD).contains(&ahead) {
        return Ok(());
    }
    let sentence = if ahead < 0.0 {
        "that time has passed, by the robot's clock".to_owned()
    } else {
        format!(
            "that time is {:.0} days from now, and a start can be planned for a day",
            ahead / 86_400.0
        )
    };
    let fix = "give a time from now to 24 hours from now; `date` on the robot tells its clock";
    Err(ErrorCode::InvalidTime.error(sentence).fix(fix).into())
}

/// Replaces a guest by another version, with a crossfade.
#[utoipa::path(post, path = "/api/v2/guests/{guest}/swap",
    tag = "guests", params(("guest" = String, Path, description = "name or number")),
    request_body = SwapRequest,
    responses((status = 200, body = Loaded), (status = "default", body = ErrorBody)))]
pub async fn swap(
    State(app): State<Arc<App>>,
    PathPart(guest): PathPart<String>,
    JsonBody(swap): JsonBody<SwapRequest>,
) -> Result<Json<Loaded>, ApiError> {
    if !(0.0..=3600.0).contains(&swap.in_s) {
        let error = ErrorCode::InvalidTime.error("the duration of the crossfade is out of range");
        return Err(error.fix("0 to 3600 s").into());
    }
    let _turn = app.loading.acquire().await;
    let mut options = swap.options;
    let bytes = admitted(&app, &swap.choreography, &mut options).await?;
    let ask = Ask::Swap {
        guest,
        bytes: bytes.len() as u64,
        in_ns: (swap.in_s * 1e9) as u64,
        options,
    };
    Ok(Json(app.loop_client.hand_over(ask, bytes).await?))
}

/// Lists the scheduled starts.
#[utoipa::path(get, path = "/api/v2/plans", tag = "guests",
    responses((status = 200, body = Vec<PlannedStart>), (status = "default", body = ErrorBody)))]
pub async fn planned(State(app): State<Arc<App>>) -> Json<Vec<PlannedStart>> {
    let plans = app.plans();
    let told = |plan: &StartPlan| PlannedStart {
        number: plan.number,
        choreography: plan.choreography.clone(),
        at: plan.at,
        after: plan
            .after
            .as_ref()
            .map(|guest| guest.event.clone().unwrap_or_else(|| guest.name.clone())),
        by: plan.by.clone(),
    };
    Json(plans.list().iter().map(told).collect())
}

/// Cancels a scheduled start.
#[utoipa::path(delete, path = "/api/v2/plans/{number}", tag = "guests",
    params(("number" = u32, Path, description = "the plan's number")),
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn cancel(
    State(app): State<Arc<App>>,
    PathPart(number): PathPart<u32>,
) -> Result<Json<Confirmation>, ApiError> {
    if tokio::task::block_in_place(|| app.change_plans(|value| value.take(number)))? {
        return Ok(DONE);
    }
    let error = ErrorCode::NotFound.error(format!("no scheduled start has the number {number}"));
    Err(error.fix("`dcm-run start --planned` lists them").into())
}
