//! The director: brings guests in and takes them out, while the loop runs.
//! Called by the socket's clerks and by the command line; meets the loop only at two rings.
//! The law: whatever takes time happens here. The loop is handed guests that are ready, and hands back
//! those that are spent.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cycle::{LaneSettings, Span};
use rtrb::{Consumer, RingBuffer};

use crate::host::ScoreClock;
use crate::load::cache::Cache;
use crate::load::choreography::{Choreography, PrepareError, Preparer};
use crate::load::compile::{CodeForm, Compiler};
use crate::load::contract::World;
use crate::load::engine::{Engines, TICK};
use crate::load::manifest::FADE_MAX;
use crate::manage::grant::{Grant, GuestError, LoadOptions, terms};
use crate::manage::registry::{GuestRegistry, RegistryEntry};
use crate::manage::score_thread::{self as score, AHEAD, ScoreStart};
use crate::shared::command_buffer::ItemWords;
use crate::shared::guest_body::GuestBody;
use crate::shared::report::GuestReport;
use crate::shared::terms::GuestId;
use crate::turn::channel::{GuestCommand, GuestNotice};
use crate::turn::guest::LoadedGuest;
use crate::turn::hooks::Failure;
use crate::turn::scheduler::{GUESTS, GuestScheduler};
use crate::turn::score::ArmedScore;

/// Ticks of the clock that a hook may take, at least. Fuel bounds what it does; this bounds what fuel
/// does not see, and must not punish a guest because the machine was busy with something else.
const TICKS: u64 = 100;

/// The same in virtual time: only what would never end is ended by the clock, or the same run would end
/// differently on a machine that has something else to do.
const VIRTUAL_TICKS: u64 = 30_000;

/// How guests are made.
#[derive(Clone, Debug)]
pub struct GuestSettings {
    /// How motions reach sensors and commands.
    pub form: CodeForm,
    /// Where compiling happens.
    pub compiler: Compiler,
    /// What was compiled before.
    pub cache: Cache,
    /// How long the loop waits for a score that thinks: in virtual time only.
    pub lockstep: Option<Duration>,
    /// How lanes are opened when nobody says otherwise.
    pub lane: LaneSettings,
}

/// The director.
pub struct GuestManager {
    preparer: Preparer,
    engines: Engines,
    body: Arc<GuestBody>,
    pub(crate) lane: LaneSettings,
    /// Ticks of the clock that a hook may take.
    pub(crate) ticks: u64,
    registry: Mutex<GuestRegistry>,
}

/// A guest that is made, and not handed to the loop yet.
#[derive(Debug)]
pub struct PendingGuest {
    pub(crate) command: GuestCommand,
    pub(crate) entry: RegistryEntry,
    pub(crate) swaps: bool,
    pub(crate) started: u64,
}

impl PendingGuest {
    /// Its number.
    pub fn id(&self) -> GuestId {
        self.entry.id
    }

    /// Its name, if nobody else has that.
    pub fn name(&self) -> &str {
        &self.entry.name
    }

    /// The fuel that a call of it may use.
    pub fn fuel(&self) -> u64 {
        self.entry.fuel
    }

    /// The turn after which its `start` was called.
    pub fn started(&self) -> u64 {
        self.started
    }
}

/// How many may be there before one more: one place is kept for a version that takes over.
fn most(swaps: bool) -> usize {
    GUESTS - usize::from(!swaps)
}

impl fmt::Debug for GuestManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GuestManager")
    }
}

impl GuestManager {
    /// A director, and the troupe that goes to the loop.
    ///
    /// # Errors
    /// The machine cannot have the engines.
    pub fn new(
        body: Arc<GuestBody>,
        settings: GuestSettings,
    ) -> wasmtime::Result<(GuestManager, GuestScheduler)> {
        // Twice: one version of each may be loaded while the other still runs, or waits to be freed.
        let engines = Engines::new(2 * GUESTS as u32)?;
        let (scheduler, channel) = GuestScheduler::new(Arc::clone(&body), settings.lockstep);
        let preparer = Preparer::new(
            engines.clone(),
            settings.compiler,
            settings.cache,
            settings.form,
        )?;
        let registry = GuestRegistry {
            channel,
            entries: Vec::new(),
            next: 1,
            said: VecDeque::new(),
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
            ticks,
            registry: Mutex::new(registry),
        };
        Ok((manager, scheduler))
    }

    /// The engines, for their clock.
    pub fn engines(&self) -> &Engines {
        &self.engines
    }

    /// What all guests share.
    pub fn guest_body(&self) -> &Arc<GuestBody> {
        &self.body
    }

    /// Makes a choreography of bytes. Takes its time: up to some seconds.
    ///
    /// # Errors
    /// [`PrepareError`].
    pub fn prepare(&self, bytes: &[u8], grant: &Grant) -> Result<Choreography, PrepareError> {
        self.preparer.prepare(bytes, grant.wasi.grant)
    }

    /// Brings a guest in: it is instantiated and started here, and waits in the loop for the body to run.
    ///
    /// # Errors
    /// [`GuestError`], and nothing is left of it.
    pub fn load(
        &self,
        choreography: &Choreography,
        grant: &Grant,
        wishes: &LoadOptions,
    ) -> Result<GuestId, GuestError> {
        self.bring(choreography, grant, wishes, None)
    }

    /// Another version takes over from a guest, in this time.
    ///
    /// # Errors
    /// [`GuestError`], and the old one goes on.
    pub fn swap(
        &self,
        old: GuestId,
        choreography: &Choreography,
        grant: &Grant,
        wishes: &LoadOptions,
        fade: Span,
    ) -> Result<GuestId, GuestError> {
        self.may_swap(old, fade)?;
        self.bring(choreography, grant, wishes, Some((old, fade)))
    }

    /// Whether another version may take over from this guest in this time.
    ///
    /// # Errors
    /// [`GuestError`].
    pub fn may_swap(&self, old: GuestId, fade: Span) -> Result<(), GuestError> {
        if self.registry().entry(old)?.world != World::Motion {
            return Err(GuestError::NoSwap);
        }
        if fade > Span::from_millis(u64::from(FADE_MAX)) {
            let why = "one version fades into the other within a minute".to_owned();
            return Err(GuestError::Figure(why));
        }
        Ok(())
    }

    fn bring(
        &self,
        choreography: &Choreography,
        grant: &Grant,
        wishes: &LoadOptions,
        instead: Option<(GuestId, Span)>,
    ) -> Result<GuestId, GuestError> {
        let ready = self.make(choreography, grant, wishes, instead)?;
        self.admit(ready)
    }

    /// Makes a guest and starts it; the loop does not know of it yet.
    ///
    /// # Errors
    /// [`GuestError`], and nothing is left of it.
    pub fn make(
        &self,
        choreography: &Choreography,
        grant: &Grant,
        wishes: &LoadOptions,
        instead: Option<(GuestId, Span)>,
    ) -> Result<PendingGuest, GuestError> {
        let (manifest, ticks) = (&choreography.checked.manifest, self.ticks);
        let terms = terms(self.lane, ticks, manifest, grant, wishes)?;
        let id = self.number(instead.is_some())?;
        let report = Arc::new(GuestReport::default());
        let failed = |failure: Failure| GuestError::Failed(failure.why);
        let (fuel, priority_max) = (choreography.fuel(terms.fuel), terms.priority_max);
        let mut started = self.body.window.turn();
        let (command, lines, params) = match choreography.checked.world {
            World::Motion => {
                let counts_waiting = choreography.asks_what_waits();
                let (loaded, mut lines) = LoadedGuest::new(
                    id,
                    &choreography.pre,
                    &self.body,
                    terms,
                    counts_waiting,
                    Arc::clone(&report),
                )
                .map_err(failed)?;
                let armed = loaded.start().map_err(|failure| {
                    let mut why = failure.why;
                    while let Ok(line) = lines.pop() {
                        why = format!("{why}\n  it said: {}", line.text());
                    }
                    GuestError::Failed(why)
                })?;
                let params = armed.params();
                started = armed.started();
                let command = match instead {
                    None => GuestCommand::Enter(armed),
                    Some((old, fade)) => GuestCommand::Swap(old, armed, fade),
                };
                (command, lines, params)
            }
            World::Score if instead.is_some() => return Err(GuestError::NoSwap),
            World::Score => {
                let (items, taken) = RingBuffer::new(AHEAD);
                let clock = ScoreClock::new();
                let lane = terms.lane;
                let start = ScoreStart {
                    pre: choreography.pre.clone(),
                    body: Arc::clone(&self.body),
                    terms,
                    report: Arc::clone(&report),
                    items,
                    clock: clock.clone(),
                    wasi: Some(grant.wasi.clone()),
                };
                let lines = score::start(start).map_err(failed)?;
                let score = self.score(id, &report, lane, taken, clock);
                (GuestCommand::EnterScore(score), lines, Vec::new())
            }
        };
        let wished = wishes.name.clone();
        let name = wished.or_else(|| manifest.name.clone());
        Ok(PendingGuest {
            command,
            started,
            swaps: instead.is_some(),
            entry: RegistryEntry {
                id,
                name: name.unwrap_or_else(|| "guest".to_owned()),
                world: choreography.checked.world,
                digest: choreography.digest.clone(),
                form: choreography.form,
                fuel,
                lasts: manifest.lasts,
                loops: manifest.loops,
                params,
                priority_max,
                report,
                lines,
                over: false,
            },
        })
    }

    /// Hands a guest to the loop.
    ///
    /// # Errors
    /// [`GuestError`]: others have come in meanwhile, and there is no place left.
    pub fn admit(&self, ready: PendingGuest) -> Result<GuestId, GuestError> {
        let PendingGuest {
            command,
            mut entry,
            swaps,
            ..
        } = ready;
        let mut registry = self.registry();
        registry.has_room(most(swaps))?;
        entry.name = registry.free_name(&entry.name);
        registry.command(command)?;
        let id = entry.id;
        registry.entries.push(entry);
        Ok(id)
    }

    /// The next guest gets this number, if that is not past: a run that is repeated has the same numbers.
    pub fn count_from(&self, number: u32) {
        let mut registry = self.registry();
        registry.next = registry.next.max(number);
    }

    /// The next number, if there is room for one more.
    pub(crate) fn number(&self, swaps: bool) -> Result<GuestId, GuestError> {
        let mut registry = self.registry();
        registry.has_room(most(swaps))?;
        let id = GuestId(registry.next);
        registry.next += 1;
        Ok(id)
    }

    /// The loop's end of a score.
    pub(crate) fn score(
        &self,
        id: GuestId,
        report: &Arc<GuestReport>,
        lane: LaneSettings,
        items: Consumer<ItemWords>,
        clock: ScoreClock,
    ) -> ArmedScore {
        ArmedScore {
            id,
            report: Arc::clone(report),
            lane,
            items,
            body: Arc::clone(&self.body),
            clock,
            held: None,
            paused: false,
        }
    }

    /// Frees what the loop has handed back, and collects what guests have said. To be called often, by
    /// an ordinary thread.
    pub fn housekeep(&self) {
        loop {
            self.registry().collect_lines();
            let notice = self.registry().channel.notices.pop();
            let Ok(notice) = notice else { break };
            match notice {
                // It may take its time: the office is free meanwhile.
                GuestNotice::Spent(spent) => {
                    spent.stop();
                }
                GuestNotice::ScoreSpent(score) => drop(score),
                GuestNotice::Gone(id) => self.registry().mark_gone(id),
            }
        }
    }

    pub(crate) fn registry(&self) -> MutexGuard<'_, GuestRegistry> {
        // Every step in it is whole.
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
