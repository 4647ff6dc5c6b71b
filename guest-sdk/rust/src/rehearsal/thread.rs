//! The stage of each thread, and how a score, which has a thread of its own, takes turns with the test.
//! Only one of the two runs at a time, so that a rehearsal is deterministic.

use std::boxed::Box;
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread_local;
use std::time::Duration;

use super::stage::{SleepState, Stage};

/// How long to wait for a score that neither sleeps nor ends.
const TIMEOUT: Duration = Duration::from_secs(20);

thread_local! {
    static HERE: RefCell<Option<Arc<Shared>>> = const { RefCell::new(None) };
}

/// A stage, shared by the test's thread and the score's.
#[derive(Debug)]
pub(super) struct Shared {
    stage: Mutex<Stage>,
    changed: Condvar,
}

/// The stage of this thread.
pub(super) fn here() -> Arc<Shared> {
    let here = HERE.with_borrow(Clone::clone);
    here.expect("there is no stage on this thread: begin with `Rehearsal::of` or `Rehearsal::alone`, and keep it")
}

impl Shared {
    pub(super) fn new(stage: Stage) -> Arc<Shared> {
        Arc::new(Shared {
            stage: Mutex::new(stage),
            changed: Condvar::new(),
        })
    }

    /// A poisoned lock is used: the panic is reported on its own thread.
    pub(super) fn lock(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes it the stage of this thread.
    pub(super) fn settle(self: &Arc<Shared>) {
        HERE.set(Some(Arc::clone(self)));
    }

    /// Removes it from this thread, if it is this thread's stage.
    pub(super) fn leave(self: &Arc<Shared>) {
        // A thread that ends has no stage any more.
        let _ = HERE.try_with(|here| {
            let mut here = here.borrow_mut();
            if here.as_ref().is_some_and(|value| Arc::ptr_eq(value, self)) {
                *here = None;
            }
        });
    }

    /// Wakes the score, or tells it to end.
    pub(super) fn tell(&self, sleep: SleepState) {
        self.lock().sleep = sleep;
        self.changed.notify_all();
    }

    /// Waits until the score sleeps or has ended.
    pub(super) fn wait_for_score(&self) {
        let awake = |stage: &mut Stage| stage.sleep == SleepState::Awake;
        let waited = self.changed.wait_timeout_while(self.lock(), TIMEOUT, awake);
        let (stage, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(stage);
        assert!(!waited.timed_out(), "the score neither sleeps nor ends");
    }
}

/// Lets the score sleep until this instant.
pub(super) fn wait(at: u64) {
    let shared = here();
    if shared.lock().now >= at {
        return;
    }
    shared.tell(SleepState::Until(at));
    asleep(&shared);
}

/// Waits until it is woken.
pub(super) fn asleep(shared: &Shared) {
    let asleep = |stage: &mut Stage| matches!(stage.sleep, SleepState::Until(_));
    let waited = shared.changed.wait_while(shared.lock(), asleep);
    let sleep = waited.unwrap_or_else(PoisonError::into_inner).sleep;
    if sleep == SleepState::Cancelled {
        // Unwinds without a message.
        resume_unwind(Box::new("the rehearsal is over"));
    }
}
