//! The watchdog: watches a loop's process through a pidfd, which cannot refer to another process, and its turns through
//! the page.
//! Called by `dcm-run guard`. A loop that closed its page has ended normally, whatever else happened.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use cycle::State;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use sensors::{Frame, PageReader};

use crate::boards;
use description::Robot;

/// How often the page and the process are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// How long to wait for the end of a killed process.
const KILL_TIMEOUT: Duration = Duration::from_secs(1);

/// How long to wait for the first turn of a loop.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How a loop has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopOutcome {
    /// It closed its page and ended normally.
    Closed,
    /// Its process died: the cause, as far as it is known.
    Died(String),
    /// It made no turn for this time, and its process was killed.
    Stalled(Duration),
}

/// The last state of the body on the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LastState {
    /// The number of the turn.
    pub turn: u64,
    /// The safety state, if it is a known one.
    pub state: Option<State>,
    /// The factor on gains and stiffnesses.
    pub power: f64,
    /// The value that was sent to each actuator.
    pub sent: Vec<f64>,
    /// The command for each actuator: for a stiffness, before power and heat reduced it.
    pub commanded: Vec<f64>,
    /// How far the zero of each joint was moved since the start.
    pub trims: Vec<f64>,
}

/// Why a loop cannot be watched.
#[derive(Debug)]
pub enum WatchError {
    /// There is no page, or no turn on it.
    Page(String),
    /// Its process has ended.
    Process(u64),
    /// It drives another robot than the description says.
    Other,
    /// It drives no real board.
    Simulated,
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WatchError::Page(why) => write!(f, "there is no loop to watch: {why}"),
            WatchError::Process(process) => {
                write!(f, "process {process}, the owner of the page, is gone")
            }
            WatchError::Other => write!(
                f,
                "the loop drives another robot; fix: give the guardian the loop's description"
            ),
            WatchError::Simulated => write!(
                f,
                "no process drives this robot's boards: there is nothing to watch"
            ),
        }
    }
}

impl std::error::Error for WatchError {}

impl fmt::Display for LoopOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoopOutcome::Closed => write!(f, "has ended normally"),
            LoopOutcome::Died(why) => write!(f, "{why}"),
            LoopOutcome::Stalled(lasting) => write!(
                f,
                "made no turn for {} ms and was killed",
                lasting.as_millis()
            ),
        }
    }
}

/// A loop that is watched.
#[derive(Debug)]
pub struct Watchdog {
    page: PageReader,
    process: OwnedFd,
    number: u64,
    timeout: Duration,
}

impl Watchdog {
    /// Opens the loop whose page is at `path`, and waits for its first turn.
    ///
    /// # Errors
    /// [`WatchError`].
    pub fn attach(robot: &Robot, path: &Path, writer: Option<u64>) -> Result<Watchdog, WatchError> {
        let begun = Instant::now();
        let page = loop {
            match PageReader::open(path) {
                // The page of an earlier run may still be there.
                Ok(page)
                    if !page.is_closed() && writer.is_none_or(|writer| writer == page.writer()) =>
                {
                    break page;
                }
                Err(why) if begun.elapsed() > START_TIMEOUT => {
                    return Err(WatchError::Page(why.to_string()));
                }
                _ if begun.elapsed() > START_TIMEOUT => {
                    return Err(WatchError::Page("it made no turn".to_owned()));
                }
                _ => std::thread::sleep(POLL_INTERVAL),
            }
        };
        let number = page.writer();
        let pid = i32::try_from(number).ok().and_then(Pid::from_raw);
        let opened = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        let process = opened.ok_or(WatchError::Process(number))?;
        let shown = page
            .actuators()
            .into_iter()
            .map(|actuator| (actuator.name, actuator.range, actuator.board));
        let described = robot.actuators.iter();
        let described = described.map(|described| {
            (
                described.name.clone(),
                (described.range.min, described.range.max),
                described.board.0,
            )
        });
        if !shown.eq(described) {
            return Err(WatchError::Other);
        }
        if robot.boards.iter().any(boards::is_free) {
            return Err(WatchError::Simulated);
        }
        Ok(Watchdog {
            timeout: boards::taken_over_after(page.period()),
            page,
            process,
            number,
        })
    }

    /// The loop's process.
    pub fn process(&self) -> u64 {
        self.number
    }

    /// Watches until the loop has ended; returns how it ended, and the last state of the body.
    ///
    /// # Errors
    /// The system refuses.
    pub fn watch(&self) -> io::Result<(LoopOutcome, LastState)> {
        let (mut last, mut since) = (LastState::default(), Instant::now());
        // The page may be from an earlier run: only a loop whose turns were seen can hang or die.
        let mut turns = 0;
        loop {
            let gone = self.is_gone(POLL_INTERVAL)?;
            if let Some(seen) = self
                .page
                .read(|frame| self.see(&frame))
                .filter(|page| page.turn != last.turn)
            {
                (last, since) = (seen, Instant::now());
                turns += 1;
            }
            if self.page.is_closed() {
                return Ok((LoopOutcome::Closed, last));
            }
            if gone {
                let seen = if turns > 1 {
                    last
                } else {
                    LastState::default()
                };
                return Ok((LoopOutcome::Died(self.cause()), seen));
            }
            // Before its first turn a loop drives nothing, and while the body is limp a hanging loop does no harm.
            if turns > 1 && last.power > 0.0 && since.elapsed() > self.timeout {
                let stalled = since.elapsed();
                pidfd_send_signal(&self.process, Signal::KILL)?;
                while !self.is_gone(POLL_INTERVAL)? {
                    if since.elapsed() > stalled + KILL_TIMEOUT {
                        return Err(io::Error::other(
                            "the loop hangs, and killing its process failed",
                        ));
                    }
                }
                return Ok((LoopOutcome::Stalled(stalled), last));
            }
        }
    }

    fn see(&self, frame: &Frame<'_>) -> LastState {
        let all = 0..self.page.shape().actuators;
        LastState {
            turn: frame.turn(),
            state: frame.state(),
            power: frame.power(),
            sent: all
                .clone()
                .map(|value| frame.sent(value).unwrap_or(f64::NAN))
                .collect(),
            commanded: all
                .map(|value| frame.commanded(value).unwrap_or(f64::NAN))
                .collect(),
            trims: self.page.trims(),
        }
    }

    /// Whether the process has ended; waits up to `wait` for that.
    fn is_gone(&self, wait: Duration) -> io::Result<bool> {
        let mut handles = [PollFd::new(&self.process, PollFlags::IN)];
        let wait = Timespec {
            tv_sec: 0,
            tv_nsec: wait.subsec_nanos().into(),
        };
        match poll(&mut handles, Some(&wait)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(why) => Err(why.into()),
        }
    }

    /// Why the process ended. The system knows it until the parent collects the exit status.
    fn cause(&self) -> String {
        let stat =
            std::fs::read_to_string(format!("/proc/{}/stat", self.number)).unwrap_or_default();
        let code = stat
            .rsplit(' ')
            .next()
            .and_then(|part| part.trim().parse::<i32>().ok());
        let is_dead = stat
            .rsplit_once(')')
            .is_some_and(|pair| pair.1.starts_with(" Z"));
        match code.filter(|_| is_dead) {
            Some(code) if code & 0x7f != 0 => format!("was ended by signal {}", code & 0x7f),
            Some(code) => format!("ended with code {}", code >> 8),
            None => "is gone".to_owned(),
        }
    }
}
