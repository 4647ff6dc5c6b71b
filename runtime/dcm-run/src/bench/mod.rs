//! `dcm-run bench`: measures the wake-up latency and the turn duration of a loop on this machine.
//! The law: the loop is the one that drives robots.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use cycle::Span;
use description::{RobotSource, load};
use robot::live::{
    Control, LoopSetup, LoopStatistics, Tempo, TimeStatistics, event_channel, live, request_channel,
};
use robot::realtime::{RealtimeOptions, RealtimeWarning};
use serde_json::{Value, json};

use crate::words::{self, count, counted, time};
use crate::{VerbOutcome, words::FAINT};

/// The widest bar of a histogram.
const BAR: u64 = 50;

/// The first bucket ends here, ns; each further one is twice as long.
const FIRST: u64 = 1_000;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Runs the loop of a simulated robot without any client. `tests/bench/wakeup.sh` compares it with cyclictest.")]
pub(crate) struct Args {
    /// The robot.
    #[arg(long, short, value_name = "ROBOT", default_value = "nao")]
    robot: String,
    /// The period of the turns.
    #[arg(long, value_name = "TIME", value_parser = words::span, default_value = "1ms")]
    period: Span,
    /// The duration of the measurement.
    #[arg(long = "for", value_name = "TIME", value_parser = words::duration, default_value = "10s")]
    lasting: Span,
    /// The SCHED_FIFO priority, 1 to 99; default: the robot's.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=99))]
    priority: Option<u8>,
    /// The processor to run on; default: the robot's.
    #[arg(long)]
    processor: Option<usize>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<VerbOutcome> {
    let mut robot = load(&RobotSource::of(&args.robot))?;
    if args.period < Span::from_micros(50) {
        bail!("--period must be at least 50us; fix: `--period 1ms`");
    }
    robot.settings.period = args.period;
    robot.settings.thresholds = cycle::FaultThresholds::at(args.period);
    let (_sender, requests) = request_channel();
    let (events, _news) = event_channel();
    let control = Control::default();
    let setup = LoopSetup {
        realtime: Some(RealtimeOptions {
            priority: args.priority.unwrap_or(robot.machine.priority),
            processor: args.processor.or(robot.machine.processor),
        }),
        turns: Some(args.lasting.nanos().div_ceil(args.period.nanos()).max(1)),
        arm: true,
        ..LoopSetup::bare(Tempo::Real(1.0), requests, events, &control)
    };
    let (robot, mut lacks) = (&robot, Vec::new());
    let tally = std::thread::scope(|scope| {
        let lacks = &mut lacks;
        let body = std::thread::Builder::new().name("loop".to_owned());
        let body = body.spawn_scoped(scope, move || {
            live(robot, setup, |had| *lacks = had.to_vec())
        });
        let body = body.context("starting the loop's thread")?;
        // A turn reports errors and does not panic; a panic is a bug, and is passed on.
        Ok::<_, anyhow::Error>(
            body.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?,
        )
    })?;
    if json {
        tell_json(args, &tally, &lacks)
    } else {
        tell(args, &tally, &lacks)
    }
}

fn tell(args: &Args, tally: &LoopStatistics, lacks: &[RealtimeWarning]) -> Result<VerbOutcome> {
    let mut out = anstream::stdout().lock();
    if lacks.is_empty() {
        writeln!(
            out,
            "{}",
            words::paint(
                words::GOOD,
                "the machine granted everything that a loop needs"
            )
        )?;
    }
    for lack in lacks {
        writeln!(out, "{}", words::paint(words::ODD, lack))?;
    }
    writeln!(
        out,
        "{} of {}, {} late, {} missed",
        counted(tally.turns, "turn"),
        time(args.period),
        count(tally.late),
        count(tally.missed)
    )?;
    for (title, times) in [
        ("wake-up latency", &tally.waking),
        ("turn duration", &tally.working),
    ] {
        let [median, p99, p999] = [0.5, 0.99, 0.999].map(|it| time(times.quantile(it)));
        let longest = time(times.greatest());
        writeln!(
            out,
            "\n{title}: median {median}, 99 % {p99}, 99.9 % {p999}, longest {longest}"
        )?;
        let buckets = buckets(times);
        let most = buckets.iter().map(|it| it.2).max().unwrap_or(1).max(1);
        for (from, to, number) in buckets {
            // A single late turn matters: its bucket has a line, even without a bar.
            let bar = "█".repeat((number * BAR).div_ceil(most) as usize);
            let range = format!("{:>8} to {:>8}", time(from), time(to));
            writeln!(
                out,
                "  {range}  {:>10}  {}",
                count(number),
                words::paint(FAINT, bar)
            )?;
        }
    }
    Ok(VerbOutcome::Done)
}

/// The buckets (from, to, count), from the first to the last that is not empty.
fn buckets(times: &TimeStatistics) -> Vec<(Span, Span, u64)> {
    let mut buckets = Vec::new();
    let (mut from, mut to) = (0, FIRST);
    while from <= times.greatest().nanos() {
        let ends = (Span::from_nanos(from), Span::from_nanos(to));
        buckets.push((ends.0, ends.1, times.between(ends.0, ends.1)));
        (from, to) = (to, to * 2);
    }
    let first = buckets.iter().position(|it| it.2 > 0).unwrap_or(0);
    buckets.split_off(first)
}

fn tell_json(
    args: &Args,
    tally: &LoopStatistics,
    lacks: &[RealtimeWarning],
) -> Result<VerbOutcome> {
    let figures = |times: &TimeStatistics| -> Value {
        let buckets = buckets(times).into_iter();
        let buckets = buckets.map(|(from, to, number)| json!([from.nanos(), to.nanos(), number]));
        json!({
            "median_ns": times.quantile(0.5).nanos(), "p99_ns": times.quantile(0.99).nanos(),
            "p999_ns": times.quantile(0.999).nanos(), "longest_ns": times.greatest().nanos(),
            "buckets_ns": buckets.collect::<Vec<_>>(),
        })
    };
    let told = json!({
        "turns": tally.turns, "period_ns": args.period.nanos(), "late": tally.late, "missed": tally.missed,
        "lacks": lacks.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "waking": figures(&tally.waking), "working": figures(&tally.working),
    });
    writeln!(anstream::stdout().lock(), "{told}")?;
    Ok(VerbOutcome::Done)
}
