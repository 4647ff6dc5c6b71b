//! The two engines: one whose guests live in a pool and are called inside the turn, one for scores.
//! Made once at start-up; what they compile is told apart by their settings, so they share artefacts.
//! The law: no call into a guest allocates, and whatever a guest does ends by fuel or by the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wasmtime::{
    Config, Engine, Inlining, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig,
    RegallocAlgorithm,
};

use crate::host::{CORES, MEMORIES, TABLE, TABLES};

/// Bytes of memory that a guest may be granted at most, all of its memories together.
pub(crate) const MEMORY_MAX: u64 = 256 << 20;

/// Bytes of stack that compiled code may use.
const STACK: usize = 256 << 10;

/// How often the clock behind the fuel ticks.
pub(crate) const TICK: Duration = Duration::from_millis(1);

/// How machine code is made. Both run side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Good code; for a large function it takes worse than the square of its size.
    Good,
    /// Neither optimised nor with the better allocation of registers: in one pass.
    Quick,
}

impl Tier {
    /// Its word in messages and file names.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Good => "good",
            Tier::Quick => "quick",
        }
    }
}

/// Where guests are compiled for, and instantiated.
#[derive(Clone, Debug)]
pub struct Engines {
    /// For hooks: instances come from a pool of this many places.
    pub hooks: Engine,
    /// For scores: instances are as large as they are.
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

/// What all engines have in common; artefacts depend on it.
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
        // Otherwise every call allocates, and takes three times as long.
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
        // No guest has a stack of its own. Unless it is said, a thousand are made, and locked with the loop's memory.
        .total_stacks(0)
        .max_core_instance_size(256 << 10)
        .table_elements(TABLE)
        .max_memory_size(MEMORY_MAX as usize)
        .max_unused_warm_slots(places)
        // Pages that stay are cleared, not given back: no fault in the turn.
        .linear_memory_keep_resident(1 << 20)
        .table_keep_resident(64 << 10);
    pool
}

/// The clock behind the fuel: a thread that ticks, for as long as this is held.
#[derive(Debug)]
pub struct Ticker {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Ticker {
    /// Starts to tick for both engines. `raise` gives the thread its priority: one that starves
    /// behind the loop would protect nothing.
    ///
    /// # Errors
    /// There is no thread to be had.
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
            // It only sleeps and counts; a panic there has been printed already.
            let _ = thread.join();
        }
    }
}
