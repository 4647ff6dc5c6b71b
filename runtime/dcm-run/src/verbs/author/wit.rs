//! `dcm-run wit`: prints the contract between guests and runtime. It is the one that this program checks.

use std::io::Write;
use std::path::PathBuf;

use ::guests::WIT as FILES;
use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;

use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Prints one text, or writes one file for each interface.")]
pub(crate) struct Args {
    /// The folder to write the files to, for the tools of other languages.
    folder: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let mut out = anstream::stdout().lock();
    if let Some(folder) = &args.folder {
        errors::make_folder(folder)?;
        for (name, text) in FILES {
            let path = folder.join(name);
            errors::write(&path, text)?;
        }
        let names: Vec<_> = FILES.iter().map(|file| file.0).collect();
        output.print(
            json!({ "folder": folder.display().to_string(), "files": names }),
            format!("{} files in {}", names.len(), folder.display()),
        )?;
        return Ok(VerbOutcome::Done);
    }
    for (place, (name, text)) in FILES.iter().enumerate() {
        if output.json {
            writeln!(out, "{}", json!({ "file": name, "text": text }))?;
            continue;
        }
        // One package, so that its name is printed once.
        let text = if place == 0 {
            *text
        } else {
            text.split_once('\n').map_or(*text, |pair| pair.1)
        };
        write!(out, "{text}")?;
    }
    Ok(VerbOutcome::Done)
}
