//! Uploads: a choreography is streamed to the disk, its digest and its signature are verified, then it is stored. The
//! file of a motion is compiled first (`motion`).
//! Its digest must be the announced one; the same bytes are stored once; an incomplete upload leaves no file.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt;
use network::hex::unhex;
use network::signature::{LONGEST, SignatureError, Statement};
use protocol::choreographies::{
    PushQuery, PushResult, SIGNATURE, StoredChoreography, is_like_a_digest, is_name,
};
use protocol::keys::SignaturePolicy;
use protocol::{ErrorBody, ErrorCode};
use tokio::sync::mpsc;
use tracing::Instrument;

use super::extract::{PathPart, QueryString};
use super::motion::{self, CompiledMotion};
use crate::access::Principal;
use crate::api_error::ApiError;
use crate::app::App;
use crate::store::{StoreError, Upload};
use crate::trust::{self, SignatureContext};

/// How long the next piece of an upload may take.
const PIECE_TIMEOUT: Duration = Duration::from_secs(20);

/// Uploads a choreography, or the file of a motion (Webots, Choregraphe, Tekkotsu, CSV, …), which becomes one for this
/// robot. The path is the SHA-256 of the bytes that are sent; the same bytes may be uploaded again at any time. A
/// motion is stored under the digest in the answer, which is that of what it was compiled to.
#[utoipa::path(put, path = "/api/v2/choreographies/{reference}",
    tag = "choreographies", params(("reference" = String, Path, description = "SHA-256 of the bytes"), PushQuery),
    request_body(content((Vec<u8> = "application/wasm"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, body = PushResult), (status = 201, body = PushResult),
        (status = "default", body = ErrorBody)))]
pub async fn push(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    PathPart(said): PathPart<String>,
    QueryString(query): QueryString<PushQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<PushResult>), ApiError> {
    let text = said.strip_prefix("sha256:").unwrap_or(&said).to_owned();
    if unhex(&text).is_none_or(|value| value.len() != 32) {
        let error = ErrorCode::InvalidDigest.error("the path does not end with a SHA-256");
        return Err(error
            .fix("64 lowercase hexadecimal digits, of the bytes of the body")
            .into());
    }
    let name = query.name.clone();
    if !is_name(&name) || is_like_a_digest(&name) {
        return Err(StoreError::Name(name).into());
    }
    motion::require_file_name(&query)?;
    let place = app.uploads.take(who.as_ref());
    let _place = place.map_err(|reason| reason.refuse("upload"))?;
    let announced = headers.get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|announced| announced.to_str().ok()?.parse().ok());
    let signature = signature(&headers)?;
    let digest = text.clone();
    let upload = app.store(move |store| store.begin(&digest, announced));
    let upload = upload.await?;
    let span = tracing::info_span!("upload", name, digest = text);
    let upload = receive(upload, body).instrument(span.clone()).await?;
    if announced.is_some_and(|announced| announced != upload.bytes()) {
        let sentence = format!("only {} of the announced bytes arrived", upload.bytes());
        return Err(ErrorCode::CutOff
            .error(sentence)
            .fix("send it again")
            .into());
    }
    let ready = made(&app, who.as_ref(), (upload, text), &query).instrument(span.clone());
    let (upload, text, remarks) = ready.await?;
    let by = who.map_or_else(String::new, |value| value.name);
    let (pushed, signature) = ((name, text), signature.as_deref());
    let installed = install(&app, upload, pushed, by, signature).instrument(span.clone());
    let (status, mut result) = installed.await?;
    result.warnings.extend(remarks);
    let (bytes, known) = (result.bytes, result.known);
    span.in_scope(|| tracing::info!(bytes, known, "the choreography was stored"));
    Ok((status, Json(result)))
}

/// What is stored of a complete upload, its digest, and what is to be told: the upload itself, or the choreography that
/// the file of a motion becomes.
async fn made(
    app: &App,
    who: Option<&Principal>,
    (upload, said): (Upload, String),
    query: &PushQuery,
) -> Result<(Upload, String, Vec<String>), ApiError> {
    let Some(file) = query.file.as_ref().filter(|_| !upload.is_program()) else {
        return Ok((upload, said, Vec::new()));
    };
    upload.verify(&said)?;
    let path = app.stored_path(upload.path());
    let CompiledMotion { bytes, remarks } =
        motion::compiled(app, who, &path, (file, query)).await?;
    // Its file is removed.
    drop(upload);
    let digest = network::hex::digest(&bytes);
    let is = digest.clone();
    let written = app.store(move |store| {
        let mut upload = store.begin(&digest, Some(bytes.len() as u64))?;
        upload.write(&bytes)?;
        Ok(upload)
    });
    Ok((written.await?, is, remarks))
}

/// Stores a complete upload, if the policy accepts its signature.
async fn install(
    app: &App,
    upload: Upload,
    (name, said): (String, String),
    by: String,
    signature: Option<&[u8]>,
) -> Result<(StatusCode, PushResult), ApiError> {
    let _alone = app.installing.lock().await;
    let (signed, warnings) = verified(app, &said, &name, signature).await?;
    let now = app.now();
    let key = signed.as_ref().map(|signed| signed.key.clone());
    let made = signed.as_ref().map(|signed| signed.made);
    let signed_by = key.as_ref().and_then(|key| {
        let keys = app.keys();
        keys.iter()
            .find(|known| known.key == *key)
            .map(|known| known.name.clone())
    });
    let kept = {
        let name = name.clone();
        move |bytes| StoredChoreography {
            name,
            bytes,
            came: now,
            by,
            key,
            signed: made,
        }
    };
    let bytes = upload.bytes();
    // What was verified is verified again whenever it begins to play.
    let text = signed
        .and(signature)
        .map(|value| String::from_utf8_lossy(value).into_owned());
    let sealed = name.clone();
    let installed = app.store(move |store| {
        let installed = store.install(upload, &said, kept)?;
        // This time never goes back, so an expired signature stays expired.
        store.change(|index| {
            index.latest = index.latest.max(now);
            if let Some(text) = text {
                index.seal(&sealed, &installed.0, text);
            }
        })?;
        Ok(installed)
    });
    let (digest, known) = installed.await?;
    let status = if known {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    let pushed = PushResult {
        digest,
        name,
        bytes,
        known,
        signed_by,
        warnings,
    };
    Ok((status, pushed))
}

/// The signature in the request.
fn signature(headers: &HeaderMap) -> Result<Option<Vec<u8>>, ApiError> {
    let Some(sent) = headers.get(SIGNATURE) else {
        return Ok(None);
    };
    let text = sent.to_str().unwrap_or_default();
    if text.len() > 2 * LONGEST {
        return Err(SignatureError::Long.into());
    }
    let bytes = unhex(text).ok_or(SignatureError::Form("it is not in hexadecimal digits"))?;
    Ok(Some(bytes))
}

/// Applies the policy to a signature.
async fn verified(
    app: &App,
    digest: &str,
    name: &str,
    signature: Option<&[u8]>,
) -> Result<(Option<Statement>, Vec<String>), ApiError> {
    let policy = app.settings.store.signatures;
    if policy == SignaturePolicy::Off && signature.is_none() {
        return Ok((None, Vec::new()));
    }
    let wanted = name.to_owned();
    let newest = app.store(move |store| Ok(store.index().signed.get(&wanted).copied()));
    let case = SignatureContext {
        digest,
        name,
        robot: &app.robot,
        now: app.now(),
        newest: newest.await?,
    };
    let judged = trust::verify(&app.keys(), signature, case);
    match judged {
        Ok(statement) => Ok((Some(statement), Vec::new())),
        Err(flaw) if policy == SignaturePolicy::Require => Err(flaw.into()),
        Err(flaw) => Ok((None, vec![flaw.to_string()])),
    }
}

/// Writes a request's body to the disk in pieces, on a thread that may block.
async fn receive(mut upload: Upload, body: Body) -> Result<Upload, ApiError> {
    let (pieces, mut coming) = mpsc::channel::<bytes::Bytes>(4);
    let writer = tokio::task::spawn_blocking(move || {
        while let Some(piece) = coming.blocking_recv() {
            upload.write(&piece)?;
        }
        Ok::<_, StoreError>(upload)
    });
    let mut body = body;
    let mut broken = None;
    loop {
        let frame = match tokio::time::timeout(PIECE_TIMEOUT, body.frame()).await {
            Ok(None) => break,
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => {
                broken = Some(format!("the upload broke off: {error}"));
                break;
            }
            Err(_) => {
                broken = Some(format!(
                    "no bytes arrived for {} s",
                    PIECE_TIMEOUT.as_secs()
                ));
                break;
            }
        };
        let Ok(piece) = frame.into_data() else {
            continue;
        };
        // The writer has failed; its error is returned below.
        if pieces.send(piece).await.is_err() {
            break;
        }
    }
    drop(pieces);
    let written = writer.await;
    let upload = written
        .unwrap_or_else(|_| Err(std::io::Error::other("the thread that wrote it died").into()))?;
    match broken {
        Some(sentence) => Err(ErrorCode::CutOff
            .error(sentence)
            .fix("send it again")
            .into()),
        None => Ok(upload),
    }
}
