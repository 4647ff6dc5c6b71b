//! A guest on its way in: from a choreography and a grant to a guest that the loop has been handed.
//! Called by whoever loads or swaps, and by whoever replays a recording.
//! A guest is instantiated and started before the loop hears of it. If anything fails, nothing is left of it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use cycle::{FOLLOWED_ROOM_MAX, LaneSettings, Span};
use rtrb::Consumer;

use crate::host::{Param, ScoreClock};
use crate::load::choreography::{Choreography, PrepareError};
use crate::load::contract::World;
use crate::load::manifest::FADE_MAX;
use crate::manage::grant::{Grant, GuestError, LoadOptions, terms};
use crate::manage::manager::GuestManager;
use crate::manage::registry::RegistryEntry;
use crate::manage::score_thread::{self, AHEAD, ScoreStart};
use crate::shared::line_limit::LineLimit;
use crate::shared::log_line::LineTime;
use crate::shared::log_line::LogLine;
use crate::shared::report::{End, GuestReport};
use crate::shared::score_ring::{ScoreReceiver, score_ring};
use crate::shared::terms::{GuestId, Terms};
use crate::turn::channel::GuestCommand;
use crate::turn::guest::{ArmedGuest, LoadedGuest};
use crate::turn::hooks::Failure;
use crate::turn::score::ArmedScore;

/// The name of a guest that has none.
const NAMELESS: &str = "guest";

/// A guest that is made, and not handed to the loop yet.
#[derive(Debug)]
pub struct PendingGuest {
    pub(crate) command: GuestCommand,
    pub(crate) entry: RegistryEntry,
    /// The guest that it takes over from.
    pub(crate) instead: Option<GuestId>,
    /// The turn after which its `start` was called.
    pub(crate) started: u64,
}

impl PendingGuest {
    /// Its number.
    pub fn id(&self) -> GuestId {
        self.entry.id
    }

    /// The name it asks for; while it is admitted, the one that it gets, as [`Admission::name`].
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

/// What a guest is known by once it has been admitted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Admission {
    /// Its number.
    pub id: GuestId,
    /// Its name: the one it asked for, with a number behind it if another guest has that.
    pub name: String,
}

/// A motion that has been started, and what is read of it outside the turn.
struct StartedMotion {
    armed: ArmedGuest,
    lines: Consumer<LogLine>,
    params: Vec<(Param, f64)>,
    started: u64,
}

fn failed(failure: Failure) -> GuestError {
    GuestError::Failed(failure.why)
}

impl GuestManager {
    /// Makes a choreography of bytes. This can take some seconds.
    ///
    /// # Errors
    /// [`PrepareError`].
    pub fn prepare(&self, bytes: &[u8], grant: &Grant) -> Result<Choreography, PrepareError> {
        self.preparer.prepare(bytes, grant.wasi.grant)
    }

    /// Makes a guest and admits it; its first turn comes when the body runs.
    ///
    /// # Errors
    /// [`GuestError`], and nothing is left of it.
    pub fn load(
        &self,
        choreography: &Choreography,
        grant: &Grant,
        options: &LoadOptions,
    ) -> Result<GuestId, GuestError> {
        let pending = self.make(choreography, grant, options, None)?;
        Ok(self.admit(pending)?.id)
    }

    /// Another version takes over from a guest; one fades into the other in this time.
    ///
    /// # Errors
    /// [`GuestError`], and the old one goes on.
    pub fn swap(
        &self,
        old: GuestId,
        choreography: &Choreography,
        grant: &Grant,
        options: &LoadOptions,
        fade: Span,
    ) -> Result<GuestId, GuestError> {
        self.may_swap(old, fade)?;
        let pending = self.make(choreography, grant, options, Some((old, fade)))?;
        Ok(self.admit(pending)?.id)
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
            let why = "a swap fades for a minute at most".to_owned();
            return Err(GuestError::Figure(why));
        }
        Ok(())
    }

    /// Makes a guest and starts it; the loop does not know of it yet.
    ///
    /// # Errors
    /// [`GuestError`], and nothing is left of it.
    pub fn make(
        &self,
        choreography: &Choreography,
        grant: &Grant,
        options: &LoadOptions,
        instead: Option<(GuestId, Span)>,
    ) -> Result<PendingGuest, GuestError> {
        let (manifest, ticks) = (&choreography.checked.manifest, self.ticks);
        let mut terms = terms(self.lane, ticks, manifest, grant, options)?;
        terms.script = Arc::clone(&choreography.checked.script);
        let id = self.number(instead.is_some())?;
        let report = Arc::new(GuestReport::default());
        let (fuel, priority_max) = (choreography.fuel(terms.fuel), terms.priority_max);
        let (command, lines, params, started) = match choreography.checked.world {
            World::Motion => {
                let motion = self.start_motion(id, choreography, terms, &report)?;
                let command = match instead {
                    None => GuestCommand::Enter(motion.armed),
                    Some((old, fade)) => GuestCommand::Swap(old, motion.armed, fade),
                };
                (command, motion.lines, motion.params, motion.started)
            }
            World::Score if instead.is_some() => return Err(GuestError::NoSwap),
            World::Score => {
                let started = self.body.window.turn();
                let (score, lines) = self.start_score(id, choreography, terms, grant, &report)?;
                (GuestCommand::EnterScore(score), lines, Vec::new(), started)
            }
        };
        let name = options.name.clone().or_else(|| manifest.name.clone());
        Ok(PendingGuest {
            command,
            started,
            instead: instead.map(|instead| instead.0),
            entry: RegistryEntry {
                id,
                name: name.unwrap_or_else(|| NAMELESS.to_owned()),
                world: choreography.checked.world,
                digest: choreography.digest.clone(),
                from: options.from.clone(),
                form: choreography.form,
                fuel,
                lasts: manifest.lasts,
                loops: manifest.loops,
                params,
                is_beside: false,
                priority_max,
                report,
                lines,
                limit: LineLimit::default(),
                last_line: LineTime::default(),
                over: false,
                next_told: 0,
            },
        })
    }

    /// Instantiates a motion and calls its `start`.
    fn start_motion(
        &self,
        id: GuestId,
        choreography: &Choreography,
        terms: Terms,
        report: &Arc<GuestReport>,
    ) -> Result<StartedMotion, GuestError> {
        let mut terms = terms;
        terms.lane.follows = choreography.begins_requests() && terms.lane.room <= FOLLOWED_ROOM_MAX;
        let counts_waiting = choreography.asks_what_waits();
        let (pre, called) = (&choreography.pre, &choreography.checked.hooks);
        let report = Arc::clone(report);
        let loaded = LoadedGuest::new(id, pre, &self.body, terms, counts_waiting, called, report);
        let (loaded, mut lines) = loaded.map_err(failed)?;
        let armed = loaded.start().map_err(|failure| {
            let Failure { end, why } = failure.after(&mut lines);
            // It was stopped for a parameter that it does not declare; everything else that ends it here is a failure.
            match end {
                End::Stopped => GuestError::NoParam(why),
                _ => GuestError::Failed(why),
            }
        })?;
        let (params, started) = (armed.params(), armed.started());
        Ok(StartedMotion {
            armed,
            lines,
            params,
            started,
        })
    }

    /// Starts a score's thread, which waits until the loop has opened its lane.
    fn start_score(
        &self,
        id: GuestId,
        choreography: &Choreography,
        terms: Terms,
        grant: &Grant,
        report: &Arc<GuestReport>,
    ) -> Result<(ArmedScore, Consumer<LogLine>), GuestError> {
        let (items, taken) = score_ring(AHEAD, self.body.actuators.len());
        let (clock, lane) = (ScoreClock::new(), terms.lane);
        let start = ScoreStart {
            pre: choreography.pre.clone(),
            body: Arc::clone(&self.body),
            terms,
            report: Arc::clone(report),
            items,
            clock: clock.clone(),
            wasi: Some(grant.wasi.clone()),
        };
        let lines = score_thread::start(start).map_err(failed)?;
        Ok((self.armed_score(id, report, lane, taken, clock), lines))
    }

    /// The loop's end of a score.
    pub(super) fn armed_score(
        &self,
        id: GuestId,
        report: &Arc<GuestReport>,
        lane: LaneSettings,
        items: ScoreReceiver,
        clock: ScoreClock,
    ) -> ArmedScore {
        ArmedScore {
            id,
            report: Arc::clone(report),
            lane,
            items: Box::new(items),
            body: Arc::clone(&self.body),
            clock,
            held: None,
            paused: false,
        }
    }

    /// Hands a guest to the loop, and gives it a name that no other guest has, but for the one that it takes over from.
    ///
    /// # Errors
    /// [`GuestError`]: others have come in meanwhile, and there is no place left.
    pub fn admit(&self, pending: PendingGuest) -> Result<Admission, GuestError> {
        self.admit_recorded(pending, |_| {})
    }

    /// The same; `record` sees the guest with its name before the loop can, and only if it is admitted.
    ///
    /// # Errors
    /// As [`GuestManager::admit`].
    pub fn admit_recorded(
        &self,
        mut pending: PendingGuest,
        record: impl FnOnce(&PendingGuest),
    ) -> Result<Admission, GuestError> {
        let mut registry = self.registry();
        registry.has_room(self.most, pending.instead.is_some())?;
        registry.can_send()?;
        pending.entry.name = registry.free_name(&pending.entry.name, pending.instead);
        record(&pending);
        let PendingGuest { command, entry, .. } = pending;
        let topics = self.body.bus.topics.hold_of_guest(&entry.name);
        // It is set only here, and a guest is admitted once.
        let _ = entry.report.topics.set(topics);
        let has_end = entry.lasts.is_some();
        entry.report.has_end.store(has_end, Ordering::Relaxed);
        if let Err(error) = registry.send(command) {
            self.body.bus.topics.release_of_guest(topics);
            return Err(error);
        }
        let admission = Admission {
            id: entry.id,
            name: entry.name.clone(),
        };
        registry.entries.push(entry);
        Ok(admission)
    }

    /// The next guest gets this number, if that is not past: a run that is repeated has the same numbers.
    pub fn count_from(&self, number: u32) {
        let mut registry = self.registry();
        registry.next = registry.next.max(number);
    }

    /// The next number, if there is room for one more guest.
    pub(super) fn number(&self, swaps: bool) -> Result<GuestId, GuestError> {
        let mut registry = self.registry();
        registry.has_room(self.most, swaps)?;
        let id = GuestId(registry.next);
        registry.next += 1;
        Ok(id)
    }
}
