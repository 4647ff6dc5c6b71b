//! A guest through its life, in types: `Loaded`, `Armed`, `Running`, `Spent`; what it can do in each is
//! what each type has. Made outside the turn, run inside it, freed outside again.
//! The law: a store that trapped is never entered again, and none is freed inside a turn.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use cycle::{LaneId, LaneSettings, Stage};
use rtrb::Consumer;
use wasmtime::Store;
use wasmtime::component::InstancePre;

use crate::carry::{self, Carried};
use crate::hooks::{Called, Failure, Hooks, end_of, failure, refuel, sentence, store};
use crate::host::{Host, Line, Param, Phase, Sink};
use crate::report::{End, Hook, Life, Report, add};
use crate::scene::Scene;

/// What a guest was granted, and how its lane is opened.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Fuel for each call of a hook.
    pub fuel: u64,
    /// Ticks of the clock that a hook may take.
    pub ticks: u64,
    /// Bytes of memory.
    pub memory: usize,
    /// The highest priority of its lane.
    pub priority_max: f64,
    /// What it may drive; everything if it is not said.
    pub mask: Option<Vec<u32>>,
    /// How its lane is opened.
    pub lane: LaneSettings,
    /// Parameters that were asked for beforehand.
    pub params: Vec<(String, f64)>,
    /// Whether its lane's priority was wished for, and not only the usual one.
    pub own_priority: bool,
    /// Whether it goes when it is not alive any more, or only falls silent.
    pub prune: bool,
    /// Whether it comes in silent, until it is resumed.
    pub paused: bool,
}

/// Fuel that `start` and `stop` may use, as a multiple of a hook's.
const START_FUEL: u64 = 100;

/// Ticks that `start` and `stop` may take.
const START_TICKS: u64 = 1_000;

/// The number of a guest in its loop.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct GuestId(pub u32);

/// What every stage of its life has.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) id: GuestId,
    pub(crate) report: Arc<Report>,
    pub(crate) terms: Terms,
    store: Store<Host>,
    hooks: Hooks,
    /// Whether it asks how many commands wait.
    counts_waiting: bool,
    /// The error of its end, to be read and freed outside.
    error: Option<wasmtime::Error>,
}

/// It is there, and nothing of it was called.
#[derive(Debug)]
pub(crate) struct Loaded(Box<Guest>);

/// It is ready for its first turn.
#[derive(Debug)]
pub(crate) struct Armed(pub(crate) Box<Guest>);

/// The loop calls its hooks.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) guest: Box<Guest>,
    pub(crate) lane: LaneId,
    pub(crate) paused: bool,
    priority: f64,
    /// It said in `start` that it has done what it came for.
    pub(crate) finished: bool,
}

/// It has had its last turn.
#[derive(Debug)]
pub(crate) struct Spent(Box<Guest>);

impl Loaded {
    /// Instantiates a motion. Its start functions run, with fuel and by the clock.
    ///
    /// # Errors
    /// [`Failure`]: it broke, or there is no place for it.
    pub(crate) fn new(
        id: GuestId,
        pre: &InstancePre<Host>,
        scene: &Arc<Scene>,
        terms: Terms,
        counts_waiting: bool,
        report: Arc<Report>,
    ) -> Result<(Loaded, Consumer<Line>), Failure> {
        let (mut store, lines) = store(pre.engine(), scene, &terms, Phase::Start, Sink::Tray);
        refuel(
            &mut store,
            terms.fuel.saturating_mul(START_FUEL),
            START_TICKS,
        );
        store.data_mut().begin_outside();
        let instance = pre.instantiate(&mut store).map_err(failure)?;
        let hooks = Hooks::of(&instance, &mut store).map_err(failure)?;
        report.become_(Life::Loaded);
        let guest = Guest {
            id,
            report,
            terms,
            store,
            hooks,
            counts_waiting,
            error: None,
        };
        Ok((Loaded(Box::new(guest)), lines))
    }

    /// Calls `start`, outside the turn.
    ///
    /// # Errors
    /// [`Failure`] if it breaks, or if it was to have a parameter that it did not declare.
    pub(crate) fn start(self) -> Result<Armed, Failure> {
        let mut guest = self.0;
        if let Some(start) = guest.hooks.start {
            let fuel = guest.terms.fuel.saturating_mul(START_FUEL);
            refuel(&mut guest.store, fuel, START_TICKS);
            start.call(&mut guest.store, ()).map_err(failure)?;
            let used = fuel.saturating_sub(guest.store.get_fuel().unwrap_or(0));
            guest.report.used(Hook::Start, used, 0);
        }
        let params = &guest.store.data().params;
        if let Some(name) = params.not_declared() {
            let known: Vec<_> = params.declared().iter().map(|it| it.name.clone()).collect();
            let known = if known.is_empty() {
                "it has none".to_owned()
            } else {
                format!("it has {}", known.join(", "))
            };
            return Err(Failure {
                end: End::Stopped,
                why: format!("it has no parameter `{name}`; {known}"),
            });
        }
        // From here on it grows no more: that would ask the system for pages inside a turn.
        guest.store.data_mut().limits.frozen = true;
        guest.report.become_(Life::Armed);
        Ok(Armed(guest))
    }
}

impl Guest {
    /// Calls a hook, with its fuel and by the clock.
    fn call(
        &mut self,
        which: Hook,
        turn: u64,
        hook: impl FnOnce(&mut Store<Host>) -> wasmtime::Result<()>,
    ) -> Called {
        refuel(&mut self.store, self.terms.fuel, self.terms.ticks);
        let called = hook(&mut self.store);
        let left = self.store.get_fuel().unwrap_or(0);
        let used = self.terms.fuel.saturating_sub(left);
        self.report.used(which, used, turn);
        match called {
            Ok(()) => Called::Well,
            Err(error) => {
                let end = end_of(&error);
                self.error = Some(error);
                Called::Badly(end)
            }
        }
    }

    fn empty_tray(&mut self) {
        let host = self.store.data();
        host.desk.cursor.store(host.tray.address(0), Relaxed);
    }

    /// Whether something lies on its tray that the stage has not taken yet.
    fn tray_waits(&self) -> bool {
        let host = self.store.data();
        host.tray.place(host.desk.cursor.load(Relaxed)) > 0
    }

    pub(crate) fn turn_param(&mut self, param: usize, value: f64) {
        self.store.data_mut().params.turn(param, value);
    }
}

impl Armed {
    /// What parameters it declared, and what they are.
    pub(crate) fn params(&self) -> Vec<(Param, f64)> {
        self.0.store.data().params.all()
    }

    /// Opens its lane; inside a turn.
    pub(crate) fn enter(self, stage: &mut Stage<'_>) -> Result<Running, Spent> {
        let mut guest = self.0;
        let mut settings = guest.terms.lane;
        if guest.terms.paused {
            settings.priority = cycle::priority::IGNORED;
        }
        let Ok(lane) = stage.open(settings) else {
            guest.report.end_by(End::NoLane);
            return Err(Spent(guest));
        };
        guest.report.since.store(stage.turn(), Relaxed);
        guest.report.become_(Life::Running);
        guest.report.set_priority(guest.terms.lane.priority);
        let host = guest.store.data_mut();
        host.phase = Phase::Hook;
        // It hears what happens from here on.
        host.seen = host.scene.bus.heard();
        let paused = guest.terms.paused;
        let mut running = Running {
            priority: guest.terms.lane.priority,
            guest,
            lane,
            paused: false,
            finished: false,
        };
        if paused {
            running.pause(true, stage);
        }
        // What `start` laid down.
        running.finished = running.carry(stage).finished;
        Ok(running)
    }

    /// It never comes in.
    pub(crate) fn forgo(self, end: End) -> Spent {
        self.0.report.end_by(end);
        Spent(self.0)
    }
}

impl Running {
    /// The priority by which hooks are called in order.
    pub(crate) fn priority(&self) -> f64 {
        self.priority
    }

    pub(crate) fn set_priority(&mut self, priority: f64, stage: &mut Stage<'_>) {
        // A priority that is no number was refused before; the lane is there while this is. Who is paused
        // is heard with it when it is resumed.
        if self.paused || stage.set_priority(self.lane, priority).is_ok() {
            self.priority = priority;
            self.guest.report.set_priority(priority);
        }
    }

    /// It is heard no more, or again. Its lane's time goes on.
    pub(crate) fn pause(&mut self, paused: bool, stage: &mut Stage<'_>) {
        let priority = if paused {
            cycle::priority::IGNORED
        } else {
            self.priority
        };
        let _ = stage.set_priority(self.lane, priority);
        self.paused = paused;
        self.guest
            .report
            .become_(if paused { Life::Paused } else { Life::Running });
    }

    /// Takes over what another version has kept.
    pub(crate) fn inherit(&mut self, other: &Running) {
        let kept = &other.guest.store.data().kept;
        self.guest.store.data_mut().kept.take_over(kept);
    }

    pub(crate) fn pre_process(&mut self, stage: &mut Stage<'_>) -> Called {
        let Some(hook) = self.guest.hooks.pre_process else {
            // What `start` laid down may not all have been taken yet.
            return if self.guest.tray_waits() && self.carry(stage).finished {
                Called::Over
            } else {
                Called::Well
            };
        };
        self.before(stage);
        self.call(Hook::PreProcess, stage, |store| hook.call(store, ()))
    }

    /// For `probe`: a hook whose commands are dropped.
    pub(crate) fn pre_process_alone(&mut self, stage: &mut Stage<'_>) {
        if let Some(hook) = self.guest.hooks.pre_process {
            self.before(stage);
            self.guest
                .call(Hook::PreProcess, stage.turn(), |it| hook.call(it, ()));
            self.guest.empty_tray();
        }
    }

    /// For `probe`.
    pub(crate) fn fill_up(&mut self) {
        refuel(&mut self.guest.store, u64::MAX >> 1, u64::MAX >> 1);
    }

    /// For `probe`: nothing but the function.
    pub(crate) fn bare(&mut self) {
        if let Some(hook) = self.guest.hooks.pre_process {
            self.guest.empty_tray();
            let _ = hook.call(&mut self.guest.store, ());
        }
    }

    pub(crate) fn post_process(&mut self, stage: &mut Stage<'_>) -> Called {
        let Some(hook) = self.guest.hooks.post_process else {
            return Called::Well;
        };
        self.before(stage);
        self.call(Hook::PostProcess, stage, |store| hook.call(store, ()))
    }

    pub(crate) fn is_alive(&mut self, stage: &mut Stage<'_>) -> Called {
        let Some(hook) = self.guest.hooks.is_alive else {
            return self.has_something_to_do(stage);
        };
        self.before(stage);
        let mut alive = true;
        let called = self.call(Hook::IsAlive, stage, |store| {
            (alive,) = hook.call(store, ())?;
            Ok(())
        });
        match called {
            Called::Well if !alive && self.guest.terms.prune => Called::Over,
            called => called,
        }
    }

    /// A guest without any hook in the turn lives while its commands wait.
    fn has_something_to_do(&self, stage: &Stage<'_>) -> Called {
        let hooks = &self.guest.hooks;
        if hooks.pre_process.is_some() || hooks.post_process.is_some() || !self.guest.terms.prune {
            return Called::Well;
        }
        if stage.anything_waits(self.lane) || self.guest.tray_waits() {
            Called::Well
        } else {
            Called::Over
        }
    }

    /// Lays out on the desk what this call may see and use.
    fn before(&mut self, stage: &Stage<'_>) {
        let lane = self.lane;
        let host = self.guest.store.data_mut();
        carry::lay_out(host, stage, lane, self.guest.counts_waiting);
    }

    fn call(
        &mut self,
        which: Hook,
        stage: &mut Stage<'_>,
        hook: impl FnOnce(&mut Store<Host>) -> wasmtime::Result<()>,
    ) -> Called {
        match self.guest.call(which, stage.turn(), hook) {
            Called::Well if self.guest.tray_waits() && self.carry(stage).finished => Called::Over,
            // What it said before it broke is not heard: its hook was not whole.
            called => called,
        }
    }

    /// Carries what was laid down to the stage.
    fn carry(&mut self, stage: &mut Stage<'_>) -> Carried {
        let guest = &mut *self.guest;
        let carried = carry::carry(guest.store.data(), self.lane, stage);
        let report = &guest.report;
        add(&report.commands, u64::from(carried.commands));
        add(&report.late, u64::from(carried.late));
        add(&report.clipped, u64::from(carried.clipped));
        add(&report.refused, u64::from(carried.refused));
        add(&report.deferred, u64::from(carried.deferred > 0));
        report
            .missed_events
            .store(guest.store.data().missed_events, Relaxed);
        if let Some(priority) = carried.priority {
            self.set_priority(priority, stage);
        }
        carried
    }

    /// Its lane ends as it declared; the rest of it is freed outside.
    pub(crate) fn leave(self, end: End, stage: &mut Stage<'_>) -> (LaneId, Spent) {
        self.guest.report.end_by(end);
        self.guest.report.become_(Life::Ending);
        // It is open, because it was opened by this guest, and nobody else ends it.
        let _ = stage.finish(self.lane);
        (self.lane, Spent(self.guest))
    }
}

impl Spent {
    /// Calls `stop` if it may still be called, and frees everything. Outside the turn.
    pub(crate) fn stop(self) -> GuestId {
        let mut guest = self.0;
        if let Some(error) = guest.error.take() {
            guest.report.explain(&sentence(&error));
        } else if let Some(stop) = guest.hooks.stop
            && guest.report.end() != End::NoLane
        {
            let fuel = guest.terms.fuel.saturating_mul(START_FUEL);
            refuel(&mut guest.store, fuel, START_TICKS);
            let host = guest.store.data_mut();
            host.phase = Phase::Stop;
            host.limits.frozen = false;
            host.begin_outside();
            if let Err(error) = stop.call(&mut guest.store, ()) {
                let why = format!("in `stop`: {}", sentence(&error));
                guest.report.explain(&why);
            }
        }
        guest.id
    }
}
