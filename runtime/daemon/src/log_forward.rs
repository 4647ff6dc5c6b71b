//! Sends the server's entries of the log to the loop, which keeps the history of the whole robot.
//! Started by `serve`. Whoever logs does not wait for the loop; entries that do not fit are counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use protocol::{Ask, CallError, Caller, LogEntry};

/// The most entries that wait.
const ENTRIES: usize = 1024;

/// The most entries of one request.
const BATCH: usize = 64;

/// The delay before the loop is tried again.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Sends entries to the loop of this name from now on.
///
/// # Errors
/// The thread cannot be started.
pub(crate) fn forward(name: &str) -> std::io::Result<()> {
    let (sender, waiting) = sync_channel(ENTRIES);
    let (name, lost) = (name.to_owned(), Arc::new(AtomicU64::new(0)));
    let count = Arc::clone(&lost);
    let thread = std::thread::Builder::new().name("log-forward".to_owned());
    thread.spawn(move || run(&name, &waiting, &lost))?;
    logging::listen(move |entry| {
        if sender.try_send(entry).is_err() {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    Ok(())
}

fn run(name: &str, waiting: &Receiver<LogEntry>, lost: &AtomicU64) {
    let mut caller = None;
    while let Ok(first) = waiting.recv() {
        let mut entries = vec![first];
        entries.extend(waiting.try_iter().take(BATCH - 1));
        while let Err(error) = send(&mut caller, name, entries.clone()) {
            caller = None;
            // A loop that refuses them will refuse them again.
            if matches!(error, CallError::Refused(_)) {
                break;
            }
            std::thread::sleep(RETRY_INTERVAL);
        }
        let lost = lost.swap(0, Ordering::Relaxed);
        if lost > 0 {
            tracing::warn!(
                entries = lost,
                "entries of the server are missing in the history of the log"
            );
        }
    }
}

fn send(caller: &mut Option<Caller>, name: &str, entries: Vec<LogEntry>) -> Result<(), CallError> {
    let connected = match caller.take() {
        Some(caller) => caller,
        None => Caller::reach(Some(name))?,
    };
    caller
        .insert(connected)
        .ask(Ask::Log { entries })
        .map(|_| ())
}
