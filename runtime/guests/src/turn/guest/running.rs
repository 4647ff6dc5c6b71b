//! A guest that runs: its hooks, which the scheduler calls inside the turn, and the flush after each of them.
//! What a failed hook has queued is dropped, because the hook did not complete.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use cycle::{LaneId, Stage};
use wasmtime::Store;

use super::{GuestInstance, SpentGuest};
use crate::host::Host;
use crate::shared::report::FlushSummary;
use crate::shared::report::{End, GuestLife, Hook};
use crate::turn::flush;
use crate::turn::hooks::{HookOutcome, refuel};
use crate::turn::lane_control::LaneControl;

/// A motion whose hooks are called.
#[derive(Debug)]
pub(crate) struct RunningGuest {
    pub(crate) guest: Box<GuestInstance>,
    pub(crate) lane_control: LaneControl,
    /// It ended itself in `start`.
    pub(crate) finished: bool,
    /// How long the hooks before its own took in this turn, before the exchange.
    pub(crate) hook_time_before: Duration,
}

impl RunningGuest {
    /// Takes over the stored figures and the time of the version before.
    pub(crate) fn inherit(&mut self, other: &RunningGuest, stage: &mut Stage<'_>) {
        let kept = &other.guest.store.data().kept;
        self.guest.store.data_mut().kept.take_over(kept);
        // Both lanes are open. To the guest it is one performance, whose clock must not jump.
        let _ = stage.take_over(self.lane_control.lane, other.lane_control.lane);
    }

    pub(crate) fn pre_process(&mut self, stage: &mut Stage<'_>) -> HookOutcome {
        let Some(hook) = self.guest.hooks.pre_process else {
            // The stage may not have taken everything that `start` queued.
            return if self.guest.buffer_waits() && self.flush(stage).finished {
                HookOutcome::Finished
            } else {
                HookOutcome::Done
            };
        };
        self.before(stage);
        self.call(Hook::PreProcess, stage, |store| hook.call(store, ()))
    }

    /// For `probe`: a hook whose commands are dropped.
    pub(crate) fn pre_process_alone(&mut self, stage: &mut Stage<'_>) {
        if let Some(hook) = self.guest.hooks.pre_process {
            self.before(stage);
            self.guest
                .call(Hook::PreProcess, stage.turn(), |store| hook.call(store, ()));
            self.guest.empty_buffer();
        }
    }

    /// For `probe`.
    pub(crate) fn fill_up(&mut self) {
        refuel(&mut self.guest.store, u64::MAX >> 1, u64::MAX >> 1);
    }

    /// For `probe`: nothing but the function.
    pub(crate) fn bare(&mut self) {
        if let Some(hook) = self.guest.hooks.pre_process {
            self.guest.empty_buffer();
            let _ = hook.call(&mut self.guest.store, ());
        }
    }

    pub(crate) fn post_process(&mut self, stage: &mut Stage<'_>) -> HookOutcome {
        let Some(hook) = self.guest.hooks.post_process else {
            return HookOutcome::Done;
        };
        self.before(stage);
        self.call(Hook::PostProcess, stage, |store| hook.call(store, ()))
    }

    pub(crate) fn is_alive(&mut self, stage: &mut Stage<'_>) -> HookOutcome {
        let Some(hook) = self.guest.hooks.is_alive else {
            return self.has_something_to_do(stage);
        };
        self.before(stage);
        let mut alive = true;
        let called = self.call(Hook::IsAlive, stage, |store| {
            (alive,) = hook.call(store, ())?;
            Ok(())
        });
        match called {
            HookOutcome::Done if !alive && self.guest.terms.prune => HookOutcome::Finished,
            called => called,
        }
    }

    /// A guest without hooks in the turn lives as long as it has commands.
    fn has_something_to_do(&self, stage: &Stage<'_>) -> HookOutcome {
        let hooks = &self.guest.hooks;
        if hooks.pre_process.is_some() || hooks.post_process.is_some() || !self.guest.terms.prune {
            return HookOutcome::Done;
        }
        if stage.anything_waits(self.lane_control.lane) || self.guest.buffer_waits() {
            HookOutcome::Done
        } else {
            HookOutcome::Finished
        }
    }

    /// Prepares what this call may see and use.
    fn before(&mut self, stage: &Stage<'_>) {
        let lane = self.lane_control.lane;
        let host = self.guest.store.data_mut();
        flush::prepare(host, stage, lane, self.guest.counts_waiting);
    }

    fn call(
        &mut self,
        which: Hook,
        stage: &mut Stage<'_>,
        hook: impl FnOnce(&mut Store<Host>) -> wasmtime::Result<()>,
    ) -> HookOutcome {
        let called = self.guest.call(which, stage.turn(), hook);
        // What a failed hook has queued is dropped.
        if !matches!(called, HookOutcome::Done) {
            return called;
        }
        let was_refused = self.guest.store.data().counts.refused > 0;
        if (self.guest.buffer_waits() || was_refused) && self.flush(stage).finished {
            HookOutcome::Finished
        } else {
            called
        }
    }

    /// Flushes the command buffer to the stage.
    pub(crate) fn flush(&mut self, stage: &mut Stage<'_>) -> FlushSummary {
        let guest = &mut *self.guest;
        let summary = flush::flush(
            guest.store.data_mut(),
            (guest.id, self.lane_control.lane),
            stage,
        );
        let report = &guest.report;
        report.flushed(&summary);
        report
            .missed_events
            .store(guest.store.data().missed_events, Relaxed);
        if let Some(priority) = summary.priority {
            self.lane_control.set_priority(priority, stage);
        }
        summary
    }

    /// Ends its lane as the lane's settings say; the rest of it is freed outside.
    pub(crate) fn leave(self, end: End, stage: &mut Stage<'_>) -> (LaneId, SpentGuest) {
        self.guest.report.set_end(end);
        self.guest.report.set_life(GuestLife::Ending);
        // It is open: this guest opened it, and nobody else ends it.
        let _ = stage.finish(self.lane_control.lane);
        (self.lane_control.lane, SpentGuest(self.guest))
    }
}
