//! How a turn grows: with actuators, guests, lanes, commands and readers. `cargo bench -p tests --bench scale`;
//! `tests/bench/compare/run scale` puts its tables into `tests/bench/RESULTS.md`.
//!
//! Each series is measured several times, one after the other, and a figure is the median of those of all passes. With
//! `--test` everything runs once, and nothing is measured. What is fitted is told beside what it is fitted to.

mod series;

use series::{SERIES, Series};

/// Periods for which it is told where a turn would fill them, ns.
const PERIODS: [(&str, f64); 2] = [("1 ms", 1e6), ("10 ms", 1e7)];

/// How long and how often each size is measured.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) passes: usize,
    /// Of a pass.
    pub(crate) rounds: usize,
    /// Of a round, s.
    pub(crate) seconds: f64,
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let effort = if quick {
        Effort {
            passes: 1,
            rounds: 1,
            seconds: 0.0,
        }
    } else {
        Effort {
            passes: 5,
            rounds: 7,
            seconds: 0.02,
        }
    };
    for series in SERIES {
        tell(series, effort, quick);
    }
}

/// Measures a series and prints it as a table.
fn tell(series: &Series, effort: Effort, quick: bool) {
    let sizes = if quick {
        &series.sizes[..2]
    } else {
        series.sizes
    };
    let mut passes = vec![Vec::new(); sizes.len()];
    for _ in 0..effort.passes {
        for (size, times) in sizes.iter().zip(&mut passes) {
            times.push((series.measure)(*size, effort));
        }
    }
    let times: Vec<f64> = passes.into_iter().map(median).collect();
    println!(
        "\n| {} | a turn, µs | ns for each further one |",
        series.what
    );
    println!("|---|---|---|");
    let mut before = None;
    for (size, time) in sizes.iter().zip(&times) {
        let further = before.map_or(String::new(), |(size_before, time_before)| {
            format!("{:.1}", (time - time_before) / (size - size_before) as f64)
        });
        println!("| {size} | {:.2} | {further} |", time / 1e3);
        before = Some((*size, *time));
    }
    let points: Vec<_> = sizes.iter().map(|size| *size as f64).zip(times).collect();
    if quick {
        return;
    }
    let (base, slope) = line(&points);
    println!(
        "\nFitted: {:.2} µs and {slope:.1} ns for each; over the larger half it grows with the power {:.2}. {}",
        base / 1e3,
        power(&points[points.len() / 2..]),
        PERIODS
            .map(|(name, period)| missed(name, (period - base) / slope, series.most))
            .join(" ")
    );
}

/// Where a turn would take a whole period.
fn missed(period: &str, size: f64, most: usize) -> String {
    if size.is_finite() && size > 0.0 && size <= most as f64 {
        return format!("It fills a period of {period} at {size:.0}.");
    }
    format!("It does not fill a period of {period}: there are at most {most}.")
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The line through the points whose relative errors are least: its value at 0, and its slope.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let [mut w, mut x, mut y, mut xx, mut xy] = [0.0; 5];
    for (at, value) in points {
        let weight = 1.0 / (value * value);
        w += weight;
        x += weight * at;
        y += weight * value;
        xx += weight * at * at;
        xy += weight * at * value;
    }
    let slope = (w * xy - x * y) / (w * xx - x * x);
    ((y - slope * x) / w, slope)
}

/// The power with which the values grow: the slope of the line through their logarithms.
fn power(points: &[(f64, f64)]) -> f64 {
    let logs = points.iter().map(|(at, value)| (at.ln(), value.ln()));
    let count = points.len() as f64;
    let (x, y) = logs
        .clone()
        .fold((0.0, 0.0), |(x, y), (at, value)| (x + at, y + value));
    let (x, y) = (x / count, y / count);
    let (over, under) = logs.fold((0.0, 0.0), |(over, under), (at, value)| {
        (over + (at - x) * (value - y), under + (at - x) * (at - x))
    });
    over / under
}

/// The median of what `call` takes, ns, as often as the effort says.
pub(crate) fn time(effort: Effort, mut call: impl FnMut()) -> f64 {
    let clock = std::time::Instant::now;
    let begun = clock();
    call();
    let once = begun.elapsed().as_secs_f64().max(1e-9);
    let calls = ((effort.seconds / once) as u32).clamp(1, 100_000);
    let rounds = (0..effort.rounds).map(|_| {
        let begun = clock();
        (0..calls).for_each(|_| call());
        begun.elapsed().as_nanos() as f64 / f64::from(calls)
    });
    median(rounds.collect())
}
