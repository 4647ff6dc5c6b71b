//! A language's description, `language.toml`: its tools, and how they build a project. Read by `new`, `build`, `dev`.
//!
//! The format is explained in `guest-sdk/README.md`. A project's own `language.toml` takes precedence over the
//! embedded one, so that any language can be built. It is data; no code here knows a language by name.

use std::collections::BTreeMap;
use std::path::Path;

use ::guests::{TextEncoding, World};
use anyhow::{Context, Result, bail};
use description::nearest;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::embedded::{self, EmbeddedLanguage};

/// The description of a language.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Language {
    /// The name of its folder.
    #[serde(skip)]
    pub(crate) id: String,
    /// Its name, as a person writes it.
    pub(crate) name: String,
    /// Other names for `--lang`.
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
    /// What can be written in it.
    #[serde(deserialize_with = "worlds")]
    pub(crate) worlds: Vec<World>,
    /// SDK files for the folder `sdk` of a project; patterns.
    #[cfg_attr(
        not(test),
        allow(dead_code, reason = "`build.rs` reads it, and a test compares")
    )]
    #[serde(default)]
    pub(crate) files: Vec<String>,
    /// Other languages: it takes what it wants of `files` from their folders, too.
    #[cfg_attr(
        not(test),
        allow(dead_code, reason = "`build.rs` reads it, and a test compares")
    )]
    #[serde(default)]
    pub(crate) shares: Vec<String>,
    /// Names that a project in it cannot have.
    #[serde(default)]
    pub(crate) reserved: Vec<String>,
    /// The tools that a build needs.
    #[serde(default, rename = "tool")]
    pub(crate) tools: Vec<ToolSpec>,
    /// How it is built.
    pub(crate) build: BuildSpec,
    /// Other ways to build it, where a tool is missing.
    #[serde(default, rename = "otherwise")]
    pub(crate) others: Vec<OtherBuild>,
}

/// A tool, and how to see whether it can do what is needed.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ToolSpec {
    /// Its name; `{name}` is its path in other values.
    pub(crate) name: String,
    /// Commands to try, in this order.
    pub(crate) any_of: Vec<String>,
    /// A command whose output names a folder to look in as well, and the way from there.
    pub(crate) search: Option<SearchSpec>,
    /// The arguments that make it print its version.
    #[serde(default = "version_arguments")]
    pub(crate) version: Vec<String>,
    /// The lowest version that can be used.
    pub(crate) at_least: Option<String>,
    /// The arguments of a command that must succeed.
    pub(crate) probe: Option<Vec<String>>,
    /// What that command must print.
    pub(crate) contains: Option<String>,
    /// The beginning of a file's name: that command prints a folder, which must have such a file.
    pub(crate) holds: Option<String>,
    /// What the tool lacks if that command fails, for the message.
    pub(crate) lacks: Option<String>,
    /// What installs it: alternatives.
    #[serde(default)]
    pub(crate) install: Vec<String>,
}

/// Where else commands are looked for.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SearchSpec {
    /// It prints a folder.
    pub(crate) run: Vec<String>,
    /// The way from there to the commands.
    #[serde(default)]
    pub(crate) then: String,
}

/// How a project is built.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct BuildSpec {
    /// Patterns of the files that a build reads.
    pub(crate) sources: Vec<String>,
    /// Commands, run in the project's folder.
    #[serde(default)]
    pub(crate) steps: Vec<Vec<String>>,
    /// Their environment, beside the user's.
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
    /// More of it for `dev`, which builds again and again.
    #[serde(default)]
    pub(crate) dev_environment: BTreeMap<String, String>,
    /// The file that they write: a core module, or a component.
    #[serde(default = "out")]
    pub(crate) module: String,
    /// How it encodes texts.
    #[serde(default, deserialize_with = "encoding")]
    pub(crate) encoding: TextEncoding,
}

/// Another way to build, without one of the tools.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct OtherBuild {
    /// The tool that is not needed.
    pub(crate) without: String,
    /// The tools that are needed instead.
    #[serde(default, rename = "tool")]
    pub(crate) tools: Vec<ToolSpec>,
    /// The commands, if they differ.
    pub(crate) steps: Option<Vec<Vec<String>>>,
    /// More of the environment.
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
}

impl Language {
    /// Reads a description.
    pub(super) fn read(id: &str, text: &str) -> Result<Language> {
        let read: Result<Language, _> = toml::from_str(text);
        let mut language = read.map_err(|error| anyhow::anyhow!("{}", error.to_string().trim()))?;
        id.clone_into(&mut language.id);
        Ok(language)
    }

    /// The embedded language of this name or alias, and its files.
    pub(crate) fn embedded(name: &str) -> Result<(Language, &'static EmbeddedLanguage)> {
        let all = Language::all()?;
        let is_it = |pair: &(Language, _)| pair.0.names().any(|item| item == name.to_lowercase());
        if let Some(place) = all.iter().position(is_it) {
            return all.into_iter().nth(place).context("it was found");
        }
        let names: Vec<_> = all.iter().flat_map(|pair| pair.0.names()).collect();
        let near = nearest(name, names.iter().map(String::as_str));
        let near = near.map_or(String::new(), |name| format!("did you mean `{name}`? "));
        let ids: Vec<_> = all.iter().map(|pair| pair.0.id.as_str()).collect();
        bail!(
            "there is no SDK for `{name}`; fix: {near}the languages are {}; for any other, see guest-sdk/README.md",
            ids.join(", ")
        )
    }

    /// All embedded languages.
    pub(crate) fn all() -> Result<Vec<(Language, &'static EmbeddedLanguage)>> {
        let read = |item: &'static EmbeddedLanguage| {
            let language = Language::read(item.id, item.description);
            Ok((
                language.with_context(|| format!("the SDK of {}", item.id))?,
                item,
            ))
        };
        embedded::all().iter().map(read).collect()
    }

    /// The language of a project: described in its folder, or embedded.
    pub(super) fn of_project(folder: &Path, name: &str) -> Result<Language> {
        let own = folder.join("language.toml");
        if own.is_file() {
            let told = || own.display().to_string();
            let text = crate::text::errors::read_text(&own)?;
            return Language::read(name, &text).with_context(told);
        }
        Ok(Language::embedded(name)?.0)
    }

    /// Whether a choreography of this world can be written in it.
    pub(crate) fn has(&self, world: World) -> bool {
        self.worlds.contains(&world)
    }

    /// The names by which it can be given; lower case.
    fn names(&self) -> impl Iterator<Item = String> {
        let names = [&self.id, &self.name].into_iter().chain(&self.aliases);
        names.map(|name| name.to_lowercase())
    }
}

/// The world of this name.
pub(crate) fn world(name: &str) -> Option<World> {
    let all = [World::Motion, World::Score];
    all.into_iter().find(|item| item.name() == name)
}

fn worlds<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<World>, D::Error> {
    let names = Vec::<String>::deserialize(from)?;
    let read = |text: &String| {
        world(text).ok_or_else(|| D::Error::custom(format!("`{text}` is neither motion nor score")))
    };
    names.iter().map(read).collect()
}

fn encoding<'d, D: Deserializer<'d>>(from: D) -> Result<TextEncoding, D::Error> {
    let name = String::deserialize(from)?;
    encoding_named(&name).map_err(D::Error::custom)
}

/// The encoding of this name.
pub(crate) fn encoding_named(name: &str) -> Result<TextEncoding, String> {
    match name {
        "utf8" => Ok(TextEncoding::Utf8),
        "utf16" => Ok(TextEncoding::Utf16),
        _ => Err("the encodings are utf8 and utf16".to_owned()),
    }
}

fn version_arguments() -> Vec<String> {
    vec!["--version".to_owned()]
}

fn out() -> String {
    "{out}".to_owned()
}
