//! Routes of the trusted signing keys.
//! A revoked key stays listed as revoked; only an operator can trust it again.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use network::hex::unhex;
use protocol::choreographies::{invalid_name, is_name};
use protocol::guests::Confirmation;
use protocol::keys::{TrustRequest, TrustedKey};
use protocol::{ErrorBody, ErrorCode};

use super::DONE;
use super::extract::{JsonBody, PathPart};
use crate::api_error::ApiError;
use crate::app::App;
use crate::trust::KEYS_MAX;

/// Lists the trusted and the revoked keys.
#[utoipa::path(get, path = "/api/v2/keys", tag = "keys",
    responses((status = 200, body = Vec<TrustedKey>), (status = "default", body = ErrorBody)))]
pub async fn list(State(app): State<Arc<App>>) -> Json<Vec<TrustedKey>> {
    Json(app.keys().clone())
}

/// Adds a trusted key.
#[utoipa::path(post, path = "/api/v2/keys", tag = "keys",
    request_body = TrustRequest,
    responses((status = 200, body = TrustedKey), (status = "default", body = ErrorBody)))]
pub async fn trust(
    State(app): State<Arc<App>>,
    JsonBody(TrustRequest { key, name }): JsonBody<TrustRequest>,
) -> Result<Json<TrustedKey>, ApiError> {
    let key = key.trim().trim_start_matches("ed25519:").to_owned();
    if unhex(&key).is_none_or(|value| value.len() != 32) {
        let error = ErrorCode::InvalidKey.error("not a public key");
        return Err(error
            .fix("64 lowercase hexadecimal digits; `dcm-run keys ls` prints them")
            .into());
    }
    if !is_name(&name) {
        return Err(invalid_name(&name).into());
    }
    let trusted = TrustedKey {
        key,
        name,
        since: app.now(),
        revoked: false,
    };
    let kept = trusted.clone();
    let done = tokio::task::block_in_place(|| {
        app.change_keys(|keys| {
            keys.retain(|key| key.key != kept.key);
            let has_room = keys.len() < KEYS_MAX;
            if has_room {
                keys.push(kept);
            }
            has_room
        })
    })?;
    if !done {
        // Revoked keys count too, because they must stay listed.
        let error = ErrorCode::Full.error(format!("there are {KEYS_MAX} keys already"));
        let fix =
            "stop the robot's server, and remove old keys from `keys.json` in its state folder";
        return Err(error.fix(fix).into());
    }
    Ok(Json(trusted))
}

/// Revokes a key.
#[utoipa::path(delete, path = "/api/v2/keys/{key}", tag = "keys",
    params(("key" = String, Path, description = "the first digits of the key, or the name of its owner")),
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn revoke(
    State(app): State<Arc<App>>,
    PathPart(key): PathPart<String>,
) -> Result<Json<Confirmation>, ApiError> {
    let is_meant =
        |item: &TrustedKey| item.name == key || (key.len() >= 8 && item.key.starts_with(&key));
    let meant = app.keys().iter().filter(|key| is_meant(key)).count();
    if meant != 1 {
        let sentence = format!("{meant} keys match `{key}`");
        return Err(ErrorCode::NotFound
            .error(sentence)
            .fix("`dcm-run keys ls` lists them")
            .into());
    }
    tokio::task::block_in_place(|| {
        app.change_keys(|keys| {
            for key in keys.iter_mut().filter(|key| is_meant(key)) {
                key.revoked = true;
            }
        })
    })?;
    Ok(DONE)
}
