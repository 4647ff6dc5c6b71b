//! What the scheduler does with the commands that reach it from outside.
//! Called at the beginning of every turn.
//! A turn takes a bounded number of commands, in their order; each of them is an input of the turn.

use std::sync::atomic::Ordering::Relaxed;

use cycle::{Span, Stage};

use super::GuestScheduler;
use crate::shared::report::{End, Hook};
use crate::shared::terms::GuestId;
use crate::turn::channel::{GuestCommand, GuestNotice};
use crate::turn::guest::{ArmedGuest, GuestInstance};
use crate::turn::slot::GuestSlot;

/// Commands that are taken in one turn. Those that only set a number do not count: the ring bounds them.
const COMMANDS_PER_TURN: usize = 32;

impl GuestScheduler {
    /// Does what was asked since the last turn, in its order.
    pub(super) fn take_commands(&mut self, stage: &mut Stage<'_>) {
        let mut taken = 0;
        // What arrives meanwhile waits for the next turn.
        for _ in 0..self.commands.slots() {
            if taken == COMMANDS_PER_TURN {
                return;
            }
            let Ok(command) = self.commands.pop() else {
                return;
            };
            taken += usize::from(!command.is_figure());
            if let Some(input) = command.input() {
                self.inputs.push(input);
            }
            match command {
                GuestCommand::Enter(armed) => self.add(GuestSlot::Waiting(armed)),
                GuestCommand::EnterScore(score) => self.add(GuestSlot::WaitingScore(score)),
                GuestCommand::End(id, end) => self.end(id, end, stage),
                GuestCommand::Pause(id, paused) => {
                    if let Some(slot) = self.find(id) {
                        slot.pause(paused, stage);
                    }
                }
                GuestCommand::Turn(id, param, value) => match self.find(id) {
                    Some(GuestSlot::Motion(motion)) => motion.guest.turn_param(param, value),
                    Some(GuestSlot::Waiting(pair)) => pair.0.turn_param(param, value),
                    _ => {}
                },
                GuestCommand::Priority(id, priority) => {
                    if let Some(slot) = self.find(id) {
                        slot.set_priority(priority, stage);
                    }
                    self.order_is_old = true;
                }
                GuestCommand::Weight(id, weight) => {
                    if let Some(slot) = self.find(id) {
                        slot.set_weight(weight, stage);
                    }
                }
                GuestCommand::Swap(old, new, fade) => self.swap(old, new, fade, stage),
                GuestCommand::Cut(id, hook) => {
                    if let Some(guest) = self.find_motion(id) {
                        guest.cut = Some(hook);
                    }
                }
                GuestCommand::PassOver(id, hook) => {
                    if let Some(guest) = self.find_motion(id) {
                        guest.passed_over[usize::from(hook == Hook::PostProcess)] = true;
                    }
                }
            }
        }
    }

    /// A motion, also one that begins in this turn.
    fn find_motion(&mut self, id: GuestId) -> Option<&mut GuestInstance> {
        match self.find(id)? {
            GuestSlot::Motion(running) => Some(&mut running.guest),
            GuestSlot::Waiting(armed) => Some(&mut armed.0),
            _ => None,
        }
    }

    /// One version takes over from another, at the edge of this turn.
    fn swap(&mut self, old: GuestId, mut new: ArmedGuest, fade: Span, stage: &mut Stage<'_>) {
        let Some(place) = self.slots.iter().position(|slot| slot.1.id() == old) else {
            return self.add(GuestSlot::Waiting(new));
        };
        // A guest of another name is not another version.
        let report = self.slots[place].1.report();
        let is_other = report.topics.get() != new.0.report.topics.get();
        report.is_replaced.store(is_other, Relaxed);
        let running = match &mut self.slots[place].1 {
            GuestSlot::Motion(running) => running,
            other => {
                if let GuestSlot::Waiting(old) = other {
                    new.follow(old.0.terms.lane.priority, old.0.terms.paused);
                }
                self.end_at(place, End::Swapped, stage);
                return self.add(GuestSlot::Waiting(new));
            }
        };
        new.follow(running.lane_control.priority, running.lane_control.paused);
        let terms = &mut new.0.terms;
        terms.lane.fade_in = fade;
        terms.ticks = self.ticks.unwrap_or(terms.ticks);
        let (id, report) = (new.0.id, std::sync::Arc::clone(&new.0.report));
        match new.enter(stage) {
            Err(spent) => {
                self.tell(GuestNotice::Spent(spent));
                self.notify_gone(id, &report, stage);
            }
            Ok(mut entered) => {
                entered.inherit(running, stage);
                let _ = stage.set_fade_out(running.lane_control.lane, fade);
                let lane = entered.lane_control.lane;
                self.end_at(place, End::Swapped, stage);
                if is_other {
                    self.notify_started(&report);
                }
                self.watch(id, &report, lane);
                self.add(GuestSlot::Motion(entered));
            }
        }
    }
}
