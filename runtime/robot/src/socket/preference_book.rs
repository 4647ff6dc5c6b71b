//! What was tried and kept of a robot's preferences and calibrations since its loop began.
//! Owned by the request handler; `preferences` and `calibrate` write it. One change at a time, and whoever
//! only reads does not wait for it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ::protocol::{ErrorCode, RequestError};
use cycle::ActuatorId;
use description::RobotSource;

/// What was tried and kept since the loop began.
#[derive(Debug, Default)]
pub(super) struct PreferenceBook {
    state: Mutex<BookState>,
    /// Held while something is changed, also while the loop is asked and a file is written.
    changing: Mutex<()>,
}

#[derive(Debug, Default)]
pub(super) struct BookState {
    /// The description that the loop began with; nothing if it was none of a file.
    pub(super) source: Option<RobotSource>,
    /// How far the zero of each actuator was moved since the start.
    pub(super) moved: Vec<f64>,
    /// How much of that is in the local layer.
    pub(super) kept: Vec<f64>,
    /// The values that are tried.
    pub(super) tried: Vec<(String, String)>,
    /// What was there before each time that something was kept.
    pub(super) before: Vec<BeforeKeeping>,
}

#[derive(Clone, Debug)]
pub(super) struct BeforeKeeping {
    pub(super) text: Option<String>,
    /// What was written then.
    pub(super) written: Option<String>,
    pub(super) kept: Vec<f64>,
    pub(super) keys: Vec<String>,
}

impl PreferenceBook {
    /// The book of a robot with this many actuators.
    pub(super) fn of(actuators: usize) -> PreferenceBook {
        PreferenceBook {
            state: Mutex::new(BookState {
                moved: vec![0.0; actuators],
                kept: vec![0.0; actuators],
                ..BookState::default()
            }),
            changing: Mutex::default(),
        }
    }

    /// The next change begins when this is dropped.
    pub(super) fn change(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the book. Nobody waits for the loop or a disk with it.
    pub(super) fn open(&self) -> MutexGuard<'_, BookState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_source(&self, source: RobotSource) {
        self.open().source = Some(source);
    }
}

impl BookState {
    pub(super) fn source(&self) -> Result<&RobotSource, RequestError> {
        self.source.as_ref().ok_or_else(|| {
            ErrorCode::NotHere
                .error("this loop was not started from a description")
                .fix("start the robot by `dcm-run run` or `dcm-run serve`")
        })
    }

    /// The range that is tried under this key.
    pub(super) fn tried_range(&self, key: &str) -> Option<(f64, f64)> {
        let tried = self.tried.iter().find(|pair| pair.0 == key)?;
        let inside = tried.1.trim().strip_prefix('[')?.strip_suffix(']')?;
        let (low, high) = inside.split_once(',')?;
        Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
    }

    /// The actuators whose zero was moved and not kept.
    pub(super) fn moved_zeros(&self) -> Vec<ActuatorId> {
        let all = self.moved.iter().zip(&self.kept).enumerate();
        let moved = all.filter(|(_, (moved, kept))| moved != kept);
        moved.map(|(place, _)| ActuatorId(place as u16)).collect()
    }
}
