//! The simulated body with weight, under a real cycle: it stands, leans, falls, is lifted and lies, and its sensors
//! read what statics demands. The centre of mass is computed here, from the description alone.

mod body;
mod obstacles;

use cycle::{ActuatorId, State};
use description::{Robot, parse};
use drivers::sim::{BodyStart, SimEvent};
use kinematics::Vec3;
use robot::live::assemble;

use body::{Heavy, with_heavy};

/// The force sensors of a NAO's soles: name, link, place in the frame of the foot.
fn force_sensors(robot: &Robot) -> Vec<(String, usize, Vec3)> {
    let sensors = robot.sensors.iter().filter(|sensor| {
        let name = &sensor.name;
        name.contains("/FSR/") && (name.contains("Front") || name.contains("Rear"))
    });
    let felt = sensors.map(|sensor| {
        let felt = sensor.felt.expect("it feels a load");
        (sensor.name.clone(), felt.link, felt.at)
    });
    felt.collect()
}

#[test]
fn the_pressure_of_a_standing_nao_is_below_its_centre_of_mass() {
    with_heavy("nao", BodyStart::Standing, |nao| {
        let mass: f64 = nao.robot.links.iter().map(|link| link.mass).sum();
        let sensors = force_sensors(nao.robot);
        assert_eq!(sensors.len(), 8);
        let ready = nao.robot.pose("stand-ready").expect("a pose").to_vec();
        let mut random = fastrand::Rng::with_seed(49);
        let leans = [
            "LHipPitch",
            "RHipPitch",
            "LAnklePitch",
            "RAnklePitch",
            "LShoulderPitch",
            "HeadPitch",
        ];
        for _ in 0..12 {
            let mut pose = ready.clone();
            let pitch = random.f64() * 0.12 - 0.06;
            let roll = random.f64() * 0.1 - 0.05;
            for (joint, value) in &mut pose {
                let name = nao.robot.actuators[usize::from(joint.0)].name.as_str();
                *value += match name {
                    _ if leans.contains(&name) => pitch,
                    // Both legs lean to the same side, and the soles stay on the ground.
                    "LHipRoll" | "RHipRoll" => roll,
                    "LAnkleRoll" | "RAnkleRoll" => -roll,
                    _ => 0.0,
                };
            }
            nao.take_pose(&pose);
            assert!(nao.upright() > 0.95, "{pitch} {roll}: it fell");
            let foot = nao.link("left-foot");
            let poses = nao.poses_from(foot);
            let mut centre = Vec3::ZERO;
            for (link, pose) in nao.robot.links.iter().zip(&poses) {
                centre += pose.point(link.centre.into()) * (link.mass / mass);
            }
            let (mut load, mut pressure) = (0.0, Vec3::ZERO);
            for (name, link, at) in &sensors {
                let read = nao.get(name);
                load += read;
                pressure += poses[*link].point(*at) * read;
            }
            pressure = pressure * (1.0 / load);
            assert!((load - mass).abs() < 0.06, "{load} kg of {mass} kg");
            let (x, y) = (pressure.x - centre.x, pressure.y - centre.y);
            // The sensors have noise: 10 g each, at an arm of 5 cm.
            assert!(
                x.abs() < 0.002 && y.abs() < 0.002,
                "{pitch} {roll}: {x} {y} m off"
            );
            let up = nao.get("InertialSensor/AccelerometerZ");
            let ahead = nao.get("InertialSensor/AccelerometerX");
            let angle = nao.get("InertialSensor/AngleY");
            assert!((up.hypot(ahead) - 9.81).abs() < 0.06);
            assert!((ahead.atan2(-up) - angle).abs() < 0.01);
        }
    });
}

#[test]
fn a_hard_push_tips_a_nao_and_a_soft_one_does_not() {
    with_heavy("nao", BodyStart::Standing, |nao| {
        let ready = nao.robot.pose("stand-ready").expect("a pose").to_vec();
        nao.take_pose(&ready);
        nao.push("torso", [10.0, 0.0, 0.0], 50);
        nao.run(2.0);
        assert!(nao.upright() > 0.97);
        nao.push("torso", [0.0, 60.0, 0.0], 300);
        nao.run(2.0);
        assert!(nao.upright() < 0.5, "{}", nao.upright());
        let left = nao.get("InertialSensor/AccelerometerY");
        let up = nao.get("InertialSensor/AccelerometerZ");
        assert!(
            left.abs() > 3.0 || up > -8.0,
            "the inertial unit noticed nothing"
        );
    });
}

#[test]
fn a_lifted_nao_weighs_nothing_on_its_feet_and_lands_on_them() {
    with_heavy("nao", BodyStart::Standing, |nao| {
        let ready = nao.robot.pose("stand-ready").expect("a pose").to_vec();
        nao.take_pose(&ready);
        nao.do_to_body(SimEvent::Lift { held: true });
        nao.run(3.0);
        for (name, _, _) in force_sensors(nao.robot) {
            assert!(nao.get(&name).abs() < 0.03, "{name}");
        }
        assert!((nao.get("InertialSensor/AccelerometerZ") + 9.81).abs() < 0.1);
        nao.do_to_body(SimEvent::Lift { held: false });
        // It falls for 0.2 s.
        nao.run(0.1);
        assert!(
            nao.get("InertialSensor/AccelerometerZ").abs() < 0.5,
            "free fall"
        );
        nao.run(0.5);
        let load: f64 = force_sensors(nao.robot)
            .iter()
            .map(|(name, _, _)| nao.get(name))
            .sum();
        assert!(load > 1.0, "it has landed");
    });
}

/// Every pose of a shipped robot in which it is meant to stand is held for a minute on the feet alone, in one place.
#[test]
fn shipped_robots_hold_their_standing_poses_for_a_minute() {
    for (name, pose) in [
        ("nao", "stand"),
        ("nao", "stand-ready"),
        ("nao", "crouch"),
        ("nao", "arms-wide"),
        ("aibo-ers7", "stand"),
        ("hexapod", "stand"),
        ("wheels", "ahead"),
    ] {
        with_heavy(name, BodyStart::Standing, |body| {
            let pose_values = body.robot.pose(pose).expect("a pose").to_vec();
            body.take_pose(&pose_values);
            let base = |body: &Heavy<'_, '_, '_>| {
                let [x, y, yaw] =
                    ["X", "Y", "Yaw"].map(|part| body.get(&format!("Simulation/{part}")));
                (x, y, yaw)
            };
            let before = base(body);
            body.run(60.0);
            let after = base(body);
            let moved = (after.0 - before.0).hypot(after.1 - before.1);
            assert!(moved < 0.01, "{name} {pose}: moved {moved} m");
            assert!((after.2 - before.2).abs() < 0.02, "{name} {pose}: turned");
            assert!(body.upright() > 0.96, "{name} {pose}: {}", body.upright());
            let sim = body.sim.borrow();
            let world = sim.physics().expect("physics");
            let rigid = body
                .robot
                .rigid_robot()
                .expect("rigid bodies")
                .expect("physics");
            for contact in world.contacts().filter(|contact| contact.under.is_none()) {
                let link = rigid.model.colliders[contact.over].link;
                let on_feet = rigid.feet.iter().any(|(foot, _)| *foot == link);
                assert!(
                    on_feet,
                    "{name} {pose}: {} is on the floor",
                    rigid.model.links[link].name
                );
            }
        });
    }
}

/// A body that stands still is not stepped, but its motors go on warming; each act wakes it.
#[test]
fn a_body_that_stands_still_sleeps_until_something_acts_on_it() {
    with_heavy("nao", BodyStart::Standing, |nao| {
        nao.run(6.0);
        let asleep = nao.bits();
        let warm = nao.get("LKneePitchTemperature");
        nao.run(20.0);
        assert_eq!(asleep, nao.bits());
        assert!(nao.get("LKneePitchTemperature") > warm + 3.0);
        let knee = nao.robot.actuator("LKneePitch").expect("a joint");
        let acts: [&dyn Fn(&mut Heavy<'_, '_, '_>); 5] = [
            &|nao| nao.push("torso", [1.0, 0.0, 0.0], 10),
            &|nao| nao.do_to_body(SimEvent::TiltFloor { angle: 0.01 }),
            &|nao| nao.take_pose(&[(knee, 2.0)]),
            &|nao| nao.do_to_body(SimEvent::Lift { held: true }),
            &|nao| nao.do_to_body(SimEvent::Lift { held: false }),
        ];
        for (number, act) in acts.into_iter().enumerate() {
            let before = nao.bits();
            act(nao);
            nao.run(0.05);
            assert_ne!(before, nao.bits(), "act {number} woke nothing");
            nao.run(6.0);
            let after = nao.bits();
            nao.run(1.0);
            assert_eq!(after, nao.bits(), "it does not sleep after act {number}");
        }
    });
}

#[test]
fn a_floor_tilts_below_a_standing_body() {
    with_heavy("nao", BodyStart::Standing, |nao| {
        let ready = nao.robot.pose("stand-ready").expect("a pose").to_vec();
        nao.take_pose(&ready);
        let before = nao.get("InertialSensor/AngleY");
        nao.do_to_body(SimEvent::TiltFloor { angle: 0.05 });
        nao.run(2.0);
        // It rises ahead, so the body leans back with it.
        let turned = nao.get("InertialSensor/AngleY") - before;
        assert!((turned + 0.05).abs() < 0.02, "{turned}");
        assert!(nao.upright() > 0.97);
    });
}

#[test]
fn a_body_lies_as_it_was_put_and_knows_it() {
    for (start, ahead) in [(BodyStart::LyingFront, 9.81), (BodyStart::LyingBack, -9.81)] {
        with_heavy("nao", start, |nao| {
            let read = nao.get("InertialSensor/AccelerometerX");
            assert!((read - ahead).abs() < 1.5, "{start:?}: {read}");
        });
    }
    with_heavy("aibo-ers7", BodyStart::LyingBack, |aibo| {
        assert!(aibo.upright() < -0.8);
        assert!(aibo.get("ACC:upDown") > 8.0);
    });
    with_heavy("aibo-ers7", BodyStart::Standing, |aibo| {
        for paw in ["LFr:paw", "RFr:paw", "LBk:paw", "RBk:paw"] {
            assert_eq!(aibo.get(paw), 1.0, "{paw}");
        }
    });
}

/// A sitting NAO is carried by its legs, and stays where it was put down; its feet carry nothing.
#[test]
fn a_body_sits_as_it_was_put() {
    with_heavy("nao", BodyStart::Sitting, |nao| {
        let height = |nao: &Heavy<'_, '_, '_>| {
            let sim = nao.sim.borrow();
            sim.physics().expect("physics").point(0, Vec3::ZERO).z
        };
        let before = height(nao);
        assert!(before < 0.15, "{before}");
        assert!((nao.get("LHipPitch") + 1.53).abs() < 0.02);
        assert!(nao.upright() > 0.95);
        nao.run(20.0);
        let after = height(nao);
        assert!((after - before).abs() < 0.002, "{before} and {after}");
        assert!(nao.get("LFoot/FSR/TotalWeight") < 0.2);
    });
}

#[test]
fn crouching_warms_the_knees_and_hanging_does_not() {
    let heat = |start| {
        with_heavy("nao", start, |nao| {
            let legs = [
                ("HipPitch", -0.85),
                ("KneePitch", 1.3),
                ("AnklePitch", -0.6),
            ];
            let joint = |side: &str, name: &str| {
                let joint = nao.robot.actuator(&format!("{side}{name}"));
                joint.expect("a joint")
            };
            let bent = legs
                .iter()
                .flat_map(|(name, value)| ["L", "R"].map(|side| (joint(side, name), *value)));
            let bent: Vec<_> = bent.collect();
            nao.take_pose(&bent);
            nao.run(120.0);
            assert!(nao.upright() > 0.9);
            nao.get("LKneePitchTemperature")
        })
    };
    let (standing, hanging) = (heat(BodyStart::Standing), heat(BodyStart::Held));
    assert!(
        standing > 28.0 && hanging < 26.0,
        "{standing} °C and {hanging} °C"
    );
}

/// A push that no body survives: the physics has no finite result, and nothing of it is sent.
#[test]
fn a_world_that_explodes_stops_the_body_with_its_cause() {
    with_heavy("nao", BodyStart::Standing, |nao| {
        let knee = nao.robot.actuator("LKneePitch").expect("a joint");
        nao.do_to_body(SimEvent::Push {
            actuator: usize::from(knee.0),
            torque: 1e300,
        });
        nao.run(1.0);
        assert_eq!(nao.cycle.view().state, State::Fault);
        assert!(
            nao.cycle
                .view()
                .sensors
                .iter()
                .all(|value| value.is_finite())
        );
        let error = drivers::faults::Fault::Exploded.error();
        let answers = nao.cycle.view().answers;
        assert!(answers.iter().any(|board| board.error == error));
    });
}

/// However strong a motor is, its servo does not shake, also without weight.
#[test]
fn a_strong_motor_comes_to_rest() {
    let text = "format = 1\nname = \"strong\"\nperiod = \"10ms\"\n[boards]\nonly = { driver = \"sim\" }\n[joints]\n\
                Arm = { range = [-1, 1], velocity = 3, acceleration = 30, motor = { torque = 100 } }\n";
    let robot = parse("strong", text).expect("a robot");
    let rested = assemble(&robot, |cycle, sim| {
        let mut arm = Heavy {
            robot: &robot,
            cycle,
            sim,
            turn: 0,
        };
        arm.run(4.0);
        arm.take_pose(&[(ActuatorId(0), 0.5)]);
        let before = arm.sim.borrow().position(0).expect("a motor");
        arm.run(1.0);
        let after = arm.sim.borrow().position(0).expect("a motor");
        assert!(
            (after - 0.5).abs() < 0.01 && (after - before).abs() < 1e-9,
            "{before} {after}"
        );
    });
    rested.expect("a robot");
}
