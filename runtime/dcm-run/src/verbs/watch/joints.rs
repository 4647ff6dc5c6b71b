//! `dcm-run joints`: shows every joint of a running robot within its range.
//! A value that is missing is left blank.

use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;

use crate::session::columns::{ActuatorValue, Catalog, TurnState};
use crate::session::readings::Readings;
use crate::session::robot_args::RobotArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;

/// The width of the bar that shows a range.
const BAR: usize = 24;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Shows the joints only; with --all also lights, stiffnesses and triggers.")]
pub(crate) struct Args {
    /// Show every actuator.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    which: RobotArgs,
}

/// What is shown of an actuator.
struct JointRow {
    commanded: Option<f64>,
    sent: f64,
    sensor: Option<f64>,
    clips: u64,
    /// The share of its stiffness that its heat leaves it, if that is less than all.
    weakened: Option<f64>,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let readings = Readings::open(&args.which)?;
    let rows = readings.read_once(|turn| rows(turn, &readings.catalog))?;
    let labels = &readings.catalog.actuators;
    let width = labels
        .iter()
        .map(|label| label.name.len())
        .max()
        .unwrap_or(0);
    for (label, row) in labels.iter().zip(rows) {
        let JointRow {
            commanded,
            sent,
            sensor,
            clips,
            weakened,
        } = row;
        if sensor.is_none() && !args.all {
            continue;
        }
        let value = json!({
            "name": label.name, "unit": label.unit, "range": [label.range.0, label.range.1],
            "commanded": commanded, "sent": sent, "sensor": sensor, "clips": clips,
            "weakened_to": weakened,
        });
        let (low, high) = label.range;
        let bar = words::paint(words::FAINT, bar(low, high, sent, sensor));
        let sensor = sensor.map_or_else(
            || " ".repeat(10),
            |sensor| format!("{:>10}", words::figure(sensor)),
        );
        let clips = match clips {
            0 => String::new(),
            many => words::paint(words::ODD, format!("  {} clipped", words::count(many))),
        };
        let weakened = weakened.map_or_else(String::new, |share| {
            let percent = (100.0 * share).round();
            words::paint(words::BAD, format!("  hot: {percent} % of its stiffness"))
        });
        let text = format!(
            "{:<width$}  {:>10} {bar} {:<10}  sent {:>10}  measured {sensor} {}{clips}{weakened}",
            label.name,
            words::figure(low),
            words::figure(high),
            words::figure(sent),
            label.unit
        );
        output.print(value, text)?;
    }
    Ok(VerbOutcome::Done)
}

fn rows(turn: &dyn TurnState, catalog: &Catalog) -> Vec<JointRow> {
    let (labels, sensors) = (&catalog.actuators, &catalog.sensors);
    let sensor = |name: &str| turn.sensor(sensors.iter().position(|sensor| sensor.name == name)?);
    let row = |(place, label): (usize, &sensors::Label)| {
        let sent = |item| turn.actuator(item, ActuatorValue::Sent);
        let commanded = |item| turn.actuator(item, ActuatorValue::Commanded);
        let stiffness = format!("{}Stiffness", label.name);
        let stiffness = labels.iter().position(|label| label.name == stiffness);
        // While the power of the whole body ramps, less stiffness than commanded does not mean heat.
        let given = stiffness
            .filter(|_| turn.power() >= 1.0)
            .and_then(|stiffness| Some((sent(stiffness)?, commanded(stiffness)?)));
        let weakened = given.filter(|(sent, asked)| *asked > 0.0 && *sent < 0.99 * asked);
        JointRow {
            commanded: commanded(place),
            sent: sent(place).unwrap_or(f64::NAN),
            sensor: sensor(&label.name),
            clips: turn
                .actuator(place, ActuatorValue::Clips)
                .map_or(0, |actuator| actuator as u64),
            weakened: weakened.map(|(sent, asked)| sent / asked),
        }
    };
    labels.iter().enumerate().map(row).collect()
}

/// A range as a line, with a ring at the sent value and a dot at the measured one.
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
    if let Some(sensor) = sensor.filter(|sensor| sensor.is_finite()) {
        bar[place(sensor)] = '●';
    }
    bar.into_iter().collect()
}
