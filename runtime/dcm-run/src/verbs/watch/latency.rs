//! `dcm-run latency`: how long a joint takes from a command to what its sensor shows, from the last turns of the page.
//! It only reads; a joint that has not moved has no figure.

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use cycle::Span;
use protocol::Caller;
use sensors::{Label, PageReader, delay};
use serde::Serialize;

use crate::session::columns::Resolve;
use crate::session::open_page;
use crate::session::robot_args::RobotArgs;
use crate::session::server;
use crate::text::errors::RobotElsewhere;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::verbs::candidates;

/// The longest latency that is looked for.
const MOST: Span = Span::from_millis(500);

/// How much of its range a joint must have moved, as a standard deviation.
const MOVED: f64 = 0.005;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    From the last 1,024 turns of a robot on this machine: move a joint first, then ask. LIMITS is the time from the \
    value that was commanded to the value that was sent, behind the limits; BOARD that until the board has \
    acknowledged it; MEASURED that until its sensor has followed. Systems of this kind usually take about four turns.")]
pub(crate) struct Args {
    /// The joints; default: all that have moved.
    #[arg(value_name = "JOINT", add = ArgValueCandidates::new(candidates::actuators))]
    joints: Vec<String>,
    #[command(flatten)]
    which: RobotArgs,
}

/// The times of a joint, ms.
#[derive(Serialize)]
struct JointLatency {
    name: String,
    #[serde(rename = "limits_ms")]
    limits: Option<f64>,
    #[serde(rename = "board_ms")]
    board: Option<f64>,
    #[serde(rename = "measured_ms")]
    measured: Option<f64>,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let mut caller = match Caller::reach(args.which.robot.as_deref()) {
        Ok(caller) => caller,
        Err(error) => match server::known(args.which.robot.as_deref()) {
            Some(robot) => {
                let needs = "the page of its loop, in the memory of the robot's machine";
                return Err(RobotElsewhere { robot, needs }.into());
            }
            None => return Err(error.into()),
        },
    };
    let page = open_page(&caller)?;
    let labels = page.actuators();
    let mut wanted = Vec::new();
    for name in &args.joints {
        let (actuators, _) = caller.resolve(name)?;
        wanted.extend(actuators);
    }
    let is_wanted = |place: &usize| args.joints.is_empty() || wanted.contains(place);
    let turns: Vec<_> = page.turns().collect();
    let found = (0..labels.len()).filter(is_wanted).filter_map(|place| {
        let latency = of_joint(&page, &turns, place, &labels[place])?;
        let has_moved = latency.measured.is_some() || latency.limits.is_some();
        (has_moved || !args.joints.is_empty()).then_some(latency)
    });
    let found: Vec<_> = found.collect();
    let seconds = page.period().times(turns.len() as u64).seconds();
    if found.is_empty() {
        bail!(
            "no joint has moved enough in the last {seconds:.1} s to measure its latency; fix: move one \
             (`dcm-run set HeadYaw 30deg --in 1s`), then ask again"
        );
    }
    show(&found, seconds, output)
}

/// The times of an actuator with a sensor.
fn of_joint(page: &PageReader, turns: &[u64], place: usize, label: &Label) -> Option<JointLatency> {
    let sensors = page.sensors();
    let sensor = sensors
        .iter()
        .position(|sensor| sensor.name == label.name)?;
    let rows = turns.iter().filter_map(|turn| {
        page.read_turn(*turn, |frame| {
            Some([
                frame.commanded(place)?,
                frame.sent(place)?,
                frame.acknowledged(place)?,
                frame.sensor(sensor)?,
            ])
        })
        .flatten()
    });
    let rows: Vec<[f64; 4]> = rows.collect();
    let series = |column: usize| -> Vec<f64> { rows.iter().map(|row| row[column]).collect() };
    let [commanded, sent, acknowledged, measured] = [0, 1, 2, 3].map(series);
    let period = page.period();
    let most = (MOST.nanos() / period.nanos().max(1)).max(8) as usize;
    let least = MOVED * (label.range.1 - label.range.0);
    let ms = |cause: &[f64], effect: &[f64]| {
        let turns = delay(cause, effect, most.min(rows.len() / 3), least)?;
        Some(turns * period.seconds() * 1e3)
    };
    Some(JointLatency {
        name: label.name.clone(),
        limits: ms(&commanded, &sent),
        board: ms(&sent, &acknowledged),
        measured: ms(&sent, &measured),
    })
}

fn show(found: &[JointLatency], seconds: f64, output: VerbOutput) -> Result<VerbOutcome> {
    let width = found
        .iter()
        .map(|joint| joint.name.len())
        .max()
        .unwrap_or(0);
    let width = width.max("JOINT".len());
    let head = format!(
        "{:<width$}  {:>11}  {:>11}  {:>11}",
        "JOINT", "LIMITS", "BOARD", "MEASURED"
    );
    let text = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.1} ms"));
    output.list(found, &head, "", |joint| {
        format!(
            "{:<width$}  {:>11}  {:>11}  {:>11}",
            joint.name,
            text(joint.limits),
            text(joint.board),
            text(joint.measured)
        )
    })?;
    output.note(format!(
        "in the last {seconds:.1} s; `-`: it has not moved, or does not follow"
    ))?;
    Ok(VerbOutcome::Done)
}
