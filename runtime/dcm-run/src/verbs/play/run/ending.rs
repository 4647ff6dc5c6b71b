//! Prints the summary of a loop when it has ended. Called by `run`. A guest that broke makes the verb fail.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use cycle::{EVENT_NAMES, Span};
use printable::printable;
use protocol::Guest;
use recording::{Recorder, RecordingSummary};
use robot::guest_service::GuestService;
use robot::live::{LoopEnding, LoopStatistics, TimeStatistics};
use robot::socket::guest_report;
use serde_json::{Map, Value, json};

use super::Args;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words::{self, count, counted, time};
use crate::verbs::watch::ps;

/// A loop that has ended.
pub(super) struct EndedLoop {
    pub(super) tally: LoopStatistics,
    pub(super) period: Span,
    pub(super) took: Duration,
    /// Whether somebody else tells about it.
    pub(super) is_silent: bool,
}

impl EndedLoop {
    /// Sums up, and finishes its recording.
    pub(super) fn conclude(
        self,
        args: &Args,
        output: VerbOutput,
        recorder: Option<Recorder>,
        service: Option<&GuestService>,
    ) -> Result<VerbOutcome> {
        let tells = (output.json || !args.driven.quiet) && !self.is_silent;
        if tells {
            print_summary(&self.tally, self.period, self.took, output)?;
        }
        if let Some(recorder) = recorder {
            finish_recording(recorder, output, tells && args.driven.record.is_some())?;
        }
        if self.is_silent {
            return Ok(VerbOutcome::Done);
        }
        let guests = service.map_or(Vec::new(), GuestService::list);
        print_guests(guests.into_iter().map(guest_report), output, tells)
    }
}

/// Prints the tally.
fn print_summary(
    tally: &LoopStatistics,
    period: Span,
    took: Duration,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let left = match tally.left {
        LoopEnding::Over => "all turns made",
        LoopEnding::Softly => "stopped softly: the body is limp",
        LoopEnding::Released => "ended at once: the motors are released",
        LoopEnding::Holding => "ended at once: the motors hold their last value",
    };
    let events = EVENT_NAMES.iter().zip(tally.counts);
    let events: Map<_, _> = events
        .map(|(name, count)| ((*name).to_owned(), json!(count)))
        .collect();
    let value = json!({
        "turns": tally.turns, "late": tally.late, "missed": tally.missed, "clips": tally.clips,
        "waking_ns": figures(&tally.waking), "working_ns": figures(&tally.working),
        "seconds": took.as_secs_f64(), "left": left, "events": events,
    });
    let lived = Span::from_nanos(period.nanos().saturating_mul(tally.turns));
    let rate = lived.seconds() / took.as_secs_f64();
    let late = format!("{} late, {} missed", count(tally.late), count(tally.missed));
    let style = match tally.late + tally.missed {
        0 => words::GOOD,
        _ => words::ODD,
    };
    let mut text = format!(
        "{left}\n{}, {} of the robot's time in {:.3} s ({rate:.1} times real time)\n{}; {} clipped",
        counted(tally.turns, "turn"),
        time(lived),
        took.as_secs_f64(),
        words::paint(style, late),
        counted(tally.clips, "value")
    );
    for (what, times) in [("woke after", &tally.waking), ("worked", &tally.working)] {
        text += &format!(
            "\n{what:<10}  median {}, 99.9 % {}, longest {}",
            time(times.quantile(0.5)),
            time(times.quantile(0.999)),
            time(times.greatest())
        );
    }
    output.print(value, text)
}

/// Finishes the recording, and prints its summary; only if turns are missing, unless `tells`.
fn finish_recording(recorder: Recorder, output: VerbOutput, tells: bool) -> Result<()> {
    let recorded = recorder.finish().map_err(|why| anyhow::anyhow!(why))?;
    if tells || recorded.lost > 0 {
        print_recorded(&recorded, output)?;
    }
    Ok(())
}

fn print_recorded(recorded: &RecordingSummary, output: VerbOutput) -> Result<()> {
    let RecordingSummary {
        path,
        turns,
        lost,
        bytes,
    } = recorded;
    let path = words::path(path);
    let summary = json!({ "path": path, "turns": turns, "lost": lost, "bytes": bytes });
    let (turns, size) = (counted(*turns, "turn"), words::size(*bytes));
    output.print(
        json!({ "recorded": summary }),
        format!("recorded {turns} into {path} ({size}); try `dcm-run replay {path}`"),
    )?;
    if *lost > 0 {
        let missing = counted(*lost, "turn");
        let warning = format!("{missing} of the recording missing: the disk was too slow");
        output.note(words::paint(words::ODD, warning))?;
    }
    Ok(())
}

/// Prints how each guest ended; fails if one of them broke.
fn print_guests(
    guests: impl Iterator<Item = Guest>,
    output: VerbOutput,
    tells: bool,
) -> Result<VerbOutcome> {
    let mut out = anstream::stdout().lock();
    let mut broken = Vec::new();
    for guest in guests {
        if output.json {
            writeln!(out, "{}", json!({ "guest": guest }))?;
        } else if tells || guest.fault {
            let end = match (guest.end.as_str(), guest.details.as_str()) {
                ("", _) => guest.life.clone(),
                (end, "") => end.to_owned(),
                (end, details) => format!("{end}: {details}"),
            };
            let style = if guest.fault { words::BAD } else { words::GOOD };
            writeln!(
                out,
                "{}  {}; {}, misses: {}; fuel at most {} of {} ({}){}",
                guest.name,
                words::paint(style, end),
                counted(guest.commands, "command"),
                ps::misses(&guest),
                count(ps::fuel(&guest).most),
                count(guest.fuel),
                guest.form,
                came_from(&guest),
            )?;
        }
        if guest.fault {
            broken.push(guest.name);
        }
    }
    if !broken.is_empty() {
        bail!("{} broke", broken.join(", "));
    }
    Ok(VerbOutcome::Done)
}

fn figures(times: &TimeStatistics) -> Value {
    json!({
        "median": times.quantile(0.5).nanos(), "p99": times.quantile(0.99).nanos(),
        "p999": times.quantile(0.999).nanos(), "greatest": times.greatest().nanos(),
    })
}

/// Where a guest came from, if that was said.
fn came_from(guest: &Guest) -> String {
    match guest.from.as_str() {
        "" => String::new(),
        from => format!("; from {}", printable(from)),
    }
}
