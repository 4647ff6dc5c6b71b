//! The cache of verdicts: a show is checked once for its bytes, the robot, and its options.
//! Read before something plays; written by every check. Everything that could change a verdict is in its key,
//! this program included; what cannot be cached is checked again.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use check::{CheckInput, CheckOptions, Rule, SavedVerdict, Verdict};
use description::Robot;
use protocol::places::code_folder;

use crate::process::this_program;

/// The most cached verdicts; then the oldest are removed.
const KEPT_MAX: usize = 1024;

/// The file of one verdict.
#[derive(Debug)]
pub(super) struct CachedVerdict(Option<PathBuf>);

impl CachedVerdict {
    /// Of this show on this robot under these terms.
    pub(super) fn of(robot: &Robot, show: &CheckInput<'_>, terms: &CheckOptions) -> CachedVerdict {
        CachedVerdict(place(robot, show, terms))
    }

    /// The cached verdict, and its JSON.
    pub(super) fn verdict(&self) -> Option<(SavedVerdict, String)> {
        let text = fs::read_to_string(self.0.as_ref()?).ok()?;
        Some((serde_json::from_str(&text).ok()?, text))
    }

    /// Caches a verdict, if there is a folder for it.
    pub(super) fn keep(&self, verdict: &Verdict) {
        let Some(place) = &self.0 else { return };
        // It may not hang another time, or on another machine.
        if verdict
            .findings
            .iter()
            .any(|finding| finding.rule == Rule::Hang)
        {
            return;
        }
        let Some(folder) = place.parent() else { return };
        let Ok(text) = serde_json::to_string(verdict) else {
            return;
        };
        // Written atomically; two processes write the same.
        let draft = place.with_extension(std::process::id().to_string());
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&draft, text));
        if written.and_then(|()| fs::rename(&draft, place)).is_err() {
            let _ = fs::remove_file(&draft);
        }
        prune(folder);
    }
}

fn place(robot: &Robot, show: &CheckInput<'_>, terms: &CheckOptions) -> Option<PathBuf> {
    let program = fs::metadata(this_program().ok()?).ok()?;
    let changed = program.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    // The compiler and the cache of machine code do not change a verdict.
    let terms = CheckOptions {
        compiler: guests::Compiler::here(),
        // Nor does the place that it came from.
        load: guests::LoadOptions {
            from: String::new(),
            ..terms.load.clone()
        },
        cache: guests::Cache::in_memory(),
        // A check that ended in time would have ended within a longer time.
        time_limit: Duration::ZERO,
        ..terms.clone()
    };
    let bytes = guests::digest(show.bytes);
    let name = format!(
        "{bytes} {} {terms:?} {changed:?} {} {robot:?}",
        show.name,
        program.len()
    );
    Some(
        code_folder()?
            .join("verdicts")
            .join(guests::digest(name.as_bytes())),
    )
}

/// Removes the oldest verdicts when there are too many.
fn prune(folder: &std::path::Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let age = |entry: &fs::DirEntry| {
        entry
            .metadata()
            .and_then(|metadata| metadata.modified())
            .ok()
    };
    let mut all: Vec<_> = entries.filter_map(Result::ok).collect();
    if all.len() <= KEPT_MAX {
        return;
    }
    all.sort_by_key(age);
    for old in all.iter().take(KEPT_MAX / 8) {
        let _ = fs::remove_file(old.path());
    }
}
