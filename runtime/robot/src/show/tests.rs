//! Shows in each of their forms, and mistakes in them.

use super::*;
use description::{RobotSource, load};

/// What is in JSON begins so, whatever its ending.
fn file(text: &str) -> &'static str {
    if text.starts_with(['[', '{']) {
        "show.json"
    } else {
        "show.csv"
    }
}

fn read(text: &str) -> Show {
    Show::read(file(text), text.as_bytes()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn wrong(text: &str) -> String {
    Show::read(file(text), text.as_bytes())
        .expect_err("a mistake")
        .to_string()
}

pub(super) fn nao() -> description::Robot {
    let source = RobotSource {
        file: None,
        name: "nao".to_owned(),
        over: Vec::new(),
    };
    load(&source).expect("a robot")
}

/// A show of this file, for a NAO.
fn on_nao(file: &str, text: &str) -> Result<Show, ReadFailure> {
    let show = Show::read(file, text.as_bytes());
    show.unwrap_or_else(|error| panic!("{error}"))
        .fitted(&nao())
}

fn told(remarks: &[FileMistake]) -> Vec<String> {
    remarks.iter().map(ToString::to_string).collect()
}

const LONG: &str =
    "# a nod\nactuator,time,value\nHeadPitch,0.5,20deg\n\nHeadPitch,1s,0\nHeadYaw,500ms,-0.1\n";
const WIDE: &str =
    "turn,now,HeadPitch.sensor [rad],HeadYaw\n1,0.5,0.3490658503988659,-0.1\n2,1,0,\n";
const JSON: &str = r#"[{"actuator": "HeadPitch", "time": 0.5, "value": "20deg"},
    {"actuator": "HeadPitch", "time": "1s", "value": 0}, {"actuator": "HeadYaw", "time": "500ms", "value": -0.1}]"#;

#[test]
fn the_same_show_is_read_in_each_way() {
    let sorted = |text: &str| {
        let mut lines = read(text).compiled().lines;
        lines.sort_by_key(|line| (line.actuator, line.at));
        lines
    };
    let long = sorted(LONG);
    assert_eq!(long.len(), 3);
    assert_eq!((long[0].at, long[2].value), (500_000_000, -0.1));
    assert_eq!(long, sorted(WIDE));
    assert_eq!(long, sorted(JSON));
    assert_eq!(read(LONG).compiled().actuators, ["HeadPitch", "HeadYaw"]);
    let whole = format!(r#"{{"name": "nod", "lead": "2s", "loops": true, "commands": {JSON}}}"#);
    let whole = read(&whole).compiled();
    assert_eq!(
        (&*whole.name, whole.lead, whole.loops),
        ("nod", 2_000_000_000, true)
    );
}

#[test]
fn mistakes_name_their_lines() {
    let cases = [
        ("", "line 1, column 1: the file is empty"),
        (
            "actuator,time,value\n",
            "line 1, column 1: the file has no commands",
        ),
        ("a,b\n1,2\n", "line 1, column 1: the header has no `time`"),
        (
            "actuator,time,value\nHeadYaw,soon,1\n",
            "line 2, column 9: `soon` is not a time",
        ),
        (
            "actuator,time,value\nHeadYaw,-1,1\n",
            "line 2, column 9: `-1` is not a time: a time is from 0",
        ),
        (
            "actuator,time,value\n\nHeadYaw,1,far\n",
            "line 3, column 11: `far` is not a value",
        ),
        (
            "actuator,time,value\nHeadYaw,1\n",
            "line 2, column 10: 2 fields, but the header has 3",
        ),
        (
            "actuator,time,value\n,1,1\n",
            "line 2, column 1: the name of the actuator is missing",
        ),
        (
            "time,HeadYaw\n0,1\n1,x\n",
            "line 3, column 3: `x` is not a value",
        ),
        (
            "[{\"actuator\": \"HeadYaw\",\n\"time\": 1}]",
            "line 1, column 2: a command has no `value`",
        ),
        (
            "[\n{\"actuator\": \"HeadYaw\", \"time\": 1, \"value\": 1}",
            "line 2, column 46: EOF while parsing a list",
        ),
        (
            "{\"shows\": []}",
            "line 1, column 11: the show has the unknown entry `shows`",
        ),
    ];
    for (text, sentence) in cases {
        let message = wrong(text);
        assert!(message.starts_with(sentence), "{text:?}: {message}");
    }
    let message = wrong("actuator,time,value\nHeadYaw,1,1\nHeadYaw,2,x\nHeadYaw,3,1\n");
    assert!(message.starts_with("line 3, column 11: `x`"), "{message}");
    let many = format!("actuator,time,value\n{}", "HeadYaw,1,x\n".repeat(15));
    assert!(wrong(&many).contains("and 5 more"), "{}", wrong(&many));
    let bytes = Show::read("show", b"a,b\n\xff\n")
        .expect_err("no text")
        .to_string();
    assert!(
        bytes.starts_with("line 2, column 1: the byte 0xff is not UTF-8"),
        "{bytes}"
    );
}

#[test]
fn an_alias_and_a_joint_of_it_have_one_value_at_one_instant() {
    let robot = nao();
    let fits = |text: &str| {
        let show = Show::read("show.csv", text.as_bytes());
        show.expect("a show").fitted(&robot)
    };
    let message = fits("actuator,time,value\nHead,1,0.2\nHeadYaw,1,0.3\n").expect_err("two values");
    let message = message.to_string();
    assert!(
        message.starts_with(
            "line 3, column 1: two values for the same joint at 1 s: 0.2 for `Head`, and 0.3 for `HeadYaw`"
        ),
        "{message}"
    );
    fits("actuator,time,value\nHead,1,0.2\nHeadYaw,1,0.2\nHeadYaw,2,0.3\n").expect("one value");
}

#[test]
fn another_name_of_a_joint_that_moves_as_well_is_left_out() {
    let robot = nao();
    let joints = |rows: &str| {
        let text = format!("actuator,time,value\n{rows}");
        let show = Show::read("show.csv", text.as_bytes()).expect("a show");
        let fitted = show.fitted(&robot).expect("it fits");
        let names: Vec<_> = fitted
            .motion
            .tracks
            .iter()
            .map(|track| track.joint.clone())
            .collect();
        (
            names,
            fitted
                .remarks
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
        )
    };
    let both = "LHipYawPitch,1,-0.2\nLHipYawPitch,2,0\nRHipYawPitch,1,-0.3\n";
    let (names, remarks) = joints(both);
    assert_eq!(names, ["LHipYawPitch"]);
    let sentence = "line 4, column 1: `RHipYawPitch` is left out: on nao it is `LHipYawPitch`, which moves as well";
    assert_eq!(remarks, [sentence]);
    // Alone, or at instants of its own, it moves the motor.
    let (names, remarks) = joints("RHipYawPitch,1,-0.3\n");
    assert_eq!((names, remarks.len()), (vec!["RHipYawPitch".to_owned()], 0));
    let (names, remarks) = joints("LHipYawPitch,1,-0.2\nRHipYawPitch,2,-0.3\n");
    assert_eq!((names.len(), remarks.len()), (2, 0));
}

#[test]
fn a_hip_that_python_moves_by_both_names_follows_the_left_one() {
    let robot = nao();
    let read = |text: &str| {
        let show = Show::read("show.py", text.as_bytes()).expect("a show");
        let fitted = show.fitted(&robot).expect("it fits");
        let tracks = fitted.motion.tracks.iter();
        let spans: Vec<_> = tracks
            .map(|track| {
                (
                    track.joint.clone(),
                    track.keys[0].time,
                    track.keys[track.keys.len() - 1].time,
                )
            })
            .collect();
        let remarks: Vec<_> = fitted.remarks.iter().map(ToString::to_string).collect();
        (spans, remarks.join("\n"))
    };
    let curves = "[[0.0, [3, -0.33, 0], [3, 0.33, 0]], [VALUE, [3, -0.33, 0], [3, 0.66, 0]], \
                  [VALUE, [3, -0.66, 0], [3, 0, 0]]]";
    let (left, right) = (
        curves.replace("VALUE", "0.2"),
        curves.replace("VALUE", "-0.3"),
    );
    // At the same instants, at others within, and in the other order.
    for (first, second) in [
        ("LHipYawPitch", "RHipYawPitch"),
        ("RHipYawPitch", "LHipYawPitch"),
    ] {
        for times in ["[1, 2, 4]", "[1.5, 2.5, 3.5]"] {
            let times = |name: &str| {
                if name.starts_with('L') {
                    "[1, 2, 4]"
                } else {
                    times
                }
            };
            let keys = |name: &str| if name.starts_with('L') { &left } else { &right };
            let text = format!(
                "motion.angleInterpolationBezier([\"{first}\", \"{second}\"], [{}, {}], [{}, {}])\n",
                times(first),
                times(second),
                keys(first),
                keys(second)
            );
            let (spans, remarks) = read(&text);
            let own = ("LHipYawPitch".to_owned(), 1_000_000_000, 4_000_000_000);
            assert_eq!(spans, [own], "{text}");
            let remark =
                "`RHipYawPitch` is left out: on nao it is `LHipYawPitch`, which moves as well";
            assert!(remarks.contains(remark), "{remarks}");
        }
    }
    // What the right one does before the left one moves is played.
    let text = "motion.angleInterpolation([\"RHipYawPitch\", \"LHipYawPitch\"], [[-0.1, -0.2, -0.3], [-0.2, 0.0]], \
                [[1, 2, 3], [2, 4]], True)\n";
    let (spans, remarks) = read(text);
    assert_eq!(spans.len(), 2, "{spans:?}");
    assert!(
        remarks.contains("`RHipYawPitch` is left out from 2 s to 4 s: on nao it is `LHipYawPitch`, which moves then"),
        "{remarks}"
    );
}

#[test]
fn weights_that_are_not_played_are_told() {
    let text = "#MSq\nradians\nsetTime 100\nHeadYaw 0.5 0.5\nHeadPitch 0.1\n#END\n";
    let show = Show::read("a.mot", text.as_bytes()).expect("a show");
    let expected = "line 4, column 1: the weights of `HeadYaw` are not played";
    assert_eq!(told(&show.remarks), [expected]);
    // A joint that never counts is not moved, and needs no remark.
    let none = text.replace("0.5 0.5", "0.5 0");
    let show = Show::read("a.mot", none.as_bytes()).expect("a show");
    assert_eq!(told(&show.remarks), [""; 0]);
    assert_eq!(show.compiled().actuators, ["HeadPitch"]);
}

#[test]
fn keys_without_weight_before_the_others_hold_a_joint() {
    let text =
        "#MSq\nsetTime 1000\nHeadYaw 0.2\nHeadPitch 0 0\nsetTime 2000\nHeadPitch 0.1\n#END\n";
    let show = Show::read("a.mot", text.as_bytes()).expect("a show");
    assert_eq!(told(&show.remarks), [""; 0]);
    let compiled = show.compiled();
    assert_eq!(compiled.holds, [None, Some(1_000_000_000)]);
    let keys: Vec<_> = compiled
        .lines
        .iter()
        .map(|line| (line.actuator, line.at / 1_000_000))
        .collect();
    assert_eq!(keys, [(0, 1_000), (1, 2_000)]);
}

#[test]
fn a_joint_that_the_robot_lacks_is_named_with_its_place_and_a_similar_one() {
    let text = "actuator,time,value\nHeadPitch,1,0.1\nHeadYow,1,0.1\n";
    let failure = on_nao("a.csv", text).expect_err("no HeadYow");
    assert_eq!(
        failure.to_string(),
        "line 3, column 1: nao has no actuator `HeadYow`; did you mean `HeadYaw`?"
    );
    // Compiled for no robot, it keeps the name, for whoever plays it.
    let show = Show::read("a.csv", text.as_bytes()).expect("a show");
    let component = show.component().expect("a choreography");
    assert!(component.windows(7).any(|pair| pair == b"HeadYow"));
}

#[test]
fn columns_of_a_table_that_are_no_joints_are_left_out_with_a_remark() {
    let show = on_nao(
        "a.csv",
        "time,HeadYaw,foo,field.seq\n0.5,0.1,1,7\n1,0.2,2,8\n",
    )
    .expect("a joint");
    let expected =
        "line 1, column 14: left out: the columns `foo`, `field.seq`: nao has no such actuators";
    assert_eq!(told(&show.remarks), [expected]);
    assert_eq!(show.compiled().actuators, ["HeadYaw"]);
    let mistakes = [
        (
            "time,HeadPitch,HeadYaw_deg\n1,0,0\n",
            "line 1, column 16: nao has no actuator `HeadYaw_deg`; fix: write `HeadYaw [deg]`, the unit in brackets",
        ),
        // Nearly a joint, no joint at all, and a line for each command.
        (
            "time,HeadPitch,HeadYw\n1,0,0\n",
            "line 1, column 16: nao has no actuator `HeadYw`; did you mean `HeadYaw`?",
        ),
        (
            "time,foo\n1,0\n",
            "line 1, column 6: nao has no actuator `foo`",
        ),
        (
            "actuator,time,value\nHeadYaw,1,0\nfoo,1,0\n",
            "line 3, column 1: nao has no actuator `foo`",
        ),
    ];
    for (text, expected) in mistakes {
        assert_eq!(on_nao("a.csv", text).expect_err(text).to_string(), expected);
    }
    // What a mapping names is meant.
    let map = motion_files::JointMap::read(b"[joints]\nfoo = \"Nose\"\n").expect("a mapping");
    let options = ShowOptions {
        map: &map,
        error: CURVE_ERROR,
        motion: None,
        around: &NoSurroundings,
    };
    let text = "time,HeadYaw,foo\n1,0,0\n";
    let show = Show::read_with("a.csv", text.as_bytes(), &options).expect("a table");
    let failure = show.fitted(&nao()).expect_err("no nose").to_string();
    assert!(failure.contains("nao has no actuator `Nose`"), "{failure}");
}

#[test]
fn a_motion_for_another_body_is_one_mistake() {
    let text = "time,a,b,c,d\n0,1,1,1,1\n";
    assert_eq!(
        on_nao("a.csv", text).expect_err("strangers").to_string(),
        "line 1, column 6: nao has none of its joints, `a`, `b`, `c`, `d`: fix: choose the robot that it was \
         made for, or map its joints"
    );
}

#[test]
fn fingers_of_a_hand_with_one_motor_are_left_out() {
    let webots = |joints: &str, values: &str| {
        let text = format!("#WEBOTS_MOTION,V1.0,{joints}\n00:00:000,Pose1,{values}\n");
        on_nao("a.motion", &text)
    };
    let show = webots("HeadYaw,LPhalanx1,LPhalanx8,RPhalanx2", "0,0.5,0.5,1").expect("a show");
    assert_eq!(show.compiled().actuators, ["HeadYaw"]);
    assert_eq!(
        told(&show.remarks),
        [
            "line 1, column 29: the fingers `LPhalanx1`, `LPhalanx8` are left out: on nao `LHand` moves them \
             together; fix: let it move, from 0 to 1",
            "line 1, column 49: the fingers `RPhalanx2` are left out: on nao `RHand` moves them together; fix: \
             let it move, from 0 to 1",
        ]
    );
    let failure = webots("LPhalanx1", "1")
        .expect_err("fingers alone")
        .to_string();
    assert!(
        failure.contains("nothing but the fingers of nao"),
        "{failure}"
    );
    assert!(webots("LPhalanx9,HeadYaw", "1,0").is_err());
}

#[test]
fn a_curve_that_goes_back_in_time_has_the_place_of_its_joint() {
    let text = "actuator,time,value,ease\nHeadPitch,1,0,\nHeadYaw,1,0,bezier(2 0 / -0.1 0)\nHeadYaw,2,0.5,\n";
    let failure = Show::read("a.csv", text.as_bytes())
        .expect_err("backward")
        .to_string();
    let begin = "line 3, column 1: the curve of `HeadYaw` after 1 s goes back in time";
    assert!(failure.starts_with(begin), "{failure}");
}

#[test]
fn another_body_groups_and_a_misspelled_mapping_are_told() {
    let pepper = "#: body = juliette\ntime,HeadYaw\n0,0.1\n";
    let told = |show: &Show| {
        show.remarks
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let show = on_nao("a.csv", pepper).expect("it fits");
    assert_eq!(
        told(&show),
        [
            "line 1, column 11: it is for `juliette`, a body of the kind Pepper, not for nao: look at what \
             its joints do here"
        ]
    );
    for body in ["nao", "NAO H25", "max"] {
        let show = on_nao("a.csv", &pepper.replace("juliette", body)).expect("it fits");
        assert!(show.remarks.is_empty(), "{body}");
    }
    let python = "m.angleInterpolation(['HipRoll'], [[0.1]], [[1.0]], True)\n";
    let show = on_nao("a.py", python).expect("it fits");
    assert_eq!(
        told(&show),
        ["line 1, column 24: `HipRoll` is several joints on nao: `LHipRoll`, `RHipRoll`"]
    );
    let map = JointMap::read(b"[joints]\n\"HeadYwa\" = \"HeadPitch\"\n\"Tail\" = false\n")
        .expect("a mapping");
    let options = ShowOptions {
        map: &map,
        error: CURVE_ERROR,
        motion: None,
        around: &NoSurroundings,
    };
    let show = Show::read_with("a.csv", b"time,HeadYaw\n0,0.1\n", &options).expect("a show");
    assert_eq!(
        told(&show),
        [
            "line 1, column 1: `HeadYwa` in the mapping (line 2, column 1) is no joint of this motion; \
             did you mean `HeadYaw`?"
        ]
    );
}
