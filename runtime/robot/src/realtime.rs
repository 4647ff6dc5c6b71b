//! Sets up the loop's thread: a real-time priority, locked memory, a CPU of its own.
//! Called once by that thread, before its first turn.
//! Whatever the system refuses becomes a warning with a fix, and the loop runs anyway.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{self, Write};
use std::num::NonZeroU64;

use rustix::mm::{MlockAllFlags, mlockall};
use rustix::process::{Resource, getrlimit};
use rustix::thread::{
    CapabilitySet, CpuSet, capabilities, sched_setaffinity, set_current_timer_slack,
};
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadPriorityValue, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};

/// The real-time options of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealtimeOptions {
    /// The SCHED_FIFO priority, 1 to 99.
    pub priority: u8,
    /// The CPU to run on; `None` leaves the choice to the system.
    pub processor: Option<usize>,
}

/// What the system refused, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealtimeWarning {
    /// No real-time priority.
    Priority(String),
    /// No locked memory: a page fault may delay a turn.
    Memory(String),
    /// No CPU of its own.
    Processor(usize, String),
    /// CPUs may enter deep idle states between turns.
    Awake(String),
}

/// The real-time settings of a loop; dropped when the loop ends.
#[derive(Debug)]
pub struct RealtimeGuard {
    /// What the system refused.
    pub warnings: Vec<RealtimeWarning>,
    /// While this file is open, no CPU enters a deep idle state.
    _awake: Option<File>,
}

/// The stack to touch before the first turn, bytes.
const STACK: usize = 256 << 10;

impl fmt::Display for RealtimeWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RealtimeWarning::Priority(why) => write!(
                f,
                "not real-time because the SCHED_FIFO priority was refused ({why}); fix: run with \
                 CAP_SYS_NICE, or set `rtprio 80` for this user in /etc/security/limits.conf"
            ),
            RealtimeWarning::Memory(why) => write!(
                f,
                "memory is not locked, so a page fault may delay a turn ({why}); fix: run with \
                 CAP_IPC_LOCK, or set `memlock unlimited` for this user in /etc/security/limits.conf"
            ),
            RealtimeWarning::Processor(processor, why) => write!(
                f,
                "the loop cannot run on CPU {processor} ({why}); fix: set a CPU that this machine has \
                 and that this process may use"
            ),
            RealtimeWarning::Awake(why) => write!(
                f,
                "CPUs may enter deep idle states between turns ({why}); fix: let this user write to \
                 /dev/cpu_dma_latency"
            ),
        }
    }
}

/// Sets up the calling thread, as far as the system permits.
pub fn prepare(options: &RealtimeOptions) -> RealtimeGuard {
    let mut warnings = Vec::new();
    warnings.extend(raise(options.priority).err().map(RealtimeWarning::Priority));
    warnings.extend(lock().err().map(RealtimeWarning::Memory));
    if let Some(processor) = options.processor {
        warnings.extend(
            stay_on(processor)
                .err()
                .map(|why| RealtimeWarning::Processor(processor, why)),
        );
    }
    touch_stack();
    // Without a real-time priority, the kernel rounds sleeps up by the timer slack, so the slack is set to the
    // minimum. A kernel without this setting is left as it is.
    let _ = set_current_timer_slack(NonZeroU64::new(1));
    let awake = stay_awake();
    warnings.extend(
        awake
            .as_ref()
            .err()
            .map(|why| RealtimeWarning::Awake(why.to_string())),
    );
    RealtimeGuard {
        warnings,
        _awake: awake.ok(),
    }
}

/// Gives the calling thread a SCHED_FIFO priority.
///
/// # Errors
/// A message: this user is not permitted to.
pub fn raise(priority: u8) -> Result<(), String> {
    let fifo = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let priority = ThreadPriorityValue::try_from(priority).map_err(|why| why.to_string())?;
    let priority = ThreadPriority::Crossplatform(priority);
    set_thread_priority_and_policy(thread_native_id(), priority, fifo).map_err(|why| match why {
        thread_priority::Error::OS(number) => io::Error::from_raw_os_error(number).to_string(),
        why => format!("{why:?}"),
    })
}

/// Locks memory. Future allocations are locked only if there is no limit: beyond a limit they would fail.
fn lock() -> Result<(), String> {
    let privileged = capabilities(None)
        .is_ok_and(|capability| capability.effective.contains(CapabilitySet::IPC_LOCK));
    let boundless = privileged || getrlimit(Resource::Memlock).current.is_none();
    let later = if boundless {
        MlockAllFlags::FUTURE
    } else {
        MlockAllFlags::empty()
    };
    mlockall(MlockAllFlags::CURRENT | later).map_err(|why| why.to_string())
}

fn stay_on(processor: usize) -> Result<(), String> {
    if processor >= CpuSet::MAX_CPU {
        return Err("there is no such CPU".to_owned());
    }
    let mut alone = CpuSet::new();
    alone.set(processor);
    sched_setaffinity(None, &alone).map_err(|why| why.to_string())
}

/// Touches the stack that turns will use, so that no page of it is missing later.
#[inline(never)]
fn touch_stack() {
    let mut stack = [0u8; STACK];
    black_box(&mut stack);
}

fn stay_awake() -> io::Result<File> {
    let mut file = OpenOptions::new()
        .write(true)
        .open("/dev/cpu_dma_latency")?;
    // The maximum wake-up latency, in µs.
    file.write_all(&0i32.to_ne_bytes())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_refused_becomes_a_warning_with_a_fix() {
        let options = RealtimeOptions {
            priority: 200,
            processor: Some(100_000),
        };
        // On another thread: the test's own thread must not change.
        let held = std::thread::spawn(move || prepare(&options)).join();
        let warnings = held.expect("no panic").warnings;
        let texts: Vec<_> = warnings.iter().map(RealtimeWarning::to_string).collect();
        assert!(
            texts
                .iter()
                .any(|text| text.starts_with("the loop cannot run on CPU 100000")),
            "{texts:?}"
        );
        assert!(
            texts
                .iter()
                .any(|text| text.starts_with("not real-time because")),
            "{texts:?}"
        );
        assert!(
            texts.iter().all(|text| text.contains("; fix: ")),
            "{texts:?}"
        );
    }
}
