//! `dcm-run build`: makes a choreography of a project, by its language's own tools, or of a compiler's module.
//! A choreography is written only if it keeps the contract.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ::guests::{CheckedComponent, TextEncoding, World, digest};
use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;

use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::author::project::builder::Builder;
use crate::verbs::author::project::component::{self, MadeComponent};
use crate::verbs::author::project::language::encoding_named;
use crate::verbs::author::project::{PROJECT_FILE, Project, read_manifest, seen_from_here};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A project is built by the tools of its language, which must be installed. A module may come from any compiler for \
    wasm32; no other tool is needed. A file that is already a component is only checked. The manifest is the table \
    [manifest] of choreography.toml, or FILE: name, version, about, fuel, priority, weight, memory, fade-in, \
    fade-out, loops, lead; `guest-sdk/README.md` in the sources of dcm-run explains them.")]
pub(crate) struct Args {
    /// A project's folder, or the module that a compiler wrote; default: the project around this folder.
    #[arg(value_name = "FOLDER|MODULE")]
    what: Option<PathBuf>,
    /// The output file; default: NAME.wasm in the project, MODULE.choreography.wasm beside a module.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Check only; write no choreography.
    #[arg(long)]
    check: bool,
    /// Embed this manifest, in TOML; its keys replace those that the module has.
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// How a module encodes texts: utf8 or utf16 (AssemblyScript); default: the language's, utf8 for a module.
    #[arg(long, value_name = "ENCODING", value_parser = encoding_named, requires = "what")]
    encoding: Option<TextEncoding>,
}

/// What was built, for the report.
struct BuildReport {
    made: MadeComponent,
    /// Where it was written to.
    output: Option<PathBuf>,
    /// How long the language's tools took, s.
    tools_s: Option<f64>,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let manifest = args.manifest.as_deref().map(read_manifest).transpose()?;
    let is_project = |path: &Path| path.is_dir() || path.ends_with(PROJECT_FILE);
    let report = match args.what.as_deref() {
        Some(module) if !is_project(module) => of_module(args, module, manifest)?,
        _ => of_project(args, manifest)?,
    };
    print_report(&report, args, output)?;
    Ok(VerbOutcome::Done)
}

fn of_module(args: &Args, path: &Path, manifest: Option<toml::Table>) -> Result<BuildReport> {
    let module = errors::read(path, errors::MODULE_MAX)?;
    let name = words::path(path);
    let encoding = args.encoding.unwrap_or_default();
    let made = component::make(&name, &module, encoding, &manifest.unwrap_or_default())?;
    let usual = || path.with_extension("choreography.wasm");
    let output = args.output.clone().unwrap_or_else(usual);
    written(args, made, output, None)
}

fn of_project(args: &Args, manifest: Option<toml::Table>) -> Result<BuildReport> {
    let mut project = match args.what.as_deref() {
        Some(folder) if folder.is_dir() => Project::read(folder)?,
        Some(file) => Project::read(file.parent().unwrap_or(Path::new(".")))?,
        None => Project::around(Path::new("."))?,
    };
    if let Some(encoding) = args.encoding {
        project.language.build.encoding = encoding;
    }
    let builder = Builder::of(&project, false)?;
    let begun = Instant::now();
    let (path, module) = builder.compile(None)?;
    let took = begun.elapsed().as_secs_f64();
    let made = component::make_for(&project, &path, &module, manifest.as_ref())?;
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| seen_from_here(&project.output()));
    let has_steps = !project.language.build.steps.is_empty();
    written(args, made, output, has_steps.then_some(took))
}

fn written(
    args: &Args,
    made: MadeComponent,
    output: PathBuf,
    tools_s: Option<f64>,
) -> Result<BuildReport> {
    if !args.check {
        component::write(&output, &made.bytes)?;
    }
    let output = (!args.check).then_some(output);
    Ok(BuildReport {
        made,
        output,
        tools_s,
    })
}

fn print_report(report: &BuildReport, args: &Args, output: VerbOutput) -> Result<()> {
    let (made, checked) = (&report.made, &report.made.checked);
    let digest = digest(&made.bytes);
    let mut out = anstream::stdout().lock();
    if output.json {
        let imports: serde_json::Map<_, _> = checked
            .imports
            .iter()
            .map(|(name, functions)| (name.clone(), json!(functions)))
            .collect();
        writeln!(
            out,
            "{}",
            json!({ "file": report.output, "bytes": made.bytes.len(), "digest": digest, "world": checked.world.name(),
                    "hooks": checked.hooks, "imports": imports, "tools_s": report.tools_s })
        )?;
        return Ok(());
    }
    match (&report.output, &args.what) {
        (Some(output), _) => writeln!(out, "{}", words::path(output))?,
        (None, Some(what)) => writeln!(out, "{} keeps the contract", words::path(what))?,
        (None, None) => writeln!(out, "it keeps the contract")?,
    }
    let took = report.tools_s;
    let took = took.map_or(String::new(), |took| format!(", built in {took:.2} s"));
    writeln!(
        out,
        "a {} of {} bytes, sha256 {digest}{took}",
        checked.world.name(),
        words::count(made.bytes.len() as u64)
    )?;
    describe(checked, &mut out)
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
    let hooks = checked.hooks.join(", ");
    match checked.world {
        World::Motion => writeln!(out, "hooks: {hooks}")?,
        World::Score => writeln!(out, "exports {hooks}")?,
    }
    for (interface, functions) in &checked.imports {
        writeln!(out, "uses {interface}: {}", functions.join(", "))?;
    }
    Ok(())
}
