//! Presses the emergency stop. Called by `estop` and `top`. The law: it takes the shortest way, and whoever presses it
//! is told within a second and a half if nobody has confirmed it; `top` tells so itself.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::Result;
use socket::{Ask, CallError, Caller, Operation, ReplyBody};

use crate::errors::NotReached;
use crate::remote;
use crate::robot_args::RobotArgs;

/// How long a stop may be unconfirmed before that is told, and before it is given up.
const TELL_AFTER: Duration = Duration::from_millis(1_500);
const GIVE_UP_AFTER: Duration = Duration::from_secs(10);

const WHAT_TO_DO: &str = "press the robot's stop button or cut its power";

/// Presses the emergency stop of the robot. Returns its name, and what it answers.
pub(crate) fn press_stop(args: &RobotArgs) -> Result<(String, ReplyBody)> {
    let ask = || Ask::Operate(Operation::Press);
    match Caller::reach(args.robot.as_deref()) {
        Ok(mut caller) => {
            let told = caller.ask(ask())?;
            let name = caller.here.name.clone();
            // It is pressed. The server presses it again, to log who did it.
            remote::note_press(&name);
            Ok((name, told))
        }
        Err(error @ CallError::Several(_)) => Err(error.into()),
        Err(_) => {
            let args = args.clone();
            // Whatever hangs: the search, the connection, or the answer.
            let (say, told) = channel();
            std::thread::Builder::new()
                .name("stop".to_owned())
                .spawn(move || {
                    let pressed = || {
                        let (name, client) = remote::reach_at_once(&args)?;
                        let told = remote::ask(&client, ask(), &[])?;
                        Ok((name, told))
                    };
                    // Nobody listens any more after the time-out.
                    let _ = say.send(pressed());
                })?;
            told.recv_timeout(GIVE_UP_AFTER).unwrap_or_else(|_| {
                let seconds = GIVE_UP_AFTER.as_secs();
                let sentence = format!("STOP NOT CONFIRMED within {seconds} s; fix: {WHAT_TO_DO}");
                Err(NotReached(sentence).into())
            })
        }
    }
}

/// Tells that a stop is not confirmed, unless what is returned is dropped before.
pub(crate) fn tell_if_it_waits() -> Sender<()> {
    let (confirmed, waits) = channel();
    // Without a thread there is no warning, and the stop is tried all the same.
    let _ = std::thread::Builder::new()
        .name("not confirmed".to_owned())
        .spawn(move || {
            if waits.recv_timeout(TELL_AFTER) == Err(RecvTimeoutError::Timeout) {
                let seconds = TELL_AFTER.as_secs_f64();
                anstream::eprintln!("STOP NOT CONFIRMED for {seconds} s: {WHAT_TO_DO}");
            }
        });
    confirmed
}
