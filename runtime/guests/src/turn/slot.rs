//! A slot of the scheduler: a guest that waits, a motion, a score, or a guest whose lane fades out.
//! Kept by the scheduler, inside the turn.
//! What is asked of a guest that waits takes effect when it begins.

use std::sync::Arc;

use cycle::{LaneId, Stage};

use crate::shared::report::{End, GuestLife, GuestReport, HOOKS, Hook};
use crate::shared::terms::GuestId;
use crate::turn::guest::ArmedGuest;
use crate::turn::guest::RunningGuest;
use crate::turn::score::{ArmedScore, RunningScore};

/// What a guest did in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuestTurn {
    /// Which guest.
    pub id: GuestId,
    /// Where it is in its life.
    pub life: GuestLife,
    /// Why it ended.
    pub end: End,
    /// The fuel that its hooks used in this turn, in the order of [`crate::Hook`]; 0 for a score, whose fuel belongs
    /// to no turn.
    pub fuel: [u64; HOOKS],
    /// Its lane's number; `None` before it has a lane.
    pub lane: Option<u64>,
}

/// A guest in the loop.
#[derive(Debug)]
pub(crate) enum GuestSlot {
    /// It waits until the body runs.
    Waiting(ArmedGuest),
    WaitingScore(ArmedScore),
    Motion(RunningGuest),
    Score(RunningScore),
    /// Its lane fades out.
    Leaving(GuestId, Arc<GuestReport>, LaneId),
}

impl GuestSlot {
    pub(crate) fn id(&self) -> GuestId {
        match self {
            GuestSlot::Waiting(armed) => armed.0.id,
            GuestSlot::WaitingScore(score) => score.id,
            GuestSlot::Motion(running) => running.guest.id,
            GuestSlot::Score(score) => score.armed.id,
            GuestSlot::Leaving(id, _, _) => *id,
        }
    }

    pub(crate) fn report(&self) -> &GuestReport {
        match self {
            GuestSlot::Waiting(armed) => &armed.0.report,
            GuestSlot::WaitingScore(score) => &score.report,
            GuestSlot::Motion(running) => &running.guest.report,
            GuestSlot::Score(score) => &score.armed.report,
            GuestSlot::Leaving(_, report, _) => report,
        }
    }

    /// Whether anything of it is called in the part of the turn that begins with this hook.
    pub(crate) fn exports(&self, hook: Hook) -> bool {
        match self {
            GuestSlot::Motion(running) => {
                let hooks = &running.guest.hooks;
                match hook {
                    Hook::PostProcess => hooks.post_process.is_some() || hooks.is_alive.is_some(),
                    _ => hooks.pre_process.is_some(),
                }
            }
            GuestSlot::Score(_) => true,
            _ => false,
        }
    }

    /// Pauses or resumes it; one that waits begins paused.
    pub(crate) fn pause(&mut self, paused: bool, stage: &mut Stage<'_>) {
        match self {
            GuestSlot::Waiting(armed) => {
                armed.0.terms.paused = paused;
                armed.0.report.set_life(waiting_life(paused));
            }
            GuestSlot::WaitingScore(score) => {
                score.paused = paused;
                score.report.set_life(waiting_life(paused));
            }
            GuestSlot::Motion(running) => running.lane_control.pause(paused, stage),
            GuestSlot::Score(score) => score.lane_control.pause(paused, stage),
            GuestSlot::Leaving(..) => {}
        }
    }

    pub(crate) fn set_priority(&mut self, priority: f64, stage: &mut Stage<'_>) {
        match self {
            GuestSlot::Waiting(armed) => armed.0.terms.lane.priority = priority,
            GuestSlot::WaitingScore(score) => score.lane.priority = priority,
            GuestSlot::Motion(running) => running.lane_control.set_priority(priority, stage),
            GuestSlot::Score(score) => score.lane_control.set_priority(priority, stage),
            GuestSlot::Leaving(..) => {}
        }
    }

    pub(crate) fn set_weight(&mut self, weight: f64, stage: &mut Stage<'_>) {
        match self {
            GuestSlot::Waiting(armed) => armed.0.terms.lane.weight = weight,
            GuestSlot::WaitingScore(score) => score.lane.weight = weight,
            GuestSlot::Motion(running) => running.lane_control.set_weight(weight, stage),
            GuestSlot::Score(score) => score.lane_control.set_weight(weight, stage),
            // If the lane is gone, there is nothing to do.
            GuestSlot::Leaving(_, report, lane) => {
                if stage.set_weight(*lane, weight).is_ok() {
                    report.set_weight(weight);
                }
            }
        }
    }

    /// What it did in this turn.
    pub(crate) fn turn(&self, turn: u64) -> GuestTurn {
        let (id, report) = match self {
            GuestSlot::Waiting(armed) => (armed.0.id, &armed.0.report),
            GuestSlot::WaitingScore(score) => (score.id, &score.report),
            GuestSlot::Motion(running) => (running.guest.id, &running.guest.report),
            GuestSlot::Score(score) => (score.armed.id, &score.armed.report),
            GuestSlot::Leaving(id, report, _) => (*id, report),
        };
        // A reason may be set before it ends; it counts when it leaves.
        let end = match self {
            GuestSlot::Leaving(..) => report.end(),
            _ => End::None,
        };
        // How much it used until the clock interrupted it differs from run to run.
        let fuel = match self {
            GuestSlot::Score(_) | GuestSlot::WaitingScore(_) => [0; HOOKS],
            _ if end == End::TooLong => [0; HOOKS],
            _ => report.used_in(turn),
        };
        GuestTurn {
            id,
            life: report.life(),
            end,
            fuel,
            lane: report.lane(),
        }
    }

    pub(crate) fn priority(&self) -> f64 {
        match self {
            GuestSlot::Motion(running) => running.lane_control.priority,
            GuestSlot::Score(score) => score.lane_control.priority,
            _ => cycle::priority::IGNORED,
        }
    }
}

/// The life of a guest that waits for the body to run.
fn waiting_life(paused: bool) -> GuestLife {
    if paused {
        GuestLife::Paused
    } else {
        GuestLife::Armed
    }
}

impl ArmedGuest {
    /// Takes over from a guest of this priority, which is paused or not.
    pub(crate) fn follow(&mut self, priority: f64, paused: bool) {
        let terms = &mut self.0.terms;
        if !terms.own_priority {
            terms.lane.priority = priority.min(terms.priority_max);
        }
        terms.paused = paused;
    }
}
