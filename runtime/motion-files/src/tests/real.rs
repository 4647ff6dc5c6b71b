//! What files of other programs have that ours would not: found in real exports.

use crate::curves::value_at;
use crate::{KeyedMotion, MotionFormat, NoSurroundings, adapted, read};

fn motions_of(name: &str, text: &str) -> Vec<KeyedMotion> {
    let read = read(name, text.as_bytes()).unwrap_or_else(|why| panic!("{why}"));
    let motions = read.document.motions(&NoSurroundings, &mut Vec::new());
    motions.expect("motions")
}

/// Key frames of the HULKs for the head's yaw: durations and values.
fn frames(mode: &str, first: f64, keys: &[(f64, f64)]) -> String {
    let frame = |(duration, yaw): &(f64, f64)| {
        format!("{{\"duration\": {duration}, \"positions\": {{\"head\": {{\"yaw\": {yaw}}}}}}}")
    };
    let frames: Vec<_> = keys.iter().map(frame).collect();
    format!(
        "{{\"interpolation_mode\": \"{mode}\", \"initial_positions\": {{\"head\": {{\"yaw\": {first}}}}}, \
         \"frames\": [{}]}}",
        frames.join(", ")
    )
}

#[test]
fn key_frames_of_the_hulks_are_bent_as_their_interpolation_says() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..200 {
        let count = random.usize(1..6);
        let mut keys = vec![];
        for _ in 0..count {
            let duration = f64::from(random.u32(1..3_000)) / 1e3;
            keys.push((duration, 4.0 * random.f64() - 2.0));
        }
        let first = 4.0 * random.f64() - 2.0;
        // Instants and values, with the keys that the HULKs add before and behind: mirrored in time.
        let mut points = vec![(0.0, first)];
        for (duration, value) in &keys {
            let last = points.last().expect("one").0;
            points.push((last + duration, *value));
        }
        let mut all = points.clone();
        all.insert(0, (2.0 * points[0].0 - points[1].0, points[1].1));
        let (last, before) = (points[count], points[count - 1]);
        all.push((2.0 * last.0 - before.0, before.1));
        for mode in ["cosine", "Catmull_Rom", "linear"] {
            let motion = &motions_of("a.json", &frames(mode, first, &keys))[0];
            for _ in 0..50 {
                let at = random.f64() * last.0;
                let number = points
                    .iter()
                    .rposition(|point| point.0 <= at)
                    .expect("the first")
                    .min(count - 1);
                let [x, a, b, y] = [0, 1, 2, 3].map(|i| all[number + i]);
                let (span, t) = (b.0 - a.0, (at - a.0) / (b.0 - a.0));
                let wanted = match mode {
                    "cosine" => {
                        let share = (1.0 - (std::f64::consts::PI * t).cos()) / 2.0;
                        a.1 * (1.0 - share) + b.1 * share
                    }
                    "linear" => a.1 * (1.0 - t) + b.1 * t,
                    _ => {
                        let (m0, m1) = (
                            (b.1 - x.1) / (b.0 - x.0) * span,
                            (y.1 - a.1) / (y.0 - a.0) * span,
                        );
                        let (t2, t3) = (t * t, t * t * t);
                        (2.0 * t3 - 3.0 * t2 + 1.0) * a.1
                            + (t3 - 2.0 * t2 + t) * m0
                            + (3.0 * t2 - 2.0 * t3) * b.1
                            + (t3 - t2) * m1
                    }
                };
                let got = value_at(&motion.tracks[0], (at * 1e9) as u64).expect("a value");
                assert!(
                    (got - wanted).abs() < 2e-4,
                    "{mode} at {at}: {got}, not {wanted}, of {keys:?} from {first}"
                );
            }
        }
    }
    let mistake =
        read("a.json", frames("bezier", 0.0, &[(1.0, 1.0)]).as_bytes()).expect_err("unknown");
    assert!(
        mistake
            .to_string()
            .contains("known are linear, cosine and catmull_rom"),
        "{mistake}"
    );
}

#[test]
fn a_timeline_without_units_has_shares_for_hands_and_names_of_its_own() {
    let timeline = |box_name: &str, joint: &str, value: f64| {
        format!(
            "<Box name=\"{box_name}\"><Timeline fps=\"25\" enable=\"1\" start_frame=\"1\" end_frame=\"-1\">\
             <ActuatorList model=\"nao\"><ActuatorCurve actuator=\"{joint}\" mute=\"0\">\
             <Key frame=\"10\" value=\"{value}\"/></ActuatorCurve></ActuatorList></Timeline></Box>"
        )
    };
    let boxes = [
        timeline("Wave", "LHand", 0.25),
        timeline("Wave", "HeadYaw", 90.0),
        timeline("Bow", "HeadYaw", 90.0),
    ];
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<ChoregrapheProject xar_version=\"3\"><Box name=\"root\">\
         <Timeline enable=\"0\"><BehaviorLayer name=\"l\"><BehaviorKeyframe name=\"k\" index=\"1\"><Diagram>{}\
         </Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>\n",
        boxes.join("\n")
    );
    let motions = motions_of("a.xar", &text);
    let names: Vec<_> = motions.iter().map(|motion| motion.name.as_str()).collect();
    assert_eq!(names, ["Wave", "Wave#2", "Bow"]);
    let si = |motion: &KeyedMotion| motion.tracks[0].si(&motion.tracks[0].keys[0]);
    assert_eq!(si(&motions[0]), 0.25);
    assert_eq!(si(&motions[1]), 90_f64.to_radians());
}

#[test]
fn joints_that_begin_late_or_have_one_key_are_told_of() {
    let motion = &motions_of(
        "a.csv",
        "actuator,time,value\nHeadYaw,0,0.1\nHeadYaw,2,0.3\nHeadPitch,1,0.2\n",
    )[0];
    for format in [
        MotionFormat::Hulks,
        MotionFormat::Trajectory,
        MotionFormat::Mcap,
        MotionFormat::Mtn,
    ] {
        let (_, lost) = adapted(motion, format, 0.001).expect("lines");
        assert!(
            lost.iter()
                .any(|text| text.starts_with("the way to the first keys")),
            "{format:?}: {lost:?}"
        );
    }
    let (fitted, lost) = adapted(motion, MotionFormat::Bottango, 0.001).expect("lines");
    assert!(
        lost.iter()
            .any(|text| text.starts_with("`HeadPitch` has a second key 1 ms behind")),
        "{lost:?}"
    );
    let pitch = fitted
        .tracks
        .iter()
        .find(|track| track.joint == "HeadPitch")
        .expect("it is kept");
    assert_eq!(pitch.keys.len(), 2);
}

#[test]
fn a_handle_that_goes_back_in_time_is_a_mistake_when_it_is_read() {
    let text = "names = [\"HeadYaw\"]\ntimes = [[1, 2.0]]\n\
                keys = [[[0.1,[3,-.3,0],[3,1.5,0.1]],[0.5,[3,-1.3,0],[3,0,0]]]]\n";
    let mistake = read("a.py", text.as_bytes())
        .expect_err("it goes back")
        .to_string();
    assert_eq!(
        mistake,
        "line 1, column 11: the curve of `HeadYaw` after 1 s goes back in time; fix: shorten its handles"
    );
}

#[test]
fn functions_of_a_script_are_motions_of_their_names() {
    let lists = |joint: &str| {
        format!(
            "    names = list()\n    times = list()\n    keys = list()\n    names.append('{joint}')\n    \
             times.append([1.0])\n    keys.append([0.5])\n"
        )
    };
    let call = "    motion = ALProxy('ALMotion', ip, 9559)\n    \
                motion.angleInterpolation(names, keys, times, True)\n";
    let text = format!(
        "import qi\ndef nod(ip):\n{}{call}\ndef turn():\n{}    return names, times, keys\n\ndef reach():\n{}\n\
         if __name__ == '__main__':\n    nod(sys.argv[1])\n",
        lists("HeadPitch"),
        lists("HeadYaw"),
        lists("LShoulderPitch")
    );
    let motions = motions_of("a.py", &text);
    let all: Vec<_> = motions
        .iter()
        .map(|motion| (motion.name.as_str(), motion.tracks[0].joint.as_str()))
        .collect();
    let wanted = [
        ("nod", "HeadPitch"),
        ("turn", "HeadYaw"),
        ("reach", "LShoulderPitch"),
    ];
    assert_eq!(all, wanted);
    // Written at once, in functions that give them back.
    let one = |name: &str, joint: &str| {
        format!(
            "def {name}():\n  names = ['{joint}']\n  times = [[1]]\n  keys = [[0.5]]\n  return names, times, keys\n"
        )
    };
    let text = one("left", "LHand") + &one("right", "RHand");
    let motions = motions_of("a.py", &text);
    let all: Vec<_> = motions
        .iter()
        .map(|motion| (motion.name.as_str(), motion.tracks[0].joint.as_str()))
        .collect();
    assert_eq!(all, [("left", "LHand"), ("right", "RHand")]);
    // Played twice, it is one motion; other names of lists are those of the call.
    let call = "self.motion.angleInterpolationBezier(n1, t1, k1)\n";
    let text = format!("n1 = ['HeadYaw']\nt1 = [[1.0]]\nk1 = [[0.5]]\n{call}{call}");
    let motions = motions_of("a.py", &text);
    assert_eq!((motions.len(), motions[0].name.as_str()), (1, ""));
}

#[test]
fn what_is_left_out_of_a_file_is_told() {
    let remarks = |name: &str, text: &str| {
        let read = read(name, text.as_bytes()).unwrap_or_else(|why| panic!("{why}"));
        read.remarks
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        remarks(
            "a.csv",
            "actuator,time,value,easing\nHeadYaw,0,0,min-jerk\n"
        ),
        [
            "line 1, column 21: the column `easing` is left out; known are actuator, time, value and ease"
        ]
    );
    let project = "<ChoregrapheProject><Box name=\"b\"><script language=\"4\"><content>x()</content></script>\n\
                   <script language=\"4\"><content> </content></script><Timeline fps=\"25\"><ActuatorList>\
                   <ActuatorCurve actuator=\"HeadYaw\" unit=\"0\"><Key frame=\"1\" value=\"1\"/></ActuatorCurve>\
                   </ActuatorList></Timeline></Box></ChoregrapheProject>";
    assert_eq!(
        remarks("a.xar", project),
        ["line 1, column 35: the script of a box is not executed: timelines alone are played"]
    );
    // A wrong pose is one mistake.
    let mistakes =
        read("a.motion", b"#WEBOTS_MOTION,V1.0,A,B\n00:00:000,P,0.1\n").expect_err("too short");
    assert_eq!(mistakes.to_string().lines().count(), 1, "{mistakes}");
    // A curve that a controller passes on to another is one as well.
    let export = "[{\"Controller Name\": \"C\", \"Animations\": [{\"Animation Name\": \"A\", \"Animation Commands\": \
                  \"sSY,sC,1,0,5000,4096,1250,0,8192,-1250,0;\\nsR,0,sSY,sC,5,0,5000,4096,1250,0,0,-1250,0;\\n\"}]}]";
    let motion = &motions_of("a.json", export)[0];
    let values: Vec<_> = motion
        .tracks
        .iter()
        .map(|track| (track.joint.as_str(), track.keys[1].value))
        .collect();
    assert_eq!(values, [("1", 1.0), ("5", 0.0)]);
    let twice = export.replacen(
        "]}]",
        "]}, {\"Controller Name\": \"D\", \"Animations\": [{\"Animation Name\": \"A\", \
                                        \"Animation Commands\": \"sC,1,0,50,0,9,0,1,-9,0;\"}]}]",
        1,
    );
    let names: Vec<_> = motions_of("a.json", &twice)
        .into_iter()
        .map(|motion| motion.name)
        .collect();
    assert_eq!(names, ["A"]);
}
