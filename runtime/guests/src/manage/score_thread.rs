//! Scores: guests that are one long `run`, on a thread of their own beside the loop.
//! Started by the manager; each waits on its thread until the loop has opened its lane.
//! A score that is late, slow or stuck delays nobody. The loop takes what it sends in its order; what comes
//! too late is taken all the same, and counted.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rtrb::Consumer;
use wasmtime::component::InstancePre;
use wasmtime::{Store, UpdateDeadline};

use crate::host::{CallPhase, Host, POLL_INTERVAL, SCORE_FUEL, STOPPED, ScoreClock, Sink};
use crate::host::{Wasi, WasiAccess};
use crate::load::contract::RUN;
use crate::shared::guest_body::GuestBody;
use crate::shared::log::Log;
use crate::shared::log_line::LogLine;
use crate::shared::report::{End, GuestLife, GuestReport, Hook};
use crate::shared::score_ring::ScoreSender;
use crate::shared::terms::Terms;
use crate::turn::hooks::{Failure, failure, store};

/// Items that a score may send ahead of the loop: commands beyond the room of its lane.
pub(crate) const AHEAD: usize = 1 << 16;

/// Whether a program has exited with status 0, as WASI's programs do.
fn is_clean_exit(error: &wasmtime::Error) -> bool {
    let exit = error.downcast_ref::<wasmtime_wasi::I32Exit>();
    exit.is_some_and(|exit| exit.0 == 0)
}

/// Everything that a score's thread needs.
pub(crate) struct ScoreStart {
    pub(crate) pre: InstancePre<Host>,
    pub(crate) body: Arc<GuestBody>,
    pub(crate) terms: Terms,
    pub(crate) report: Arc<GuestReport>,
    pub(crate) items: ScoreSender,
    pub(crate) clock: ScoreClock,
    pub(crate) wasi: Option<WasiAccess>,
}

/// Makes a score's store and starts its thread, which waits until the loop has opened its lane.
///
/// # Errors
/// [`Failure`]: its store could not be made, or there is no thread for it.
pub(crate) fn start(start: ScoreStart) -> Result<Consumer<LogLine>, Failure> {
    let (score, lines) = ScoreThread::new(start)?;
    let report = Arc::clone(&score.report);
    report.set_life(GuestLife::Armed);
    report.has_thread.store(true, Ordering::Relaxed);
    let thread = std::thread::Builder::new().name("score".to_owned());
    thread.spawn(|| score.live()).map_err(|error| {
        report.has_thread.store(false, Ordering::Relaxed);
        Failure {
            end: End::Stopped,
            why: format!("there is no thread for it: {error}"),
        }
    })?;
    Ok(lines)
}

/// Ends a score. Its `store` holds its end of the ring.
///
/// The order matters. When the store is dropped, the loop sees that the score has ended, and takes its end: so that is
/// set before. A loop in virtual time waits on the clock, and then finds everything that was sent: so the clock ends
/// after.
fn close<T>(store: T, report: &GuestReport, clock: &ScoreClock) {
    report.set_thread_end(End::Finished);
    drop(store);
    clock.end();
    report.has_thread.store(false, Ordering::Relaxed);
}

/// What runs on a score's thread.
struct ScoreThread {
    pre: InstancePre<Host>,
    body: Arc<GuestBody>,
    report: Arc<GuestReport>,
    clock: ScoreClock,
    store: Store<Host>,
}

impl ScoreThread {
    fn new(start: ScoreStart) -> Result<(ScoreThread, Consumer<LogLine>), Failure> {
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
        if let (Some(access), Log::Shared(queue)) = (&wasi, &host.lines) {
            let wasi = Wasi::new(access, queue, &body);
            let wasi = wasi.map_err(|error| failure(&mut store, &error))?;
            store.data_mut().wasi = Some(wasi);
        }
        // One call may hand over a whole choreography.
        store.set_hostcall_fuel(16 << 20);
        let filled = store.set_fuel(SCORE_FUEL);
        filled.map_err(|error| failure(&mut store, &error))?;
        store.set_epoch_deadline(1);
        let cancel = Arc::clone(&report);
        store.epoch_deadline_callback(move |_| {
            if cancel.cancel.load(Ordering::Relaxed) {
                return Err(wasmtime::Error::msg(STOPPED));
            }
            Ok(UpdateDeadline::Continue(1))
        });
        let score = ScoreThread {
            pre,
            body,
            report,
            clock,
            store,
        };
        Ok((score, lines))
    }

    /// Waits for its lane, runs, and ends.
    fn live(mut self) {
        while !self.clock.has_begun() && !self.is_cancelled() {
            std::thread::sleep(POLL_INTERVAL);
        }
        if !self.is_cancelled() {
            self.run();
        }
        self.store.data_mut().end_printing();
        close(self.store, &self.report, &self.clock);
    }

    /// Instantiates it and calls its `run`.
    fn run(&mut self) {
        let store = &mut self.store;
        // It receives the events that are posted from here on, not those posted while it waited.
        store.data_mut().seen = self.body.bus.heard();
        let played = self
            .pre
            .instantiate(&mut *store)
            .and_then(|instance| instance.get_typed_func::<(), ()>(&mut *store, RUN))
            .and_then(|run| run.call(&mut *store, ()));
        let used = SCORE_FUEL.saturating_sub(store.get_fuel().unwrap_or(0));
        let turn = self.body.window.turn();
        self.report.used(Hook::Start, used, turn);
        self.report.set_memory(store.data().limits.told());
        if let Err(error) = played
            && !self.is_cancelled()
            && !is_clean_exit(&error)
        {
            let failure = failure(&mut self.store, &error);
            self.report.set_thread_end(failure.end);
            self.report.explain(&failure.why);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.report.cancel.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the loop would see while the store is dropped.
    struct StoreProbe<'p> {
        report: &'p GuestReport,
        clock: &'p ScoreClock,
        seen: &'p mut Option<(End, End, bool)>,
    }

    impl Drop for StoreProbe<'_> {
        fn drop(&mut self) {
            let report = self.report;
            *self.seen = Some((report.thread_end(), report.end(), self.clock.is_thinking()));
        }
    }

    fn seen_at_the_drop(report: &GuestReport, clock: &ScoreClock) -> Option<(End, End, bool)> {
        let mut seen = None;
        let seen_by = &mut seen;
        let probe = StoreProbe {
            report,
            clock,
            seen: seen_by,
        };
        close(probe, report, clock);
        seen
    }

    #[test]
    fn a_loop_that_sees_the_end_of_the_ring_sees_why_the_score_ended() {
        let (report, clock) = (GuestReport::default(), ScoreClock::new());
        clock.begin();
        let seen = seen_at_the_drop(&report, &clock);
        // Why it ended is the loop's to say: nothing is reported before the loop has taken what was sent.
        assert_eq!(seen, Some((End::Finished, End::None, true)));
        assert!(!clock.is_thinking());
    }

    #[test]
    fn a_fault_stays_the_reason() {
        let (report, clock) = (GuestReport::default(), ScoreClock::new());
        clock.begin();
        report.set_thread_end(End::Trap);
        let seen = seen_at_the_drop(&report, &clock);
        assert_eq!(seen, Some((End::Trap, End::None, true)));
        assert_eq!(report.thread_end(), End::Trap);
    }
}
