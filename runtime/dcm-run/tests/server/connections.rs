//! Strangers who connect and say nothing: whoever wants to stop the body gets in, over the network, on the local
//! sockets, and however many watch in Foxglove.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::common::home;
use rustix::net::{AddressFamily, SocketType, socket};
use serde_json::Value;
use tests::process::{TIMEOUT, until};
use tests::served::{Served, serve};
use tungstenite::client::IntoClientRequest;

const QUIET: &str = "[recordings]\non = false\n[server]\nlisten = [\"127.0.0.1:0\"]\n\
                     [foxglove]\nlisten = \"127.0.0.1:0\"\n";

/// A connection from this address of this machine.
fn from(last: u8, server: SocketAddr) -> TcpStream {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    let own = IpAddr::V4(Ipv4Addr::new(127, 0, 0, last));
    rustix::net::bind(&socket, &SocketAddr::new(own, 0)).expect("an address");
    rustix::net::connect(&socket, &server).expect("a server");
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
    stream
}

/// Sends these lines, and reads the answer.
fn answer(mut stream: TcpStream, lines: &[&str]) -> String {
    let request = format!("{}\r\nConnection: close\r\n\r\n", lines.join("\r\n"));
    // It may be closed already: then there is no answer.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

const STOP: [&str; 3] = [
    "POST /api/v2/body/stop HTTP/1.1",
    "Host: localhost",
    "Content-Length: 0",
];

fn server(served: &Served<'_>) -> SocketAddr {
    served.address().parse().expect("an address")
}

#[test]
fn idle_strangers_lock_nobody_out() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let (server, token) = (server(&served), served.token("watch"));
    // Somebody who is known watches meanwhile.
    let (heard, frames) = std::sync::mpsc::channel();
    let watcher = served.client(Some(&token));
    std::thread::spawn(move || {
        watcher.listen("/api/v2/stream?hz=20", |value| {
            value["topic"] != "all" || heard.send(()).is_ok()
        })
    });
    frames.recv_timeout(TIMEOUT).expect("a frame");
    let mut silent: Vec<_> = (0..640_u16)
        .map(|i| from(2 + (i % 4) as u8, server))
        .collect();
    // One from where nobody else is, and one from where the crowd is; the crowd comes again and again.
    for round in 0..50_u8 {
        for address in [9, 2] {
            let reply = answer(from(address, server), &STOP);
            assert!(reply.contains("\"state\":\"estop\""), "{round}: {reply}");
        }
        silent.extend((0..8_u16).map(|i| from(2 + (i % 4) as u8, server)));
    }
    // Half a request is silence as well, and so is a body that never comes.
    for words in [
        "GET / HTTP/1.1\r\nHo",
        "POST /api/v2/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
    ] {
        silent.extend((0..200_u16).map(|i| {
            let mut stream = from(2 + (i % 4) as u8, server);
            let _ = stream.write_all(words.as_bytes());
            stream
        }));
        let reply = answer(from(3, server), &STOP);
        assert!(reply.contains("\"state\":\"estop\""), "{reply}");
    }
    // Whoever watched still does.
    while frames.try_recv().is_ok() {}
    frames.recv_timeout(TIMEOUT).expect("a frame");
    let metrics = answer(
        from(9, server),
        &[
            "GET /metrics HTTP/1.1",
            "Host: localhost",
            &format!("Authorization: bEARER {token}"),
        ],
    );
    let count = |name: &str| {
        let line = metrics
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_else(|| panic!("{name}: {metrics}"));
        line.rsplit(' ')
            .next()
            .and_then(|part| part.parse::<f64>().ok())
            .expect("a number")
    };
    assert!(count("dcm_connections ") <= 640.0);
    assert!(count("dcm_connections_displaced_total ") > 300.0);
}

#[test]
fn idle_connections_of_one_user_lock_the_owner_out_of_no_socket() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    for name in ["run/nao.api", "run/nao.sock"] {
        let path = home.path(name);
        let silent: Vec<_> = (0..600)
            .filter_map(|_| UnixStream::connect(&path).ok())
            .collect();
        assert_eq!(silent.len(), 600, "{name}");
        for _ in 0..5 {
            home.good(&["estop"]);
        }
        home.good(&["estop", "--release"]);
        assert!(home.good(&["joints"]).contains("HeadYaw"));
    }
}

/// The address at which Foxglove is served.
fn foxglove(served: &Served<'_>) -> SocketAddr {
    let mut line = None;
    until("Foxglove is served", || {
        line = served.line("Foxglove can watch at ws://");
        line.is_some()
    });
    line.expect("it was found").parse().expect("an address")
}

#[test]
fn the_door_of_foxglove_has_the_same_rules_as_the_main_one() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let door = foxglove(&served);
    let watch = |origin: Option<&str>, host: Option<&str>| {
        let mut request = format!("ws://{door}")
            .into_client_request()
            .expect("an address");
        let headers = request.headers_mut();
        headers.insert(
            "sec-websocket-protocol",
            "foxglove.sdk.v1".parse().expect("a header"),
        );
        for (name, value) in [("origin", origin), ("host", host)] {
            if let Some(value) = value {
                headers.insert(name, value.parse().expect("a header"));
            }
        }
        let stream = from(7, door);
        tungstenite::client(request, stream)
            .map(|client| client.0)
            .map_err(Box::new)
    };
    let status =
        |item: Result<_, Box<tungstenite::HandshakeError<_>>>| match item.map_err(|error| *error) {
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                answer.status().as_u16()
            }
            Err(other) => panic!("{other}"),
            Ok(_) => 101,
        };
    for (origin, host, wanted) in [
        (None, None, 101),
        (Some("https://app.foxglove.dev"), None, 101),
        (Some("file://"), None, 101),
        (Some("https://evil.example"), None, 403),
        (Some("null"), None, 403),
        (Some("http://127.0.0.1"), None, 403),
        (None, Some("evil.example"), 421),
        (None, Some("robot.local.evil.example:8765"), 421),
    ] {
        assert_eq!(status(watch(origin, host)), wanted, "{origin:?} {host:?}");
    }
    assert!(
        answer(from(7, door), &["GET / HTTP/1.1", "Host: localhost"])
            .contains("426 Upgrade Required")
    );
    assert!(answer(from(7, door), &["nonsense", ""]).contains("400 Bad Request"));
    // Those who say nothing keep nobody out, and take no files from the main door.
    let first = watch(None, None).expect("it is let in");
    let silent: Vec<_> = (0..1200).map(|i| from(2 + (i % 4) as u8, door)).collect();
    let mut second = watch(None, None).expect("it is let in");
    let files = || {
        std::fs::read_dir(format!("/proc/{}/fd", served.server()))
            .expect("a process")
            .count()
    };
    until("silent ones are closed", || files() < 200);
    assert!(answer(from(9, server(&served)), &STOP).contains("\"state\":\"estop\""));
    // As many as there is place for; when they have gone, others get in.
    let crowd: Vec<_> = (0..40).filter_map(|_| watch(None, None).ok()).collect();
    assert!((16..40).contains(&crowd.len()), "{}", crowd.len());
    assert!(second.read().is_ok(), "who watches stays");
    drop((crowd, first, silent));
    until("somebody else gets in", || watch(None, None).is_ok());
    let hello: Value = served.client(None).get("/api/v2/hello").expect("an answer");
    assert_eq!(hello["foxglove"], door.port());
}

#[test]
fn a_head_that_never_ends_is_given_up() {
    let home = home();
    let served = serve(&home, QUIET);
    let mut stream = from(7, foxglove(&served));
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .expect("a socket");
    stream.write_all(b"GET / HTTP/1.1\r\n").expect("a server");
    let mut told = String::new();
    stream.read_to_string(&mut told).expect("an answer");
    assert!(told.contains("408 Request Timeout"), "{told}");
}
