//! Left and right: which joint is on the other side, with which sign, and joints that follow others as in a mirror.
//! Called by motions: a table by any hook, a [`MirrorFollower`] by `pre_process`.
//! Mirrored twice, everything is what it was. Joints that turn or roll change their sign, those that pitch do
//! not, as in the runtime's own mapping of motion files.
//!
//! ```
//! use choreography::mirror::{NAO, other_side};
//!
//! assert_eq!(other_side(&NAO, "LShoulderRoll"), Some(("RShoulderRoll", -1.0)));
//! assert_eq!(other_side(&NAO, "HeadYaw"), Some(("HeadYaw", -1.0))); // in the middle
//! assert_eq!(other_side(&NAO, "Tail"), None);
//! ```

use crate::actuator::Actuator;
use crate::output::Output;
use crate::posture::{MoveStatus, Posture, PostureMove};
use crate::sensor::Sensor;
use crate::time::Instant;

/// A joint on the left, that on the right, and the factor between their values. In the middle both are one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorRow {
    /// The name of the joint on the left.
    pub left: &'static str,
    /// The name of the joint on the right.
    pub right: &'static str,
    /// 1 or -1.
    pub sign: f64,
}

impl MirrorRow {
    const fn of(left: &'static str, right: &'static str, sign: f64) -> MirrorRow {
        MirrorRow { left, right, sign }
    }
}

/// The joints of a NAO. The two hips have one motor for their yaw, which keeps its value.
pub const NAO: [MirrorRow; 14] = [
    MirrorRow::of("HeadYaw", "HeadYaw", -1.0),
    MirrorRow::of("HeadPitch", "HeadPitch", 1.0),
    MirrorRow::of("LShoulderPitch", "RShoulderPitch", 1.0),
    MirrorRow::of("LShoulderRoll", "RShoulderRoll", -1.0),
    MirrorRow::of("LElbowYaw", "RElbowYaw", -1.0),
    MirrorRow::of("LElbowRoll", "RElbowRoll", -1.0),
    MirrorRow::of("LWristYaw", "RWristYaw", -1.0),
    MirrorRow::of("LHand", "RHand", 1.0),
    MirrorRow::of("LHipYawPitch", "LHipYawPitch", 1.0),
    MirrorRow::of("LHipRoll", "RHipRoll", -1.0),
    MirrorRow::of("LHipPitch", "RHipPitch", 1.0),
    MirrorRow::of("LKneePitch", "RKneePitch", 1.0),
    MirrorRow::of("LAnklePitch", "RAnklePitch", 1.0),
    MirrorRow::of("LAnkleRoll", "RAnkleRoll", -1.0),
];

/// The joint on the other side of this one, and the factor between their values; `None` if the table does not have it.
pub fn other_side(table: &[MirrorRow], name: &str) -> Option<(&'static str, f64)> {
    let row = table
        .iter()
        .find(|item| item.left == name || item.right == name)?;
    let other = if row.left == name {
        row.right
    } else {
        row.left
    };
    Some((other, row.sign))
}

impl<const N: usize> Posture<N> {
    /// The posture in the mirror. For each output it takes the place of the joint on the other side, and the sign:
    /// `[(1, -1.0), (0, -1.0)]` exchanges two joints that roll. An output without such a place is unused then.
    #[must_use]
    pub fn mirrored(&self, from: &[(usize, f64); N]) -> Posture<N> {
        Posture::from(from.map(|(place, sign)| {
            let other = self.outputs().get(place).copied().unwrap_or_default();
            Output {
                value: other.value * sign,
                ..other
            }
        }))
    }
}

/// N joints that follow others, which are moved by hand perhaps: each goes to what the sensor of the other measures,
/// times a sign, at a limited speed. Use one for each limb that follows.
///
/// ```
/// use choreography::mirror::MirrorFollower;
/// use choreography::prelude::*;
///
/// static Left: Actuator = Actuator::named("LShoulderRoll");
/// static Right: Sensor = Sensor::named("RShoulderRoll");
///
/// let mut stage = Rehearsal::alone(nao());
/// let mut left = MirrorFollower::new([&Left], [&Right], [-1.0]);
/// stage.put("RShoulderRoll", -0.8);
/// stage.put("LShoulderRoll", 0.1);
/// for _ in 0..200 {
///     left.step(now());
///     stage.turn();
/// }
/// assert_eq!(stage.sent(&Left), 0.8);
/// stage.assert_nothing_clipped();
/// ```
#[derive(Clone, Debug)]
pub struct MirrorFollower<const N: usize> {
    follower: PostureMove<N>,
    measured: [&'static Sensor; N],
    joints: [&'static Actuator; N],
    signs: [f64; N],
}

impl<const N: usize> MirrorFollower<N> {
    /// These joints follow what these sensors measure, times these signs, at half of their maximum speed.
    pub fn new(
        joints: [&'static Actuator; N],
        measured: [&'static Sensor; N],
        signs: [f64; N],
    ) -> MirrorFollower<N> {
        let mut new = MirrorFollower {
            follower: PostureMove::new(joints),
            measured,
            joints,
            signs,
        };
        new.set_speed_share(0.5);
        new
    }

    /// Sets all speeds to this share of the joints' own maximum velocities.
    pub fn set_speed_share(&mut self, share: f64) {
        self.follower.set_speed_share(share);
    }

    /// Goes on to this turn. Returns whether all joints are where they shall be. A sensor that has measured nothing
    /// leaves its joint where it is.
    pub fn step(&mut self, now: Instant) -> bool {
        for place in 0..N {
            let limits = self.joints[place].limits();
            let measured = self.measured[place].read();
            let before = self.follower.target().outputs()[place];
            // A target within the range, so that nothing is clipped; and no new one in a turn without a change.
            let value = measured * self.signs[place];
            let value = value.max(limits.lowest).min(limits.highest);
            let is_new = before.weight <= 0.0 || value.total_cmp(&before.value).is_ne();
            if measured.is_finite() && is_new {
                self.follower.set(place, value);
            }
        }
        self.follower.step(now);
        self.follower.status() != MoveStatus::Moving
    }

    /// Leaves the joints to others, until the next step.
    pub fn release(&mut self) {
        self.follower.set_target(Posture::new());
    }
}
