//! Routes of access: pairing, tokens, the control lease, the audit log.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use network::hex::{hex, unhex};
use network::lock;
use protocol::choreographies::{invalid_name, is_name};
use protocol::guests::Confirmation;
use protocol::people::{
    AuditEntries, AuditQuery, ControlHolder, Identity, NewToken, PairAnswer, PairExchange,
    PairProof, PairRequest, PairingCode, PairingRequest, TokenInfo, TokenRequest,
};
use protocol::{AccessRole, ErrorBody, ErrorCode};

use super::DONE;
use super::extract::{JsonBody, PathPart, QueryString};
use super::gate::{OWN, Peer, clear_cookie, cookie_name, set_cookie};
use crate::access::{PairingError, Principal};
use crate::api_error::ApiError;
use crate::app::App;
use crate::store::StoreError;

/// Pairs with the robot: exchanges the code that the robot shows for a token. A browser gets the token in a cookie.
/// A program that sees the certificate pairs by a key exchange instead, `pair/exchange`, and never sends the code.
#[utoipa::path(post, path = "/api/v2/pair", tag = "people", request_body = PairRequest,
    responses((status = 200, body = NewToken), (status = "default", body = ErrorBody)))]
pub async fn pair(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    JsonBody(pair): JsonBody<PairRequest>,
) -> Result<Response, ApiError> {
    let now = may_guess(&app, &peer)?;
    // Before the code is used up.
    check_name(&pair.name)?;
    let role = lock(&app.pairing).take(&pair.code, peer.address, now)?;
    let made = make(&app, &pair.name, role, None)?;
    let mut answer = HeaderMap::new();
    // The dashboard sends this header. The token goes into a cookie that no script can read.
    if headers.contains_key(OWN) {
        let cookie = set_cookie(&cookie_name(&app.name, &headers), &made.token, peer.tls);
        let cookie = HeaderValue::from_str(&cookie).ok();
        answer.extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    }
    Ok((answer, Json(made)).into_response())
}

/// Begins to pair by a key exchange: SPAKE2 with the code as the password and the certificate's fingerprint as the
/// robot's identity. A server in between, which has another certificate, learns nothing and gets no token.
#[utoipa::path(post, path = "/api/v2/pair/exchange", tag = "people", request_body = PairExchange,
    responses((status = 200, body = PairAnswer), (status = "default", body = ErrorBody)))]
pub async fn pair_exchange(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    JsonBody(begun): JsonBody<PairExchange>,
) -> Result<Json<PairAnswer>, ApiError> {
    let now = may_guess(&app, &peer)?;
    let message = unhex(&begun.message).unwrap_or_default();
    let certificate = app.fingerprint.as_deref().filter(|_| peer.tls);
    let answer = lock(&app.pairing).exchange(&message, certificate, peer.address, now)?;
    Ok(Json(PairAnswer {
        exchange: answer.exchange,
        message: hex(&answer.message),
        proof: hex(&answer.proof),
    }))
}

/// Ends a key exchange: proves that the client has the robot's code, and gives it a token.
#[utoipa::path(post, path = "/api/v2/pair/proof", tag = "people", request_body = PairProof,
    responses((status = 200, body = NewToken), (status = "default", body = ErrorBody)))]
pub async fn pair_proof(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    JsonBody(ends): JsonBody<PairProof>,
) -> Result<Json<NewToken>, ApiError> {
    let now = may_guess(&app, &peer)?;
    check_name(&ends.name)?;
    let proof = unhex(&ends.proof).unwrap_or_default();
    let role = lock(&app.pairing).confirm(ends.exchange, &ends.name, &proof, now)?;
    Ok(Json(make(&app, &ends.name, role, None)?))
}

/// Fails if there were too many guesses from there. Returns the present time.
fn may_guess(app: &App, peer: &Peer) -> Result<Instant, ApiError> {
    let now = Instant::now();
    let allows = |item| lock(&app.guess_limit).allows(item, now);
    if peer.address.is_none_or(allows) {
        return Ok(now);
    }
    let error = ErrorCode::TooOften.error("too many requests");
    let error = error.fix("wait a moment");
    Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, error))
}

impl From<PairingError> for ApiError {
    fn from(wrong: PairingError) -> ApiError {
        let anew = "`dcm-run pair --show` on the robot shows a new one, for five minutes";
        let (status, code, sentence, fix) = match wrong {
            PairingError::NoCode => (
                StatusCode::FORBIDDEN,
                ErrorCode::WrongCode,
                "the robot shows no pairing code",
                anew,
            ),
            PairingError::Other => (
                StatusCode::FORBIDDEN,
                ErrorCode::WrongCode,
                "wrong code",
                anew,
            ),
            PairingError::TooOften => (
                StatusCode::TOO_MANY_REQUESTS,
                ErrorCode::TooOften,
                "too many guesses from your address",
                "wait ten seconds",
            ),
            PairingError::NoMessage => (
                StatusCode::BAD_REQUEST,
                ErrorCode::InvalidRequest,
                "this is no message of a key exchange: 66 hexadecimal digits of SPAKE2",
                "use `dcm-run pair` of the robot's version",
            ),
        };
        ApiError::new(status, code.error(sentence).fix(fix))
    }
}

/// Fails if this cannot be the name of a token's owner.
fn check_name(name: &str) -> Result<(), ApiError> {
    is_name(name)
        .then_some(())
        .ok_or_else(|| invalid_name(name).into())
}

fn make(app: &App, name: &str, role: AccessRole, days: Option<u64>) -> Result<NewToken, ApiError> {
    let now = app.now();
    let days = days.unwrap_or(app.settings.access.token_days);
    let ends = (days > 0).then(|| now.saturating_add(days.saturating_mul(86_400)));
    let made = tokio::task::block_in_place(|| {
        app.change_tokens(|tokens| tokens.make(name, role, now, ends))
    })?;
    let (token, about) = made.map_err(|why| {
        let error = ErrorCode::Full.error(why);
        error.fix("revoke a token: `dcm-run tokens revoke NUMBER`")
    })?;
    Ok(NewToken { token, about })
}

/// Shows a new pairing code; the previous one becomes invalid.
#[utoipa::path(post, path = "/api/v2/pairing", tag = "people",
    request_body = PairingRequest,
    responses((status = 200, body = PairingCode), (status = "default", body = ErrorBody)))]
pub async fn show_code(
    State(app): State<Arc<App>>,
    JsonBody(PairingRequest { role }): JsonBody<PairingRequest>,
) -> Result<Json<PairingCode>, ApiError> {
    let code = lock(&app.pairing).show(role, Instant::now());
    let code = code.map_err(|why| {
        let error = ErrorCode::NoRandomness.error(why);
        error.fix("check the robot's machine: `dmesg` says more")
    })?;
    let for_s = crate::access::pairing::CODE_LIFETIME.as_secs();
    let certificate = app.fingerprint.clone();
    Ok(Json(PairingCode {
        code,
        for_s,
        role,
        certificate,
    }))
}

/// Who you are, and your role.
#[utoipa::path(get, path = "/api/v2/me", tag = "people",
    responses((status = 200, body = Identity), (status = "default", body = ErrorBody)))]
pub async fn me(Extension(who): Extension<Option<Principal>>) -> Result<Json<Identity>, ApiError> {
    let who = who.ok_or_else(|| {
        let error = ErrorCode::NotFound.error("you have no token");
        error.fix("pair with the robot: `dcm-run pair ROBOT`")
    })?;
    Ok(Json(Identity {
        name: who.name,
        role: who.role,
    }))
}

/// Logs out: revokes the token of this request.
#[utoipa::path(delete, path = "/api/v2/me", tag = "people",
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn leave(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(number) = who.and_then(|value| value.token) {
        end_token(&app, number)?;
    }
    let cookie = clear_cookie(&cookie_name(&app.name, &headers));
    Ok(([("set-cookie", cookie)], DONE).into_response())
}

/// Revokes a token, and takes control from whoever has it. Returns whether it was there.
fn end_token(app: &App, number: u32) -> Result<bool, StoreError> {
    let gone = tokio::task::block_in_place(|| app.change_tokens(|tokens| tokens.revoke(number)))?;
    lock(&app.lease).end_of_token(number);
    Ok(gone)
}

/// Lists the tokens, without their secrets.
#[utoipa::path(get, path = "/api/v2/tokens", tag = "people",
    responses((status = 200, body = Vec<TokenInfo>), (status = "default", body = ErrorBody)))]
pub async fn tokens(State(app): State<Arc<App>>) -> Json<Vec<TokenInfo>> {
    Json(app.tokens().list())
}

/// Creates a token. It is shown only once.
#[utoipa::path(post, path = "/api/v2/tokens", tag = "people",
    request_body = TokenRequest,
    responses((status = 200, body = NewToken), (status = "default", body = ErrorBody)))]
pub async fn make_token(
    State(app): State<Arc<App>>,
    JsonBody(wanted): JsonBody<TokenRequest>,
) -> Result<Json<NewToken>, ApiError> {
    check_name(&wanted.name)?;
    Ok(Json(make(&app, &wanted.name, wanted.role, wanted.days)?))
}

/// Revokes a token.
#[utoipa::path(delete, path = "/api/v2/tokens/{number}", tag = "people",
    params(("number" = u32, Path, description = "the token's number")),
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn revoke_token(
    State(app): State<Arc<App>>,
    PathPart(number): PathPart<u32>,
) -> Result<Json<Confirmation>, ApiError> {
    if end_token(&app, number)? {
        return Ok(DONE);
    }
    let error = ErrorCode::NotFound.error(format!("there is no token {number}"));
    Err(error.fix("`dcm-run tokens` lists them").into())
}

/// Who holds control.
#[utoipa::path(get, path = "/api/v2/lease", tag = "people",
    responses((status = 200, body = ControlHolder), (status = "default", body = ErrorBody)))]
pub async fn lease(State(app): State<Arc<App>>) -> Json<ControlHolder> {
    Json(lock(&app.lease).held(Instant::now()))
}

/// Takes control, whoever holds it.
#[utoipa::path(put, path = "/api/v2/lease", tag = "people",
    responses((status = 200, body = ControlHolder), (status = "default", body = ErrorBody)))]
pub async fn take_over(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
) -> Json<ControlHolder> {
    let mut lease = lock(&app.lease);
    let now = Instant::now();
    if let Some(who) = who {
        lease.take_over(&who, now);
    }
    Json(lease.held(now))
}

/// Gives control back.
#[utoipa::path(delete, path = "/api/v2/lease", tag = "people",
    responses((status = 200, body = ControlHolder), (status = "default", body = ErrorBody)))]
pub async fn give_back(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
) -> Json<ControlHolder> {
    let mut lease = lock(&app.lease);
    if let Some(who) = who {
        lease.give_back(&who);
    }
    Json(lease.held(Instant::now()))
}

/// The audit log: who did what, from where.
#[utoipa::path(get, path = "/api/v2/audit", tag = "people", params(AuditQuery),
    responses((status = 200, body = AuditEntries), (status = "default", body = ErrorBody)))]
pub async fn acts(
    State(app): State<Arc<App>>,
    QueryString(AuditQuery { most }): QueryString<AuditQuery>,
) -> Result<Json<AuditEntries>, ApiError> {
    let most = most.unwrap_or(100).min(10_000);
    let acts = app.audit_writer().last(most).await.ok_or_else(|| {
        let error = ErrorCode::Busy.error("the disk is slow: the log cannot be read now");
        error.fix("try again in a moment")
    })?;
    Ok(Json(acts))
}
