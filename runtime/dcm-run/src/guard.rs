//! `dcm-run guard`: looks after a loop, and brings the body down when it is gone.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use description::{BoardSpec, Driver, Robot, RobotSource, load};
use drivers::lola::has_force;
use robot::guardian::{End, Watchdog, take_over};
use robot::realtime::{Wish, prepare};
use serde_json::json;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use socket::places::Places;

use crate::{Outcome, words};

/// How long a robot may take to say how it is: a few of LoLA's packets.
const HEARD: Duration = Duration::from_millis(100);

/// What it says when it watches.
pub(crate) const READY: &str = "ready";

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
    let robot = load(&RobotSource::of(&args.robot))?;
    let name = args
        .id
        .clone()
        .unwrap_or_else(|| crate::run::as_name(&robot.name));
    // Whoever ends everything at once, a terminal or a service manager, does not mean whoever watches the end.
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let ignored = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal, ignored).context("listening for signals")?;
    }
    let watchdog = Watchdog::begin(&robot, &Places::of(&name)?.page, args.process)?;
    let _held = prepare(&Wish {
        // Above the loop: one that spins must not keep its guardian from running.
        priority: robot.machine.priority.saturating_add(1).min(99),
        processor: None,
    });
    if args.process.is_some() {
        // Whoever started this waits for it.
        println!("{READY}");
    } else if !args.quiet && !json {
        anstream::eprintln!("looking after {name}, process {}", watchdog.process());
    }
    let (end, last) = watchdog.keep().context("watching the loop")?;
    if end == End::InPeace {
        return Ok(Outcome::Done);
    }
    let who = format!(
        "the loop {name}, process {}, {end} after turn {}",
        watchdog.process(),
        last.turn
    );
    if last.power <= 0.0 {
        tell(json, &format!("{who}: the body was limp"), words::ODD);
        return Ok(Outcome::Fails);
    }
    // LoLA's client is a thread of the loop. If that went on while the turns stood still, it has let go, and to give
    // force back would pull the body up again; if the whole process stood still, the body is as stiff as ever.
    if matches!(end, End::Stalled(_)) && is_let_go(&robot) {
        tell(
            json,
            &format!("{who}: LoLA was told to let go when the turns ceased"),
            words::ODD,
        );
        return Ok(Outcome::Fails);
    }
    match take_over(&robot, &last) {
        Ok(rescued) => tell(json, &format!("{who}: {rescued}"), words::ODD),
        Err(why) => tell(
            json,
            &format!("{who}: {why}; its boards let go by themselves"),
            words::BAD,
        ),
    }
    Ok(Outcome::Fails)
}

/// Whether this is a body of LoLA's that says itself that no joint has force. Who says nothing may have some.
fn is_let_go(robot: &Robot) -> bool {
    let socket = |it: &BoardSpec| match &it.driver {
        Driver::Lola { socket } => Some(socket.clone()),
        _ => None,
    };
    let mut sockets = robot.boards.iter().filter_map(socket).peekable();
    sockets.peek().is_some()
        && sockets.all(|it| has_force(&it, HEARD).is_ok_and(|has_force| !has_force))
}

fn tell(json: bool, what: &str, style: anstyle::Style) {
    if json {
        anstream::eprintln!("{}", json!({ "guard": what }));
    } else {
        anstream::eprintln!("dcm-run guard: {}", words::paint(style, what));
    }
}
