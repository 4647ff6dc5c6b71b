//! WASI's `poll`: a score waits in it for as long as it likes, but not beyond its own end.
//! Linked for scores, and called on their threads. Whoever ends a score does not wait for what the score waits
//! for.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use wasmtime::component::{HasData, Resource, ResourceTable};
use wasmtime_wasi::p2::DynPollable;
use wasmtime_wasi::p2::bindings::io::poll as waiting;
use wasmtime_wasi::p2::bindings::sync::io::poll::{Host, HostPollable};
use wasmtime_wasi::runtime::in_tokio;

use super::score_clock::STOPPED;
use crate::shared::report::GuestReport;

/// How often a score that waits looks whether it shall end.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// How `poll` finds its table.
pub(super) struct PollData;

impl HasData for PollData {
    type Data<'a> = PollTable<'a>;
}

/// What a score can wait for, and the report that says whether it shall end.
#[derive(Debug)]
pub(super) struct PollTable<'a> {
    pub(super) table: &'a mut ResourceTable,
    pub(super) report: Option<Arc<GuestReport>>,
}

impl Host for PollTable<'_> {
    fn poll(&mut self, of: Vec<Resource<DynPollable>>) -> wasmtime::Result<Vec<u32>> {
        unless_ended(self.report.as_deref(), waiting::Host::poll(self.table, of))
    }
}

impl HostPollable for PollTable<'_> {
    fn ready(&mut self, of: Resource<DynPollable>) -> wasmtime::Result<bool> {
        in_tokio(waiting::HostPollable::ready(self.table, of))
    }

    fn block(&mut self, of: Resource<DynPollable>) -> wasmtime::Result<()> {
        let wait = waiting::HostPollable::block(self.table, of);
        unless_ended(self.report.as_deref(), wait)
    }

    fn drop(&mut self, of: Resource<DynPollable>) -> wasmtime::Result<()> {
        waiting::HostPollable::drop(self.table, of)
    }
}

/// Waits for this, or until the score shall end.
fn unless_ended<R>(
    report: Option<&GuestReport>,
    wait: impl Future<Output = wasmtime::Result<R>>,
) -> wasmtime::Result<R> {
    in_tokio(async {
        let mut wait = pin!(wait);
        loop {
            if let Ok(done) = tokio::time::timeout(LOOK_INTERVAL, &mut wait).await {
                return done;
            }
            if report.is_some_and(|report| report.cancel.load(Relaxed)) {
                return Err(wasmtime::Error::msg(STOPPED));
            }
        }
    })
}
