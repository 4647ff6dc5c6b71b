//! Scores: guests that are one long `run`, on a thread of their own beside the loop.
//! Started by the director; each waits on its thread until the loop has opened its lane.
//! The law: a score that is late, slow or stuck delays nobody. What it sends is taken in its order,
//! and what comes too late is taken all the same, and counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cycle::Instant;
use rtrb::{Consumer, Producer};
use wasmtime::component::InstancePre;
use wasmtime::{StoreContextMut, UpdateDeadline};

use crate::guest::Terms;
use crate::hooks::{Failure, failure, store};
use crate::host::{Host, Line, Phase, Sink};
use crate::printing::Log;
use crate::report::{End, Hook, Life, Report};
use crate::scene::Scene;
use crate::tray::Words;
use crate::wasi::{Access, Wasi};

/// Items that a score may send ahead of the loop: commands beyond the room of its lane.
pub(crate) const AHEAD: usize = 1 << 16;

/// Fuel that a score has from one sleep to the next: some seconds.
pub(crate) const FUEL: u64 = 20_000_000_000;

/// How often a sleeping score looks at the robot's clock.
const POLL_INTERVAL: Duration = Duration::from_micros(500);

/// It has not begun.
const NOT_YET: u64 = u64::MAX;
/// It thinks.
const THINKS: u64 = u64::MAX - 1;
/// It has ended.
const OVER: u64 = u64::MAX - 2;
/// Later than any instant that it could sleep until.
const LATEST: u64 = u64::MAX - 3;

/// Whether a score thinks, or sleeps and until when, and its own time; shared with the loop.
#[derive(Clone, Debug)]
pub(crate) struct Nap(Arc<NapState>);

#[derive(Debug)]
struct NapState {
    /// An instant, or one of the words above.
    until: AtomicU64,
    /// The last turn's instant in the time of its lane, which stands while the body is held.
    now: AtomicU64,
}

impl Nap {
    pub(crate) fn new() -> Nap {
        Nap::saying(NOT_YET)
    }

    /// Of a score that is not run: nobody ever waits for it.
    pub(crate) fn none() -> Nap {
        Nap::saying(OVER)
    }

    fn saying(word: u64) -> Nap {
        Nap(Arc::new(NapState {
            until: AtomicU64::new(word),
            now: AtomicU64::new(0),
        }))
    }

    /// A turn has been made, at this instant of the lane's time.
    pub(crate) fn turn_to(&self, now: Instant) {
        self.0.now.store(now.nanos(), Ordering::Release);
    }

    /// The last turn's instant.
    pub(crate) fn now(&self) -> Instant {
        Instant::from_nanos(self.0.now.load(Ordering::Acquire))
    }

    /// It comes in: from here on it thinks until it sleeps.
    pub(crate) fn begin(&self) {
        let begun = (NOT_YET, THINKS);
        // It may have ended already: then it stays so.
        let order = (Ordering::AcqRel, Ordering::Acquire);
        let _ = self
            .0
            .until
            .compare_exchange(begun.0, begun.1, order.0, order.1);
    }

    fn has_begun(&self) -> bool {
        self.0.until.load(Ordering::Acquire) != NOT_YET
    }

    fn say(&self, word: u64) {
        self.0.until.store(word, Ordering::Release);
    }

    /// Whether it has something to say before the next turn.
    pub(crate) fn is_thinking(&self) -> bool {
        match self.0.until.load(Ordering::Acquire) {
            NOT_YET | OVER => false,
            THINKS => true,
            until => until <= self.now().nanos(),
        }
    }
}

/// Sleeps until the instant has come, or the score shall end.
pub(crate) fn sleep_until(cx: &mut StoreContextMut<'_, Host>, at: u64) -> wasmtime::Result<()> {
    let host = cx.data();
    let Some(nap) = host.nap.clone() else {
        return Ok(());
    };
    let scene = Arc::clone(&host.scene);
    let cancelled = || host.report_cancelled();
    let before = nap.now();
    nap.say(at.min(LATEST));
    while nap.now().nanos() < at && !cancelled() {
        std::thread::sleep(POLL_INTERVAL);
    }
    let ended = cancelled();
    nap.say(THINKS);
    if ended {
        return Err(wasmtime::Error::msg(STOPPED));
    }
    // Fuel is for the time from one instant to the next: who never sleeps gets no more.
    if nap.now() > before {
        let used = FUEL.saturating_sub(cx.get_fuel()?);
        if let Some(report) = &cx.data().cancel {
            report.used(Hook::Start, used, scene.window.turn());
        }
        cx.set_fuel(FUEL)?;
    }
    Ok(())
}

/// Whether a program has ended itself in peace, as WASI's programs do.
fn is_goodbye(error: &wasmtime::Error) -> bool {
    let exit = error.downcast_ref::<wasmtime_wasi::I32Exit>();
    exit.is_some_and(|it| it.0 == 0)
}

/// What a score's own sleep tells it when it is stopped.
const STOPPED: &str = "it was stopped";

/// Everything that a score's thread needs.
pub(crate) struct Start {
    pub(crate) pre: InstancePre<Host>,
    pub(crate) scene: Arc<Scene>,
    pub(crate) terms: Terms,
    pub(crate) report: Arc<Report>,
    pub(crate) items: Producer<Words>,
    pub(crate) nap: Nap,
    pub(crate) wasi: Option<Access>,
}

/// Instantiates a score, and starts its thread: it waits there until its lane is open.
///
/// # Errors
/// [`Failure`]: it broke before it began, or there is no thread for it.
pub(crate) fn start(start: Start) -> Result<Consumer<Line>, Failure> {
    let Start {
        pre,
        scene,
        terms,
        report,
        items,
        nap,
        wasi,
    } = start;
    let sink = Sink::Ring(items);
    let (mut store, lines) = store(pre.engine(), &scene, &terms, Phase::Score, sink);
    let host = store.data_mut();
    host.nap = Some(nap.clone());
    host.cancel = Some(Arc::clone(&report));
    if let (Some(access), Log::Shared(paper)) = (&wasi, &host.lines) {
        let wasi = Wasi::new(access, paper, &scene).map_err(failure)?;
        host.wasi = Some(wasi);
    }
    // One call may hand over a whole choreography.
    store.set_hostcall_fuel(16 << 20);
    store.set_fuel(FUEL).map_err(failure)?;
    store.set_epoch_deadline(1);
    let cancel = Arc::clone(&report);
    store.epoch_deadline_callback(move |_| {
        if cancel.cancel.load(Ordering::Relaxed) {
            return Err(wasmtime::Error::msg(STOPPED));
        }
        Ok(UpdateDeadline::Continue(1))
    });
    report.become_(Life::Armed);
    let there = Arc::clone(&report);
    let run = move || {
        while !nap.has_begun() && !report.cancel.load(Ordering::Relaxed) {
            std::thread::sleep(POLL_INTERVAL);
        }
        if !report.cancel.load(Ordering::Relaxed) {
            // It hears what happens from here on, not what was said while it waited.
            store.data_mut().seen = scene.bus.heard();
            let played = pre
                .instantiate(&mut store)
                .and_then(|it| it.get_typed_func::<(), ()>(&mut store, crate::contract::RUN))
                .and_then(|run| run.call(&mut store, ()));
            let used = FUEL.saturating_sub(store.get_fuel().unwrap_or(0));
            report.used(Hook::Start, used, scene.window.turn());
            if let Err(error) = played
                && !report.cancel.load(Ordering::Relaxed)
                && !is_goodbye(&error)
            {
                let told = failure(error);
                report.end_by(told.end);
                report.explain(&told.why);
            }
        }
        if let Some(wasi) = &mut store.data_mut().wasi {
            wasi.end_printing();
        }
        // With the store goes its end of the ring: the loop sees that it has ended. In this order, so
        // that a loop that waits for it finds everything it has sent.
        drop(store);
        nap.say(OVER);
        report.end_by(End::Finished);
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
