//! Random bodies that fall, are driven and pushed, on floors and boxes: every bit of every state goes into one number.
//! The same on every machine, as `compare` proves. Machines without `std` get an allocator that frees nothing.
#![no_std]

extern crate alloc;

#[cfg(any(target_arch = "wasm32", target_os = "none"))]
pub mod bare;

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use kinematics::{Rotation, Transform, Vec3};
use physics::{
    BoxModel, Collider, DofModel, Ground, HeightField, JointModel, LinkModel, Model, MotorCommand,
    Mount, PhysicsWorld, Shape, Surface, WorldSettings,
};

/// How many scenes there are, and how many steps each has.
const SCENES: u64 = 24;
const STEPS: u32 = 400;

/// Random numbers: the same everywhere.
struct Random(u64);

impl Random {
    /// From -1 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.next() + 1.0)
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.next() * size, self.next() * size, self.next() * size)
    }
}

/// One number for all scenes.
///
/// # Panics
/// A scene cannot be made: it would prove nothing.
pub fn digest() -> u64 {
    let mut digest = 0xcbf2_9ce4_8422_2325;
    for seed in 0..SCENES {
        play(&mut Random(seed + 1), &mut digest);
    }
    digest
}

fn play(random: &mut Random, digest: &mut u64) {
    let model = model(random);
    let settings = WorldSettings {
        step: 0.002,
        gravity: Vec3::new(0.0, 0.0, -9.81),
        ground: Ground {
            surface: surface(random),
            friction: random.between(0.1, 1.0),
        },
    };
    let Ok(mut world) = PhysicsWorld::new(&model, settings) else {
        panic!("a scene is impossible");
    };
    world.reserve_boxes(4, 4);
    let turn = Rotation::about(random.vector(1.0).unit(), random.next() * 3.0);
    world.place_free_link(0, Transform::new(Vec3::new(0.0, 0.0, 0.6), turn));
    for number in 0..6 {
        let place = Vec3::new(
            random.next() * 0.3,
            random.next() * 0.3,
            0.1 + 0.2 * f64::from(number),
        );
        let pose = Transform::new(
            place,
            Rotation::about(random.vector(1.0).unit(), random.next()),
        );
        let new = BoxModel {
            half: Vec3::new(0.05, 0.05, 0.05) + random.vector(0.03),
            mass: (number < 4).then(|| random.between(0.1, 1.0)),
            friction: random.between(0.1, 1.0),
        };
        assert!(world.add_box(new, pose).is_ok(), "there is room");
    }
    let mut state = vec![0.0; world.state_len()];
    for step in 0..STEPS {
        if step % 50 == 0 {
            for dof in 0..model.dofs.len() {
                let torque = random.between(0.0, 3.0);
                let command = MotorCommand {
                    target: random.next(),
                    stiffness: 20.0,
                    speed: 0.0,
                    damping: 0.5,
                    torques: (-torque, torque),
                };
                world.command_motor(dof, command);
            }
            world.push(0, random.vector(5.0));
        }
        if world.step().is_err() {
            mix(digest, u64::from(step));
            break;
        }
        world.write_state(&mut state);
        for number in &state {
            mix(digest, number.to_bits());
        }
        for contact in world.contacts() {
            mix(digest, contact.force.z.to_bits());
        }
    }
}

/// FNV-1a, by words.
fn mix(digest: &mut u64, word: u64) {
    *digest = (*digest ^ word).wrapping_mul(0x0100_0000_01b3);
}

fn surface(random: &mut Random) -> Surface {
    match random.between(0.0, 3.0) as u32 {
        0 => Surface::slope(Vec3::Z),
        1 => {
            let tilt = random.next() * 0.3;
            Surface::slope(Rotation::about(Vec3::Y, tilt).turn(Vec3::Z))
        }
        _ => Surface::Heights(HeightField {
            origin: (-1.0, -1.0),
            spacing: 0.25,
            columns: 9,
            heights: (0..81).map(|_| random.next() * 0.03).collect(),
        }),
    }
}

/// A chain of links with all kinds of shapes.
fn model(random: &mut Random) -> Model {
    let mut model = Model::default();
    for link in 0..6 {
        let axis = random.vector(1.0).unit();
        model.links.push(LinkModel {
            name: String::new(),
            mount: if link == 0 {
                Mount::Free
            } else {
                Mount::On {
                    parent: link - 1,
                    placement: Transform::new(
                        random.vector(0.1),
                        Rotation::about(axis, random.next()),
                    ),
                    joint: Some(JointModel {
                        dof: link - 1,
                        axis,
                        slides: link == 4,
                        ratio: 1.0,
                        offset: 0.0,
                    }),
                }
            },
            mass: random.between(0.1, 1.0),
            center: random.vector(0.02),
            inertia: [0.001, 0.0012, 0.0014, 0.0, 0.0, 0.0],
        });
        if link > 0 {
            model.dofs.push(DofModel {
                name: String::new(),
                stops: Some((-1.2, 1.2)),
                armature: 0.002,
                damping: 0.01,
                friction: random.between(0.0, 0.1),
            });
        }
        model.colliders.push(Collider {
            link,
            shape: shape(link, random),
            meets_ground: true,
            meets_links: true,
            friction: random.between(0.1, 1.0),
        });
    }
    model
}

fn shape(link: usize, random: &mut Random) -> Shape {
    match link % 4 {
        0 => Shape::Box {
            center: random.vector(0.02),
            half: Vec3::new(0.05, 0.04, 0.03),
        },
        1 => Shape::Capsule {
            from: random.vector(0.05),
            to: random.vector(0.05),
            radius: 0.03,
        },
        2 => Shape::Wheel {
            center: Vec3::ZERO,
            axle: random.vector(1.0).unit(),
            radius: 0.05,
            half_width: 0.02,
        },
        _ => Shape::Hull {
            corners: sole(random),
        },
    }
}

fn sole(random: &mut Random) -> Vec<Vec3> {
    let (x, y) = (random.between(0.03, 0.08), random.between(0.03, 0.08));
    let corners = [(x, y), (-x, y), (-x, -y), (x, -y)];
    corners.map(|(x, y)| Vec3::new(x, y, 0.0)).into()
}
