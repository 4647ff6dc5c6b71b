//! Prints a running loop as lines: one per second, and one per event.
//! Called by `run` without a terminal, and with --plain, --quiet or --json. With --json, every line is
//! an object.

use crate::text::output::VerbOutput;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use guests::Level;
use robot::live::{level, name};
use serde_json::json;
use tracing::Level as LogLevel;

use super::WatchedLoop;
use crate::log_args;
use crate::text::words::{self, count, counted, time};
use crate::verbs::watch::ps;

/// The interval between two checks for events.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The interval between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

pub(super) fn show(mut shown: WatchedLoop<'_>, output: VerbOutput, quiet: bool) -> Result<()> {
    // What is logged is not printed as well.
    let is_logged = log_args::is_written();
    let shown_from = if quiet {
        LogLevel::WARN
    } else {
        LogLevel::INFO
    };
    // Whoever runs beside the loop prints on another thread, and needs the lock.
    let mut out: Box<dyn Write> = match shown.is_silent {
        true => Box::new(std::io::sink()),
        false => Box::new(anstream::stdout().lock()),
    };
    if !(output.json || quiet) {
        begin(&shown, is_logged, &mut out)?;
    }
    let mut next = Instant::now() + LINE_INTERVAL;
    loop {
        let gone = shown.control.has_ended();
        while let Some((entry, sentence)) = shown.next_line() {
            let level = level(entry.event);
            if output.json {
                let (at, words) = (entry.at.nanos(), sentence);
                let line = json!({ "at_ns": at, "event": name(entry.event), "sentence": words });
                writeln!(out, "{line}")?;
            } else if !is_logged && level <= shown_from {
                let at = entry.at.nanos() as f64 / 1e9;
                let style = match level {
                    LogLevel::ERROR => words::BAD,
                    LogLevel::WARN => words::ODD,
                    _ => words::BOLD,
                };
                writeln!(out, "{at:>9.3} s  {}", words::paint(style, sentence))?;
            }
        }
        while let Some(sentence) = shown.next_of_guardian() {
            if output.json {
                writeln!(
                    out,
                    "{}",
                    json!({ "event": "guardian", "sentence": sentence })
                )?;
            } else if !is_logged {
                writeln!(out, "{}", words::paint(words::BAD, sentence))?;
            }
        }
        print_guest_lines(&shown, output, quiet, &mut out)?;
        if gone {
            return Ok(());
        }
        if Instant::now() >= next {
            next += LINE_INTERVAL;
            if !quiet {
                line(&shown, output, &mut out)?;
            }
        }
        out.flush()?;
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Prints which robot it is, what its machine lacks, and the guests that wait.
fn begin(shown: &WatchedLoop<'_>, is_logged: bool, out: &mut impl Write) -> Result<()> {
    let kind = if shown.simulated { "simulated" } else { "real" };
    writeln!(
        out,
        "{} ({kind}, {} actuators, a turn every {})",
        shown.robot.name,
        shown.robot.actuators.len(),
        time(shown.robot.settings.period)
    )?;
    writeln!(out, "state  {}", shown.path.display())?;
    for lack in shown.lacks.iter().filter(|_| !is_logged) {
        writeln!(out, "{}", words::paint(words::ODD, lack))?;
    }
    for line in &shown.beginning {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn line(shown: &WatchedLoop<'_>, output: VerbOutput, out: &mut impl Write) -> Result<()> {
    let read = shown.page.read(|frame| {
        (
            frame.turn(),
            frame.now(),
            frame.state(),
            frame.power(),
            frame.work(),
        )
    });
    let Some((turn, now, state, power, work)) = read else {
        return Ok(());
    };
    let state_name = state.map_or("unknown", cycle::State::name);
    if output.json {
        let (now, work) = (now.nanos(), work.nanos());
        let line = json!({ "turn": turn, "now_ns": now, "state": state_name, "power": power, "work_ns": work });
        writeln!(out, "{line}")?;
        for guest in shown.guests() {
            writeln!(out, "{}", json!({ "guest": guest }))?;
        }
        return Ok(());
    }
    let style = state.map_or(words::BAD, words::style_of);
    writeln!(
        out,
        "{:>9.3} s  {}  turn {}  power {power:.2}  turn duration {}",
        now.nanos() as f64 / 1e9,
        words::paint(style, format!("{state_name:<8}")),
        count(turn),
        time(work),
    )?;
    for guest in shown.guests() {
        let fuel = ps::fuel(&guest);
        writeln!(
            out,
            "{:>13}{} is {}: {}; fuel {}, at most {} of {}; {}, misses: {}",
            "",
            guest.name,
            guest.life,
            ps::played(&guest),
            count(fuel.last),
            count(fuel.most),
            count(guest.fuel),
            counted(guest.commands, "command"),
            ps::misses(&guest),
        )?;
    }
    Ok(())
}

/// Prints the guests' log messages.
fn print_guest_lines(
    shown: &WatchedLoop<'_>,
    output: VerbOutput,
    quiet: bool,
    out: &mut impl Write,
) -> Result<()> {
    while let Some(said) = shown.next_guest_line() {
        let warns = said.level == Level::Warning;
        if output.json {
            let line = json!({ "at_ns": said.now, "guest": said.guest, "level": said.level.name(),
                               "text": said.text });
            writeln!(out, "{line}")?;
        } else if !log_args::is_written() && (warns || !quiet) {
            let at = said.now as f64 / 1e9;
            let style = if warns { words::ODD } else { words::BOLD };
            let name = words::paint(style, said.guest);
            writeln!(out, "{at:>9.3} s  {name}: {}", said.text)?;
        }
    }
    Ok(())
}
