//! Promise 18: a loop that runs for long at 1 kHz, with clients all the time, keeps its memory and its files. Four
//! seconds; `LONG_RUN=24h cargo test --release -p dcm-run --test timed long_run -- --nocapture` tests the whole
//! promise, and prints a line each minute.

use std::time::{Duration, Instant};

use crate::common::home;
use serde_json::json;
use tests::process::{Loop, Wire};

/// Its own memory in KiB, and its open files. Pages of the program's file do not count: they come when code is first
/// used, and go when memory is short.
fn held(process: u32) -> (u64, usize) {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status
        .lines()
        .find(|line| line.starts_with("RssAnon"))
        .expect("a line");
    let memory = line
        .split_whitespace()
        .nth(1)
        .expect("a number")
        .parse()
        .expect("a number");
    let files = std::fs::read_dir(format!("/proc/{process}/fd"))
        .expect("a process")
        .count();
    (memory, files)
}

/// A client that sends requests, reads the page, and hangs up, all the time.
struct Client<'l> {
    random: fastrand::Rng,
    steady: Wire,
    running: &'l Loop,
    page: sensors::PageReader,
    asked: u64,
    read: u64,
    callers: u64,
}

impl Client<'_> {
    fn ask_around(&mut self) {
        let value = self.random.f64() - 0.5;
        let set =
            json!({ "set": { "actuator": "HeadYaw", "value": value, "after_ns": 5_000_000 } });
        let silence = json!({ "silence": { "board": "FaceBoard", "silent": self.random.bool() } });
        for ask in [set, silence] {
            self.steady.ask(&json!({ "id": 1, "ask": ask }).to_string());
            self.asked += 1;
        }
        // Some connections end in the middle of a request.
        let words: [&[u8]; 2] = [b"{\"id\":1,\"ask\":\"hello\"}\n", b"{\"id\":1,"];
        let _ = Wire::to(&self.running.socket).send(words[self.random.usize(0..2)]);
        self.callers += 1;
        for _ in 0..100 {
            self.read += u64::from(self.page.read(|frame| frame.sent(0)).is_some());
        }
    }
}

fn length() -> Duration {
    let Ok(text) = std::env::var("LONG_RUN") else {
        return Duration::from_secs(4);
    };
    let number = |unit: char| {
        text.strip_suffix(unit)
            .and_then(|rest| rest.parse::<u64>().ok())
    };
    let seconds = number('h')
        .map(|number| number * 3600)
        .or_else(|| number('m').map(|number| number * 60))
        .or_else(|| number('s'));
    Duration::from_secs(seconds.expect("LONG_RUN is a time such as 24h, 30m or 60s"))
}

/// The most parts until memory must have stopped growing.
const SPELLS_MAX: usize = 8;

/// How much a part of the run may add to the memory, KiB.
const GROWTH: u64 = 1024;

/// How long a part is, and by how many KiB memory grew in it.
fn spell(client: &mut Client<'_>, process: u32, length: Duration) -> u64 {
    let (first_turn, before) = (client.page.latest(), held(process));
    let (begun, mut next) = (Instant::now(), Instant::now() + Duration::from_secs(60));
    while begun.elapsed() < length {
        client.ask_around();
        std::thread::sleep(Duration::from_millis(2));
        if Instant::now() >= next {
            next += Duration::from_secs(60);
            let (seconds, turns) = (begun.elapsed().as_secs(), client.page.latest() - first_turn);
            println!(
                "{seconds:>6} s: {turns} turns, {:?} KiB and files",
                held(process)
            );
        }
    }
    std::thread::sleep(Duration::from_millis(200));
    let (turns, after) = (client.page.latest() - first_turn, held(process));
    println!(
        "{turns} turns in {:.0} s, {} requests, {} callers, {} reads: memory {} to {} KiB, files {} to {}",
        begun.elapsed().as_secs_f64(),
        client.asked,
        client.callers,
        client.read,
        before.0,
        after.0,
        before.1,
        after.1
    );
    assert!(
        turns as f64 > begun.elapsed().as_secs_f64() * 500.0,
        "only {turns} turns"
    );
    assert!(
        after.1 <= before.1 + 2,
        "open files grew from {} to {}",
        before.1,
        after.1
    );
    after.0.saturating_sub(before.0)
}

#[test]
fn a_loop_that_runs_for_long_keeps_its_memory_and_its_files() {
    let length = length();
    let home = home();
    let text = r#"
format = 1
name = "long"
base = "nao"
period = "1ms"
[safety]
late-to-hold = 1000000
late-to-safe = 1000000
missing-to-hold = 1000000
missing-to-lost = 1000000
"#;
    let robot = home.file("long.toml", text);
    let running = home.start(
        "long",
        &[
            "--robot",
            robot.to_str().expect("a path"),
            "--sim",
            "--demo",
            "--quiet",
        ],
    );
    running.wait_for_state(cycle::State::Running);
    let process = running.child.id();
    let mut client = Client {
        random: fastrand::Rng::with_seed(5),
        steady: Wire::to(&running.socket),
        running: &running,
        page: running.page(),
        asked: 0,
        read: 0,
        callers: 0,
    };
    // One-time allocations are made before.
    for _ in 0..100 {
        client.ask_around();
    }
    // The loop follows up to 2,048 requests, in memory that the first ones touch: on a slow machine they take several
    // parts. A slow thread may need memory of its own later, once. A leak grows in every part.
    let mut spells = (0..SPELLS_MAX).map(|_| spell(&mut client, process, length));
    assert!(
        spells.any(|grew| grew <= GROWTH),
        "memory grew by more than {GROWTH} KiB {SPELLS_MAX} times"
    );
    drop(client);
    running.signal(nix::sys::signal::Signal::SIGTERM);
    running.signal(nix::sys::signal::Signal::SIGTERM);
    running.signal(nix::sys::signal::Signal::SIGTERM);
    assert!(running.ended().status.success());
}
