//! A motion through its life, as types: `LoadedGuest`, `ArmedGuest`, `RunningGuest`, `SpentGuest`. Each type has the
//! functions that are allowed in that state. It is made outside the turn, runs inside it, and is freed outside again.
//! A store that trapped is never entered again, and none is freed inside a turn.

use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, Release};
use std::time::Duration;

use cycle::Stage;
use rtrb::Consumer;
use wasmtime::Store;
use wasmtime::component::InstancePre;

use crate::host::{CallPhase, Host, Param, Sink};
use crate::shared::command_buffer::ITEMS;
use crate::shared::guest_body::GuestBody;
use crate::shared::log_line::LogLine;
use crate::shared::report::{End, GuestLife, GuestReport, Hook};
use crate::shared::terms::{GuestId, Terms};
use crate::turn::hooks::{
    Failure, HookExports, HookOutcome, end_of, failure, refuel, sentence, store,
};
use crate::turn::lane_control::LaneControl;

mod running;

pub(crate) use running::RunningGuest;

/// Fuel that `start` and `stop` may use, as a multiple of a hook's.
pub const START_FUEL: u64 = 100;

/// Ticks that `start` and `stop` may take.
const START_TICKS: u64 = 1_000;

/// What a motion has in each of these states.
#[derive(Debug)]
pub(crate) struct GuestInstance {
    pub(crate) id: GuestId,
    pub(crate) report: Arc<GuestReport>,
    pub(crate) terms: Terms,
    pub(crate) store: Store<Host>,
    pub(crate) hooks: HookExports,
    /// Whether the queued commands are counted for it.
    pub(crate) counts_waiting: bool,
    /// The error with which it ended, to be read and freed outside the turn.
    pub(crate) error: Option<wasmtime::Error>,
    /// The hook that was called last.
    pub(crate) last: Hook,
    /// In a replay: the hook in which the clock interrupted it in the recorded run.
    pub(crate) cut: Option<Hook>,
    /// In a replay: in the recorded run it was not called in this turn, before the exchange or after it.
    pub(crate) passed_over: [bool; 2],
}

/// It is instantiated, and no hook was called.
#[derive(Debug)]
pub(crate) struct LoadedGuest(Box<GuestInstance>);

/// It is ready for its first turn.
#[derive(Debug)]
pub(crate) struct ArmedGuest(pub(crate) Box<GuestInstance>);

/// It has had its last turn.
#[derive(Debug)]
pub(crate) struct SpentGuest(pub(crate) Box<GuestInstance>);

impl LoadedGuest {
    /// Instantiates a motion. The start functions of its modules run, with fuel and a deadline.
    ///
    /// # Errors
    /// [`Failure`]: it trapped, or the pool has no place for it.
    pub(crate) fn new(
        id: GuestId,
        pre: &InstancePre<Host>,
        body: &Arc<GuestBody>,
        terms: Terms,
        counts_waiting: bool,
        called: &[&str],
        report: Arc<GuestReport>,
    ) -> Result<(LoadedGuest, Consumer<LogLine>), Failure> {
        let (mut store, mut lines) =
            store(pre.engine(), body, &terms, CallPhase::Start, Sink::Buffer);
        refuel(
            &mut store,
            terms.fuel.saturating_mul(START_FUEL),
            START_TICKS,
        );
        store.data_mut().begin_outside();
        let instance = pre.instantiate(&mut store);
        let hooks = instance.and_then(|instance| HookExports::of(called, &instance, &mut store));
        let hooks = hooks.map_err(|error| failure(&mut store, &error).after(&mut lines))?;
        report.set_life(GuestLife::Loaded);
        let guest = GuestInstance {
            id,
            report,
            terms,
            store,
            hooks,
            counts_waiting,
            error: None,
            last: Hook::Start,
            cut: None,
            passed_over: [false; 2],
        };
        Ok((LoadedGuest(Box::new(guest)), lines))
    }

    /// Calls `start`, outside the turn.
    ///
    /// # Errors
    /// [`Failure`]: it traps, or it does not declare a parameter that was given for it.
    pub(crate) fn start(self) -> Result<ArmedGuest, Failure> {
        let mut guest = self.0;
        if let Some(start) = guest.hooks.start {
            let fuel = guest.terms.fuel.saturating_mul(START_FUEL);
            refuel(&mut guest.store, fuel, START_TICKS);
            let called = start.call(&mut guest.store, ());
            called.map_err(|error| failure(&mut guest.store, &error))?;
            let used = fuel.saturating_sub(guest.store.get_fuel().unwrap_or(0));
            guest.report.used(Hook::Start, used, 0);
        }
        let params = &guest.store.data().params;
        if let Some(name) = params.not_declared() {
            let known: Vec<_> = params
                .declared()
                .iter()
                .map(|declared| declared.name.clone())
                .collect();
            let known = if known.is_empty() {
                "give none: it has no parameters".to_owned()
            } else {
                format!("its parameters are {}", known.join(", "))
            };
            return Err(Failure {
                end: End::Stopped,
                why: format!("it has no parameter `{name}`; fix: {known}"),
            });
        }
        // From here on its memory cannot grow: that would ask the system for pages inside a turn.
        guest.store.data_mut().limits.frozen = true;
        guest.report.set_life(GuestLife::Armed);
        Ok(ArmedGuest(guest))
    }
}

impl GuestInstance {
    /// Calls a hook, with its fuel and a deadline.
    pub(crate) fn call(
        &mut self,
        which: Hook,
        turn: u64,
        hook: impl FnOnce(&mut Store<Host>) -> wasmtime::Result<()>,
    ) -> HookOutcome {
        self.last = which;
        if self.cut == Some(which) {
            self.error = Some(wasmtime::Trap::Interrupt.into());
            return HookOutcome::Failed(End::TooLong);
        }
        refuel(&mut self.store, self.terms.fuel, self.terms.ticks);
        let called = hook(&mut self.store);
        let left = self.store.get_fuel().unwrap_or(0);
        let used = self.terms.fuel.saturating_sub(left);
        self.report.used(which, used, turn);
        match called {
            Ok(()) => HookOutcome::Done,
            Err(error) => {
                let end = end_of(&error);
                self.error = Some(error);
                HookOutcome::Failed(end)
            }
        }
    }

    pub(crate) fn empty_buffer(&mut self) {
        self.store.data().free(0, ITEMS);
    }

    /// Whether its command buffer has items that the stage has not taken yet.
    pub(crate) fn buffer_waits(&self) -> bool {
        self.store.data().queued() > 0
    }

    pub(crate) fn turn_param(&mut self, param: usize, value: f64) {
        self.store.data_mut().params.turn(param, value);
    }
}

impl ArmedGuest {
    /// Its declared parameters with their values.
    pub(crate) fn params(&self) -> Vec<(Param, f64)> {
        self.0.store.data().params.all()
    }

    /// The turn after which `start` was called.
    pub(crate) fn started(&self) -> u64 {
        self.0.store.data().shared.turn.load(Relaxed)
    }

    /// Opens its lane; inside a turn.
    pub(crate) fn enter(self, stage: &mut Stage<'_>) -> Result<RunningGuest, SpentGuest> {
        let mut guest = self.0;
        let terms = &guest.terms;
        let lane_control = LaneControl::open(terms.lane, terms.paused, &guest.report, stage);
        let Some(lane_control) = lane_control else {
            return Err(SpentGuest(guest));
        };
        let host = guest.store.data_mut();
        host.phase = CallPhase::Hook;
        // It receives the events that are posted from here on.
        host.seen = host.body.bus.heard();
        let mut running = RunningGuest {
            guest,
            lane_control,
            finished: false,
            hook_time_before: Duration::ZERO,
        };
        // What `start` has queued.
        running.finished = running.flush(stage).finished;
        Ok(running)
    }

    /// It ends before its first turn.
    pub(crate) fn cancel(self, end: End) -> SpentGuest {
        self.0.report.set_end(end);
        SpentGuest(self.0)
    }
}

impl SpentGuest {
    /// Calls `stop` if it may still be called, and frees everything. Outside the turn.
    pub(crate) fn stop(self) -> GuestId {
        let mut guest = self.0;
        guest.report.set_memory(guest.store.data().limits.told());
        if let Some(error) = guest.error.take() {
            guest.report.explain(&sentence(&guest.store, &error));
        } else if let Some(stop) = guest.hooks.stop
            && guest.report.end() != End::NoLane
        {
            let fuel = guest.terms.fuel.saturating_mul(START_FUEL);
            refuel(&mut guest.store, fuel, START_TICKS);
            let host = guest.store.data_mut();
            host.phase = CallPhase::Stop;
            host.limits.frozen = false;
            host.begin_outside();
            if let Err(error) = stop.call(&mut guest.store, ()) {
                let why = format!("in `stop`: {}", sentence(&guest.store, &error));
                guest.report.explain(&why);
                guest.report.stop_failed.store(true, Release);
            }
        }
        guest.store.data_mut().end_printing();
        guest.report.is_freed.store(true, Release);
        guest.id
    }
}
