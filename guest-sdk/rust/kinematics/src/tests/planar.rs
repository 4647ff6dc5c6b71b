//! Two links in a plane, whose answers have closed forms: reachable or not, how far off, and which angles.

use proptest::prelude::*;

use super::{Dice, OwnTree};
use crate::{Effort, Limb, Reachability, Transform, Tree, TreeJoint, TreeLink, Vec3};

const A: f64 = 0.3;
const B: f64 = 0.2;

proptest! {
    /// The tip of two links is in the ring between their difference and their sum; what is outside is as far away as
    /// the edge is.
    #[test]
    fn two_links_reach_a_ring_and_say_how_far_the_rest_is(seed: u64) {
        let mut dice = Dice(seed);
        let own = OwnTree::planar(&[A, B], 7.0);
        let tree = own.tree();
        let limb = Limb::<2>::to(&tree, "tip").expect("two links");
        let far = dice.between(0.001, 0.9);
        let angle = dice.between(-3.1, 3.1);
        let goal = Vec3::new(far * angle.cos(), far * angle.sin(), 0.0);
        let start = [dice.between(-3.0, 3.0), dice.between(-3.0, 3.0)];
        let solution = limb.reach(goal).within(1e-6).thoroughly().from(&start);
        let off = (far - (A + B)).max((A - B) - far).max(0.0);
        prop_assert!((solution.residual.distance - off).abs() < 2e-6, "{off} {solution:?}");
        if off > 2e-6 {
            prop_assert_eq!(solution.end, Reachability::Closest);
        } else if off == 0.0 {
            prop_assert_eq!(solution.end, Reachability::Reached);
            // The cosine law: the elbow's angle is the same on both sides.
            let elbow = ((far * far - A * A - B * B) / (2.0 * A * B)).clamp(-1.0, 1.0).acos();
            let off = solution.values()[1].cos() - elbow.cos();
            prop_assert!(off.abs() < 1e-4, "{off:e} {solution:?}");
        }
        // Nothing can be done about what is outside of the plane.
        let above = goal + Vec3::Z * 0.1;
        let solution = limb.reach(above).within(1e-6).thoroughly().from(&start);
        prop_assert!((solution.residual.distance - off.hypot(0.1)).abs() < 2e-6, "{off} {solution:?}");
    }
}

/// With an elbow that bends one way only, and not far, the nearest posture is often at a limit, and there may be
/// several that no small movement makes better. What is called the closest is always one of them, and nearly always
/// the best: against a search over all postures.
#[test]
fn limits_are_met_where_the_nearest_posture_is() {
    let (mut best, all) = (0, 400);
    for seed in 0..all {
        let mut dice = Dice(seed);
        let mut own = OwnTree::planar(&[A, B], 3.0);
        own.joints[0] = TreeJoint::new("", dice.between(-1.5, -0.2), dice.between(0.2, 1.5));
        own.joints[1] = TreeJoint::new("", dice.between(0.0, 0.5), dice.between(0.6, 2.5));
        let tree = own.tree();
        let limb = Limb::<2>::to(&tree, "tip").expect("two links");
        let goal = dice.vector(0.6);
        let cost = |a: f64, b: f64| {
            let (x, y) = (
                A * a.cos() + B * (a + b).cos(),
                A * a.sin() + B * (a + b).sin(),
            );
            (Vec3::new(x, y, 0.0) - goal).length()
        };
        let solution = limb.reach(goal).thoroughly().from(&[0.0, 0.3]);
        let [first, second] = solution.values().try_into().expect("two");
        assert!((cost(first, second) - solution.residual.distance).abs() < 1e-12);
        let slopes = [
            cost(first + 1e-6, second) - cost(first - 1e-6, second),
            cost(first, second + 1e-6) - cost(first, second - 1e-6),
        ];
        for ((joint, slope), value) in tree.joints.iter().zip(slopes).zip([first, second]) {
            let slope = slope / 2e-6;
            assert!(
                slope < 1e-5 || value <= joint.lowest,
                "{slope:e} {solution:?} {joint:?}"
            );
            assert!(
                slope > -1e-5 || value >= joint.highest,
                "{slope:e} {solution:?} {joint:?}"
            );
        }
        let mut nearest = f64::INFINITY;
        for step in 0..201 * 201 {
            let share = |joint: usize, step: i32| {
                let joint: &TreeJoint<'_> = &tree.joints[joint];
                joint.lowest + (joint.highest - joint.lowest) * f64::from(step) / 200.0
            };
            nearest = nearest.min(cost(share(0, step / 201), share(1, step % 201)));
        }
        best += u64::from(solution.residual.distance < nearest + 1e-4);
    }
    assert!(best * 100 >= all * 95, "{best} of {all}");
}

#[test]
fn a_slide_and_a_turn_reach_their_corners() {
    let links = [
        TreeLink {
            joint: Some(0),
            axis: Vec3::X,
            slides: true,
            ..TreeLink::PLAIN
        },
        TreeLink {
            parent: Some(0),
            joint: Some(1),
            ..TreeLink::PLAIN
        },
        TreeLink {
            name: "tip",
            parent: Some(1),
            origin: Transform::shift(0.1, 0.0, 0.0),
            ..TreeLink::PLAIN
        },
    ];
    let joints = [
        TreeJoint::new("slide", 0.0, 0.5),
        TreeJoint::new("turn", f64::NEG_INFINITY, f64::INFINITY),
    ];
    let tree = Tree {
        links: &links,
        joints: &joints,
    };
    assert_eq!(tree.fault(), None);
    let limb = Limb::<2>::to(&tree, "tip").expect("two links");
    let tight = Effort {
        within: 1e-9,
        ..Effort::USUAL
    };
    let solution = limb.reach([0.3, 0.1, 0.0]).effort(tight).from(&[0.0, 0.0]);
    assert!(solution.is_reached(), "{solution:?}");
    let [slid, turned] = solution.values().try_into().expect("two");
    // At its highest point, the tip is level to second order.
    assert!((slid - 0.3f64).abs() < 1e-4 && (turned - core::f64::consts::FRAC_PI_2).abs() < 1e-3);
    // Past the end of the slide: the nearest point is on the circle about it.
    let solution = limb.reach([0.9, 0.3, 0.0]).effort(tight).from(&[0.1, -1.0]);
    assert_eq!(solution.end, Reachability::Closest);
    assert!((solution.residual.distance - 0.4) < 1e-9, "{solution:?}");
    assert_eq!(solution.values()[0], 0.5);
    let off = solution.values()[1] - 0.3f64.atan2(0.4);
    // Without limits, a joint may have gone all the way round.
    assert!(off.sin().abs() < 1e-6 && off.cos() > 0.0, "{solution:?}");
}
