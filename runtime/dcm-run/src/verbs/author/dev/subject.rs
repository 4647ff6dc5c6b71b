//! What `dev` builds: a project, or a module that another tool writes. Used by `session`.
//! Its tools are found once, before a robot is started.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::text::words;
use ::guests::{TextEncoding, World};
use anyhow::Result;

use super::watch::FileWatch;
use crate::choreography::guest_options::Piece;
use crate::text::errors;
use crate::verbs::author::project::builder::Builder;
use crate::verbs::author::project::component::{self, MadeComponent};
use crate::verbs::author::project::{PROJECT_FILE, Project, seen_from_here};

/// What is built again and again.
#[derive(Debug)]
pub(super) enum Subject {
    Project(Box<Project>, Builder),
    Module(PathBuf),
}

/// A version that was built.
#[derive(Debug)]
pub(super) struct Version {
    pub(super) piece: Piece,
    pub(super) world: World,
}

impl Version {
    fn of(path: &Path, made: MadeComponent) -> Version {
        Version {
            world: made.checked.world,
            piece: Piece::of_component(path, made.bytes),
        }
    }
}

impl Subject {
    /// The project in this folder, the one around the present folder, or this module.
    pub(super) fn open(what: Option<&Path>) -> Result<Subject> {
        let project = match what {
            Some(folder) if folder.is_dir() => Project::read(folder)?,
            Some(file) if file.ends_with(PROJECT_FILE) => {
                Project::read(file.parent().unwrap_or(Path::new(".")))?
            }
            Some(module) => {
                errors::size(module)?;
                return Ok(Subject::Module(std::path::absolute(module)?));
            }
            None => Project::around(Path::new("."))?,
        };
        let builder = Builder::of(&project, true)?;
        Ok(Subject::Project(Box::new(project), builder))
    }

    /// The robot that the project is for.
    pub(super) fn robot(&self) -> Option<&str> {
        match self {
            Subject::Project(project, _) => project.robot.as_deref(),
            Subject::Module(_) => None,
        }
    }

    /// Its files, to be watched.
    pub(super) fn watch(&self) -> FileWatch {
        match self {
            Subject::Project(project, _) => {
                let mut patterns = project.language.build.sources.clone();
                patterns.extend([PROJECT_FILE, "language.toml"].map(str::to_owned));
                FileWatch::of(project.folder.clone(), patterns)
            }
            Subject::Module(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
                FileWatch::of(folder, vec![name.into_owned()])
            }
        }
    }

    /// Its name, for people.
    pub(super) fn title(&self) -> String {
        match self {
            Subject::Project(project, _) => {
                let (name, language) = (&project.name, &project.language.name);
                format!("{name}, a {} in {language}", project.world.name())
            }
            Subject::Module(path) => words::path(path),
        }
    }

    /// Builds it. A project's choreography is written as `dcm-run build` does.
    pub(super) fn build(&mut self, stop: &AtomicBool) -> Result<Version> {
        match self {
            Subject::Project(project, builder) => {
                // Its description may have changed.
                let now = Project::read(&project.folder)?;
                if now != **project {
                    *builder = Builder::of(&now, true)?;
                    **project = now;
                }
                let (path, module) = builder.compile(Some(stop))?;
                let made = component::make_for(project, &path, &module, None)?;
                let output = project.output();
                component::write(&output, &made.bytes)?;
                Ok(Version::of(&seen_from_here(&output), made))
            }
            Subject::Module(path) => {
                let text = path.display().to_string();
                let module = errors::read(path, errors::MODULE_MAX)?;
                let none = toml::Table::new();
                let made = component::make(&text, &module, TextEncoding::Utf8, &none)?;
                Ok(Version::of(path, made))
            }
        }
    }
}
