//! The pulses of one chip's triggers: a thread of its own raises each for 10 us when the turn asks for it.
//! The chip's bank starts it; the chip thread gives it the lines, and takes them away when they are gone.
//! The turn only sets a flag and wakes the thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use gpiocdev::Request;
use gpiocdev::line::Value;

use super::line_state::LineState;

/// The shortest pulse that an ultrasound sensor accepts.
const WIDTH: Duration = Duration::from_micros(10);

/// The lines of the triggers, in the order of `due`; `None` while the chip is gone. The turn never takes this lock.
pub(super) type Triggers = Arc<Mutex<Option<(Request, Vec<u32>)>>>;

/// The thread that raises the triggers of one chip.
#[derive(Debug)]
pub(super) struct Pulse {
    due: Arc<[AtomicBool]>,
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    waker: Thread,
}

impl Pulse {
    /// Starts the thread for the triggers of these numbers.
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
                // An earlier wake-up is not lost: then this returns at once.
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

    /// Requests a pulse of the trigger at this index. The turn calls it.
    pub(super) fn fire(&self, place: usize) {
        if let Some(due) = self.due.get(place) {
            due.store(true, Ordering::Release);
            self.waker.unpark();
        }
    }
}

fn pulse(request: &Request, offset: u32) {
    // Ignore errors: the chip's thread notices a chip that is gone.
    let raised = request.set_value(offset, Value::Active);
    let since = Instant::now();
    // The pulse is too short for a sleep.
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
            // A panic of the thread has been printed already.
            let _ = thread.join();
        }
    }
}
