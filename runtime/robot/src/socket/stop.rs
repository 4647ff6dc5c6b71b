//! The stop socket: to connect to it is to press the emergency stop.
//! Started with the loop's socket, on a thread of its own. Nothing is read from a caller and nobody waits for
//! one, so a press is taken whatever others do; a connection for which there is no file descriptor presses as well.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};

use super::handler::RequestHandler;

/// The maximum number of presses that are answered together: more than a flood brings while a press takes its turn, so
/// that nobody waits behind others.
const PRESSES_MAX: usize = 256;

/// How long to wait for a file descriptor.
const SHORT_INTERVAL: Duration = Duration::from_millis(10);

const PRESS: &[u8] = br#"{"id":0,"ask":{"operate":"press"}}"#;

/// Listens on the stop socket until the process ends.
///
/// # Errors
/// The socket or the thread cannot be created.
pub(super) fn listen_for_presses(path: &Path, handler: Arc<RequestHandler>) -> io::Result<()> {
    let listener = UnixListener::bind(path)?;
    listener.set_nonblocking(true)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o666))?;
    let mut spare = reserve();
    let hear = move || {
        let mut is_short = false;
        loop {
            let mut sockets = [PollFd::new(&listener, PollFlags::IN)];
            let waiting = poll(&mut sockets, None);
            if waiting.is_err() || !sockets[0].revents().contains(PollFlags::IN) {
                continue;
            }
            let callers = accept_waiting(&listener, &mut spare);
            // Out of file descriptors, who waits there has pressed as well; but only once.
            let was_short = std::mem::replace(&mut is_short, callers.is_empty());
            if !(was_short && is_short) {
                let answer = handler.serve(PRESS, &mut io::empty(), false).line;
                for mut caller in callers {
                    // There is room for it in a new connection. Who has left does not need it.
                    let _ = writeln!(caller, "{answer}");
                }
            }
            if is_short {
                std::thread::sleep(SHORT_INTERVAL);
            }
            spare = spare.take().or_else(reserve);
        }
    };
    std::thread::Builder::new()
        .name("stop".to_owned())
        .spawn(hear)?;
    Ok(())
}

/// The connections that wait; none if there are no file descriptors for them.
fn accept_waiting(listener: &UnixListener, spare: &mut Option<File>) -> Vec<UnixStream> {
    let mut callers = Vec::new();
    while callers.len() < PRESSES_MAX {
        match listener.accept() {
            Ok((caller, _)) => callers.push(caller),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            // The spare one is for whoever waits.
            Err(_) if spare.take().is_some() => {}
            Err(_) => break,
        }
    }
    callers
}

/// A file descriptor that can be given up for a caller's.
fn reserve() -> Option<File> {
    File::open("/dev/null").ok()
}
