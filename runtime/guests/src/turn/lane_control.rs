//! Control of a guest's lane: its priority and weight, and whether it is paused.
//! Held by motions and by scores while they run, inside the turn.
//! A paused guest keeps its priority, and has it again when it is resumed.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use cycle::{Instant, LaneId, LaneSettings, Stage, priority};

use crate::shared::report::{End, GuestLife, GuestReport};

/// A guest's open lane.
#[derive(Debug)]
pub(crate) struct LaneControl {
    pub(crate) lane: LaneId,
    pub(crate) priority: f64,
    pub(crate) paused: bool,
    /// When it was opened, in its lane's time.
    began: Instant,
    report: Arc<GuestReport>,
}

impl LaneControl {
    /// Opens a lane; its priority is `IGNORED` if its guest is paused. `None` if there is no free lane.
    pub(crate) fn open(
        settings: LaneSettings,
        paused: bool,
        report: &Arc<GuestReport>,
        stage: &mut Stage<'_>,
    ) -> Option<LaneControl> {
        let opened_with = LaneSettings {
            priority: if paused {
                priority::IGNORED
            } else {
                settings.priority
            },
            // Its time stands still while the body is held.
            waits: true,
            ..settings
        };
        let Ok(lane) = stage.open(opened_with) else {
            report.set_end(End::NoLane);
            return None;
        };
        let _ = stage.halt(lane, paused);
        report.since.store(stage.turn(), Relaxed);
        report.lane.store(lane.number(), Relaxed);
        report.set_priority(settings.priority);
        report.set_weight(settings.weight);
        let lane_control = LaneControl {
            lane,
            priority: settings.priority,
            paused,
            began: stage.time_of(lane),
            report: Arc::clone(report),
        };
        lane_control.publish();
        Some(lane_control)
    }

    pub(crate) fn set_priority(&mut self, priority: f64, stage: &mut Stage<'_>) {
        // A priority that is no number was refused before, and the lane is open as long as this exists.
        if self.paused || stage.set_priority(self.lane, priority).is_ok() {
            self.priority = priority;
            self.report.set_priority(priority);
        }
    }

    /// Whether its guest is not to be called: it is paused, or its priority is below all others.
    pub(crate) fn is_ignored(&self) -> bool {
        self.paused || self.priority < priority::BACKGROUND
    }

    pub(crate) fn set_weight(&self, weight: f64, stage: &mut Stage<'_>) {
        // The weight was checked outside, and the lane is open as long as this exists.
        if stage.set_weight(self.lane, weight).is_ok() {
            self.report.set_weight(weight);
        }
    }

    /// Pauses its lane, whose time then stands still; or resumes it from there.
    pub(crate) fn pause(&mut self, paused: bool, stage: &mut Stage<'_>) {
        let effective = if paused {
            priority::IGNORED
        } else {
            self.priority
        };
        let _ = stage.set_priority(self.lane, effective);
        let _ = stage.halt(self.lane, paused);
        self.paused = paused;
        self.publish();
    }

    /// Reports how long it has played.
    pub(crate) fn keep_time(&self, stage: &Stage<'_>) {
        let now = stage.time_of(self.lane).nanos();
        let played = now.saturating_sub(self.began.nanos());
        self.report.played.store(played, Relaxed);
    }

    fn publish(&self) {
        let life = if self.paused {
            GuestLife::Paused
        } else {
            GuestLife::Running
        };
        self.report.set_life(life);
    }
}
