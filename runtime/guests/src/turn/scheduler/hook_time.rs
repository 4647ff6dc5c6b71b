//! The time of all hooks of one turn: a share of the period, which the hooks called first may use up.
//! Used by the scheduler, in real time only. The law: whoever is passed over is told, and a replay passes over the
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
    taken: Duration,
}

impl HookTime {
    pub(super) fn limit(&mut self, limit: Duration) {
        self.limit = Some(limit);
    }

    /// A turn begins.
    pub(super) fn begin(&mut self) {
        self.taken = Duration::ZERO;
    }

    /// Whether a guest is not called in this part of the turn, which begins with `hook`: nothing is left of the time,
    /// or a recorded run did the same.
    pub(super) fn passes_over(
        &self,
        running: &mut RunningGuest,
        hook: Hook,
        stage: &Stage<'_>,
        inputs: &mut InputLog,
    ) -> bool {
        let part = usize::from(hook == Hook::PostProcess);
        let is_replayed = std::mem::take(&mut running.passed_over[part]);
        if !is_replayed && self.limit.is_none_or(|limit| self.taken < limit) {
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
