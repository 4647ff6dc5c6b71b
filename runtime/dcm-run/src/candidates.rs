//! What may stand in a place of the command line, for whoever presses Tab: robots, joints, poses, guests, files.
//! Asked by the shell's completion, which runs this program for it. The law: it looks, and changes nothing; what
//! cannot be found out at once is left out without a word.

use std::ffi::OsStr;
use std::path::Path;

use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};
use robot::check::Rule;
use robot::config::{SHIPPED, Source, load};
use sensors::Page;
use socket::{Ask, Caller, Guest, Told};

use crate::wish::ENDINGS;

/// Shipped robots, and files that may describe another.
pub(crate) fn descriptions(current: &OsStr) -> Vec<CompletionCandidate> {
    let begun = current.to_string_lossy();
    let shipped = SHIPPED.iter().filter(|it| it.starts_with(&*begun));
    let files = files(current, &["toml"]);
    shipped.map(CompletionCandidate::new).chain(files).collect()
}

/// Choreographies and shows.
pub(crate) fn pieces(current: &OsStr) -> Vec<CompletionCandidate> {
    files(current, &ENDINGS)
}

/// Files of these endings, and folders that may have some.
fn files(current: &OsStr, endings: &'static [&'static str]) -> Vec<CompletionCandidate> {
    let has_ending = |it: &Path| {
        let ending = it
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        it.is_dir() || endings.contains(&ending.as_str())
    };
    PathCompleter::any().filter(has_ending).complete(current)
}

/// Rules of the check.
pub(crate) fn rules() -> Vec<CompletionCandidate> {
    let told = |it: Rule| CompletionCandidate::new(it.name()).help(Some(it.title().into()));
    Rule::ALL.into_iter().map(told).collect()
}

/// Forms of a guest.
pub(crate) fn forms() -> Vec<CompletionCandidate> {
    Vec::from(["in-place", "calls"].map(CompletionCandidate::new))
}

/// Loops that run on this machine.
pub(crate) fn loops() -> Vec<CompletionCandidate> {
    let names = socket::places::names();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// Actuators of the only robot that runs, and its aliases.
pub(crate) fn actuators() -> Vec<CompletionCandidate> {
    let Some((here, page)) = page() else {
        return Vec::new();
    };
    let labels = page.actuators();
    let of_page = labels.iter().map(|it| CompletionCandidate::new(&it.name));
    let aliases = load(&Source::of(&here)).map_or(Vec::new(), |it| it.aliases);
    let aliases = aliases.into_iter().map(|it| CompletionCandidate::new(it.0));
    of_page.chain(aliases).collect()
}

/// What can be read of the only robot that runs.
pub(crate) fn keys() -> Vec<CompletionCandidate> {
    let Some((_, page)) = page() else {
        return Vec::new();
    };
    let (actuators, sensors) = (page.actuators(), page.sensors());
    let mut names: Vec<_> = actuators
        .iter()
        .chain(&sensors)
        .map(|it| it.name.clone())
        .collect();
    names.sort();
    names.dedup();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// Boards of the only robot that runs.
pub(crate) fn boards() -> Vec<CompletionCandidate> {
    let boards = Caller::reach(None).map_or(Vec::new(), |it| it.here.boards);
    boards.into_iter().map(CompletionCandidate::new).collect()
}

/// Poses of the only robot that runs.
pub(crate) fn poses() -> Vec<CompletionCandidate> {
    let Some((here, _)) = page() else {
        return Vec::new();
    };
    let poses = load(&Source::of(&here)).map_or(Vec::new(), |it| it.poses);
    poses
        .into_iter()
        .map(|it| CompletionCandidate::new(it.0))
        .collect()
}

/// Who plays on the only robot that runs.
pub(crate) fn guests() -> Vec<CompletionCandidate> {
    let names = alive().into_iter().map(|it| it.name);
    names.map(CompletionCandidate::new).collect()
}

/// Parameters of those who play there.
pub(crate) fn params() -> Vec<CompletionCandidate> {
    let all = alive().into_iter().flat_map(|it| it.params);
    let told = |(name, [lowest, _, highest]): (String, [f64; 3])| {
        let range = format!("{lowest} to {highest}");
        CompletionCandidate::new(format!("{name}=")).help(Some(range.into()))
    };
    all.map(told).collect()
}

fn alive() -> Vec<Guest> {
    let asked = Caller::reach(None).map(|mut it| it.ask(Ask::Guests));
    let Ok(Ok(Told::Guests(guests))) = asked else {
        return Vec::new();
    };
    let alive = guests.into_iter().filter(|it| it.life != "gone");
    alive.collect()
}

/// The description and the page of the only robot that runs.
fn page() -> Option<(String, Page)> {
    let caller = Caller::reach(None).ok()?;
    let page = Page::open(&caller.here.page).ok()?;
    Some((caller.here.description.clone(), page))
}
