//! Requests to move from outside: how far they are, how they ended, cancelling, and what waits; over HTTP, the socket
//! and the stream. Compared with a plain model: a list of commands for each joint.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::home;
use crate::recordings::replay_all;
use hyper::Method;
use network::client::ApiClient;
use serde_json::{Value, json};
use tests::process::{Wire, until};
use tests::served::{Served, ask_loop, refused_by_loop, serve};

const RECORDED: &str =
    "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"\"\n[recordings]\non = true\n";

/// Joints with wide ranges.
const JOINTS: [&str; 5] = [
    "HeadYaw",
    "LShoulderPitch",
    "RShoulderPitch",
    "LWristYaw",
    "RWristYaw",
];

/// Commands are for so long after they are sent, ns: none is executed while the test goes on.
const LATER: u64 = 120_000_000_000;

/// What a client knows of its requests.
#[derive(Default)]
struct Model {
    /// For each joint: instant, value and request of each command.
    waiting: BTreeMap<&'static str, Vec<(u64, f64, u64)>>,
    told: BTreeMap<u64, Told>,
}

/// A request: its commands, those removed, how it ended and by which request.
type Told = (u64, u64, Option<(&'static str, u64)>);

impl Model {
    fn remove(&mut self, joint: &str, end: (&'static str, u64), goes: impl Fn(u64, u64) -> bool) {
        let Some(list) = self.waiting.get_mut(joint) else {
            return;
        };
        for (.., ticket) in list.extract_if(.., |row| goes(row.0, row.2)) {
            let told = self.told.get_mut(&ticket).expect("it was taken");
            told.1 += 1;
            if told.1 == told.0 {
                told.2 = Some(end);
            }
        }
    }

    fn take(&mut self, ticket: u64, merge: &str, parts: &[(&'static str, Vec<(u64, f64)>)]) {
        let all: usize = parts.iter().map(|part| part.1.len()).sum();
        self.told.insert(ticket, (all as u64, 0, None));
        for (joint, list) in parts {
            let first = list.iter().map(|pair| pair.0).min().expect("commands");
            let last = list.iter().map(|pair| pair.0).max().expect("commands");
            self.remove(joint, ("cleared", ticket), |at, by| {
                by != ticket
                    && match merge {
                        "clear-all" => true,
                        "clear-after" => at >= first,
                        "clear-before" => at <= last,
                        _ => false,
                    }
            });
            let waiting = self.waiting.entry(joint).or_default();
            waiting.extend(list.iter().map(|pair| (pair.0, pair.1, ticket)));
            waiting.sort_by_key(|pair| pair.0);
        }
    }

    fn cancel(&mut self, ticket: u64) {
        for joint in JOINTS {
            self.remove(joint, ("cancelled", 0), |_, by| by == ticket);
        }
    }
}

fn random_parts(random: &mut fastrand::Rng, now: u64) -> Vec<(&'static str, Vec<(u64, f64)>)> {
    let joints = random.choose_multiple(JOINTS, random.clone().usize(1..=JOINTS.len()));
    let mut list = || {
        let mut ats = BTreeSet::new();
        for _ in 0..random.usize(1..9) {
            ats.insert(now + LATER + random.u64(..2_000_000_000));
        }
        ats.into_iter().map(|at| (at, random.f64() - 0.5)).collect()
    };
    joints.into_iter().map(|joint| (joint, list())).collect()
}

/// Sends the parts in one request; returns its answer.
fn send(
    client: &ApiClient,
    wire: &mut Wire,
    over_http: bool,
    merge: &str,
    parts: &[(&'static str, Vec<(u64, f64)>)],
) -> Value {
    let names: Vec<_> = parts.iter().map(|part| part.0).collect();
    if !over_http {
        let lists: Vec<_> = parts.iter().map(|part| &part.1).collect();
        let schedule = json!({ "to": names, "lists": lists, "merge": merge });
        let line = json!({ "ask": { "schedule": schedule } }).to_string();
        return wire.ask(&line)["ok"]["taken"].take();
    }
    let mut packed = Vec::new();
    for (_, list) in parts {
        packed.extend(u32::try_from(list.len()).expect("few").to_le_bytes());
        for (at, value) in list {
            packed.extend(at.to_le_bytes());
            packed.extend(value.to_le_bytes());
        }
    }
    let path = format!("/api/v2/body/schedule?to={}&merge={merge}", names.join(","));
    let body = network::client::RequestBody {
        headers: Vec::new(),
        bytes: packed.into(),
        kind: "application/octet-stream",
        only_reads: false,
    };
    let answer = client.send(Method::POST, &path, body, |_| {});
    serde_json::from_slice(&answer.expect("it is accepted")).expect("JSON")
}

/// An instant in a reply.
fn instant(of: &Value) -> u64 {
    let digits = of.as_str().expect("a string");
    digits.parse().expect("digits")
}

fn get(client: &ApiClient, path: &str) -> Value {
    client.get(&format!("/api/v2/{path}")).expect(path)
}

fn compare(client: &ApiClient, model: &Model) {
    let tickets: Vec<_> = model.told.keys().collect();
    let told = ask_loop(client, "progress", &json!({ "tickets": tickets }));
    let told = told.as_array().expect("a list");
    assert_eq!(told.len(), tickets.len());
    for (progress, (ticket, (commands, removed, end))) in told.iter().zip(&model.told) {
        assert_eq!(progress["ticket"], *ticket, "{progress}");
        let counts =
            ["commands", "removed", "waiting", "executed"].map(|name| progress[name].as_u64());
        let expected = [*commands, *removed, commands - removed, 0].map(Some);
        assert_eq!(counts, expected, "{progress}");
        assert_eq!(progress["end"].as_str(), end.map(|end| end.0), "{progress}");
        let by = end.filter(|end| end.0 == "cleared").map(|end| end.1);
        assert_eq!(progress["by"].as_u64(), by, "{progress}");
    }
    let waiting = ask_loop(client, "pending", &json!({ "of": JOINTS }));
    for (pending, joint) in waiting.as_array().expect("a list").iter().zip(JOINTS) {
        let expected = model.waiting.get(joint).cloned().unwrap_or_default();
        assert_eq!(
            (&pending["count"], &pending["actuator"]),
            (&json!(expected.len()), &json!(joint))
        );
        let expected = expected
            .iter()
            .map(|expected| json!({ "at_ns": expected.0.to_string(), "value": expected.1, "ticket": expected.2 }));
        assert_eq!(pending["commands"], expected.collect::<Value>(), "{joint}");
    }
}

#[test]
fn requests_are_followed_cancelled_and_listed_as_a_model_says() {
    let home = home();
    let mut served = serve(&home, RECORDED);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("perform")));
    let mut wire = Wire::to(&home.path("run/nao.sock"));
    let mut random = fastrand::Rng::with_seed(22);
    let mut model = Model::default();
    for _ in 0..60 {
        if random.u8(..4) == 0 && !model.told.is_empty() {
            let known: Vec<_> = model.told.keys().copied().collect();
            let ticket = known[random.usize(..known.len())];
            let reply = &ask_loop(&client, "cancel", &json!({ "ticket": ticket }))[0];
            model.cancel(ticket);
            assert_eq!(
                (&reply["ticket"], &reply["waiting"]),
                (&json!(ticket), &json!(0))
            );
        } else {
            let merge = ["merge", "clear-all", "clear-after", "clear-before"][random.usize(..4)];
            let now = instant(&get(&client, "state")["now_ns"]);
            let parts = random_parts(&mut random, now);
            let reply = send(&client, &mut wire, random.bool(), merge, &parts);
            let ticket = reply["ticket"].as_u64().expect("a number");
            model.take(ticket, merge, &parts);
        }
        compare(&client, &model);
    }
    // Everything at once, by the socket: their joints stay where they are.
    for ticket in model.told.keys().copied().collect::<Vec<_>>() {
        let line = json!({ "ask": { "cancel": { "ticket": ticket } } }).to_string();
        assert_eq!(wire.ask(&line)["ok"]["progress"][0]["waiting"], 0);
        model.cancel(ticket);
    }
    compare(&client, &model);
    assert_eq!(ask_loop(&client, "pending", &json!({})), json!([]));
    home.good(&["stop", "--robot", "nao"]);
    assert!(served.child.wait().expect("it ends").success());
    replay_all(&home);
}

#[test]
fn who_waits_is_told_how_a_request_ended_and_so_is_the_stream() {
    let home = home();
    let served = serve(&home, &RECORDED.replace("on = true", "on = false"));
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("perform")));
    let set = |name: &str, value: f64, in_ms: u64| -> u64 {
        let fields = json!({ "to": name, "values": value, "after_ns": in_ms * 1_000_000 });
        let reply = ask_loop(&client, "move", &fields);
        reply["ticket"].as_u64().expect("a number")
    };
    let (heard, expected) = (Mutex::new(BTreeMap::new()), AtomicBool::new(false));
    let listener = served.client(Some(&served.token("watch")));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let path = "/api/v2/stream?topics=requests,all&hz=10";
            let heard_all = listener.listen(path, |value| {
                if value["topic"] == "request" {
                    let ticket = value["ticket"].as_u64().expect("a number");
                    heard
                        .lock()
                        .expect("a lock")
                        .insert(ticket, value["end"].clone());
                }
                expected.store(true, Ordering::Relaxed);
                heard.lock().expect("a lock").len() < 5
            });
            heard_all.expect("a stream");
        });
        until("the stream is open", || expected.load(Ordering::Relaxed));
        let arrives = set("HeadYaw", 0.2, 300);
        let clipped = set("HeadPitch", 99.0, 300);
        let key = "HeadPitch/Position/Actuator/Value";
        let dcm = json!([key, "ClearAfter", [[99.0, 2_000_000_000]]]);
        let told: Value = client
            .ask(Method::POST, "/api/v2/dcm/set", Some(&dcm))
            .expect("it is accepted");
        assert_eq!(told["clipped_names"], json!(["HeadPitch"]), "{told}");
        let cleared = set("LShoulderPitch", 0.3, 20_000);
        let clears = set("LShoulderPitch", 0.4, 400);
        let cancelled = set("RShoulderPitch", 0.3, 20_000);
        let answer = ask_loop(&client, "cancel", &json!({ "ticket": cancelled }));
        assert_eq!(answer[0]["end"], "cancelled");
        let all = [arrives, clipped, cleared, clears, cancelled];
        let fields = json!({ "tickets": all, "wait_ns": 20_000_000_000_u64 });
        let reply = ask_loop(&client, "progress", &fields);
        let ends = ["arrived", "clipped", "cleared", "arrived", "cancelled"];
        for ((it, ticket), end) in reply.as_array().expect("a list").iter().zip(all).zip(ends) {
            assert_eq!(
                (&it["ticket"], &it["end"]),
                (&json!(ticket), &json!(end)),
                "{it}"
            );
            let after = instant(&it["ended_ns"]).wrapping_sub(instant(&it["until_ns"]));
            // Those that ended by themselves did so in the turn of their last command.
            assert!(
                ["cleared", "cancelled"].contains(&end) || after < 100_000_000,
                "{it}"
            );
        }
        assert_eq!(reply[2]["by"], clears);
        until("the stream has told it", || {
            heard.lock().expect("a lock").len() == 5
        });
        let heard = heard.lock().expect("a lock");
        for (ticket, end) in all.iter().zip(ends) {
            assert_eq!(heard[ticket], end);
        }
    });
    // In a hold, the commands pass without an effect.
    let missed = set("HeadYaw", 0.0, 1_000);
    home.good(&["hold", "--robot", "nao"]);
    let mut wire = Wire::to(&home.path("run/nao.sock"));
    let ask = json!({ "progress": { "tickets": [missed], "wait_ns": 10_000_000_000_u64 } });
    let reply = wire.ask(&json!({ "ask": ask }).to_string());
    assert_eq!(reply["ok"]["progress"][0]["end"], "missed", "{reply}");
    refusals(&client, &mut wire);
}

/// What is wrong is said, and nothing happens.
fn refusals(client: &ApiClient, wire: &mut Wire) {
    for (kind, fields, code) in [
        ("progress", json!({}), "invalid-request"),
        ("progress", json!({ "tickets": "" }), "invalid-request"),
        (
            "progress",
            json!({ "tickets": [1, "x"] }),
            "invalid-request",
        ),
        ("progress", json!({ "tickets": [-1] }), "invalid-request"),
        (
            "progress",
            json!({ "tickets": [1], "wait_ns": 61_000_000_000_u64 }),
            "range",
        ),
        (
            "progress",
            json!({ "tickets": [1], "wait_ns": -1 }),
            "invalid-request",
        ),
        ("pending", json!({ "of": ["Nose"] }), "unknown-name"),
        ("progress", json!({ "tickets": vec![1; 257] }), "too-large"),
        (
            "cancel",
            json!({ "ticket": 4_000_000_000_u32 }),
            "not-found",
        ),
        ("cancel", json!({ "ticket": "x" }), "invalid-request"),
    ] {
        assert_eq!(
            refused_by_loop(client, kind, &fields),
            code,
            "{kind} {fields}"
        );
    }
    let fields = json!({ "tickets": [4_000_000_000_u32], "wait_ns": 5_000_000_000_u64 });
    assert_eq!(ask_loop(client, "progress", &fields)[0]["end"], "unknown");
    packed_values_may_be_no_numbers(client, wire);
    for (ask, code) in [
        (
            json!({ "progress": { "tickets": [1], "wait_ns": 60_000_000_001_u64 } }),
            "range",
        ),
        (
            json!({ "progress": { "tickets": vec![1; 257] } }),
            "too-large",
        ),
        (
            json!({ "progress": { "tickets": ["a"] } }),
            "invalid-request",
        ),
        (
            json!({ "cancel": { "ticket": 4_000_000_000_u64 } }),
            "not-found",
        ),
        (json!({ "pending": { "of": ["Nose"] } }), "unknown-name"),
    ] {
        let reply = wire.ask(&json!({ "ask": ask }).to_string());
        assert_eq!(reply["error"]["code"], code, "{reply}");
    }
}

/// Packed values can be no numbers: NaN leaves its actuator alone, as in the DCM; of what is infinite nothing is taken.
fn packed_values_may_be_no_numbers(client: &ApiClient, wire: &mut Wire) {
    for (value, taken) in [
        (f64::NAN, Some(1)),
        (f64::INFINITY, None),
        (f64::NEG_INFINITY, None),
    ] {
        let at = instant(&get(client, "state")["now_ns"]) + LATER;
        let mut packed = 2_u32.to_le_bytes().to_vec();
        for value in [0.1, value] {
            packed.extend(at.to_le_bytes());
            packed.extend(value.to_le_bytes());
        }
        // A light, which can be commanded in a hold as well.
        let light = "Face/Led/Red/Left/0Deg/Actuator/Value";
        let schedule = json!({ "to": [light], "packed": packed.len() });
        let line = json!({ "ask": { "schedule": schedule } });
        wire.send(format!("{line}\n").as_bytes()).expect("a loop");
        wire.send(&packed).expect("a loop");
        let over_socket = wire.answer().expect("an answer");
        let body = network::client::RequestBody {
            headers: Vec::new(),
            bytes: packed.into(),
            kind: "application/octet-stream",
            only_reads: false,
        };
        let path = format!("/api/v2/body/schedule?to={light}");
        let over_http = client.send(Method::POST, &path, body, |_| {});
        if let Some(taken) = taken {
            assert_eq!(
                over_socket["ok"]["taken"]["commands"], taken,
                "{over_socket}"
            );
            let told: Value = serde_json::from_slice(&over_http.expect("accepted")).expect("JSON");
            assert_eq!(told["commands"], taken, "{told}");
        } else {
            assert_eq!(over_socket["error"]["code"], "not-finite", "{over_socket}");
            let error = over_http.expect_err("it is refused").to_string();
            assert!(error.contains("not finite"), "{error}");
        }
    }
}

#[test]
fn four_writers_at_100_hz_are_merged_in_one_lane() {
    let home = home();
    let mut served = serve(&home, RECORDED);
    served.wait_until_it_runs();
    let page = served.page();
    let writers: Vec<_> = (0..2)
        .map(|_| served.client(Some(&served.token("perform"))))
        .collect();
    let accepted = Mutex::new(0);
    let mut others: Vec<_> = [("LWristYaw", "dcm"), ("RWristYaw", "set")]
        .map(|(joint, how)| python_writer(&home, &served, joint, how))
        .into();
    std::thread::scope(|scope| {
        for (client, joint) in writers.iter().zip(["HeadYaw", "LShoulderPitch"]) {
            let accepted = &accepted;
            scope.spawn(move || {
                for at in 1..=300 {
                    let value = 0.3 * (f64::from(at) / 50.0).sin();
                    // Its own joint, and one that all of them drive.
                    let fields = json!({ "to": [joint, "HeadPitch"], "after_ns": 50_000_000,
                        "values": [value, value / 3.0], "merge": "merge" });
                    let reply = ask_loop(client, "move", &fields);
                    *accepted.lock().expect("a lock") += reply["commands"].as_u64().expect("one");
                    std::thread::sleep(Duration::from_millis(10));
                }
            });
        }
    });
    assert_eq!(*accepted.lock().expect("a lock"), 2 * 600);
    for writer in &mut others {
        assert!(writer.wait().expect("python").success());
    }
    until("nothing waits", || {
        ask_loop(&writers[0], "pending", &json!({})) == json!([])
    });
    // Each joint is where its writer has put it last.
    let robot = description::load(&description::RobotSource::of("nao")).expect("a shipped robot");
    for joint in ["HeadYaw", "LShoulderPitch", "LWristYaw", "RWristYaw"] {
        let place = robot
            .actuators
            .iter()
            .position(|actuator| actuator.name == joint)
            .expect(joint);
        let commanded = page
            .read(|frame| frame.commanded(place))
            .flatten()
            .expect("a turn");
        let last = 0.3 * (300.0 / 50.0_f64).sin();
        assert!(
            (commanded - last).abs() < 1e-9,
            "{joint}: {commanded}, expected {last}"
        );
    }
    home.good(&["stop", "--robot", "nao"]);
    assert!(served.child.wait().expect("it ends").success());
    replay_all(&home);
}

/// A client in Python that sends 300 commands, one in every 10 ms, by this call.
fn python_writer(
    home: &tests::process::Home,
    served: &Served<'_>,
    joint: &str,
    how: &str,
) -> std::process::Child {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../daemon/clients/python");
    let script = format!(
        "import math, time\n\
         from dcm_run import Robot, DCMProxy\n\
         robot = Robot('{}', token='{}')\n\
         dcm = DCMProxy(robot=robot)\n\
         for at in range(1, 301):\n\
         \x20   value = 0.3 * math.sin(at / 50)\n\
         \x20   if '{how}' == 'dcm':\n\
         \x20       told = dcm.set(['{joint}', 'Merge', [[value, dcm.getTime(50)]]])\n\
         \x20   else:\n\
         \x20       told = robot.request('move', to='{joint}', values=value, after_ns=50_000_000, merge='merge')\n\
         \x20   assert told['commands'] == 1, told\n\
         \x20   time.sleep(0.01)\n",
        served.address(),
        served.token("perform"),
    );
    std::process::Command::new("python3")
        .args(["-B", "-c", &script])
        .env("PYTHONPATH", source)
        .env("DCM_RUN_DIR", home.path("run"))
        .spawn()
        .expect("python")
}
