//! `dcm-run urdf`: the description of a robot, made from the URDF that others wrote of it.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args as ClapArgs, Subcommand};
use robot::urdf::{Faults, Imported, Options, URDF_MAX, import};
use serde_json::json;

use crate::{Outcome, words};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A URDF says what hangs on what and how far each joint goes. What it does not say, such as channels and \
    calibrations, is for you to write into the description that comes out.")]
pub(crate) struct Args {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Makes a robot.toml from a URDF. What cannot be taken over is told on standard error.
    Import {
        /// The URDF, or - for standard input.
        file: PathBuf,
        /// Where the description goes; to standard output if it is not said.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Make wheels, which are sent speeds, of joints that turn without end.
        #[arg(long)]
        wheels: bool,
        /// Links on which it stands, with commas; else those that are lowest and that joints move.
        #[arg(long, value_name = "LINKS", value_delimiter = ',')]
        soles: Vec<String>,
        /// Write over a file that is there already.
        #[arg(long)]
        force: bool,
    },
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let Deed::Import {
        file,
        output,
        wheels,
        soles,
        force,
    } = &args.deed;
    let shown = match file.file_name() {
        Some(name) if file != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "standard input".to_owned(),
    };
    let options = Options {
        file: shown.clone(),
        wheels: *wheels,
        soles: soles.clone(),
    };
    let imported = import(&read(file)?, &options).map_err(|it| told(&shown, &it))?;
    if let Some(output) = output {
        write(output, &imported.text, *force)?;
    }
    for warning in imported.warnings.iter().filter(|_| !json) {
        let label = words::paint(words::ODD, "warning");
        anstream::eprintln!("{label}: {shown}, {}", plain(warning));
    }
    let mut out = anstream::stdout().lock();
    match output {
        _ if json => writeln!(out, "{}", as_json(&imported, output.as_deref()))?,
        None => write!(out, "{}", imported.text)?,
        Some(output) => writeln!(
            out,
            "{}: {} joints, {} links, {} warnings; try `dcm-run config check {0}`",
            output.display(),
            imported.joints,
            imported.links,
            imported.warnings.len()
        )?,
    }
    Ok(Outcome::Done)
}

fn as_json(imported: &Imported, output: Option<&Path>) -> serde_json::Value {
    let mut told = json!({
        "name": imported.name, "joints": imported.joints, "links": imported.links,
        "warnings": imported.warnings,
    });
    // Without a file there is no other way to the text.
    match output {
        Some(output) => told["file"] = json!(output),
        None => told["text"] = json!(imported.text),
    }
    told
}

fn read(file: &Path) -> Result<String> {
    let input: Box<dyn Read> = if file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(file).with_context(|| format!("opening {}", file.display()))?)
    };
    let mut bytes = Vec::new();
    let mut input = input.take(URDF_MAX as u64 + 1);
    let size = input.read_to_end(&mut bytes);
    if size.with_context(|| format!("reading {}", file.display()))? > URDF_MAX {
        bail!(
            "{} has more than {} MiB: that is no URDF",
            file.display(),
            URDF_MAX >> 20
        );
    }
    String::from_utf8(bytes)
        .map_err(|_| anyhow!("{} is no text in UTF-8: save it as such", file.display()))
}

fn write(output: &Path, text: &str, force: bool) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let written = options
        .open(output)
        .and_then(|mut it| it.write_all(text.as_bytes()));
    match written {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(
            "{} is there already: give another name, or say --force to write over it",
            output.display()
        ),
        written => written.with_context(|| format!("writing {}", output.display())),
    }
}

fn told(file: &str, faults: &Faults) -> anyhow::Error {
    let lines = plain(&faults.to_string());
    anyhow!("{file} was not imported\n{lines}")
}

/// What a file said, without what would steer a terminal.
fn plain(text: &str) -> String {
    text.chars()
        .map(|it| {
            if it.is_control() && it != '\n' {
                '?'
            } else {
                it
            }
        })
        .collect()
}
