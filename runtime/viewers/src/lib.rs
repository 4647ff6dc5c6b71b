//! What viewers of robots know: the loop as Foxglove shows it, live over a WebSocket and written to MCAP files.
//!
//! One thread reads the page and logs it; `scene` is the body, `recordings` and `file` are what is kept. The
//! law: a viewer or a disk that is slow, full or gone costs nobody else anything, and is told.

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

/// From one look at everything but the body to the next: shapes, the disk, what is wanted.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How often what was written is sent to the disk itself, in these looks.
const SYNC_EVERY: u32 = 10;

/// What belongs to a recording besides what is logged: name, kind, text.
pub type Attachments = Vec<(String, &'static str, String)>;

/// What happens to the loop, one message of JSON after the other.
pub type Events = broadcast::Receiver<Arc<str>>;

/// From one frame for viewers to the next.
const FRAME_INTERVAL: Duration = Duration::from_millis(10);

/// What the viewers read of a loop.
pub trait LoopSource: Send {
    /// The loop's page.
    fn page(&self) -> &PageReader;
    /// How many turns began late.
    fn late(&self) -> u64;
    /// Who plays, as JSON, whenever that changes.
    fn guests(&self) -> watch::Receiver<Arc<str>>;
}

/// What is recorded now.
#[derive(Clone, Debug, Default)]
pub struct RecordingStatus {
    /// Whether it shall be.
    pub on: bool,
    /// The file that is written.
    pub open: Option<String>,
    /// What is wrong.
    pub trouble: Option<String>,
}

/// The viewers.
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
    /// Shows what these streams show; records it if that is wanted.
    ///
    /// # Errors
    /// There is no thread for it.
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
            is_fresh: false,
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
    /// Nobody can listen there.
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

    /// All recordings, and how it stands with the one that is written.
    pub fn recordings(&self) -> (RecordingStatus, Vec<RecordingFile>) {
        let recorded = lock(&self.shared.recorded).clone();
        let list = self.shared.folder.list(recorded.open.as_deref());
        (recorded, list)
    }

    /// Says whether it shall be recorded.
    pub fn record(&self, on: bool) {
        let mut recorded = lock(&self.shared.recorded);
        recorded.on = on;
        recorded.trouble = None;
    }

    /// Where recordings are kept.
    pub fn folder(&self) -> &RecordingFolder {
        &self.shared.folder
    }

    /// Ends what is written, properly.
    pub fn close(&self) {
        self.shared.closing.store(true, Ordering::Release);
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            // A thread that panicked has closed nothing; the next start does.
            let _ = thread.join();
        }
    }
}

/// The thread's own.
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
    /// The guests that the open file knows, by number and digest.
    known: Vec<(u32, String)>,
    /// Whether the open file has been told of no guest yet.
    is_fresh: bool,
}

impl ViewerThread {
    fn run(mut self) {
        let (mut next, mut slowly, mut looks) = (Instant::now(), Instant::now(), 0);
        let mut last = 0;
        while !self.shared.closing.load(Ordering::Acquire) {
            next += FRAME_INTERVAL;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            next = next.max(Instant::now() - FRAME_INTERVAL);
            if slowly <= Instant::now() {
                slowly = Instant::now() + POLL_INTERVAL;
                self.look(looks % SYNC_EVERY == 0);
                looks += 1;
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

    /// Nobody watches and nothing is recorded: then nothing is made.
    fn is_watched(&self) -> bool {
        self.topics.has_viewers() || self.open.is_some()
    }

    fn log_frame(&self) {
        let late = self.source.late();
        let page = self.source.page();
        let zero = u64::try_from(page.utc_at_zero()).unwrap_or(0);
        page.read(|frame| self.topics.frame(&frame, &self.scene, zero, late));
    }

    /// What happened, and what guests said.
    fn log_events(&mut self) {
        while let Ok(text) = self.happened.try_recv() {
            let Ok(it) = serde_json::from_str::<Happened>(&text) else {
                continue;
            };
            let zero = u64::try_from(self.source.page().utc_at_zero()).unwrap_or(0);
            self.topics.happened(it, zero);
        }
    }

    /// Shapes for those who come late; the recording begun, kept or ended as is wanted.
    fn look(&mut self, to_disk: bool) {
        let on = lock(&self.shared.recorded).on;
        match (&self.open, on) {
            (None, true) if lock(&self.shared.recorded).trouble.is_none() => self.begin(),
            (Some(_), false) => self.close(),
            _ => {}
        }
        // By the loop's time, as everything: the machine's clock may be set meanwhile.
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
            // The disk takes its time; what goes on is not to wait for it. Without a thread the system writes it out.
            let _ = std::thread::Builder::new().spawn(move || file.map(|it| it.sync_all()));
        }
    }

    /// The digests of those who came since they were last told; of all of them in a file that has just begun.
    fn log_guests(&mut self) {
        let is_told = !self.is_fresh && !self.guests.has_changed().unwrap_or(false);
        let (Some(open), false) = (&self.open, is_told) else {
            return;
        };
        let text = Arc::clone(&self.guests.borrow_and_update());
        let told: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let guests: Vec<Guest> = serde_json::from_value(told["guests"].clone()).unwrap_or_default();
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
        self.is_fresh = false;
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
                self.is_fresh = true;
                self.open = Some(open);
            }
            Err(error) => self.fail(&format!("no recording can be made: {error}")),
        }
    }

    fn broken(&mut self, error: &std::io::Error) {
        self.fail(&format!("the recording cannot be written: {error}"));
    }

    fn fail(&mut self, why: &str) {
        self.close();
        eprintln!("{why}");
        lock(&self.shared.recorded).trouble = Some(why.to_owned());
    }

    fn close(&mut self) {
        if let Some(Err(error)) = self.end().map(|it| it.sync_all()) {
            eprintln!("the recording did not reach the disk: {error}");
        }
    }

    /// Ends the file that is written; what of it is still to reach the disk.
    fn end(&mut self) -> Option<File> {
        let closed = self.open.take()?.close();
        // Only now is it whole for whoever fetches it.
        lock(&self.shared.recorded).open = None;
        let told =
            |error| eprintln!("the recording could not be closed: {error}; the next start does it");
        closed.map_err(told).ok()
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

/// What lasts of a run besides what is logged: the description's layers, and how the server is run.
pub fn attachments(layers: Vec<String>, settings: String) -> Attachments {
    let layers = layers.into_iter().enumerate();
    let mut attachments: Attachments = layers
        .map(|(place, text)| (format!("robot-{place}.toml"), "application/toml", text))
        .collect();
    attachments.push(("dcm-run.toml".to_owned(), "application/toml", settings));
    attachments
}

/// The folder of recordings in this state folder, opened; what was found there is told.
pub fn open_folder(state: &Path, quota: u64) -> std::io::Result<(RecordingFolder, Vec<String>)> {
    RecordingFolder::at(folder(state), quota << 20)
}
