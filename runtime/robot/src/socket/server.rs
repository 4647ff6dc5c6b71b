//! The server of the socket: an ordinary thread for each connection.
//! Started by the loop's process before the first turn; ends with it.
//! The law: no client can delay the loop, however slow, numerous or malicious.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::net::sockopt::socket_peercred;
use rustix::process::geteuid;

use super::handler::RequestHandler;
use ::socket::places::Places;
use ::socket::{LINE_MAX, Outcome, Reply, RequestError};

/// The maximum number of connections.
pub const CALLERS_MAX: usize = 32;

/// How long a caller may take to receive a reply, or to send announced bytes.
const SLOW: Duration = Duration::from_secs(5);

/// The users who may move the body.
#[derive(Clone, Debug)]
pub struct SocketAccess {
    /// User IDs, besides this process's own and root.
    pub users: Vec<u32>,
}

impl SocketAccess {
    fn allows(&self, user: u32) -> bool {
        user == 0 || user == geteuid().as_raw() || self.users.contains(&user)
    }
}

/// Listens on the socket until the process ends, on threads of its own.
///
/// # Errors
/// The socket could not be created.
pub fn listen(
    places: &Places,
    handler: Arc<RequestHandler>,
    access: SocketAccess,
) -> io::Result<()> {
    let listener = UnixListener::bind(&places.socket)?;
    // Other users reach the socket only if its folder is open to them; their user IDs decide what they may do.
    std::fs::set_permissions(&places.socket, std::fs::Permissions::from_mode(0o666))?;
    let callers = Arc::new(AtomicUsize::new(0));
    let accept = move || {
        for stream in listener.incoming() {
            // A failed connection is ignored. If the process has too many open files, it waits.
            let Ok(stream) = stream else {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            let (handler, callers, access) =
                (Arc::clone(&handler), Arc::clone(&callers), access.clone());
            if callers.fetch_add(1, Ordering::AcqRel) >= CALLERS_MAX {
                callers.fetch_sub(1, Ordering::AcqRel);
                turn_away(stream);
                continue;
            }
            let slot = Slot(callers);
            let serve = move || {
                let _slot = slot;
                // An error means that the caller closed the connection.
                let _ = serve(&stream, &handler, &access);
            };
            // If there is no thread, the connection is closed, and the caller may try again.
            let _ = std::thread::Builder::new()
                .name("caller".to_owned())
                .stack_size(256 << 10)
                .spawn(serve);
        }
    };
    std::thread::Builder::new()
        .name("socket".to_owned())
        .spawn(accept)?;
    Ok(())
}

/// The slot of a connection; dropping it makes it free.
struct Slot(Arc<AtomicUsize>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn turn_away(mut stream: UnixStream) {
    let error = RequestError::new(
        "busy",
        format!("{CALLERS_MAX} connections are already open"),
    );
    let reply = Reply {
        id: 0,
        outcome: Outcome::Error(error.fix("close another connection")),
    };
    let line = serde_json::to_string(&reply).unwrap_or_default();
    // The connection is closed even if the caller does not receive the reason.
    let _ = stream.set_write_timeout(Some(Duration::from_millis(10)));
    let _ = writeln!(stream, "{line}");
}

fn serve(stream: &UnixStream, handler: &RequestHandler, access: &SocketAccess) -> io::Result<()> {
    let user = socket_peercred(stream)?.uid.as_raw();
    let may_move = access.allows(user);
    stream.set_write_timeout(Some(SLOW))?;
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        // One byte more than the maximum shows that a line is too long.
        let limit = LINE_MAX as u64 + 1;
        let read = reader.by_ref().take(limit).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        // Announced bytes must arrive within the timeout.
        stream.set_read_timeout(Some(SLOW))?;
        let served = handler.serve(&line, &mut reader, may_move);
        stream.set_read_timeout(None)?;
        let mut answer = served.line;
        answer.push('\n');
        let mut out = stream;
        out.write_all(answer.as_bytes())?;
        if !served.aligned {
            return Ok(());
        }
    }
}
