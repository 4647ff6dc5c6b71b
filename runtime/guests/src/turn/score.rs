//! A score's end in the loop: it takes in what the score's thread sends, inside the turn.
//! Kept by the slots of the scheduler.
//! The law: what a score sends is taken in its order, as far as there is time and room.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use cycle::{Instant, LaneSettings, Stage};
use rtrb::Consumer;

use crate::host::{EVENTS_PER_CALL, Nap};
use crate::shared::command_buffer::{AT, Item, Words};
use crate::shared::guest_body::Scene;
use crate::shared::report::{Carried, Report};
use crate::shared::terms::GuestId;
use crate::turn::flush::{self as carry, Fate};
use crate::turn::hooks::Called;
use crate::turn::inputs::{Ear, Heard};
use crate::turn::lane_control::Voice;

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
