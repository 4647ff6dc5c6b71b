//! The layers of a description: a base, the body, what is local; found, parsed and laid over each other.
//! Called at start-up, and by `dcm-run config`.
//! A later layer wins key by key, and every value remembers the layer it came from.

mod names;
mod shipped;

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use crate::nearest;
use crate::problem::{Problem, Problems};
use crate::schema::{ROBOT, SECTIONS};
use crate::schema::{examine, examine_needed};
use crate::text::{Layer, Spot, TEXT_MAX};
use crate::tree::{LocatedKey, LocatedValue, Table, Value};

pub use shipped::NAMES as SHIPPED;
#[cfg(test)]
pub(crate) use shipped::text as shipped_text;

/// How many descriptions may stand on each other by `base`.
const BASES_MAX: usize = 8;

/// All layers laid over each other, examined.
pub(crate) struct MergedLayers {
    pub(crate) layers: Vec<Layer>,
    pub(crate) tree: Table,
    pub(crate) problems: Vec<Problem>,
}

/// Where the layers of a robot are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotSource {
    /// The description itself, if it is a file.
    pub file: Option<PathBuf>,
    /// Its name: the file's, or the shipped robot's.
    pub name: String,
    /// Layers that go over it, in their order; those that exist are read.
    pub over: Vec<PathBuf>,
}

impl RobotSource {
    /// What `robot` means: a path to a file, a file in the folder of configuration, or a shipped robot.
    pub fn of(robot: &str) -> RobotSource {
        let folder = config_folder();
        let in_folder = folder
            .as_ref()
            .map(|folder| folder.join(format!("{robot}.toml")));
        let file = if robot.contains('/') || robot.ends_with(".toml") {
            Some(PathBuf::from(robot))
        } else {
            in_folder.filter(|folder| folder.is_file())
        };
        let stem = file.as_ref().and_then(|file| file.file_stem());
        let name = stem.map_or(robot.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let beside = file
            .as_ref()
            .and_then(|file| file.parent())
            .map(Path::to_owned);
        let over = beside.or(folder).map(|folder| {
            ["body", "local"].map(|layer| folder.join(format!("{name}.{layer}.toml")))
        });
        RobotSource {
            file,
            name,
            over: over.into_iter().flatten().collect(),
        }
    }

    /// The layer into which values of this very robot are written.
    pub fn local(&self) -> Option<&Path> {
        self.over.last().map(PathBuf::as_path)
    }
}

/// The folder in which a user keeps descriptions: `$DCM_RUN_CONFIG`, else `dcm-run` in the XDG folder.
pub fn config_folder() -> Option<PathBuf> {
    let set = |key| {
        std::env::var_os(key)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    set("DCM_RUN_CONFIG")
        .or_else(|| Some(set("XDG_CONFIG_HOME")?.join("dcm-run")))
        .or_else(|| Some(set("HOME")?.join(".config/dcm-run")))
}

/// Reads and lays all layers.
pub(crate) fn lay(source: &RobotSource) -> Result<MergedLayers, Problems> {
    let mut problems = Vec::new();
    let mut layers = Vec::new();
    match &source.file {
        Some(path) => layers.push(read(path)?),
        None => layers.push(shipped_layer(&source.name)?),
    }
    // Downwards: what the first layer stands on.
    while let Some((base, span)) = base_of(&layers[0]) {
        let beside = layers[0].path.as_ref().and_then(|path| path.parent());
        let layer = match beside {
            _ if layers.len() > BASES_MAX => {
                let sentence =
                    format!("more than {BASES_MAX} descriptions build on each other by `base`");
                Err(alone(Problem::nowhere(sentence)))
            }
            Some(folder) if base.contains('/') || base.ends_with(".toml") => {
                read(&folder.join(&base))
            }
            _ => shipped_layer(&base),
        };
        match layer {
            Ok(layer) => layers.insert(0, layer),
            Err(mut problems) => {
                let spot = Spot::new(0, span);
                for problem in &mut problems.list {
                    problem.spots = vec![(spot, "the base of this robot".to_owned())];
                }
                problems.layers = layers;
                return Err(problems);
            }
        }
    }
    for path in source.over.iter().filter(|over| over.is_file()) {
        layers.push(read(path)?);
    }
    let tree = lay_texts(&layers, &mut problems);
    Ok(MergedLayers {
        layers,
        tree,
        problems,
    })
}

/// Parses each text, examines it, and lays it over those before.
pub(crate) fn lay_texts(layers: &[Layer], problems: &mut Vec<Problem>) -> Table {
    let mut tree = Table::default();
    for (number, layer) in layers.iter().enumerate() {
        let (parsed, errors) = DeTable::parse_recoverable(&layer.text);
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            let sentence = error.message().lines().collect::<Vec<_>>().join("; ");
            problems.push(Problem::at(Spot::new(number, span), sentence, "here"));
        }
        let mut table = Table::of(number, parsed.get_ref());
        spell_out(&mut table, problems);
        examine(&mut table, &ROBOT, problems);
        tree.lay(table);
    }
    let last = layers.len().saturating_sub(1);
    examine_needed(&tree, Spot::new(last, 0..0), &ROBOT, problems);
    tree
}

/// Replaces each pattern of names by its names; channels count up along them.
fn spell_out(tree: &mut Table, problems: &mut Vec<Problem>) {
    for section in SECTIONS {
        let found = tree.0.iter_mut().find(|(key, _)| key.text == section);
        let Some((
            _,
            LocatedValue {
                value: Value::Table(table),
                ..
            },
        )) = found
        else {
            continue;
        };
        let mut spelt: Vec<(LocatedKey, LocatedValue)> = Vec::new();
        let mut firsts = HashMap::new();
        for (key, node) in std::mem::take(&mut table.0) {
            let spot = key.spot;
            let names = match names::expand(&key.text) {
                Ok(names) => names,
                Err(wrong) => {
                    let sentence = format!("invalid pattern `{}`: {wrong}", key.text);
                    problems.push(Problem::at(spot, sentence, "here"));
                    continue;
                }
            };
            for (place, text) in names.into_iter().enumerate() {
                if let Some(wrong) = names::fault(&text) {
                    problems.push(Problem::at(
                        spot,
                        format!("invalid name `{text}`: {wrong}"),
                        "here",
                    ));
                    continue;
                }
                if let Some(first) = firsts.insert(text.clone(), spot) {
                    let sentence = format!("`{text}` is described twice in `{section}`");
                    let problem = Problem::at(spot, sentence, "again here");
                    problems.push(problem.and(first, "first here"));
                    continue;
                }
                if spelt.len() == names::SECTION_MAX {
                    let sentence =
                        format!("`{section}` has more than {} names", names::SECTION_MAX);
                    problems.push(Problem::at(spot, sentence, "one too many"));
                    table.0 = spelt;
                    return;
                }
                let mut node = node.clone();
                count_up(&mut node, place);
                spelt.push((LocatedKey { text, spot }, node));
            }
        }
        table.0 = spelt;
    }
}

/// Moves every channel in `node` on by `places`.
fn count_up(node: &mut LocatedValue, places: usize) {
    let Value::Table(table) = &mut node.value else {
        return;
    };
    for (key, node) in &mut table.0 {
        match &mut node.value {
            #[allow(clippy::cast_precision_loss, reason = "at most 4096")]
            Value::Number(channel, true) if key.text == "channel" => *channel += places as f64,
            Value::Table(_) => count_up(node, places),
            _ => {}
        }
    }
}

/// What a layer says that it stands on, and where; mistakes in it are found later.
fn base_of(layer: &Layer) -> Option<(String, Range<usize>)> {
    let (parsed, _) = DeTable::parse_recoverable(&layer.text);
    let base = parsed.get_ref().get("base")?;
    Some((base.get_ref().as_str()?.to_owned(), base.span()))
}

fn read(path: &Path) -> Result<Layer, Problems> {
    let name = path.display().to_string();
    let fail = |why: String| alone(Problem::nowhere(format!("reading {name}: {why}")));
    // Not the length that the file says it has: a device or a pipe says none.
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|value| value.take(TEXT_MAX as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| fail(error.to_string()))?;
    if bytes.len() > TEXT_MAX {
        return Err(fail(format!("it is longer than {} MiB", TEXT_MAX >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        fail(format!("it is not UTF-8: byte {at} is invalid"))
    })?;
    Ok(Layer {
        name,
        path: Some(path.to_owned()),
        text,
    })
}

fn shipped_layer(name: &str) -> Result<Layer, Problems> {
    let Some(text) = shipped::text(name) else {
        let known = || shipped::NAMES.iter().copied();
        let near = nearest(name, known())
            .map_or(String::new(), |value| format!("did you mean `{value}`? "));
        let help = format!(
            "{near}shipped are {}; your own robot is a file: give its path",
            known().collect::<Vec<_>>().join(", ")
        );
        return Err(alone(
            Problem::nowhere(format!("there is no robot `{name}`")).help(help),
        ));
    };
    Ok(Layer {
        name: format!("{name} (shipped)"),
        path: None,
        text: text.to_owned(),
    })
}

fn alone(problem: Problem) -> Problems {
    Problems {
        layers: Vec::new(),
        list: vec![problem],
    }
}
