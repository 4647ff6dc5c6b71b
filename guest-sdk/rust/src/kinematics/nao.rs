//! The NAO's table, and its limbs. Used by choreographies for a NAO.
//! The table is made from the description of the robot that the runtime ships.

use super::{LimbChain, Tree};

#[path = "../../kinematics/tables/nao.rs"]
mod table;

/// The body of a NAO. Its root is the torso; the floor is about 0.33 m below.
pub const NAO: Tree<'static> = table::NAO;

/// The head: it looks with the upper camera.
pub const HEAD: LimbChain = LimbChain::to(NAO, "head")
    .with_tip([0.05871, 0.0, 0.06364])
    .looking_along([0.999_781, 0.0, -0.020_943]);

/// The left arm, to the middle of the palm.
pub const LEFT_HAND: LimbChain = LimbChain::to(NAO, "left-hand").with_tip(PALM);

/// The right arm.
pub const RIGHT_HAND: LimbChain = LimbChain::to(NAO, "right-hand").with_tip(PALM);

/// The left leg, to the middle of the sole.
pub const LEFT_FOOT: LimbChain = LimbChain::to(NAO, "left-foot").with_tip(SOLE);

/// The right leg.
pub const RIGHT_FOOT: LimbChain = LimbChain::to(NAO, "right-foot").with_tip(SOLE);

/// In the frame of a hand, m.
const PALM: [f64; 3] = [0.05775, 0.0, -0.01231];
/// In the frame of a foot, m: below the ankle.
const SOLE: [f64; 3] = [0.0, 0.0, -0.04519];
