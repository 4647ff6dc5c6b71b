//! Builds a project: finds the tools once, and then runs the language's commands as often as is asked.
//! Called by `build` and `dev`. A module that is returned was written by the commands that were just run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};

use super::placeholders::Placeholders;
use super::tools::{FoundTools, MissingTools, find};
use super::{Project, embedded, pattern, steps};
use crate::text::errors;

/// A project whose tools were found.
#[derive(Debug)]
pub(crate) struct Builder {
    /// With placeholders: which files there are is seen at each build.
    steps: Vec<Vec<String>>,
    known: Placeholders,
    environment: BTreeMap<String, String>,
    /// The file that the steps write.
    module: PathBuf,
    folder: PathBuf,
    /// Written by the steps alone: what an earlier build left there is removed.
    out: PathBuf,
}

impl Builder {
    /// Finds the tools of a project. `again`: it is built many times, by `dev`.
    pub(crate) fn of(project: &Project, again: bool) -> Result<Builder> {
        let language = &project.language;
        let mut known = placeholders(project);
        add_sdk(project)?;
        let found = find(language, &known, &project.folder)?;
        let FoundTools { paths, other } = found;
        for (name, path) in &paths {
            known.set(name, path);
        }
        let steps = other.and_then(|value| value.steps.as_ref());
        let steps = steps.unwrap_or(&language.build.steps).clone();
        let again = again.then_some(&language.build.dev_environment);
        let environment = [&language.build.environment].into_iter();
        let environment = environment
            .chain(other.map(|value| &value.environment))
            .chain(again);
        let environment = environment.flatten().map(|(key, value)| {
            let value = known.fill(value)?;
            Ok((key.clone(), value))
        });
        if steps.iter().flatten().any(|step| step.contains("{wit}")) {
            write_wit(Path::new(&known.fill("{wit}")?))?;
        }
        Ok(Builder {
            environment: environment.collect::<Result<_>>()?,
            module: project.folder.join(known.fill(&language.build.module)?),
            folder: project.folder.clone(),
            out: PathBuf::from(known.fill("{out}")?),
            steps,
            known,
        })
    }

    /// The tools that a project would need and that are missing.
    pub(crate) fn missing(project: &Project) -> Option<MissingTools> {
        find(&project.language, &placeholders(project), &project.folder).err()
    }

    /// Runs the commands; the module that they wrote, and its file.
    pub(crate) fn compile(&self, stop: Option<&AtomicBool>) -> Result<(PathBuf, Vec<u8>)> {
        let parent = self.out.parent().unwrap_or(&self.folder);
        errors::make_folder(parent)?;
        if let Err(error) = fs::remove_file(&self.out)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(error).with_context(|| format!("removing {}", self.out.display()));
        }
        for step in &self.steps {
            let words = self.known.arguments(step, &self.folder)?;
            steps::run(&words, &self.environment, &self.folder, stop)?;
        }
        let path = &self.module;
        match fs::read(path) {
            Ok(module) => Ok((path.clone(), module)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
                "the build succeeded, but did not write {}; fix: the project must have the same name in \
                 choreography.toml and in the files of its language",
                path.display()
            ),
            Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
        }
    }
}

/// What does not depend on the tools.
fn placeholders(project: &Project) -> Placeholders {
    let mut known = Placeholders::default();
    let (folder, build) = (&project.folder, project.build_folder());
    known.set("project", folder);
    known.set("out", build.join(format!("{}.core.wasm", project.name)));
    known.set("sdk", folder.join("sdk"));
    known.set("wit", build.join("wit"));
    known.set("name", &project.name);
    known.set("snake", project.name.replace('-', "_"));
    known.set("world", project.world.name());
    known
}

/// Copies the SDK into a project that is built from it and has none, as the examples of this repository.
fn add_sdk(project: &Project) -> Result<()> {
    let folder = project.folder.join("sdk");
    let Some(language) = embedded::all()
        .iter()
        .find(|item| item.id == project.language.id)
    else {
        return Ok(());
    };
    let sources = &project.language.build.sources;
    let is_source = |name: &str| {
        let name = format!("sdk/{name}");
        sources.iter().any(|source| pattern::matches(source, &name))
    };
    if folder.exists() || !language.sdk.iter().any(|pair| is_source(pair.0)) {
        return Ok(());
    }
    for (name, bytes) in language.sdk {
        let path = folder.join(name);
        errors::make_folder(path.parent().unwrap_or(&folder))?;
        errors::write(&path, bytes)?;
    }
    let told = super::seen_from_here(&folder);
    anstream::eprintln!("{} was missing: the SDK is there now", told.display());
    Ok(())
}

/// Writes the contract for tools that read it.
fn write_wit(folder: &Path) -> Result<()> {
    errors::make_folder(folder)?;
    for (name, text) in ::guests::WIT {
        let path = folder.join(name);
        // A tool may look at its time.
        if fs::read_to_string(&path).is_ok_and(|string| string == *text) {
            continue;
        }
        errors::write(&path, text)?;
    }
    Ok(())
}
