//! Examines what this process may do, by trying it on a temporary thread.
//! Called by `doctor`. The process is left as it was.

use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_getres};

use super::Finding;
use crate::realtime::{RealtimeOptions, RealtimeWarning, prepare};
use ::protocol::places::{Places, names};
use description::config_folder;

/// The free disk space that descriptions and recordings need, MiB.
const DISK_ROOM: u64 = 100;

pub(super) fn examine() -> Vec<Finding> {
    let mut findings = rights();
    findings.push(resolution());
    findings.push(folder());
    findings.push(disk());
    findings.push(others());
    findings
}

/// Tries the real-time settings of a loop.
fn rights() -> Vec<Finding> {
    let options = RealtimeOptions {
        priority: 50,
        processor: None,
    };
    // On another thread, because priority and timer slack end with it. Memory stays locked only until the process ends.
    let warnings = std::thread::spawn(move || prepare(&options).warnings)
        .join()
        .unwrap_or_default();
    let refused = |kind: fn(&RealtimeWarning) -> bool| {
        warnings
            .iter()
            .find(|warning| kind(warning))
            .map(ToString::to_string)
    };
    let finding = |area, good: &str, warning: Option<String>| match warning {
        None => Finding::good(area, good),
        Some(warning) => match warning.split_once("; fix: ") {
            Some((found, fix)) => Finding::warning(area, found, fix),
            None => Finding::warning(area, warning, "see the manual"),
        },
    };
    let limit = getrlimit(Resource::Memlock).current;
    let locked = limit.map_or(
        "memory can be locked, without a limit".to_owned(),
        |limit| format!("memory can be locked, up to {} KiB", limit >> 10),
    );
    vec![
        finding(
            "priority",
            "SCHED_FIFO is permitted",
            refused(|value| matches!(value, RealtimeWarning::Priority(_))),
        ),
        finding(
            "memory",
            &locked,
            refused(|value| matches!(value, RealtimeWarning::Memory(_))),
        ),
        finding(
            "idle states",
            "CPUs can be kept out of deep idle states",
            refused(|value| matches!(value, RealtimeWarning::Awake(_))),
        ),
    ]
}

fn resolution() -> Finding {
    let resolution = clock_getres(ClockId::Monotonic);
    let nanos = resolution.tv_sec * 1_000_000_000 + resolution.tv_nsec;
    if nanos <= 1_000 {
        return Finding::good("timers", format!("resolution: {nanos} ns"));
    }
    let fix = "use a kernel with high-resolution timers (CONFIG_HIGH_RES_TIMERS)";
    Finding::bad(
        "timers",
        format!("resolution: only {nanos} ns, so turns will be late"),
        fix,
    )
}

fn folder() -> Finding {
    // A name that no robot uses; it is released at the end of this function.
    let claimed = Places::of(&format!("doctor-{}", std::process::id())).and_then(Places::claim);
    match claimed {
        Ok(claim) => {
            let places = claim.places();
            let folder = places
                .socket
                .parent()
                .map_or(String::new(), |folder| folder.display().to_string());
            let finding = Finding::good("sockets", format!("loops have their sockets in {folder}"));
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
        return Finding::bad(
            "disk",
            "there is no folder for descriptions and recordings",
            fix,
        );
    };
    // The nearest folder that exists.
    let there = folder
        .ancestors()
        .find(|folder| folder.is_dir())
        .unwrap_or(&folder);
    let free = rustix::fs::statvfs(there).map_or(0, |stats| {
        stats.f_bavail.saturating_mul(stats.f_frsize) >> 20
    });
    if free >= DISK_ROOM {
        return Finding::good(
            "disk",
            format!("{free} MiB are free on the disk of {}", folder.display()),
        );
    }
    let found = format!(
        "only {free} MiB are free on the disk of {}",
        folder.display()
    );
    Finding::bad(
        "disk",
        found,
        "free some disk space: descriptions and recordings could not be written",
    )
}

fn others() -> Finding {
    match names().as_slice() {
        [] => Finding::good("loops", "none running"),
        names => Finding::good("loops", format!("running: {}", names.join(", "))),
    }
}
