//! Shows a loop in Foxglove, live over a WebSocket, and draws recorded turns in the same way.
//!
//! One thread reads the page and sends its frames; `topics` are the channels, `scene` draws the body, `recorded` draws
//! a turn for a recording. Called by the server and by the recorder. A slow viewer, or one that has gone,
//! delays nobody else.

mod recorded;
mod scene;
mod topics;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub use foxglove::WebSocketServerHandle;
use foxglove::{Context, WebSocketServer};
use network::lock;
use protocol::{Figure, LogEntry};
pub use recorded::{RecordedBody, TopicSchema};
use sensors::PageReader;
use tokio::sync::broadcast;

use scene::BodyScene;
use topics::{Topics, stamp};

/// From one look at everything but the body to the next: shapes for those who come late.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

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
}

/// The viewers.
pub struct Viewers {
    closing: Arc<AtomicBool>,
    context: Arc<Context>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Viewers {
    /// Shows what these streams show.
    ///
    /// # Errors
    /// There is no thread for it.
    pub fn of(
        source: Box<dyn LoopSource>,
        events: Events,
        figure: Figure,
    ) -> std::io::Result<Viewers> {
        let context = Context::new();
        let closing = Arc::new(AtomicBool::new(false));
        let viewers = ViewerThread {
            topics: Topics::of(&context),
            scene: BodyScene::of(figure),
            events,
            source,
            closing: Arc::clone(&closing),
        };
        let thread = std::thread::Builder::new()
            .name("viewers".to_owned())
            .spawn(move || viewers.run())?;
        Ok(Viewers {
            closing,
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

    /// Ends the thread.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Release);
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

/// The thread's own.
struct ViewerThread {
    topics: Topics,
    scene: BodyScene,
    events: Events,
    source: Box<dyn LoopSource>,
    closing: Arc<AtomicBool>,
}

impl ViewerThread {
    fn run(mut self) {
        let (mut next, mut slowly) = (Instant::now(), Instant::now());
        let mut last = 0;
        while !self.closing.load(Ordering::Acquire) {
            next += FRAME_INTERVAL;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            next = next.max(Instant::now() - FRAME_INTERVAL);
            if slowly <= Instant::now() {
                slowly = Instant::now() + POLL_INTERVAL;
                self.log_shapes();
            }
            self.log_events();
            let latest = self.source.page().latest();
            // Nobody watches: then nothing is made.
            if latest != last && self.topics.has_viewers() {
                last = latest;
                self.log_frame();
            }
        }
    }

    fn log_frame(&self) {
        let late = self.source.late();
        let page = self.source.page();
        let zero = u64::try_from(page.utc_at_zero()).unwrap_or(0);
        page.read(|frame| self.topics.frame(&frame, &self.scene, zero, late));
    }

    /// What happened, and what guests said.
    fn log_events(&mut self) {
        while let Ok(text) = self.events.try_recv() {
            let Ok(from_str) = serde_json::from_str::<LogEntry>(&text) else {
                continue;
            };
            let zero = u64::try_from(self.source.page().utc_at_zero()).unwrap_or(0);
            self.topics.event(from_str, zero);
        }
    }

    /// Shapes for those who come late.
    fn log_shapes(&self) {
        // By the loop's time, as everything: the machine's clock may be set meanwhile.
        let page = self.source.page();
        let zero = u64::try_from(page.utc_at_zero()).unwrap_or(0);
        let at = zero + page.read(|frame| frame.now().nanos()).unwrap_or(0);
        self.topics.shapes(self.scene.shapes(stamp(at)), at);
    }
}
