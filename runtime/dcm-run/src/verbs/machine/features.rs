//! `dcm-run features`: lists the features of the DCM and Tekkotsu, and the tests that cover them here.
//! The list is the ledger that `tests/ledger.rs` checks.

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use serde_json::json;

use crate::text::output::{VerbOutcome, VerbOutput};

/// The ledger, as the tests check it.
const LEDGER: &str = include_str!("../../../../../tests/ledger.toml");

/// The states of a feature.
const STATES: [&str; 3] = ["shown", "partly", "no"];

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "`shown`: its tests show all of it. `partly`: after the tests comes what is missing. `no`: nothing \
                  shows it yet."
)]
pub(crate) struct Args {
    /// List only features that are not shown, or only partly.
    #[arg(long)]
    missing: bool,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let ledger: toml::Table = LEDGER
        .parse()
        .context("reading the ledger in this binary")?;
    let mut counts = [0; 3];
    for (id, row) in &ledger {
        let text = |key| {
            row.get(key)
                .and_then(toml::Value::as_str)
                .unwrap_or_default()
        };
        let tests: Vec<_> = row
            .get("tests")
            .and_then(toml::Value::as_array)
            .map(|list| list.iter().filter_map(toml::Value::as_str).collect())
            .unwrap_or_default();
        let missing = text("missing");
        let state = match (tests.is_empty(), missing) {
            (true, _) => 2,
            (false, "") => 0,
            (false, _) => 1,
        };
        counts[state] += 1;
        if args.missing && state == 0 {
            continue;
        }
        let (what, state) = (text("what"), STATES[state]);
        let mut by = tests.join(", ");
        if !missing.is_empty() {
            by += &format!("; missing: {missing}");
        }
        output.print(
            json!({ "id": id, "what": what, "state": state, "tests": tests, "missing": missing }),
            format!("{id:<8}  {state:<6}  {what:<64}  {by}"),
        )?;
    }
    let [shown, partly, no] = counts;
    let all = shown + partly + no;
    output.note(format!(
        "of {all} features, tests show {shown}, and {partly} partly; {no} are not there or not shown"
    ))?;
    Ok(VerbOutcome::Done)
}
