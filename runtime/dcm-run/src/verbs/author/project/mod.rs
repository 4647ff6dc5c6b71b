//! A choreography's project: a folder with a `choreography.toml`. Used by `new`, `build` and `dev`.
//!
//! `language` describes how a language is built, `tools` finds its tools, `steps` runs them, `component` makes a
//! choreography of what they write; `embedded` has the languages that are inside the program.
//! A project's name is a part of paths, so that it is checked wherever it is read.

pub(crate) mod builder;
pub(crate) mod component;
pub(crate) mod embedded;
pub(crate) mod language;
pub(crate) mod pattern;
mod placeholders;
pub(crate) mod sources;
mod steps;
pub(crate) mod tools;

use std::path::{Path, PathBuf};

use ::guests::{Manifest, World};
use anyhow::{Context, Result, bail};
use serde::Deserialize;

use language::{Language, world};

use crate::text::errors;

/// The file that makes a folder a project.
pub(crate) const PROJECT_FILE: &str = "choreography.toml";

/// The longest name of a project.
const NAME_MAX: usize = 64;

/// A project, as its folder describes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Project {
    /// Absolute.
    pub(crate) folder: PathBuf,
    pub(crate) name: String,
    pub(crate) world: World,
    /// The robot to simulate it on.
    pub(crate) robot: Option<String>,
    pub(crate) language: Language,
    /// The lines of its manifest.
    pub(crate) manifest: toml::Table,
}

/// `choreography.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ProjectFile {
    name: String,
    description: Option<String>,
    language: String,
    world: String,
    robot: Option<String>,
    #[serde(default)]
    manifest: toml::Table,
}

impl Project {
    /// Reads the project in this folder.
    pub(crate) fn read(folder: &Path) -> Result<Project> {
        let folder = std::path::absolute(folder)?;
        let file = folder.join(PROJECT_FILE);
        if !file.is_file() {
            bail!(
                "{} has no {PROJECT_FILE}, and so is no project; fix: `dcm-run new NAME --lang LANGUAGE` makes one, or \
                 write these lines into it: name = \"…\", language = \"…\" (`dcm-run new --list`), world = \"motion\" \
                 or \"score\"",
                folder.display()
            );
        }
        let told = || file.display().to_string();
        let text = errors::read_text(&file)?;
        let read: ProjectFile = toml::from_str(&text)
            .map_err(|error| anyhow::anyhow!("{}\n{}", told(), error.to_string().trim()))?;
        let language = Language::of_project(&folder, &read.language).with_context(told)?;
        check_name(&read.name, &language).with_context(told)?;
        let Some(world) = world(&read.world) else {
            bail!(
                "{}: `world` is \"motion\" or \"score\", not \"{}\"",
                told(),
                read.world
            );
        };
        let mut manifest = read.manifest;
        check_manifest(&manifest).with_context(told)?;
        if let Some(about) = read.description.filter(|_| !manifest.contains_key("about")) {
            manifest.insert("about".to_owned(), about.into());
        }
        Ok(Project {
            folder,
            name: read.name,
            world,
            robot: read.robot,
            language,
            manifest,
        })
    }

    /// Reads the project that this folder is in.
    pub(crate) fn around(folder: &Path) -> Result<Project> {
        let absolute = std::path::absolute(folder)?;
        let mut folders = absolute.ancestors();
        let found = folders.find(|folder| folder.join(PROJECT_FILE).is_file());
        Project::read(found.unwrap_or(&absolute))
    }

    /// The folder for what a build writes between its steps.
    fn build_folder(&self) -> PathBuf {
        self.folder.join("build")
    }

    /// The file of the choreography.
    pub(crate) fn output(&self) -> PathBuf {
        self.folder.join(format!("{}.wasm", self.name))
    }
}

/// The path as a person would write it in the present folder.
pub(crate) fn seen_from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let inside = here
        .as_ref()
        .and_then(|value| path.strip_prefix(value).ok());
    inside.unwrap_or(path).to_owned()
}

/// Reads the lines of a manifest from a file of its own.
pub(crate) fn read_manifest(path: &Path) -> Result<toml::Table> {
    let told = || path.display().to_string();
    let text = errors::read_text(path)?;
    let table: Result<toml::Table, _> = text.parse();
    let table = table.map_err(|error| anyhow::anyhow!("{}\n{error}", told()))?;
    check_manifest(&table).with_context(told)?;
    Ok(table)
}

fn check_manifest(table: &toml::Table) -> Result<()> {
    let read = Manifest::read(&table.to_string());
    read.map(|_| ()).map_err(|why| {
        anyhow::anyhow!(
            "the manifest is invalid: {why}; fix: see \"The manifest\" in guest-sdk/README.md"
        )
    })
}

/// Checks that a project can have this name.
pub(crate) fn check_name(name: &str, language: &Language) -> Result<()> {
    let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    let ends = !name.ends_with('-') && !name.contains("--");
    if !(begins && ends && name.chars().all(sound) && name.len() <= NAME_MAX) {
        let near = sound_name(name);
        let near = near.map_or(String::new(), |name| format!(", as in `{name}`"));
        bail!(
            "`{}` cannot be the name of a choreography; fix: lower-case letters a to z, digits and single hyphens, \
             with a letter first, {NAME_MAX} characters at most{near}",
            name.escape_debug()
        );
    }
    if language.reserved.iter().any(|item| item == name) {
        bail!(
            "`{name}` means something else in {}; fix: another name, such as `my-{name}`",
            language.name
        );
    }
    Ok(())
}

/// A name like this one that a project can have.
fn sound_name(name: &str) -> Option<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let begins = c.is_ascii_uppercase() && was_lower;
        if begins || !c.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        if c.is_ascii_alphanumeric() {
            words.last_mut()?.push(c.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    let name = words.join("-");
    let name = name.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    (!name.is_empty() && name.len() <= NAME_MAX).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::language::Language;
    use super::{check_name, sound_name};

    #[test]
    fn names_are_for_files_and_for_every_language() {
        let (rust, _) = Language::embedded("rust").expect("a language");
        for good in ["nod", "two-hands", "a1", "dance2"] {
            check_name(good, &rust).expect(good);
        }
        for bad in [
            "",
            "Nod",
            "my_dance",
            "-a",
            "a-",
            "a--b",
            "1a",
            "a b",
            "a/b",
            "../a",
            "näh",
            "a\u{202e}b",
        ] {
            let error = check_name(bad, &rust).expect_err(bad).to_string();
            assert!(error.contains("lower-case letters"), "{error}");
            assert!(!error.contains('\u{202e}'), "it is escaped: {error}");
        }
        let error = check_name("core", &rust).expect_err("reserved").to_string();
        assert!(error.contains("another name, such as `my-core`"), "{error}");
    }

    #[test]
    fn a_name_that_is_near_is_proposed() {
        let near = |item| sound_name(item).unwrap_or_default();
        assert_eq!(near("MyDance"), "my-dance");
        assert_eq!(near("my_dance 2"), "my-dance-2");
        assert_eq!(near("1st"), "st");
        assert_eq!(near("日本"), "");
    }
}
