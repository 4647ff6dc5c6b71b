//! Aliases that clients create while the loop runs, as in the DCM: names for several actuators.
//! Searched by the handler for every name that the description does not have. The law: an alias never replaces a
//! name of the description, and the number of aliases is limited.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ::socket::RequestError;
use cycle::ActuatorId;

use description::Robot;

/// The maximum number of aliases.
const ALIASES_MAX: usize = 256;

/// The maximum length of a name, bytes.
const NAME_MAX: usize = 64;

/// The aliases.
#[derive(Debug, Default)]
pub(super) struct AliasTable(Mutex<BTreeMap<String, Vec<ActuatorId>>>);

impl AliasTable {
    /// The members of an alias.
    pub(super) fn find(&self, name: &str) -> Option<Vec<ActuatorId>> {
        self.made().get(name).cloned()
    }

    /// Creates or changes an alias. Returns the members as they were given; unknown ones are empty, and left out.
    pub(super) fn make(
        &self,
        robot: &Robot,
        name: String,
        members: Vec<String>,
    ) -> Result<Vec<String>, RequestError> {
        if name.is_empty() || name.len() > NAME_MAX || name.chars().any(printable::is_unprintable) {
            let sentence = format!("invalid name: an alias has a name of 1 to {NAME_MAX} bytes");
            return Err(RequestError::new("invalid-name", sentence));
        }
        let is_known = robot.actuator(&name).is_some() || robot.sensor(&name).is_some();
        if is_known || robot.aliases.iter().any(|it| it.0 == name) {
            let sentence = format!("`{name}` is already a name in the description");
            return Err(RequestError::new("taken", sentence).fix("give the alias another name"));
        }
        if members.len() > robot.actuators.len() {
            let sentence = "more members than the body has actuators";
            return Err(RequestError::new("twice", sentence));
        }
        let mut ids = Vec::with_capacity(members.len());
        for member in &members {
            let Some(id) = robot.actuator(member) else {
                continue;
            };
            if ids.contains(&id) {
                return Err(RequestError::new(
                    "twice",
                    format!("{member} is named twice"),
                ));
            }
            ids.push(id);
        }
        let mut made = self.made();
        if made.len() >= ALIASES_MAX && !made.contains_key(&name) {
            let error =
                RequestError::new("full", format!("there are {ALIASES_MAX} aliases already"));
            return Err(error.fix("change one of them instead"));
        }
        made.insert(name, ids);
        let known = members.into_iter().map(|it| {
            let is_known = robot.actuator(&it).is_some();
            if is_known { it } else { String::new() }
        });
        Ok(known.collect())
    }

    fn made(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Vec<ActuatorId>>> {
        // A panic leaves nothing inconsistent: each change is one insertion.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
