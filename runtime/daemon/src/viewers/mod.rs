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
use foxglove::{Context, WebSocketServer, WebSocketServerHandle};
use socket::{Figure, Guest, Happened};
use tokio::sync::watch;

pub(crate) use recordings::{Shelf, folder};

use crate::streams::{EACH, Happenings, Streams};
use recordings::{Open, utc};
use scene::Scene;
use topics::{Topics, stamp};

/// From one look at everything but the body to the next: shapes, the disk, what is wanted.
const SLOWLY: Duration = Duration::from_secs(1);

/// How often what was written is sent to the disk itself, in these looks.
const TO_DISK: u32 = 10;

/// What belongs to a recording besides what is logged: name, kind, text.
pub(crate) type Papers = Vec<(String, &'static str, String)>;

/// What is recorded now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    /// Whether it shall be.
    pub(crate) on: bool,
    /// The file that is written.
    pub(crate) open: Option<String>,
    /// What is wrong.
    pub(crate) trouble: Option<String>,
}

/// The viewers.
pub(crate) struct Viewers {
    shared: Arc<Shared>,
    context: Arc<Context>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    shelf: Shelf,
    recorded: Mutex<Recorded>,
    closing: AtomicBool,
}

impl Viewers {
    /// Shows what these streams show; records it if that is wanted.
    ///
    /// # Errors
    /// There is no thread for it.
    pub(crate) fn of(
        streams: &Streams,
        happened: Happenings,
        figure: Figure,
        shelf: Shelf,
        on: bool,
        papers: Papers,
    ) -> std::io::Result<Viewers> {
        let context = Context::new();
        let shared = Arc::new(Shared {
            shelf,
            recorded: Mutex::new(Recorded {
                on,
                ..Recorded::default()
            }),
            closing: AtomicBool::new(false),
        });
        let stage = Stage {
            topics: Topics::of(&context),
            scene: Scene::of(figure),
            happened,
            guests: streams.guests(),
            streams: streams.clone(),
            context: Arc::clone(&context),
            shared: Arc::clone(&shared),
            papers,
            open: None,
            known: Vec::new(),
            is_fresh: false,
        };
        let thread = std::thread::Builder::new()
            .name("viewers".to_owned())
            .spawn(move || stage.show())?;
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
    pub(crate) async fn serve(
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
    pub(crate) fn recordings(&self) -> (Recorded, Vec<RecordingFile>) {
        let recorded = lock(&self.shared.recorded).clone();
        let list = self.shared.shelf.list(recorded.open.as_deref());
        (recorded, list)
    }

    /// Says whether it shall be recorded.
    pub(crate) fn record(&self, on: bool) {
        let mut recorded = lock(&self.shared.recorded);
        recorded.on = on;
        recorded.trouble = None;
    }

    /// Where recordings are kept.
    pub(crate) fn shelf(&self) -> &Shelf {
        &self.shared.shelf
    }

    /// Ends what is written, properly.
    pub(crate) fn close(&self) {
        self.shared.closing.store(true, Ordering::Release);
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            // A thread that panicked has closed nothing; the next start does.
            let _ = thread.join();
        }
    }
}

/// The thread's own.
struct Stage {
    topics: Topics,
    scene: Scene,
    happened: Happenings,
    guests: watch::Receiver<Arc<str>>,
    streams: Streams,
    context: Arc<Context>,
    shared: Arc<Shared>,
    papers: Papers,
    open: Option<Open>,
    /// The guests that the open file knows, by number and digest.
    known: Vec<(u32, String)>,
    /// Whether the open file has been told of no guest yet.
    is_fresh: bool,
}

impl Stage {
    fn show(mut self) {
        let (mut next, mut slowly, mut looks) = (Instant::now(), Instant::now(), 0);
        let mut last = 0;
        while !self.shared.closing.load(Ordering::Acquire) {
            next += EACH;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            next = next.max(Instant::now() - EACH);
            if slowly <= Instant::now() {
                slowly = Instant::now() + SLOWLY;
                self.look(looks % TO_DISK == 0);
                looks += 1;
            }
            self.tell();
            self.cast();
            let latest = self.streams.page().latest();
            if latest != last && self.is_watched() {
                last = latest;
                self.frame();
            }
        }
        self.close();
    }

    /// Nobody watches and nothing is recorded: then nothing is made.
    fn is_watched(&self) -> bool {
        self.topics.has_viewers() || self.open.is_some()
    }

    fn frame(&self) {
        let late = self.streams.timing().late;
        let page = self.streams.page();
        let zero = u64::try_from(page.utc_at_zero()).unwrap_or(0);
        page.read(|frame| self.topics.frame(&frame, &self.scene, zero, late));
    }

    /// What happened, and what guests said.
    fn tell(&mut self) {
        while let Ok(text) = self.happened.try_recv() {
            let Ok(it) = serde_json::from_str::<Happened>(&text) else {
                continue;
            };
            let zero = u64::try_from(self.streams.page().utc_at_zero()).unwrap_or(0);
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
        let page = self.streams.page();
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
    fn cast(&mut self) {
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
        self.shared.shelf.make_room();
        let run = self.streams.run();
        let begun = self.shared.shelf.begin(&self.context, run, at);
        let begun = begun.and_then(|open| {
            let nanos = u64::try_from(at.as_nanos()).unwrap_or(0);
            for (name, kind, text) in &self.papers {
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
pub(crate) fn papers(layers: Vec<String>, settings: &crate::settings::Settings) -> Papers {
    let layers = layers.into_iter().enumerate();
    let mut papers: Papers = layers
        .map(|(place, text)| (format!("robot-{place}.toml"), "application/toml", text))
        .collect();
    let text = toml::to_string_pretty(settings).unwrap_or_default();
    papers.push(("dcm-run.toml".to_owned(), "application/toml", text));
    papers
}

/// The folder of recordings in this state folder, opened; what was found there is told.
pub(crate) fn shelf(state: &Path, quota: u64) -> std::io::Result<(Shelf, Vec<String>)> {
    Shelf::at(folder(state), quota << 20)
}
