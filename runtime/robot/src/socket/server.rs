//! The server of the socket: an ordinary thread for each connection.
//! Started by the loop's process before the first turn; ends with it.
//! No client can delay the loop, however slow, numerous or malicious.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::time::Duration;

use guests::GuestId;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::sockopt::socket_peercred;
use rustix::process::geteuid;

use super::callers::{CallerPlace, Callers};
use super::handler::RequestHandler;
use super::stop::listen_for_presses;
use ::protocol::places::Places;
use ::protocol::{Call, ErrorCode, LINE_MAX, Outcome, Reply, raise_open_files};

/// How long a caller may take to receive a reply, or to send announced bytes.
const SLOW: Duration = Duration::from_secs(5);

/// How long a caller keeps its place before it has sent a request, although others want it.
const GRACE: Duration = Duration::from_millis(100);

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
    if !handler.is_replay {
        listen_for_presses(&places.stop, Arc::clone(&handler))?;
    }
    let callers = Callers::new(GRACE, raise_open_files());
    let accept = move || {
        for stream in listener.incoming() {
            // A failed connection is ignored. If the process has too many open files, it waits.
            let Ok(stream) = stream else {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            let Ok(user) = socket_peercred(&stream).map(|peer| peer.uid.as_raw()) else {
                continue;
            };
            let may_move = access.allows(user);
            let stream = Arc::new(stream);
            let Some(place) = callers.admit(&stream, user, may_move) else {
                refuse_as_busy(&stream);
                continue;
            };
            let handler = Arc::clone(&handler);
            let serve = move || {
                let mut owned = None;
                // An error means that the caller closed the connection.
                let _ = serve(&stream, &handler, &place, may_move, &mut owned);
                drop(place);
                if let Some(guest) = owned {
                    handler.owner_has_gone(guest);
                }
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

fn refuse_as_busy(mut stream: &UnixStream) {
    let error = ErrorCode::Busy.error("all connections that this user may have are being answered");
    let reply = Reply {
        id: 0,
        outcome: Outcome::Error(error.fix("wait until one of them is answered")),
    };
    let line = serde_json::to_string(&reply).unwrap_or_default();
    // There is room for it, because little was sent before. The connection is closed even if the caller
    // does not receive the reason.
    let _ = stream.set_nonblocking(true);
    let _ = writeln!(stream, "{line}");
}

fn serve(
    stream: &UnixStream,
    handler: &RequestHandler,
    place: &CallerPlace,
    may_move: bool,
    owned: &mut Option<GuestId>,
) -> io::Result<()> {
    stream.set_write_timeout(Some(SLOW))?;
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        // One byte more than the maximum shows that a line is too long.
        let limit = LINE_MAX as u64 + 1;
        let read = reader.by_ref().take(limit).read_until(b'\n', &mut line)?;
        if read == 0 || !place.begin() {
            return Ok(());
        }
        // Announced bytes must arrive within the timeout.
        stream.set_read_timeout(Some(SLOW))?;
        // Whoever gave up on a loop that stood still was told that nothing was done.
        if has_hung_up(stream) && !outlives_caller(&line) {
            return Ok(());
        }
        let served = handler.serve(&line, &mut reader, may_move);
        stream.set_read_timeout(None)?;
        let mut answer = served.line;
        answer.push('\n');
        let mut out = stream;
        *owned = served.owned.or(*owned);
        out.write_all(answer.as_bytes())?;
        // An owner keeps its place.
        if owned.is_none() {
            place.end();
        }
        if !served.aligned {
            return Ok(());
        }
    }
}

/// Whether a request is carried out although nobody waits for the reply.
fn outlives_caller(line: &[u8]) -> bool {
    serde_json::from_slice(line).is_ok_and(|call: Call| call.ask.kind().outlives_caller())
}

/// Whether the other end is closed, and not only for sending.
fn has_hung_up(stream: &UnixStream) -> bool {
    let mut sockets = [PollFd::new(stream, PollFlags::empty())];
    let now = Timespec::default();
    poll(&mut sockets, Some(&now)).is_ok() && sockets[0].revents().contains(PollFlags::HUP)
}
