//! A robot that has run for 200 days: a browser, whose numbers are exact up to 2^53, reads every integer as it is.

use serde_json::{Value, json};
use tests::served::{NAO, ask_loop, serve_with};

use crate::common::home;

/// How long a robot has run whose time in ns no browser reads exactly.
const DAYS: u64 = 200;

/// The largest integer below which a browser rounds none.
const SAFE: u64 = 1 << 53;

fn assert_exact(of: &Value, place: &str) {
    match of {
        Value::Number(number) if !number.is_f64() => {
            let size = number.as_i64().map(i64::unsigned_abs).or(number.as_u64());
            assert!(size <= Some(SAFE), "{place}: {number} is rounded");
        }
        Value::Array(items) => items.iter().for_each(|item| assert_exact(item, place)),
        Value::Object(fields) => {
            for (name, field) in fields {
                assert_exact(field, &format!("{place} {name}"));
            }
        }
        _ => {}
    }
}

#[test]
fn a_browser_reads_every_integer_after_200_days() {
    let home = home();
    let uptime = format!("--uptime={DAYS}");
    let words = [&NAO[..], &[&uptime]].concat();
    let served = serve_with(&home, "[server]\nlisten = [\"127.0.0.1:0\"]\n", &words);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    let get = |path: &str| -> Value { client.get(&format!("/api/v2/{path}")).expect(path) };
    let now: u64 = get("state")["now_ns"]
        .as_str()
        .expect("digits")
        .parse()
        .expect("digits");
    assert!(now > DAYS * 86_400_000_000_000, "{now}");
    // An odd number of this size is rounded by a browser.
    let at = (now + 600_000_000_000) | 1;
    let [text, number] = [json!(at.to_string()), json!(at)];
    let mut tickets = Vec::new();
    for (at, joint) in [(text, "HeadYaw"), (number, "HeadPitch")] {
        let fields = json!({ "to": [joint], "lists": [[[at, 0.1]]] });
        tickets.push(ask_loop(&client, "schedule", &fields)["ticket"].clone());
    }
    let waiting = ask_loop(
        &client,
        "pending",
        &json!({ "of": ["HeadYaw", "HeadPitch"] }),
    );
    for actuator in waiting.as_array().expect("a list") {
        assert_eq!(
            actuator["commands"][0]["at_ns"],
            at.to_string(),
            "{waiting}"
        );
    }
    let progress = ask_loop(&client, "progress", &json!({ "tickets": tickets }));
    for request in progress.as_array().expect("a list") {
        assert_eq!(request["until_ns"], at.to_string(), "{progress}");
    }
    let line = home.good(&["pending", "HeadYaw", "--json"]);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(line["commands"][0]["at_ns"], at, "{line}");
    assert_exact(&waiting, "pending");
    assert_exact(&progress, "progress");
    for kind in [
        "hello",
        "guests",
        "lanes",
        "faults",
        "recording",
        "preferences",
        "calibration",
    ] {
        assert_exact(&ask_loop(&client, kind, &json!({})), kind);
    }
    let events = ask_loop(&client, "events", &json!({ "since": 0 }));
    assert!(!events["events"].as_array().expect("a list").is_empty());
    assert_exact(&events, "events");
    let description: Value = client.get("/api/v2/openapi.json").expect("the description");
    let mut read = 0;
    for (path, methods) in description["paths"].as_object().expect("paths") {
        // What has a parameter, is no JSON, or is not for this role is left out.
        if let Some(reply) = methods
            .get("get")
            .and_then(|_| client.get::<Value>(path).ok())
        {
            assert_exact(&reply, path);
            read += 1;
        }
    }
    assert!(read >= 10, "{read} paths were read");
    let mut frames = 0;
    let listened = client.listen("/api/v2/stream?hz=100", |message| {
        assert_exact(&message, "stream");
        frames += u32::from(message["now_ns"].is_string());
        frames < 20
    });
    listened.expect("the stream");
}
