//! `dcm-run bench`: how late a loop wakes on this machine, and how long it works.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use cycle::Span;
use description::{RobotSource, load};
use robot::live::{Control, Setup, Tally, Tempo, Times, herald, live, post};
use robot::realtime::{Lack, Wish};
use serde_json::{Value, json};

use crate::words::{self, count, time};
use crate::{Outcome, words::FAINT};

/// The widest bar of a histogram.
const BAR: u64 = 50;

/// The first bucket ends here, ns; each further one is twice as long.
const FIRST: u64 = 1_000;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A simulated robot's loop, with nobody asking it anything. `tests/bench/wakeup.sh` runs this beside \
    cyclictest.")]
pub(crate) struct Args {
    /// The robot whose loop it is.
    #[arg(long, short, value_name = "ROBOT", default_value = "nao")]
    robot: String,
    /// The time from one turn to the next.
    #[arg(long, value_name = "TIME", value_parser = words::span, default_value = "1ms")]
    period: Span,
    /// How long it runs.
    #[arg(long = "for", value_name = "TIME", value_parser = words::span, default_value = "10s")]
    lasting: Span,
    /// The SCHED_FIFO priority, 1 to 99; the robot's if it is not said.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=99))]
    priority: Option<u8>,
    /// The processor to stay on; the robot's if it is not said.
    #[arg(long)]
    processor: Option<usize>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let mut robot = load(&RobotSource::of(&args.robot))?;
    if args.period < Span::from_micros(50) {
        bail!("--period is at least 50us: no kernel wakes anyone more often than that");
    }
    robot.settings.period = args.period;
    robot.settings.thresholds = cycle::FaultThresholds::at(args.period);
    let (_counter, mailbox) = post();
    let (herald, _news) = herald();
    let control = Control::default();
    let setup = Setup {
        wish: Some(Wish {
            priority: args.priority.unwrap_or(robot.machine.priority),
            processor: args.processor.or(robot.machine.processor),
        }),
        turns: Some(args.lasting.nanos().div_ceil(args.period.nanos()).max(1)),
        arm: true,
        ..Setup::bare(Tempo::Real(1.0), mailbox, herald, &control)
    };
    let (robot, mut lacks) = (&robot, Vec::new());
    let tally = std::thread::scope(|scope| {
        let lacks = &mut lacks;
        let body = std::thread::Builder::new().name("loop".to_owned());
        let body = body.spawn_scoped(scope, move || {
            live(robot, setup, |had| *lacks = had.to_vec())
        });
        let body = body.context("starting the loop's thread")?;
        // It does not panic: a turn has a report, not an error. If it does, that is for all to see.
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

fn tell(args: &Args, tally: &Tally, lacks: &[Lack]) -> Result<Outcome> {
    let mut out = anstream::stdout().lock();
    if lacks.is_empty() {
        writeln!(
            out,
            "{}",
            words::paint(
                words::GOOD,
                "everything that a loop asks of the machine could be had"
            )
        )?;
    }
    for lack in lacks {
        writeln!(out, "{}", words::paint(words::ODD, lack))?;
    }
    writeln!(
        out,
        "{} turns of {}, {} late, {} missed",
        count(tally.turns),
        time(args.period),
        count(tally.late),
        count(tally.missed)
    )?;
    for (title, times) in [
        ("woke after its instant by", &tally.waking),
        ("worked for", &tally.working),
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
            // The one that happened once is the one that matters: it has its line, if not a bar.
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
    Ok(Outcome::Done)
}

/// From, to and how many; from the first bucket that has any to the last.
fn buckets(times: &Times) -> Vec<(Span, Span, u64)> {
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

fn tell_json(args: &Args, tally: &Tally, lacks: &[Lack]) -> Result<Outcome> {
    let figures = |times: &Times| -> Value {
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
    Ok(Outcome::Done)
}
