//! `dcm-run guard`: looks after a loop, and brings the body down when it is gone.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use robot::config::{Board, Driver, Source, load};
use robot::guardian::{End, Vigil, rescue};
use robot::realtime::{Wish, prepare};
use serde_json::json;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use socket::places::Places;

use crate::run::this_program;
use crate::{Outcome, words};

/// What it says when it watches.
const READY: &str = "ready";

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    `dcm-run run` starts one by itself for a robot with real boards. It ends with the loop. Exit code 3 if the \
    loop did not end in peace. A loop that a debugger holds, or SIGSTOP, stands still: start that one with --no- \
    guard.")]
pub(crate) struct Args {
    /// The robot that the loop drives: a file, or the name of a shipped one.
    robot: String,
    /// The loop's name; the robot's if it is not said.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// The loop's process, if it is known.
    #[arg(long, value_name = "NUMBER")]
    process: Option<u64>,
    /// Do not say when it begins.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let robot = load(&Source::of(&args.robot))?;
    let name = args
        .id
        .clone()
        .unwrap_or_else(|| crate::run::as_name(&robot.name));
    // Whoever ends everything at once, a terminal or a service manager, does not mean whoever watches the end.
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let ignored = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal, ignored).context("listening for signals")?;
    }
    let vigil = Vigil::begin(&robot, &Places::of(&name)?.page, args.process)?;
    let _held = prepare(&Wish {
        // Above the loop: one that spins must not keep its guardian from running.
        priority: robot.machine.priority.saturating_add(1).min(99),
        processor: None,
    });
    if args.process.is_some() {
        // Whoever started this waits for it.
        println!("{READY}");
    } else if !args.quiet && !json {
        anstream::eprintln!("looking after {name}, process {}", vigil.process());
    }
    let (end, last) = vigil.keep().context("watching the loop")?;
    if end == End::InPeace {
        return Ok(Outcome::Done);
    }
    let who = format!(
        "the loop {name}, process {}, {end} after turn {}",
        vigil.process(),
        last.turn
    );
    if last.power <= 0.0 {
        tell(json, &format!("{who}: the body was limp"), words::ODD);
        return Ok(Outcome::Fails);
    }
    // Its client runs in the loop's process, and has let go already when the loop stood still: to give force back
    // would pull the body up again.
    let is_lola = |it: &Board| matches!(it.driver, Driver::Lola { .. });
    if matches!(end, End::Stalled(_)) && robot.boards.iter().any(is_lola) {
        tell(
            json,
            &format!("{who}: LoLA was told to let go when the turns ceased"),
            words::ODD,
        );
        return Ok(Outcome::Fails);
    }
    match rescue(&robot, &last) {
        Ok(rescued) => tell(json, &format!("{who}: {rescued}"), words::ODD),
        Err(why) => tell(
            json,
            &format!("{who}: {why}; its boards let go by themselves"),
            words::BAD,
        ),
    }
    Ok(Outcome::Fails)
}

fn tell(json: bool, what: &str, style: anstyle::Style) {
    if json {
        anstream::eprintln!("{}", json!({ "guard": what }));
    } else {
        anstream::eprintln!("dcm-run guard: {}", words::paint(style, what));
    }
}

/// Starts a guardian for this process's loop.
pub(crate) fn start(robot: &str, name: &str) -> Result<Child> {
    use std::os::unix::process::CommandExt;
    let program: PathBuf = this_program()?;
    Command::new(program)
        .args(["guard", robot, "--quiet", "--id", name, "--process"])
        .arg(std::process::id().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        // Of a group of its own: Ctrl-C is the loop's.
        .process_group(0)
        .spawn()
        .context("starting the guardian; --no-guard does without")
        .and_then(ready)
}

/// Nothing is armed before the guardian watches.
fn ready(mut guardian: Child) -> Result<Child> {
    let mut line = String::new();
    if let Some(said) = guardian.stdout.take() {
        BufReader::new(said)
            .read_line(&mut line)
            .context("hearing the guardian")?;
    }
    if line.trim() != READY {
        let _ = guardian.wait();
        bail!(
            "the guardian could not begin, and says why above; fix that, or do without: --no-guard"
        );
    }
    Ok(guardian)
}
