//! Direct outputs, which a lane sets for one turn only: values besides its timelines, and gains.
//! Hooks call this in every turn, or clients before each turn.
//! A direct output lasts one turn; if it is not set again, the next lane drives the actuator.

use super::lanes::is_weight;
use super::{LaneSet, Stage};
use crate::bits;
use crate::body::{ActuatorId, Gains, Kind};
use crate::command::Refusal;
use crate::lane::{LaneId, Life};

/// A lane's direct output for one actuator in one turn. Opaque; only [`Direct::NONE`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Direct {
    pub(crate) value: f64,
    pub(crate) weight: f64,
    pub(crate) gains: Gains,
    pub(crate) gains_weight: f64,
}

impl Direct {
    /// No direct output.
    pub const NONE: Direct = Direct {
        value: 0.0,
        weight: 0.0,
        gains: Gains::LIMP,
        gains_weight: 0.0,
    };
}

impl Stage<'_> {
    /// Clears the direct outputs of this turn. Later ones are for the next turn. A lane that fades out keeps its own.
    pub(crate) fn forget_directs(&mut self) {
        for at in 0..self.open {
            let place = usize::from(self.order[at]);
            if matches!(self.lanes[place].life, Some(Life::Fading(_))) {
                continue;
            }
            self.set_mut(place, LaneSet::Directs).fill(0);
            for word in 0..bits::words(self.body.actuators.len()) {
                let set = core::mem::take(&mut self.set_mut(place, LaneSet::Gains)[word]);
                self.set_mut(place, LaneSet::LastGains)[word] = set;
            }
        }
    }

    /// Drives an actuator in one turn only, instead of its waiting commands: in this turn if called before or in
    /// pre-process, else in the next. A weight of 0 has no effect.
    ///
    /// # Errors
    /// A [`Refusal`] with nothing changed. NaN is not an error: it leaves the actuator unchanged.
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

    /// Sets a joint's gains in one turn only, as `drive` does. A weight of 0 has no effect.
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
