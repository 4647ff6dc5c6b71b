//! The NAO for rehearsals: its joints, the names of its lights and sensors, and the coupled range of its head.
//! It equals the NAO of the runtime; a test compares them.

use std::format;
use std::string::String;
use std::vec::Vec;

use super::Body;
use crate::time::Span;

/// Name, range, maximum velocity, value at rest.
const JOINTS: [(&str, f64, f64, f64, f64); 25] = [
    ("HeadYaw", -2.08567, 2.08567, 8.26797, 0.0),
    ("HeadPitch", -0.671952, 0.514872, 7.19407, 0.0),
    ("LShoulderPitch", -2.08567, 2.08567, 8.26797, 1.4),
    ("LShoulderRoll", -0.314159, 1.32645, 7.19407, 0.15),
    ("LElbowYaw", -2.08567, 2.08567, 8.26797, -1.2),
    ("LElbowRoll", -1.54462, -0.0349066, 7.19407, -0.5),
    ("LWristYaw", -1.82387, 1.82387, 24.6229, 0.0),
    ("LHipYawPitch", -1.14529, 0.740718, 4.16174, 0.0),
    ("LHipRoll", -0.379435, 0.79046, 4.16174, 0.0),
    ("LHipPitch", -1.53589, 0.48398, 6.40239, -0.7),
    ("LKneePitch", -0.0923279, 2.11255, 6.40239, 2.11),
    ("LAnklePitch", -1.18944, 0.922581, 6.40239, -1.18),
    ("LAnkleRoll", -0.397761, 0.768992, 4.16174, 0.0),
    ("RHipRoll", -0.79046, 0.379435, 4.16174, 0.0),
    ("RHipPitch", -1.53589, 0.48398, 6.40239, -0.7),
    ("RKneePitch", -0.0923279, 2.11255, 6.40239, 2.11),
    ("RAnklePitch", -1.1863, 0.932006, 6.40239, -1.18),
    ("RAnkleRoll", -0.768992, 0.397761, 4.16174, 0.0),
    ("RShoulderPitch", -2.08567, 2.08567, 8.26797, 1.4),
    ("RShoulderRoll", -1.32645, 0.314159, 7.19407, -0.15),
    ("RElbowYaw", -2.08567, 2.08567, 8.26797, 1.2),
    ("RElbowRoll", 0.0349066, 1.54462, 7.19407, 0.5),
    ("RWristYaw", -1.82387, 1.82387, 24.6229, 0.0),
    ("LHand", 0.0, 1.0, 8.33, 0.0),
    ("RHand", 0.0, 1.0, 8.33, 0.0),
];

/// Values of HeadYaw in degrees, and the range of HeadPitch there.
const HEAD: [[f64; 3]; 13] = [
    [-119.52, -25.73, 18.91],
    [-87.49, -18.91, 11.46],
    [-62.45, -24.64, 17.19],
    [-51.74, -27.50, 18.91],
    [-43.32, -31.40, 21.20],
    [-27.85, -38.5, 24.18],
    [0.0, -38.5, 29.5],
    [27.85, -38.5, 24.18],
    [43.32, -31.40, 21.20],
    [51.74, -27.50, 18.91],
    [62.45, -24.64, 17.19],
    [87.49, -18.91, 11.46],
    [119.52, -25.73, 18.91],
];

/// Sensors, and their values on a standing robot.
const SENSORS: [(&str, f64); 32] = [
    ("InertialSensor/AccelerometerX", 0.0),
    ("InertialSensor/AccelerometerY", 0.0),
    ("InertialSensor/AccelerometerZ", -9.81),
    ("InertialSensor/GyroscopeX", 0.0),
    ("InertialSensor/GyroscopeY", 0.0),
    ("InertialSensor/GyroscopeZ", 0.0),
    ("InertialSensor/AngleX", 0.0),
    ("InertialSensor/AngleY", 0.0),
    ("LFoot/FSR/TotalWeight", 2.64),
    ("RFoot/FSR/TotalWeight", 2.64),
    ("LFoot/FSR/CenterOfPressure/X", 0.0),
    ("LFoot/FSR/CenterOfPressure/Y", 0.0),
    ("RFoot/FSR/CenterOfPressure/X", 0.0),
    ("RFoot/FSR/CenterOfPressure/Y", 0.0),
    ("LFoot/Bumper/Left", 0.0),
    ("LFoot/Bumper/Right", 0.0),
    ("RFoot/Bumper/Left", 0.0),
    ("RFoot/Bumper/Right", 0.0),
    ("Head/Touch/Front", 0.0),
    ("Head/Touch/Middle", 0.0),
    ("Head/Touch/Rear", 0.0),
    ("LHand/Touch/Back", 0.0),
    ("LHand/Touch/Left", 0.0),
    ("LHand/Touch/Right", 0.0),
    ("RHand/Touch/Back", 0.0),
    ("RHand/Touch/Left", 0.0),
    ("RHand/Touch/Right", 0.0),
    ("ChestBoard/Button", 0.0),
    ("Battery/Charge", 0.9),
    ("Head/Temperature", 45.0),
    ("US/Left", 2.55),
    ("US/Right", 2.55),
];

/// A NAO: 25 joints, their stiffnesses and currents, the lights of its face, ears, chest and feet, and the sensors that
/// choreographies use. Its period is 10 ms.
pub fn nao() -> Body {
    let mut body = Body::new(Span::from_millis(10));
    for (name, lowest, highest, velocity, rest) in JOINTS {
        body = body.joint(name, lowest..=highest, velocity, rest);
    }
    let mut stiffnesses = Vec::new();
    for (name, ..) in JOINTS {
        body = body.stiffness(name).sensor(&format!("{name}Current"), 0.0);
        stiffnesses.push(format!("{name}Stiffness"));
    }
    body = aliased(body, "BodyStiffness", &stiffnesses);
    for colour in ["Red", "Green", "Blue"] {
        let mut face = Vec::new();
        for side in ["Left", "Right"] {
            face.extend(
                (0..360)
                    .step_by(45)
                    .map(|i| format!("Face/Led/{colour}/{side}/{i}Deg")),
            );
        }
        body = lights(body, &face);
        body = lights(
            body,
            &["ChestBoard", "LFoot", "RFoot"].map(|text| format!("{text}/Led/{colour}")),
        );
        body = aliased(body, &format!("FaceLeds{colour}"), &face);
    }
    for side in ["Left", "Right"] {
        let ear: Vec<_> = (0..360)
            .step_by(36)
            .map(|i| format!("Ears/Led/{side}/{i}Deg"))
            .collect();
        body = lights(body, &ear);
    }
    body = body.trigger("US", 0.0..=127.0);
    for (name, reads) in SENSORS {
        body = body.sensor(name, reads);
    }
    let chest = ["Red", "Green", "Blue"].map(|text| format!("ChestBoard/Led/{text}"));
    body = aliased(body, "ChestLeds", &chest);
    body.alias("Head", &["HeadYaw", "HeadPitch"]).coupling(
        "HeadYaw",
        "HeadPitch",
        &HEAD.map(radians),
    )
}

fn radians(row: [f64; 3]) -> [f64; 3] {
    row.map(f64::to_radians)
}

fn lights(body: Body, names: &[String]) -> Body {
    names.iter().fold(body, |body, item| body.light(item))
}

fn aliased(body: Body, name: &str, members: &[String]) -> Body {
    let members: Vec<_> = members.iter().map(String::as_str).collect();
    body.alias(name, &members)
}
