//! The guardian of a loop, seen from the loop: started before anything is armed, and started anew when it is gone.
//! Called by `run` for a robot with real boards. The law: the loop's thread knows nothing of it; that a guardian went
//! is told, and so is that none can be had.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
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
        let ended = guardian.wait();
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
