//! Exclusive groups: actuators that one lane drives at a time, such as two legs that walk.
//! Called by `intake` and `direct` before anything is taken.
//! A group has at most one holder, and a lane that loses it keeps no commands there.

use super::Stage;
use crate::body::{ActuatorId, GroupId, GroupRule};
use crate::command::Refusal;
use crate::event_log::Event;
use crate::lane::LaneId;

impl Stage<'_> {
    /// The lane that holds an exclusive group.
    pub fn holder(&self, group: GroupId) -> Option<LaneId> {
        self.holders.get(usize::from(group.0)).copied().flatten()
    }

    /// Whether the body has exclusive groups.
    pub fn has_groups(&self) -> bool {
        !self.holders.is_empty()
    }

    /// Whether another lane holds the actuator's group and would keep it.
    pub fn is_taken(&self, lane: LaneId, actuator: ActuatorId) -> bool {
        self.may_hold_group(lane, actuator).is_err()
    }

    /// Releases an exclusive group. The lane's commands there are deleted.
    ///
    /// # Errors
    /// [`Refusal::NoLane`] for a stale handle.
    pub fn release_group(&mut self, lane: LaneId, group: GroupId) -> Result<(), Refusal> {
        self.lane(lane)?;
        if self.holder(group) == Some(lane) {
            self.holders[usize::from(group.0)] = None;
            self.drop_group(usize::from(lane.place), group);
        }
        Ok(())
    }

    /// Removes a lane from all actuators of a group.
    pub(crate) fn drop_group(&mut self, place: usize, group: GroupId) {
        for (actuator, described) in self.body.actuators.iter().enumerate() {
            if described.group == Some(group) {
                self.let_go(place, actuator);
            }
        }
    }

    fn group_of(&self, actuator: ActuatorId) -> Option<GroupId> {
        self.body.actuators.get(actuator.index())?.group
    }

    pub(crate) fn may_hold_group(&self, lane: LaneId, actuator: ActuatorId) -> Result<(), Refusal> {
        let Some(group) = self.group_of(actuator) else {
            return Ok(());
        };
        let Some(by) = self.holder(group).filter(|by| *by != lane) else {
            return Ok(());
        };
        let outranked = |by: LaneId| {
            let priority = |id: LaneId| self.lane(id).map(|cell| cell.settings.priority);
            matches!((priority(lane), priority(by)), (Ok(mine), Ok(theirs)) if mine > theirs)
        };
        let ranks = self.body.groups[usize::from(group.0)] == GroupRule::Rank;
        if ranks && outranked(by) {
            Ok(())
        } else {
            Err(Refusal::Taken { group, by })
        }
    }

    pub(crate) fn hold_group(&mut self, lane: LaneId, actuator: ActuatorId) {
        let Some(group) = self.group_of(actuator) else {
            return;
        };
        let former = self.holders[usize::from(group.0)].replace(lane);
        if let Some(former) = former.filter(|former| *former != lane) {
            self.drop_group(usize::from(former.place), group);
            self.events.note(Event::Evicted(former));
        }
    }
}
