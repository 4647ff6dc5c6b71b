//! Replays a recorded run: its commands are sent again, and its scores are replaced by what they sent.
//! Called by whoever replays a recording, before the turn that took them.
//! Nothing is computed anew here but what motions do; no score's code runs.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use rtrb::RingBuffer;

use crate::host::{SCORE_FUEL, ScoreClock};
use crate::load::cache::digest;
use crate::load::choreography::PrepareError;
use crate::load::code_form::CodeForm;
use crate::load::contract::{self, World};
use crate::manage::admission::PendingGuest;
use crate::manage::grant::{Grant, GuestError, LoadOptions, terms};
use crate::manage::manager::GuestManager;
use crate::manage::registry::RegistryEntry;
use crate::manage::score_thread::AHEAD;
use crate::shared::answer::HostAnswer;
use crate::shared::command_buffer::{Item, ItemWords};
use crate::shared::line_limit::LineLimit;
use crate::shared::log_line::LineTime;
use crate::shared::report::{End, GuestLife, GuestReport};
use crate::shared::score_ring::{ScoreSender, score_ring};
use crate::shared::terms::GuestId;
use crate::turn::channel::GuestCommand;
use crate::turn::inputs::TurnInput;

/// A replayed score writes no lines; a ring has one place at least.
const LINES: usize = 1;

/// A score that does not run: it sends what it sent in the recorded run.
#[derive(Debug)]
pub struct ReplayedScore {
    items: Option<ScoreSender>,
    report: Arc<GuestReport>,
    /// The item that is in the ring already, and was not taken in the last turn.
    waits: Option<ItemWords>,
}

impl ReplayedScore {
    /// Sends an item, which the next turn takes, or leaves if not `is_taken`. Whether there was room.
    pub fn send(&mut self, item: [u64; 4], is_taken: bool) -> bool {
        if let (Some(Item::Clear { of }), Some(items)) = (Item::of(item), &mut self.items) {
            // It overtakes what waits, and takes that away if it is for the same actuator.
            items.clear(of);
            let waits = self.waits.and_then(Item::of);
            if matches!(waits, Some(Item::Command { to, .. }) if to == of) {
                self.waits = None;
            }
            return true;
        }
        let is_there = self.waits.take() == Some(item);
        if !is_taken {
            self.waits = Some(item);
        }
        match &mut self.items {
            Some(items) if !is_there => items.push(item) == HostAnswer::Done,
            _ => is_there,
        }
    }

    /// Ends it.
    pub fn end(&mut self, end: End) {
        if end != End::None {
            self.report.set_end(end);
        }
        self.items = None;
    }
}

impl GuestManager {
    /// Makes a score of these bytes that does not run; what it sends comes from the [`ReplayedScore`].
    ///
    /// # Errors
    /// [`GuestError`], as if it were to be run.
    pub fn make_replayed_score(
        &self,
        bytes: &[u8],
        grant: &Grant,
        options: &LoadOptions,
    ) -> Result<(PendingGuest, ReplayedScore), GuestError> {
        let checked = contract::check(bytes, grant.wasi.grant)
            .map_err(|error| GuestError::Prepare(PrepareError::Contract(error)))?;
        let terms = terms(self.lane, self.ticks, &checked.manifest, grant, options)?;
        let id = self.number(false)?;
        let report = Arc::new(GuestReport::default());
        report.set_life(GuestLife::Armed);
        let (items, taken) = score_ring(AHEAD, self.body.actuators.len());
        let (_, lines) = RingBuffer::new(LINES);
        let score = self.armed_score(id, &report, terms.lane, taken, ScoreClock::none());
        let name = options.name.clone().or(checked.manifest.name);
        let pending = PendingGuest {
            command: GuestCommand::EnterScore(score),
            started: 0,
            instead: None,
            entry: RegistryEntry {
                id,
                name: name.unwrap_or_default(),
                world: World::Score,
                digest: digest(bytes),
                from: options.from.clone(),
                form: CodeForm::Calls,
                fuel: SCORE_FUEL,
                lasts: checked.manifest.lasts,
                loops: checked.manifest.loops,
                params: Vec::new(),
                is_beside: false,
                priority_max: terms.priority_max,
                report: Arc::clone(&report),
                lines,
                limit: LineLimit::default(),
                last_line: LineTime::default(),
                over: false,
                next_told: 0,
            },
        };
        let replayed = ReplayedScore {
            items: Some(items),
            report,
            waits: None,
        };
        Ok((pending, replayed))
    }

    /// Gives a topic the number that it had in the recorded run, before any guest asks for topics: what a score posted
    /// is repeated by number.
    pub fn number_topic(&self, number: u32, name: &str) {
        self.body.bus.topics.hold_at(number, name);
    }

    /// Sends the command of a recorded input again. Inputs that are no command are left out: whoever replays makes
    /// and admits the guests that came in, and sends what scores sent.
    ///
    /// # Errors
    /// [`GuestError`]: there is no such guest, or too many commands are on their way.
    pub fn repeat(&self, input: &TurnInput) -> Result<(), GuestError> {
        let command = match *input {
            TurnInput::End(id, end) => {
                self.cancel(id, end)?;
                GuestCommand::End(id, end)
            }
            TurnInput::Pause(id, paused) => GuestCommand::Pause(id, paused),
            TurnInput::Turn(id, param, value) => GuestCommand::Turn(id, param as usize, value),
            TurnInput::Priority(id, priority) => GuestCommand::Priority(id, priority),
            TurnInput::Weight(id, weight) => GuestCommand::Weight(id, weight),
            TurnInput::Cut(id, hook) => GuestCommand::Cut(id, hook),
            TurnInput::PassedOver(id, hook) => GuestCommand::PassOver(id, hook),
            TurnInput::Enter(_)
            | TurnInput::Swap(..)
            | TurnInput::Item(..)
            | TurnInput::Waits(..)
            | TurnInput::Over(..) => return Ok(()),
        };
        self.registry().send(command)
    }

    fn cancel(&self, id: GuestId, end: End) -> Result<(), GuestError> {
        let report = Arc::clone(&self.registry().entry(id)?.report);
        report.set_end(end);
        report.cancel.store(true, Relaxed);
        Ok(())
    }
}
