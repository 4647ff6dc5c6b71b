//! `events`: small messages between guests.

use wasmtime::component::{LinkerInstance, WasmStr};

use super::{Cx, Host, offer};
use crate::shared::answer::HostAnswer;
use crate::shared::answer::NONE;
use crate::shared::command_buffer::Item;
use crate::shared::event_bus::EVENTS;
use crate::shared::guest_body::NAME_MAX;
use crate::shared::topics::{self, ALL_TOPICS};

pub(super) const NAME: &str = "dcm:choreography/events@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["topic", "post", "next", "current-topic", "current-value"];

/// Topics that a guest may ask for.
pub(crate) const TOPICS_PER_GUEST: usize = 64;

/// Events that may be posted in one call of a hook.
pub(crate) const EVENTS_PER_CALL: u32 = 64;

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(linker, "topic", |mut cx: Cx<'_>, (name,): (WasmStr,)| {
        if cx.data().inside() {
            return Ok((NONE,));
        }
        let name = name.to_str(&cx)?.into_owned();
        Ok((cx.data_mut().topic(&name),))
    })?;
    offer(
        linker,
        "post",
        |mut cx: Cx<'_>, (topic, value): (u32, f64)| Ok((cx.data_mut().post(topic, value),)),
    )?;
    offer(linker, "next", |mut cx: Cx<'_>, (): ()| {
        Ok((cx.data_mut().next_event(),))
    })?;
    offer(linker, "current-topic", |cx: Cx<'_>, (): ()| {
        Ok((cx.data().event.map_or(NONE, |event| event.topic),))
    })?;
    offer(linker, "current-value", |cx: Cx<'_>, (): ()| {
        Ok((cx.data().event.map_or(f64::NAN, |event| event.value),))
    })
}

impl Host {
    /// Subscribes this guest to a topic; the topic's number.
    fn topic(&mut self, name: &str) -> u32 {
        let count = self.topics.iter().filter(|topic| **topic).count();
        if name.len() > NAME_MAX || count >= TOPICS_PER_GUEST {
            return NONE;
        }
        let Host { body, topics, .. } = self;
        body.bus.subscribe(name, topics)
    }

    fn post(&mut self, topic: u32, value: f64) -> HostAnswer {
        if topic as usize >= ALL_TOPICS {
            return HostAnswer::Unknown;
        }
        if topics::is_own(topic) {
            return HostAnswer::Forbidden;
        }
        if self.inside() && self.counts.events >= EVENTS_PER_CALL {
            return HostAnswer::TooMuch;
        }
        let answer = self.push_item(Item::Post { topic, value });
        if answer == HostAnswer::Done {
            self.counts.events = self.counts.events.saturating_add(1);
        }
        answer
    }

    fn next_event(&mut self) -> bool {
        // At most as many as the bus holds: events of other topics cost this guest no fuel, and so must be bounded.
        for _ in 0..EVENTS {
            let Some((number, event)) = self.body.bus.after(self.seen) else {
                return false;
            };
            let missed = number.saturating_sub(self.seen).saturating_sub(1);
            self.missed_events = self.missed_events.saturating_add(missed);
            self.seen = number;
            if self.topics.get(event.topic as usize) == Some(&true) {
                self.event = Some(event);
                return true;
            }
        }
        false
    }
}
