//! `dcm-run wire probe`: what a board says that it is, beside what the description says.

use std::io::Write;

use ::wire::row::text;
use ::wire::{Direction, Row};
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use drivers::servo::{Probed, probe};
use robot::boards::{self, peer::rows};
use robot::config::Robot;
use serde_json::json;

use super::Meant;
use crate::{Outcome, words};

/// Exit code 3 if the board is not the one that is described.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    meant: Meant,
}

pub(super) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let (robot, place) = args.meant.servo()?;
    let board = &robot.boards[place];
    let Some(bus) = board.bus() else {
        bail!("the board `{}` is on no bus", board.name);
    };
    let wrong = |why: String| anyhow::anyhow!(why);
    let _held = boards::hold(board)?;
    let mut carrier = boards::carrier(bus).map_err(wrong)?;
    let probed = probe(&mut carrier).map_err(|fault| {
        let why = fault.name();
        anyhow::anyhow!(
            "{bus}: no board answered as one should: {why}; fix: look at its wires, mode and speed"
        )
    })?;
    let differences = differences(&robot, place, &probed);
    tell(&probed, &differences, json).context("printing")?;
    Ok(if differences.is_empty() {
        Outcome::Done
    } else {
        Outcome::Fails
    })
}

fn tell(probed: &Probed, differences: &[String], json: bool) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let about = &probed.about;
    if json {
        let rows = probed.rows.iter().map(|it| {
            json!({
                "name": text(&it.name), "output": it.direction == Direction::Output, "kind": format!("{:?}", it.kind),
                "lowest": it.lowest, "highest": it.highest, "rest": it.rest,
            })
        });
        let told = json!({
            "board": text(&about.name), "boots": probed.boots, "outputs": about.outputs, "inputs": about.inputs,
            "watchdog_ms": about.watchdog, "rows": rows.collect::<Vec<_>>(), "differences": differences,
        });
        writeln!(out, "{told}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{}: {} outputs, {} inputs; lets go {} ms after its host; has booted {} times",
        words::paint(words::BOLD, text(&about.name)),
        about.outputs,
        about.inputs,
        about.watchdog,
        probed.boots
    )?;
    let (mut outputs, mut inputs) = (0.., 0..);
    for row in &probed.rows {
        let (way, number) = match row.direction {
            Direction::Output => ("out", outputs.next()),
            Direction::Input => ("in", inputs.next()),
        };
        writeln!(
            out,
            "  {way:<3} {:>4}  {:<20}  {:<11}  {} to {}, at rest {}",
            number.unwrap_or(0),
            text(&row.name),
            format!("{:?}", row.kind).to_lowercase(),
            row.lowest,
            row.highest,
            row.rest
        )?;
    }
    for difference in differences {
        writeln!(out, "{}", words::paint(words::BAD, difference))?;
    }
    if differences.is_empty() {
        writeln!(out, "{}", words::paint(words::GOOD, "it is as described"))?;
    }
    Ok(())
}

/// What the description has otherwise.
fn differences(robot: &Robot, place: usize, probed: &Probed) -> Vec<String> {
    let described = rows(robot, place);
    let split = |rows: &[Row]| {
        rows.iter()
            .filter(|it| it.direction == Direction::Output)
            .count()
    };
    let (outputs, inputs) = (split(&described), described.len() - split(&described));
    let about = &probed.about;
    let mut found = Vec::new();
    for (what, described, has) in [
        ("outputs", outputs, usize::from(about.outputs)),
        ("inputs", inputs, usize::from(about.inputs)),
    ] {
        if described != has {
            found.push(format!(
                "the description has {described} {what}, the board {has}; fix: say `{what} = {has}` under its board, \
                 and look at the channels"
            ));
        }
    }
    if found.is_empty() {
        for (number, (ours, theirs)) in described.iter().zip(&probed.rows).enumerate() {
            let (mine, told) = (text(&ours.name), text(&theirs.name));
            if !mine.is_empty() && !told.is_empty() && mine != told {
                found.push(format!(
                    "row {number} is `{mine}` in the description, `{told}` on the board"
                ));
            }
        }
    }
    found
}
