//! Who is on the troupe's list: guests that wait, motions, scores, and those whose lanes fade out.
//! Kept by the troupe, inside the turn.
//! The law: what is asked of one who waits is done when it comes in.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use cycle::{Instant, LaneId, LaneSettings, Stage};
use rtrb::Consumer;

use crate::carry::{self, Carried, Fate};
use crate::guest::{Armed, GuestId};
use crate::heard::{Ear, Heard};
use crate::hooks::Called;
use crate::host::EVENTS_PER_CALL;
use crate::performed::Performed;
use crate::report::{End, HOOKS, Report};
use crate::running::Running;
use crate::scene::Scene;
use crate::score::Nap;
use crate::tray::{AT, Item, Words};
use crate::voice::Voice;

/// Items of a score that are taken in one turn.
const ITEMS_PER_TURN: usize = 2_048;

/// A score's end in the loop.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) id: GuestId,
    pub(crate) report: Arc<Report>,
    pub(crate) lane: LaneSettings,
    pub(crate) items: Consumer<Words>,
    pub(crate) scene: Arc<Scene>,
    pub(crate) nap: Nap,
    /// Gains wait for their weight.
    pub(crate) held: Option<Words>,
    /// It was paused before it came in.
    pub(crate) paused: bool,
}

impl Drop for Part {
    /// Wherever it is dropped, nobody plays what its score sends any more: the score's thread shall end.
    fn drop(&mut self) {
        self.report.cancel.store(true, Relaxed);
    }
}

#[derive(Debug)]
pub(crate) struct Playing {
    pub(crate) part: Part,
    pub(crate) voice: Voice,
    /// It lets a loop in virtual time wait for ever.
    pub(crate) given_up: bool,
    /// It was heard that it has ended.
    pub(crate) heard_out: bool,
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

impl Part {
    #[allow(
        clippy::result_large_err,
        reason = "a box would be allocated in the turn"
    )]
    pub(crate) fn enter(self, stage: &mut Stage<'_>) -> Result<Playing, Part> {
        let Some(voice) = Voice::open(self.lane, self.paused, &self.report, stage) else {
            self.report.cancel.store(true, Relaxed);
            return Err(self);
        };
        self.nap.turn_to(stage.time_before(voice.lane));
        self.nap.begin();
        Ok(Playing {
            part: self,
            voice,
            given_up: false,
            heard_out: false,
        })
    }
}

impl Playing {
    pub(crate) fn one(
        &mut self,
        words: Words,
        stage: &mut Stage<'_>,
        carried: &mut Carried,
    ) -> Fate {
        match (Item::of(words), self.part.held) {
            (Some(Item::Gains { .. }), _) => {
                self.part.held = Some(words);
                Fate::Done
            }
            (Some(Item::GainsWeight { .. }), Some(gains)) => {
                self.part.held = None;
                carry::one(gains, words, false, self.voice.lane, stage, carried)
            }
            (Some(Item::Post { topic, value }), _) => {
                self.part.scene.bus.post(topic, value);
                Fate::Done
            }
            (Some(Item::Command { at, .. }), _) => {
                let words = self.in_time(words, at, stage.time_of(self.voice.lane));
                carry::one(words, [0; 4], false, self.voice.lane, stage, carried)
            }
            _ => carry::one(words, [0; 4], false, self.voice.lane, stage, carried),
        }
    }

    /// The turn is made: it sees its instant, in its own time.
    pub(crate) fn see(&self, stage: &Stage<'_>) -> Called {
        self.voice.keep_time(stage);
        self.part.nap.turn_to(stage.time_of(self.voice.lane));
        Called::Well
    }

    /// What a score says for the instant that it sees, the last turn's, reaches the loop in the next one:
    /// that is not late.
    fn in_time(&self, mut words: Words, at: u64, now: Instant) -> Words {
        let seen = self.part.nap.now().nanos();
        if (seen..now.nanos()).contains(&at) {
            words[AT] = now.nanos();
        }
        words
    }

    /// Takes in what the score has sent, in its order, as far as there is time and room.
    pub(crate) fn play(&mut self, stage: &mut Stage<'_>, ear: &mut Ear) -> Called {
        let mut carried = Carried::default();
        // Looked at first: what was sent before it ended is all there.
        let ended = self.part.items.is_abandoned();
        let (mut blocked, mut posts) = (false, 0);
        for _ in 0..ITEMS_PER_TURN {
            let Ok(words) = self.part.items.peek().copied() else {
                break;
            };
            // As many events as a hook may post: more would drown what others say to each other.
            let posting = matches!(Item::of(words), Some(Item::Post { .. }));
            if (posting && posts == EVENTS_PER_CALL)
                || self.one(words, stage, &mut carried) == Fate::Kept
            {
                ear.hear(Heard::Waits(self.part.id, words));
                blocked = true;
                break;
            }
            ear.hear(Heard::Item(self.part.id, words));
            posts += u32::from(posting);
            // It was there a moment ago, and only this end takes.
            let _ = self.part.items.pop();
        }
        let report = Arc::clone(&self.part.report);
        carried.deferred = u32::from(blocked);
        report.carried(&carried);
        if let Some(priority) = carried.priority {
            self.voice.set_priority(priority, stage);
        }
        let end = report.end();
        if ended && !std::mem::replace(&mut self.heard_out, true) {
            ear.hear(Heard::Over(self.part.id, end));
        }
        if ended && end.is_fault() {
            return Called::Badly(end);
        }
        let played_out =
            ended && self.part.items.is_empty() && !stage.anything_waits(self.voice.lane);
        if carried.finished || played_out {
            Called::Over
        } else {
            Called::Well
        }
    }
}
