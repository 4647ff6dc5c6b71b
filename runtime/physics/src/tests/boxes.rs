//! Boxes that are added to a world, and what stands, rolls and falls on them.

use std::vec;
use std::vec::Vec;

use crate::{
    BoxModel, BoxesFull, Collider, Ground, LinkModel, Model, Mount, PhysicsWorld, Shape,
    WorldSettings,
};
use kinematics::{Rotation, Transform, Vec3};

const GRAVITY: f64 = 9.81;

fn free(mass: f64) -> LinkModel {
    LinkModel {
        name: "body".into(),
        mount: Mount::Free,
        mass,
        center: Vec3::ZERO,
        inertia: [0.002, 0.002, 0.002, 0.0, 0.0, 0.0],
    }
}

/// A body of 1 kg with this shape, and room for boxes.
fn world(shape: Shape) -> PhysicsWorld {
    let model = Model {
        links: vec![free(1.0)],
        colliders: vec![Collider {
            link: 0,
            shape,
            meets_ground: true,
            meets_links: false,
            friction: 0.8,
        }],
        ..Model::default()
    };
    let settings = WorldSettings {
        step: 0.002,
        gravity: Vec3::new(0.0, 0.0, -GRAVITY),
        ground: Ground::level(0.8),
    };
    let mut world = PhysicsWorld::new(&model, settings).expect("a model");
    world.reserve_boxes(8, 8);
    world
}

fn run(world: &mut PhysicsWorld, steps: usize) {
    for _ in 0..steps {
        world.step().expect("finite");
    }
}

fn still(half: Vec3) -> BoxModel {
    BoxModel {
        half,
        mass: None,
        friction: 0.8,
    }
}

fn at(x: f64, y: f64, z: f64) -> Transform {
    Transform::shift(x, y, z)
}

/// A sole, 0.2 m long and 0.1 m wide, whose corners do not go around it.
fn sole() -> Shape {
    Shape::Hull {
        corners: [(0.1, 0.05), (-0.1, -0.05), (0.1, -0.05), (-0.1, 0.05)]
            .map(|(x, y)| Vec3::new(x, y, 0.0))
            .into(),
    }
}

/// A sole that juts out over the edge of a step stands while its centre of mass is above the step, and tips over the
/// edge otherwise; what carries it is within the step.
#[test]
fn a_sole_stands_on_the_edge_of_a_step() {
    for (beyond, stands) in [(-0.03, true), (-0.01, true), (0.01, false), (0.04, false)] {
        let mut world = world(sole());
        let step = still(Vec3::new(0.5, 0.5, 0.1));
        world.add_box(step, at(0.5, 0.0, 0.1)).expect("room");
        world.place_free_link(0, at(-beyond, 0.0, 0.2));
        run(&mut world, 500);
        let tilt = world.direction(0, Vec3::Z).z;
        assert_eq!(tilt > 0.999, stands, "{beyond}: {tilt}");
        if stands {
            let weight: f64 = world.contacts().map(|contact| contact.force.z).sum();
            assert!((weight - GRAVITY).abs() < 1e-3, "{beyond}: {weight}");
            let within = |x: f64| (-1e-6..=0.1 - beyond + 1e-3).contains(&x);
            assert!(world.contacts().all(|contact| within(contact.point.x)));
        }
    }
}

/// A sole that is larger than the box under it stands on the box's corners.
#[test]
fn a_sole_stands_on_a_small_box() {
    let mut world = world(sole());
    let small = Vec3::new(0.03, 0.02, 0.04);
    world
        .add_box(still(small), at(0.01, 0.0, 0.04))
        .expect("room");
    world.place_free_link(0, at(0.0, 0.0, 0.08));
    run(&mut world, 500);
    assert!(world.direction(0, Vec3::Z).z > 0.9999);
    assert!((world.point(0, Vec3::ZERO).z - 0.08).abs() < 1e-3);
    assert_eq!(world.contacts().count(), 4);
}

/// A foot that slides against a box on the floor is stopped by its side, and stays on the floor: it has sunk in by a
/// few micrometres, and is not below the box.
#[test]
fn a_box_stops_what_slides_against_it() {
    let Shape::Hull { corners } = sole() else {
        panic!("a sole is a hull");
    };
    let below = corners.into_iter().map(|corner| corner - Vec3::Z * 0.04);
    let mut world = world(Shape::Hull {
        corners: below.collect(),
    });
    world.place_free_link(0, at(0.0, 0.0, 0.04));
    let half = Vec3::new(0.2, 0.5, 0.05);
    world
        .add_box(still(half), at(0.35, 0.0, 0.05))
        .expect("room");
    run(&mut world, 50);
    for _ in 0..1000 {
        world.push(0, Vec3::new(9.0, 0.0, 0.0));
        world.step().expect("finite");
        let corner = world.point(0, Vec3::new(0.1, 0.0, -0.04));
        assert!(corner.z.abs() < 1e-3, "{corner:?}");
        for contact in world.contacts().filter(|contact| contact.under.is_some()) {
            assert!(
                contact.force.x <= 1e-9 && contact.force.z.abs() <= 0.81 * contact.force.x.abs()
            );
        }
    }
    let front = world.point(0, Vec3::X * 0.1).x;
    assert!((front - 0.15).abs() < 0.001, "{front}");
    let of_box = world.contacts().filter(|contact| contact.under.is_some());
    let pushed: f64 = of_box.map(|contact| contact.force.x).sum();
    assert!(pushed < -1.0, "{pushed}");
}

/// A wheel that is driven climbs a step of a quarter of its radius, and not one that is as high as its axle.
#[test]
fn a_wheel_climbs_a_low_step() {
    for (height, climbs) in [(0.01, true), (0.08, false)] {
        let wheel = Shape::Wheel {
            center: Vec3::ZERO,
            axle: Vec3::Y,
            radius: 0.04,
            half_width: 0.03,
        };
        let mut world = world(wheel);
        let half = Vec3::new(0.5, 0.5, 0.5 * height);
        world
            .add_box(still(half), at(0.7, 0.0, 0.5 * height))
            .expect("room");
        world.place_free_link(0, at(0.0, 0.0, 0.04));
        world.push(0, Vec3::new(8.0, 0.0, 0.0));
        run(&mut world, 350);
        let Vec3 { x, z, .. } = world.point(0, Vec3::ZERO);
        assert_eq!(x > 0.25, climbs, "{height}: {x}");
        let wanted = if climbs { height + 0.04 } else { 0.04 };
        assert!(climbs || (z - wanted).abs() < 0.02, "{height}: {z}");
    }
}

/// Boxes that fall onto each other any way pile up: the floor carries their weight, and no corner of one
/// is inside another.
#[test]
fn boxes_pile_up() {
    let mut random = fastrand::Rng::with_seed(11);
    for round in 0..20 {
        let mut world = world(sole());
        world.place_free_link(0, at(5.0, 0.0, 0.0));
        let (mut weight, mut halves) = (GRAVITY, vec![]);
        for number in 0..6 {
            let mut size = || 0.03 + 0.05 * random.f64();
            let half = Vec3::new(size(), size(), size());
            let mass = 2000.0 * half.x * half.y * half.z;
            let axis = Vec3::new(size(), size(), size() - 0.05).unit();
            let turn = Rotation::about(axis, 50.0 * size());
            let place = Vec3::new(size() - 0.05, size() - 0.05, 0.1 + 0.25 * f64::from(number));
            let model = BoxModel {
                half,
                mass: Some(mass),
                friction: 0.8,
            };
            world
                .add_box(model, Transform::new(place, turn))
                .expect("room");
            weight += mass * GRAVITY;
            halves.push(half);
        }
        run(&mut world, 3000);
        let carried: f64 = world
            .contacts()
            .filter(|contact| contact.under.is_none())
            .map(|contact| contact.force.z)
            .sum();
        let error = (carried / weight - 1.0).abs();
        assert!(error < 0.05, "{round}: {carried} N of {weight} N");
        let poses: Vec<_> = (1..=6).map(|number| world.free_link(number)).collect();
        for (one, half) in poses.iter().zip(&halves) {
            for (other, room) in poses.iter().zip(&halves) {
                for corner in 0..8 {
                    let sign = |bit: u8| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                    let corner = Vec3::new(half.x * sign(0), half.y * sign(1), half.z * sign(2));
                    let seen = other.inverse().point(one.point(corner));
                    let depths = [
                        room.x - seen.x.abs(),
                        room.y - seen.y.abs(),
                        room.z - seen.z.abs(),
                    ];
                    let depth = depths.into_iter().fold(f64::INFINITY, f64::min);
                    assert!(one == other || depth < 0.002, "{round}: {depth} m");
                }
            }
        }
    }
}

/// A world whose boxes were taken away computes what one computes that never had any, to the last bit.
#[test]
fn a_world_forgets_its_boxes() {
    let states = [false, true].map(|had_boxes| {
        let mut world = world(sole());
        world.place_free_link(0, at(0.0, 0.0, 0.05));
        if had_boxes {
            for number in 0..8 {
                let model = BoxModel {
                    mass: Some(0.2),
                    ..still(Vec3::new(0.05, 0.05, 0.05))
                };
                let place = at(1.0 + f64::from(number), 0.0, 0.05);
                world.add_box(model, place).expect("room");
                world
                    .add_box(still(model.half), place * at(0.0, 1.0, 0.0))
                    .expect("room");
            }
            let model = still(Vec3::X);
            assert_eq!(world.add_box(model, at(0.0, 3.0, 0.0)), Err(BoxesFull));
            world.clear_boxes();
        }
        run(&mut world, 300);
        let mut state = vec![0.0; world.state_len()];
        world.write_state(&mut state);
        state
    });
    assert_eq!(states[0], states[1]);
}
