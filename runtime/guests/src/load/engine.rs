//! The engines of Wasmtime: two for motions, which live in a pool and are called inside the turn, one for scores.
//! Made once at start-up. Their settings for compiling depend on the form of the code alone, so that they share it.
//! No call into a guest allocates, and every call ends: by itself, by fuel, or by the clock.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wasmtime::{
    Config, Engine, Inlining, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig,
    RegallocAlgorithm,
};

use crate::host::{InstanceLimits, TABLE, TICK};
use crate::load::code_form::CodeForm;

/// The most bytes that a guest may be granted for all of its memories.
pub const MEMORY_MAX: u64 = 256 << 20;

/// Bytes of stack that the code of motions may use.
const STACK: usize = 256 << 10;

/// The same of interpreters and scores: CPython's, compiled quickly, uses 256 KiB to import a module. Threads that call
/// them have 2 MiB.
const DEEP_STACK: usize = 1 << 20;

/// The most motions whose code is an interpreter, at the same time; versions that take over count as well.
const INTERPRETERS: u32 = 16;

/// How machine code is made. Code of both tiers can run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Optimised; the time for a large function grows faster than the square of its size.
    Good,
    /// Made in one pass: not optimised, with a simple register allocator.
    Quick,
}

impl Tier {
    /// The tier that this program tries first. In a debug build the compiler itself is not optimised: people and tests
    /// would wait for code whose speed matters to nobody.
    pub const USUAL: Tier = if cfg!(debug_assertions) {
        Tier::Quick
    } else {
        Tier::Good
    };

    /// Its name in messages and file names.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Good => "good",
            Tier::Quick => "quick",
        }
    }
}

/// What is known of a trap in a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapDetail {
    /// Its text: for real time, where nobody walks a stack that may be deep.
    Text,
    /// Also the function: for virtual time.
    Function,
}

/// The engines.
#[derive(Clone, Debug)]
pub struct Engines {
    /// For hooks: instances come from a pool of this many places.
    pub hooks: Engine,
    /// For hooks of motions whose code is an interpreter, in a pool of its own: it is made of many modules, needs more
    /// memory to be compiled in place than a robot has, and would gain nothing.
    pub interpreters: Engine,
    /// For scores: each instance is allocated by itself.
    pub scores: Engine,
}

impl Engines {
    /// Engines for `places` guests with hooks at the same time, whose code has this form.
    ///
    /// # Errors
    /// The machine cannot have them: its address space or its mappings are limited.
    pub fn new(places: u32, form: CodeForm, traps: TrapDetail) -> wasmtime::Result<Engines> {
        let frames = match traps {
            TrapDetail::Text => None,
            TrapDetail::Function => Some(NonZero::<usize>::MIN),
        };
        let pooled = |mut settings: Config, pool| {
            settings.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
            settings.wasm_backtrace_max_frames(frames);
            Engine::new(&settings)
        };
        let mut deep = settings(Tier::Good, CodeForm::Calls);
        deep.max_wasm_stack(DEEP_STACK);
        // Scores have threads of their own, which may take the time to walk the stack.
        deep.wasm_backtrace_max_frames(Some(NonZero::<usize>::MIN));
        let interpreters = pool(INTERPRETERS, InstanceLimits::INTERPRETER);
        Ok(Engines {
            hooks: pooled(
                settings(Tier::Good, form),
                pool(places, InstanceLimits::MOTION),
            )?,
            interpreters: pooled(deep.clone(), interpreters)?,
            scores: Engine::new(&deep)?,
        })
    }

    /// All of them.
    fn all(&self) -> [&Engine; 3] {
        [&self.hooks, &self.interpreters, &self.scores]
    }
}

/// An engine that only compiles, on all processors or on one.
///
/// # Errors
/// This machine's processor is not one that can be compiled for.
pub(crate) fn compiler(tier: Tier, form: CodeForm, on_all: bool) -> wasmtime::Result<Engine> {
    let mut settings = settings(tier, form);
    settings.parallel_compilation(on_all);
    Engine::new(&settings)
}

/// The settings of all engines; compiled code depends on them.
fn settings(tier: Tier, form: CodeForm) -> Config {
    let mut config = Config::new();
    config.compiler_inlining(match form {
        CodeForm::InPlace => Inlining::InterModule,
        // Functions are then compiled one by one. With inlining, all are in memory at once: for an interpreter that
        // is 6 GB instead of 450 MB.
        CodeForm::Calls => Inlining::No,
    });
    match tier {
        Tier::Good => config.cranelift_opt_level(OptLevel::Speed),
        Tier::Quick => config
            .cranelift_opt_level(OptLevel::None)
            .cranelift_regalloc_algorithm(RegallocAlgorithm::SinglePass),
    };
    config
        // With it every call would allocate, and take three times as long.
        .concurrency_support(false)
        .consume_fuel(true)
        .epoch_interruption(true)
        // A trap then allocates twice, not five times.
        .wasm_backtrace_max_frames(None)
        .max_wasm_stack(STACK)
        .memory_may_move(false)
        .memory_reservation(MEMORY_MAX)
        .memory_guard_size(64 << 10)
        .memory_reservation_for_growth(0)
        // The same input gives the same bytes on every machine.
        .relaxed_simd_deterministic(true)
        .cranelift_nan_canonicalization(true)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        // Only a compiler has threads of its own.
        .parallel_compilation(false);
    config
}

fn pool(places: u32, most: InstanceLimits) -> PoolingAllocationConfig {
    let each = [most.instances, most.memories, most.tables];
    let [cores, memories, tables] = each.map(|value| value as u32);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(places)
        .max_component_instance_size(most.bytes)
        .max_core_instances_per_component(cores)
        .max_memories_per_component(memories)
        .max_tables_per_component(tables)
        .total_core_instances(places * cores)
        .total_memories(places * memories)
        .total_tables(places * tables / 2)
        // Guests need no stacks of their own. By default a thousand would be made, and locked with the loop's memory.
        .total_stacks(0)
        .max_core_instance_size(256 << 10)
        .table_elements(TABLE)
        .max_memory_size(MEMORY_MAX as usize)
        .max_unused_warm_slots(places)
        // Pages are cleared instead of given back, so that there is no page fault in the turn.
        .linear_memory_keep_resident(1 << 20)
        .table_keep_resident(64 << 10);
    pool
}

/// The clock behind the fuel: a thread that ticks until this is dropped.
#[derive(Debug)]
pub struct Ticker {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Ticker {
    /// Starts ticking for all engines. `raise` sets the thread's priority, which must be above the loop's: a thread
    /// that the loop starves would protect nothing.
    ///
    /// # Errors
    /// The thread could not be started.
    pub fn start(
        engines: &Engines,
        raise: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<Ticker> {
        let stop = Arc::new(AtomicBool::new(false));
        let (engines, stopped) = (engines.clone(), Arc::clone(&stop));
        let tick = move || {
            raise();
            while !stopped.load(Ordering::Relaxed) {
                std::thread::sleep(TICK);
                for engine in engines.all() {
                    engine.increment_epoch();
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("ticker".to_owned())
            .spawn(tick)?;
        Ok(Ticker {
            stop,
            thread: Some(thread),
        })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed already.
            let _ = thread.join();
        }
    }
}
