//! The DCM's calls, for programs that were written for NAO: the same nested lists, the 32-bit clock and the update
//! types of NAOqi.
//! All of a request is accepted or none; a 32-bit time means the instant within 2^31 ms of now.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use cycle::{Instant, dcm};
use protocol::dcm::{DcmTime, KeyPrefixes, LaneQuery, SetAlias, TimeQuery, TimedValue, UpdateKind};
use protocol::guests::Confirmation;
use protocol::{Ask, ErrorBody, ErrorCode, RequestError, TakenCommands};
use serde_json::{Value, json};

use super::DONE;
use super::body::moved;
use super::extract::{JsonBody, PathPart, QueryString};
use super::long_body::LongJsonBody;
use crate::access::Principal;
use crate::api_error::ApiError;
use crate::app::App;
use crate::memory_keys::{PREFIX, PagePlace};

/// `set`: a list of timed commands for an actuator, or the same for every member of an alias:
/// `["HeadYaw/Position/Actuator/Value", "Merge", [[0.5, 12000], [0, 13000]]]`.
#[utoipa::path(post, path = "/api/v2/dcm/set", tag = "dcm",
    params(LaneQuery), request_body = Vec<Value>,
    responses((status = 200, body = TakenCommands), (status = "default", body = ErrorBody)))]
pub async fn set(
    State(app): State<Arc<App>>,
    QueryString(LaneQuery { lane }): QueryString<LaneQuery>,
    LongJsonBody((name, update, commands)): LongJsonBody<(String, UpdateKind, Vec<TimedValue>)>,
) -> Result<Json<TakenCommands>, ApiError> {
    let now = app.streams.now()?;
    let ask = Ask::Schedule {
        to: vec![name.clone()],
        same: true,
        lists: vec![
            commands
                .iter()
                .map(|command| timed(command, now))
                .collect::<Result<_, _>>()?,
        ],
        packed: 0,
        merge: update.into(),
        lane,
    };
    moved_unless_absent(&app, &name, ask).await
}

/// `setAlias`: commands for the members of an alias, `time-mixed`, `time-separate`, or one value for each:
/// `["Head", "ClearAll", "time-separate", 0, [12000, 13000], [[0.5, 0], [0.1, 0]]]`.
#[utoipa::path(post, path = "/api/v2/dcm/setAlias", tag = "dcm",
    params(LaneQuery), request_body = Vec<Value>,
    responses((status = 200, body = TakenCommands), (status = "default", body = ErrorBody)))]
pub async fn set_alias(
    State(app): State<Arc<App>>,
    QueryString(LaneQuery { lane }): QueryString<LaneQuery>,
    LongJsonBody(said): LongJsonBody<SetAlias>,
) -> Result<Json<TakenCommands>, ApiError> {
    let now = app.streams.now()?;
    let (name, update, lists) = match said {
        SetAlias::Mixed(name, update, lists) => {
            let list = |one: &Vec<TimedValue>| one.iter().map(|item| timed(item, now)).collect();
            (
                name,
                update,
                lists.iter().map(list).collect::<Result<_, _>>()?,
            )
        }
        SetAlias::Separate(name, update, times, rows) => {
            if rows.iter().any(|row| row.len() != times.len()) {
                let error = ErrorCode::WrongCount
                    .error("an actuator does not have one value for each time");
                return Err(error
                    .fix("give every actuator a value for every time")
                    .into());
            }
            let times: Vec<u64> = times
                .iter()
                .map(|time| at(*time, now))
                .collect::<Result<_, _>>()?;
            let list = |row: Vec<f64>| times.iter().copied().zip(row).collect();
            (name, update, rows.into_iter().map(list).collect())
        }
        SetAlias::Vector(name, time, values) => {
            let time = at(time, now)?;
            let list = |value| vec![(time, value)];
            (
                name,
                UpdateKind::ClearAll,
                values.into_iter().map(list).collect(),
            )
        }
    };
    let ask = Ask::Schedule {
        to: vec![name.clone()],
        same: false,
        lists,
        packed: 0,
        merge: update.into(),
        lane,
    };
    moved_unless_absent(&app, &name, ask).await
}

/// Sends commands. Those for a part that this robot lacks are ignored, as in the DCM.
async fn moved_unless_absent(
    app: &App,
    name: &str,
    ask: Ask,
) -> Result<Json<TakenCommands>, ApiError> {
    match moved(app, ask).await {
        Err(error) if error.code() == ErrorCode::UnknownName.word() => match app.find(name).await {
            Ok(PagePlace::Absent) => Ok(Json(TakenCommands::default())),
            _ => Err(error),
        },
        told => told,
    }
}

/// `createAlias`: creates or changes a name for several actuators, whole or not at all; one of the description may be
/// redefined: `["MyHead", ["HeadYaw/Position/Actuator/Value", "HeadPitch/Position/Actuator/Value"]]`.
#[utoipa::path(post, path = "/api/v2/dcm/createAlias", tag = "dcm",
    request_body = Vec<Value>,
    responses((status = 200, body = Vec<Value>), (status = "default", body = ErrorBody)))]
pub async fn create_alias(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    JsonBody((name, members)): JsonBody<(String, Vec<String>)>,
) -> Result<Json<Value>, ApiError> {
    let members = make_alias(&app, who, name.clone(), members).await?;
    Ok(Json(json!([name, members])))
}

/// Removes an alias that a client has made. One of the description that it redefined means again what it meant.
#[utoipa::path(delete, path = "/api/v2/dcm/aliases/{name}", tag = "dcm",
    params(("name" = String, Path, description = "the alias")),
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn remove_alias(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    PathPart(name): PathPart<String>,
) -> Result<Json<Confirmation>, ApiError> {
    make_alias(&app, who, name, Vec::new()).await?;
    Ok(DONE)
}

async fn make_alias(
    app: &App,
    who: Option<Principal>,
    name: String,
    members: Vec<String>,
) -> Result<Vec<String>, ApiError> {
    let by = who.map_or_else(String::new, |principal| match principal.token {
        Some(token) => format!("token {token}"),
        None => principal.name,
    });
    let ask = Ask::Alias { name, members, by };
    Ok(app.loop_client.get(ask).await?)
}

/// `getTime`: the DCM's clock, plus an offset.
#[utoipa::path(get, path = "/api/v2/dcm/getTime", tag = "dcm", params(TimeQuery),
    responses((status = 200, body = DcmTime), (status = "default", body = ErrorBody)))]
pub async fn get_time(
    State(app): State<Arc<App>>,
    QueryString(TimeQuery { offset }): QueryString<TimeQuery>,
) -> Result<Json<DcmTime>, ApiError> {
    let stamp = i64::from(dcm::stamp(app.streams.now()?));
    let time = stamp.wrapping_add(offset) as i32;
    Ok(Json(DcmTime { time }))
}

/// `getPrefix`: the prefixes of keys.
#[utoipa::path(get, path = "/api/v2/dcm/getPrefix", tag = "dcm",
    responses((status = 200, body = KeyPrefixes), (status = "default", body = ErrorBody)))]
pub async fn get_prefix() -> Json<KeyPrefixes> {
    Json(KeyPrefixes { prefix: PREFIX })
}

fn timed(timed_value: &TimedValue, now: Instant) -> Result<(u64, f64), RequestError> {
    Ok((at(timed_value.time, now)?, timed_value.value))
}

/// The instant at which the DCM's clock shows `time`, ns.
///
/// # Errors
/// The clock never shows it.
fn at(time: f64, now: Instant) -> Result<u64, RequestError> {
    // Whole milliseconds of 32 bits, with or without a sign.
    let whole = time.floor();
    if !(f64::from(i32::MIN)..=f64::from(u32::MAX)).contains(&whole) {
        let sentence = format!("the DCM's clock never shows {time:e} ms: it has 32 bits");
        let fix = "give a time in ms from `getTime`, plus how far ahead the command is";
        return Err(ErrorCode::InvalidTime.error(sentence).fix(fix));
    }
    let stamp = (whole as i64) as u32;
    Ok(dcm::instant(stamp, now).nanos())
}

#[cfg(test)]
mod tests {
    use cycle::Instant;

    use super::{SetAlias, at};

    #[test]
    fn a_time_is_the_one_that_is_near() {
        let day = Instant::from_millis((1 << 32) + 1000);
        assert_eq!(at(2000.0, day), Ok(((1 << 32) + 2000) * 1_000_000));
        assert_eq!(at(-1.0, day), Ok(((1 << 32) - 1) * 1_000_000));
        assert_eq!(at(4_294_967_295.0, day), Ok(((1 << 32) - 1) * 1_000_000));
        for never in [
            4_294_967_296.0,
            -2_147_483_649.0,
            1e12,
            -1e300,
            f64::INFINITY,
            f64::NAN,
        ] {
            assert!(at(never, day).is_err(), "{never}");
        }
    }

    #[test]
    fn all_forms_of_set_alias_are_told_apart() {
        let read = |text: &str| serde_json::from_str::<SetAlias>(text);
        let mixed = r#"["A", "Merge", "time-mixed", [[[0.5, 10], [1, 20, 0]], []]]"#;
        assert!(matches!(read(mixed), Ok(SetAlias::Mixed(..))));
        let separate = r#"["A", "ClearAll", "time-separate", 0, [10, 20], [[0, 1], [1, 0]]]"#;
        assert!(matches!(read(separate), Ok(SetAlias::Separate(..))));
        assert!(matches!(
            read(r#"["A", 10, [1, 2]]"#),
            Ok(SetAlias::Vector(..))
        ));
        assert!(read(r#"["A", "Never", "time-mixed", []]"#).is_err());
    }
}
