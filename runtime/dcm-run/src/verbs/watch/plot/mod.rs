//! `dcm-run plot`: draws values of a loop's last turns, of a recording, or of a CSV file.
//!
//! `page` reads the last turns of a loop, `recording` a recording, `csv` a file of values, `floor` the footfalls of a
//! recording; the crate `pictures` draws.
//! The same values give the same bytes, and a missing value leaves a gap.

mod csv;
mod floor;
mod page;
mod recording;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use pictures::{FormatError, PictureFormat, SERIES_MAX};
use serde_json::json;

use crate::text::missing::Missing;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::candidates;

/// A page outlives its loop, so that the last turns can be plotted afterwards. Each unit has a panel.
/// If all keys are of one actuator, its limits are drawn where they are near. Keys are those of `watch`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// What to plot: a loop of this machine, the file of its page, a recording (.mcap), or values in CSV, as `watch
    /// --csv` and `blackbox --csv` print them (.csv, or - for standard input).
    source: String,
    /// The values to plot, at most 16; default for CSV: every column.
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(candidates::keys))]
    keys: Vec<String>,
    /// Draw a recording from above: footfalls, support polygons, the paths of the centre of mass, of the zero-moment
    /// point and of the centre of pressure.
    #[arg(long, conflicts_with_all = ["keys", "csv", "over", "height"])]
    floor: bool,
    /// Read the source as CSV, whatever its name ends in.
    #[arg(long)]
    csv: bool,
    /// The column of a CSV file over which the others are drawn; default: now or turn, or the number of the row.
    #[arg(long, value_name = "COLUMN")]
    over: Option<String>,
    /// The output file, which ends in .svg or .png.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Plot only this many of the last turns.
    #[arg(long, value_name = "TURNS", value_parser = clap::value_parser!(u32).range(1..))]
    last: Option<u32>,
    /// The width of the picture.
    #[arg(long, value_name = "PIXELS", default_value = "960",
          value_parser = clap::value_parser!(u32).range(320..=4096))]
    width: u32,
    /// The height of the picture; default: as its panels need.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(160..=4096))]
    height: Option<u32>,
    /// The title; default: the name of the loop or of the file.
    #[arg(long)]
    title: Option<String>,
}

/// The most turns of a recording that are read.
const TURNS_MAX: usize = 2_000_000;

/// A picture that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnPicture {
    /// Where it is.
    pub file: PathBuf,
    /// Its width and height.
    pub size: (u32, u32),
    /// The keys that were drawn, in order.
    pub keys: Vec<String>,
    /// The number of turns, or of lines.
    pub rows: usize,
    /// The first and the last instant, s.
    pub span: (f64, f64),
    /// The number of missing values.
    pub gaps: usize,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    if args.floor {
        return draw_floor(args, output);
    }
    let made = make(args)?;
    let (width, height) = made.size;
    let (file, (from, to)) = (words::path(&made.file), made.span);
    let gaps = match made.gaps {
        0 => String::new(),
        gaps => format!(", {} missing", words::counted(gaps as u64, "value")),
    };
    let text = format!(
        "{file}: {}, {} from {from:.3} to {to:.3}{gaps}; {width}x{height}",
        words::counted(made.keys.len() as u64, "key"),
        words::counted(made.rows as u64, "row"),
    );
    let value = json!({
        "file": made.file.display().to_string(), "width": width, "height": height, "keys": made.keys, "rows": made.rows,
        "from": from, "to": to, "gaps": made.gaps,
    });
    output.print(value, text)
}

/// Draws a recording from above.
fn draw_floor(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let format = format_of(&args.output)?;
    let source = Path::new(&args.source);
    if !recording::is_one(source) {
        bail!(
            "--floor draws a recording, and `{}` is none; fix: name a file of `dcm-run run --record`",
            args.source
        );
    }
    let plan = floor::read(source, args.last.map(|value| value as usize))?;
    let title = args.title.as_ref().unwrap_or(&plan.name);
    let (text, height) = plan.draw(title, args.width);
    format.write(text, &args.output)?;
    let (file, footfalls) = (words::path(&args.output), plan.footprints.len());
    let text = format!(
        "{file}: {}; {}x{height}",
        words::counted(footfalls as u64, "footfall"),
        args.width
    );
    let value = json!({
        "file": args.output.display().to_string(), "width": args.width, "height": height, "footfalls": footfalls,
    });
    output.print(value, text)
}

/// Reads, draws and writes a picture.
///
/// # Errors
/// The file's ending is unknown, a key is unknown, there is nothing to draw, or a file cannot be read or written.
pub fn make(args: &Args) -> Result<DrawnPicture> {
    let format = format_of(&args.output)?;
    let last = args.last.map(|value| value as usize);
    let file = Path::new(&args.source);
    let is_csv = args.csv
        || args.source == "-"
        || file.extension().is_some_and(|extension| extension == "csv");
    if args.over.is_some() && !is_csv {
        bail!("--over is for CSV; turns are drawn over the time; fix: leave it away");
    }
    let chart = if is_csv {
        csv::read(file, &args.keys, args.over.as_deref(), last)?
    } else if recording::is_one(file) {
        recording::read(file, &args.keys, last)?
    } else {
        page::read(&args.source, &args.keys, last)?
    };
    let title = args.title.as_ref().unwrap_or(&chart.name);
    let (text, height) = chart.draw(title, args.width, args.height)?;
    format.write(text, &args.output)?;
    Ok(DrawnPicture {
        file: args.output.clone(),
        size: (args.width, height),
        keys: chart.lines.iter().map(|line| line.title.clone()).collect(),
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
