//! Scores: guests that are one long `run`, on a thread of their own beside the loop.
//! Started by the director; each waits on its thread until the loop has opened its lane.
//! The law: a score that is late, slow or stuck delays nobody. What it sends is taken in its order,
//! and what comes too late is taken all the same, and counted.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rtrb::{Consumer, Producer};
use wasmtime::UpdateDeadline;
use wasmtime::component::InstancePre;

use crate::host::{CallPhase, Host, POLL_INTERVAL, SCORE_FUEL, STOPPED, ScoreClock, Sink};
use crate::host::{Wasi, WasiAccess};
use crate::shared::command_buffer::ItemWords;
use crate::shared::guest_body::GuestBody;
use crate::shared::log::Log;
use crate::shared::log_line::LogLine;
use crate::shared::report::{End, GuestLife, GuestReport, Hook};
use crate::shared::terms::Terms;
use crate::turn::hooks::{Failure, failure, store};

/// Items that a score may send ahead of the loop: commands beyond the room of its lane.
pub(crate) const AHEAD: usize = 1 << 16;

/// Whether a program has ended itself in peace, as WASI's programs do.
fn is_goodbye(error: &wasmtime::Error) -> bool {
    let exit = error.downcast_ref::<wasmtime_wasi::I32Exit>();
    exit.is_some_and(|it| it.0 == 0)
}

/// Everything that a score's thread needs.
pub(crate) struct ScoreStart {
    pub(crate) pre: InstancePre<Host>,
    pub(crate) body: Arc<GuestBody>,
    pub(crate) terms: Terms,
    pub(crate) report: Arc<GuestReport>,
    pub(crate) items: Producer<ItemWords>,
    pub(crate) clock: ScoreClock,
    pub(crate) wasi: Option<WasiAccess>,
}

/// Instantiates a score, and starts its thread: it waits there until its lane is open.
///
/// # Errors
/// [`Failure`]: it broke before it began, or there is no thread for it.
pub(crate) fn start(start: ScoreStart) -> Result<Consumer<LogLine>, Failure> {
    let ScoreStart {
        pre,
        body,
        terms,
        report,
        items,
        clock,
        wasi,
    } = start;
    let sink = Sink::Ring(items);
    let (mut store, lines) = store(pre.engine(), &body, &terms, CallPhase::Score, sink);
    let host = store.data_mut();
    host.clock = Some(clock.clone());
    host.cancel = Some(Arc::clone(&report));
    if let (Some(access), Log::Shared(paper)) = (&wasi, &host.lines) {
        let wasi = Wasi::new(access, paper, &body).map_err(failure)?;
        host.wasi = Some(wasi);
    }
    // One call may hand over a whole choreography.
    store.set_hostcall_fuel(16 << 20);
    store.set_fuel(SCORE_FUEL).map_err(failure)?;
    store.set_epoch_deadline(1);
    let cancel = Arc::clone(&report);
    store.epoch_deadline_callback(move |_| {
        if cancel.cancel.load(Ordering::Relaxed) {
            return Err(wasmtime::Error::msg(STOPPED));
        }
        Ok(UpdateDeadline::Continue(1))
    });
    report.set_life(GuestLife::Armed);
    let there = Arc::clone(&report);
    let run = move || {
        while !clock.has_begun() && !report.cancel.load(Ordering::Relaxed) {
            std::thread::sleep(POLL_INTERVAL);
        }
        if !report.cancel.load(Ordering::Relaxed) {
            // It hears what happens from here on, not what was said while it waited.
            store.data_mut().seen = body.bus.heard();
            let played = pre
                .instantiate(&mut store)
                .and_then(|it| it.get_typed_func::<(), ()>(&mut store, crate::load::contract::RUN))
                .and_then(|run| run.call(&mut store, ()));
            let used = SCORE_FUEL.saturating_sub(store.get_fuel().unwrap_or(0));
            report.used(Hook::Start, used, body.window.turn());
            if let Err(error) = played
                && !report.cancel.load(Ordering::Relaxed)
                && !is_goodbye(&error)
            {
                let told = failure(error);
                report.set_end(told.end);
                report.explain(&told.why);
            }
        }
        if let Some(wasi) = &mut store.data_mut().wasi {
            wasi.end_printing();
        }
        // With the store goes its end of the ring: the loop sees that it has ended. In this order, so
        // that a loop that waits for it finds everything it has sent.
        drop(store);
        clock.end();
        report.set_end(End::Finished);
        report.has_thread.store(false, Ordering::Relaxed);
    };
    let thread = std::thread::Builder::new().name("score".to_owned());
    there.has_thread.store(true, Ordering::Relaxed);
    thread.spawn(run).map_err(|error| {
        there.has_thread.store(false, Ordering::Relaxed);
        Failure {
            end: End::Stopped,
            why: format!("there is no thread for it: {error}"),
        }
    })?;
    Ok(lines)
}
