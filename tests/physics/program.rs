//! Plays scenes with the project's own physics, for `compare.py`, which plays the same ones with MuJoCo.
//! `rigid-bodies model ROBOT` prints the rigid bodies of a description; `rigid-bodies play ROBOT FILE` plays the scenes
//! of a file, and prints a line of JSON for each.

use std::error::Error;
use std::time::Instant;

use description::{RigidBody, RobotSource, load};
use kinematics::{Rotation, Transform, Vec3};
use physics::{Ground, Model, MotorCommand, Mount, PhysicsWorld, Shape, WorldSettings};
use serde::Deserialize;
use serde_json::{Value, json};

/// How often a turn is divided into steps, and a step, s.
const STEPS: usize = 10;
const STEP: f64 = 0.001;

/// A show, and what happens to the body meanwhile.
#[derive(Deserialize)]
struct Scene {
    name: String,
    /// Where the first link starts: place, then rotation.
    base: [f64; 7],
    joints: Vec<f64>,
    /// Stiffness, damping and greatest torque of each motor.
    motors: Vec<[f64; 3]>,
    /// The targets of each turn; the last ones stay.
    rows: Vec<Vec<f64>>,
    turns: usize,
    pushes: Vec<Push>,
}

#[derive(Deserialize)]
struct Push {
    from: f64,
    to: f64,
    link: usize,
    force: [f64; 3],
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["model", robot] => {
            println!("{}", shown(&body(robot)?.model));
            Ok(())
        }
        ["play", robot, file] => {
            let model = body(robot)?.model;
            let scenes: Vec<Scene> = serde_json::from_slice(&std::fs::read(file)?)?;
            for scene in scenes {
                println!("{}", play(&model, &scene)?);
            }
            Ok(())
        }
        _ => Err("give `model ROBOT`, or `play ROBOT FILE`".into()),
    }
}

fn body(robot: &str) -> Result<RigidBody, Box<dyn Error>> {
    let robot = load(&RobotSource::of(robot)).map_err(|problems| format!("{problems:?}"))?;
    Ok(RigidBody::of(&robot)?)
}

fn list(vector: Vec3) -> [f64; 3] {
    vector.into()
}

fn shown(model: &Model) -> Value {
    let links = model.links.iter().map(|link| {
        let (parent, place, joint) = match link.mount {
            Mount::Free => (None, Transform::NONE, None),
            Mount::Fixed(place) => (None, place, None),
            Mount::On {
                parent,
                placement,
                joint,
            } => (Some(parent), placement, joint),
        };
        json!({
            "name": link.name, "parent": parent, "free": matches!(link.mount, Mount::Free),
            "at": list(place.at), "turn": place.turn.parts(),
            "mass": link.mass, "center": list(link.center), "inertia": link.inertia,
            "joint": joint.map(|joint| json!({
                "dof": joint.dof, "axis": list(joint.axis), "slides": joint.slides, "ratio": joint.ratio,
                "offset": joint.offset,
            })),
        })
    });
    let dofs = model.dofs.iter().map(|dof| {
        json!({
            "name": dof.name, "stops": dof.stops, "armature": dof.armature, "damping": dof.damping,
            "friction": dof.friction,
        })
    });
    let colliders = model.colliders.iter().map(|collider| {
        let shape = match &collider.shape {
            Shape::Capsule { from, to, radius } => {
                json!({ "capsule": [list(*from), list(*to)], "radius": radius })
            }
            Shape::Box { center, half } => json!({ "box": [list(*center), list(*half)] }),
            Shape::Hull { corners } => {
                json!({ "corners": corners.iter().map(|corner| list(*corner)).collect::<Vec<_>>() })
            }
            Shape::Wheel { .. } => json!({ "wheel": true }),
        };
        json!({
            "link": collider.link, "shape": shape, "ground": collider.meets_ground,
            "links": collider.meets_links,
        })
    });
    json!({
        "links": links.collect::<Vec<_>>(), "dofs": dofs.collect::<Vec<_>>(),
        "colliders": colliders.collect::<Vec<_>>(), "ignored": model.ignored_pairs,
    })
}

/// For each turn the height of the first link and how upright it is, at the end of the turn.
fn play(model: &Model, scene: &Scene) -> Result<Value, Box<dyn Error>> {
    let settings = WorldSettings {
        step: STEP,
        gravity: Vec3::new(0.0, 0.0, -9.81),
        ground: Ground::level(0.8),
    };
    let mut world = PhysicsWorld::new(model, settings)?;
    let [x, y, z, turn @ ..] = scene.base;
    world.place_free_link(
        0,
        Transform::new(Vec3::new(x, y, z), Rotation::of_parts(turn)),
    );
    for (dof, position) in scene.joints.iter().enumerate() {
        world.place_joint(dof, *position);
    }
    let began = Instant::now();
    let (mut trace, mut rounds, mut most) = (Vec::new(), 0, 0);
    for turn in 0..scene.turns {
        if let Some(row) = scene.rows.get(turn).or(scene.rows.last()) {
            for (dof, (target, motor)) in row.iter().zip(&scene.motors).enumerate() {
                let [stiffness, damping, torque] = *motor;
                let command = MotorCommand {
                    target: *target,
                    stiffness,
                    speed: 0.0,
                    damping,
                    torques: (-torque, torque),
                };
                world.command_motor(dof, command);
            }
        }
        for step in 0..STEPS {
            let now = (turn * STEPS + step) as f64 * STEP;
            for push in &scene.pushes {
                let acts = (push.from - 1e-9..push.to - 1e-9).contains(&now);
                let force = if acts { push.force.into() } else { Vec3::ZERO };
                world.push(push.link, force);
            }
            world.step()?;
            rounds += world.rounds();
            most = most.max(world.rounds());
        }
        let height = world.point(0, Vec3::ZERO).z;
        trace.push([height, world.direction(0, Vec3::Z).z]);
    }
    let steps = scene.turns * STEPS;
    Ok(json!({
        "name": scene.name, "trace": trace, "rounds": rounds as f64 / steps as f64, "most": most,
        "microseconds": began.elapsed().as_secs_f64() * 1e6 / steps as f64,
    }))
}
