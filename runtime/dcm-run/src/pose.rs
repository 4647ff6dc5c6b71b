//! `dcm-run pose`: postures with a name.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use cycle::Span;
use description::{RobotSource, load, write};
use serde_json::json;
use socket::Ask;

use crate::reach::{Near, Which, caller, line, page};
use crate::{Outcome, candidates, set, words};

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Poses are part of a robot's description; those that are saved go into its local layer."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Saves where every joint of a running robot stands.
    Save {
        /// The pose's name.
        name: String,
        /// The description it goes to; the running robot's own if it is not said.
        #[arg(long, value_name = "ROBOT")]
        to: Option<String>,
        #[command(flatten)]
        near: Near,
    },
    /// Goes to a pose.
    Goto {
        /// The pose's name.
        #[arg(add = ArgValueCandidates::new(candidates::poses))]
        name: String,
        /// How long the way takes.
        #[arg(long = "in", value_name = "TIME", value_parser = words::span, default_value = "2s")]
        within: Span,
        #[command(flatten)]
        which: Which,
    },
    /// Lists the poses of a description.
    Ls {
        /// The robot: shipped, or a file; the running robot's if it is not said.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        description: Option<String>,
        #[command(flatten)]
        near: Near,
    },
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    match &args.deed {
        Deed::Save { name, to, near } => save(name, to.as_deref(), near, json),
        Deed::Goto {
            name,
            within,
            which,
        } => {
            let mut line = line(which)?;
            let told = line.ask(Ask::Pose {
                name: name.clone(),
                in_ns: within.nanos(),
            })?;
            set::say(
                &told,
                json,
                &format!("to {name} in {}", words::time(*within)),
            )
        }
        Deed::Ls { description, near } => match description {
            Some(description) => list(description, json),
            None => list(&caller(near)?.here.description, json),
        },
    }
}

fn list(robot: &str, json: bool) -> Result<Outcome> {
    let robot = load(&RobotSource::of(robot))?;
    let mut out = anstream::stdout().lock();
    for (name, pose) in &robot.poses {
        if json {
            let places = pose.iter().map(|(id, value)| {
                (
                    robot.actuators[usize::from(id.0)].name.clone(),
                    json!(value),
                )
            });
            let places: serde_json::Map<_, _> = places.collect();
            writeln!(out, "{}", json!({ "name": name, "places": places }))?;
        } else {
            writeln!(out, "{name:<24} {} joints", pose.len())?;
        }
    }
    Ok(Outcome::Done)
}

fn save(name: &str, to: Option<&str>, near: &Near, json: bool) -> Result<Outcome> {
    let (caller, page) = page(near)?;
    let source = RobotSource::of(to.unwrap_or(&caller.here.description));
    let robot = load(&source)?;
    let labels = page.sensors();
    let measured = page.read(|frame| {
        (0..labels.len())
            .map(|it| frame.sensor(it))
            .collect::<Vec<_>>()
    });
    let measured = measured.context("the loop has made no turn yet")?;
    let mut values = Vec::new();
    for actuator in &robot.actuators {
        let jointed = matches!(actuator.kind, cycle::Kind::Joint | cycle::Kind::Hand);
        let place = labels.iter().position(|it| it.name == actuator.name);
        let Some(value) = place
            .and_then(|it| measured[it])
            .filter(|it| jointed && it.is_finite())
        else {
            continue;
        };
        // A joint may stand a little outside what it may be sent.
        let value = actuator.range.clamp(value);
        let key = ["poses", name, actuator.name.as_str()]
            .map(str::to_owned)
            .to_vec();
        values.push((key, format!("{value:?}")));
    }
    if values.is_empty() {
        bail!("no joint of this robot is measured, so that there is no pose to save");
    }
    let path = write(&source, &values)?;
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(
            out,
            "{}",
            json!({ "pose": name, "joints": values.len(), "file": path })
        )?;
    } else {
        writeln!(
            out,
            "{name}: {} joints, saved in {}; a loop knows it from its next start",
            values.len(),
            path.display()
        )?;
    }
    Ok(Outcome::Done)
}
