//! `requests`: how far what a guest has sent is, and cancelling it.

use wasmtime::component::LinkerInstance;

use super::{CallPhase, Cx, Host, Sink, offer};
use crate::shared::answer::HostAnswer;
use crate::shared::command_buffer::Item;

pub(crate) const NAME: &str = "dcm:choreography/requests@0.1.0";

/// Requests that one call of a hook may begin.
const REQUESTS_PER_CALL: u32 = 4;

pub(super) const FUNCTIONS: &[&str] = &["begin", "left", "outcome-of", "cancel"];

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(linker, "begin", |mut cx: Cx<'_>, (): ()| {
        Ok((cx.data_mut().begin_request(),))
    })?;
    offer(linker, "left", |cx: Cx<'_>, (request,): (u32,)| {
        Ok((cx.data().requests.state(request).0,))
    })?;
    offer(linker, "outcome-of", |cx: Cx<'_>, (request,): (u32,)| {
        Ok((cx.data().requests.state(request).1,))
    })?;
    offer(linker, "cancel", |mut cx: Cx<'_>, (request,): (u32,)| {
        Ok((cx.data_mut().cancel_request(request),))
    })
}

impl Host {
    fn begin_request(&mut self) -> u32 {
        if self.phase == CallPhase::Stop || matches!(self.sink, Sink::Ring(_)) {
            return 0;
        }
        // If there is no room for it, the commands after it belong to the one before.
        if self.items_fit(1).is_err() || self.counts.requests == REQUESTS_PER_CALL {
            return 0;
        }
        self.counts.requests = self.counts.requests.saturating_add(1);
        let number = self.requests.begin();
        match self.push_item(Item::Begin { request: number }) {
            HostAnswer::Done => number,
            _ => 0,
        }
    }

    fn cancel_request(&mut self, request: u32) -> HostAnswer {
        if !self.requests.knows(request) {
            return HostAnswer::Unknown;
        }
        self.push_item(Item::Cancel { request })
    }
}
