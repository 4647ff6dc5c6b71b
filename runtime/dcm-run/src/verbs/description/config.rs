//! `dcm-run config`: checks, shows and changes the description of a robot.
//! Only `set` writes, and only into the local layer.

use std::io::Write;

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use clap_complete::engine::ArgValueCompleter;
use description::{
    BoardSpec, Driver, EffectiveValue, RobotSource, SHIPPED, key_parts, load, loads, no_such,
    schema, show, write,
};
use robot::boards::table::rows;
use serde_json::json;
use wire::Direction;
use wire::row::text;

use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::problems;
use crate::text::words;
use crate::verbs::candidates;
use crate::verbs::description::rust_table;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A robot is a file, a shipped robot, or a file in the configuration folder. The layers NAME.body.toml and \
    NAME.local.toml, beside it or in that folder, override its values.")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: ConfigVerb,
}

#[derive(Debug, Subcommand)]
enum ConfigVerb {
    /// Print every problem of a description with its place.
    Check {
        /// The robot: a file, or a shipped robot.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        robot: String,
    },
    /// Show every effective value, and the file that sets it.
    Show {
        /// The robot.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        robot: String,
        /// Show only keys with this prefix, such as `joints.HeadYaw`.
        key: Option<String>,
        /// Print the tables of its servo boards instead: a row for each channel, as the board reports it.
        #[arg(long)]
        table: bool,
    },
    /// Print its links as a table in Rust, for choreographies that reach: see `choreography::kinematics`.
    Links {
        /// The robot.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        robot: String,
        /// The name of the constant; default: that of the robot.
        #[arg(long)]
        name: Option<String>,
    },
    /// Print the JSON Schema of a description, for editors.
    Schema,
    /// Write a value, such as a calibration, into the local layer; an empty value removes it.
    Set {
        /// The robot.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        robot: String,
        /// The key, such as `joints.HeadYaw.calibration.offset`; quote a part that contains dots.
        key: String,
        /// The value in TOML: 0.012, "text", [1, 2].
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true)]
        value: String,
    },
    /// List the shipped robots.
    Ls,
}

/// Prints the load of each bus in a turn.
fn print_buses(robot: &str, output: VerbOutput) -> Result<()> {
    // A description with problems is shown as well; `check` prints them.
    let Ok(robot) = load(&RobotSource::of(robot)) else {
        return Ok(());
    };
    for load in loads(&robot) {
        let board = &robot.boards[load.board].name;
        let (share, takes) = (100.0 * load.share(), words::time(load.takes));
        let (bits, speed) = (load.bits, load.speed);
        let text = format!(
            "# the bus of `{board}`: {bits} bits at {speed} bit/s take {takes}, {share:.1} % of a turn"
        );
        output.print(
            json!({ "board": board, "bits": bits, "speed": speed, "percent_of_turn": share }),
            words::paint(words::FAINT, text),
        )?;
    }
    Ok(())
}

/// Prints the table of each servo board, or of the named one.
fn print_tables(robot: &str, wanted: Option<&str>, output: VerbOutput) -> Result<()> {
    let robot = load(&RobotSource::of(robot))?;
    let boards = robot.boards.iter().enumerate();
    let is_servo = |pair: &&(usize, &BoardSpec)| matches!(pair.1.driver, Driver::Servo { .. });
    let all: Vec<_> = boards.filter(|board| is_servo(&board)).collect();
    let named: Vec<_> = all
        .iter()
        .filter(|pair| wanted.is_none_or(|name| pair.1.name == name))
        .collect();
    if named.is_empty() {
        let names: Vec<_> = all.iter().map(|pair| pair.1.name.as_str()).collect();
        match wanted {
            Some(name) => bail!(no_such("servo board", name, names.into_iter())),
            None => bail!(
                "{} has no servo board, and so no table; fix: name a robot that has one, such as desk",
                robot.name
            ),
        }
    }
    for (place, board) in named {
        let board = &board.name;
        let title = format!("# {board}: direction kind lowest highest rest unit step name");
        output.note(words::paint(words::FAINT, title))?;
        for row in rows(&robot, *place) {
            let direction = match row.direction {
                Direction::Output => "out",
                Direction::Input => "in",
            };
            let (kind, unit, name) = (row.kind.name(), row.unit.name(), text(&row.name));
            let (lowest, highest, rest, step) = (row.lowest, row.highest, row.rest, row.step);
            let or_none = |text: &'static str| if text.is_empty() { "-" } else { text };
            let line = format!(
                "{direction:<3} {kind:<11} {lowest:>5} {highest:>5} {rest:>5} {:<5} {step} {}",
                or_none(unit),
                if name.is_empty() { "-" } else { name },
            );
            let value = json!({ "board": board, "direction": direction, "kind": kind, "lowest": lowest,
                "highest": highest, "rest": rest, "unit": unit, "step": step, "name": name });
            output.print(value, line)?;
        }
    }
    Ok(())
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    match &args.verb {
        ConfigVerb::Check { robot } => return check(robot, output),
        ConfigVerb::Show {
            robot,
            key,
            table: true,
        } => print_tables(robot, key.as_deref(), output)?,
        ConfigVerb::Show { robot, key, .. } => {
            print_values(robot, key.as_deref().unwrap_or_default(), output)?;
        }
        ConfigVerb::Links { robot, name } => {
            let robot = load(&RobotSource::of(robot))?;
            let table = rust_table::source(&robot, name.as_deref())?;
            let value = json!({ "robot": robot.name, "rust": table });
            output.print(value, table.trim_end_matches('\n'))?;
        }
        ConfigVerb::Schema => writeln!(anstream::stdout().lock(), "{:#}", schema())?,
        ConfigVerb::Set { robot, key, value } => {
            let path = write(&RobotSource::of(robot), &[(key_parts(key), value.clone())])?;
            output.print(
                json!({ "key": key, "file": path.display().to_string() }),
                format!(
                    "{key} = {value}, in {}; it takes effect when the loop is started again",
                    path.display()
                ),
            )?;
        }
        ConfigVerb::Ls => {
            for name in SHIPPED {
                let robot = load(&RobotSource::of(name))?;
                output.print(
                    json!({ "name": name, "about": robot.about }),
                    format!("{name:<12} {}", robot.about),
                )?;
            }
        }
    }
    Ok(VerbOutcome::Done)
}

/// Prints the problems of a description, or its size.
fn check(robot: &str, output: VerbOutput) -> Result<VerbOutcome> {
    let robot = match load(&RobotSource::of(robot)) {
        Ok(robot) => robot,
        Err(problems) => {
            if output.json {
                output.print(json!({ "problems": problems::as_json(&problems) }), "")?;
            } else {
                let (picture, verdict) =
                    (problems::picture(&problems), problems::verdict(&problems));
                // If stderr is closed, the exit code is all that is left.
                let _ = writeln!(anstream::stderr(), "{picture}{verdict}");
            }
            return Ok(VerbOutcome::Fails);
        }
    };
    let joints = robot
        .actuators
        .iter()
        .filter(|actuator| actuator.motor.is_some());
    let (actuators, sensors) = (robot.actuators.len(), robot.sensors.len());
    let text = format!(
        "{}: {}: {} among {}, {}, {}, {}",
        robot.name,
        words::paint(words::GOOD, "sound"),
        words::counted(joints.count() as u64, "joint"),
        words::counted(actuators as u64, "actuator"),
        words::counted(sensors as u64, "sensor"),
        words::counted(robot.boards.len() as u64, "board"),
        words::counted(robot.links.len() as u64, "link")
    );
    output.print(
        json!({ "name": robot.name, "actuators": actuators, "sensors": sensors, "problems": [] }),
        text,
    )
}

/// Prints every effective value whose key begins with `wanted`.
fn print_values(robot: &str, wanted: &str, output: VerbOutput) -> Result<()> {
    let shown = show(&RobotSource::of(robot))?.into_iter();
    let shown: Vec<_> = shown
        .filter(|value| value.key.starts_with(wanted))
        .collect();
    if shown.is_empty() {
        bail!(
            "no key of this description begins with `{wanted}`; fix: `dcm-run config show {robot}` lists all keys"
        );
    }
    for EffectiveValue { key, value, origin } in shown {
        let comment = words::paint(words::FAINT, format!("# {origin}"));
        output.print(
            json!({ "key": key, "value": value, "origin": origin }),
            format!("{key} = {value}  {comment}"),
        )?;
    }
    if wanted.is_empty() || "boards".starts_with(wanted) {
        print_buses(robot, output)?;
    }
    Ok(())
}
