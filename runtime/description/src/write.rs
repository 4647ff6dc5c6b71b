//! Writes a value into a robot's local layer: a calibration that was measured, a pose that was saved.
//! Called by `dcm-run config set` and `dcm-run pose save`, and by a loop that keeps a calibration.
//! The file is the old one or the whole new one, and never one that would not load.

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
    let draft = LayerDraft::with(source, values)?;
    draft.take_its_place()
}

/// Whether the robot would load with these keys in its local layer.
///
/// # Errors
/// [`WriteError`] says why it would not.
pub fn try_values(
    source: &RobotSource,
    values: &[(Vec<String>, String)],
) -> Result<(), WriteError> {
    LayerDraft::with(source, values).map(drop)
}

/// The text of the local layer; nothing if there is none.
///
/// # Errors
/// [`WriteError`] if it cannot be read.
pub fn local_text(source: &RobotSource) -> Result<Option<String>, WriteError> {
    let path = source.local().ok_or(WriteError::NoPlace)?;
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(WriteError::Io(path.to_owned(), error)),
    }
}

/// Gives the local layer this text; without one, there is no local layer any more.
///
/// # Errors
/// [`WriteError`]; the file is as it was.
pub fn restore(source: &RobotSource, text: Option<&str>) -> Result<PathBuf, WriteError> {
    if let Some(text) = text {
        return LayerDraft::of(source, text)?.take_its_place();
    }
    let path = source.local().ok_or(WriteError::NoPlace)?.to_owned();
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(WriteError::Io(path, error)),
        _ => Ok(path),
    }
}

/// A local layer beside the one that is in force; the robot loads with it. It is removed unless it takes its place.
struct LayerDraft {
    path: PathBuf,
    draft: PathBuf,
}

impl LayerDraft {
    /// The local layer with these values.
    fn with(
        source: &RobotSource,
        values: &[(Vec<String>, String)],
    ) -> Result<LayerDraft, WriteError> {
        let path = source.local().ok_or(WriteError::NoPlace)?;
        let parsed = local_text(source)?
            .unwrap_or_default()
            .parse::<DocumentMut>();
        let mut document = parsed
            .map_err(|error| WriteError::Broken(path.to_owned(), error.message().to_owned()))?;
        for (key, value) in values {
            set(document.as_table_mut(), key, value)?;
        }
        LayerDraft::of(source, &document.to_string())
    }

    fn of(source: &RobotSource, text: &str) -> Result<LayerDraft, WriteError> {
        let path = source.local().ok_or(WriteError::NoPlace)?.to_owned();
        let fail = |error| WriteError::Io(path.clone(), error);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(fail)?;
        let draft = LayerDraft {
            draft: path.with_extension(format!("{}.draft", std::process::id())),
            path: path.clone(),
        };
        write_whole(&draft.draft, text).map_err(fail)?;
        let over = source.over.iter().map(|over| match *over == path {
            true => draft.draft.clone(),
            false => over.clone(),
        });
        let tried = RobotSource {
            over: over.collect(),
            ..source.clone()
        };
        match load(&tried) {
            Ok(_) => Ok(draft),
            Err(problems) => Err(WriteError::Refused(Box::new(as_written(
                problems,
                &draft.draft,
                &path,
            )))),
        }
    }

    fn take_its_place(self) -> Result<PathBuf, WriteError> {
        let fail = |error| WriteError::Io(self.path.clone(), error);
        fs::rename(&self.draft, &self.path).map_err(fail)?;
        // So that the new name survives a loss of power.
        File::open(self.path.parent().unwrap_or(Path::new(".")))
            .and_then(|bank| bank.sync_all())
            .map_err(fail)?;
        Ok(self.path.clone())
    }
}

impl Drop for LayerDraft {
    fn drop(&mut self) {
        // Gone if it took its place. That a draft stays behind would be no worse.
        let _ = fs::remove_file(&self.draft);
    }
}

/// The parts of a key such as `joints.HeadYaw.range`, as TOML reads it; of a text that is no key, what is between dots.
pub fn key_parts(key: &str) -> Vec<String> {
    match toml_edit::Key::parse(key) {
        Ok(parts) => parts
            .into_iter()
            .map(|part| part.get().to_owned())
            .collect(),
        Err(_) => key.split('.').map(str::to_owned).collect(),
    }
}

/// A text as a value in TOML.
pub fn text_value(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
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
