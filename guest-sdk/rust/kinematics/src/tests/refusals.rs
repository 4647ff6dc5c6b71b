//! What makes no sense is refused, whatever the numbers are; the steps are counted, and end; nothing is random.

use proptest::prelude::*;

use super::{Dice, NAO, SEVEN, SIX};
use crate::{Effort, GOALS, Goal, GoalFault, Limb, Reachability, Rotation, Vec3};

#[test]
fn requests_without_sense_are_refused() {
    let limb = Limb::<6>::to(&SIX, "tool").expect("an arm");
    let start = [0.1; 6];
    let fault = |request: crate::IkRequest<'_, '_, 6>| {
        let solution = request.from(&start);
        assert_eq!(solution.values(), start);
        assert!(!solution.is_reached() && solution.residual.distance == f64::INFINITY);
        solution.end
    };
    assert_eq!(
        fault(limb.request()),
        Reachability::Refused(GoalFault::None)
    );
    let mut many = limb.request();
    for _ in 0..=GOALS {
        many = many.and(Goal::point(limb.end, Vec3::ZERO));
    }
    assert_eq!(fault(many), Reachability::Refused(GoalFault::TooMany));
    let foreign = limb.reach([0.3, 0.0, 0.3]).and(Goal::point(0, Vec3::ZERO));
    assert_eq!(fault(foreign), Reachability::Refused(GoalFault::Foreign(1)));
    let foreign = limb.request().and(Goal::point(99, Vec3::ZERO));
    assert_eq!(fault(foreign), Reachability::Refused(GoalFault::Foreign(0)));
    let unsound = [
        limb.reach([f64::NAN, 0.0, 0.0]),
        limb.look_at([0.0, f64::INFINITY, 0.0]),
        limb.reach(Vec3::ZERO).weighing(-1.0),
        limb.reach(Vec3::ZERO).weighing(f64::NAN),
        limb.request().pointing(Vec3::ZERO, Vec3::X),
        limb.request().pointing(Vec3::X, Vec3::ZERO),
        limb.request().turned(Rotation::of_parts([0.0; 4])),
        limb.request()
            .and(Goal::plane(limb.end, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO)),
    ];
    for request in unsound {
        assert_eq!(fault(request), Reachability::Refused(GoalFault::Unsound(0)));
    }
    for within in [f64::NAN, -1.0] {
        let request = limb.reach(Vec3::ZERO).within(within);
        assert_eq!(fault(request), Reachability::Refused(GoalFault::Start));
    }
    let solution = limb.reach([0.3, 0.0, 0.3]).from(&[f64::NAN; 6]);
    assert_eq!(solution.end, Reachability::Refused(GoalFault::Start));
}

#[test]
fn a_start_outside_its_range_begins_at_the_limit() {
    let arm = Limb::<5>::to(&NAO, "right-hand").expect("an arm");
    let start = [9.0; 23];
    let solution = arm
        .reach([0.2, -0.1, 0.1])
        .effort(Effort {
            iterations: 0,
            ..Effort::USUAL
        })
        .from(&start);
    for (joint, value) in solution.joints() {
        assert_eq!(value, NAO.joints[joint].highest);
    }
    assert_eq!(solution.end, Reachability::Unfinished);
    // What has no value stands at 0.
    assert!(arm.reach([0.1, -0.15, 0.15]).from(&[]).is_reached());
}

#[test]
fn what_is_infinite_is_no_limit_and_no_exactness() {
    let limb = Limb::<8>::to(&SEVEN, "tool").expect("an arm");
    let request = limb.reach([0.3, 0.1, 0.4]);
    let solution = request.from_own(&[0.0; 8]);
    for range in [
        [f64::INFINITY; 2],
        [f64::NEG_INFINITY; 2],
        [f64::NAN; 2],
        [f64::INFINITY, f64::NEG_INFINITY],
    ] {
        let narrowed = request.clone().in_ranges([range; 8]);
        assert_eq!(narrowed.from_own(&[0.0; 8]), solution, "{range:?}");
    }
    for effort in [
        Effort {
            within: f64::INFINITY,
            ..Effort::USUAL
        },
        Effort {
            radian: f64::INFINITY,
            ..Effort::USUAL
        },
    ] {
        let solution = request.clone().effort(effort).from_own(&[0.0; 8]);
        assert_eq!(solution.end, Reachability::Refused(GoalFault::Start));
    }
}

proptest! {
    /// Numbers from the ends of what there is: no panic, no endless loop, no value outside, and a true answer.
    #[test]
    fn wild_numbers_do_no_harm(seed: u64) {
        let mut dice = Dice(seed);
        let limb = Limb::<8>::to(&SEVEN, "tool").expect("an arm");
        let sizes = [0.0, 1e-300, 1e-12, 1e-3, 1.0, 1e3, 1e9, 1e150, 1e300];
        let wild = |dice: &mut Dice| dice.between(-1.0, 1.0) * sizes[dice.below(9)];
        let at = Vec3::new(wild(&mut dice), wild(&mut dice), wild(&mut dice));
        let tip = Vec3::new(wild(&mut dice), wild(&mut dice), wild(&mut dice));
        let goals = [
            Goal::point_of(limb.end, tip, at),
            Goal::plane(limb.end, tip, at, Vec3::new(wild(&mut dice), 1.0, 0.0)),
            Goal::gaze(limb.end, tip, Vec3::X, at),
            Goal::direction(limb.end, Vec3::X, at).weighing(wild(&mut dice)),
        ];
        let start: [f64; 8] = [0; 8].map(|_| wild(&mut dice));
        let (within, radian) = (wild(&mut dice).abs(), wild(&mut dice).abs());
        let effort = Effort { within, radian, iterations: 60, ..Effort::USUAL };
        let request = limb.request().and(goals[dice.below(4)]).and(goals[dice.below(4)]);
        let request = request.effort(effort).prefer(&start);
        let solution = request.from(&start);
        prop_assert!(solution.iterations <= 60);
        if !matches!(solution.end, Reachability::Refused(_)) {
            for (joint, value) in solution.joints() {
                prop_assert!(value >= SEVEN.joints[joint].lowest && value <= SEVEN.joints[joint].highest);
            }
        }
        if solution.is_reached() {
            prop_assert!(solution.residual.distance <= effort.within);
            prop_assert!(solution.residual.angle <= effort.within_angle);
        }
        // Again, and again the same.
        prop_assert_eq!(std::format!("{solution:?}"), std::format!("{:?}", request.from(&start)));
    }

    #[test]
    fn the_steps_are_never_more_than_was_allowed(seed: u64, iterations in 0u32..40) {
        let mut dice = Dice(seed);
        let limb = Limb::<8>::to(&SEVEN, "tool").expect("an arm");
        let posture = dice.values(&SEVEN);
        let request = limb.reach(dice.vector(1.0)).turned(dice.turn()).prefer(&posture);
        let solution = request.effort(Effort { iterations, ..Effort::USUAL }).from(&posture);
        prop_assert!(solution.iterations <= iterations);
        prop_assert!(solution.iterations == iterations || solution.end != Reachability::Unfinished);
    }
}
