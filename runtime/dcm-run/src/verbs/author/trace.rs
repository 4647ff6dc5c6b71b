//! `dcm-run trace`: plays a script and prints its table, or compares the table with an expected one.
//! The same script prints the same table.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args as ClapArgs;

use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "`tests/traces/README.md` in the sources of dcm-run describes the format of a script."
)]
pub(crate) struct Args {
    /// The script; `-` for standard input.
    script: PathBuf,
    /// Compare the table with this file; if they differ, print the first difference and exit with 3.
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let script = read(&args.script)?;
    let name = args.script.display();
    let table = scripting::play(&script).with_context(|| name.to_string())?;
    let Some(expect) = &args.expect else {
        if output.json {
            let lines: Vec<_> = table.lines().collect();
            writeln!(
                std::io::stdout(),
                "{}",
                serde_json::json!({ "table": lines })
            )?;
        } else {
            std::io::stdout().write_all(table.as_bytes())?;
        }
        return Ok(VerbOutcome::Done);
    };
    let expected = read(expect)?;
    let Some((line, found, wanted)) = first_difference(&table, &expected) else {
        return Ok(VerbOutcome::Done);
    };
    if output.json {
        let difference = serde_json::json!({ "line": line, "expected": wanted, "found": found });
        writeln!(std::io::stdout(), "{difference}")?;
        return Ok(VerbOutcome::Fails);
    }
    writeln!(
        std::io::stdout(),
        "{name} differs from {} at line {line}:\n  expected {wanted}\n  found    {found}",
        expect.display(),
    )?;
    Ok(VerbOutcome::Fails)
}

fn read(path: &Path) -> Result<String> {
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .context("reading the script from standard input")?;
        return Ok(text);
    }
    errors::read_text(path)
}

fn first_difference<'t>(found: &'t str, wanted: &'t str) -> Option<(usize, &'t str, &'t str)> {
    const END: &str = "(the end)";
    let (mut found, mut wanted) = (found.lines(), wanted.lines());
    for line in 1.. {
        match (found.next(), wanted.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some((line, a.unwrap_or(END), b.unwrap_or(END))),
        }
    }
    None
}
