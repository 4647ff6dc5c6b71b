//! What stands and lies in the way of a simulated body: it is stopped, it pushes, it carries, and its bumpers are
//! pressed.

use cycle::{CommandSet, Merge, Request, Span, To};
use drivers::sim::{BOXES_MAX, BodyStart, EventError, STEPS_MAX, SimEvent};
use kinematics::Vec3;

use super::body::{Heavy, with_heavy};

/// Where the first link is.
fn place(body: &Heavy<'_, '_, '_>) -> Vec3 {
    let sim = body.sim.borrow();
    sim.physics().expect("physics").point(0, Vec3::ZERO)
}

/// What the ground carries, N.
fn carried(body: &Heavy<'_, '_, '_>) -> f64 {
    let sim = body.sim.borrow();
    let contacts = sim.physics().expect("physics").contacts();
    let on_ground = contacts.filter(|contact| contact.under.is_none());
    on_ground.map(|contact| contact.force.z).sum()
}

fn drive(body: &mut Heavy<'_, '_, '_>, speed: f64, seconds: f64) {
    let lane = body.cycle.stage().open(body.robot.lane).expect("a lane");
    let at = body.cycle.stage().now() + Span::from_millis(500);
    for wheel in ["LeftWheel", "RightWheel"] {
        let request = Request {
            to: To::One(body.robot.actuator(wheel).expect("a wheel")),
            merge: Merge::ClearAll,
            commands: CommandSet::Separate {
                times: &[at],
                values: &[speed],
            },
        };
        body.cycle.stage().submit(lane, &request).expect("taken");
    }
    body.run(seconds);
}

fn fixed(edges: [f64; 3], ahead: f64) -> SimEvent {
    SimEvent::PutBox {
        edges,
        mass: None,
        at: [ahead, 0.0],
    }
}

#[test]
fn a_car_stops_at_a_wall_and_its_bumpers_are_pressed() {
    with_heavy("wheels", BodyStart::Standing, |car| {
        car.do_to_body(fixed([0.1, 0.5, 0.3], 0.5));
        assert_eq!(car.get("Bumper/Left"), 0.0);
        drive(car, 5.0, 6.0);
        // The wall is 45 cm ahead, and the chassis reaches 10.5 cm ahead.
        let x = place(car).x;
        assert!((x - 0.345).abs() < 0.01, "{x}");
        assert_eq!(
            (car.get("Bumper/Left"), car.get("Bumper/Right")),
            (1.0, 1.0)
        );
        car.do_to_body(SimEvent::EmptyFloor);
        car.run(1.0);
        assert!(place(car).x > x + 0.05);
        assert_eq!(car.get("Bumper/Left"), 0.0);
        // A hand may press a bumper, too.
        let sensor = usize::from(car.robot.sensor("Bumper/Left").expect("a bumper").0);
        car.do_to_body(SimEvent::Give { sensor, value: 1.0 });
        car.run(0.1);
        assert_eq!(car.get("Bumper/Left"), 1.0);
    });
}

#[test]
fn a_car_pushes_a_light_box_and_its_wheels_climb_a_low_step() {
    with_heavy("wheels", BodyStart::Standing, |car| {
        car.do_to_body(SimEvent::PutBox {
            edges: [0.1, 0.2, 0.1],
            mass: Some(0.1),
            at: [0.3, 0.0],
        });
        drive(car, 5.0, 4.0);
        let box_at = car
            .sim
            .borrow()
            .physics()
            .expect("physics")
            .free_link(1)
            .at
            .x;
        let x = place(car).x;
        assert!(
            x > 0.4 && (box_at - x - 0.155).abs() < 0.02,
            "{x} and {box_at}"
        );
        car.do_to_body(SimEvent::EmptyFloor);
        let before = place(car);
        car.do_to_body(SimEvent::BuildSteps {
            count: 1,
            height: 0.005,
            depth: 0.3,
            gap: 0.05,
        });
        car.run(4.0);
        let after = place(car);
        // Its wheels climb; its caster is a point, and stops at the riser.
        let caster_stops = before.x + 0.105 + 0.05 + 0.07;
        assert!(
            (after.x - caster_stops).abs() < 0.01,
            "{before:?} and {after:?}"
        );
        assert!(after.z - before.z > 0.002, "{before:?} and {after:?}");
    });
}

/// A box that is put where the body is lies on it, and its weight comes through the feet to the floor.
#[test]
fn a_body_carries_a_box() {
    with_heavy("aibo-ers7", BodyStart::Standing, |aibo| {
        let stand = aibo.robot.pose("stand").expect("a pose").to_vec();
        aibo.take_pose(&stand);
        let before = carried(aibo);
        aibo.do_to_body(SimEvent::PutBox {
            edges: [0.1, 0.1, 0.02],
            mass: Some(0.2),
            at: [0.0, 0.0],
        });
        aibo.run(5.0);
        let more = carried(aibo) - before;
        assert!((more - 0.2 * 9.81).abs() < 0.02, "{more} N");
        let height = aibo
            .sim
            .borrow()
            .physics()
            .expect("physics")
            .free_link(1)
            .at
            .z;
        assert!(height > place(aibo).z, "{height}");
    });
}

/// A NAO that falls over a step lies on it, and no part of it is inside.
#[test]
fn a_nao_falls_onto_a_step() {
    with_heavy("nao", BodyStart::Standing, |nao| {
        nao.do_to_body(SimEvent::BuildSteps {
            count: 2,
            height: 0.05,
            depth: 0.15,
            gap: 0.02,
        });
        nao.push("torso", [60.0, 0.0, 0.0], 300);
        nao.run(4.0);
        assert!(nao.upright() < 0.7);
        let sim = nao.sim.borrow();
        let contacts = sim.physics().expect("physics").contacts();
        let on_steps: Vec<_> = contacts.filter(|contact| contact.under.is_some()).collect();
        assert!(on_steps.iter().any(|contact| contact.force.z > 1.0));
        let deepest = on_steps
            .iter()
            .map(|contact| contact.depth)
            .fold(0.0, f64::max);
        assert!(deepest < 0.01, "{deepest}");
    });
}

#[test]
fn the_floor_is_full_at_its_limits() {
    with_heavy("nao", BodyStart::Held, |nao| {
        let loose = |ahead: f64| SimEvent::PutBox {
            edges: [0.05; 3],
            mass: Some(1.0),
            at: [ahead, 1.0],
        };
        for number in 0..BOXES_MAX {
            nao.do_to_body(loose(0.2 * number as f64));
        }
        for number in 0..STEPS_MAX {
            nao.do_to_body(fixed([0.05; 3], 1.0 + 0.1 * number as f64));
        }
        let apply = |event| nao.sim.borrow_mut().apply(event);
        let steps = SimEvent::BuildSteps {
            count: 1,
            height: 0.02,
            depth: 0.1,
            gap: 0.0,
        };
        for event in [loose(3.0), fixed([0.05; 3], 4.0), steps] {
            assert_eq!(apply(event), Err(EventError::Full), "{event:?}");
        }
        assert_eq!(apply(SimEvent::EmptyFloor), Ok(()));
        assert_eq!(apply(steps), Ok(()));
        // Nor are some of the steps built if not all of them fit.
        let many = |count| SimEvent::BuildSteps {
            count,
            height: 0.02,
            depth: 0.1,
            gap: 0.0,
        };
        assert_eq!(apply(many(STEPS_MAX as u8)), Err(EventError::Full));
        assert_eq!(apply(many(STEPS_MAX as u8 - 1)), Ok(()));
    });
}

/// A bumper is pressed on its own side alone, and steps are not built through a box.
#[test]
fn a_car_meets_a_post_on_one_side() {
    with_heavy("wheels", BodyStart::Standing, |car| {
        let post = |left: f64| SimEvent::PutBox {
            edges: [0.02, 0.02, 0.3],
            mass: None,
            at: [0.4, left],
        };
        car.do_to_body(post(0.025));
        drive(car, 5.0, 0.0);
        let (mut left, mut right) = (0.0, 0.0);
        for _ in 0..240 {
            car.run(0.02);
            left = f64::max(left, car.get("Bumper/Left"));
            right = f64::max(right, car.get("Bumper/Right"));
        }
        assert_eq!((left, right), (1.0, 0.0));
        let steps = SimEvent::BuildSteps {
            count: 2,
            height: 0.3,
            depth: 0.2,
            gap: 0.2,
        };
        car.do_to_body(SimEvent::EmptyFloor);
        car.do_to_body(fixed([0.1, 0.1, 0.1], 0.5));
        assert_eq!(car.sim.borrow_mut().apply(steps), Err(EventError::Occupied));
    });
}
