//! The emergency stop while others load the robot, over the network and on its own sockets: every press is answered,
//! and soon. Prints a table; with `PROMISES=full` each load lasts long enough for its figures to mean something.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Result, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::home;
use network::hex::digest;
use rustix::net::{AddressFamily, SocketType, socket};
use serde_json::{Value, json};
use tests::process::until;
use tests::served::{Served, WAVE, ask_loop, serve};

/// The longest that a press may wait for its answer.
const WITHIN: Duration = Duration::from_secs(2);

/// The connections that a load holds open at once.
const HELD: usize = 150;

/// How a load sends its request.
#[derive(Clone, Copy)]
enum Manner {
    /// Not at all: what the others are compared with.
    Idle,
    /// From sixteen threads, each reading its answer before it sends the next.
    Asks,
    /// The same, from more threads than a user has places in the loop.
    Crowds,
    /// Twenty times over each connection, without reading an answer.
    Unread,
    /// Byte by byte over each connection, and never to the end.
    Drips,
    /// Not at all: connects and leaves, from four threads.
    Leaves,
}

/// Where it is sent.
#[derive(Clone, Debug)]
enum Target {
    /// The server, from several addresses of this machine.
    Network(SocketAddr),
    /// A socket on this machine.
    Local(PathBuf),
}

struct Load {
    name: &'static str,
    manner: Manner,
    target: Target,
    request: Vec<u8>,
}

/// Limits how long this stream may wait to read, and to write.
fn limit(stream: &UnixStream, to_read: Duration, to_write: Duration) -> Result<()> {
    stream.set_read_timeout(Some(to_read))?;
    stream.set_write_timeout(Some(to_write))
}

impl Target {
    /// A connection, over the network from the address with this last number.
    fn connect(&self, last: u8) -> Result<UnixStream> {
        match self {
            Target::Network(server) => connect_from(last, *server),
            Target::Local(path) => UnixStream::connect(path),
        }
    }
}

/// A connection over TCP, as the same type as those on this machine: a stream is a stream.
fn connect_from(last: u8, server: SocketAddr) -> Result<UnixStream> {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    let own = IpAddr::V4(Ipv4Addr::new(127, 0, 0, last));
    rustix::net::bind(&socket, &SocketAddr::new(own, 0))?;
    rustix::net::connect(&socket, &server)?;
    Ok(UnixStream::from(socket))
}

impl Load {
    /// Loads the robot until `is_over`. Errors are what an attacker gets.
    fn run(&self, thread: u8, is_over: &AtomicBool) {
        let mut held = VecDeque::new();
        let mut sent = 0;
        while !is_over.load(Ordering::Relaxed) {
            match self.manner {
                Manner::Idle => return,
                Manner::Asks | Manner::Crowds => _ = self.ask(thread),
                Manner::Leaves => drop(self.target.connect(thread)),
                Manner::Unread => {
                    held.extend(self.send_unread(thread));
                    if held.len() > HELD {
                        held.pop_front();
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
                Manner::Drips => {
                    while held.len() < HELD
                        && let Ok(connection) = self.target.connect(thread)
                    {
                        held.push_back(connection);
                    }
                    let last = self.request.len().saturating_sub(1);
                    let byte = self
                        .request
                        .get(sent..(sent + 1).min(last))
                        .unwrap_or_default();
                    held.retain_mut(|connection| connection.write_all(byte).is_ok());
                    sent += 1;
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
        }
    }

    fn ask(&self, thread: u8) -> Result<()> {
        let mut connection = self.target.connect(thread)?;
        limit(&connection, WITHIN, WITHIN)?;
        connection.write_all(&self.request)?;
        connection.shutdown(Shutdown::Write)?;
        connection.read_to_end(&mut Vec::new())?;
        Ok(())
    }

    fn send_unread(&self, thread: u8) -> Result<UnixStream> {
        let mut connection = self.target.connect(thread)?;
        limit(&connection, WITHIN, Duration::from_millis(20))?;
        let all = self.request.repeat(20);
        // Who reads nothing cannot send for long either.
        let _ = connection.write_all(&all);
        Ok(connection)
    }

    fn threads(&self) -> u8 {
        match self.manner {
            Manner::Idle => 0,
            Manner::Asks => 16,
            Manner::Crowds => 100,
            Manner::Unread | Manner::Leaves => 4,
            Manner::Drips => 1,
        }
    }
}

/// Presses over the network. Returns how long the answer took.
fn press_over_network(server: SocketAddr) -> Duration {
    let begun = Instant::now();
    let mut stream = connect_from(9, server).expect("a server");
    limit(&stream, WITHIN, WITHIN).expect("a socket");
    let words = b"POST /api/v2/body/stop HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
        Content-Length: 0\r\n\r\n";
    stream.write_all(words).expect("a server");
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    assert!(answer.contains("\"state\":\"estop\""), "{read:?} {answer}");
    let time = begun.elapsed();
    assert!(time < WITHIN, "{time:?}");
    time
}

/// Presses on the stop socket. Returns how long the answer took.
fn press_locally(socket: &Path) -> Duration {
    let begun = Instant::now();
    let stream = UnixStream::connect(socket).expect("a loop");
    limit(&stream, WITHIN, WITHIN).expect("a socket");
    let mut answer = String::new();
    let read = BufReader::new(stream).read_line(&mut answer);
    assert!(answer.contains("\"state\":\"estop\""), "{read:?} {answer}");
    let time = begun.elapsed();
    assert!(time < WITHIN, "{time:?}");
    time
}

/// A request over HTTP with this token.
fn http(line: &str, token: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "{line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn json_to(line: &str, token: &str, body: &str) -> Vec<u8> {
    http(
        line,
        token,
        "Content-Type: application/json\r\n",
        body.as_bytes(),
    )
}

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// The names of a recording that has ended, and of the one that is being written.
fn recordings(served: &Served<'_>) -> (String, String) {
    let client = served.client(Some(&served.token("operate")));
    let find = |is_open: bool| {
        let list: Value = client.get("/api/v2/recordings").expect("a list");
        let mut files = list["kept"].as_array().expect("files").iter();
        let found = files.find(|file| file["open"] == is_open)?;
        Some(found["name"].as_str().expect("a name").to_owned())
    };
    for on in [false, true] {
        let kind = if on { "record" } else { "stop-recording" };
        ask_loop(&client, kind, &json!({}));
        until("it is switched", || find(true).is_some() == on);
    }
    (
        find(false).expect("the first"),
        find(true).expect("the second"),
    )
}

/// What can be sent to the server over the network.
fn loads_over_network(served: &Served<'_>) -> Vec<(&'static str, Manner, Vec<u8>)> {
    use Manner::{Asks, Drips, Idle, Unread};
    let [watch, perform, author] = ["watch", "perform", "author"].map(|role| served.token(role));
    let (ended, open) = recordings(served);
    let get = |path: &str| http(&format!("GET {path}"), &watch, "", b"");
    let long = "x".repeat(60_000);
    let commands = json!({
        "to": ["HeadYaw"],
        "after_ns": (0..8_000).map(|step| step * 10_000_000_u64).collect::<Vec<_>>(),
        "values": vec![0.1; 8_000],
    });
    let program = vec![7; 200_000];
    let upload = format!("PUT /api/v2/choreographies/{}?name=x", digest(&program));
    let nested = "[".repeat(100_000);
    vec![
        ("no load", Idle, Vec::new()),
        (
            "long names are looked up",
            Asks,
            json_to(
                "POST /api/v2/loop/find",
                &watch,
                &format!("{{\"name\":\"{long}\"}}"),
            ),
        ),
        (
            "long names are set",
            Asks,
            json_to(
                "POST /api/v2/loop/move",
                &perform,
                &format!("{{\"to\":\"{long}\",\"values\":0,\"after_ns\":0}}"),
            ),
        ),
        (
            "the open recording, unread",
            Unread,
            get(&format!("/api/v2/recordings/{open}")),
        ),
        (
            "a recording, unread",
            Unread,
            get(&format!("/api/v2/recordings/{ended}")),
        ),
        (
            "frames of a recording",
            Asks,
            get(&format!("/api/v2/recordings/{ended}/frames")),
        ),
        (
            "the API's description, unread",
            Unread,
            b"GET /api/v2/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        ),
        (
            "the page, unread",
            Unread,
            b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        ),
        ("connections that end", Asks, Vec::new()),
        ("silent connections", Drips, Vec::new()),
        ("heads byte by byte", Drips, get("/api/v2/state")),
        (
            "bodies byte by byte",
            Drips,
            json_to(
                "POST /api/v2/loop/move",
                &perform,
                "{\"to\":\"HeadYaw\",\"values\":0}",
            ),
        ),
        (
            "uploads byte by byte",
            Drips,
            http(&upload, &author, "", &program),
        ),
        (
            "uploads of anything",
            Asks,
            http(&upload, &author, "", &program),
        ),
        (
            "streams, unread",
            Unread,
            http("GET /api/v2/stream?hz=100", &watch, UPGRADE, b""),
        ),
        (
            "long commands",
            Asks,
            json_to("POST /api/v2/loop/move", &perform, &commands.to_string()),
        ),
        (
            "nested JSON",
            Asks,
            json_to("POST /api/v2/loop/move", &perform, &nested),
        ),
        (
            "a wrong token",
            Asks,
            http("GET /api/v2/state", "wrong", "", b""),
        ),
        (
            "wrong codes",
            Asks,
            json_to(
                "POST /api/v2/pair",
                "",
                "{\"code\":\"000-000\",\"name\":\"x\"}",
            ),
        ),
        (
            "key exchanges",
            Asks,
            json_to(
                "POST /api/v2/pair/exchange",
                "",
                &format!("{{\"message\":\"41{}\"}}", "66".repeat(32)),
            ),
        ),
        (
            "the same check",
            Asks,
            http("POST /api/v2/choreographies/wave/check", &author, "", b""),
        ),
        ("metrics", Asks, get("/metrics")),
        ("the state", Asks, get("/api/v2/state")),
        (
            "guests",
            Asks,
            json_to("POST /api/v2/loop/guests", &watch, "{}"),
        ),
        (
            "the structure of the body, unread",
            Unread,
            json_to("POST /api/v2/loop/figure", &watch, "{}"),
        ),
        (
            "the audit log",
            Asks,
            http("GET /api/v2/audit", &author, "", b""),
        ),
        (
            "events, unread",
            Unread,
            json_to("POST /api/v2/loop/events", &watch, "{\"since\":0}"),
        ),
        (
            "the DCM's memory",
            Asks,
            get("/api/v2/memory/getDataList?prefix="),
        ),
        (
            "events of clients",
            Asks,
            json_to(
                "POST /api/v2/memory/raiseEvent",
                &perform,
                "{\"key\":\"x\",\"value\":1}",
            ),
        ),
        ("garbage", Asks, vec![0xff; 60_000]),
        (
            "chunks that nothing reads",
            Asks,
            [
                &b"GET /api/v2/openapi.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"[..],
                &format!("1;e={}\r\nx\r\n", "e".repeat(2_000)).repeat(200).into_bytes(),
            ]
            .concat(),
        ),
    ]
}

/// All loads; the first is none.
fn loads(served: &Served<'_>, server: SocketAddr) -> Vec<Load> {
    let load = |name, manner, target: &Target, request| Load {
        name,
        manner,
        target: target.clone(),
        request,
    };
    let network = Target::Network(server);
    let mut all: Vec<_> = loads_over_network(served)
        .into_iter()
        .map(|(name, manner, request)| load(name, manner, &network, request))
        .collect();
    let the_loop = Target::Local(served.home.path("run/nao.sock"));
    let names = b"{\"id\":1,\"ask\":\"names\"}\n".to_vec();
    let figure = b"{\"id\":1,\"ask\":\"hello\"}\n{\"id\":2,\"ask\":\"figure\"}\n".to_vec();
    let members = vec!["\"x\""; 90_000].join(",");
    let alias = format!("{{\"ask\":{{\"alias\":{{\"name\":\"x\",\"members\":[{members}]}}}}}}\n");
    let find = format!(
        "{{\"ask\":{{\"find\":{{\"name\":\"{}\"}}}}}}\n",
        "x".repeat(900_000)
    );
    let stop = Target::Local(served.home.path("run/nao.stop"));
    all.extend([
        load(
            "callers that press and leave",
            Manner::Leaves,
            &stop,
            Vec::new(),
        ),
        load(
            "silent callers of the loop",
            Manner::Drips,
            &the_loop,
            Vec::new(),
        ),
        load(
            "callers of the loop, unread",
            Manner::Unread,
            &the_loop,
            names.clone(),
        ),
        load("callers of the loop", Manner::Asks, &the_loop, names),
        load(
            "long names in the loop",
            Manner::Asks,
            &the_loop,
            find.into_bytes(),
        ),
        load(
            "a crowd that asks the loop and leaves",
            Manner::Crowds,
            &the_loop,
            figure,
        ),
        load(
            "a crowd that presses stop",
            Manner::Crowds,
            &Target::Local(served.home.path("run/nao.stop")),
            Vec::new(),
        ),
        load(
            "long lists of names in the loop",
            Manner::Crowds,
            &the_loop,
            alias.into_bytes(),
        ),
    ]);
    all
}

#[test]
fn stop_is_answered_under_every_load() {
    let home = home();
    let settings = "[foxglove]\nlisten = \"\"\n[server]\nlisten = [\"127.0.0.1:0\"]\n";
    let served = serve(&home, settings);
    served.wait_until_it_runs();
    home.good(&["push", WAVE]);
    let server: SocketAddr = served.address().parse().expect("an address");
    let (socket, process) = (home.path("run/nao.stop"), served.server());
    let presses = 3 * tests::effort();
    for load in loads(&served, server) {
        let is_over = AtomicBool::new(false);
        let (mut network, mut local) = (Vec::new(), Vec::new());
        std::thread::scope(|scope| {
            for thread in 0..load.threads() {
                let (load, is_over) = (&load, &is_over);
                scope.spawn(move || load.run(20 + thread, is_over));
            }
            let pressed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                for _ in 0..presses {
                    // The load grows meanwhile.
                    std::thread::sleep(Duration::from_millis(100));
                    network.push(press_over_network(server));
                    local.push(press_locally(&socket));
                }
            }));
            is_over.store(true, Ordering::Relaxed);
            pressed.unwrap_or_else(|_| panic!("under the load `{}`", load.name));
        });
        let [network, local] = [network, local].map(|mut times| {
            times.sort();
            let worst = times[times.len() - 1];
            (times[times.len() / 2].as_millis(), worst.as_millis())
        });
        println!(
            "{:40} {network:?} ms over the network, {local:?} ms locally",
            load.name
        );
        assert_eq!(
            served.server(),
            process,
            "another server after `{}`",
            load.name
        );
    }
}
