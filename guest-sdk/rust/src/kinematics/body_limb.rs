//! A limb of this body: a chain of joints, and the actuators that move them. A member of the cast.
//! Asked for movements by motions and scores, by `head`, by `arm` and by postures.
//! Joints are found by the names that the table gives them; one that this body does not have stands still, at
//! 0 or at the nearest value of its range.

use core::array::from_fn;

use ::kinematics::{Limb, Solution, Transform, Vec3};

use super::LimbChain;
use crate::actuator::Actuator;
use crate::cast::Role;
use crate::raw;

/// A limb and its actuators. `N` is [`LimbChain::size`], which a cast computes: `limbs RHand = nao::RIGHT_HAND;`.
///
/// Places are in the frame of the body's root, the torso of a NAO: x forwards, y to the left, z upwards, in m.
#[derive(Debug)]
pub struct BodyLimb<const N: usize> {
    limb: Limb<'static, N>,
    /// In the order of the limb's joints; those behind them have no name.
    actuators: [Actuator; N],
}

impl<const N: usize> BodyLimb<N> {
    /// The limb of this chain.
    ///
    /// # Panics
    /// `N` is less than [`LimbChain::size`]: an error of the compiler, if it is a static.
    pub const fn new(chain: LimbChain) -> BodyLimb<N> {
        let limb = chain.limb::<N>();
        let mut actuators = [const { Actuator::named("") }; N];
        let mut place = 0;
        while let Some(joint) = limb.joint_row(place) {
            actuators[place] = Actuator::named(joint.name);
            place += 1;
        }
        BodyLimb { limb, actuators }
    }

    /// The name of its link in the table.
    pub const fn name(&self) -> &'static str {
        self.limb.tree().links[self.limb.end()].name
    }

    /// The limb without its actuators: for requests of one's own.
    pub const fn limb(&self) -> &Limb<'static, N> {
        &self.limb
    }

    /// The number of its joints.
    pub const fn joint_count(&self) -> usize {
        self.limb.joint_count()
    }

    /// Its actuators, from the root to the link. If fewer joints than links move it, the last have no name.
    pub fn actuators(&self) -> [&Actuator; N] {
        self.actuators.each_ref()
    }

    /// The place of an actuator in the limb.
    pub fn place_of(&self, actuator: &Actuator) -> Option<usize> {
        let mut mine = self.joints();
        mine.position(|item| item.is_same(actuator))
    }

    /// The values that were last sent to its joints.
    pub fn sent(&self) -> [f64; N] {
        from_fn(|place| {
            let value = self.actuators[place].sent();
            if value.is_nan() {
                self.rest(place)
            } else {
                value
            }
        })
    }

    /// Where a joint stands that this body does not have: at 0, or at the nearest value of the table's range.
    fn rest(&self, place: usize) -> f64 {
        let row = self.limb.joint_row(place);
        row.map_or(0.0, |row| 0.0_f64.max(row.lowest).min(row.highest))
    }

    /// The pose of its link, seen from the root, for the values that were last sent.
    pub fn pose(&self) -> Transform {
        self.pose_at(&self.sent())
    }

    /// The pose of its link for other values of its joints.
    pub fn pose_at(&self, values: &[f64; N]) -> Transform {
        self.limb.pose(values)
    }

    /// The pose of its link at the end of a solution: for what is planned, and not sent.
    pub fn pose_of(&self, solution: &Solution<N>) -> Transform {
        self.limb.pose(solution.values())
    }

    /// Where its tip is, m, for the values that were last sent.
    pub fn tip(&self) -> Vec3 {
        self.tip_at(&self.sent())
    }

    /// Where its tip is for other values of its joints.
    pub fn tip_at(&self, values: &[f64; N]) -> Vec3 {
        self.pose_at(values).point(self.limb.tip())
    }

    /// Whether this body has all of its joints.
    pub fn is_present(&self) -> bool {
        self.joints().all(Actuator::is_present)
    }

    /// Its actuators without those that have no name.
    pub(super) fn joints(&self) -> impl Iterator<Item = &Actuator> {
        self.actuators.iter().take(self.joint_count())
    }

    /// The limits that this body has for its joints. Those of a joint that it does not have leave it where it stands.
    pub(super) fn ranges(&self) -> [[f64; 2]; N] {
        from_fn(|place| {
            let actuator = &self.actuators[place];
            if actuator.is_present() {
                let number = actuator.number();
                [raw::lowest(number), raw::highest(number)]
            } else {
                [self.rest(place); 2]
            }
        })
    }
}

impl<const N: usize> Role for BodyLimb<N> {
    fn name(&self) -> &'static str {
        BodyLimb::name(self)
    }

    fn is_present(&self) -> bool {
        BodyLimb::is_present(self)
    }

    fn learn(&self) -> bool {
        // All of them are looked up, also those behind the first that is missing.
        self.joints().filter(|joint| !joint.learn()).count() == 0
    }

    fn kind(&self) -> &'static str {
        "complete limb to the link"
    }
}
