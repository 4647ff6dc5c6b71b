//! `dcm-run calibrate` and `dcm-run preferences`: values of a running robot are shown, tried, kept, and taken back.
//! The law: nothing is written without --keep.

use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use description::{Dimension, WrittenPosition, amount};
use protocol::{
    Ask, CalibrationStatus, CallError, Measure, PreferenceChange, PreferenceStatus, ReplyBody,
};
use serde_json::json;

use crate::session::robot_args::RobotArgs;
use crate::session::{RobotConnection, connect};
use crate::text::words;
use crate::verbs::VerbOutcome;
use crate::verbs::candidates;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Make the joint limp, move it by hand to a position that you know, and say which it is: its zero moves, for its \
    commands and its sensor. That lasts until the loop ends. --keep writes it into the robot's local layer. Without a \
    position, the calibration is shown. `dcm-run wire calibrate` finds the range as well, without a loop.")]
pub(crate) struct CalibrateArgs {
    /// The joint; without one, all joints are shown.
    #[arg(add = ArgValueCandidates::new(candidates::actuators))]
    joint: Option<String>,
    /// Where the joint is now, such as `0` or `-10deg`.
    #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = WrittenPosition::read)]
    at: Option<WrittenPosition>,
    /// Move its zero to this distance from that of the description instead.
    #[arg(long, value_name = "ANGLE", conflicts_with = "at", requires = "joint", allow_hyphen_values = true,
          value_parser = WrittenPosition::read)]
    moved: Option<WrittenPosition>,
    #[command(flatten)]
    end: EndArgs,
    #[command(flatten)]
    which: RobotArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    The keys are those of `dcm-run config show`; the NAO's keys of calibrations and ranges, and of `RobotConfig`, are \
    known as well. A value is tried: the robot would load with it. The offset of a calibration is in force at once; \
    everything else after --keep, when the loop is started again.")]
pub(crate) struct PreferencesArgs {
    /// Show keys that begin so, such as `joints.HeadYaw`; or the key of the value.
    key: Option<String>,
    /// A value to try, in TOML: 0.012, '\"text\"', '[1, 2]'; an empty value removes it.
    #[arg(allow_negative_numbers = true, allow_hyphen_values = true)]
    value: Option<String>,
    #[command(flatten)]
    end: EndArgs,
    #[command(flatten)]
    which: RobotArgs,
}

#[derive(Debug, ClapArgs)]
struct EndArgs {
    /// Write what is tried, calibrations and preferences, into the robot's local layer.
    #[arg(long)]
    keep: bool,
    /// Take back what is tried; if nothing is, what was kept last.
    #[arg(long, conflicts_with = "keep")]
    undo: bool,
}

pub(crate) fn calibrate(args: &CalibrateArgs, json: bool) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let (at, moved) = (args.at.as_ref(), args.moved.as_ref());
    let ask = match (&args.joint, at.or(moved)) {
        (Some(joint), Some(value)) => Some(Ask::Calibrate {
            joint: joint.clone(),
            at: at.map(|it| it.value),
            moved: moved.map(|it| it.value),
            measures: value.measures.and_then(|it| match it {
                Dimension::Angle => Some(Measure::Angle),
                Dimension::Length => Some(Measure::Length),
                _ => None,
            }),
        }),
        _ if args.end.keep || args.end.undo => None,
        (joint, _) => Some(Ask::Calibration {
            of: joint.clone().into_iter().collect(),
        }),
    };
    if let Some(ask) = ask {
        match connection.ask(ask)? {
            ReplyBody::Calibration(told) => show_calibration(&told, json)?,
            other => return Err(unexpected(&other)),
        }
    }
    end(&args.end, &mut connection, json)
}

pub(crate) fn preferences(args: &PreferencesArgs, json: bool) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let ask = match (&args.key, &args.value) {
        (Some(key), Some(value)) => Some(Ask::TryPreference {
            key: key.clone(),
            value: value.clone(),
        }),
        (None, _) if args.end.keep || args.end.undo => None,
        (key, _) => Some(Ask::Preferences {
            key: key.clone().unwrap_or_default(),
        }),
    };
    if let Some(ask) = ask {
        match connection.ask(ask)? {
            ReplyBody::Preferences(told) => show_preferences(&told, json)?,
            other => return Err(unexpected(&other)),
        }
    }
    end(&args.end, &mut connection, json)
}

/// Keeps what is tried, or takes it back, if that is asked for.
fn end(args: &EndArgs, connection: &mut RobotConnection, json: bool) -> Result<VerbOutcome> {
    let ask = match (args.keep, args.undo) {
        (true, _) => Ask::KeepPreferences,
        (_, true) => Ask::UndoPreferences { kept: true },
        _ => return Ok(VerbOutcome::Done),
    };
    let PreferenceChange { keys, file } = match connection.ask(ask)? {
        ReplyBody::Changed(told) => told,
        other => return Err(unexpected(&other)),
    };
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "keys": keys, "file": file }))?;
        return Ok(VerbOutcome::Done);
    }
    let word = if args.keep { "kept" } else { "taken back" };
    match file {
        Some(file) => writeln!(out, "{word} in {file}: {}", keys.join(", "))?,
        None => writeln!(out, "{word}: {}", keys.join(", "))?,
    }
    Ok(VerbOutcome::Done)
}

fn show_calibration(told: &[CalibrationStatus], json: bool) -> Result<()> {
    let mut out = anstream::stdout().lock();
    if json {
        for it in told {
            writeln!(out, "{}", json!(it))?;
        }
        return Ok(());
    }
    writeln!(
        out,
        "{:<24} {:>14} {:>14} {:>14}  MOVED",
        "JOINT", "GAIN", "OFFSET", "OF SENSOR"
    )?;
    for it in told {
        let moved = match (it.moved == 0.0, it.moved == it.kept) {
            (true, true) => String::new(),
            (_, true) => format!("{}, kept", amount(it.moved, &it.unit)),
            (_, false) => format!("{}, not kept", amount(it.moved, &it.unit)),
        };
        let row = format!(
            "{:<24} {:>14} {:>14} {:>14}  {moved}",
            it.joint,
            words::figure(it.gain),
            words::figure(it.offset),
            words::figure(it.sensor_offset)
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    Ok(())
}

fn show_preferences(told: &[PreferenceStatus], json: bool) -> Result<()> {
    let mut out = anstream::stdout().lock();
    for it in told {
        if json {
            writeln!(out, "{}", json!(it))?;
            continue;
        }
        let origin = match it.origin.as_str() {
            "" => String::new(),
            origin => words::paint(words::FAINT, format!("  # {origin}")),
        };
        match (&it.tried, it.value.as_str()) {
            (None, value) => writeln!(out, "{} = {value}{origin}", it.key)?,
            (Some(tried), "") => writeln!(out, "{} = {tried}, tried", it.key)?,
            (Some(tried), value) => {
                writeln!(
                    out,
                    "{} = {tried}, tried instead of {value}{origin}",
                    it.key
                )?;
            }
        }
    }
    Ok(())
}

fn unexpected(other: &ReplyBody) -> anyhow::Error {
    CallError::Unexpected(format!("{other:?}")).into()
}
