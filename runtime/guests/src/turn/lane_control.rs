//! A guest's voice among the lanes: its lane, how early that is heard, and whether it is heard at all.
//! Held by motions and by scores for as long as they are on stage, inside the turn.
//! The law: who is paused keeps its priority, and is heard with it when it is resumed.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use cycle::{Instant, LaneId, LaneSettings, Stage, priority};

use crate::shared::report::{End, GuestLife, GuestReport};

/// The voice.
#[derive(Debug)]
pub(crate) struct LaneControl {
    pub(crate) lane: LaneId,
    pub(crate) priority: f64,
    pub(crate) paused: bool,
    /// When it came in, in its lane's own time.
    began: Instant,
    report: Arc<GuestReport>,
}

impl LaneControl {
    /// Opens a lane, silent if its guest was paused before it came in; nothing if there is no lane for it.
    pub(crate) fn open(
        settings: LaneSettings,
        paused: bool,
        report: &Arc<GuestReport>,
        stage: &mut Stage<'_>,
    ) -> Option<LaneControl> {
        let heard = LaneSettings {
            priority: if paused {
                priority::IGNORED
            } else {
                settings.priority
            },
            // Its time is the body's: while that is held, it stands.
            waits: true,
            ..settings
        };
        let Ok(lane) = stage.open(heard) else {
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
        lane_control.tell();
        Some(lane_control)
    }

    pub(crate) fn set_priority(&mut self, priority: f64, stage: &mut Stage<'_>) {
        // A priority that is no number was refused before; the lane is there while this is.
        if self.paused || stage.set_priority(self.lane, priority).is_ok() {
            self.priority = priority;
            self.report.set_priority(priority);
        }
    }

    pub(crate) fn set_weight(&self, weight: f64, stage: &mut Stage<'_>) {
        // The weight was looked at outside; the lane is there while this is.
        if stage.set_weight(self.lane, weight).is_ok() {
            self.report.set_weight(weight);
        }
    }

    /// It is heard no more, and its time stands; or it is heard again, and goes on from there.
    pub(crate) fn pause(&mut self, paused: bool, stage: &mut Stage<'_>) {
        let heard = if paused {
            priority::IGNORED
        } else {
            self.priority
        };
        let _ = stage.set_priority(self.lane, heard);
        let _ = stage.halt(self.lane, paused);
        self.paused = paused;
        self.tell();
    }

    /// Tells how long it has been heard: its own time, which stands while the body does not follow it.
    pub(crate) fn keep_time(&self, stage: &Stage<'_>) {
        let now = stage.time_of(self.lane).nanos();
        let played = now.saturating_sub(self.began.nanos());
        self.report.played.store(played, Relaxed);
    }

    fn tell(&self) {
        let life = if self.paused {
            GuestLife::Paused
        } else {
            GuestLife::Running
        };
        self.report.set_life(life);
    }
}
