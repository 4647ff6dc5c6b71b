//! `dcm-run set`: one timed command for an actuator, or for all of an alias.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap_complete::engine::ArgValueCandidates;
use cycle::{Merge, Span};
use description::{Dimension, WrittenPosition};
use serde_json::json;
use socket::{Ask, Measure, Told};

use crate::Outcome;
use crate::candidates;
use crate::reach::{Which, line};
use crate::words;

#[derive(Debug, ClapArgs)]
#[command(after_help = format!(
    "The value is reached along a line, within all limits of the body.\n\n{}", robot::states::table()))]
pub(crate) struct Args {
    /// The actuator: its name, a long name, or an alias of several.
    #[arg(add = ArgValueCandidates::new(candidates::actuators))]
    actuator: String,
    /// The value, in the actuator's unit or as `30deg`, `5mm`.
    #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = WrittenPosition::read)]
    value: WrittenPosition,
    /// A value beyond the range goes to its end, instead of being refused.
    #[arg(long)]
    clip: bool,
    /// How long the way takes, such as 500ms or 2s.
    #[arg(long = "in", value_name = "TIME", value_parser = words::span, default_value = "1s",
          allow_hyphen_values = true)]
    within: Span,
    /// What happens to commands that wait already.
    #[arg(long, value_parser = merges(), default_value = "clear-all")]
    merge: Merge,
    #[command(flatten)]
    which: Which,
}

/// One of the cycle's names.
fn merges() -> impl TypedValueParser<Value = Merge> {
    PossibleValuesParser::new(Merge::NAMES).try_map(|it| Merge::of_name(&it).ok_or("no such word"))
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let mut line = line(&args.which)?;
    let told = line.ask(Ask::Set {
        actuator: args.actuator.clone(),
        value: args.value.value,
        after_ns: args.within.nanos(),
        measures: args.value.measures.and_then(|it| match it {
            Dimension::Angle => Some(Measure::Angle),
            Dimension::Length => Some(Measure::Length),
            _ => None,
        }),
        clip: args.clip,
        merge: args.merge,
    })?;
    let place = match told {
        Told::Taken { clipped: 1.., .. } => "the end of its range".to_owned(),
        _ => words::digits(args.value.value),
    };
    let needs = match told {
        Told::Taken { needs_ns, .. } => needs_ns,
        _ => 0,
    };
    let time = if needs > 0 {
        format!(
            "as fast as it may, in {}",
            words::time(Span::from_nanos(needs))
        )
    } else if args.within.nanos() < 1_000_000 {
        "as fast as it may".to_owned()
    } else {
        format!("in {}", words::time(args.within))
    };
    say(
        &told,
        json,
        &format!("{} goes to {place} {time}", args.actuator),
    )
}

/// What came of commands.
pub(crate) fn say(told: &Told, json: bool, what: &str) -> Result<Outcome> {
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "told": told }))?;
        return Ok(Outcome::Done);
    }
    match told {
        Told::Taken {
            clipped,
            shared,
            limp,
            coupled,
            ..
        } => {
            let coupled = match coupled {
                0 => "",
                _ => {
                    "; not so far, though, while the joint that it is coupled to stands where it does \
                     (`dcm-run joints`)"
                }
            };
            let clipped = match clipped {
                0 => "",
                1 => "; the value was outside the range and brought within it",
                _ => "; values were outside the range and brought within it",
            };
            let shared = match shared {
                0 => "",
                _ => {
                    ", as far as others let it: who plays drives it as well, and the two are mixed by their \
                     priorities (`dcm-run ps`)"
                }
            };
            let limp = match limp {
                0 => "",
                1 => {
                    "; but it exerts no force now (its stiffness is 0, or its board has let go): it goes there when it \
                     does again"
                }
                _ => {
                    "; but some exert no force now (their stiffness is 0, or their board has let go): they go there \
                     when they do again"
                }
            };
            writeln!(out, "{what}{shared}{clipped}{coupled}{limp}")?;
        }
        other => bail!("the loop answered something strange: {other:?}"),
    }
    Ok(Outcome::Done)
}
