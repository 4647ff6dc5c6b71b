//! The guardian of a loop, seen from the loop: started before anything is armed, and started anew when it is gone.
//! Called by `run` for a robot with real boards. The law: the loop's thread knows nothing of it; that a guardian went
//! is told, and so is that none can be had.

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

use super::this_program;
use crate::guard::READY;

/// From one guardian that could not be had to the next try.
const AGAIN: Duration = Duration::from_secs(1);

/// How long it may take to begin: it waits for the loop's page itself.
const BEGINS: Duration = Duration::from_secs(15);

/// How often it is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Looks after which a guardian that is stopped is ended, and one whose loop has gone in peace.
const STOPPED: u32 = 10;
const IDLE: u32 = 150;

/// A guardian, and whoever keeps it.
pub(super) struct Guardian {
    thread: JoinHandle<()>,
    /// What there is to tell of it.
    pub(super) told: Receiver<String>,
}

impl Guardian {
    /// Starts one, and keeps one until the loop is gone.
    pub(super) fn keep(robot: &str, name: &str, control: &Arc<Control>) -> Result<Guardian> {
        let first = start(robot, name)?;
        let (tell, told) = channel();
        let (robot, name, control) = (robot.to_owned(), name.to_owned(), Arc::clone(control));
        let thread = std::thread::Builder::new().name("guardian".to_owned());
        let thread = thread
            .spawn(move || keep(first, &robot, &name, &control, &tell))
            .context("keeping the guardian")?;
        Ok(Guardian { thread, told })
    }

    /// Waits until it has seen that all is well, and has gone as well.
    pub(super) fn end(self) {
        // It does not panic; if it did, that was told.
        let _ = self.thread.join();
    }
}

fn keep(mut guardian: Child, robot: &str, name: &str, control: &Control, tell: &Sender<String>) {
    loop {
        let ended = watch(&mut guardian, control);
        // It ends well when the loop has closed its page.
        if control.is_gone() || ended.as_ref().is_ok_and(std::process::ExitStatus::success) {
            return;
        }
        control.guarded(false);
        let how = ended.map_or_else(|it| it.to_string(), |it| it.to_string());
        // Whoever was to hear it is gone only with the loop.
        let _ = tell.send(format!("the guardian is gone ({how}): another is started"));
        guardian = loop {
            match start(robot, name) {
                Ok(another) => {
                    control.guarded(true);
                    break another;
                }
                Err(_) if control.is_gone() => return,
                Err(why) => {
                    let _ = tell.send(format!(
                        "nobody looks after this loop, only the boards' own watchdogs: {why:#}"
                    ));
                    std::thread::sleep(AGAIN);
                }
            }
        };
    }
}

/// Waits until a guardian has ended; one that is stopped, by a debugger or a signal, looks after nobody, and is ended.
/// So is one that is there long after the loop has gone.
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
        idle = if control.is_gone() { idle + 1 } else { 0 };
        if stopped > STOPPED || idle > IDLE {
            guardian.kill()?;
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Whether this process is stopped, as the kernel tells it.
fn is_stopped(process: u32) -> bool {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = told.rsplit_once(") ").and_then(|it| it.1.chars().next());
    matches!(state, Some('T' | 't'))
}

/// Starts a guardian for this process's loop.
fn start(robot: &str, name: &str) -> Result<Child> {
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

/// Nothing is armed before the guardian watches. One that does not say so in time, because it is stopped, is ended.
fn ready(mut guardian: Child) -> Result<Child> {
    let (say, hear) = channel();
    let said = guardian.stdout.take();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = said.map(|it| BufReader::new(it).read_line(&mut line));
        // Whoever waits has gone: it took too long.
        let _ = say.send(read.transpose().map(|_| line));
    });
    let line = hear.recv_timeout(BEGINS).unwrap_or(Ok(String::new()));
    let line = line.context("hearing the guardian")?;
    if line.trim() != READY {
        let _ = guardian.kill();
        let _ = guardian.wait();
        bail!(
            "the guardian could not begin, and says why above; fix that, or do without: --no-guard"
        );
    }
    Ok(guardian)
}
