//! Scripts that people write around the lists of an export: what of them is read, and what is not played because it
//! would have to be executed. Found in scripts of many authors.

use crate::{KeyedMotion, NoSurroundings, read};

fn motions_of(name: &str, text: &str) -> Vec<KeyedMotion> {
    let read = read(name, text.as_bytes()).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let motions = read.document.motions(&NoSurroundings, &mut Vec::new());
    motions.expect("motions")
}

/// The keys of a joint: milliseconds and values.
fn keys(motion: &KeyedMotion, joint: &str) -> Vec<(u64, f64)> {
    let track = motion.tracks.iter().find(|track| track.joint == joint);
    let keys = &track.unwrap_or_else(|| panic!("no {joint}")).keys;
    keys.iter()
        .map(|key| (key.time / 1_000_000, key.value))
        .collect()
}

/// The lists of two joints, built in one of the forms that are used.
const LISTS: &str = "names = list()\ntimes = list()\nkeys = list()\nnames.append('HeadYaw')\n\
                     times.append([1.0, 2.0])\nkeys.append([0.5, -0.25])\nnames.append('HeadPitch')\n\
                     times.append([1.5])\nkeys.append([0.125])\n";
const CALL: &str = "m.angleInterpolation(names, keys, times, True)\n";

/// What they are: milliseconds and values.
fn is_played(text: &str) {
    let motions = motions_of("a.py", text);
    assert_eq!(motions.len(), 1, "{text}");
    assert_eq!(
        keys(&motions[0], "HeadYaw"),
        [(1_000, 0.5), (2_000, -0.25)],
        "{text}"
    );
    assert_eq!(keys(&motions[0], "HeadPitch"), [(1_500, 0.125)], "{text}");
    assert_eq!(motions[0].tracks.len(), 2, "{text}");
}

#[test]
fn calls_are_read_in_the_forms_that_people_write() {
    for call in [
        "isAbsolute = True\nm.angleInterpolation(names, keys, times, isAbsolute)",
        "m.angleInterpolation(names, keys, times, 1)",
        "id = m.post.angleInterpolation(names, keys, times, True)",
        "self.id = self.m.post.angleInterpolationBezier(names, times, keys)",
        "m.angleInterpolation(names, keys, times, True, _async=True)",
        "m.angleInterpolation(names = names, angleLists = keys, timeLists = times, isAbsolute = True)",
        "ALProxy(\"ALMotion\", ip, 9559).angleInterpolation(names, keys, times, True);",
        "session.service('ALMotion').angleInterpolationBezier(names, times, keys)",
        "qi.async(m.angleInterpolation, names, keys, times, True)",
        "if later:\n    m.post.angleInterpolation(\n        names, keys, times, True)\nelse:\n    \
         m.angleInterpolation(names, keys, times, True)",
        "try:\n  m.angleInterpolation(names, keys, times, True)\nexcept BaseException, err:\n  print err",
        "show(names, keys, times)",
        "for i in range(5):\n    m.angleInterpolation(names, keys, times, True)",
        "assert len(names) == len(times), 'no'\nprint names, len(keys)\nm.angleInterpolation(names, keys, times, True)",
    ] {
        is_played(&format!("{LISTS}{call}\n"));
    }
}

#[test]
fn lists_are_read_in_the_forms_that_people_write() {
    let both = "m.angleInterpolation(names, keys, times, True)\n";
    for lists in [
        "names, times, keys = [], [], []\nnames.extend([\"HeadYaw\", u'HeadPitch'])\ntimes.extend([[1, 2], [1.5]])\n\
         keys.extend([[0.5, -.25], [0.125]])\n",
        "names = ['Head' + 'Yaw', 'Head' 'Pitch']\nt = 1.5\ntv = [t - 0.5, 2 * 1.0]\ntimes = list()\n\
         times.append(tv)\ntv = [t]\ntimes.append(tv)\nkeys = [[1 / 2.0, -\n0.25], [(0.125)]]\n",
        "names = list([\"HeadYaw\"]) + [\"HeadPitch\"]\ntimes = [[1.0, 2.0], 1.5]\nkeys = [(0.5, - 0.25,), 0.125,]\n",
        "a, b = 0.5, 0.125\nnames = ('HeadYaw', 'HeadPitch')\ntimes = [[1.0, 2.0]] + [[1.5]] * 1\n\
         keys = [[a, a - 0.75], [b]]\n",
        "keys = [[math.radians(90) / math.pi, -45.0 * almath.TO_RAD / motion.TO_RAD / 180], [abs(-0.125)]]\n\
         names: list = ['HeadYaw', 'HeadPitch']\ntimes = [[1.0, 2.0], [float(1.5)]]\n",
        "if not done:\n    names = ['HeadYaw', 'HeadPitch']\n    times = [[1.0, 2.0], [1.5]]\n    \
         keys = [[0.5, -0.25], [0.125]]\n",
        "all = (['HeadYaw', 'HeadPitch'], [[1.0, 2.0], [1.5]], [[0.5, -0.25], [0.125]])\nnames, times, keys = all\n",
    ] {
        is_played(&format!("{lists}{both}"));
    }
    let own = |text: &str| {
        let lists = ["names", "times", "keys"];
        lists.into_iter().fold(text.to_owned(), |text, list| {
            text.replace(list, &format!("self.{list}"))
        })
    };
    let body = indented(&own(&format!("{LISTS}{CALL}")));
    is_played(&format!("class A:\n  def go(self):\n{body}"));
    // One joint needs no lists in lists, and one time may be that of all.
    let one = "m.angleInterpolation(\"HeadYaw\", [0.5, -0.25], [1.0, 2], True)\n";
    let motion = &motions_of("a.py", one)[0];
    assert_eq!(keys(motion, "HeadYaw"), [(1_000, 0.5), (2_000, -0.25)]);
    let all = "m.angleInterpolation(['HeadYaw', 'HeadPitch'], [0, -0.26], 2, 1)\n";
    let motion = &motions_of("a.py", all)[0];
    assert_eq!(keys(motion, "HeadPitch"), [(2_000, -0.26)]);
    let handles =
        "m.angleInterpolationBezier('HeadYaw', [1.0], [[0.5, [3, -0.1, 0], [3, 0.1, 0]]])\n";
    assert_eq!(
        keys(&motions_of("a.py", handles)[0], "HeadYaw"),
        [(1_000, 0.5)]
    );
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// Code that changes the lists.
const CHANGES: [&str; 40] = [
    "times[0][0] = 0.01",
    "times[0].append(9); keys[0].append(0.1)",
    "for i in range(len(times)):\n    for j in range(len(times[i])):\n        times[i][j] += 2",
    "for t in times:\n    t[0] = 0.01",
    "keys[0][0] *= -1",
    "names[0] = \"RHand\"",
    "times = [[f(x) for x in t] for t in times]",
    "keys.reverse()",
    "names.reverse(); keys.reverse(); times.reverse()",
    "def shift(ts):\n    for t in ts:\n        t[-1] += 1\nshift(times)",
    "if len(names) > 0:\n    keys[0][0] = 0.123",
    "if len(names) > 0: keys[0][0] = 0.123",
    "while len(names) > 1:\n    names.pop(); times.pop(); keys.pop()",
    "print(len(names), keys[0].reverse())",
    "a = keys\na[0][0] = 0.456",
    "(k0, *_) = keys\nk0[0] = 0.77",
    "for i, _ in enumerate(names): times[i][0] = 0.02",
    "[k.append(0.1) or t.append(9) for k, t in zip(keys, times)]",
    "keys[0] = [x + 0.1 for x in keys[0]]",
    "keys = scaled(keys)",
    "del names[-1], times[-1], keys[-1]",
    "globals()[\"keys\"][0][0] = 0.9",
    "setattr(times, \"x\", 1) if False else times[0].__setitem__(0, 0.03)",
    "keys[:] = [[0.1]*len(t) for t in times]",
    "n = names; n[0] = \"RHand\"",
    "exec(\"keys[0][0] = 0.31\")",
    "with open(\"/dev/null\") as f:\n    keys[0][0] = 0.2",
    "names, times, keys = names[:1], times[:1], keys[:1]",
    "keys[0].insert(0, 0.1); times[0].insert(0, 0.001)",
    "for i in range(len(names)):\n    keys[i] = [round(v * 2, 4) for v in keys[i]]",
    "if len(times) == len(keys):\n    names.append(\"RHand\")\n    times.append([1])\n    keys.append([0.3])",
    "for j in (\"RHand\",):\n    names.append(j); times.append([1]); keys.append([0.3])",
    "k = keys[0]; k[0] = 0.2",
    "k = max(keys); k[0] = 0.2",
    "def more():\n    keys[0][0] = 0.1\nmore()",
    "def more():\n    keys.append([q.rate])\nmore()",
    "if fast:\n    times = [[0.5, 1], [0.5]]",
    "try:\n    go()\nexcept IOError:\n    keys = [[0, 0], [0]]",
    "while go():\n    keys += [[1]]",
    "both = [keys, times]\nboth[0][0][0] = 1",
];

/// Code that does not.
const NOISE: [&str; 25] = [
    "print(names)",
    "x = 3",
    "y = len(times)",
    "tts.say(\"hello [ ( times[0]=5\")",
    "# times[0][0] = 9",
    "\"\"\"\ntimes[0][0] = 9\n\"\"\"",
    "import math",
    "z = [1,2,3]; z.append(4); z[0] = 5",
    "foo(1)",
    "for i in range(2):\n    tts.say(\"x\")",
    "if len(names) > 2:\n    print(\"many\")",
    "assert len(names) == len(keys)",
    "def helper(times, keys):\n    times[0] = keys\n    return 1",
    "class K:\n    keys = [1]\n    def f(self): self.keys[0] = 2",
    "try:\n    foo(2)\nexcept Exception:\n    pass",
    "w = \"a\" \\\n    \"b\"",
    "for names_ in [1]: pass",
    "print(\"%s\" % names[0])",
    "print(times[0][0])",
    "d = {\"times\": 3}",
    "d2 = dict(times=3)",
    "foo(keys=3)",
    "s = str(keys)",
    "foo(len(names))",
    "m.setStiffnesses(names, 1.0)",
];

#[test]
fn random_scripts_are_played_as_they_are_executed_or_not_at_all() {
    let mut random = fastrand::Rng::with_seed(24);
    for round in 0..150 {
        let mut lines = vec!["names = list()\ntimes = []\nkeys = list()".to_owned()];
        let mut joints = ["HeadYaw", "HeadPitch", "LShoulderPitch", "RElbowRoll"];
        random.shuffle(&mut joints);
        let mut wanted = Vec::new();
        for joint in &joints[..random.usize(2..=4)] {
            let count = random.usize(1..4);
            let mut at = 0;
            let points: Vec<(u64, f64)> = (0..count)
                .map(|_| {
                    at += random.u64(1..40) * 50;
                    (at, f64::from(random.i32(-500..500)) / 1000.0)
                })
                .collect();
            let times: Vec<_> = points.iter().map(|point| point.0 as f64 / 1000.0).collect();
            let values: Vec<_> = points.iter().map(|point| point.1).collect();
            lines.push(match random.u32(0..4) {
                0 => format!("names.append(\"{joint}\")\ntimes.append({times:?})\nkeys.append({values:?})"),
                1 => format!("names += ['{joint}']\ntimes += [{times:?}]\nkeys += [{values:?}]"),
                2 => format!("t = {times:?}\nk = {values:?}\nnames.append('{joint}'); times.append(t); keys.append(k)"),
                _ => format!(
                    "names.extend((\n  '{joint}',))\ntimes.extend([\n{times:?}])\nkeys.extend([{values:?}\n])"
                ),
            });
            wanted.push(((*joint).to_owned(), points));
        }
        for _ in 0..random.u32(0..4) {
            let noise = NOISE[random.usize(0..NOISE.len())];
            lines.insert(random.usize(1..=lines.len()), noise.to_owned());
        }
        let plain = lines.join("\n") + "\n" + CALL;
        let motions = motions_of("a.py", &plain);
        assert_eq!(motions.len(), 1, "{plain}");
        for (joint, points) in &wanted {
            assert_eq!(&keys(&motions[0], joint), points, "{joint} of\n{plain}");
        }
        assert_eq!(motions[0].tracks.len(), wanted.len(), "{plain}");
        let change = CHANGES[round % CHANGES.len()];
        let changed = format!("{}\n{change}\n{CALL}", lines.join("\n"));
        let failure = read("a.py", changed.as_bytes()).map(|value| value.document);
        let failure = failure.expect_err(&format!("it would have to be executed:\n{changed}"));
        assert!(
            failure.to_string().contains("executed"),
            "{failure}\n{changed}"
        );
    }
}

#[test]
fn functions_that_change_what_they_are_given_are_not_played() {
    let call = "    m.angleInterpolation(n, k, t, True)\n";
    let end = "go(['HeadYaw'], [[0.5]], [[1.0]])\n";
    for text in [
        format!("def go(n, k, t):\n    k = [a * almath.TO_RAD for a in k]\n{call}{end}"),
        format!("def go(n, k, t):\n    k[0][0] = 1\n{call}{end}"),
        format!("def go(n, k, t):\n    for a in t: a[0] *= 2\n{call}{end}"),
        format!("def go(n, k, t):\n    k.reverse()\n{call}{end}"),
        format!("def go(n, k, t):\n    t += [[1]]\n{call}{end}"),
        format!("def go(n, k, t):\n    m.angleInterpolation(n, k, t, False)\n{end}"),
        format!("def go(n, k, t, r=False):\n    m.angleInterpolation(n, k, t, r)\n{end}"),
        format!("def go(n, k, t):\n{call}def go(n, t, k):\n{call}{end}"),
        "from mine import degrees as radians\nm.angleInterpolation('HeadYaw', radians(1), 1.0, True)\n".to_owned(),
        "T = 1.0\nfrom config import *\nm.angleInterpolation('HeadYaw', 0.5, T, True)\n".to_owned(),
        "T = 1.0\nwith it() as T:\n    m.angleInterpolation('HeadYaw', 0.5, T, True)\n".to_owned(),
        "T = 1.0\ndef f():\n    global T\n    T = 2.0\nf()\nm.angleInterpolation('HeadYaw', 0.5, T, True)\n".to_owned(),
        "class A:\n    def __init__(self):\n        self.k = [[0.1]]\n    def go(self):\n        \
         m.angleInterpolation(['HeadYaw'], self.k, [[1]], True)\nx = A()\nx.k = [[0.9]]\n\
         m.angleInterpolation(['HeadYaw'], x.k, [[1]], self.absolute)\n".to_owned(),
    ] {
        let read = read("a.py", text.as_bytes()).map(|value| value.document);
        let played = read.as_ref().map(|value| value.motions(&NoSurroundings, &mut Vec::new()));
        let is_old = |motion: &KeyedMotion| motion.name == "go" && keys(motion, "HeadYaw") == [(1_000, 0.1)];
        let refused = played.is_err();
        assert!(refused || played.is_ok_and(|played| played.is_ok_and(|value| value.iter().all(is_old))), "{text}");
    }
}

/// As NAOqi's own documentation writes scripts.
#[test]
fn a_script_with_a_main_function_and_proxies_is_read() {
    let text = "import sys\nimport time\nfrom naoqi import ALProxy\nimport almath\n\n\
        def main(robotIP, PORT=9559):\n    motionProxy  = ALProxy(\"ALMotion\", robotIP, PORT)\n    \
        postureProxy = ALProxy(\"ALRobotPosture\", robotIP, PORT)\n\n    motionProxy.wakeUp()\n    \
        postureProxy.goToPosture(\"StandInit\", 0.5)\n    names      = [\"HeadYaw\", \"HeadPitch\"]\n    \
        angleLists = [[50.0*almath.TO_RAD, 0.0],\n        [-30.0*almath.TO_RAD, 30.0*almath.TO_RAD, 0.0]]\n    \
        timeLists  = [[1.0, 2.0], [ 1.0, 2.0, 3.0]]\n    isAbsolute = True\n    \
        motionProxy.angleInterpolation(names, angleLists, timeLists, isAbsolute)\n    time.sleep(1.0)\n    \
        motionProxy.setStiffnesses(\"Head\", 0.0)\n    # Then one joint.\n    names = \"HeadYaw\"\n    \
        motionProxy.angleInterpolation(names, [1.0, 0.0], [1.0, 2.0], isAbsolute)\n    motionProxy.rest()\n\n\
        if __name__ == \"__main__\":\n    robotIp = \"127.0.0.1\"\n    if len(sys.argv) <= 1:\n        \
        print \"Usage: python angles.py robotIP\"\n    else:\n        robotIp = sys.argv[1]\n    main(robotIp, 9559)\n";
    let motions = motions_of("a.py", text);
    let degree = std::f64::consts::PI / 180.0;
    assert_eq!(motions.len(), 2);
    let yaw = [(1_000, 50.0 * degree), (2_000, 0.0)];
    assert_eq!(keys(&motions[0], "HeadYaw"), yaw);
    assert_eq!(keys(&motions[1], "HeadYaw"), [(1_000, 1.0), (2_000, 0.0)]);
}

#[test]
fn a_chain_has_a_value_for_each_of_its_joints() {
    let head = &motions_of(
        "a.py",
        "m.angleInterpolation('Head', [0.5, 0.2], [1.0, 2.0], True)\n",
    )[0];
    assert_eq!(keys(head, "HeadYaw"), [(1_000, 0.5)]);
    assert_eq!(keys(head, "HeadPitch"), [(2_000, 0.2)]);
    let arm =
        "m.angleInterpolation(['LArm', 'HeadYaw'], [[0], [1], [2], [3], [4], [5]], [2.0], True)\n";
    let arm = &motions_of("a.py", arm)[0];
    assert_eq!(arm.tracks.len(), 6);
    assert_eq!(
        (keys(arm, "LWristYaw"), keys(arm, "HeadYaw")),
        (vec![(2_000, 4.0)], vec![(2_000, 5.0)])
    );
    let body = read(
        "a.py",
        b"m.angleInterpolation('Body', [0, 1], [1, 1], True)\n",
    );
    let body = body.expect_err("nobody knows its joints").to_string();
    assert!(
        body.starts_with("line 1, column 22: it stands for joints"),
        "{body}"
    );
}

#[test]
fn one_motion_that_cannot_be_read_is_no_reason_to_refuse_the_others() {
    let text = format!(
        "def good():\n{}    {CALL}\ndef bad(angle):\n    names = ['HeadYaw']\n    times = [[1.0]]\n    \
         keys = [[angle]]\n    {CALL}",
        indented(LISTS)
    );
    let reading = read("a.py", text.as_bytes()).expect("one of them");
    let remarks: Vec<_> = reading.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        remarks,
        [
            "line 16, column 14: `bad` is left out: `angle` would have to be executed; fix: write its value"
        ]
    );
    let motions = motions_of("a.py", &text);
    assert_eq!((motions.len(), motions[0].name.as_str()), (1, "good"));
}

#[test]
fn what_is_taken_for_granted_is_told() {
    let remarks = |text: &str| {
        let read = read("a.py", text.as_bytes()).unwrap_or_else(|why| panic!("{why}"));
        let all = read.remarks.iter().map(ToString::to_string);
        all.collect::<Vec<_>>().join("\n")
    };
    let cut = remarks(LISTS);
    assert!(
        cut.starts_with("line 10, column 1: nothing plays `names`, `times` and `keys`"),
        "{cut}"
    );
    let branch = remarks(&format!("{LISTS}if fast:\n    {CALL}"));
    assert_eq!(
        branch,
        "line 10, column 1: `if fast:` is not executed: what it plays is read as if it were executed"
    );
    let many = remarks(&format!("{LISTS}while go:\n    {CALL}"));
    assert_eq!(
        many,
        "line 10, column 1: `while go:` is not executed: what it plays is read once"
    );
    let helper = remarks(&format!("{LISTS}show(names, times, keys)\n"));
    assert!(
        helper.starts_with("line 10, column 1: `show` gets names, times and keys"),
        "{helper}"
    );
    let twice = remarks(&format!("{LISTS}{CALL}{CALL}"));
    assert!(
        twice.starts_with("line 11, column 1: the same lists are played again"),
        "{twice}"
    );
}

#[test]
fn what_no_script_may_ask_for_is_a_mistake_at_its_place() {
    let deep = format!(
        "{LISTS}x = {}1{}\n{CALL}",
        "(".repeat(200_000),
        ")".repeat(200_000)
    );
    is_played(&deep);
    for (text, begin) in [
        (
            format!(
                "{LISTS}keys = {}1{}\n",
                "[".repeat(100_000),
                "]".repeat(100_000)
            ),
            "line 10, column 48: brackets too deep",
        ),
        (
            format!("{LISTS}keys = [[{}1]]\n", "not ".repeat(100_000)),
            "line 10, column",
        ),
        ("x = 1\n".repeat(3) + &blocks(5_000), "line 64, column"),
        (
            format!("{LISTS}keys += [[1]] * 100000000\n{CALL}"),
            "line 10, column",
        ),
        (
            format!("{LISTS}keys += [010]\n{CALL}"),
            "line 10, column 10: `010` is octal in Python 2",
        ),
        (
            format!("{LISTS}keys += [1/2]\n{CALL}"),
            "line 10, column 10: `1/2` would have to be executed",
        ),
    ] {
        let failure = read("a.py", text.as_bytes()).expect_err(begin).to_string();
        assert!(failure.starts_with(begin), "{failure}");
    }
}

/// Blocks in each other, around the lists.
fn blocks(depth: usize) -> String {
    let mut text = String::new();
    for at in 0..depth {
        text += &format!("{}if x:\n", " ".repeat(at));
    }
    text + &" ".repeat(depth) + "names = times = keys = []\n"
}

#[test]
fn letters_of_an_older_encoding_are_read_if_the_script_names_it() {
    let text = format!("# -*- coding: iso-8859-15 -*-\n# gr\u{fc}\u{df}e\n{LISTS}{CALL}");
    let latin: Vec<u8> = text.chars().map(|c| c as u32 as u8).collect();
    let motions = read("a.py", &latin).expect("Latin letters");
    assert_eq!(
        motions.document,
        read("a.py", text.as_bytes()).expect("UTF-8").document
    );
    let failure = read("a.py", &latin[30..])
        .expect_err("no encoding")
        .to_string();
    assert!(failure.contains("is not UTF-8"), "{failure}");
}
