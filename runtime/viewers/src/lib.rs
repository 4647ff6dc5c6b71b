//! The loop for viewers: live for Foxglove over a WebSocket, and as MCAP files.
//!
//! One thread reads the page and logs it to `topics`; `scene` is the body, `recordings` and `file` are the MCAP
//! files. The law: a viewer or a disk that is slow, full or gone delays nothing else; its error is reported.

mod file;
mod recordings;
mod scene;
mod topics;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use api::lock;
use api::recordings::RecordingFile;
pub use foxglove::WebSocketServerHandle;
use foxglove::{Context, WebSocketServer};
use sensors::PageReader;
use socket::{Figure, Guest, Happened};
use tokio::sync::{broadcast, watch};

pub use recordings::{RecordingFolder, folder};

use recordings::{OpenRecording, utc};
use scene::BodyScene;
use topics::{Topics, stamp};

/// The interval of everything but frames: shapes, the disk, whether to record.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How often the file is synced to the disk, in poll intervals.
const SYNC_EVERY: u32 = 10;

/// The attachments of a recording: name, media type, text.
pub type Attachments = Vec<(String, &'static str, String)>;

/// The loop's events, each as a JSON message.
pub type Events = broadcast::Receiver<Arc<str>>;

/// The interval of frames.
const FRAME_INTERVAL: Duration = Duration::from_millis(10);

/// The data of a loop that viewers need. The server implements it.
pub trait LoopSource: Send {
    /// The loop's page.
    fn page(&self) -> &PageReader;
    /// The number of late turns.
    fn late(&self) -> u64;
    /// The guests, as JSON; changes are signalled.
    fn guests(&self) -> watch::Receiver<Arc<str>>;
}

/// The state of recording.
#[derive(Clone, Debug, Default)]
pub struct RecordingStatus {
    /// Whether recording is on.
    pub on: bool,
    /// The file that is being written.
    pub open: Option<String>,
    /// Why recording failed.
    pub trouble: Option<String>,
}

/// The thread that serves and records the topics.
pub struct Viewers {
    shared: Arc<RecordingControl>,
    context: Arc<Context>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct RecordingControl {
    folder: RecordingFolder,
    recorded: Mutex<RecordingStatus>,
    closing: AtomicBool,
}

impl Viewers {
    /// Starts the thread. `on`: whether it records.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn of(
        source: Box<dyn LoopSource>,
        happened: Events,
        figure: Figure,
        folder: RecordingFolder,
        on: bool,
        attachments: Attachments,
    ) -> std::io::Result<Viewers> {
        let context = Context::new();
        let shared = Arc::new(RecordingControl {
            folder,
            recorded: Mutex::new(RecordingStatus {
                on,
                ..RecordingStatus::default()
            }),
            closing: AtomicBool::new(false),
        });
        let viewers = ViewerThread {
            topics: Topics::of(&context),
            scene: BodyScene::of(figure),
            happened,
            guests: source.guests(),
            source,
            context: Arc::clone(&context),
            shared: Arc::clone(&shared),
            attachments,
            open: None,
            known: Vec::new(),
            is_new: false,
        };
        let thread = std::thread::Builder::new()
            .name("viewers".to_owned())
            .spawn(move || viewers.run())?;
        Ok(Viewers {
            shared,
            context,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Serves Foxglove at this address, until the handle is dropped.
    ///
    /// # Errors
    /// The address cannot be bound.
    pub async fn serve(
        &self,
        name: &str,
        at: std::net::SocketAddr,
    ) -> Result<WebSocketServerHandle, String> {
        let server = WebSocketServer::new()
            .context(&self.context)
            .name(name)
            .message_backlog_size(256)
            .bind(at.ip().to_string(), at.port());
        server.start().await.map_err(|error| error.to_string())
    }

    /// The state of recording, and all recordings.
    pub fn recordings(&self) -> (RecordingStatus, Vec<RecordingFile>) {
        let recorded = lock(&self.shared.recorded).clone();
        let list = self.shared.folder.list(recorded.open.as_deref());
        (recorded, list)
    }

    /// Turns recording on or off.
    pub fn record(&self, on: bool) {
        let mut recorded = lock(&self.shared.recorded);
        recorded.on = on;
        recorded.trouble = None;
    }

    /// The folder of recordings.
    pub fn folder(&self) -> &RecordingFolder {
        &self.shared.folder
    }

    /// Closes the open file, and ends the thread.
    pub fn close(&self) {
        self.shared.closing.store(true, Ordering::Release);
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            // After a panic the next start repairs the file.
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct ViewerThread {
    topics: Topics,
    scene: BodyScene,
    happened: Events,
    guests: watch::Receiver<Arc<str>>,
    source: Box<dyn LoopSource>,
    context: Arc<Context>,
    shared: Arc<RecordingControl>,
    attachments: Attachments,
    open: Option<OpenRecording>,
    /// The guests that are in the open file, by number and digest.
    known: Vec<(u32, String)>,
    /// Whether the open file has no guests yet.
    is_new: bool,
}

impl ViewerThread {
    fn run(mut self) {
        let (mut next, mut next_poll, mut polls) = (Instant::now(), Instant::now(), 0);
        let mut last = 0;
        while !self.shared.closing.load(Ordering::Acquire) {
            next += FRAME_INTERVAL;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            next = next.max(Instant::now() - FRAME_INTERVAL);
            if next_poll <= Instant::now() {
                next_poll = Instant::now() + POLL_INTERVAL;
                self.poll(polls % SYNC_EVERY == 0);
                polls += 1;
            }
            self.log_events();
            self.log_guests();
            let latest = self.source.page().latest();
            if latest != last && self.is_watched() {
                last = latest;
                self.log_frame();
            }
        }
        self.close();
    }

    /// Whether anybody watches or a file is open. Otherwise no messages are made.
    fn is_watched(&self) -> bool {
        self.topics.has_viewers() || self.open.is_some()
    }

    fn log_frame(&self) {
        let late = self.source.late();
        let page = self.source.page();
        let zero = u64::try_from(page.utc_at_zero()).unwrap_or(0);
        page.read(|frame| self.topics.frame(&frame, &self.scene, zero, late));
    }

    /// Logs events, and lines that guests printed.
    fn log_events(&mut self) {
        while let Ok(text) = self.happened.try_recv() {
            let Ok(it) = serde_json::from_str::<Happened>(&text) else {
                continue;
            };
            let zero = u64::try_from(self.source.page().utc_at_zero()).unwrap_or(0);
            self.topics.event(it, zero);
        }
    }

    /// Logs the shapes again for late subscribers, and begins, syncs or ends the recording.
    fn poll(&mut self, to_disk: bool) {
        let on = lock(&self.shared.recorded).on;
        match (&self.open, on) {
            (None, true) if lock(&self.shared.recorded).trouble.is_none() => self.begin(),
            (Some(_), false) => self.close(),
            _ => {}
        }
        // The loop's time, as for all messages: the machine's clock may be set meanwhile.
        let page = self.source.page();
        let zero = u64::try_from(page.utc_at_zero()).unwrap_or(0);
        let at = zero + page.read(|frame| frame.now().nanos()).unwrap_or(0);
        self.topics.shapes(self.scene.shapes(stamp(at)), at);
        let Some(open) = &self.open else {
            return;
        };
        let kept = open.flush(to_disk);
        let is_full = open.is_full();
        if let Err(error) = kept {
            self.broken(&error);
        } else if is_full {
            let file = self.end();
            self.begin();
            // On a thread of its own, because syncing is slow. Without a thread the system writes it out later.
            let _ = std::thread::Builder::new().spawn(move || file.map(|it| it.sync_all()));
        }
    }

    /// Writes the names and digests of new guests; of all guests to a new file.
    fn log_guests(&mut self) {
        let is_known = !self.is_new && !self.guests.has_changed().unwrap_or(false);
        let (Some(open), false) = (&self.open, is_known) else {
            return;
        };
        let text = Arc::clone(&self.guests.borrow_and_update());
        let message: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let guests: Vec<Guest> =
            serde_json::from_value(message["guests"].clone()).unwrap_or_default();
        let mut noted = Ok(());
        for guest in guests {
            let one = (guest.id, guest.digest.clone());
            if self.known.contains(&one) {
                continue;
            }
            let words = [
                ("id", guest.id.to_string()),
                ("name", guest.name),
                ("world", guest.world),
                ("digest", guest.digest),
            ];
            let words = words.map(|(key, value)| (key.to_owned(), value));
            noted = noted.and_then(|()| open.note("dcm.guest", BTreeMap::from(words)));
            self.known.push(one);
        }
        self.is_new = false;
        if let Err(error) = noted {
            self.broken(&error);
        }
    }

    fn begin(&mut self) {
        let at = utc();
        self.shared.folder.make_room();
        let run = self.source.page().run();
        let begun = self.shared.folder.begin(&self.context, run, at);
        let begun = begun.and_then(|open| {
            let nanos = u64::try_from(at.as_nanos()).unwrap_or(0);
            for (name, kind, text) in &self.attachments {
                open.attach(name, kind, text, nanos)?;
            }
            let words = [
                ("run", run.to_string()),
                ("version", env!("CARGO_PKG_VERSION").to_owned()),
                ("kernel", kernel()),
            ];
            let words = words.map(|(key, value)| (key.to_owned(), value));
            open.note("dcm.run", BTreeMap::from(words))?;
            Ok(open)
        });
        match begun {
            Ok(open) => {
                lock(&self.shared.recorded).open = Some(open.name.clone());
                self.known.clear();
                self.is_new = true;
                self.open = Some(open);
            }
            Err(error) => self.fail(&format!("cannot start a recording: {error}")),
        }
    }

    fn broken(&mut self, error: &std::io::Error) {
        self.fail(&format!("cannot write the recording: {error}"));
    }

    fn fail(&mut self, why: &str) {
        self.close();
        eprintln!("{why}");
        lock(&self.shared.recorded).trouble = Some(why.to_owned());
    }

    fn close(&mut self) {
        if let Some(Err(error)) = self.end().map(|it| it.sync_all()) {
            eprintln!("cannot sync the recording: {error}");
        }
    }

    /// Ends the open file, and returns it to be synced.
    fn end(&mut self) -> Option<File> {
        let closed = self.open.take()?.close();
        // Downloads see a complete file from here on.
        lock(&self.shared.recorded).open = None;
        let report = |error| {
            eprintln!("the recording could not be closed: {error}; the next start closes it");
        };
        closed.map_err(report).ok()
    }
}

fn kernel() -> String {
    let it = rustix::system::uname();
    format!(
        "{} {} {}",
        it.sysname().to_string_lossy(),
        it.release().to_string_lossy(),
        it.machine().to_string_lossy()
    )
}

/// The attachments of a run: the description's layers, and the server's settings.
pub fn attachments(layers: Vec<String>, settings: String) -> Attachments {
    let layers = layers.into_iter().enumerate();
    let mut attachments: Attachments = layers
        .map(|(place, text)| (format!("robot-{place}.toml"), "application/toml", text))
        .collect();
    attachments.push(("dcm-run.toml".to_owned(), "application/toml", settings));
    attachments
}

/// Opens the folder of recordings in a state folder. Also returns a message for each repaired file.
pub fn open_folder(state: &Path, quota: u64) -> std::io::Result<(RecordingFolder, Vec<String>)> {
    RecordingFolder::at(folder(state), quota << 20)
}
