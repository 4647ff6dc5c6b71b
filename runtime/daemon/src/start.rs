//! Starts stored choreographies: now, at the time of a plan, or after an event or the end of another guest.
//! Called by the routes, at boot, and when the server starts. The digest of the bytes is checked again before
//! they are loaded. A plan whose time has passed is not executed; the audit log has it as missed.

use std::sync::Arc;
use std::time::Duration;

use network::signature::SignatureError;
use protocol::keys::SignaturePolicy;
use protocol::people::AuditEntry;
use protocol::{Ask, ErrorCode, GuestOptions, Loaded};

use crate::api_error::ApiError;
use crate::app::App;
use crate::awaited::{AwaitedEnd, wait};
use crate::clock::clock;
use crate::plans::StartPlan;
use crate::trust::{self, SignatureContext};

/// Loads a stored choreography into the loop.
///
/// # Errors
/// It is not stored, or the loop refuses it.
pub(crate) async fn play(
    app: &App,
    reference: &str,
    mut options: GuestOptions,
) -> Result<Loaded, ApiError> {
    let _turn = app.loading.acquire().await;
    let bytes = admitted(app, reference, &mut options).await?;
    // A client's own value is not trusted.
    options.from = Some(format!("the robot's store: {reference}"));
    let ask = Ask::Load {
        bytes: bytes.len() as u64,
        options,
    };
    Ok(app.loop_client.hand_over(ask, bytes).await?)
}

/// The bytes of a stored choreography, if it may play. `options` get the name under which it is stored, which decides
/// what it is granted: no other can be given.
///
/// # Errors
/// It is not stored, or may not play under any of its names.
pub(crate) async fn admitted(
    app: &App,
    reference: &str,
    options: &mut GuestOptions,
) -> Result<Vec<u8>, ApiError> {
    let (reference, wanted) = (reference.to_owned(), options.file.take());
    let asked = wanted.clone().unwrap_or_else(|| reference.clone());
    let read = app.store(move |store| {
        let digest = store.find(&reference)?;
        let index = store.index();
        let names = index.names_of(wanted.as_deref(), &reference, &digest);
        let sealed = |text: &str| index.seal_of(text, &digest).map(str::to_owned);
        let names: Vec<_> = names.map(|name| (name.to_owned(), sealed(name))).collect();
        let bytes = store.read(&digest)?;
        Ok((digest, names, bytes))
    });
    let (digest, mut names, bytes) = read.await?;
    options.file = match app.settings.store.signatures {
        SignaturePolicy::Require => {
            // Who asks by a name means that name's signature; only who asks by bytes means any.
            if names.iter().any(|name| name.0 == asked) {
                names.retain(|name| name.0 == asked);
            }
            Some(signed_name(app, &digest, names)?)
        }
        SignaturePolicy::Off | SignaturePolicy::Warn => names.into_iter().next().map(|name| name.0),
    };
    Ok(bytes)
}

/// The first of these names under which this digest is signed. It may have come before that was required, its signature
/// may have expired since, and its key be trusted no more.
fn signed_name(
    app: &App,
    digest: &str,
    names: Vec<(String, Option<String>)>,
) -> Result<String, ApiError> {
    let (keys, now) = (app.keys(), app.now());
    let mut first = None;
    for (name, seal) in names {
        let case = SignatureContext {
            digest,
            name: &name,
            robot: &app.robot,
            now,
            // An older version may be rolled back to.
            newest: None,
        };
        match trust::verify(&keys, seal.as_deref().map(str::as_bytes), case) {
            Ok(_) => return Ok(name),
            Err(flaw) => first = first.or(Some(flaw)),
        }
    }
    Err(first.unwrap_or(SignatureError::Missing).into())
}

/// The maximum lateness of a start, s: it covers a restart of the server.
const LATE_MAX: f64 = 2.0;

/// Resumes the stored plans at the server's start.
pub(crate) fn resume(app: &Arc<App>) {
    let plans = app.plans().list().to_vec();
    for plan in plans {
        tokio::spawn(execute(Arc::clone(app), plan));
    }
}

/// Waits for a plan's time, and starts its choreography.
pub(crate) async fn execute(app: Arc<App>, plan: StartPlan) {
    let ended = match &plan.after {
        None => wait_until(&app, &plan).await,
        Some(awaited) => wait(&app, plan.number, awaited, plan.had_force).await,
    };
    let taken = tokio::task::block_in_place(|| app.change_plans(|value| value.take(plan.number)));
    // If the disk fails to remove it, it is executed now and counts as missed at the next start of the server.
    if matches!(taken, Ok(false)) {
        return;
    }
    let is_valid = |item| app.tokens().is_valid(item, app.now());
    let is_late = plan.after.is_none() && clock().as_secs_f64() > plan.at + LATE_MAX;
    let (number, choreography) = (plan.number, &plan.choreography);
    let why = match (ended, &plan.after) {
        (AwaitedEnd::Failed, Some(guest)) => Some(format!(
            "{}, which it waited for, was a failure",
            guest.awaited()
        )),
        (AwaitedEnd::Unknown, Some(guest)) => Some(format!(
            "{}, which it waited for, cannot come any more",
            guest.awaited()
        )),
        (AwaitedEnd::WithoutForce, Some(guest)) => {
            let event = guest.awaited();
            Some(format!(
                "the body lost its force while the start waited for {event}"
            ))
        }
        (AwaitedEnd::WithoutForce, None) => {
            Some("the body lost its force before the planned time".to_owned())
        }
        _ if is_late => Some(format!("its time was more than {LATE_MAX} s ago")),
        _ => None,
    };
    if let Some(why) = why {
        tracing::warn!("the planned start {number} of `{choreography}` was dropped: {why}");
    }
    let outcome = if ended == AwaitedEnd::Failed {
        ErrorCode::Failed.word().to_owned()
    } else if is_late || matches!(ended, AwaitedEnd::Unknown | AwaitedEnd::WithoutForce) {
        "missed".to_owned()
    } else if !plan.token.is_none_or(is_valid) {
        ErrorCode::TokenEnded.word().to_owned()
    } else {
        let done = play(&app, &plan.choreography, plan.options).await;
        done.map_or_else(
            |error| {
                let sentence = error.sentence();
                tracing::warn!(
                    "the planned start {number} of `{choreography}` was refused: {sentence}"
                );
                error.code().to_owned()
            },
            |value| value.name,
        )
    };
    let act = AuditEntry {
        at: app.now(),
        who: plan.by,
        token: plan.token,
        role: plan.token.and_then(|token| app.tokens().role_of(token)),
        from: "plan".to_owned(),
        act: format!("start {}", plan.choreography),
        outcome,
    };
    app.audit_writer().add(act).await;
}

/// Waits until the robot's clock shows the planned time. The clock may be set meanwhile, so it is read again and again.
/// A body that loses its force drops the plan: whoever arms it then expects no motion.
async fn wait_until(app: &App, plan: &StartPlan) -> AwaitedEnd {
    const STEP: f64 = 0.05;
    let mut had_force = plan.had_force;
    loop {
        let has_force = app.streams.has_force();
        if had_force && has_force == Some(false) {
            return AwaitedEnd::WithoutForce;
        }
        had_force |= has_force == Some(true);
        let ahead = plan.at - clock().as_secs_f64();
        if ahead <= 0.0 {
            return AwaitedEnd::Well;
        }
        tokio::time::sleep(Duration::from_secs_f64(ahead.min(STEP))).await;
    }
}
