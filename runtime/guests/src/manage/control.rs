//! Requests to guests: end, pause, resume, tune.
//! Called for requests, and by whoever started the loop; they reach the loop as commands through the channel.
//! A request is checked here, outside the turn, and done in the next one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crate::manage::grant::{GuestError, is_weight};
use crate::manage::manager::GuestManager;
use crate::shared::report::End;
use crate::shared::terms::GuestId;
use crate::turn::channel::GuestCommand;

impl GuestManager {
    /// Ends a guest: `stop` is called, its lane ends as it declared.
    ///
    /// # Errors
    /// [`GuestError`]. The same is true of all functions here.
    pub fn end(&self, id: GuestId) -> Result<(), GuestError> {
        let mut registry = self.registry();
        let report = Arc::clone(&registry.entry(id)?.report);
        registry.send(GuestCommand::End(id, End::Stopped))?;
        // A score looks at this even while it sleeps.
        report.set_end(End::Stopped);
        report.cancel.store(true, Relaxed);
        Ok(())
    }

    /// Pauses a guest, or resumes it.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn pause(&self, id: GuestId, paused: bool) -> Result<(), GuestError> {
        let mut registry = self.registry();
        registry.entry(id)?;
        registry.send(GuestCommand::Pause(id, paused))
    }

    /// Sets a parameter; the value that it has then.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn turn(&self, id: GuestId, param: &str, value: f64) -> Result<f64, GuestError> {
        let mut registry = self.registry();
        let entry = registry.entry(id)?;
        let (place, value) = entry.param(param, value)?;
        let sent = entry.sent_for(place, value);
        registry.send(GuestCommand::Turn(id, place, sent))?;
        registry.entry(id)?.set_param(place, value, sent);
        Ok(value)
    }

    /// Changes all of these in one turn, or nothing; the values that the parameters have then. A hook sees all
    /// parameters or none of them, and the lane has its priority and weight in the turn in which they are taken.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn tune(
        &self,
        id: GuestId,
        params: &BTreeMap<String, f64>,
        priority: Option<f64>,
        weight: Option<f64>,
    ) -> Result<BTreeMap<String, f64>, GuestError> {
        let mut registry = self.registry();
        let entry = registry.entry(id)?;
        let mut commands = Vec::new();
        let (mut tuned, mut set) = (BTreeMap::new(), Vec::new());
        for (name, value) in params {
            let (place, value) = entry.param(name, *value)?;
            let sent = entry.sent_for(place, value);
            commands.push(GuestCommand::Turn(id, place, sent));
            set.push((place, value, sent));
            tuned.insert(name.clone(), value);
        }
        if let Some(priority) = priority {
            entry.may_have(priority)?;
            commands.push(GuestCommand::Priority(id, priority));
        }
        if let Some(weight) = weight {
            is_weight(weight)?;
            commands.push(GuestCommand::Weight(id, weight));
        }
        registry.send_all(commands)?;
        let entry = registry.entry(id)?;
        for (place, value, sent) in set {
            entry.set_param(place, value, sent);
        }
        Ok(tuned)
    }

    /// Sets the priority of a guest's lane.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn set_priority(&self, id: GuestId, priority: f64) -> Result<(), GuestError> {
        let mut registry = self.registry();
        registry.entry(id)?.may_have(priority)?;
        registry.send(GuestCommand::Priority(id, priority))
    }

    /// Sets the weight of a guest's lane.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn set_weight(&self, id: GuestId, weight: f64) -> Result<(), GuestError> {
        is_weight(weight)?;
        let mut registry = self.registry();
        registry.entry(id)?;
        registry.send(GuestCommand::Weight(id, weight))
    }
}
