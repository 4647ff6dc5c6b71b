//! The store of a guest, its exported hooks, which are called with fuel and a deadline, and what their errors mean.
//! Used through all of a guest's life, and by scores.
//! Nothing of a guest runs without fuel, a deadline and limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use printable::printable;
use rtrb::Consumer;
use wasmtime::component::{Instance, TypedFunc};
use wasmtime::{Engine, Store, Trap, WasmBacktrace};

use crate::host::TABLE;
use crate::host::{
    CallCounts, CallPhase, Host, InstanceLimits, MemoryLimits, Overrun, Params, Sink,
    StandardStreams, StateSlots,
};
use crate::shared::answer::HostAnswer;
use crate::shared::command_buffer::{CommandBuffer, ITEMS};
use crate::shared::guest_body::GuestBody;
use crate::shared::guest_requests::GuestRequests;
use crate::shared::guest_shared::GuestShared;
use crate::shared::log::Log;
use crate::shared::log_line::LogLine;
use crate::shared::report::End;
use crate::shared::terms::Terms;
use crate::shared::topics::ALL_TOPICS;
use crate::turn::flush;

/// Bytes that a guest may pass to the host in one call.
const HANDED_OVER: usize = 64 << 10;

/// Elements of a score's table: whole interpreters are larger than any motion.
const SCORE_TABLE: usize = 1 << 20;

pub(crate) struct HookExports {
    pub(crate) start: Option<TypedFunc<(), ()>>,
    pub(crate) pre_process: Option<TypedFunc<(), ()>>,
    pub(crate) post_process: Option<TypedFunc<(), ()>>,
    pub(crate) is_alive: Option<TypedFunc<(), (bool,)>>,
    pub(crate) stop: Option<TypedFunc<(), ()>>,
}

impl std::fmt::Debug for HookExports {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HookExports")
    }
}

impl HookExports {
    /// Those of these names; others are never called.
    pub(crate) fn of(
        names: &[&str],
        instance: &Instance,
        store: &mut Store<Host>,
    ) -> wasmtime::Result<HookExports> {
        let exported = |store: &mut Store<Host>, name: &str| {
            let named = names.contains(&name).then_some(name);
            named.and_then(|name| instance.get_func(store, name))
        };
        let mut plain = |name: &str| match exported(&mut *store, name) {
            None => Ok(None),
            Some(hook) => hook.typed::<(), ()>(&*store).map(Some),
        };
        let (start, stop) = (plain("start")?, plain("stop")?);
        let (pre_process, post_process) = (plain("pre-process")?, plain("post-process")?);
        let is_alive = match exported(&mut *store, "is-alive") {
            None => None,
            Some(hook) => Some(hook.typed::<(), (bool,)>(&*store)?),
        };
        Ok(HookExports {
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
    /// The reason.
    pub end: End,
    /// A sentence.
    pub why: String,
}

impl Failure {
    /// Adds what the guest has said before.
    pub(crate) fn after(mut self, lines: &mut Consumer<LogLine>) -> Failure {
        while let Ok(line) = lines.pop() {
            self.why = format!("{}\n  it said: {}", self.why, line.text());
        }
        self
    }
}

/// Makes a store for a guest.
pub(crate) fn store(
    engine: &Engine,
    body: &Arc<GuestBody>,
    terms: &Terms,
    phase: CallPhase,
    sink: Sink,
) -> (Store<Host>, Consumer<LogLine>) {
    let (lines, written) = match phase {
        CallPhase::Score => Log::shared(),
        _ => Log::own(),
    };
    let actuators = body.actuators.len();
    let verdict = |place: usize| {
        let number = u32::try_from(place).unwrap_or(u32::MAX);
        let may = terms
            .mask
            .as_ref()
            .is_none_or(|mask| mask.contains(&number));
        let verdict = if may {
            HostAnswer::Done
        } else {
            HostAnswer::Forbidden
        };
        AtomicU64::new(verdict.number())
    };
    let unknown = AtomicU64::new(HostAnswer::Unknown.number());
    let host = Host {
        shared: GuestShared::default(),
        phase,
        body: Arc::clone(body),
        script: Arc::clone(&terms.script),
        curve_guess: 1.0,
        buffer: CommandBuffer::new(),
        sink,
        verdicts: (0..actuators).map(verdict).chain([unknown]).collect(),
        waiting: vec![0; actuators].into_boxed_slice(),
        snapshot: (0..body.boards.len())
            .map(|_| AtomicU64::default())
            .collect(),
        requests: GuestRequests::NONE,
        body_state: cycle::State::Boot,
        hidden: false,
        priority_max: terms.priority_max,
        params: Params::new(terms.params.clone()),
        kept: StateSlots::nothing(),
        seen: body.bus.heard(),
        event: None,
        topics: vec![false; ALL_TOPICS].into_boxed_slice(),
        missed_events: 0,
        lines,
        printed: StandardStreams::default(),
        counts: CallCounts::default(),
        limits: memory_limits(terms, phase),
        clock: None,
        cancel: None,
        wasi: None,
        overrun: Overrun::default(),
    };
    let mut store = Store::new(engine, host);
    store.limiter(|host| &mut host.limits);
    store.set_hostcall_fuel(HANDED_OVER);
    store.epoch_deadline_callback(|mut store| Ok(store.data_mut().overrun.at_deadline()));
    (store, written)
}

fn memory_limits(terms: &Terms, phase: CallPhase) -> MemoryLimits {
    MemoryLimits {
        memory: terms.memory,
        most: match phase {
            CallPhase::Score => InstanceLimits::SCORE,
            _ if terms.script.is_empty() => InstanceLimits::MOTION,
            _ => InstanceLimits::INTERPRETER,
        },
        table: if phase == CallPhase::Score {
            SCORE_TABLE
        } else {
            TABLE
        },
        frozen: false,
        used: 0,
        refused: 0,
        wanted: 0,
    }
}

pub(crate) fn refuel(store: &mut Store<Host>, fuel: u64, ticks: u64) {
    // The engine is configured with fuel, so that it can always be set.
    let _ = store.set_fuel(fuel);
    store.set_epoch_deadline(ticks);
    store.data_mut().overrun = Overrun::of(ticks);
}

pub(crate) fn end_of(error: &wasmtime::Error) -> End {
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => End::OutOfFuel,
        Some(Trap::Interrupt) => End::TooLong,
        _ => End::Trap,
    }
}

/// Describes a guest's error; outside the turn.
pub(crate) fn sentence(store: &Store<Host>, error: &wasmtime::Error) -> String {
    let why = trap(error);
    match store.data().limits.told() {
        Some(told) => format!("{why}; {told}"),
        None => why,
    }
}

fn trap(error: &wasmtime::Error) -> String {
    // The root cause is the trap itself; around it are frames without names.
    let cause = error.root_cause().to_string();
    let cause = cause.strip_prefix("wasm trap: ").unwrap_or(&cause);
    match end_of(error) {
        End::OutOfFuel => "it used more fuel than it was granted".to_owned(),
        End::TooLong => "it took longer than a hook may take".to_owned(),
        _ => match function(error) {
            Some(name) => format!("{cause}, in `{name}`"),
            None => cause.to_owned(),
        },
    }
}

/// The name of the function that trapped, if it has one, and if the engine keeps it.
fn function(error: &wasmtime::Error) -> Option<String> {
    let trace = error.downcast_ref::<WasmBacktrace>()?;
    let name = trace.frames().first()?.func_name()?;
    Some(printable(&function_name(name)).into_owned())
}

/// A name as its author wrote it, in Rust or C++; or as it is.
fn function_name(symbol: &str) -> String {
    let rust = rustc_demangle::try_demangle(symbol).map(|value| format!("{value:#}"));
    // Without the mark, `w` would be a type of C++.
    let is_cpp = symbol.starts_with("_Z");
    let cpp = || {
        let symbol = cpp_demangle::Symbol::new(symbol).ok().filter(|_| is_cpp);
        symbol?.demangle().ok()
    };
    rust.ok().or_else(cpp).unwrap_or_else(|| symbol.to_owned())
}

/// Why a guest has failed; what it has printed last is a line, too.
pub(crate) fn failure(store: &mut Store<Host>, error: &wasmtime::Error) -> Failure {
    store.data_mut().end_printing();
    Failure {
        end: end_of(error),
        why: sentence(store, error),
    }
}

impl Host {
    /// Prepares what `start` and `stop` may see: a snapshot of the sensors, and the last turn's instant.
    pub(crate) fn begin_outside(&mut self) {
        let window = &self.body.window;
        for (place, sensor) in self.snapshot.iter().enumerate() {
            sensor.store(window.sensor(place).to_bits(), Relaxed);
        }
        flush::point_to(self, &[]);
        self.waiting.fill(0);
        let shared = &self.shared;
        shared.set_now(self.body.window.now().nanos());
        shared.turn.store(self.body.window.turn(), Relaxed);
        let start = self.phase == CallPhase::Start;
        let (end, full) = if start {
            (ITEMS, HostAnswer::TooMuch)
        } else {
            (0, HostAnswer::Ending)
        };
        self.free(0, end);
        shared.full.store(full.number(), Relaxed);
    }
}

/// The outcome of a hook.
pub(crate) enum HookOutcome {
    /// It returned.
    Done,
    /// It returned, and the guest ends.
    Finished,
    /// It trapped, ran out of fuel or took too long.
    Failed(End),
}
