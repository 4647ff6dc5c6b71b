//! Starts the guardian of a loop before the body is armed, and restarts it when it dies.
//! Called by `run` for a robot with real boards. The loop's thread does not wait for it; a guardian that died
//! or cannot be started is reported.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use robot::live::Control;

use crate::log_args;
use crate::process::this_program;
use crate::verbs::hardware::guard::READY;

/// The time to wait before starting a guardian again.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// How long it may take to start: it waits for the loop's page.
const START_TIMEOUT: Duration = Duration::from_secs(15);

/// The interval between two checks of the process.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Checks after which a stopped guardian is killed, and one whose loop has ended.
const STOPPED: u32 = 10;
const IDLE: u32 = 150;

/// A guardian, and the thread that keeps it running.
pub(super) struct Guardian {
    thread: JoinHandle<()>,
    /// Messages about it.
    pub(super) told: Receiver<String>,
}

impl Guardian {
    /// Starts it, and keeps one running until the loop has ended.
    pub(super) fn keep(robot: &str, name: &str, control: &Arc<Control>) -> Result<Guardian> {
        let first = start(robot, name)?;
        let (tell, told) = channel();
        let (robot, name, control) = (robot.to_owned(), name.to_owned(), Arc::clone(control));
        let thread = std::thread::Builder::new().name("guardian".to_owned());
        let thread = thread
            .spawn(move || keep(first, &robot, &name, &control, &tell))
            .context("starting the guardian's thread")?;
        Ok(Guardian { thread, told })
    }

    /// Waits until it has seen the loop end and has ended itself.
    pub(super) fn end(self) {
        // If it panicked, the message is on stderr.
        let _ = self.thread.join();
    }
}

fn keep(mut guardian: Child, robot: &str, name: &str, control: &Control, tell: &Sender<String>) {
    loop {
        let ended = watch(&mut guardian, control);
        // It ends successfully when the loop has closed its page.
        if control.has_ended() || ended.as_ref().is_ok_and(std::process::ExitStatus::success) {
            return;
        }
        control.set_guarded(false);
        let how = ended.map_or_else(|error| error.to_string(), |value| value.to_string());
        // The receiver lives as long as the loop.
        let _ = tell.send(format!("the guardian died ({how}); it is restarted"));
        guardian = loop {
            match start(robot, name) {
                Ok(another) => {
                    control.set_guarded(true);
                    break another;
                }
                Err(_) if control.has_ended() => return,
                Err(why) => {
                    let _ = tell.send(format!(
                        "no guardian watches this loop, only the boards' watchdogs: {why:#}"
                    ));
                    std::thread::sleep(RETRY_INTERVAL);
                }
            }
        };
    }
}

/// Waits until a guardian has ended. One that is stopped, by a debugger or a signal, is killed, because it watches
/// nothing; so is one that is left long after the loop has ended.
fn watch(guardian: &mut Child, control: &Control) -> std::io::Result<ExitStatus> {
    let (mut stopped, mut idle) = (0u32, 0u32);
    loop {
        if let Some(ended) = guardian.try_wait()? {
            return Ok(ended);
        }
        stopped = if is_stopped(guardian.id()) {
            stopped + 1
        } else {
            0
        };
        idle = if control.has_ended() { idle + 1 } else { 0 };
        if stopped > STOPPED || idle > IDLE {
            guardian.kill()?;
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Whether this process is stopped.
fn is_stopped(process: u32) -> bool {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = told
        .rsplit_once(") ")
        .and_then(|pair| pair.1.chars().next());
    matches!(state, Some('T' | 't'))
}

/// Starts a guardian for this process's loop.
fn start(robot: &str, name: &str) -> Result<Child> {
    let program: PathBuf = this_program()?;
    let mut command = Command::new(program);
    log_args::pass_on(&mut command);
    command
        .args(["guard", robot, "--quiet", "--id", name, "--process"])
        .arg(std::process::id().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        // Of a group of its own: Ctrl-C is the loop's.
        .process_group(0)
        .spawn()
        .context("starting the guardian; fix: --no-guard runs without")
        .and_then(ready)
}

/// Waits until the guardian watches: nothing is armed before. One that does not report in time is killed.
fn ready(mut guardian: Child) -> Result<Child> {
    let (say, hear) = channel();
    let output = guardian.stdout.take();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = output.map(|stdout| BufReader::new(stdout).read_line(&mut line));
        // The receiver has given up: it took too long.
        let _ = say.send(read.transpose().map(|_| line));
    });
    let line = hear
        .recv_timeout(START_TIMEOUT)
        .unwrap_or(Ok(String::new()));
    let line = line.context("reading the guardian's answer")?;
    if line.trim() != READY {
        let _ = guardian.kill();
        let _ = guardian.wait();
        bail!(
            "the guardian could not start, see above; fix: correct that, or run without it: --no-guard"
        );
    }
    Ok(guardian)
}
