//! A choreography: a component that was checked, compiled and linked, ready to become a guest.
//! Made outside the turn, from an upload; can be loaded many times.
//! Bytes become code here and nowhere else, and only after they were checked.

#![allow(unsafe_code, reason = "machine code from the cache is trusted")]

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

use crate::host::WasiGrant;
use crate::host::wasi::{INERT, link_inert};
use crate::host::{self, Host};
use crate::load::cache::{self, Cache, CacheKey};
use crate::load::code_form::CodeForm;
use crate::load::compile::{CompileBudget, CompileError, CompileLimits, Compiler};
use crate::load::compile_progress::{Compiling, TELLING};
use crate::load::contract::{self, CheckedComponent, ContractError, World};
use crate::load::engine::{Engines, Tier};
use crate::load::script;

/// Ready to become a guest.
#[derive(Clone)]
pub struct Choreography {
    pub(crate) pre: InstancePre<Host>,
    /// The result of the check.
    pub checked: CheckedComponent,
    /// The digest of its bytes.
    pub digest: String,
    /// Its size, bytes.
    pub size: usize,
    /// How it reaches sensors and commands.
    pub form: CodeForm,
    /// How it was compiled.
    pub tier: Tier,
    /// Whether its code came from the cache.
    pub cached: bool,
}

impl fmt::Debug for Choreography {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choreography")
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}

impl Choreography {
    /// The fuel of a call: what hooks are granted; for a score, the fuel from one sleep to the next.
    pub(crate) fn fuel(&self, granted: u64) -> u64 {
        match self.checked.world {
            World::Motion => granted,
            World::Score => host::SCORE_FUEL,
        }
    }

    /// Whether it may read more than the robot: clocks, random numbers, files.
    pub fn uses_wasi(&self) -> bool {
        self.checked.imports.iter().any(|import| {
            ["wasi:clocks/", "wasi:random/", "wasi:filesystem/"]
                .iter()
                .any(|part| import.0.starts_with(part))
        })
    }

    /// Whether it begins requests of its own; only then they are followed.
    pub(crate) fn begins_requests(&self) -> bool {
        let mut imports = self.checked.imports.iter();
        imports.any(|import| import.0.contains("/requests@"))
    }

    /// Whether it imports a function that needs the number of queued commands; only then they are counted for it.
    pub(crate) fn asks_what_waits(&self) -> bool {
        let asks = |name: &String| ["waiting", "put", "clear"].contains(&name.as_str());
        let imports = self.checked.imports.iter();
        let mut commands = imports.filter(|import| import.0.contains("/commands@"));
        commands.any(|command| command.1.iter().any(asks))
    }
}

/// Why bytes did not become a choreography.
#[derive(Debug)]
pub enum PrepareError {
    /// It breaks the contract.
    Contract(ContractError),
    /// It could not be compiled.
    Compile(CompileError),
    /// It could not be linked: a function of the contract with other types.
    Link(String),
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrepareError::Contract(error) => error.fmt(f),
            PrepareError::Compile(error) => error.fmt(f),
            PrepareError::Link(why) => write!(f, "it does not fit the contract: {why}"),
        }
    }
}

impl std::error::Error for PrepareError {}

/// Makes choreographies.
pub(crate) struct Preparer {
    engines: Engines,
    hooks: Linker<Host>,
    interpreters: Linker<Host>,
    scores: Linker<Host>,
    compiler: Compiler,
    cache: Cache,
    form: CodeForm,
    budget: CompileBudget,
    /// Whether the compiler gives way to a loop.
    loop_runs: AtomicBool,
    /// Held while compiling: one at a time, so that a robot has its other processors for itself.
    compiling: Mutex<()>,
}

impl Preparer {
    pub(crate) fn new(
        engines: Engines,
        compiler: Compiler,
        cache: Cache,
        form: CodeForm,
        budget: CompileBudget,
    ) -> wasmtime::Result<Preparer> {
        let mut hooks = Linker::new(&engines.hooks);
        host::link(&mut hooks)?;
        let mut interpreters = Linker::new(&engines.interpreters);
        host::link(&mut interpreters)?;
        let mut scores = Linker::new(&engines.scores);
        host::link(&mut scores)?;
        host::wasi::link(&mut scores)?;
        Ok(Preparer {
            engines,
            hooks,
            interpreters,
            scores,
            compiler,
            cache,
            form,
            budget,
            loop_runs: AtomicBool::new(false),
            compiling: Mutex::default(),
        })
    }

    /// From now on, the compiler gives way to the loop.
    pub(crate) fn loop_starts(&self) {
        self.loop_runs.store(true, Ordering::Relaxed);
    }

    /// Compiles a component that is not in the cache, one at a time.
    fn compile(&self, code: &[u8], form: CodeForm) -> Result<(Vec<u8>, Tier), PrepareError> {
        let beside_loop = self.loop_runs.load(Ordering::Relaxed);
        let limits = CompileLimits::of(code.len(), self.budget, beside_loop);
        let compiling = self.compiling.lock();
        let _one = compiling.unwrap_or_else(PoisonError::into_inner);
        let began = Instant::now();
        let compiled = {
            let _shown = Compiling::begin(code.len(), self.cache.pace());
            self.compiler.compile(code, form, limits)
        };
        let (made, tier) = compiled.map_err(PrepareError::Compile)?;
        let took = began.elapsed();
        let took_ms = took.as_millis();
        tracing::info!(took_ms, tier = tier.name(), "compiled");
        if code.len() > TELLING {
            self.cache
                .keep_pace(took.as_nanos() as f64 / code.len() as f64);
        }
        Ok((made, tier))
    }

    /// Checks, compiles and links.
    pub(crate) fn prepare(
        &self,
        bytes: &[u8],
        wasi: WasiGrant,
    ) -> Result<Choreography, PrepareError> {
        let checked = contract::check(bytes, wasi).map_err(PrepareError::Contract)?;
        let (engine, linker, form) = match checked.world {
            World::Motion if checked.is_interpreted() => (
                &self.engines.interpreters,
                &self.interpreters,
                CodeForm::Calls,
            ),
            World::Motion => (&self.engines.hooks, &self.hooks, self.form),
            // It runs on a thread of its own, which must not read in place what the loop writes.
            World::Score => (&self.engines.scores, &self.scores, CodeForm::Calls),
        };
        let code = script::engine(bytes);
        let key = CacheKey::of(&code, form, self.compiler.first());
        let found = self.cache.find(&key).and_then(|(code, tier)| {
            // Code of another version of Wasmtime is refused, and compiled again.
            Some((load(engine, &code).ok()?, tier))
        });
        let cached = found.is_some();
        let (component, tier) = match found {
            Some(found) => found,
            None => {
                let _span = tracing::info_span!("compile", bytes = code.len()).entered();
                let (code, tier) = self.compile(&code, form)?;
                self.cache.keep(&key, tier, &code);
                let link = |error| PrepareError::Link(format!("{error:#}"));
                (load(engine, &code).map_err(link)?, tier)
            }
        };
        let is_inert = |name: &str| INERT.iter().any(|item| name.starts_with(item));
        let pre = if checked.imports.iter().any(|import| is_inert(&import.0)) {
            link_inert(linker, &component).and_then(|linker| linker.instantiate_pre(&component))
        } else {
            linker.instantiate_pre(&component)
        };
        let pre = pre.map_err(|error| PrepareError::Link(format!("{error:#}")))?;
        Ok(Choreography {
            pre,
            checked,
            digest: cache::digest(bytes),
            size: bytes.len(),
            form,
            tier,
            cached,
        })
    }
}

fn load(engine: &Engine, code: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: the bytes are an artefact of this program's own compiler: it has just come from there, by
    // a pipe from a child that is this program, or from a folder in which only this user can write,
    // with the digest under which it was written. The engine compares its version and settings.
    unsafe { Component::deserialize(engine, code) }
}
