//! `events`: small messages between guests.

use wasmtime::component::{LinkerInstance, WasmStr};

use super::{Cx, Host};
use crate::answer::Answer;
use crate::bus::TOPICS;
use crate::scene::{NAME_MAX, NONE};
use crate::tray::Item;

pub(super) const NAME: &str = "dcm:choreography/events@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["topic", "post", "next", "current-topic", "current-value"];

/// Events that may be posted in one call of a hook.
pub(crate) const EVENTS_PER_CALL: u32 = 64;

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    linker.func_wrap("topic", |mut cx: Cx<'_>, (name,): (WasmStr,)| {
        if cx.data().inside() {
            return Ok((NONE,));
        }
        let mut made = cx.data().topics;
        let name = name.to_str(&cx)?;
        let number = if name.len() <= NAME_MAX {
            cx.data().scene.bus.topic(&name, &mut made)
        } else {
            NONE
        };
        cx.data_mut().topics = made;
        Ok((number,))
    })?;
    linker.func_wrap("post", |mut cx: Cx<'_>, (topic, value): (u32, f64)| {
        Ok((cx.data_mut().post(topic, value),))
    })?;
    linker.func_wrap("next", |mut cx: Cx<'_>, (): ()| {
        Ok((cx.data_mut().next_event(),))
    })?;
    linker.func_wrap("current-topic", |cx: Cx<'_>, (): ()| {
        Ok((cx.data().event.map_or(NONE, |it| it.topic),))
    })?;
    linker.func_wrap("current-value", |cx: Cx<'_>, (): ()| {
        Ok((cx.data().event.map_or(f64::NAN, |it| it.value),))
    })
}

impl Host {
    fn post(&mut self, topic: u32, value: f64) -> Answer {
        if topic as usize >= TOPICS {
            return Answer::Unknown;
        }
        if self.inside() && self.counts.events >= EVENTS_PER_CALL {
            return Answer::TooMuch;
        }
        let answer = self.lay(Item::Post { topic, value });
        if answer == Answer::Done {
            self.counts.events = self.counts.events.saturating_add(1);
        }
        answer
    }

    fn next_event(&mut self) -> bool {
        let Some((number, event)) = self.scene.bus.after(self.seen) else {
            return false;
        };
        let missed = number.saturating_sub(self.seen).saturating_sub(1);
        self.missed_events = self.missed_events.saturating_add(missed);
        (self.seen, self.event) = (number, Some(event));
        true
    }
}
