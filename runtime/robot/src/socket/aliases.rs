//! Names that clients give to several actuators while the loop runs: the DCM's aliases.
//! Asked by the handler for every name that the description does not have. The law: a name of the description
//! keeps its meaning; there are so many aliases and no more.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ::socket::Trouble;
use cycle::ActuatorId;

use description::Robot;

/// AliasTable at the same time.
const ALIASES_MAX: usize = 256;

/// The longest name of one, bytes.
const NAME_MAX: usize = 64;

/// The aliases that were made.
#[derive(Debug, Default)]
pub(super) struct AliasTable(Mutex<BTreeMap<String, Vec<ActuatorId>>>);

impl AliasTable {
    /// The members of an alias that was made here.
    pub(super) fn find(&self, name: &str) -> Option<Vec<ActuatorId>> {
        self.made().get(name).cloned()
    }

    /// Makes one, or changes it. The members come back as they were said; those that are not known are empty,
    /// and left out.
    pub(super) fn make(
        &self,
        robot: &Robot,
        name: String,
        members: Vec<String>,
    ) -> Result<Vec<String>, Trouble> {
        if name.is_empty() || name.len() > NAME_MAX || name.chars().any(char::is_control) {
            let sentence = format!("an alias has a name of 1 to {NAME_MAX} bytes");
            return Err(Trouble::new("name", sentence));
        }
        let is_known = robot.actuator(&name).is_some() || robot.sensor(&name).is_some();
        if is_known || robot.aliases.iter().any(|it| it.0 == name) {
            let sentence = format!("`{name}` means something in the description already");
            return Err(Trouble::new("taken", sentence).fix("give the alias another name"));
        }
        if members.len() > robot.actuators.len() {
            let sentence = "an alias has no more members than the body has actuators";
            return Err(Trouble::new("twice", sentence));
        }
        let mut ids = Vec::with_capacity(members.len());
        for member in &members {
            let Some(id) = robot.actuator(member) else {
                continue;
            };
            if ids.contains(&id) {
                return Err(Trouble::new("twice", format!("{member} is named twice")));
            }
            ids.push(id);
        }
        let mut made = self.made();
        if made.len() >= ALIASES_MAX && !made.contains_key(&name) {
            let trouble = Trouble::new("full", format!("there are {ALIASES_MAX} aliases already"));
            return Err(trouble.fix("change one of them instead"));
        }
        made.insert(name, ids);
        let told = members.into_iter().map(|it| {
            let is_known = robot.actuator(&it).is_some();
            if is_known { it } else { String::new() }
        });
        Ok(told.collect())
    }

    fn made(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Vec<ActuatorId>>> {
        // Whoever panicked left nothing half done: each change is one insertion.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
