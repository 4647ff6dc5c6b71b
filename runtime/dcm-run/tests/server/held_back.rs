//! Requests whose body is held back: the rights of their sender may have ended when it comes.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::common::home;
use cycle::State;
use hyper::Method;
use serde_json::{Value, json};
use tests::process::{Wire, text, until};
use tests::served::{Served, WAVE, ask_loop, refused_by_loop, serve};

const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[recordings]\non = false\n";

/// A request whose headers, and half of whose body, have been sent.
struct HeldBack<'b> {
    stream: TcpStream,
    rest: &'b [u8],
}

impl HeldBack<'_> {
    fn send<'b>(
        served: &Served<'_>,
        token: &str,
        (method, path): (&str, &str),
        kind: &str,
        body: &'b [u8],
    ) -> HeldBack<'b> {
        let address = served.address();
        let mut stream = TcpStream::connect(&address).expect("a server");
        let head = format!(
            "{method} /api/v2/{path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let (first, rest) = body.split_at(body.len() / 2);
        stream.write_all(head.as_bytes()).expect("a server");
        stream.write_all(first).expect("a server");
        HeldBack { stream, rest }
    }

    /// Sends the rest, and returns the status and the code of the error.
    fn finish(mut self) -> (u16, String) {
        // A refusal may come before everything has been sent.
        let _ = self.stream.write_all(self.rest);
        let mut answer = Vec::new();
        let _ = self.stream.read_to_end(&mut answer);
        let answer = text(&answer);
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let error: Value = serde_json::from_str(body).unwrap_or_default();
        let code = error["error"]["code"].as_str().unwrap_or("none");
        (
            status.unwrap_or_else(|| panic!("{answer}")),
            code.to_owned(),
        )
    }
}

const JSON: &str = "application/json";

fn state(served: &Served<'_>) -> Option<State> {
    served.page().read(|frame| frame.state()).flatten()
}

#[test]
fn what_was_held_back_until_its_token_was_revoked_is_not_done() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let token = served.token("operate");
    let component = std::fs::read(WAVE).expect("a choreography");
    let upload = format!(
        "choreographies/{}?name=wave",
        network::hex::digest(&component)
    );
    let tokens = json!({ "name": "heir", "role": "operate" }).to_string();
    let to = json!({ "to": ["HeadYaw"], "after_ns": [1], "values": [0.1] }).to_string();
    home.good(&["disarm"]);
    let send = |to, kind, body| HeldBack::send(&served, &token, to, kind, body);
    let held_back = [
        send(("POST", "tokens"), JSON, tokens.as_bytes()),
        send(("POST", "loop/arm"), JSON, b"{ }"),
        send(("POST", "loop/move"), JSON, to.as_bytes()),
        send(("PUT", &upload), "application/wasm", &component),
    ];
    let whole = send(("POST", "loop/lanes"), JSON, b"{ }").finish();
    assert_eq!(whole, (200, "none".to_owned()));
    home.good(&["tokens", "revoke", "1"]);
    for request in held_back {
        assert_eq!(request.finish(), (401, "token-unknown".to_owned()));
    }
    assert!(!home.good(&["tokens", "ls"]).contains("heir"));
    assert!(!home.good(&["ls"]).contains("wave"));
    assert_eq!(state(&served), Some(State::Disarmed));
}

#[test]
fn what_was_held_back_until_another_had_control_is_not_done() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE]);
    let (perform, operate) = (served.token("perform"), served.token("operate"));
    let start = json!({ "choreography": "wave" }).to_string();
    let post = ("POST", "guests");
    let held_back = HeldBack::send(&served, &perform, post, JSON, start.as_bytes());
    let client = served.client(Some(&operate));
    let taken = client.ask::<Value>(Method::PUT, "/api/v2/lease", None::<&()>);
    taken.expect("control");
    assert_eq!(held_back.finish(), (409, "control-held".to_owned()));
    assert!(home.good(&["ps"]).contains("no guest plays"));
    // A request that is refused for another reason takes no control.
    let given_back = client.ask::<Value>(Method::DELETE, "/api/v2/lease", None::<&()>);
    given_back.expect("it is given back");
    let performer = served.client(Some(&perform));
    let unknown = json!({ "guest": "nobody" });
    assert_eq!(
        refused_by_loop(&performer, "resume-guest", &unknown),
        "not-found"
    );
    let lease: Value = client.get("/api/v2/lease").expect("the holder");
    assert_eq!(lease["by"], Value::Null, "{lease}");
}

/// A request that was given up while the loop stood still is not carried out when it goes on.
#[test]
fn what_was_given_up_while_the_loop_was_frozen_is_not_done() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    ask_loop(&client, "hold", &json!({}));
    until("it holds", || state(&served) == Some(State::Holding));
    let mut given_up = Wire::to(&home.path("run/nao.sock"));
    given_up.ask(r#"{"id":1,"ask":"hello"}"#);
    let freeze = |signal| {
        let process = nix::unistd::Pid::from_raw(served.child.id().cast_signed());
        nix::sys::signal::kill(process, signal).expect("it is there");
    };
    freeze(nix::sys::signal::Signal::SIGSTOP);
    // The signal is sent to the process, and stops its threads one after another.
    let threads = format!("/proc/{}/task", served.child.id());
    let is_stopped = |thread: std::io::Result<std::fs::DirEntry>| {
        let stat = thread.and_then(|thread| std::fs::read_to_string(thread.path().join("stat")));
        stat.is_ok_and(|stat| stat.contains(") T "))
    };
    until("the loop is frozen", || {
        std::fs::read_dir(&threads).is_ok_and(|mut all| all.all(is_stopped))
    });
    let resume = b"{\"id\":2,\"ask\":{\"operate\":\"resume\"}}\n";
    given_up.send(resume).expect("a socket");
    drop(given_up);
    freeze(nix::sys::signal::Signal::SIGCONT);
    let page = served.page();
    let thawed = page.latest();
    until("the loop has gone on", || page.latest() > thawed + 30);
    assert_eq!(state(&served), Some(State::Holding));
}
