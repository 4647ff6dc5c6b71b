//! What is shown to many: read once from the page, written once, sent to everybody who watches.
//! Fed by one thread of its own, and by another that asks the loop what happened; the routes subscribe.
//! The law: who is slow misses something and is told how much; nobody's slowness costs anybody else.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use api::error::ErrorCode;
use api::lock;
use sensors::{Frame, Label, PageReader};
use serde_json::{Map, Value, json};
use socket::{Ask, Caller, Happened, Told, Trouble};
use tokio::sync::{broadcast, watch};
use viewers::{Events, LoopSource};

use crate::timing::Timing;

/// From one frame of the streams to the next: what people and viewers can follow.
pub(crate) const FRAME_INTERVAL: Duration = Duration::from_millis(10);

/// From one look at what happened to the next, and at who plays.
const EVENT_INTERVAL: Duration = Duration::from_millis(50);
const GUEST_INTERVAL: Duration = Duration::from_millis(200);

/// Happenings that a slow watcher may be behind.
const EVENT_BACKLOG: usize = 1024;

/// The streams.
#[derive(Clone)]
pub struct Streams(Arc<StreamSource>);

struct StreamSource {
    page: PageReader,
    boards: Vec<String>,
    ranges: Vec<(f64, f64)>,
    labels: Arc<str>,
    all: watch::Sender<Arc<str>>,
    guests: watch::Sender<Arc<str>>,
    happened: broadcast::Sender<Arc<str>>,
    timing: Mutex<Timing>,
}

impl Streams {
    /// The streams of the loop whose page this is; they flow until the process ends. What happens is heard from the
    /// beginning of the run by the receiver that comes along.
    ///
    /// # Errors
    /// There is no thread for them.
    pub fn of(
        page: PageReader,
        name: &str,
        boards: Vec<String>,
    ) -> std::io::Result<(Streams, Events)> {
        let nothing: Arc<str> = Arc::from("");
        let timing = Timing::new(page.period());
        let shared = Arc::new(StreamSource {
            labels: Arc::from(labels(&page, &boards).to_string()),
            ranges: page.actuators().iter().map(|it| it.range).collect(),
            page,
            boards,
            all: watch::Sender::new(Arc::clone(&nothing)),
            guests: watch::Sender::new(nothing),
            happened: broadcast::Sender::new(EVENT_BACKLOG),
            timing: Mutex::new(timing),
        });
        let first = shared.happened.subscribe();
        let (frames, news, name) = (Arc::clone(&shared), Arc::clone(&shared), name.to_owned());
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        thread("frames").spawn(move || frames.show())?;
        thread("news").spawn(move || news.tell(&name))?;
        Ok((Streams(shared), first))
    }

    /// What the rows of `all` are rows of.
    pub fn labels(&self) -> Arc<str> {
        Arc::clone(&self.0.labels)
    }

    /// Frames of the whole body.
    pub fn all(&self) -> watch::Receiver<Arc<str>> {
        self.0.all.subscribe()
    }

    /// Who plays.
    pub fn guests(&self) -> watch::Receiver<Arc<str>> {
        self.0.guests.subscribe()
    }

    /// What happens.
    pub fn happened(&self) -> Events {
        self.0.happened.subscribe()
    }

    /// The loop's page.
    pub(crate) fn page(&self) -> &PageReader {
        &self.0.page
    }

    /// The names of its boards.
    pub(crate) fn boards(&self) -> &[String] {
        &self.0.boards
    }

    /// The robot's time, as of the newest turn.
    ///
    /// # Errors
    /// There has been no turn yet.
    pub(crate) fn now(&self) -> Result<cycle::Instant, Trouble> {
        self.0.page.read(|frame| frame.now()).ok_or_else(no_turn)
    }

    /// The values that an actuator may be sent.
    pub(crate) fn range(&self, actuator: usize) -> Option<(f64, f64)> {
        self.0.ranges.get(actuator).copied()
    }

    /// The number of the loop's run.
    pub fn run(&self) -> u64 {
        self.0.page.run()
    }

    /// How the turns were met.
    pub fn timing(&self) -> Timing {
        lock(&self.0.timing).clone()
    }

    /// The newest frame, by names.
    ///
    /// # Errors
    /// There has been no turn yet.
    pub fn named(&self) -> Result<Value, Trouble> {
        let page = &self.0.page;
        let (actuators, sensors) = (page.actuators(), page.sensors());
        let shown = page.read(|frame| {
            let mut body = Map::new();
            for (place, label) in actuators.iter().enumerate() {
                let value = json!({
                    "commanded": frame.commanded(place), "limited": frame.limited(place),
                    "sent": frame.sent(place), "acknowledged": frame.acknowledged(place),
                    "coverage": frame.coverage(place), "clips": frame.clips(place),
                });
                body.insert(label.name.clone(), value);
            }
            let mut read = Map::new();
            for (place, label) in sensors.iter().enumerate() {
                read.insert(label.name.clone(), json!(frame.sensor(place)));
            }
            json!({
                "turn": frame.turn(), "now_ns": frame.now().nanos(), "state": state(&frame),
                "power": frame.power(), "work_ns": frame.work().nanos(),
                "elapsed_ns": frame.elapsed().nanos(), "events": frame.events(), "actuators": body, "sensors": read,
                "boards": self.told_boards(&frame),
            })
        });
        shown.ok_or_else(no_turn)
    }

    fn told_boards(&self, frame: &Frame<'_>) -> Value {
        let boards = self.0.boards.iter().enumerate().map(|(place, name)| {
            let [acks, nacks, age, error] = frame.board(place).unwrap_or_default();
            json!({ "name": name, "acks": acks, "nacks": nacks, "age": age, "error": error })
        });
        boards.collect()
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
    /// Frame after frame.
    fn show(&self) {
        let mut next = Instant::now();
        let mut last = 0;
        loop {
            next += FRAME_INTERVAL;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            // After a while without the processor it does not run after what is gone.
            next = next.max(Instant::now() - FRAME_INTERVAL);
            lock(&self.timing).look(&self.page);
            if self.page.latest() == last || self.all.receiver_count() == 0 {
                continue;
            }
            last = self.page.latest();
            let late = lock(&self.timing).late;
            if let Some(text) = self.page.read(|frame| self.frame(&frame, late)) {
                self.all.send_replace(Arc::from(text));
            }
        }
    }

    fn frame(&self, frame: &Frame<'_>, late: u64) -> String {
        let mut text = String::with_capacity(16 << 10);
        let (now, work) = (frame.now().nanos(), frame.work().nanos());
        // A string takes whatever is written to it.
        let _ = write!(
            text,
            "{{\"topic\":\"all\",\"turn\":{},\"now_ns\":{now},\"state\":\"{}\",\"power\":{},\"work_ns\":{work},\
             \"elapsed_ns\":{},\"late\":{late}",
            frame.turn(),
            state(frame),
            frame.power(),
            frame.elapsed().nanos(),
        );
        let shape = self.page.shape();
        let actuators = 0..shape.actuators;
        row(
            &mut text,
            "commanded",
            actuators.clone().map(|it| frame.commanded(it)),
        );
        row(
            &mut text,
            "limited",
            actuators.clone().map(|it| frame.limited(it)),
        );
        row(
            &mut text,
            "sent",
            actuators.clone().map(|it| frame.sent(it)),
        );
        row(
            &mut text,
            "acknowledged",
            actuators.map(|it| frame.acknowledged(it)),
        );
        row(
            &mut text,
            "sensors",
            (0..shape.sensors).map(|it| frame.sensor(it)),
        );
        let _ = text.write_str(",\"boards\":[");
        for place in 0..shape.boards {
            let [acks, nacks, age, error] = frame.board(place).unwrap_or_default();
            let comma = if place > 0 { "," } else { "" };
            let _ = write!(text, "{comma}[{acks},{nacks},{age},{error}]");
        }
        text.push_str("]}");
        text
    }

    /// What happens, and who plays, as the loop tells it.
    fn tell(&self, name: &str) {
        let mut since = 0;
        let mut guests = Instant::now();
        loop {
            // A loop that is not there is asked again; it takes this process along when it goes.
            if let Ok(mut caller) = Caller::reach(Some(name)) {
                while self.look(&mut caller, &mut since, &mut guests).is_ok() {
                    std::thread::sleep(EVENT_INTERVAL);
                }
            }
            std::thread::sleep(EVENT_INTERVAL);
        }
    }

    fn look(
        &self,
        caller: &mut Caller,
        since: &mut u64,
        guests: &mut Instant,
    ) -> Result<(), socket::CallError> {
        if let Told::Events { next, happened } = caller.ask(Ask::Events { since: *since })? {
            *since = next;
            for it in &happened {
                // Nobody watches: then it is told to nobody.
                let _ = self.happened.send(Arc::from(told(it)));
            }
        }
        if guests.elapsed() >= GUEST_INTERVAL && self.guests.receiver_count() > 0 {
            *guests = Instant::now();
            if let Told::Guests(list) = caller.ask(Ask::Guests)? {
                let text = json!({ "topic": "guests", "guests": list }).to_string();
                self.guests.send_replace(Arc::from(text));
            }
        }
        Ok(())
    }
}

fn no_turn() -> Trouble {
    ErrorCode::NoLoop
        .trouble("there has been no turn yet")
        .fix("try again in a moment")
}

fn told(it: &Happened) -> String {
    let mut value = json!(it);
    value["topic"] = json!("event");
    value.to_string()
}

fn state(frame: &Frame<'_>) -> &'static str {
    frame.state().map_or("unknown", cycle::State::name)
}

/// A row of numbers, as short as a float of 32 bits is written: for people and pictures.
fn row(text: &mut String, name: &str, values: impl Iterator<Item = Option<f64>>) {
    let _ = write!(text, ",\"{name}\":[");
    for (place, value) in values.enumerate() {
        let comma = if place > 0 { "," } else { "" };
        let _ = match value.map(|it| it as f32).filter(|it| it.is_finite()) {
            Some(value) => write!(text, "{comma}{value}"),
            None => write!(text, "{comma}null"),
        };
    }
    text.push(']');
}

fn labels(page: &PageReader, boards: &[String]) -> Value {
    let label = |it: &Label| {
        let (lowest, highest) = it.range;
        json!({ "name": it.name, "unit": it.unit, "lowest": lowest, "highest": highest, "board": it.board })
    };
    json!({
        "topic": "labels",
        "period_ns": page.period().nanos(),
        "utc_at_zero_ns": page.utc_at_zero(),
        "run": page.run().to_string(),
        "actuators": page.actuators().iter().map(label).collect::<Vec<_>>(),
        "sensors": page.sensors().iter().map(label).collect::<Vec<_>>(),
        "boards": boards,
    })
}
