//! Exports of Bottango: animations over several controllers, and shares of ranges.

use serde_json::{Value, json};

use crate::{JointMap, KeyedMotion, MotionFormat, NoSurroundings, adapted, is_answered, read};

fn export(controllers: &[(&str, Vec<(&str, String)>)]) -> String {
    let controllers = controllers.iter().map(|(name, animations)| {
        let animations = animations.iter().map(|(name, commands)| {
            json!({"Animation Name": name, "Animation Commands": commands, "Animation Loop Commands": ""})
        });
        json!({"Controller Name": name, "Animations": animations.collect::<Vec<_>>()})
    });
    Value::from(controllers.collect::<Vec<_>>()).to_string()
}

fn motions_of(text: &str) -> (Vec<KeyedMotion>, Vec<crate::FileMistake>) {
    let reading = read("a.json", text.as_bytes()).unwrap_or_else(|why| panic!("{why}"));
    let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
    (motions.expect("motions"), reading.remarks)
}

fn curve(effector: &str, from: u32, to: u32) -> String {
    format!("sC,{effector},0,500,{from},100,0,{to},-100,0\n")
}

#[test]
fn an_animation_of_several_controllers_is_one_motion() {
    let mut random = fastrand::Rng::with_seed(71);
    for _ in 0..100 {
        let count = random.usize(1..5);
        let mut controllers = Vec::new();
        let mut wanted = Vec::new();
        for number in 0..count {
            let ends = [random.u32(0..8_193), random.u32(0..8_193)];
            let effector = (number + 5).to_string();
            let name = ["Head", "Arm", "Leg", "Tail"][number];
            let other = curve(&effector, ends[1], ends[0]);
            controllers.push((
                name,
                vec![
                    ("wave", curve(&effector, ends[0], ends[1])),
                    ("back", other),
                ],
            ));
            wanted.push((effector, ends.map(|end| f64::from(end) / 8192.0)));
        }
        let (motions, _) = motions_of(&export(&controllers));
        let names: Vec<_> = motions.iter().map(|motion| motion.name.as_str()).collect();
        assert_eq!(names, ["wave", "back"]);
        for (motion, [first, last]) in motions.iter().zip([[0, 1], [1, 0]]) {
            let found: Vec<_> = motion
                .tracks
                .iter()
                .map(|track| {
                    (
                        track.joint.clone(),
                        [track.keys[first].value, track.keys[last].value],
                    )
                })
                .collect();
            assert_eq!(found, wanted);
        }
    }
}

#[test]
fn effectors_of_one_name_are_told_apart_by_their_controllers() {
    let wave = |effector: &str| vec![("wave", curve(effector, 0, 8192))];
    let (motions, remarks) = motions_of(&export(&[("Head", wave("1")), ("Arm", wave("1"))]));
    let names: Vec<_> = motions[0]
        .tracks
        .iter()
        .map(|track| track.joint.as_str())
        .collect();
    assert_eq!(names, ["1", "Arm/1"]);
    assert_eq!((motions.len(), motions[0].body.as_str()), (1, "Head + Arm"));
    let told =
        "the effector `1` of `Arm` is `Arm/1` here, since another controller has one of its name";
    assert!(
        remarks.iter().any(|remark| remark.sentence == told),
        "{remarks:?}"
    );
    // Twice in one controller, they are two.
    let twice = vec![("wave", curve("1", 0, 1)), ("wave", curve("2", 0, 1))];
    let (motions, _) = motions_of(&export(&[("Head", twice)]));
    let names: Vec<_> = motions.iter().map(|motion| motion.name.as_str()).collect();
    assert_eq!(names, ["wave", "wave#2"]);
}

#[test]
fn a_mapping_with_ranges_answers_the_remark_that_asks_for_it() {
    let both = curve("1", 0, 8192) + &curve("2", 0, 8192);
    let (motions, remarks) = motions_of(&export(&[("Head", vec![("wave", both)])]));
    let is_answered = |map: &str| {
        let map = JointMap::read(map.as_bytes()).expect("a mapping");
        remarks
            .iter()
            .all(|remark| is_answered(remark, &map, &motions))
    };
    assert!(!is_answered(""));
    assert!(!is_answered(
        "[joints]\n1 = { to = \"HeadYaw\", range = [-1.0, 1.0] }\n"
    ));
    assert!(!is_answered(
        "[joints]\n1 = { to = \"HeadYaw\", range = [-1.0, 1.0] }\n2 = \"HeadPitch\"\n"
    ));
    assert!(is_answered(
        "[joints]\n1 = { to = \"HeadYaw\", range = [-1.0, 1.0] }\n2 = false\n"
    ));
}

#[test]
fn values_that_may_be_no_shares_are_told() {
    let text = "time,HeadYaw,9\n0,0.5,0.5\n1,0.25,0.25\n";
    let reading = read("a.csv", text.as_bytes()).expect("a table");
    let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
    let (_, lost) =
        adapted(&motions.expect("one")[0], MotionFormat::Bottango, 0.001).expect("lines");
    assert_eq!(
        lost,
        [
            "values of `HeadYaw` are written as shares of an effector's range, 1 for the whole; fix: if they are none, \
          map them to the effector with --map, with scale and offset"
        ]
    );
}
