//! `dcm-run wire simulate`: runs the reference board as a process. A socket in use is not taken over.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use description::Bus;
use robot::boards::simulate::simulate_board;
use robot::live::Control;
use robot::realtime::raise;

use super::BoardArgs;
use crate::process::listen_to_signals;
use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;

/// For writing a host, or without a board. Runs until Ctrl-C. Every packet is a number and a frame; the answer has the
/// same number.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    board: BoardArgs,
    /// The socket; default: the description's.
    #[arg(long, value_name = "PATH")]
    at: Option<PathBuf>,
    /// Write every change of its outputs into a file: UTC in µs, and a word for each output, empty for one without
    /// force.
    #[arg(long, value_name = "FILE")]
    outputs: Option<PathBuf>,
    /// The boot count that it reports, 1 to 255.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    boots: u8,
}

pub(super) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let (robot, place) = args.board.servo()?;
    let board = &robot.boards[place];
    let path = match (&args.at, board.bus()) {
        (Some(path), _) | (None, Some(Bus::Socket(path))) => path,
        _ => bail!("the board `{}` has no socket; fix: --at PATH", board.name),
    };
    let control = std::sync::Arc::new(Control::default());
    listen_to_signals(&control)?;
    if output.json {
        anstream::println!(
            "{}",
            serde_json::json!({ "board": board.name, "socket": path })
        );
    } else {
        anstream::println!(
            "the board `{}` of {} is at {}; drive it with `socket = \"...\"` instead of `spi`",
            words::paint(words::BOLD, &board.name),
            robot.name,
            path.display()
        );
    }
    // A killed board leaves its socket behind; that of a living one is not taken.
    if std::os::unix::net::UnixDatagram::unbound()?
        .connect(path)
        .is_ok()
    {
        bail!(
            "{} is in use by another board; fix: choose another --at, or end that process",
            path.display()
        );
    }
    let _ = std::fs::remove_file(path);
    let create = |path: &PathBuf| {
        std::fs::File::create(path).map_err(|error| errors::unwritable(path, &error))
    };
    let mut log = args.outputs.as_ref().map(create).transpose()?;
    let log = log.as_mut().map(|log| log as &mut dyn std::io::Write);
    // A real board has its own processor: other load must not make this one silent.
    let _ = raise(robot.machine.priority.saturating_add(1).min(99));
    let served = simulate_board(&robot, place, path, args.boots, log, || control.asked() > 0);
    let _ = std::fs::remove_file(path);
    served.with_context(|| path.display().to_string())?;
    Ok(VerbOutcome::Done)
}
