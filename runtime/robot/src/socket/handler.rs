//! The request handler: parses a line into a request, and makes a line of the loop's answer.
//! Shared by all connections of the server; the fuzz tests call it directly.
//! Whatever the bytes are, the reply is one line, and the loop goes on.

use std::fmt;
use std::io::Read;
use std::sync::{Arc, Mutex};

use cycle::{ActuatorId, LaneId, NotNow, State};

use super::aliases::AliasTable;
use super::answer_table::{AnswerTable, AnsweredRequest};
use super::figure::figure;
use super::following_bytes::unpacked;
use super::lane_table::ClientLanes;
use super::parse::{actuators, id_of, read};
use super::preference_book::PreferenceBook;
use super::recording_control::RecordingControl;
use crate::event_history::EventHistory;
use crate::guest_service::GuestService;
use crate::live::{LoopAnswer, LoopRequest, RequestSender, request_channel};
use crate::states::{help, way_to_running};
use ::protocol::places::Places;
use ::protocol::{
    Ask, Call, ErrorCode, GuestOptions, LINE_MAX, LogEntries, Operation, Outcome, Reply, ReplyBody,
    RequestError,
};
use description::{Robot, RobotSource};
use guests::GuestId;
use rustix::process::setpriority_process;

/// The longest name of a request, bytes.
const REQUEST_MAX: usize = 64;

/// The niceness of a caller's thread from its first request that can wait.
const CALLER_NICENESS: i32 = 5;

/// Handles the requests of all connections of a loop.
#[derive(Debug)]
pub struct RequestHandler {
    pub(super) robot: Arc<Robot>,
    pub(super) places: Places,
    pub(super) description: String,
    layers: Vec<String>,
    service: Option<Arc<GuestService>>,
    history: Arc<EventHistory>,
    pub(super) aliases: AliasTable,
    checker: Option<Box<dyn GuestChecker>>,
    pub(super) recording: Option<Box<dyn RecordingControl>>,
    pub(super) is_replay: bool,
    answers: AnswerTable,
    pub(super) preferences: PreferenceBook,
    pub(super) lanes: ClientLanes,
    /// Held while a long move is prepared: the loop prepares one at a time.
    pub(super) preparing: Mutex<()>,
}

/// Checks a choreography before it is loaded, on the caller's thread.
pub trait GuestChecker: fmt::Debug + Send + Sync {
    /// Checks whether it may be loaded with these options.
    ///
    /// # Errors
    /// Why it may not.
    fn check(&self, component: &[u8], options: &GuestOptions) -> Result<(), RequestError>;
}

/// The reply to a caller.
#[derive(Clone, Debug)]
pub struct ServedReply {
    /// The line.
    pub line: String,
    /// Whether the stream is at the beginning of the caller's next line.
    pub aligned: bool,
    /// The guest that the caller owns from now on.
    pub owned: Option<GuestId>,
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
        let preferences = PreferenceBook::of(robot.actuators.len());
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
            is_replay: false,
            answers: AnswerTable::of(sender),
            preferences,
            lanes: ClientLanes::default(),
            preparing: Mutex::default(),
        }
    }

    /// A handler for the replay of a recording: it introduces itself and finds names, and refuses everything else.
    pub fn of_replay(robot: Arc<Robot>, places: Places) -> RequestHandler {
        // The other end of the channel is gone: there is no loop.
        let (sender, _) = request_channel();
        let description = robot.name.clone();
        RequestHandler {
            is_replay: true,
            ..RequestHandler::new(robot, description, places, sender)
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

    /// Adds the control of recordings, so that they can be switched on and off.
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

    /// Adds where the description is, so that values can be kept there.
    #[must_use]
    pub fn with_source(self, source: RobotSource) -> RequestHandler {
        self.preferences.set_source(source);
        self
    }

    /// Adds the history of the log.
    #[must_use]
    pub fn with_history(self, history: Arc<EventHistory>) -> RequestHandler {
        RequestHandler { history, ..self }
    }

    /// The guests' service, if there is one.
    pub(super) fn service(&self) -> Option<&GuestService> {
        self.service.as_deref()
    }

    /// Answers `line`; `may_move` is whether its caller may move the body. Announced bytes are read from `more`.
    pub fn serve(&self, line: &[u8], more: &mut dyn Read, may_move: bool) -> ServedReply {
        let mut aligned = line.len() <= LINE_MAX;
        let mut owned = None;
        let reply = match read(line) {
            Err(error) => Reply {
                id: id_of(line),
                outcome: Outcome::Error(error),
            },
            Ok(Call { id, request, ask }) => {
                let announced = match ask {
                    Ask::Load { bytes, .. } | Ask::Swap { bytes, .. } => bytes,
                    Ask::Schedule { packed, .. } | Ask::Move { packed, .. } => packed,
                    _ => 0,
                };
                let mut counted = CountingReader {
                    from: more,
                    count: 0,
                };
                if can_wait(&ask) {
                    // Without it, a press of stop waits a little longer for a processor.
                    let _ = setpriority_process(None, CALLER_NICENESS);
                }
                // Only whoever may move the body may name a request: the name goes into the log.
                let request = request.filter(|request| may_move && request.len() <= REQUEST_MAX);
                let span = match request {
                    Some(request) => tracing::info_span!("request", request),
                    None => tracing::Span::none(),
                };
                let owns = match &ask {
                    Ask::Own { guest } => self.guest_of(guest),
                    _ => None,
                };
                let answer = span.in_scope(|| self.answer(ask, &mut counted, may_move));
                owned = owns.filter(|_| answer.is_ok());
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
            owned,
        }
    }

    fn answer(
        &self,
        ask: Ask,
        more: &mut dyn Read,
        may_move: bool,
    ) -> Result<ReplyBody, RequestError> {
        self.permit(&ask, may_move)?;
        match ask {
            Ask::Hello => Ok(self.hello()),
            Ask::Find { name } => self.find(&name),
            Ask::Events { since } => {
                let (next, events) = self.history.since(since);
                Ok(ReplyBody::Events(LogEntries { next, events }))
            }
            Ask::Log { entries } => {
                // The server's: it sends few at once, and the whole request is limited in length.
                entries
                    .into_iter()
                    .for_each(|entry| self.history.add(entry));
                Ok(ReplyBody::Done)
            }
            Ask::Faults => Ok(self.faults()),
            Ask::Figure => Ok(ReplyBody::Figure(figure(&self.robot))),
            Ask::Description => Ok(ReplyBody::Description(self.layers.clone())),
            Ask::Names => Ok(self.names()),
            Ask::Load { .. }
            | Ask::Swap { .. }
            | Ask::Guests
            | Ask::End { .. }
            | Ask::Own { .. }
            | Ask::Pause { .. }
            | Ask::ResumeGuest { .. }
            | Ask::Tune { .. } => self.guests(ask, more),
            Ask::Alias { name, members, by } => {
                self.aliases.make(&self.robot, name, &members, by)?;
                Ok(ReplyBody::Aliased(members))
            }
            Ask::Recording => self.record(None),
            Ask::Record => self.record(Some(true)),
            Ask::StopRecording => self.record(Some(false)),
            Ask::Progress { tickets, wait_ns } => self.progress(&tickets, wait_ns),
            Ask::Cancel { ticket } => self.cancel(ticket),
            Ask::Pending { of, lane } => self.pending(&of, lane.as_deref()),
            Ask::Driving { of } => self.driving(&of),
            Ask::Lanes
            | Ask::OpenLane { .. }
            | Ask::EndLane { .. }
            | Ask::FeedLane { .. }
            | Ask::TuneLane { .. } => self.lane_request(ask),
            Ask::Calibration { .. }
            | Ask::Calibrate { .. }
            | Ask::Preferences { .. }
            | Ask::TryPreference { .. }
            | Ask::KeepPreferences
            | Ask::UndoPreferences { .. } => self.preference_request(ask),
            Ask::Operate(operation @ (Operation::Arm | Operation::Resume)) => {
                self.let_move(operation)
            }
            ask => {
                let ask = unpacked(ask, more)?;
                let lane = ask.lane().map(str::to_owned);
                match self.loop_request(ask)? {
                    Some(order) => self.carry_out(order, lane.as_deref()),
                    None => Ok(self.hello()),
                }
            }
        }
    }

    /// Lets the loop carry out the request.
    pub(super) fn carry_out(
        &self,
        order: LoopRequest,
        lane: Option<&str>,
    ) -> Result<ReplyBody, RequestError> {
        let is_press = order == LoopRequest::Operate(Operation::Press);
        let is_move = matches!(order, LoopRequest::Move(_));
        let mut beyond = Vec::new();
        let answer = match order {
            LoopRequest::Move(asked) => {
                beyond = self.beyond_range(&asked);
                self.carry_out_move_in(asked, lane)?
            }
            order => self.ask_the_loop(order)?,
        };
        match answer {
            // Pressing stop again succeeds.
            LoopAnswer::NotNow(NotNow::State(State::Estop)) if is_press => {
                self.reply(LoopAnswer::Became(State::Estop))
            }
            LoopAnswer::NotNow(NotNow::State(state)) if is_move => {
                let sentence = format!(
                    "the robot cannot move: in the state `{}`, the body {}",
                    state.name(),
                    help(state).does
                );
                Err(ErrorCode::NotNow.error(sentence).fix(way_to_running(state)))
            }
            answer => Ok(self.reply(answer)?.with_clipped(beyond)),
        }
    }

    /// The path of the page.
    pub(super) fn page(&self) -> &std::path::Path {
        &self.places.page
    }

    pub(super) fn robot(&self) -> &Robot {
        &self.robot
    }

    /// The actuators that a name or an alias means.
    pub(super) fn actuators(&self, name: &str) -> Result<Vec<ActuatorId>, RequestError> {
        match self.aliases.find(name) {
            Some(members) => Ok(members),
            None => actuators(&self.robot, name),
        }
    }

    /// Sends a request to the loop, and waits for its answer.
    pub(super) fn ask_the_loop(&self, order: LoopRequest) -> Result<LoopAnswer, RequestError> {
        self.ask_the_loop_in(None, order)
    }

    /// As `ask_the_loop`, for a client's own lane.
    pub(super) fn ask_the_loop_in(
        &self,
        lane: Option<LaneId>,
        order: LoopRequest,
    ) -> Result<LoopAnswer, RequestError> {
        self.answers.ask(lane, order).map(|pair| pair.1)
    }

    /// As `ask_the_loop`, for a question that the loop fills in.
    pub(super) fn fill_in(
        &self,
        lane: Option<LaneId>,
        order: LoopRequest,
    ) -> Result<AnsweredRequest, RequestError> {
        self.answers.ask(lane, order)
    }
}

/// Whether this request may be worked out after everything else. Guests that it loads have threads that begin with its
/// niceness; they, and what a client asks for before it loads one, cannot wait.
fn can_wait(ask: &Ask) -> bool {
    !matches!(
        ask,
        Ask::Hello
            | Ask::Operate(_)
            | Ask::Guests
            | Ask::Load { .. }
            | Ask::Swap { .. }
            | Ask::Pause { .. }
            | Ask::ResumeGuest { .. }
            | Ask::End { .. }
    )
}
