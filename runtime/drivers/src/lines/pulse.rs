//! The pulses of one chip's triggers: a thread of its own raises each for 10 us when the turn asks for it.
//! The chip's bank starts it; the chip thread gives it the lines, and takes them away when they are gone.
//! The law: the turn sets a flag and wakes the thread, and does no more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use gpiocdev::Request;
use gpiocdev::line::Value;

use super::line_state::LineState;

/// What an ultrasound sensor wants to see of its trigger, at least.
const WIDTH: Duration = Duration::from_micros(10);

/// The lines of the triggers, in the order of `due`; none while the chip is gone. No lock of the turn.
pub(super) type Triggers = Arc<Mutex<Option<(Request, Vec<u32>)>>>;

/// Those who raise the triggers of one chip.
#[derive(Debug)]
pub(super) struct Pulse {
    due: Arc<[AtomicBool]>,
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    waker: Thread,
}

impl Pulse {
    /// Starts the thread for triggers of these numbers.
    pub(super) fn start(
        numbers: Vec<usize>,
        lines: Triggers,
        shared: Arc<LineState>,
    ) -> std::io::Result<Pulse> {
        let due: Arc<[AtomicBool]> = numbers.iter().map(|_| AtomicBool::new(false)).collect();
        let closing = Arc::new(AtomicBool::new(false));
        let (wanted, closed) = (Arc::clone(&due), Arc::clone(&closing));
        let raise = move || {
            while !closed.load(Ordering::Acquire) {
                let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                for (place, number) in numbers.iter().enumerate() {
                    if wanted[place].swap(false, Ordering::AcqRel)
                        && let Some((request, offsets)) = &*lines
                    {
                        shared.fire(*number);
                        pulse(request, offsets[place]);
                    }
                }
                drop(lines);
                // A wake-up from before is not lost: this returns at once then.
                std::thread::park();
            }
        };
        let thread = std::thread::Builder::new().name("pulse".to_owned());
        let thread = thread.spawn(raise)?;
        Ok(Pulse {
            due,
            closing,
            waker: thread.thread().clone(),
            thread: Some(thread),
        })
    }

    /// Raises the trigger in this place. Called in the turn.
    pub(super) fn fire(&self, place: usize) {
        if let Some(due) = self.due.get(place) {
            due.store(true, Ordering::Release);
            self.waker.unpark();
        }
    }
}

fn pulse(request: &Request, offset: u32) {
    // Were the chip gone, its thread knows already.
    let raised = request.set_value(offset, Value::Active);
    let since = Instant::now();
    // Too short to sleep.
    while raised.is_ok() && since.elapsed() < WIDTH {
        std::hint::spin_loop();
    }
    let _ = request.set_value(offset, Value::Inactive);
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Release);
        self.waker.unpark();
        if let Some(thread) = self.thread.take() {
            // Were there a panic in it, it has been printed already.
            let _ = thread.join();
        }
    }
}
