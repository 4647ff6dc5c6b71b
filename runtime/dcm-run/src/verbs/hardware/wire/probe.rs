//! `dcm-run wire probe`: prints a board's table, and compares it with the description.
//! A difference makes the verb fail.

use std::io::Write;

use ::wire::Direction;
use ::wire::row::text;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use description::Robot;
use drivers::servo::{ProbeError, Probed, probe};
use robot::boards::{
    self,
    table::{differences, watchdog_warning},
};
use serde_json::json;

use super::BoardArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;

/// Exits with 3 if the table differs from the description, or is invalid.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    board: BoardArgs,
}

pub(super) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let (robot, place) = args.board.servo()?;
    let board = &robot.boards[place];
    let Some(bus) = board.bus() else {
        bail!(
            "the board `{}` has no bus; fix: set `spi` or `socket` in its description",
            board.name
        );
    };
    let wrong = |why: String| anyhow::anyhow!(why);
    let _held = boards::lock_board(board)?;
    let mut carrier = boards::carrier(bus).map_err(wrong)?;
    let probed = match probe(&mut carrier, &[]) {
        Ok(probed) => probed,
        // It answers, but not with a valid table.
        Err(
            why @ (ProbeError::Row(..) | ProbeError::About | ProbeError::Boots | ProbeError::Table),
        ) => {
            let mut out = anstream::stdout().lock();
            let line = if output.json {
                json!({ "refused": why.to_string() }).to_string()
            } else {
                format!("{bus}: {why}")
            };
            writeln!(out, "{line}").context("printing")?;
            return Ok(VerbOutcome::Fails);
        }
        Err(why) => bail!("{bus}: {why}"),
    };
    let differences = differences(&robot, place, &probed);
    let odd = watchdog_warning(&robot, &probed);
    print_probe(&probed, &differences, odd.as_deref(), output).context("printing")?;
    Ok(if differences.is_empty() {
        VerbOutcome::Done
    } else {
        VerbOutcome::Fails
    })
}

/// Refuses a board that differs from the description.
pub(super) fn as_described(robot: &Robot, place: usize) -> Result<()> {
    let board = &robot.boards[place];
    let Some(bus) = board.bus() else {
        bail!(
            "the board `{}` has no bus; fix: set `spi` or `socket` in its description",
            board.name
        );
    };
    let _held = boards::lock_board(board)?;
    let mut carrier = boards::carrier(bus).map_err(|why| anyhow::anyhow!(why))?;
    let probed = probe(&mut carrier, &[]).map_err(|why| anyhow::anyhow!("{bus}: {why}"))?;
    match differences(robot, place, &probed).first() {
        Some(first) => bail!(
            "the board `{}` differs from the description: {first}",
            board.name
        ),
        None => Ok(()),
    }
}

fn print_probe(
    probed: &Probed,
    differences: &[String],
    odd: Option<&str>,
    output: VerbOutput,
) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let about = &probed.about;
    if output.json {
        let rows = probed.rows.iter().map(|row| {
            json!({
                "name": text(&row.name), "output": row.direction == Direction::Output, "kind": row.kind.name(),
                "lowest": row.lowest, "highest": row.highest, "rest": row.rest,
                "unit": row.unit.name(), "step": row.step,
            })
        });
        let report = json!({
            "board": text(&about.name), "boots": probed.boots, "outputs": about.outputs, "inputs": about.inputs,
            "watchdog_ms": about.watchdog, "rows": rows.collect::<Vec<_>>(), "differences": differences,
            "odd": odd,
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{}: {}, {}; watchdog {} ms; {}",
        words::paint(words::BOLD, text(&about.name)),
        words::counted(about.outputs.into(), "output"),
        words::counted(about.inputs.into(), "input"),
        about.watchdog,
        words::counted(probed.boots.into(), "boot")
    )?;
    let (mut outputs, mut inputs) = (0.., 0..);
    for row in &probed.rows {
        let (way, number) = match row.direction {
            Direction::Output => ("out", outputs.next()),
            Direction::Input => ("in", inputs.next()),
        };
        writeln!(
            out,
            "  {way:<3} {:>4}  {:<20}  {:<11}  {} to {}, at rest {}{}",
            number.unwrap_or(0),
            text(&row.name),
            row.kind.name(),
            row.lowest,
            row.highest,
            row.rest,
            match row.step {
                0.0 => String::new(),
                step if row.unit.name() == "1" => format!(", a word is {step}"),
                step => format!(", a word is {step} {}", row.unit.name()),
            }
        )?;
    }
    if let Some(odd) = odd {
        writeln!(out, "{}", words::paint(words::ODD, odd))?;
    }
    for difference in differences {
        writeln!(out, "{}", words::paint(words::BAD, difference))?;
    }
    if differences.is_empty() {
        writeln!(
            out,
            "{}",
            words::paint(words::GOOD, "the board matches the description")
        )?;
    }
    Ok(())
}
