//! The request handler: parses a line into a request, and makes a line of the loop's answer.
//! Shared by all connections of the server; the fuzz tests call it directly.
//! The law: whatever the bytes are, the reply is one line, and the loop goes on.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cycle::{ActuatorId, NotNow, State};

use super::aliases::AliasTable;
use super::figure::figure;
use super::parse::{actuators, read, unknown};
use super::recording_control::RecordingControl;
use crate::event_history::EventHistory;
use crate::guest_service::GuestService;
use crate::live::{LoopAnswer, LoopRequest, Operation, RequestSender};
use crate::states::{help, way_to_running};
use ::socket::places::Places;
use ::socket::{
    Ask, Call, LINE_MAX, OperationWord, Outcome, Reply, ReplyBody, Trouble, VERSION, Wish,
};
use description::Robot;

/// How long a request waits for the loop.
const TIMEOUT: Duration = Duration::from_secs(2);

/// How often a request polls for its answer.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// Handles the requests of all connections of a loop.
#[derive(Debug)]
pub struct RequestHandler {
    robot: Arc<Robot>,
    places: Places,
    description: String,
    layers: Vec<String>,
    service: Option<Arc<GuestService>>,
    history: Arc<EventHistory>,
    aliases: AliasTable,
    checker: Option<Box<dyn GuestChecker>>,
    recording: Option<Box<dyn RecordingControl>>,
    answers: Mutex<AnswerTable>,
}

/// Checks a choreography before it is loaded, on the caller's thread.
pub trait GuestChecker: fmt::Debug + Send + Sync {
    /// Checks whether it may be loaded with this wish.
    ///
    /// # Errors
    /// Why it may not.
    fn check(&self, component: &[u8], wish: &Wish) -> Result<(), Trouble>;
}

#[derive(Debug)]
struct AnswerTable {
    sender: RequestSender,
    next: u64,
    back: HashMap<u64, LoopAnswer>,
    /// The tokens of requests that timed out before their answer came.
    forgotten: Vec<u64>,
}

/// The reply to a caller.
#[derive(Clone, Debug)]
pub struct ServedReply {
    /// The line.
    pub line: String,
    /// Whether the stream is at the beginning of the caller's next line.
    pub aligned: bool,
}

/// Counts the bytes that are read.
struct CountingReader<'r> {
    from: &'r mut dyn Read,
    count: u64,
}

impl Read for CountingReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(into)?;
        self.count += read as u64;
        Ok(read)
    }
}

impl RequestHandler {
    /// A handler for the loop of `robot`, which was started with this `description`.
    pub fn new(
        robot: Arc<Robot>,
        description: String,
        places: Places,
        sender: RequestSender,
    ) -> RequestHandler {
        RequestHandler {
            robot,
            places,
            description,
            layers: Vec::new(),
            service: None,
            history: Arc::default(),
            aliases: AliasTable::default(),
            checker: None,
            recording: None,
            answers: Mutex::new(AnswerTable {
                sender,
                next: 1,
                back: HashMap::new(),
                forgotten: Vec::new(),
            }),
        }
    }

    /// Adds guests.
    #[must_use]
    pub fn with(self, service: Arc<GuestService>) -> RequestHandler {
        RequestHandler {
            service: Some(service),
            ..self
        }
    }

    /// Adds a check of choreographies before they are loaded.
    #[must_use]
    pub fn with_checker(self, checker: Box<dyn GuestChecker>) -> RequestHandler {
        RequestHandler {
            checker: Some(checker),
            ..self
        }
    }

    /// The same office, whose run can be recorded.
    #[must_use]
    pub fn with_recording(self, recording: Box<dyn RecordingControl>) -> RequestHandler {
        RequestHandler {
            recording: Some(recording),
            ..self
        }
    }

    pub(super) fn checker(&self) -> Option<&dyn GuestChecker> {
        self.checker.as_deref()
    }

    /// Adds the text of the description.
    #[must_use]
    pub fn with_layers(self, layers: Vec<String>) -> RequestHandler {
        RequestHandler { layers, ..self }
    }

    /// The event history; the thread that shows the loop writes it.
    pub fn history(&self) -> Arc<EventHistory> {
        Arc::clone(&self.history)
    }

    /// The guests' service, if there is one.
    pub(super) fn service(&self) -> Option<&GuestService> {
        self.service.as_deref()
    }

    /// Answers `line`; `may_move` is whether its caller may move the body. Announced bytes are read from `more`.
    pub fn serve(&self, line: &[u8], more: &mut dyn Read, may_move: bool) -> ServedReply {
        let mut aligned = line.len() <= LINE_MAX;
        let reply = match read(line) {
            Err(trouble) => Reply {
                id: 0,
                outcome: Outcome::Error(trouble),
            },
            Ok(Call { id, ask }) => {
                let announced = match ask {
                    Ask::Load { bytes, .. } | Ask::Swap { bytes, .. } => bytes,
                    _ => 0,
                };
                let mut counted = CountingReader {
                    from: more,
                    count: 0,
                };
                let answer = self.answer(ask, &mut counted, may_move);
                aligned &= counted.count == announced;
                Reply {
                    id,
                    outcome: answer.map_or_else(Outcome::Error, Outcome::Ok),
                }
            }
        };
        ServedReply {
            // Serializing plain values cannot fail.
            line: serde_json::to_string(&reply).unwrap_or_default(),
            aligned,
        }
    }

    fn answer(&self, ask: Ask, more: &mut dyn Read, may_move: bool) -> Result<ReplyBody, Trouble> {
        if !(may_move || is_open_to_all(&ask)) {
            let trouble = Trouble::new(
                "not-allowed",
                "you may read and press stop, but not move this robot",
            );
            return Err(trouble.fix(
                "run as its user or root, or add the user to `access.users` in the description",
            ));
        }
        match ask {
            Ask::Hello => Ok(self.hello()),
            Ask::Find { name } => self.find(&name),
            Ask::Events { since } => {
                let (next, happened) = self.history.since(since, &self.robot);
                Ok(ReplyBody::Events { next, happened })
            }
            Ask::Figure => Ok(ReplyBody::Figure(figure(&self.robot))),
            Ask::Description => Ok(ReplyBody::Description(self.layers.clone())),
            Ask::Names => {
                let robot = &self.robot;
                Ok(ReplyBody::Names {
                    actuators: robot.actuators.iter().map(|it| it.path.clone()).collect(),
                    sensors: robot.sensors.iter().map(|it| it.path.clone()).collect(),
                })
            }
            Ask::Load { .. }
            | Ask::Swap { .. }
            | Ask::Guests
            | Ask::End { .. }
            | Ask::Pause { .. }
            | Ask::Tune { .. } => self.guests(ask, more),
            Ask::Alias { name, members } => {
                let members = self.aliases.make(&self.robot, name, members)?;
                Ok(ReplyBody::Aliased(members))
            }
            Ask::Record { on } => self.record(on),
            ask => match self.loop_request(ask)? {
                Some(order) => self.carry_out(order),
                None => Ok(self.hello()),
            },
        }
    }

    /// Which loop this is.
    fn hello(&self) -> ReplyBody {
        ReplyBody::Here {
            protocol: VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            name: self.places.name.clone(),
            robot: self.robot.name.clone(),
            page: self.places.page.display().to_string(),
            process: std::process::id(),
            description: self.description.clone(),
            boards: self.robot.boards.iter().map(|it| it.name.clone()).collect(),
        }
    }

    /// Switches the recording of this run, if that is asked; says how it stands.
    fn record(&self, on: Option<bool>) -> Result<ReplyBody, Trouble> {
        let Some(recording) = &self.recording else {
            let trouble = Trouble::new("not-here", "this loop has no folder of recordings");
            return Err(trouble.fix(
                "run the robot by `dcm-run serve`, or record into a file: `dcm-run run --record FILE`",
            ));
        };
        if let Some(on) = on {
            recording.record(on);
        }
        Ok(ReplyBody::Recording(recording.status()))
    }

    /// Lets the loop carry out the request.
    fn carry_out(&self, order: LoopRequest) -> Result<ReplyBody, Trouble> {
        let is_press = order == LoopRequest::Operate(Operation::Press);
        let is_move = matches!(order, LoopRequest::Move(_) | LoopRequest::Schedule(_));
        match self.ask_the_loop(order)? {
            // Pressing stop again succeeds.
            LoopAnswer::NotNow(NotNow::State(State::Estop)) if is_press => {
                self.reply(LoopAnswer::Became(State::Estop))
            }
            LoopAnswer::NotNow(NotNow::State(state)) if is_move => {
                let sentence = format!(
                    "the robot cannot move: in the state `{}` the body {}",
                    state.name(),
                    help(state).does
                );
                Err(Trouble::new("not-now", sentence).fix(way_to_running(state)))
            }
            answer => self.reply(answer),
        }
    }

    /// The indices on the page that a name means.
    fn find(&self, name: &str) -> Result<ReplyBody, Trouble> {
        let sensors: Vec<_> = self.robot.sensor(name).iter().map(|it| it.0).collect();
        let actuators = match self.actuators(name) {
            Ok(ids) => ids.iter().map(|it| it.0).collect(),
            Err(_) if !sensors.is_empty() => Vec::new(),
            Err(_) => {
                let sensors = self.robot.sensors.iter().map(|it| it.name.as_str());
                let known = self.robot.actuators.iter().map(|it| it.name.as_str());
                let aliases = self.robot.aliases.iter().map(|it| it.0.as_str());
                return Err(unknown("value", name, sensors.chain(known).chain(aliases)));
            }
        };
        Ok(ReplyBody::Found { actuators, sensors })
    }

    /// The path of the page.
    pub(super) fn page(&self) -> &std::path::Path {
        &self.places.page
    }

    pub(super) fn robot(&self) -> &Robot {
        &self.robot
    }

    /// The actuators that a name or an alias means.
    pub(super) fn actuators(&self, name: &str) -> Result<Vec<ActuatorId>, Trouble> {
        let found = actuators(&self.robot, name);
        found.or_else(|unknown| self.aliases.find(name).ok_or(unknown))
    }

    pub(super) fn ask_the_loop(&self, order: LoopRequest) -> Result<LoopAnswer, Trouble> {
        let gone = || Trouble::new("gone", "the loop has ended");
        let token = {
            let mut answers = self.answers();
            let token = answers.next;
            answers.next += 1;
            if answers.sender.is_abandoned() {
                return Err(gone());
            }
            answers.sender.send(token, order).map_err(|_| {
                Trouble::new("busy", "too many requests are pending")
                    .fix("wait a turn and try again")
            })?;
            token
        };
        let until = Instant::now() + TIMEOUT;
        loop {
            std::thread::sleep(POLL_INTERVAL);
            let mut answers = self.answers();
            answers.collect();
            if let Some(answer) = answers.back.remove(&token) {
                return Ok(answer);
            }
            if answers.sender.is_abandoned() {
                return Err(gone());
            }
            if Instant::now() > until {
                answers.forgotten.push(token);
                let sentence =
                    "the loop did not answer within 2 s, and may still carry out the request";
                return Err(Trouble::new("no-answer", sentence).fix("look at `dcm-run watch`"));
            }
        }
    }

    fn answers(&self) -> std::sync::MutexGuard<'_, AnswerTable> {
        // A panic leaves nothing inconsistent: each step is one push or pop.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether everyone may send this request: those that change nothing, and the emergency stop.
fn is_open_to_all(ask: &Ask) -> bool {
    matches!(
        ask,
        Ask::Hello
            | Ask::Find { .. }
            | Ask::Guests
            | Ask::Figure
            | Ask::Names
            | Ask::Description
            | Ask::Record { on: None }
            | Ask::Events { .. }
            | Ask::Operate(OperationWord::Press)
    )
}

impl AnswerTable {
    fn collect(&mut self) {
        while let Some(request) = self.sender.back() {
            match self.forgotten.iter().position(|it| *it == request.token) {
                Some(place) => drop(self.forgotten.swap_remove(place)),
                None => drop(self.back.insert(request.token, request.answer)),
            }
        }
    }
}
