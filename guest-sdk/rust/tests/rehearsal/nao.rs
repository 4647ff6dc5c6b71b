//! The NAO of rehearsals is the NAO that the runtime ships.

use std::fs;

use choreography::prelude::*;

#[test]
fn it_is_the_robot_that_the_runtime_ships() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../runtime/description/robots/nao.toml"
    );
    let text = fs::read_to_string(path).expect("the NAO's description");
    let robot: toml::Table = text.parse().expect("TOML");
    let stage = Rehearsal::alone(nao());
    let number = |value: &toml::Value| {
        value
            .as_float()
            .or(value.as_integer().map(|integer| integer as f64))
            .expect("a number")
    };
    for (name, joint) in robot["joints"].as_table().expect("joints") {
        let known = Actuator::named(name.clone().leak()).limits();
        let range = joint["range"].as_array().expect("a range");
        assert_eq!(
            (known.lowest, known.highest),
            (number(&range[0]), number(&range[1])),
            "{name}"
        );
        assert_eq!(known.velocity, number(&joint["velocity"]), "{name}");
        assert_eq!(known.rest, number(&joint["rest"]), "{name}");
    }
    let hands = robot["defaults"]["hands"]["velocity"].as_float();
    assert_eq!(Some(Actuator::named("LHand").limits().velocity), hands);
    // Patterns of names: their words are there at least.
    for light in ["FaceBoard", "EarLeds", "ChestBoard", "LeftFootBoard"] {
        assert!(text.contains(&format!("board = \"{light}\"")));
    }
    let blue = robot["aliases"]["FaceLedsBlue"]
        .as_array()
        .expect("an alias");
    let group = Group::named("FaceLedsBlue");
    assert_eq!(group.length(), blue.len());
    for name in blue {
        assert!(Actuator::named(name.as_str().expect("a name").to_owned().leak()).is_present());
    }
    let stiffnesses = robot["aliases"]["BodyStiffness"].as_array();
    assert_eq!(
        Some(Group::named("BodyStiffness").length()),
        stiffnesses.map(Vec::len)
    );
    for name in stiffnesses.expect("an alias") {
        let known = Actuator::named(name.as_str().expect("a name").to_owned().leak());
        assert_eq!((known.limits().lowest, known.limits().highest), (-1.0, 1.0));
    }
    drop(stage);
}

#[test]
fn names_are_understood_in_all_their_forms() {
    let mut stage = Rehearsal::alone(nao());
    for name in [
        "HeadYaw",
        "HeadYaw/Position/Actuator/Value",
        "Device/SubDeviceList/HeadYaw/Position/Actuator/Value",
    ] {
        assert!(Actuator::named(name).is_present(), "{name}");
    }
    assert!(Actuator::named("ChestBoard/Led/Red/Actuator/Value").is_present());
    assert!(!Actuator::named("HeadRoll").is_present());
    stage.put("HeadYaw", 0.5);
    for name in ["HeadYaw", "HeadYaw/Position/Sensor/Value"] {
        assert_eq!(Sensor::named(name).read(), 0.5, "{name}");
    }
    assert!(Sensor::named("Head/Tuch").read().is_nan());
}

#[test]
fn the_head_does_not_touch_the_shoulders() {
    let mut stage = Rehearsal::alone(nao());
    stage.put("HeadYaw", 87.49.deg());
    let pitch = Actuator::named("HeadPitch");
    assert!(pitch.to(0.4).over(500.ms()).is_done());
    stage.run_for(1.s());
    assert!((stage.sent(&pitch) - 11.46f64.to_radians()).abs() < 1e-9);
    assert!(stage.clips().iter().all(|clip| clip.why == "range"));
}
