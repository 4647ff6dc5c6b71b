//! `dcm-run build`: makes a choreography of what a compiler has made, and tells what it needs.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use ::guests::{CheckedComponent, WasiGrant, check, componentize, digest};
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use serde_json::json;

use crate::Outcome;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Any compiler that makes a core module for wasm32 will do: what it imports is written into it, so that no \
    other tool is needed. What is a component already is only checked.")]
pub(crate) struct Args {
    /// The module, as a compiler has made it.
    module: PathBuf,
    /// Where the choreography goes; beside the module, as `.choreography.wasm`, if it is not said.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Look, and write nothing.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let told = || format!("reading {}", args.module.display());
    let module = fs::read(&args.module).with_context(told)?;
    let name = args.module.display();
    let component = componentize(&module).map_err(|why| anyhow::anyhow!("{name}: {why}"))?;
    // Whatever it may be granted some day: here it is only told what it would need.
    let everything = WasiGrant {
        clocks: true,
        random: true,
        stdout: true,
        files: true,
    };
    let checked = match check(&component, everything) {
        Ok(checked) => checked,
        Err(error) => bail!("{name}: {error}"),
    };
    let output = args.output.clone();
    let output = output.unwrap_or_else(|| args.module.with_extension("choreography.wasm"));
    if !args.check {
        let told = || format!("writing {}", output.display());
        fs::write(&output, &component).with_context(told)?;
    }
    let mut out = anstream::stdout().lock();
    let digest = digest(&component);
    if json {
        let imports: serde_json::Map<_, _> = checked
            .imports
            .iter()
            .map(|(name, functions)| (name.clone(), json!(functions)))
            .collect();
        let file = (!args.check).then_some(output);
        writeln!(
            out,
            "{}",
            json!({ "file": file, "bytes": component.len(), "digest": digest,
                    "world": checked.world.name(), "imports": imports })
        )?;
        return Ok(Outcome::Done);
    }
    if args.check {
        writeln!(out, "{name} keeps the contract")?;
    } else {
        writeln!(out, "{}", output.display())?;
    }
    writeln!(
        out,
        "a {} of {} bytes, sha256 {digest}",
        checked.world.name(),
        crate::words::count(component.len() as u64)
    )?;
    describe(&checked, &mut out)?;
    Ok(Outcome::Done)
}

fn describe(checked: &CheckedComponent, out: &mut impl Write) -> Result<()> {
    let manifest = &checked.manifest;
    let said = [
        manifest.name.clone(),
        manifest.version.clone(),
        manifest.about.clone(),
    ];
    let said: Vec<_> = said.into_iter().flatten().collect();
    if !said.is_empty() {
        writeln!(out, "{}", said.join(", "))?;
    }
    for (interface, functions) in &checked.imports {
        writeln!(out, "uses {interface}: {}", functions.join(", "))?;
    }
    Ok(())
}
