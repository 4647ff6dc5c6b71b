//! Waiting for other threads and processes. Used wherever a test cannot set the clock. A timeout says what was
//! waited for.

use std::time::{Duration, Instant};

/// The timeout, long enough for a busy machine.
pub const TIMEOUT: Duration = Duration::from_secs(180);

/// Waits until `so` is true.
pub fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < TIMEOUT, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
