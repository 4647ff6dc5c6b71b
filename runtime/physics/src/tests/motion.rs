//! Motion without contacts, held against equations that do not come from this crate: a double pendulum's own, finite
//! differences of positions, and the laws of conservation.

use std::vec;
use std::vec::Vec;

use crate::{
    DofModel, Ground, JointModel, LinkModel, Model, Mount, PhysicsWorld, Surface, WorldSettings,
};
use kinematics::{Rotation, Transform, Vec3};

const GRAVITY: f64 = 9.81;

fn link(mount: Mount, mass: f64, center: Vec3, inertia: [f64; 6]) -> LinkModel {
    LinkModel {
        name: "link".into(),
        mount,
        mass,
        center,
        inertia,
    }
}

fn dof() -> DofModel {
    DofModel {
        name: "joint".into(),
        stops: None,
        armature: 0.0,
        damping: 0.0,
        friction: 0.0,
    }
}

fn hinge(parent: usize, at: Vec3, dof: usize, axis: Vec3) -> Mount {
    Mount::On {
        parent,
        placement: Transform::new(at, Rotation::NONE),
        joint: Some(JointModel {
            dof,
            axis,
            slides: false,
            ratio: 1.0,
            offset: 0.0,
        }),
    }
}

fn floating(model: &Model, gravity: f64, step: f64) -> PhysicsWorld {
    let settings = WorldSettings {
        step,
        gravity: Vec3::new(0.0, 0.0, -gravity),
        ground: Ground {
            surface: Surface::None,
            friction: 0.0,
        },
    };
    PhysicsWorld::new(model, settings).expect("a model")
}

#[test]
fn a_double_pendulum_follows_its_own_equations() {
    const ROD: [f64; 6] = [0.004, 0.01, 0.008, 0.0, 0.0, 0.0];
    let (length, half) = (0.5, 0.25);
    let down = |way: f64| Vec3::new(0.0, 0.0, -way);
    let model = Model {
        links: vec![
            link(Mount::Fixed(Transform::NONE), 1.0, Vec3::ZERO, ROD),
            link(hinge(0, Vec3::ZERO, 0, Vec3::Y), 1.0, down(half), ROD),
            link(hinge(1, down(length), 1, Vec3::Y), 0.5, down(half), ROD),
        ],
        dofs: vec![dof(), dof()],
        ..Model::default()
    };
    let step = 0.001;
    let mut world = floating(&model, GRAVITY, step);
    world.place_joint(0, 1.0);
    world.place_joint(1, 0.5);
    // The equations of a planar double pendulum, with the second angle against the first rod.
    let (m1, m2, i1, i2) = (1.0, 0.5, 0.01, 0.01);
    let (mut a, mut b, mut va, mut vb) = (1.0_f64, 0.5_f64, 0.0, 0.0);
    for _ in 0..5000 {
        let shared = m2 * length * half * b.cos();
        let tip = i2 + m2 * half * half;
        let m11 = i1 + m1 * half * half + tip + m2 * length * length + 2.0 * shared;
        let (m12, m22) = (tip + shared, tip);
        let swirl = m2 * length * half * b.sin();
        let (g1, g2) = (
            (m1 * half + m2 * length) * GRAVITY * a.sin(),
            m2 * half * GRAVITY * (a + b).sin(),
        );
        let f1 = swirl * (2.0 * va * vb + vb * vb) - g1 - g2;
        let f2 = -swirl * va * va - g2;
        let determinant = m11 * m22 - m12 * m12;
        va += step * (m22 * f1 - m12 * f2) / determinant;
        vb += step * (m11 * f2 - m12 * f1) / determinant;
        a += step * va;
        b += step * vb;
        world.step().expect("finite");
    }
    let (first, second) = (world.joint(0).0, world.joint(1).0);
    // The motion is chaotic: rounding grows in time.
    assert!((first - a).abs() < 1e-9, "{first} and {a}");
    assert!((second - b).abs() < 1e-9, "{second} and {b}");
}

/// A free body with some limbs; two joints may share a degree of freedom.
fn random_model(random: &mut fastrand::Rng) -> Model {
    let mut number = |low: f64, high: f64| low + (high - low) * random.f64();
    let mut vector = |size: f64| {
        Vec3::new(
            number(-size, size),
            number(-size, size),
            number(-size, size),
        )
    };
    let vectors: Vec<Vec3> = (0..40).map(|_| vector(1.0)).collect();
    let links = random.usize(2..8);
    let dofs = random.usize(1..links);
    let mut model = Model {
        dofs: vec![dof(); dofs],
        ..Model::default()
    };
    for number in 0..links {
        let [at, axis, center, angles] = [0, 1, 2, 3].map(|part| vectors[4 * number + part]);
        let mount = if number == 0 {
            Mount::Free
        } else {
            Mount::On {
                parent: random.usize(0..number),
                placement: Transform::new(at * 0.2, Rotation::of_angles(angles.into())),
                joint: Some(JointModel {
                    // Each one moves something, and some are shared.
                    dof: if number <= dofs {
                        number - 1
                    } else {
                        random.usize(0..dofs)
                    },
                    axis: axis.unit(),
                    slides: random.u8(0..4) == 0,
                    ratio: 0.5 + random.f64(),
                    offset: random.f64() - 0.5,
                }),
            }
        };
        let (xx, yy) = (0.002 + 0.003 * random.f64(), 0.002 + 0.003 * random.f64());
        let tensor = [xx, yy, 0.004, 0.0003, -0.0002, 0.0001];
        let mass = 0.2 + random.f64();
        model.links.push(link(mount, mass, center * 0.1, tensor));
    }
    model
}

fn set_random_state(world: &mut PhysicsWorld, random: &mut fastrand::Rng) {
    let mut state = vec![0.0; world.state_len()];
    for number in &mut state {
        *number = 2.0 * random.f64() - 1.0;
    }
    assert!(world.read_state(&state));
}

/// The momentum and the kinetic energy of all links, from where they are now and a moment later.
fn measured(
    model: &Model,
    before: &PhysicsWorld,
    after: &PhysicsWorld,
    time: f64,
) -> (Vec3, Vec3, f64) {
    let (mut linear, mut angular, mut energy) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for (number, link) in model.links.iter().enumerate() {
        let place = |world: &PhysicsWorld| world.point(number, link.center);
        let velocity = (place(after) - place(before)) * (1.0 / time);
        let middle = (place(after) + place(before)) * 0.5;
        let axes = |world: &PhysicsWorld| {
            [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| world.direction(number, axis))
        };
        // For a rotating frame, the sum of axis × change is twice the angular velocity.
        let mut spin = Vec3::ZERO;
        for (old, new) in axes(before).into_iter().zip(axes(after)) {
            spin += ((old + new) * 0.5).cross((new - old) * (1.0 / time)) * 0.5;
        }
        let local = before.direction_in(number, spin);
        let [xx, yy, zz, xy, xz, yz] = link.inertia;
        let own = Vec3::new(
            xx * local.x + xy * local.y + xz * local.z,
            xy * local.x + yy * local.y + yz * local.z,
            xz * local.x + yz * local.y + zz * local.z,
        );
        linear += velocity * link.mass;
        angular += middle.cross(velocity) * link.mass + before.direction(number, own);
        energy += 0.5 * link.mass * velocity.dot(velocity) + 0.5 * local.dot(own);
    }
    (linear, angular, energy)
}

#[test]
fn random_bodies_keep_momentum_and_energy() {
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let model = random_model(&mut random);
        let step = 2e-5;
        let mut world = floating(&model, 0.0, step);
        set_random_state(&mut world, &mut random);
        let measure_step = |world: &mut PhysicsWorld| {
            let before = world.clone();
            world.step().expect("finite");
            measured(&model, &before, world, step)
        };
        let start = measure_step(&mut world);
        let computed = world.energy();
        assert!(
            (computed - start.2).abs() < 2e-3 * start.2,
            "seed {seed}: {computed} J, measured {}",
            start.2
        );
        for _ in 0..5000 {
            world.step().expect("finite");
        }
        let end = measure_step(&mut world);
        let size = model.links.iter().map(|link| link.mass).sum::<f64>();
        let (moved, turned) = ((end.0 - start.0).length(), (end.1 - start.1).length());
        assert!(moved < 1e-3 * size, "seed {seed}: momentum {moved}");
        assert!(
            turned < 2e-3 * size,
            "seed {seed}: angular momentum {turned}"
        );
        let lost = (end.2 - start.2).abs() / start.2;
        assert!(lost < 5e-3, "seed {seed}: energy {lost}");
    }
}

#[test]
fn the_motion_of_a_point_is_the_derivative_of_its_place() {
    for seed in 100..130 {
        let mut random = fastrand::Rng::with_seed(seed);
        let model = random_model(&mut random);
        let step = 1e-5;
        let mut world = floating(&model, GRAVITY, step);
        set_random_state(&mut world, &mut random);
        let link = model.links.len() - 1;
        let spot = Vec3::new(0.03, -0.02, 0.05);
        let mut places = vec![world.point(link, spot)];
        for _ in 0..2 {
            world.step().expect("finite");
            places.push(world.point(link, spot));
        }
        let motion = world.motion(link, spot);
        let velocity = (places[2] - places[1]) * (1.0 / step);
        let before = (places[1] - places[0]) * (1.0 / step);
        let acceleration = (velocity - before) * (1.0 / step);
        let (off, size) = (
            (motion.velocity - velocity).length(),
            motion.velocity.length(),
        );
        assert!(
            off < 1e-3 * (1.0 + size),
            "seed {seed}: velocity off by {off}"
        );
        let off = (motion.acceleration - acceleration).length();
        let size = acceleration.length();
        assert!(off < 2e-2 * (1.0 + size), "seed {seed}: {off} of {size}");
    }
}

#[test]
fn a_state_continues_to_the_last_bit() {
    let state = |world: &PhysicsWorld| {
        let mut state = vec![0.0; world.state_len()];
        world.write_state(&mut state);
        state
    };
    for seed in 200..260 {
        let mut random = fastrand::Rng::with_seed(seed);
        let model = random_model(&mut random);
        let mut world = floating(&model, GRAVITY, 0.001);
        set_random_state(&mut world, &mut random);
        for _ in 0..20 {
            world.step().expect("finite");
        }
        let mut other = floating(&model, GRAVITY, 0.001);
        assert!(other.read_state(&state(&world)));
        for _ in 0..20 {
            world.step().expect("finite");
            other.step().expect("finite");
        }
        let bits = |world| state(world).into_iter().map(f64::to_bits);
        assert!(bits(&world).eq(bits(&other)), "seed {seed}");
    }
}

#[test]
fn a_world_that_explodes_keeps_its_last_finite_state() {
    let mut random = fastrand::Rng::with_seed(3);
    let model = random_model(&mut random);
    let mut world = floating(&model, GRAVITY, 0.02);
    let mut state = vec![0.0; world.state_len()];
    world.write_state(&mut state);
    let speeds = state.len() - 6 - model.dofs.len();
    state[speeds..].fill(1e200);
    assert!(world.read_state(&state));
    assert!(world.step().is_err());
    assert_eq!((world.rounds(), world.contacts().count()), (0, 0));
    let mut after = vec![0.0; state.len()];
    world.write_state(&mut after);
    assert_eq!(after, state);
    assert!(!world.read_state(&[f64::NAN]));
    state[0] = f64::NAN;
    assert!(!world.read_state(&state));
}
