//! What this process may do: tried, on a thread that is thrown away.

use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_getres};

use super::Finding;
use crate::realtime::{RealtimeOptions, RealtimeWarning, prepare};
use ::socket::places::{Places, names};
use description::config_folder;

/// Disk that descriptions and recordings need, MiB.
const DISK_ROOM: u64 = 100;

pub(super) fn examine() -> Vec<Finding> {
    let mut findings = rights();
    findings.push(resolution());
    findings.push(folder());
    findings.push(disk());
    findings.push(others());
    findings
}

/// Asks for what a loop asks for, and tells what it would be told.
fn rights() -> Vec<Finding> {
    let wish = RealtimeOptions {
        priority: 50,
        processor: None,
    };
    // A thread of its own: priority and slack end with it. That memory is locked for a moment hurts
    // nobody.
    let warnings = std::thread::spawn(move || prepare(&wish).warnings)
        .join()
        .unwrap_or_default();
    let said = |lack: fn(&RealtimeWarning) -> bool| {
        warnings.iter().find(|it| lack(it)).map(ToString::to_string)
    };
    let finding = |area, good: &str, said: Option<String>| match said {
        None => Finding::good(area, good),
        Some(said) => match said.split_once("; fix: ") {
            Some((found, fix)) => Finding::warning(area, found, fix),
            None => Finding::warning(area, said, "see the manual"),
        },
    };
    let limit = getrlimit(Resource::Memlock).current;
    let locked = limit.map_or("memory can be locked, all of it".to_owned(), |it| {
        format!("memory can be locked, up to {} KiB", it >> 10)
    });
    vec![
        finding(
            "priority",
            "SCHED_FIFO can be had",
            said(|it| matches!(it, RealtimeWarning::Priority(_))),
        ),
        finding(
            "memory",
            &locked,
            said(|it| matches!(it, RealtimeWarning::Memory(_))),
        ),
        finding(
            "idle states",
            "processors can be kept awake",
            said(|it| matches!(it, RealtimeWarning::Awake(_))),
        ),
    ]
}

fn resolution() -> Finding {
    let resolution = clock_getres(ClockId::Monotonic);
    let nanos = resolution.tv_sec * 1_000_000_000 + resolution.tv_nsec;
    if nanos <= 1_000 {
        return Finding::good("timers", format!("to {nanos} ns"));
    }
    let fix = "use a kernel with high-resolution timers (CONFIG_HIGH_RES_TIMERS)";
    Finding::bad(
        "timers",
        format!("only to {nanos} ns: turns cannot be on time"),
        fix,
    )
}

fn folder() -> Finding {
    // A name that nobody uses for a robot; it is free again at the end of this function.
    let claimed = Places::of(&format!("doctor-{}", std::process::id())).and_then(Places::claim);
    match claimed {
        Ok(claim) => {
            let places = claim.places();
            let folder = places
                .socket
                .parent()
                .map_or(String::new(), |it| it.display().to_string());
            let finding = Finding::good("sockets", format!("loops are found in {folder}"));
            places.forget();
            finding
        }
        Err(error) => Finding::bad(
            "sockets",
            error.to_string(),
            "set DCM_RUN_DIR to a folder of this user",
        ),
    }
}

fn disk() -> Finding {
    let Some(folder) = config_folder() else {
        let fix = "set HOME or DCM_RUN_CONFIG";
        return Finding::bad("disk", "there is no folder for what is saved", fix);
    };
    // The nearest folder that is there.
    let there = folder.ancestors().find(|it| it.is_dir()).unwrap_or(&folder);
    let free =
        rustix::fs::statvfs(there).map_or(0, |it| it.f_bavail.saturating_mul(it.f_frsize) >> 20);
    if free >= DISK_ROOM {
        return Finding::good(
            "disk",
            format!("{free} MiB are free where {} is kept", folder.display()),
        );
    }
    let found = format!(
        "only {free} MiB are free where {} is kept",
        folder.display()
    );
    Finding::bad(
        "disk",
        found,
        "make room: what is saved could not be written",
    )
}

fn others() -> Finding {
    match names().as_slice() {
        [] => Finding::good("loops", "none is running"),
        names => Finding::good("loops", format!("running: {}", names.join(", "))),
    }
}
