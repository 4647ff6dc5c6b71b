//! The time of all hooks of one turn: a share of the period. A guest is passed over when those of higher priority have
//! used it up.
//! Used by the scheduler, in real time only. Whoever is passed over is told, and a replay passes over the
//! same.

use std::sync::atomic::Ordering::{Relaxed, Release};
use std::time::{Duration, Instant};

use cycle::Stage;

use crate::shared::report::Hook;
use crate::turn::guest::RunningGuest;
use crate::turn::inputs::{InputLog, TurnInput};

/// How long the hooks of this turn have taken.
#[derive(Debug, Default)]
pub(super) struct HookTime {
    /// None in virtual time, and where others may interrupt the loop.
    limit: Option<Duration>,
    /// In this part of the turn: before the exchange, or after it.
    taken: Duration,
}

impl HookTime {
    pub(super) fn limit(&mut self, limit: Duration) {
        self.limit = Some(limit);
    }

    /// A part of the turn begins.
    pub(super) fn begin(&mut self) {
        self.taken = Duration::ZERO;
    }

    /// Whether a guest is not called in this part of the turn, which begins with `hook`: those before it have used up
    /// the time, or a recorded run did the same.
    pub(super) fn passes_over(
        &self,
        running: &mut RunningGuest,
        hook: Hook,
        stage: &Stage<'_>,
        inputs: &mut InputLog,
    ) -> bool {
        let part = usize::from(hook == Hook::PostProcess);
        // Guests are called in the same order in both parts: what those before it took is the sum of two.
        let before = match hook {
            Hook::PostProcess => running.hook_time_before + self.taken,
            _ => self.taken,
        };
        if hook != Hook::PostProcess {
            running.hook_time_before = before;
        }
        let is_replayed = std::mem::take(&mut running.guest.passed_over[part]);
        let is_late = self.limit.is_some_and(|limit| before >= limit);
        if !(is_replayed || is_late) || running.finished {
            return false;
        }
        inputs.push(TurnInput::PassedOver(running.guest.id, hook));
        let report = &running.guest.report;
        let at = [stage.now().nanos(), stage.turn()];
        for (kept, at) in report.passed_over_at.iter().zip(at) {
            kept.store(at, Relaxed);
        }
        report.passed_over.fetch_add(1, Release);
        true
    }

    /// Calls hooks, and counts the time that they take.
    pub(super) fn measure<R>(&mut self, call: impl FnOnce() -> R) -> R {
        if self.limit.is_none() {
            return call();
        }
        let begun = Instant::now();
        let called = call();
        self.taken += begun.elapsed();
        called
    }
}
