//! `dcm-run frames`: prints frames of a recording as JSON. The robot's server starts it when a page plays a recording.
//! It prints no more frames than it was asked for, however long the recording is.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::Args as ClapArgs;
use protocol::recordings::{FRAMES_MAX, RecordingFrame, RecordingFrames};
use protocol::{Figure, FigureBase};
use recording::Recording;
use robot::socket::figure;

use crate::text::errors;
use crate::text::output::VerbOutcome;

/// By how much a turn may be early for its place, s: instants are rounded.
const EARLY: f64 = 1e-6;

/// Which frames to print.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The recording (.mcap).
    file: PathBuf,
    /// The earliest instant, s since the first turn.
    #[arg(long, default_value_t = 0.0)]
    from: f64,
    /// The latest instant; default: the end.
    #[arg(long)]
    to: Option<f64>,
    /// How many frames at most.
    #[arg(long, default_value_t = FRAMES_MAX, value_parser = clap::value_parser!(u32).range(1..=i64::from(FRAMES_MAX)))]
    points: u32,
}

pub(crate) fn run(args: &Args) -> Result<VerbOutcome> {
    let told = serde_json::to_string(&read(args)?)?;
    writeln!(std::io::stdout().lock(), "{told}")?;
    Ok(VerbOutcome::Done)
}

fn read(args: &Args) -> Result<RecordingFrames> {
    errors::open(&args.file)?;
    let recording = Recording::open(&args.file).map_err(|why| anyhow!("{why}"))?;
    let turns = recording.each_turn().filter(|turn| turn.sealed);
    let mut turns = turns.map(|turn| turn.turn).peekable();
    let Some(began) = turns.peek().map(|turn| turn.now) else {
        bail!("it contains no turn that can be read");
    };
    let seconds = |instant: u64| instant.saturating_sub(began) as f64 / 1e9;
    let lasts_s = seconds(recording.last());
    let to = args.to.unwrap_or(lasts_s).min(lasts_s);
    let step = (to - args.from).max(0.0) / f64::from(args.points.saturating_sub(1).max(1));
    let figure = figure(&recording.robot);
    let base = figure.base;
    let (joints, places) = joints(figure);
    let mut frames = Vec::new();
    let mut due = args.from - EARLY;
    for turn in turns {
        let at_s = seconds(turn.now);
        if at_s > to + EARLY || frames.len() == args.points as usize {
            break;
        }
        if at_s < due {
            continue;
        }
        while due <= at_s && step > 0.0 {
            due += step;
        }
        let state = recording.run.states.get(turn.state as usize);
        frames.push(RecordingFrame {
            at_s,
            state: state.cloned().unwrap_or_default(),
            sent: places
                .iter()
                .map(|place| value(&turn.sent, Some(place.0)))
                .collect(),
            measured: places
                .iter()
                .map(|place| value(&turn.sensors, place.1))
                .collect(),
            base: base.and_then(|base| base_pose(base, &turn.sensors)),
        });
    }
    Ok(RecordingFrames {
        lasts_s,
        turns: recording.turns(),
        joints,
        frames,
    })
}

/// The joints of the recorded robot: their names; the indices of each and of its sensor in a turn.
fn joints(figure: Figure) -> (Vec<String>, Vec<(u16, Option<u16>)>) {
    let joints = figure.joints.into_iter();
    joints
        .map(|joint| (joint.name, (joint.actuator, joint.sensor)))
        .unzip()
}

/// Where the simulation had the body in a turn.
fn base_pose(base: FigureBase, sensors: &[f64]) -> Option<[f32; 6]> {
    let [[x, y, z], [roll, pitch, yaw]] =
        base.read(|sensor| sensors.get(usize::from(sensor)).copied())?;
    Some([x, y, z, roll, pitch, yaw].map(|part| part as f32))
}

/// A value of a turn, as far as it is a number.
fn value(row: &[f64], place: Option<u16>) -> Option<f32> {
    let value = *row.get(usize::from(place?))? as f32;
    value.is_finite().then_some(value)
}
