//! Makes a choreography of a module: a component that keeps the contract, with its manifest. Called by `build`, `dev`.
//! What is returned was checked against the contract.

use std::fs;
use std::path::Path;

use ::guests::{
    CheckedComponent, MEMORY_MAX, TextEncoding, WasiGrant, check, componentize_with, manifest_of,
    reserve, with_manifest,
};
use anyhow::{Result, bail};

use super::Project;
use crate::text::errors;

/// A choreography, as it was made of a module.
#[derive(Debug)]
pub(crate) struct MadeComponent {
    pub(crate) bytes: Vec<u8>,
    pub(crate) checked: CheckedComponent,
}

/// Makes a choreography. The manifest's lines replace those that the module has, key by key.
pub(crate) fn make(
    told: &str,
    module: &[u8],
    encoding: TextEncoding,
    manifest: &toml::Table,
) -> Result<MadeComponent> {
    let bytes = componentize_with(module, encoding);
    let mut bytes = bytes.map_err(|why| anyhow::anyhow!("{told}: {why}"))?;
    let own = manifest_of(&bytes).map(str::parse::<toml::Table>);
    let mut merged = own.transpose().unwrap_or_default().unwrap_or_default();
    let differs = |pair: (&String, &toml::Value)| merged.get(pair.0) != Some(pair.1);
    let changes = manifest.iter().any(differs);
    merged.extend(manifest.clone());
    // A value of another type is refused below, with the rest of the manifest.
    let memory = merged.get("memory").and_then(toml::Value::as_integer);
    if let Some(memory) = memory.and_then(|memory| u64::try_from(memory).ok()) {
        let reserved = reserve(&bytes, memory.min(MEMORY_MAX));
        bytes = reserved.map_err(|why| anyhow::anyhow!("{told}: {why}"))?;
    }
    if changes {
        bytes = with_manifest(&bytes, &merged.to_string());
    }
    // A grant is given later: here its imports are only listed.
    let everything = WasiGrant {
        clocks: true,
        random: true,
    };
    match check(&bytes, everything) {
        Ok(checked) => Ok(MadeComponent { bytes, checked }),
        Err(error) => bail!("{told}: {error}"),
    }
}

/// Makes a choreography of a project's module.
pub(crate) fn make_for(
    project: &Project,
    path: &Path,
    module: &[u8],
    manifest: Option<&toml::Table>,
) -> Result<MadeComponent> {
    let encoding = project.language.build.encoding;
    let lines = manifest.unwrap_or(&project.manifest);
    let told = path.strip_prefix(&project.folder).unwrap_or(path);
    let text = told.display().to_string();
    let made = make(&text, module, encoding, lines)?;
    let made = match made.checked.manifest.name {
        Some(_) => made,
        // It plays under the project's name.
        None => {
            let mut named = lines.clone();
            named.insert("name".to_owned(), project.name.clone().into());
            make(&text, module, encoding, &named)?
        }
    };
    let is = made.checked.world;
    if is != project.world {
        bail!(
            "{text}: choreography.toml says that it is a {}, but it exports {}, and so is a {}; fix: \
             `world = \"{}\"` there, or export what a {} has",
            project.world.name(),
            made.checked.hooks.join(", "),
            is.name(),
            is.name(),
            project.world.name(),
        );
    }
    Ok(made)
}

/// Writes a choreography. Whoever reads the file meanwhile gets the old one or the new one, as a whole.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !path
        .parent()
        .is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir())
        || is_special(path)
    {
        // A folder that is missing, or a pipe: the usual error, or the usual way.
        return errors::write(path, bytes);
    }
    // Through a link, to the file itself.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let draft = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = fs::write(&draft, bytes).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written.map_err(|error| errors::unwritable(path, &error))
}

/// Whether this is there, and is no file.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}
