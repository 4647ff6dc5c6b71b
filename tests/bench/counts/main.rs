//! How many instructions the inner works take: a turn, a sampler, a hook, a command that is taken in, a read of the
//! page, a frame of the wire; and what the program weighs. `cargo bench -p tests --bench counts`; `.ci/run` does it in
//! the profile of tests. With `write` the figures are written down.
//!
//! A clock is no gate on a machine that others use as well; instructions are the same on all of them. What a
//! work takes is compared with `counts.toml`, and a figure that has grown by more than the tolerance fails. Counted by
//! valgrind, which executes the works one instruction after the other.

mod weights;
mod works;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

use works::{WORKS, Work};

/// How much more a work may take than is written down. Another processor or library has other ways to copy memory.
const TOLERANCE: f64 = 0.05;

/// Where the figures are.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/counts.toml");

/// The profile of this program: figures of one say nothing of the other.
const PROFILE: &str = if cfg!(debug_assertions) {
    "test"
} else {
    "release"
};

const HEAD: &str = "# Instructions that one call of each work takes, by the profile that it is built with. Kept by \
    `tests/bench/counts`:\n# `cargo bench -p tests --bench counts -- write` for those of `release`, `cargo test -p \
    tests --bench counts -- write`\n# for those of `test`.\n";

/// Figures by profile and work.
type Figures = BTreeMap<String, BTreeMap<String, u64>>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |place: usize| words.get(place).map_or("", String::as_str);
    if word(0) == "work" {
        let work = WORKS.iter().find(|work| work.name == word(1));
        (work.expect("a work").run)(&mut counted);
        return ExitCode::SUCCESS;
    }
    match judge(words.iter().any(|word| word == "write")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// What valgrind counts: only instructions in here, and in what it calls.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
}

fn judge(writes: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(FILE).unwrap_or_default();
    let mut figures: Figures = toml::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?;
    let written = figures.remove(PROFILE).unwrap_or_default();
    let mut counts = BTreeMap::new();
    let mut grown = Vec::new();
    println!("instructions, profile `{PROFILE}`            written down       now");
    let works = WORKS
        .iter()
        .map(|work| Ok::<_, String>((work.name, count(work)?)));
    let weights = weights::weights()?.into_iter().map(Ok);
    for figure in works.chain(weights) {
        let (name, count) = figure?;
        let before = written.get(name).copied();
        let (told, share) = match before {
            Some(before) => (before.to_string(), count as f64 / before as f64),
            None => ("nothing".to_owned(), f64::INFINITY),
        };
        println!("{name:40} {told:>14} {count:>9}  {share:.3}");
        if share > 1.0 + TOLERANCE {
            grown.push(name);
        }
        counts.insert(name.to_owned(), count);
    }
    if writes {
        figures.insert(PROFILE.to_owned(), counts);
        let text = toml::to_string(&figures).map_err(|error| error.to_string())?;
        return std::fs::write(FILE, format!("{HEAD}{text}")).map_err(|error| error.to_string());
    }
    if grown.is_empty() {
        return Ok(());
    }
    Err(format!(
        "more than {:.0} % above what tests/bench/counts.toml says: {}; fix: find out why, or, if it is worth it, \
         write the new figures with `cargo test -p tests --bench counts -- write`",
        TOLERANCE * 100.0,
        grown.join(", ")
    ))
}

/// The instructions of one call of a work.
fn count(work: &Work) -> Result<u64, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("counts");
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*counts*counted*"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program)
        .args(["work", work.name])
        .output()
        .map_err(|error| {
            format!("valgrind does not start: {error}; fix: apt-get install valgrind")
        })?;
    if !output.status.success() {
        let printed = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}: {printed}", work.name, output.status));
    }
    let all = total(&file).ok_or(format!("{}: valgrind has counted nothing", work.name))?;
    Ok(all / u64::from(works::CALLS))
}

/// The sum at the end of valgrind's file.
fn total(file: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let total = text
        .lines()
        .find_map(|line| line.strip_prefix("totals: "))?;
    total.trim().parse().ok().filter(|number| *number > 0)
}
