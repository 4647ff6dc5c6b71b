//! The server of the socket: an ordinary thread for each connection.
//! Started by the loop's process before the first turn; ends with it.
//! The law: no client can delay the loop, however slow, numerous or malicious.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::time::Duration;

use guests::GuestId;
use rustix::net::sockopt::socket_peercred;
use rustix::process::geteuid;

use super::callers::{CALLERS_MAX, CallerPlace, Callers};
use super::handler::RequestHandler;
use super::parse;
use ::socket::places::Places;
use ::socket::{Ask, LINE_MAX, Operation, Outcome, Reply, RequestError};

/// How long a caller may take to receive a reply, or to send announced bytes.
const SLOW: Duration = Duration::from_secs(5);

/// How long a caller keeps its place before it has sent a request, although others want it.
const GRACE: Duration = Duration::from_millis(100);

/// How long a caller for whom there is no place may be silent before it presses the emergency stop.
const PRESS_WITHIN: Duration = Duration::from_millis(500);

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
    let callers = Callers::new(GRACE);
    let presses = Callers::new(Duration::ZERO);
    let accept = move || {
        for stream in listener.incoming() {
            // A failed connection is ignored. If the process has too many open files, it waits.
            let Ok(stream) = stream else {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            let Ok(user) = socket_peercred(&stream).map(|it| it.uid.as_raw()) else {
                continue;
            };
            let may_move = access.allows(user);
            let place = match callers.admit(&stream, user, may_move) {
                Ok(Some(place)) => place,
                Ok(None) => {
                    match presses.admit(&stream, user, may_move) {
                        Ok(Some(place)) => hear_a_press(stream, &handler, place),
                        _ => refuse_as_busy(&stream, 0),
                    }
                    continue;
                }
                // Out of file descriptors.
                Err(_) => {
                    refuse_as_busy(&stream, 0);
                    continue;
                }
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

/// Lets a caller for whom there is no place press the emergency stop, and refuses whatever else it asks for.
fn hear_a_press(stream: UnixStream, handler: &Arc<RequestHandler>, place: CallerPlace) {
    let handler = Arc::clone(handler);
    // An error means that the caller closed the connection, or was silent.
    let serve = move || _ = serve_press(&stream, &handler, &place);
    let _ = std::thread::Builder::new()
        .name("press".to_owned())
        .stack_size(256 << 10)
        .spawn(serve);
}

/// The introduction, then the press: each read must bring whole lines, so that nobody keeps a place byte by byte.
fn serve_press(
    mut stream: &UnixStream,
    handler: &RequestHandler,
    place: &CallerPlace,
) -> io::Result<()> {
    stream.set_read_timeout(Some(PRESS_WITHIN))?;
    stream.set_write_timeout(Some(PRESS_WITHIN))?;
    let mut bytes = [0; 512];
    for _ in 0..2 {
        let read = stream.read(&mut bytes)?;
        let has_place = place.begin();
        for line in bytes[..read].split_inclusive(|byte| *byte == b'\n') {
            let is_hello = parse::read(line).is_ok_and(|call| call.ask == Ask::Hello);
            let is_heard = is_press(line) || (is_hello && has_place);
            if !is_heard {
                refuse_as_busy(stream, parse::id_of(line));
                return Ok(());
            }
            let answer = handler.serve(line, &mut io::empty(), false).line;
            writeln!(stream, "{answer}")?;
        }
        place.end();
    }
    Ok(())
}

/// Whether the line presses the emergency stop. That is done even if the caller has lost its place meanwhile.
fn is_press(line: &[u8]) -> bool {
    parse::read(line).is_ok_and(|call| call.ask == Ask::Operate(Operation::Press))
}

fn refuse_as_busy(mut stream: &UnixStream, id: u64) {
    let error = RequestError::new(
        "busy",
        format!("{CALLERS_MAX} requests of this user are being answered already"),
    );
    let reply = Reply {
        id,
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
        if read == 0 || !place.begin() && !is_press(&line) {
            return Ok(());
        }
        // Announced bytes must arrive within the timeout.
        stream.set_read_timeout(Some(SLOW))?;
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
