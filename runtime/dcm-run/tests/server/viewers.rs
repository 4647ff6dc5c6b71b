//! What viewers of robots get: recordings that survive whatever becomes of their writer, and Foxglove's protocol.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::home;
use hyper::Method;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tests::process::{Home, until};
use tests::served::{WAVE, refused, serve};
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"127.0.0.1:0\"\n";

fn folder(home: &Home) -> PathBuf {
    home.path("run/state/nao/recordings")
}

fn files(home: &Home) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(home)).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|it| it.path()).collect();
    files.sort();
    files
}

/// Topics, and how many messages each has; the file must be closed.
fn topics(path: &Path) -> std::collections::BTreeMap<String, u64> {
    let bytes = fs::read(path).expect("a file");
    assert!(
        bytes.ends_with(b"\x89MCAP0\r\n"),
        "{} is not closed",
        path.display()
    );
    let mut counts = std::collections::BTreeMap::new();
    for message in mcap::MessageStream::new(&bytes).expect("a recording") {
        let topic = message.expect("a message").channel.topic.clone();
        *counts.entry(topic).or_insert(0) += 1;
    }
    counts
}

const ALL: [&str; 6] = [
    "/joint_commands",
    "/joint_states",
    "/log",
    "/scene",
    "/tf",
    "/turns",
];

#[test]
fn a_run_is_one_file_which_is_closed_whatever_becomes_of_its_writer() {
    let home = home();
    let mut served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--start", "--no-check"]);
    until("it is written", || {
        files(&home)
            .first()
            .is_some_and(|it| fs::metadata(it).is_ok_and(|it| it.len() > 20_000))
    });
    // The writer dies: its file is closed at the next start, which begins another.
    kill(Pid::from_raw(served.server()), Signal::SIGKILL).expect("it is there");
    until("another file", || files(&home).len() == 2);
    let first = &files(&home)[0];
    until("the first is closed", || {
        fs::read(first).is_ok_and(|it| it.ends_with(b"\x89MCAP0\r\n"))
    });
    let counts = topics(first);
    let names: BTreeSet<_> = counts.keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(ALL), "{counts:?}");
    assert!(counts["/joint_states"] > 50, "{counts:?}");
    // The loop dies: the server closes its file before it goes.
    until("it is written", || {
        fs::metadata(&files(&home)[1]).is_ok_and(|it| it.len() > 80_000)
    });
    let second = files(&home)[1].clone();
    served.child.kill().expect("it is there");
    until("the second is closed", || {
        fs::read(&second).is_ok_and(|it| it.ends_with(b"\x89MCAP0\r\n") && it.len() > 16)
    });
    assert!(topics(&second)["/tf"] > 20);
    let bytes = fs::read(&second).expect("a file");
    let summary = mcap::Summary::read(&bytes)
        .expect("a summary")
        .expect("a summary");
    let attached: BTreeSet<_> = summary
        .attachment_indexes
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(attached, BTreeSet::from(["robot-0.toml", "dcm-run.toml"]));
    let noted: BTreeSet<_> = summary
        .metadata_indexes
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(noted, BTreeSet::from(["dcm.run", "dcm.guest"]));
}

#[test]
fn recordings_are_listed_fetched_ended_and_removed() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    let list = || client.get::<Value>("/api/v1/recordings").expect("a list");
    until("one is written", || {
        list()["kept"][0]["bytes"].as_u64() > Some(1000)
    });
    let name = list()["kept"][0]["name"]
        .as_str()
        .expect("a name")
        .to_owned();
    let path = format!("/api/v1/recordings/{name}");
    assert_eq!(refused(&client, Method::DELETE, &path, None), "in-use");
    let off = json!({ "on": false });
    client
        .ask::<Value>(Method::PUT, "/api/v1/recordings", Some(&off))
        .expect("it ends");
    until("it is closed", || list()["kept"][0]["open"] == false);
    let sent = api::client::RequestBody {
        headers: Vec::new(),
        bytes: Vec::new().into(),
        kind: "",
    };
    let fetched = client
        .send(Method::GET, &path, sent, |_| {})
        .expect("bytes");
    let is_whole = fetched == fs::read(&files(&home)[0]).expect("a file");
    assert!(is_whole, "{} bytes were fetched", fetched.len());
    client
        .ask::<Value>(Method::DELETE, &path, None::<&()>)
        .expect("it goes");
    assert!(files(&home).is_empty());
    for odd in ["..%2F..%2Findex.json", "..%2Ftokens.json", "x.mcap"] {
        let path = format!("/api/v1/recordings/{odd}");
        assert_eq!(refused(&client, Method::GET, &path, None), "not-found");
    }
    // Wanted again: another file.
    client
        .ask::<Value>(
            Method::PUT,
            "/api/v1/recordings",
            Some(&json!({ "on": true })),
        )
        .expect("it begins");
    until("another is written", || list()["kept"][0]["open"] == true);
}

#[test]
fn a_long_run_goes_on_in_another_file_and_the_oldest_make_room() {
    let home = home();
    let served = serve(&home, &format!("{QUIET}[recordings]\nquota = 1\n"));
    served.wait_until_it_runs();
    // Old ones fill the shelf.
    for place in 0..8 {
        let name = format!("2020010{place}T000000.000Z-00000001.mcap");
        fs::write(folder(&home).join(name), vec![0; 120_000]).expect("a file");
    }
    until("the second file is begun", || {
        files(&home)
            .iter()
            .filter(|it| topics_if_closed(it) > 0)
            .count()
            >= 1
    });
    until("the oldest makes room", || {
        !folder(&home)
            .join("20200100T000000.000Z-00000001.mcap")
            .exists()
    });
    let sizes = files(&home)
        .into_iter()
        .filter_map(|it| fs::metadata(it).ok());
    let all: u64 = sizes.map(|it| it.len()).sum();
    assert!(all < 1_300_000, "{all} bytes");
    // Between one and the next nothing is missing.
    let closed = || -> Vec<_> {
        let files = files(&home).into_iter();
        files.filter(|it| topics_if_closed(it) > 0).collect()
    };
    until("two are closed", || closed().len() >= 2);
    let two = closed();
    let (last, first) = (times(&two[0]).1, times(&two[1]).0);
    assert!(
        first > last && first - last < 500_000_000,
        "{last} to {first} ns"
    );
}

/// The first and the last instant of the body, ns.
fn times(path: &Path) -> (u64, u64) {
    let bytes = fs::read(path).expect("a file");
    let stream = mcap::MessageStream::new(&bytes).expect("a recording");
    let times = stream.filter_map(|it| {
        let message = it.expect("a message");
        (message.channel.topic == "/tf").then_some(message.log_time)
    });
    times.fold((u64::MAX, 0), |(first, last), it| {
        (first.min(it), last.max(it))
    })
}

/// Messages of a file that was closed.
fn topics_if_closed(path: &Path) -> u64 {
    let is_closed = fs::read(path).is_ok_and(|it| it.len() > 16 && it.ends_with(b"\x89MCAP0\r\n"));
    if is_closed {
        topics(path).values().sum()
    } else {
        0
    }
}

#[test]
fn what_was_broken_off_anywhere_is_closed_at_the_next_start() {
    // A whole file first; then pieces of it.
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    until("it is written", || {
        files(&home)
            .first()
            .is_some_and(|it| fs::metadata(it).is_ok_and(|it| it.len() > 30_000))
    });
    home.good(&["stop"]);
    until("it is closed", || {
        fs::read(&files(&home)[0]).is_ok_and(|it| it.ends_with(b"\x89MCAP0\r\n") && it.len() > 16)
    });
    drop(served);
    let whole = fs::read(&files(&home)[0]).expect("a file");
    let lengths: Vec<_> = (0..24).map(|it| 8 + it * (whole.len() - 9) / 23).collect();
    for (place, length) in lengths.iter().enumerate() {
        let name = format!("20200101T0000{place:02}.000Z-00000001.mcap");
        fs::write(folder(&home).join(name), &whole[..*length]).expect("a file");
    }
    // Not even the beginning of one, and something else altogether: they are told, and left.
    fs::write(
        folder(&home).join("20200101T000100.000Z-00000002.mcap"),
        b"abc",
    )
    .expect("a file");
    fs::write(folder(&home).join("notes.txt"), b"abc").expect("a file");
    let served = serve(&home, QUIET);
    let mut before = 0;
    for place in 0..lengths.len() {
        let path = folder(&home).join(format!("20200101T0000{place:02}.000Z-00000001.mcap"));
        let messages = topics(&path).values().sum::<u64>();
        assert!(messages >= before, "more bytes have fewer messages");
        before = messages;
    }
    let first = topics(&folder(&home).join("20200101T000023.000Z-00000001.mcap"));
    assert!(first["/joint_states"] > 50, "{first:?}");
    assert!(
        served
            .line("20200101T000100.000Z-00000002.mcap cannot be closed")
            .is_some()
    );
    assert_eq!(
        fs::read(folder(&home).join("notes.txt")).expect("a file"),
        b"abc"
    );
}

#[test]
fn foxglove_is_told_the_topics_and_sent_what_it_subscribes_to() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let address = served.line("Foxglove can watch at ").expect("it is served");
    let mut request = address.as_str().into_client_request().expect("an address");
    let protocol = "foxglove.sdk.v1".parse().expect("a header");
    request
        .headers_mut()
        .insert("sec-websocket-protocol", protocol);
    let (mut socket, _) = tungstenite::connect(request).expect("it listens");
    let mut channels = Vec::new();
    while channels.len() < ALL.len() {
        let Message::Text(text) = socket.read().expect("a message") else {
            continue;
        };
        let told: Value = serde_json::from_str(&text).expect("JSON");
        if told["op"] == "advertise" {
            channels.extend(told["channels"].as_array().expect("channels").clone());
        }
    }
    let schemas: BTreeSet<_> = channels
        .iter()
        .filter_map(|it| it["schemaName"].as_str())
        .collect();
    for wanted in [
        "foxglove.JointStates",
        "foxglove.SceneUpdate",
        "foxglove.FrameTransforms",
        "foxglove.Log",
    ] {
        assert!(schemas.contains(wanted), "{schemas:?}");
    }
    let subscriptions: Vec<_> = channels
        .iter()
        .filter(|it| it["topic"] != "/log")
        .map(|it| json!({ "id": it["id"], "channelId": it["id"] }))
        .collect();
    let wanted = subscriptions.len();
    let subscribe = json!({ "op": "subscribe", "subscriptions": subscriptions });
    socket
        .send(Message::text(subscribe.to_string()))
        .expect("it is sent");
    // A message of each topic comes: opcode 1, the subscription, the time, the bytes.
    let mut came = BTreeSet::new();
    while came.len() < wanted {
        if let Message::Binary(bytes) = socket.read().expect("a message")
            && bytes.first() == Some(&1)
        {
            came.insert(bytes[1..5].to_vec());
        }
    }
}
