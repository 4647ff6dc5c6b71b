//! Frames of 52 values between two processes: iceoryx2 and a unix socket. Called by `run` with the name of the way.
//! A writer sends 1,000 frames a second; the reader takes what has come, keeps the newest and adds it up.

mod iceoryx;
mod socket;

/// 26 sent values and 26 sensors.
type Frame = [f64; 52];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let path = words.get(1).map_or("", String::as_str);
    match words.first().map(String::as_str) {
        Some("iceoryx2") => iceoryx::read(),
        Some("iceoryx2-writer") => iceoryx::write(path),
        Some("socket") => protocol::read(),
        Some("socket-writer") => protocol::write(path),
        other => panic!("there is no way {other:?}"),
    }
}

/// Sends a frame in each millisecond until the reader has ended.
fn each_millisecond(mut send: impl FnMut(Frame)) {
    let mut next = std::time::Instant::now();
    for turn in 0u64.. {
        if protocol::orphaned() {
            return;
        }
        send([turn as f64; 52]);
        next += std::time::Duration::from_millis(1);
        std::thread::sleep(next.saturating_duration_since(std::time::Instant::now()));
    }
}

/// Waits for the first frame, then contests: `newest` returns the newest frame that has come since, if there is one.
fn contest(mut newest: impl FnMut() -> Option<Frame>) {
    let begun = std::time::Instant::now();
    let mut kept = loop {
        if let Some(frame) = newest() {
            break frame;
        }
        assert!(begun.elapsed().as_secs() < 10, "no frame came");
    };
    protocol::contest(|| {
        if let Some(frame) = newest() {
            kept = frame;
        }
        std::hint::black_box(std::hint::black_box(&kept).iter().sum::<f64>());
    });
}
