//! The queue of what takes long in a process of its own: checks, and motions that are compiled.
//! Their routes wait in it. Of each caller one runs at a time, so that nobody waits for all checks of another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use network::lock;
use protocol::{ErrorCode, RequestError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Principal;

/// How many run at once.
const RUNNING_MAX: usize = 2;

/// How many of one caller may wait.
const WAITING_MAX: usize = 32;

/// How long each may take.
pub const WORK_TIMEOUT: Duration = Duration::from_secs(120);

/// How long each may wait.
const WAIT_TIMEOUT: Duration = Duration::from_secs(250);

/// The queue.
#[derive(Debug)]
pub struct CheckQueue {
    running: Arc<Semaphore>,
    of_callers: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// The right to work, until this is dropped.
#[derive(Debug)]
pub struct CheckTurn {
    _of_caller: OwnedSemaphorePermit,
    _running: OwnedSemaphorePermit,
}

impl Default for CheckQueue {
    fn default() -> CheckQueue {
        CheckQueue {
            running: Arc::new(Semaphore::new(RUNNING_MAX)),
            of_callers: Mutex::default(),
        }
    }
}

impl CheckQueue {
    /// Waits until this caller's turn has come.
    ///
    /// # Errors
    /// Others, or more of the caller's own, take too long.
    pub async fn turn(&self, who: Option<&Principal>) -> Result<CheckTurn, RequestError> {
        let own = {
            let mut of_callers = lock(&self.of_callers);
            // Whoever neither works nor waits is forgotten.
            of_callers.retain(|_, own| Arc::strong_count(own) > 1);
            let key = Principal::key(who);
            let own = of_callers
                .entry(key)
                .or_insert_with(|| Arc::new(Semaphore::new(1)));
            Arc::clone(own)
        };
        if Arc::strong_count(&own) > WAITING_MAX + 2 {
            let error = ErrorCode::Busy.error(format!("{WAITING_MAX} of your checks wait already"));
            return Err(error.fix("try again when some of them have ended"));
        }
        let wait = async {
            let _of_caller = own.acquire_owned().await.ok()?;
            let _running = Arc::clone(&self.running).acquire_owned().await.ok()?;
            Some(CheckTurn {
                _of_caller,
                _running,
            })
        };
        let waited = tokio::time::timeout(WAIT_TIMEOUT, wait).await;
        waited.ok().flatten().ok_or_else(|| {
            let error = ErrorCode::Busy.error("the checks before this one take too long");
            error.fix("try again in a moment")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::principal::caller;

    #[tokio::test]
    async fn a_caller_with_many_checks_keeps_nobody_waiting() {
        let queue = Arc::new(CheckQueue::default());
        let first = queue.turn(Some(&caller(1))).await.expect("a turn");
        let more: Vec<_> = (0..20)
            .map(|_| {
                let queue = Arc::clone(&queue);
                tokio::spawn(async move { queue.turn(Some(&caller(1))).await.map(drop) })
            })
            .collect();
        tokio::task::yield_now().await;
        let other = queue.turn(Some(&caller(2))).await.expect("a turn");
        assert!(more.iter().all(|check| !check.is_finished()));
        drop((first, other));
        for one in more {
            one.await.expect("no panic").expect("a turn");
        }
        drop(queue.turn(None).await);
        assert_eq!(lock(&queue.of_callers).len(), 1);
    }
}
