//! `dcm-run plot`: chosen values of a loop's last turns, or of a file with commas, as a picture.
//!
//! `sheet` holds what was read: from a page, or by `csv` from a file. `panel` divides it by units,
//! `scale` finds ticks, `thin` leaves out what nobody could see, `svg` draws, and `png` turns the
//! drawing into pixels. The law: the same values give the same bytes, and a value that is missing
//! leaves a gap.

mod csv;
mod panel;
#[cfg(feature = "pictures")]
mod png;
mod recording;
mod scale;
mod sheet;
mod style;
mod svg;
mod thin;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use serde_json::json;

use crate::{Outcome, candidates, words};
pub(crate) use sheet::{Line, Mark, SECONDS, Sheet};
pub(crate) use svg::{escaped, px};

/// The most keys in one picture: more lines than these cannot be told apart.
pub const KEYS_MAX: usize = 16;

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
pub struct Made {
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

/// What a picture is made as.
#[derive(Clone, Copy)]
pub(crate) enum Format {
    Svg,
    #[cfg(feature = "pictures")]
    Png,
}

/// The usual width of a picture.
const WIDTH: u32 = 960;

/// Draws a sheet into a file.
pub(crate) fn draw(sheet: &Sheet, title: &str, output: &Path) -> Result<()> {
    let format = Format::of(output)?;
    let (text, _) = svg::draw(sheet, title, WIDTH, None)?;
    write(text, format, output)
}

/// Writes a drawing as what its file's name says.
pub(crate) fn write(drawing: String, format: Format, output: &Path) -> Result<()> {
    let bytes = match format {
        Format::Svg => drawing.into_bytes(),
        #[cfg(feature = "pictures")]
        Format::Png => png::pixels(&drawing)?,
    };
    fs::write(output, bytes).with_context(|| format!("writing {}", output.display()))
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
pub fn make(args: &Args) -> Result<Made> {
    let format = Format::of(&args.output)?;
    let last = args.last.map(|it| it as usize);
    let sheet = match (&args.csv, &args.page) {
        (Some(file), first) => {
            let keys: Vec<_> = first.iter().chain(&args.keys).cloned().collect();
            csv::read(file, &keys, last)?
        }
        (None, Some(file)) if recording::is_one(Path::new(file)) => {
            recording::read(Path::new(file), &args.keys, last)?
        }
        (None, Some(page)) => Sheet::of_page(page, &args.keys, last)?,
        (None, None) => {
            bail!(
                "say what to draw: `dcm-run plot LOOP KEY -o picture.svg`, `dcm-run plot show.mcap KEY -o \
                 picture.svg`, or `--csv FILE`"
            )
        }
    };
    let title = args.title.as_ref().unwrap_or(&sheet.name);
    let (text, height) = svg::draw(&sheet, title, args.width, args.height)?;
    write(text, format, &args.output)?;
    Ok(Made {
        file: args.output.clone(),
        size: (args.width, height),
        keys: sheet.lines.iter().map(|it| it.title.clone()).collect(),
        rows: sheet.times.len(),
        span: sheet.span().unwrap_or_default(),
        gaps: sheet.gaps(),
    })
}

impl Format {
    /// What this file's ending means.
    pub(crate) fn of(output: &Path) -> Result<Format> {
        let ending = output.extension().unwrap_or_default().to_string_lossy();
        match ending.to_lowercase().as_str() {
            "svg" => Ok(Format::Svg),
            #[cfg(feature = "pictures")]
            "png" => Ok(Format::Png),
            #[cfg(not(feature = "pictures"))]
            "png" => Err(crate::missing::Missing::Pictures.into()),
            _ => bail!(
                "{} is no picture that can be drawn: let its name end in .svg or .png",
                output.display()
            ),
        }
    }
}
