//! What a loop needs of the machine: a real-time priority, locked memory, a processor of its own.
//! Called once by the loop's thread, before its first turn.
//! The law: whatever cannot be had is said in one sentence with its fix, and the loop runs anyway.

use std::fmt;

use rustix::mm::{MlockAllFlags, mlockall};
use rustix::thread::{CpuSet, sched_setaffinity};
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadPriorityValue, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};

/// What the loop would like to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The SCHED_FIFO priority, 1 to 99.
    pub priority: u8,
    /// The processor to stay on; `None` leaves it to the system.
    pub processor: Option<usize>,
}

/// What it did not get, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lack {
    /// No real-time priority.
    Priority(String),
    /// Memory is not locked: a page fault may delay a turn.
    Memory(String),
    /// No processor of its own.
    Processor(usize, String),
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Priority(why) => write!(
                f,
                "not real-time because no SCHED_FIFO priority is allowed ({why}); fix: run with \
                 CAP_SYS_NICE, or set `rtprio 80` for this user in /etc/security/limits.conf"
            ),
            Lack::Memory(why) => write!(
                f,
                "memory is not locked ({why}); fix: run with CAP_IPC_LOCK, or set `memlock \
                 unlimited` for this user in /etc/security/limits.conf"
            ),
            Lack::Processor(processor, why) => write!(
                f,
                "not on processor {processor} alone ({why}); fix: name one that this machine has, \
                 and that this process may use"
            ),
        }
    }
}

/// Gives the calling thread what can be had; what could not.
pub fn prepare(wish: &Wish) -> Vec<Lack> {
    let mut lacks = Vec::new();
    if let Err(why) = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE) {
        lacks.push(Lack::Memory(why.to_string()));
    }
    if let Some(processor) = wish.processor {
        let moved = if processor < CpuSet::MAX_CPU {
            let mut alone = CpuSet::new();
            alone.set(processor);
            sched_setaffinity(None, &alone).map_err(|why| why.to_string())
        } else {
            Err("there is no such processor".to_owned())
        };
        if let Err(why) = moved {
            lacks.push(Lack::Processor(processor, why));
        }
    }
    let fifo = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let raised = ThreadPriorityValue::try_from(wish.priority)
        .map_err(|why| why.to_owned())
        .and_then(|priority| {
            let priority = ThreadPriority::Crossplatform(priority);
            set_thread_priority_and_policy(thread_native_id(), priority, fifo)
                .map_err(|why| format!("{why:?}"))
        });
    if let Err(why) = raised {
        lacks.push(Lack::Priority(why));
    }
    lacks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_said_with_its_fix_and_nothing_fails() {
        let wish = Wish {
            priority: 200,
            processor: Some(100_000),
        };
        // Not on the test's own thread, which is not to be changed.
        let lacks = std::thread::spawn(move || prepare(&wish))
            .join()
            .expect("it returns");
        let said: Vec<_> = lacks.iter().map(Lack::to_string).collect();
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
