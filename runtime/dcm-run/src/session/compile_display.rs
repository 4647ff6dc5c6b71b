//! Says that a large component is being compiled, and how long that takes.
//! Called by verbs that compile in this process, or that wait for a robot which compiles. Nobody waits for
//! more than a few seconds without being told why; standard output is left to results.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use guests::{compile_progress, expected_time};

/// A shorter wait needs no words.
const SHORT: Duration = Duration::from_secs(2);

/// Erases what is left of the terminal's line.
const CLEAR: &str = "\x1b[K";

/// How often the display is drawn.
const INTERVAL: Duration = Duration::from_millis(250);

/// The display, on a thread of its own while this lives.
pub(crate) struct CompileDisplay {
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl CompileDisplay {
    /// Shows what this process compiles.
    pub(crate) fn here() -> CompileDisplay {
        CompileDisplay::start(|_| {
            let now = compile_progress()
                .filter(|progress| progress.expected > SHORT || progress.elapsed > SHORT)?;
            Some(Wait {
                subject: format!("compiling {}", size(now.bytes)),
                elapsed: now.elapsed,
                expected: Some(now.expected),
            })
        })
    }

    /// Shows that a robot is waited for, which has been given a component of this size.
    pub(crate) fn of_robot(robot: &str, bytes: usize) -> CompileDisplay {
        if bytes == 0 {
            return CompileDisplay { thread: None };
        }
        let expected = Some(expected_time(bytes, None)).filter(|value| *value > SHORT);
        CompileDisplay::of_subject(
            format!("{robot} compiles and checks {}", size(bytes)),
            expected,
        )
    }

    /// Shows that a robot is waited for, which checks a stored choreography, perhaps after other checks.
    #[cfg(feature = "server")]
    pub(crate) fn of_stored(robot: &str, choreography: &str) -> CompileDisplay {
        CompileDisplay::of_subject(format!("{robot} checks {choreography}"), None)
    }

    fn of_subject(subject: String, expected: Option<Duration>) -> CompileDisplay {
        CompileDisplay::start(move |elapsed| {
            (elapsed > SHORT).then(|| Wait {
                subject: subject.clone(),
                elapsed,
                expected,
            })
        })
    }

    /// Draws what `shown` returns after so much time.
    fn start(shown: impl Fn(Duration) -> Option<Wait> + Send + 'static) -> CompileDisplay {
        let (end, ended) = channel::<()>();
        let thread = std::thread::spawn(move || {
            let began = Instant::now();
            let (terminal, mut told) = (std::io::stderr().is_terminal(), false);
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                match shown(began.elapsed()) {
                    Some(wait) if terminal => {
                        told = true;
                        anstream::eprint!("\r{}{CLEAR}", wait.line());
                    }
                    // One line in a log is enough.
                    Some(wait) if !told => {
                        told = true;
                        anstream::eprintln!("dcm-run: {}", wait.remark());
                    }
                    Some(_) => {}
                    None if terminal && told => {
                        told = false;
                        anstream::eprint!("\r{CLEAR}");
                    }
                    None => {}
                }
            }
            if terminal && told {
                anstream::eprint!("\r{CLEAR}");
            }
        });
        CompileDisplay {
            thread: Some((end, thread)),
        }
    }
}

impl Drop for CompileDisplay {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}

/// What is waited for.
struct Wait {
    subject: String,
    elapsed: Duration,
    /// An estimate of the whole time, if there is one.
    expected: Option<Duration>,
}

impl Wait {
    /// `compiling 18 MB, 12 of about 40 s`. An estimate that was too short is left out.
    fn line(&self) -> String {
        let (subject, gone) = (&self.subject, self.elapsed.as_secs());
        match self.expected.map(|expected| expected.as_secs()) {
            Some(all) if gone <= all => format!("{subject}, {gone} of about {all} s"),
            _ => format!("{subject}, {gone} s so far"),
        }
    }

    /// The same for a log.
    fn remark(&self) -> String {
        match self.expected {
            Some(all) => {
                let about = all.as_secs().max(1);
                format!(
                    "{}; the first time this takes about {about} s",
                    self.subject
                )
            }
            None => format!("{}; this can take a while", self.subject),
        }
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        0..100_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        100_000..10_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.0} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_told_with_its_estimate_until_that_is_over() {
        let seconds = Duration::from_secs;
        assert_eq!(
            [4_321, 250_000, 18_000_000].map(size),
            ["4.3 kB", "0.2 MB", "18 MB"]
        );
        let told = |gone| {
            let wait = Wait {
                subject: "compiling 18 MB".into(),
                elapsed: seconds(gone),
                expected: Some(seconds(40)),
            };
            wait.line()
        };
        assert_eq!(told(12), "compiling 18 MB, 12 of about 40 s");
        assert_eq!(told(41), "compiling 18 MB, 41 s so far");
        assert_eq!(
            (size(18_200_000), size(2_340_000)),
            ("18 MB".into(), "2.3 MB".into())
        );
    }
}
