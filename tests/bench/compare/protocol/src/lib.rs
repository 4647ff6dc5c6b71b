//! What a contestant and the driver say to each other. Called by every contestant in Rust. A contestant works
//! only when it is asked, so that those who wait take nothing from the one who is measured.

use std::io::BufRead;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Joints, and sensors, of the work.
pub const JOINTS: usize = 26;

/// Says that it is ready; then, for each line, does `work` as often as the line says, and answers with ns for each.
pub fn contest(mut work: impl FnMut()) {
    contest_timed(|calls| {
        let begun = Instant::now();
        (0..calls).for_each(|_| work());
        begun.elapsed().as_nanos() as f64 / calls as f64
    });
}

/// The same for a turn of 1 kHz, which finds memory and processor as the rest of a millisecond has left them. Answers
/// with the median.
pub fn contest_paced(mut turn: impl FnMut()) {
    const PERIOD: Duration = Duration::from_millis(1);
    contest_timed(|calls| {
        let mut due = Instant::now();
        let mut took: Vec<_> = (0..calls)
            .map(|_| {
                due += PERIOD;
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                let begun = Instant::now();
                turn();
                begun.elapsed().as_nanos()
            })
            .collect();
        took.sort_unstable();
        took[took.len() / 2] as f64
    });
}

/// The same for work that measures itself.
pub fn contest_timed(mut work: impl FnMut(u64) -> f64) {
    println!("ready");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let calls = line.trim().parse().expect("a number of calls");
        println!("{:.3}", work(calls));
    }
}

/// What the peers' functions call: sensors that are read, and a tray on which commands are laid.
#[derive(Debug)]
pub struct Host {
    /// What the sensors read.
    pub sensors: [f64; JOINTS],
    /// The instant of the turn.
    pub now: u64,
    /// The commands, as many as `laid` says.
    pub tray: Vec<(u32, f64, u64)>,
}

/// Commands that a call may send.
const ROOM: usize = 1024;

impl Default for Host {
    fn default() -> Host {
        Host {
            sensors: std::array::from_fn(|i| i as f64 / 10.0),
            now: 1_000_000,
            tray: Vec::with_capacity(ROOM),
        }
    }
}

impl Host {
    /// A sensor's value; NaN if there is none.
    #[inline]
    pub fn read(&self, of: u32) -> f64 {
        self.sensors.get(of as usize).copied().unwrap_or(f64::NAN)
    }

    /// Lays a command on the tray, checked as ours are.
    #[inline]
    pub fn set(&mut self, to: u32, value: f64, at: u64) -> u32 {
        if to as usize >= JOINTS {
            return 1;
        }
        if value.is_nan() {
            return 0;
        }
        if self.tray.len() >= ROOM {
            return 3;
        }
        self.tray.push((to, value, at));
        0
    }

    /// Takes the commands away, as the runtime does between two calls; all must be there.
    #[inline]
    pub fn take(&mut self) {
        assert_eq!(self.tray.len(), JOINTS);
        self.tray.clear();
    }
}

/// Starts this program once more, with these words, on processor 0: the other side of a reader.
pub fn writer(words: &[&str]) -> Child {
    let this = std::env::current_exe().expect("a path");
    let mut command = Command::new("taskset");
    command
        .args(["-c", "0"])
        .arg(this)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command.env("COMPARE_PARENT", std::process::id().to_string());
    command.spawn().expect("taskset and a process")
}

/// Whether the process that started this one by [`writer`] has ended.
pub fn orphaned() -> bool {
    std::env::var("COMPARE_PARENT")
        .is_ok_and(|var| var != std::os::unix::process::parent_id().to_string())
}
