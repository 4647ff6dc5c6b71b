//! `dcm-run replay`: replays a recording and compares every value.
//! The first line describes the recording. The result is either "identical", or the first turn and value that
//! differ.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use cycle::Span;
use protocol::places::{Claim, Places, code_folder};
use recording::{Recording, ReplayOptions, ReplayVerdict, Turn, replay};
use robot::guest_service::cache_in;
use robot::live::make_page;
use robot::socket::{RequestHandler, SocketAccess, listen};
use serde_json::json;

use crate::process::{as_name, this_program};
use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words::{self, count, counted, time};

/// The interval between two updates of the progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// The longest pause between two turns: a damaged time stamp must not stop the replay.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Runs the recorded guests again with all recorded inputs, and compares every value of every turn. Exits with 3 if \
    a value differs or the file is damaged, and with 1 if the recording cannot be replayed (to its end): a replay \
    needs all turns of a run from the first. A recording that is still being written is compared as far as it goes.")]
pub(crate) struct Args {
    /// The recording: of `dcm-run run … --record out.mcap`, or one that a robot keeps.
    recording: PathBuf,
    /// Compare as fast as possible, without showing the state.
    #[arg(long, conflicts_with_all = ["speed", "id"])]
    verify: bool,
    /// The speed of the replay, as a multiple of real time.
    #[arg(long, value_name = "TIMES", default_value = "1")]
    speed: f64,
    /// The name under which `get`, `watch`, `joints`, `top` and others show its state; default: the robot's name with
    /// `-replay`.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    if !(0.001..=1000.0).contains(&args.speed) {
        bail!(
            "--speed must be from 0.001 to 1000; fix: to replay as fast as possible, use --verify"
        );
    }
    let path = &args.recording;
    errors::open(path)?;
    let recording = Recording::open_whole(path).with_context(|| path.display().to_string())?;
    if !output.json {
        anstream::println!("{}", heading(path, &recording));
        if recording.is_being_written {
            let turns = count(recording.turns());
            anstream::println!("still being written: turns 1 to {turns} are compared");
        }
        for damage in &recording.damages {
            anstream::println!("{}", words::paint(words::BAD, format!("broken: {damage}")));
        }
    }
    let mut options = ReplayOptions {
        compiler: guests::Compiler::child(this_program()?),
        cache: cache_in(code_folder().as_deref()).0,
        page: None,
    };
    let claim = if args.verify {
        None
    } else {
        let (claim, page) = show(args, &recording)?;
        if !output.json {
            anstream::println!("state  {}", claim.places().page.display());
        }
        options.page = Some(page);
        Some(claim)
    };
    let mut pace = ReplayPacer::new(args, output, recording.turns());
    let verdict = replay(&recording, options, |turn| pace.turn(turn));
    pace.end();
    let verdict = verdict.map_err(|why| anyhow::anyhow!(why))?;
    drop(claim);
    if output.json {
        anstream::println!("{}", as_json(path, &recording, &verdict));
    } else {
        anstream::print!("{}", summary(&recording, &verdict));
    }
    Ok(
        if verdict.difference.is_some() || !recording.damages.is_empty() {
            VerbOutcome::Fails
        } else if verdict.stopped.is_some() {
            VerbOutcome::Stops
        } else {
            VerbOutcome::Done
        },
    )
}

/// The page that shows its state, and the socket by which it is found.
fn show(args: &Args, recording: &Recording) -> Result<(Claim, sensors::PageWriter)> {
    let name = args.id.clone();
    let name = name.unwrap_or_else(|| as_name(&format!("{}-replay", recording.robot.name)));
    let claim = Places::of(&name)?.claim()?;
    let zero = recording.run.utc_at_zero;
    let page = make_page(
        &recording.robot,
        &claim.places().page,
        zero,
        zero / 1_000_000_000,
    )?;
    let handler = RequestHandler::of_replay(recording.robot.clone(), claim.places().clone());
    // It decides who may move the body; nobody may.
    let access = SocketAccess { users: Vec::new() };
    listen(claim.places(), Arc::new(handler), access).context("listening on the socket")?;
    Ok((claim, page))
}

/// Paces the replay, and shows its progress.
struct ReplayPacer {
    began: Instant,
    told: Instant,
    speed: Option<f64>,
    bar: bool,
    turns: u64,
}

impl ReplayPacer {
    fn new(args: &Args, output: VerbOutput, turns: u64) -> ReplayPacer {
        let now = Instant::now();
        ReplayPacer {
            began: now,
            told: now,
            speed: (!args.verify).then_some(args.speed),
            bar: !output.json && std::io::stderr().is_terminal(),
            turns,
        }
    }

    fn turn(&mut self, turn: &Turn) -> ControlFlow<()> {
        if let Some(speed) = self.speed {
            let due = Duration::from_nanos(turn.now).div_f64(speed);
            let until = due.saturating_sub(self.began.elapsed());
            std::thread::sleep(until.min(LONGEST_PAUSE));
        }
        if self.bar && self.told.elapsed() > PROGRESS_INTERVAL {
            self.told = Instant::now();
            let share = turn.number as f64 / self.turns.max(1) as f64;
            let filled = (share * 30.0) as usize;
            let bar = format!("{:<30}", "=".repeat(filled.min(30)));
            anstream::eprint!(
                "\r[{bar}] turn {} of {}",
                count(turn.number),
                count(self.turns)
            );
            let _ = std::io::stderr().flush();
        }
        ControlFlow::Continue(())
    }

    fn end(&self) {
        if self.bar {
            anstream::eprint!("\r{:60}\r", "");
        }
    }
}

fn heading(path: &Path, recording: &Recording) -> String {
    let run = &recording.run;
    let kind = if run.real { "real" } else { "virtual" };
    let guests = match recording.guests.len() {
        0 => "no guests".to_owned(),
        1 => "1 guest".to_owned(),
        many => format!("{many} guests"),
    };
    format!(
        "{}: {}, {} in {} of {kind} time, {guests}, {} (by dcm-run {})",
        words::path(path),
        run.robot,
        counted(recording.turns(), "turn"),
        time(Span::from_nanos(recording.last())),
        words::size(recording.size()),
        run.version,
    )
}

/// The result, in words.
fn summary(recording: &Recording, verdict: &ReplayVerdict) -> String {
    let mut text = String::new();
    let mut line = |style, words: String| {
        text.push_str(&words::paint(style, words).to_string());
        text.push('\n');
    };
    let same = format!(
        "{}, {}",
        counted(verdict.same, "turn"),
        time(Span::from_nanos(verdict.until))
    );
    if let Some(difference) = &verdict.difference {
        line(words::BAD, format!("differs: {difference}"));
    }
    if let Some(why) = &verdict.stopped {
        line(words::BAD, format!("the replay cannot continue: {why}"));
    }
    if !verdict.is_identical() {
        line(words::GOOD, format!("identical until then: {same}"));
    } else if recording.damages.is_empty() {
        line(words::GOOD, format!("identical: {same}"));
    } else {
        line(words::GOOD, format!("identical as far as it goes: {same}"));
    }
    // The heading has said so.
    if recording.guests.is_empty() {
        return text;
    }
    let echoes = match verdict.echoed {
        0 => String::new(),
        1 => "; 1 score sent its recorded commands".to_owned(),
        some => format!("; {some} scores sent their recorded commands"),
    };
    let run = match verdict.run {
        0 => "no guest was run again".to_owned(),
        1 => "1 guest was run again".to_owned(),
        many => format!("{many} guests were run again"),
    };
    text.push_str(&format!("{run}{echoes}\n"));
    text
}

fn as_json(path: &Path, recording: &Recording, verdict: &ReplayVerdict) -> serde_json::Value {
    let difference = verdict.difference.as_ref().map(|difference| {
        json!({
            "turn": difference.turn, "now_ns": difference.now, "what": difference.what,
            "recorded": difference.recorded, "again": difference.again,
        })
    });
    let damages = recording.damages.iter();
    let damages =
        damages.map(|damage| json!({ "at": damage.at, "turns": damage.turns, "why": damage.why }));
    json!({
        "path": path.display().to_string(), "robot": recording.run.robot, "turns": recording.turns(),
        "identical": verdict.is_identical() && recording.damages.is_empty(), "same_turns": verdict.same,
        "until_ns": verdict.until, "difference": difference, "stopped": verdict.stopped,
        "being_written": recording.is_being_written, "damages": damages.collect::<Vec<_>>(),
        "guests": recording.guests.len(), "run_again": verdict.run, "echoed": verdict.echoed,
    })
}
