//! The log of a served robot: one stream of its loop, its guests and its server, which a request can be followed in.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use serde_json::{Value, json};
use tests::process::{Home, until};
use tests::served::{BLINK, WAVE, serve};

use crate::common::home;

const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"127.0.0.1:0\"\n";

fn entries(home: &Home) -> Vec<Value> {
    let output = home.good(&["logs", "--json", "--level", "debug"]);
    output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn a_request_is_followed_from_its_header_through_both_processes() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--robot", "nao"]);
    let body = json!({ "choreography": "wave" }).to_string();
    let mut stream = UnixStream::connect(home.path("run/nao.api")).expect("the server listens");
    let length = body.len();
    write!(
        stream,
        "POST /api/v2/guests HTTP/1.1\r\nhost: localhost\r\nx-request-id: my-start.1\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(
        answer.contains("\r\nx-request-id: my-start.1\r\n"),
        "{answer}"
    );
    let mut found = Vec::new();
    until("the log has it", || {
        found = entries(&home);
        found.iter().any(|item| item["text"] == "was admitted")
    });
    let find = |text: &str| {
        let mut found = found.iter().filter(|item| item["text"] == text);
        found.next().unwrap_or_else(|| panic!("{text}")).clone()
    };
    // In the process of the loop.
    let admitted = find("was admitted");
    assert_eq!(admitted["fields"]["request"], "my-start.1", "{admitted}");
    assert_eq!(admitted["span"], "request:start");
    // In the process of the server: another request, whose id the server has chosen.
    let stored = find("the choreography was stored");
    assert_eq!(stored["span"], "request:upload");
    assert_eq!(
        stored["fields"]["request"].as_str().map(str::len),
        Some(16),
        "{stored}"
    );
    assert_eq!(stored["fields"]["name"], "wave");
    assert!(stored["at_ns"].as_u64() > Some(0), "{stored}");
    // Numbers have no gaps, and the code for pairing is for those who see the server's own output.
    let numbers: Vec<_> = found
        .iter()
        .filter_map(|item| item["number"].as_u64())
        .collect();
    assert!(
        numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]),
        "{numbers:?}"
    );
    let code = served.code();
    assert!(
        !found.iter().any(|item| item.to_string().contains(&code)),
        "{code}"
    );
}

#[test]
fn logs_follows_one_guest_from_a_level_on() {
    let home = home();
    let _served = serve(&home, QUIET);
    let path = home.path("followed");
    let file = std::fs::File::create(&path).expect("a file");
    let words = ["logs", "-f", "--level", "info", "--guest", "blink"];
    let mut follower = home
        .command(&words)
        .stdout(Stdio::from(file))
        .spawn()
        .expect("it starts");
    home.good(&["load", WAVE]);
    home.good(&["load", BLINK]);
    home.good(&["stop", "blink"]);
    let mut said = String::new();
    // It may never have had a lane: the body stands up first.
    until("its end is told", || {
        said = std::fs::read_to_string(&path).unwrap_or_default();
        said.contains(" has ended: stopped guest=blink")
    });
    follower.kill().expect("it runs");
    follower.wait().expect("it ended");
    assert!(
        said.contains(" INFO robot::guest_service: was admitted guest=blink "),
        "{said}"
    );
    assert!(
        said.lines().all(|line| line.contains("guest=blink")),
        "{said}"
    );
    let errors = home.good(&["logs", "--level", "error"]);
    assert_eq!(errors, "");
}
