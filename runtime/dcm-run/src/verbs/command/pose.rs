//! `dcm-run pose`: saves, lists and goes to named poses. A saved pose lies within the joints' ranges.

use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use cycle::Span;
use description::{EffectiveValue, Robot, RobotSource, load, show, write};
use protocol::{Ask, Caller, Figure, FigurePose, TakenCommands};
use robot::socket::figure;
use serde_json::json;

use crate::session::robot_args::{LocalRobotArgs, RobotArgs};
use crate::session::{connect, connect_local, open_page};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::candidates;
use crate::verbs::command::follow::{self, AwaitedMotion};
use crate::verbs::command::set;

/// The longest name of a pose.
const NAME_MAX: usize = 64;

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
        /// Replace a pose of this name that the robot comes with.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Go to a pose.
    Goto {
        /// The name of the pose.
        #[arg(add = ArgValueCandidates::new(candidates::poses))]
        name: String,
        /// The duration of the motion.
        #[arg(long = "in", value_name = "TIME", value_parser = words::within, default_value = "2s")]
        within: Span,
        /// Wait until the motion has ended, and say how; the exit code is 1 if it did not arrive.
        #[arg(long)]
        wait: bool,
        /// A lane of a client's own (`dcm-run lane`); default: the one that all clients share.
        #[arg(long, value_name = "LANE")]
        lane: Option<String>,
        #[command(flatten)]
        which: RobotArgs,
    },
    /// List the poses of a description.
    Ls {
        /// The robot: a file, or a shipped robot; default: the running robot.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        description: Option<String>,
        #[command(flatten)]
        which: RobotArgs,
    },
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    match &args.verb {
        PoseVerb::Save {
            name,
            to,
            force,
            local,
        } => save(name, to.as_deref(), *force, local, output),
        PoseVerb::Goto {
            name,
            within,
            wait,
            lane,
            which,
        } => {
            let mut connection = connect(which)?;
            let taken: TakenCommands = connection.get(Ask::Pose {
                name: name.clone(),
                in_ns: within.nanos(),
                lane: lane.clone(),
            })?;
            let (robot, time) = (connection.name(), words::time(*within));
            let line = format!("{robot} goes to the pose {name} in {time}");
            set::print_taken(&taken, output, &line)?;
            if !wait {
                return Ok(VerbOutcome::Done);
            }
            let motion = AwaitedMotion {
                which,
                names: actuators(connection.get(Ask::Figure)?, name),
                within: *within,
            };
            follow::wait(&motion, &mut connection, &taken, output)
        }
        PoseVerb::Ls { description, which } => list(description.as_deref(), which, output),
    }
}

/// The actuators of a pose.
fn actuators(figure: Figure, pose: &str) -> Vec<String> {
    let mut poses = figure.poses.into_iter();
    let found = poses.find(|item| item.name == pose);
    found.map_or_else(Vec::new, |value| value.values.into_keys().collect())
}

/// Lists the poses of a description, or of a running robot, wherever it is. On this machine its description is read, so
/// that a pose that was just saved is listed.
fn list(description: Option<&str>, which: &RobotArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let figure = match description {
        Some(description) => figure(&load(&RobotSource::of(description))?),
        None => match Caller::reach(which.robot.as_deref()) {
            Ok(caller) if !caller.here.is_replay => {
                figure(&load(&RobotSource::of(&caller.here.description))?)
            }
            Ok(_) | Err(_) => connect(which)?.get(Ask::Figure)?,
        },
    };
    for FigurePose { name, values } in &figure.poses {
        let joints = words::counted(values.len() as u64, "joint");
        output.print(
            json!({ "name": name, "places": values }),
            format!("{name:<24} {joints}"),
        )?;
    }
    Ok(VerbOutcome::Done)
}

/// Refuses a name that no pose can have, and the name of a pose that the robot comes with.
fn check_name(name: &str, robot: &Robot, source: &RobotSource, force: bool) -> Result<()> {
    let is_sound = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > NAME_MAX || !name.chars().all(is_sound) {
        bail!(
            "invalid name of a pose `{name}`; fix: use 1 to {NAME_MAX} letters, digits, `-` and `_`"
        );
    }
    if force || robot.pose(name).is_none() {
        return Ok(());
    }
    // A pose that was saved before is replaced by saving it again.
    let key = format!("poses.{name}.");
    let local = source.local().map(|local| local.display().to_string());
    let is_own = |effective_value: &EffectiveValue| {
        effective_value.key.starts_with(&key)
            && local
                .as_ref()
                .is_some_and(|local| effective_value.origin.starts_with(local.as_str()))
    };
    if show(source)?.iter().any(is_own) {
        return Ok(());
    }
    bail!(
        "{} has a pose `{name}` already; fix: choose another name, or replace it: --force",
        robot.name
    )
}

fn save(
    name: &str,
    to: Option<&str>,
    force: bool,
    local: &LocalRobotArgs,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let caller = connect_local(local, "its description, to write the pose into")?;
    let page = open_page(&caller)?;
    let source = RobotSource::of(to.unwrap_or(&caller.here.description));
    let robot = load(&source)?;
    check_name(name, &robot, &source, force)?;
    let labels = page.sensors();
    let measured = page.read(|frame| {
        (0..labels.len())
            .map(|i| frame.sensor(i))
            .collect::<Vec<_>>()
    });
    let measured = measured.context("the loop has not made a turn yet")?;
    let mut values = Vec::new();
    for actuator in &robot.actuators {
        let jointed = matches!(actuator.kind, cycle::Kind::Joint | cycle::Kind::Hand);
        let place = labels.iter().position(|label| label.name == actuator.name);
        let Some(value) = place
            .and_then(|place| measured[place])
            .filter(|value| jointed && value.is_finite())
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
        bail!(
            "no pose to save: no joint of this robot has a sensor; fix: write the pose into its description, as \
             `[poses.NAME]`"
        );
    }
    let path = write(&source, &values)?;
    output.print(
        json!({ "pose": name, "joints": values.len(), "file": path.display().to_string() }),
        format!(
            "{name}: {}, saved in {}; it takes effect when the loop is started again",
            words::counted(values.len() as u64, "joint"),
            path.display()
        ),
    )
}
