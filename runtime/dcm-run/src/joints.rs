//! `dcm-run joints`: every joint of a running robot against its range.

use std::io::Write;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use serde_json::json;

use crate::reach::{Near, page};
use crate::{Outcome, words};

/// The width of the bar that stands for a range.
const BAR: usize = 24;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Joints only; lights, stiffnesses and triggers too with --all.")]
pub(crate) struct Args {
    /// Every actuator.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    near: Near,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let (_, page) = page(&args.near)?;
    let (labels, sensed) = (page.actuators(), page.sensors());
    let measured = |name: &str| sensed.iter().position(|it| it.name == name);
    let rows = page.read(|frame| {
        let row = |(place, label): (usize, &sensors::Label)| {
            let sensor = measured(&label.name).and_then(|it| frame.sensor(it));
            let sent = frame.sent(place).unwrap_or(f64::NAN);
            // While all of the body fades in or out, less stiffness than asked for says nothing of heat.
            let stiffness = format!("{}Stiffness", label.name);
            let stiffness = labels.iter().position(|it| it.name == stiffness);
            let given = stiffness
                .filter(|_| frame.power() >= 1.0)
                .and_then(|it| Some((frame.sent(it)?, frame.commanded(it)?)));
            let weakened = given.filter(|(sent, asked)| *asked > 0.0 && *sent < 0.99 * asked);
            (
                weakened.map(|(sent, asked)| sent / asked),
                sent,
                sensor,
                frame.clips(place).unwrap_or(0),
                frame.commanded(place),
            )
        };
        labels.iter().enumerate().map(row).collect::<Vec<_>>()
    });
    let rows = rows.context("the loop has made no turn yet")?;
    let mut out = anstream::stdout().lock();
    let width = labels.iter().map(|it| it.name.len()).max().unwrap_or(0);
    for (label, (weakened, sent, sensor, clips, commanded)) in labels.iter().zip(rows) {
        if sensor.is_none() && !args.all {
            continue;
        }
        if json {
            let row = json!({
                "name": label.name, "unit": label.unit, "range": [label.range.0, label.range.1],
                "commanded": commanded, "sent": sent, "sensor": sensor, "clips": clips,
                "weakened_to": weakened,
            });
            writeln!(out, "{row}")?;
            continue;
        }
        let (low, high) = label.range;
        let bar = words::paint(words::FAINT, bar(low, high, sent, sensor));
        let sensor =
            sensor.map_or_else(|| " ".repeat(10), |it| format!("{:>10}", words::figure(it)));
        let clips = match clips {
            0 => String::new(),
            many => words::paint(words::ODD, format!("  {} clipped", words::count(many))),
        };
        let weakened = weakened.map_or_else(String::new, |share| {
            let percent = (100.0 * share).round();
            words::paint(words::BAD, format!("  hot: {percent} % of its stiffness"))
        });
        writeln!(
            out,
            "{:<width$}  {:>10} {bar} {:<10}  sent {:>10}  is {sensor} {}{clips}{weakened}",
            label.name,
            words::figure(low),
            words::figure(high),
            words::figure(sent),
            label.unit
        )?;
    }
    Ok(Outcome::Done)
}

/// A range as a line, with a ring where it was sent and a dot where it is.
pub(crate) fn bar(low: f64, high: f64, sent: f64, sensor: Option<f64>) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "clamped to the bar"
    )]
    let place = |value: f64| {
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        if share.is_finite() {
            (share * (BAR - 1) as f64).round() as usize
        } else {
            0
        }
    };
    let mut bar: Vec<char> = vec!['─'; BAR];
    bar[place(sent)] = '○';
    if let Some(sensor) = sensor.filter(|it| it.is_finite()) {
        bar[place(sensor)] = '●';
    }
    bar.into_iter().collect()
}
