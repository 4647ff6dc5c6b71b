//! `dcm-run wire simulate`: the reference board as a process.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use description::Bus;
use robot::boards::peer;
use robot::live::Control;
use robot::realtime::raise;

use super::Meant;
use crate::run::listen_to_signals;
use crate::{Outcome, words};

/// It goes on until Ctrl-C. Every packet is a number and a frame; the answer has the same number.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    meant: Meant,
    /// The socket to be at, instead of the description's.
    #[arg(long, value_name = "PATH")]
    at: Option<PathBuf>,
    /// Write what is on its pins into this file whenever it changes: µs of UTC, and a word for each output, nothing
    /// for one without force.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// How often it has booted, 1 to 255.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    boots: u8,
}

pub(super) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let (robot, place) = args.meant.servo()?;
    let board = &robot.boards[place];
    let path = match (&args.at, board.bus()) {
        (Some(path), _) | (None, Some(Bus::Socket(path))) => path,
        _ => bail!(
            "say with --at PATH at which socket the board `{}` shall be",
            board.name
        ),
    };
    let control = std::sync::Arc::new(Control::default());
    listen_to_signals(&control)?;
    if json {
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
    // One that was killed leaves its socket behind; one that lives is not taken over.
    if std::os::unix::net::UnixDatagram::unbound()?
        .connect(path)
        .is_ok()
    {
        bail!("{} is another board's already", path.display());
    }
    let _ = std::fs::remove_file(path);
    let log = args.log.as_ref().map(std::fs::File::create);
    let mut log = log.transpose().context("making the log")?;
    let log = log.as_mut().map(|it| it as &mut dyn std::io::Write);
    // A board has a processor of its own: what else this machine does must not make it silent.
    let _ = raise(robot.machine.priority.saturating_add(1).min(99));
    let served = peer::simulate(&robot, place, path, args.boots, log, || control.asked() > 0);
    let _ = std::fs::remove_file(path);
    served.with_context(|| path.display().to_string())?;
    Ok(Outcome::Done)
}
