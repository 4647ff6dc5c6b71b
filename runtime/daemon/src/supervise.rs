//! The loop's process keeps the server's process alive: starts it, sees it end, starts it again.
//! Used by `dcm-run serve`, on a thread of its own. The law: whatever becomes of the server, the loop does
//! not notice; a server that cannot stay up is started ever more seldom, and said so.

use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Between two starts: at first, and at most.
const RESTART_DELAY_MIN: Duration = Duration::from_millis(100);
const RESTART_DELAY_MAX: Duration = Duration::from_secs(10);

/// Who has run for so long has come up.
const STABLE_AFTER: Duration = Duration::from_secs(10);

/// How often it is looked after.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A server that is kept alive.
#[derive(Debug)]
pub struct Supervised {
    closing: Arc<AtomicBool>,
    process: Arc<AtomicU32>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// Keeps what `command` starts alive, until this is dropped. What happens to it is told to `tell`.
///
/// # Errors
/// There is no thread for it.
pub fn supervise(
    command: impl Fn() -> Command + Send + 'static,
    tell: impl Fn(String) + Send + 'static,
) -> io::Result<Supervised> {
    let closing = Arc::new(AtomicBool::new(false));
    let process = Arc::new(AtomicU32::new(0));
    let (close, number) = (Arc::clone(&closing), Arc::clone(&process));
    let keep = move || {
        let mut pause = RESTART_DELAY_MIN;
        while !close.load(Ordering::Acquire) {
            let began = Instant::now();
            // It goes when its input is closed: then this process has gone, however it went.
            match command().stdin(Stdio::piped()).spawn() {
                Err(error) => tell(format!("the server cannot be started: {error}")),
                Ok(mut child) => {
                    number.store(child.id(), Ordering::Release);
                    let ended = wait(&mut child, &close);
                    number.store(0, Ordering::Release);
                    if close.load(Ordering::Acquire) {
                        return;
                    }
                    tell(format!(
                        "the server has gone ({ended}), and is started again"
                    ));
                }
            }
            if began.elapsed() >= STABLE_AFTER {
                pause = RESTART_DELAY_MIN;
            }
            sleep(pause, &close);
            pause = (pause * 2).min(RESTART_DELAY_MAX);
        }
    };
    let thread = std::thread::Builder::new()
        .name("supervisor".to_owned())
        .spawn(keep)?;
    Ok(Supervised {
        closing,
        process,
        thread: Some(thread),
    })
}

fn wait(child: &mut Child, closing: &AtomicBool) -> String {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.to_string(),
            Ok(None) => {}
            Err(error) => return error.to_string(),
        }
        if closing.load(Ordering::Acquire) {
            // Its input closes as well: it has a moment to say goodbye.
            drop(child.stdin.take());
            sleep(Duration::from_millis(500), &AtomicBool::new(false));
            let _ = child.kill();
            let _ = child.wait();
            return String::new();
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

fn sleep(time: Duration, closing: &AtomicBool) {
    let until = Instant::now() + time;
    while Instant::now() < until && !closing.load(Ordering::Acquire) {
        std::thread::sleep(POLL_INTERVAL.min(time));
    }
}

impl Supervised {
    /// The server's process; nothing while it is being started.
    pub fn process(&self) -> Option<u32> {
        Some(self.process.load(Ordering::Acquire)).filter(|it| *it != 0)
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // It ends by itself; a panic of it was told already.
            let _ = thread.join();
        }
    }
}
