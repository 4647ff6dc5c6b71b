//! The director: brings guests in and takes them out, while the loop runs.
//! Called by the socket's clerks and by the command line; meets the loop only at two rings.
//! The law: whatever takes time happens here. The loop is handed guests that are ready, and hands back
//! those that are spent.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cycle::{LaneSettings, Span};
use rtrb::RingBuffer;

use crate::actor::Part;
use crate::cache::Cache;
use crate::choreography::{Choreography, PrepareError, Workshop};
use crate::compile::{Compiler, Form};
use crate::contract::World;
use crate::cues::{Cue, Note};
use crate::engine::{Engines, TICK};
use crate::grant::{Grant, GuestError, Wishes, is_weight, terms};
use crate::guest::{GuestId, Loaded};
use crate::hooks::Failure;
use crate::manifest::FADE_MAX;
use crate::office::{Entry, Office};
use crate::report::{End, Report};
use crate::scene::Scene;
use crate::score::{self, AHEAD, Nap, Start};
use crate::troupe::{GUESTS, Troupe};

/// Ticks of the clock that a hook may take, at least. Fuel bounds what it does; this bounds what fuel
/// does not see, and must not punish a guest because the machine was busy with something else.
const TICKS: u64 = 100;

/// The same in virtual time: only what would never end is ended by the clock, or the same run would end
/// differently on a machine that has something else to do.
const VIRTUAL_TICKS: u64 = 30_000;

/// How guests are made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How motions reach sensors and commands.
    pub form: Form,
    /// Where compiling happens.
    pub compiler: Compiler,
    /// What was compiled before.
    pub cache: Cache,
    /// Whether the loop waits for scores: in virtual time only.
    pub lockstep: bool,
    /// How lanes are opened when nobody says otherwise.
    pub lane: LaneSettings,
}

/// The director.
pub struct Director {
    workshop: Workshop,
    engines: Engines,
    scene: Arc<Scene>,
    lane: LaneSettings,
    /// Ticks of the clock that a hook may take.
    ticks: u64,
    office: Mutex<Office>,
}

impl fmt::Debug for Director {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Director")
    }
}

impl Director {
    /// A director, and the troupe that goes to the loop.
    ///
    /// # Errors
    /// The machine cannot have the engines.
    pub fn new(scene: Arc<Scene>, settings: Settings) -> wasmtime::Result<(Director, Troupe)> {
        // Twice: one version of each may be loaded while the other still runs, or waits to be freed.
        let engines = Engines::new(2 * GUESTS as u32)?;
        let (troupe, wings) = Troupe::new(Arc::clone(&scene), settings.lockstep);
        let workshop = Workshop::new(
            engines.clone(),
            settings.compiler,
            settings.cache,
            settings.form,
        )?;
        let office = Office {
            wings,
            entries: Vec::new(),
            next: 1,
            said: VecDeque::new(),
        };
        let period = scene.period.nanos().div_ceil(TICK.as_nanos() as u64);
        let ticks = if settings.lockstep {
            VIRTUAL_TICKS
        } else {
            TICKS.max(4 * period)
        };
        let director = Director {
            workshop,
            engines,
            scene,
            lane: settings.lane,
            ticks,
            office: Mutex::new(office),
        };
        Ok((director, troupe))
    }

    /// The engines, for their clock.
    pub fn engines(&self) -> &Engines {
        &self.engines
    }

    /// What all guests share.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Makes a choreography of bytes. Takes its time: up to some seconds.
    ///
    /// # Errors
    /// [`PrepareError`].
    pub fn prepare(&self, bytes: &[u8], grant: &Grant) -> Result<Choreography, PrepareError> {
        self.workshop.prepare(bytes, grant.wasi.grant)
    }

    /// Brings a guest in: it is instantiated and started here, and waits in the loop for the body to run.
    ///
    /// # Errors
    /// [`GuestError`], and nothing is left of it.
    pub fn load(
        &self,
        choreography: &Choreography,
        grant: &Grant,
        wishes: &Wishes,
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
        wishes: &Wishes,
        fade: Span,
    ) -> Result<GuestId, GuestError> {
        let known = self.office().entry(old)?.world;
        if known != World::Motion || choreography.checked.world != World::Motion {
            return Err(GuestError::NoSwap);
        }
        if fade > Span::from_millis(u64::from(FADE_MAX)) {
            let why = "one version fades into the other within a minute".to_owned();
            return Err(GuestError::Figure(why));
        }
        self.bring(choreography, grant, wishes, Some((old, fade)))
    }

    fn bring(
        &self,
        choreography: &Choreography,
        grant: &Grant,
        wishes: &Wishes,
        instead: Option<(GuestId, Span)>,
    ) -> Result<GuestId, GuestError> {
        let terms = terms(
            self.lane,
            self.ticks,
            &choreography.checked.manifest,
            grant,
            wishes,
        )?;
        // One place is kept for a version that takes over.
        let most = GUESTS - usize::from(instead.is_none());
        let id = {
            let mut office = self.office();
            office.has_room(most)?;
            let id = GuestId(office.next);
            office.next += 1;
            id
        };
        let report = Arc::new(Report::default());
        let failed = |failure: Failure| GuestError::Failed(failure.why);
        let (fuel, priority_max) = (choreography.fuel(terms.fuel), terms.priority_max);
        let (cue, lines, params) = match choreography.checked.world {
            World::Motion => {
                let counts_waiting = choreography.asks_what_waits();
                let (loaded, lines) = Loaded::new(
                    id,
                    &choreography.pre,
                    &self.scene,
                    terms,
                    counts_waiting,
                    Arc::clone(&report),
                )
                .map_err(failed)?;
                let mut lines = lines;
                let armed = loaded.start().map_err(|failure| {
                    let mut why = failure.why;
                    while let Ok(line) = lines.pop() {
                        why = format!("{why}\n  it said: {}", line.text());
                    }
                    GuestError::Failed(why)
                })?;
                let params = armed.params();
                let cue = match instead {
                    None => Cue::Enter(armed),
                    Some((old, fade)) => Cue::Swap(old, armed, fade),
                };
                (cue, lines, params)
            }
            World::Score => {
                let (items, taken) = RingBuffer::new(AHEAD);
                let nap = Nap::new();
                let lane = terms.lane;
                let start = Start {
                    pre: choreography.pre.clone(),
                    scene: Arc::clone(&self.scene),
                    terms,
                    report: Arc::clone(&report),
                    items,
                    nap: nap.clone(),
                    wasi: Some(grant.wasi.clone()),
                };
                let lines = score::start(start).map_err(failed)?;
                let part = Part {
                    id,
                    report: Arc::clone(&report),
                    lane,
                    items: taken,
                    scene: Arc::clone(&self.scene),
                    nap,
                    held: None,
                    paused: false,
                };
                (Cue::EnterScore(part), lines, Vec::new())
            }
        };
        let mut office = self.office();
        // Others may have come in meanwhile; the loop has no more places than these.
        office.has_room(most)?;
        let wished = wishes.name.clone();
        let name = wished.or_else(|| choreography.checked.manifest.name.clone());
        let name = office.free_name(&name.unwrap_or_else(|| "guest".to_owned()));
        office.cue(cue)?;
        office.entries.push(Entry {
            id,
            name,
            world: choreography.checked.world,
            digest: choreography.digest.clone(),
            form: choreography.form,
            fuel,
            params,
            priority_max,
            report,
            lines,
            over: false,
        });
        Ok(id)
    }

    /// Ends a guest: `stop` is called, its lane ends as it declared.
    ///
    /// # Errors
    /// [`GuestError`]. So for all of these.
    pub fn end(&self, id: GuestId) -> Result<(), GuestError> {
        let mut office = self.office();
        let report = Arc::clone(&office.entry(id)?.report);
        office.cue(Cue::End(id, End::Stopped))?;
        // A score hears it in its sleep.
        report.end_by(End::Stopped);
        report.cancel.store(true, Relaxed);
        Ok(())
    }

    /// Lets a guest be heard no more, or again.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn pause(&self, id: GuestId, paused: bool) -> Result<(), GuestError> {
        let mut office = self.office();
        office.entry(id)?;
        office.cue(Cue::Pause(id, paused))
    }

    /// Turns a parameter; what it is then.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn turn(&self, id: GuestId, param: &str, value: f64) -> Result<f64, GuestError> {
        let mut office = self.office();
        let (place, value) = office.entry(id)?.param(param, value)?;
        office.cue(Cue::Turn(id, place, value))?;
        office.entry(id)?.params[place].1 = value;
        Ok(value)
    }

    /// Changes all of these, or nothing; what the parameters are then.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn tune(
        &self,
        id: GuestId,
        params: &BTreeMap<String, f64>,
        priority: Option<f64>,
        weight: Option<f64>,
    ) -> Result<BTreeMap<String, f64>, GuestError> {
        let mut office = self.office();
        let entry = office.entry(id)?;
        let mut cues = Vec::new();
        let mut tuned = BTreeMap::new();
        for (name, value) in params {
            let (place, value) = entry.param(name, *value)?;
            cues.push(Cue::Turn(id, place, value));
            tuned.insert(name.clone(), value);
        }
        if let Some(priority) = priority {
            entry.may_have(priority)?;
            cues.push(Cue::Priority(id, priority));
        }
        if let Some(weight) = weight {
            is_weight(weight)?;
            cues.push(Cue::Weight(id, weight));
        }
        if office.wings.cues.slots() < cues.len() {
            return Err(GuestError::Busy);
        }
        for cue in cues {
            office.cue(cue)?;
        }
        let entry = office.entry(id)?;
        for (param, value) in &mut entry.params {
            *value = tuned.get(&param.name).copied().unwrap_or(*value);
        }
        Ok(tuned)
    }

    /// Gives a guest's lane another priority.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn set_priority(&self, id: GuestId, priority: f64) -> Result<(), GuestError> {
        let mut office = self.office();
        office.entry(id)?.may_have(priority)?;
        office.cue(Cue::Priority(id, priority))
    }

    /// Gives a guest's lane another weight.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn set_weight(&self, id: GuestId, weight: f64) -> Result<(), GuestError> {
        is_weight(weight)?;
        let mut office = self.office();
        office.entry(id)?;
        office.cue(Cue::Weight(id, weight))
    }

    /// Frees what the loop has handed back, and collects what guests have said. To be called often, by
    /// an ordinary thread.
    pub fn tend(&self) {
        loop {
            self.office().listen();
            let note = self.office().wings.notes.pop();
            let Ok(note) = note else { break };
            match note {
                // It may take its time: the office is free meanwhile.
                Note::Spent(spent) => {
                    spent.stop();
                }
                Note::ScoreSpent(part) => drop(part),
                Note::Gone(id) => self.office().bury(id),
            }
        }
    }

    pub(crate) fn office(&self) -> MutexGuard<'_, Office> {
        // Every step in it is whole.
        self.office.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
