//! Inverse kinematics of postures: the joints of a limb that a posture uses, so that a link is where it should be.
//! Called by motions that mix what they reach with other postures.
//! Only joints of the limb change, and only if the request makes sense; what cannot be reached is approached.

use super::{Posture, is_used};
use crate::actuator::Actuator;
use crate::kinematics::{BodyLimb, LimbMove, Reachability, Solution, Transform};
use crate::output::Output;

impl<const N: usize> Posture<N> {
    /// Sets the joints of a limb as a movement wants them:
    ///
    /// | wanted | movement |
    /// |---|---|
    /// | the tip at a place | `RHand.reach(place)` |
    /// | the axis through the tip pointing at a place | `RHand.look_at(place)` |
    /// | the axis along a direction | `RHand.look_along(direction)` |
    /// | the link turned so | `RHand.toward(Goal::orientation(link, turn))` |
    /// | a place and a turn | `RHand.reach(place).turned(turn)` |
    ///
    /// It begins at the posture's own values, where they are used, else at those that were last sent. Outputs that were
    /// unused get full weight; used ones keep theirs. Joints of the limb that are not among the actuators stay where
    /// they are. When the movement cannot be reached, the posture gets the nearest one; when it makes no sense,
    /// nothing changes. The solution says which.
    ///
    /// ```
    /// use choreography::kinematics::{BodyLimb, nao};
    /// use choreography::posture::Posture;
    /// use choreography::prelude::*;
    ///
    /// static RHand: BodyLimb<5> = BodyLimb::new(nao::RIGHT_HAND);
    ///
    /// let mut stage = Rehearsal::alone(nao());
    /// let arm = RHand.actuators();
    /// let mut pose = Posture::new();
    /// let found = pose.solve(&arm, RHand.reach([0.15, -0.12, 0.05]));
    /// assert!(found.is_reached());
    /// assert!((pose.pose_of(&arm, &RHand).at.z - 0.05).abs() < 0.07); // the wrist, near the palm
    /// # stage.turn();
    /// ```
    pub fn solve<const M: usize>(
        &mut self,
        actuators: &[&Actuator; N],
        wanted: LimbMove<'_, M>,
    ) -> Solution<M> {
        let limb = wanted.limb();
        let places = places(limb, actuators);
        let start = self.values_of(limb, &places);
        let solution = wanted.solution_holding(&start, &places.map(|place| place.is_none()));
        if matches!(solution.end, Reachability::Refused(_)) {
            return solution;
        }
        for (place, value) in places.iter().zip(solution.values()) {
            let Some(output) = place.and_then(|place| self.outputs.get_mut(place)) else {
                continue;
            };
            if is_used(output) {
                output.value = *value;
            } else {
                *output = Output::of(*value);
            }
        }
        solution
    }

    /// Where the link of a limb is in this posture, seen from the root. Joints that the posture does not use count as
    /// they were last sent.
    pub fn pose_of<const M: usize>(
        &self,
        actuators: &[&Actuator; N],
        limb: &BodyLimb<M>,
    ) -> Transform {
        limb.pose_at(&self.values_of(limb, &places(limb, actuators)))
    }

    /// The values of a limb's joints in this posture.
    fn values_of<const M: usize>(
        &self,
        limb: &BodyLimb<M>,
        places: &[Option<usize>; M],
    ) -> [f64; M] {
        let mut values = limb.sent();
        for (value, place) in values.iter_mut().zip(places) {
            let output = place.and_then(|place| self.outputs.get(place));
            if let Some(output) = output.filter(|output| is_used(output)) {
                *value = output.value;
            }
        }
        values
    }
}

/// Where the joints of a limb are among these actuators.
fn places<const M: usize>(limb: &BodyLimb<M>, actuators: &[&Actuator]) -> [Option<usize>; M] {
    let mut places = [None; M];
    let joints = limb.actuators().into_iter().take(limb.joint_count());
    for (place, joint) in places.iter_mut().zip(joints) {
        *place = actuators
            .iter()
            .position(|actuator| actuator.is_same(joint));
    }
    places
}
