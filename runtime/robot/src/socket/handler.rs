//! Serves one caller: from a line to a request, and from the loop's answer to a line.
//! Used by the server, one for each connection; given bytes directly by the fuzz tests.
//! The law: whatever the bytes are, there is one line in answer, and the loop goes on.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cycle::{ActuatorId, NotNow, State};

use super::aliases::AliasTable;
use super::figure::figure;
use super::reading::{actuators, read, unknown};
use super::recording_control::RecordingControl;
use crate::event_history::EventHistory;
use crate::guest_service::GuestService;
use crate::live::{LoopAnswer, LoopRequest, Operation, RequestSender};
use crate::states::{told, way_to_running};
use ::socket::places::Places;
use ::socket::{Ask, Call, LINE_MAX, OperationWord, Outcome, Reply, Told, Trouble, VERSION, Wish};
use description::Robot;

/// How long a caller waits for the loop.
const TIMEOUT: Duration = Duration::from_secs(2);

/// How often a caller looks for its answer.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// What all connections of a loop share.
#[derive(Debug)]
pub struct RequestHandler {
    robot: Arc<Robot>,
    places: Places,
    description: String,
    layers: Vec<String>,
    service: Option<Arc<GuestService>>,
    history: Arc<EventHistory>,
    aliases: AliasTable,
    judge: Option<Box<dyn Judge>>,
    recording: Option<Box<dyn RecordingControl>>,
    answers: Mutex<AnswerTable>,
}

/// Judges a choreography before it comes in, on the thread of whoever brings it.
pub trait Judge: fmt::Debug + Send + Sync {
    /// Whether it may come in, as it is wished.
    ///
    /// # Errors
    /// What stands against it.
    fn judge(&self, component: &[u8], wish: &Wish) -> Result<(), Trouble>;
}

#[derive(Debug)]
struct AnswerTable {
    sender: RequestSender,
    next: u64,
    back: HashMap<u64, LoopAnswer>,
    /// Callers that went away before their answer came.
    forgotten: Vec<u64>,
}

/// What comes back to a caller.
#[derive(Clone, Debug)]
pub struct ServedReply {
    /// The line.
    pub line: String,
    /// Whether it is known where the caller's next line begins.
    pub aligned: bool,
}

/// Counts what is read.
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
    /// An office that passes on what is asked of `robot`, which was started by this `description`.
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
            judge: None,
            recording: None,
            answers: Mutex::new(AnswerTable {
                sender,
                next: 1,
                back: HashMap::new(),
                forgotten: Vec::new(),
            }),
        }
    }

    /// The same office, with guests.
    #[must_use]
    pub fn with(self, service: Arc<GuestService>) -> RequestHandler {
        RequestHandler {
            service: Some(service),
            ..self
        }
    }

    /// The same office, which lets nobody in unseen.
    #[must_use]
    pub fn with_judge(self, judge: Box<dyn Judge>) -> RequestHandler {
        RequestHandler {
            judge: Some(judge),
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

    pub(super) fn judge_of_guests(&self) -> Option<&dyn Judge> {
        self.judge.as_deref()
    }

    /// The same office, which tells the text of the description.
    #[must_use]
    pub fn with_layers(self, layers: Vec<String>) -> RequestHandler {
        RequestHandler { layers, ..self }
    }

    /// What happened, for those who ask; whoever shows the loop writes it down.
    pub fn history(&self) -> Arc<EventHistory> {
        Arc::clone(&self.history)
    }

    /// The guests, of a loop that takes any.
    pub(super) fn service(&self) -> Option<&GuestService> {
        self.service.as_deref()
    }

    /// Answers `line`, which came from somebody who may move the body, or may not. What a line announces
    /// is read from `more`.
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
            // What was just made of plain values can be written.
            line: serde_json::to_string(&reply).unwrap_or_default(),
            aligned,
        }
    }

    fn answer(&self, ask: Ask, more: &mut dyn Read, may_move: bool) -> Result<Told, Trouble> {
        if !(may_move || is_free(&ask)) {
            let trouble = Trouble::new(
                "not-allowed",
                "you may look, and press stop, but not move this robot",
            );
            return Err(
                trouble.fix("be its user, or root, or one of `access.users` in its description")
            );
        }
        match ask {
            Ask::Hello => Ok(self.hello()),
            Ask::Find { name } => self.find(&name),
            Ask::Events { since } => {
                let (next, happened) = self.history.since(since, &self.robot);
                Ok(Told::Events { next, happened })
            }
            Ask::Figure => Ok(Told::Figure(figure(&self.robot))),
            Ask::Description => Ok(Told::Description(self.layers.clone())),
            Ask::Names => {
                let robot = &self.robot;
                Ok(Told::Names {
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
                let told = self.aliases.make(&self.robot, name, members)?;
                Ok(Told::Aliased(told))
            }
            Ask::Record { on } => self.record(on),
            ask => match self.order(ask)? {
                Some(order) => self.carry_out(order),
                None => Ok(self.hello()),
            },
        }
    }

    /// Who is here.
    fn hello(&self) -> Told {
        Told::Here {
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
    fn record(&self, on: Option<bool>) -> Result<Told, Trouble> {
        let Some(recording) = &self.recording else {
            let trouble = Trouble::new("not-here", "this loop has no folder of recordings");
            return Err(trouble.fix(
                "run the robot by `dcm-run serve`, or record into a file: `dcm-run run --record FILE`",
            ));
        };
        if let Some(on) = on {
            recording.record(on);
        }
        Ok(Told::Recording(recording.status()))
    }

    /// The loop carries it out.
    fn carry_out(&self, order: LoopRequest) -> Result<Told, Trouble> {
        let is_press = order == LoopRequest::Operate(Operation::Press);
        let is_move = matches!(order, LoopRequest::Move(_) | LoopRequest::Schedule(_));
        match self.ask_the_loop(order)? {
            // Whoever presses stop once more is told that it is pressed.
            LoopAnswer::NotNow(NotNow::State(State::Estop)) if is_press => {
                self.tell(LoopAnswer::Became(State::Estop))
            }
            LoopAnswer::NotNow(NotNow::State(state)) if is_move => {
                let sentence = format!(
                    "nothing moves: in the state `{}` the body {}",
                    state.name(),
                    told(state).does
                );
                Err(Trouble::new("not-now", sentence).fix(way_to_running(state)))
            }
            answer => self.tell(answer),
        }
    }

    /// The places on the page that a name means.
    fn find(&self, name: &str) -> Result<Told, Trouble> {
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
        Ok(Told::Found { actuators, sensors })
    }

    /// Where the loop shows its state.
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
                Trouble::new("busy", "too many requests are on their way")
                    .fix("wait a turn and ask again")
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
                let sentence = "the loop did not answer within 2 s; it may still do what was asked";
                return Err(Trouble::new("no-answer", sentence).fix("look at `dcm-run watch`"));
            }
        }
    }

    fn answers(&self) -> std::sync::MutexGuard<'_, AnswerTable> {
        // A handler that panicked left nothing half done: every step above is one push or pop.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Everyone may ask who is there, and everyone may press stop.
fn is_free(ask: &Ask) -> bool {
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
