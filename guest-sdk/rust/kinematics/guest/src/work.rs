//! The work that is measured: an arm of six joints, and poses that it should reach. Used natively by the bench, and
//! inside WebAssembly by the guest beside this file, so that both do the same.
//! No clock, no memory, no input: case N is the same on every machine.

use kinematics::{Limb, Solution, Transform, Vec3};

#[path = "../../tables/six.rs"]
mod six;

use six::SIX;

/// The joints of the arm.
pub(crate) const JOINTS: usize = 6;
/// The link that is brought to its goals.
const TOOL: usize = 7;
/// Where a cold start begins: an elbow that is bent, and a hand that looks down.
const HOME: [f64; JOINTS] = [0.0, -1.2, 1.6, -1.9, -1.57, 0.0];

/// The kinds of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A pose anywhere in the arm's ranges, from home, with other starts.
    Cold,
    /// The same for a point alone.
    Point,
    /// A pose that is up to 0.3 rad away in each joint.
    Near,
    /// A pose that is 1 cm and a little turn away, as in a path that is followed turn by turn.
    Follow,
    /// A point that no arm of this length reaches, followed turn by turn.
    Beyond,
}

pub(crate) const KINDS: [Kind; 5] = [
    Kind::Cold,
    Kind::Point,
    Kind::Near,
    Kind::Follow,
    Kind::Beyond,
];

/// Random numbers (SplitMix64), which need no crate inside a guest.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let share = ((value ^ (value >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * share
    }
}

/// A case: where it starts, and the pose that it should reach.
pub(crate) struct Case {
    kind: Kind,
    start: [f64; JOINTS],
    goal: Transform,
}

/// The arm, ready for requests.
pub(crate) fn arm() -> Limb<'static, JOINTS> {
    match Limb::to(&SIX, "tool") {
        Ok(arm) => arm,
        Err(_) => unreachable!(),
    }
}

impl Case {
    pub(crate) fn new(kind: Kind, number: u32) -> Case {
        let mut dice = Dice(u64::from(number) << 8);
        let mut there = [0.0; JOINTS];
        for (value, joint) in there.iter_mut().zip(SIX.joints) {
            // A turn is enough: what is beyond it is the same pose again.
            *value = dice.between(joint.lowest.max(-3.1), joint.highest.min(3.1));
        }
        let mut start = HOME;
        let way = match kind {
            Kind::Near => 0.3,
            Kind::Follow => 0.02,
            Kind::Beyond => 0.0,
            Kind::Cold | Kind::Point => f64::NAN,
        };
        if !way.is_nan() {
            start = there.map(|value| value + dice.between(-way, way));
        }
        let mut goal = SIX.pose(TOOL, &there).unwrap_or(Transform::NONE);
        if kind == Kind::Beyond {
            // Past the shoulder's sphere, in the direction in which the tool is, with the arm nearly there.
            goal.at = goal.at.unit() * 1.5 + Vec3::Z * 0.089;
            start = [there[0], there[1], 0.1, 0.0, 0.5, 0.0];
        }
        Case { kind, start, goal }
    }

    /// Solves it.
    pub(crate) fn run(&self, arm: &Limb<'static, JOINTS>) -> Solution<JOINTS> {
        let Transform { at, turn } = self.goal;
        let request = match self.kind {
            Kind::Cold => arm.reach(at).turned(turn),
            Kind::Point => arm.reach(at),
            Kind::Near | Kind::Follow => arm.reach(at).turned(turn).nearby(),
            Kind::Beyond => arm.reach(at).nearby(),
        };
        request.from(&self.start)
    }

    /// Where the tool is at the start: forward kinematics alone.
    pub(crate) fn forward(&self) -> Transform {
        SIX.pose(TOOL, &self.start).unwrap_or(Transform::NONE)
    }
}
