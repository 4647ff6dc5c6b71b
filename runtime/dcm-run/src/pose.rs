//! `dcm-run pose`: saves, lists and goes to named poses. The law: a saved pose lies within the joints' ranges.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use cycle::Span;
use description::{RobotSource, load, write};
use serde_json::json;
use socket::Ask;

use crate::connect::{connect, connect_local, open_page};
use crate::robot_args::{LocalRobotArgs, RobotArgs};
use crate::{VerbOutcome, candidates, set, words};

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Poses are part of a robot's description; a saved pose is written into its local layer."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: PoseVerb,
}

#[derive(Debug, Subcommand)]
enum PoseVerb {
    /// Save the present position of every joint.
    Save {
        /// The name of the pose.
        name: String,
        /// The description to write to; default: the running robot's.
        #[arg(long, value_name = "ROBOT")]
        to: Option<String>,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Go to a pose.
    Goto {
        /// The name of the pose.
        #[arg(add = ArgValueCandidates::new(candidates::poses))]
        name: String,
        /// The duration of the motion.
        #[arg(long = "in", value_name = "TIME", value_parser = words::span, default_value = "2s")]
        within: Span,
        #[command(flatten)]
        which: RobotArgs,
    },
    /// List the poses of a description.
    Ls {
        /// The robot: a file, or a shipped robot; default: the running robot.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        description: Option<String>,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
}

pub(crate) fn run(args: &Args, json: bool) -> Result<VerbOutcome> {
    match &args.verb {
        PoseVerb::Save { name, to, local } => save(name, to.as_deref(), local, json),
        PoseVerb::Goto {
            name,
            within,
            which,
        } => {
            let mut connection = connect(which)?;
            let told = connection.ask(Ask::Pose {
                name: name.clone(),
                in_ns: within.nanos(),
            })?;
            set::say(
                &told,
                json,
                &format!("to {name} in {}", words::time(*within)),
            )
        }
        PoseVerb::Ls { description, local } => match description {
            Some(description) => list(description, json),
            None => list(&connect_local(local)?.here.description, json),
        },
    }
}

fn list(robot: &str, json: bool) -> Result<VerbOutcome> {
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
    Ok(VerbOutcome::Done)
}

fn save(name: &str, to: Option<&str>, local: &LocalRobotArgs, json: bool) -> Result<VerbOutcome> {
    let caller = connect_local(local)?;
    let page = open_page(&caller)?;
    let source = RobotSource::of(to.unwrap_or(&caller.here.description));
    let robot = load(&source)?;
    let labels = page.sensors();
    let measured = page.read(|frame| {
        (0..labels.len())
            .map(|it| frame.sensor(it))
            .collect::<Vec<_>>()
    });
    let measured = measured.context("the loop has not made a turn yet")?;
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
        // A joint may stand a little outside its range.
        let value = actuator.range.clamp(value);
        let key = ["poses", name, actuator.name.as_str()]
            .map(str::to_owned)
            .to_vec();
        values.push((key, format!("{value:?}")));
    }
    if values.is_empty() {
        bail!("no pose to save: no joint of this robot has a sensor");
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
            "{name}: {} joints, saved in {}; it takes effect when the loop is started again",
            values.len(),
            path.display()
        )?;
    }
    Ok(VerbOutcome::Done)
}
