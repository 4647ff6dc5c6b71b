//! What the program weighs: its size, and how many crates are in it. Called by `main`.
//! Both are of the build that is judged, not of one that lies somewhere.

use std::collections::BTreeSet;
use std::process::Command;

/// The figures with their names.
pub(crate) fn weights() -> Result<[(&'static str, u64); 2], String> {
    Ok([("dcm-run, KiB", size()?), ("crates in dcm-run", crates()?)])
}

/// The size of the program of this profile.
fn size() -> Result<u64, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = this.ancestors().nth(2).unwrap_or(&this);
    let program = folder.join("dcm-run");
    let about = program.metadata().map_err(|error| {
        let program = program.display();
        format!("{program}: {error}; fix: `cargo build`, or `cargo build --release` for a bench")
    })?;
    Ok(about.len() / 1024)
}

/// How many crates are in it, without those that only build it.
fn crates() -> Result<u64, String> {
    let words = "tree --offline --package dcm-run --edges normal --prefix none --format {p}";
    let output = Command::new(env!("CARGO"))
        .args(words.split(' '))
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let names: BTreeSet<_> = text
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    Ok(names.len() as u64)
}
