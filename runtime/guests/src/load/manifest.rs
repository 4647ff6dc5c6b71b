//! The manifest of a choreography: a custom section with a few lines of TOML, written by the SDK.
//! Read when a component is checked; written by `dcm-run build` for languages that do not write it.
//! It asks, and the grant in `robot.toml` decides.

use crate::load::engine::MEMORY_MAX;
use printable::printable;
use serde::Deserialize;
use wasm_encoder::{CustomSection, Section};

/// The custom section's name.
pub(crate) const SECTION: &str = "dcm:manifest";

/// The longest manifest, bytes.
const MANIFEST_MAX: usize = 16 << 10;

/// The longest fade, ms: a guest that has ended shall be gone before long.
pub(crate) const FADE_MAX: u32 = 60_000;

/// What a choreography asks for. Every key is optional.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Manifest {
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// One line for people.
    pub about: Option<String>,
    /// Fuel for each call of a hook.
    pub fuel: Option<u64>,
    /// Its lane's priority.
    pub priority: Option<f64>,
    /// Its lane's weight.
    pub weight: Option<f64>,
    /// Bytes of memory that are there from the start, so that it can grow inside a turn; `dcm-run build` puts them
    /// there.
    pub memory: Option<u64>,
    /// The hooks to call, of those that it exports: an engine exports all, whichever its script has.
    pub hooks: Option<Vec<String>>,
    /// How long it fades in, ms.
    pub fade_in: Option<u32>,
    /// How long it fades out, ms.
    pub fade_out: Option<u32>,
    /// Whether it plays until somebody stops it.
    pub loops: bool,
    /// How long it lasts, or one round of it, s; known for shows without code.
    pub lasts: Option<f64>,
    /// From its start to its own instant 0, s.
    pub lead: Option<f64>,
}

impl Manifest {
    /// Reads the lines of a manifest.
    ///
    /// # Errors
    /// A sentence: which key or value is wrong.
    pub fn read(text: &str) -> Result<Manifest, String> {
        read(Some(text.as_bytes()))
    }
}

/// A component with this manifest instead of its own.
pub fn with_manifest(component: &[u8], text: &str) -> Vec<u8> {
    let section = CustomSection {
        name: SECTION.into(),
        data: text.as_bytes().into(),
    };
    // The last one counts, and this one stands behind all that the component holds.
    let mut bytes = component.to_vec();
    section.append_to(&mut bytes);
    bytes
}

pub(crate) fn read(section: Option<&[u8]>) -> Result<Manifest, String> {
    let Some(section) = section else {
        return Ok(Manifest::default());
    };
    if section.len() > MANIFEST_MAX {
        return Err(format!("it has more than {MANIFEST_MAX} bytes"));
    }
    let text = std::str::from_utf8(section).map_err(|error| error.to_string())?;
    let manifest = toml::from_str(text);
    let mut manifest: Manifest =
        manifest.map_err(|error| printable(error.message()).into_owned())?;
    for text in [
        &mut manifest.name,
        &mut manifest.version,
        &mut manifest.about,
    ] {
        *text = text.as_deref().map(|text| printable(text).into_owned());
    }
    let weight = manifest.weight.is_none_or(cycle::is_weight);
    if !weight || !manifest.priority.is_none_or(f64::is_finite) {
        return Err("a priority is a number, a weight lies between 0 and 1,000".to_owned());
    }
    if manifest.memory.is_some_and(|memory| memory > MEMORY_MAX) {
        return Err(format!("its memory has {MEMORY_MAX} bytes at most"));
    }
    let fades = [manifest.fade_in, manifest.fade_out];
    if fades.into_iter().flatten().any(|fade| fade > FADE_MAX) {
        return Err(format!("a fade takes {FADE_MAX} ms at most"));
    }
    Ok(manifest)
}
