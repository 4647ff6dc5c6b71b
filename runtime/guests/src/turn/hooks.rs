//! The store of a guest, the hooks that are called in it with fuel and by the clock, and what their errors
//! mean. Used through all of a guest's life, and by scores.
//! The law: nothing of a guest runs without fuel, a deadline and limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rtrb::Consumer;
use wasmtime::component::{Instance, TypedFunc};
use wasmtime::{Engine, Store, Trap};

use crate::host::TABLE;
use crate::host::{Counts, Host, Kept, Limits, Most, Params, Phase, Sink};
use crate::shared::answer::Answer;
use crate::shared::command_buffer::{ITEMS, Tray};
use crate::shared::event_bus::TOPICS;
use crate::shared::guest_body::Scene;
use crate::shared::guest_shared::Desk;
use crate::shared::log::Log;
use crate::shared::log_line::Line;
use crate::shared::report::End;
use crate::shared::terms::Terms;
use crate::turn::flush as carry;

/// Bytes that a guest may hand over in one call.
const HANDED_OVER: usize = 64 << 10;

/// Elements of a score's table: whole interpreters are larger than any motion.
const SCORE_TABLE: usize = 1 << 20;

pub(crate) struct Hooks {
    pub(crate) start: Option<TypedFunc<(), ()>>,
    pub(crate) pre_process: Option<TypedFunc<(), ()>>,
    pub(crate) post_process: Option<TypedFunc<(), ()>>,
    pub(crate) is_alive: Option<TypedFunc<(), (bool,)>>,
    pub(crate) stop: Option<TypedFunc<(), ()>>,
}

impl std::fmt::Debug for Hooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hooks")
    }
}

impl Hooks {
    pub(crate) fn of(instance: &Instance, store: &mut Store<Host>) -> wasmtime::Result<Hooks> {
        let mut plain = |name: &str| match instance.get_func(&mut *store, name) {
            None => Ok(None),
            Some(hook) => hook.typed::<(), ()>(&*store).map(Some),
        };
        let (start, stop) = (plain("start")?, plain("stop")?);
        let (pre_process, post_process) = (plain("pre-process")?, plain("post-process")?);
        let is_alive = match instance.get_func(&mut *store, "is-alive") {
            None => None,
            Some(hook) => Some(hook.typed::<(), (bool,)>(&*store)?),
        };
        Ok(Hooks {
            start,
            pre_process,
            post_process,
            is_alive,
            stop,
        })
    }
}

/// Why a guest could not be loaded or started.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What it was about.
    pub end: End,
    /// A sentence.
    pub why: String,
}

/// Makes a store for a guest.
pub(crate) fn store(
    engine: &Engine,
    scene: &Arc<Scene>,
    terms: &Terms,
    phase: Phase,
    sink: Sink,
) -> (Store<Host>, Consumer<Line>) {
    let (lines, written) = match phase {
        Phase::Score => Log::shared(),
        _ => Log::own(),
    };
    let actuators = scene.actuators.len();
    let verdict = |place: usize| {
        let number = u32::try_from(place).unwrap_or(u32::MAX);
        let may = terms.mask.as_ref().is_none_or(|it| it.contains(&number));
        let verdict = if may { Answer::Done } else { Answer::Forbidden };
        AtomicU64::new(verdict.number())
    };
    let unknown = AtomicU64::new(Answer::Unknown.number());
    let host = Host {
        desk: Desk::default(),
        phase,
        scene: Arc::clone(scene),
        tray: Tray::new(),
        sink,
        verdicts: (0..actuators).map(verdict).chain([unknown]).collect(),
        waiting: vec![0; actuators].into_boxed_slice(),
        still: (0..scene.boards.len())
            .map(|_| AtomicU64::default())
            .collect(),
        body_state: cycle::State::Boot,
        hidden: false,
        priority_max: terms.priority_max,
        params: Params::new(terms.params.clone()),
        kept: Kept::nothing(),
        seen: scene.bus.heard(),
        event: None,
        topics: vec![false; TOPICS].into_boxed_slice(),
        missed_events: 0,
        lines,
        counts: Counts::default(),
        limits: Limits {
            memory: terms.memory,
            most: if phase == Phase::Score {
                Most::SCORE
            } else {
                Most::MOTION
            },
            table: if phase == Phase::Score {
                SCORE_TABLE
            } else {
                TABLE
            },
            frozen: false,
            used: 0,
        },
        nap: None,
        cancel: None,
        wasi: None,
    };
    let mut store = Store::new(engine, host);
    store.limiter(|host| &mut host.limits);
    store.set_hostcall_fuel(HANDED_OVER);
    store.epoch_deadline_trap();
    (store, written)
}

pub(crate) fn refuel(store: &mut Store<Host>, fuel: u64, ticks: u64) {
    // Fuel is configured: it can always be set.
    let _ = store.set_fuel(fuel);
    store.set_epoch_deadline(ticks);
}

pub(crate) fn end_of(error: &wasmtime::Error) -> End {
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => End::OutOfFuel,
        Some(Trap::Interrupt) => End::TooLong,
        _ => End::Trap,
    }
}

/// A guest's error in words; outside the turn.
pub(crate) fn sentence(error: &wasmtime::Error) -> String {
    // The first cause is the trap itself; what stands around it are frames without names.
    let cause = error.root_cause().to_string();
    let cause = cause.strip_prefix("wasm trap: ").unwrap_or(&cause);
    match end_of(error) {
        End::OutOfFuel => "it used more fuel than it was granted".to_owned(),
        End::TooLong => "it took longer than a hook may take".to_owned(),
        _ => cause.to_owned(),
    }
}

pub(crate) fn failure(error: wasmtime::Error) -> Failure {
    Failure {
        end: end_of(&error),
        why: sentence(&error),
    }
}

impl Host {
    /// Lays out the desk for `start` and `stop`: the sensors as they are now, and stay.
    pub(crate) fn begin_outside(&mut self) {
        let window = &self.scene.window;
        for (place, still) in self.still.iter().enumerate() {
            still.store(window.sensor(place).to_bits(), Relaxed);
        }
        carry::point(self, &[]);
        self.waiting.fill(0);
        let desk = &self.desk;
        desk.now.store(self.scene.window.now().nanos(), Relaxed);
        desk.turn.store(self.scene.window.turn(), Relaxed);
        let start = self.phase == Phase::Start;
        let (end, full) = if start {
            (ITEMS, Answer::TooMuch)
        } else {
            (0, Answer::Ending)
        };
        self.free(0, end);
        desk.full.store(full.number(), Relaxed);
    }
}

/// What a hook said.
pub(crate) enum Called {
    /// It came to its end.
    Well,
    /// It is not alive any more.
    Over,
    /// It broke, ran dry or took too long.
    Badly(End),
}
