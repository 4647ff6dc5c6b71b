//! Finds the tools of a language on this machine: the commands, their versions, and whether they can do what is needed.
//! Called by `builder`, and by `new` to say what is missing. Everything that is missing is told at once, with
//! what installs it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;
use rustix::fs::{Access, access};

use super::language::{Language, OtherBuild, SearchSpec, ToolSpec};
use super::placeholders::Placeholders;

/// The tools of a language, and the way of building for which they were found.
pub(super) struct FoundTools<'l> {
    pub(super) paths: BTreeMap<String, PathBuf>,
    /// The other way, if it is not the usual one.
    pub(super) other: Option<&'l OtherBuild>,
}

/// The tools that are missing on this machine.
#[derive(Debug)]
pub(crate) struct MissingTools {
    language: String,
    missing: Vec<MissingTool>,
}

#[derive(Debug)]
struct MissingTool {
    name: String,
    at_least: Option<String>,
    why: Unfit,
    install: Vec<String>,
}

/// Why a tool cannot be used. Later ones are closer to one that can.
#[derive(Debug, PartialEq, PartialOrd)]
enum Unfit {
    /// None of these commands is there.
    Absent(Vec<String>),
    /// This command does not run.
    Broken(String, String),
    /// This command has this version.
    TooOld(String, String),
    /// This command lacks this.
    Lacks(String, String),
}

/// Finds the tools of a language for the project in this folder.
pub(super) fn find<'l>(
    language: &'l Language,
    known: &Placeholders,
    folder: &Path,
) -> Result<FoundTools<'l>, MissingTools> {
    let finder = Finder { known, folder };
    let mut paths = BTreeMap::new();
    let mut missing = Vec::new();
    for tool in &language.tools {
        finder.add(tool, &mut paths, &mut missing);
    }
    let instead = |build: &&OtherBuild| {
        missing
            .iter()
            .all(|lost: &MissingTool| lost.name == build.without)
    };
    let others = language.others.iter().filter(|_| !missing.is_empty());
    for other in others.filter(instead) {
        let (mut paths, mut lost) = (paths.clone(), Vec::new());
        for tool in &other.tools {
            finder.add(tool, &mut paths, &mut lost);
        }
        if lost.is_empty() {
            let other = Some(other);
            return Ok(FoundTools { paths, other });
        }
    }
    if missing.is_empty() {
        return Ok(FoundTools { paths, other: None });
    }
    let language = language.name.clone();
    Err(MissingTools { language, missing })
}

struct Finder<'a> {
    known: &'a Placeholders,
    folder: &'a Path,
}

impl Finder<'_> {
    /// Finds one tool: among the paths, or among the missing.
    fn add(
        &self,
        tool: &ToolSpec,
        paths: &mut BTreeMap<String, PathBuf>,
        missing: &mut Vec<MissingTool>,
    ) {
        let mut known = self.known.clone();
        for (name, path) in paths.iter() {
            known.set(name, path);
        }
        match self.usable(tool, &known) {
            Ok(path) => {
                paths.insert(tool.name.clone(), path);
            }
            Err(why) => missing.push(MissingTool {
                name: tool.name.clone(),
                at_least: tool.at_least.clone(),
                why,
                install: tool.install.clone(),
            }),
        }
    }

    /// The first of the tool's commands that can be used.
    fn usable(&self, tool: &ToolSpec, known: &Placeholders) -> Result<PathBuf, Unfit> {
        let fill = |text: &String| known.fill(text).unwrap_or_else(|_| text.clone());
        let commands: Vec<_> = tool.any_of.iter().map(fill).collect();
        let beside = tool
            .search
            .as_ref()
            .and_then(|search| self.searched(search, known));
        let mut worst = Unfit::Absent(commands.clone());
        for command in &commands {
            let Some(path) = self.located(command, beside.as_deref()) else {
                continue;
            };
            match self.examine(tool, &path, known) {
                Ok(()) => return Ok(path),
                Err(why) if why > worst => worst = why,
                Err(_) => {}
            }
        }
        Err(worst)
    }

    /// Whether this command has the version, and passes the probe.
    fn examine(&self, tool: &ToolSpec, path: &Path, known: &Placeholders) -> Result<(), Unfit> {
        let command = path.display().to_string();
        if let Some(wanted) = &tool.at_least {
            let printed = self.output(path, &tool.version, known);
            let printed = printed.map_err(|why| Unfit::Broken(command.clone(), why))?;
            let version = version(&printed.0).ok_or_else(|| {
                let why = format!("`{}` names no version", tool.version.join(" "));
                Unfit::Broken(command.clone(), why)
            })?;
            if numbers(&version) < numbers(wanted) {
                return Err(Unfit::TooOld(command, version));
            }
        }
        let Some(probe) = &tool.probe else {
            return Ok(());
        };
        let lacks = || {
            let usual = || format!("what `{}` asks for", probe.join(" "));
            Unfit::Lacks(command.clone(), tool.lacks.clone().unwrap_or_else(usual))
        };
        let (printed, good) = self.output(path, probe, known).map_err(|_| lacks())?;
        let contains = tool
            .contains
            .as_ref()
            .is_none_or(|contain| printed.contains(contain));
        let holds = tool.holds.as_ref().is_none_or(|hold| holds(&printed, hold));
        (good && contains && holds).then_some(()).ok_or_else(lacks)
    }

    /// What a command prints on both outputs, and whether it succeeds.
    fn output(
        &self,
        path: &Path,
        words: &[String],
        known: &Placeholders,
    ) -> Result<(String, bool), String> {
        let words = known.arguments(words, self.folder);
        let mut command = Command::new(path);
        command.args(words.map_err(|error| error.to_string())?);
        command.current_dir(self.folder).stdin(Stdio::null());
        let output = command.output().map_err(|error| error.to_string())?;
        let text = |item: &[u8]| String::from_utf8_lossy(item).into_owned();
        let printed = text(&output.stdout) + &text(&output.stderr);
        Ok((printed, output.status.success()))
    }

    /// The folder that a command names.
    fn searched(&self, search: &SearchSpec, known: &Placeholders) -> Option<PathBuf> {
        let (command, words) = search.run.split_first()?;
        let path = self.located(&known.fill(command).ok()?, None)?;
        let (printed, good) = self.output(&path, words, known).ok()?;
        let folder = printed.lines().next().filter(|_| good)?;
        Some(Path::new(folder.trim()).join(&search.then))
    }

    /// The file of a command.
    fn located(&self, command: &str, beside: Option<&Path>) -> Option<PathBuf> {
        let is_command = |path: &PathBuf| path.is_file() && access(path, Access::EXEC_OK).is_ok();
        if command.contains('/') {
            return Some(self.folder.join(command)).filter(is_command);
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = beside.map(Path::to_owned).into_iter();
        let mut all = folders.chain(std::env::split_paths(&path));
        all.find_map(|path| Some(path.join(command)).filter(is_command))
    }
}

/// Whether the folder that was printed has a file whose name begins so.
fn holds(printed: &str, begins: &str) -> bool {
    let Some(folder) = printed.lines().next() else {
        return false;
    };
    let (inside, begins) = begins.rsplit_once('/').unwrap_or(("", begins));
    let entries = std::fs::read_dir(Path::new(folder.trim()).join(inside));
    let mut names = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().starts_with(begins))
}

/// The first version in a text: numbers with dots between them.
fn version(text: &str) -> Option<String> {
    let of_version = |c: char| c.is_ascii_digit() || c == '.';
    let words = text
        .split(|value| !of_version(value))
        .map(|part| part.trim_matches('.'));
    let mut versions = words.filter(|word| word.contains('.'));
    versions.next().map(str::to_owned)
}

fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split('.');
    parts.map(|part| part.parse().unwrap_or(0)).collect()
}

impl fmt::Display for MissingTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.missing.len() {
            1 => "a tool that is",
            _ => "tools that are",
        };
        writeln!(f, "{} needs {what} not here:", self.language)?;
        for tool in &self.missing {
            let wanted = tool.at_least.as_ref();
            let wanted = wanted.map_or(String::new(), |value| format!(" {value} or later"));
            writeln!(f, "  {}{wanted}: {}", tool.name, tool.why)?;
        }
        write!(f, "fix: install what is missing")?;
        let mut told = Vec::new();
        for item in &self.missing {
            if item.install.is_empty() || told.contains(&&item.install) {
                continue;
            }
            told.push(&item.install);
            for (place, line) in item.install.iter().enumerate() {
                let or = if place == 0 { "" } else { "or: " };
                write!(f, "\n  {or}{line}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for MissingTools {}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Absent(tried) if tried.len() > 1 => {
                write!(f, "there is none of {}", tried.join(", "))
            }
            Unfit::Absent(tried) => write!(f, "there is no command `{}`", tried.join(", ")),
            Unfit::Broken(command, why) => write!(f, "{command} does not work: {why}"),
            Unfit::TooOld(command, version) => write!(f, "{command} is {version}"),
            Unfit::Lacks(command, what) => write!(f, "{command} has no {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{numbers, version};

    #[test]
    fn versions_are_found_in_what_tools_print() {
        for (printed, read) in [
            ("Debian clang version 14.0.6\nTarget: x86_64", "14.0.6"),
            ("cargo 1.95.0 (f2d3ce0bd 2026-03-21)", "1.95.0"),
            ("go version go1.24.4 linux/amd64", "1.24.4"),
            ("v20.20.2", "20.20.2"),
            ("LLD 19.1.7 (compatible with GNU linkers)", "19.1.7"),
        ] {
            assert_eq!(version(printed).as_deref(), Some(read));
        }
        assert_eq!(version("no number, or 7 alone."), None);
        assert!(numbers("1.9") < numbers("1.85.0") && numbers("15.0") <= numbers("15.0"));
        assert!(numbers("0.17.0-dev") >= numbers("0.17"));
    }
}
