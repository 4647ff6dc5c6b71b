//! `clock`: the robot's time.

use wasmtime::component::LinkerInstance;

use super::{CallPhase, Cx, Host, offer};

pub(crate) const NAME: &str = "dcm:choreography/clock@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["now", "turn", "sleep-until"];

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(linker, "now", |cx: Cx<'_>, (): ()| Ok((cx.data().now(),)))?;
    offer(linker, "turn", |cx: Cx<'_>, (): ()| Ok((cx.data().turn(),)))?;
    offer(linker, "sleep-until", |mut cx: Cx<'_>, (at,): (u64,)| {
        if cx.data().phase == CallPhase::Score {
            super::sleep_until(&mut cx, at)?;
        }
        Ok((cx.data().now(),))
    })
}
