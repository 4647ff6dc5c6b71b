//! What a turn, a guest, the page and a check cost on this machine, in virtual time.
//! Called by `bench` after the loops. Each figure stands beside what it is to be compared with.

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use check::{CheckInput, CheckOptions, check};
use cycle::Span;
use description::Robot;
use protocol::places::code_folder;
use robot::guest_service::cache_in;
use robot::live::{Tempo, make_page, private_page};
use sensors::PageReader;
use serde_json::{Value, json};

use super::trial::play;
use crate::choreography::guest_options::Piece;
use crate::choreography::motion_file::MotionArgs;
use crate::text::words::{FAINT, paint, time};

/// The choreography of a bench that names none.
const USUAL: &str = "dance";

/// Turns of each run in virtual time.
const TURNS: u64 = 5_000;

/// The guests of each run.
const GUESTS: [usize; 3] = [0, 1, 8];

/// Rounds in which the page is read, and reads in each.
const ROUNDS: usize = 31;
const READS: u32 = 1_000;

/// The figures of a robot on this machine.
#[derive(Debug)]
pub(super) struct MachineFigures {
    piece: String,
    /// The median duration of a turn with so many guests; an error if they do not play on this robot.
    turns: Vec<(usize, Result<Span>)>,
    page: PageFigures,
    /// How many times as fast as the robot a check is.
    check: Result<f64, String>,
}

/// The median time of adding up all sent and sensed values of the newest frame, and as many of an array, ns.
#[derive(Debug)]
struct PageFigures {
    read: f64,
    array: f64,
}

impl MachineFigures {
    pub(super) fn measure(robot: &Robot, piece: Option<&Piece>) -> Result<MachineFigures> {
        let robot = Arc::new(robot.clone());
        let usual;
        let piece = match piece {
            Some(piece) => piece,
            None => {
                usual = Piece::read(Path::new(USUAL), &MotionArgs::default())?;
                &usual
            }
        };
        let turn = |guests| {
            let page = private_page(&robot)?;
            let trial = play(
                &robot,
                page,
                (Tempo::Fast, None),
                TURNS,
                (Some(piece), guests),
            );
            trial.map(|trial| trial.statistics.working.quantile(0.5))
        };
        let input = CheckInput {
            name: &piece.file,
            bytes: &piece.bytes,
        };
        let options = CheckOptions {
            cache: cache_in(code_folder().as_deref()).0,
            ..CheckOptions::default()
        };
        let checked = check(&robot, &input, &options).map(|check| check.verdict.facts);
        Ok(MachineFigures {
            piece: piece.name.clone(),
            turns: GUESTS.map(|guests| (guests, turn(guests))).into(),
            page: PageFigures::measure(&robot)?,
            check: checked.map(|checked| checked.simulated / checked.took.max(f64::MIN_POSITIVE)),
        })
    }

    pub(super) fn print(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "\nin virtual time:")?;
        for (guests, turn) in &self.turns {
            let what = match guests {
                0 => "a turn without guests".to_owned(),
                1 => format!("with `{}`", self.piece),
                _ => format!("with {guests} of them"),
            };
            match turn {
                Ok(span) => writeln!(out, "  {what:<34} {:>10}", time(*span))?,
                Err(why) => writeln!(out, "  {what:<34} {:>10}  {why:#}", "-")?,
            }
        }
        let PageFigures { read, array } = self.page;
        let nanos = |value: f64| format!("{value:.0} ns");
        let times = format!("{:.2} times an array's", read / array);
        let what = "adding up the page's newest frame";
        writeln!(
            out,
            "  {what:<34} {:>10}  {}",
            nanos(read),
            paint(FAINT, times)
        )?;
        let what = format!("checking `{}`", self.piece);
        match &self.check {
            Ok(times) => writeln!(
                out,
                "  {what:<34} {times:>10.0}  times as fast as the robot"
            )?,
            Err(why) => writeln!(out, "  {what:<34} {:>10}  {why}", "-")?,
        }
        Ok(())
    }

    pub(super) fn as_json(&self) -> Value {
        let turns = self.turns.iter().map(|(guests, turn)| match turn {
            Ok(span) => json!({ "guests": guests, "median_ns": span.nanos() }),
            Err(why) => json!({ "guests": guests, "error": format!("{why:#}") }),
        });
        json!({
            "choreography": self.piece, "turns": turns.collect::<Vec<_>>(),
            "page": { "read_ns": self.page.read, "array_ns": self.page.array },
            "check": match &self.check {
                Ok(times) => json!({ "times_real_time": times }),
                Err(why) => json!({ "error": why }),
            },
        })
    }
}

impl PageFigures {
    /// Reads in turn with the array, so that other load on the machine affects both.
    fn measure(robot: &Arc<Robot>) -> Result<PageFigures> {
        let name = format!("dcm-run-bench-{}.page", std::process::id());
        let path = std::env::temp_dir().join(name);
        let page = make_page(robot, &path, 0, 1)?;
        let played = play(robot, page, (Tempo::Fast, None), 3, (None, 0));
        let opened = PageReader::open(&path);
        let _ = std::fs::remove_file(&path);
        played?;
        let page = opened?;
        let (actuators, sensors) = (robot.actuators.len(), robot.sensors.len());
        let plain: Vec<f64> = vec![1.0; actuators + sensors];
        let (mut read, mut array) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            read.push(nanos_of(|| {
                black_box(page.read(|frame| {
                    let sent: f64 = (0..actuators).filter_map(|i| frame.sent(i)).sum();
                    let sensed: f64 = (0..sensors).filter_map(|i| frame.sensor(i)).sum();
                    sent + sensed
                }));
            }));
            array.push(nanos_of(|| {
                black_box(black_box(&plain).iter().sum::<f64>());
            }));
        }
        Ok(PageFigures {
            read: median(read),
            array: median(array),
        })
    }
}

/// How long a call takes, ns.
fn nanos_of(mut call: impl FnMut()) -> f64 {
    let begun = Instant::now();
    (0..READS).for_each(|_| call());
    begun.elapsed().as_secs_f64() * 1e9 / f64::from(READS)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
