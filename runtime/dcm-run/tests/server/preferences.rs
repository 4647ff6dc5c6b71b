//! Calibrations and preferences of a running robot, over HTTP, the socket and the command line: read, tried, kept,
//! taken back. Compared with a plain model: the offset of each joint is that of the description, plus what was moved.

use std::collections::BTreeMap;
use std::fs;

use crate::common::home;
use crate::recordings::replay_all;
use description::{RobotSource, load};
use hyper::Method;
use network::client::ApiClient;
use serde_json::{Value, json};
use tests::process::{Home, Wire, text, until};
use tests::served::{ask_loop, refused, refused_by_loop, serve};

const RECORDED: &str =
    "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"\"\n[recordings]\non = true\n";

const JOINTS: [&str; 4] = ["HeadYaw", "LShoulderPitch", "RElbowRoll", "LKneePitch"];

/// How much a reading of the simulated NAO may be off, rad.
const NOISE: f64 = 0.004;

fn get(client: &ApiClient, path: &str) -> Value {
    client.get(&format!("/api/v2/{path}")).expect(path)
}

fn post(client: &ApiClient, path: &str, words: &Value) -> Value {
    let answer = client.ask::<Value>(Method::POST, &format!("/api/v2/{path}"), Some(words));
    answer.unwrap_or_else(|error| panic!("{path} {words}: {error}"))
}

fn measured(client: &ApiClient, joint: &str) -> f64 {
    let key = format!("{joint}/Position/Sensor/Value");
    let told = get(client, &format!("memory/getData?key={key}"));
    told["value"].as_f64().expect("a reading")
}

/// What the robot says of its joints.
fn told(client: &ApiClient) -> BTreeMap<String, (f64, f64)> {
    let all = ask_loop(client, "calibration", &json!({}));
    let all = all.as_array().expect("a list").iter();
    let figure = |item: &Value, key: &str| item[key].as_f64().expect("a number");
    all.map(|value| {
        let joint = value["joint"].as_str().expect("a name").to_owned();
        assert_eq!(figure(value, "offset"), figure(value, "sensor_offset"));
        (joint, (figure(value, "offset"), figure(value, "kept")))
    })
    .collect()
}

/// Gives control of the robot back, so that another client can have it.
fn give_back(client: &ApiClient) {
    let given = client.ask::<Value>(Method::DELETE, "/api/v2/lease", None::<&()>);
    given.expect("it is given back");
}

/// Moves the zero of a joint on one of the ways in; returns how far it is moved then.
fn calibrate(home: &Home, client: &ApiClient, way: usize, joint: &str, ask: (&str, f64)) -> f64 {
    let (what, value) = ask;
    let output = match way {
        0 => ask_loop(client, "calibrate", &json!({ "joint": joint, what: value })),
        1 => {
            let mut wire = Wire::to(&home.path("run/nao.sock"));
            let ask = json!({ "ask": { "calibrate": { "joint": joint, what: value } } });
            wire.ask(&ask.to_string())["ok"]["calibration"].take()
        }
        2 if what == "at" => {
            let key = format!("Device/SubDeviceList/{joint}/Position/Actuator/Value");
            post(
                client,
                "dcm/calibration",
                &json!([key, "Manual", "InPosition", value]),
            )
        }
        2 => {
            let key = format!("Device/SubDeviceList/{joint}/Position/Sensor/Offset");
            // The description of the simulated NAO has no offsets.
            post(
                client,
                "dcm/preferences",
                &json!(["Add", "Chest", key, value]),
            );
            ask_loop(client, "calibration", &json!({ "of": [joint] }))
        }
        _ => {
            give_back(client);
            let value = value.to_string();
            let mut words = vec!["calibrate", joint, "--json"];
            match what {
                "at" => words.insert(2, &value),
                _ => words.extend(["--moved", &value]),
            }
            let output = home.good(&words);
            home.good(&["take-over", "--give-back"]);
            json!([serde_json::from_str::<Value>(&output).expect("JSON")])
        }
    };
    assert_eq!(output[0]["joint"], joint);
    output[0]["moved"].as_f64().expect("a number")
}

fn local(home: &Home) -> String {
    fs::read_to_string(home.path("config/nao.local.toml")).unwrap_or_default()
}

#[test]
fn a_calibration_is_tried_kept_and_taken_back_on_every_way() {
    let home = home();
    let mut random = fastrand::Rng::with_seed(17);
    let mut served = serve(&home, RECORDED);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    // A stiff joint is not calibrated, on any way.
    let asked = json!({ "joint": "HeadYaw", "at": 0.1 });
    assert_eq!(refused_by_loop(&client, "calibrate", &asked), "not-now");
    home.good(&["disarm"]);
    let nao = load(&RobotSource::of("nao")).expect("a shipped robot");
    let described = |joint| {
        let joint = nao.actuator(joint).expect("a joint");
        nao.actuators[usize::from(joint.0)].range
    };
    let mut moved: BTreeMap<&str, f64> = JOINTS.iter().map(|joint| (*joint, 0.0)).collect();
    let mut kept = moved.clone();
    let mut kept_before = Vec::new();
    for _ in 0..40 {
        match random.u8(..8) {
            0 => {
                let was = moved != kept;
                let reply = ask_loop(&client, "undo-preferences", &json!({}));
                match was {
                    true => assert_eq!(reply["file"], Value::Null),
                    false => kept = kept_before.pop().expect("else it is refused"),
                }
                moved.clone_from(&kept);
            }
            1 if moved != kept => {
                ask_loop(&client, "keep-preferences", &json!({}));
                kept_before.push(kept.clone());
                kept.clone_from(&moved);
            }
            _ => {
                let joint = JOINTS[random.usize(..JOINTS.len())];
                let way = random.usize(..4);
                let to = random.f64() * 0.2 - 0.1;
                if random.bool() {
                    let found = calibrate(&home, &client, way, joint, ("moved", to));
                    assert!((found - to).abs() < 1e-12, "{found} {to}");
                    moved.insert(joint, found);
                } else {
                    let before = measured(&client, joint);
                    let at = before + to / 4.0;
                    let at = described(joint).clamp(at);
                    let found = calibrate(&home, &client, way, joint, ("at", at));
                    let wanted = moved[joint] + at - before;
                    assert!((found - wanted).abs() < NOISE, "{joint}: {found} {wanted}");
                    until("it is measured there", || {
                        (measured(&client, joint) - at).abs() < NOISE
                    });
                    moved.insert(joint, found);
                }
            }
        }
        if kept_before.is_empty() && moved == kept {
            let undo = refused_by_loop(&client, "undo-preferences", &json!({}));
            assert_eq!(undo, "not-now");
            // So that the next turn of the loop may take something back.
            moved.insert(
                "HeadYaw",
                calibrate(&home, &client, 0, "HeadYaw", ("moved", 0.01)),
            );
        }
        let told = told(&client);
        for joint in JOINTS {
            assert_eq!(told[joint], (moved[joint], kept[joint]), "{joint}");
        }
        // What is kept loads as the robot's description.
        let files = RobotSource {
            over: vec![
                home.path("config/nao.body.toml"),
                home.path("config/nao.local.toml"),
            ],
            ..RobotSource::of("nao")
        };
        let robot = load(&files).expect("it loads");
        for joint in JOINTS {
            let actuator = robot.actuator(joint).expect("a joint");
            let offset = robot.actuators[usize::from(actuator.0)].calibration.offset;
            assert_eq!(offset, kept[joint], "{joint}:\n{}", local(&home));
        }
    }
    // The next run begins with what is kept, and so does the joint's reading.
    home.good(&["stop"]);
    until("the loop has gone", || {
        served.child.try_wait().expect("a process").is_some()
    });
    drop(served);
    replay_all(&home);
    let served = serve(&home, RECORDED);
    let client = served.client(Some(&served.token("watch")));
    for (joint, (offset, moved)) in told(&client) {
        let wanted = kept.get(joint.as_str()).copied().unwrap_or(0.0);
        assert_eq!((offset, moved), (wanted, 0.0), "{joint}");
    }
}

#[test]
fn preferences_are_read_tried_kept_and_taken_back() {
    let home = home();
    let mut served = serve(&home, RECORDED);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    let all = ask_loop(&client, "preferences", &json!({}));
    let shown = home.good(&["preferences", "--json"]);
    assert_eq!(all.as_array().expect("a list").len(), shown.lines().count());
    // Every value of `config show` is there, with its place.
    let shown = home.good(&["config", "show", "nao", "--json"]);
    for line in shown.lines().filter(|line| line.contains("\"key\"")) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let same = |value: &&Value| value["key"] == line["key"];
        let found = all.as_array().expect("a list").iter().find(same);
        let found = found.unwrap_or_else(|| panic!("{line} is missing"));
        assert_eq!(
            (&found["value"], &found["origin"]),
            (&line["value"], &line["origin"])
        );
    }
    // The robot would not load with it: nothing changes, and the reason has its place.
    let tries = |key: &str, value: &str| json!({ "key": key, "value": value });
    for (key, value, code) in [
        ("safety.return-sped", "0.5", "refused-value"),
        ("safety.return-speed", "-1", "refused-value"),
        ("safety.return-speed", "fast", "refused-value"),
        ("", "1", "refused-value"),
        (
            "joints.HeadYaw.calibration.offset",
            "left",
            "invalid-request",
        ),
        (
            "Device/SubDeviceList/Tail/Position/Actuator/Offset",
            "0.1",
            "unknown-name",
        ),
        ("joints.HeadYaw.range", "[1, -1]", "refused-value"),
        ("joints.HeadYaw.calibration.offset", "0.1", "not-now"),
        // A table has the offset in it.
        (
            "joints.HeadYaw.calibration",
            "{ offset = 0.3 }",
            "wrong-kind",
        ),
        (
            "joints.HeadYaw",
            "{ calibration = { offset = 50 } }",
            "wrong-kind",
        ),
        ("joints", "{}", "wrong-kind"),
    ] {
        let found = refused_by_loop(&client, "try-preference", &tries(key, value));
        assert_eq!(found, code, "{key} = {value}");
    }
    let keep = refused_by_loop(&client, "keep-preferences", &json!({}));
    assert_eq!(keep, "not-now");
    assert_eq!(local(&home), "");
    // Tried, shown as tried, kept by another way, taken back by a third.
    let tried = tries("safety.return-speed", "0.7");
    ask_loop(&client, "try-preference", &tried);
    let found = |key: &str| ask_loop(&client, "preferences", &json!({ "key": key }));
    let dcm = |words: Value| post(&client, "dcm/preferences", &words);
    dcm(json!(["Add", "Chest", "RobotConfig/Body/BodyId", "ALDR-7"]));
    dcm(json!([
        "Add",
        "Head",
        "Device/SubDeviceList/HeadYaw/Position/Actuator/Min",
        -1.25
    ]));
    dcm(json!([
        "Add",
        "Head",
        "Device/SubDeviceList/HeadYaw/Position/Actuator/Max",
        1.5
    ]));
    dcm(json!([
        "Add",
        "Head",
        "RobotConfig/Head/\u{301}\"Ähm\"\\",
        "e\u{301} \" \\"
    ]));
    let tried = found("safety.return-speed");
    assert_eq!(tried[0]["tried"], "0.7");
    let range = found("joints.HeadYaw.range");
    assert_eq!(range.as_array().expect("a list").len(), 1, "{range}");
    // The NAO's keys can be read as well, whether the description has a line for them or not.
    for (key, own) in [
        ("Max", "joints.HeadYaw.range"),
        ("Gain", "joints.HeadYaw.calibration.gain"),
        ("Offset", "joints.HeadYaw.calibration.offset"),
    ] {
        let key = format!("Device/SubDeviceList/HeadYaw/Position/Actuator/{key}");
        let told = found(&key);
        assert_eq!(told.as_array().expect("a list").len(), 1, "{told}");
        assert_eq!(told[0]["key"], own);
    }
    let body = found("RobotConfig/Body/BodyId");
    assert_eq!(body[0]["tried"], "\"ALDR-7\"", "{body}");
    give_back(&client);
    let kept = home.good(&["preferences", "--keep"]);
    home.good(&["take-over", "--give-back"]);
    assert!(kept.contains("safety.return-speed"), "{kept}");
    let robot = |home: &Home| {
        load(&RobotSource {
            over: vec![home.path("config/nao.local.toml")],
            ..RobotSource::of("nao")
        })
        .expect("it loads")
    };
    let now = robot(&home);
    assert_eq!(now.settings.ramps.return_speed, 0.7);
    let yaw = now.actuator("HeadYaw").expect("a joint");
    let range = now.actuators[usize::from(yaw.0)].range;
    assert_eq!((range.min, range.max), (-1.25, 1.5));
    let odd = now.identity.iter().find(|pair| pair.0.contains("Ähm"));
    assert_eq!(odd.map(|pair| pair.1.as_str()), Some("e\u{301} \" \\"));
    // What others have written since is not overwritten.
    let kept = local(&home);
    home.good(&["config", "set", "nao", "safety.retreat", "\"3s\""]);
    let undo = refused_by_loop(&client, "undo-preferences", &json!({}));
    assert_eq!(undo, "not-now");
    assert!(local(&home).contains("3s"));
    fs::write(home.path("config/nao.local.toml"), kept).expect("a file");
    // `Load` takes back what is tried alone.
    dcm(json!(["Add", "Main", "safety.return-speed", 0.9]));
    assert_eq!(
        dcm(json!(["Load", "All", "", 0]))["keys"],
        json!(["safety.return-speed"])
    );
    assert_eq!(dcm(json!(["Load", "All", "", 0]))["keys"], json!([]));
    assert_eq!(robot(&home).settings.ramps.return_speed, 0.7);
    // The next run has it: also its identity, as a key of the memory.
    home.good(&["stop"]);
    until("the loop has gone", || {
        served.child.try_wait().expect("a process").is_some()
    });
    drop(served);
    let served = serve(&home, RECORDED);
    let client = served.client(Some(&served.token("operate")));
    let key = "RobotConfig/Body/BodyId";
    let body = get(&client, &format!("memory/getData?key={key}"));
    assert_eq!(body["value"], "ALDR-7");
    // What an earlier run has kept is not taken back by this one.
    let undo = refused_by_loop(&client, "undo-preferences", &json!({}));
    assert_eq!(undo, "not-now");
    assert!(local(&home).contains("ALDR-7"));
}

#[test]
fn special_tells_about_the_robot() {
    let home = home();
    let served = serve(&home, RECORDED);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("watch")));
    let special = |what: &str| post(&client, "dcm/special", &json!([what]));
    let version = special("Version");
    assert_eq!(version["loop"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["robot"], "nao");
    let robot = load(&RobotSource::of("nao")).expect("a shipped robot");
    let chain = special("Chain");
    let diagnostic = special("Diagnostic");
    for (place, board) in robot.boards.iter().enumerate() {
        assert_eq!(chain[place]["board"], *board.name);
        let own = robot
            .actuators
            .iter()
            .filter(|actuator| usize::from(actuator.board.0) == place);
        let own: Vec<_> = own.map(|value| value.name.as_str()).collect();
        assert_eq!(chain[place]["actuators"], json!(own));
        assert_eq!(diagnostic[place]["error"], 0);
        assert!(diagnostic[place]["ack"].as_u64() > Some(0), "{diagnostic}");
    }
    let silenced = robot.boards[0].name.as_str();
    home.good(&["sim", "unplug", silenced]);
    until("the board is missed", || {
        special("Diagnostic")[0]["nack"].as_u64() > Some(0)
    });
    assert_eq!(special("Config")["name"], "\"nao\"");
    let path = "/api/v2/dcm/special";
    for (what, code) in [("Reset", "not-here"), ("Dance", "invalid-request")] {
        let found = refused(&client, Method::POST, path, Some(&json!([what])));
        assert_eq!(found, code);
    }
    // Whoever may only watch changes nothing.
    let asked = json!({ "joint": "HeadYaw", "at": 0.1 });
    let found = refused_by_loop(&client, "calibrate", &asked);
    assert_eq!(found, "role-too-low");
    let out = home.run(&["calibrate", "HeadYaw", "0.1m"]);
    assert_ne!(out.status.code(), Some(0), "{}", text(&out.stdout));
}
