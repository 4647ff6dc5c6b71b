//! A served robot and its loop answer every request alike: random requests, most of them wrong, are sent to both.

use crate::common::home;
use hyper::Method;
use network::client::{Address, ApiClient, ClientError};
use serde_json::{Map, Value, json};
use tests::process::Wire;
use tests::served::serve;

/// Fields of each kind, and values for them. No valid combination changes what the next request is answered.
fn requests() -> Value {
    let names = json!([
        ["HeadYaw"],
        ["Nose"],
        [],
        ["Head", "HeadYaw"],
        "HeadYaw",
        [7],
        null,
        ["x".repeat(90)]
    ]);
    let lights = json!([["CHEST/Red"], ["Chest"], ["Nose"], [], "CHEST/Red", 7]);
    let texts = json!([
        "base",
        "",
        "a b",
        "clients",
        7,
        null,
        ["base"],
        "\u{7}\"\u{fc}"
    ]);
    let numbers = json!([
        0,
        1,
        -1,
        0.5,
        61_000_000_000_u64,
        u64::MAX,
        "1",
        null,
        [1],
        {}
    ]);
    let lists = json!([[[[1, 0.5]]], [[[1, 0.5, 3]]], [[1, 0.5]], [[]], [], 5]);
    json!({
        "hello": {}, "lanes": {}, "faults": {}, "figure": {}, "names": {}, "description": {}, "guests": {},
        "recording": {},
        "move": { "to": lights, "after_ns": numbers, "values": [0, 1, 0.25, [0.5], [0.5, 1], [null], "x", 7],
            "measures": ["angle", "length", 1], "clip": [true, false, 0], "merge": ["merge", "clear-all", "new"],
            "lane": texts, "packed": [0, -1] },
        "schedule": { "to": lights, "same": [true, false, 1], "lists": lists, "merge": ["clear-before", 3],
            "lane": texts },
        "progress": { "tickets": [[4_000_000_000_u32], [], [-1], ["x"], 5, vec![1; 257]],
            "wait_ns": [0, 1, -1, u64::MAX] },
        "cancel": { "ticket": [4_000_000_000_u32, -1, 0.5, "x", null] },
        "pending": { "of": names, "lane": texts },
        "driving": { "of": names },
        "open-lane": { "lane": texts, "options": [{}, { "priority": 101 }, { "colour": 1 }, { "fade-ns": -1 },
            { "joints": ["Tail"] }, { "ending": "jump" }, 5, null] },
        "end-lane": { "lane": ["nobody", "", 5], "ending": ["hold", "safe-pose", "jump", 1] },
        "feed-lane": { "lane": texts },
        "tune-lane": { "lane": texts, "priority": [20, 101, -2, "x", null], "weight": [1, 0.5, -1, 2_000, null] },
        "calibration": { "of": names },
        "calibrate": { "joint": texts, "at": [0.1, "x", null], "moved": [0.1, null], "measures": ["angle", "x"] },
        "preferences": { "key": ["safety", "", "nothing", 5] },
        "try-preference": { "key": ["safety.return-sped", "", 5], "value": ["0.5", "fast", 5] },
        "find": { "name": ["HeadYaw", "Head", "HeadYaw/Position/Sensor/Value", "Nose", "", 7, "x".repeat(70)] },
        "pose": { "name": ["upside-down", "", 5], "in_ns": numbers, "lane": texts },
        "end": { "guest": ["nobody", "7", 7, null], "soft": [true, false, "x"] },
        "pause": { "guest": ["nobody", "7", 7] },
        "resume-guest": { "guest": ["nobody", "7", 7] },
        "tune": { "guest": ["nobody", 7], "params": [{}, { "speed": 1 }, { "speed": "x" }, 5], "priority": numbers,
            "weight": numbers },
    })
}

/// A request of a random kind: some of its fields, perhaps one that it has not, with random values.
fn random_request(random: &mut fastrand::Rng, requests: &Map<String, Value>) -> (String, Value) {
    let (kind, known) = requests
        .iter()
        .nth(random.usize(..requests.len()))
        .expect("a kind");
    let mut fields = Map::new();
    for (name, values) in known.as_object().expect("fields") {
        if random.u8(..4) > 0 {
            let values = values.as_array().expect("values");
            fields.insert(name.clone(), values[random.usize(..values.len())].clone());
        }
    }
    match random.u8(..16) {
        0 => drop(fields.insert("colour".to_owned(), json!(1))),
        1 => return (kind.clone(), json!([fields])),
        _ => {}
    }
    (kind.clone(), Value::Object(fields))
}

/// The outcome of a request over HTTP, as the loop's socket writes it.
fn over_http(client: &ApiClient, kind: &str, fields: &Value) -> Value {
    let path = format!("/api/v2/loop/{kind}");
    match client.ask::<Value>(Method::POST, &path, Some(fields)) {
        Ok(reply) => json!({ "ok": reply }),
        Err(ClientError::Refused(error)) => json!({ "error": error }),
        Err(other) => panic!("{kind} {fields}: {other}"),
    }
}

/// Without what differs from one request to the next.
fn normalized(mut outcome: Value) -> Value {
    outcome.as_object_mut().expect("an object").remove("id");
    if let Some(taken) = outcome.pointer_mut("/ok/taken") {
        taken["ticket"] = json!(0);
    }
    outcome
}

#[test]
fn the_server_and_the_loop_answer_alike() {
    let home = home();
    let quiet = "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"\"\n[recordings]\non = false\n";
    let served = serve(&home, quiet);
    served.wait_until_it_runs();
    let socket = home.path("run/nao.api");
    let client = ApiClient::new(Address::Local(socket), None).expect("a client");
    let mut wire = Wire::to(&home.path("run/nao.sock"));
    let opened = wire.ask(r#"{"ask":{"open-lane":{"lane":"base"}}}"#);
    assert_eq!(opened["ok"]["lanes"][0]["lane"], "base", "{opened}");
    let requests = requests();
    let requests = requests.as_object().expect("kinds");
    let mut random = fastrand::Rng::with_seed(47);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..1_000 {
        let (kind, fields) = random_request(&mut random, requests);
        let has_none = fields.as_object().is_some_and(Map::is_empty);
        // A kind without fields is a word alone on the socket.
        let ask = match requests[&kind].as_object().is_some_and(Map::is_empty) && has_none {
            true => json!(kind),
            false => json!({ &kind: fields }),
        };
        let by_loop = wire.ask(&json!({ "ask": ask }).to_string());
        let by_server = over_http(&client, &kind, &fields);
        assert_eq!(
            normalized(by_server),
            normalized(by_loop.clone()),
            "{kind} {fields}"
        );
        match by_loop.get("ok") {
            Some(_) => good += 1,
            None => bad += 1,
        }
    }
    println!("{good} were answered, {bad} refused");
    assert!(good > 200 && bad > 200, "{good} {bad}");
}
