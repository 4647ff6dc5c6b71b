//! `dcm-run calibrate` and `dcm-run preferences`: values of a running robot are shown, tried, kept, and taken back.
//! Nothing is written without --keep.

use anyhow::Result;
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use description::{WrittenPosition, amount};
use protocol::{Ask, CalibrationStatus, PreferenceChange, PreferenceStatus};
use serde_json::json;

use crate::session::robot_args::RobotArgs;
use crate::session::{RobotConnection, connect};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
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

pub(crate) fn calibrate(args: &CalibrateArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let (at, moved) = (args.at.as_ref(), args.moved.as_ref());
    let ask = match (&args.joint, at.or(moved)) {
        (Some(joint), Some(value)) => Some(Ask::Calibrate {
            joint: joint.clone(),
            at: at.map(|args| args.value),
            moved: moved.map(|args| args.value),
            measures: value.measures.and_then(words::measure),
        }),
        _ if args.end.keep || args.end.undo => None,
        (joint, _) => Some(Ask::Calibration {
            of: joint.clone().into_iter().collect(),
        }),
    };
    if let Some(ask) = ask {
        show_calibration(&connection.get::<Vec<_>>(ask)?, output)?;
    }
    end(&args.end, &mut connection, output)
}

pub(crate) fn preferences(args: &PreferencesArgs, output: VerbOutput) -> Result<VerbOutcome> {
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
        show_preferences(&connection.get::<Vec<_>>(ask)?, output)?;
    }
    end(&args.end, &mut connection, output)
}

/// Keeps what is tried, or takes it back, if that is asked for.
fn end(
    args: &EndArgs,
    connection: &mut RobotConnection,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let ask = match (args.keep, args.undo) {
        (true, _) => Ask::KeepPreferences,
        (_, true) => Ask::UndoPreferences { kept: true },
        _ => return Ok(VerbOutcome::Done),
    };
    let PreferenceChange { keys, file } = connection.get(ask)?;
    let word = if args.keep { "kept" } else { "taken back" };
    let place = file
        .as_ref()
        .map_or_else(String::new, |file| format!(" in {file}"));
    let line = format!("{word}{place}: {}", keys.join(", "));
    output.print(json!({ "keys": keys, "file": file }), line)
}

fn show_calibration(joints: &[CalibrationStatus], output: VerbOutput) -> Result<VerbOutcome> {
    let head = format!(
        "{:<24} {:>14} {:>14} {:>14}  MOVED",
        "JOINT", "GAIN", "OFFSET", "OF SENSOR"
    );
    output.list(joints, &head, &head, |joint| {
        let moved = match (joint.moved == 0.0, joint.moved == joint.kept) {
            (true, true) => String::new(),
            (_, true) => format!("{}, kept", amount(joint.moved, &joint.unit)),
            (_, false) => format!("{}, not kept", amount(joint.moved, &joint.unit)),
        };
        format!(
            "{:<24} {:>14} {:>14} {:>14}  {moved}",
            joint.joint,
            words::figure(joint.gain),
            words::figure(joint.offset),
            words::figure(joint.sensor_offset)
        )
    })
}

fn show_preferences(preferences: &[PreferenceStatus], output: VerbOutput) -> Result<VerbOutcome> {
    output.list(preferences, "", "", |preference| {
        let PreferenceStatus {
            key,
            value,
            origin,
            tried,
            ..
        } = preference;
        let origin = match origin.as_str() {
            "" => String::new(),
            origin => words::paint(words::FAINT, format!("  # {origin}")),
        };
        match (tried, value.as_str()) {
            (None, value) => format!("{key} = {value}{origin}"),
            (Some(tried), "") => format!("{key} = {tried}, tried"),
            (Some(tried), value) => format!("{key} = {tried}, tried instead of {value}{origin}"),
        }
    })
}
