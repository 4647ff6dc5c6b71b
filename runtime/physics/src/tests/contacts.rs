//! Contacts, motors and stops, held against the textbook: friction on slopes, weights, levers and torques.

use std::vec;
use std::vec::Vec;

use crate::{
    Collider, DofModel, Ground, HeightField, JointModel, LinkModel, Model, ModelError,
    MotorCommand, Mount, PhysicsWorld, Shape, Surface, WorldSettings,
};
use kinematics::{Rotation, Transform, Vec3};

const GRAVITY: f64 = 9.81;
const HALF: Vec3 = Vec3::new(0.06, 0.05, 0.04);

/// The inertia of a solid box.
fn solid(mass: f64, half: Vec3) -> [f64; 6] {
    let part = |a: f64, b: f64| mass * (a * a + b * b) / 3.0;
    let diagonal = [
        part(half.y, half.z),
        part(half.x, half.z),
        part(half.x, half.y),
    ];
    [diagonal[0], diagonal[1], diagonal[2], 0.0, 0.0, 0.0]
}

fn free(name: &str, mass: f64, half: Vec3) -> LinkModel {
    LinkModel {
        name: name.into(),
        mount: Mount::Free,
        mass,
        center: Vec3::ZERO,
        inertia: solid(mass, half),
    }
}

fn collider(link: usize, shape: Shape) -> Collider {
    Collider {
        link,
        shape,
        meets_ground: true,
        meets_links: true,
        friction: 2.0,
    }
}

fn block(half: Vec3) -> Shape {
    Shape::Box {
        center: Vec3::ZERO,
        half,
    }
}

fn world(model: &Model, surface: Surface, friction: f64) -> PhysicsWorld {
    let settings = WorldSettings {
        step: 0.001,
        gravity: Vec3::new(0.0, 0.0, -GRAVITY),
        ground: Ground { surface, friction },
    };
    PhysicsWorld::new(model, settings).expect("a model")
}

fn run(world: &mut PhysicsWorld, steps: usize) {
    for _ in 0..steps {
        world.step().expect("finite");
    }
}

fn slope(degrees: f64) -> (Vec3, Rotation) {
    let turn = Rotation::about(Vec3::Y, degrees.to_radians());
    (turn.turn(Vec3::Z), turn)
}

#[test]
fn a_box_slides_down_a_slope_as_the_textbook_says() {
    let model = Model {
        links: vec![free("box", 1.0, HALF)],
        colliders: vec![collider(0, block(HALF))],
        ..Model::default()
    };
    // A friction of 0.4 holds up to 21.8°.
    for (degrees, friction) in [
        (10.0, 0.4),
        (21.0, 0.4),
        (23.0, 0.4),
        (35.0, 0.4),
        (20.0, 0.0),
    ] {
        let (normal, turn) = slope(degrees);
        let mut world = world(&model, Surface::slope(normal), friction);
        // It starts where the contact carries its weight, so that it does not fall first.
        world.place_free_link(0, Transform::new(normal * (HALF.z - 6e-6), turn));
        run(&mut world, 500);
        let way = turn.inverse().turn(world.point(0, Vec3::ZERO)).x;
        let angle = f64::to_radians(degrees);
        let pull = GRAVITY * (angle.sin() - friction * angle.cos());
        let wanted = 0.5 * pull.max(0.0) * 0.25;
        assert!(
            (way - wanted).abs() < 0.002 + 0.03 * wanted,
            "{degrees}°, {friction}: {way} m, not {wanted}"
        );
    }
}

#[test]
fn what_stands_on_the_ground_weighs_what_it_weighs() {
    let wheel = Shape::Wheel {
        center: Vec3::ZERO,
        axle: Vec3::Y,
        radius: 0.04,
        half_width: 0.02,
    };
    let ball = Shape::Capsule {
        from: Vec3::ZERO,
        to: Vec3::ZERO,
        radius: 0.04,
    };
    let rod = Shape::Capsule {
        from: Vec3::new(-0.1, 0.0, 0.0),
        to: Vec3::new(0.1, 0.0, 0.0),
        radius: 0.04,
    };
    let flat = HeightField {
        origin: (-1.0, -1.0),
        spacing: 0.25,
        columns: 9,
        heights: vec![0.0; 81],
    };
    let plate = Shape::Hull {
        corners: [(0.06, 0.05), (0.06, -0.05), (-0.06, 0.0)]
            .map(|(x, y)| Vec3::new(x, y, -0.04))
            .to_vec(),
    };
    for shape in [block(HALF), wheel, ball, rod, plate] {
        for surface in [Surface::slope(Vec3::Z), Surface::Heights(flat.clone())] {
            let model = Model {
                links: vec![free("body", 1.5, HALF)],
                colliders: vec![collider(0, shape.clone())],
                ..Model::default()
            };
            let mut world = world(&model, surface, 0.8);
            world.place_free_link(0, Transform::shift(0.03, 0.07, 0.045));
            run(&mut world, 2000);
            let force: f64 = world.contacts().map(|contact| contact.force.z).sum();
            assert!((force - 1.5 * GRAVITY).abs() < 1e-4, "{shape:?}: {force} N");
            let height = world.point(0, Vec3::ZERO).z;
            assert!((height - 0.04).abs() < 1e-4, "{shape:?}: {height} m");
        }
    }
}

#[test]
fn a_field_of_heights_is_the_plane_through_its_points_and_level_beyond_them() {
    let (normal, turn) = slope(15.0);
    // Over x and y the plane has these heights.
    let height = |x: f64, y: f64| -(normal.x * x + normal.y * y) / normal.z;
    let place = |index: usize| index as f64 * 0.1 - 1.0;
    let heights = (0..441).map(|index| height(place(index % 21), place(index / 21)));
    let field = HeightField {
        origin: (-1.0, -1.0),
        spacing: 0.1,
        columns: 21,
        heights: heights.collect(),
    };
    let model = Model {
        links: vec![free("box", 1.0, HALF)],
        colliders: vec![collider(0, block(HALF))],
        ..Model::default()
    };
    let mut ends = Vec::new();
    for surface in [Surface::slope(normal), Surface::Heights(field.clone())] {
        let mut world = world(&model, surface, 0.2);
        world.place_free_link(0, Transform::new(normal * (HALF.z + 0.002), turn));
        run(&mut world, 400);
        ends.push(world.point(0, HALF));
    }
    assert!((ends[0] - ends[1]).length() < 1e-6, "{ends:?}");
    assert!(ends[0].x > 0.02, "it slides");
    let mut level = world(&model, Surface::Heights(field), 0.0);
    let edge = height(1.0, 0.0);
    level.place_free_link(0, Transform::shift(3.0, 0.0, edge + HALF.z + 0.001));
    run(&mut level, 500);
    assert!((level.point(0, Vec3::ZERO).x - 3.0).abs() < 1e-6);
}

#[test]
fn a_wheel_rolls_and_a_lying_one_stays() {
    let wheel = Shape::Wheel {
        center: Vec3::ZERO,
        axle: Vec3::Y,
        radius: 0.05,
        half_width: 0.01,
    };
    let mass = 0.5;
    let (across, along) = (0.5 * mass * 0.0025, 0.25 * mass * 0.0025);
    let model = Model {
        links: vec![LinkModel {
            inertia: [along, across, along, 0.0, 0.0, 0.0],
            ..free("wheel", mass, HALF)
        }],
        colliders: vec![collider(0, wheel)],
        ..Model::default()
    };
    let (normal, turn) = slope(10.0);
    let mut rolling = world(&model, Surface::slope(normal), 0.8);
    rolling.place_free_link(0, Transform::new(normal * 0.05, turn));
    run(&mut rolling, 500);
    let way = turn.inverse().turn(rolling.point(0, Vec3::ZERO)).x;
    // A disc that rolls has two thirds of the acceleration of one that slides freely.
    let wanted = 0.5 * 0.25 * GRAVITY * f64::to_radians(10.0).sin() * 2.0 / 3.0;
    assert!(
        (way - wanted).abs() < 0.02 * wanted,
        "{way} m, not {wanted}"
    );
    let mut lying = world(&model, Surface::slope(Vec3::Z), 0.8);
    let side = Rotation::about(Vec3::X, core::f64::consts::FRAC_PI_2);
    lying.place_free_link(0, Transform::new(Vec3::new(0.0, 0.0, 0.012), side));
    run(&mut lying, 1000);
    let height = lying.point(0, Vec3::ZERO).z;
    assert!((height - 0.01).abs() < 1e-4, "{height} m");
}

#[test]
fn bodies_rest_on_bodies() {
    let rod = Shape::Capsule {
        from: Vec3::new(-0.05, 0.0, 0.0),
        to: Vec3::new(0.05, 0.0, 0.0),
        radius: 0.02,
    };
    let table = LinkModel {
        mount: Mount::Fixed(Transform::shift(0.0, 0.0, 0.2)),
        ..free("table", 1.0, HALF)
    };
    let top = Vec3::new(0.3, 0.3, 0.05);
    let model = Model {
        links: vec![
            table,
            free("rod", 0.3, Vec3::new(0.05, 0.02, 0.02)),
            free("box", 0.5, HALF),
            free("upper box", 0.25, HALF),
        ],
        colliders: vec![
            collider(0, block(top)),
            collider(1, rod),
            collider(2, block(HALF)),
            collider(3, block(HALF * 0.5)),
        ],
        ..Model::default()
    };
    let mut world = world(&model, Surface::slope(Vec3::Z), 0.8);
    world.place_free_link(0, Transform::shift(0.2, 0.0, 0.275));
    world.place_free_link(1, Transform::shift(-0.1, 0.0, 0.295));
    world.place_free_link(2, Transform::shift(-0.1, 0.0, 0.36));
    run(&mut world, 3000);
    let height = |link: usize| world.point(link, Vec3::ZERO).z;
    for (link, wanted) in [(1, 0.27), (2, 0.29), (3, 0.35)] {
        let height = height(link);
        assert!((height - wanted).abs() < 3e-4, "{link}: {height} m");
    }
    // The lower box carries the upper one.
    let force = |under: usize, over: usize| -> f64 {
        let between = world.contacts().filter(|contact| {
            (contact.under, contact.over) == (Some(under), over)
                || (contact.under, contact.over) == (Some(over), under)
        });
        between.map(|contact| contact.force.z.abs()).sum()
    };
    assert!((force(0, 1) - 0.3 * GRAVITY).abs() < 1e-3);
    assert!((force(0, 2) - 0.75 * GRAVITY).abs() < 1e-3);
    assert!((force(2, 3) - 0.25 * GRAVITY).abs() < 1e-3);
}

#[test]
fn a_rod_lies_across_another() {
    let along = |axis: Vec3| Shape::Capsule {
        from: axis * -0.1,
        to: axis * 0.1,
        radius: 0.02,
    };
    let model = Model {
        links: vec![
            LinkModel {
                mount: Mount::Fixed(Transform::shift(0.0, 0.0, 0.3)),
                ..free("bar", 1.0, HALF)
            },
            free("rod", 0.5, HALF),
        ],
        colliders: vec![collider(0, along(Vec3::Y)), collider(1, along(Vec3::X))],
        ..Model::default()
    };
    let mut world = world(&model, Surface::None, 0.0);
    world.place_free_link(0, Transform::shift(0.0, 0.0, 0.341));
    run(&mut world, 500);
    let contacts: Vec<_> = world.contacts().collect();
    assert_eq!(contacts.len(), 1);
    assert!((contacts[0].force.z.abs() - 0.5 * GRAVITY).abs() < 1e-3);
    let height = world.point(1, Vec3::ZERO).z;
    assert!((height - 0.34).abs() < 1e-4, "{height} m");
}

fn arm() -> Model {
    let lever = LinkModel {
        name: "arm".into(),
        mount: Mount::On {
            parent: 0,
            placement: Transform::NONE,
            joint: Some(JointModel {
                dof: 0,
                axis: Vec3::Y,
                slides: false,
                ratio: 1.0,
                offset: 0.0,
            }),
        },
        mass: 1.0,
        center: Vec3::new(0.2, 0.0, 0.0),
        inertia: [0.001, 0.002, 0.002, 0.0, 0.0, 0.0],
    };
    Model {
        links: vec![
            LinkModel {
                mount: Mount::Fixed(Transform::NONE),
                ..free("stand", 1.0, HALF)
            },
            lever,
        ],
        dofs: vec![DofModel {
            name: "shoulder".into(),
            stops: Some((-1.0, 1.2)),
            armature: 0.01,
            damping: 0.0,
            friction: 0.0,
        }],
        ..Model::default()
    }
}

#[test]
fn a_motor_carries_what_its_torque_can_carry() {
    let level = Surface::None;
    let weight = 0.2 * GRAVITY;
    let command = |torque: f64| MotorCommand {
        target: 0.0,
        stiffness: 100.0,
        speed: 0.0,
        damping: 3.0,
        torques: (-torque, torque),
    };
    let mut strong = world(&arm(), level.clone(), 0.0);
    strong.command_motor(0, command(5.0));
    run(&mut strong, 3000);
    let (sag, speed) = strong.joint(0);
    // It sags until the spring carries the weight: stiffness × error = weight × cos(error).
    assert!((100.0 * sag - weight * sag.cos()).abs() < 1e-6, "{sag}");
    assert!(speed.abs() < 1e-6);
    assert!((strong.motor_torque(0) + weight * sag.cos()).abs() < 1e-6);
    // With less torque than the weight takes, it sinks past the place where its lever is short enough.
    let mut weak = world(&arm(), level.clone(), 0.0);
    weak.command_motor(0, command(1.0));
    let mut lowest = 0.0_f64;
    for _ in 0..1000 {
        run(&mut weak, 1);
        lowest = lowest.max(weak.joint(0).0);
    }
    assert!(lowest > f64::acos(1.0 / weight), "{lowest}");
    // Without any, it hangs in the stop, which gives way a little.
    let mut limp = world(&arm(), level, 0.0);
    run(&mut limp, 5000);
    let (position, _) = limp.joint(0);
    assert!((1.2..1.205).contains(&position), "{position}");
    assert_eq!(limp.motor_torque(0), 0.0);
}

#[test]
fn dry_friction_holds_what_it_can() {
    let weight = 0.2 * GRAVITY;
    for (friction, holds) in [(1.02 * weight, true), (0.98 * weight, false)] {
        let mut model = arm();
        model.dofs[0].friction = friction;
        let mut world = world(&model, Surface::None, 0.0);
        run(&mut world, 2000);
        let moved = world.joint(0).0.abs() > 0.01;
        assert_eq!(moved, !holds, "{}", world.joint(0).0);
    }
}

#[test]
fn a_push_moves_a_body_as_its_mass_lets_it() {
    let model = Model {
        links: vec![free("box", 2.0, HALF)],
        ..Model::default()
    };
    let mut world = world(&model, Surface::None, 0.0);
    world.push(0, Vec3::new(6.0, 0.0, 2.0 * GRAVITY));
    run(&mut world, 100);
    world.push(0, Vec3::ZERO);
    let velocity = world.motion(0, Vec3::ZERO).velocity;
    assert!((velocity - Vec3::new(0.3, 0.0, 0.0)).length() < 1e-9);
}

#[test]
fn a_model_that_no_world_can_have_is_refused_by_name() {
    type Change = fn(&mut Model);
    let changes: [(Change, ModelError); 8] = [
        (|m| m.links[1].mass = 0.0, ModelError::Mass("arm".into())),
        (
            |m| m.links[1].inertia[0] = 0.01,
            ModelError::Inertia("arm".into()),
        ),
        (
            |m| m.links[1].inertia[3] = 0.01,
            ModelError::Inertia("arm".into()),
        ),
        (
            |m| m.links[1].center.x = f64::NAN,
            ModelError::Number("arm".into()),
        ),
        (
            |m| m.dofs[0].stops = Some((1.0, -1.0)),
            ModelError::Dof("shoulder".into()),
        ),
        (
            |m| m.dofs.push(m.dofs[0].clone()),
            ModelError::Unused("shoulder".into()),
        ),
        (|m| m.links.swap(0, 1), ModelError::Parent("arm".into())),
        (
            |m| {
                m.colliders.push(collider(1, block(Vec3::ZERO)));
            },
            ModelError::Shape("arm".into()),
        ),
    ];
    for (change, wanted) in changes {
        let mut model = arm();
        change(&mut model);
        assert_eq!(model.check(), Err(wanted));
    }
}
