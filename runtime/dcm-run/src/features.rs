//! `dcm-run features`: lists the features of the DCM and Tekkotsu, and the tests that cover them here.
//! The law: the list is the ledger that `tests/ledger.rs` checks.

use std::io::Write;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;

use crate::VerbOutcome;

/// The ledger, as the tests check it.
const LEDGER: &str = include_str!("../../../tests/ledger.toml");

#[derive(Debug, ClapArgs)]
#[command(after_help = "A feature without a test is not implemented yet.")]
pub(crate) struct Args {
    /// List only features without a test.
    #[arg(long)]
    missing: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<VerbOutcome> {
    let ledger: toml::Table = LEDGER
        .parse()
        .context("reading the ledger in this binary")?;
    let mut out = std::io::stdout().lock();
    let (mut all, mut shown) = (0, 0);
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
        all += 1;
        shown += usize::from(!tests.is_empty());
        if args.missing && !tests.is_empty() {
            continue;
        }
        if json {
            let row = serde_json::json!({ "id": id, "what": text("what"), "tests": tests });
            writeln!(out, "{row}")?;
            continue;
        }
        let by = if tests.is_empty() {
            "not yet".to_owned()
        } else {
            tests.join(", ")
        };
        writeln!(out, "{id:<8}  {:<64}  {by}", text("what"))?;
    }
    if json {
        return Ok(VerbOutcome::Done);
    }
    writeln!(out, "{shown} of {all} features are covered by a test")?;
    Ok(VerbOutcome::Done)
}
