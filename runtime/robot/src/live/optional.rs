//! The page and the guests of a loop, which may both be missing.
//! Lent to the cycle in every turn. What is missing costs nothing.

use std::time::Duration;

use cycle::{Hooks, Publisher, Stage, View};
use guests::GuestScheduler;
use sensors::PageWriter;

/// A page that may be missing.
pub(super) struct PageOutput<'p>(pub(super) Option<&'p mut PageWriter>);

impl Publisher for PageOutput<'_> {
    fn publish(&mut self, view: &View<'_>) {
        if let Some(page) = &mut self.0 {
            page.publish(view);
        }
    }
}

/// Guests that may be missing.
pub(super) struct GuestHooks<'t> {
    pub(super) scheduler: Option<&'t mut GuestScheduler>,
    /// Whether to measure how long the hooks took.
    pub(super) timed: bool,
    pub(super) took: Duration,
}

impl GuestHooks<'_> {
    fn call(&mut self, hook: impl FnOnce(&mut GuestScheduler)) {
        let Some(scheduler) = &mut self.scheduler else {
            return;
        };
        let began = self.timed.then(std::time::Instant::now);
        hook(scheduler);
        self.took += began.map_or(Duration::ZERO, |began| began.elapsed());
    }
}

impl Hooks for GuestHooks<'_> {
    fn pre_process(&mut self, stage: &mut Stage<'_>) {
        self.call(|scheduler| scheduler.pre_process(stage));
    }

    fn post_process(&mut self, stage: &mut Stage<'_>) {
        self.call(|scheduler| scheduler.post_process(stage));
    }
}
