//! A run that is repeated: cues as they were heard, and scores that send again what they sent.
//! Called by whoever replays a recording, before the turn in which it was heard.
//! The law: nothing is thought anew here. What a motion does with it is up to the motion.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use rtrb::{Producer, RingBuffer};

use crate::host::{FUEL, ScoreClock};
use crate::load::cache::digest;
use crate::load::choreography::PrepareError;
use crate::load::compile::CodeForm;
use crate::load::contract::{self, World};
use crate::manage::grant::{Grant, GuestError, LoadOptions, terms};
use crate::manage::manager::{GuestManager, PendingGuest};
use crate::manage::registry::RegistryEntry;
use crate::manage::score_thread::AHEAD;
use crate::shared::command_buffer::ItemWords;
use crate::shared::report::{End, GuestLife, GuestReport};
use crate::shared::terms::GuestId;
use crate::turn::channel::GuestCommand;
use crate::turn::inputs::TurnInput;

/// Lines that an echo says: none.
const LINES: usize = 1;

/// A score that is not run: it sends what it sent before.
#[derive(Debug)]
pub struct ReplayedScore {
    items: Option<Producer<ItemWords>>,
    report: Arc<GuestReport>,
    /// It lies in the ring already, and was not taken.
    waits: Option<ItemWords>,
}

impl ReplayedScore {
    /// It sends this, which is taken in the next turn, or waits in it. Whether there was room.
    pub fn send(&mut self, item: [u64; 4], is_taken: bool) -> bool {
        let is_there = self.waits.take() == Some(item);
        if !is_taken {
            self.waits = Some(item);
        }
        match &mut self.items {
            Some(items) if !is_there => items.push(item).is_ok(),
            _ => is_there,
        }
    }

    /// It has ended.
    pub fn end(&mut self, end: End) {
        if end != End::None {
            self.report.set_end(end);
        }
        self.items = None;
    }
}

impl GuestManager {
    /// A score of these bytes, in whose place an echo sends.
    ///
    /// # Errors
    /// [`GuestError`], as if it were to be run.
    pub fn make_echo(
        &self,
        bytes: &[u8],
        grant: &Grant,
        wishes: &LoadOptions,
    ) -> Result<(PendingGuest, ReplayedScore), GuestError> {
        let checked = contract::check(bytes, grant.wasi.grant)
            .map_err(|it| GuestError::Prepare(PrepareError::Contract(it)))?;
        let terms = terms(self.lane, self.ticks, &checked.manifest, grant, wishes)?;
        let id = self.number(false)?;
        let report = Arc::new(GuestReport::default());
        report.set_life(GuestLife::Armed);
        let (items, taken) = RingBuffer::new(AHEAD);
        let (_, lines) = RingBuffer::new(LINES);
        let score = self.score(id, &report, terms.lane, taken, ScoreClock::none());
        let name = wishes.name.clone().or(checked.manifest.name);
        let ready = PendingGuest {
            command: GuestCommand::EnterScore(score),
            started: 0,
            swaps: false,
            entry: RegistryEntry {
                id,
                name: name.unwrap_or_default(),
                world: World::Score,
                digest: digest(bytes),
                form: CodeForm::Calls,
                fuel: FUEL,
                lasts: checked.manifest.lasts,
                loops: checked.manifest.loops,
                params: Vec::new(),
                priority_max: terms.priority_max,
                report: Arc::clone(&report),
                lines,
                over: false,
            },
        };
        let echo = ReplayedScore {
            items: Some(items),
            report,
            waits: None,
        };
        Ok((ready, echo))
    }

    /// Says a cue again. What else was heard is no cue: a guest that came in is made and admitted, and
    /// scores have their echoes.
    ///
    /// # Errors
    /// [`GuestError`]: there is no such guest, or too many cues are on their way.
    pub fn repeat(&self, heard: &TurnInput) -> Result<(), GuestError> {
        let command = match *heard {
            TurnInput::End(id, end) => {
                self.cancel(id, end)?;
                GuestCommand::End(id, end)
            }
            TurnInput::Pause(id, paused) => GuestCommand::Pause(id, paused),
            TurnInput::Turn(id, param, value) => GuestCommand::Turn(id, param as usize, value),
            TurnInput::Priority(id, priority) => GuestCommand::Priority(id, priority),
            TurnInput::Weight(id, weight) => GuestCommand::Weight(id, weight),
            TurnInput::Cut(id, hook) => GuestCommand::Cut(id, hook),
            TurnInput::Enter(_)
            | TurnInput::Swap(..)
            | TurnInput::Item(..)
            | TurnInput::Waits(..)
            | TurnInput::Over(..) => return Ok(()),
        };
        self.registry().command(command)
    }

    fn cancel(&self, id: GuestId, end: End) -> Result<(), GuestError> {
        let report = Arc::clone(&self.registry().entry(id)?.report);
        report.set_end(end);
        report.cancel.store(true, Relaxed);
        Ok(())
    }
}
