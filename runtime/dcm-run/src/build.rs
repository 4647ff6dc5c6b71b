//! `dcm-run build`: turns a compiler's module into a choreography, and lists its imports.
//! The law: a component is written only if it keeps the contract.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use ::guests::{CheckedComponent, WasiGrant, check, componentize, digest};
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use serde_json::json;

use crate::VerbOutcome;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    The module may come from any compiler for wasm32; no other tool is needed. A file that is already a component is \
    only checked.")]
pub(crate) struct Args {
    /// The module that a compiler wrote.
    module: PathBuf,
    /// The output file; default: beside the module, with the ending `.choreography.wasm`.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Check only; write nothing.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<VerbOutcome> {
    let told = || format!("reading {}", args.module.display());
    let module = fs::read(&args.module).with_context(told)?;
    let name = args.module.display();
    let component = componentize(&module).map_err(|why| anyhow::anyhow!("{name}: {why}"))?;
    // A grant is given later: here its imports are only listed.
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
        return Ok(VerbOutcome::Done);
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
    Ok(VerbOutcome::Done)
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
