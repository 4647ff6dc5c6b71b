//! What a loop needs of the machine: a real-time priority, locked memory, a processor of its own.
//! Called once by the loop's thread, before its first turn.
//! The law: whatever cannot be had is said in one sentence with its fix, and the loop runs anyway.

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

/// What the loop would like to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealtimeOptions {
    /// The SCHED_FIFO priority, 1 to 99.
    pub priority: u8,
    /// The processor to stay on; `None` leaves it to the system.
    pub processor: Option<usize>,
}

/// What it did not get, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealtimeWarning {
    /// No real-time priority.
    Priority(String),
    /// Memory is not locked: a page fault may delay a turn.
    Memory(String),
    /// No processor of its own.
    Processor(usize, String),
    /// Processors may fall into deep sleep between turns.
    Awake(String),
}

/// What is held for as long as the loop lives.
#[derive(Debug)]
pub struct RealtimeGuard {
    /// What could not be had.
    pub warnings: Vec<RealtimeWarning>,
    /// While it is open, no processor sleeps so deeply that it wakes late.
    _awake: Option<File>,
}

/// Stack that is touched before the first turn, bytes.
const STACK: usize = 256 << 10;

impl fmt::Display for RealtimeWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RealtimeWarning::Priority(why) => write!(
                f,
                "not real-time because no SCHED_FIFO priority is allowed ({why}); fix: run with \
                 CAP_SYS_NICE, or set `rtprio 80` for this user in /etc/security/limits.conf"
            ),
            RealtimeWarning::Memory(why) => write!(
                f,
                "memory is not locked: a page may be missing in a turn ({why}); fix: run with \
                 CAP_IPC_LOCK, or set `memlock unlimited` for this user in /etc/security/limits.conf"
            ),
            RealtimeWarning::Processor(processor, why) => write!(
                f,
                "not on processor {processor} alone ({why}); fix: name one that this machine has, \
                 and that this process may use"
            ),
            RealtimeWarning::Awake(why) => write!(
                f,
                "processors may sleep deeply between turns ({why}); fix: let this user write to \
                 /dev/cpu_dma_latency"
            ),
        }
    }
}

/// Gives the calling thread what can be had.
pub fn prepare(wish: &RealtimeOptions) -> RealtimeGuard {
    let mut warnings = Vec::new();
    warnings.extend(raise(wish.priority).err().map(RealtimeWarning::Priority));
    warnings.extend(lock().err().map(RealtimeWarning::Memory));
    if let Some(processor) = wish.processor {
        warnings.extend(
            stay_on(processor)
                .err()
                .map(|why| RealtimeWarning::Processor(processor, why)),
        );
    }
    touch_stack();
    // Without a real-time priority, sleeps are rounded up to this: as little as there is. A kernel
    // that knows no such thing rounds as it likes.
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
/// A sentence: this user may not have it.
pub fn raise(priority: u8) -> Result<(), String> {
    let fifo = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let priority = ThreadPriorityValue::try_from(priority).map_err(|why| why.to_string())?;
    let priority = ThreadPriority::Crossplatform(priority);
    set_thread_priority_and_policy(thread_native_id(), priority, fifo).map_err(|why| match why {
        thread_priority::Error::OS(number) => io::Error::from_raw_os_error(number).to_string(),
        why => format!("{why:?}"),
    })
}

/// Locks memory: what comes later only where nothing limits it, because what cannot be locked then
/// could not be allocated either.
fn lock() -> Result<(), String> {
    let privileged =
        capabilities(None).is_ok_and(|it| it.effective.contains(CapabilitySet::IPC_LOCK));
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
        return Err("there is no such processor".to_owned());
    }
    let mut alone = CpuSet::new();
    alone.set(processor);
    sched_setaffinity(None, &alone).map_err(|why| why.to_string())
}

/// Touches the stack that turns will use, so that none of it is missing later.
#[inline(never)]
fn touch_stack() {
    let mut stack = [0u8; STACK];
    black_box(&mut stack);
}

fn stay_awake() -> io::Result<File> {
    let mut file = OpenOptions::new()
        .write(true)
        .open("/dev/cpu_dma_latency")?;
    // The longest time to wake up that is borne, in µs.
    file.write_all(&0i32.to_ne_bytes())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_said_with_its_fix_and_nothing_fails() {
        let wish = RealtimeOptions {
            priority: 200,
            processor: Some(100_000),
        };
        // Not on the test's own thread, which is not to be changed.
        let held = std::thread::spawn(move || prepare(&wish)).join();
        let warnings = held.expect("it returns").warnings;
        let said: Vec<_> = warnings.iter().map(RealtimeWarning::to_string).collect();
        assert!(
            said.iter()
                .any(|it| it.starts_with("not on processor 100000 alone")),
            "{said:?}"
        );
        assert!(
            said.iter()
                .any(|it| it.starts_with("not real-time because")),
            "{said:?}"
        );
        assert!(said.iter().all(|it| it.contains("; fix: ")), "{said:?}");
    }
}
