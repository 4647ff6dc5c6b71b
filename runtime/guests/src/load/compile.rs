//! Compiles a component to machine code, away from the loop: in this process, or in a child process with limits.
//! Called for uploads; the child is the same program with other arguments (`dcm-run compile`).
//! Compiling takes bounded time and memory: it gives optimised code, else quickly made code, else an error.

use std::fmt;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use wasmtime::{CodeBuilder, Engine};

use crate::load::code_form::CodeForm;
use crate::load::compile_load::CompileLoad;
use crate::load::compile_progress::expected_time;
use crate::load::engine::{self, Tier};
use crate::load::inplace;

/// Why there is no machine code.
#[derive(Debug)]
pub enum CompileError {
    /// The compiler refuses it.
    Refused(String),
    /// Neither tier finished within its limits; what is large in it.
    Limits(CompileLimits, ExceededLimit, CompileLoad),
    /// The child process could not be started.
    Child(std::io::Error),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Refused(why) => write!(f, "it cannot be compiled: {why}"),
            CompileError::Limits(limits, exceeded, load) => {
                let (limit, key) = match exceeded {
                    ExceededLimit::Time => (format!("{} s", limits.time.as_secs()), "compile-time"),
                    ExceededLimit::Clock => {
                        let seconds = limits.clock.as_secs();
                        return write!(
                            f,
                            "it cannot be compiled within {seconds} s of the clock: other programs take the \
                             processors, and the compiler gives way to them; fix: try again when the machine is idle"
                        );
                    }
                    ExceededLimit::Memory => {
                        (format!("{} MiB", limits.memory >> 20), "compile-memory")
                    }
                };
                write!(
                    f,
                    "it cannot be compiled within {limit}, not even without optimising: {load}, or set `{key}` in \
                     `[loop]` of the robot's description"
                )
            }
            CompileError::Child(error) => write!(f, "starting the compiler: {error}"),
        }
    }
}

impl std::error::Error for CompileError {}

/// What compiling may cost.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CompileLimits {
    /// Processor time that a tier may take.
    pub time: Duration,
    /// How long a tier may take by the clock: others may have the processors.
    pub clock: Duration,
    /// Bytes of address space.
    pub memory: u64,
    /// Whether it gives way to everything else, because a loop runs beside it.
    pub gives_way: bool,
}

/// What compiling may cost on a robot, if its description says so.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct CompileBudget {
    /// Processor time of a tier.
    pub time: Option<Duration>,
    /// Bytes of address space.
    pub memory: Option<u64>,
}

impl CompileLimits {
    /// The limits for a component of this size; on a usual computer most need a twentieth of the time. Without a
    /// budget, compiling leaves the machine half of its memory.
    pub fn of(bytes: usize, budget: CompileBudget, gives_way: bool) -> CompileLimits {
        let large = bytes > 1 << 20;
        let usual = (TIME_MIN + 20 * expected_time(bytes, None)).min(TIME_MAX);
        let half = rustix::system::sysinfo().totalram / 2;
        let memory = half.clamp(MEMORY_MIN, if large { 8 << 30 } else { 2 << 30 });
        let time = budget.time.unwrap_or(usual);
        CompileLimits {
            time,
            clock: (4 * time).max(CLOCK_MIN),
            memory: budget.memory.unwrap_or(memory),
            gives_way,
        }
    }
}

/// The processor time that starting the compiler and a small component may take, on a slow computer.
const TIME_MIN: Duration = Duration::from_secs(5);

/// The most processor time that a component may take, however large it is.
const TIME_MAX: Duration = Duration::from_secs(120);

/// On a busy machine, even a small component may wait for a processor.
const CLOCK_MIN: Duration = Duration::from_secs(180);

/// The compiler itself and a small component, on any machine.
const MEMORY_MIN: u64 = 256 << 20;

/// Which limit compiling has hit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ExceededLimit {
    /// Processor time.
    Time,
    /// The clock: others had the processors.
    Clock,
    /// Memory.
    Memory,
}

/// Where compiling happens, and how it begins.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The program of the child process; without one, this process compiles.
    program: Option<PathBuf>,
    first: Tier,
}

impl Default for Compiler {
    fn default() -> Compiler {
        Compiler::here()
    }
}

impl Compiler {
    /// In this process; for tests and tools.
    pub fn here() -> Compiler {
        Compiler {
            program: None,
            first: Tier::USUAL,
        }
    }

    /// In a child process of this program, which is started with `words`.
    pub fn child(program: PathBuf) -> Compiler {
        Compiler {
            program: Some(program),
            first: Tier::USUAL,
        }
    }

    /// The same compiler, which tries this tier first.
    pub fn with_first(self, first: Tier) -> Compiler {
        Compiler { first, ..self }
    }

    /// The tier that it tries first.
    pub(crate) fn first(&self) -> Tier {
        self.first
    }

    /// Compiles a checked component; its machine code and the tier.
    ///
    /// # Errors
    /// [`CompileError`]; nothing is left running.
    pub fn compile(
        &self,
        component: &[u8],
        form: CodeForm,
        limits: CompileLimits,
    ) -> Result<(Vec<u8>, Tier), CompileError> {
        let Some(program) = &self.program else {
            return Ok((here(component, form, self.first, false)?, self.first));
        };
        let tiers = match self.first {
            Tier::Good => &[Tier::Good, Tier::Quick][..],
            Tier::Quick => &[Tier::Quick],
        };
        let mut last = ExceededLimit::Time;
        for tier in tiers {
            match child(program, component, form, *tier, limits)? {
                Ok(code) => return Ok((code, *tier)),
                Err(exceeded) => last = exceeded,
            }
        }
        let load = CompileLoad::of(component);
        Err(CompileError::Limits(limits, last, load))
    }
}

/// Compiles in this process, on all processors or on one.
fn here(
    component: &[u8],
    form: CodeForm,
    tier: Tier,
    on_all: bool,
) -> Result<Vec<u8>, CompileError> {
    let refused = |error: wasmtime::Error| CompileError::Refused(format!("{error:#}"));
    let engine = engine::compiler(tier, form, on_all).map_err(refused)?;
    compile_with(&engine, component, form).map_err(CompileError::Refused)
}

fn compile_with(engine: &Engine, component: &[u8], form: CodeForm) -> Result<Vec<u8>, String> {
    let spliced = match form {
        CodeForm::InPlace => inplace::splice_into(component)?,
        CodeForm::Calls => None,
    };
    let mut builder = CodeBuilder::new(engine);
    let bytes = spliced
        .as_ref()
        .map_or(component, |spliced| &spliced.component);
    builder
        .wasm_binary(bytes, None)
        .map_err(|error| format!("{error:#}"))?;
    if let Some(spliced) = &spliced {
        inplace::expose(&mut builder, spliced);
    }
    let code = builder.compile_component_serialized();
    code.map_err(|error| format!("{error:#}"))
}

/// The arguments with which a child is started.
pub(crate) fn words(form: CodeForm, tier: Tier, limits: CompileLimits) -> [String; 6] {
    [
        "compiler".to_owned(),
        form.name().to_owned(),
        tier.name().to_owned(),
        limits.time.as_secs().max(1).to_string(),
        limits.memory.to_string(),
        PRIORITIES[usize::from(limits.gives_way)].to_owned(),
    ]
}

/// How a child is told whether it gives way.
const PRIORITIES: [&str; 2] = ["at-once", "gives-way"];

/// The most bytes that are read from a child.
const CODE_MAX: u64 = 512 << 20;

/// The child's first byte: whether code follows, or an error message.
const CODE: u8 = b'+';
const SENTENCE: u8 = b'-';

/// Compiles in a child; or which of its limits it exceeded.
fn child(
    program: &PathBuf,
    component: &[u8],
    form: CodeForm,
    tier: Tier,
    limits: CompileLimits,
) -> Result<Result<Vec<u8>, ExceededLimit>, CompileError> {
    let mut child = Command::new(program)
        .args(words(form, tier, limits))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .env_clear()
        // Each thread of a compiler takes address space, which is limited.
        .env("RAYON_NUM_THREADS", threads().to_string())
        .env("MALLOC_ARENA_MAX", "2")
        .current_dir("/")
        .spawn()
        .map_err(CompileError::Child)?;
    let Some(answer) = exchange(&mut child, component, limits) else {
        let _ = child.kill();
        let _ = child.wait();
        return Ok(Err(ExceededLimit::Clock));
    };
    // The child is ended in any case.
    let _ = child.kill();
    let status = child.wait().ok();
    let end = status.and_then(|status| status.signal());
    let has_failed = status
        .and_then(|status| status.code())
        .is_some_and(|code| code != 0);
    match answer.split_first() {
        Some((&CODE, code)) => Ok(Ok(code.to_vec())),
        Some((&SENTENCE, why)) => {
            let why = String::from_utf8_lossy(why).into_owned();
            if why.contains(NO_MEMORY) {
                return Ok(Err(ExceededLimit::Memory));
            }
            Err(CompileError::Refused(why))
        }
        // A process without memory ends itself; the kernel ends it for its processor time.
        _ => Ok(Err(match end {
            Some(ABORT | SEGV | BUS) => ExceededLimit::Memory,
            // A thread could not be started.
            None if has_failed => ExceededLimit::Memory,
            _ => ExceededLimit::Time,
        })),
    }
}

/// How many threads a compiler has.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4))
}

/// How the kernel's refusal of memory is told.
const NO_MEMORY: &str = "Cannot allocate memory";

const ABORT: i32 = rustix::process::Signal::ABORT.as_raw();
const SEGV: i32 = rustix::process::Signal::SEGV.as_raw();
const BUS: i32 = rustix::process::Signal::BUS.as_raw();

/// Sends the child its component and reads its answer: empty if it is incomplete, none if the time is over.
fn exchange(child: &mut Child, component: &[u8], limits: CompileLimits) -> Option<Vec<u8>> {
    let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
        return Some(Vec::new());
    };
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A child that does not read it answers why, or has ended.
            let _ = to.write_all(component);
        });
        let (send, receive) = std::sync::mpsc::channel();
        scope.spawn(move || {
            let mut answer = Vec::new();
            let whole = from.take(CODE_MAX).read_to_end(&mut answer).is_ok();
            let _ = send.send(if whole { answer } else { Vec::new() });
        });
        // After a timeout the child is killed: both threads above then end, because its pipes close.
        let answer = receive.recv_timeout(limits.clock);
        let Ok(answer) = answer else {
            let _ = child.kill();
            return None;
        };
        let well = child.wait().is_ok_and(|wait| wait.success());
        Some(if well { answer } else { Vec::new() })
    })
}

/// The child: sets its own limits, reads a component, and answers with code or an error message.
///
/// # Errors
/// Its arguments are wrong, or its answer cannot be written.
pub fn be_child(words: &[String]) -> std::io::Result<()> {
    let wrong = || std::io::Error::other("these are not the arguments of `compile`");
    let [form, tier, seconds, memory, priority] = words else {
        return Err(wrong());
    };
    let form = CodeForm::of(form).ok_or_else(wrong)?;
    let tiers = [Tier::Good, Tier::Quick];
    let tier = tiers.into_iter().find(|item| item.name() == tier);
    let tier = tier.ok_or_else(wrong)?;
    let number = |text: &String| text.parse::<u64>().map_err(|_| wrong());
    // It ends with the thread that waits for it.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    limit(Resource::Cpu, number(seconds)?)?;
    limit(Resource::As, number(memory)?)?;
    limit(Resource::Core, 0)?;
    // Whoever asked may live within less memory.
    let data = getrlimit(Resource::Data).maximum;
    let _ = setrlimit(
        Resource::Data,
        Rlimit {
            current: data,
            maximum: data,
        },
    );
    let priority = PRIORITIES.iter().position(|item| item == priority);
    match priority {
        Some(0) => {}
        // Where all processors are busy, a tenth of one is left to it: with less it would never come to its end. If
        // this is refused, it does without.
        Some(_) => _ = rustix::process::setpriority_process(None, 10),
        None => return Err(wrong()),
    }
    let mut component = Vec::new();
    let most = crate::load::contract::COMPONENT_MAX as u64;
    std::io::stdin().take(most).read_to_end(&mut component)?;
    let (first, rest) = match here(&component, form, tier, priority == Some(0)) {
        Ok(code) => (CODE, code),
        Err(CompileError::Refused(why)) => (SENTENCE, why.into_bytes()),
        Err(error) => (SENTENCE, error.to_string().into_bytes()),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(&[first])?;
    out.write_all(&rest)?;
    out.flush()
}

fn limit(resource: Resource, most: u64) -> std::io::Result<()> {
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    Ok(setrlimit(resource, limit)?)
}
