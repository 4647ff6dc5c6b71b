//! What a limb is made of: a table, a link of it, and the point and the axis of that link that matter. A constant, from
//! which a cast makes a limb: `limbs RHand = nao::RIGHT_HAND;`.
//! What is wrong with it is found when the choreography is compiled.

use ::kinematics::{Limb, LimbFault, Tree, Vec3};

/// The joints between the root of a body and one of its links.
///
/// ```
/// use choreography::kinematics::{BodyLimb, LimbChain, nao};
///
/// const FINGERTIP: LimbChain = LimbChain::to(nao::NAO, "right-hand").with_tip([0.11, 0.0, 0.0]);
/// static RFinger: BodyLimb<{ FINGERTIP.size() }> = BodyLimb::new(FINGERTIP);
/// assert_eq!(RFinger.joint_count(), 5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LimbChain {
    tree: Tree<'static>,
    end: usize,
    tip: Vec3,
    sight: Vec3,
}

impl LimbChain {
    /// The chain to the link with this name.
    ///
    /// # Panics
    /// The table has a fault or no such link, or no joint moves it. Write it as a constant: then this is an error of
    /// the compiler, and cannot happen in a turn.
    pub const fn to(tree: Tree<'static>, link: &str) -> LimbChain {
        assert!(tree.fault().is_none(), "this table has a fault");
        let Some(end) = tree.link(link) else {
            panic!("the table has no link of this name");
        };
        let chain = LimbChain {
            tree,
            end,
            tip: Vec3::ZERO,
            sight: Vec3::X,
        };
        assert!(chain.size() > 0, "no joint moves this link");
        chain
    }

    /// With the point that is brought to a place, in the frame of the link, m: between the fingers, or in the camera.
    #[must_use]
    pub const fn with_tip(self, [x, y, z]: [f64; 3]) -> LimbChain {
        let tip = Vec3::new(x, y, z);
        assert!(tip.is_finite(), "a point is three numbers");
        LimbChain { tip, ..self }
    }

    /// With the axis that is pointed at a place, in the frame of the link, of length 1. Otherwise it is the x axis.
    ///
    /// # Panics
    /// Its length is not 1.
    #[must_use]
    pub const fn looking_along(self, [x, y, z]: [f64; 3]) -> LimbChain {
        let sight = Vec3::new(x, y, z);
        let off = sight.dot(sight) - 1.0;
        assert!(off > -1e-6 && off < 1e-6, "an axis has the length 1");
        LimbChain { sight, ..self }
    }

    /// For how many joints a limb of it needs room.
    pub const fn size(&self) -> usize {
        match Limb::<0>::of(&self.tree, &[self.end]) {
            Err(LimbFault::TooMany(count)) => count,
            _ => 0,
        }
    }

    /// The limb, without actuators.
    ///
    /// # Panics
    /// `N` is less than [`LimbChain::size`].
    pub const fn limb<const N: usize>(&self) -> Limb<'static, N> {
        match Limb::of(&self.tree, &[self.end]) {
            Ok(limb) => limb.with_tip_and_sight(self.tip, self.sight),
            Err(_) => panic!("this limb needs room for more joints"),
        }
    }
}
