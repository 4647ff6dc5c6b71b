//! `dcm-run urdf`: imports a robot's description from a URDF.
//! An existing file is overwritten only with --force; what cannot be imported is a warning.

mod outside;

use printable::{printable, printable_lines};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args as ClapArgs, Subcommand};
use description::urdf::{ImportOptions, Imported, URDF_MAX, UrdfFaults, Wheels, import};
use serde_json::json;

use outside::{Surroundings, is_asked};

use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A URDF describes links and joints with their limits. Channels and calibrations are not part of it: add them to \
    the imported description.\n\n\
    Shapes are taken from collisions: boxes, cylinders, capsules, spheres, and meshes (STL, OBJ, DAE). \
    `package://NAME/` is searched for in the folder of --package, in the folders above the URDF, then in \
    $ROS_PACKAGE_PATH and $AMENT_PREFIX_PATH.")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: UrdfVerb,
}

#[derive(Debug, Subcommand)]
enum UrdfVerb {
    /// Write a robot.toml from a URDF. Warnings about what cannot be imported go to standard error.
    Import {
        /// The URDF, or - for standard input.
        file: PathBuf,
        /// The output file; default: standard output.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Import continuous joints as wheels, which take speeds: all, or those named, separated by commas.
        /// Default: ask for each on a terminal; elsewhere import them as joints that take positions.
        #[arg(
            long,
            value_name = "JOINTS",
            num_args = 0..=1,
            require_equals = true,
            value_delimiter = ',',
            conflicts_with = "no_wheels"
        )]
        wheels: Option<Vec<String>>,
        /// Import no wheels, and do not ask.
        #[arg(long)]
        no_wheels: bool,
        /// The folder of a ROS package with meshes; may be given several times.
        #[arg(long, value_name = "NAME=FOLDER", value_parser = package)]
        package: Vec<(String, PathBuf)>,
        /// The links on which it stands, separated by commas; default: the lowest links that joints move.
        #[arg(long, value_name = "LINKS", value_delimiter = ',')]
        soles: Vec<String>,
        /// Overwrite an existing file.
        #[arg(long)]
        force: bool,
    },
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let UrdfVerb::Import {
        file,
        output: path,
        wheels,
        no_wheels,
        package,
        soles,
        force,
    } = &args.verb;
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
    let imported =
        import(&read(file)?, &options, &mut outside).map_err(|error| error_of(&shown, &error))?;
    if let Some(path) = path {
        write(path, &imported.text, *force)?;
    }
    for warning in imported.warnings.iter().filter(|_| !output.json) {
        let label = words::paint(words::ODD, "warning");
        anstream::eprintln!("{label}: {shown}, {}", printable(warning));
    }
    let mut out = anstream::stdout().lock();
    match path {
        _ if output.json => writeln!(out, "{}", as_json(&imported, path.as_deref()))?,
        None => write!(out, "{}", imported.text)?,
        Some(path) => writeln!(
            out,
            "{}: {}, {}, {}{}; try `dcm-run config check {0}`",
            path.display(),
            words::counted(imported.joints as u64, "joint"),
            words::counted(imported.links as u64, "link"),
            // A fixed arm needs no soles.
            if imported.text.contains("\nsole = ") {
                ""
            } else {
                "no soles (`--soles LINK`, if it stands on its own), "
            },
            words::counted(imported.warnings.len() as u64, "warning")
        )?,
    }
    Ok(VerbOutcome::Done)
}

/// A package and its folder, from `NAME=FOLDER`.
fn package(text: &str) -> Result<(String, PathBuf)> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && Path::new(folder).is_dir() => {
            Ok((name.to_owned(), folder.into()))
        }
        Some((name, folder)) if !name.is_empty() => bail!(
            "there is no folder {folder}; fix: give the folder that contains the meshes of the package {name}"
        ),
        _ => bail!("expected NAME=FOLDER, such as `arm=meshes/arm`"),
    }
}

fn as_json(imported: &Imported, output: Option<&Path>) -> serde_json::Value {
    let mut told = json!({
        "name": imported.name, "joints": imported.joints, "links": imported.links,
        "warnings": imported.warnings,
    });
    // Without a file, the text is part of the answer.
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
        Box::new(errors::open(file)?)
    };
    let mut bytes = Vec::new();
    let mut input = input.take(URDF_MAX as u64 + 1);
    let size = input.read_to_end(&mut bytes);
    if size.with_context(|| format!("reading {}", file.display()))? > URDF_MAX {
        bail!(
            "{} is larger than {} MiB, and so no URDF; fix: name the file that begins with `<robot`",
            file.display(),
            URDF_MAX >> 20
        );
    }
    String::from_utf8(bytes)
        .map_err(|_| anyhow!("{} is not UTF-8; fix: convert it", file.display()))
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
        .and_then(|mut value| value.write_all(text.as_bytes()));
    match written {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(
            "{} already exists; fix: give another name, or --force",
            output.display()
        ),
        written => written.map_err(|error| errors::unwritable(output, &error)),
    }
}

fn error_of(file: &str, faults: &UrdfFaults) -> anyhow::Error {
    let lines = faults.to_string();
    anyhow!("{file} was not imported\n{}", printable_lines(&lines))
}
