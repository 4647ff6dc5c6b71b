//! `dcm-run version`, and `dcm-run --version --json`: the version, and what this program was built from.
//! What is unknown is null, never guessed; `build.rs` of this crate finds it out.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};

use crate::text::output::{VerbOutcome, VerbOutput};

/// What `--version` prints after the name: `0.1.0 (abc1234 2026-11-23)`.
pub(crate) const LINE: &str = env!("DCM_RUN_VERSION");

const COMMIT: &str = env!("DCM_RUN_COMMIT");
const COMMIT_DATE: &str = env!("DCM_RUN_COMMIT_DATE");
const DIRTY: &str = env!("DCM_RUN_DIRTY");
const TARGET: &str = env!("DCM_RUN_TARGET");
const PROFILE: &str = env!("DCM_RUN_PROFILE");

/// The interfaces of WASI that a guest may be granted.
const WASI: &str = "0.2";

/// The version of the server's HTTP API, as in its paths.
const API: u32 = protocol::VERSION;

pub(crate) fn run(output: VerbOutput) -> Result<VerbOutcome> {
    let mut out = anstream::stdout().lock();
    let contracts = contracts();
    if output.json {
        let contracts: serde_json::Map<_, _> = contracts.into_iter().collect();
        let told = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "commit": known(COMMIT),
            "commit_date": known(COMMIT_DATE),
            "dirty": DIRTY.parse::<bool>().ok(),
            "target": TARGET,
            "profile": PROFILE,
            "features": features(),
            "contracts": contracts,
        });
        writeln!(out, "{told}")?;
        return Ok(VerbOutcome::Done);
    }
    let features = match features().join(", ") {
        other if other.is_empty() => "none".to_owned(),
        value => value,
    };
    let text = |text: &Value| {
        text.as_str()
            .map_or_else(|| text.to_string(), str::to_owned)
    };
    let contracts: Vec<_> = contracts
        .iter()
        .map(|(name, version)| format!("{name} {}", text(version)))
        .collect();
    writeln!(out, "dcm-run {LINE}")?;
    writeln!(out, "target     {TARGET}, {PROFILE}")?;
    writeln!(out, "features   {features}")?;
    writeln!(out, "contracts  {}", contracts.join(", "))?;
    if COMMIT.is_empty() {
        writeln!(out, "commit     unknown")?;
    } else {
        writeln!(out, "commit     {COMMIT}")?;
    }
    Ok(VerbOutcome::Done)
}

/// The features that this program was built with.
fn features() -> Vec<&'static str> {
    let all = [
        ("pictures", cfg!(feature = "pictures")),
        ("server", cfg!(feature = "server")),
    ];
    all.iter()
        .filter(|pair| pair.1)
        .map(|pair| pair.0)
        .collect()
}

/// The contracts with others that this program keeps, each with its version.
fn contracts() -> Vec<(String, Value)> {
    let (guests, version) = wit();
    vec![
        (guests.to_owned(), version.into()),
        ("wasi".to_owned(), WASI.into()),
        ("board".to_owned(), ::wire::VERSION.into()),
        ("page".to_owned(), sensors::VERSION.into()),
        ("socket".to_owned(), protocol::VERSION.into()),
        ("api".to_owned(), API.into()),
    ]
}

/// The name and version of the contract with guests, as its text says.
fn wit() -> (&'static str, &'static str) {
    let lines = ::guests::WIT.iter().flat_map(|pair| pair.1.lines());
    let mut packages = lines.filter_map(|line| line.strip_prefix("package "));
    let package = packages.next().unwrap_or_default();
    let package = package.trim_end().trim_end_matches(';');
    package.split_once('@').unwrap_or((package, ""))
}

fn known(text: &'static str) -> Option<&'static str> {
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::wit;

    #[test]
    fn the_contract_with_guests_has_a_name_and_a_version() {
        let (name, version) = wit();
        assert_eq!(name, "dcm:choreography");
        assert_eq!(version.split('.').count(), 3, "{version}");
    }
}
