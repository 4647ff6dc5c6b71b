//! The client of the socket: connects to a running loop. Used by every verb that talks to one.
//! An error names the loop that cannot be reached, and a fix.

use std::fmt;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, socket_with};

use crate::ask::Ask;
use crate::call::Call;
use crate::error_code::ErrorCode;
use crate::places::{PlaceError, Places, names};
use crate::reply::{LINE_MAX, LoopInfo, Outcome, Reply, ReplyBody, RequestError, VERSION};
use crate::reply_contents::ReplyContents;

/// How long to wait for a reply.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait until a loop has introduced itself. It needs no turn for that.
const HELLO_TIMEOUT: Duration = Duration::from_secs(3);

/// How long to wait for a reply if the loop compiles a choreography first.
const COMPILE_TIMEOUT: Duration = Duration::from_secs(300);

/// Why a request to a loop failed.
#[derive(Debug)]
pub enum CallError {
    /// No loop runs here.
    NoneRunning,
    /// Several loops run here, and the caller named none.
    Several(Vec<String>),
    /// The named loop does not run.
    NotRunning(String),
    /// Invalid name.
    Name(PlaceError),
    /// The named loop is there, and has not answered within this time.
    Silent(String, Duration),
    /// The connection broke.
    Broken(io::Error),
    /// The reply is malformed, or of the wrong kind.
    Unexpected(String),
    /// The loop is of another version: its name, its version, and that of its protocol.
    OtherVersion(String, String, u32),
    /// The loop refused the request.
    Refused(RequestError),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::NoneRunning => write!(
                f,
                "no robot is running here; fix: `dcm-run run --robot nao --sim`"
            ),
            CallError::Several(names) => {
                write!(
                    f,
                    "several robots are running here; fix: name one with --robot: {}",
                    names.join(", ")
                )
            }
            CallError::NotRunning(name) => write!(
                f,
                "no robot named `{name}` is running here; fix: `dcm-run robots` lists the robots that can be reached"
            ),
            CallError::Name(error) => write!(f, "{error}"),
            CallError::Silent(name, time) => write!(
                f,
                "the loop of `{name}` has not answered within {} s; fix: `dcm-run blackbox {name}` shows its last \
                 turns, and the process to end if it hangs",
                time.as_secs()
            ),
            CallError::Broken(error) => write!(
                f,
                "the connection to the loop broke: {error}; fix: `dcm-run robots` shows whether it still runs"
            ),
            CallError::Unexpected(line) => write!(
                f,
                "unexpected answer from the loop: {line}; fix: restart the loop: it may be of another version"
            ),
            CallError::OtherVersion(name, version, protocol) => write!(
                f,
                "`{name}` was started by version {version} (protocol {protocol}), and this is version {} (protocol \
                 {VERSION}): only `estop`, `hold`, `ps` and `stop` work; fix: restart it when the robot can stop: \
                 `dcm-run stop`",
                env!("CARGO_PKG_VERSION")
            ),
            CallError::Refused(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for CallError {}

impl CallError {
    /// Whether no loop could be reached.
    pub fn is_unreachable(&self) -> bool {
        !matches!(
            self,
            CallError::Refused(_) | CallError::Name(_) | CallError::OtherVersion(..)
        )
    }
}

/// Connects to this socket. A loop that hangs accepts nobody, and after some hundred callers connecting waits for it.
pub(crate) fn connect(path: &Path, time: Duration) -> rustix::io::Result<UnixStream> {
    let socket = socket_with(
        AddressFamily::UNIX,
        SocketType::STREAM,
        SocketFlags::CLOEXEC,
        None,
    )?;
    set_socket_timeout(&socket, Timeout::Send, Some(time))?;
    rustix::net::connect(&socket, &SocketAddrUnix::new(path)?)?;
    set_socket_timeout(&socket, Timeout::Send, None)?;
    Ok(UnixStream::from(socket))
}

/// A connection to a running loop.
#[derive(Debug)]
pub struct Caller {
    stream: BufReader<UnixStream>,
    next: u64,
    /// The request to the robot's server that is being worked on, for the log.
    pub request: Option<String>,
    /// What the loop reported about itself; the version of its protocol is 0 before that.
    pub here: LoopInfo,
}

impl Caller {
    /// Connects to the loop of this name, or to the only running one. A replay is meant only where no robot runs.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn reach(name: Option<&str>) -> Result<Caller, CallError> {
        match name {
            Some(name) => Caller::named(HELLO_TIMEOUT, name),
            None => Caller::only(HELLO_TIMEOUT),
        }
    }

    fn only(time: Duration) -> Result<Caller, CallError> {
        let reached = names()
            .into_iter()
            .map(|name| (Caller::named(time, &name), name));
        // A socket that a killed loop left behind is no robot. A loop that cannot be talked to is one: it may be meant.
        let there = reached.filter(|(reached, _)| {
            !matches!(reached, Err(CallError::NotRunning(_) | CallError::Name(_)))
        });
        let (replays, mut robots): (Vec<_>, Vec<_>) = there
            .partition(|(reached, _)| reached.as_ref().is_ok_and(|caller| caller.here.is_replay));
        // One that is just ending breaks the connection, and does not count beside others.
        let is_broken = |(reached, _): &(Result<Caller, CallError>, String)| {
            matches!(
                reached,
                Err(CallError::Broken(_) | CallError::Unexpected(_))
            )
        };
        if !robots.iter().all(is_broken) {
            robots.retain(|robot| !is_broken(robot));
        }
        let mut meant = if robots.is_empty() { replays } else { robots };
        match meant.pop() {
            None => Err(CallError::NoneRunning),
            Some((reached, _)) if meant.is_empty() => reached,
            Some(last) => {
                meant.push(last);
                Err(CallError::Several(
                    meant.into_iter().map(|(_, name)| name).collect(),
                ))
            }
        }
    }

    /// A connection to the loop of this name, which has not introduced itself yet.
    fn connected(time: Duration, name: &str) -> Result<Caller, CallError> {
        let places = Places::find(name).map_err(CallError::Name)?;
        let stream = connect(&places.socket, time).map_err(|error| match error {
            rustix::io::Errno::AGAIN => CallError::Silent(name.to_owned(), time),
            _ => CallError::NotRunning(name.to_owned()),
        })?;
        Ok(Caller {
            stream: BufReader::new(stream),
            next: 1,
            request: None,
            here: LoopInfo {
                name: name.to_owned(),
                ..LoopInfo::default()
            },
        })
    }

    fn named(time: Duration, name: &str) -> Result<Caller, CallError> {
        let mut caller = Caller::connected(time, name)?;
        caller.here = contents(caller.ask_within(time, Ask::Hello, &[])?)?;
        Ok(caller)
    }

    /// Sends a request and waits for the reply.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn ask(&mut self, ask: Ask) -> Result<ReplyBody, CallError> {
        let (ask, packed) = ask.packed();
        self.ask_within(TIMEOUT, ask, &packed)
    }

    /// Sends a request and waits for the contents of its reply.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn get<T: ReplyContents>(&mut self, ask: Ask) -> Result<T, CallError> {
        contents(self.ask(ask)?)
    }

    /// Sends a request followed by the bytes of a choreography, and waits until the loop has compiled it.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn hand_over(&mut self, ask: Ask, component: &[u8]) -> Result<ReplyBody, CallError> {
        self.ask_within(COMPILE_TIMEOUT, ask, component)
    }

    fn ask_within(
        &mut self,
        time: Duration,
        ask: Ask,
        more: &[u8],
    ) -> Result<ReplyBody, CallError> {
        let LoopInfo {
            name,
            version,
            protocol,
            ..
        } = &self.here;
        if ![0, VERSION].contains(protocol) && !ask.kind().is_of_every_version() {
            let other = CallError::OtherVersion(name.clone(), version.clone(), *protocol);
            return Err(other);
        }
        let until = Instant::now() + time;
        let call = Call {
            id: self.next,
            request: self.request.clone(),
            ask,
        };
        self.next += 1;
        let mut request = serde_json::to_string(&call)
            .map_err(|error| CallError::Unexpected(error.to_string()))?;
        if request.len() > LINE_MAX {
            // The loop would close the connection.
            let sentence = format!("the request is longer than {} KiB", LINE_MAX >> 10);
            let error = ErrorCode::TooLarge.error(sentence).fix("send it in parts");
            return Err(CallError::Refused(error));
        }
        request.push('\n');
        let out = self.stream.get_mut();
        let written = out.write_all(request.as_bytes());
        // If the loop refuses the bytes, it closes its end, and writing fails. Its reply can still be read.
        let _ = written.and_then(|()| out.write_all(more));
        read_reply(&mut self.stream, until).map_err(|error| match error {
            CallError::Broken(error) if error.kind() == ErrorKind::TimedOut => {
                CallError::Silent(self.here.name.clone(), time)
            }
            error => error,
        })
    }
}

/// The contents of a reply of the kind that was asked for.
fn contents<T: ReplyContents>(reply: ReplyBody) -> Result<T, CallError> {
    T::of(reply).map_err(CallError::Unexpected)
}

/// Reads a reply that must be whole at this instant: however slowly its bytes come, nobody waits for longer.
pub(crate) fn read_reply(
    stream: &mut BufReader<UnixStream>,
    until: Instant,
) -> Result<ReplyBody, CallError> {
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(CallError::Broken(ErrorKind::TimedOut.into()));
        }
        let limited = stream.get_ref().set_read_timeout(Some(left));
        limited.map_err(CallError::Broken)?;
        let bytes = match stream.fill_buf() {
            Ok([]) => return Err(CallError::Broken(ErrorKind::UnexpectedEof.into())),
            Ok(bytes) => bytes,
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                continue;
            }
            Err(error) => return Err(CallError::Broken(error)),
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(bytes.len(), |end| end + 1);
        line.extend_from_slice(&bytes[..taken]);
        stream.consume(taken);
    }
    let reply: Reply = serde_json::from_slice(&line)
        .map_err(|_| CallError::Unexpected(String::from_utf8_lossy(&line).trim().to_owned()))?;
    match reply.outcome {
        Outcome::Ok(body) => Ok(body),
        Outcome::Error(error) => Err(CallError::Refused(error)),
    }
}
