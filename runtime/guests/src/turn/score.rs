//! The loop's end of a score: takes what the score's thread sends, inside the turn.
//! Kept by the slots of the scheduler.
//! What a score sends is taken in its order, as far as there is time and room.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use cycle::{Instant, LaneSettings, Stage};

use crate::host::{EVENTS_PER_CALL, ScoreClock};
use crate::shared::command_buffer::{Item, ItemWords};
use crate::shared::guest_body::GuestBody;
use crate::shared::report::{FlushSummary, GuestReport};
use crate::shared::score_ring::{NextItem, ScoreReceiver};
use crate::shared::terms::GuestId;
use crate::turn::flush::{self, ItemFate};
use crate::turn::hooks::HookOutcome;
use crate::turn::inputs::{InputLog, TurnInput};
use crate::turn::lane_control::LaneControl;

/// Items of a score that are taken in one turn.
const ITEMS_PER_TURN: usize = 2_048;

/// Items of a score that were cleared, and are passed over in one turn.
const SKIPPED_PER_TURN: usize = 16_384;

/// A score that waits until the body runs.
#[derive(Debug)]
pub(crate) struct ArmedScore {
    pub(crate) id: GuestId,
    pub(crate) report: Arc<GuestReport>,
    pub(crate) lane: LaneSettings,
    /// Boxed where it is made, so that whoever passes it on is small.
    pub(crate) items: Box<ScoreReceiver>,
    pub(crate) body: Arc<GuestBody>,
    pub(crate) clock: ScoreClock,
    /// Gains that wait for their weight, which is the next item.
    pub(crate) held: Option<Item>,
    /// It was paused before it came in.
    pub(crate) paused: bool,
}

impl Drop for ArmedScore {
    /// When it is dropped, nobody takes what its score sends any more, so that the score's thread shall end.
    fn drop(&mut self) {
        self.report.cancel.store(true, Relaxed);
    }
}

#[derive(Debug)]
pub(crate) struct RunningScore {
    pub(crate) armed: ArmedScore,
    pub(crate) lane_control: LaneControl,
    /// It exceeded the time that a loop in virtual time waits for it.
    pub(crate) given_up: bool,
    /// Its end was logged as an input.
    pub(crate) end_is_logged: bool,
}

impl ArmedScore {
    #[allow(
        clippy::result_large_err,
        reason = "a box would be allocated in the turn"
    )]
    pub(crate) fn enter(self, stage: &mut Stage<'_>) -> Result<RunningScore, ArmedScore> {
        let Some(lane_control) = LaneControl::open(self.lane, self.paused, &self.report, stage)
        else {
            self.report.cancel.store(true, Relaxed);
            return Err(self);
        };
        self.clock.turn_to(stage.time_before(lane_control.lane));
        self.clock.begin();
        Ok(RunningScore {
            armed: self,
            lane_control,
            given_up: false,
            end_is_logged: false,
        })
    }
}

impl RunningScore {
    pub(crate) fn apply(
        &mut self,
        words: ItemWords,
        stage: &mut Stage<'_>,
        summary: &mut FlushSummary,
    ) -> ItemFate {
        let lane = self.lane_control.lane;
        match (Item::of(words), self.armed.held) {
            (Some(gains @ Item::Gains { .. }), _) => {
                self.armed.held = Some(gains);
                ItemFate::Done
            }
            (Some(weight @ Item::GainsWeight { .. }), Some(gains)) => {
                self.armed.held = None;
                flush::apply(gains, Some(weight), lane, stage, summary)
            }
            (Some(Item::Post { topic, value }), _) => {
                self.armed.body.bus.post(topic, value, self.armed.id);
                ItemFate::Done
            }
            (Some(item), _) => {
                let item = self.in_time(item, stage.time_of(lane));
                flush::apply(item, None, lane, stage, summary)
            }
            (None, _) => ItemFate::Done,
        }
    }

    /// After a turn: moves the score's clock to the turn's instant in its lane's time.
    pub(crate) fn see(&self, stage: &Stage<'_>) -> HookOutcome {
        self.lane_control.keep_time(stage);
        self.armed
            .clock
            .turn_to(stage.time_of(self.lane_control.lane));
        HookOutcome::Done
    }

    /// A score sees the last turn's instant, and what it sends for that reaches the loop in the next turn: this does
    /// not count as late.
    fn in_time(&self, mut item: Item, now: Instant) -> Item {
        let seen = self.armed.clock.now().nanos();
        if let Item::Command { at, .. } = &mut item
            && (seen..now.nanos()).contains(at)
        {
            *at = now.nanos();
        }
        item
    }

    /// Clears what the score has cleared, before anything that it has sent. Returns whether all of it was done.
    fn play_clears(
        &mut self,
        stage: &mut Stage<'_>,
        summary: &mut FlushSummary,
        inputs: &mut InputLog,
    ) -> bool {
        let (id, lane) = (self.armed.id, self.lane_control.lane);
        self.armed.items.take_clears(|of| {
            let clear = Item::Clear { of };
            let words = clear.words();
            let fate = flush::apply(clear, None, lane, stage, summary);
            match fate {
                ItemFate::Done => inputs.push(TurnInput::Item(id, words)),
                ItemFate::Kept => inputs.push(TurnInput::Waits(id, words)),
            }
            fate == ItemFate::Done
        })
    }

    /// Takes what the score has sent, in its order, as far as there is time and room.
    pub(crate) fn play(&mut self, stage: &mut Stage<'_>, inputs: &mut InputLog) -> HookOutcome {
        let mut summary = FlushSummary::default();
        // This is read first: then everything that was sent before the end is in the ring.
        let ended = self.armed.items.is_abandoned();
        // And this before the clears: then every clear that was made before one of these items is seen.
        let mut available = self.armed.items.available();
        let (mut blocked, mut posts) = (!self.play_clears(stage, &mut summary, inputs), 0);
        let (mut items, mut skipped) = (0, 0);
        while available > 0 && !blocked && items < ITEMS_PER_TURN && skipped < SKIPPED_PER_TURN {
            let words = match self.armed.items.peek() {
                NextItem::Nothing => break,
                NextItem::Cleared => {
                    self.armed.items.pop();
                    (available, skipped) = (available - 1, skipped + 1);
                    continue;
                }
                NextItem::Item(words) => words,
            };
            // A score may post as many events in a turn as a hook, so that it does not flood the bus.
            let posting = matches!(Item::of(words), Some(Item::Post { .. }));
            if (posting && posts == EVENTS_PER_CALL)
                || self.apply(words, stage, &mut summary) == ItemFate::Kept
            {
                inputs.push(TurnInput::Waits(self.armed.id, words));
                blocked = true;
                break;
            }
            inputs.push(TurnInput::Item(self.armed.id, words));
            posts += u32::from(posting);
            self.armed.items.pop();
            (available, items) = (available - 1, items + 1);
        }
        let report = Arc::clone(&self.armed.report);
        summary.deferred = u32::from(blocked);
        report.flushed(&summary);
        if let Some(priority) = summary.priority {
            self.lane_control.set_priority(priority, stage);
        }
        if ended {
            report.set_end(report.thread_end());
        }
        let end = report.end();
        if ended && !std::mem::replace(&mut self.end_is_logged, true) {
            inputs.push(TurnInput::Over(self.armed.id, end));
        }
        if ended && end.is_fault() {
            return HookOutcome::Failed(end);
        }
        let played_out =
            ended && self.armed.items.is_empty() && !stage.anything_waits(self.lane_control.lane);
        if summary.finished || played_out {
            HookOutcome::Finished
        } else {
            HookOutcome::Done
        }
    }
}
