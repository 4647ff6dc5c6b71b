//! Sends the requests that keys make: each on a thread of its own, which reports the result.
//! Called by the loop of `top`. No request waits for another, nor for the screen; the emergency stop takes the
//! shortest way, and the program does not exit before its result is known.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use protocol::{Ask, Operation, ReplyBody};

use crate::session::connect;
use crate::session::press::press_stop;
use crate::session::robot_args::RobotArgs;
use crate::text::errors::NotReached;

/// The most pending requests: a key that is held down makes many, and a remote robot may answer none.
const MOST: usize = 32;

/// How long the program waits for pending requests before it exits.
const TIMEOUT: Duration = Duration::from_secs(6);

/// In which time a stop is to be confirmed.
const CONFIRM_TIME: Duration = Duration::from_millis(1500);

/// How long a stop that nobody answers is pressed again, and how soon.
const PRESS_FOR: Duration = Duration::from_secs(10);
const AGAIN_AFTER: Duration = Duration::from_millis(50);

/// The result of a request.
pub(super) struct RequestResult {
    is_stop: bool,
    /// The name of the request.
    pub(super) what: String,
    /// The robot's answer, or the error.
    pub(super) outcome: Result<String, String>,
}

/// The pending requests.
pub(super) struct PendingRequests {
    robot: String,
    pending: usize,
    /// The first stop since the last that was confirmed, and whether one of them has failed.
    stop: Option<(Instant, bool)>,
    sender: Sender<RequestResult>,
    done: Receiver<RequestResult>,
}

impl PendingRequests {
    /// Requests for the robot of this name.
    pub(super) fn new(robot: String) -> PendingRequests {
        let (sender, done) = channel();
        PendingRequests {
            robot,
            pending: 0,
            stop: None,
            sender,
            done,
        }
    }

    /// Starts a request.
    pub(super) fn begin(&mut self, ask: Ask) -> Result<()> {
        let what = name_of(&ask);
        // Half of the places are reserved for the emergency stop.
        let is_stop = is_press(&ask);
        if is_stop {
            self.stop.get_or_insert((Instant::now(), false));
        }
        let most = if is_stop { MOST } else { MOST / 2 };
        if self.pending >= most {
            bail!("{what}: the robot has not answered the last {most} requests");
        }
        let which = RobotArgs {
            robot: Some(self.robot.clone()),
        };
        let sender = self.sender.clone();
        let act = move || {
            let outcome = carry_out(&which, ask).map_err(|error| format!("{error:#}"));
            // The receiver is gone if the program is exiting.
            let _ = sender.send(RequestResult {
                is_stop,
                what,
                outcome,
            });
        };
        let thread = std::thread::Builder::new().name("act".to_owned());
        thread.spawn(act).context("starting a request")?;
        self.pending += 1;
        Ok(())
    }

    /// The next result.
    pub(super) fn answered(&mut self) -> Option<RequestResult> {
        let done = self.done.try_recv().ok()?;
        self.pending = self.pending.saturating_sub(1);
        match (&done.outcome, &mut self.stop) {
            (Ok(_), _) if done.is_stop => self.stop = None,
            (Err(_), Some(stop)) if done.is_stop => stop.1 = true,
            _ => {}
        }
        Some(done)
    }

    /// The body is stopped, whoever has pressed it.
    pub(super) fn confirm_stop(&mut self) {
        self.stop = None;
    }

    /// For how long a stop has not been confirmed, if that is too long, or has failed.
    pub(super) fn unconfirmed_stop(&self) -> Option<Duration> {
        let (since, has_failed) = self.stop?;
        let silence = since.elapsed();
        (has_failed || silence >= CONFIRM_TIME).then_some(silence)
    }

    /// Waits for the pending requests, for a while.
    pub(super) fn settle(mut self) -> Result<()> {
        let end = Instant::now() + TIMEOUT;
        let mut failed = None;
        while self.pending > 0 {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(done) = self.done.recv_timeout(left) else {
                bail!("the robot has not answered the last request");
            };
            self.pending -= 1;
            if let Err(why) = done.outcome {
                failed = Some(format!("{} failed: {why}", done.what));
            }
        }
        match failed {
            Some(failed) => bail!(failed),
            None => Ok(()),
        }
    }
}

fn carry_out(which: &RobotArgs, ask: Ask) -> Result<String> {
    let reply = if is_press(&ask) {
        press_until_confirmed(which)?
    } else {
        connect(which)?.ask(ask)?
    };
    Ok(match reply {
        ReplyBody::State(state) | ReplyBody::MayMove { state, .. } => {
            format!("the robot is {state}")
        }
        _ => "done".to_owned(),
    })
}

/// Presses again for a while if nobody answers: the loop may go on.
fn press_until_confirmed(which: &RobotArgs) -> Result<ReplyBody> {
    let begun = Instant::now();
    loop {
        match press_stop(which) {
            Err(error) if error.is::<NotReached>() && begun.elapsed() < PRESS_FOR => {
                std::thread::sleep(AGAIN_AFTER);
            }
            pressed => return Ok(pressed?.1),
        }
    }
}

fn is_press(ask: &Ask) -> bool {
    *ask == Ask::Operate(Operation::Press)
}

fn name_of(ask: &Ask) -> String {
    match ask {
        Ask::Operate(Operation::Press) => "emergency stop".to_owned(),
        Ask::Operate(Operation::Hold) => "hold".to_owned(),
        Ask::Operate(Operation::Resume) => "resume".to_owned(),
        Ask::Pause { .. } => "pause".to_owned(),
        Ask::ResumeGuest { .. } => "resume the guest".to_owned(),
        Ask::End { .. } => "end".to_owned(),
        other => format!("{other:?}"),
    }
}
