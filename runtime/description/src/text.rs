//! The texts of a description, and places in them.
//! Made by `layers`; `tree` keeps a place for every value, and `problem` shows it.
//! A place is a range of bytes in one layer, counted from the lowest layer.

use std::ops::Range;
use std::path::PathBuf;

/// The largest description that is read, bytes.
pub const TEXT_MAX: usize = 4 << 20;

/// One text of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What it is called in messages: its path, or the name of a shipped robot.
    pub name: String,
    /// Where it lies; none for a shipped robot.
    pub path: Option<PathBuf>,
    /// What it says.
    pub text: String,
}

/// A place in the text of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The number of the layer.
    pub layer: usize,
    /// The first byte.
    pub from: usize,
    /// The byte after the last.
    pub to: usize,
}

impl Spot {
    pub(super) fn new(layer: usize, span: Range<usize>) -> Spot {
        Spot {
            layer,
            from: span.start,
            to: span.end,
        }
    }
}

/// `nao.toml:12:5`, counted from 1, columns in characters.
pub fn place_of(layers: &[Layer], spot: Spot) -> String {
    let Some(layer) = layers.get(spot.layer) else {
        return "built in".to_owned();
    };
    let before = layer.text.get(..spot.from).unwrap_or(&layer.text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .map_or(0, |part| part.chars().count())
        + 1;
    format!("{}:{line}:{column}", layer.name)
}
