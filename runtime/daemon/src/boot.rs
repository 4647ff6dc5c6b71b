//! Starts the boot entries, and falls back to an older version if one fails.
//! Runs once for each run of the loop; a restart of the server alone starts nothing. A version that failed at
//! several boots in a row is not started again. The version that last played well is started instead, if there is one.

use std::sync::Arc;
use std::time::Duration;

use network::lock;
use protocol::choreographies::BootEntry;
use protocol::people::AuditEntry;
use protocol::{Ask, Guest, GuestOptions};

use crate::app::App;
use crate::start::play;
use crate::store::Index;

/// The number of failed boots in a row after which a version is not started.
const FAILURES_MAX: u32 = 3;

/// A guest that ran this long without a fault plays well.
const STABLE_AFTER: Duration = Duration::from_secs(20);

/// How often the guests are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Starts the boot entries.
pub(crate) async fn boot(app: Arc<App>) {
    let run = app.streams.run();
    let before = app.store(move |store| {
        let before = store.index().clone();
        store.change(|index| {
            if index.booted != run {
                let boots = index.boot.iter();
                let wanted = boots.filter_map(|boot| index.find(&boot.choreography));
                let wanted: Vec<_> = wanted.map(str::to_owned).collect();
                for digest in wanted {
                    *index.failing.entry(digest).or_default() += 1;
                }
            }
            index.booted = run;
        })?;
        Ok(before)
    });
    let before = match before.await {
        Ok(before) => before,
        Err(refusal) => return report(&app, "start", &refusal.error().sentence).await,
    };
    if before.booted == run {
        return;
    }
    let mut playing = Vec::new();
    for boot in &before.boot {
        let Some(digest) = chosen(&before, boot) else {
            let name = &boot.choreography;
            tracing::warn!(
                "`{name}` does not play: its last {FAILURES_MAX} starts failed; fix: set it again, `boot {name}`"
            );
            let why = "it failed too often, and no version of it has played well";
            report(&app, &format!("start {name}"), why).await;
            continue;
        };
        lock(&app.on_trial).push(digest.clone());
        match play(&app, &digest, options(&before, boot, &digest)).await {
            Ok(loaded) => {
                report(&app, &format!("start {}", boot.choreography), &loaded.name).await;
                playing.push((boot.clone(), digest, loaded.id));
            }
            Err(fault) => {
                lock(&app.on_trial).retain(|other| *other != digest);
                let name = &boot.choreography;
                tracing::warn!("`{name}` does not play at boot: {}", fault.sentence());
                report(&app, &format!("start {name}"), fault.code()).await;
                play_instead(&app, boot, digest).await;
            }
        }
    }
    watch(&app, playing).await;
}

/// No longer counts starts as failed if the version played without a fault until an orderly shutdown.
pub(crate) async fn uncount_starts(app: &App) {
    let on_trial = std::mem::take(&mut *lock(&app.on_trial));
    if on_trial.is_empty() {
        return;
    }
    let done = app.store(move |store| {
        store.change(|index| {
            for digest in on_trial {
                if let Some(failures) = index.failing.get_mut(&digest) {
                    *failures = failures.saturating_sub(1);
                }
            }
        })
    });
    if let Err(refusal) = done.await {
        tracing::warn!("{}", refusal.error().sentence);
    }
}

/// The version to start.
fn chosen(index: &Index, boot: &BootEntry) -> Option<String> {
    let wanted = index.find(&boot.choreography)?;
    let failed = index.failing.get(wanted).copied().unwrap_or(0);
    if failed < FAILURES_MAX {
        return Some(wanted.to_owned());
    }
    let name = index.name_of(&boot.choreography, wanted)?;
    index.good.get(name).cloned()
}

/// The options of a boot entry, with the name of its choreography.
fn options(index: &Index, boot: &BootEntry, digest: &str) -> GuestOptions {
    let name = || index.name_of(&boot.choreography, digest).map(str::to_owned);
    GuestOptions {
        when_running: true,
        file: boot.options.file.clone().or_else(name),
        ..boot.options.clone()
    }
}

/// Watches the guests until they are stable. Replaces one that faults by the version that last played well.
async fn watch(app: &App, mut playing: Vec<(BootEntry, String, u32)>) {
    let mut elapsed = Duration::ZERO;
    while elapsed < STABLE_AFTER && !playing.is_empty() {
        tokio::time::sleep(POLL_INTERVAL).await;
        elapsed += POLL_INTERVAL;
        let Ok(guests) = app.loop_client.get::<Vec<Guest>>(Ask::Guests).await else {
            // The loop has ended: this boot stays counted as failed.
            return;
        };
        let failed = |row: &(BootEntry, String, u32)| {
            let guest = guests.iter().find(|guest| guest.id == row.2);
            // A guest that is not listed any more ended without a fault.
            guest.is_some_and(|guest: &Guest| guest.fault)
        };
        let bad: Vec<_> = playing.extract_if(.., |value| failed(value)).collect();
        for (boot, digest, _) in bad {
            lock(&app.on_trial).retain(|other| *other != digest);
            play_instead(app, &boot, digest).await;
        }
    }
    lock(&app.on_trial).clear();
    if playing.is_empty() {
        return;
    }
    let done = app.store(move |store| {
        store.change(|index| {
            for (boot, digest, _) in playing {
                index.failing.remove(&digest);
                if let Some(name) = index.name_of(&boot.choreography, &digest) {
                    index.good.insert(name.to_owned(), digest);
                }
            }
        })
    });
    if let Err(refusal) = done.await {
        report(
            app,
            "store which versions play well",
            &refusal.error().sentence,
        )
        .await;
    }
}

/// Starts the version that last played well instead of `digest`.
async fn play_instead(app: &App, boot: &BootEntry, digest: String) {
    let wanted = boot.clone();
    let good = app.store(move |store| {
        let index = store.index();
        let name = index.name_of(&wanted.choreography, &digest);
        let good = name.and_then(|name| index.good.get(name).cloned());
        let good = good.filter(|value| *value != digest);
        Ok(good.map(|value| (options(index, &wanted, &value), value)))
    });
    let what = format!("{} did not play well", boot.choreography);
    let Ok(Some((options, good))) = good.await else {
        return report(app, &what, "no other version has played well").await;
    };
    match play(app, &good, options).await {
        Ok(loaded) => report(app, &what, &format!("{} plays instead", loaded.digest)).await,
        Err(fault) => report(app, &what, fault.code()).await,
    }
}

/// Logs an act, and adds it to the audit log.
async fn report(app: &App, act: &str, outcome: &str) {
    tracing::info!("{act}: {outcome}");
    let act = AuditEntry {
        at: app.now(),
        who: "the robot".to_owned(),
        token: None,
        role: None,
        from: "boot".to_owned(),
        act: act.to_owned(),
        outcome: outcome.to_owned(),
    };
    app.audit_writer().add(act).await;
}
