//! Four writers at 100 Hz, in two languages: each sends a timed command for a joint of its own every 10 ms, merged in
//! one lane. The turns meanwhile, beside as long a time without requests in the same run; and how long an answer takes.

use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::choreographies::watched;
use super::{Robot, quantile};

/// The joints of the writers in Rust, and of those in Python.
const OURS: [&str; 2] = ["HeadYaw", "LShoulderPitch"];
const THEIRS: [&str; 2] = ["LWristYaw", "RWristYaw"];

const PERIOD: Duration = Duration::from_millis(10);

pub(super) fn writers(robot: &Robot<'_>, time: Duration) {
    let idle = watched(&robot.page, || thread::sleep(time));
    let mut answers = Vec::new();
    let busy = watched(&robot.page, || answers = write(robot, time));
    let [median, most] = [0.5, 0.99].map(|share| quantile(&answers, share));
    println!(
        "four writers at 100 Hz for {} s, two in Rust and two in Python:",
        time.as_secs()
    );
    println!("  an answer to one in Rust: median {median:.2} ms, 99 % {most:.2} ms");
    println!(
        "  turns: most work {:.2} ms, {} late of {} (without requests: {:.2} ms, {} of {})",
        busy.0, busy.1, busy.2, idle.0, idle.1, idle.2
    );
}

/// All of them; ms until each answer to those in Rust.
fn write(robot: &Robot<'_>, time: Duration) -> Vec<f64> {
    let turns = time.as_millis() / PERIOD.as_millis();
    let mut others = THEIRS.map(|joint| in_python(robot, joint, turns));
    let answers = thread::scope(|scope| {
        let ours: Vec<_> = OURS
            .iter()
            .zip(1u8..)
            .map(|(joint, host)| scope.spawn(move || in_rust(robot, joint, [8, host], turns)))
            .collect();
        let answers = ours.into_iter().map(|our| our.join().expect("a writer"));
        answers.flatten().collect()
    });
    for other in &mut others {
        assert!(other.wait().expect("python").success());
    }
    answers
}

fn in_rust(robot: &Robot<'_>, joint: &str, from: [u8; 2], turns: u128) -> Vec<f64> {
    let mut line = robot.line(from, Some(&robot.token)).expect("a connection");
    let mut next = Instant::now();
    let mut answers = Vec::new();
    for turn in 0..turns {
        next += PERIOD;
        thread::sleep(next.saturating_duration_since(Instant::now()));
        let value = 0.3 * (turn as f64 / 50.0).sin();
        let body =
            json!({ "to": joint, "values": value, "after_ns": 50_000_000, "merge": "merge" });
        let begun = Instant::now();
        let told = line.must("POST", "/api/v2/loop/move", body.to_string().as_bytes());
        answers.push(begun.elapsed().as_secs_f64() * 1e3);
        let told: Value = serde_json::from_slice(&told).expect("JSON");
        assert_eq!(told["taken"]["commands"], 1, "{told}");
    }
    answers
}

fn in_python(robot: &Robot<'_>, joint: &str, turns: u128) -> Child {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/daemon/clients/python");
    let script = format!(
        "import math, time\n\
         from dcm_run import DCMProxy, Robot\n\
         dcm = DCMProxy(robot=Robot('{}', token='{}'))\n\
         next = time.monotonic()\n\
         for turn in range({turns}):\n\
         \x20   next += 0.01\n\
         \x20   time.sleep(max(0, next - time.monotonic()))\n\
         \x20   value = 0.3 * math.sin(turn / 50)\n\
         \x20   told = dcm.set(['{joint}', 'Merge', [[value, dcm.getTime(50)]]])\n\
         \x20   assert told['commands'] == 1, told\n",
        robot.address, robot.token
    );
    let mut python = Command::new("python3");
    python.args(["-B", "-c", &script]).env("PYTHONPATH", source);
    python.spawn().expect("python")
}
