//! The supervisor: starts the server's process, and restarts it when it ends.
//! Used by `dcm-run serve`, in the loop's process, on a thread of its own. The server's standard input is one end of a
//! pair of sockets: it ends when that is closed, and sends a byte now and then to show that it does not hang.
//! The loop never waits for the server; the delay between restarts grows while the server keeps failing, and
//! each restart is reported.

use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The delay before a restart: the first, and the longest.
const RESTART_DELAY_MIN: Duration = Duration::from_millis(100);
const RESTART_DELAY_MAX: Duration = Duration::from_secs(2);

/// A server that ran this long counts as stable: the delay starts over.
const STABLE_AFTER: Duration = Duration::from_secs(10);

/// How often the process is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A server that sends no heartbeat for this long hangs, and is killed: until its first one, with which it begins, and
/// later. Time in which this process does not run either does not count.
const START_WITHIN: Duration = Duration::from_secs(30);
const HUNG_AFTER: Duration = Duration::from_secs(5);

/// A supervised server. Dropping it ends the server.
#[derive(Debug)]
pub struct Supervised {
    closing: Arc<AtomicBool>,
    process: Arc<AtomicU32>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// Runs `command`, and runs it again whenever its process ends. `report` receives a message for each restart.
///
/// # Errors
/// The thread cannot be started.
pub fn supervise(
    command: impl Fn() -> Command + Send + 'static,
    report: impl Fn(String) + Send + 'static,
) -> io::Result<Supervised> {
    let closing = Arc::new(AtomicBool::new(false));
    let process = Arc::new(AtomicU32::new(0));
    let (close, number) = (Arc::clone(&closing), Arc::clone(&process));
    let run = move || {
        let mut delay = RESTART_DELAY_MIN;
        while !close.load(Ordering::Acquire) {
            let began = Instant::now();
            // The server ends when its standard input closes, so it also ends if this process dies.
            match spawn(command()) {
                Err(error) => report(format!("cannot start the server: {error}")),
                Ok((mut child, input)) => {
                    number.store(child.id(), Ordering::Release);
                    let ended = wait(&mut child, input, &close);
                    number.store(0, Ordering::Release);
                    if close.load(Ordering::Acquire) {
                        return;
                    }
                    report(format!("the server has ended ({ended}); restarting it"));
                }
            }
            if began.elapsed() >= STABLE_AFTER {
                delay = RESTART_DELAY_MIN;
            }
            sleep(delay, &close);
            delay = (delay * 2).min(RESTART_DELAY_MAX);
        }
    };
    let thread = std::thread::Builder::new()
        .name("supervisor".to_owned())
        .spawn(run)?;
    Ok(Supervised {
        closing,
        process,
        thread: Some(thread),
    })
}

/// Starts a server. Returns it with the other end of its standard input.
fn spawn(mut command: Command) -> io::Result<(Child, UnixStream)> {
    let (own, input) = UnixStream::pair()?;
    own.set_nonblocking(true)?;
    let child = command.stdin(Stdio::from(OwnedFd::from(input))).spawn()?;
    Ok((child, own))
}

fn wait(child: &mut Child, mut input: UnixStream, closing: &AtomicBool) -> String {
    let (mut silent, mut limit) = (Duration::ZERO, START_WITHIN);
    let mut killed = None;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return killed.unwrap_or_else(|| status.to_string()),
            Ok(None) => {}
            Err(error) => return error.to_string(),
        }
        if closing.load(Ordering::Acquire) {
            // Closing its input asks it to end; it is killed if it has not ended in time. The byte before says that
            // this process closes it, and has not died.
            let _ = input.write(b".");
            drop(input);
            sleep(Duration::from_millis(500), &AtomicBool::new(false));
            let _ = child.kill();
            let _ = child.wait();
            return String::new();
        }
        std::thread::sleep(POLL_INTERVAL);
        if matches!(input.read(&mut [0; 64]), Ok(1..)) {
            (silent, limit) = (Duration::ZERO, HUNG_AFTER);
            continue;
        }
        silent += POLL_INTERVAL;
        if silent >= limit && killed.is_none() {
            // An error means that it has just ended.
            let _ = child.kill();
            killed = Some(format!("killed, because it hung for {} s", limit.as_secs()));
        }
    }
}

fn sleep(time: Duration, closing: &AtomicBool) {
    let until = Instant::now() + time;
    while Instant::now() < until && !closing.load(Ordering::Acquire) {
        std::thread::sleep(POLL_INTERVAL.min(time));
    }
}

impl Supervised {
    /// The server's process id; `None` between two starts.
    pub fn process(&self) -> Option<u32> {
        Some(self.process.load(Ordering::Acquire)).filter(|value| *value != 0)
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was printed already.
            let _ = thread.join();
        }
    }
}
