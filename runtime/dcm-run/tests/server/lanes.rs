//! Lanes of clients' own, over HTTP, the socket and the command line: priority, joints, silence, their end. Compared
//! with a plain model: the open lane of the highest priority that has moved a joint has it.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::common::home;
use crate::recordings::replay_all;
use cycle::State;
use hyper::Method;
use network::client::ApiClient;
use serde_json::{Value, json};
use tests::process::{Home, Wire, until};
use tests::served::{ask_loop, refused_by_loop, serve};

const RECORDED: &str =
    "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"\"\n[recordings]\non = true\n";

const JOINTS: [&str; 3] = ["HeadYaw", "LWristYaw", "RWristYaw"];

/// The lane that all clients share has this priority.
const SHARED: f64 = 10.0;

fn ask(client: &ApiClient, method: Method, path: &str, body: Option<&Value>) -> Value {
    let answer = client.ask::<Value>(method, &format!("/api/v2/{path}"), body);
    answer.unwrap_or_else(|error| panic!("{path} {body:?}: {error}"))
}

fn sent(client: &ApiClient, joint: &str) -> f64 {
    let key = format!("{joint}/Position/Actuator/Value");
    let path = format!("/api/v2/memory/getData?key={key}");
    let told: Value = client.get(&path).expect("a value");
    told["value"].as_f64().expect("a number")
}

/// What a lane was opened with, and where it has sent each joint.
struct Lane {
    priority: f64,
    joints: BTreeMap<&'static str, f64>,
}

/// Where the model says that this joint is; nothing if nobody has moved it.
fn expected(lanes: &BTreeMap<String, Lane>, joint: &str) -> Option<f64> {
    let with = lanes
        .values()
        .filter(|value| value.joints.contains_key(joint));
    let highest = with.max_by(|a, b| a.priority.total_cmp(&b.priority))?;
    Some(highest.joints[joint])
}

fn open(home: &Home, client: &ApiClient, way: usize, lane: &str, priority: f64) {
    match way {
        0 => {
            let asked = json!({ "lane": lane, "options": { "priority": priority } });
            let reply = &ask_loop(client, "open-lane", &asked)[0];
            assert_eq!(
                (reply["life"].as_str(), reply["priority"].as_f64()),
                (Some("open"), Some(priority))
            );
        }
        1 => {
            let mut wire = Wire::to(&home.path("run/nao.sock"));
            let line = json!({ "ask": { "open-lane": { "lane": lane, "options": { "priority": priority } } } });
            let reply = wire.ask(&line.to_string());
            assert_eq!(reply["ok"]["lanes"][0]["lane"], lane, "{reply}");
        }
        _ => {
            let priority = priority.to_string();
            home.good(&["lane", "open", lane, "--priority", &priority]);
        }
    }
}

/// Moves a joint in this lane, or in the one that all clients share.
fn set(home: &Home, client: &ApiClient, way: usize, lane: Option<&str>, joint: &str, value: f64) {
    match way {
        0 => {
            let asked = json!({ "to": joint, "values": value, "after_ns": 0, "lane": lane });
            ask_loop(client, "move", &asked);
        }
        1 => {
            let query = lane.map_or_else(String::new, |lane| format!("?lane={lane}"));
            let key = format!("{joint}/Position/Actuator/Value");
            let asked = json!([key, "ClearAll", [[value, 0]]]);
            // An instant that has passed: it is executed at once.
            let time: Value = client.get("/api/v2/dcm/getTime").expect("a time");
            let asked = json!([asked[0], asked[1], [[value, time["time"]]]]);
            ask(
                client,
                Method::POST,
                &format!("dcm/set{query}"),
                Some(&asked),
            );
        }
        2 => {
            let mut wire = Wire::to(&home.path("run/nao.sock"));
            let asked = json!({ "to": joint, "after_ns": 0, "values": value, "lane": lane });
            let reply = wire.ask(&json!({ "ask": { "move": asked } }).to_string());
            assert_eq!(reply["ok"]["taken"]["commands"], 1, "{reply}");
        }
        _ => {
            let value = value.to_string();
            let mut words = vec!["set", joint, &value, "--in", "1ms"];
            words.extend(lane.iter().flat_map(|item| ["--lane", item]));
            home.good(&words);
        }
    }
}

#[test]
fn the_open_lane_of_the_highest_priority_has_a_joint() {
    let home = home();
    let mut random = fastrand::Rng::with_seed(2);
    let mut served = serve(&home, RECORDED);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("perform")));
    let mut lanes = BTreeMap::new();
    let shared = Lane {
        priority: SHARED,
        joints: BTreeMap::new(),
    };
    lanes.insert(String::new(), shared);
    let mut opened = 0;
    for _ in 0..50 {
        let names: Vec<String> = lanes.keys().cloned().collect();
        let name = names[random.usize(..names.len())].clone();
        let own = (!name.is_empty()).then_some(name.as_str());
        match (random.u8(..8), own) {
            (0..2, _) if lanes.len() < 5 => {
                opened += 1;
                let (name, priority) = (format!("lane-{opened}"), 11.0 + random.f64() * 50.0);
                open(&home, &client, random.usize(..3), &name, priority);
                let joints = BTreeMap::new();
                lanes.insert(name, Lane { priority, joints });
            }
            (2, Some(name)) => {
                ask_loop(&client, "end-lane", &json!({ "lane": name }));
                lanes.remove(name);
            }
            (3, Some(name)) => {
                let priority = 1.0 + random.f64() * 60.0;
                let asked = json!({ "lane": name, "priority": priority });
                ask_loop(&client, "tune-lane", &asked);
                lanes.get_mut(name).expect("it is open").priority = priority;
            }
            _ => {
                let joint = JOINTS[random.usize(..JOINTS.len())];
                let value = random.f64() - 0.5;
                set(&home, &client, random.usize(..4), own, joint, value);
                let joints = &mut lanes.get_mut(&name).expect("it is open").joints;
                // The shared lane leaves a joint that has arrived to others, and has it only if no other wants it.
                joints.insert(joint, value);
            }
        }
        for joint in JOINTS {
            // What the shared lane has sent is kept only until another lane has moved the joint.
            let own: Vec<_> = lanes.iter().filter(|lane| !lane.0.is_empty()).collect();
            let held = own.iter().any(|pair| pair.1.joints.contains_key(joint));
            if held {
                lanes.get_mut("").expect("it is there").joints.remove(joint);
            }
            if let Some(value) = expected(&lanes, joint) {
                until("the highest lane has it", || {
                    (sent(&client, joint) - value).abs() < 1e-9
                });
            }
        }
        let told = ask_loop(&client, "lanes", &json!({}));
        let told: Vec<_> = told.as_array().expect("a list").iter().collect();
        assert_eq!(told.len(), lanes.len() - 1, "{told:?}");
        for item in told {
            let lane = &lanes[item["lane"].as_str().expect("a name")];
            until("it is tuned", || {
                let reply = ask_loop(&client, "lanes", &json!({}));
                let same = |found: &&Value| found["lane"] == item["lane"];
                let found = reply
                    .as_array()
                    .and_then(|all| all.iter().find(same).cloned());
                found.is_some_and(|value| value["priority"] == lane.priority)
            });
        }
    }
    assert!(opened > 3, "only {opened} lanes were opened");
    home.good(&["stop"]);
    until("the loop has gone", || {
        served.child.try_wait().expect("a process").is_some()
    });
    drop(served);
    replay_all(&home);
}

#[test]
fn a_lane_has_its_joints_its_silence_rule_and_an_end() {
    let home = home();
    let mut served = serve(&home, RECORDED);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("perform")));
    for (lane, options, code) in [
        ("", json!({}), "invalid-name"),
        ("a b", json!({}), "invalid-name"),
        ("clients", json!({}), "invalid-name"),
        ("..", json!({}), "invalid-name"),
        ("a/../b", json!({}), "invalid-name"),
        ("a//b", json!({}), "invalid-name"),
        ("a", json!({ "priority": 101 }), "figure"),
        ("a", json!({ "priority": null }), "invalid-request"),
        ("a", json!({ "weight": -0.1 }), "weight"),
        ("a", json!({ "weight": 1001 }), "weight"),
        ("a", json!({ "joints": ["Tail"] }), "unknown-name"),
        (
            "a",
            json!({ "joints": ["HeadYaw", "HeadPitch"], "priority": 20 }),
            "ok",
        ),
        ("a", json!({}), "taken"),
        ("b", json!({ "fade-ns": -1 }), "invalid-request"),
        ("b", json!({ "silent-after-ns": 0 }), "invalid-time"),
        ("b", json!({ "retreat-after-ns": 1 }), "invalid-time"),
        (
            "b",
            json!({ "silent-after-ns": 2, "retreat-after-ns": 1 }),
            "invalid-time",
        ),
        ("b", json!({ "ending": "jump" }), "invalid-request"),
        ("b", json!({ "colour": 1 }), "invalid-request"),
    ] {
        let asked = json!({ "lane": lane, "options": options });
        match code {
            "ok" => drop(ask_loop(&client, "open-lane", &asked)),
            code => assert_eq!(
                refused_by_loop(&client, "open-lane", &asked),
                code,
                "{asked}"
            ),
        }
    }
    // It drives its joints alone; the refused request has moved nothing.
    let wrist =
        json!({ "to": ["HeadYaw", "LWristYaw"], "values": [0.3, 0.3], "after_ns": 0, "lane": "a" });
    assert_eq!(refused_by_loop(&client, "move", &wrist), "wrong-kind");
    let nobody = json!({ "to": "HeadYaw", "values": 0.3, "after_ns": 0, "lane": "z" });
    assert_eq!(refused_by_loop(&client, "move", &nobody), "no-lane");
    std::thread::sleep(Duration::from_millis(60));
    assert!(sent(&client, "HeadYaw").abs() < 0.2);
    // A lane whose client is silent ends, and its name is free; one that is fed stays.
    for name in ["fed", "silent"] {
        let options = json!({ "silent-after-ns": 3_000_000_000_u64 });
        let asked = json!({ "lane": name, "options": options });
        ask_loop(&client, "open-lane", &asked);
    }
    let begun = std::time::Instant::now();
    while begun.elapsed() < Duration::from_secs(4) {
        ask_loop(&client, "feed-lane", &json!({ "lane": "fed" }));
        std::thread::sleep(Duration::from_millis(50));
    }
    let told = ask_loop(&client, "lanes", &json!({}));
    let names: Vec<_> = told
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| &item["lane"])
        .collect();
    assert_eq!(names, ["a", "fed"]);
    let silent = json!({ "lane": "silent" });
    assert_eq!(refused_by_loop(&client, "feed-lane", &silent), "no-lane");
    ask_loop(&client, "open-lane", &silent);
    // What is tuned is told at once.
    let tuned = json!({ "lane": "fed", "priority": 33, "weight": 0.5 });
    let told = &ask_loop(&client, "tune-lane", &tuned)[0];
    assert_eq!(
        (&told["priority"], &told["weight"]),
        (&json!(33.0), &json!(0.5))
    );
    for words in [["--priority", "nan"], ["--weight", "inf"]] {
        home.bad(2, &[&["lane", "tune", "fed"][..], &words].concat());
    }
    // Whoever moves in a lane that has no effect now is told so.
    let words = ["set", "RElbowYaw", "0.5", "--lane", "fed"];
    assert!(!home.good(&words).contains("below 0"));
    home.good(&["lane", "tune", "fed", "--priority", "-1"]);
    let output = home.good(&words);
    assert!(
        output.contains("not now: the priority of the lane `fed` is below 0"),
        "{output}"
    );
    // A long move in a lane of its own, and what waits there; cancelling finds it there.
    let times: Vec<u64> = (1..3_000).map(|i| (60 + i) * 1_000_000_000).collect();
    let values: Vec<f64> = (1..3_000)
        .map(|i| (f64::from(i) / 10.0).sin() / 4.0)
        .collect();
    let long = json!({ "to": "HeadYaw", "after_ns": times, "values": values, "lane": "silent" });
    let ticket = ask_loop(&client, "move", &long)["ticket"].clone();
    let waits = |lane: Option<&str>| {
        let fields = json!({ "of": ["HeadYaw"], "lane": lane });
        ask_loop(&client, "pending", &fields)[0]["count"].as_u64()
    };
    assert_eq!((waits(Some("silent")), waits(None)), (Some(2_999), Some(0)));
    let ended = &ask_loop(&client, "cancel", &json!({ "ticket": ticket }))[0];
    assert_eq!(
        (ended["end"].as_str(), ended["removed"].as_u64()),
        (Some("cancelled"), Some(2_999))
    );
    // No more lanes than there is room for, and the refusal says so.
    let mut opened = 0;
    let full = loop {
        let asked = json!({ "lane": format!("more-{opened}") });
        match client.ask::<Value>(Method::POST, "/api/v2/loop/open-lane", Some(&asked)) {
            Ok(_) => opened += 1,
            Err(error) => break error.to_string(),
        }
        assert!(opened < 100, "there is no limit");
    };
    assert!(full.contains("clients have 16 lanes already"), "{full}");
    // A lane that ends by holding keeps its joint from the lane of all, until it is ended again.
    let asked = json!({ "to": "HeadYaw", "values": 0.25, "after_ns": 0, "lane": "a" });
    ask_loop(&client, "move", &asked);
    until("it is there", || {
        (sent(&client, "HeadYaw") - 0.25).abs() < 1e-9
    });
    let hold = json!({ "lane": "a", "ending": "hold" });
    let answer = ask_loop(&client, "end-lane", &hold);
    assert_eq!(answer[0]["life"], "holding");
    assert_eq!(refused_by_loop(&client, "move", &asked), "ending");
    home.good(&["lane", "end", "a"]);
    until("it is gone", || {
        let reply = ask_loop(&client, "lanes", &json!({}));
        !reply.to_string().contains("\"a\"")
    });
    // So does one that was opened to end so.
    ask_loop(&client, "end-lane", &json!({ "lane": "more-0" }));
    until("there is room", || {
        let reply = ask_loop(&client, "lanes", &json!({}));
        !reply.to_string().contains("\"more-0\"")
    });
    let asked = json!({ "lane": "holds", "options": { "ending": "hold" } });
    ask_loop(&client, "open-lane", &asked);
    for life in ["holding", "fading"] {
        let reply = ask_loop(&client, "end-lane", &json!({ "lane": "holds" }));
        assert_eq!(reply[0]["life"], life);
    }
    until("it is gone", || {
        let reply = ask_loop(&client, "lanes", &json!({}));
        !reply.to_string().contains("\"holds\"")
    });
    home.good(&["stop"]);
    until("the loop has gone", || {
        served.child.try_wait().expect("a process").is_some()
    });
    drop(served);
    replay_all(&home);
}

#[test]
fn a_lane_that_was_silent_ends_though_it_is_fed_then_and_the_body_retreats() {
    let home = home();
    let served = serve(&home, RECORDED);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("perform")));
    let options = json!({ "silent-after-ns": 300_000_000, "retreat-after-ns": 1_200_000_000 });
    let asked = json!({ "lane": "v", "options": options });
    ask_loop(&client, "open-lane", &asked);
    let feed = || refused_by_loop(&client, "feed-lane", &json!({ "lane": "v" }));
    let lives = || ask_loop(&client, "lanes", &json!({}));
    until("it is silent", || lives()[0]["life"] != "open");
    let page = served.page();
    // Whoever comes back too late is told so, and puts nothing off.
    until("it has ended", || {
        let code = feed();
        assert!(["ending", "no-lane"].contains(&code.as_str()), "{code}");
        code == "no-lane"
    });
    assert_eq!(lives(), json!([]));
    until("the body has retreated", || {
        page.read(|frame| frame.state()).flatten() == Some(State::Safe)
    });
}
