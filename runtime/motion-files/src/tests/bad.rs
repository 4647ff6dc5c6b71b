//! Bad inputs of each reader: what is said, and where. Nothing of a bad file is read.

use super::{SAMPLES, sample};
use crate::{FILE_MAX, JointMap, MotionFormat, MotionReading, NoSurroundings, read, read_as};

fn wrong(format: MotionFormat, text: &str) -> String {
    let read = read_as(format, text.as_bytes());
    let failure = match read {
        Err(failure) => failure,
        Ok(reading) => {
            let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
            motions.expect_err(text)
        }
    };
    failure.to_string()
}

fn fine(name: &str, text: &str) -> MotionReading {
    read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn all(format: MotionFormat, cases: &[(&str, &str)]) {
    let others = cases.iter().filter_map(|(text, begin)| {
        let message = wrong(format, text);
        (!message.starts_with(begin)).then(|| format!("{message}\nnot\n{begin}"))
    });
    let others: Vec<_> = others.collect();
    assert!(others.is_empty(), "{}", others.join("\n\n"));
}

#[test]
fn mistakes_in_csv() {
    let head = "actuator,time,value\n";
    let line = |text: &str| format!("{head}{text}\n");
    let cases = [
        ("HeadYaw,1,NaN", "line 2, column 11: `NaN` is not a value"),
        ("HeadYaw,1,inf", "line 2, column 11: `inf` is not a value"),
        ("HeadYaw,1e308,0", "line 2, column 9: `1e308` is not a time"),
        (
            "HeadYaw,-1,0",
            "line 2, column 9: `-1` is not a time: a time is from 0",
        ),
        ("HeadYaw,soon,0", "line 2, column 9: `soon` is not a time"),
        ("HeadYaw,0x10,0", "line 2, column 9: `0x10` is not a time"),
        (
            "HeadYaw,1",
            "line 2, column 10: 2 fields, but the header has 3",
        ),
        (
            "HeadYaw,1,5,0,5",
            "line 2, column 16: 5 fields, but the header has 3",
        ),
        (
            ",1,0",
            "line 2, column 1: the name of the actuator is missing",
        ),
        (
            "A,1,0.5\nA,1,-0.5",
            "line 3, column 5: `A` has two values at 1 s: 0.5 in line 2, and -0.5",
        ),
        (
            "A,1,3deg\nA,2,3mm",
            "line 3, column 5: an angle and a length",
        ),
        (
            "A,1,30furlongs",
            "line 2, column 5: `30furlongs` is not a value",
        ),
    ];
    for (text, begin) in cases {
        all(MotionFormat::Csv, &[(&line(text), begin)]);
    }
    all(
        MotionFormat::Csv,
        &[
            ("", "line 1, column 1: the file has no commands"),
            (head, "line 1, column 1: the file has no commands"),
            ("a,b\n1,2\n", "line 1, column 1: the header has no `time`"),
            ("time,A,A\n0,0,1\n", "line 2, column 5: `A` has two values"),
            (
                "#: loop = true\n",
                "line 1, column 1: unknown setting `loop`",
            ),
            (
                "actuator,time,value,ease\nA,1,0,slowly\n",
                "line 2, column 7: `slowly` is no way",
            ),
        ],
    );
    // Several mistakes at once, and more than are shown.
    let many = format!("{head}{}", "HeadYaw,1,x\n".repeat(15));
    assert!(wrong(MotionFormat::Csv, &many).ends_with("and 5 more"));
    // Tolerated: semicolons and tabs with decimal commas, quotes, blanks, any order, the same
    // command twice.
    let plain = fine("", "actuator,time,value\nHeadYaw,1.5,0.5\nHeadYaw,2,0\n").document;
    for text in [
        "actuator;time;value\nHeadYaw;1,5;0,5\nHeadYaw;2;0\n",
        "actuator\ttime\tvalue\nHeadYaw\t1,5\t0.5\nHeadYaw\t2\t0\n",
        "\"actuator\",\"time\",\"value\"\n\"HeadYaw\",\"1.5\",\"0.5\"\nHeadYaw,2,0\n",
        " actuator , time , value \n  HeadYaw , 1500 ms , 0.5\n\n# x\nHeadYaw,2 s,0\n",
        "actuator,time,value\nHeadYaw,2,0\nHeadYaw,1.5,0.5\nHeadYaw,2,0\n",
        "turn,now,HeadYaw.sent [rad]\n1,1.5,0.5\n2,1.75,\n2,1.8,NaN\n3,2,0\n",
    ] {
        assert_eq!(fine("a.csv", text).document, plain, "{text}");
    }
}

#[test]
fn mistakes_in_json() {
    all(
        MotionFormat::Json,
        &[
            (
                "{\"commands\":[{\"actuator\":\"A\",\"time\":1,\"value\":0.5},]}",
                "line 1, column 52: expected value",
            ),
            (
                "{\"comands\":[]}",
                "line 1, column 12: the show has the unknown entry `comands`",
            ),
            ("[]", "line 1, column 1: the file has no commands"),
            (
                "[{\"actuator\":\"A\",\n\"time\":\"soon\",\"value\":null}]",
                "line 2, column 8: `soon` is not a time",
            ),
            (
                "[{\"actuator\":\"A\",\"time\":1}]",
                "line 1, column 2: a command has no `value`",
            ),
            ("[\n{\"actuator\": \"A\"", "line 2, column 1"),
        ],
    );
}

#[test]
fn mistakes_in_motions_of_webots() {
    let head = "#WEBOTS_MOTION,V1.0,A,B\n";
    let line = |text: &str| format!("{head}{text}\n");
    let cases = [
        (
            "00:00:000,P,1",
            "line 2, column 14: 3 fields; expected a time, the pose's name, and 2 values",
        ),
        (
            "00:00:000,P,1,nan",
            "line 2, column 15: the value `nan` of `B`",
        ),
        (
            "00:00:00x,P,1,2",
            "line 2, column 1: `00:00:00x` is not a time",
        ),
        (
            "00:00:00:000,P,1,2",
            "line 2, column 1: `00:00:00:000` is not a time",
        ),
        ("0.5,P,1,2", "line 2, column 1: `0.5` is not a time"),
        (
            "00:01:000,P,1,2\n00:00:500,Q,1,2",
            "line 3, column 1: `00:00:500` is not after",
        ),
        ("", "line 1, column 24: no pose follows the header"),
    ];
    for (text, begin) in cases {
        all(MotionFormat::Webots, &[(&line(text), begin)]);
    }
    all(
        MotionFormat::Webots,
        &[
            (
                "",
                "line 1, column 1: the first line does not begin with #WEBOTS_MOTION",
            ),
            (
                "#WEBOTS_MOTION,V2.0,A\n",
                "line 1, column 16: expected the version V1.0",
            ),
            (
                "#WEBOTS_MOTION,V1.0\n",
                "line 1, column 20: the header names no joints",
            ),
            (
                "#WEBOTS_MOTION,V1.0,A,A\n",
                "line 1, column 23: `A` comes twice",
            ),
        ],
    );
    let plain = fine("", "#WEBOTS_MOTION,V1.0,A\n00:00:500,up,0.5\n").document;
    let german = "#WEBOTS_MOTION;V1.0;A\r\n00:00:500;up;0,5\r\n";
    assert_eq!(fine("", german).document, plain);
}

#[test]
fn code_in_a_python_export_is_not_executed() {
    let begin = "names = list()\ntimes = list()\nkeys = list()\nnames.append('A')\n";
    let call = "m.angleInterpolation(names, keys, times, True)\n";
    let line =
        |text: &str| format!("{begin}times.append([1.0])\nkeys.append([0.5])\n{text}\n{call}");
    // What does not touch the lists is passed over, with a remark.
    let whole = fine("a.py", &line(""));
    for text in [
        "os.system('rm -rf /')",
        "x = f()",
        "for i in range(3):\n    go(i)\n    if i > 2:\n\n        stop()\n# end",
        "while True: pass",
        "@decorated",
        "m.setAngles('HeadYaw', 1.0, 0.1)",
        "text = f(1)(2)",
    ] {
        let read = fine("a.py", &line(text));
        assert_eq!(read.document, whole.document, "{text}");
        let [remark] = &read.remarks[..] else {
            panic!("one remark for {text}: {:?}", read.remarks);
        };
        let begin = format!("line 7, column 1: `{}", &text[..4]);
        assert!(remark.to_string().starts_with(&begin), "{remark}");
        assert!(
            remark
                .sentence
                .ends_with("is passed over: nothing is executed"),
            "{remark}"
        );
    }
    // What moves nothing at all needs no remark.
    for text in [
        "import os, unicodedata",
        "from subprocess import call",
        "def main(ip, port=9559):",
        "class Robot(object):",
        "if __name__ == \"__main__\":",
        "print(open('x'))",
        "print \"names: %s\" % names",
        "x = [1, y]",
        "x = 1 + 2 if y else [0x10]",
        "text = u\"\"\"two\nlines; keys = 3\"\"\" + x",
        "args = sys.argv[1:]",
        "a, b = 1, 2",
        "'a'.join(b)",
        "\"a\" % names",
        "x: List[int] = [1]",
        "count = len(names); y = [len(key) for key in keys]",
        "m = ALProxy(f())",
        "try:\n    pass\nexcept BaseException as err:\n    print(err)",
    ] {
        let read = fine("a.py", &line(text));
        assert_eq!(
            (&read.document, &read.remarks),
            (&whole.document, &vec![]),
            "{text}"
        );
    }
    // What may change the lists is not.
    let executed = [
        (
            "names = [i for i in x]",
            "line 7, column 9: `[i for i in x]` would have to be executed",
        ),
        (
            "keys += [1 +",
            "line 7, column 9: the list that begins here has no end",
        ),
        (
            "for i in keys:\n    go(i)",
            "line 8, column 5: `go(i)` would have to be executed",
        ),
        (
            "if fast:\n    times = [[0.5]]",
            "line 8, column 5: `times` would have to be executed",
        ),
        (
            "random.shuffle(keys)",
            "line 7, column 1: `random.shuffle(keys)` would have to be executed",
        ),
        (
            "names.append('B').x",
            "line 8, column 1: 2 names, 1 lists of times",
        ),
        (
            "keys[0] = 1",
            "line 7, column 1: `keys[0]` would have to be executed",
        ),
        (
            "k = scaled(keys)\nm.angleInterpolation(names, k, times, True)",
            "line 7, column 5: `scaled(keys)` would have to be executed",
        ),
        (
            "text = '''open",
            "line 7, column 8: the text that begins here has no end",
        ),
    ];
    for (text, begin) in executed {
        all(MotionFormat::Python, &[(&line(text), begin)]);
    }
    let relative = line("").replace("True", "False");
    all(
        MotionFormat::Python,
        &[(&relative, "line 8, column 42: angles relative")],
    );
    let lists =
        |times: &str, keys: &str| format!("{begin}times.append({times})\nkeys.append({keys})\n");
    let cases = [
        (
            "[1.0, 2.0]",
            "[0.5]",
            "line 6, column 13: `A` has 2 times, but 1 keys",
        ),
        (
            "[2.0, 1.0]",
            "[0.5, 1]",
            "line 5, column 20: the times of `A` do not rise",
        ),
        ("[-1.0]", "[0.5]", "line 5, column 15: a time is from 0"),
        (
            "[1.0]",
            "[[0.5, [7, 0, 0]]]",
            "line 6, column 20: the kind 7 of a handle",
        ),
        ("[1.0]", "['x']", "line 6, column 14: expected a number"),
        (
            "[1.0]",
            "[[0.5, [3, 0",
            "line 6, column 12: the list that begins here has no end",
        ),
        (
            "[nan]",
            "[0.5]",
            "line 5, column 15: `nan` would have to be executed",
        ),
    ];
    for (times, keys, begin) in cases {
        all(MotionFormat::Python, &[(&lists(times, keys), begin)]);
    }
    let missing = wrong(MotionFormat::Python, "names = ['A']\n");
    assert!(
        missing.starts_with("line 1, column 1: there is no list `times`"),
        "{missing}"
    );
    // What Choregraphe and its users write around the lists.
    let plain = fine("", &line("")).document;
    for text in [
        "names = ['A']\ntimes = [[1.0]]\nkeys = [[0.5]]\nprint err\nprint str(err)\nprint(str(err))\n",
        "names = [\"A\"]; angles = [[0.5]]; t = [1.0] # x\nm = ALProxy(\"ALMotion\", IP, 9559)\n\
         m.post.angleInterpolation(names, angles, t, True)\n",
        "import time\nnames=list()\nkeys=[]\ntimes=()\nnames.append(u'A')\n",
    ] {
        let text = text.replace(
            "names.append(u'A')",
            "names = ['A'];times = (1.0,);keys = (0.5,)",
        );
        assert_eq!(fine("a.py", &text).document, plain, "{text}");
    }
}

#[test]
fn mistakes_in_projects_of_choregraphe() {
    let whole = String::from_utf8_lossy(sample("turn.xar")).into_owned();
    let case = |from: &str, to: &str| whole.replacen(from, to, 1);
    let cases = [
        (
            case("value=\"-33.2\"", "value=\"far\""),
            "line 12, column 21: value is `far`",
        ),
        (
            case("frame=\"50\"", "frame=\"12\""),
            "line 16, column 21: the frames of `HeadYaw` do not rise",
        ),
        (
            case("frame=\"13\"", "frame=\"-1\""),
            "line 12, column 21: the frame -1",
        ),
        (
            case("fps=\"25\"", "fps=\"0\""),
            "line 9, column 15: 0 frames in a second",
        ),
        (
            case("unit=\"0\"", "unit=\"7\""),
            "line 11, column 19: the unit `7`",
        ),
        (
            case("\"bezier\"", "\"wild\""),
            "line 13, column 23: the kind `wild`",
        ),
        (
            case(" actuator=\"HeadYaw\"", ""),
            "line 11, column 19: the curve names no actuator",
        ),
        (
            whole[..900].to_owned(),
            "line 14, column 63: the file ends here",
        ),
        (
            whole.replace("ActuatorCurve", "Other"),
            "line 1, column 1: the project has no timeline",
        ),
        (
            whole.replacen(
                "<Choregraphe",
                "<!DOCTYPE x [<!ENTITY a \"b\">]><Choregraphe",
                1,
            ),
            "line 2, column 1: a document type is not read",
        ),
    ];
    for (text, begin) in cases {
        all(MotionFormat::Xar, &[(&text, begin)]);
    }
    let muted = fine("a.xar", &case("mute=\"0\"", "mute=\"1\""));
    assert!(
        muted.remarks[0].to_string().contains("`HeadYaw` is muted"),
        "{:?}",
        muted.remarks
    );
}

#[test]
fn mistakes_in_files_of_tekkotsu() {
    all(
        MotionFormat::Pos,
        &[
            (
                "POS\n",
                "line 1, column 1: the first line does not begin with #POS",
            ),
            (
                "#POS\nA\n#END\n",
                "line 2, column 2: the value of `A` is missing",
            ),
            (
                "#POS\nA x\n#END\n",
                "line 2, column 3: the value of `A` is `x`",
            ),
            ("#POS\nA 1 y\n#END\n", "line 2, column 5: the weight is `y`"),
            (
                "#POS\nA 1 1 1\n#END\n",
                "line 2, column 7: expected a name, a value",
            ),
            (
                "#POS\n<what>\n#END\n",
                "line 2, column 1: unknown section `what`",
            ),
            (
                "#POS\ncondensed X\noutputs 1\n#END\n",
                "line 3, column 1: the order of the model `X`",
            ),
            (
                "#POS\nspecialize (\nA 1\n#END\n",
                "line 2, column 1: `(` is no expression",
            ),
        ],
    );
    all(
        MotionFormat::Mot,
        &[
            (
                "#MSq\ndelay soon\n#END\n",
                "line 2, column 7: `soon` is no count of milliseconds",
            ),
            (
                "#MSq\ndelay -5\n#END\n",
                "line 2, column 7: `-5` is no count",
            ),
            (
                "#MSq\nsetTime 99999999999\n#END\n",
                "line 2, column 9: a time is from 0",
            ),
            (
                "#MSq\nA 1e999\n#END\n",
                "line 2, column 3: the value of `A` is `1e999`",
            ),
            (
                "#MSq\nload\n#END\n",
                "line 2, column 5: the name of the file is missing",
            ),
            (
                "#MSq\nload x.pos\n#END\n",
                "line 2, column 1: there is no file `x.pos`",
            ),
        ],
    );
    all(
        MotionFormat::Wyp,
        &[
            (
                "#WyP\njump 1\n#END\n",
                "line 2, column 1: unknown word `jump`",
            ),
            (
                "#WyP\nadd_point here 1 2\n#END\n",
                "line 2, column 11: expected ego, off or abs",
            ),
            (
                "#WyP\nadd_point ego 1\n#END\n",
                "line 2, column 16: y is missing",
            ),
            (
                "#WyP\nadd_point ego 1 2 stay 0 0 0\n#END\n",
                "line 2, column 19: expected hold or follow",
            ),
            (
                "#WyP\ntrack_path 2\n#END\n",
                "line 2, column 13: expected 0 or 1",
            ),
        ],
    );
    // Without the last line: a remark. Decimal commas, tabs, =, hexadecimal times, any case.
    let cut = fine("a.pos", "#POS\nA\t=\t0,5\n");
    assert_eq!(
        cut.remarks[0].to_string().split(':').next(),
        Some("line 3, column 1")
    );
    let mot = fine("a.mot", "#MSq\nSETTIME 0x10\nA 0,5 1 rest\n#END\n");
    assert!(
        mot.remarks[0]
            .to_string()
            .starts_with("line 3, column 9: `rest`")
    );
    let motion = &mot
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion")[0];
    assert_eq!(
        (
            motion.tracks[0].keys[0].time,
            motion.tracks[0].keys[0].value
        ),
        (16_000_000, 0.5)
    );
}

fn text(name: &str) -> String {
    String::from_utf8_lossy(sample(name)).into_owned()
}

#[test]
fn mistakes_of_reachy_mini() {
    let wink = text("wink.json");
    all(
        MotionFormat::Reachy,
        &[
            (
                &wink.replacen("0, 0.01", "0.02, 0.01", 1),
                "line 1, column 40: the times do not rise",
            ),
            (
                &wink.replacen("[0, 0.01, 0.5]", "[0, 0.01]", 1),
                "line 1, column 63: 2 times, but 3 targets",
            ),
            (
                &wink.replacen("[0.5, -0.5]", "[0.5]", 1),
                "line 1, column 155: expected the angles of two",
            ),
            (
                &wink.replacen("[0, 0, 0, 1]", "[0, 0, 0]", 1),
                "line 1, column 78: expected `head` as a matrix",
            ),
            (&wink.replacen("0.1}", "\"x\"}", 1), "line 1"),
            ("[1]", "line 1, column 1: the move is a list"),
        ],
    );
}

#[test]
fn mistakes_of_hulks() {
    let sit = text("sit.json");
    all(
        MotionFormat::Hulks,
        &[
            (
                &sit.replacen("0.5,", "0,", 1),
                "line 16, column 23: the duration is 0",
            ),
            (
                &sit.replacen("left_leg", "third_leg", 1),
                "line 8, column 18: unknown part `third_leg`",
            ),
            (
                &sit.replacen("knee_pitch", "toe", 1),
                "line 9, column 14: unknown joint `toe`",
            ),
            (
                &sit.replacen("linear", "wild", 1),
                "line 2, column 25: the interpolation `wild`",
            ),
        ],
    );
}

#[test]
fn mistakes_of_bottango() {
    let doors = text("doors.json");
    all(
        MotionFormat::Bottango,
        &[
            (
                &doors.replacen("sC,9,1000,500,8192", "sC,9,1000,500,100", 1),
                "line 10, column 31: the effector `9`: it jumps at 1000 ms",
            ),
            (
                &doors.replacen("9,1000,500,8192", "9,500,500,8192", 1),
                "line 10, column 31: the effector `9`: two curves",
            ),
            (
                &doors.replacen("512;", "x;", 1),
                "line 10, column 31: the command 1 of the animation: `x`",
            ),
        ],
    );
}

#[test]
fn mistakes_of_ros() {
    let reach = text("reach.yaml");
    all(
        MotionFormat::Trajectory,
        &[
            (
                &reach.replacen("[0.0, 1.5]", "[0.0]", 1),
                "line 8, column 14: 1 positions, but 2 joints",
            ),
            (
                &reach.replacen("sec: 2", "sec: 0", 1),
                "line 20, column 5: the times do not rise",
            ),
            (
                &reach.replacen("1.5]", ".nan]", 1),
                "line 8, column 20: positions is `.nan`",
            ),
            (
                &reach.replacen("1.5]", "\"1,5\"]", 1),
                "line 8, column 20: positions is the text `1,5`",
            ),
            (
                &reach.replacen("elbow", "shoulder", 1),
                "line 6, column 31: `shoulder_joint` comes twice",
            ),
            ("a: [1", "line 2, column 1: while parsing a flow sequence"),
            ("a: 1", "line 1, column 1: there is no `joint_names`"),
        ],
    );
}

#[test]
fn files_that_were_cut_off_or_are_something_else_are_refused() {
    for (name, format, _) in SAMPLES {
        let other: [&[u8]; 5] = [
            b"PK\x03\x04 a spreadsheet",
            b"\xff\xfe\xff",
            b"\0\0\0\0",
            b"a\xfcb",
            b"",
        ];
        for other in other {
            let failure = read_as(format, other).expect_err(name);
            assert!(
                failure.list[0].line == 1 && failure.list[0].column >= 1,
                "{name}: {failure}"
            );
        }
    }
    let aibo = sample("paw.mtn");
    for cut in 0..aibo.len() {
        let failure = read("paw.mtn", &aibo[..cut])
            .expect_err("cut off")
            .to_string();
        assert!(failure.starts_with("line 1, column "), "{failure}");
    }
    let large = vec![b' '; FILE_MAX + 1];
    for format in MotionFormat::all() {
        let failure = read_as(format, &large).expect_err("too large").to_string();
        assert!(failure.contains("more than 100 MB"), "{failure}");
    }
}

#[test]
fn mistakes_in_mappings() {
    let cases = [
        (
            "[joints]\nA = 5\n",
            "line 2, column 5: expected a name in quotes",
        ),
        (
            "[joints]\nA = { to = \"B\", range = [1] }\n",
            "line 2, column 25: expected what 0 and what 1 become",
        ),
        (
            "[joints]\nA = { to = \"B\", range = [1, 1.0] }\n",
            "line 2, column 25: expected what 0 and what 1 become",
        ),
        (
            "[joints]\nA = { to = \"B\", range = [0, 1], scale = 2.0 }\n",
            "line 2, column 5: a range says the scale and the offset",
        ),
        (
            "[joints]\nA = { scale = 2 }\n",
            "line 2, column 5: `to` is missing",
        ),
        (
            "[joints]\nA = { to = \"B\", scale = 0 }\n",
            "line 2, column 25: the scale is 0",
        ),
        (
            "[joints]\nA = { to = \"B\", scale = inf }\n",
            "line 2, column 25: expected a number",
        ),
        ("joint = 1\n", "line 1, column 1: unknown entry `joint`"),
        ("[joints\n", "line 1"),
    ];
    for (text, begin) in cases {
        let failure = JointMap::read(text.as_bytes()).expect_err(text).to_string();
        assert!(failure.starts_with(begin), "{text}: {failure}");
    }
}

#[test]
fn files_of_robot_soccer_are_refused_with_the_reason() {
    let kick = "phaseParameters = [ { duration = 200; } ];\n";
    let skill = "STARTSKILL S\nSTARTSTATE\nsettar EFF_LL3 10 end\nwait 1 end\nENDSTATE\nENDSKILL\n";
    for (name, text, begin) in [
        ("a.kmc", "", ""),
        (
            "a.kmc",
            kick,
            "line 1, column 1: a kick of B-Human is balanced by its engine",
        ),
        (
            "a.cfg",
            kick,
            "line 1, column 1: a kick of B-Human is balanced by its engine",
        ),
        (
            "a.SKL",
            skill,
            "line 1, column 1: a skill of the robot-soccer simulation",
        ),
        (
            "a",
            skill,
            "line 1, column 1: a skill of the robot-soccer simulation",
        ),
    ] {
        let failure = crate::read(name, text.as_bytes())
            .expect_err(name)
            .to_string();
        assert!(failure.starts_with(begin), "{name}: {failure}");
    }
}
