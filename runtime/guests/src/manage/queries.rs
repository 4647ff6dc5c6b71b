//! What can be read of the guests of a manager.
//! Called for requests, for the view, and by whoever checks a show.
//! Nothing is changed here. A guest that is gone can be read for a while.

use std::sync::Arc;

use cycle::LaneId;

use crate::manage::grant::GuestError;
use crate::manage::manager::GuestManager;
use crate::manage::posted::PostedEvent;
use crate::manage::registry::{GuestLogLine, GuestRegistry, GuestStatus, RegistryEntry};
use crate::shared::report::GuestReport;
use crate::shared::terms::GuestId;

impl GuestManager {
    /// The guest of this name, or number.
    ///
    /// # Errors
    /// [`GuestError::NoGuest`].
    pub fn find(&self, name: &str) -> Result<GuestId, GuestError> {
        let registry = self.registry();
        let alive = registry.entries.iter().rev().filter(|entry| !entry.over);
        let named = |entry: &&RegistryEntry| entry.name == name || name.parse() == Ok(entry.id.0);
        let found = alive.clone().find(named);
        found
            .map(|value| value.id)
            .ok_or_else(|| GuestError::NoGuest(name.to_owned()))
    }

    /// A guest's report, which can be read again and again without the registry's lock.
    ///
    /// # Errors
    /// [`GuestError::NoGuest`].
    pub fn report(&self, id: GuestId) -> Result<Arc<GuestReport>, GuestError> {
        Ok(Arc::clone(&self.registry().entry(id)?.report))
    }

    /// All guests, and the last ones that are gone.
    pub fn list(&self) -> Vec<GuestStatus> {
        self.registry().list()
    }

    /// The name of the guest whose lane this is or was.
    pub fn owner(&self, lane: LaneId) -> Option<String> {
        let registry = self.registry();
        let mut entries = registry.entries.iter().rev();
        let own = entries.find(|entry| entry.report.lane() == Some(lane.number()));
        own.map(|value| value.name.clone())
    }

    /// Takes the next line that a guest has written.
    pub fn said(&self) -> Option<GuestLogLine> {
        self.registry().said.pop_front()
    }

    /// Takes the next event that a guest or the robot has posted.
    pub fn posted(&self) -> Option<PostedEvent> {
        let mut registry = self.registry();
        let GuestRegistry {
            entries, posted, ..
        } = &mut *registry;
        posted.next(&self.body.bus, |id| {
            let entry = entries.iter().find(|entry| entry.id == id)?;
            Some(entry.name.clone())
        })
    }
}
