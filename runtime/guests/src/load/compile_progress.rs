//! What this process compiles now, and how long it takes on this machine.
//! Set by the preparer; read by displays of other threads, through [`compile_progress`]. It never delays the
//! compiler, and an estimate is called one: it comes from the last large component, or else from a usual computer.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A component that is being compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompileProgress {
    /// Its size.
    pub bytes: usize,
    /// The time since the compiler started.
    pub elapsed: Duration,
    /// How long all of it takes, as an estimate.
    pub expected: Duration,
}

/// Nanoseconds for each byte on a usual computer.
pub(crate) const USUAL_PACE: f64 = 1_000.0;

/// A smaller component tells more of the start of a process than of the compiler.
pub(crate) const TELLING: usize = 1 << 20;

#[derive(Clone, Copy)]
struct Current {
    bytes: usize,
    began: Instant,
    expected: Duration,
}

// A process compiles one component at a time; what its displays show is a fact of the whole process.
static CURRENT: Mutex<Option<Current>> = Mutex::new(None);

fn current() -> std::sync::MutexGuard<'static, Option<Current>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What this process compiles now.
pub fn compile_progress() -> Option<CompileProgress> {
    current().map(|current| CompileProgress {
        bytes: current.bytes,
        elapsed: current.began.elapsed(),
        expected: current.expected,
    })
}

/// How long a component of this size takes, if each byte takes `pace` ns.
pub fn expected_time(bytes: usize, pace: Option<f64>) -> Duration {
    let pace = pace.filter(|pace| (1.0..1e7).contains(pace));
    Duration::from_nanos((bytes as f64 * pace.unwrap_or(USUAL_PACE)) as u64)
}

/// While it lives, a component is being compiled.
pub(crate) struct Compiling;

impl Compiling {
    pub(crate) fn begin(bytes: usize, pace: Option<f64>) -> Compiling {
        *current() = Some(Current {
            bytes,
            began: Instant::now(),
            expected: expected_time(bytes, pace),
        });
        Compiling
    }
}

impl Drop for Compiling {
    fn drop(&mut self) {
        *current() = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_follows_the_last_pace_if_that_makes_sense() {
        let seconds = |pace| expected_time(20_000_000, pace).as_secs_f64();
        assert_eq!(seconds(None), 20.0);
        assert_eq!(seconds(Some(2_500.0)), 50.0);
        for nonsense in [f64::NAN, -1.0, 0.0, f64::INFINITY, 1e300] {
            assert_eq!(seconds(Some(nonsense)), 20.0, "{nonsense}");
        }
    }
}
