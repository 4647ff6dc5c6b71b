//! Promise 18: a loop that runs for long at 1 kHz, asked, watched and disturbed all the time, keeps
//! its memory and its files. Eight seconds; `LONG_RUN=24h cargo test --release -p dcm-run --test
//! long_run -- --nocapture` is the whole promise, and prints a line each minute.

mod common;

use std::time::{Duration, Instant};

use common::{Home, Wire};
use serde_json::json;

/// Kilobytes of memory, and open files.
fn held(process: u32) -> (u64, usize) {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status.lines().find(|it| it.starts_with("VmRSS")).expect("a line");
    let memory = line.split_whitespace().nth(1).expect("a number").parse().expect("a number");
    let files = std::fs::read_dir(format!("/proc/{process}/fd")).expect("a process").count();
    (memory, files)
}

fn length() -> Duration {
    let Ok(text) = std::env::var("LONG_RUN") else {
        return Duration::from_secs(8);
    };
    let number = |unit: char| text.strip_suffix(unit).and_then(|it| it.parse::<u64>().ok());
    let seconds = number('h').map(|it| it * 3600).or_else(|| number('m').map(|it| it * 60)).or_else(|| number('s'));
    Duration::from_secs(seconds.expect("LONG_RUN is a time such as 24h, 30m or 60s"))
}

#[test]
fn a_loop_that_runs_for_long_keeps_its_memory_and_its_files() {
    let length = length();
    let home = Home::new();
    let robot = home.folder.path().join("long.toml");
    let text = "format = 1\nname = \"long\"\nbase = \"nao\"\nperiod = \"1ms\"\n[safety]\nlate-to-hold = 1000000\nlate-to-safe = 1000000\nmissing-to-hold = 1000000\nmissing-to-lost = 1000000\n";
    std::fs::write(&robot, text).expect("a file");
    let running = home.start("long", &["--robot", robot.to_str().expect("a path"), "--sim", "--demo", "--quiet"]);
    running.wait_for_state(cycle::State::Running);
    let (process, page) = (running.child.id(), running.page());
    let mut random = fastrand::Rng::with_seed(5);
    let mut steady = Wire::to(&running.socket);
    let (mut asked, mut read, mut callers) = (0u64, 0u64, 0u64);
    let ask_around = |random: &mut fastrand::Rng, steady: &mut Wire, asked: &mut u64, read: &mut u64, callers: &mut u64| {
        let value = random.f64() - 0.5;
        steady.ask(&json!({ "id": 1, "ask": { "set": { "actuator": "HeadYaw", "value": value, "after_ns": 5_000_000 } } }).to_string());
        steady.ask(&json!({ "id": 2, "ask": { "silence": { "board": "FaceBoard", "silent": random.bool() } } }).to_string());
        *asked += 2;
        // Callers come and go, some of them in the middle of a word.
        let mut caller = Wire::to(&running.socket);
        let _ = caller.send(if random.bool() { b"{\"id\":1,\"ask\":\"hello\"}\n" } else { b"{\"id\":1," });
        *callers += 1;
        for _ in 0..100 {
            *read += u64::from(page.read(|frame| frame.sent(0)).is_some());
        }
    };
    // What is allocated once is allocated now.
    for _ in 0..100 {
        ask_around(&mut random, &mut steady, &mut asked, &mut read, &mut callers);
    }
    let (first_turn, before) = (page.latest(), held(process));
    let (begun, mut next) = (Instant::now(), Instant::now() + Duration::from_secs(60));
    while begun.elapsed() < length {
        ask_around(&mut random, &mut steady, &mut asked, &mut read, &mut callers);
        std::thread::sleep(Duration::from_millis(2));
        if Instant::now() >= next {
            next += Duration::from_secs(60);
            println!("{:>6} s: {} turns, {:?} KiB and files", begun.elapsed().as_secs(), page.latest() - first_turn, held(process));
        }
    }
    std::thread::sleep(Duration::from_millis(200));
    let (turns, after) = (page.latest() - first_turn, held(process));
    println!(
        "{turns} turns in {:.0} s, {asked} requests, {callers} callers, {read} reads: memory {} to {} KiB, files {} to {}",
        begun.elapsed().as_secs_f64(), before.0, after.0, before.1, after.1
    );
    assert!(turns as f64 > begun.elapsed().as_secs_f64() * 500.0, "only {turns} turns");
    assert!(after.0 <= before.0 + 1024, "memory grew from {} to {} KiB", before.0, after.0);
    assert!(after.1 <= before.1 + 2, "open files grew from {} to {}", before.1, after.1);
    running.signal(nix::sys::signal::Signal::SIGTERM);
    running.signal(nix::sys::signal::Signal::SIGTERM);
    running.signal(nix::sys::signal::Signal::SIGTERM);
    assert!(running.ended().status.success());
}
