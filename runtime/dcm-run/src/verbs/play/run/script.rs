//! Reads a script of what happens to a simulated body. Called by `run`. All problems are reported at once,
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
//! 7s       push torso 20N 100ms left
//! 8s       lift
//! 9s       drop
//! 10s      floor tilt 5deg
//! 11s      floor steps 3 2cm 10cm
//! 12s      put box 30x20x10cm 500g 40cm
//! 13s      floor empty
//! ```

use anyhow::{Result, bail};
use clap::ValueEnum;
use cycle::Instant;
use description::{Robot, no_such};
use drivers::sim::{Script, SimEvent};
use robot::socket::{can_be_pushed, can_read, lifted, obstacle, push_of_link, tilted_floor};

use crate::text::words;
use crate::verbs::author::sim::{PushDirection, STEPS_GAP};

/// The most lines of a script.
const LINES_MAX: usize = 100_000;

/// Reads a script.
pub(super) fn read(text: &str, robot: &Robot) -> Result<Script> {
    let (mut events, mut wrong) = (Vec::new(), Vec::new());
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
            Ok(event) => events.push(event),
            Err(why) => wrong.push(format!("line {number}: {why}")),
        }
    }
    if !wrong.is_empty() {
        bail!("the script has problems:\n  {}", wrong.join("\n  "));
    }
    Ok(Script::new(events))
}

fn one(line: &str, robot: &Robot) -> Result<(Instant, SimEvent), String> {
    let (when, what) = line
        .split_once(char::is_whitespace)
        .ok_or("expected a time and an action")?;
    let at = Instant::ZERO + words::span(when)?;
    Ok((at, event(what.trim(), robot)?))
}

fn event(what: &str, robot: &Robot) -> Result<SimEvent, String> {
    if let Some((name, reads)) = what.split_once('=') {
        let (value, over) = match reads.split_once(" over ") {
            Some((value, over)) => (value, Some(words::span(over)?)),
            None => (reads, None),
        };
        let name = name.trim();
        let sensor = robot.sensor(name).ok_or_else(|| {
            let known = robot.sensors.iter().map(|sensor| sensor.name.as_str());
            no_such("sensor", name, known)
        })?;
        let value = words::value(value)?;
        let sensor = usize::from(sensor.0);
        can_read(robot, sensor, value).map_err(|why| why.to_string())?;
        return Ok(match over {
            Some(over) => SimEvent::Glide {
                sensor,
                value,
                over,
            },
            None => SimEvent::Give { sensor, value },
        });
    }
    let parts: Vec<_> = what.split_whitespace().collect();
    match parts.as_slice() {
        ["push", name, torque] => {
            let id = robot.actuator(name).ok_or_else(|| {
                let known = robot
                    .actuators
                    .iter()
                    .map(|actuator| actuator.name.as_str());
                no_such("joint", name, known)
            })?;
            let torque = words::number(torque)?;
            let actuator = usize::from(id.0);
            can_be_pushed(robot, actuator, torque).map_err(|why| why.to_string())?;
            Ok(SimEvent::Push { actuator, torque })
        }
        ["push", _, _, _, ..] | ["lift" | "drop"] | ["floor", ..] | ["put", "box", ..] => {
            event_of_body(&parts, robot)
        }
        [action @ ("unplug" | "plug"), name] => {
            let board = robot.boards.iter().position(|board| board.name == *name);
            let known = robot.boards.iter().map(|board| board.name.as_str());
            let board = board.ok_or_else(|| no_such("board", name, known))?;
            let silent = *action == "unplug";
            Ok(SimEvent::Silence { board, silent })
        }
        _ => Err(format!(
            "`{what}`: expected SENSOR = VALUE [over TIME], push JOINT TORQUE, push LINK FORCE TIME [DIRECTION], \
             lift, drop, floor tilt ANGLE, floor steps COUNT HEIGHT DEPTH [GAP], floor empty, \
             put box SIZE MASS AHEAD [LEFT], unplug BOARD or plug BOARD"
        )),
    }
}

/// What happens to a body with weight.
fn event_of_body(parts: &[&str], robot: &Robot) -> Result<SimEvent, String> {
    let event = match parts {
        ["push", link, force, time, rest @ ..] => {
            let direction = match rest {
                [] => PushDirection::default(),
                [direction] => PushDirection::from_str(direction, true)?,
                _ => return Err("expected push LINK FORCE TIME [DIRECTION]".to_owned()),
            };
            let force = direction.of(words::force(force)?);
            push_of_link(robot, link, force, words::span(time)?)
        }
        ["floor", "tilt", angle] => tilted_floor(robot, words::value(angle)?),
        ["floor", "steps", count, height, depth, gap @ ..] => {
            let gap = match gap {
                [] => STEPS_GAP,
                [gap] => words::length(gap)?,
                _ => return Err("expected floor steps COUNT HEIGHT DEPTH [GAP]".to_owned()),
            };
            let steps = SimEvent::BuildSteps {
                count: count.parse().map_err(|_| "expected a count of steps")?,
                height: words::length(height)?,
                depth: words::length(depth)?,
                gap,
            };
            obstacle(robot, steps)
        }
        ["floor", "empty"] => obstacle(robot, SimEvent::EmptyFloor),
        ["floor", ..] => return Err("expected floor tilt, floor steps or floor empty".to_owned()),
        ["put", "box", size, mass, ahead, left @ ..] => {
            let left = match left {
                [] => 0.0,
                [left] => words::length(left)?,
                _ => return Err("expected put box SIZE MASS AHEAD [LEFT]".to_owned()),
            };
            let new = SimEvent::PutBox {
                edges: words::edges(size)?,
                mass: words::mass(mass)?.0,
                at: [words::length(ahead)?, left],
            };
            obstacle(robot, new)
        }
        ["put", ..] => return Err("expected put box SIZE MASS AHEAD [LEFT]".to_owned()),
        _ => lifted(robot, parts == ["lift"]),
    };
    event.map_err(|why| why.to_string())
}
