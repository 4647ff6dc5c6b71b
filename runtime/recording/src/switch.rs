//! The switch of a robot's own recordings: whether a run is recorded, and how that stands.
//! Set by requests, on their threads; followed by the recorder's thread; looked at by the loop, each turn.
//! The loop reads one atomic. Nobody who asks waits for the disk.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::RecordingStatus;
use robot::socket::RecordingControl;

/// What the switch and the recorder share.
#[derive(Debug)]
pub(super) struct SwitchState {
    /// Whether the loop sends its turns.
    wanted: Arc<AtomicBool>,
    /// Whether there is a single file besides, which wants every turn.
    always: bool,
    status: Mutex<RecordingStatus>,
    /// Whether it waits for the disk, after a failure.
    waits: AtomicBool,
    bytes: Arc<AtomicU64>,
}

/// Switches the recording in the robot's folder on and off.
#[derive(Clone, Debug)]
pub struct RecordingSwitch(pub(super) Arc<SwitchState>);

impl SwitchState {
    pub(super) fn new(on: bool, always: bool) -> SwitchState {
        SwitchState {
            wanted: Arc::new(AtomicBool::new(on || always)),
            always,
            status: Mutex::new(RecordingStatus {
                on,
                ..RecordingStatus::default()
            }),
            waits: AtomicBool::new(false),
            bytes: Arc::default(),
        }
    }

    /// What the loop looks at.
    pub(super) fn wanted(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.wanted)
    }

    /// The bytes of the file that is written.
    pub(super) fn bytes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes)
    }

    /// Whether the folder is written.
    pub(super) fn is_on(&self) -> bool {
        self.status().on && !self.waits.load(Ordering::Acquire)
    }

    /// Whether it would be written, if the disk would.
    pub(super) fn waits(&self) -> bool {
        self.status().on && self.waits.load(Ordering::Acquire)
    }

    /// Says which file is written.
    pub(super) fn opened(&self, name: Option<String>) {
        self.status().open = name;
    }

    /// Says what is wrong; no turn is sent until it is tried again. Whether that was known already.
    pub(super) fn failed(&self, why: String) -> bool {
        let mut status = self.status();
        let is_known = status.error.as_ref() == Some(&why);
        (status.open, status.error) = (None, Some(why));
        self.waits.store(true, Ordering::Release);
        self.wanted.store(self.always, Ordering::Release);
        is_known
    }

    /// Tries it again. What was wrong stays told until something was written.
    pub(super) fn try_again(&self) {
        self.waits.store(false, Ordering::Release);
        self.wanted.store(true, Ordering::Release);
    }

    /// Something was written. Whether it had failed before.
    pub(super) fn works(&self) -> bool {
        self.status().error.take().is_some()
    }

    fn status(&self) -> MutexGuard<'_, RecordingStatus> {
        // Each change is one assignment.
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RecordingControl for RecordingSwitch {
    fn status(&self) -> RecordingStatus {
        let mut status = self.0.status().clone();
        if status.open.is_some() {
            status.bytes = self.0.bytes.load(Ordering::Acquire);
        }
        status
    }

    fn record(&self, on: bool) {
        let mut status = self.0.status();
        (status.on, status.error) = (on, None);
        self.0.waits.store(false, Ordering::Release);
        self.0.wanted.store(on || self.0.always, Ordering::Release);
    }
}
