//! Plays a choreography in a rehearsal: a motion hook by hook, a score on a thread of its own.

use std::boxed::Box;
use std::fmt;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{JoinHandle, spawn};

use super::body::Body;
use super::stage::{Phase, SleepState, Stage};
use super::thread::{Shared, asleep};
use crate::cast::{Motion, Role, Score, enter};
use crate::time::Instant;

const HOOKS: [&str; 4] = ["pre_process", "post_process", "is_alive", "stop"];

/// How a choreography is played.
pub struct Part(Kind);

enum Kind {
    Nobody,
    Motion {
        guest: Box<dyn Player>,
        hooks: &'static [&'static str],
    },
    Score {
        run: fn(),
        thread: Option<JoinHandle<()>>,
    },
}

/// A motion, `None` before its start.
trait Player {
    fn start(&mut self);
    /// Calls a hook by name. `is_alive` returns its result, the others return true.
    fn call(&mut self, hook: &str, now: Instant) -> bool;
}

struct Guest<M>(Option<M>);

impl<M: Motion> Player for Guest<M> {
    fn start(&mut self) {
        self.0 = Some(M::start());
    }

    fn call(&mut self, hook: &str, now: Instant) -> bool {
        let Some(guest) = &mut self.0 else {
            return true;
        };
        match hook {
            "pre_process" => guest.pre_process(now),
            "post_process" => guest.post_process(now),
            "is_alive" => return guest.is_alive(),
            _ => guest.stop(),
        }
        true
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Nobody => "Nobody",
            Kind::Motion { .. } => "Motion",
            Kind::Score { .. } => "Score",
        })
    }
}

impl Part {
    /// A motion with these hooks.
    #[doc(hidden)]
    pub fn motion<M: Motion>(hooks: &'static [&'static str]) -> Part {
        Part(Kind::Motion {
            guest: Box::new(Guest::<M>(None)),
            hooks,
        })
    }

    /// A score.
    #[doc(hidden)]
    pub fn score<S: Score>() -> Part {
        Part(Kind::Score {
            run: S::run,
            thread: None,
        })
    }

    pub(super) fn nobody() -> Part {
        Part(Kind::Nobody)
    }

    /// Panics if a hook is implemented but not listed. It tries all hooks on a stage of its own.
    pub(super) fn check(mut self, cast: &'static [&'static dyn Role], body: &Body) {
        let Kind::Motion { hooks, .. } = self.0 else {
            return;
        };
        let shared = Shared::new(Stage::new(body.clone()));
        shared.settle();
        self.start(cast, &shared);
        for hook in HOOKS.iter().filter(|hook| !hooks.contains(hook)) {
            shared.lock().not_written = false;
            self.call(hook, &shared);
            let written = !shared.lock().not_written;
            assert!(
                !written,
                "`{hook}` is written, but `hooks` in the cast does not name it: nobody would call it"
            );
        }
        shared.leave();
    }

    pub(super) fn start(&mut self, cast: &'static [&'static dyn Role], shared: &Arc<Shared>) {
        match &mut self.0 {
            Kind::Nobody => {}
            Kind::Motion { guest, .. } => {
                enter(cast);
                guest.start();
            }
            Kind::Score { run, thread } => {
                let (run, shared) = (*run, Arc::clone(shared));
                shared.lock().sleep = SleepState::Until(0);
                *thread = Some(spawn(move || play(run, cast, &shared)));
            }
        }
    }

    /// Calls a hook, if the cast lists it.
    pub(super) fn hook(&mut self, hook: &str, shared: &Shared) -> bool {
        match &self.0 {
            Kind::Motion { hooks, .. } if hooks.contains(&hook) => self.call(hook, shared),
            Kind::Score { .. } if hook == "pre_process" => self.go_on(shared),
            Kind::Motion { hooks, .. } if hook == "is_alive" => {
                let turns = hooks.contains(&"pre_process") || hooks.contains(&"post_process");
                turns || shared.lock().anything_waits()
            }
            _ => true,
        }
    }

    fn call(&mut self, hook: &str, shared: &Shared) -> bool {
        let Kind::Motion { guest, .. } = &mut self.0 else {
            return true;
        };
        let phase = if hook == "stop" {
            Phase::Outside
        } else {
            Phase::Hook
        };
        shared.lock().begin(phase);
        let now = Instant::from_nanos(shared.lock().now);
        let answer = guest.call(hook, now);
        shared.lock().begin(Phase::Outside);
        answer
    }

    /// Continues a score when its time has come.
    fn go_on(&mut self, shared: &Shared) -> bool {
        let Kind::Score { thread, .. } = &mut self.0 else {
            return true;
        };
        let sleep = shared.lock().sleep;
        let now = shared.lock().now;
        if sleep == SleepState::Over || matches!(sleep, SleepState::Until(at) if at > now) {
            return true;
        }
        shared.lock().begin(Phase::Score);
        shared.tell(SleepState::Awake);
        shared.wait_for_score();
        shared.lock().begin(Phase::Outside);
        if shared.lock().sleep == SleepState::Over {
            shared.lock().ending = true;
            if let Some(Err(panic)) = thread.take().map(JoinHandle::join) {
                resume_unwind(panic);
            }
        }
        true
    }

    /// Ends the rehearsal. A sleeping score is not waited for.
    pub(super) fn cancel(&mut self, shared: &Shared) {
        if let Kind::Score { thread, .. } = &mut self.0 {
            if let Some(thread) = thread.take() {
                shared.tell(SleepState::Cancelled);
                // It unwinds, as requested.
                let _ = thread.join();
            }
        }
    }
}

/// The thread of a score.
fn play(run: fn(), cast: &[&dyn Role], shared: &Arc<Shared>) {
    struct Over<'s>(&'s Arc<Shared>);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.tell(SleepState::Over);
        }
    }
    shared.settle();
    let _over = Over(shared);
    asleep(shared);
    enter(cast);
    run();
}
