//! `sensors`: what was read, how old it is, what was acknowledged.

use wasmtime::component::LinkerInstance;

use super::{Cx, Host, offer};

pub(crate) const NAME: &str = "dcm:choreography/sensors@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["read", "age", "acknowledged"];

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(linker, "read", |cx: Cx<'_>, (of,): (u32,)| {
        Ok((cx.data().body.window.sensor(of as usize),))
    })?;
    offer(linker, "age", |cx: Cx<'_>, (of,): (u32,)| {
        Ok((cx.data().age(of),))
    })?;
    offer(linker, "acknowledged", |cx: Cx<'_>, (by,): (u32,)| {
        Ok((cx.data().body.window.acknowledged(by as usize),))
    })
}

impl Host {
    /// How long ago the sensor's board answered, ns.
    fn age(&self, sensor: u32) -> u64 {
        let body = &self.body;
        let board = body.boards.get(sensor as usize).copied();
        let turns = board.and_then(|board| body.window.board_age(usize::from(board)));
        turns.map_or(u64::MAX, |turn| turn.saturating_mul(body.period.nanos()))
    }
}
