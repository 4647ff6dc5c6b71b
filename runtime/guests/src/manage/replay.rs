//! A run that is repeated: cues as they were heard, and scores that send again what they sent.
//! Called by whoever replays a recording, before the turn in which it was heard.
//! The law: nothing is thought anew here. What a motion does with it is up to the motion.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use rtrb::{Producer, RingBuffer};

use crate::host::{FUEL, Nap};
use crate::load::cache::digest;
use crate::load::choreography::PrepareError;
use crate::load::compile::Form;
use crate::load::contract::{self, World};
use crate::manage::grant::{Grant, GuestError, Wishes, terms};
use crate::manage::manager::{Director, Ready};
use crate::manage::registry::Entry;
use crate::manage::score_thread::AHEAD;
use crate::shared::command_buffer::Words;
use crate::shared::report::{End, Life, Report};
use crate::shared::terms::GuestId;
use crate::turn::channel::Cue;
use crate::turn::inputs::Heard;

/// Lines that an echo says: none.
const LINES: usize = 1;

/// A score that is not run: it sends what it sent before.
#[derive(Debug)]
pub struct Echo {
    items: Option<Producer<Words>>,
    report: Arc<Report>,
    /// It lies in the ring already, and was not taken.
    waits: Option<Words>,
}

impl Echo {
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
            self.report.end_by(end);
        }
        self.items = None;
    }
}

impl Director {
    /// A score of these bytes, in whose place an echo sends.
    ///
    /// # Errors
    /// [`GuestError`], as if it were to be run.
    pub fn make_echo(
        &self,
        bytes: &[u8],
        grant: &Grant,
        wishes: &Wishes,
    ) -> Result<(Ready, Echo), GuestError> {
        let checked = contract::check(bytes, grant.wasi.grant)
            .map_err(|it| GuestError::Prepare(PrepareError::Breach(it)))?;
        let terms = terms(self.lane, self.ticks, &checked.manifest, grant, wishes)?;
        let id = self.number(false)?;
        let report = Arc::new(Report::default());
        report.become_(Life::Armed);
        let (items, taken) = RingBuffer::new(AHEAD);
        let (_, lines) = RingBuffer::new(LINES);
        let part = self.part(id, &report, terms.lane, taken, Nap::none());
        let name = wishes.name.clone().or(checked.manifest.name);
        let ready = Ready {
            cue: Cue::EnterScore(part),
            started: 0,
            swaps: false,
            entry: Entry {
                id,
                name: name.unwrap_or_default(),
                world: World::Score,
                digest: digest(bytes),
                form: Form::Calls,
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
        let echo = Echo {
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
    pub fn repeat(&self, heard: &Heard) -> Result<(), GuestError> {
        let cue = match *heard {
            Heard::End(id, end) => {
                self.cancel(id, end)?;
                Cue::End(id, end)
            }
            Heard::Pause(id, paused) => Cue::Pause(id, paused),
            Heard::Turn(id, param, value) => Cue::Turn(id, param as usize, value),
            Heard::Priority(id, priority) => Cue::Priority(id, priority),
            Heard::Weight(id, weight) => Cue::Weight(id, weight),
            Heard::Cut(id, hook) => Cue::Cut(id, hook),
            Heard::Enter(_)
            | Heard::Swap(..)
            | Heard::Item(..)
            | Heard::Waits(..)
            | Heard::Over(..) => return Ok(()),
        };
        self.office().cue(cue)
    }

    fn cancel(&self, id: GuestId, end: End) -> Result<(), GuestError> {
        let report = Arc::clone(&self.office().entry(id)?.report);
        report.end_by(end);
        report.cancel.store(true, Relaxed);
        Ok(())
    }
}
