//! The state that all routes share: the store, access, the connections to the loop.
//! Made once by `serve`. A lock is held briefly and never across an `await`. The store's lock is the
//! exception: it is held on threads that may wait for a disk.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use network::lock;
use protocol::RequestError;
use protocol::keys::TrustedKey;
use protocol::people::AuditEntry;
use tokio::sync::Semaphore;

use crate::access::{
    AuditLog, AuditWriter, CheckQueue, Connections, Lease, Pairing, RateLimit, Tokens, Transfers,
};
use crate::clock::{MonotonicTime, clock};
use crate::loop_client::LoopClient;
use crate::memory::SharedMemory;
use crate::memory_keys::{KeyIndex, PagePlace};
use crate::plans::StartPlans;
use crate::settings::ServerSettings;
use crate::store::{
    ChoreographyStore, Disk, Folder, StoreError, change_stored, make_reserve, read,
};
use crate::streams::Streams;
use archive::RecordingFolder;
use viewers::Viewers;

const TOKENS: &str = "tokens.json";
const KEYS: &str = "keys.json";
const PLANS: &str = "plans.json";

/// The state that all routes share.
pub struct App {
    /// The server's settings.
    pub settings: ServerSettings,
    /// The loop's name.
    pub name: String,
    /// The robot's name.
    pub robot: String,
    /// The description that the loop was started with.
    pub description: String,
    /// The path of this program. A check runs as a process of its own.
    pub program: PathBuf,
    /// The options of each check.
    pub check_args: Vec<String>,
    /// The connections to the loop.
    pub loop_client: LoopClient,
    /// The frames and events for subscribers.
    pub streams: Streams,
    /// Foxglove.
    pub(crate) viewers: Viewers,
    /// The folder of recordings, which the loop writes.
    pub(crate) recordings: RecordingFolder,
    /// The keys of the DCM.
    pub(crate) memory_keys: KeyIndex,
    /// The port for Foxglove, once it is open.
    pub foxglove: OnceLock<u16>,
    /// The checks, and the motions that are compiled.
    pub checks: CheckQueue,
    /// Limits the uploads in progress.
    pub uploads: Arc<Transfers>,
    /// Limits the downloads in progress.
    pub downloads: Arc<Transfers>,
    /// Limits the subscribers of the stream.
    pub subscribers: Arc<Semaphore>,
    /// Limits the requests that wait for the end of a motion.
    pub waiters: Semaphore,
    /// The connections of clients.
    pub connections: Arc<Connections>,
    /// The control lease.
    pub lease: Mutex<Lease>,
    /// The pairing code.
    pub pairing: Mutex<Pairing>,
    /// The rate limit of requests, by address.
    pub request_limit: Mutex<RateLimit>,
    /// The rate limit of requests with a wrong token or code, by address.
    pub guess_limit: Mutex<RateLimit>,
    /// The fingerprint of the certificate.
    pub fingerprint: Option<String>,
    /// The rate limit of audit entries of unknown callers, by address.
    pub audit_limit: Mutex<RateLimit>,
    /// The versions that were started at boot, and have not played long enough yet to be called stable.
    pub on_trial: Mutex<Vec<String>>,
    /// Limits the choreographies that are being sent to the loop.
    pub loading: Semaphore,
    time: Mutex<MonotonicTime>,
    /// The latest time that is stored for the next start.
    remembered: AtomicU64,
    disk: Arc<Folder>,
    store: Arc<tokio::sync::Mutex<ChoreographyStore>>,
    tokens: Mutex<Tokens>,
    keys: Mutex<Vec<TrustedKey>>,
    plans: Mutex<StartPlans>,
    /// Held while tokens, keys or plans are written, so that readers never wait for a disk.
    changing: Mutex<()>,
    /// Held while an upload is installed: its signature is compared with the newest stored one.
    pub installing: tokio::sync::Mutex<()>,
    audit_writer: AuditWriter,
}

/// Tells the log and the audit log what was found damaged.
fn record_damage(audit: &mut AuditLog, found: Vec<String>, now: u64) {
    for sentence in found {
        tracing::warn!("{sentence}");
        audit.add(&AuditEntry {
            at: now,
            who: "the store".to_owned(),
            token: None,
            role: None,
            from: "local".to_owned(),
            act: sentence,
            outcome: "found".to_owned(),
        });
    }
}

impl App {
    /// Opens the store, tokens, keys and plans in `disk`.
    ///
    /// # Errors
    /// They cannot be read.
    pub(crate) fn open(
        settings: ServerSettings,
        (here, loop_client): (&protocol::LoopInfo, LoopClient),
        disk: Folder,
        (program, check_args): (PathBuf, Vec<String>),
        streams: Streams,
        (viewers, recordings): (Viewers, RecordingFolder),
        fingerprint: Option<String>,
    ) -> Result<App, StoreError> {
        let disk = Arc::new(disk);
        let quota = settings.store.quota << 20;
        let mut store = ChoreographyStore::open(Arc::clone(&disk) as Arc<dyn Disk>, quota)?;
        let mut audit = AuditLog::at(disk.path("audit.log"));
        let mut time = MonotonicTime::from(store.index().latest);
        let now = time.now(clock().as_secs());
        let mut found = std::mem::take(&mut store.found);
        let tokens = read(&*disk, TOKENS, &mut found);
        let keys = read(&*disk, KEYS, &mut found);
        let plans = read(&*disk, PLANS, &mut found);
        make_reserve(&*disk);
        record_damage(&mut audit, found, now);
        Ok(App {
            name: here.name.clone(),
            robot: here.robot.clone(),
            description: here.description.clone(),
            program,
            check_args,
            loop_client,
            streams,
            viewers,
            recordings,
            memory_keys: KeyIndex::default(),
            foxglove: OnceLock::new(),
            checks: CheckQueue::default(),
            uploads: Transfers::new(64, 8),
            downloads: Transfers::new(16, 4),
            subscribers: Arc::new(Semaphore::new(256)),
            waiters: Semaphore::new(32),
            connections: Connections::new(
                settings.server.connections,
                settings.server.connections_each,
            ),
            lease: Mutex::default(),
            pairing: Mutex::default(),
            request_limit: Mutex::new(RateLimit::new(1000.0, 500.0)),
            guess_limit: Mutex::new(RateLimit::new(20.0, 0.5)),
            audit_limit: Mutex::new(RateLimit::new(500.0, 0.2)),
            on_trial: Mutex::default(),
            loading: Semaphore::new(4),
            fingerprint,
            time: Mutex::new(time),
            remembered: AtomicU64::new(store.index().latest),
            tokens: Mutex::new(tokens),
            keys: Mutex::new(keys),
            plans: Mutex::new(plans),
            changing: Mutex::default(),
            installing: tokio::sync::Mutex::default(),
            audit_writer: AuditWriter::of(audit)?,
            store: Arc::new(tokio::sync::Mutex::new(store)),
            disk,
            settings,
        })
    }

    /// Runs `act` with the store, on a thread that may block.
    ///
    /// # Errors
    /// The error of `act`.
    pub async fn store<R: Send + 'static>(
        &self,
        act: impl FnOnce(&mut ChoreographyStore) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        // Waiting for the lock blocks no thread.
        let mut store = Arc::clone(&self.store).lock_owned().await;
        let span = tracing::Span::current();
        let done = tokio::task::spawn_blocking(move || span.in_scope(|| act(&mut store)));
        done.await
            .unwrap_or_else(|_| Err(io::Error::other("the store's thread died").into()))
    }

    /// The time, s of UTC since 1970. It never goes back, even if the clock does, so an expired token stays expired. It
    /// never stands still either, so that everything expires in the end.
    pub fn now(&self) -> u64 {
        lock(&self.time).now(clock().as_secs())
    }

    /// Stores the time for the next start of the server.
    ///
    /// # Errors
    /// The disk fails.
    pub async fn save_time(&self) -> Result<(), StoreError> {
        self.save(self.now()).await
    }

    async fn save(&self, time: u64) -> Result<(), StoreError> {
        self.store(move |store| store.change(|index| index.latest = index.latest.max(time)))
            .await
    }

    /// Stores that this time has come, because something was refused for it: the next start of the server must refuse
    /// it as well, even if the clock was set back meanwhile. Once for each time, however often it is refused.
    pub(crate) fn remember_time(self: &Arc<App>, time: u64) {
        if self.remembered.fetch_max(time, Ordering::Relaxed) >= time {
            return;
        }
        let app = Arc::clone(self);
        tokio::spawn(async move {
            if app.save(time).await.is_err() {
                // The next refusal tries it again.
                app.remembered.store(0, Ordering::Relaxed);
            }
        });
    }

    /// Sets the time back to what the machine's clock shows, because it was wrong before.
    ///
    /// # Errors
    /// The disk fails, and nothing has changed.
    pub async fn correct_time(&self) -> Result<(), StoreError> {
        let clock = clock().as_secs();
        let stored = self.store(move |store| store.change(|index| index.latest = clock));
        stored.await?;
        *lock(&self.time) = MonotonicTime::from(clock);
        self.remembered.store(clock, Ordering::Relaxed);
        Ok(())
    }

    /// The place on the page of a key of the DCM.
    pub(crate) async fn find(&self, key: &str) -> Result<PagePlace, RequestError> {
        let (page, boards) = (self.streams.page(), self.streams.boards());
        self.memory_keys
            .find(key, &self.loop_client, page, boards)
            .await
    }

    /// All keys of the DCM.
    pub(crate) async fn keys_of_memory(&self) -> Result<&[String], RequestError> {
        let (page, boards) = (self.streams.page(), self.streams.boards());
        self.memory_keys.keys(&self.loop_client, page, boards).await
    }

    /// The memory that clients share.
    pub(crate) fn memory(&self) -> &SharedMemory {
        self.streams.memory()
    }

    /// The full path of a file of the store.
    pub fn stored_path(&self, path: &str) -> PathBuf {
        self.disk.path(path)
    }

    /// The path of a stored choreography.
    pub fn choreography_path(&self, digest: &str) -> PathBuf {
        self.disk.path(&crate::store::object(digest))
    }

    /// The tokens.
    pub fn tokens(&self) -> MutexGuard<'_, Tokens> {
        lock(&self.tokens)
    }

    /// Changes and stores the tokens.
    ///
    /// # Errors
    /// The disk fails, and nothing has changed.
    pub fn change_tokens<R>(&self, change: impl FnOnce(&mut Tokens) -> R) -> Result<R, StoreError> {
        let _guard = lock(&self.changing);
        change_stored(&*self.disk, TOKENS, &self.tokens, change)
    }

    /// The trusted and revoked keys.
    pub fn keys(&self) -> MutexGuard<'_, Vec<TrustedKey>> {
        lock(&self.keys)
    }

    /// Changes and stores the keys.
    ///
    /// # Errors
    /// The disk fails, and nothing has changed.
    pub fn change_keys<R>(
        &self,
        change: impl FnOnce(&mut Vec<TrustedKey>) -> R,
    ) -> Result<R, StoreError> {
        let _guard = lock(&self.changing);
        change_stored(&*self.disk, KEYS, &self.keys, change)
    }

    /// The scheduled starts.
    pub(crate) fn plans(&self) -> MutexGuard<'_, StartPlans> {
        lock(&self.plans)
    }

    /// Changes and stores the scheduled starts.
    ///
    /// # Errors
    /// The disk fails, and nothing has changed.
    pub(crate) fn change_plans<R>(
        &self,
        change: impl FnOnce(&mut StartPlans) -> R,
    ) -> Result<R, StoreError> {
        let _guard = lock(&self.changing);
        change_stored(&*self.disk, PLANS, &self.plans, change)
    }

    /// The writer of the audit log.
    pub fn audit_writer(&self) -> &AuditWriter {
        &self.audit_writer
    }
}
