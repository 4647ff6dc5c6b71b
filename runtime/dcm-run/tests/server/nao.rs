//! The DCM's calls over HTTP, as NAO's programmers know them: aliases, update types, its clock, its memory; and guests
//! that end softly.

use crate::common::home;
use cycle::State;
use description::{RobotSource, load};
use hyper::Method;
use network::client::ApiClient;
use serde_json::{Value, json};
use tests::process::{Home, until};
use tests::served::{FLOATING_NAO, WAVE, ask_loop, refused, serve, serve_with};

const QUIET: &str =
    "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"\"\n[recordings]\non = false\n";

fn post(client: &ApiClient, call: &str, words: &Value) -> Value {
    let path = format!("/api/v2/{call}");
    let answer = client.ask::<Value>(Method::POST, &path, Some(words));
    answer.unwrap_or_else(|error| panic!("{call} {words}: {error}"))
}

fn data(client: &ApiClient, key: &str) -> f64 {
    let path = format!("/api/v2/memory/getData?key={key}");
    let answer: Value = client.get(&path).expect(key);
    answer["value"].as_f64().expect(key)
}

fn time(client: &ApiClient, offset: i64) -> i64 {
    let path = format!("/api/v2/dcm/getTime?offset={offset}");
    let answer: Value = client.get(&path).expect("a time");
    answer["time"].as_i64().expect("a time")
}

#[test]
fn the_calls_of_the_dcm_move_a_nao() {
    let home = home();
    let served = serve_with(&home, QUIET, &FLOATING_NAO);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("perform")));
    let prefix: Value = client.get("/api/v2/dcm/getPrefix").expect("a prefix");
    assert_eq!(prefix["prefix"][0], "Device/SubDeviceList/");
    let ping: Value = client.get("/api/v2/dcm/ping").expect("an answer");
    assert_eq!(ping, true);
    let version: Value = client.get("/api/v2/dcm/version").expect("a version");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    // The 32-bit clock, and an offset.
    let (now, later) = (time(&client, 0), time(&client, 10_000));
    assert!((9_900..15_000).contains(&(later - now)), "{now} {later}");
    // `set` by the long name; the sent value is read by the same name.
    let yaw = "Device/SubDeviceList/HeadYaw/Position/Actuator/Value";
    let taken = post(
        &client,
        "dcm/set",
        &json!([yaw, "Merge", [[0.3, now + 400], [0.4, now + 700, 0]]]),
    );
    assert_eq!(taken["commands"], 2);
    until("it is there", || (data(&client, yaw) - 0.4).abs() < 1e-6);
    let felt = "Device/SubDeviceList/HeadYaw/Position/Sensor/Value";
    until("it is felt", || (data(&client, felt) - 0.4).abs() < 0.02);
    // An alias of the client.
    let pitch = "HeadPitch/Position/Actuator/Value";
    let made = post(&client, "dcm/createAlias", &json!(["MyHead", [yaw, pitch]]));
    assert_eq!(made, json!(["MyHead", [yaw, pitch]]));
    // All three forms of `setAlias`.
    let now = time(&client, 0);
    let mixed = json!([
        "MyHead",
        "ClearAll",
        "time-mixed",
        [[[0.1, now + 200]], [[0.05, now + 100], [0.2, now + 300]]]
    ]);
    assert_eq!(post(&client, "dcm/setAlias", &mixed)["commands"], 3);
    until("they are there", || {
        (data(&client, yaw) - 0.1).abs() < 1e-6 && (data(&client, pitch) - 0.2).abs() < 1e-6
    });
    let now = time(&client, 0);
    let separate = json!([
        "MyHead",
        "ClearAfter",
        "time-separate",
        0,
        [now + 100, now + 200],
        [[0.0, -0.1], [0.0, 0.1]]
    ]);
    assert_eq!(post(&client, "dcm/setAlias", &separate)["commands"], 4);
    until("they are there", || {
        (data(&client, yaw) + 0.1).abs() < 1e-6 && (data(&client, pitch) - 0.1).abs() < 1e-6
    });
    let vector = json!(["MyHead", time(&client, 100), [0.0, 0.0]]);
    assert_eq!(post(&client, "dcm/setAlias", &vector)["commands"], 2);
    until("they are there", || data(&client, yaw).abs() < 1e-6);
    // While the body is held, a motion is refused; its lights work, and commands can be removed.
    home.good(&["hold"]);
    let later = json!([yaw, "Merge", [[0.5, time(&client, 300)]]]);
    let path = "/api/v2/dcm/set";
    assert_eq!(
        refused(&client, Method::POST, path, Some(&later)),
        "not-now"
    );
    let light = "Face/Led/Red/Left/0Deg/Actuator/Value";
    for item in [
        json!([yaw, "ClearAll", []]),
        json!([light, "Merge", [[0.5, time(&client, 0)]]]),
    ] {
        post(&client, "dcm/set", &item);
    }
    ask_loop(&client, "resume", &json!({}));
    // Without commands, `ClearAll` only removes; the value stays.
    let far = json!([yaw, "Merge", [[1.0, time(&client, 60_000)]]]);
    post(&client, "dcm/set", &far);
    post(&client, "dcm/set", &json!([yaw, "ClearAll", []]));
    // A list for `set` on an alias is for every member; stiffness as on the NAO.
    let stiff = json!(["BodyStiffness", "Merge", [[1.0, time(&client, 0)]]]);
    assert_eq!(post(&client, "dcm/set", &stiff)["commands"], 25);
    let hardness = "Device/SubDeviceList/LKneePitch/Hardness/Actuator/Value";
    until("it is stiff", || {
        (data(&client, hardness) - 1.0).abs() < 1e-6
    });
    share_memory(&client, &home);
    // Memory: several keys at once, an unknown one gives nothing, and every key can be found.
    let keys = json!([
        "DCM/Time",
        felt,
        "NoSuch",
        "Device/DeviceList/ChestBoard/Ack",
        "HeadYaw/Position/Actuator/Max"
    ]);
    let values = post(&client, "memory/getListData", &keys)["values"].clone();
    assert!(
        values[0].as_f64().is_some_and(|number| number > 0.0),
        "{values}"
    );
    assert!(
        values[1].is_f64() && values[2].is_null() && values[3].as_f64() > Some(0.0),
        "{values}"
    );
    assert!(
        (values[4].as_f64().expect("a range") - 2.08567).abs() < 1e-5,
        "{values}"
    );
    let listed: Value = client
        .get("/api/v2/memory/getDataList?filter=LKneePitch")
        .expect("keys");
    let listed = listed["keys"].as_array().expect("keys");
    assert!(
        listed
            .iter()
            .any(|item| item == "Device/SubDeviceList/LKneePitch/Position/Sensor/Value")
    );
}

#[test]
fn what_the_dcm_would_refuse_is_refused_whole_with_a_reason() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("perform")));
    let now = time(&client, 0);
    post(
        &client,
        "dcm/createAlias",
        &json!(["MyHead", ["HeadYaw", "HeadPitch"]]),
    );
    let long: Vec<_> = (0..4097).map(|i| json!([0.0, now + 100 + i])).collect();
    for (call, words, code) in [
        (
            "dcm/set",
            json!(["HeadYam", "Merge", [[0, now]]]),
            "unknown-name",
        ),
        (
            "dcm/set",
            json!(["HeadYaw", "Sometimes", [[0, now]]]),
            "invalid-request",
        ),
        (
            "dcm/set",
            json!(["HeadYaw", "Merge", [["a", now]]]),
            "invalid-request",
        ),
        ("dcm/set", json!(["HeadYaw", "Merge"]), "invalid-request"),
        // The DCM's clock has 32 bits.
        (
            "dcm/set",
            json!(["HeadYaw", "Merge", [[0.5, 1e300]]]),
            "invalid-time",
        ),
        (
            "dcm/set",
            json!(["HeadYaw", "Merge", [[0.5, -1e12]]]),
            "invalid-time",
        ),
        (
            "dcm/setAlias",
            json!(["MyHead", 12_884_901_893_u64, [0.5, 0.5]]),
            "invalid-time",
        ),
        (
            "dcm/setAlias",
            json!(["MyHead", "Merge", "time-separate", 0, [1e10], [[0], [0]]]),
            "invalid-time",
        ),
        ("dcm/set", json!({"to": "HeadYaw"}), "invalid-request"),
        ("dcm/set", json!(["HeadYaw", "Merge", long]), "too-large"),
        // One list for two members; two values for one time; too few rows.
        (
            "dcm/setAlias",
            json!(["MyHead", "Merge", "time-mixed", [[[0, now]]]]),
            "wrong-count",
        ),
        (
            "dcm/setAlias",
            json!(["MyHead", "Merge", "time-separate", 0, [now], [[0, 1], [0]]]),
            "wrong-count",
        ),
        (
            "dcm/setAlias",
            json!(["MyHead", "Merge", "time-separate", 0, [now], [[0]]]),
            "wrong-count",
        ),
        ("dcm/setAlias", json!(["MyHead", now, [0]]), "wrong-count"),
        (
            "dcm/setAlias",
            json!(["MyHead", "Merge", "time-odd", []]),
            "invalid-request",
        ),
        // An actuator is no alias, and one that cannot be made whole is not made.
        (
            "dcm/createAlias",
            json!(["HeadYaw", ["HeadPitch"]]),
            "taken",
        ),
        (
            "dcm/createAlias",
            json!(["MyHead", ["HeadYaw", "HeadYam"]]),
            "unknown-name",
        ),
        ("dcm/createAlias", json!(["NotMade", []]), "not-found"),
        (
            "dcm/createAlias",
            json!(["", ["HeadPitch"]]),
            "invalid-name",
        ),
        (
            "dcm/createAlias",
            json!(["Twice", ["HeadYaw", "HeadYaw/Position/Actuator/Value"]]),
            "twice",
        ),
    ] {
        let path = format!("/api/v2/{call}");
        assert_eq!(
            refused(&client, Method::POST, &path, Some(&words)),
            code,
            "{call} {words}"
        );
    }
    let unknown = "/api/v2/memory/getData?key=Device/SubDeviceList/HeadYam/Position/Sensor/Value";
    assert_eq!(refused(&client, Method::GET, unknown, None), "unknown-name");
    // What is done in another way here: the error says how.
    let operator = served.client(Some(&served.token("operate")));
    let exit = refused(
        &operator,
        Method::POST,
        "/api/v2/dcm/exit",
        Some(&json!([])),
    );
    assert_eq!(exit, "not-here");
    // There is a maximum of aliases; an existing one can be changed.
    for number in 0..255 {
        post(
            &client,
            "dcm/createAlias",
            &json!([format!("A{number}"), ["HeadYaw"]]),
        );
    }
    let one_more = json!(["Another", ["HeadYaw"]]);
    assert_eq!(
        refused(
            &client,
            Method::POST,
            "/api/v2/dcm/createAlias",
            Some(&one_more)
        ),
        "full"
    );
    post(&client, "dcm/createAlias", &json!(["A0", ["HeadPitch"]]));
    // Another client has its own room; and what is removed makes room.
    let other = served.client(Some(&served.token("perform")));
    post(&other, "dcm/createAlias", &one_more);
    let remove = |name: &str| {
        let path = format!("/api/v2/dcm/aliases/{name}");
        client.ask::<Value>(Method::DELETE, &path, None::<&()>)
    };
    remove("A1").expect("it is removed");
    assert!(remove("A1").is_err(), "it has gone");
    // An alias of the description is redefined, and means afterwards what it meant.
    let moved = |client: &ApiClient| {
        let still = json!(["ChestLeds", "ClearAll", [[0.0, time(client, 100)]]]);
        post(client, "dcm/set", &still)["commands"].clone()
    };
    assert_eq!(moved(&client), 3);
    let red = json!(["ChestLeds", ["ChestBoard/Led/Red"]]);
    post(&client, "dcm/createAlias", &red);
    assert_eq!((moved(&client), moved(&other)), (json!(1), json!(1)));
    remove("ChestLeds").expect("it is removed");
    assert_eq!(moved(&client), 3);
    // A client that may only watch makes and moves nothing.
    let watcher = served.client(Some(&served.token("watch")));
    let words = json!(["HeadYaw", "Merge", [[0, now]]]);
    assert_eq!(
        refused(&watcher, Method::POST, "/api/v2/dcm/set", Some(&words)),
        "role-too-low"
    );
}

/// Each client has its own aliases as it made them last; and of one that all of them change, every request means a
/// whole list, never a mixture of two.
#[test]
fn aliases_that_many_clients_change_at_once_are_always_whole() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let token = served.token("perform");
    let lists = [
        json!(["HeadYaw", "HeadPitch"]),
        json!(["LShoulderPitch", "LElbowYaw", "LWristYaw"]),
    ];
    let members = |client: &ApiClient, alias: &str| {
        let still = json!([alias, "ClearAll", [[0.0, time(client, 1_000)]]]);
        post(client, "dcm/set", &still)["commands"]
            .as_u64()
            .expect("a number")
    };
    let clients: Vec<_> = (0..4).map(|_| served.client(Some(&token))).collect();
    std::thread::scope(|scope| {
        for (writer, client) in clients.iter().enumerate() {
            let (lists, members) = (&lists, &members);
            scope.spawn(move || {
                for round in 0..30 {
                    let list = &lists[(writer + round) % 2];
                    let own = format!("Own{writer}/{}", round % 10);
                    for alias in [own.as_str(), "Shared"] {
                        let made = post(client, "dcm/createAlias", &json!([alias, list]));
                        assert_eq!(made, json!([alias, list]));
                    }
                    let found = members(client, "Shared");
                    assert!(found == 2 || found == 3, "{found} commands for `Shared`");
                }
            });
        }
    });
    for (writer, client) in clients.iter().enumerate() {
        for slot in 0..10 {
            let last = lists[(writer + 20 + slot) % 2].as_array().expect("a list");
            let found = members(client, &format!("Own{writer}/{slot}"));
            assert_eq!(found, last.len() as u64, "Own{writer}/{slot}");
        }
    }
}

#[test]
fn a_board_is_available_as_long_as_it_answers() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("watch")));
    let is_there = |board: &str| data(&client, &format!("Device/DeviceList/{board}/Available"));
    let boards = ["TouchBoard", "FaceBoard"];
    assert_eq!(boards.map(is_there), [1.0, 1.0]);
    home.good(&["sim", "unplug", "TouchBoard"]);
    until("it is away", || is_there("TouchBoard") == 0.0);
    assert_eq!(is_there("FaceBoard"), 1.0);
    home.good(&["sim", "plug", "TouchBoard"]);
    until("it is back", || is_there("TouchBoard") == 1.0);
    let listed: Value = client
        .get("/api/v2/memory/getDataList?filter=/Available")
        .expect("keys");
    // One for each board.
    assert_eq!(listed["keys"].as_array().map(Vec::len), Some(22));
}

#[test]
fn what_the_loop_finds_wrong_with_a_joint_is_told_under_its_key() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("watch")));
    let key = |joint: &str| format!("Device/SubDeviceList/{joint}/Position/Actuator/Error");
    assert_eq!(data(&client, &key("HeadYaw")), 0.0);
    // Nobody can hold it against this: it does not follow its target.
    home.good(&["sim", "push", "HeadYaw", "20"]);
    until("it is found", || data(&client, &key("HeadYaw")) == 2.0);
    assert_eq!(data(&client, &key("LKneePitch")), 0.0);
}

/// As the DCM says of parts that a model lacks: sensors read 0, and commands are ignored.
#[test]
fn what_a_robot_lacks_reads_0_and_is_not_moved() {
    let home = home();
    let robot = home.file(
        "h21.toml",
        "format = 1\nname = \"h21\"\nbase = \"nao\"\n[hands]\nLHand = { absent = true }\n\
         [joints]\nLWristYaw = { absent = true }\n[sensors]\n\"LFoot/FSR/RearLeft\" = { absent = true }\n",
    );
    let robot = robot.to_str().expect("a path");
    let served = serve_with(&home, QUIET, &["--robot", robot, "--sim", "--id", "nao"]);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("perform")));
    for key in [
        "Device/SubDeviceList/LHand/Position/Sensor/Value",
        "Device/SubDeviceList/LHand/Position/Actuator/Value",
        "Device/SubDeviceList/LWristYaw/Temperature/Sensor/Value",
        "LFoot/FSR/RearLeft/Sensor/Value",
        "LWristYawStiffness",
    ] {
        assert_eq!(data(&client, key), 0.0, "{key}");
    }
    let all = post(
        &client,
        "memory/getListData",
        &json!(["LHand", "LHandle", "RHand"]),
    );
    let all = &all["values"];
    assert_eq!((&all[0], &all[1]), (&json!(0.0), &Value::Null));
    assert!(all[2].is_number(), "{all}");
    let later = time(&client, 500);
    let hand = json!(["LHand/Position/Actuator/Value", "Merge", [[0.5, later]]]);
    assert_eq!(post(&client, "dcm/set", &hand)["commands"], 0);
    let wrist = json!(["LWristYaw", later, [0.5]]);
    assert_eq!(post(&client, "dcm/setAlias", &wrist)["commands"], 0);
    // An alias that has others as well moves them.
    let arm = json!(["LArm", "Merge", [[0.1, later]]]);
    assert_eq!(post(&client, "dcm/set", &arm)["commands"], 4);
    let typing = json!(["LHandd", "Merge", [[0.5, later]]]);
    let told = client.ask::<Value>(Method::POST, "/api/v2/dcm/set", Some(&typing));
    assert!(told.is_err(), "{told:?}");
}

/// The registry of devices, compared with the description: every board, and all that hangs on it.
#[test]
fn types_and_addresses_of_devices_are_keys_of_the_memory() {
    let home = home();
    let served = serve(&home, QUIET);
    let client = served.client(Some(&served.token("watch")));
    let robot = load(&RobotSource::of("nao")).expect("a shipped robot");
    let mut wanted = Vec::new();
    for (number, board) in robot.boards.iter().enumerate() {
        let key = |figure: &str| format!("Device/DeviceList/{}/{figure}", board.name);
        wanted.push((key("Type"), "sim".to_owned()));
        wanted.push((key("Bus"), "none".to_owned()));
        wanted.push((key("Address"), number.to_string()));
    }
    let actuators = robot.actuators.iter();
    let actuators = actuators.map(|actuator| (&actuator.path, actuator.board, actuator.channel));
    let sensors = robot.sensors.iter();
    let sensors = sensors.map(|sensor| (&sensor.path, sensor.board, sensor.channel));
    for (path, board, channel) in actuators.chain(sensors) {
        let stem = path.strip_suffix("/Value").unwrap_or(path);
        let key = |figure: &str| format!("Device/SubDeviceList/{stem}/{figure}");
        let board = robot.boards[usize::from(board.0)].name.clone();
        wanted.push((key("Device"), board));
        wanted.push((key("Address"), channel.to_string()));
    }
    let keys: Vec<_> = wanted.iter().map(|pair| pair.0.as_str()).collect();
    // The server listens before it has asked the loop for its robot.
    let mut found = Value::Null;
    until("the server knows its robot", || {
        found = post(&client, "memory/getListData", &json!(keys))["values"].take();
        !found[0].is_null()
    });
    let values: Vec<_> = wanted.iter().map(|pair| pair.1.as_str()).collect();
    assert_eq!(found, json!(values));
    let kinds = [
        ("HeadYaw/Position/Actuator/Type", "joint"),
        ("HeadYaw/Position/Sensor/Type", "sensor"),
        ("HeadYaw/Hardness/Actuator/Type", "stiffness"),
        ("ChestBoard/Led/Red/Actuator/Type", "light"),
    ];
    for (key, kind) in kinds {
        let path = format!("/api/v2/memory/getData?key=Device/SubDeviceList/{key}");
        let told: Value = client.get(&path).expect(key);
        assert_eq!(told["value"], kind, "{key}");
    }
}

#[test]
fn a_guest_ends_softly_and_the_body_stays_where_it_comes_to_rest() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let page = served.page();
    for words in [&["stop", "wave", "--soft"][..], &["stop", "--soft"]] {
        home.good(&["push", WAVE, "--start", "--no-check", "--param", "times=50"]);
        let shoulder = page
            .actuators()
            .iter()
            .position(|actuator| actuator.name == "RShoulderPitch");
        let shoulder = shoulder.expect("a NAO has one");
        until("it waves", || {
            page.read(|frame| frame.sent(shoulder)).flatten() < Some(0.0)
        });
        let output = home.good(words);
        assert!(output.contains("ended; the body has stopped"), "{output}");
        assert!(home.good(&["ps"]).contains("no guest plays"));
        // The body is free again, and stands still.
        assert_eq!(
            page.read(|frame| frame.state()).flatten(),
            Some(State::Running)
        );
        let stood = page.read(|frame| frame.sent(shoulder)).flatten();
        let turn = page.latest();
        until("ten turns", || page.latest() > turn + 10);
        assert_eq!(page.read(|frame| frame.sent(shoulder)).flatten(), stood);
    }
}

#[test]
fn top_tells_once_what_it_would_draw_by_the_server_and_without_one() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    for words in [&["top", "--once"][..], &["top", "--once", "--json"]] {
        let output = home.good(words);
        for word in ["HeadYaw", "running"] {
            assert!(output.contains(word), "{output}");
        }
    }
    drop(served);
    let alone = crate::common::home();
    let _running = alone.start("solo", &["--robot", "desk", "--sim"]);
    until("it has made a turn", || {
        alone.run(&["joints"]).status.success()
    });
    let output = alone.good(&["top", "--once"]);
    assert!(output.contains("Base"), "{output}");
}

/// Values that programs share, and events: compared with a plain map over random acts.
fn share_memory(client: &ApiClient, home: &Home) {
    let mut random = fastrand::Rng::with_seed(4);
    let mut model = std::collections::BTreeMap::<String, Value>::new();
    let mut raised = Vec::new();
    let from = |since: u64, keys: &str, wait: u64| -> Value {
        let path = format!("/api/v2/memory/events?keys={keys}&since={since}&wait_s={wait}");
        client.get(&path).expect("events")
    };
    let first = client.get::<Value>("/api/v2/memory/events?keys=none");
    let first = first.expect("events")["next"].as_u64().expect("a number");
    for number in 0..120 {
        let key = format!("Mine/{}", random.u8(..9));
        let value = [
            json!(number),
            json!("a text"),
            json!([1, null]),
            json!({ "a": true }),
        ];
        let value = value[random.usize(..4)].clone();
        match random.u8(..5) {
            0 => {
                let answer = client.ask::<Value>(
                    Method::POST,
                    "/api/v2/memory/removeData",
                    Some(&json!([key])),
                );
                assert_eq!(answer.is_ok(), model.remove(&key).is_some());
            }
            1 | 2 => {
                post(client, "memory/raiseEvent", &json!([key, value]));
                raised.push((key.clone(), value.clone()));
                model.insert(key, value);
            }
            _ => {
                post(client, "memory/insertListData", &json!([[key, value]]));
                model.insert(key, value);
            }
        }
        let keys: Vec<_> = (0..9).map(|i| format!("Mine/{i}")).collect();
        let values = post(client, "memory/getListData", &json!(keys))["values"].clone();
        let expected = keys
            .iter()
            .map(|key| model.get(key).cloned().unwrap_or_default());
        assert_eq!(values, expected.collect::<Value>());
    }
    let mine = "Mine/0,Mine/3,Mine/7";
    let told = from(first, mine, 0);
    let expected = raised
        .iter()
        .filter(|raised| mine.split(',').any(|key| key == raised.0));
    let expected = expected
        .map(|expected| json!([expected.0, expected.1]))
        .collect::<Value>();
    let events = told["events"].as_array().expect("a list").iter();
    assert_eq!(
        events
            .map(|event| json!([event["key"], event["value"]]))
            .collect::<Value>(),
        expected
    );
    // Touches are events of the body; both bumpers of a foot are one.
    let mut next = told["next"].as_u64().expect("a number");
    for (sensor, value, expected) in [
        ("LFoot/Bumper/Left", "1", Some(("LeftBumperPressed", 1.0))),
        ("LFoot/Bumper/Right", "1", None),
        ("LFoot/Bumper/Left", "0", None),
        ("LFoot/Bumper/Right", "0", Some(("LeftBumperPressed", 0.0))),
        ("ChestBoard/Button", "1", Some(("ChestButtonPressed", 1.0))),
    ] {
        home.good(&["sim", "give", sensor, value]);
        let wait = if expected.is_some() { 20 } else { 1 };
        let told = from(next, "LeftBumperPressed,ChestButtonPressed", wait);
        next = told["next"].as_u64().expect("a number");
        let events = told["events"].as_array().expect("a list").iter();
        let found: Vec<_> = events
            .map(|event| json!([event["key"], event["value"]]))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|expected| json!([expected.0, expected.1]))
            .collect();
        assert_eq!(found, expected, "{sensor} = {value}");
    }
    let age = client.get::<Value>("/api/v2/memory/getData?key=ChestButtonPressed");
    assert!(age.expect("a value")["age_s"].as_f64().expect("a number") < 20.0);
    derived_sensors_follow(client, home);
    // The figures of the cycle, and the body's own keys.
    for (key, low, high) in [
        ("DCM/CycleTime", 1.0, 1000.0),
        ("DCM/TargetCycleTime", 10.0, 10.0),
        ("DCM/CycleTimeWarning", 15.0, 15.0),
        ("DCM/CycleTimeErrorCounter", 0.0, 1e6),
        ("Device/SubDeviceList/HeadYaw/Nack", 0.0, 0.0),
        ("Device/SubDeviceList/HeadYaw/Ack", 1.0, 1e9),
    ] {
        let value = data(client, key);
        assert!((low..=high).contains(&value), "{key} is {value}");
    }
    let told = client.get::<Value>("/api/v2/memory/getData?key=RobotConfig/Body/Type");
    assert_eq!(told.expect("a value")["value"], "nao");
    for (path, body, code) in [
        (
            "insertListData",
            json!([["Mine/ok", 1], ["HeadYaw", 1]]),
            "invalid-name",
        ),
        ("insertListData", json!([["", 1]]), "invalid-name"),
        ("insertListData", json!([["a\nb", 1]]), "invalid-name"),
        (
            "insertListData",
            json!([["x".repeat(257), 1]]),
            "invalid-name",
        ),
        ("insertListData", json!([["DCM/Time", 1]]), "invalid-name"),
        (
            "insertListData",
            json!([["RobotConfig/Body/Type", 1]]),
            "invalid-name",
        ),
        (
            "insertListData",
            json!([["Mine/long", "x".repeat(5000)]]),
            "too-large",
        ),
        (
            "insertListData",
            json!([["Mine/many", vec![0; 300]]]),
            "too-large",
        ),
        ("insertListData", json!({ "a": 1 }), "invalid-request"),
        (
            "raiseEvent",
            json!(["FrontTactilTouched", 1]),
            "invalid-name",
        ),
        ("removeData", json!(["FrontTactilTouched"]), "invalid-name"),
        ("removeData", json!(["nothing"]), "not-found"),
    ] {
        let path = format!("/api/v2/memory/{path}");
        assert_eq!(
            refused(client, Method::POST, &path, Some(&body)),
            code,
            "{body}"
        );
    }
    let many: Vec<_> = (0..1100).map(|i| json!([format!("Many/{i}"), 0])).collect();
    let path = "/api/v2/memory/insertListData";
    assert_eq!(
        refused(client, Method::POST, path, Some(&json!(many))),
        "full"
    );
    // What is refused has changed nothing.
    let keys = client
        .get::<Value>("/api/v2/memory/getDataList?filter=M")
        .expect("keys");
    let keys = keys["keys"].as_array().expect("a list").clone();
    let known = |value: &Value| {
        value
            .as_str()
            .is_some_and(|text| text.starts_with("Mine/ok") || text.starts_with("Many"))
    };
    assert!(!keys.iter().any(known), "{keys:?}");
    let path = "/api/v2/memory/events?keys=a&wait_s=61";
    assert_eq!(refused(client, Method::GET, path, None), "invalid-time");
}

/// The ultrasound's modes: which side hears an echo, once, or until another mode comes.
#[test]
fn the_ultrasound_is_heard_on_the_sides_that_its_mode_names() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("perform")));
    let mode = "Device/SubDeviceList/US/Actuator/Value";
    let sides =
        ["Left", "Right"].map(|text| format!("Device/SubDeviceList/US/{text}/Sensor/Value"));
    let heard = |expected: [f64; 2], when: &str| {
        until(when, || {
            let found = [&sides[0], &sides[1]].map(|value| data(&client, value));
            found
                .iter()
                .zip(expected)
                .all(|(value, wanted)| (value - wanted).abs() < 1e-9)
        });
    };
    heard([0.0, 0.0], "nothing is heard before it is asked for");
    let mut random = fastrand::Rng::with_seed(45);
    let (mut wanted, mut repeated) = ([0.0; 2], [false; 2]);
    for _ in 0..24 {
        let there = [(); 2].map(|()| f64::from(random.u32(25..255)) / 100.0);
        for (side, value) in ["US/Left", "US/Right"].iter().zip(there) {
            home.good(&["sim", "give", side, &value.to_string()]);
        }
        // Who hears again and again hears this as well.
        for side in (0..2).filter(|i| repeated[*i]) {
            wanted[side] = there[side];
        }
        heard(wanted, "before the next mode");
        let chosen = [0, 1, 2, 3, 12, 64, 65, 66, 67, 76][random.usize(0..10)];
        let taken = post(
            &client,
            "dcm/set",
            &json!([mode, "ClearAll", [[chosen, time(&client, 30)]]]),
        );
        assert_eq!(taken["commands"], 1);
        let is_sent = || (data(&client, mode) - f64::from(chosen)).abs() < 1e-9;
        until("the mode is sent", is_sent);
        let hears = match chosen % 64 {
            12 => [true, true],
            other => [other % 2 == 0, other % 2 == 1],
        };
        for side in 0..2 {
            repeated[side] = hears[side] && chosen >= 64;
            if hears[side] {
                wanted[side] = there[side];
            }
        }
        heard(wanted, &format!("mode {chosen}"));
        home.good(&["sim", "give", "US/Left", "2.5"]);
        home.good(&["sim", "give", "US/Right", "2.5"]);
        for side in (0..2).filter(|i| repeated[*i]) {
            wanted[side] = 2.5;
        }
        heard(wanted, &format!("after mode {chosen}"));
    }
}

/// What a foot carries, and where it presses, follow its force sensors.
fn derived_sensors_follow(client: &ApiClient, home: &Home) {
    let near = |key: &str, expected: f64, within: f64| {
        until(key, || (data(client, key) - expected).abs() < within);
    };
    near("LFoot/FSR/TotalWeight", 4.0 * 0.66, 0.2);
    home.good(&["sim", "give", "LFoot/FSR/FrontLeft", "2.66"]);
    home.good(&["sim", "give", "LFoot/FSR/RearRight", "0"]);
    near("LFoot/FSR/TotalWeight", 2.66 + 2.0 * 0.66, 0.2);
    // The moments of the front sensors and of the rear left one.
    let x = (2.66 * 0.07025 + 0.66 * 0.07025 - 0.66 * 0.03025) / 3.98;
    let y = (2.66 * 0.0299 - 0.66 * 0.0231 + 0.66 * 0.0299) / 3.98;
    near("LFoot/FSR/CenterOfPressure/X", x, 0.002);
    near("LFoot/FSR/CenterOfPressure/Y", y, 0.002);
    let output = home.bad(1, &["sim", "give", "LFoot/FSR/TotalWeight", "1"]);
    assert!(output.contains("is computed"), "{output}");
    assert!(output.contains("LFoot/FSR/RearRight"), "{output}");
}
