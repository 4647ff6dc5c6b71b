//! What plays when the robot has come up, and what happens if that does not go well.
//! Run once for each run of the loop; a server that was only started again leaves everything as it is.
//! The law: what has failed several starts in a row is not started again; the version that last played well
//! is, or nothing.

use std::sync::Arc;
use std::time::Duration;

use api::choreographies::BootEntry;
use api::people::AuditEntry;
use socket::{Ask, Guest, ReplyBody, Wish};

use crate::app::App;
use crate::start::play;
use crate::store::Index;

/// Starts in a row that may go badly.
const FAILURES_MAX: u32 = 3;

/// Who has played for so long plays well.
const STABLE_AFTER: Duration = Duration::from_secs(20);

/// How often it is looked after.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Starts what shall play.
pub(crate) async fn boot(app: Arc<App>) {
    let run = app.streams.run();
    let before = app.store(move |store| {
        let before = store.index().clone();
        store.change(|index| {
            if index.booted != run {
                let boots = index.boot.iter();
                let wanted = boots.filter_map(|it| index.find(&it.choreography));
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
        Err(refusal) => return tell(&app, "start", &refusal.trouble().sentence).await,
    };
    if before.booted == run {
        return;
    }
    let mut playing = Vec::new();
    for boot in &before.boot {
        let Some(digest) = chosen(&before, boot) else {
            tell(
                &app,
                &format!("start {}", boot.choreography),
                "it failed too often, and no version of it ever played well",
            )
            .await;
            continue;
        };
        match play(&app, &digest, wish(&before, boot, &digest)).await {
            Ok(loaded) => {
                tell(&app, &format!("start {}", boot.choreography), &loaded.name).await;
                playing.push((boot.clone(), digest, loaded.id));
            }
            Err(fault) => {
                tell(&app, &format!("start {}", boot.choreography), fault.code()).await;
                play_instead(&app, boot, digest).await;
            }
        }
    }
    look_after(&app, playing).await;
}

/// The version that is started.
fn chosen(index: &Index, boot: &BootEntry) -> Option<String> {
    let wanted = index.find(&boot.choreography)?;
    let failed = index.failing.get(wanted).copied().unwrap_or(0);
    if failed < FAILURES_MAX {
        return Some(wanted.to_owned());
    }
    let name = index.name_of(&boot.choreography, wanted)?;
    index.good.get(name).cloned()
}

/// What is wished for a version, under the name that was said.
fn wish(index: &Index, boot: &BootEntry, digest: &str) -> Wish {
    let name = || index.name_of(&boot.choreography, digest).map(str::to_owned);
    Wish {
        file: boot.wish.file.clone().or_else(name),
        ..boot.wish.clone()
    }
}

/// Sees whether they play well; who does not is replaced by the version that did.
async fn look_after(app: &App, mut playing: Vec<(BootEntry, String, u32)>) {
    let mut well = Duration::ZERO;
    while well < STABLE_AFTER && !playing.is_empty() {
        tokio::time::sleep(POLL_INTERVAL).await;
        well += POLL_INTERVAL;
        let Ok(ReplyBody::Guests(guests)) = app.loop_client.ask(Ask::Guests).await else {
            // The loop has gone; this start did not go well, and is counted.
            return;
        };
        let failed = |it: &(BootEntry, String, u32)| {
            let guest = guests.iter().find(|guest| guest.id == it.2);
            // Whoever is not told of any more has gone long ago, in peace.
            guest.is_some_and(|it: &Guest| it.fault)
        };
        let bad: Vec<_> = playing.extract_if(.., |it| failed(it)).collect();
        for (boot, digest, _) in bad {
            play_instead(app, &boot, digest).await;
        }
    }
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
        tell(app, "remember what plays well", &refusal.trouble().sentence).await;
    }
}

/// Plays the version that last played well, in the place of one that does not.
async fn play_instead(app: &App, boot: &BootEntry, digest: String) {
    let wanted = boot.clone();
    let good = app.store(move |store| {
        let index = store.index();
        let name = index.name_of(&wanted.choreography, &digest);
        let good = name.and_then(|it| index.good.get(it).cloned());
        let good = good.filter(|it| *it != digest);
        Ok(good.map(|it| (wish(index, &wanted, &it), it)))
    });
    let what = format!("{} did not play well", boot.choreography);
    let Ok(Some((wish, good))) = good.await else {
        return tell(app, &what, "there is no other version that did").await;
    };
    match play(app, &good, wish).await {
        Ok(loaded) => tell(app, &what, &format!("{} plays instead", loaded.digest)).await,
        Err(fault) => tell(app, &what, fault.code()).await,
    }
}

async fn tell(app: &App, act: &str, outcome: &str) {
    eprintln!("{act}: {outcome}");
    let act = AuditEntry {
        at: app.now(),
        who: "the robot".to_owned(),
        from: "boot".to_owned(),
        act: act.to_owned(),
        outcome: outcome.to_owned(),
    };
    app.audit_writer().add(act).await;
}
