//! The service for guests beside a loop: loads, swaps, lists and ends guests, and frees those that have ended.
//! Started before the first turn; used for the socket's requests and by the view.
//! The loop's thread calls nothing here, and never waits for it.

mod recorder;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cycle::{LaneId, Span};
use guests::{
    Cache, Choreography, CodeForm, Compiler, GuestError, GuestId, GuestLife, GuestLogLine,
    GuestManager, GuestScheduler, GuestSettings, GuestStatus, LoadOptions, PendingGuest,
    PostedEvent, ReplayedScore, Ticker, Tier, World,
};
use sensors::Window;

use crate::guest_policy;
use crate::live::CLIENTS;
use crate::realtime::raise;
use description::Robot;

pub use recorder::{AdmissionRecord, GuestRecorder};

/// How often ended guests are freed and log lines collected.
const HOUSEKEEPING_INTERVAL: Duration = Duration::from_millis(2);

/// The stack for instantiating and starting choreographies, bytes.
const STACK: usize = 2 << 20;

/// How the service is started.
#[derive(Clone, Debug)]
pub struct GuestServiceSettings {
    /// How guests reach sensors and commands.
    pub form: CodeForm,
    /// In virtual time: how long the loop waits for scores. Hooks are limited by fuel alone then, not by the clock.
    pub lockstep: Option<Duration>,
    /// What compiles them.
    pub compiler: Compiler,
    /// Machine code that was compiled before.
    pub cache: Cache,
    /// Whether the log tells which guests come and go: not those of a check or a replay.
    pub logged: bool,
}

/// The service, and the scheduler that goes to the loop.
#[derive(Debug)]
pub struct StartedGuests {
    /// The part outside the loop.
    pub service: GuestService,
    /// The part that runs in the loop.
    pub scheduler: GuestScheduler,
}

/// The guests of a loop.
#[derive(Debug)]
pub struct GuestService {
    robot: Arc<Robot>,
    manager: Arc<GuestManager>,
    closing: Arc<AtomicBool>,
    housekeeper: Option<std::thread::JoinHandle<()>>,
    virtual_time: bool,
    logged: bool,
    /// Records the guests that are admitted, and the lines that they write.
    recorder: Option<Box<dyn GuestRecorder>>,
    _ticker: Ticker,
}

/// A guest that has just been admitted.
#[derive(Clone, Debug, PartialEq)]
pub struct AdmittedGuest {
    /// Its number.
    pub id: GuestId,
    /// Its name, which is unique in this loop.
    pub name: String,
    /// Its world.
    pub world: World,
    /// How it reaches sensors and commands.
    pub form: CodeForm,
    /// How it was compiled.
    pub tier: Tier,
    /// Whether its code came from the cache.
    pub cached: bool,
    /// The digest of its bytes.
    pub digest: String,
    /// How long loading took.
    pub took: Duration,
}

impl GuestService {
    /// The owner of a lane: a guest's name, or that of all clients, who share one lane.
    pub fn owner(&self, lane: LaneId) -> String {
        let guest = self.manager.owner(lane);
        guest.unwrap_or_else(|| CLIENTS.to_owned())
    }

    /// Starts the service for this robot; `window` shows the robot's state.
    ///
    /// # Errors
    /// A message: the engines or a thread could not be created.
    pub fn start(
        robot: &Arc<Robot>,
        window: Window,
        settings: GuestServiceSettings,
    ) -> Result<StartedGuests, String> {
        let for_manager = GuestSettings {
            form: settings.form,
            budget: guest_policy::compile_budget(robot),
            compiler: settings.compiler,
            cache: settings.cache,
            lockstep: settings.lockstep,
            guests: guest_policy::most_guests(robot),
            lane: robot.lane,
            logged: settings.logged,
        };
        let body = Arc::new(guest_policy::guest_body(robot, window));
        let made = GuestManager::new(body, for_manager);
        let (manager, scheduler) =
            made.map_err(|error| format!("guests cannot run on this machine: {error:#}"))?;
        let above = robot.machine.priority.saturating_add(1).min(99);
        let real = settings.lockstep.is_none();
        // If this is refused, the loop is not real-time either, and reports it.
        let raise = move || _ = real.then(|| raise(above));
        let thread = |error| format!("no thread for the guests: {error}");
        let ticker = Ticker::start(manager.engines(), raise).map_err(thread)?;
        let manager = Arc::new(manager);
        let closing = Arc::new(AtomicBool::new(false));
        let (kept, closed) = (Arc::clone(&manager), Arc::clone(&closing));
        let housekeeper = move || {
            while !closed.load(Ordering::Relaxed) {
                kept.housekeep();
                std::thread::sleep(HOUSEKEEPING_INTERVAL);
            }
        };
        let housekeeper = std::thread::Builder::new()
            .name("housekeeper".to_owned())
            .spawn(housekeeper)
            .map_err(thread)?;
        let service = GuestService {
            robot: Arc::clone(robot),
            manager,
            closing,
            housekeeper: Some(housekeeper),
            virtual_time: !real,
            logged: settings.logged,
            recorder: None,
            _ticker: ticker,
        };
        Ok(StartedGuests { service, scheduler })
    }

    /// Tells it that the loop starts. In real time, the compiler gives way to it from now on.
    pub fn loop_starts(&self) {
        if !self.virtual_time {
            self.manager.loop_starts();
        }
    }

    /// Records, from now on, the guests that are admitted and the lines that they write.
    pub fn set_recorder(&mut self, recorder: impl GuestRecorder + 'static) {
        recorder.names(self.manager.topic_names());
        self.recorder = Some(Box::new(recorder));
    }

    /// Loads a guest. `file` is its name if neither the options nor its manifest have one.
    ///
    /// # Errors
    /// [`GuestError`]; nothing of the guest remains.
    pub fn load(
        &self,
        bytes: &[u8],
        file: Option<&str>,
        options: LoadOptions,
    ) -> Result<AdmittedGuest, GuestError> {
        self.bring(bytes, file, options, None)
    }

    /// Replaces a guest by another version; the old one fades into the new one within `fade`.
    ///
    /// # Errors
    /// [`GuestError`]; the old guest continues.
    pub fn swap(
        &self,
        old: GuestId,
        bytes: &[u8],
        file: Option<&str>,
        options: LoadOptions,
        fade: Span,
    ) -> Result<AdmittedGuest, GuestError> {
        self.bring(bytes, file, options, Some((old, fade)))
    }

    fn bring(
        &self,
        bytes: &[u8],
        file: Option<&str>,
        options: LoadOptions,
        instead: Option<(GuestId, Span)>,
    ) -> Result<AdmittedGuest, GuestError> {
        let began = Instant::now();
        let _span = match &instead {
            Some(_) => tracing::info_span!("swap", file),
            None => tracing::info_span!("start", file),
        }
        .entered();
        let (made, ready) = on_a_large_stack(|| self.prepare(bytes, file, &options, instead))?;
        let admission = self.manager.admit_recorded(ready, |guest| {
            if let Some(recorder) = &self.recorder {
                let guest = AdmissionRecord {
                    choreography: &made,
                    guest,
                    file,
                    options: &options,
                    instead,
                    virtual_time: self.virtual_time,
                };
                recorder.enters(&guest, bytes);
            }
        })?;
        let Choreography {
            checked,
            digest,
            form,
            tier,
            cached,
            ..
        } = made;
        let took = began.elapsed();
        let (guest, took_ms) = (&admission.name, took.as_millis());
        match instead {
            _ if !self.logged => {}
            Some((old, _)) => tracing::info!(guest, digest, took_ms, "replaces guest {}", old.0),
            None => tracing::info!(guest, digest, took_ms, "was admitted"),
        }
        Ok(AdmittedGuest {
            id: admission.id,
            name: admission.name,
            world: checked.world,
            form,
            tier,
            cached,
            digest,
            took,
        })
    }

    /// Prepares a guest without admitting it: the manager does that.
    ///
    /// # Errors
    /// [`GuestError`]; nothing of the guest remains.
    pub fn make(
        &self,
        bytes: &[u8],
        file: Option<&str>,
        options: LoadOptions,
        instead: Option<(GuestId, Span)>,
    ) -> Result<PendingGuest, GuestError> {
        on_a_large_stack(|| Ok(self.prepare(bytes, file, &options, instead)?.1))
    }

    /// As `make`, for a score that does not run: its commands come from a recording.
    pub fn make_replayed_score(
        &self,
        bytes: &[u8],
        file: Option<&str>,
        options: LoadOptions,
    ) -> Result<(PendingGuest, ReplayedScore), GuestError> {
        let (grant, options) = self.terms(bytes, file, &options);
        self.manager.make_replayed_score(bytes, &grant, &options)
    }

    fn prepare(
        &self,
        bytes: &[u8],
        file: Option<&str>,
        options: &LoadOptions,
        instead: Option<(GuestId, Span)>,
    ) -> Result<(Choreography, PendingGuest), GuestError> {
        let (grant, options) = self.terms(bytes, file, options);
        if let Some((old, fade)) = instead {
            self.manager.may_swap(old, fade)?;
        }
        let made = self.manager.prepare(bytes, &grant);
        let choreography = made.map_err(GuestError::Prepare)?;
        let ready = self
            .manager
            .make(&choreography, &grant, &options, instead)?;
        Ok((choreography, ready))
    }

    /// The guest's grant, and its options with its name.
    fn terms(
        &self,
        bytes: &[u8],
        file: Option<&str>,
        options: &LoadOptions,
    ) -> (guests::Grant, LoadOptions) {
        // The grant depends on the name that the caller gives. The name in the manifest is only shown.
        let grant_name = options.name.as_deref().or(file).unwrap_or("default");
        let grant = guest_policy::grant(&self.robot, grant_name);
        let own = || guests::name_of(bytes);
        let name = options.name.clone().or_else(own);
        let options = LoadOptions {
            name: name.or_else(|| file.map(str::to_owned)),
            ..options.clone()
        };
        (grant, options)
    }

    /// The manager of the guests.
    pub fn manager(&self) -> &GuestManager {
        &self.manager
    }

    /// All guests that have not ended.
    pub fn playing(&self) -> Vec<GuestId> {
        let playing = |status: &GuestStatus| status.figures.life != GuestLife::Gone;
        let list = self.list();
        list.iter()
            .filter(|item| playing(item))
            .map(|item| item.id)
            .collect()
    }

    /// All guests, and the last ones that ended.
    pub fn list(&self) -> Vec<GuestStatus> {
        self.manager.list()
    }

    /// The next log line of a guest.
    pub fn next_log_line(&self) -> Option<GuestLogLine> {
        let line = self.manager.said()?;
        if let Some(recorder) = &self.recorder {
            recorder.says(line.clone());
        }
        Some(line)
    }
}

impl GuestService {
    /// The next event that a guest or the robot has posted.
    pub fn next_posted(&self) -> Option<PostedEvent> {
        self.manager.posted()
    }
}

impl Drop for GuestService {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
        if let Some(housekeeper) = self.housekeeper.take() {
            // A panic in it has been printed already.
            let _ = housekeeper.join();
        }
    }
}

/// Runs `what` on a thread with a large stack: a choreography's `start` may need more than the caller's thread has.
fn on_a_large_stack<R: Send>(
    what: impl FnOnce() -> Result<R, GuestError> + Send,
) -> Result<R, GuestError> {
    std::thread::scope(|scope| {
        let loader = std::thread::Builder::new()
            .name("loader".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, what)
            .map_err(|error| GuestError::Failed(format!("no thread to load it: {error}")))?;
        let broken = |_| {
            Err(GuestError::Failed(
                "loading it failed: the loader thread panicked".to_owned(),
            ))
        };
        loader.join().unwrap_or_else(broken)
    })
}

/// The cache in this folder. Without one that can be used the cache is in memory; a warning says why.
pub fn cache_in(folder: Option<&Path>) -> (Cache, Option<String>) {
    let Some(folder) = folder else {
        return (Cache::in_memory(), None);
    };
    match Cache::at(folder) {
        Ok(cache) => (cache, None),
        Err(error) => {
            let folder = folder.display();
            let warning = format!(
                "choreographies are compiled again after every start: {folder} cannot be used ({error}); fix: \
                 make it a folder that belongs to this user, with mode 700"
            );
            (Cache::in_memory(), Some(warning))
        }
    }
}
