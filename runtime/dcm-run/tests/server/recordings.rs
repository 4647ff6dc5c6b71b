//! Recordings that a robot makes of its runs: they can be replayed, survive the end of their writer at any time, and
//! are listed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::home;
use hyper::Method;
use network::client::{ApiClient, RequestBody};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tests::process::{Home, text, until};
use tests::served::{Served, WAVE, ask_loop, refused, serve};

const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"127.0.0.1:0\"\n";

fn folder(home: &Home) -> PathBuf {
    home.path("run/state/nao/recordings")
}

fn files(home: &Home) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(home)).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Whether there is a file with more than this many bytes.
fn is_longer(home: &Home, place: usize, bytes: u64) -> bool {
    let files = files(home);
    let about = files.get(place).map(fs::metadata);
    about.is_some_and(|about| about.is_ok_and(|value| value.len() > bytes))
}

/// Topics, and how many messages each has; the file must be closed.
fn topics(path: &Path) -> std::collections::BTreeMap<String, u64> {
    let bytes = fs::read(path).expect("a file");
    assert!(
        bytes.ends_with(b"\x89MCAP0\r\n"),
        "{} is not closed",
        path.display()
    );
    topics_of(&bytes)
}

fn topics_of(bytes: &[u8]) -> std::collections::BTreeMap<String, u64> {
    let mut counts = std::collections::BTreeMap::new();
    for message in mcap::MessageStream::new(bytes).expect("a recording") {
        let topic = message.expect("a message").channel.topic.clone();
        *counts.entry(topic).or_insert(0) += 1;
    }
    counts
}

/// The log of a replay of this file; it must be identical.
fn replays(home: &Home, path: &Path) -> String {
    let output = home.good(&["replay", path.to_str().expect("a path"), "--verify"]);
    assert!(output.contains("identical: "), "{output}");
    output
}

/// All recordings of this robot replay.
pub(crate) fn replay_all(home: &Home) {
    let files = files(home);
    assert!(!files.is_empty(), "there is a recording");
    for file in files {
        replays(home, &file);
    }
}

/// The log of a replay of this file, which stops before its end.
fn stops(home: &Home, code: i32, path: &str) -> String {
    let output = home.run(&["replay", path, "--verify"]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{printed}");
    assert!(
        printed.contains("the replay cannot continue: "),
        "{printed}"
    );
    printed
}

/// The loop's answer to a line on its socket.
fn asked(home: &Home, line: &str) -> Value {
    let path = home.path("run/nao.sock");
    let mut stream = UnixStream::connect(path).expect("the loop listens");
    writeln!(stream, "{line}").expect("it is sent");
    let mut answer = String::new();
    BufReader::new(stream)
        .read_line(&mut answer)
        .expect("an answer");
    serde_json::from_str(&answer).expect("JSON")
}

/// Stops the robot, and waits until it has ended.
fn stop(served: &mut Served<'_>) {
    served.home.good(&["stop"]);
    until("the loop has gone", || {
        served.child.try_wait().expect("a process").is_some()
    });
}

const ALL: [&str; 8] = [
    "/guest",
    "/joint_commands",
    "/joint_states",
    "/log",
    "/run",
    "/scene",
    "/tf",
    "/turn",
];

#[test]
fn a_run_is_one_file_which_replays_whatever_becomes_of_the_server() {
    let home = home();
    let mut served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--start", "--no-check"]);
    until("it is written", || is_longer(&home, 0, 20_000));
    // The server dies: the loop goes on recording, in the same file.
    let server = served.server();
    kill(Pid::from_raw(server), Signal::SIGKILL).expect("it is there");
    until("another server", || served.server() != server);
    let length = fs::metadata(&files(&home)[0]).expect("a file").len();
    until("it goes on", || is_longer(&home, 0, length + 20_000));
    stop(&mut served);
    assert_eq!(files(&home).len(), 1);
    let file = &files(&home)[0];
    let counts = topics(file);
    let names: BTreeSet<_> = counts.keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(ALL), "{counts:?}");
    assert!(counts["/joint_states"] > 50, "{counts:?}");
    let said = replays(&home, file);
    assert!(said.contains("1 guest was run again"), "{said}");
    let bytes = fs::read(file).expect("a file");
    let summary = mcap::Summary::read(&bytes)
        .expect("a summary")
        .expect("a summary");
    let attached: BTreeSet<_> = summary
        .attachment_indexes
        .iter()
        .map(|attachment_index| attachment_index.name.as_str())
        .filter(|name| !name.ends_with(".wasm"))
        .collect();
    assert_eq!(attached, BTreeSet::from(["robot-0.toml", "dcm-run.toml"]));
    let noted: BTreeSet<_> = summary
        .metadata_indexes
        .iter()
        .map(|metadata_index| metadata_index.name.as_str())
        .collect();
    assert_eq!(noted, BTreeSet::from(["dcm.run"]));
}

#[test]
fn a_loop_that_was_killed_leaves_a_file_that_is_closed_and_replays_as_far_as_it_goes() {
    let home = home();
    let mut served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--start", "--no-check"]);
    until("it is written", || is_longer(&home, 0, 200_000));
    served.child.kill().expect("it is there");
    served.child.wait().expect("it has gone");
    let first = files(&home)[0].clone();
    drop(served);
    let mut served = serve(&home, QUIET);
    let sentence = format!(
        "{} was broken off, and is closed now",
        first
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name")
    );
    assert!(served.line(&sentence).is_some());
    assert!(topics(&first)["/turn"] > 50);
    replays(&home, &first);
    served.wait_until_it_runs();
    stop(&mut served);
    assert_eq!(files(&home).len(), 2);
    replays(&home, &files(&home)[1]);
}

/// Records from now on, or no longer.
fn switch(client: &ApiClient, on: bool) {
    let kind = if on { "record" } else { "stop-recording" };
    ask_loop(client, kind, &json!({}));
}

#[test]
fn a_recording_that_was_switched_on_later_says_why_it_cannot_be_replayed() {
    let home = home();
    let mut served = serve(&home, &format!("{QUIET}[recordings]\non = false\n"));
    served.wait_until_it_runs();
    assert!(files(&home).is_empty());
    let client = served.client(Some(&served.token("operate")));
    let switch = |on: bool| switch(&client, on);
    let closed = |place: usize| {
        let files = files(&home);
        files
            .get(place)
            .is_some_and(|file| topics_if_closed(file) > 0)
    };
    switch(true);
    until("it is written", || is_longer(&home, 0, 20_000));
    // The loop reports the status; the server reports the same over HTTP.
    let told = asked(&home, r#"{"id":1,"ask":"recording"}"#);
    let told = &told["ok"]["recording"];
    assert_eq!(told["on"], true, "{told}");
    let name = files(&home)[0].file_name().map(std::ffi::OsStr::to_owned);
    assert_eq!(
        told["open"].as_str().map(std::ffi::OsStr::new),
        name.as_deref(),
        "{told}"
    );
    assert!(told["bytes"].as_u64() > Some(20_000), "{told}");
    switch(false);
    until("it is closed", || closed(0));
    switch(true);
    until("another is written", || is_longer(&home, 1, 20_000));
    stop(&mut served);
    assert!(closed(1) && topics(&files(&home)[1])["/turn"] > 5);
    for file in files(&home) {
        let output = home.bad(1, &["replay", file.to_str().expect("a path"), "--verify"]);
        assert!(
            output.contains("recording was switched on in turn") && output.contains("fix: "),
            "{output}"
        );
    }
}

#[test]
fn a_recording_that_was_off_for_a_while_says_how_far_it_can_be_replayed() {
    let home = home();
    let mut served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    for (on, place) in [(false, 0), (true, 1)] {
        until("it is written", || is_longer(&home, 0, 20_000));
        switch(&client, on);
        until("it is so", || match on {
            false => topics_if_closed(&files(&home)[place]) > 0,
            true => is_longer(&home, place, 20_000),
        });
        // Switched on again within the same turn, nothing would be missing.
        let turn = || {
            let state: Value = client.get("/api/v2/state").expect("the state");
            state["turn"].as_u64().expect("a number")
        };
        let seen = turn();
        until("turns pass", || turn() > seen + 5);
    }
    stop(&mut served);
    let files = files(&home);
    replays(&home, &files[0]);
    let second = files[1].to_str().expect("a path");
    // What was recorded before is compared.
    let said = stops(&home, 1, second);
    for words in [
        " missing, because recording was switched off, and on again in turn ",
        "fix: leave recording on",
        "identical until then: ",
    ] {
        assert!(said.contains(words), "{said}");
    }
    // As it says, its values can be shown.
    let picture = home.path("second.svg").display().to_string();
    home.good(&["plot", second, "HeadYaw", "-o", &picture]);
}

#[test]
fn recordings_are_listed_fetched_ended_and_removed() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("operate")));
    let list = || client.get::<Value>("/api/v2/recordings").expect("a list");
    until("one is written", || {
        list()["kept"][0]["bytes"].as_u64() > Some(1000)
    });
    let name = list()["kept"][0]["name"]
        .as_str()
        .expect("a name")
        .to_owned();
    let path = format!("/api/v2/recordings/{name}");
    assert_eq!(refused(&client, Method::DELETE, &path, None), "in-use");
    switch(&client, false);
    until("it is closed", || list()["kept"][0]["open"] == false);
    let sent = network::client::RequestBody {
        headers: Vec::new(),
        bytes: Vec::new().into(),
        kind: "",
        only_reads: false,
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
    // Somebody has put another file there: it is sent as it is, and can be removed.
    for bytes in [&b"no recording"[..], b""] {
        fs::write(
            home.path(&format!("run/state/nao/recordings/{name}")),
            bytes,
        )
        .expect("a file");
        let sent = network::client::RequestBody::default();
        let fetched = client.send(Method::GET, &path, sent, |_| {});
        assert_eq!(fetched.expect("bytes"), bytes);
        client
            .ask::<Value>(Method::DELETE, &path, None::<&()>)
            .expect("it goes");
    }
    for odd in ["..%2F..%2Findex.json", "..%2Ftokens.json", "x.mcap"] {
        let path = format!("/api/v2/recordings/{odd}");
        assert_eq!(refused(&client, Method::GET, &path, None), "not-found");
    }
    // Switched on again: another file.
    switch(&client, true);
    until("another is written", || list()["kept"][0]["open"] == true);
}

#[test]
fn a_page_reads_frames_of_a_recording_and_never_more_than_it_may() {
    let home = home();
    let mut served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(Some(&served.token("watch")));
    home.good(&["set", "HeadYaw", "0.5", "--in", "500ms"]);
    let page = served.page();
    let yaw = page
        .actuators()
        .iter()
        .position(|actuator| actuator.name == "HeadYaw");
    let yaw = yaw.expect("a joint");
    until("the head has turned", || {
        page.read(|frame| frame.sent(yaw)).flatten() > Some(0.45)
    });
    let list: Value = client.get("/api/v2/recordings").expect("a list");
    let name = list["kept"][0]["name"].as_str().expect("a name");
    let path = format!("/api/v2/recordings/{name}/frames");
    // As far as it is written, while it is written.
    let frames = |query: &str| client.get::<Value>(&format!("{path}?{query}"));
    until("it is written", || {
        let told = frames("points=2").ok();
        told.and_then(|value| value["lasts_s"].as_f64()) > Some(2.0)
    });
    let all = frames("from=0.5&to=1.5&points=11").expect("frames");
    let joints = all["joints"].as_array().expect("names");
    let list = all["frames"].as_array().expect("frames");
    // Of each tenth of a second the first turn; a turn that came late on a busy machine may stand for two.
    assert!((2..=11).contains(&list.len()), "{}", list.len());
    let mut before = 0.4;
    for frame in list {
        let at = frame["at_s"].as_f64().expect("an instant");
        assert!(
            at > before + 0.01 && (0.47..1.53).contains(&at),
            "{before} {at}"
        );
        before = at;
        for row in ["sent", "measured"] {
            assert_eq!(frame[row].as_array().map(Vec::len), Some(joints.len()));
        }
        // It crouches on the floor, with its torso above its heels.
        let height = frame["base"][2].as_f64().expect("a height");
        assert!((0.15..0.35).contains(&height), "{height}");
    }
    for (query, code) in [
        ("points=0", "invalid-request"),
        ("points=2001", "invalid-request"),
        ("from=-1", "invalid-time"),
        ("from=3&to=2", "invalid-time"),
        ("from=NaN", "invalid-time"),
        ("form=1", "invalid-request"),
    ] {
        let path = format!("{path}?{query}");
        assert_eq!(refused(&client, Method::GET, &path, None), code, "{query}");
    }
    let odd = "/api/v2/recordings/..%2F..%2Ftokens.json/frames";
    assert_eq!(refused(&client, Method::GET, odd, None), "not-found");
    // All of it, once it has ended: what was sent last is where the head went.
    stop(&mut served);
    let served = serve(&home, QUIET);
    let client = served.client(Some(&served.token("watch")));
    let all: Value = client.get(&format!("{path}?points=2000")).expect("frames");
    let list = all["frames"].as_array().expect("frames");
    assert!(list.len() > 100 && list.len() <= 2000);
    let yaw = all["joints"]
        .as_array()
        .expect("names")
        .iter()
        .position(|item| item == "HeadYaw");
    let yaw = yaw.expect("a joint");
    let has_turned =
        |value: &Value| (value["sent"][yaw].as_f64() > Some(0.45)) && value["state"] == "running";
    assert!(list.iter().any(has_turned));
    // What is no recording, or a broken one, is an answer as well.
    let broken = folder(&home).join("20200101T000000.000Z-00000000.mcap");
    fs::write(broken, b"\x89MCAP0\r\nnonsense").expect("a file");
    let path = "/api/v2/recordings/20200101T000000.000Z-00000000.mcap/frames";
    assert_eq!(refused(&client, Method::GET, path, None), "damaged");
}

#[test]
fn a_long_run_goes_on_in_another_file_and_the_oldest_make_room() {
    let home = home();
    let served = serve(&home, &format!("{QUIET}[recordings]\nquota = 1\n"));
    served.wait_until_it_runs();
    // Old recordings fill the quota.
    for place in 0..8 {
        let name = format!("2020010{place}T000000.000Z-00000001.mcap");
        fs::write(folder(&home).join(name), vec![0; 120_000]).expect("a file");
    }
    until("the second file is begun", || {
        files(&home)
            .iter()
            .filter(|file| topics_if_closed(file) > 0)
            .count()
            >= 1
    });
    until("the oldest makes room", || {
        !folder(&home)
            .join("20200100T000000.000Z-00000001.mcap")
            .exists()
    });
    // The oldest is removed first; then others.
    until("the folder is within its quota", || {
        let sizes = files(&home).into_iter();
        let sizes = sizes.filter_map(|size| fs::metadata(size).ok());
        sizes.map(|size| size.len()).sum::<u64>() < 1_300_000
    });
    // No turn is missing between one file and the next.
    let closed = || -> Vec<_> {
        let files = files(&home).into_iter();
        files.filter(|file| topics_if_closed(file) > 0).collect()
    };
    until("two are closed", || closed().len() >= 2);
    let two = closed();
    let (last, first) = (times(&two[0]).1, times(&two[1]).0);
    assert!(
        first > last && first - last < 500_000_000,
        "{last} to {first} ns"
    );
}

#[test]
fn a_run_in_several_files_is_replayed_from_its_first_turn() {
    let home = home();
    let mut served = serve(&home, &format!("{QUIET}[recordings]\nquota = 4\n"));
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--start", "--no-check"]);
    until("three files", || is_longer(&home, 2, 60_000));
    stop(&mut served);
    let files = files(&home);
    let turns: u64 = files.iter().map(|file| topics(file)["/turn"]).sum();
    let last = files.last().expect("a file");
    let path = last.to_str().expect("a path");
    let said = home.good(&["--json", "replay", path, "--verify"]);
    let told: Value = serde_json::from_str(said.lines().next().expect("a line")).expect("JSON");
    assert_eq!(told["identical"], true, "{told}");
    assert_eq!(told["turns"], turns, "{told}");
    assert_eq!(told["same_turns"], turns, "{told}");
    // Each file has the guests and the run; without the first file there is no beginning.
    replays(&home, &files[0]);
    // What is before a file that is cut off or missing is compared, and the true reason is told.
    let first = topics(&files[0])["/turn"];
    let (whole, second) = (
        fs::read(&files[0]).expect("a file"),
        fs::read(&files[1]).expect("a file"),
    );
    fs::write(&files[0], &whole[..whole.len() * 3 / 5]).expect("a file");
    let said = stops(&home, 3, path);
    let text = " are missing, because file 1 of the run is cut off at byte ";
    assert!(said.contains(text) && !said.contains("switched"), "{said}");
    fs::write(&files[0], &whole).expect("a file");
    fs::remove_file(&files[1]).expect("a file");
    let said = stops(&home, 1, path);
    let sentence = " are missing, because file 2 of the run is not in its folder; fix: ";
    assert!(said.contains(sentence) && !said.contains("quota"), "{said}");
    assert!(
        said.contains(&format!("identical until then: {} turns", grouped(first))),
        "{said}"
    );
    fs::write(&files[1], &second).expect("a file");
    fs::remove_file(&files[0]).expect("a file");
    let output = home.bad(1, &["replay", path, "--verify"]);
    assert!(
        output.contains("file 1 of this run is not in its folder") && output.contains("fix: "),
        "{output}"
    );
}

/// A count as people read it.
fn grouped(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        _ => format!("{},{:03}", count / 1000, count % 1000),
    }
}

/// The first and the last instant of the body, ns.
fn times(path: &Path) -> (u64, u64) {
    let bytes = fs::read(path).expect("a file");
    let stream = mcap::MessageStream::new(&bytes).expect("a recording");
    let times = stream.filter_map(|replayer| {
        let message = replayer.expect("a message");
        (message.channel.topic == "/turn").then_some(message.log_time)
    });
    times.fold((u64::MAX, 0), |(first, last), item| {
        (first.min(item), last.max(item))
    })
}

/// The messages of a closed file.
fn topics_if_closed(path: &Path) -> u64 {
    // The oldest goes at any moment.
    let bytes = fs::read(path).unwrap_or_default();
    if bytes.len() > 16 && bytes.ends_with(b"\x89MCAP0\r\n") {
        topics_of(&bytes).values().sum()
    } else {
        0
    }
}

/// Whether a reader that seeks finds by the summary what one that reads everything finds.
fn seeks(bytes: &[u8]) {
    let summary = mcap::Summary::read(bytes).expect("a recording");
    let summary = summary.expect("a summary");
    let stream = mcap::MessageStream::new(bytes).expect("a recording");
    let all: Vec<_> = stream
        .map(|stream| stream.expect("a message"))
        .map(|value| {
            (
                value.channel.id,
                value.sequence,
                value.log_time,
                value.data.into_owned(),
            )
        })
        .collect();
    let statistics = summary.stats.clone().expect("statistics");
    assert_eq!(statistics.message_count, all.len() as u64);
    let mut found = Vec::new();
    for chunk in &summary.chunk_indexes {
        let indexes = summary.read_message_indexes(bytes, chunk).expect("indexes");
        for (channel, entries) in indexes {
            for entry in entries {
                let seek_message = summary
                    .seek_message(bytes, chunk, &entry)
                    .expect("a message");
                assert_eq!(seek_message.log_time, entry.log_time);
                assert_eq!(seek_message.channel.id, channel.id);
                found.push((
                    seek_message.channel.id,
                    seek_message.sequence,
                    seek_message.log_time,
                    seek_message.data.into_owned(),
                ));
            }
        }
    }
    let sorted = |mut item: Vec<(u16, u32, u64, Vec<u8>)>| {
        item.sort();
        item
    };
    let times = all.iter().map(|row| row.2);
    assert_eq!(
        times.clone().min().unwrap_or(0),
        statistics.message_start_time
    );
    assert_eq!(times.max().unwrap_or(0), statistics.message_end_time);
    assert!(sorted(found) == sorted(all), "other messages");
    for index in &summary.attachment_indexes {
        let attachment = mcap::read::attachment(bytes, index).expect("an attachment");
        assert_eq!(
            (attachment.name, attachment.data.len() as u64),
            (index.name.clone(), index.data_size)
        );
    }
    for index in &summary.metadata_indexes {
        let metadata = mcap::read::metadata(bytes, index).expect("metadata");
        assert_eq!(metadata.name, index.name);
    }
    assert_eq!(
        statistics.attachment_count as usize,
        summary.attachment_indexes.len()
    );
    assert_eq!(
        statistics.metadata_count as usize,
        summary.metadata_indexes.len()
    );
}

#[test]
fn a_recording_that_is_being_written_is_sent_so_that_readers_seek_in_it() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--start", "--no-check"]);
    until("it is written", || is_longer(&home, 0, 100_000));
    let client = served.client(Some(&served.token("watch")));
    let name = files(&home)[0].file_name().expect("a name").to_owned();
    let path = format!("/api/v2/recordings/{}", name.to_str().expect("a name"));
    let mut before = 0;
    for _ in 0..3 {
        let bytes = client
            .send(Method::GET, &path, RequestBody::default(), |_| {})
            .expect("a recording");
        seeks(&bytes);
        assert!(bytes.len() > before);
        before = bytes.len();
        std::thread::sleep(Duration::from_millis(1100));
    }
    // The file itself goes on.
    assert_eq!(topics_if_closed(&files(&home)[0]), 0);
}

#[test]
fn what_was_broken_off_anywhere_is_closed_at_the_next_start() {
    // A complete file first; then parts of it.
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    until("it is written", || {
        files(&home)
            .first()
            .is_some_and(|file| fs::metadata(file).is_ok_and(|metadata| metadata.len() > 30_000))
    });
    home.good(&["stop"]);
    until("it is closed", || {
        fs::read(&files(&home)[0])
            .is_ok_and(|text| text.ends_with(b"\x89MCAP0\r\n") && text.len() > 16)
    });
    drop(served);
    let whole = fs::read(&files(&home)[0]).expect("a file");
    let lengths: Vec<_> = (0..24).map(|i| 8 + i * (whole.len() - 9) / 23).collect();
    for (place, length) in lengths.iter().enumerate() {
        let name = format!("20200101T0000{place:02}.000Z-00000001.mcap");
        fs::write(folder(&home).join(name), &whole[..*length]).expect("a file");
    }
    // Not even the beginning of one, and another kind of file: both are reported, and stay.
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
        seeks(&fs::read(&path).expect("a file"));
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
