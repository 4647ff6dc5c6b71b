//! Routes of the store: list, download, check, tag, roll back, remove, and what plays at boot.
//! The same bytes are stored once, under all their names.

use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use protocol::choreographies::{
    BootEntry, CheckResult, ListedChoreography, RemoveQuery, TagRequest, VersionDigest,
};
use protocol::guests::Confirmation;
use protocol::{ErrorBody, ErrorCode, GuestOptions, RequestError, why_unchecked};
use tracing::Instrument;

use super::DONE;
use super::download::sent;
use super::extract::{JsonBody, PathPart, QueryString};
use crate::access::{Principal, WORK_TIMEOUT};
use crate::api_error::ApiError;
use crate::app::App;

/// Lists the stored choreographies.
#[utoipa::path(get, path = "/api/v2/choreographies", tag = "choreographies",
    responses((status = 200, body = Vec<ListedChoreography>), (status = "default", body = ErrorBody)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<ListedChoreography>>, ApiError> {
    Ok(Json(app.store(|store| Ok(store.index().list())).await?))
}

/// Downloads a stored choreography.
#[utoipa::path(get, path = "/api/v2/choreographies/{reference}",
    tag = "choreographies", params(("reference" = String, Path, description = "name, tag or digest")),
    responses((status = 200, content_type = "application/wasm", body = Vec<u8>),
        (status = "default", body = ErrorBody)))]
pub async fn pull(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    PathPart(reference): PathPart<String>,
) -> Result<Response, ApiError> {
    let place = app.downloads.take(who.as_ref());
    let place = place.map_err(|reason| reason.refuse("download"))?;
    let kept = Arc::clone(&app);
    let read = app.store(move |store| {
        let digest = store.find(&reference)?;
        // `read` has verified the digest. The file is then streamed from the disk.
        let bytes = store.read(&digest)?.len();
        let file = File::open(kept.choreography_path(&digest))?;
        let name = store.index().name_of(&reference, &digest);
        let name = name.unwrap_or_default().to_owned();
        Ok((digest, name, file, bytes))
    });
    let (digest, name, file, bytes) = read.await?;
    let headers = [
        ("x-dcm-digest", digest),
        ("content-length", bytes.to_string()),
    ];
    let response = sent(place, file, &format!("{name}.wasm"), "application/wasm");
    Ok((headers, response).into_response())
}

/// Removes a name with all its versions, or the one version that a tag or a digest means. A version that also has
/// another name stays stored under that name.
#[utoipa::path(delete, path = "/api/v2/choreographies/{reference}",
    tag = "choreographies", params(("reference" = String, Path, description = "name, tag or digest"), RemoveQuery),
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn remove(
    State(app): State<Arc<App>>,
    PathPart(reference): PathPart<String>,
    QueryString(RemoveQuery { force }): QueryString<RemoveQuery>,
) -> Result<Json<Confirmation>, ApiError> {
    app.store(move |store| store.remove(&reference, force))
        .await?;
    Ok(DONE)
}

/// Checks a stored choreography: plays it in virtual time and reports what it would do. Nothing moves.
#[utoipa::path(post, path = "/api/v2/choreographies/{reference}/check",
    tag = "choreographies", params(("reference" = String, Path, description = "name, tag or digest")),
    responses((status = 200, body = CheckResult), (status = "default", body = ErrorBody)))]
pub async fn check(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    PathPart(reference): PathPart<String>,
) -> Result<Json<CheckResult>, ApiError> {
    run_check(&app, who.as_ref(), reference, &GuestOptions::default())
        .await
        .map(Json)
}

/// Checks a stored choreography, with the grants of its name, as it would be loaded with these options. The loop's
/// check of the same finds this verdict.
async fn run_check(
    app: &App,
    who: Option<&Principal>,
    reference: String,
    options: &GuestOptions,
) -> Result<CheckResult, ApiError> {
    let span = tracing::info_span!("check", choreography = reference);
    let work = async {
        let began = Instant::now();
        let result = run_checker(app, who, reference, options).await;
        let took_ms = began.elapsed().as_millis();
        match &result {
            Ok(result) => tracing::info!(
                passes = result.passes,
                took_ms,
                "the choreography was checked"
            ),
            Err(why) => tracing::warn!(took_ms, code = why.code(), "it could not be checked"),
        }
        result
    };
    work.instrument(span).await
}

/// Checks a stored choreography, and refuses what does not pass.
pub(super) async fn require_passing(
    app: &App,
    who: Option<&Principal>,
    reference: &str,
    options: &GuestOptions,
) -> Result<(), ApiError> {
    let judged = run_check(app, who, reference.to_owned(), options).await?;
    if judged.passes {
        Ok(())
    } else {
        Err(refused(reference, &judged).into())
    }
}

/// Runs the check in a process of its own.
async fn run_checker(
    app: &App,
    who: Option<&Principal>,
    reference: String,
    options: &GuestOptions,
) -> Result<CheckResult, ApiError> {
    let found = app.store(move |store| {
        let digest = store.find(&reference)?;
        let name = store
            .index()
            .name_of(&reference, &digest)
            .map(str::to_owned);
        Ok((digest, name))
    });
    let (digest, name) = found.await?;
    let path = app.choreography_path(&digest);
    let _turn = app.checks.turn(who).await?;
    let mut child = tokio::process::Command::new(&app.program);
    child
        .arg("check")
        .arg(path)
        .args(["--json", "--kept", "--beside-loop"])
        .arg(format!("--robot={}", app.description))
        // With `=`, because names may begin with `-`.
        .args(name.iter().map(|name| format!("--granted-as={name}")))
        .args(&app.check_args)
        .args(options.check_args())
        .stdin(std::process::Stdio::null())
        .kill_on_drop(true);
    let output = tokio::time::timeout(WORK_TIMEOUT, child.output()).await;
    let failed =
        |what: String, fix: &str| -> ApiError { ErrorCode::Check.error(what).fix(fix).into() };
    let output = output
        .map_err(|_| {
            let what = format!("the check took longer than {} s", WORK_TIMEOUT.as_secs());
            failed(what, "check it where there is time: `dcm-run check FILE`")
        })?
        .map_err(|error| {
            let what = format!("the check could not be started: {error}");
            failed(what, "check that the robot's `dcm-run` has not been moved")
        })?;
    let report = serde_json::from_slice(&output.stdout);
    match (output.status.code(), report) {
        (Some(code @ (0 | 3)), Ok(report)) => Ok(CheckResult {
            passes: code == 0,
            report,
        }),
        _ => {
            let (why, fix) = why_unchecked(&output.stderr);
            let fix = fix
                .as_deref()
                .unwrap_or("check it by hand: `dcm-run check FILE`");
            Err(failed(format!("it could not be checked: {why}"), fix))
        }
    }
}

/// Tags a version. The tag stays with this version when its name gets a newer one.
#[utoipa::path(put, path = "/api/v2/tags/{tag}", tag = "choreographies",
    params(("tag" = String, Path, description = "the tag")), request_body = TagRequest,
    responses((status = 200, body = VersionDigest), (status = "default", body = ErrorBody)))]
pub async fn tag(
    State(app): State<Arc<App>>,
    PathPart(tag): PathPart<String>,
    JsonBody(TagRequest { choreography }): JsonBody<TagRequest>,
) -> Result<Json<VersionDigest>, ApiError> {
    let tagged = app.store(move |store| {
        let digest = store.find(&choreography)?;
        store.tag(&tag, Some(&digest))?;
        Ok(digest)
    });
    let digest = tagged.await?;
    Ok(Json(VersionDigest { digest }))
}

/// Removes a tag.
#[utoipa::path(delete, path = "/api/v2/tags/{tag}", tag = "choreographies",
    params(("tag" = String, Path, description = "the tag")),
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn untag(
    State(app): State<Arc<App>>,
    PathPart(tag): PathPart<String>,
) -> Result<Json<Confirmation>, ApiError> {
    app.store(move |store| store.tag(&tag, None)).await?;
    Ok(DONE)
}

/// Rolls a name back to its previous version.
#[utoipa::path(post, path = "/api/v2/names/{name}/rollback",
    tag = "choreographies", params(("name" = String, Path, description = "the name")),
    responses((status = 200, body = VersionDigest), (status = "default", body = ErrorBody)))]
pub async fn roll_back(
    State(app): State<Arc<App>>,
    PathPart(name): PathPart<String>,
) -> Result<Json<VersionDigest>, ApiError> {
    let digest = app.store(move |store| store.roll_back(&name)).await?;
    Ok(Json(VersionDigest { digest }))
}

/// The error for a start whose choreography does not pass its check.
fn refused(choreography: &str, judged: &CheckResult) -> RequestError {
    let Some(first) = judged.report.findings.first() else {
        let sentence = format!("`{choreography}` does not pass the check");
        return ErrorCode::Check
            .error(sentence)
            .fix("`dcm-run check` says why");
    };
    let sentence = format!(
        "`{choreography}` does not pass the check: {}: {}",
        first.rule, first.sentence
    );
    ErrorCode::Check.error(sentence).fix(format!(
        "{}; or allow it by name, --allow {}; or skip the check, --no-check",
        first.fix, first.rule
    ))
}

/// Lists what plays at boot.
#[utoipa::path(get, path = "/api/v2/boot", tag = "choreographies",
    responses((status = 200, body = Vec<BootEntry>), (status = "default", body = ErrorBody)))]
pub async fn boot(State(app): State<Arc<App>>) -> Result<Json<Vec<BootEntry>>, ApiError> {
    Ok(Json(
        app.store(|store| Ok(store.index().boot.clone())).await?,
    ))
}

/// Sets what plays at boot.
#[utoipa::path(put, path = "/api/v2/boot", tag = "choreographies",
    request_body = Vec<BootEntry>,
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn set_boot(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    JsonBody(boot): JsonBody<Vec<BootEntry>>,
) -> Result<Json<Confirmation>, ApiError> {
    const MOST: usize = 16;
    if boot.len() > MOST {
        let error = ErrorCode::Full.error(format!("at most {MOST} choreographies play at boot"));
        return Err(error.fix("name fewer of them").into());
    }
    // An entry that would be refused at boot is refused now.
    for boot in boot.iter().filter(|boot| !boot.options.unchecked) {
        require_passing(&app, who.as_ref(), &boot.choreography, &boot.options).await?;
    }
    app.store(move |store| {
        for boot in &boot {
            store.find(&boot.choreography)?;
        }
        store.change(|index| {
            index.boot = boot;
            index.failing.clear();
        })
    })
    .await?;
    Ok(DONE)
}
