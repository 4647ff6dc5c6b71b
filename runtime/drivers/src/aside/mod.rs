//! Runs each slow part on a thread of its own, at its own rate. The turn hands over outputs and takes the last inputs.
//!
//! The rack mounts it as any other device. The parts themselves are in `parts`; a `seqlock` in each direction connects
//! the two threads.
//! The turn does not wait, allocate or make a system call here, whatever the part does. Inputs older than the
//! timeout are a fault.

mod seqlock;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use cycle::{Answer, Incoming, Outgoing};

use crate::faults::{Fault, Faults};
use crate::rack::Device;
use seqlock::SeqLock;

/// Attempts of the turn to read inputs while the part's thread writes them. After that it uses the previous ones.
const TRIES: usize = 4;

/// Words before the outputs: the turn, and whether the motors are powered.
const DOWN: usize = 2;

/// Words before the inputs: the turn that the part took last, when, and the fault since then.
const UP: usize = 3;

/// A part that runs on a thread of its own.
pub trait PartDevice: Send + fmt::Debug + 'static {
    /// Applies `outputs` and reads `inputs`, in counts. The value of an output that nobody drives is NaN. Lights may
    /// stay on while `powered` is false; motors must exert no force.
    ///
    /// # Errors
    /// A [`Fault`]; the contents of `inputs` are then unspecified.
    fn run(&mut self, outputs: &[f64], powered: bool, inputs: &mut [f64]) -> Result<(), Fault>;
}

/// A part's channels by the description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartChannels {
    /// The actuator of each output; `None` for one that nobody drives.
    pub outputs: Vec<Option<usize>>,
    /// The sensor of each input; `None` for one that nobody reads.
    pub inputs: Vec<Option<usize>>,
}

/// How often a part runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartTiming {
    /// The time from one run to the next.
    pub period: Duration,
    /// For how many periods a reading is valid: 2 at least, because one passes anyway.
    pub timeout_periods: u32,
}

/// A part on a thread of its own.
#[derive(Debug)]
pub struct Aside {
    shared: Arc<SharedPartState>,
    places: PartChannels,
    timeout: Duration,
    /// The last reading, and a buffer for the next.
    known: Vec<u64>,
    fresh: Vec<u64>,
    faults: Faults,
    waker: Thread,
    thread: Option<JoinHandle<()>>,
}

/// The data that both threads share.
#[derive(Debug)]
struct SharedPartState {
    began: Instant,
    down: SeqLock,
    up: SeqLock,
    closing: AtomicBool,
}

impl Aside {
    /// Starts the thread, which runs the part from the first exchange until this is dropped.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(
        part: impl PartDevice,
        places: PartChannels,
        timing: PartTiming,
    ) -> std::io::Result<Aside> {
        let (outputs, inputs) = (places.outputs.len(), places.inputs.len());
        let shared = Arc::new(SharedPartState {
            began: Instant::now(),
            down: SeqLock::new(DOWN + outputs),
            up: SeqLock::new(UP + inputs),
            closing: AtomicBool::new(false),
        });
        let there = Arc::clone(&shared);
        let worker = PartWorker {
            part,
            words: vec![0; DOWN + outputs],
            outputs: vec![f64::NAN; outputs],
            inputs: vec![0.0; inputs],
            good: vec![0.0; inputs],
            state: [0; UP],
        };
        let thread = std::thread::Builder::new()
            .name("aside".to_owned())
            .spawn(move || worker.run(&there, timing.period))?;
        Ok(Aside {
            shared,
            timeout: timing.period.saturating_mul(timing.timeout_periods),
            known: vec![0; UP + inputs],
            fresh: vec![0; UP + inputs],
            places,
            faults: Faults::default(),
            waker: thread.thread().clone(),
            thread: Some(thread),
        })
    }

    /// The turn that the part took last, if its reading is still valid.
    fn judge(&self) -> Result<u64, Fault> {
        let [taken, at, error] = [self.known[0], self.known[1], self.known[2]];
        let age = self.shared.nanos().saturating_sub(at);
        if at != 0 && u128::from(age) <= self.timeout.as_nanos() {
            return Ok(taken);
        }
        let fault = u16::try_from(error).ok().and_then(Fault::of_error);
        Err(fault.unwrap_or(Fault::Stale))
    }
}

impl Device for Aside {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) -> Answer {
        let counts = |place: &Option<usize>| {
            let target = place.and_then(|place| out.targets.get(place));
            target.map_or(f64::NAN, |target| target.counts).to_bits()
        };
        let head = [out.turn, u64::from(out.powered)].into_iter();
        let outputs = self.places.outputs.iter().map(counts);
        self.shared.down.write(head.chain(outputs));
        if (0..TRIES).any(|_| self.shared.up.read(&mut self.fresh)) {
            std::mem::swap(&mut self.known, &mut self.fresh);
        }
        match self.judge() {
            Ok(acknowledged) => {
                let read = self.places.inputs.iter().zip(&self.known[UP..]);
                for (place, bits) in read {
                    if let Some(counts) = place.and_then(|place| back.counts.get_mut(place)) {
                        *counts = f64::from_bits(*bits);
                    }
                }
                self.faults.good += 1;
                Answer {
                    answered: true,
                    acknowledged,
                    error: 0,
                }
            }
            Err(fault) => {
                self.faults.count(fault);
                Answer {
                    error: fault.error(),
                    ..Answer::default()
                }
            }
        }
    }

    fn faults(&self) -> Faults {
        self.faults
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Release);
        self.waker.unpark();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed already.
            let _ = thread.join();
        }
    }
}

impl SharedPartState {
    /// Now; never 0.
    fn nanos(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64 + 1
    }
}

/// The part, and the state of its thread.
#[derive(Debug)]
struct PartWorker<P> {
    part: P,
    words: Vec<u64>,
    outputs: Vec<f64>,
    /// The present reading, and the last good one.
    inputs: Vec<f64>,
    good: Vec<f64>,
    /// The turn that the part took last, when, and the error since then; 0 for none.
    state: [u64; UP],
}

impl<P: PartDevice> PartWorker<P> {
    fn run(mut self, shared: &SharedPartState, period: Duration) {
        let mut next = Instant::now();
        while !shared.closing.load(Ordering::Acquire) {
            let left = next.saturating_duration_since(Instant::now());
            if !left.is_zero() {
                std::thread::park_timeout(left);
            } else {
                self.once(shared);
                // After a delay the schedule starts again, without catching up.
                next = (next + period).max(Instant::now());
            }
        }
    }

    /// Runs the part once. Before the first turn it does nothing.
    fn once(&mut self, shared: &SharedPartState) {
        if !shared.down.is_written() {
            return;
        }
        while !shared.down.read(&mut self.words) {
            std::thread::yield_now();
        }
        let bits = self.words[DOWN..].iter();
        for (output, bits) in self.outputs.iter_mut().zip(bits) {
            *output = f64::from_bits(*bits);
        }
        // A reading is as old as the start of the read.
        let at = shared.nanos();
        match self
            .part
            .run(&self.outputs, self.words[1] != 0, &mut self.inputs)
        {
            Ok(()) => {
                self.good.copy_from_slice(&self.inputs);
                self.state = [self.words[0], at, 0];
            }
            Err(fault) => self.state[2] = u64::from(fault.error()),
        }
        let inputs = self.good.iter().map(|value| value.to_bits());
        shared.up.write(self.state.into_iter().chain(inputs));
    }
}
