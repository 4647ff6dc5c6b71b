//! Kicks on a NAO, against the triangle of a leg solved by hand, and against forward kinematics.

use description::Robot;
use motion_files::{JointTrack, KeyedMotion, value_at};

use super::joints_of_limbs;
use crate::show::{CURVE_ERROR, Show, ShowOptions};

fn nao() -> Robot {
    crate::show::tests::nao()
}

const FEET: [&str; 2] = ["left", "right"];

/// Limbs, each with its place or turn.
type Phase = Vec<(String, Vec<f64>)>;

/// A kick of two phases with random places, in mm and rad, and what its limbs have at the end of each.
fn kick(random: &mut fastrand::Rng) -> (String, Vec<Phase>) {
    let mut between = |low: f64, high: f64| low + (high - low) * random.f64();
    let mut limbs = |side: f64| {
        let foot = vec![
            between(-40.0, 60.0),
            side * between(35.0, 75.0),
            between(-235.0, -190.0),
        ];
        let turn = vec![between(-0.1, 0.1), between(-0.2, 0.2), between(-0.3, 0.1)];
        let arm = vec![
            between(-60.0, 120.0),
            side * between(110.0, 190.0),
            between(60.0, 200.0),
        ];
        let hand = vec![
            between(-1.0, 1.0),
            -side * between(0.1, 1.0),
            between(-1.0, 1.0),
        ];
        [foot, turn, arm, hand]
    };
    let mut phases = Vec::new();
    let mut text = String::new();
    for place in ["foot", "footRot", "arm", "handRot"] {
        let origin = match place {
            "foot" => "{x = 0; y = 50; z = -220;}",
            "arm" => "{x = 10; y = 140; z = 100;}",
            _ => "{x = 0; y = 0; z = 0;}",
        };
        text += &format!("{place}Origin = {origin};\n");
    }
    text += "comOrigin = {x = 0; y = 0;};\nheadOrigin = {x = 0.1; y = -0.2;};\nloop = false;\nphaseParameters = [\n";
    for _ in 0..2 {
        let mut phase = Vec::new();
        text += "{ duration = 300;\n";
        for (name, side) in FEET.into_iter().zip([1.0, -1.0]) {
            let parts = ["FootTra", "FootRot", "ArmTra", "HandRot"];
            for (part, value) in parts.into_iter().zip(limbs(side)) {
                for number in [1, 2] {
                    let [x, y, z] = [0, 1, 2].map(|i: usize| value[i]);
                    text += &format!("{name}{part}{number} = {{x = {x}; y = {y}; z = {z};}};\n");
                }
                phase.push((format!("{name}{part}"), value));
            }
        }
        for number in [1, 2] {
            text += &format!(
                "comTra{number} = {{x = 0; y = 0;}};\nheadTra{number} = {{x = 0.2; y = 0.3;}};\n"
            );
        }
        text += "},\n";
        phases.push(phase);
    }
    (text + "];\n", phases)
}

fn read(text: &str, robot: &Robot) -> Show {
    let options = ShowOptions {
        map: &motion_files::JointMap::default(),
        error: CURVE_ERROR,
        motion: None,
        robot: Some(robot),
        around: &motion_files::NoSurroundings,
    };
    let show = Show::read_with("kick.kmc", text.as_bytes(), &options);
    show.expect("a kick").fitted(robot).expect("it fits")
}

/// What a joint has at an instant.
fn value(motion: &KeyedMotion, joint: &str, ms: u64) -> f64 {
    let track = motion.tracks.iter().find(|track| track.joint == joint);
    let track: &JointTrack = track.unwrap_or_else(|| panic!("{joint} is moved"));
    value_at(track, ms * 1_000_000).expect("a value")
}

/// Hip roll and pitch, knee, ankle pitch and roll of a leg of two bars, solved as a triangle: lengths in mm.
fn leg(foot: &[f64], turn: &[f64], side: f64) -> [f64; 5] {
    const THIGH: f64 = 100.0;
    const SHIN: f64 = 102.9;
    const ANKLE: f64 = 45.19;
    let (x, y, z) = (foot[0], foot[1] - side * 50.0, foot[2] + ANKLE);
    // Into the frame of the hip's tilted axis, and about it.
    let (sin, cos) = (-side * std::f64::consts::FRAC_PI_4).sin_cos();
    let (y, z) = (y * cos - z * sin, y * sin + z * cos);
    let squared = x * x + y * y + z * z;
    let reach = squared.sqrt();
    let knee = (squared - THIGH * THIGH - SHIN * SHIN) / (2.0 * THIGH * SHIN);
    let knee = knee.clamp(-1.0, 1.0).acos();
    let at_hip = (THIGH * THIGH + squared - SHIN * SHIN) / (2.0 * THIGH * reach);
    let pitch = -at_hip.clamp(-1.0, 1.0).acos() - x.atan2(y.hypot(z));
    let tilt = (y / -z).atan();
    let roll = tilt + side * std::f64::consts::FRAC_PI_4;
    // Upright, seen from the shin: through the same turns back.
    let up = [0.0, -sin, cos];
    let (st, ct) = tilt.sin_cos();
    let up = [up[0], up[1] * ct + up[2] * st, -up[1] * st + up[2] * ct];
    let (sp, cp) = (pitch + knee).sin_cos();
    let up = [up[0] * cp - up[2] * sp, up[1], up[0] * sp + up[2] * cp];
    [
        roll,
        pitch,
        knee,
        up[0].atan2(up[2]) + turn[1],
        -up[1].asin() + turn[0],
    ]
}

#[test]
fn a_kick_moves_the_joints_of_a_nao() {
    let robot = nao();
    let mut random = fastrand::Rng::with_seed(24);
    for _ in 0..25 {
        let (text, phases) = kick(&mut random);
        let show = read(&text, &robot);
        let z_is_told = show
            .remarks
            .iter()
            .any(|remark| remark.sentence.starts_with("`leftFootRot.z` is left out"));
        assert!(z_is_told);
        assert!(
            show.remarks
                .iter()
                .any(|remark| remark.sentence.contains("`comTra`"))
        );
        for (phase, ms) in phases.iter().zip([300, 600]) {
            let of = |name: &str| &phase.iter().find(|pair| pair.0 == name).expect("a limb").1;
            for (name, (letter, side)) in FEET.into_iter().zip([("L", 1.0), ("R", -1.0)]) {
                let (foot, turn) = (of(&format!("{name}FootTra")), of(&format!("{name}FootRot")));
                let joints = [
                    "HipRoll",
                    "HipPitch",
                    "KneePitch",
                    "AnklePitch",
                    "AnkleRoll",
                ];
                for (joint, wanted) in joints.into_iter().zip(leg(foot, turn, side)) {
                    let got = value(&show.motion, &format!("{letter}{joint}"), ms);
                    assert!(
                        (got - wanted).abs() < 1e-5,
                        "{letter}{joint}: {got}, not {wanted}, in\n{text}"
                    );
                }
                let hand = of(&format!("{name}HandRot"));
                for (joint, wanted) in ["ElbowYaw", "ElbowRoll", "WristYaw"].into_iter().zip(hand) {
                    let got = value(&show.motion, &format!("{letter}{joint}"), ms);
                    assert!(
                        (got - wanted).abs() < 1e-12,
                        "{letter}{joint}: {got}, not {wanted}"
                    );
                }
                let arm = of(&format!("{name}ArmTra"));
                // From the shoulder to the elbow: within a third of a degree of the place.
                let pitch = value(&show.motion, &format!("{letter}ShoulderPitch"), ms);
                let roll = value(&show.motion, &format!("{letter}ShoulderRoll"), ms);
                let (along, beside) = (0.105, side * 0.015);
                let flat = along * roll.cos() - beside * roll.sin();
                let elbow = [
                    flat * pitch.cos(),
                    along * roll.sin() + beside * roll.cos(),
                    -flat * pitch.sin(),
                ];
                let to = [arm[0], arm[1] - side * 98.0, arm[2] - 185.0];
                let dot: f64 = elbow.iter().zip(to).map(|(a, b)| a * b).sum();
                let length =
                    |item: [f64; 3]| item.iter().map(|value| value * value).sum::<f64>().sqrt();
                let angle = (dot / length(elbow) / length(to)).acos();
                assert!(angle < 0.006, "{letter}: {angle} rad beside {arm:?}");
            }
            assert!((value(&show.motion, "HeadPitch", ms) - 0.2).abs() < 1e-12);
            // The engine leaves the hips as they are.
            assert_eq!(value(&show.motion, "LHipYawPitch", ms), 0.0);
        }
    }
}

#[test]
fn between_two_keys_a_line_is_within_the_error() {
    let robot = nao();
    let mut random = fastrand::Rng::with_seed(25);
    for _ in 0..2 {
        let (text, _) = kick(&mut random);
        let read = motion_files::read("kick.kmc", text.as_bytes()).expect("a kick");
        let motions = read
            .document
            .motions(&motion_files::NoSurroundings, &mut Vec::new());
        let motion = &motions.expect("a motion")[0];
        let of = |error: f64| {
            let placed = joints_of_limbs(motion, &robot, error).expect("short");
            placed.expect("a NAO has limbs").0
        };
        let (coarse, fine) = (of(0.001), of(1e-5));
        assert!(coarse.key_count() < fine.key_count());
        for (one, other) in coarse.tracks.iter().zip(&fine.tracks) {
            for ms in 0..600 {
                let at = |item| value_at(item, ms * 1_000_000).expect("a value");
                let gap: f64 = at(one) - at(other);
                assert!(gap.abs() < 0.0015, "{}: {gap} at {ms} ms", one.joint);
            }
        }
    }
}

#[test]
fn what_cannot_be_reached_is_told() {
    let mut text = kick(&mut fastrand::Rng::with_seed(1)).0;
    let begin = text.find("rightFootTra1").expect("a foot");
    let end = begin + text[begin..].find('\n').expect("a line");
    text.replace_range(begin..end, "rightFootTra1 = {x = 0; y = -50; z = -220;};");
    let begin = text.find("rightFootTra2").expect("a foot");
    let end = begin + text[begin..].find('\n').expect("a line");
    text.replace_range(begin..end, "rightFootTra2 = {x = 0; y = -50; z = -300;};");
    let show = read(&text, &nao());
    let sentence = show.remarks.iter().any(|remark| {
        let far = "`rightFootTra` cannot be reached everywhere: the foot is up to ";
        remark.sentence.starts_with(far)
    });
    assert!(sentence, "{:?}", show.remarks);
}

#[test]
fn a_head_that_is_ignored_is_not_moved() {
    let (text, _) = kick(&mut fastrand::Rng::with_seed(2));
    let show = read(&format!("ignoreHead = true;\n{text}"), &nao());
    assert!(
        show.motion
            .tracks
            .iter()
            .all(|track| !track.joint.starts_with("Head"))
    );
}

#[test]
fn the_mirror_image_of_a_kick_has_the_joints_of_the_other_side() {
    let robot = nao();
    let mut random = fastrand::Rng::with_seed(31);
    let map = motion_files::JointMap {
        mirror: true,
        ..Default::default()
    };
    for _ in 0..2 {
        let (text, _) = kick(&mut random);
        let options = ShowOptions {
            map: &map,
            error: CURVE_ERROR,
            motion: None,
            robot: Some(&robot),
            around: &motion_files::NoSurroundings,
        };
        let image = Show::read_with("kick.kmc", text.as_bytes(), &options).expect("a kick");
        let show = read(&text, &robot);
        for track in &show.motion.tracks {
            let name = track.joint.as_str();
            let (other, sign) = match name.split_at(1) {
                ("H", "eadYaw") => (name.to_owned(), -1.0),
                ("H", _) | ("L", "HipYawPitch") => (name.to_owned(), 1.0),
                (side, joint) => {
                    let flips = joint.ends_with("Roll") || joint.ends_with("Yaw");
                    let other = if side == "L" { "R" } else { "L" };
                    (format!("{other}{joint}"), if flips { -1.0 } else { 1.0 })
                }
            };
            for ms in [0, 300, 600] {
                let (mine, theirs) = (
                    value(&show.motion, name, ms),
                    value(&image.motion, &other, ms),
                );
                assert!(
                    (mine - sign * theirs).abs() < 1e-5,
                    "{name} at {ms}: {mine}, and {theirs}"
                );
            }
        }
    }
}
