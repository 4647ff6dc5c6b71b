//! The streams: frames, events and guests of the loop, each serialized once for all subscribers.
//! One thread reads the page, another polls the loop for events and guests; the routes subscribe. A slow
//! subscriber loses messages and learns how many; it delays nobody else.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use network::lock;
use protocol::robot::{ActuatorState, BoardState, RobotState, StreamMessage};
use protocol::{Ask, Caller, ErrorCode, LogEntries, RequestError};
use sensors::{Frame, Label, PageReader};
use tokio::sync::{broadcast, watch};
use viewers::{Events, LoopSource};

use crate::frame_text;
use crate::memory::SharedMemory;
use crate::memory_keys::CycleFigure;
use crate::request_ends::RequestEnds;
use crate::timing::Timing;

/// The interval of frames.
pub(crate) const FRAME_INTERVAL: Duration = Duration::from_millis(10);

/// The polling intervals of events and of guests.
const EVENT_INTERVAL: Duration = Duration::from_millis(50);
const GUEST_INTERVAL: Duration = Duration::from_millis(200);

/// The age from which on a turn is old: no sooner than this, and than so many periods.
const STALE: Duration = Duration::from_secs(1);
const STALE_PERIODS: u32 = 3;

/// How many turns are looked at for touches after a pause.
const TOUCHES_FROM: u64 = 500;

/// The number of events that are buffered for a slow subscriber.
const EVENT_BACKLOG: usize = 1024;

/// The streams.
#[derive(Clone)]
pub struct Streams(Arc<StreamSource>);

struct StreamSource {
    page: PageReader,
    boards: Vec<String>,
    ranges: Vec<(f64, f64)>,
    sensor_boards: Vec<usize>,
    memory: SharedMemory,
    labels: Arc<str>,
    all: watch::Sender<Arc<str>>,
    guests: watch::Sender<Arc<str>>,
    events: broadcast::Sender<Arc<str>>,
    requests: RequestEnds,
    timing: Mutex<Timing>,
    /// When a new turn was seen.
    fresh: Mutex<Instant>,
}

impl Streams {
    /// Starts the streams of the loop with this page. They run until the process ends. The returned receiver gets all
    /// events from the beginning of the run.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn of(
        page: PageReader,
        name: &str,
        facts: &BTreeMap<String, String>,
        boards: Vec<String>,
    ) -> std::io::Result<(Streams, Events)> {
        let nothing: Arc<str> = Arc::from("");
        let timing = Timing::new(page.period());
        let sensors = page.sensors();
        let sensor_names: Vec<_> = sensors.iter().map(|sensor| sensor.name.clone()).collect();
        let shared = Arc::new(StreamSource {
            labels: StreamMessage::Labels(frame_text::labels(&page, &boards)).text(),
            sensor_boards: sensors
                .iter()
                .map(|sensor| usize::from(sensor.board))
                .collect(),
            memory: SharedMemory::of(facts, &sensor_names),
            ranges: page
                .actuators()
                .iter()
                .map(|actuator| actuator.range)
                .collect(),
            page,
            boards,
            all: watch::Sender::new(Arc::clone(&nothing)),
            guests: watch::Sender::new(nothing),
            events: broadcast::Sender::new(EVENT_BACKLOG),
            requests: RequestEnds::default(),
            timing: Mutex::new(timing),
            fresh: Mutex::new(Instant::now()),
        });
        let first = shared.events.subscribe();
        let (frames, events, name) = (Arc::clone(&shared), Arc::clone(&shared), name.to_owned());
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        thread("frames").spawn(move || frames.show())?;
        thread("events").spawn(move || events.poll_loop(&name))?;
        Ok((Streams(shared), first))
    }

    /// The names of the rows of `all`.
    pub fn labels(&self) -> Arc<str> {
        Arc::clone(&self.0.labels)
    }

    /// Frames of the whole body.
    pub fn all(&self) -> watch::Receiver<Arc<str>> {
        self.0.all.subscribe()
    }

    /// The guests.
    pub fn guests(&self) -> watch::Receiver<Arc<str>> {
        self.0.guests.subscribe()
    }

    /// The events.
    pub fn events(&self) -> Events {
        self.0.events.subscribe()
    }

    /// The ends of requests to move.
    pub fn requests(&self) -> Events {
        self.0.requests.subscribe()
    }

    /// Tells the subscribers of `requests` when this one ends.
    pub(crate) fn follow(&self, ticket: u32) {
        self.0.requests.follow(ticket);
    }

    /// The loop's page.
    pub(crate) fn page(&self) -> &PageReader {
        &self.0.page
    }

    /// Whether the body has force, if its state can be read.
    pub(crate) fn has_force(&self) -> Option<bool> {
        self.page().read(|frame| frame.power() > 0.0)
    }

    /// The names of its boards.
    pub(crate) fn boards(&self) -> &[String] {
        &self.0.boards
    }

    /// The robot's time, as of the newest turn.
    ///
    /// # Errors
    /// There has been no turn yet.
    pub(crate) fn now(&self) -> Result<cycle::Instant, RequestError> {
        self.0.page.read(|frame| frame.now()).ok_or_else(no_turn)
    }

    /// How long ago the newest turn was first seen.
    pub(crate) fn age(&self) -> Duration {
        lock(&self.0.fresh).elapsed()
    }

    /// Fails if the loop makes no turns any more: its values are old.
    ///
    /// # Errors
    /// For how long there has been none.
    pub(crate) fn is_fresh(&self) -> Result<(), RequestError> {
        let (age, period) = (self.age(), self.0.page.period().nanos());
        if age < STALE.max(Duration::from_nanos(period) * STALE_PERIODS) {
            return Ok(());
        }
        let sentence = format!("the loop has made no turn for {:.1} s", age.as_secs_f64());
        let error = ErrorCode::Stale.error(sentence);
        Err(error.fix("wait, or look at the robot: `dcm-run logs` there says what happened"))
    }

    /// The range of an actuator.
    pub(crate) fn range(&self, actuator: usize) -> Option<(f64, f64)> {
        self.0.ranges.get(actuator).copied()
    }

    /// The board of a sensor.
    pub(crate) fn board_of(&self, sensor: usize) -> Option<usize> {
        self.0.sensor_boards.get(sensor).copied()
    }

    /// A figure of the cycle, as of this turn.
    pub(crate) fn cycle_figure(&self, frame: &Frame<'_>, figure: CycleFigure) -> f64 {
        let period = self.0.page.period().seconds();
        match figure {
            CycleFigure::Time => frame.elapsed().seconds() * 1e3,
            CycleFigure::Target => period * 1e3,
            CycleFigure::Warning => period * 1.5e3,
            CycleFigure::LateTurns => lock(&self.0.timing).late as f64,
            CycleFigure::LastLate => lock(&self.0.timing).last_late as f64 / 1e9,
        }
    }

    /// The memory that clients share.
    pub(crate) fn memory(&self) -> &SharedMemory {
        &self.0.memory
    }

    /// The number of the loop's run.
    pub fn run(&self) -> u64 {
        self.0.page.run()
    }

    /// The timing of turns.
    pub fn timing(&self) -> Timing {
        lock(&self.0.timing).clone()
    }

    /// The newest frame, with names.
    ///
    /// # Errors
    /// There has been no turn yet.
    pub fn named(&self) -> Result<RobotState, RequestError> {
        let page = &self.0.page;
        page.read(|frame| {
            let actuator = |(place, label): (usize, &Label)| {
                let state = ActuatorState {
                    commanded: frame.commanded(place),
                    limited: frame.limited(place),
                    sent: frame.sent(place),
                    acknowledged: frame.acknowledged(place),
                    coverage: frame.coverage(place),
                    clips: frame.clips(place),
                };
                (label.name.clone(), state)
            };
            let sensor =
                |(place, label): (usize, &Label)| (label.name.clone(), frame.sensor(place));
            let board = |(place, name): (usize, &String)| {
                let [acks, nacks, age, error] = frame.board(place).unwrap_or_default();
                BoardState {
                    name: name.clone(),
                    acks,
                    nacks,
                    age,
                    error,
                }
            };
            RobotState {
                turn: frame.turn(),
                age_s: self.age().as_secs_f64(),
                now_ns: frame.now().nanos(),
                state: frame_text::state(&frame).to_owned(),
                power: frame.power(),
                work_ns: frame.work().nanos(),
                elapsed_ns: frame.elapsed().nanos(),
                events: frame.events(),
                actuators: page.actuators().iter().enumerate().map(actuator).collect(),
                sensors: page.sensors().iter().enumerate().map(sensor).collect(),
                boards: self.0.boards.iter().enumerate().map(board).collect(),
            }
        })
        .ok_or_else(no_turn)
    }
}

impl LoopSource for Streams {
    fn page(&self) -> &PageReader {
        &self.0.page
    }

    fn late(&self) -> u64 {
        lock(&self.0.timing).late
    }
}

impl StreamSource {
    /// The thread that sends frames.
    fn show(&self) {
        let mut next = Instant::now();
        let mut last = 0;
        loop {
            next += FRAME_INTERVAL;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            // After a pause it does not catch up on missed frames.
            next = next.max(Instant::now() - FRAME_INTERVAL);
            lock(&self.timing).look(&self.page);
            if self.page.latest() == last {
                continue;
            }
            let latest = self.page.latest();
            // Every turn that is still on the page: a touch may be shorter than a pause of this thread.
            for turn in latest.saturating_sub(TOUCHES_FROM).max(last + 1)..=latest {
                let touched = |frame: Frame<'_>| (frame.now().nanos(), self.memory.touched(&frame));
                if let Some((now_ns, touched)) = self.page.read_turn(turn, touched) {
                    self.memory.touch(now_ns, &touched);
                }
            }
            last = latest;
            *lock(&self.fresh) = Instant::now();
            if self.all.receiver_count() == 0 {
                continue;
            }
            let late = lock(&self.timing).late;
            if let Some(text) = self
                .page
                .read(|frame| frame_text::frame(&frame, self.page.shape(), late))
            {
                self.all.send_replace(Arc::from(text));
            }
        }
    }

    /// The thread that polls the loop for events and guests.
    fn poll_loop(&self, name: &str) {
        let mut since = 0;
        let mut guests = Instant::now();
        loop {
            // If the loop cannot be reached, it tries again. This process ends with the loop's.
            if let Ok(mut caller) = Caller::reach(Some(name)) {
                while self.poll(&mut caller, &mut since, &mut guests).is_ok() {
                    std::thread::sleep(EVENT_INTERVAL);
                }
            }
            std::thread::sleep(EVENT_INTERVAL);
        }
    }

    fn poll(
        &self,
        caller: &mut Caller,
        since: &mut u64,
        guests: &mut Instant,
    ) -> Result<(), protocol::CallError> {
        let log: LogEntries = caller.get(Ask::Events { since: *since })?;
        *since = log.next;
        for entry in log.events {
            self.memory.find(&entry);
            // It fails only if there are no subscribers.
            let _ = self.events.send(StreamMessage::Event(entry).text());
        }
        if guests.elapsed() >= GUEST_INTERVAL && self.guests.receiver_count() > 0 {
            *guests = Instant::now();
            let guests = caller.get(Ask::Guests)?;
            self.guests
                .send_replace(StreamMessage::Guests { guests }.text());
        }
        self.requests.poll(caller)
    }
}

fn no_turn() -> RequestError {
    ErrorCode::NoLoop
        .error("there has been no turn yet")
        .fix("try again in a moment")
}
