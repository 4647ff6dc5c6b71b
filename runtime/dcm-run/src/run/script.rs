//! Reads a script of what happens to a simulated body. Called by `run`. The law: all problems are reported at once,
//! each with its line. A script has lines such as:
//!
//! ```text
//! # when   what
//! 2.5s     ChestBoard/Button = 1
//! 2.6s     ChestBoard/Button = 0
//! 3s       US/Left = 0.3 over 2s
//! 4s       push LShoulderPitch 0.5
//! 5s       unplug HeadBoard
//! 6s       plug HeadBoard
//! ```

use anyhow::{Result, bail};
use cycle::Instant;
use description::{Dimension, Robot};
use drivers::sim::{Happening, Script};

use crate::words;

/// The most lines of a script.
const LINES_MAX: usize = 100_000;

/// Reads a script.
pub(super) fn read(text: &str, robot: &Robot) -> Result<Script> {
    let (mut happenings, mut wrong) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if number > LINES_MAX {
            wrong.push(format!(
                "line {number}: a script has at most {LINES_MAX} lines"
            ));
            break;
        }
        match one(line, robot) {
            Ok(happening) => happenings.push(happening),
            Err(why) => wrong.push(format!("line {number}: {why}")),
        }
    }
    if !wrong.is_empty() {
        bail!("the script has problems:\n  {}", wrong.join("\n  "));
    }
    Ok(Script::new(happenings))
}

fn one(line: &str, robot: &Robot) -> Result<(Instant, Happening), String> {
    let (when, what) = line
        .split_once(char::is_whitespace)
        .ok_or("expected a time and an action")?;
    let at = Instant::ZERO + words::span(when)?;
    Ok((at, happening(what.trim(), robot)?))
}

fn happening(what: &str, robot: &Robot) -> Result<Happening, String> {
    if let Some((name, reads)) = what.split_once('=') {
        let (value, over) = match reads.split_once(" over ") {
            Some((value, over)) => (value, Some(words::span(over)?)),
            None => (reads, None),
        };
        let name = name.trim();
        let sensor = robot
            .sensor(name)
            .ok_or_else(|| format!("unknown sensor `{name}`"))?;
        let value = words::value(value)?;
        let sensor = usize::from(sensor.0);
        return Ok(match over {
            Some(over) => Happening::Glide {
                sensor,
                value,
                over,
            },
            None => Happening::Give { sensor, value },
        });
    }
    let parts: Vec<_> = what.split_whitespace().collect();
    match parts.as_slice() {
        ["push", name, torque] => {
            let id = robot
                .actuator(name)
                .ok_or_else(|| format!("unknown joint `{name}`"))?;
            let torque = Dimension::Plain
                .read(torque)
                .map_err(|it| format!("expected {it}"))?;
            let actuator = usize::from(id.0);
            Ok(Happening::Push { actuator, torque })
        }
        [action @ ("unplug" | "plug"), name] => {
            let board = robot.boards.iter().position(|it| it.name == *name);
            let board = board.ok_or_else(|| format!("unknown board `{name}`"))?;
            let silent = *action == "unplug";
            Ok(Happening::Silence { board, silent })
        }
        _ => Err(format!(
            "`{what}`: expected SENSOR = VALUE [over TIME], push JOINT TORQUE, unplug BOARD or plug BOARD"
        )),
    }
}
