//! `dcm-run guard`: watches a loop, and brings the body down if the loop dies.
//! Signals that end the loop do not end the guardian.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use description::{BoardSpec, Driver, Robot, RobotSource, load};
use drivers::lola::has_force;
use protocol::places::Places;
use robot::guardian::{LoopOutcome, Watchdog, take_over};
use robot::realtime::{RealtimeOptions, prepare};
use serde_json::json;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::log_args;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;

/// How long to wait for the robot's state: a few LoLA packets.
const STATE_TIMEOUT: Duration = Duration::from_millis(100);

/// The line that it prints when it watches.
pub(crate) const READY: &str = "ready";

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    `dcm-run run` starts a guardian for a robot with real boards. It ends with the loop. Exits with 3 if the loop did \
    not end normally. A loop stopped by a debugger or SIGSTOP counts as dead: start such a loop with --no-guard.")]
pub(crate) struct Args {
    /// The robot of the loop: a file, or a shipped robot.
    robot: String,
    /// The name of the loop; default: the robot's name.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// The process of the loop.
    #[arg(long, value_name = "NUMBER")]
    process: Option<u64>,
    /// Do not print when it begins.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let robot = load(&RobotSource::of(&args.robot))?;
    let name = args
        .id
        .clone()
        .unwrap_or_else(|| crate::process::as_name(&robot.name));
    // A terminal or a service manager signals all processes; the guardian must see the end of the loop.
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let ignored = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal, ignored).context("listening for signals")?;
    }
    let watchdog = Watchdog::attach(&robot, &Places::of(&name)?.page, args.process)?;
    let _held = prepare(&RealtimeOptions {
        // Above the loop: a spinning loop must not starve its guardian.
        priority: robot.machine.priority.saturating_add(1).min(99),
        processor: None,
    });
    if args.process.is_some() {
        // The parent process waits for it.
        println!("{READY}");
    } else if !args.quiet && !output.json {
        anstream::eprintln!("watching {name}, process {}", watchdog.process());
    }
    let (end, last) = watchdog.watch().context("watching the loop")?;
    if end == LoopOutcome::Closed {
        return Ok(VerbOutcome::Done);
    }
    let who = format!(
        "the loop {name}, process {}, {end} after turn {}",
        watchdog.process(),
        last.turn
    );
    if last.power <= 0.0 {
        print_event(output, &format!("{who}: the body was limp"), words::ODD);
        return Ok(VerbOutcome::Fails);
    }
    // LoLA's client is a thread of the loop. If only the turns stalled, it has released the joints, and a takeover
    // would pull the body up again; if the whole process is stopped, the body still has its stiffness.
    if matches!(end, LoopOutcome::Stalled(_)) && is_let_go(&robot) {
        print_event(
            output,
            &format!("{who}: LoLA released the joints when the turns stopped"),
            words::ODD,
        );
        return Ok(VerbOutcome::Fails);
    }
    match take_over(&robot, &last) {
        Ok(rescued) => print_event(output, &format!("{who}: {rescued}"), words::ODD),
        Err(why) => print_event(
            output,
            &format!("{who}: {why}; the boards' watchdogs release the motors"),
            words::BAD,
        ),
    }
    Ok(VerbOutcome::Fails)
}

/// Whether this is a LoLA body that reports that no joint has force. Without a report, some may have force.
fn is_let_go(robot: &Robot) -> bool {
    let socket = |spec: &BoardSpec| match &spec.driver {
        Driver::Lola { socket } => Some(socket.clone()),
        _ => None,
    };
    let mut sockets = robot.boards.iter().filter_map(socket).peekable();
    sockets.peek().is_some()
        && sockets.all(|socket| has_force(&socket, STATE_TIMEOUT).is_ok_and(|has_force| !has_force))
}

fn print_event(output: VerbOutput, what: &str, style: anstyle::Style) {
    if log_args::is_written() && !output.json {
        tracing::error!("{what}");
        return;
    }
    // Nobody may listen any more.
    let mut out = anstream::stderr().lock();
    let _ = if output.json {
        writeln!(out, "{}", json!({ "guard": what }))
    } else {
        writeln!(out, "dcm-run guard: {}", words::paint(style, what))
    };
}
