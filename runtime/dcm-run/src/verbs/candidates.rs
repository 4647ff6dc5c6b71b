//! The candidates for an argument when the user presses Tab: robots, joints, poses, guests, files.
//! Called by the shell's completion, which runs this program. It changes nothing, connects to each robot once,
//! and silently leaves out what cannot be found out at once.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use check::Rule;
use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};
use description::{RobotSource, SHIPPED, load};
use protocol::{Ask, Caller, Guest};
use sensors::PageReader;

use crate::choreography::guest_options::ENDINGS;

use crate::choreography::shipped::CHOREOGRAPHIES;
use crate::verbs::author::project::language::Language;

/// Shipped robots, and files that may describe a robot.
pub(crate) fn descriptions(current: &OsStr) -> Vec<CompletionCandidate> {
    let begun = current.to_string_lossy();
    let shipped = SHIPPED
        .iter()
        .filter(|shipped| shipped.starts_with(&*begun));
    let files = files(current, &["toml"]);
    shipped.map(CompletionCandidate::new).chain(files).collect()
}

/// Shipped choreographies, and files that can be played.
pub(crate) fn pieces(current: &OsStr) -> Vec<CompletionCandidate> {
    let begun = current.to_string_lossy();
    let names = CHOREOGRAPHIES.iter().map(|choreography| choreography.0);
    let shipped = names.filter(|name| name.starts_with(&*begun));
    let files = files(current, &ENDINGS);
    shipped.map(CompletionCandidate::new).chain(files).collect()
}

/// Files with these endings, and folders.
fn files(current: &OsStr, endings: &'static [&'static str]) -> Vec<CompletionCandidate> {
    let has_ending = |path: &Path| {
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        path.is_dir() || endings.contains(&ending.as_str())
    };
    PathCompleter::any().filter(has_ending).complete(current)
}

/// Rules of the check.
pub(crate) fn rules() -> Vec<CompletionCandidate> {
    let told = |rule: Rule| CompletionCandidate::new(rule.name()).help(Some(rule.title().into()));
    Rule::ALL.into_iter().map(told).collect()
}

/// Forms of a guest.
pub(crate) fn forms() -> Vec<CompletionCandidate> {
    Vec::from(["in-place", "calls"].map(CompletionCandidate::new))
}

/// The languages of `dcm-run new`.
pub(crate) fn languages() -> Vec<CompletionCandidate> {
    let all = Language::all().unwrap_or_default();
    let told = |language: &Language| {
        CompletionCandidate::new(&language.id).help(Some(language.name.clone().into()))
    };
    all.iter().map(|pair| told(&pair.0)).collect()
}

/// The actuators of the running robots, and their aliases.
pub(crate) fn actuators() -> Vec<CompletionCandidate> {
    let of_robot = |(here, page): (String, PageReader)| {
        let labels = page.actuators();
        let names = labels.iter().map(|label| label.name.clone());
        let aliases = load(&RobotSource::of(&here)).map_or(Vec::new(), |language| language.aliases);
        names
            .chain(aliases.into_iter().map(|alias| alias.0))
            .collect::<Vec<_>>()
    };
    candidates(pages().flat_map(of_robot))
}

/// The names that can be read of the running robots.
pub(crate) fn keys() -> Vec<CompletionCandidate> {
    let of_robot = |(_, page): (String, PageReader)| {
        let (actuators, sensors) = (page.actuators(), page.sensors());
        let labels = actuators.iter().chain(&sensors);
        labels.map(|label| label.name.clone()).collect::<Vec<_>>()
    };
    candidates(pages().flat_map(of_robot))
}

/// The boards of the running robots.
pub(crate) fn boards() -> Vec<CompletionCandidate> {
    candidates(running().flat_map(|caller| caller.here.boards))
}

/// The poses of the running robots.
pub(crate) fn poses() -> Vec<CompletionCandidate> {
    let of_robot = |(here, _): (String, PageReader)| {
        load(&RobotSource::of(&here)).map_or(Vec::new(), |value| value.poses)
    };
    candidates(pages().flat_map(of_robot).map(|pair| pair.0))
}

/// The guests of the running robots.
pub(crate) fn guests() -> Vec<CompletionCandidate> {
    candidates(alive().into_iter().map(|item| item.name))
}

/// Each name once.
fn candidates(names: impl Iterator<Item = String>) -> Vec<CompletionCandidate> {
    let names: BTreeSet<_> = names.collect();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// The parameters of those guests.
pub(crate) fn params() -> Vec<CompletionCandidate> {
    let all = alive().into_iter().flat_map(|args| args.params);
    let told = |(name, [lowest, _, highest]): (String, [f64; 3])| {
        let range = format!("{lowest} to {highest}");
        CompletionCandidate::new(format!("{name}=")).help(Some(range.into()))
    };
    all.map(told).collect()
}

fn alive() -> Vec<Guest> {
    let guests = |mut robot: Caller| robot.get::<Vec<Guest>>(Ask::Guests).unwrap_or_default();
    let all = running().flat_map(guests);
    all.filter(|value| value.life != "gone").collect()
}

/// The robots that run on this machine.
fn running() -> impl Iterator<Item = Caller> {
    let names = protocol::places::names().into_iter();
    names.filter_map(|name| Caller::reach(Some(&name)).ok())
}

/// Their descriptions and pages.
fn pages() -> impl Iterator<Item = (String, PageReader)> {
    running().filter_map(|caller| {
        let page = PageReader::open(&caller.here.page).ok()?;
        Some((caller.here.description, page))
    })
}
