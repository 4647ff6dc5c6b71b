//! `dcm-run set`: sends one timed command to an actuator, or to all actuators of an alias.
//! One connection, one request; what limits the motion is printed.

use anyhow::Result;
use clap::Args as ClapArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap_complete::engine::ArgValueCandidates;
use cycle::{Merge, Span};
use description::{Dimension, WrittenPosition, amount};
use protocol::{Ask, LaneStatus, ReplyBody, TakenCommands};
use serde_json::json;

use crate::session::robot_args::RobotArgs;
use crate::session::{RobotConnection, connect};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::candidates;
use crate::verbs::command::follow::{self, AwaitedMotion};

#[derive(Debug, ClapArgs)]
#[command(after_help = format!(
    "The actuator moves linearly to the value, within all limits of the body. With --json, `needs_ns` is the time that \
     the motion takes at the speed limit, if that is longer than asked.\n\n{}", robot::states::table()))]
pub(crate) struct Args {
    /// The actuator: a short name, a long name, or an alias for several.
    #[arg(add = ArgValueCandidates::new(candidates::actuators))]
    actuator: String,
    /// The value, in the actuator's unit, or with a unit such as `30deg` or `5mm`.
    #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = WrittenPosition::read)]
    value: WrittenPosition,
    /// Clip a value outside the range instead of refusing it.
    #[arg(long)]
    clip: bool,
    /// The duration of the motion, such as 500ms or 2s.
    #[arg(long = "in", value_name = "TIME", value_parser = words::within, default_value = "1s",
          allow_hyphen_values = true)]
    within: Span,
    /// What to do with commands that are already queued.
    #[arg(long, value_parser = merges(), default_value = "clear-all")]
    merge: Merge,
    /// A lane of a client's own (`dcm-run lane`); default: the one that all clients share.
    #[arg(long, value_name = "LANE")]
    lane: Option<String>,
    /// Wait until the motion has ended, and say how; the exit code is 1 if it did not arrive.
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    which: RobotArgs,
}

/// One of the cycle's merges, by name.
fn merges() -> impl TypedValueParser<Value = Merge> {
    PossibleValuesParser::new(Merge::NAMES)
        .try_map(|value| Merge::of_name(&value).ok_or("no such word"))
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let taken: TakenCommands = connection.get(Ask::Move {
        to: vec![args.actuator.clone()],
        values: vec![args.value.value],
        packed: 0,
        after_ns: vec![args.within.nanos()],
        measures: args.value.measures.and_then(words::measure),
        clip: args.clip,
        merge: args.merge,
        lane: args.lane.clone(),
    })?;
    let unit = match args.value.measures {
        Some(Dimension::Angle) => "rad",
        Some(Dimension::Length) => "m",
        _ => "",
    };
    let value = amount(args.value.value, unit);
    // What only rounding puts beyond a range has no name.
    let place = match (taken.clipped_names.len(), taken.commands) {
        (0, _) => value,
        (_, 1) => "the end of its range".to_owned(),
        // Of an alias, some may stop at the ends of their ranges.
        _ => format!(
            "{value}, {} only to the end of the range,",
            taken.clipped_names.join(", ")
        ),
    };
    let time = if taken.needs_ns > 0 {
        format!(
            "at its speed limit, in {}",
            words::time(Span::from_nanos(taken.needs_ns))
        )
    } else if args.within.nanos() < 1_000_000 {
        "at its speed limit".to_owned()
    } else {
        format!("in {}", words::time(args.within))
    };
    let idle = match &args.lane {
        Some(lane) if is_background(&mut connection, lane)? => {
            format!("; not now: the priority of the lane `{lane}` is below 0 (`dcm-run lane tune`)")
        }
        _ => String::new(),
    };
    let what = format!("{} goes to {place} {time}{idle}", args.actuator);
    print_taken(&taken, output, &what)?;
    if !args.wait {
        return Ok(VerbOutcome::Done);
    }
    let motion = AwaitedMotion {
        which: &args.which,
        names: vec![args.actuator.clone()],
        within: args.within,
    };
    follow::wait(&motion, &mut connection, &taken, output)
}

/// Whether a lane has no effect for now.
fn is_background(connection: &mut RobotConnection, lane: &str) -> Result<bool> {
    let lanes: Vec<LaneStatus> = connection.get(Ask::Lanes)?;
    let mut named = lanes.iter().filter(|status| status.lane == lane);
    Ok(named.any(|status| status.priority < 0.0))
}

/// Prints what became of commands.
pub(crate) fn print_taken(
    taken: &TakenCommands,
    output: VerbOutput,
    what: &str,
) -> Result<VerbOutcome> {
    let mut line = what.to_owned();
    if taken.shared > 0 {
        line += "; a guest or another lane drives it as well, and they are mixed by priority (`dcm-run lane driving`)";
    }
    line += match taken.clipped {
        0 => "",
        1 => "; the value was outside the range and has been clipped",
        _ => "; values were outside the range and have been clipped",
    };
    if taken.coupled > 0 {
        line += "; it stops earlier while the joint that it is coupled to stays where it is (`dcm-run joints`)";
    }
    line += match taken.limp {
        0 => "",
        1 => {
            "; it has no force now (stiffness 0, or released by its board), and moves when it has force again"
        }
        _ => {
            "; some have no force now (stiffness 0, or released by their board), and move when they have force \
              again"
        }
    };
    output.print(json!({ "told": ReplyBody::Taken(taken.clone()) }), line)
}
