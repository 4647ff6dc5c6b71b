//! A whole choreography in one request: 4,096 commands for each of 26 actuators, from the last byte to the answer. It
//! comes when the turn has taken it. Beside it in the same run: the same bytes copied over a unix socket, with an
//! answer of one byte. And the work of the turns meanwhile, beside that of turns without requests.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use sensors::PageReader;
use serde_json::{Value, json};

use super::{Line, Robot, quantile, turns};

const ACTUATORS: usize = 26;
const KEYS: u64 = 4_096;

pub(super) fn choreographies(robot: &Robot<'_>, rounds: usize) {
    let mut line = robot
        .line([9, 1], Some(&robot.token))
        .expect("a connection");
    let labels = robot.page.actuators();
    let names: Vec<String> = labels
        .into_iter()
        .map(|label| label.name)
        .take(ACTUATORS)
        .collect();
    let (mut sent_packed, mut sent_json, mut copied) = (Vec::new(), Vec::new(), Vec::new());
    let idle = watched(&robot.page, || thread::sleep(Duration::from_secs(2)));
    let busy = watched(&robot.page, || {
        for _ in 0..rounds {
            let start = robot
                .page
                .read(|frame| frame.now().nanos())
                .expect("a turn")
                + 5_000_000_000;
            let bytes = packed(start);
            copied.push(copy(&bytes));
            let path = format!("/api/v2/body/schedule?to={}", names.join(","));
            sent_packed.push(send(&mut line, &path, "application/octet-stream", &bytes));
            let text = text(&mut line, &names);
            sent_json.push(send(
                &mut line,
                "/api/v2/dcm/setAlias",
                "application/json",
                &text,
            ));
        }
    });
    let [packed, json, copy] =
        [&mut sent_packed, &mut sent_json, &mut copied].map(|value| quantile(value, 0.5));
    println!(
        "a choreography of {ACTUATORS} x {KEYS} commands, from the last byte to the answer, ms:"
    );
    println!("  packed {packed:.1}, JSON {json:.1}; the packed bytes over a unix socket {copy:.2}");
    println!(
        "  turns: most work {:.2} ms, {} late of {} (without requests: {:.2} ms, {} of {})",
        busy.0, busy.1, busy.2, idle.0, idle.1, idle.2
    );
}

/// While `act` runs: the most work of a turn, ms; how many turns came more than half a period late, and of how many.
pub(super) fn watched(page: &PageReader, act: impl FnOnce()) -> (f64, usize, usize) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let elapsed = scope.spawn(|| turns(page, &stop).0);
        let work = scope.spawn(|| {
            let (mut most, mut last) = (0, page.latest());
            while !stop.load(Relaxed) {
                for turn in last + 1..=page.latest() {
                    most = most.max(
                        page.read_turn(turn, |frame| frame.work().nanos())
                            .unwrap_or(0),
                    );
                    last = turn;
                }
                thread::sleep(Duration::from_millis(5));
            }
            most as f64 / 1e6
        });
        let done = Stop(&stop);
        act();
        drop(done);
        let elapsed = elapsed.join().expect("a reader");
        let period = page.period().nanos();
        let late = elapsed
            .iter()
            .filter(|value| **value > period * 3 / 2)
            .count();
        (work.join().expect("a reader"), late, elapsed.len())
    })
}

/// Ends the readers, also if a request fails.
struct Stop<'s>(&'s AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

fn packed(start: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for actuator in 0..ACTUATORS {
        bytes.extend((KEYS as u32).to_le_bytes());
        for key in 0..KEYS {
            bytes.extend((start + key * 10_000_000).to_le_bytes());
            bytes.extend((0.001 * (key % 100) as f64 + actuator as f64 * 1e-4).to_le_bytes());
        }
    }
    bytes
}

/// The same as a call of `setAlias`, for the joints alone.
fn text(line: &mut Line, names: &[String]) -> Vec<u8> {
    let members = &names[..ACTUATORS - 1];
    let alias = json!(["Joints", members]).to_string();
    line.must("POST", "/api/v2/dcm/createAlias", alias.as_bytes());
    let now = line.must("GET", "/api/v2/dcm/getTime", b"");
    let now: Value = serde_json::from_slice(&now).expect("JSON");
    let now = now["time"].as_i64().expect("a time") + 5_000;
    let list: Vec<_> = (0..KEYS as i64)
        .map(|key| json!([0.001 * (key % 100) as f64 + 1e-9, now + key * 10]))
        .collect();
    let lists = vec![list; members.len()];
    json!(["Joints", "ClearAll", "time-mixed", lists])
        .to_string()
        .into_bytes()
}

/// Sends a request; ms from its last byte to the answer.
fn send(line: &mut Line, path: &str, kind: &str, body: &[u8]) -> f64 {
    let token = line.token.clone().unwrap_or_default();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\
         authorization: Bearer {token}\r\n\r\n",
        body.len()
    );
    let stream = line.stream.get_mut();
    stream.write_all(head.as_bytes()).expect("a server");
    stream.write_all(body).expect("a server");
    let begun = Instant::now();
    let (status, said) = line.answer().expect("an answer");
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&said));
    begun.elapsed().as_secs_f64() * 1e3
}

/// Copies bytes over a unix socket; ms from the last byte to an answer of one byte.
fn copy(bytes: &[u8]) -> f64 {
    let (mut here, mut there) = UnixStream::pair().expect("a pair");
    let length = bytes.len();
    let reader = thread::spawn(move || {
        let mut read = vec![0; length];
        there.read_exact(&mut read).expect("all bytes");
        there.write_all(&read[length - 1..]).expect("a socket");
    });
    here.write_all(bytes).expect("a socket");
    let begun = Instant::now();
    here.read_exact(&mut [0]).expect("an answer");
    let taken = begun.elapsed().as_secs_f64() * 1e3;
    reader.join().expect("a reader");
    taken
}
