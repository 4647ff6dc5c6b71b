//! `dcm-run set`: sends one timed command to an actuator, or to all actuators of an alias.
//! The law: one connection, one request; what limits the motion is printed.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap_complete::engine::ArgValueCandidates;
use cycle::{Merge, Span};
use description::{Dimension, WrittenPosition, amount};
use protocol::{Ask, Measure, ReplyBody, TakenCommands};
use serde_json::json;

use crate::session::robot_args::RobotArgs;
use crate::session::{RobotConnection, connect};
use crate::text::words;
use crate::verbs::VerbOutcome;
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
    PossibleValuesParser::new(Merge::NAMES).try_map(|it| Merge::of_name(&it).ok_or("no such word"))
}

pub(crate) fn run(args: &Args, json: bool) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let told = connection.ask(Ask::Move {
        to: vec![args.actuator.clone()],
        values: vec![args.value.value],
        packed: 0,
        after_ns: vec![args.within.nanos()],
        measures: args.value.measures.and_then(|it| match it {
            Dimension::Angle => Some(Measure::Angle),
            Dimension::Length => Some(Measure::Length),
            _ => None,
        }),
        clip: args.clip,
        merge: args.merge,
        lane: args.lane.clone(),
    })?;
    let (needs, commands, clipped) = match &told {
        ReplyBody::Taken(taken) if taken.clipped > 0 => {
            let names = taken.clipped_names.join(", ");
            (taken.needs_ns, taken.commands, names)
        }
        ReplyBody::Taken(taken) => (taken.needs_ns, 1, String::new()),
        _ => (0, 1, String::new()),
    };
    let unit = match args.value.measures {
        Some(Dimension::Angle) => "rad",
        Some(Dimension::Length) => "m",
        _ => "",
    };
    let value = amount(args.value.value, unit);
    let place = match (clipped.as_str(), commands) {
        ("", _) => value,
        (_, 1) => "the end of its range".to_owned(),
        // Of an alias, some may stop at the ends of their ranges.
        (names, _) => format!("{value}, {names} only to the end of the range,"),
    };
    let time = if needs > 0 {
        format!(
            "at its speed limit, in {}",
            words::time(Span::from_nanos(needs))
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
    let said = say(&told, json, &what)?;
    match args.wait {
        true => {
            let motion = AwaitedMotion {
                which: &args.which,
                names: vec![args.actuator.clone()],
                within: args.within,
            };
            follow::wait(&motion, &mut connection, &told, json)
        }
        false => Ok(said),
    }
}

/// Whether a lane has no effect for now.
fn is_background(connection: &mut RobotConnection, lane: &str) -> Result<bool> {
    let ReplyBody::Lanes(lanes) = connection.ask(Ask::Lanes)? else {
        return Ok(false);
    };
    let mut named = lanes.iter().filter(|it| it.lane == lane);
    Ok(named.any(|it| it.priority < 0.0))
}

/// Prints what became of commands.
pub(crate) fn say(told: &ReplyBody, json: bool, what: &str) -> Result<VerbOutcome> {
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "told": told }))?;
        return Ok(VerbOutcome::Done);
    }
    match told {
        ReplyBody::Taken(TakenCommands {
            clipped,
            shared,
            limp,
            coupled,
            ..
        }) => {
            let coupled = match coupled {
                0 => "",
                _ => {
                    "; it stops earlier while the joint that it is coupled to stays where it is \
                     (`dcm-run joints`)"
                }
            };
            let clipped = match clipped {
                0 => "",
                1 => "; the value was outside the range and has been clipped",
                _ => "; values were outside the range and have been clipped",
            };
            let shared = match shared {
                0 => "",
                _ => {
                    "; a guest or another lane drives it as well, and they are mixed by priority \
                     (`dcm-run lane driving`)"
                }
            };
            let limp = match limp {
                0 => "",
                1 => {
                    "; it has no force now (stiffness 0, or released by its board), and moves when it has force \
                     again"
                }
                _ => {
                    "; some have no force now (stiffness 0, or released by their board), and move when they have \
                     force again"
                }
            };
            writeln!(out, "{what}{shared}{clipped}{coupled}{limp}")?;
        }
        other => bail!("unexpected answer from the loop: {other:?}"),
    }
    Ok(VerbOutcome::Done)
}
