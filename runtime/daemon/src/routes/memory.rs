//! Reads values by the DCM's keys, as `ALMemory` did: sensors, sent values, ranges, boards, the clock.
//! The law: all values of one answer are of one turn.

use std::sync::Arc;

use api::error::{ErrorBody, ErrorCode};
use api::memory::{DataList, DataQuery, Datum, KeyFilter, MemoryKeys};
use axum::Json;
use axum::extract::State;
use cycle::dcm;
use sensors::Frame;

use super::error::ApiError;
use super::extract::{JsonBody, QueryString};
use crate::app::App;
use crate::memory_keys::PagePlace;

/// The maximum number of keys in a request.
const KEYS_MAX: usize = 4096;

/// `getData`: the value of a key.
#[utoipa::path(get, path = "/api/v1/memory/getData", security(("token" = ["watch"])), tag = "dcm", params(DataQuery),
    responses((status = 200, body = Datum), (status = "default", body = ErrorBody)))]
pub async fn get_data(
    State(app): State<Arc<App>>,
    QueryString(DataQuery { key }): QueryString<DataQuery>,
) -> Result<Json<Datum>, ApiError> {
    let place = app.find(&key).await?;
    let page = app.streams.page();
    let value = page.read(|frame| value(&app, &frame, place)).flatten();
    Ok(Json(Datum { value }))
}

/// `getListData`: the values of several keys, all of one turn. The value of an unknown key is `null`.
#[utoipa::path(post, path = "/api/v1/memory/getListData", security(("token" = ["watch"])), tags = ["dcm", "looks"],
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
        places.push(match app.find(key).await {
            Ok(place) => Some(place),
            Err(error) if error.code == ErrorCode::UnknownName.word() => None,
            Err(error) => return Err(error.into()),
        });
    }
    let page = app.streams.page();
    let read = page.read(|frame| {
        let value = |it: &Option<PagePlace>| it.and_then(|it| value(&app, &frame, it));
        places.iter().map(value).collect::<Vec<_>>()
    });
    let values = read.unwrap_or_else(|| vec![None; keys.len()]);
    Ok(Json(DataList { values }))
}

/// `getDataList`: the keys that contain a text.
#[utoipa::path(get, path = "/api/v1/memory/getDataList", security(("token" = ["watch"])), tag = "dcm",
    params(KeyFilter),
    responses((status = 200, body = MemoryKeys), (status = "default", body = ErrorBody)))]
pub async fn get_data_list(
    State(app): State<Arc<App>>,
    QueryString(KeyFilter { filter }): QueryString<KeyFilter>,
) -> Result<Json<MemoryKeys>, ApiError> {
    let keys = app.keys_of_memory().await?;
    let keys = keys.iter().filter(|it| it.contains(&filter));
    Ok(Json(MemoryKeys {
        keys: keys.cloned().collect(),
    }))
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
        PagePlace::Time => Some(f64::from(dcm::stamp(frame.now()) as i32)),
    }
    .filter(|it| it.is_finite())
}
