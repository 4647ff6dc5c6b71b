//! Runs the commands of a build. Called by `builder`.
//! What a compiler prints reaches the user as it is, so it inherits the terminal; standard output is left to
//! our own results.

use std::collections::BTreeMap;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};

/// How long a compiler has to end after it was asked to.
const TERMINATION_TIME: Duration = Duration::from_secs(2);

/// The interval between two looks at a compiler that may have to be stopped.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Runs one command in this folder. If `stop` is set meanwhile, the command and all that it started are ended.
pub(super) fn run(
    words: &[String],
    environment: &BTreeMap<String, String>,
    folder: &Path,
    stop: Option<&AtomicBool>,
) -> Result<()> {
    let Some((program, arguments)) = words.split_first() else {
        bail!("language.toml: a step without a command");
    };
    let out = std::io::stderr().as_fd().try_clone_to_owned()?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .envs(environment)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(out);
    if stop.is_some() {
        // Compilers start others: a group ends as a whole. Ctrl-C then reaches this process only.
        command.process_group(0);
    }
    let mut child = command
        .spawn()
        .with_context(|| format!("starting {program}"))?;
    let status = match stop {
        None => child.wait()?,
        Some(stop) => wait(&mut child, stop)?,
    };
    if status.success() {
        return Ok(());
    }
    let name = Path::new(program).file_name().unwrap_or_default();
    bail!(
        "{} failed ({}); its messages are above",
        name.to_string_lossy(),
        how(status)
    )
}

fn wait(child: &mut Child, stop: &AtomicBool) -> Result<ExitStatus> {
    let mut stopped = None::<std::time::Instant>;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if stop.load(Ordering::Relaxed) {
            let signal = match stopped {
                None => Some(Signal::TERM),
                Some(since) => (since.elapsed() > TERMINATION_TIME).then_some(Signal::KILL),
            };
            if let (Some(signal), Some(group)) = (signal, Pid::from_raw(child.id().cast_signed())) {
                // It may just have ended.
                let _ = kill_process_group(group, signal);
                stopped.get_or_insert_with(std::time::Instant::now);
            }
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit code".to_owned(),
    }
}
