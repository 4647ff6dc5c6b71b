//! A served robot with a bad disk: full, small, slow. Turns stay punctual, stop works, and nothing that was stored is
//! lost.

use std::fs::{self, File};
use std::io::Write;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::home;
use crate::hard::{QUIET, Shim, Turns, show, upload};
use hyper::Method;
use network::client::RequestBody;
use protocol::Ask;
use serde_json::{Value, json};
use tests::process::{Home, until};
use tests::served::{BLINK, NAO, Served, WAVE, ask_loop, refused, serve, serve_in};

/// The files of everything that is written to the disk, including recordings.
const RECORDED: &str = "[foxglove]\nlisten = \"\"\n[server]\nlisten = [\"127.0.0.1:0\"]\n";

/// Starts a guest that plays on, whatever happens to the disk.
fn play(home: &Home) {
    home.good(&[
        "push",
        WAVE,
        "--start",
        "--no-check",
        "--param",
        "times=10",
        "--keep",
    ]);
}

/// A disk of 16 MiB; unmounted when it is dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where mounting is not permitted.
    fn of(home: &Home) -> Option<SmallDisk> {
        let folder = home.path("small");
        fs::create_dir(&folder).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"]);
        let mounted = mount.arg(&folder).output();
        if mounted.is_ok_and(|mounted| mounted.status.success()) {
            println!("a disk of 16 MiB is mounted");
            return Some(SmallDisk(folder));
        }
        println!("nothing can be mounted here: what is full is only the quota");
        None
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }

    fn fill(&self) {
        let mut file = File::create(self.filler()).expect("a file");
        while file.write_all(&[1; 4096]).is_ok() {}
    }

    fn make_room(&self) {
        fs::remove_file(self.filler()).expect("a file");
    }

    fn serve<'h>(&self, home: &'h Home) -> Served<'h> {
        let folder = self.0.to_str().expect("a path");
        let words = [&NAO[..], &["--state", folder]].concat();
        serve_in(home, RECORDED, &words, &[])
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // The server may still be closing a file of it.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_told_loses_nothing_and_is_used_again_when_it_has_room() {
    let home = home();
    let Some(disk) = SmallDisk::of(&home) else {
        return;
    };
    let served = disk.serve(&home);
    served.wait_until_it_runs();
    play(&home);
    let operator = served.client(Some(&served.token("operate")));
    let recordings = || {
        operator
            .get::<Value>("/api/v2/recordings")
            .expect("recordings")
    };
    until("it is recorded", || recordings()["kept"][0]["open"] == true);
    let leaver = served.client(Some(&served.token("watch")));
    leaver.request(&Ask::Guests).expect("guests");
    let turns = Turns::of(&home);
    std::thread::sleep(Duration::from_secs(1));
    let before = turns.take();
    disk.fill();
    until("the recording has stopped", || {
        recordings()["trouble"].is_string()
    });
    let trouble = recordings()["trouble"].clone();
    assert!(
        trouble
            .as_str()
            .is_some_and(|text| text.contains("recording")),
        "{trouble}"
    );
    assert_ne!(recordings()["kept"][0]["open"], true);
    let blink = fs::read(BLINK).expect("a file");
    let refusal = upload(&operator, &blink, "blink").expect("there is no room");
    assert_eq!(refusal.code, "disk-failed");
    assert!(refusal.sentence.contains("full"), "{}", refusal.sentence);
    assert!(
        refusal
            .fix
            .is_some_and(|value| value.contains("free some space"))
    );
    let output = home.bad(1, &["tokens", "make", "anna", "--role", "watch"]);
    assert!(output.contains("the robot's disk is full"), "{output}");
    // A right is taken away all the same.
    home.good(&["tokens", "revoke", "2"]);
    assert!(leaver.request(&Ask::Guests).is_err());
    // Nothing was lost, and the guest plays on.
    assert_eq!(home.good(&["tokens"]).lines().count(), 1);
    assert!(home.good(&["ls"]).contains("* wave"));
    assert!(home.good(&["ps"]).contains("wave"), "the guest plays on");
    turns.no_later_than(before, "with a full disk");
    let metrics = |name: &str| {
        let text = String::from_utf8(
            operator
                .send(Method::GET, "/metrics", RequestBody::default(), |_| {})
                .expect("metrics")
                .to_vec(),
        );
        let text = text.expect("text");
        let mut lines = text
            .lines()
            .filter_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
        lines
            .next()
            .unwrap_or_else(|| panic!("no {name} in\n{text}"))
    };
    assert_eq!(metrics("dcm_recording_failed"), 1.0);
    assert_eq!(metrics("dcm_recording_open"), 0.0);
    assert!(metrics("dcm_disk_free_bytes") < 1e5 && metrics("dcm_disk_bytes") > 1.6e7);
    // What is removed makes room for its own removal.
    home.good(&["rm", "wave"]);
    assert!(!home.good(&["ls"]).contains("wave"));
    // There is room again, without a restart.
    let server = served.server();
    disk.make_room();
    assert_eq!(
        upload(&operator, &blink, "blink").map(|upload| upload.code),
        None
    );
    home.good(&["tokens", "make", "anna", "--role", "watch"]);
    assert_eq!(home.good(&["tokens"]).lines().count(), 2);
    // By itself.
    until("it is recorded again", || {
        let told = recordings();
        told["trouble"].is_null() && told["kept"][0]["open"] == true
    });
    assert_eq!(metrics("dcm_recording_failed"), 0.0);
    assert_eq!(metrics("dcm_recording_open"), 1.0);
    assert_eq!(served.server(), server);
    // The file that was broken off is closed, and says where it ends.
    let broken = recordings()["kept"][1]["name"]
        .as_str()
        .expect("a name")
        .to_owned();
    until("it is closed", || {
        let bytes = fs::read(disk.0.join("recordings").join(&broken)).expect("a file");
        bytes.ends_with(b"\x89MCAP0\r\n")
    });
}

#[test]
fn an_act_after_a_full_disk_is_written_on_a_line_of_its_own() {
    let home = home();
    let Some(disk) = SmallDisk::of(&home) else {
        return;
    };
    let served = disk.serve(&home);
    let operator = served.client(Some(&served.token("operate")));
    ask_loop(&operator, "stop-recording", &json!({}));
    disk.fill();
    let act = |name: &str| {
        let body = json!({ "choreography": "nothing-of-that-name" });
        refused(
            &operator,
            Method::PUT,
            &format!("/api/v2/tags/{name}"),
            Some(&body),
        )
    };
    // More than the free rest of the file's last page, so that a line is cut off.
    for _ in 0..60 {
        assert_eq!(act("during"), "not-found");
    }
    disk.make_room();
    assert_eq!(act("after"), "not-found");
    let told: Value = operator.get("/api/v2/audit?most=1000").expect("a log");
    assert!(told["lost"].as_u64() > Some(0), "{}", told["lost"]);
    let acts = told["acts"].as_array().expect("acts");
    assert!(
        acts.iter()
            .any(|item| item["act"] == "PUT /api/v2/tags/after")
    );
}

#[test]
fn a_quota_that_is_used_up_is_told_and_has_room_again_when_something_goes() {
    let home = home();
    let served = serve(&home, &format!("{QUIET}[store]\nquota = 1\n"));
    served.wait_until_it_runs();
    let author = served.client(Some(&served.token("author")));
    let (first, second) = (show(&[1; 700 << 10]), show(&[2; 700 << 10]));
    assert_eq!(
        upload(&author, &first, "first").map(|upload| upload.code),
        None
    );
    let refusal = upload(&author, &second, "second").expect("there is no room");
    assert_eq!(refusal.code, "quota-exceeded");
    assert!(!refusal.sentence.is_empty());
    let fix = refusal.fix.expect("a fix");
    assert!(
        fix.contains("dcm-run rm") && fix.contains("store.quota"),
        "{fix}"
    );
    home.good(&["rm", "first"]);
    assert_eq!(
        upload(&author, &second, "second").map(|upload| upload.code),
        None
    );
}

/// Requests are answered at once.
fn is_heard_at_once(served: &Served<'_>) {
    let nobody = served.client(None);
    let begun = Instant::now();
    nobody.get::<Value>("/api/v2/hello").expect("an answer");
    let greeted = begun.elapsed();
    let begun = Instant::now();
    let stopped: Value = nobody
        .ask(Method::POST, "/api/v2/body/stop", None::<&()>)
        .expect("stop");
    let stop = begun.elapsed();
    assert_eq!(stopped["state"], "estop");
    let limit = Duration::from_secs(1);
    assert!(
        greeted < limit && stop < limit,
        "hello took {greeted:?}, and stop {stop:?}"
    );
}

/// While these requests wait for a disk that takes two seconds for everything, and others read from the store.
fn with_a_slow_disk(words: &[&str], others: usize) {
    let home = home();
    let shim = Shim::of(&home);
    let served = shim.serve(&home, QUIET);
    served.wait_until_it_runs();
    play(&home);
    let token = served.token("watch");
    let turns = Turns::of(&home);
    std::thread::sleep(Duration::from_secs(2));
    let before = turns.take();
    shim.disk(Duration::from_secs(2));
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| home.good(words));
        std::thread::sleep(Duration::from_millis(700));
        assert!(!waits.is_finished(), "the disk is slow");
        let crowd = crowd(&served, &token, others);
        let mut asked = 0;
        // All requests are sent while the disk works.
        while asked < 5 && !waits.is_finished() {
            is_heard_at_once(&served);
            asked += 1;
        }
        drop(crowd);
        shim.disk(Duration::ZERO);
        waits.join().expect("it was done all the same");
        assert!(asked > 0);
    });
    turns.no_later_than(before, "with a slow disk");
}

/// Connections that have asked for stored files, and wait.
fn crowd(served: &Served<'_>, token: &str, size: usize) -> Vec<TcpStream> {
    let words = format!(
        "GET /api/v2/choreographies HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    let one = || {
        let mut stream = TcpStream::connect(served.address()).expect("a server");
        stream.write_all(words.as_bytes()).expect("a server");
        stream
    };
    let crowd = (0..size).map(|_| one()).collect();
    // All of them are answered before the next request is sent.
    std::thread::sleep(Duration::from_millis(if size > 0 { 300 } else { 0 }));
    crowd
}

#[test]
fn stop_is_heard_while_an_upload_waits_for_a_slow_disk() {
    with_a_slow_disk(&["push", BLINK, "--no-check"], 0);
}

#[test]
fn stop_is_heard_while_a_token_is_written_to_a_slow_disk() {
    with_a_slow_disk(&["tokens", "make", "anna", "--role", "watch"], 0);
}

#[test]
fn stop_is_heard_while_many_wait_for_a_slow_disk() {
    with_a_slow_disk(&["push", BLINK, "--no-check"], 150);
}
