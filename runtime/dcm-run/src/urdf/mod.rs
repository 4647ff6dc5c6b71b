//! `dcm-run urdf`: the description of a robot, made from the URDF that others wrote of it.

mod outside;

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args as ClapArgs, Subcommand};
use description::urdf::{ImportOptions, Imported, URDF_MAX, UrdfFaults, Wheels, import};
use serde_json::json;

use outside::{Surroundings, is_asked};

use crate::{Outcome, words};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A URDF says what hangs on what and how far each joint goes. What it does not say, such as channels and \
    calibrations, is for you to write into the description that comes out.\n\n\
    Shapes come from collisions: boxes, cylinders, capsules, spheres, and meshes (STL, OBJ, DAE) where their files \
    are. `package://NAME/` is looked for where --package says, in the folders above the URDF, then in \
    $ROS_PACKAGE_PATH and $AMENT_PREFIX_PATH.")]
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
        /// Make wheels, which are sent speeds, of joints that turn without end: all, or those named with commas.
        /// At a terminal each is asked about if this is not said; elsewhere they turn to and fro.
        #[arg(
            long,
            value_name = "JOINTS",
            num_args = 0..=1,
            require_equals = true,
            value_delimiter = ',',
            conflicts_with = "no_wheels"
        )]
        wheels: Option<Vec<String>>,
        /// Make no wheels, and do not ask.
        #[arg(long)]
        no_wheels: bool,
        /// Where a package of ROS is that the URDF's meshes are in; may be said again.
        #[arg(long, value_name = "NAME=FOLDER", value_parser = package)]
        package: Vec<(String, PathBuf)>,
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
        no_wheels,
        package,
        soles,
        force,
    } = &args.deed;
    let shown = match file.file_name() {
        Some(name) if file != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "standard input".to_owned(),
    };
    let options = ImportOptions {
        file: shown.clone(),
        wheels: match wheels {
            Some(names) if names.is_empty() => Wheels::All,
            Some(names) => Wheels::Named(names.clone()),
            None if *no_wheels || !is_asked(file) => Wheels::None,
            None => Wheels::Asked,
        },
        soles: soles.clone(),
    };
    let mut outside = Surroundings::new(file, package.clone());
    let imported = import(&read(file)?, &options, &mut outside).map_err(|it| told(&shown, &it))?;
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
            "{}: {} joints, {} links, {}{} warnings; try `dcm-run config check {0}`",
            output.display(),
            imported.joints,
            imported.links,
            // Of an arm that is screwed to its table nothing is missing.
            if imported.text.contains("\nsole = ") {
                ""
            } else {
                "no soles (`--soles LINK`, if it stands on its own), "
            },
            imported.warnings.len()
        )?,
    }
    Ok(Outcome::Done)
}

/// A package and its folder, from `NAME=FOLDER`.
fn package(text: &str) -> Result<(String, PathBuf)> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && Path::new(folder).is_dir() => {
            Ok((name.to_owned(), folder.into()))
        }
        Some((name, folder)) if !name.is_empty() => bail!("there is no folder {folder}"),
        _ => bail!("write it as NAME=FOLDER"),
    }
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

fn told(file: &str, faults: &UrdfFaults) -> anyhow::Error {
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
