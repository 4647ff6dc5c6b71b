//! Waiting for what other threads and processes do.
//! Used wherever a test cannot turn the clock by hand. The law: whoever waits in vain is told for what.

use std::time::{Duration, Instant};

/// How long anything may take on a machine that does other things as well.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// Waits until it is so.
pub fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < TIMEOUT, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
