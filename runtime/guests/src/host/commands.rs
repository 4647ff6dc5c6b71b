//! `commands`: this actuator, this value, at this instant.

use cycle::Merge;
use wasmtime::component::LinkerInstance;

use super::{CallPhase, Cx, Host, Sink, offer};
use crate::shared::answer::{HostAnswer, MergeKind};
use crate::shared::command_buffer::Item;

pub(crate) const NAME: &str = "dcm:choreography/commands@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["set", "put", "clear", "waiting"];

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(
        linker,
        "set",
        |mut cx: Cx<'_>, (to, value, at): (u32, f64, u64)| {
            Ok((cx.data_mut().put(to, value, at, Merge::Merge),))
        },
    )?;
    offer(
        linker,
        "put",
        |mut cx: Cx<'_>, (to, value, at, merge): (u32, f64, u64, MergeKind)| {
            Ok((cx.data_mut().put(to, value, at, merge.into()),))
        },
    )?;
    offer(linker, "clear", |mut cx: Cx<'_>, (of,): (u32,)| {
        Ok((cx.data_mut().clear(of),))
    })?;
    offer(linker, "waiting", |cx: Cx<'_>, (on,): (u32,)| {
        Ok((cx.data().waiting.get(on as usize).copied().unwrap_or(0),))
    })
}

impl Host {
    pub(super) fn put(&mut self, to: u32, value: f64, at: u64, merge: Merge) -> HostAnswer {
        match self.examine(to, value, at) {
            Err(answer) => answer,
            Ok(false) => HostAnswer::Done,
            Ok(true) => {
                if merge == Merge::ClearAll {
                    self.forget_waiting(to);
                }
                self.push_command(Item::Command {
                    to,
                    value,
                    at,
                    merge,
                })
            }
        }
    }

    pub(super) fn examine(&self, to: u32, value: f64, at: u64) -> Result<bool, HostAnswer> {
        self.may(to)?;
        self.sound(value, at)
    }

    fn clear(&mut self, of: u32) -> HostAnswer {
        if let Err(answer) = self.may(of) {
            return answer;
        }
        if self.phase == CallPhase::Stop {
            return HostAnswer::Ending;
        }
        if let Sink::Ring(ring) = &mut self.sink {
            // It takes away what the loop has not taken yet as well.
            ring.clear(of);
            return HostAnswer::Done;
        }
        self.forget_waiting(of);
        self.push_item(Item::Clear { of })
    }

    /// The commands that are queued for this actuator will be dropped, so that their room is free again.
    fn forget_waiting(&mut self, actuator: u32) {
        if let Some(waiting) = self.waiting.get_mut(actuator as usize) {
            let freed = std::mem::take(waiting);
            self.more_room(freed);
        }
    }
}
