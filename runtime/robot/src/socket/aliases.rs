//! Aliases that clients create while the loop runs, as in the DCM: names for several actuators.
//! Searched by the handler before the aliases of the description, which they may redefine. An alias never
//! replaces an actuator or a sensor, it is made whole or not at all, and no client takes the room of others.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ::protocol::{ErrorCode, RequestError};
use cycle::ActuatorId;

use super::parse::unknown;
use description::Robot;

/// The maximum number of aliases, of all clients and of one.
const ALIASES_MAX: usize = 1024;
const EACH_MAX: usize = 256;

/// The maximum length of a name, bytes.
const NAME_MAX: usize = 64;

/// The aliases.
#[derive(Debug, Default)]
pub(super) struct AliasTable(Mutex<BTreeMap<String, ClientAlias>>);

#[derive(Clone, Debug)]
struct ClientAlias {
    members: Vec<ActuatorId>,
    /// The client who gave it its members.
    by: String,
}

impl AliasTable {
    /// The members of an alias.
    pub(super) fn find(&self, name: &str) -> Option<Vec<ActuatorId>> {
        self.made().get(name).map(|alias| alias.members.clone())
    }

    /// Creates or changes an alias; without members it is removed.
    pub(super) fn make(
        &self,
        robot: &Robot,
        name: String,
        members: &[String],
        by: String,
    ) -> Result<(), RequestError> {
        if name.is_empty() || name.len() > NAME_MAX || name.chars().any(printable::is_unprintable) {
            let sentence = format!("invalid name: an alias has a name of 1 to {NAME_MAX} bytes");
            return Err(ErrorCode::InvalidName.error(sentence));
        }
        if robot.actuator(&name).is_some() || robot.sensor(&name).is_some() {
            let sentence = format!("`{name}` is an actuator or a sensor of this robot");
            return Err(ErrorCode::Taken
                .error(sentence)
                .fix("give the alias another name"));
        }
        if members.is_empty() {
            let gone = self.made().remove(&name);
            let error =
                || ErrorCode::NotFound.error(format!("no client has made an alias `{name}`"));
            return gone.map(drop).ok_or_else(error);
        }
        let members = ids(robot, members)?;
        let mut made = self.made();
        if !made.contains_key(&name) {
            let own = made.values().filter(|alias| alias.by == by).count();
            if own >= EACH_MAX || made.len() >= ALIASES_MAX {
                let sentence = format!(
                    "there are {own} aliases of this client and {} in all; the most are {EACH_MAX} and {ALIASES_MAX}",
                    made.len()
                );
                let fix = "change one of them instead, or remove one: make it without members";
                return Err(ErrorCode::Full.error(sentence).fix(fix));
            }
        }
        made.insert(name, ClientAlias { members, by });
        Ok(())
    }

    fn made(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, ClientAlias>> {
        // A panic leaves nothing inconsistent: each change is one insertion.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The actuators of these names, each of them once.
fn ids(robot: &Robot, members: &[String]) -> Result<Vec<ActuatorId>, RequestError> {
    if members.len() > robot.actuators.len() {
        let sentence = "more members than the body has actuators";
        return Err(ErrorCode::Twice.error(sentence));
    }
    let mut ids = Vec::with_capacity(members.len());
    for member in members {
        let known = robot
            .actuators
            .iter()
            .map(|actuator| actuator.name.as_str());
        let id = robot.actuator(member);
        let id = id.ok_or_else(|| unknown("actuator", member, known, &robot.name))?;
        if ids.contains(&id) {
            return Err(ErrorCode::Twice.error(format!("{member} is named twice")));
        }
        ids.push(id);
    }
    Ok(ids)
}
