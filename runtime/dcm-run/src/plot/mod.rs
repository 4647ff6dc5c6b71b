//! `dcm-run plot`: chosen values of a loop's last turns, or of a file with commas, as a picture.
//!
//! `page` reads the last turns of a loop, `recording` a recording, `csv` a file of values; the crate `pictures` draws.
//! The law: the same values give the same bytes, and a missing value leaves a gap.

mod csv;
mod page;
mod recording;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use pictures::{FormatError, PictureFormat, SERIES_MAX};
use serde_json::json;

use crate::missing::Missing;
use crate::{Outcome, candidates, words};

/// A page stays when its loop has gone, so that what a robot did last can be drawn afterwards.
/// One panel for each unit; the limits of an actuator are drawn where they are near, if the keys
/// are of one actuator. A key is what `watch` calls a key.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The name of a loop, the file of its page, or a recording (.mcap); with --csv, the first key.
    page: Option<String>,
    /// What to draw, 16 keys at most; with --csv and no key, every column.
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(candidates::keys))]
    keys: Vec<String>,
    /// Draw from a file as `watch --csv` and `blackbox --csv` print it; - for standard input.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// The picture: a file that ends in .svg or .png.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Only the last so many turns.
    #[arg(long, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    last: Option<u32>,
    /// The picture's width.
    #[arg(long, value_name = "PIXELS", default_value = "960",
          value_parser = clap::value_parser!(u32).range(320..=4096))]
    width: u32,
    /// The picture's height; as its panels need it if it is not said.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(160..=4096))]
    height: Option<u32>,
    /// What stands above it; the name of the loop or of the file if it is not said.
    #[arg(long)]
    title: Option<String>,
}

/// A picture that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnPicture {
    /// Where it is.
    pub file: PathBuf,
    /// Its width and height.
    pub size: (u32, u32),
    /// The keys that were drawn, in their order.
    pub keys: Vec<String>,
    /// How many turns, or lines, were looked at.
    pub rows: usize,
    /// What its first and last instant are, s.
    pub span: (f64, f64),
    /// How many values were missing.
    pub gaps: usize,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let made = make(args)?;
    let mut out = anstream::stdout().lock();
    let (width, height) = made.size;
    let (file, (from, to)) = (made.file.display(), made.span);
    if json {
        let told = json!({
            "file": made.file, "width": width, "height": height, "keys": made.keys, "rows": made.rows,
            "from": from, "to": to, "gaps": made.gaps,
        });
        writeln!(out, "{told}")?;
        return Ok(Outcome::Done);
    }
    let gaps = match made.gaps {
        0 => String::new(),
        gaps => format!(", {} values missing", words::count(gaps as u64)),
    };
    writeln!(
        out,
        "{file}: {} keys, {} rows from {from:.3} to {to:.3}{gaps}; {width}x{height}",
        made.keys.len(),
        words::count(made.rows as u64),
    )?;
    Ok(Outcome::Done)
}

/// Reads, draws and writes a picture.
///
/// # Errors
/// A sentence: an ending that means no picture, a key that nobody knows, nothing to draw, a file
/// that cannot be read or written.
pub fn make(args: &Args) -> Result<DrawnPicture> {
    let format = format_of(&args.output)?;
    let last = args.last.map(|it| it as usize);
    let chart = match (&args.csv, &args.page) {
        (Some(file), first) => {
            let keys: Vec<_> = first.iter().chain(&args.keys).cloned().collect();
            csv::read(file, &keys, last)?
        }
        (None, Some(file)) if recording::is_one(Path::new(file)) => {
            recording::read(Path::new(file), &args.keys, last)?
        }
        (None, Some(page)) => page::read(page, &args.keys, last)?,
        (None, None) => {
            bail!(
                "say what to draw: `dcm-run plot LOOP KEY -o picture.svg`, `dcm-run plot show.mcap KEY -o \
                 picture.svg`, or `--csv FILE`"
            )
        }
    };
    let title = args.title.as_ref().unwrap_or(&chart.name);
    let (text, height) = chart.draw(title, args.width, args.height)?;
    format.write(text, &args.output)?;
    Ok(DrawnPicture {
        file: args.output.clone(),
        size: (args.width, height),
        keys: chart.lines.iter().map(|it| it.title.clone()).collect(),
        rows: chart.times.len(),
        span: chart.span().unwrap_or_default(),
        gaps: chart.gaps(),
    })
}

/// The format of the picture's file.
pub(crate) fn format_of(file: &Path) -> Result<PictureFormat> {
    PictureFormat::of(file).map_err(|error| match error {
        FormatError::NoPng => Missing::Pictures.into(),
        error @ FormatError::Unknown(_) => error.into(),
    })
}

/// A file's name as a title.
fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Refuses more lines than can be told apart.
fn check_count(count: usize) -> Result<()> {
    if count > SERIES_MAX {
        bail!(
            "these keys name {count} lines, more than the {SERIES_MAX} of one picture; fix: name fewer"
        );
    }
    Ok(())
}
