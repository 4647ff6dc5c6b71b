//! The director: brings guests in and takes them out, while the loop runs.
//! Called by the socket's clerks and by the command line; meets the loop only at two rings.
//! The law: whatever takes time happens here. The loop is handed guests that are ready, and hands back
//! those that are spent.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cycle::{LaneSettings, Span};
use rtrb::{Consumer, RingBuffer};

use crate::answer::Level;
use crate::cache::Cache;
use crate::choreography::{Choreography, PrepareError, Workshop};
use crate::compile::{Compiler, Form};
use crate::contract::World;
use crate::engine::{Engines, TICK};
use crate::guest::{Failure, GuestId, Loaded, Terms};
use crate::host::{Line, Param};
use crate::manifest::{FADE_MAX, Manifest};
use crate::report::{End, Figures, Life, Report};
use crate::scene::Scene;
use crate::score::{self, AHEAD, Nap, Start};
use crate::troupe::{Cue, GUESTS, Note, Part, Troupe, Wings};
use crate::wasi::Access;

/// Guests that are gone and still told of.
const REMEMBERED: usize = 32;

/// Ticks of the clock that a hook may take, at least. Fuel bounds what it does; this bounds what fuel
/// does not see, and must not punish a guest because the machine was busy with something else.
const TICKS: u64 = 100;

/// The same in virtual time: only what would never end is ended by the clock, or the same run would end
/// differently on a machine that has something else to do.
const VIRTUAL_TICKS: u64 = 30_000;

/// The longest name of a guest, letters.
const NAME_MAX: usize = 64;

/// Lines of guests that are kept for whoever reads them.
const LINES: usize = 1024;

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

/// What a choreography may use.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Fuel for each call of a hook.
    pub fuel: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// The highest priority of its lane.
    pub priority: f64,
    /// What it may drive; everything if it is not said.
    pub actuators: Option<Vec<u32>>,
    /// WASI, for a score.
    pub wasi: Access,
}

/// What whoever loads it wishes.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Its name; the manifest's if it is not said.
    pub name: Option<String>,
    /// Its lane's priority.
    pub priority: Option<f64>,
    /// Its lane's weight.
    pub weight: Option<f64>,
    /// What it may drive, of what it was granted.
    pub mask: Option<Vec<u32>>,
    /// Its parameters.
    pub params: Vec<(String, f64)>,
    /// It stays when it is not alive any more.
    pub keep: bool,
}

/// Why a guest did not come in, or something could not be asked of it.
#[derive(Debug)]
pub enum GuestError {
    /// The bytes are no choreography.
    Prepare(PrepareError),
    /// There is no such guest.
    NoGuest(String),
    /// There are as many as there may be.
    Full,
    /// Too much is on its way to the loop.
    Busy,
    /// Its grant does not allow that priority.
    Priority {
        /// What was wished.
        wished: f64,
        /// What is granted.
        granted: f64,
    },
    /// A figure is not what it should be.
    Figure(String),
    /// It has no such parameter.
    NoParam(String),
    /// Only a motion can be swapped for a motion.
    NoSwap,
    /// It broke while it was made or started.
    Failed(String),
}

impl fmt::Display for GuestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuestError::Prepare(error) => error.fmt(f),
            GuestError::NoGuest(name) => write!(f, "there is no guest `{name}`"),
            GuestError::Full => write!(f, "there are {GUESTS} guests already; stop one first"),
            GuestError::Busy => write!(f, "too much is on its way to the loop; ask again"),
            GuestError::Priority { wished, granted } => write!(
                f,
                "its grant allows a priority of {granted} at most, and {wished} was asked; fix: ask \
                 for less, or raise `priority` in its grant in robot.toml"
            ),
            GuestError::Figure(why) => f.write_str(why),
            GuestError::NoParam(why) => f.write_str(why),
            GuestError::NoSwap => write!(
                f,
                "only a motion can take over from a motion; stop the one and run the other"
            ),
            GuestError::Failed(why) => write!(f, "it failed: {why}"),
        }
    }
}

impl std::error::Error for GuestError {}

/// A guest as it is told of.
#[derive(Clone, Debug)]
pub struct Status {
    /// Its number.
    pub id: GuestId,
    /// Its name.
    pub name: String,
    /// Its world.
    pub world: World,
    /// The digest of its bytes.
    pub digest: String,
    /// How it reaches sensors and commands.
    pub form: Form,
    /// The fuel that a call is granted.
    pub fuel: u64,
    /// Its parameters, and what they are.
    pub params: Vec<(Param, f64)>,
    /// Its figures.
    pub figures: Figures,
}

/// A line of a guest.
#[derive(Clone, Debug)]
pub struct Said {
    /// Whose.
    pub guest: String,
    /// The robot's time, ns.
    pub now: u64,
    /// How much it matters.
    pub level: Level,
    /// What it says.
    pub text: String,
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

struct Office {
    wings: Wings,
    entries: Vec<Entry>,
    next: u32,
    said: VecDeque<Said>,
}

struct Entry {
    id: GuestId,
    name: String,
    world: World,
    digest: String,
    form: Form,
    fuel: u64,
    params: Vec<(Param, f64)>,
    priority_max: f64,
    report: Arc<Report>,
    lines: Consumer<Line>,
    /// Both of its ends are gone: the loop's and its own.
    over: bool,
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
        let terms = self.terms(&choreography.checked.manifest, grant, wishes)?;
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
        let (fuel, priority_max) = (terms.fuel, terms.priority_max);
        let (cue, lines, params) = match choreography.checked.world {
            World::Motion => {
                let counts_waiting = asks_what_waits(choreography);
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

    /// What a guest is granted, of what it and whoever loads it wish.
    fn terms(
        &self,
        manifest: &Manifest,
        grant: &Grant,
        wishes: &Wishes,
    ) -> Result<Terms, GuestError> {
        let mut lane = self.lane;
        let priority = wishes
            .priority
            .or(manifest.priority)
            .unwrap_or(lane.priority);
        if !(priority.is_finite() && priority <= grant.priority) {
            return Err(GuestError::Priority {
                wished: priority,
                granted: grant.priority,
            });
        }
        let weight = wishes.weight.or(manifest.weight).unwrap_or(lane.weight);
        is_weight(weight)?;
        (lane.priority, lane.weight) = (priority, weight);
        let millis = |it: Option<u32>| it.map(|it| Span::from_millis(u64::from(it)));
        lane.fade_in = millis(manifest.fade_in).unwrap_or(lane.fade_in);
        lane.fade_out = millis(manifest.fade_out).unwrap_or(lane.fade_out);
        let mask = match (&grant.actuators, &wishes.mask) {
            (None, None) => None,
            (Some(it), None) | (None, Some(it)) => Some(it.clone()),
            (Some(granted), Some(wished)) => {
                let both = wished.iter().filter(|it| granted.contains(it));
                Some(both.copied().collect())
            }
        };
        Ok(Terms {
            fuel: manifest.fuel.unwrap_or(grant.fuel).min(grant.fuel),
            ticks: self.ticks,
            memory: usize::try_from(grant.memory).unwrap_or(usize::MAX),
            priority_max: grant.priority,
            mask,
            lane,
            params: wishes.params.clone(),
            own_priority: wishes.priority.is_some(),
            prune: !wishes.keep,
            paused: false,
        })
    }

    /// The guest of this name, or number.
    ///
    /// # Errors
    /// [`GuestError::NoGuest`].
    pub fn find(&self, name: &str) -> Result<GuestId, GuestError> {
        let office = self.office();
        let alive = office.entries.iter().rev().filter(|it| !it.over);
        let named = |it: &&Entry| it.name == name || name.parse() == Ok(it.id.0);
        let found = alive.clone().find(named);
        found
            .map(|it| it.id)
            .ok_or_else(|| GuestError::NoGuest(name.to_owned()))
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

    /// Everyone who is there, and the last who are gone.
    pub fn list(&self) -> Vec<Status> {
        let office = self.office();
        let status = |it: &Entry| Status {
            id: it.id,
            name: it.name.clone(),
            world: it.world,
            digest: it.digest.clone(),
            form: it.form,
            fuel: it.fuel,
            params: it.params.clone(),
            figures: it.report.figures(),
        };
        office.entries.iter().map(status).collect()
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

    /// The next line that a guest has said.
    pub fn said(&self) -> Option<Said> {
        self.office().said.pop_front()
    }

    fn office(&self) -> MutexGuard<'_, Office> {
        // Every step in it is whole.
        self.office.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// The place of a parameter, and the value it would have.
    fn param(&self, param: &str, value: f64) -> Result<(usize, f64), GuestError> {
        if !value.is_finite() {
            let why = "a parameter is a finite number".to_owned();
            return Err(GuestError::Figure(why));
        }
        let place = self.params.iter().position(|it| it.0.name == param);
        let Some(place) = place else {
            let known: Vec<_> = self.params.iter().map(|it| it.0.name.as_str()).collect();
            let known = if known.is_empty() {
                "it has none".to_owned()
            } else {
                format!("it has {}", known.join(", "))
            };
            let why = format!("`{}` has no parameter `{param}`; {known}", self.name);
            return Err(GuestError::NoParam(why));
        };
        let it = &self.params[place].0;
        Ok((place, value.clamp(it.lowest, it.highest)))
    }

    fn may_have(&self, priority: f64) -> Result<(), GuestError> {
        let (wished, granted) = (priority, self.priority_max);
        if wished.is_finite() && wished <= granted {
            return Ok(());
        }
        Err(GuestError::Priority { wished, granted })
    }
}

fn is_weight(weight: f64) -> Result<(), GuestError> {
    if (0.0..=1.0).contains(&weight) {
        return Ok(());
    }
    let why = "a weight lies between 0 and 1".to_owned();
    Err(GuestError::Figure(why))
}

/// A name as people can type it: letters, digits, `-`, `_` and `.`, and not a number, which guests have
/// besides.
fn sound_name(wished: &str) -> String {
    let sound = |it: char| {
        if it.is_alphanumeric() || "-_.".contains(it) {
            it
        } else {
            '-'
        }
    };
    let name: String = wished.chars().take(NAME_MAX).map(sound).collect();
    if name.parse::<u64>().is_ok() || name.is_empty() {
        return format!("guest-{name}").trim_end_matches('-').to_owned();
    }
    name
}

impl Office {
    fn entry(&mut self, id: GuestId) -> Result<&mut Entry, GuestError> {
        let mut alive = self.entries.iter_mut().filter(|it| !it.over);
        let found = alive.find(|it| it.id == id);
        found.ok_or_else(|| GuestError::NoGuest(id.0.to_string()))
    }

    /// Whether one more may come in beside those who are there.
    fn has_room(&self, most: usize) -> Result<(), GuestError> {
        // A score's thread that has not come to its end still has its place.
        let there = |it: &&Entry| !it.over || it.report.has_thread.load(Relaxed);
        let alive = self.entries.iter().filter(there).count();
        (alive < most).then_some(()).ok_or(GuestError::Full)
    }

    fn cue(&mut self, cue: Cue) -> Result<(), GuestError> {
        self.wings.cues.push(cue).map_err(|_| GuestError::Busy)
    }

    /// The name, or the name with a number, so that there is only one.
    fn free_name(&self, wished: &str) -> String {
        let wished = &sound_name(wished);
        let taken = |name: &str| self.entries.iter().any(|it| !it.over && it.name == name);
        if !taken(wished) {
            return wished.to_owned();
        }
        let numbered = (2..).map(|number| format!("{wished}-{number}"));
        let mut free = numbered.skip_while(|it| taken(it));
        free.next().unwrap_or_default()
    }

    fn bury(&mut self, id: GuestId) {
        if let Some(entry) = self.entries.iter_mut().find(|it| it.id == id) {
            entry.over = true;
            entry.report.become_(Life::Gone);
        }
        let gone = |it: &Entry| it.over && !it.report.has_thread.load(Relaxed);
        if self.entries.iter().filter(|it| gone(it)).count() > REMEMBERED {
            let oldest = self.entries.iter().position(gone);
            oldest.map(|it| self.entries.remove(it));
        }
    }

    fn listen(&mut self) {
        for entry in &mut self.entries {
            while let Ok(line) = entry.lines.pop() {
                if self.said.len() >= LINES {
                    self.said.pop_front();
                }
                self.said.push_back(Said {
                    guest: entry.name.clone(),
                    now: line.now,
                    level: line.level,
                    text: line.text().to_owned(),
                });
            }
        }
    }
}

/// Whether a choreography asks how many commands wait, or frees their room.
fn asks_what_waits(choreography: &Choreography) -> bool {
    let asks = |functions: &[String]| {
        functions
            .iter()
            .any(|it| ["waiting", "put", "clear"].contains(&it.as_str()))
    };
    let imports = &choreography.checked.imports;
    let commands = imports.iter().filter(|it| it.0.contains("/commands@"));
    commands.into_iter().any(|it| asks(&it.1))
}
