//! The two engines of Wasmtime: one for motions, which live in a pool and are called inside the turn, one for scores.
//! Made once at start-up. Their settings for compiling are the same, so that they share compiled code.
//! The law: no call into a guest allocates, and every call ends: by itself, by fuel, or by the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wasmtime::{
    Config, Engine, Inlining, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig,
    RegallocAlgorithm,
};

use crate::host::{CORES, MEMORIES, TABLE, TABLES};

/// The most bytes that a guest may be granted for all of its memories.
pub(crate) const MEMORY_MAX: u64 = 256 << 20;

/// Bytes of stack that compiled code may use.
const STACK: usize = 256 << 10;

/// How often the clock behind the fuel ticks.
pub(crate) const TICK: Duration = Duration::from_millis(1);

/// How machine code is made. Code of both tiers can run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Optimised; the time for a large function grows faster than the square of its size.
    Good,
    /// Made in one pass: not optimised, with a simple register allocator.
    Quick,
}

impl Tier {
    /// Its name in messages and file names.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Good => "good",
            Tier::Quick => "quick",
        }
    }
}

/// The engines.
#[derive(Clone, Debug)]
pub struct Engines {
    /// For hooks: instances come from a pool of this many places.
    pub hooks: Engine,
    /// For scores: each instance is allocated by itself.
    pub scores: Engine,
}

impl Engines {
    /// Engines for `places` guests with hooks at the same time.
    ///
    /// # Errors
    /// The machine cannot have them: its address space or its mappings are limited.
    pub fn new(places: u32) -> wasmtime::Result<Engines> {
        let mut hooks = settings(Tier::Good);
        hooks.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(places)));
        Ok(Engines {
            hooks: Engine::new(&hooks)?,
            scores: Engine::new(&settings(Tier::Good))?,
        })
    }
}

/// An engine that only compiles.
///
/// # Errors
/// This machine's processor is not one that can be compiled for.
pub(crate) fn compiler(tier: Tier) -> wasmtime::Result<Engine> {
    Engine::new(&settings(tier))
}

/// The settings of all engines; compiled code depends on them.
fn settings(tier: Tier) -> Config {
    let mut config = Config::new();
    match tier {
        Tier::Good => config.cranelift_opt_level(OptLevel::Speed),
        Tier::Quick => config
            .cranelift_opt_level(OptLevel::None)
            .cranelift_regalloc_algorithm(RegallocAlgorithm::SinglePass),
    };
    config
        .compiler_inlining(Inlining::InterModule)
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
        .wasm_memory64(false);
    config
}

fn pool(places: u32) -> PoolingAllocationConfig {
    let [cores, memories, tables] = [CORES, MEMORIES, TABLES].map(|it| it as u32);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(places)
        .max_component_instance_size(64 << 10)
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
    /// Starts ticking for both engines. `raise` sets the thread's priority, which must be above the loop's: a thread
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
                engines.hooks.increment_epoch();
                engines.scores.increment_epoch();
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
