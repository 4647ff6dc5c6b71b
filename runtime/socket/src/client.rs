//! Calls a running loop. Used by every verb that talks to one.
//! The law: whoever cannot be reached is named, with what to do about it.

use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use crate::ask::{Ask, Call};
use crate::places::{PlaceError, Places, names};
use crate::protocol::{Outcome, Reply, ReplyBody, Trouble};

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long an answer may take when something has to be compiled first.
const COMPILING: Duration = Duration::from_secs(300);

/// Why a loop could not be asked.
#[derive(Debug)]
pub enum CallError {
    /// No loop runs here.
    NoneRunning,
    /// Several run, and none was named.
    Several(Vec<String>),
    /// The loop that was named does not run.
    NotRunning(String),
    /// The name is none.
    Name(PlaceError),
    /// The connection broke.
    Broken(io::Error),
    /// It answered something that is no answer.
    Unexpected(String),
    /// It would not do what was asked.
    Trouble(Trouble),
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
                "no robot named `{name}` is running here; fix: `dcm-run run --robot {name} --sim`"
            ),
            CallError::Name(error) => write!(f, "{error}"),
            CallError::Broken(error) => write!(f, "the connection to the loop broke: {error}"),
            CallError::Unexpected(line) => write!(f, "the loop answered something strange: {line}"),
            CallError::Trouble(trouble) => write!(f, "{trouble}"),
        }
    }
}

impl std::error::Error for CallError {}

impl CallError {
    /// Whether nobody could be reached.
    pub fn is_unreachable(&self) -> bool {
        !matches!(self, CallError::Trouble(_) | CallError::Name(_))
    }
}

/// A line to a running loop.
#[derive(Debug)]
pub struct Caller {
    stream: BufReader<UnixStream>,
    next: u64,
    /// What the loop said of itself.
    pub here: LoopInfo,
}

/// What a loop says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInfo {
    /// Its name.
    pub name: String,
    /// Its robot's name.
    pub robot: String,
    /// Where it shows its state.
    pub page: PathBuf,
    /// Its process.
    pub process: u32,
    /// The description it was started with.
    pub description: String,
    /// Its boards.
    pub boards: Vec<String>,
}

impl Caller {
    /// Reaches the loop of this name, or the only one there is.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn reach(name: Option<&str>) -> Result<Caller, CallError> {
        let Some(name) = name else {
            let names = names().into_iter();
            let mut running: Vec<_> = names.filter_map(|it| Caller::named(&it).ok()).collect();
            return match running.len() {
                0 => Err(CallError::NoneRunning),
                1 => running.pop().ok_or(CallError::NoneRunning),
                _ => {
                    let names = running.into_iter().map(|it| it.here.name);
                    Err(CallError::Several(names.collect()))
                }
            };
        };
        Caller::named(name)
    }

    fn named(name: &str) -> Result<Caller, CallError> {
        let places = Places::find(name).map_err(CallError::Name)?;
        let stream = UnixStream::connect(&places.socket)
            .map_err(|_| CallError::NotRunning(name.to_owned()))?;
        stream
            .set_read_timeout(Some(TIMEOUT))
            .map_err(CallError::Broken)?;
        let mut caller = Caller {
            stream: BufReader::new(stream),
            next: 1,
            here: LoopInfo {
                name: name.to_owned(),
                robot: String::new(),
                page: PathBuf::new(),
                process: 0,
                description: String::new(),
                boards: Vec::new(),
            },
        };
        match caller.ask(Ask::Hello)? {
            ReplyBody::Here {
                name,
                robot,
                page,
                process,
                description,
                boards,
                ..
            } => {
                caller.here = LoopInfo {
                    name,
                    robot,
                    page: PathBuf::from(page),
                    process,
                    description,
                    boards,
                };
                Ok(caller)
            }
            other => Err(CallError::Unexpected(format!("{other:?}"))),
        }
    }

    /// Asks, and waits for the answer.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn ask(&mut self, ask: Ask) -> Result<ReplyBody, CallError> {
        self.ask_with(ask, &[])
    }

    /// Asks for something that is to be done with a choreography's bytes; it may have to be compiled.
    ///
    /// # Errors
    /// [`CallError`].
    pub fn hand_over(&mut self, ask: Ask, component: &[u8]) -> Result<ReplyBody, CallError> {
        let timeout = |it| self.stream.get_ref().set_read_timeout(Some(it));
        timeout(COMPILING).map_err(CallError::Broken)?;
        let told = self.ask_with(ask, component);
        let timeout = |it| self.stream.get_ref().set_read_timeout(Some(it));
        timeout(TIMEOUT).map_err(CallError::Broken)?;
        told
    }

    fn ask_with(&mut self, ask: Ask, more: &[u8]) -> Result<ReplyBody, CallError> {
        let call = Call { id: self.next, ask };
        self.next += 1;
        let mut line =
            serde_json::to_string(&call).map_err(|it| CallError::Unexpected(it.to_string()))?;
        line.push('\n');
        let out = self.stream.get_mut();
        let written = out.write_all(line.as_bytes());
        // A loop that refuses what was announced closes the way: its answer is there all the same.
        let _ = written.and_then(|()| out.write_all(more));
        let mut answer = String::new();
        let read = self
            .stream
            .read_line(&mut answer)
            .map_err(CallError::Broken)?;
        if read == 0 {
            return Err(CallError::Broken(io::ErrorKind::UnexpectedEof.into()));
        }
        let reply: Reply = serde_json::from_str(&answer)
            .map_err(|_| CallError::Unexpected(answer.trim().to_owned()))?;
        match reply.outcome {
            Outcome::Ok(told) => Ok(told),
            Outcome::Error(trouble) => Err(CallError::Trouble(trouble)),
        }
    }
}
