//! Writes a value into a robot's local layer: a calibration that was measured, a pose that was saved.
//! Called by `dcm-run config set` and `dcm-run pose save`.
//! The law: the file is the old one or the whole new one, and never one that would not load.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Table};

use crate::layers::RobotSource;
use crate::load::load;
use crate::problem::Problems;

/// Why nothing was written.
#[derive(Debug)]
pub enum WriteError {
    /// There is no folder for local layers.
    NoPlace,
    /// The key is empty, or goes through something that is no table.
    Key(String),
    /// The value is none of TOML.
    Value(String),
    /// The layer as it stands is no TOML.
    Broken(PathBuf, String),
    /// With the new value, the robot would not load.
    Refused(Box<Problems>),
    /// The file could not be written.
    Io(PathBuf, io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::NoPlace => write!(
                f,
                "there is no folder for local values; fix: set HOME, XDG_CONFIG_HOME or DCM_RUN_CONFIG"
            ),
            WriteError::Key(key) => write!(
                f,
                "invalid key `{key}`; fix: write it as `joints.HeadYaw.calibration.offset`"
            ),
            WriteError::Value(value) => write!(
                f,
                "invalid value `{value}`; fix: a string needs quotes, a list needs brackets"
            ),
            WriteError::Broken(path, why) => {
                write!(
                    f,
                    "{} is broken: {why}; fix: repair the file by hand",
                    path.display()
                )
            }
            WriteError::Refused(problems) => write!(f, "nothing was written: {problems}"),
            WriteError::Io(path, error) => write!(
                f,
                "{} cannot be written: {error}; fix: set DCM_RUN_CONFIG to a folder of your own",
                path.display()
            ),
        }
    }
}

impl std::error::Error for WriteError {}

/// Sets keys of the local layer of `source`. An empty value takes the key away.
///
/// # Errors
/// [`WriteError`]; the file is as it was.
pub fn write(
    source: &RobotSource,
    values: &[(Vec<String>, String)],
) -> Result<PathBuf, WriteError> {
    let path = source.local().ok_or(WriteError::NoPlace)?.to_owned();
    let fail = |error| WriteError::Io(path.clone(), error);
    let old = match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(fail(error)),
    };
    let parsed = old.as_deref().unwrap_or_default().parse::<DocumentMut>();
    let mut document =
        parsed.map_err(|it| WriteError::Broken(path.clone(), it.message().to_owned()))?;
    for (key, value) in values {
        set(document.as_table_mut(), key, value)?;
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(fail)?;
    // Tried beside the real one before it takes its place.
    let draft = path.with_extension(format!("{}.draft", std::process::id()));
    let tried = write_whole(&draft, &document.to_string())
        .map_err(fail)
        .and_then(|()| {
            let over = source.over.iter().map(|it| {
                if *it == path {
                    draft.clone()
                } else {
                    it.clone()
                }
            });
            let tried = RobotSource {
                over: over.collect(),
                ..source.clone()
            };
            load(&tried).map_err(|problems| {
                WriteError::Refused(Box::new(as_written(problems, &draft, &path)))
            })
        });
    let renamed = tried.and_then(|_| fs::rename(&draft, &path).map_err(fail));
    if let Err(error) = renamed {
        // The draft is of no use to anyone; that it stays behind would be no worse.
        let _ = fs::remove_file(&draft);
        return Err(error);
    }
    // So that the new name survives a loss of power.
    File::open(folder)
        .and_then(|it| it.sync_all())
        .map_err(fail)?;
    Ok(path)
}

/// The problems, with the name of the file that was to be written instead of that of the draft.
fn as_written(mut problems: Problems, draft: &Path, path: &Path) -> Problems {
    let (draft, path) = (draft.display().to_string(), path.display().to_string());
    for layer in &mut problems.layers {
        layer.name = layer.name.replace(&draft, &path);
    }
    problems
}

fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn set(mut table: &mut Table, key: &[String], value: &str) -> Result<(), WriteError> {
    let wrong = || WriteError::Key(key.join("."));
    let (last, way) = key.split_last().ok_or_else(wrong)?;
    if key.iter().any(String::is_empty) {
        return Err(wrong());
    }
    for step in way {
        let item = table.entry(step).or_insert_with(|| {
            let mut inner = Table::new();
            inner.set_implicit(true);
            Item::Table(inner)
        });
        if let Some(inline) = item.as_inline_table() {
            *item = Item::Table(inline.clone().into_table());
        }
        table = item.as_table_mut().ok_or_else(wrong)?;
    }
    if value.is_empty() {
        table.remove(last);
        return Ok(());
    }
    let value: toml_edit::Value = value
        .parse()
        .map_err(|_| WriteError::Value(value.to_owned()))?;
    table.insert(last, Item::Value(value));
    Ok(())
}
