//! `ALMemory`: values by the DCM's keys (sensors, sent values, ranges, boards, the clock), values that clients write,
//! and events. All values of the body in one answer are of one turn, and never of an old one.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use cycle::dcm;
use protocol::guests::Confirmation;
use protocol::memory::{
    DataList, DataQuery, Datum, KeyFilter, MemoryEvents, MemoryEventsQuery, MemoryKeys,
};
use protocol::{ErrorBody, ErrorCode};
use sensors::Frame;
use serde_json::Value;

use super::extract::{JsonBody, QueryString};
use crate::api_error::ApiError;
use crate::app::App;
use crate::memory::{are_keys, of_body};
use crate::memory_keys::PagePlace;

/// The maximum number of keys in a request.
const KEYS_MAX: usize = 4096;

/// A board that has not answered for so many turns is not available. The body of a description without thresholds of
/// its own is held then.
const AWAY_TURNS: u64 = 5;

/// `getData`: the value of a key.
#[utoipa::path(get, path = "/api/v2/memory/getData", tag = "dcm", params(DataQuery),
    responses((status = 200, body = Datum), (status = "default", body = ErrorBody)))]
pub async fn get_data(
    State(app): State<Arc<App>>,
    QueryString(DataQuery { key }): QueryString<DataQuery>,
) -> Result<Json<Datum>, ApiError> {
    let page = app.streams.page();
    if let Some(stored) = app.memory().get(&key) {
        let now = page.read(|frame| frame.now().nanos()).unwrap_or(0);
        let age_s = Some(now.saturating_sub(stored.at_ns) as f64 / 1e9);
        let value = stored.value;
        return Ok(Json(Datum { value, age_s }));
    }
    let place = app.find(&key).await?;
    app.streams.is_fresh()?;
    let read = page.read(|frame| (value(&app, &frame, place), age(&app, &frame, place)));
    let (value, age_s) = read.unwrap_or_default();
    let value = value.into();
    Ok(Json(Datum { value, age_s }))
}

/// `getListData`: the values of several keys, all of one turn. The value of an unknown key is `null`.
#[utoipa::path(post, path = "/api/v2/memory/getListData", tag = "dcm",
    request_body = Vec<String>,
    responses((status = 200, body = DataList), (status = "default", body = ErrorBody)))]
pub async fn get_list_data(
    State(app): State<Arc<App>>,
    JsonBody(keys): JsonBody<Vec<String>>,
) -> Result<Json<DataList>, ApiError> {
    if keys.len() > KEYS_MAX {
        let error = ErrorCode::Full.error(format!("at most {KEYS_MAX} keys at once"));
        return Err(error.fix("ask several times").into());
    }
    let mut places = Vec::with_capacity(keys.len());
    for key in &keys {
        if let Some(stored) = app.memory().get(key) {
            places.push(Err(stored.value));
            continue;
        }
        places.push(match app.find(key).await {
            Ok(place) => Ok(Some(place)),
            Err(error) if error.code == ErrorCode::UnknownName.word() => Ok(None),
            Err(error) => return Err(error.into()),
        });
    }
    if places.iter().any(|place| matches!(place, Ok(Some(_)))) {
        app.streams.is_fresh()?;
    }
    let page = app.streams.page();
    let read = page.read(|frame| {
        let value = |item: &Result<Option<PagePlace>, Value>| match item {
            Ok(place) => place.and_then(|place| value(&app, &frame, place)).into(),
            Err(stored) => stored.clone(),
        };
        places.iter().map(value).collect::<Vec<_>>()
    });
    let values = read.unwrap_or_else(|| vec![Value::Null; keys.len()]);
    Ok(Json(DataList { values }))
}

/// `getDataList`: the keys that contain a text.
#[utoipa::path(get, path = "/api/v2/memory/getDataList", tag = "dcm",
    params(KeyFilter),
    responses((status = 200, body = MemoryKeys), (status = "default", body = ErrorBody)))]
pub async fn get_data_list(
    State(app): State<Arc<App>>,
    QueryString(KeyFilter { filter }): QueryString<KeyFilter>,
) -> Result<Json<MemoryKeys>, ApiError> {
    let mut keys = app.keys_of_memory().await?.to_vec();
    keys.extend(app.memory().keys());
    keys.retain(|key| key.contains(&filter));
    keys.sort();
    Ok(Json(MemoryKeys { keys }))
}

/// `insertData` and `insertListData`: writes values under keys of the clients' own: `[["Game/Score", 7]]`. All are
/// written or none. They last until the robot's server ends; up to 1,024 keys, of up to 4 KiB each.
#[utoipa::path(post, path = "/api/v2/memory/insertListData", tag = "dcm",
    request_body = Vec<Value>,
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn insert_list_data(
    State(app): State<Arc<App>>,
    JsonBody(values): JsonBody<Vec<(String, Value)>>,
) -> Result<Json<Confirmation>, ApiError> {
    insert(&app, values, false).await
}

/// `raiseEvent`: writes a value, and tells it to whoever waits for events of this key: `["Game/Over", true]`.
#[utoipa::path(post, path = "/api/v2/memory/raiseEvent", tag = "dcm",
    request_body = Vec<Value>,
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn raise_event(
    State(app): State<Arc<App>>,
    JsonBody((key, value)): JsonBody<(String, Value)>,
) -> Result<Json<Confirmation>, ApiError> {
    insert(&app, vec![(key, value)], true).await
}

async fn insert(
    app: &App,
    values: Vec<(String, Value)>,
    raised: bool,
) -> Result<Json<Confirmation>, ApiError> {
    are_keys(values.iter().map(|pair| &pair.0))?;
    for (key, _) in &values {
        if app.memory().is_of_client(key) {
            continue;
        }
        // What the body has, under a short name or an alias as well.
        match app.find(key).await {
            Ok(_) => return Err(of_body(key).into()),
            Err(error) if error.code == ErrorCode::UnknownName.word() => {}
            Err(error) => return Err(error.into()),
        }
    }
    let now = app.streams.now()?.nanos();
    app.memory().insert(values, raised, now)?;
    Ok(Json(Confirmation { done: true }))
}

/// `removeData`: removes a key that a client has written: `["Game/Score"]`.
#[utoipa::path(post, path = "/api/v2/memory/removeData", tag = "dcm",
    request_body = Vec<String>,
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn remove_data(
    State(app): State<Arc<App>>,
    JsonBody((key,)): JsonBody<(String,)>,
) -> Result<Json<Confirmation>, ApiError> {
    app.memory().remove(&key)?;
    Ok(Json(Confirmation { done: true }))
}

/// Events of the memory, for `subscribeToEvent`: those that clients raise, and those of touches and buttons of the
/// body (`FrontTactilTouched`, `ChestButtonPressed`, `LeftBumperPressed`), whose value is 1 or 0.
#[utoipa::path(get, path = "/api/v2/memory/events", tag = "dcm",
    params(MemoryEventsQuery),
    responses((status = 200, body = MemoryEvents), (status = "default", body = ErrorBody)))]
pub async fn events(
    State(app): State<Arc<App>>,
    QueryString(query): QueryString<MemoryEventsQuery>,
) -> Result<Json<MemoryEvents>, ApiError> {
    let keys: Vec<_> = query.keys.split(',').map(str::to_owned).collect();
    if !(0.0..=60.0).contains(&query.wait_s) {
        let error = ErrorCode::InvalidTime.error(format!("{:?} s is out of range", query.wait_s));
        return Err(error.fix("wait from 0 to 60 s, and ask again").into());
    }
    let until = tokio::time::Instant::now() + Duration::from_secs_f64(query.wait_s);
    let mut changes = app.memory().changes();
    let since = query.since.unwrap_or(*changes.borrow_and_update());
    loop {
        let (next, missed, events) = app.memory().events(since, &keys);
        if !events.is_empty() || missed > 0 {
            let events = MemoryEvents {
                next,
                missed,
                events,
            };
            return Ok(Json(events));
        }
        if !matches!(
            tokio::time::timeout_at(until, changes.changed()).await,
            Ok(Ok(()))
        ) {
            let events = MemoryEvents {
                next,
                missed,
                events,
            };
            return Ok(Json(events));
        }
    }
}

/// How old a value of the body is, s, if it is known.
fn age(app: &App, frame: &Frame<'_>, place: PagePlace) -> Option<f64> {
    let PagePlace::Sensor(place) = place else {
        return None;
    };
    let board = app.streams.board_of(place)?;
    let [.., age, _] = frame.board(board)?;
    Some(app.streams.page().period().seconds() * age as f64)
}

fn value(app: &App, frame: &Frame<'_>, place: PagePlace) -> Option<f64> {
    match place {
        PagePlace::Actuator(place) => frame.sent(place),
        PagePlace::Bound(place, highest) => {
            let (low, high) = app.streams.range(place)?;
            Some(if highest { high } else { low })
        }
        PagePlace::Sensor(place) => frame.sensor(place),
        PagePlace::Board(board, figure) => Some(frame.board(board)?[figure] as f64),
        PagePlace::Available(board) => {
            let [acks, _, age, _] = frame.board(board)?;
            Some(f64::from(u8::from(acks > 0 && age < AWAY_TURNS)))
        }
        PagePlace::Time => Some(f64::from(dcm::stamp(frame.now()) as i32)),
        PagePlace::Absent => Some(0.0),
        PagePlace::Cycle(figure) => Some(app.streams.cycle_figure(frame, figure)),
    }
    .filter(|value| value.is_finite())
}
