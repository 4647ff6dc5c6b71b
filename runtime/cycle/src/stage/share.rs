//! Who drives an actuator: each lane's value and weight in the last turn.
//! Asked by clients between two turns. It tells what the blend took, and changes nothing.

use super::{LaneSet, Stage};
use crate::bits;
use crate::body::ActuatorId;
use crate::command::Refusal;
use crate::lane::LaneId;

/// What a lane gave to the blend of an actuator in the last turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneShare {
    /// The lane.
    pub lane: LaneId,
    /// Its priority.
    pub priority: f64,
    /// Its value, in the actuator's unit.
    pub value: f64,
    /// Its weight: that of the value, times that of the lane, times its fade.
    pub weight: f64,
    /// Whether lanes of higher priorities cover the actuator, so that its value had no effect.
    pub is_hidden: bool,
}

impl Stage<'_> {
    /// The lanes that drove `actuator` in the last turn, the highest priority first.
    ///
    /// # Errors
    /// An unknown actuator.
    pub fn shares(
        &self,
        actuator: ActuatorId,
    ) -> Result<impl Iterator<Item = LaneShare> + '_, Refusal> {
        self.known(actuator)?;
        let of = move |place: &u16| {
            let place = usize::from(*place);
            let holds = |set| bits::holds(self.set(place, set), actuator.index());
            let timeline = &self.timelines[self.timeline_place(place, actuator.index())];
            let (value, weight) = timeline.shown();
            holds(LaneSet::Driven).then(|| LaneShare {
                lane: self.id(place),
                priority: self.lanes[place].settings.priority,
                value,
                weight,
                is_hidden: holds(LaneSet::Hidden),
            })
        };
        Ok(self.order[..self.open].iter().filter_map(of))
    }
}
