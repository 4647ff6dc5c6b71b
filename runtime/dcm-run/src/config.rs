//! `dcm-run config`: the description of a robot, checked, shown, and changed.

use std::io::Write;

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use clap_complete::engine::ArgValueCompleter;
use description::{BoardSpec, Driver, RobotSource, SHIPPED, load, loads, schema, show, write};
use robot::boards::table::rows;
use serde_json::json;
use wire::Direction;
use wire::row::text;

use crate::{Outcome, candidates, problems, words};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    A robot is a file, a shipped robot, or a file in the folder of configuration. Over it lie the layers \
    NAME.body.toml and NAME.local.toml beside it, or in that folder.")]
pub(crate) struct Args {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Tells every mistake in a description, with its place.
    Check {
        /// The robot: a file, or the name of a shipped one.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        robot: String,
    },
    /// Shows every value that is in force, and where it was written.
    Show {
        /// The robot.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        robot: String,
        /// Only keys that begin so, such as `joints.HeadYaw`.
        key: Option<String>,
        /// Print the tables of its servo boards instead: a row for each channel, as the board tells it.
        #[arg(long)]
        table: bool,
    },
    /// Prints the JSON Schema of a description, for editors.
    Schema,
    /// Writes a value into the local layer, such as a calibration; an empty value takes it away.
    Set {
        /// The robot.
        #[arg(add = ArgValueCompleter::new(candidates::descriptions))]
        robot: String,
        /// The key, such as `joints.HeadYaw.calibration.offset`; quotes around a part with dots.
        key: String,
        /// The value, as in TOML: 0.012, "a text", [1, 2].
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true)]
        value: String,
    },
    /// Lists the robots that come with this program.
    Ls,
}

/// What each bus has to carry in a turn.
fn tell_buses(out: &mut impl Write, robot: &str, json: bool) -> Result<()> {
    // A description with mistakes is shown all the same; `check` tells them.
    let Ok(robot) = load(&RobotSource::of(robot)) else {
        return Ok(());
    };
    for load in loads(&robot) {
        let board = &robot.boards[load.board].name;
        let (share, takes) = (100.0 * load.share(), words::time(load.takes));
        if json {
            let told = json!({ "board": board, "bits": load.bits, "speed": load.speed, "percent_of_turn": share });
            writeln!(out, "{told}")?;
            continue;
        }
        let told = format!(
            "# the bus of `{board}`: {} bits at {} bit/s take {takes}, {share:.1} % of a turn",
            load.bits, load.speed
        );
        writeln!(out, "{}", words::paint(words::FAINT, told))?;
    }
    Ok(())
}

/// The table of each servo board, or of the one of this name.
fn tell_tables(out: &mut impl Write, robot: &str, wanted: Option<&str>, json: bool) -> Result<()> {
    let robot = load(&RobotSource::of(robot))?;
    let boards = robot.boards.iter().enumerate();
    let is_servo = |it: &&(usize, &BoardSpec)| matches!(it.1.driver, Driver::Servo { .. });
    let all: Vec<_> = boards.filter(|it| is_servo(&it)).collect();
    let named: Vec<_> = all
        .iter()
        .filter(|it| wanted.is_none_or(|name| it.1.name == name))
        .collect();
    if named.is_empty() {
        let names: Vec<_> = all.iter().map(|it| it.1.name.as_str()).collect();
        bail!(
            "{} has no such board that speaks the board protocol; fix: name one of those that it has: {}",
            robot.name,
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            }
        );
    }
    for (place, board) in named {
        if !json {
            let title = format!(
                "# {}: direction kind lowest highest rest unit step name",
                board.name
            );
            writeln!(out, "{}", words::paint(words::FAINT, title))?;
        }
        for row in rows(&robot, *place) {
            let or_none = |it: &str| {
                if it.is_empty() {
                    "-".to_owned()
                } else {
                    it.to_owned()
                }
            };
            let direction = if row.direction == Direction::Output {
                "out"
            } else {
                "in"
            };
            let (kind, unit, name) = (
                row.kind.name(),
                or_none(row.unit.name()),
                or_none(text(&row.name)),
            );
            let (lowest, highest, rest, step) = (row.lowest, row.highest, row.rest, row.step);
            if json {
                let told = json!({ "board": board.name, "direction": direction, "kind": kind, "lowest": lowest,
                    "highest": highest, "rest": rest, "unit": row.unit.name(), "step": step, "name": text(&row.name) });
                writeln!(out, "{told}")?;
            } else {
                writeln!(
                    out,
                    "{direction:<3} {kind:<11} {lowest:>5} {highest:>5} {rest:>5} {unit:<5} {step} {name}"
                )?;
            }
        }
    }
    Ok(())
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let mut out = anstream::stdout().lock();
    match &args.deed {
        Deed::Check { robot } => {
            let robot = match load(&RobotSource::of(robot)) {
                Ok(robot) => robot,
                Err(problems) if json => {
                    let told = json!({ "problems": problems::as_json(&problems) });
                    writeln!(out, "{told}")?;
                    return Ok(Outcome::Fails);
                }
                Err(problems) => {
                    // The exit code tells it where nobody can read.
                    let (picture, verdict) =
                        (problems::picture(&problems), problems::verdict(&problems));
                    let _ = writeln!(anstream::stderr(), "{picture}{verdict}");
                    return Ok(Outcome::Fails);
                }
            };
            let joints = robot
                .actuators
                .iter()
                .filter(|it| it.motor.is_some())
                .count();
            let (actuators, sensors) = (robot.actuators.len(), robot.sensors.len());
            if json {
                let told = json!({ "name": robot.name, "actuators": actuators, "sensors": sensors, "problems": [] });
                writeln!(out, "{told}")?;
            } else {
                let sound = words::paint(words::GOOD, "sound");
                writeln!(
                    out,
                    "{}: {sound}: {joints} joints among {actuators} actuators, {sensors} sensors, {} boards, {} links",
                    robot.name,
                    robot.boards.len(),
                    robot.links.len()
                )?;
            }
        }
        Deed::Show {
            robot,
            key,
            table: true,
        } => tell_tables(&mut out, robot, key.as_deref(), json)?,
        Deed::Show { robot, key, .. } => {
            let shown = show(&RobotSource::of(robot))?;
            let wanted = key.as_deref().unwrap_or_default();
            let shown: Vec<_> = shown
                .into_iter()
                .filter(|it| it.key.starts_with(wanted))
                .collect();
            if shown.is_empty() {
                bail!("no key of this description begins with `{wanted}`");
            }
            for it in shown {
                if json {
                    writeln!(
                        out,
                        "{}",
                        json!({ "key": it.key, "value": it.value, "origin": it.origin })
                    )?;
                } else {
                    let origin = words::paint(words::FAINT, format!("# {}", it.origin));
                    writeln!(out, "{} = {}  {origin}", it.key, it.value)?;
                }
            }
            if wanted.is_empty() || "boards".starts_with(wanted) {
                tell_buses(&mut out, robot, json)?;
            }
        }
        Deed::Schema => writeln!(out, "{:#}", schema())?,
        Deed::Set { robot, key, value } => {
            let path = write(&RobotSource::of(robot), &[(parts(key), value.clone())])?;
            if json {
                writeln!(out, "{}", json!({ "key": key, "file": path }))?;
            } else {
                writeln!(
                    out,
                    "{key} = {value}, in {}; a loop knows it from its next start",
                    path.display()
                )?;
            }
        }
        Deed::Ls => {
            for name in SHIPPED {
                let robot = load(&RobotSource::of(name))?;
                if json {
                    writeln!(out, "{}", json!({ "name": name, "about": robot.about }))?;
                } else {
                    writeln!(out, "{name:<12} {}", robot.about)?;
                }
            }
        }
    }
    Ok(Outcome::Done)
}

/// The parts of a key; quotes hold parts with dots together.
fn parts(key: &str) -> Vec<String> {
    let (mut parts, mut quoted) = (vec![String::new()], false);
    for letter in key.chars() {
        match letter {
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(String::new()),
            letter => parts.last_mut().into_iter().for_each(|it| it.push(letter)),
        }
    }
    parts
}
