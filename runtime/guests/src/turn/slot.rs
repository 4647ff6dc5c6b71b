//! Who is on the troupe's list: guests that wait, motions, scores, and those whose lanes fade out.
//! Kept by the troupe, inside the turn.
//! The law: what is asked of one who waits is done when it comes in.

use std::sync::Arc;

use cycle::{LaneId, Stage};

use crate::shared::report::{End, HOOKS, Life, Report};
use crate::shared::terms::GuestId;
use crate::turn::guest::Armed;
use crate::turn::guest::Running;
use crate::turn::score::{Part, Playing};

/// A guest in a turn that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Performed {
    /// Which guest.
    pub id: GuestId,
    /// Where it is in its life.
    pub life: Life,
    /// Why it ended.
    pub end: End,
    /// The fuel that its hooks used in this turn, in the order of [`crate::Hook`]; what a score uses is not of a turn.
    pub fuel: [u64; HOOKS],
    /// Its lane's number; nothing before it has one.
    pub lane: Option<u64>,
}

/// A place on the list.
#[derive(Debug)]
pub(crate) enum Actor {
    /// It waits until the body runs.
    Waiting(Armed),
    WaitingScore(Part),
    Motion(Running),
    Score(Playing),
    /// Its lane fades out.
    Leaving(GuestId, Arc<Report>, LaneId),
}

impl Actor {
    pub(crate) fn id(&self) -> GuestId {
        match self {
            Actor::Waiting(armed) => armed.0.id,
            Actor::WaitingScore(part) => part.id,
            Actor::Motion(running) => running.guest.id,
            Actor::Score(playing) => playing.part.id,
            Actor::Leaving(id, _, _) => *id,
        }
    }

    /// What is asked of one who waits is true when it comes in.
    pub(crate) fn pause(&mut self, paused: bool, stage: &mut Stage<'_>) {
        match self {
            Actor::Waiting(armed) => armed.0.terms.paused = paused,
            Actor::WaitingScore(part) => part.paused = paused,
            Actor::Motion(running) => running.voice.pause(paused, stage),
            Actor::Score(playing) => playing.voice.pause(paused, stage),
            Actor::Leaving(..) => {}
        }
    }

    pub(crate) fn set_priority(&mut self, priority: f64, stage: &mut Stage<'_>) {
        match self {
            Actor::Waiting(armed) => armed.0.terms.lane.priority = priority,
            Actor::WaitingScore(part) => part.lane.priority = priority,
            Actor::Motion(running) => running.voice.set_priority(priority, stage),
            Actor::Score(playing) => playing.voice.set_priority(priority, stage),
            Actor::Leaving(..) => {}
        }
    }

    pub(crate) fn set_weight(&mut self, weight: f64, stage: &mut Stage<'_>) {
        match self {
            Actor::Waiting(armed) => armed.0.terms.lane.weight = weight,
            Actor::WaitingScore(part) => part.lane.weight = weight,
            Actor::Motion(running) => running.voice.set_weight(weight, stage),
            Actor::Score(playing) => playing.voice.set_weight(weight, stage),
            // A lane that is gone needs none.
            Actor::Leaving(_, report, lane) => {
                if stage.set_weight(*lane, weight).is_ok() {
                    report.set_weight(weight);
                }
            }
        }
    }

    /// What it did in this turn.
    pub(crate) fn performed(&self, turn: u64) -> Performed {
        let (id, report) = match self {
            Actor::Waiting(armed) => (armed.0.id, &armed.0.report),
            Actor::WaitingScore(part) => (part.id, &part.report),
            Actor::Motion(running) => (running.guest.id, &running.guest.report),
            Actor::Score(playing) => (playing.part.id, &playing.part.report),
            Actor::Leaving(id, report, _) => (*id, report),
        };
        // Others may say at any time why it shall end; that counts when it leaves.
        let end = match self {
            Actor::Leaving(..) => report.end(),
            _ => End::None,
        };
        // How far it came when the clock cut it means nothing.
        let fuel = match self {
            Actor::Score(_) | Actor::WaitingScore(_) => [0; HOOKS],
            _ if end == End::TooLong => [0; HOOKS],
            _ => report.used_in(turn),
        };
        Performed {
            id,
            life: report.life(),
            end,
            fuel,
            lane: report.lane(),
        }
    }

    pub(crate) fn priority(&self) -> f64 {
        match self {
            Actor::Motion(running) => running.voice.priority,
            Actor::Score(playing) => playing.voice.priority,
            _ => cycle::priority::IGNORED,
        }
    }
}

impl Armed {
    /// It takes over from one of this priority, and is as silent as that one.
    pub(crate) fn follow(&mut self, priority: f64, paused: bool) {
        let terms = &mut self.0.terms;
        if !terms.own_priority {
            terms.lane.priority = priority.min(terms.priority_max);
        }
        terms.paused = paused;
    }
}
