//! The thread of one chip: it counts the edges of the chip's inputs, notices when the chip is unplugged, and opens it
//! again when it is back.
//! The chip's bank starts it. It hands the outputs to the turn and the triggers to the pulses.
//! The turn never waits for it, whatever the chip does. A chip that came back is treated as a new one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::Duration;

use cycle::Instant;
use gpiocdev::Request;
use gpiocdev::line::EdgeKind;
use rtrb::{Consumer, Producer};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::edge_counter::{EdgeCounter, Sequence};
use super::errors::{fault, number};
use super::hold::Hold;
use super::line_state::LineState;
use super::outputs::Outputs;
use super::polled::{EVERY, Polled};
use super::pulse::Triggers;
use super::settings::{LineRole, WantedLine};
use crate::bus::BusFault;

/// The time between two attempts to open a chip that is gone.
const AGAIN: Duration = Duration::from_millis(200);

/// How often a silent chip is checked: kernels before 6.6 do not wake a thread that waits for a chip that is gone.
const POLL_INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// The same for a chip whose inputs are polled.
const OFTEN: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: EVERY.as_nanos() as i64,
};

/// Edges that are read at once.
const EDGES: usize = 32;

/// The state of the thread.
#[derive(Debug)]
pub(super) struct ChipWorker {
    /// The lines of the chip.
    pub(super) wanted: Vec<WantedLine>,
    /// The chip on which names are looked up.
    pub(super) chip: Option<String>,
    pub(super) shared: Arc<LineState>,
    /// Whether the chip is present.
    pub(super) there: Arc<AtomicBool>,
    /// Outputs for the turn.
    pub(super) fresh: Producer<Outputs>,
    /// Outputs that the turn returns, because the turn must not free memory.
    pub(super) worn: Consumer<Outputs>,
    pub(super) triggers: Triggers,
    /// The inputs in the order of the settings, each with its number.
    pub(super) counters: Vec<(usize, EdgeCounter)>,
}

/// The thread.
#[derive(Debug)]
pub(super) struct ChipThread {
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    waker: Thread,
}

impl ChipWorker {
    /// The inputs among these lines.
    pub(super) fn counters(wanted: &[WantedLine]) -> Vec<(usize, EdgeCounter)> {
        let counter = |line: &WantedLine| match line.role {
            LineRole::Input { number, reads, .. } => Some((number, EdgeCounter::new(reads))),
            LineRole::Output(_) | LineRole::Trigger(_) => None,
        };
        wanted.iter().filter_map(counter).collect()
    }

    /// Hands the opened lines to the turn and the pulses. Without an error, the chip is present.
    pub(super) fn serve(&mut self, hold: &mut Hold, first: bool) -> Result<(), BusFault> {
        for ((number, counter), active) in self.counters.iter_mut().zip(hold.levels()?) {
            if first {
                counter.begin(active);
            } else {
                counter.again(active);
            }
            self.shared.store(*number, counter);
        }
        if let Some((request, lines)) = &hold.outputs {
            let outputs = Outputs::new(Arc::clone(request), lines.clone());
            // Without room, the turn has not taken the last outputs yet: try again later.
            let pushed = self.fresh.push(outputs);
            pushed.map_err(|_| BusFault::Busy)?;
        }
        let mut triggers = self.triggers.lock().unwrap_or_else(PoisonError::into_inner);
        *triggers = hold.triggers.take();
        self.there.store(true, Ordering::Release);
        Ok(())
    }

    /// Reads the chip's inputs until the chip is gone or the device is closed.
    fn listen(&mut self, hold: &Hold, closing: &AtomicBool) {
        let (mut sequence, inputs) = (Sequence::default(), hold.inputs.as_ref());
        let inputs_of = inputs.map(|(request, _)| request);
        let outputs_of = hold.outputs.as_ref().map(|(request, _)| &**request);
        let all = inputs_of.into_iter().chain(outputs_of);
        let mut waits: Vec<PollFd<'_>> =
            all.map(|value| PollFd::new(value, PollFlags::IN)).collect();
        let Ok(levels) = hold.levels() else { return };
        let mut polled = hold.polled.then(|| Polled::new(&self.wanted, &levels));
        let wait = if hold.polled { OFTEN } else { POLL_INTERVAL };
        while !closing.load(Ordering::Acquire) {
            match poll(&mut waits, Some(&wait)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return,
            }
            let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
            if waits.iter().any(|wait| wait.revents().intersects(gone)) {
                return;
            }
            let heard = match inputs {
                Some(_) if let Some(polled) = &mut polled => self.poll(hold, polled),
                Some((request, offsets)) => self.read_events(hold, request, offsets, &mut sequence),
                None => Ok(()),
            };
            if heard.is_err() {
                return;
            }
        }
    }

    /// Polls inputs without edges.
    fn poll(&mut self, hold: &Hold, polled: &mut Polled) -> Result<(), BusFault> {
        let levels = hold.levels()?;
        for (place, active) in polled.look(&levels) {
            let Some((number, counter)) = self.counters.get_mut(place) else {
                continue;
            };
            // The instant does not matter, because such inputs read no echo.
            counter.edge(active, Instant::ZERO);
            self.shared.store(*number, counter);
        }
        Ok(())
    }

    /// Reads all waiting edges.
    fn read_events(
        &mut self,
        hold: &Hold,
        request: &Request,
        offsets: &[u32],
        sequence: &mut Sequence,
    ) -> Result<(), BusFault> {
        let mut lost = 0;
        let mut edges = request.new_edge_event_buffer(EDGES);
        loop {
            let edge = match edges.has_event() {
                Ok(false) => break,
                Ok(true) => edges.read_event(),
                Err(error) => Err(error),
            };
            let edge = match edge {
                Ok(edge) => edge,
                // A signal interrupted the call; the chip is not the cause.
                Err(error) if number(&error) == Errno::INTR.raw_os_error() => continue,
                Err(error) => return Err(fault(&error)),
            };
            lost += sequence.next(edge.seqno);
            let place = offsets.iter().position(|offset| *offset == edge.offset);
            let Some((number, counter)) = place.and_then(|place| self.counters.get_mut(place))
            else {
                continue;
            };
            if let Some(trigger) = counter.trigger() {
                counter.fired(self.shared.fired(trigger));
            }
            let at = Instant::from_nanos(edge.timestamp_ns);
            counter.edge(edge.kind == EdgeKind::Rising, at);
            self.shared.store(*number, counter);
        }
        if lost > 0 {
            self.shared.lose(lost);
            for ((number, counter), active) in self.counters.iter_mut().zip(hold.levels()?) {
                counter.again(active);
                self.shared.store(*number, counter);
            }
        }
        Ok(())
    }

    /// Runs the thread, beginning with the lines that are open already.
    fn run(mut self, first: Hold, closing: &AtomicBool) {
        let mut held = Some(first);
        while !closing.load(Ordering::Acquire) {
            if let Some(hold) = held.take() {
                self.listen(&hold, closing);
                self.there.store(false, Ordering::Release);
                let mut triggers = self.triggers.lock().unwrap_or_else(PoisonError::into_inner);
                *triggers = None;
                continue;
            }
            while self.worn.pop().is_ok() {}
            let opened = Hold::open(&self.wanted, self.chip.as_deref());
            if let Ok(mut hold) = opened
                && self.serve(&mut hold, false).is_ok()
            {
                held = Some(hold);
            } else {
                std::thread::park_timeout(AGAIN);
            }
        }
    }
}

impl ChipThread {
    /// Starts the thread with the lines that are open already.
    pub(super) fn start(keep: ChipWorker, first: Hold) -> std::io::Result<ChipThread> {
        let closing = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&closing);
        let thread = std::thread::Builder::new().name("lines".to_owned());
        let thread = thread.spawn(move || keep.run(first, &closed))?;
        Ok(ChipThread {
            closing,
            waker: thread.thread().clone(),
            thread: Some(thread),
        })
    }
}

impl Drop for ChipThread {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Release);
        self.waker.unpark();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed already.
            let _ = thread.join();
        }
    }
}
