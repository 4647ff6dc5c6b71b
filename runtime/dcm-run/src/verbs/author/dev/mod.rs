//! `dcm-run dev`: builds a project at every save, checks it, and swaps it into a running robot.
//!
//! `watch` notices saves; `session` builds (`subject`), checks, hands over and tells of it (`report`, `listener`). If
//! no robot runs, `simulated` runs one in this process. What cannot be built, or does not pass the check,
//! changes nothing on the robot.

mod listener;
mod report;
mod session;
mod simulated;
mod subject;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::session::robot_args::loops;
use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use cycle::Span;
use description::{RobotSource, load};
use protocol::{CallError, Caller};
use rustix::process::getpgrp;
use rustix::termios::tcgetpgrp;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::choreography::guest_options::GuestOptionArgs;
use crate::process::as_name;
use crate::session::described::described;
use crate::session::server;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::author::check::GateArgs;
use session::{DevSession, SessionOptions};
use subject::Subject;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Without --robot, it plays on the robot that runs on this machine; if none runs, on a simulated one, which ends \
    with Ctrl-C. A remote robot must be named. Watch it with `dcm-run top` in another terminal. Ctrl-C stops the \
    choreography softly.")]
pub(crate) struct Args {
    /// The project's folder, or a module that another tool writes; default: the project around this folder.
    #[arg(value_name = "FOLDER|MODULE")]
    what: Option<PathBuf>,
    /// The robot: a running loop, a paired robot, `host:port`; or a robot to simulate: a file, or a shipped one.
    #[arg(long, short, value_name = "NAME", add = ArgValueCandidates::new(loops))]
    robot: Option<String>,
    /// Simulate a robot, even if one is running.
    #[arg(long)]
    sim: bool,
    /// Grant scores clocks and random numbers of WASI, on a robot that it simulates itself.
    #[arg(long)]
    wasi: bool,
    /// The duration of the fade from one version to the next.
    #[arg(long = "in", value_name = "TIME", value_parser = words::within, default_value = "500ms")]
    fade: Span,
    #[command(flatten)]
    guest_options: GuestOptionArgs,
    #[command(flatten)]
    gated: GateArgs,
}

/// Where it plays.
enum DevTarget {
    /// On a robot that is running, here or elsewhere.
    Running(String),
    /// On a robot of this description, simulated by a loop of this name.
    Simulated(String, String),
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let subject = Subject::open(args.what.as_deref())?;
    let target = target(args, subject.robot())?;
    if args.wasi && matches!(target, DevTarget::Running(_)) {
        bail!(
            "--wasi is for a robot that `dev` simulates; fix: --sim, or `wasi` in the grants of the robot's description"
        );
    }
    let stop = Arc::new(AtomicBool::new(false));
    let again = Arc::default();
    listen_to_keys(&again)?;
    let options = SessionOptions {
        guest_options: args.guest_options.clone(),
        gated: args.gated.clone(),
        fade: args.fade,
        stop: Arc::clone(&stop),
        again,
        output,
        wasi: args.wasi,
    };
    match target {
        DevTarget::Running(robot) => {
            for signal in [SIGINT, SIGTERM, SIGHUP] {
                // A second Ctrl-C ends the process at once.
                signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop))
                    .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
                    .context("listening for signals")?;
            }
            DevSession::on(robot, false, options).run(subject)
        }
        DevTarget::Simulated(description, name) => simulated::run(
            &description,
            DevSession::on(name, true, options),
            subject,
            output,
        ),
    }
}

/// Sets the flag at each Enter, if a person can press it: a job in the background would be stopped by reading.
fn listen_to_keys(again: &Arc<AtomicBool>) -> Result<()> {
    let input = std::io::stdin();
    let is_in_front = tcgetpgrp(&input).is_ok_and(|group| group == getpgrp());
    if !is_in_front {
        return Ok(());
    }
    let again = Arc::clone(again);
    let hear = move || {
        for _ in input.lines().map_while(Result::ok) {
            again.store(true, Ordering::Relaxed);
        }
    };
    std::thread::Builder::new()
        .name("keys".to_owned())
        .spawn(hear)
        .context("listening to the keyboard")?;
    Ok(())
}

/// Chooses the robot. One that is running is preferred to a simulation of the same name.
fn target(args: &Args, usual: Option<&str>) -> Result<DevTarget> {
    let simulated = |description: &str| -> Result<DevTarget> {
        let robot = load(&RobotSource::of(description))?;
        let name = free_name(&as_name(&robot.name));
        Ok(DevTarget::Simulated(description.to_owned(), name))
    };
    let usual = || match usual {
        Some(usual) => usual.to_owned(),
        // The one that every template is written for.
        None => described(None).unwrap_or_else(|_| "nao".to_owned()),
    };
    match args.robot.as_deref() {
        Some(robot) if args.sim => simulated(robot),
        None if args.sim => simulated(&usual()),
        Some(robot) if is_running(robot) => Ok(DevTarget::Running(robot.to_owned())),
        Some(robot) => match simulated(robot) {
            Ok(target) => Ok(target),
            // Neither running nor a description: perhaps a robot in the network.
            Err(error) => match server::connect(Some(robot)) {
                Ok(_) => Ok(DevTarget::Running(robot.to_owned())),
                Err(_) if is_file(robot) => Err(error),
                Err(away) => Err(away),
            },
        },
        None => match Caller::reach(None) {
            Ok(caller) if !caller.here.is_replay => Ok(DevTarget::Running(caller.here.name)),
            Err(CallError::Several(names)) => bail!(
                "several robots are running here; fix: name one with --robot ({}), or simulate another with --sim",
                names.join(", ")
            ),
            Ok(_) | Err(_) => simulated(&usual()),
        },
    }
}

/// Whether this names a robot that runs here, a paired one, or an address.
fn is_running(robot: &str) -> bool {
    Caller::reach(Some(robot)).is_ok() || server::is_known(robot)
}

fn is_file(robot: &str) -> bool {
    robot.contains('/') || robot.ends_with(".toml")
}

/// A name that no loop on this machine has.
fn free_name(name: &str) -> String {
    let is_free = |text: &String| Caller::reach(Some(text)).is_err();
    let numbered = (2..100).map(|i| format!("{name}-{i}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(is_free).unwrap_or_else(|| name.to_owned())
}
