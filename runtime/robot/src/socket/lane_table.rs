//! The names of clients' own lanes.
//! Owned by the request handler; `client_lanes` fills it. A name means one lane at a time.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cycle::{ActuatorId, LaneId};

/// The lanes that clients have opened, by name.
#[derive(Debug, Default)]
pub(super) struct ClientLanes {
    named: Mutex<BTreeMap<String, NamedLane>>,
    /// Held while a lane is opened, so that two do not get one name.
    opening: Mutex<()>,
}

/// A lane that a client has opened.
#[derive(Clone, Debug)]
pub(super) struct NamedLane {
    pub(super) id: LaneId,
    /// The actuators that it may drive; all if nothing.
    pub(super) joints: Option<Vec<ActuatorId>>,
}

impl ClientLanes {
    /// The next lane is opened when this is dropped.
    pub(super) fn opening(&self) -> MutexGuard<'_, ()> {
        self.opening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets a lane that has gone, unless its name is another's now.
    pub(super) fn forget(&self, name: &str, id: LaneId) {
        let mut named = self.open();
        if named.get(name).is_some_and(|value| value.id == id) {
            named.remove(name);
        }
    }

    /// Opens the table. Nobody waits for the loop with it.
    pub(super) fn open(&self) -> MutexGuard<'_, BTreeMap<String, NamedLane>> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
