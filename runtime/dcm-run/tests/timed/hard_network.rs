//! A served robot with a bad network: subscribers that do not read, ten thousand connections, certificates that change;
//! and what systemd and mDNS are told.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::common::home;
use crate::hard::{QUIET, Turns, end};
use network::client::{Address, ApiClient, ClientError};
use network::hex::digest;
use rustix::net::{AddressFamily, SocketType, socket, sockopt};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::Value;
use tests::process::{Home, TIMEOUT, until};
use tests::served::{NAO, Served, serve, serve_in, serve_with};

fn place(served: &Served<'_>) -> SocketAddr {
    served.address().parse().expect("an address")
}

/// A subscriber of the stream that never reads.
fn deaf(served: &Served<'_>, token: &str) -> TcpStream {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    // A small receive buffer, so that little is under way.
    sockopt::set_socket_recv_buffer_size(&socket, 4096).expect("a socket");
    rustix::net::connect(&socket, &place(served)).expect("a server");
    let mut stream = TcpStream::from(socket);
    let words = format!(
        "GET /api/v2/stream?hz=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(words.as_bytes()).expect("a server");
    stream
}

/// Whether the server still has this connection open.
fn is_held(stream: &TcpStream) -> bool {
    let port = |item: std::io::Result<SocketAddr>| format!(":{:04X}", item.expect("an end").port());
    let (server, own) = (port(stream.peer_addr()), port(stream.local_addr()));
    let table = fs::read_to_string("/proc/net/tcp").expect("a table");
    table.lines().any(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        // 01 is an open connection.
        words.len() > 3
            && words[1].ends_with(&server)
            && words[2].ends_with(&own)
            && words[3] == "01"
    })
}

/// Receives frames of the stream.
fn frames(client: ApiClient) -> Receiver<()> {
    let (heard, frames) = channel();
    std::thread::spawn(move || {
        // It ends when nobody counts any more.
        client.listen("/api/v2/stream?hz=100", |message| {
            message["topic"] != "all" || heard.send(()).is_ok()
        })
    });
    frames
}

#[test]
fn a_watcher_who_does_not_take_what_is_sent_is_let_go_and_others_see_on() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let token = served.token("watch");
    let frames = frames(served.client(Some(&token)));
    let next = || frames.recv_timeout(TIMEOUT).expect("a frame");
    next();
    let mut deaf = deaf(&served, &token);
    until("it is let in", || is_held(&deaf));
    let mut seen = 0;
    until("it is let go", || {
        // The table is read only sometimes.
        (0..20).for_each(|_| next());
        seen += 20;
        !is_held(&deaf)
    });
    assert!(seen > 100, "the other one saw {seen} frames meanwhile");
    for _ in 0..20 {
        next();
    }
    // What was under way is all there is.
    deaf.set_read_timeout(Some(TIMEOUT)).expect("a socket");
    let mut rest = Vec::new();
    let ended = deaf.read_to_end(&mut rest);
    let is_over = ended
        .as_ref()
        .map_or_else(|error| error.kind() == ErrorKind::ConnectionReset, |_| true);
    assert!(is_over, "{ended:?}");
    assert!(rest.starts_with(b"HTTP/1.1 101 "));
}

/// As many files as this process may open.
fn many_files() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, most).expect("a limit of our own");
    limit.maximum.unwrap_or(u64::MAX)
}

fn is_open(mut stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a socket");
    matches!(stream.read(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Presses stop from another address of this machine.
fn stop_from(own: Ipv4Addr, server: SocketAddr) -> String {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    rustix::net::bind(&socket, &SocketAddr::new(IpAddr::V4(own), 0)).expect("an address");
    rustix::net::connect(&socket, &server).expect("a server");
    let mut stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
    let words = b"POST /api/v2/body/stop HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
        Content-Length: 0\r\n\r\n";
    stream.write_all(words).expect("a server");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn thousands_of_connections_from_one_address_shut_out_nobody_else() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let turns = Turns::of(&home);
    std::thread::sleep(Duration::from_secs(2));
    let before = turns.take();
    // With `PROMISES=full` ten thousand.
    let most = (2_000 * tests::effort()).min(10_000);
    let (wanted, server) = (many_files().saturating_sub(300).min(most), place(&served));
    let within = Duration::from_secs(2);
    let connect = |_| TcpStream::connect_timeout(&server, within).ok();
    let open: Vec<_> = (0..wanted).filter_map(connect).collect();
    println!("{} of {wanted} connections were made", open.len());
    assert!(open.len() > 300, "{}", open.len());
    home.good(&["ls"]);
    until("all but some are closed", || {
        open.iter().filter(|item| is_open(item)).count() <= 160
    });
    home.good(&["ls"]);
    let answer = stop_from(Ipv4Addr::new(127, 0, 0, 2), server);
    assert!(answer.contains("\"state\":\"estop\""), "{answer}");
    turns.no_later_than(before, "with thousands of connections");
    drop(open);
    until("the server accepts connections again", || {
        served.client(None).get::<Value>("/api/v2/hello").is_ok()
    });
}

/// Makes a self-signed certificate, and returns its fingerprint.
fn certificate(home: &Home) -> String {
    let made = rcgen::generate_simple_self_signed(vec!["robot.example".to_owned()]);
    let made = made.expect("a certificate");
    let path = |name| home.folder.path().join(name);
    fs::write(path("robot.pem"), made.cert.pem()).expect("a file");
    fs::write(path("robot.key"), made.signing_key.serialize_pem()).expect("a file");
    digest(made.cert.der())
}

/// Settings with the certificate in the robot's folder.
fn secure(home: &Home, listen: &str) -> String {
    let folder = home.folder.path().display();
    format!(
        "[foxglove]\nlisten = \"\"\n[recordings]\non = false\n[server]\nlisten = [\"{listen}\"]\ntls = \"always\"\n\
         certificate = \"{folder}/robot.pem\"\nkey = \"{folder}/robot.key\"\n"
    )
}

#[test]
fn a_certificate_of_ones_own_is_known_again_and_another_one_is_refused() {
    let home = home();
    let first = certificate(&home);
    let served = serve(&home, &secure(&home, "127.0.0.1:0"));
    let address = served.address();
    let known =
        |text: &str| ApiClient::new(Address::Tls(address.clone(), Some(text.to_owned())), None);
    let hello: Value = known(&first)
        .expect("a client")
        .get("/api/v2/hello")
        .expect("it is known");
    assert_eq!(hello["fingerprint"], first.as_str());
    let code = served.code();
    home.good(&["pair", &address, "--code", &code, "--name", "anna"]);
    let listed = home.good(&["ls", "--robot", &address]);
    assert!(listed.contains("stores no choreographies"), "{listed}");
    end(served);
    // The same address, and another certificate.
    let second = certificate(&home);
    let _served = serve(&home, &secure(&home, &address));
    let asked = known(&first)
        .expect("a client")
        .get::<Value>("/api/v2/hello");
    assert!(
        matches!(&asked, Err(ClientError::Changed { known, shown }) if *known == first && *shown == second),
        "{asked:?}"
    );
    let output = home.bad(1, &["ls", "--robot", &address]);
    assert!(
        output.contains("this is not the robot that you know"),
        "{output}"
    );
    assert!(
        output.contains(&first) && output.contains(&second),
        "{output}"
    );
}

/// The next notification for systemd.
fn told(systemd: &UnixDatagram) -> String {
    let mut words = [0; 256];
    let length = systemd.recv(&mut words).expect("a word");
    String::from_utf8_lossy(&words[..length]).trim().to_owned()
}

#[test]
fn systemd_is_told_that_the_robot_is_there_turns_and_goes() {
    let home = home();
    let path = home.path("notify");
    let systemd = UnixDatagram::bind(&path).expect("a socket");
    systemd.set_read_timeout(Some(TIMEOUT)).expect("a socket");
    let environment = [
        ("NOTIFY_SOCKET", path.as_path()),
        ("WATCHDOG_USEC", Path::new("1000000")),
        ("WATCHDOG_PID", Path::new("")),
    ];
    let served = serve_in(&home, QUIET, &NAO, &environment);
    assert_eq!(told(&systemd), "READY=1");
    for _ in 0..6 {
        assert_eq!(told(&systemd), "WATCHDOG=1");
    }
    end(served);
    // The watchdog may have been notified once more while it ended.
    let mut rest = Vec::new();
    systemd.set_nonblocking(true).expect("a socket");
    let mut words = [0; 256];
    while let Ok(length) = systemd.recv(&mut words) {
        rest.push(String::from_utf8_lossy(&words[..length]).trim().to_owned());
    }
    assert!(rest.contains(&"STOPPING=1".to_owned()), "{rest:?}");
    assert!(!rest.contains(&"READY=1".to_owned()), "{rest:?}");
}

/// Whether this machine receives its own multicasts of mDNS.
fn has_multicast() -> std::io::Result<()> {
    let group = Ipv4Addr::new(224, 0, 0, 251);
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.join_multicast_v4(&group, &Ipv4Addr::UNSPECIFIED)?;
    socket.set_read_timeout(Some(Duration::from_secs(2)))?;
    socket.send_to(b"x", (group, socket.local_addr()?.port()))?;
    socket.recv(&mut [0]).map(|_| ())
}

#[test]
fn a_robot_that_listens_to_the_network_is_found_there() {
    if let Err(error) = has_multicast() {
        println!("this machine has no multicast ({error}): nothing can be found");
        return;
    }
    let home = home();
    // Other robots may be announced as well.
    let name = format!("found-{}", std::process::id());
    let settings =
        "[foxglove]\nlisten = \"\"\n[recordings]\non = false\n[server]\nlisten = [\"0.0.0.0:0\"]\n";
    let words = [&NAO[..], &["--id", &name]].concat();
    let served = serve_with(&home, settings, &words);
    let port = place(&served).port();
    let client = ApiClient::new(Address::Tls(format!("127.0.0.1:{port}"), None), None);
    let hello: Value = client
        .expect("a client")
        .get("/api/v2/hello")
        .expect("it is there");
    let fingerprint = hello["fingerprint"].as_str().expect("a certificate");
    let elsewhere = crate::common::home();
    let mut about = String::new();
    until("it is found", || {
        let lines = elsewhere.good(&["robots", "--json", "--wait", "2"]);
        let mut rows = lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let row = rows.find(|row| row["name"] == name.as_str());
        about = row.map_or_else(String::new, |row| {
            assert_eq!(row["where"], "in the network");
            assert_eq!(row["robot"], "nao");
            row["about"].as_str().unwrap_or_default().to_owned()
        });
        !about.is_empty()
    });
    assert!(about.contains(&format!(":{port}")), "{about}");
    assert!(about.contains(&fingerprint[..16]), "{about}");
    // By its name: first by pairing, then wherever it is.
    let said = elsewhere.good(&["pair", &name, "--code", &served.code()]);
    assert!(said.contains(&format!("paired with {name} as")), "{said}");
    let robots = elsewhere.folder.path().join("run/config/robots.toml");
    let text = std::fs::read_to_string(&robots).expect("a file");
    let at = text.find("address = \"").expect("an address") + 11;
    let end = at + text[at..].find('"').expect("its end");
    let moved = format!("{}127.0.0.1:1{}", &text[..at], &text[end..]);
    std::fs::write(&robots, &moved).expect("a file");
    let output = elsewhere.run(&["ls", "--robot", &name]);
    let printed = tests::process::text(&output.stderr);
    assert!(
        output.status.success() && printed.contains(&format!("{name} is at ")),
        "{printed}"
    );
    let text = std::fs::read_to_string(&robots).expect("a file");
    assert!(!text.contains("127.0.0.1:1\""), "{text}");
    // A robot that was never paired with: the error says how to pair.
    let output = crate::common::home().bad(1, &["ls", "--robot", &name]);
    assert!(output.contains("dcm-run pair"), "{output}");
}
