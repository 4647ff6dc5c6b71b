//! `dcm-run new`: makes a choreography's project from a template that is inside the program.
//! A project stands alone; nothing that exists is changed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use ::guests::World;
use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use serde_json::json;

use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::author::project::builder::Builder;
use crate::verbs::author::project::embedded::EmbeddedLanguage;
use crate::verbs::author::project::language::Language;
use crate::verbs::author::project::{Project, check_name};
use crate::verbs::candidates;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A motion has hooks, which the loop calls in every turn: it reacts at once. A score is one long function beside the \
    loop: it may compute and sleep. Default: a motion, if the language can be one.")]
pub(crate) struct Args {
    /// The name, which is that of the folder; a path makes it there.
    #[arg(required_unless_present = "list")]
    name: Option<PathBuf>,
    /// The language.
    #[arg(long, short, value_name = "LANGUAGE", add = ArgValueCandidates::new(candidates::languages))]
    lang: Option<String>,
    /// Make a score.
    #[arg(long, conflicts_with = "motion")]
    score: bool,
    /// Make a motion.
    #[arg(long)]
    motion: bool,
    /// List the languages, and exit.
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    if args.list {
        return list(output);
    }
    let Some(path) = &args.name else {
        bail!("no name given; fix: `dcm-run new NAME --lang LANGUAGE`");
    };
    let Some(lang) = &args.lang else {
        let all = Language::all()?;
        let ids: Vec<_> = all.iter().map(|pair| pair.0.id.as_str()).collect();
        bail!(
            "no language given; fix: --lang LANGUAGE, one of {}",
            ids.join(", ")
        );
    };
    let (language, embedded) = Language::embedded(lang)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    check_name(&name, &language)?;
    let world = world(args, &language)?;
    if fs::symlink_metadata(path).is_ok() {
        bail!(
            "{} is already there; fix: another name, or remove it",
            path.display()
        );
    }
    let files = match write(path, &name, world, embedded) {
        Ok(files) => files,
        Err(error) => {
            // It was not there before.
            let _ = fs::remove_dir_all(path);
            return Err(error);
        }
    };
    let missing = Builder::missing(&Project::read(path)?);
    let mut out = anstream::stdout().lock();
    if output.json {
        let told = json!({ "folder": path, "name": name, "language": language.id, "world": world.name(),
                           "files": files, "missing": missing.as_ref().map(ToString::to_string) });
        writeln!(out, "{told}")?;
        return Ok(VerbOutcome::Done);
    }
    let (path, count) = (path.display(), files.len());
    writeln!(
        out,
        "{path}: a {} in {}, {count} files",
        world.name(),
        language.name
    )?;
    writeln!(out, "\n  cd {path}")?;
    writeln!(out, "  dcm-run build     # {name}.wasm")?;
    writeln!(
        out,
        "  dcm-run dev       # plays it on a simulated robot, and again at every save"
    )?;
    if let Some(missing) = missing {
        writeln!(out, "\n{}", words::paint(words::ODD, missing))?;
    }
    Ok(VerbOutcome::Done)
}

/// The world that is asked for, or the first of the language.
fn world(args: &Args, language: &Language) -> Result<World> {
    let asked = match (args.motion, args.score) {
        (true, _) => Some(World::Motion),
        (_, true) => Some(World::Score),
        _ => None,
    };
    match asked {
        Some(world) if language.has(world) => Ok(world),
        Some(world) => {
            let others: Vec<_> = language.worlds.iter().map(|world| world.name()).collect();
            bail!(
                "a {} cannot be written in {}; fix: --{}, or another language (`dcm-run new --list`)",
                world.name(),
                language.name,
                others.join(" or --")
            )
        }
        None if language.has(World::Motion) => Ok(World::Motion),
        None => Ok(World::Score),
    }
}

/// Writes the project's files; their names.
fn write(
    folder: &Path,
    name: &str,
    world: World,
    embedded: &EmbeddedLanguage,
) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for (path, bytes) in embedded.template {
        let (part, path) = path.split_once('/').unwrap_or(("common", path));
        if part == "common" || part == world.name() {
            files.push((named(path, name), filled(bytes, name)));
        }
    }
    for (path, bytes) in embedded.sdk {
        files.push((format!("sdk/{path}"), bytes.to_vec()));
    }
    files.sort();
    for (path, bytes) in &files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        errors::make_folder(parent)?;
        errors::write(&path, bytes)?;
    }
    Ok(files.into_iter().map(|file| file.0).collect())
}

/// A template's text for this project.
fn named(text: &str, name: &str) -> String {
    let camel = name.split('-').map(|part| {
        let (first, rest) = part.split_at(part.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    text.replace("{{name}}", name)
        .replace("{{Name}}", &camel.collect::<String>())
        .replace("{{snake}}", &name.replace('-', "_"))
}

/// The same of a file, unless it is not text.
fn filled(bytes: &[u8], name: &str) -> Vec<u8> {
    match std::str::from_utf8(bytes) {
        Ok(text) => named(text, name).into_bytes(),
        Err(_) => bytes.to_vec(),
    }
}

fn list(output: VerbOutput) -> Result<VerbOutcome> {
    let mut out = anstream::stdout().lock();
    for (language, _) in Language::all()? {
        let worlds: Vec<_> = language.worlds.iter().map(|world| world.name()).collect();
        if output.json {
            let told = json!({ "language": language.id, "name": language.name, "aliases": language.aliases,
                               "worlds": worlds });
            writeln!(out, "{told}")?;
        } else {
            let worlds = worlds.join(", ");
            writeln!(out, "{:<16}{:<18}{worlds}", language.id, language.name)?;
        }
    }
    Ok(VerbOutcome::Done)
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_name_is_written_as_each_place_needs_it() {
        assert_eq!(
            named("{{name}} {{Name}} {{snake}}", "two-hands"),
            "two-hands TwoHands two_hands"
        );
    }
}
