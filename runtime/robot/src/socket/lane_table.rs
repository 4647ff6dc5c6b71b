//! The names of clients' own lanes.
//! Owned by the request handler; `client_lanes` fills it. The law: a name means one lane at a time.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cycle::{ActuatorId, LaneId};

/// The lanes that clients have opened, by name.
#[derive(Debug, Default)]
pub(super) struct ClientLanes(Mutex<BTreeMap<String, NamedLane>>);

/// A lane that a client has opened.
#[derive(Clone, Debug)]
pub(super) struct NamedLane {
    pub(super) id: LaneId,
    /// The actuators that it may drive; all if nothing.
    pub(super) joints: Option<Vec<ActuatorId>>,
}

impl ClientLanes {
    /// Opens the table: whoever changes something keeps it open until that is done.
    pub(super) fn open(&self) -> MutexGuard<'_, BTreeMap<String, NamedLane>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
