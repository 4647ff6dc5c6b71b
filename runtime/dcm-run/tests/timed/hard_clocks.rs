//! Clocks that are wrong by years, and starts that fail: what has expired stays expired, and a version that fails is
//! replaced by one that played well.

use std::fs;

use crate::common::home;
use crate::hard::{DAY, QUIET, SIGNED, Shim, Turns, Upload, end, key, now, restart_server};
use hyper::Method;
use network::client::ApiClient;
use network::hex::{digest, hex};
use network::signature::SigningKey;
use serde_json::Value;
use tests::process::{Home, until};
use tests::rig::component;
use tests::served::{BLINK, Served, WAVE, refused, serve};

/// Second 1000 of 1970.
const BEGINNING: u64 = 1000;

/// A key that the robot trusts.
fn trusted(home: &Home, name: &str) -> SigningKey {
    let key = key(home, name);
    home.good(&["keys", "trust", name]);
    key
}

/// The result of uploading this file with this signature.
fn push(client: &ApiClient, file: &str, name: &str, signature: &str) -> String {
    let bytes = fs::read(file).expect("a file");
    let (said, signature) = (digest(&bytes), hex(signature.as_bytes()));
    let upload = Upload {
        bytes: &bytes,
        said: &said,
        name,
        signature: &signature,
    };
    upload.fate(client)
}

fn me(served: &Served<'_>, token: &str) -> String {
    refused(&served.client(Some(token)), Method::GET, "/api/v2/me", None)
}

/// A token for a day, and a signature that expires in an hour.
fn for_a_while(served: &Served<'_>, anna: &SigningKey) -> (String, String) {
    let words = ["tokens", "make", "guest", "--role", "watch", "--days", "1"];
    let token = served.home.good(&words).trim().to_owned();
    let client = served.client(Some(&token));
    client.get::<Value>("/api/v2/me").expect("it counts");
    let blink = digest(&fs::read(BLINK).expect("a file"));
    (
        token,
        anna.sign(&blink, "blink", "nao", now(), Some(now() + 3600)),
    )
}

#[test]
fn what_has_ended_stays_ended_when_the_clock_falls_back() {
    let home = home();
    let shim = Shim::of(&home);
    let served = shim.serve(&home, &format!("{QUIET}{SIGNED}"));
    let anna = trusted(&home, "anna");
    let author = served.client(Some(&served.token("author")));
    let (token, signature) = for_a_while(&served, &anna);
    shim.clock(2 * DAY.cast_signed());
    assert_eq!(me(&served, &token), "token-ended");
    assert_eq!(push(&author, BLINK, "blink", &signature), "signature-ended");
    for second in [BEGINNING, now()] {
        shim.clock_shows(second);
        assert_eq!(me(&served, &token), "token-ended", "{second}");
        assert_eq!(push(&author, BLINK, "blink", &signature), "signature-ended");
    }
}

#[test]
fn what_has_ended_stays_ended_for_a_server_that_starts_with_a_clock_that_fell_back() {
    let home = home();
    let shim = Shim::of(&home);
    let served = shim.serve(&home, &format!("{QUIET}{SIGNED}"));
    let anna = trusted(&home, "anna");
    let author = served.token("author");
    let (token, signature) = for_a_while(&served, &anna);
    shim.clock(2 * DAY.cast_signed());
    // An upload is accepted, and the store records the time.
    let wave = digest(&fs::read(WAVE).expect("a file"));
    let good = anna.sign(&wave, "wave", "nao", now() + 2 * DAY, None);
    let client = served.client(Some(&author));
    assert_eq!(push(&client, WAVE, "wave", &good), "taken");
    for second in [BEGINNING, now()] {
        shim.clock_shows(second);
        restart_server(&served);
        let client = served.client(Some(&author));
        assert_eq!(me(&served, &token), "token-ended", "{second}");
        assert_eq!(push(&client, BLINK, "blink", &signature), "signature-ended");
    }
}

#[test]
fn a_server_comes_up_by_any_clock_and_the_body_moves_on() {
    // The last one is beyond the seconds that 32 bits can count.
    for second in [0, BEGINNING, 4_291_747_200, 4_300_000_000] {
        let home = home();
        let shim = Shim::of(&home);
        shim.clock_shows(second);
        let settings = "[foxglove]\nlisten = \"\"\n[server]\nlisten = [\"127.0.0.1:0\"]\n";
        let served = shim.serve(&home, settings);
        served.wait_until_it_runs();
        let watcher = served.client(Some(&served.token("watch")));
        let recorded = || {
            watcher
                .get::<Value>("/api/v2/recordings")
                .expect("recordings")
        };
        until("it is recorded", || recorded()["kept"][0]["open"] == true);
        let began = recorded()["kept"][0]["began"].as_u64().expect("a time");
        assert!(
            (second..second + 60).contains(&began),
            "{began}, and not {second}"
        );
        let turns = Turns::of(&home);
        shim.clock_shows(now());
        let page = served.page();
        let turn = page.latest();
        until("it turns", || page.latest() > turn + 50);
        home.good(&["push", WAVE, "--start", "--no-check"]);
        assert!(turns.take().1 > 0);
        assert_eq!(recorded()["trouble"], Value::Null);
    }
}

const STAYS: &str = r#"(module (func (export "pre-process")))"#;
const TRAPS: &str = r#"(module (func (export "pre-process") (unreachable)))"#;
const TRAPS_AT_ONCE: &str =
    r#"(module (func (export "start") (unreachable)) (func (export "pre-process")))"#;

/// Uploads a choreography as the newest version of `show`, and returns its digest.
fn bring(home: &Home, text: &str) -> String {
    let bytes = component(text);
    let path = home.file("show.wasm", &bytes);
    home.good(&["push", path.to_str().expect("a path"), "--no-check"]);
    digest(&bytes)
}

fn guests(home: &Home) -> Vec<Value> {
    let lines = home.good(&["ps", "--all", "--json"]);
    let guests = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    guests.collect()
}

fn plays(home: &Home, digest: &str) -> bool {
    let mut guests = guests(home).into_iter();
    guests.any(|guest| guest["digest"] == digest && guest["life"] == "running")
}

#[test]
fn what_plays_for_long_enough_has_played_well() {
    let home = home();
    let served = serve(&home, QUIET);
    let stays = bring(&home, STAYS);
    home.good(&["boot", "show", "--no-check"]);
    end(served);
    let _served = serve(&home, QUIET);
    until("it plays", || plays(&home, &stays));
    assert!(!home.good(&["ls"]).contains("played well"));
    until("it has played well", || {
        home.good(&["ls"]).contains("played well")
    });
}

#[test]
fn what_plays_until_the_robot_is_shut_down_has_not_failed() {
    let home = home();
    let served = serve(&home, QUIET);
    let stays = bring(&home, STAYS);
    home.good(&["boot", "show", "--no-check"]);
    end(served);
    let served = serve(&home, QUIET);
    until("it plays", || plays(&home, &stays));
    let failures = || {
        let text = fs::read(home.path("run/state/nao/index.json")).expect("a table");
        let index: Value = serde_json::from_slice(&text).expect("a table");
        index["failing"][&stays].clone()
    };
    assert_eq!(failures(), 1);
    end(served);
    assert_eq!(failures(), 0);
}

/// Simulates that this one has played for long enough.
fn has_played_well(home: &Home, digest: &str) {
    let path = home.path("run/state/nao/index.json");
    let text = fs::read(&path).expect("a table");
    let mut index: Value = serde_json::from_slice(&text).expect("a table");
    index["good"]["show"] = digest.into();
    fs::write(&path, index.to_string()).expect("a file");
}

#[test]
fn what_fails_at_each_start_is_replaced_by_what_played_well_and_then_started_no_more() {
    let home = home();
    let served = serve(&home, QUIET);
    let stays = bring(&home, STAYS);
    let traps = bring(&home, TRAPS);
    home.good(&["boot", "show", "--no-check"]);
    end(served);
    has_played_well(&home, &stays);
    for start in 1..=3 {
        let served = serve(&home, QUIET);
        until("the one that played well plays instead", || {
            plays(&home, &stays)
        });
        let guests = guests(&home);
        let mut failed = guests
            .iter()
            .filter(|guest| guest["digest"] == traps.as_str());
        assert!(failed.any(|item| item["fault"] == true), "start {start}");
        end(served);
    }
    let served = serve(&home, QUIET);
    until("the one that played well plays", || plays(&home, &stays));
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(
        guests(&home)
            .iter()
            .all(|guest| guest["digest"] == stays.as_str())
    );
    let audit = home.good(&["audit", "--number", "1000"]);
    let count = audit.matches("show did not play well").count();
    assert_eq!(count, 3, "{audit}");
    assert!(audit.contains(&format!("{stays} plays instead")), "{audit}");
    end(served);
}

#[test]
fn what_does_not_even_come_in_is_replaced_by_what_played_well() {
    let home = home();
    let served = serve(&home, QUIET);
    let stays = bring(&home, STAYS);
    bring(&home, TRAPS_AT_ONCE);
    home.good(&["boot", "show", "--no-check"]);
    end(served);
    has_played_well(&home, &stays);
    let _served = serve(&home, QUIET);
    until("the one that played well plays", || plays(&home, &stays));
}
