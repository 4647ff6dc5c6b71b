//! How the times of one loop are spread: histograms for people, and as JSON.
//! Called by `bench`. A single late turn has a line of its own, however many were in time.

use std::io::Write;

use anstyle::Style;
use anyhow::Result;
use cycle::{RealtimeVerdict, Span};
use robot::live::TimeStatistics;
use robot::realtime::RealtimeWarning;
use serde_json::{Value, json};

use super::trial::Trial;
use crate::text::output::VerbOutcome;
use crate::text::words::{self, BAD, FAINT, GOOD, ODD, count, counted, paint, time};

/// The widest bar of a histogram.
const BAR: u64 = 50;

/// The first bucket ends here, ns; each further one is twice as long.
const FIRST: u64 = 1_000;

/// The colour of a verdict.
pub(super) fn style_of(verdict: RealtimeVerdict) -> Style {
    match verdict {
        RealtimeVerdict::Unknown => FAINT,
        RealtimeVerdict::Comfortable => GOOD,
        RealtimeVerdict::Tight => ODD,
        RealtimeVerdict::No => BAD,
    }
}

/// Prints what the machine did not grant.
pub(super) fn print_lacks(out: &mut impl Write, lacks: &[RealtimeWarning]) -> Result<()> {
    if lacks.is_empty() {
        let granted = "the machine granted everything that a loop needs";
        writeln!(out, "{}", paint(GOOD, granted))?;
    }
    for lack in lacks {
        writeln!(out, "{}", paint(ODD, lack))?;
    }
    Ok(())
}

/// Prints a loop of this period.
pub(super) fn print(period: Span, trial: &Trial) -> Result<VerbOutcome> {
    let mut out = anstream::stdout().lock();
    let statistics = &trial.statistics;
    print_lacks(&mut out, &trial.lacks)?;
    let verdict = statistics.realtime();
    writeln!(
        out,
        "{} of {}, {} late, {} missed: {}",
        counted(statistics.turns, "turn"),
        time(period),
        count(statistics.late),
        count(statistics.missed),
        paint(style_of(verdict), verdict.name())
    )?;
    for (title, times) in [
        ("wake-up latency", &statistics.waking),
        ("turn duration", &statistics.working),
    ] {
        let [median, p99, p999] = [0.5, 0.99, 0.999].map(|value| time(times.quantile(value)));
        let longest = time(times.greatest());
        writeln!(
            out,
            "\n{title}: median {median}, 99 % {p99}, 99.9 % {p999}, longest {longest}"
        )?;
        let buckets = buckets(times);
        let most = buckets
            .iter()
            .map(|bucket| bucket.2)
            .max()
            .unwrap_or(1)
            .max(1);
        for (from, to, number) in buckets {
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

/// The times as JSON.
pub(super) fn as_json(times: &TimeStatistics) -> Value {
    let buckets = buckets(times).into_iter();
    let buckets = buckets.map(|(from, to, number)| json!([from.nanos(), to.nanos(), number]));
    json!({
        "median_ns": times.quantile(0.5).nanos(), "p99_ns": times.quantile(0.99).nanos(),
        "p999_ns": times.quantile(0.999).nanos(), "longest_ns": times.greatest().nanos(),
        "buckets_ns": buckets.collect::<Vec<_>>(),
    })
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
    let first = buckets.iter().position(|bucket| bucket.2 > 0).unwrap_or(0);
    buckets.split_off(first)
}
