//! Reaching: limbs of the body, tied to their actuators. Where links are, and which joints bring them elsewhere.
//! Called by motions and scores; `head`, `arm` and postures build on it.
//! A movement begins at the values that were last sent, and ends within the limits of the table and of the
//! body. What cannot be reached is approached, and told.
//!
//! ```
//! use choreography::kinematics::nao;
//! use choreography::prelude::*;
//!
//! choreography! {
//!     /// Looks at its right hand, and reaches forwards.
//!     motion Offer as "offer";
//!     limbs RHand = nao::RIGHT_HAND, Head = nao::HEAD;
//! }
//!
//! struct Offer;
//!
//! impl Motion for Offer {
//!     fn start() -> Offer {
//!         let place = [0.2, -0.1, 0.1]; // forwards, to the left, upwards: m from the torso
//!         let hand = RHand.reach(place).within(0.005).over(800.ms());
//!         Head.look_at(place).eased(Ease::Sine).over(800.ms());
//!         if !hand.is_reached() {
//!             say!("it is still ", hand.residual.distance, " m away");
//!         }
//!         Offer
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Offer>(nao());
//! stage.run_for(1.s());
//! let [x, y, z] = RHand.tip().into();
//! assert!(maths::hypot(maths::hypot(x - 0.2, y + 0.1), z - 0.1) < 0.005);
//! assert!(stage.log().is_empty());
//! stage.assert_nothing_clipped();
//! ```
//!
//! Ranges that depend on other joints, as that of a NAO's HeadPitch on its HeadYaw, are not known here: there the
//! runtime clips what is sent.
//!
//! A body is a [`Tree`]: a constant, which `dcm-run config links ROBOT` writes from a robot's description. That of a
//! NAO is in [`nao`]. All of the crate `kinematics` is here, too; its page says how it works and what it costs.

mod body_limb;
mod limb_chain;
mod limb_move;
pub mod nao;

pub use ::kinematics::{
    Effort, GOALS, Goal, GoalFault, GoalKind, IkRequest, Limb, LimbFault, Reachability, Residual,
    Rotation, Solution, Transform, Tree, TreeFault, TreeJoint, TreeLink, Twist, Vec3,
};
pub use body_limb::BodyLimb;
pub use limb_chain::LimbChain;
pub use limb_move::{LimbAnswer, LimbMove};
