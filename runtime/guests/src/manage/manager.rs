//! The manager of guests: made once for a loop, with the scheduler that goes to the loop.
//! Held by whoever stands outside the loop; meets it only at the two rings of the channel. What can be asked of it is
//! in `admission`, `control`, `queries` and `replay`.
//! Whatever takes time happens here. The loop is handed guests that are ready, and hands back those that
//! are spent.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cycle::LaneSettings;

use crate::host::TICK;
use crate::load::cache::Cache;
use crate::load::choreography::Preparer;
use crate::load::code_form::CodeForm;
use crate::load::compile::{CompileBudget, Compiler};
use crate::load::engine::{Engines, TrapDetail};
use crate::manage::posted::{PostedLog, TopicNames};
use crate::manage::registry::GuestRegistry;
use crate::shared::guest_body::GuestBody;
use crate::shared::report::GuestReport;
use crate::turn::channel::GuestNotice;
use crate::turn::scheduler::{GUESTS, GuestScheduler, SPARE};

/// Ticks of the clock that a hook may take, at least. Fuel bounds what it does. This bounds what fuel does not count,
/// and must not end a guest because the machine was busy with something else.
const TICKS: u64 = 100;

/// The same in virtual time. The clock ends only what would never end: otherwise the same run would differ on a busy
/// machine.
const VIRTUAL_TICKS: u64 = 30_000;

/// Settings of a manager.
#[derive(Clone, Debug)]
pub struct GuestSettings {
    /// How motions reach sensors and commands.
    pub form: CodeForm,
    /// Where compiling happens.
    pub compiler: Compiler,
    /// What compiling may cost.
    pub budget: CompileBudget,
    /// The cache of compiled code.
    pub cache: Cache,
    /// How long the loop waits for a score that computes; in virtual time only.
    pub lockstep: Option<Duration>,
    /// The most guests at the same time, one of them kept for a swap; at most [`GUESTS`].
    pub guests: usize,
    /// The defaults of guests' lanes.
    pub lane: LaneSettings,
    /// Whether the log tells which guests have ended: not those of a check or a replay.
    pub logged: bool,
}

/// Brings guests in and takes them out, while the loop runs.
pub struct GuestManager {
    pub(super) preparer: Preparer,
    engines: Engines,
    pub(super) body: Arc<GuestBody>,
    pub(super) lane: LaneSettings,
    /// The most guests at the same time, one of them kept for a swap.
    pub(super) most: usize,
    /// Ticks of the clock that a hook may take.
    pub(super) ticks: u64,
    logged: bool,
    registry: Mutex<GuestRegistry>,
}

impl fmt::Debug for GuestManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GuestManager")
    }
}

impl GuestManager {
    /// A manager, and the scheduler that goes to the loop.
    ///
    /// # Errors
    /// The machine cannot have the engines.
    pub fn new(
        body: Arc<GuestBody>,
        settings: GuestSettings,
    ) -> wasmtime::Result<(GuestManager, GuestScheduler)> {
        // More than guests: a version may be loaded while another still runs, or waits to be freed.
        let traps = match settings.lockstep {
            Some(_) => TrapDetail::Function,
            None => TrapDetail::Text,
        };
        let most = settings.guests.min(GUESTS);
        let engines = Engines::new((most + SPARE.min(most)) as u32, settings.form, traps)?;
        let (scheduler, channel) = GuestScheduler::new(Arc::clone(&body), settings.lockstep);
        let preparer = Preparer::new(
            engines.clone(),
            settings.compiler,
            settings.cache,
            settings.form,
            settings.budget,
        )?;
        let registry = GuestRegistry {
            channel,
            entries: Vec::new(),
            next: 1,
            said: VecDeque::new(),
            posted: PostedLog::default(),
        };
        let period = body.period.nanos().div_ceil(TICK.as_nanos() as u64);
        let ticks = if settings.lockstep.is_some() {
            VIRTUAL_TICKS
        } else {
            TICKS.max(4 * period)
        };
        let manager = GuestManager {
            preparer,
            engines,
            body,
            lane: settings.lane,
            most,
            ticks,
            logged: settings.logged,
            registry: Mutex::new(registry),
        };
        Ok((manager, scheduler))
    }

    /// Tells it that the loop starts, in real time: from now on the compiler gives way to it.
    pub fn loop_starts(&self) {
        self.preparer.loop_starts();
    }

    /// The engines, for the ticker.
    pub fn engines(&self) -> &Engines {
        &self.engines
    }

    /// The body as all guests see it.
    pub fn guest_body(&self) -> &Arc<GuestBody> {
        &self.body
    }

    /// The names of the topics to which guests post.
    pub fn topic_names(&self) -> TopicNames {
        TopicNames(Arc::clone(&self.body.bus))
    }

    /// Frees what the loop has handed back, and collects the lines that guests have written. An ordinary
    /// thread calls it often.
    pub fn housekeep(&self) {
        loop {
            self.registry().collect_lines();
            let notice = self.registry().channel.notices.pop();
            let Ok(notice) = notice else { break };
            match notice {
                // This may take its time: the registry is not locked meanwhile.
                GuestNotice::Spent(spent) => {
                    spent.stop();
                }
                GuestNotice::ScoreSpent(score) => {
                    // Its thread has told why it ended before it ended.
                    score.report.is_freed.store(true, Ordering::Release);
                }
                GuestNotice::Gone(id) => {
                    let gone = self.registry().mark_gone(id);
                    if let Some((name, report)) = gone.filter(|_| self.logged) {
                        log_end(&name, &report);
                    }
                }
                GuestNotice::Released(topics) => self.body.bus.topics.release_of_guest(topics),
            }
        }
    }

    pub(super) fn registry(&self) -> MutexGuard<'_, GuestRegistry> {
        // Whoever panicked with the lock left it whole: every step in it is one change.
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes into the log that this guest has ended, and why.
fn log_end(guest: &str, report: &GuestReport) {
    let figures = report.figures();
    let details = (!figures.details.is_empty()).then_some(figures.details.as_str());
    let reason = figures.end.words();
    if figures.end.is_fault() {
        tracing::warn!(guest, details, "has ended: {reason}");
    } else {
        tracing::info!(guest, details, "has ended: {reason}");
    }
}
