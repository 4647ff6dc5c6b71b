//! What can be asked of guests that are there: to end, to be silent, to be tuned.
//! Called by the socket's clerks and by whoever started the loop; reaches the loop by the ring of cues.
//! The law: what is asked is looked at here, outside the turn, and done in the next one.

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
    /// [`GuestError`]. So for all of these.
    pub fn end(&self, id: GuestId) -> Result<(), GuestError> {
        let mut registry = self.registry();
        let report = Arc::clone(&registry.entry(id)?.report);
        registry.send(GuestCommand::End(id, End::Stopped))?;
        // A score hears it in its sleep.
        report.set_end(End::Stopped);
        report.cancel.store(true, Relaxed);
        Ok(())
    }

    /// Lets a guest be heard no more, or again.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn pause(&self, id: GuestId, paused: bool) -> Result<(), GuestError> {
        let mut registry = self.registry();
        registry.entry(id)?;
        registry.send(GuestCommand::Pause(id, paused))
    }

    /// Turns a parameter; what it is then.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn turn(&self, id: GuestId, param: &str, value: f64) -> Result<f64, GuestError> {
        let mut registry = self.registry();
        let (place, value) = registry.entry(id)?.param(param, value)?;
        registry.send(GuestCommand::Turn(id, place, value))?;
        registry.entry(id)?.params[place].1 = value;
        Ok(value)
    }

    /// Changes all of these, or nothing; what the parameters are then.
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
        let mut tuned = BTreeMap::new();
        for (name, value) in params {
            let (place, value) = entry.param(name, *value)?;
            commands.push(GuestCommand::Turn(id, place, value));
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
        if registry.channel.commands.slots() < commands.len() {
            return Err(GuestError::Busy);
        }
        for command in commands {
            registry.send(command)?;
        }
        let entry = registry.entry(id)?;
        for (param, value) in &mut entry.params {
            *value = tuned.get(&param.name).copied().unwrap_or(*value);
        }
        Ok(tuned)
    }

    /// Gives a guest's lane another priority.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn set_priority(&self, id: GuestId, priority: f64) -> Result<(), GuestError> {
        let mut registry = self.registry();
        registry.entry(id)?.may_have(priority)?;
        registry.send(GuestCommand::Priority(id, priority))
    }

    /// Gives a guest's lane another weight.
    #[allow(clippy::missing_errors_doc, reason = "as for `end`")]
    pub fn set_weight(&self, id: GuestId, weight: f64) -> Result<(), GuestError> {
        is_weight(weight)?;
        let mut registry = self.registry();
        registry.entry(id)?;
        registry.send(GuestCommand::Weight(id, weight))
    }
}
