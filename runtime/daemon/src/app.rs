//! What all routes share: the store, who may what, the connections to the loop.
//! Made once by `serve`. The law: each lock is held for a moment and never across a wait, but the store's,
//! which is held on threads that may wait for a disk.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use api::keys::TrustedKey;
use api::lock;
use api::people::AuditEntry;
use serde::Serialize;
use serde::de::DeserializeOwned;
use socket::Trouble;
use tokio::sync::Semaphore;

use crate::access::{AuditLog, AuditWriter, Lease, Pairing, RateLimit, Tokens};
use crate::clock::{MonotonicTime, clock};
use crate::loop_client::LoopClient;
use crate::memory_keys::{KeyIndex, PagePlace};
use crate::plans::StartPlans;
use crate::settings::ServerSettings;
use crate::store::{ChoreographyStore, Disk, Folder, StoreError};
use crate::streams::Streams;
use archive::RecordingFolder;
use viewers::Viewers;

const TOKENS: &str = "tokens.json";
const KEYS: &str = "keys.json";
const PLANS: &str = "plans.json";

/// What all routes share.
pub struct App {
    /// How the server is run.
    pub settings: ServerSettings,
    /// The loop's name.
    pub name: String,
    /// The robot's name.
    pub robot: String,
    /// The description that the loop was started with.
    pub description: String,
    /// This program, which checks choreographies as a process of its own.
    pub program: PathBuf,
    /// The connections to the loop.
    pub loop_client: LoopClient,
    /// What is shown to many.
    pub streams: Streams,
    /// Foxglove.
    pub(crate) viewers: Viewers,
    /// The folder of recordings, which the loop writes.
    pub(crate) recordings: RecordingFolder,
    /// What names mean.
    pub(crate) memory_keys: KeyIndex,
    /// The port at which Foxglove can watch, once it can.
    pub foxglove: OnceLock<u16>,
    /// One choreography is checked at a time.
    pub checking: Semaphore,
    /// Uploads that may be on their way.
    pub uploads: Semaphore,
    /// Who may watch the stream at the same time.
    pub subscribers: Arc<Semaphore>,
    /// Who holds control.
    pub lease: Mutex<Lease>,
    /// The code that is shown.
    pub pairing: Mutex<Pairing>,
    /// The rate limit of requests, by address.
    pub request_limit: Mutex<RateLimit>,
    /// The rate limit of guesses: requests with a wrong token or code, by address.
    pub guess_limit: Mutex<RateLimit>,
    /// The fingerprint of the certificate.
    pub fingerprint: Option<String>,
    /// The rate limit of audit entries by those who are not known, by address.
    pub audit_limit: Mutex<RateLimit>,
    /// Choreographies that are on their way to the loop.
    pub loading: Semaphore,
    time: Mutex<MonotonicTime>,
    disk: Arc<Folder>,
    store: Arc<tokio::sync::Mutex<ChoreographyStore>>,
    tokens: Mutex<Tokens>,
    keys: Mutex<Vec<TrustedKey>>,
    plans: Mutex<StartPlans>,
    /// Held by whoever writes them down: nobody who only looks at them waits for a disk.
    changing: Mutex<()>,
    /// One choreography is judged and kept at a time: its signature is compared with the newest there is.
    pub installing: tokio::sync::Mutex<()>,
    audit_writer: AuditWriter,
}

impl App {
    /// All that lasts is in `disk`.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn open(
        settings: ServerSettings,
        (here, loop_client): (&socket::Here, LoopClient),
        disk: Folder,
        program: PathBuf,
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
        for sentence in std::mem::take(&mut store.found) {
            audit.add(&AuditEntry {
                at: now,
                who: "the store".to_owned(),
                from: "local".to_owned(),
                act: sentence,
                outcome: "found".to_owned(),
            });
        }
        Ok(App {
            name: here.name.clone(),
            robot: here.robot.clone(),
            description: here.description.clone(),
            program,
            loop_client,
            streams,
            viewers,
            recordings,
            memory_keys: KeyIndex::default(),
            foxglove: OnceLock::new(),
            checking: Semaphore::new(1),
            uploads: Semaphore::new(64),
            subscribers: Arc::new(Semaphore::new(256)),
            lease: Mutex::default(),
            pairing: Mutex::default(),
            request_limit: Mutex::new(RateLimit::new(1000.0, 500.0)),
            guess_limit: Mutex::new(RateLimit::new(20.0, 0.5)),
            audit_limit: Mutex::new(RateLimit::new(500.0, 0.2)),
            loading: Semaphore::new(4),
            fingerprint,
            time: Mutex::new(time),
            tokens: Mutex::new(read(&*disk, TOKENS)?),
            keys: Mutex::new(read(&*disk, KEYS)?),
            plans: Mutex::new(read(&*disk, PLANS)?),
            changing: Mutex::default(),
            installing: tokio::sync::Mutex::default(),
            audit_writer: AuditWriter::of(audit)?,
            store: Arc::new(tokio::sync::Mutex::new(store)),
            disk,
            settings,
        })
    }

    /// Does something with the store, on a thread that may wait.
    ///
    /// # Errors
    /// The store would not.
    pub async fn store<R: Send + 'static>(
        &self,
        act: impl FnOnce(&mut ChoreographyStore) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        // Whoever waits for it takes no thread, however slow the disk is.
        let mut store = Arc::clone(&self.store).lock_owned().await;
        let done = tokio::task::spawn_blocking(move || act(&mut store));
        done.await
            .unwrap_or_else(|_| Err(io::Error::other("the store's thread died").into()))
    }

    /// The second that it is: never before one that was seen already, so that a clock that fell back makes nothing
    /// valid again; and it goes on, so that what shall end does.
    pub fn now(&self) -> u64 {
        lock(&self.time).now(clock().as_secs())
    }

    /// Writes down what second it is, so that it holds for the next server as well.
    ///
    /// # Errors
    /// The disk would not.
    pub async fn keep_time(&self) -> Result<(), StoreError> {
        let now = self.now();
        self.store(move |store| store.change(|index| index.latest = index.latest.max(now)))
            .await
    }

    /// What a key of the DCM means.
    pub(crate) async fn find(&self, key: &str) -> Result<PagePlace, Trouble> {
        let (page, boards) = (self.streams.page(), self.streams.boards());
        self.memory_keys
            .find(key, &self.loop_client, page, boards)
            .await
    }

    /// All keys of the DCM.
    pub(crate) async fn keys_of_memory(&self) -> Result<&[String], Trouble> {
        let (page, boards) = (self.streams.page(), self.streams.boards());
        self.memory_keys.keys(&self.loop_client, page, boards).await
    }

    /// Where the bytes of what is kept are.
    pub fn kept_at(&self, digest: &str) -> PathBuf {
        self.disk.path(&crate::store::object(digest))
    }

    /// The tokens as they are.
    pub fn tokens(&self) -> MutexGuard<'_, Tokens> {
        lock(&self.tokens)
    }

    /// Changes the tokens, if it can be written down.
    ///
    /// # Errors
    /// The disk would not.
    pub fn change_tokens<R>(&self, change: impl FnOnce(&mut Tokens) -> R) -> Result<R, StoreError> {
        let _turn = lock(&self.changing);
        change_kept(&*self.disk, TOKENS, &self.tokens, change)
    }

    /// The keys as they are.
    pub fn keys(&self) -> MutexGuard<'_, Vec<TrustedKey>> {
        lock(&self.keys)
    }

    /// Changes the keys, if it can be written down.
    ///
    /// # Errors
    /// The disk would not.
    pub fn change_keys<R>(
        &self,
        change: impl FnOnce(&mut Vec<TrustedKey>) -> R,
    ) -> Result<R, StoreError> {
        let _turn = lock(&self.changing);
        change_kept(&*self.disk, KEYS, &self.keys, change)
    }

    /// The plans as they are.
    pub(crate) fn plans(&self) -> MutexGuard<'_, StartPlans> {
        lock(&self.plans)
    }

    /// Changes the plans, if it can be written down.
    ///
    /// # Errors
    /// The disk would not.
    pub(crate) fn change_plans<R>(
        &self,
        change: impl FnOnce(&mut StartPlans) -> R,
    ) -> Result<R, StoreError> {
        let _turn = lock(&self.changing);
        change_kept(&*self.disk, PLANS, &self.plans, change)
    }

    /// Who writes down what is done.
    pub fn audit_writer(&self) -> &AuditWriter {
        &self.audit_writer
    }
}

fn read<T: DeserializeOwned + Default>(disk: &dyn Disk, path: &str) -> Result<T, StoreError> {
    match disk.read(path) {
        Ok(text) => Ok(serde_json::from_slice(&text).map_err(|error| {
            // Nobody is let in by a file that cannot be read, and nothing in it is overwritten.
            io::Error::other(format!(
                "{path} cannot be read: {error}; repair it or remove it"
            ))
        })?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(error.into()),
    }
}

fn change_kept<T: Clone + Serialize, R>(
    disk: &dyn Disk,
    path: &str,
    kept: &Mutex<T>,
    change: impl FnOnce(&mut T) -> R,
) -> Result<R, StoreError> {
    let mut next = lock(kept).clone();
    let answer = change(&mut next);
    let text = serde_json::to_vec_pretty(&next).map_err(io::Error::from)?;
    crate::store::replace(disk, path, &text)?;
    *lock(kept) = next;
    Ok(answer)
}
