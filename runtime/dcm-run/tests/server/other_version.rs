//! A program that was upgraded beside a robot that was not: a loop and a server of the first version, played here.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::common::home;
use serde_json::{Value, json};
use tests::process::text;

/// What was asked, in order.
type Asked = Arc<Mutex<Vec<Value>>>;

/// The answers of a loop of the first version.
fn answer_of_loop(ask: &Value) -> Value {
    match ask {
        Value::String(word) if word == "hello" => {
            json!({ "ok": { "here": { "protocol": 1, "version": "0.0.9",
            "name": "old", "robot": "nao", "page": "/nowhere", "process": 1, "description": "nao", "boards": [] } } })
        }
        Value::String(word) if word == "guests" => json!({ "ok": { "guests": [] } }),
        Value::String(word) if word == "quit" => json!({ "ok": "done" }),
        Value::Object(request) if request.contains_key("operate") => {
            json!({ "ok": { "state": "holding" } })
        }
        other => {
            json!({ "error": { "code": "not-understood", "sentence": format!("unexpected: {other}") } })
        }
    }
}

fn play_loop(socket: UnixListener, asked: Asked) {
    for stream in socket.incoming().flatten() {
        let asked = Arc::clone(&asked);
        thread::spawn(move || {
            let mut lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
            let mut out = &stream;
            while let Some(Ok(line)) = lines.next() {
                let call: Value = serde_json::from_str(&line).expect("JSON");
                let mut answer = answer_of_loop(&call["ask"]);
                answer["id"] = call["id"].clone();
                asked.lock().expect("a lock").push(call["ask"].clone());
                writeln!(out, "{answer}").expect("a socket");
            }
        });
    }
}

/// A server of the first version: it says who it is, unless it is busy, hears the stop, and knows no other path.
fn play_server(listener: TcpListener, asked: Asked, is_busy: bool) {
    for stream in listener.incoming().flatten() {
        let asked = Arc::clone(&asked);
        thread::spawn(move || {
            let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
            let mut out = &stream;
            loop {
                let (mut head, mut line) = (String::new(), String::new());
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    head.push_str(&line);
                    line.clear();
                }
                let Some(request) = head.lines().next() else {
                    return;
                };
                let path = request
                    .rsplit_once(' ')
                    .map_or("", |parts| parts.0)
                    .to_owned();
                let hello = r#"{"api":1,"version":"0.0.9","name":"old","robot":"nao","fingerprint":null,
                    "signatures":"off","foxglove":null}"#;
                let (status, body) = match path.as_str() {
                    "GET /api/v1/hello" if !is_busy => (200, hello.to_owned()),
                    "POST /api/v1/body/stop" => (200, json!({ "state": "estop" }).to_string()),
                    _ => {
                        let error =
                            json!({ "code": "no-route", "sentence": "the API has no such path" });
                        (404, json!({ "error": error }).to_string())
                    }
                };
                asked.lock().expect("a lock").push(json!(path));
                let length = body.len();
                let answer = format!(
                    "HTTP/1.1 {status} -\r\nx-request-id: 1\r\ncontent-length: {length}\r\n\r\n{body}"
                );
                if out.write_all(answer.as_bytes()).is_err() {
                    return;
                }
            }
        });
    }
}

#[test]
fn a_loop_of_the_first_version_is_stopped_held_and_listed_and_everything_else_names_both() {
    let home = home();
    let asked = Asked::default();
    fs::create_dir_all(home.path("run")).expect("a folder");
    let socket = UnixListener::bind(home.path("run/old.sock")).expect("a socket");
    let of_loop = Arc::clone(&asked);
    thread::spawn(move || play_loop(socket, of_loop));
    assert!(home.good(&["ps"]).contains("no guest plays"));
    assert!(home.good(&["hold"]).contains("old is holding"));
    home.good(&["stop"]);
    let words = asked.lock().expect("a lock").clone();
    for word in [json!("guests"), json!({ "operate": "hold" }), json!("quit")] {
        assert!(words.contains(&word), "{word}: {words:?}");
    }
    for words in [&["set", "HeadYaw", "0.1"][..], &["arm"], &["lane", "ls"]] {
        let out = home.run(words);
        let output = text(&out.stderr);
        assert!(!out.status.success(), "{words:?}");
        let names_both = output.contains("0.0.9") && output.contains(env!("CARGO_PKG_VERSION"));
        assert!(
            names_both && output.contains("fix: "),
            "{words:?}: {output}"
        );
    }
    let sent = asked.lock().expect("a lock").clone();
    assert!(
        !sent.iter().any(|ask| ask.get("move").is_some()),
        "{sent:?}"
    );
}

#[test]
fn a_server_of_the_first_version_hears_the_stop_and_everything_else_names_both() {
    let home = home();
    let asked = Asked::default();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let of_server = Arc::clone(&asked);
    thread::spawn(move || play_server(listener, of_server, false));
    // One that is busy refuses everything else.
    let busy = TcpListener::bind("127.0.0.1:0").expect("a port");
    let busy_address = busy.local_addr().expect("an address").to_string();
    thread::spawn(move || play_server(busy, Asked::default(), true));
    home.good(&["estop", "--robot", &busy_address]);
    let printed = home.good(&["estop", "--robot", &address]);
    assert!(printed.contains("`estop`"), "{printed}");
    let words = asked.lock().expect("a lock").clone();
    assert!(
        words.contains(&json!("POST /api/v1/body/stop")),
        "{words:?}"
    );
    for words in [&["ls"][..], &["set", "HeadYaw", "0.1"], &["get", "HeadYaw"]] {
        let words = [words, &["--robot", &address]].concat();
        let output = home.bad(1, &words);
        let names_both = output.contains("0.0.9") && output.contains(env!("CARGO_PKG_VERSION"));
        assert!(
            names_both && output.contains("fix: "),
            "{words:?}: {output}"
        );
    }
}
