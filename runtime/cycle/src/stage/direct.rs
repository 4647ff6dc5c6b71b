//! What a lane sets for one turn only: values beside its timelines, and gains.
//! Called by hooks in every turn, or by clients before each.
//! The law: it is gone with the turn; an actuator that is not set again falls to the next lane.

use super::lanes::is_weight;
use super::{LaneSet, Stage};
use crate::bits;
use crate::body::{ActuatorId, Gains, Kind};
use crate::command::Refusal;
use crate::lane::LaneId;

/// What a lane sets for one actuator in one turn. Opaque; made by [`Direct::NONE`] only.
#[derive(Clone, Copy, Debug)]
pub struct Direct {
    pub(crate) value: f64,
    pub(crate) weight: f64,
    pub(crate) gains: Gains,
    pub(crate) gains_weight: f64,
}

impl Direct {
    /// Nothing set.
    pub const NONE: Direct = Direct {
        value: 0.0,
        weight: 0.0,
        gains: Gains::LIMP,
        gains_weight: 0.0,
    };
}

impl Stage<'_> {
    /// What was set for this turn has been heard. What is set from here on is for the next.
    pub(crate) fn forget_directs(&mut self) {
        for at in 0..self.open {
            let place = usize::from(self.order[at]);
            self.set_mut(place, LaneSet::Directs).fill(0);
            self.set_mut(place, LaneSet::Gains).fill(0);
        }
    }

    /// Drives an actuator in one turn only, before what waits for it: this turn if it is called up
    /// to pre-process, else the next. A weight of 0 says nothing.
    ///
    /// # Errors
    /// A [`Refusal`] with nothing changed. NaN is no error: it leaves the actuator alone.
    pub fn drive(
        &mut self,
        lane: LaneId,
        actuator: ActuatorId,
        value: f64,
        weight: f64,
    ) -> Result<(), Refusal> {
        self.accepts(lane)?;
        self.known(actuator)?;
        let described = &self.body.actuators[actuator.index()];
        if described.kind == Kind::Trigger {
            return Err(Refusal::WrongKind(actuator));
        }
        if value.is_infinite() {
            return Err(Refusal::NotFinite { actuator });
        }
        if !is_weight(weight) {
            return Err(Refusal::Weight);
        }
        self.may_hold_group(lane, actuator)?;
        if value.is_nan() || weight == 0.0 {
            return Ok(());
        }
        self.hold_group(lane, actuator);
        let place = usize::from(lane.place);
        let at = self.timeline_place(place, actuator.index());
        let held = self.tracks[actuator.index()].held;
        let driven = bits::holds(self.set(place, LaneSet::Driven), actuator.index());
        if !driven && !bits::holds(self.set(place, LaneSet::Claims), actuator.index()) {
            self.timelines[at].begin_at(held);
        }
        self.directs[at].value = value;
        self.directs[at].weight = weight;
        self.set_member(place, LaneSet::Directs, actuator.index(), true);
        self.lanes[place].fed_at = self.turn_times.now;
        Ok(())
    }

    /// Asks for a joint's gains in one turn only, as `drive` does. A weight of 0 says nothing.
    ///
    /// # Errors
    /// A [`Refusal`] with nothing changed.
    pub fn set_gains(
        &mut self,
        lane: LaneId,
        actuator: ActuatorId,
        gains: Gains,
        weight: f64,
    ) -> Result<(), Refusal> {
        self.accepts(lane)?;
        self.known(actuator)?;
        if self.body.actuators[actuator.index()].gains.is_none() {
            return Err(Refusal::WrongKind(actuator));
        }
        if !gains.is_sound() {
            return Err(Refusal::NotFinite { actuator });
        }
        if !is_weight(weight) {
            return Err(Refusal::Weight);
        }
        self.may_hold_group(lane, actuator)?;
        if weight == 0.0 {
            return Ok(());
        }
        self.hold_group(lane, actuator);
        let place = usize::from(lane.place);
        let at = self.timeline_place(place, actuator.index());
        self.directs[at].gains = gains;
        self.directs[at].gains_weight = weight;
        self.set_member(place, LaneSet::Gains, actuator.index(), true);
        self.lanes[place].fed_at = self.turn_times.now;
        Ok(())
    }
}
