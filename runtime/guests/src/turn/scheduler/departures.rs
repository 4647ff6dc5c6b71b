//! How guests leave: they end, their lanes fade out, they are gone; and who is told of it.
//! Called by the scheduler, inside the turn.
//! Nothing is freed here; what is left of a guest goes out through the ring of notices.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use cycle::{LaneId, Stage};
use rtrb::Producer;

use super::GuestScheduler;
use crate::shared::event_bus::ROBOT;
use crate::shared::report::{End, GuestLife, GuestReport};
use crate::shared::terms::GuestId;
use crate::turn::channel::GuestNotice;
use crate::turn::score::RunningScore;
use crate::turn::slot::GuestSlot;

impl GuestScheduler {
    pub(super) fn tell(&mut self, notice: GuestNotice) {
        tell(&mut self.notices, notice);
    }

    /// Tells whoever has subscribed to it that a guest begins.
    pub(super) fn notify_started(&self, report: &GuestReport) {
        if let Some(topics) = report.topics.get() {
            self.body.bus.post(topics.started, 0.0, ROBOT);
        }
    }

    /// From here on the movements of this guest are looked at.
    pub(super) fn watch(&mut self, id: GuestId, report: &GuestReport, lane: LaneId) {
        if let Some(topics) = report.topics.get() {
            let lane = (lane, report.has_end.load(Relaxed));
            let dropped = self.arrivals.start(id, *topics, lane);
            if let Some(topics) = dropped {
                self.tell(GuestNotice::Released(topics));
            }
        }
    }

    /// Looks at the movements of all guests.
    pub(super) fn see_arrivals(&mut self, stage: &Stage<'_>) {
        let GuestScheduler {
            arrivals,
            notices,
            body,
            ..
        } = self;
        arrivals.see(stage, &body.bus, |topics| {
            tell(notices, GuestNotice::Released(topics));
        });
    }

    pub(super) fn end(&mut self, id: GuestId, end: End, stage: &mut Stage<'_>) {
        if let Some(place) = self.slots.iter().position(|slot| slot.1.id() == id) {
            self.end_at(place, end, stage);
        }
    }

    /// Ends the guest at this place, which it keeps until its lane is gone.
    pub(super) fn end_at(&mut self, place: usize, end: End, stage: &mut Stage<'_>) {
        let (age, slot) = self.slots.swap_remove(place);
        self.arrivals.leave(slot.id(), end);
        self.order_is_old = true;
        let left = match slot {
            GuestSlot::Waiting(armed) => {
                let (id, report) = (armed.0.id, Arc::clone(&armed.0.report));
                self.tell(GuestNotice::Spent(armed.cancel(end)));
                self.notify_gone(id, &report, stage);
                return;
            }
            GuestSlot::WaitingScore(score) => {
                let id = score.id;
                score.report.set_end(end);
                score.report.cancel.store(true, Relaxed);
                let report = Arc::clone(&score.report);
                self.tell(GuestNotice::ScoreSpent(score));
                self.notify_gone(id, &report, stage);
                return;
            }
            GuestSlot::Motion(running) => {
                let (id, report) = (running.guest.id, Arc::clone(&running.guest.report));
                let (lane, spent) = running.leave(end, stage);
                self.tell(GuestNotice::Spent(spent));
                GuestSlot::Leaving(id, report, lane)
            }
            GuestSlot::Score(score) => {
                let RunningScore {
                    armed,
                    lane_control,
                    ..
                } = score;
                let lane = lane_control.lane;
                armed.report.set_end(end);
                armed.report.set_life(GuestLife::Ending);
                armed.report.cancel.store(true, Relaxed);
                let _ = stage.finish(lane);
                let (id, report) = (armed.id, Arc::clone(&armed.report));
                self.tell(GuestNotice::ScoreSpent(armed));
                GuestSlot::Leaving(id, report, lane)
            }
            // A lane that holds its last values releases them when it is ended once more.
            GuestSlot::Leaving(id, report, lane) => {
                let _ = stage.end(lane, cycle::Ending::Release);
                GuestSlot::Leaving(id, report, lane)
            }
        };
        self.slots.push((age, left));
    }

    /// Tells that a guest is gone: the manager, and whoever has subscribed to its end.
    pub(super) fn notify_gone(&mut self, id: GuestId, report: &GuestReport, stage: &Stage<'_>) {
        let now = stage.now().nanos();
        let settles = self.arrivals.gone(id, now, &self.body.bus);
        let value = match report.end() {
            End::None | End::Finished => Some(0.0),
            End::Stopped => Some(1.0),
            End::Swapped if report.is_replaced.load(Relaxed) => Some(1.0),
            // It lives on as another version.
            End::Swapped => None,
            _ => Some(2.0),
        };
        if let Some(topics) = report.topics.get() {
            if let Some(value) = value {
                self.body.bus.post(topics.ended, value, ROBOT);
            }
            if !settles {
                self.tell(GuestNotice::Released(*topics));
            }
        }
        self.tell(GuestNotice::Gone(id));
    }

    /// Removes the guests whose lanes are gone.
    pub(super) fn clear_out(&mut self, stage: &Stage<'_>) {
        for place in (0..self.slots.len()).rev() {
            let GuestSlot::Leaving(id, report, lane) = &self.slots[place].1 else {
                continue;
            };
            if stage.life(*lane).is_none() {
                let (id, report) = (*id, Arc::clone(report));
                report.set_life(GuestLife::Gone);
                self.slots.swap_remove(place);
                self.order_is_old = true;
                self.notify_gone(id, &report, stage);
            }
        }
    }
}

fn tell(notices: &mut Producer<GuestNotice>, notice: GuestNotice) {
    if let Err(rtrb::PushError::Full(notice)) = notices.push(notice) {
        // This cannot happen, see `GuestScheduler::new`. If it did, a leak would be better than freeing in the turn.
        debug_assert!(false, "the ring of notices is full");
        std::mem::forget(notice);
    }
}
