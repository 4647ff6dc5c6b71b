//! What was tried and kept of a robot's preferences and calibrations since its loop began.
//! Owned by the request handler; `preferences` and `calibrate` write it. The law: whoever changes something keeps the
//! book open until that is done.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ::socket::RequestError;
use cycle::ActuatorId;
use description::RobotSource;

/// What was tried and kept since the loop began.
#[derive(Debug, Default)]
pub(super) struct PreferenceBook {
    state: Mutex<BookState>,
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

#[derive(Debug)]
pub(super) struct BeforeKeeping {
    pub(super) text: Option<String>,
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
        }
    }

    /// Opens the book: whoever changes something keeps it open until that is done.
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
            RequestError::new("not-here", "this loop was not started from a description")
                .fix("start the robot by `dcm-run run` or `dcm-run serve`")
        })
    }

    /// The actuators whose zero was moved and not kept.
    pub(super) fn moved_zeros(&self) -> Vec<ActuatorId> {
        let all = self.moved.iter().zip(&self.kept).enumerate();
        let moved = all.filter(|(_, (moved, kept))| moved != kept);
        moved.map(|(place, _)| ActuatorId(place as u16)).collect()
    }
}
